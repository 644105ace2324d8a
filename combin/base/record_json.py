"""Conversion of records to JSON data and back, for entries of the store and their keys.

A tuple, a mapping, an exact number, a date, an expression, an array and a record of combin are lists that begin with a
word for their kind; texts, whole numbers, floats, true, false and null are themselves. Reading only makes values: it
accepts no classes but frozen records of combin and those of sympy in `_EXPRESSIONS`, and calls nothing else. A record
that checks itself when it is made also does so when it is read.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from importlib import import_module
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from .exact import Truncated

#: The classes of sympy in figures with unknowns.
_EXPRESSIONS = ("Add", "Mul", "Pow", "Max", "Min", "Symbol", "Integer", "Rational")
_TEXTS: Mapping[str, Callable[[str], Any]] = {"fraction": Fraction, "truncated": Truncated, "date": date.fromisoformat}
_SEQUENCES = {"tuple": tuple, "list": list}


def to_plain(value: Any) -> Any:
    """Return JSON data for a value; raises `TypeError` for anything but plain records."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Fraction):
        return ["truncated" if isinstance(value, Truncated) else "fraction", f"{value.numerator}/{value.denominator}"]
    if isinstance(value, date):
        return ["date", value.isoformat()]
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return ["list" if isinstance(value, list) else "tuple", *map(to_plain, value)]
    if isinstance(value, Mapping):
        word = "dict" if isinstance(value, dict) else "view"
        return [word, *([to_plain(k), to_plain(v)] for k, v in value.items())]
    if isinstance(value, np.ndarray):
        return _of_array(value)
    kind = type(value)
    if kind.__module__.startswith("combin.") and (names := _names(kind)) is not None:
        return ["record", f"{kind.__module__}:{kind.__qualname__}", *(to_plain(getattr(value, n)) for n in names)]
    if kind.__module__.startswith("sympy."):
        return _of_expression(value)
    raise TypeError(f"a {kind.__qualname__} is not a plain record")


def _names(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a frozen record's class; None for any other class."""
    if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(f.name for f in fields(kind))
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


def _of_array(value: np.ndarray[Any, Any]) -> Any:
    """Return an array as JSON data: numbers of a fixed size as compressed bytes, others as a list."""
    if value.dtype.hasobject:
        return ["objects", list(value.shape), *map(to_plain, value.flat)]
    if value.dtype.kind not in "biuf":
        raise TypeError(f"an array of {value.dtype} is not a plain record")
    return ["array", value.dtype.str, list(value.shape), b64encode(zlib.compress(value.tobytes(), 1)).decode()]


def _of_expression(value: Any) -> Any:
    import sympy

    if isinstance(value, sympy.Rational):
        return ["number", int(value.p), int(value.q)]
    if isinstance(value, sympy.Symbol):
        return ["symbol", value.name, sorted([k, v] for k, v in value._assumptions_orig.items())]
    if type(value).__name__ not in _EXPRESSIONS:
        raise TypeError(f"a {type(value).__name__} is not a part of a figure")
    return ["expression", type(value).__name__, *map(_of_expression, value.args)]


def from_plain(data: Any) -> Any:
    """Return the value of JSON data from `to_plain`; raises `ValueError` for anything else."""
    if isinstance(data, dict):
        raise ValueError("an object is not a plain record")
    if not isinstance(data, list):
        return data
    try:
        kind, rest = data[0], data[1:]
        if kind in _TEXTS:
            return _TEXTS[kind](rest[0])
        if kind in _SEQUENCES:
            return _SEQUENCES[kind](map(from_plain, rest))
        if kind in ("dict", "view"):
            mapping = {from_plain(k): from_plain(v) for k, v in rest}
            return mapping if kind == "dict" else MappingProxyType(mapping)
        if kind == "record":
            return _record(rest[0], [from_plain(v) for v in rest[1:]])
        if kind == "array":
            return _array(*rest)
        if kind == "objects":
            return np.fromiter(map(from_plain, rest[1:]), object).reshape(rest[0])
        return _expression(data)
    except (TypeError, KeyError, IndexError, AttributeError, ImportError, ArithmeticError, zlib.error) as error:
        raise ValueError(f"no plain record: {error}") from None


def _record(name: str, values: list[Any]) -> Any:
    module, _, word = name.partition(":")
    if not module.startswith("combin."):
        raise ValueError(f"{module} is not combin's")
    kind = getattr(import_module(module), word)
    names = _names(kind) if isinstance(kind, type) else None
    if names is None or len(names) != len(values):
        raise ValueError(f"{name} is not a record of {len(values)} fields")
    if issubclass(kind, tuple):
        return tuple.__new__(kind, values)
    instance = object.__new__(kind)
    for field, value in zip(names, values, strict=True):
        object.__setattr__(instance, field, value)
    if hasattr(instance, "__post_init__"):
        instance.__post_init__()
    return instance


def _array(name: str, shape: list[int], text: str) -> Any:
    """Return a new writable array; its size is checked before anything is unpacked."""
    kind = np.dtype(name)
    if kind.kind not in "biuf":
        raise ValueError(f"no plain record: an array of {name}")
    size = prod(shape) * kind.itemsize
    unpacked = zlib.decompressobj().decompress(b64decode(text, validate=True), size + 1)
    if len(unpacked) != size:
        raise ValueError(f"no plain record: an array of {len(unpacked)} bytes, not {size}")
    return np.ndarray(shape, kind, bytearray(unpacked))


def _expression(data: Any) -> Any:
    import sympy

    kind, *rest = data
    if kind == "number":
        return sympy.Rational(int(rest[0]), int(rest[1]))
    if kind == "symbol" and isinstance(rest[0], str):
        return sympy.Symbol(rest[0], **{str(k): bool(v) for k, v in rest[1]})
    if kind == "expression" and rest[0] in _EXPRESSIONS:
        return getattr(sympy, rest[0])(*map(_expression, rest[1:]))
    raise ValueError(f"{kind} is not a kind of value")
