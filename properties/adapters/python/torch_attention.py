"""Attention of PyTorch: torch_attention.py sdpa|mha_eval|mha_train."""
import sys

import numpy as np
import torch
import torch.nn.functional as F

from conversation import cleared, seen_keys, serve

torch.set_num_threads(1)
MASKS = ["mask", "causal_top_left", "causal_bottom_right", "window", "lengths"]


def as_tensor(array, bits_of_bf16):
    tensor = torch.from_numpy(np.ascontiguousarray(array.view(np.int16) if bits_of_bf16 else array))
    return tensor.view(torch.bfloat16) if bits_of_bf16 else tensor


def as_array(tensor, bits_of_bf16):
    tensor = tensor.contiguous()
    return tensor.view(torch.int16).numpy().view(np.uint16) if bits_of_bf16 else tensor.numpy()


def scaled_dot_product(request, arrays):
    """A causal triangle alone is left to is_causal; every other rule is in attn_mask."""
    bf16 = request["arrays"]["q"]["dtype"] == "bf16"
    q = as_tensor(arrays["q"], bf16)
    k, v = (as_tensor(cleared(arrays[name], arrays), bf16) for name in "kv")
    alone = request["causal"] == "top_left" and not {"mask", "bias", "lengths"} & set(arrays) and max(
        request["window_left"], request["window_right"]) < 0
    mask = None
    seen = None if alone else seen_keys(request, arrays)
    if "bias" in arrays:
        bias = as_tensor(arrays["bias"], bf16)
        if seen is not None:
            bias = torch.where(torch.from_numpy(np.ascontiguousarray(seen)), bias,
                               torch.tensor(-torch.inf, dtype=bias.dtype))
        mask = bias
    elif seen is not None:
        mask = torch.from_numpy(np.ascontiguousarray(seen))
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    o, _ = F._scaled_dot_product_attention(q, k, v, mask, 0.0, False, alone)
    return as_array(o, bf16)


def selection(heads, width, part, factor):
    """The matrix that takes part of [q|k|v|0] of each head into the first quarter of its width."""
    matrix = torch.zeros(heads, 4 * width, heads, 4 * width)
    for h in range(heads):
        for d in range(width):
            matrix[h, d, h, part * width + d] = factor
    return matrix.reshape(heads * 4 * width, heads * 4 * width)


def multi_head(request, arrays):
    """nn.MultiheadAttention on x = [q|k|v|0] of each head: self-attention, as its fast path asks for. Its
    projections take q, k and v out; heads are four times as wide, which 2 q makes up for exactly."""
    q, v = arrays["q"], arrays["v"]
    batch, heads, length, width = q.shape
    parts = [arrays["q"], cleared(arrays["k"], arrays), cleared(v, arrays), np.zeros_like(q)]
    x = torch.from_numpy(np.concatenate(parts, axis=3)).transpose(1, 2).reshape(batch, length, -1)
    module = torch.nn.MultiheadAttention(heads * 4 * width, heads, batch_first=True, dtype=x.dtype)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([selection(heads, width, 0, 2), selection(heads, width, 1, 1),
                                               selection(heads, width, 2, 1)]))
        module.in_proj_bias.zero_()
        module.out_proj.weight.copy_(torch.eye(heads * 4 * width))
        module.out_proj.bias.zero_()
        module.train(NAME == "mha_train")
        seen = seen_keys(request, arrays)
        masked = None
        if seen is not None:  # True masks here
            masked = torch.from_numpy(~np.broadcast_to(seen, (batch, heads, length, length)))
            masked = masked.reshape(batch * heads, length, length)
        o, _ = module(x, x, x, attn_mask=masked, need_weights=False)
    return o.reshape(batch, length, heads, 4, width)[:, :, :, 0].transpose(1, 2).contiguous().numpy()


NAME = sys.argv[1]
SUBJECTS = {
    "sdpa": (scaled_dot_product, MASKS + ["bias", "infinite_bias", "cross_lengths", "value_width"],
             ["f32", "f64", "bf16"]),
    # out_proj mixes the heads: NaN of a row without keys in one of them is in all. Rules are for all heads.
    "mha_train": (multi_head, MASKS[1:], ["f32"]),
    "mha_eval": (multi_head, MASKS[1:], ["f32"]),
}
ANSWER, FEATURES, INPUTS = SUBJECTS[NAME]
HELLO = {"name": "torch " + NAME, "version": torch.__version__, "features": FEATURES, "inputs": INPUTS,
         "profile": "attest,empty_row=nan,empty_lse=unspecified,infinite_bias=weighs_0"}
if "bf16" in INPUTS:  # the softmax and its weights are bf16
    HELLO["contract"] = "bf16-eager"
serve(HELLO, ANSWER)
