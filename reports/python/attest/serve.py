"""A callable as a command, so that attest can check it in a process of its own.

    attest check --exec 'python3 -m attest.serve kernels:attention --features mask,lse'

attest.check(attention, isolate=True) runs this. docs/command_protocol.md describes what is spoken.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from typing import Any, Callable, Dict, Optional, Sequence, TextIO

import numpy as np
import numpy.typing as npt

from attest._attest import InputError
from attest._call import Handler
from attest._checking import declaration, tensors_for

Array = npt.NDArray[Any]
_PATTERN = ("dilation", "chunk", "global_keys", "block_queries", "block_keys")
_NUMPY_TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.int16}
_STATUS_KEYS = {"unsupported": "unsupported", "misbehaved": "error"}


def imported(address: str) -> Callable[..., Any]:
    """The callable that "module:name" means, name with dots inside the module."""
    module, colon, name = address.partition(":")
    if not (module and colon and name):
        raise InputError(f"'{address}' is no callable (allowed: module:name)")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    function: Callable[..., Any] = found
    return function


class Server:
    """Answers requests by calls of a handler."""

    def __init__(self, handler: Handler, features: Sequence[str]) -> None:
        self._handler = handler
        self._features = set(features)

    def answer(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """Reads the problem's file, writes the answer's. Result: the reply."""
        with np.load(request["problem"]) as file:
            call = self._call(request, dict(file))
        status, message = self._handler(call)
        if status != "answered":
            return {_STATUS_KEYS[status]: message}
        np.savez(request["answer"], **self._outputs(request, call))
        return {"ok": True}

    def _call(self, request: Dict[str, Any], arrays: Dict[str, Array]) -> Dict[str, Any]:
        sizes = {name: entry["sizes"] for name, entry in request["outputs"].items()}
        call: Dict[str, Any] = {name: _held(arrays[name]) for name in "qkv"}
        call["inputs"] = request["arrays"]["q"]["dtype"]
        call["output"] = request["outputs"]["o"]["dtype"]
        call["o"] = np.empty(sizes["o"], _NUMPY_TYPES[call["output"]])
        if "lse" in sizes:
            lse = request["outputs"]["lse"]["dtype"]
            call["lse"] = np.empty([*sizes["lse"], 1], _NUMPY_TYPES[lse])
        scores = [*call["q"].shape[:3], request.get("keys", call["k"].shape[2])]
        call.update(self._keywords(request, arrays, scores))
        return call

    def _keywords(
        self, request: Dict[str, Any], arrays: Dict[str, Array], scores: Sequence[int]
    ) -> Dict[str, Any]:
        ends = (request["window_left"], request["window_right"])
        causal = request["causal"]
        every = {
            "mask": _broadcast(arrays.get("mask"), scores),
            "bias": _broadcast(arrays.get("bias"), scores),
            "causal": None if causal == "none" else causal,
            "window": None if ends == (-1, -1) else ends,
            "lengths": arrays.get("lengths"),
            "scale": request["scale"],
            "soft_cap": request["soft_cap"],
            "sink": _held(arrays["sink"]) if "sink" in arrays else None,
            "slopes": _held(arrays["slopes"]) if "slopes" in arrays else None,
            "query_segments": arrays.get("query_segments"),
            "key_segments": arrays.get("key_segments"),
            "page_table": arrays.get("page_table"),
            "block_mask": _broadcast(arrays.get("block_mask"), _block_sizes(request, scores)),
            "dropout_mask": _broadcast(arrays.get("dropout_mask"), scores),
            "dropout_scale": request.get("dropout_scale", 1.0),
        }
        every.update({name: request[name] for name in _PATTERN})
        asked = {name: value for name, value in every.items() if self._is_declared(name)}
        parameters = [name for name in sorted(arrays) if name.startswith("parameter_")]
        if parameters:
            asked["parameters"] = [_held(arrays[name]) for name in parameters]
        if "alpha" in request:
            asked["alpha"] = request["alpha"]
        return asked

    def _is_declared(self, keyword: str) -> bool:
        asked_by = {
            "bias": {"bias", "infinite_bias"},
            "causal": {"causal_top_left", "causal_bottom_right"},
            "lengths": {"lengths", "pages"},
            "page_table": {"pages"},
            "slopes": {"alibi"},
            "query_segments": {"segments"},
            "key_segments": {"segments"},
            "chunk": {"chunks"},
            "block_queries": {"block_mask"},
            "block_keys": {"block_mask"},
            "dropout_mask": {"dropout"},
            "dropout_scale": {"dropout"},
        }
        return bool(asked_by.get(keyword, {keyword}) & self._features)

    @staticmethod
    def _outputs(request: Dict[str, Any], call: Dict[str, Any]) -> Dict[str, Array]:
        outputs = {"o": call["o"]}
        if "lse" in call:
            outputs["lse"] = call["lse"][..., 0]
        bits = {name for name, entry in request["outputs"].items() if entry["dtype"] == "bf16"}
        return {name: x.view(np.uint16) if name in bits else x for name, x in outputs.items()}


def _block_sizes(request: Dict[str, Any], scores: Sequence[int]) -> Sequence[int]:
    """[B, Hq, blocks of queries, blocks of keys]."""
    blocks = (request["block_queries"] or 1, request["block_keys"] or 1)
    return [*scores[:2], *(-(-size // block) for size, block in zip(scores[2:], blocks))]


def _held(array: Array) -> Array:
    """bf16, which travels as its bits, in the integers that PyTorch reads."""
    return array.view(np.int16) if array.dtype == np.uint16 else array


def _broadcast(array: Optional[Array], sizes: Sequence[int]) -> Optional[Array]:
    return None if array is None else np.broadcast_to(_held(array), sizes)


def _own_stdout() -> TextIO:
    """The stream to attest; what the callable prints goes to stderr."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream


def _say(stream: TextIO, message: Dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()


def _parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m attest.serve", description=__doc__.split("\n")[0]
    )
    parser.add_argument("callable", help="module:name")
    parser.add_argument("--features", default="", help="names with commas between them")
    parser.add_argument("--dtypes", default="", help="of the inputs: f64, f32, f16, bf16")
    parser.add_argument("--contract", default="", help="names of presets, or JSON")
    parser.add_argument("--profile", default="", help="the conventions that it follows")
    parser.add_argument("--tensors", default=None, help="numpy or torch")
    parser.add_argument("--path", default=None, help="a folder in which to look for the module too")
    return parser.parse_args(arguments)


def serve(arguments: Optional[Sequence[str]] = None) -> None:
    """Speaks the protocol of commands on stdin and stdout until stdin ends."""
    given = _parse(arguments)
    stream = _own_stdout()
    if given.path:
        sys.path.insert(0, given.path)
    function = imported(given.callable)
    declared = declaration(function, given.contract, given.features, given.profile, given.dtypes)
    features = [name for name in given.features.split(",") if name]
    hello = {
        "attest": 1,
        "name": given.callable.partition(":")[2],
        "features": features,
        "inputs": declared.input_formats(),
        "files": "npz",
    }
    if given.profile:
        hello["profile"] = given.profile
    if given.contract:
        is_json = given.contract.lstrip()[0] in "{["
        hello["contract"] = json.loads(given.contract) if is_json else given.contract
    server = Server(Handler(function, tensors_for(function, given.tensors, declared)), features)
    _say(stream, hello)
    for line in sys.stdin:
        request = json.loads(line)
        _say(stream, {"id": request["id"], **server.answer(request)})


if __name__ == "__main__":
    try:
        serve()
    except InputError as error:
        print(f"attest: {error}", file=sys.stderr)
        sys.exit(2)
