"""Values that nobody changes: read-only views and arrays in place of dictionaries and arrays, down to the bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from operator import index
from types import MappingProxyType
from typing import Any


def freeze(thing: Any) -> None:
    """Put read-only views in place of the dictionaries that a frozen record and its parts hold, and seal their arrays.

    A dictionary becomes a view of a copy; what the record was built from stays as it was.
    """
    if hasattr(thing, "setflags"):  # an array; where it is a view, what it views is sealed by itself
        thing.setflags(write=False)
    elif isinstance(thing, tuple):
        for part in thing:
            freeze(part)
    elif isinstance(thing, Mapping):
        for part in thing.values():
            freeze(part)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for f in fields(thing):
            value = getattr(thing, f.name)
            if isinstance(value, dict):
                value = MappingProxyType(dict(value))
                object.__setattr__(thing, f.name, value)
            freeze(value)


def whole(value: object) -> int | None:
    """A whole number of any kind, numpy's too, as a Python int; None for anything else, True and False among it."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
