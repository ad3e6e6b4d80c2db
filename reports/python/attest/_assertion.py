"""attest.assert_attention: a test's one line."""

from __future__ import annotations

import re
from typing import Any, Optional, Sequence

from attest import _attest
from attest._arrays import given, given_problem
from attest._attest import InputError
from attest._options import Causal, Contract, Window, contract_text, problem_options


def assert_attention(
    out: Any,
    q: Any,
    k: Any,
    v: Any,
    *,
    lse: Any = None,
    contract: Contract = None,
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
    layout: str = "bhld",
    rows: Optional[int] = None,
) -> None:
    """Asserts that out is what attention gives for q, k and v, as far as the arithmetic allows.

    In place of ``torch.testing.assert_close(out, expected)``: nothing is expected but the
    definition, and no tolerance is chosen. What each element may be off by is derived from the
    contract (by default that of q's dtype: float64, float32, fp16-flash, bf16-flash). lse is judged
    too where it is given. layout "blhd": q, k, v and out are [B, L, H, D]. rows: judges a sample of
    so many rows, for outputs that are large. The other arguments are those of ``attest.reference``.

    Raises AssertionError with the worst element, its bound and what the bound derives from, and with
    another reading under which the worst rows would be right, where there is one; also where the
    contract is too lax to decide, which is no pass. Raises InputError for arrays that do
    not fit together, and an out whose dtype is not the contract's.
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
        lse=lse,
    )
    arrays["o"] = given("out", out)
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
    judged = _attest.judge(arrays, options, contract_text(contract), layout, _sample(rows))
    if not judged.accepted:
        raise AssertionError(_in_python(judged.text))


def _sample(rows: Optional[int]) -> int:
    if rows is None:
        return 0
    if rows < 1:
        raise InputError(f"rows is {rows} (allowed: 1 or more, or None for all)")
    return rows


def _in_python(text: str) -> str:
    """Options of the command line as keywords: "--causal top_left" as "causal='top_left'"."""
    return re.sub(r"--([a-z-]+) ([^\s,]+(?:,[^\s,]+)*)", _keyword, text)


def _keyword(option: "re.Match[str]") -> str:
    name, value = option[1].replace("-", "_"), option[2]
    if name == "window":
        return f"window=({value.replace(',', ', ')})"
    return f"{name}={value}" if name in ("scale", "soft_cap", "dropout_scale") else f"{name}='{value}'"
