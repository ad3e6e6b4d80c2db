"""A callable by the name that another process finds it by."""

from __future__ import annotations

import pathlib
import shlex
import sys
from typing import Any, Callable, Optional

from attest._attest import InputError
from attest._options import Contract, Names, contract_text, names_text


def name_of(function: Callable[..., Any]) -> str:
    """ "module:name" of a callable, or of its type."""
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(named, '__module__', None) or 'builtins'}:{named.__qualname__}"


def command_for(
    function: Callable[..., Any],
    contract: Contract,
    features: Names,
    profile: Optional[str],
    dtypes: Names,
    tensors: Optional[str],
) -> str:
    """The command line that serves the callable (attest.serve)."""
    address = _require_importable(function)
    words = [sys.executable, "-m", "attest.serve", address]
    options = {
        "features": names_text(features),
        "dtypes": names_text(dtypes),
        "contract": _self_contained(contract_text(contract)),
        "profile": profile or "",
        "tensors": tensors or "",
        "path": _folder_of(address.partition(":")[0]),
    }
    for name, value in options.items():
        words += [f"--{name}", value] if value else []
    return shlex.join(words)


def _require_importable(function: Callable[..., Any]) -> str:
    address = name_of(function)
    module, _, name = address.partition(":")
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if module == "__main__" or found is not function:
        raise InputError(
            f"{address} with isolate=True (allowed: what a module that is not __main__ holds by "
            "its name)"
        )
    return address


def _folder_of(module: str) -> str:
    """Where the module's outermost package lies; empty for one without a file."""
    outermost = sys.modules[module.partition(".")[0]]
    file = getattr(outermost, "__file__", None)
    if file is None:
        return ""
    folder = pathlib.Path(file).resolve().parent
    return str(folder.parent if hasattr(outermost, "__path__") else folder)


def _self_contained(contract: str) -> str:
    """The text of a contract in a file, since another process may stand in another folder."""
    if not contract.endswith(".json") or contract.lstrip().startswith("{"):
        return contract
    try:
        return pathlib.Path(contract).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"contract {contract} can't be read ({error.strerror})") from None
