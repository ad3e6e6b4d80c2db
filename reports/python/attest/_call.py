"""One call of a callable under test: attest's memory as arrays, and the answer back into it."""

from __future__ import annotations

import traceback
from typing import Any, Callable, Dict, Tuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Status = Tuple[str, str]

_ARRAYS = (
    "mask",
    "bias",
    "lengths",
    "sink",
    "slopes",
    "query_segments",
    "key_segments",
    "block_mask",
    "dropout_mask",
    "page_table",
)
_PATTERN = ("dilation", "chunk", "global_keys", "block_queries", "block_keys")
_KEYWORDS = _ARRAYS + ("causal", "window", "scale", "soft_cap", "dropout_scale") + _PATTERN
_NUMPY_NAMES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}


class _Broken(Exception):
    """A rule of the call that the callable broke."""


class NumpyTensors:
    """Inputs as NumPy arrays that can't be written; no copies."""

    formats = ("f64", "f32", "f16")

    def lend(self, array: Array, element: str) -> Any:
        array.setflags(write=False)
        return array

    def take(self, answer: Any, name: str, element: str) -> Array:
        array = np.asarray(_on_the_cpu(answer))
        if isinstance(answer, (list, tuple)) and array.dtype.kind in "fiu":
            array = array.astype(_NUMPY_NAMES[element])  # plain numbers have no format
        _require_dtype(name, array.dtype.name, _NUMPY_NAMES[element])
        return array


class TorchTensors:
    """Inputs as tensors of PyTorch; copies only where a stride is negative, which it lacks."""

    formats = ("f64", "f32", "f16", "bf16")

    def __init__(self) -> None:
        import torch

        self._torch = torch

    def lend(self, array: Array, element: str) -> Any:
        if any(stride < 0 for stride in array.strides):
            array = np.ascontiguousarray(array)
        tensor = self._torch.from_numpy(array)
        return tensor.view(self._torch.bfloat16) if element == "bf16" else tensor

    def take(self, answer: Any, name: str, element: str) -> Array:
        if not isinstance(answer, self._torch.Tensor):
            raise _Broken(f"returned {name} as {type(answer).__name__} (due: a tensor)")
        _require_dtype(name, str(answer.dtype).replace("torch.", ""), _NUMPY_NAMES[element])
        answer = answer.detach().cpu()
        bits = answer.view(self._torch.int16) if element == "bf16" else answer
        array: Array = bits.numpy()
        return array


def _on_the_cpu(answer: Any) -> Any:
    return answer.detach().cpu() if hasattr(answer, "detach") else answer


def _require_dtype(name: str, given: str, due: str) -> None:
    if given != due:
        raise _Broken(f"returned {name} as {given} (due: {due})")


def _store(target: Array, array: Array, name: str) -> None:
    if array.shape != target.shape:
        raise _Broken(f"returned {name} with shape {array.shape} (due: {target.shape})")
    target[...] = array


def _lse_of(array: Array, target: Array) -> Array:
    """lse may come as [B, H, L] or [B, H, L, 1]."""
    return array[..., np.newaxis] if array.ndim == target.ndim - 1 else array


def _split(answer: Any, has_lse: bool) -> Tuple[Any, Any]:
    is_pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    if not has_lse:
        return answer, None
    if not is_pair:
        raise _Broken(f"returned {type(answer).__name__} (due: (o, lse), as lse is declared)")
    return answer[0], answer[1]


def _without_warnings() -> Any:
    """Problems hold huge numbers on purpose: where NumPy would only warn of them, it is quiet."""
    ignored: Any = {kind: "ignore" for kind, how in np.geterr().items() if how == "warn"}
    return np.errstate(**ignored)


class Handler:
    """What attest calls: it puts a problem to the callable."""

    def __init__(self, function: Callable[..., Any], tensors: Any) -> None:
        self._function = function
        self._tensors = tensors

    def __call__(self, call: Dict[str, Any]) -> Status:
        try:
            self._answer(call)
        except _Broken as broken:
            return "misbehaved", str(broken)
        except NotImplementedError as refused:
            return "unsupported", str(refused)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit() too
            last = traceback.format_exception_only(type(error), error)[-1].strip()
            return "misbehaved", f"raised {last}"
        return "answered", ""

    def _answer(self, call: Dict[str, Any]) -> None:
        q, k, v = (self._tensors.lend(call[name], call["inputs"]) for name in "qkv")
        with _without_warnings():
            answer = self._function(q, k, v, **self._keywords(call))
        o, lse = _split(answer, "lse" in call)
        _store(call["o"], self._tensors.take(o, "o", call["output"]), "o")
        if "lse" in call:
            target = call["lse"]
            array = self._tensors.take(lse, "lse", "f64" if target.dtype == "f8" else "f32")
            _store(target, _lse_of(array, target), "lse")

    def _keywords(self, call: Dict[str, Any]) -> Dict[str, Any]:
        given = {name: call[name] for name in _KEYWORDS if name in call}
        for name in _ARRAYS:
            if given.get(name) is not None:
                given[name] = self._tensors.lend(*self._in_shape(name, given[name], call))
        if "parameters" in call:
            given["parameters"] = [
                self._tensors.lend(each, call["inputs"]) for each in call["parameters"]
            ]
        if "alpha" in call:
            given["alpha"] = call["alpha"]
        return given

    @staticmethod
    def _in_shape(name: str, array: Array, call: Dict[str, Any]) -> Tuple[Array, str]:
        element = call["inputs"] if name in ("bias", "sink", "slopes") else ""
        return (array.reshape(-1) if name in ("sink", "slopes") else array), element
