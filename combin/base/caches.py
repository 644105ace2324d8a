"""The one register of what a process keeps for itself, so that all of it can be emptied.

A cache outlives the call that filled it. Each states what it holds and how many entries
at the most; the oldest unused entry makes room. `empty` forgets everything: afterwards
every figure is counted anew. No other cache of the process exists in combin, which
a test holds.

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
    """A cache of the process: its place in the code, what it holds and how many entries at the most."""

    name: str
    holds: str
    most: int
    size: Callable[[], int] = field(repr=False)
    clear: Callable[[], None] = field(repr=False)


_register: dict[str, Cache] = {}


def _add(cache: Cache) -> None:
    _register[cache.name] = cache


def cached(holds: str, *, most: int) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """Keep what a function returned, by its arguments, which must be hashable."""

    def keep(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        kept = lru_cache(maxsize=most)(function)
        name = f"{function.__module__}.{function.__qualname__}"
        _add(Cache(name, holds, most, lambda: kept.cache_info().currsize, kept.cache_clear))
        return kept

    return keep


class Kept(OrderedDict[K, V]):
    """A cache that is filled by hand, several entries at once for example; the oldest makes room."""

    def __init__(self, name: str, holds: str, *, most: int) -> None:
        super().__init__()
        self.most = most
        _add(Cache(name, holds, most, self.__len__, self.clear))

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > self.most:
            self.popitem(last=False)


def registered() -> tuple[Cache, ...]:
    """Every cache of the modules that are imported, by name."""
    return tuple(_register[name] for name in sorted(_register))


def empty() -> None:
    """Forget all that is kept: whatever is asked for next is read and counted again."""
    for cache in registered():
        cache.clear()


__all__ = ["Cache", "Kept", "cached", "empty", "registered"]
