"""Attention in Python, right and wrong, for the tests."""

import math
import os
import signal
import time

import numpy as np


def attention(
    q,
    k,
    v,
    mask=None,
    bias=None,
    causal=None,
    window=None,
    lengths=None,
    scale=None,
    soft_cap=0.0,
    sink=None,
    slopes=None,
    dropout_mask=None,
    dropout_scale=1.0,
    with_lse=False,
    page_table=None,
    **pattern,
):
    """The definition in the dtype of q, with every feature."""
    if page_table is not None:
        by_key = (mask, bias, pattern.get("key_segments"), dropout_mask)
        keys = max([lengths.max()] + [x.shape[-1] for x in by_key if x is not None])
        k, v = gathered(k, page_table, keys), gathered(v, page_table, keys)
    groups = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, groups, axis=1), np.repeat(v, groups, axis=1)
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    scores = (q @ np.swapaxes(k, -1, -2)) * q.dtype.type(scale)
    if soft_cap:
        scores = np.tanh(scores / q.dtype.type(soft_cap)) * q.dtype.type(soft_cap)
    if bias is not None:
        scores = scores + bias
    if slopes is not None:
        distance = np.abs(np.arange(k.shape[2]) - positions(q, k, causal, lengths))
        scores = scores - slopes[None, :, None, None] * distance.astype(q.dtype)
    kept = kept_keys(q, k, mask, causal, window, lengths, **pattern) & (scores != -np.inf)
    scores = np.where(kept, scores, -np.inf)
    return normalised(scores, v, sink, with_lse, dropout_mask, dropout_scale)


def gathered(pool, page_table, keys):
    """[B, Hkv, keys, D] of the pages that the table names."""
    pages = pool[np.maximum(page_table, 0)].swapaxes(1, 2)
    return pages.reshape(pages.shape[:2] + (-1,) + pages.shape[4:])[:, :, :keys]


def valid_keys(k, lengths):
    valid = np.full(k.shape[0], k.shape[2]) if lengths is None else lengths
    return valid[:, None, None, None]


def positions(q, k, causal, lengths):
    """Where queries stand among the keys: [B or 1, 1, Lq, 1]."""
    i = np.arange(q.shape[2])[None, None, :, None]
    return i + valid_keys(k, lengths) - q.shape[2] if causal == "bottom_right" else i


def near_keys(
    position, j, window=None, dilation=1, chunk=0, block_mask=None, block_queries=0, block_keys=0
):
    near = (position - j) % dilation == 0
    if window is not None:
        left, right = window
        near = near & ((left < 0) | (j >= position - left)) & ((right < 0) | (j <= position + right))
    if chunk > 0:
        near = near & (j // chunk == position // chunk)
    if block_mask is not None:
        i = np.arange(position.shape[2])[:, None]
        near = near & block_mask[:, :, i // block_queries, j[0, 0] // block_keys]
    return near


def kept_keys(
    q,
    k,
    mask,
    causal,
    window,
    lengths,
    query_segments=None,
    key_segments=None,
    global_keys=0,
    **pattern,
):
    j = np.arange(k.shape[2])[None, None, None, :]
    position = positions(q, k, causal, lengths)
    kept = np.broadcast_to(j < valid_keys(k, lengths), q.shape[:3] + (k.shape[2],))
    kept = kept & (near_keys(position, j, window, **pattern) | (j < global_keys))
    if causal:
        kept = kept & (j <= position)
    if query_segments is not None:
        kept = kept & (query_segments[:, None, :, None] == key_segments[:, None, None, :])
    return kept if mask is None else kept & mask


def normalised(scores, v, sink, with_lse, dropout_mask=None, dropout_scale=1.0):
    top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    if sink is not None:
        top = np.maximum(top, sink[None, :, None, None])
    shift = np.where(np.isfinite(top), top, 0).astype(scores.dtype)
    weights = np.exp(scores - shift)
    total = weights.sum(axis=-1, keepdims=True)
    if sink is not None:
        total = total + np.exp(sink[None, :, None, None] - shift)
    if dropout_mask is not None:
        weights = np.where(dropout_mask, weights, 0) * scores.dtype.type(dropout_scale)
    safe = np.where(total > 0, total, 1).astype(scores.dtype)
    o = (weights @ np.where(np.isfinite(v), v, 0)) / safe
    if not with_lse:
        return o
    with np.errstate(divide="ignore"):
        return o, (np.log(total) + shift)[..., 0]


def plain(q, k, v):
    """Numbers of Python, one after the other."""
    return [
        [[row(q_i, k_h, v_h) for q_i in q_h] for q_h, k_h, v_h in zip(q_b, k_b, v_b)]
        for q_b, k_b, v_b in zip(q.tolist(), k.tolist(), v.tolist())
    ]


def row(q, k, v):
    scale = 1 / math.sqrt(len(q))
    scores = [scale * math.fsum(x * y for x, y in zip(q, key)) for key in k]
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    total = math.fsum(weights)
    return [
        math.fsum(w * value[d] for w, value in zip(weights, v)) / total for d in range(len(v[0]))
    ]


def without_last_key(q, k, v):
    return attention(q, k[:, :, :-1], v[:, :, :-1]) if k.shape[2] > 1 else attention(q, k, v)


def with_scale_of_keys(q, k, v):
    return attention(q, k, v, scale=1 / math.sqrt(k.shape[2]))


def mean_of_values(q, k, v):
    return np.broadcast_to(v.mean(axis=2, keepdims=True), q.shape[:3] + v.shape[3:]).copy()


def crashing(q, k, v):
    if k.shape[2] > 20:
        os.kill(os.getpid(), signal.SIGSEGV)
    return attention(q, k, v)


def slow(q, k, v):
    if k.shape[2] > 200:
        time.sleep(60)
    return attention(q, k, v)


def chatty(q, k, v):
    print("{}")
    return attention(q, k, v)


def raising(q, k, v):
    return {}["no such key"]


def with_lse(q, k, v, **keywords):
    return attention(q, k, v, with_lse=True, **keywords)


def attention_of_halves(q, k, v, **keywords):
    wide = [x.astype(np.float32) for x in (q, k, v)]
    return attention(*wide, **keywords).astype(np.float16)
