"""What is said of a problem beside its arrays."""

from __future__ import annotations

import json
import operator
import os
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from attest._attest import InputError, Options

Names = Union[str, Sequence[str]]
Contract = Union[str, os.PathLike, Mapping[str, Any], None]
Causal = Union[None, bool, str]
Window = Optional[Tuple[int, int]]


def names_text(names: Names) -> str:
    """Names with commas between them, from a text or a sequence."""
    return names if isinstance(names, str) else ",".join(names)


def contract_text(contract: Contract) -> str:
    """A preset's name, a .json file or JSON."""
    if contract is None:
        return ""
    if isinstance(contract, Mapping):
        return json.dumps(dict(contract))
    return os.fspath(contract)


def problem_options(
    *,
    causal: Causal,
    window: Window,
    profile: str,
    scale: Optional[float],
    soft_cap: float,
    dropout_scale: float,
    alpha: float,
    **pattern: int,
) -> Options:
    """The scalars of a problem. True for causal is settled where the sizes are known."""
    if causal is None or causal is False:
        causal = "none"
    return Options(
        causal="true" if causal is True else str(causal),
        window=_window_ends(window),
        pattern={name: _whole(name, number) for name, number in pattern.items()},
        profile=profile,
        scale=None if scale is None else float(scale),
        soft_cap=float(soft_cap),
        dropout_scale=float(dropout_scale),
        alpha=float(alpha),
    )


def _whole(name: str, number: Any) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise InputError(f"{name} is {number!r} (allowed: an integer)") from None


def _window_ends(window: Window) -> Tuple[int, int]:
    if window is None:
        return (-1, -1)
    try:
        left, right = window
        return (int(left), int(right))
    except (TypeError, ValueError):
        raise InputError(
            f"window is {window!r} (allowed: None or (LEFT, RIGHT), -1 for an open side)"
        ) from None
