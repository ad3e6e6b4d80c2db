"""Arrays of any library on their way into attest."""

from __future__ import annotations

import sys
from typing import Any, Dict, Tuple

import numpy as np
import numpy.typing as npt

from attest._attest import InputError

Array = npt.NDArray[Any]
Given = Tuple[Array, str]

_NUMPY_FORMATS = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}
_INTEGERS = "iu"


def is_torch(x: Any) -> bool:
    """Whether x is a tensor of PyTorch, which is not imported for that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def torch_format(tensor: Any) -> str:
    """The format of a floating tensor, or its dtype's name where attest has none."""
    return _NUMPY_FORMATS.get(str(tensor.dtype).replace("torch.", ""), str(tensor.dtype))


def _from_torch(tensor: Any) -> Given:
    tensor = tensor.detach().cpu()
    kind = torch_format(tensor)
    if kind == "bf16":  # which NumPy lacks; f32 holds its numbers
        tensor = tensor.float()
    array = tensor.numpy()
    return array, kind if array.dtype.kind == "f" else _kind_of(array)


def _as_numpy(x: Any) -> Array:
    if not isinstance(x, np.ndarray) and hasattr(x, "__dlpack__"):
        return np.from_dlpack(x)
    return np.asarray(x)


def _kind_of(array: Array) -> str:
    if array.dtype.kind == "b":
        return "bool"
    if array.dtype.kind in _INTEGERS:
        return "int"
    return _NUMPY_FORMATS.get(array.dtype.name, "")


def given(name: str, x: Any) -> Given:
    """The array, and what its elements are: a format's name, "bool" or "int"."""
    if is_torch(x):
        array, kind = _from_torch(x)
    else:
        array = _as_numpy(x)
        kind = _kind_of(array)
    if kind not in ("f64", "f32", "f16", "bf16", "bool", "int"):
        raise InputError(
            f"{name} has dtype {getattr(x, 'dtype', array.dtype)} (allowed: float64, float32, "
            "float16, with torch bfloat16; bool for masks, integers for lengths)"
        )
    return array, kind


def given_problem(q: Any, k: Any, v: Any, **others: Any) -> Dict[str, Given]:
    """The arrays of a problem by name; those that are None are left out."""
    arrays = {"q": q, "k": k, "v": v, **others}
    return {name: given(name, x) for name, x in arrays.items() if x is not None}


def like(array: Array, element: str, model: Any) -> Any:
    """Numbers of the format as an array of the model's library."""
    if not is_torch(model):
        return array
    tensor = sys.modules["torch"].from_numpy(array)
    return tensor.bfloat16() if element == "bf16" else tensor
