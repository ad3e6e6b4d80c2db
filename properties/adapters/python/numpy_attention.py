"""Attention composed in NumPy, every array in one type: numpy_attention.py float16|float32|longdouble."""
import sys

import numpy as np

from conversation import cleared, seen_keys, serve

FEATURES = ["mask", "bias", "infinite_bias", "causal_top_left", "causal_bottom_right", "window", "lengths",
            "grouped_heads", "scale", "soft_cap", "cross_lengths", "value_width"]
# The type that is computed in, and that of the arrays that travel.
TYPES = {"float16": (np.float16, "f16"), "float32": (np.float32, "f32"), "longdouble": (np.longdouble, "f64")}
CONTRACTS = {"float16": "fp16-accumulate", "float32": "float32", "longdouble": "float64"}


def answer(request, arrays):
    q, k, v = (arrays[name].astype(NUMBER) for name in "qkv")
    k, v = cleared(k, arrays), cleared(v, arrays)
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    score = (q * NUMBER(request["scale"])) @ np.swapaxes(k, 2, 3)
    if request["soft_cap"] > 0:
        score = NUMBER(request["soft_cap"]) * np.tanh(score / NUMBER(request["soft_cap"]))
    if "bias" in arrays:
        score = score + arrays["bias"].astype(NUMBER)
    seen = seen_keys(request, arrays)
    if seen is not None:
        score = np.where(seen, score, NUMBER(-np.inf))
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        weights = np.exp(score - np.max(score, axis=3, keepdims=True))
        weights = weights / np.sum(weights, axis=3, keepdims=True)
        return (weights @ v).astype(arrays["q"].dtype)


NAME = sys.argv[1]
NUMBER, TRAVELS = TYPES[NAME]
serve({"name": "numpy " + NAME, "version": np.__version__, "features": FEATURES, "inputs": [TRAVELS],
       "profile": "attest,empty_row=nan,empty_lse=unspecified,infinite_bias=weighs_0",
       "contract": CONTRACTS[NAME]}, answer)
