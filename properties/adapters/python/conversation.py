"""What the subjects written in Python share: the conversation with attest (docs/command_protocol.md)
and the keys that a query sees."""
import json
import sys

import numpy as np


def seen_keys(request, arrays):
    """True where a query sees a key, [B, H, Lq, Lk] or broadcast to it; None: all of them."""
    queries, keys = arrays["q"].shape[2], arrays["k"].shape[2]
    seen = None
    if "lengths" in arrays or request["causal"] != "none" or max(
            request["window_left"], request["window_right"]) >= 0:
        valid = arrays.get("lengths", np.array([keys]))[:, None, None, None]
        i, j = np.arange(queries)[:, None], np.arange(keys)[None, :]
        position = i + (valid - queries if request["causal"] == "bottom_right" else 0)
        seen = j < valid
        if request["causal"] != "none":
            seen = seen & (j <= position)
        if request["window_left"] >= 0:
            seen = seen & (j >= position - request["window_left"])
        if request["window_right"] >= 0:
            seen = seen & (j <= position + request["window_right"])
    if "mask" in arrays:
        seen = arrays["mask"] if seen is None else seen & arrays["mask"]
    return seen


def cleared(x, arrays):
    """k or v with 0 where no key is: what lies there may be NaN."""
    if "lengths" not in arrays:
        return x
    beyond = np.arange(x.shape[2])[None, None, :, None] >= arrays["lengths"][:, None, None, None]
    return np.where(beyond, x.dtype.type(0), x)


def serve(hello, answer):
    """answer(request, arrays) gives o, in the type that travels."""
    print(json.dumps({"attest": 1, "files": "npz", **hello}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        with np.load(request["problem"]) as file:
            o = answer(request, dict(file))
        np.savez(request["answer"], o=o)
        print(json.dumps({"id": request["id"], "ok": True}), flush=True)
