"""Frozen values: read-only views instead of dictionaries, recursively."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from operator import index
from types import MappingProxyType
from typing import Any

from .caches import cached


def freeze(thing: Any) -> None:
    """Replace the dictionaries of a frozen record and its parts with read-only views.

    Each dictionary is copied, so that the caller's stays unchanged. Arrays of a solution stay: kernels use them.
    """
    kind: Any = type(thing)
    if issubclass(kind, (dict, MappingProxyType)):
        parts = thing.values()
    elif issubclass(kind, tuple):
        parts = thing
    else:
        parts = []
        for name in _fields(kind):
            value = getattr(thing, name)
            if isinstance(value, dict):
                value = MappingProxyType(dict(value))
                object.__setattr__(thing, name, value)
            parts.append(value)
    for part in parts:
        of: Any = type(part)  # mypy takes no class for hashable
        if _has_parts(of):
            freeze(part)


@cached("types of values that have parts", most=1024)
def _has_parts(kind: Any) -> bool:
    """Return whether values of a class may have dictionaries in them."""
    return issubclass(kind, (dict, tuple, MappingProxyType)) or bool(_fields(kind))


@cached("the fields of records", most=1024)
def _fields(kind: Any) -> tuple[str, ...]:
    """Return the names of a record's fields; none for another type."""
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()


def whole(value: object) -> int | None:
    """Return a whole number (of Python or numpy) as an int; None for anything else, including True and False."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
