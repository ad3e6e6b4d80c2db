#!/usr/bin/env python3
"""Answers the problems of an attest corpus with an implementation that lives on this machine.

    python3 run.py --callable my_module:my_attention
    python3 run.py --backend flash

It needs NumPy; PyTorch for --backend, for bf16 and fp8, and where --arrays says so. Problems that
have an answer are left alone, so that it can be stopped and started again, and so are those of
follow-ups (the folders follow-up-1, follow-up-2, ... beside it).

A callable is given q, k, v as [B, H, L, D] and, as keywords, only what the problem asks for:

    mask      booleans that broadcast to [B, Hq, Lq, Lk]; the manifest's rules say what true means
    bias      numbers, likewise
    lengths   integers [B]: how many keys of each batch row are valid
    page_table  integers [B, pages of a row]: k and v are pools [pages, Hkv, page, D], key j of
              batch row b lies in page page_table[b, j // page] at slot j % page; -1: no valid key
    sink      numbers [Hq]
    causal    "top_left" or "bottom_right"
    window    (left, right), -1 for an open side
    scale     in place of 1 / sqrt(D)
    soft_cap  cap * tanh(score / cap)
    dropout_mask, dropout_scale  booleans as those of mask (True keeps), and what kept weights are
              multiplied by once they have been normalised
    parameters, alpha  matrices [1, Hq, rows, columns] of the scorer, alpha of alpha_entmax
    lse       True, where the corpus wants it: then the callable returns (o, lse)

It returns o as [B, Hq, Lq, Dv] (and lse as [B, Hq, Lq]), of the formats that the manifest names. It
raises NotImplementedError for what it does not do.
"""

import argparse
import collections
import contextlib
import hashlib
import importlib
import inspect
import json
import os
import sys
import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None

# A format of attest: its name in safetensors, NumPy's type of its bits or values, PyTorch's type.
Format = collections.namedtuple("Format", "safetensors numpy is_bits torch")

FORMATS = {
    "f64": Format("F64", np.float64, False, "float64"),
    "f32": Format("F32", np.float32, False, "float32"),
    "f16": Format("F16", np.float16, False, "float16"),
    "bf16": Format("BF16", np.uint16, True, "bfloat16"),
    "f8_e4m3fn": Format("F8_E4M3", np.uint8, True, "float8_e4m3fn"),
    "f8_e5m2": Format("F8_E5M2", np.uint8, True, "float8_e5m2"),
}
SAFETENSORS_TYPES = {
    "BOOL": np.bool_, "I64": np.int64,
    **{f.safetensors: f.numpy for f in FORMATS.values()},
}
PARAMETERS = tuple("parameter_%d" % n for n in range(4))
ARRAY_FORMATS = {"q": "inputs", "k": "inputs", "v": "inputs", "bias": "bias", "sink": "bias",
                 "slopes": "bias", **{name: "bias" for name in PARAMETERS}}
OPTIONAL_ARRAYS = ("mask", "bias", "lengths", "sink", "slopes", "query_segments", "key_segments",
                   "block_mask", "dropout_mask", "page_table")
NO_PATTERN = {"dilation": 1, "chunk": 0, "global_keys": 0, "block_queries": 0, "block_keys": 0}


class Unusable(Exception):
    """What this runner can't go on with: one line, exit code 2."""


# --- Files ---


def read_safetensors(data):
    length = int.from_bytes(data[:8], "little")
    arrays = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        raw = np.frombuffer(data[8 + length + begin:8 + length + end],
                            SAFETENSORS_TYPES[entry["dtype"]])
        arrays[name] = raw.reshape(entry["shape"])
    return arrays


def safetensors_bytes(arrays, types):
    header, chunks, at = {}, [], 0
    for name, array in arrays.items():
        chunk = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": types[name], "shape": list(array.shape),
                        "data_offsets": [at, at + len(chunk)]}
        chunks.append(chunk)
        at += len(chunk)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(chunks)


def write_file(path, write):
    """A reader sees all of a file or nothing of it."""
    part = os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".part")
    with open(part, "wb") as out:
        write(out)
    os.replace(part, path)


def write_json(path, value):
    write_file(path, lambda out: out.write(json.dumps(value).encode() + b"\n"))


# --- Problems ---


class Corpus:
    """A folder of problems: the corpus or one of its follow-ups."""

    def __init__(self, folder):
        self.folder = folder
        try:
            with open(os.path.join(folder, "manifest.json")) as text:
                manifest = json.load(text)
        except (OSError, ValueError) as error:
            raise Unusable("%s is no corpus: %s" % (folder, error))
        self.formats = {}
        for use, name in manifest["formats"].items():
            if name not in FORMATS:
                raise Unusable("this runner does not know the format " + name)
            self.formats[use] = FORMATS[name]
        self.is_npz = manifest["format"] == "npz"
        self.rules = manifest["rules"]
        self.wants_lse = "lse" in manifest["features"]
        self.problems = manifest["problems"]

    def answer_path(self, problem, ending):
        name = os.path.splitext(os.path.basename(problem["file"]))[0]
        return os.path.join(self.folder, "answers", name + ending)

    def answer_paths(self, problem):
        paths = [self.answer_path(problem, e) for e in (".npz", ".safetensors", ".json")]
        return [path for path in paths if os.path.exists(path)]

    def read(self, problem):
        path = os.path.join(self.folder, problem["file"])
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise Unusable("%s can't be read: %s" % (path, error))
        if hashlib.sha256(data).hexdigest() != problem["sha256"]:
            raise Unusable("%s is not the file that the manifest names (another SHA-256)" % path)
        if not self.is_npz:
            return read_safetensors(data)
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}

    def write_answer(self, problem, answer, digest):
        arrays = dict(answer, problem=digest)
        if self.is_npz:
            write_file(self.answer_path(problem, ".npz"), lambda out: np.savez(out, **arrays))
            return
        types = {"o": self.formats["output"].safetensors, "lse": self.formats["lse"].safetensors,
                 "problem": "I64"}
        data = safetensors_bytes(arrays, types)
        write_file(self.answer_path(problem, ".safetensors"), lambda out: out.write(data))

    def write_refusal(self, problem, status, message):
        write_json(self.answer_path(problem, ".json"),
                   {"problem": problem["problem"], "status": status, "message": message})


# --- Arrays of the implementation ---


class NumpyArrays:
    name = "numpy"

    def __init__(self, corpus):
        for use in corpus.formats.values():
            if use.is_bits:
                raise Unusable("NumPy lacks %s: it takes --arrays torch" % use.torch)

    def make(self, array, _):
        return array.copy()

    def bits(self, array, form):
        """Its bytes as the file holds them; None where it is no such array."""
        is_due = isinstance(array, np.ndarray) and array.dtype == form.numpy
        return array if is_due else None

    def sizes(self, array):
        return tuple(array.shape)

    def describe(self, array):
        return str(getattr(array, "dtype", type(array).__name__))


class TorchArrays:
    name = "torch"

    def __init__(self, corpus, device):
        if torch is None:
            raise Unusable("this needs PyTorch, which can't be imported")
        for use in corpus.formats.values():
            if not hasattr(torch, use.torch):
                raise Unusable("PyTorch %s lacks %s" % (torch.__version__, use.torch))
        self.device = device

    # As whole numbers that every PyTorch has.
    SIGNED = {1: np.int8, 2: np.int16}

    def make(self, array, form):
        if form is not None and form.is_bits:
            signed = array.view(self.SIGNED[array.dtype.itemsize])
            made = torch.from_numpy(signed.copy()).view(getattr(torch, form.torch))
        else:
            made = torch.from_numpy(array.copy())
        return made.to(self.device)

    def bits(self, array, form):
        if not isinstance(array, torch.Tensor) or array.dtype != getattr(torch, form.torch):
            return None
        array = array.detach().cpu().contiguous()
        if not form.is_bits:
            return array.numpy()
        whole = torch.int8 if array.element_size() == 1 else torch.int16
        return array.view(whole).numpy().view(form.numpy)

    def sizes(self, array):
        return tuple(array.shape)

    def describe(self, array):
        return str(getattr(array, "dtype", type(array).__name__))


# --- Implementations ---


def keywords_of(corpus, problem, arrays):
    ask = problem["ask"]
    keywords = {name: arrays[name] for name in OPTIONAL_ARRAYS if name in arrays}
    keywords.update((name, value) for name, value in ask.get("pattern", {}).items()
                    if value != NO_PATTERN[name])
    if ask["causal"] != "none":
        keywords["causal"] = ask["causal"]
    if ask["window"] is not None:
        keywords["window"] = tuple(ask["window"])
    if not ask["usual_scale"]:
        keywords["scale"] = ask["scale"]
    if ask["soft_cap"] > 0:
        keywords["soft_cap"] = ask["soft_cap"]
    parameters = [arrays[name] for name in PARAMETERS if name in arrays]
    if parameters:
        keywords["parameters"] = parameters
    if "dropout_scale" in ask:
        keywords["dropout_scale"] = ask["dropout_scale"]
    if "alpha" in ask:
        keywords["alpha"] = ask["alpha"]
    if corpus.wants_lse:
        keywords["lse"] = True
    return keywords


class GivenCallable:
    """MODULE:FUNCTION, from the folder where the runner was started or Python's path."""

    def __init__(self, address):
        module, _, function = address.partition(":")
        sys.path.insert(0, os.getcwd())
        try:
            found = importlib.import_module(module)
            for part in function.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError, ValueError) as error:
            raise Unusable("--callable %s can't be had (%s); allowed: MODULE:FUNCTION"
                           % (address, error))
        self.function = found
        self.name = address
        self.version = str(getattr(sys.modules[module], "__version__", ""))

    def __call__(self, corpus, problem, arrays):
        given = keywords_of(corpus, problem, arrays)
        return self.function(arrays["q"], arrays["k"], arrays["v"], **given)


class TorchBackend:
    """One backend of PyTorch's scaled_dot_product_attention."""

    NAMES = {"math": "MATH", "flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION",
             "cudnn": "CUDNN_ATTENTION"}
    # What a backend can't do with other widths is done with zeros in further columns.
    MULTIPLES = {"efficient": 8, "cudnn": 8}

    def __init__(self, backend, device, multiple):
        self.backend = backend
        self.multiple = multiple or self.MULTIPLES.get(backend, 1)
        functional = torch.nn.functional
        self.attention = getattr(functional, "scaled_dot_product_attention", None)
        self.is_old = self.attention is None
        if self.is_old:
            self.attention = getattr(functional, "_scaled_dot_product_attention", None)
        if self.attention is None:
            raise Unusable("PyTorch %s has no scaled_dot_product_attention" % torch.__version__)
        self.takes_scale = not self.is_old and self.accepts("scale")
        self.select = self.selector()
        with self.select():
            pass
        self.name = "torch-sdpa-" + backend
        where = torch.cuda.get_device_name() if device.startswith("cuda") else device
        self.version = "PyTorch %s on %s" % (torch.__version__, where)
        if self.multiple > 1:
            self.version += ", widths filled up to multiples of %d" % self.multiple

    def accepts(self, keyword):
        """Built-in functions have no signature: their documentation does."""
        try:
            return keyword in inspect.signature(self.attention).parameters
        except ValueError:
            return keyword + "=" in (self.attention.__doc__ or "")

    def selector(self):
        """A function that gives a context in which only this backend is used."""
        try:
            from torch.nn.attention import SDPBackend, sdpa_kernel
            kind = getattr(SDPBackend, self.NAMES[self.backend])
            return lambda: sdpa_kernel([kind])
        except (ImportError, AttributeError):
            pass
        old = getattr(torch.backends.cuda, "sdp_kernel", None)
        if old is not None:
            own = "enable_" + {"efficient": "mem_efficient"}.get(self.backend, self.backend)
            known = [name for name in inspect.signature(old).parameters
                     if name.startswith("enable_")]
            if own in known:
                return lambda: old(**{name: name == own for name in known})
        if self.backend == "math":
            return contextlib.nullcontext
        raise Unusable("PyTorch %s can't choose the backend %s" % (torch.__version__, self.backend))

    def __call__(self, corpus, problem, arrays):
        ask = problem["ask"]
        for name in ("page_table", "lengths", "sink", "slopes", "query_segments", "block_mask",
                     "dropout_mask"):
            if name in arrays:
                raise NotImplementedError(name)
        for field, usual in (("scorer", "scaled_dot"), ("normalizer", "softmax")):
            if corpus.rules.get(field, usual) != usual:
                raise NotImplementedError("%s=%s" % (field, corpus.rules[field]))
        if ask.get("pattern", NO_PATTERN) != NO_PATTERN:
            raise NotImplementedError("patterns")
        if ask["soft_cap"] > 0 or corpus.wants_lse:
            raise NotImplementedError("soft_cap" if ask["soft_cap"] > 0 else "lse")
        q, k, v = arrays["q"], arrays["k"], arrays["v"]
        mask, is_causal = self.mask_of(corpus, ask, arrays)
        groups = q.shape[1] // k.shape[1]
        if groups > 1:
            if corpus.rules["head_map"] == "tile":
                k, v = k.repeat(1, groups, 1, 1), v.repeat(1, groups, 1, 1)
            else:
                k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        width, value_width = q.shape[3], v.shape[3]
        q, k, v = self.filled_up(q), self.filled_up(k), self.filled_up(v)
        keywords = {}
        if not ask["usual_scale"] or q.shape[3] != width:
            if not self.takes_scale:
                raise NotImplementedError("scale, in PyTorch %s" % torch.__version__)
            keywords["scale"] = ask["scale"]
        with self.select(), torch.no_grad():
            try:
                o = self.attention(q, k, v, attn_mask=mask, dropout_p=0.0, is_causal=is_causal,
                                   **keywords)
            except RuntimeError as error:
                if "No available kernel" in str(error):
                    raise NotImplementedError(str(error).splitlines()[0])
                raise
        o = o[0] if self.is_old else o
        return o[..., :value_width]

    def filled_up(self, x):
        missing = -x.shape[3] % self.multiple
        return torch.nn.functional.pad(x, (0, missing)) if missing else x

    def mask_of(self, corpus, ask, arrays):
        """The one mask that the function takes, and whether its own triangle stands in for it."""
        if ask["causal"] == "top_left" and "mask" not in arrays and "bias" not in arrays \
                and ask["window"] is None:
            return None, True
        kept = self.kept_by_position(corpus, ask, arrays["q"].device)
        if "mask" in arrays:
            keeps = corpus.rules["mask_polarity"] == "true_keeps"
            given = arrays["mask"] if keeps else ~arrays["mask"]
            kept = given if kept is None else kept & given
        sizes = [ask["shape"][axis] for axis in ("B", "Hq", "Lq", "Lk")]
        if "bias" in arrays:
            bias = arrays["bias"]
            if kept is not None:
                bias = bias.expand(sizes).masked_fill(~kept, float("-inf"))
            return bias.expand(sizes), False
        if kept is None:
            return None, False
        kept = kept.expand(sizes)
        if not self.is_old:
            return kept, False
        zeros = torch.zeros(sizes, dtype=arrays["q"].dtype, device=kept.device)
        return zeros.masked_fill(~kept, float("-inf")), False

    @staticmethod
    def kept_by_position(corpus, ask, device):
        """[Lq, Lk]: what triangle and window keep; None for all."""
        queries, keys = ask["shape"]["Lq"], ask["shape"]["Lk"]
        if ask["causal"] == "none" and ask["window"] is None:
            return None
        i = torch.arange(queries, device=device)[:, None]
        j = torch.arange(keys, device=device)[None, :]
        position = i + keys - queries if ask["causal"] == "bottom_right" else i
        kept = torch.ones(queries, keys, dtype=torch.bool, device=device)
        if ask["causal"] != "none":
            kept &= j <= position
        if ask["window"] is not None:
            left, right = ask["window"]
            end = 1 if corpus.rules["window_ends"] == "exclusive" else 0
            if left >= 0:
                kept &= j >= position - left + end
            if right >= 0:
                kept &= j <= position + right - end
        return kept


# --- Answering ---


def answer_of(corpus, problem, raw, arrays, implementation):
    """o and lse as bytes, or the reason why there are none."""
    made = {name: arrays.make(raw[name], corpus.formats.get(ARRAY_FORMATS.get(name)))
            for name in raw if name != "problem"}
    returned = implementation(corpus, problem, made)
    for name, array in made.items():
        form = corpus.formats.get(ARRAY_FORMATS.get(name))
        now = arrays.bits(array, form) if form else np.asarray(
            array.cpu() if arrays.name == "torch" else array)
        if now.tobytes() != raw[name].tobytes():
            return None, "wrote to its input " + name
    shape = problem["ask"]["shape"]
    sizes = tuple(shape[axis] for axis in ("B", "Hq", "Lq", "Dv"))
    due = {"o": ("output", sizes)}
    if corpus.wants_lse:
        due["lse"] = ("lse", sizes[:3])
    parts = returned if isinstance(returned, tuple) else (returned,)
    if len(parts) != len(due):
        return None, "returned %d arrays (due: %s)" % (len(parts), ", ".join(due))
    answer = {}
    for part, (name, (use, sizes)) in zip(parts, due.items()):
        form = corpus.formats[use]
        bits = arrays.bits(part, form)
        if bits is None:
            return None, "returned %s as %s (due: %s)" % (name, arrays.describe(part), form.torch)
        if arrays.sizes(part) != sizes:
            return None, "returned %s of sizes %s (due: %s)" % (name, arrays.sizes(part), sizes)
        answer[name] = bits
    return answer, None


def answer_one(corpus, problem, arrays, implementation):
    """Result: what became of it, a word."""
    raw = corpus.read(problem)
    try:
        answer, why = answer_of(corpus, problem, raw, arrays, implementation)
    except NotImplementedError as error:
        corpus.write_refusal(problem, "unsupported", str(error))
        return "unsupported"
    except Exception as error:  # whatever the implementation throws
        why = "%s: %s" % (type(error).__name__, (str(error).splitlines() or [""])[0])
        answer = None
    if answer is None:
        corpus.write_refusal(problem, "failed", why)
        return "failed"
    corpus.write_answer(problem, answer, raw["problem"])
    return "answered"


def claim_answers(corpus, implementation):
    """The answers of one folder are those of one implementation."""
    os.makedirs(os.path.join(corpus.folder, "answers"), exist_ok=True)
    path = os.path.join(corpus.folder, "answers", "subject.json")
    subject = {"name": implementation.name, "version": implementation.version}
    if os.path.exists(path):
        with open(path) as text:
            found = json.load(text)
        if found != subject:
            raise Unusable("%s holds answers of %s %s; those of %s %s need another copy of the corpus"
                           % (corpus.folder, found.get("name"), found.get("version"),
                              subject["name"], subject["version"]))
    write_json(path, subject)


class Meter:
    def __init__(self, of):
        self.counts, self.of, self.shown = collections.Counter(), of, 0.0

    def count(self, word):
        self.counts[word] += 1
        done = sum(self.counts.values())
        if done == self.of or time.monotonic() - self.shown > 1:
            self.shown = time.monotonic()
            words = ", ".join("%d %s" % (n, w) for w, n in sorted(self.counts.items()))
            print("%d of %d problems: %s" % (done, self.of, words), file=sys.stderr, flush=True)


def folders_of(root):
    folders = [root]
    while os.path.isdir(os.path.join(root, "follow-up-%d" % len(folders))):
        folders.append(os.path.join(root, "follow-up-%d" % len(folders)))
    return folders


def parse_options():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = options.add_mutually_exclusive_group(required=True)
    which.add_argument("--callable", metavar="MODULE:FUNCTION")
    which.add_argument("--backend", choices=sorted(TorchBackend.NAMES),
                       help="of PyTorch's scaled_dot_product_attention")
    options.add_argument("--arrays", choices=["numpy", "torch"],
                         help="what a callable is given (default: numpy where it has the formats)")
    options.add_argument("--device", help="of PyTorch's tensors (default: cuda where there is one)")
    options.add_argument("--fill-width", type=int, metavar="N",
                         help="fill D and Dv up with zeros to multiples of N for the backend "
                              "(default: 8 for efficient and cudnn, else 1)")
    options.add_argument("--corpus", default=os.path.dirname(os.path.abspath(__file__)),
                         help="the folder (default: where this file lies)")
    options.add_argument("--retry", action="store_true",
                         help="ask again what was unsupported or failed")
    return options.parse_args()


def main():
    options = parse_options()
    corpora = [Corpus(folder) for folder in folders_of(options.corpus)]
    first = corpora[0]
    device = options.device
    if device is None:
        device = "cuda" if torch is not None and torch.cuda.is_available() else "cpu"
    in_torch = options.backend or options.arrays == "torch" or (
        options.arrays is None and any(f.is_bits for f in first.formats.values()))
    arrays = TorchArrays(first, device) if in_torch else NumpyArrays(first)
    implementation = (TorchBackend(options.backend, device, options.fill_width)
                      if options.backend else GivenCallable(options.callable))
    open_problems = []
    for corpus in corpora:
        claim_answers(corpus, implementation)
        for problem in corpus.problems:
            found = corpus.answer_paths(problem)
            if options.retry and found and found[0].endswith(".json"):
                os.remove(found[0])
                found = []
            if not found:
                open_problems.append((corpus, problem))
    meter = Meter(len(open_problems))
    for corpus, problem in open_problems:
        meter.count(answer_one(corpus, problem, arrays, implementation))
    print("every problem of %d folder(s) has an answer: attest corpus check %s"
          % (len(corpora), options.corpus))


if __name__ == "__main__":
    try:
        main()
    except Unusable as unusable:
        print("run.py: %s" % unusable, file=sys.stderr)
        sys.exit(2)
