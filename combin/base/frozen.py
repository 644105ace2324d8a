"""Frozen values: read-only views in place of dictionaries, down to the bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from operator import index
from types import MappingProxyType
from typing import Any


def freeze(thing: Any) -> None:
    """Put read-only views in place of the dictionaries that a frozen record and its parts hold.

    Each dictionary is copied, so that the caller's own stays as it was. Arrays of a solution are left alone:
    kernels take them as they are.
    """
    if isinstance(thing, tuple):
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
    """A whole number (Python's or numpy's) as an int; None for anything else, True and False included."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
