"""Strategies and optimal play of Chase the Flush counted by what the player sees, in one pass over the deals.

A position is the index of the best flush of the cards in view and, on the river, the
board's threat to it. Every board is counted once. The kernel sums dealer hands over
boards, for each group of hole classes that the strategies play alike and for each of
their rules of the flop. The decisions on the river are made here, from the sums.
`ChaseSolution` holds the joint table of optimal play by hole class and length; here it is by
the ranks of the flush.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import Kept
from ...base.errors import closed
from ...base.parallel import default_threads, sweep
from .solve import (
    CHOICES,
    CHUNK,
    DEALER_HANDS,
    DEALS,
    FLOPS,
    HOLES,
    LENGTHS,
    RIVERS,
    SHAPE,
    ChaseSolution,
    Joint,
    check_utility,
    hole_classes,
)
from .strategies import THREATS, Strategy, first_places, hole_places, place

_Array = np.ndarray[Any, Any]

#: The lowest flush with which the dealer qualifies: three cards, nine high.
QUALIFYING = place(0b10000011)

#: The kernel's columns: this number of rules of the flop, then all boards, optimal 1x, optimal 2x.
RULES, WHOLE, LATE, EARLY = 5, 5, 6, 7
#: Tables of a pass, 0.56 MB each, in each thread; and the memory for those of all threads.
MOST_TABLES = 48
MOST_BYTES = 128 * 2**20


@dataclass(frozen=True, eq=False)
class SeenPositions:
    """The positions of optimal play by the index of the best flush in the order of all 5,811.

    ``hole`` [index][checks, raises]: hands of 22,100. ``flop`` likewise: flops after a check,
    of 22,100 x 1,176. ``ends`` [index][threat][3x, 2x, 1x, fold][dealer hands below the
    flush, not above it, not qualifying; positions]: whole boards, once for each of their flops.
    """

    hole: _Array
    flop: _Array
    ends: _Array

    def __post_init__(self) -> None:
        closed("positions of Chase the Flush", int(self.ends[..., 3].sum()), HOLES * FLOPS * RIVERS)

    @cached_property
    def river(self) -> _Array:
        """Return [index][threat][folds, raises]: rivers after two checks, of 22,100 x 1,176 x 1,081."""
        return np.ascontiguousarray(self.ends[:, :, [3, 2], 3])

    @cached_property
    def joint(self) -> _Array:
        """Return deals [index][choice][dealer qualifies][lose, tie, win], Python integers."""
        return _settled(self.ends.sum(axis=1)).astype(object)


@dataclass(frozen=True, eq=False)
class PlayedPositions:
    """The joint table of a strategy: all deals by choice, dealer qualifies, result and flush length."""

    strategy: Strategy
    joint: Joint

    def __post_init__(self) -> None:
        closed("deals of a strategy's joint table", int(self.joint.sum()), DEALS)

    def mean(self, utility: Any) -> Fraction:
        """Return the expected utility of a round."""
        table = check_utility(utility).astype(object)
        return Fraction(int((self.joint * table).sum()), DEALS)


def _settled(ends: _Array) -> _Array:
    """Return [index][choice][four counts] as deals [index][choice][dealer qualifies][lose, tie, win], below 4.1e14."""
    below, upto, unqualified, positions = np.moveaxis(ends, -1, 0)
    every = positions * DEALER_HANDS
    zero = np.zeros_like(every)
    high = (np.arange(len(every)) >= QUALIFYING)[:, None]
    low_flush = (unqualified - upto, upto - below, below, every - unqualified, zero, zero)
    high_flush = (zero, zero, unqualified, every - upto, upto - below, below - unqualified)
    cells = [np.where(high, b, a) for a, b in zip(low_flush, high_flush, strict=True)]
    return np.stack(cells, axis=-1).reshape(len(every), len(CHOICES), 2, 3)


_followed: Kept[ChaseSolution, SeenPositions] = Kept(
    f"{__name__}._followed", "the positions of a solution's play", most=8)


def follow(solution: ChaseSolution, *, threads: int | None = None) -> SeenPositions:
    """Return the positions of a solution's play; counted once for each solution."""
    if solution not in _followed:
        _, [_followed[solution]] = _Pass((), solution).run(threads)
    return _followed[solution]


def value_strategies(
    strategies: Sequence[Strategy], *, beside: ChaseSolution | None = None, threads: int | None = None
) -> tuple[PlayedPositions, ...]:
    """Return the exact joint table of each strategy, in one pass for all of them if they have few rules of the flop.

    The same pass counts the play of ``beside`` for `follow`.
    """
    if beside in _followed:
        beside = None
    played: list[PlayedPositions] = []
    for batch in _batches(strategies, beside):
        valued, seen = _Pass(batch, beside).run(threads)
        played += valued
        if beside is not None:
            [_followed[beside]] = seen
            beside = None
    return tuple(played)


def _batches(strategies: Sequence[Strategy], beside: ChaseSolution | None) -> Iterator[tuple[Strategy, ...]]:
    """Yield batches of strategies, each small enough for one pass; a solution is counted with one of them."""
    batch: tuple[Strategy, ...] = ()
    for one in strategies:
        more = (*batch, one)
        one_pass = _Pass(more, beside)
        if batch and (len(one_pass.flop) > RULES or one_pass.tables > MOST_TABLES):
            yield batch
            more = (one,)
        batch = more
    if batch:
        yield batch


class _Pass:
    """One pass over the deals: some strategies, then optimal play if there is a solution."""

    def __init__(self, strategies: Sequence[Strategy], solution: ChaseSolution | None) -> None:
        self.strategies, self.solution = strategies, solution
        rules: dict[bytes, int] = {}
        self.rule = [rules.setdefault(s.flop.tobytes(), len(rules)) for s in strategies]
        flops = {r: s.flop for r, s in zip(self.rule, strategies, strict=True)}
        self.flop = np.array([*flops.values()], dtype=np.uint8).reshape(len(flops), first_places()[-1])
        raises = [s.hole[hole_places()].astype(bool) for s in strategies]
        if solution is not None:
            raises.append(solution.raises_at_once)
        #: A pattern is a set of hole classes that every strategy plays alike: [strategy][pattern], raised at once.
        self.raises, pattern = np.unique(raises, axis=1, return_inverse=True)
        self.pattern = pattern.reshape(-1).astype(np.int32)
        self.table = np.full((self.raises.shape[1], EARLY + 1), -1, dtype=np.int32)
        wanted = [(WHOLE, np.ones(len(self.table), bool))]
        wanted += [(rule, ~row) for rule, row in zip(self.rule, self.raises, strict=False)]
        if solution is not None:
            wanted += [(LATE, ~self.raises[-1]), (EARLY, ~self.raises[-1])]
        for column, where in wanted:
            self.table[where, column] = 0
        self.tables = int((self.table == 0).sum())
        self.table[self.table == 0] = np.arange(self.tables)

    def run(self, threads: int | None) -> tuple[list[PlayedPositions], list[SeenPositions]]:
        """Return the joint tables of the strategies, and the play of the solution if there is one."""
        holes, weights = hole_classes()
        weight = np.array(weights, dtype=np.int64)
        kernel = load("chase_the_flush_strategies")
        raised, utility, ties = np.zeros((1, 49, 49), np.uint8), np.zeros(SHAPE, np.int64), False
        if self.solution is not None:
            raised, utility, ties = self.solution.flops, self.solution.utility, self.solution.tie == "raise"
        size = first_places()[-1]
        shape = self.tables, size, len(THREATS), 4
        most = max(1, MOST_BYTES // (8 * int(np.prod(shape))))
        sums, flop = sweep(
            lambda start, stop, arrays: kernel.play_classes(
                holes, start, stop, weight, self.flop, self.pattern, self.table, raised, utility, ties, *arrays
            ),
            len(holes), lambda: (np.zeros(shape, np.int64), np.zeros((size, 2), np.int64)),
            chunk=CHUNK, label="Chase the Flush play", threads=min(threads or default_threads(), most),
        )
        played = [PlayedPositions(one, _by_length(self._ends(sums, i))) for i, one in enumerate(self.strategies)]
        if self.solution is None:
            return played, []
        hole = np.zeros((size, 2), np.int64)
        np.add.at(hole, (hole_places(), self.solution.raises_at_once.astype(int)), weight)
        return played, [SeenPositions(hole, flop, self._ends(sums, len(self.strategies)))]

    def _ends(self, sums: _Array, number: int) -> _Array:
        """Return [index][threat][choice][four counts] of a strategy, or of optimal play after the last."""
        ends = np.zeros((*sums.shape[1:3], len(CHOICES), 4), dtype=np.int64)
        for at_once, table in zip(self.raises[number], self.table, strict=True):
            whole = 6 * sums[table[WHOLE]]
            if at_once:
                ends[:, :, 0] += whole
                continue
            if number == len(self.strategies):
                early, late = sums[table[EARLY]], sums[table[LATE]]
            else:
                early = sums[table[self.rule[number]]]
                late = (whole - early) * (self.strategies[number].river.T[:, :, None] != 0)
            ends[:, :, 1] += early
            ends[:, :, 2] += late
            ends[:, :, 3] += whole - early - late
        return ends


def _by_length(ends: _Array) -> Joint:
    """Return deals by choice, dealer qualifies, result and flush length, Python integers."""
    cells = _settled(ends.sum(axis=1))
    first = first_places()
    lengths = [cells[first[n] : first[n + 1]].sum(axis=0) for n in LENGTHS]
    joint: Joint = np.stack(lengths, axis=-1).astype(object)
    return joint
