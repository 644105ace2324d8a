"""The register of every cache of the process.

A cache outlives the call that filled it. It states its content and its greatest number of entries;
the least recently used entry is dropped. `empty` clears all caches, so that every figure is counted
again. combin has no other cache; a test asserts it.

    @cached("tables of first cards by deal and shoe", most=64)
    def table(deal, shoe): ...
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, lru_cache
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Cache:
    """A cache of the process: its place in the code, its content and its greatest number of entries."""

    name: str
    holds: str
    most: int
    size: Callable[[], int] = field(repr=False)
    clear: Callable[[], None] = field(repr=False)


_register: dict[str, Cache] = {}


def _add(cache: Cache) -> None:
    _register[cache.name] = cache


def cached(holds: str, *, most: int) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """Cache a function's results by its arguments, which must be hashable."""

    def keep(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        kept = lru_cache(maxsize=most)(function)
        name = f"{function.__module__}.{function.__qualname__}"
        _add(Cache(name, holds, most, lambda: kept.cache_info().currsize, kept.cache_clear))
        return kept

    return keep


class Kept(OrderedDict[K, V]):
    """A cache that code fills itself, for example with several entries at once; the oldest is dropped."""

    def __init__(self, name: str, holds: str, *, most: int) -> None:
        super().__init__()
        self.most = most
        _add(Cache(name, holds, most, self.__len__, self.clear))

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > self.most:
            self.popitem(last=False)


def registered() -> tuple[Cache, ...]:
    """Return every cache of the modules imported so far, by name."""
    return tuple(_register[name] for name in sorted(_register))


def empty() -> None:
    """Clear every cache, so that documents are read and deals are counted again."""
    for cache in registered():
        cache.clear()
