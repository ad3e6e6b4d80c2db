"""attest.assert_attention: a test's one line."""

from __future__ import annotations

from typing import Any, Optional

from attest import _attest
from attest._arrays import given, given_problem
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
    profile: str = "attest",
) -> None:
    """Asserts that out is what attention gives for q, k and v, as far as the arithmetic allows.

    In place of ``torch.testing.assert_close(out, expected)``: nothing is expected but the
    definition, and no tolerance is chosen. What each element may be off by is derived from the
    contract (by default that of q's dtype: float64, float32, fp16-flash, bf16-flash). lse is judged
    too where it is given. The other arguments are those of ``attest.reference``.

    Raises AssertionError with the worst element, its bound and what the bound derives from; also
    where the contract is too lax to decide, which is no pass. Raises InputError for arrays that do
    not fit together, and an out whose dtype is not the contract's.
    """
    arrays = given_problem(q, k, v, mask=mask, bias=bias, lengths=lengths, sink=sink)
    options = problem_options(causal, window, profile, scale, soft_cap)
    judged = _attest.judge(
        arrays,
        options,
        given("out", out),
        None if lse is None else given("lse", lse),
        contract_text(contract),
    )
    if not judged.accepted:
        raise AssertionError(judged.text)
