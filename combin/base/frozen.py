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
    if kind is MappingProxyType or isinstance(thing, dict):
        for part in thing.values():
            freeze(part)
    elif isinstance(thing, tuple):
        for part in thing:
            freeze(part)
    else:
        for name in _fields(kind):
            value = getattr(thing, name)
            if isinstance(value, dict):
                value = MappingProxyType(dict(value))
                object.__setattr__(thing, name, value)
            if type(value) not in _PLAIN:
                freeze(value)


#: Types of most values, which need no freezing.
_PLAIN = frozenset((str, int, bool, float, type(None)))


@cached("the fields of records", most=1024)
def _fields(kind: type) -> tuple[str, ...]:
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
