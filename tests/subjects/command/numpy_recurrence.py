#!/usr/bin/env python3
"""Linear attention with its state in NumPy, as a command that attest can check:

    attest recurrence --exec 'python3 numpy_recurrence.py'

Replace answer() by a call of your own code, then say in `hello` what that can do. The protocol is
described in docs/recurrence.md.
"""
import json
import sys

import numpy as np

hello = {
    "attest_recurrence": 1,  # the version of the protocol
    "name": "numpy_recurrence",
    "version": np.__version__,
    "features": ["sum", "delta", "head_decay", "position_decay", "channel_decay", "erase",
                 "identity", "elu_plus_1", "relu", "normalised", "state_in", "state_out", "scale",
                 "grouped_heads", "value_width", "exp_features"],
    "inputs": ["f64", "f32"],
    "files": "npz",
}


def features(x, feature_map, draws):
    """[B, H, L, C]: C is D, or the number of draws [Hkv, A, D]."""
    if feature_map == "exp_features":
        products = np.einsum("hat,bhlt->bhla", np.repeat(draws, x.shape[1] // len(draws), axis=0), x)
        return np.exp(products - (x * x).sum(-1, keepdims=True) / 2)
    if feature_map == "relu":
        return np.maximum(x, 0)
    if feature_map == "elu_plus_1":
        return np.where(x >= 0, x + 1, np.exp(np.minimum(x, 0)))
    return x


def factors(request, arrays, shape):
    """What the state fades by, [B, Hkv, L, C]."""
    if request["decay_of"] == "none":
        return np.ones(shape)
    decay = arrays["decay"]
    if request["decay_of"] == "head":
        decay = decay[None, :, None, None]
    elif request["decay_of"] == "position":
        decay = decay[..., None]
    return np.broadcast_to(np.exp(decay), shape)


def answer(request, arrays):
    """o [B, Hq, L, Dv] and the last state [B, Hkv, C, Dv]: all heads at once, position by position."""
    q, k = (features(arrays[name], request["feature_map"], arrays.get("draws")) for name in "qk")
    v, erase = arrays["v"], arrays.get("erase", np.ones_like(k))
    left = factors(request, arrays, k.shape)
    state = np.zeros(k.shape[:2] + (k.shape[3], v.shape[3]), v.dtype)
    state = state + arrays.get("state", 0)
    mass = np.zeros(k.shape[:2] + (k.shape[3],), v.dtype)
    each = q.shape[1] // k.shape[1]
    o = np.zeros(q.shape[:3] + (v.shape[3],), v.dtype)
    for l in range(k.shape[2]):
        state = state * left[:, :, l, :, None]
        mass = mass * left[:, :, l] + k[:, :, l]
        fresh = v[:, :, l]
        if request["rule"] == "delta":
            known = np.einsum("bgt,bgtd->bgd", erase[:, :, l] * k[:, :, l], state)
            fresh = arrays["rate"][:, :, l, None] * (fresh - known)
        state = state + k[:, :, l, :, None] * fresh[:, :, None, :]
        sums = np.einsum("bht,bhtd->bhd", q[:, :, l], np.repeat(state, each, axis=1))
        weights = np.einsum("bht,bht->bh", q[:, :, l], np.repeat(mass, each, axis=1))
        o[:, :, l] = sums / weights[..., None] if request["normalised"] else sums * request["scale"]
    return {"o": o, "state_out": state}


def main():
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        with np.load(request["problem"]) as file:
            arrays = dict(file)
        result = answer(request, arrays)
        types = {"f64": np.float64, "f32": np.float32}
        np.savez(request["answer"], **{name: result[name].astype(types[due["dtype"]])
                                       for name, due in request["outputs"].items()})
        print(json.dumps({"ok": True}), flush=True)


main()
