"""Frozen values: read-only views in place of dictionaries, down to the bottom."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from operator import index
from types import MappingProxyType
from typing import Any

from .caches import cached


def freeze(thing: Any) -> None:
    """Put read-only views in place of the dictionaries that a frozen record and its parts hold.

    Each dictionary is copied, so that the caller's own stays as it was. Arrays of a solution are left alone:
    kernels take them as they are.
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


#: Types of most values; nothing in them can be frozen.
_PLAIN = frozenset((str, int, bool, float, type(None)))


@cached("the fields of records", most=1024)
def _fields(kind: type) -> tuple[str, ...]:
    """The names of a record's fields; none for another type."""
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()


def whole(value: object) -> int | None:
    """A whole number (Python's or numpy's) as an int; None for anything else, True and False included."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
