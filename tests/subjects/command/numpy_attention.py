#!/usr/bin/env python3
"""Attention in NumPy as a command that attest can check:

    attest check --exec 'python3 numpy_attention.py'

Replace answer() by a call of your own code, then say in `hello` what that can do. The protocol is
described in docs/command_protocol.md.
"""
import json
import sys

import numpy as np

hello = {
    "attest": 1,  # the version of the protocol
    "name": "numpy_attention",
    "version": np.__version__,
    "features": ["mask", "bias", "infinite_bias", "causal_top_left", "causal_bottom_right",
                 "window", "lengths", "grouped_heads", "scale", "soft_cap", "sink", "lse",
                 "cross_lengths", "value_width", "segments", "dilation", "chunks", "global_keys",
                 "block_mask", "alibi", "pages", "dropout"],
    "inputs": ["f64", "f32", "f16"],
    "files": "npz",
}


def positions(request, arrays, queries, keys):
    """Where query i of batch row b stands among the keys: [B, 1, Lq, 1]."""
    i = np.arange(queries)[None, None, :, None]
    if request["causal"] != "bottom_right":
        return i
    return i + arrays.get("lengths", np.array([keys]))[:, None, None, None] - queries


def keys_near(request, arrays, position, queries, keys):
    """True where window, dilation, chunk and blocks leave key j to query i."""
    i, j = np.arange(queries)[:, None], np.arange(keys)[None, :]
    near = (position - j) % request["dilation"] == 0
    if request["window_left"] >= 0:
        near = near & (j >= position - request["window_left"])
    if request["window_right"] >= 0:
        near = near & (j <= position + request["window_right"])
    if request["chunk"] > 0:
        near = near & (j // request["chunk"] == position // request["chunk"])
    if "block_mask" in arrays:
        near = near & arrays["block_mask"][:, :, i // request["block_queries"],
                                           j // request["block_keys"]]
    return near


def keys_seen(request, arrays, queries, keys):
    """True where query i of batch row b sees key j: [B, 1 or Hq, Lq, Lk]."""
    j = np.arange(keys)[None, :]
    position = positions(request, arrays, queries, keys)
    seen = keys_near(request, arrays, position, queries, keys) | (j < request["global_keys"])
    seen = seen & (j < arrays.get("lengths", np.array([keys]))[:, None, None, None])
    if request["causal"] != "none":
        seen = seen & (j <= position)
    if "query_segments" in arrays:
        of_queries, of_keys = arrays["query_segments"], arrays["key_segments"]
        seen = seen & (of_queries[:, None, :, None] == of_keys[:, None, None, :])
    return seen


def without_pages(request, arrays):
    """The arrays with k and v in the order of their positions, [B, Hkv, Lk, D]."""
    if "page_table" not in arrays:
        return arrays
    pages = np.maximum(arrays["page_table"], 0)  # entries of -1 are of keys that are not valid
    dense = dict(arrays)
    for name in "kv":
        pool = arrays[name][pages].swapaxes(1, 2)  # [B, Hkv, pages of a row, page, D]
        dense[name] = pool.reshape(pool.shape[:2] + (-1,) + pool.shape[4:])[:, :, :request["keys"]]
    return dense


def without_unseen(x, arrays):
    """k or v with zeros where no key is: what lies there may be NaN, and 0 times NaN is NaN."""
    if "lengths" not in arrays:
        return x
    beyond = np.arange(x.shape[2])[None, None, :, None] >= arrays["lengths"][:, None, None, None]
    return np.where(beyond, x.dtype.type(0), x)


def answer(request, arrays):
    """o [B, Hq, Lq, Dv] and lse [B, Hq, Lq]."""
    arrays = without_pages(request, arrays)
    number = np.promote_types(arrays["q"].dtype, np.float32)  # f16 is computed in f32
    q, k, v = (arrays[name].astype(number) for name in "qkv")
    k, v = without_unseen(k, arrays), without_unseen(v, arrays)
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    score = number.type(request["scale"]) * (q @ np.swapaxes(k, 2, 3))
    if request["soft_cap"] > 0:
        cap = number.type(request["soft_cap"])
        score = cap * np.tanh(score / cap)
    if "bias" in arrays:
        score = score + arrays["bias"].astype(number)
    if "slopes" in arrays:
        position = positions(request, arrays, q.shape[2], k.shape[2])
        distance = np.abs(np.arange(k.shape[2]) - position).astype(number)
        score = score - arrays["slopes"].astype(number)[:, None, None] * distance
    seen = keys_seen(request, arrays, q.shape[2], k.shape[2])
    if "mask" in arrays:
        seen = seen & arrays["mask"]
    score = np.where(seen, score, -np.inf)
    sink = arrays["sink"].astype(number)[:, None, None] if "sink" in arrays else -np.inf
    top = np.maximum(np.max(score, axis=3, keepdims=True, initial=-np.inf), sink)
    shift = np.where(np.isinf(top), number.type(0), top)  # no key and no sink: all weights are 0
    weights = np.exp(score - shift)
    total = weights.sum(axis=3, keepdims=True) + np.exp(sink - shift)
    if "dropout_mask" in arrays:  # dropped keys stay in the total
        weights = np.where(arrays["dropout_mask"], weights, number.type(0))
        weights = weights * number.type(request["dropout_scale"])
    o = np.divide(weights @ v, total, where=total > 0, out=np.zeros(q.shape[:3] + v.shape[3:], number))
    with np.errstate(divide="ignore"):
        lse = (np.log(total) + shift)[..., 0]
    return {"o": o, "lse": lse}


def write(request, outputs):
    """The outputs that were asked for, in the types that were asked for."""
    numpy_name = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
    np.savez(request["answer"], **{name: outputs[name].astype(numpy_name[asked["dtype"]])
                                   for name, asked in request["outputs"].items()})


def main():
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        with np.load(request["problem"]) as arrays:
            write(request, answer(request, dict(arrays)))
        print(json.dumps({"id": request["id"], "ok": True}), flush=True)


main()
