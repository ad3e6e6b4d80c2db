"""attest.check and attest.replay."""

from __future__ import annotations

import secrets
import sys
from typing import Any, Callable, Dict, List, Optional, Union

from attest import _attest
from attest._attest import Declaration, InputError, Replayed, Report
from attest._attest import default_seed, default_timeout
from attest._call import Handler, NumpyTensors, TorchTensors
from attest._isolation import command_for, name_of
from attest._options import Contract, Names, contract_text, names_text


def check(
    function: Callable[..., Any],
    *,
    contract: Contract = None,
    features: Names = "",
    profile: Optional[str] = None,
    dtypes: Names = "",
    tensors: Optional[str] = None,
    effort: int = 1,
    seed: Union[int, str] = default_seed,
    properties: Names = "*",
    shape: str = "",
    isolate: bool = False,
    timeout: int = default_timeout,
) -> Report:
    """Puts every law to a callable, as ``attest check`` does, and returns the report.

    function(q, k, v, **keywords) gets q [B, Hq, Lq, D], k [B, Hkv, Lk, D] and v [B, Hkv, Lk, Dv]
    and returns o [B, Hq, Lq, Dv], or (o, lse) where features name lse, in the contract's output
    dtype. It gets a keyword for each feature declared, each time, None where a problem does not
    use it: mask (True keeps), bias, causal ("top_left", "bottom_right"), window (left, right),
    lengths, scale, soft_cap (0.0: none), sink. It is called on the calling thread, one call at a
    time. An exception that it raises is reported as misbehaved; a crash ends the program.

    contract: the arithmetic it keeps: a preset's name, a path that ends in .json, or a dict; by
        default that of each dtype.
    features: what it can be asked beyond dense attention (``attest.features``); "strides" too
        makes its inputs views that are not dense.
    profile: its conventions; "identify" finds them by probes.
    dtypes: of the inputs: f64, f32, f16, bf16; by default that of the contract, or f32.
    tensors: "numpy" or "torch"; by default torch for functions and modules of torch.
    effort: multiplies the number of problems. seed: a number, or "random".
    properties: globs of names. shape: problems of this shape alone, "B=1,Hq=32,...".
    isolate: calls it in a child process, which may crash or take longer than timeout seconds for a
        call; it must be importable, and gets dense copies.

    Raises InputError for what is not known. Ctrl-C ends the run, and the report holds what was
    found; a second one raises KeyboardInterrupt.
    """
    declared = declaration(function, contract, features, profile, dtypes)
    library = tensors_for(function, tensors, declared)
    call = _replay_call(function, contract, features, profile, dtypes, tensors, isolate)
    asked: Dict[str, Any] = {
        "seed": _seed(seed),
        "effort": effort,
        "properties": names_text(properties),
        "shape": shape,
        "call": call,
    }
    if isolate:
        command = command_for(function, contract, features, profile, dtypes, tensors)
        return _attest.check_command(command, timeout, **asked)
    return _attest.check(Handler(function, library), declared, **asked)


def replay(
    function: Callable[..., Any],
    line: str,
    *,
    contract: Contract = None,
    features: Names = "",
    profile: Optional[str] = None,
    dtypes: Names = "",
    tensors: Optional[str] = None,
    isolate: bool = False,
    timeout: int = default_timeout,
) -> Replayed:
    """Puts one problem of one law again: "PROPERTY PROBLEM", as a failure's replay shows it."""
    declared = declaration(function, contract, features, profile, dtypes)
    library = tensors_for(function, tensors, declared)
    if isolate:
        command = command_for(function, contract, features, profile, dtypes, tensors)
        return _attest.replay_command(command, timeout, line)
    return _attest.replay(Handler(function, library), declared, line)


def declaration(
    function: Callable[..., Any],
    contract: Contract,
    features: Names,
    profile: Optional[str],
    dtypes: Names,
) -> Declaration:
    if not callable(function):
        raise InputError(f"{function!r} can't be called (allowed: a callable)")
    return Declaration(
        name=name_of(function),
        features=names_text(features),
        inputs=names_text(dtypes),
        contract=contract_text(contract),
        profile=profile or "",
    )


def _is_of_torch(function: Callable[..., Any]) -> bool:
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    module = getattr(function, "__module__", None) or type(function).__module__
    return isinstance(function, torch.nn.Module) or module.split(".")[0] == "torch"


def tensors_for(function: Callable[..., Any], tensors: Optional[str], declared: Declaration) -> Any:
    name = tensors or ("torch" if _is_of_torch(function) else "numpy")
    if name not in ("numpy", "torch"):
        raise InputError(f"tensors is {tensors!r} (allowed: 'numpy', 'torch')")
    library: Union[NumpyTensors, TorchTensors]
    library = TorchTensors() if name == "torch" else NumpyTensors()
    for element in declared.input_formats():
        if element not in library.formats:
            raise InputError(f"{element} inputs with tensors='{name}' (allowed: 'torch')")
    return library


def _seed(seed: Union[int, str]) -> int:
    if seed == "random":
        return secrets.randbits(64)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise InputError(
            f"seed is {seed!r} (allowed: a whole number from 0 to 2^64 - 1, or 'random')"
        )
    return seed


def _replay_call(function: Callable[..., Any], *options: Any) -> str:
    names = ("contract", "features", "profile", "dtypes", "tensors", "isolate")
    shown: List[str] = [name_of(function).rsplit(":", 1)[1], "{}"]
    shown += [f"{name}={value!r}" for name, value in zip(names, options) if value]
    return f"attest.replay({', '.join(shown)})"
