import builtins
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy.typing as npt

Array = npt.NDArray[Any]

contracts: Tuple[str, ...]
default_seed: int
default_timeout: int
features: Tuple[str, ...]
profiles: Tuple[str, ...]

class InputError(ValueError): ...

class _Judgement:
    @property
    def verdict(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def where(self) -> Optional[str]: ...
    @property
    def observed(self) -> Optional[float]: ...
    @property
    def expected(self) -> Optional[float]: ...
    @property
    def bound(self) -> Optional[float]: ...
    @property
    def ratio(self) -> Optional[float]: ...

class Failure(_Judgement):
    @builtins.property
    def property(self) -> str: ...
    @builtins.property
    def group(self) -> str: ...
    @builtins.property
    def problem(self) -> str: ...
    @builtins.property
    def replay(self) -> str: ...

class Replayed(_Judgement):
    @property
    def text(self) -> str: ...

class Judged(_Judgement):
    @property
    def accepted(self) -> bool: ...
    @property
    def text(self) -> str: ...

class Report:
    @property
    def verdict(self) -> str: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def passed(self) -> bool: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def text(self) -> str: ...
    @property
    def json(self) -> Dict[str, Any]: ...
    @property
    def failures(self) -> List[Failure]: ...
    def save(self, path: str) -> None: ...

class Declaration:
    def __init__(
        self, *, name: str, features: str, inputs: str, contract: str, profile: str
    ) -> None: ...
    def input_formats(self) -> List[str]: ...

class Options:
    def __init__(
        self,
        *,
        causal: str,
        window: Tuple[int, int],
        pattern: Dict[str, int],
        profile: str,
        scale: Optional[float],
        soft_cap: float,
        dropout_scale: float,
        alpha: float,
    ) -> None: ...

def check(
    handler: Callable[[Dict[str, Any]], Tuple[str, str]],
    declared: Declaration,
    seed: int,
    effort: int,
    properties: str,
    shape: str,
    call: str,
) -> Report: ...
def replay(
    handler: Callable[[Dict[str, Any]], Tuple[str, str]], declared: Declaration, line: str
) -> Replayed: ...
def check_command(
    command: str,
    timeout: int,
    seed: int,
    effort: int,
    properties: str,
    shape: str,
    call: str,
) -> Report: ...
def replay_command(command: str, timeout: int, line: str) -> Replayed: ...
def reference(
    arrays: Dict[str, Tuple[Array, str]], options: Options, round: str, threads: int
) -> Tuple[Array, Array, int]: ...
def judge(
    arrays: Dict[str, Tuple[Array, str]],
    options: Options,
    contract: str,
    layout: str,
    rows: int,
) -> Judged: ...
