"""Attention in PyTorch, for the tests."""

import torch


def attention(q, k, v, mask=None, causal=None, scale=None):
    wide = [x.float() for x in (q, k, v)]
    scores = wide[0] @ wide[1].transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    kept = torch.ones(scores.shape, dtype=torch.bool)
    if causal == "top_left":
        kept = kept.tril()
    if mask is not None:
        kept = kept & mask
    weights = torch.softmax(scores.masked_fill(~kept, float("-inf")), dim=-1).nan_to_num(0.0)
    return (weights @ wide[2]).to(q.dtype)
