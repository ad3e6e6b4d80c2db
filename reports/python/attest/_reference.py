"""attest.reference: the exact answer, rounded once."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, Optional, Sequence

from attest import _attest
from attest._arrays import given_problem, like
from attest._options import Causal, Window, problem_options


class Reference(NamedTuple):
    """What an implementation with no error but the last rounding returns."""

    o: Any
    lse: Any


def reference(
    q: Any,
    k: Any,
    v: Any,
    *,
    mask: Any = None,
    bias: Any = None,
    causal: Causal = None,
    window: Window = None,
    lengths: Any = None,
    scale: Optional[float] = None,
    soft_cap: float = 0.0,
    sink: Any = None,
    slopes: Any = None,
    query_segments: Any = None,
    key_segments: Any = None,
    dilation: int = 1,
    chunk: int = 0,
    global_keys: int = 0,
    block_mask: Any = None,
    block_queries: int = 0,
    block_keys: int = 0,
    page_table: Any = None,
    dropout_mask: Any = None,
    dropout_scale: float = 1.0,
    parameters: Sequence[Any] = (),
    alpha: float = 1.5,
    profile: str = "attest",
    round: Optional[str] = None,
    threads: int = 0,
) -> Reference:
    """The correctly rounded o and lse of attention.

    q, k and v are [L, D], [H, L, D] or [B, H, L, D], of NumPy, PyTorch or any library that speaks
    DLPack; the number of query heads is a multiple of that of k and v. mask (bool, True keeps) and
    bias broadcast to [B, Hq, Lq, Lk]; lengths are the valid keys a batch row; sink is a logit a
    query head. causal: "top_left", "bottom_right", or True where these are the same. window:
    (left, right), -1 for an open side. slopes: of ALiBi, a number a query head. query_segments [B,
    Lq] and key_segments [B, Lk] are integers that have to agree. dilation, chunk and global_keys are
    those of --dilation, --chunk and --global-keys of the program; block_mask (bool, broadcast to
    [B, Hq, ...]) says which blocks of block_queries by block_keys are kept. Beside a page_table [B,
    pages of a row] and lengths, k and v are pools of pages. dropout_mask (bool, True keeps)
    broadcasts to [B, Hq, Lq, Lk]: weights that it keeps are multiplied by dropout_scale, 1 /
    (1 - p), the others are left out of o once they have been normalised. parameters and alpha are
    those of the profile's scorer and normalizer. round: a format (f64, f32, f16, bf16, ...), by
    default that of q. threads: 0 for one a core.

    Returns tensors where q is a tensor, otherwise NumPy arrays. Numbers of formats that NumPy lacks
    come in float32. Warns of a value so near the middle of two numbers that the highest precision
    leaves open which is nearer.
    """
    arrays = given_problem(
        q,
        k,
        v,
        mask=mask,
        bias=bias,
        lengths=lengths,
        sink=sink,
        slopes=slopes,
        query_segments=query_segments,
        key_segments=key_segments,
        block_mask=block_mask,
        page_table=page_table,
        dropout_mask=dropout_mask,
        parameters=parameters,
    )
    options = problem_options(
        causal=causal,
        window=window,
        profile=profile,
        scale=scale,
        soft_cap=soft_cap,
        dropout_scale=dropout_scale,
        alpha=alpha,
        dilation=dilation,
        chunk=chunk,
        global_keys=global_keys,
        block_queries=block_queries,
        block_keys=block_keys,
    )
    element = round or arrays["q"][1]
    o, lse, undecided = _attest.reference(arrays, options, element, threads)
    if undecided:
        warnings.warn(f"{undecided} values are too near a tie, so perhaps one number off")
    return Reference(like(o, element, q), like(lse, element, q))
