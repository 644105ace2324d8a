"""Optimal play of Chase the Flush by what the player sees: the best flush of the cards in view.

`Solution` holds the joint table by hole class and flush length; this counts the same play
by the ranks of the flush and, on the river, by what the board holds against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from .._kernels import load
from ..parallel import sweep
from .chase_the_flush import CHOICES, CHUNK, DEALER_HANDS, DEALS, FLOPS, HOLES, RIVERS, Solution, hole_classes
from .chase_the_flush_strategy import THREATS, first_places, hole_places, place

_Array = np.ndarray[Any, Any]

#: The least flush with which the dealer qualifies: three cards, nine high.
QUALIFYING = place(0b10000011)


@dataclass(frozen=True, eq=False)
class Seen:
    """The positions of optimal play by the place of the best flush in the order of all 5,811.

    ``hole`` [place][checks, raises]: hands of 22,100. ``flop`` likewise: flops after a check,
    of 22,100 x 1,176. ``ends`` [place][threat][3x, 2x, 1x, fold][dealer hands below the
    flush, not above it, not qualifying; positions]: whole boards, once for each flop of theirs.
    """

    hole: _Array
    flop: _Array
    ends: _Array

    @cached_property
    def river(self) -> _Array:
        """[place][threat][folds, raises]: rivers after two checks, of 22,100 x 1,176 x 1,081."""
        return np.ascontiguousarray(self.ends[:, :, [3, 2], 3])

    @cached_property
    def joint(self) -> _Array:
        """Deals [place][choice][dealer qualifies][lose, tie, win], Python integers."""
        below, upto, unqualified, positions = np.moveaxis(self.ends.sum(axis=1).astype(object), -1, 0)
        every = positions * DEALER_HANDS
        zero = np.zeros_like(every)
        high = (np.arange(len(every)) >= QUALIFYING)[:, None]
        low_flush = (unqualified - upto, upto - below, below, every - unqualified, zero, zero)
        high_flush = (zero, zero, unqualified, every - upto, upto - below, below - unqualified)
        cells = [np.where(high, b, a) for a, b in zip(low_flush, high_flush, strict=True)]
        return np.stack(cells, axis=-1).reshape(len(every), len(CHOICES), 2, 3)


@lru_cache(maxsize=2)
def follow(solution: Solution, *, threads: int | None = None) -> Seen:
    """Count the positions of a solution's play; one more pass over the deals."""
    holes, weights = hole_classes()
    weight = np.array(weights, dtype=np.int64)
    both = np.stack([solution.utility, solution.utility])
    kernel = load("chase_the_flush")
    size = first_places()[-1]
    raise_ties = solution.tie == "raise"
    at_once = solution.raises_at_once.astype(np.uint8)
    flop, ends = sweep(
        lambda start, stop, arrays: kernel.follow_classes(
            holes, start, stop, both, raise_ties, at_once, weight, *arrays
        ),
        len(holes),
        lambda: (np.zeros((size, 2), np.int64), np.zeros((size, len(THREATS), len(CHOICES), 4), np.int64)),
        chunk=CHUNK, label="Chase the Flush play", threads=threads,
    )
    hole = np.zeros((size, 2), np.int64)
    np.add.at(hole, (hole_places(), at_once.astype(int)), weight)
    if int(ends[..., 3].sum()) != HOLES * FLOPS * RIVERS:
        raise ArithmeticError(f"the positions followed are {int(ends[..., 3].sum()):,}, not {DEALS // DEALER_HANDS:,}")
    return Seen(hole, flop, ends)
