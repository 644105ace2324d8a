"""Simple strategies for Chase the Flush: a language of thresholds, and the best of it.

A strategy of the language depends on the best flush of the cards in view, and on the
river also on the board's threat to it (`THREATS`). It raises from a lowest flush on, one
for each street and each flush length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.errors import fault
from ...base.parallel import sweep
from ...deals.cards import RANKS, flush_name
from .solve import CHUNK, DEALER_HANDS, DEALS, RIVERS, ChaseSolution, hole_classes

#: The board's threats to the player's flush; the index is the kernel's mark.
THREATS = (
    "no two suited board cards, or none of them higher than the flush's top card",
    "two suited board cards, only the higher of them above the flush's top card",
    "two suited board cards, both above the flush's top card",
)
#: The exceptions of the language: threats with separate thresholds on the river.
EXCEPTIONS: dict[str, tuple[int, ...]] = {"none": (), "two-higher": (2,), "one-higher": (1, 2)}

#: A sum over all deals must fit 64 bits.
LARGEST_SEARCHED = 20_000

_Array = np.ndarray[Any, Any]


@cached("the flushes of one to seven cards", most=1)
def flushes() -> tuple[tuple[int, ...], ...]:
    """Return all flushes of one to seven cards as rank masks, by length (0: none), each ascending in value."""
    by_length = (tuple(m for m in range(1 << 13) if m.bit_count() == length) for length in range(1, 8))
    return ((), *by_length)


@cached("the lowest flush of each length", most=1)
def first_places() -> tuple[int, ...]:
    """Return the index of the lowest flush of each length in the order of all of them; last, their number."""
    places = [0, 0]
    for length in range(1, 8):
        places.append(places[-1] + len(flushes()[length]))
    return tuple(places)


def place(mask: int) -> int:
    """Return the index of a flush (a rank mask) in the order of all 5,811, shorter ones first."""
    return first_places()[mask.bit_count()] + flushes()[mask.bit_count()].index(mask)


@cached("the best flush of each hole class", most=1)
def hole_places() -> _Array:
    """Return for each hole class the index of its best flush."""
    return np.array(
        [place(max((int(m) for m in held), key=lambda m: (m.bit_count(), m))) for held in hole_classes()[0]],
        dtype=np.int32,
    )


#: By flush length, the ranks of the lowest flush that raises, from the top ("Q9", "J": jack and the
#: lowest below it, "": any); a length that is absent never raises.
Thresholds = Mapping[int, str]


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy as booleans by index in the order of all flushes.

    ``hole`` (377 and more, by the best flush of the hole cards): raise 3x. ``flop``: raise 2x.
    ``river`` [threat][index]: raise 1x; otherwise fold.
    """

    hole: _Array
    flop: _Array
    river: _Array


def strategy(
    hole: Thresholds, flop: Thresholds, river: Thresholds, against: Mapping[int, Thresholds] | None = None
) -> Strategy:
    """Return the strategy of these thresholds; ``against`` replaces those of the river under a threat (1 or 2)."""
    rivers = [_from(river) for _ in THREATS]
    for threat, thresholds in (against or {}).items():
        rivers[threat] = _from(thresholds)
    return Strategy(_from(hole), _from(flop), np.stack(rivers))


def _from(thresholds: Thresholds) -> _Array:
    raises = np.zeros(first_places()[-1], dtype=np.uint8)
    for length, ranks in thresholds.items():
        raises[place(least(length, ranks)) : first_places()[length + 1]] = 1
    return raises


def least(length: int, ranks: str) -> int:
    """Return the lowest flush of ``length`` cards that begins with ``ranks`` from the top, as a mask."""
    held = [RANKS.find(rank) for rank in ranks.upper().replace("-", "")]
    rest = length - len(held)
    falling = all(a > b for a, b in pairwise(held))
    if not 1 <= length <= 7 or rest < 0 or -1 in held or not falling or (held and held[-1] < rest):
        raise fault(f'no flush of {length} cards begins with "{ranks}"', 'give ranks from the top down: "Q9"')
    return sum(1 << rank for rank in (*held, *range(rest)))


def printed_strategies() -> dict[str, Strategy]:
    """Return the casino's printed advice, under each interpretation of its words.

    3x on any three-card flush or a two-card flush Q-9 or better; 2x on any three-card flush or
    better; 1x on a three-card jack-high flush or better except against two higher suited cards on the board.
    """
    by_value = {2: "Q9", 3: ""}
    any_flush = {3: "", 4: "", 5: ""}
    jack_high = {3: "J", 4: "", 5: "", 6: "", 7: ""}
    longer = dict.fromkeys((4, 5, 6, 7), "")
    meanings: dict[str, Mapping[int, Thresholds]] = {
        "both suited cards higher, three-card flushes only": {2: longer},
        "both suited cards higher, any flush": {2: {}},
        "one of two suited cards higher, three-card flushes only": {1: longer, 2: longer},
        "no exception": {},
    }
    named = {}
    for meaning, against in meanings.items():
        whole = strategy(by_value, any_flush, jack_high, against)
        named[f"Q-9 by value (K-2 is better); {meaning}"] = whole
        cardwise = whole.hole.copy()
        for mask in flushes()[2]:
            if mask & (1 << RANKS.index("9")) - 1:  # a card below a nine
                cardwise[place(mask)] = 0
        named[f"a queen or better with a nine or better; {meaning}"] = Strategy(cardwise, whole.flop, whole.river)
    return named


@dataclass(frozen=True, eq=False)
class BestThresholds:
    """The best strategy of the language, and the extent of the search.

    ``thresholds`` names the lowest flush that raises by street and length (``never`` if none does,
    ``not reached`` if earlier streets leave none). ``total`` is its utility over all deals.
    ``compared`` is the number of combinations of hole and flop thresholds that no bound excluded:
    for these the best river was computed.
    """

    exception: str
    strategy: Strategy
    thresholds: dict[str, dict[int, str]]
    total: int
    compared: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.total, DEALS)


def search(solution: ChaseSolution, exception: str = "none", *, threads: int | None = None) -> BestThresholds:
    """Return the best thresholds for each street and flush length, by exhaustive search.

    ``exception`` (of `EXCEPTIONS`) gives the river a second set of thresholds under these
    threats. A combination of hole and flop thresholds is excluded only if even optimal play
    after it would not reach a strategy already known. Raise `InputError` for pays under
    which longer flushes should not always be raised.
    """
    if exception not in EXCEPTIONS:
        raise fault(f'there is no exception "{exception}"', f"use one of {', '.join(EXCEPTIONS)}")
    return _Search(solution, exception, threads).best()


def _curve(now: _Array, later: _Array) -> _Array:
    """Return the totals for each threshold: indices below it take ``later``, others ``now``; the last never raises."""
    zero = np.zeros(1, dtype=np.int64)
    return np.concatenate([zero, np.cumsum(later)]) + np.concatenate([np.cumsum(now[::-1])[::-1], zero])


def _span(length: int) -> slice:
    return slice(first_places()[length], first_places()[length + 1])


class _Search:
    """The search: sums by what a strategy sees, bounds, and comparisons."""

    def __init__(self, solution: ChaseSolution, exception: str, threads: int | None) -> None:
        self.utility = solution.utility
        if int(np.abs(self.utility).max()) > LARGEST_SEARCHED or len(set(self.utility[3].flat)) > 1:
            raise fault(
                "the search does not cover these utilities",
                f"keep them within {LARGEST_SEARCHED:,}, and a fold the same for every flush",
            )
        self.exception, self.threads = exception, threads
        self.kind = np.zeros(3, dtype=np.uint8)
        self.kind[list(EXCEPTIONS[exception])] = 1
        self.kinds = int(self.kind.max()) + 1
        self.holes, weights = hole_classes()
        self.weights = np.array(weights, dtype=np.int64)
        self.pair = np.stack([self.utility, self.utility])
        self.kernel = load("chase_the_flush_strategies")
        size = first_places()[4]
        # by the index of the hole cards' flush: raised 3x, and checked with optimal play after it
        self.hole_now, self.hole_later = np.zeros((2, size), dtype=np.int64)
        np.add.at(self.hole_now, hole_places(), self.weights * solution.values[:, 0])
        np.add.at(self.hole_later, hole_places(), self.weights * solution.values[:, 1])
        self.early = self._early(size)

    def _early(self, size: int) -> _Array:
        """Return by the indices of hole and flop: raised 2x, later with optimal play, later and folded."""
        (early,) = sweep(
            lambda a, b, arrays: self.kernel.value_early(
                self.holes, a, b, self.pair, self.weights, hole_places(), arrays[0]
            ),
            len(self.holes), lambda: (np.zeros((size, first_places()[6], 3), dtype=np.int64),),
            chunk=CHUNK, label="Chase the Flush flops", threads=self.threads,
        )
        early[:, :, 2] *= RIVERS * DEALER_HANDS * int(self.utility[3, 0, 0, 0])
        return early

    def _rivers(self, classes: _Array, column: _Array) -> _Array:
        """Return the gain from raising 1x, [column of the flop][kind of threat][index], over these hole classes."""
        holes = np.ascontiguousarray(self.holes[classes])
        weights = self.weights[classes]
        shape = (first_places()[8], int(column.max()) + 1, self.kinds)
        (gains,) = sweep(
            lambda a, b, arrays: self.kernel.value_rivers(
                holes, a, b, self.pair, weights, column, self.kind, arrays[0]
            ),
            len(holes), lambda: (np.zeros(shape, dtype=np.int64),),
            chunk=CHUNK, label="Chase the Flush rivers", threads=self.threads,
        )
        gains = np.ascontiguousarray(gains.transpose(1, 2, 0))
        if (gains[:, :, first_places()[4] :] < 0).any():
            raise fault(
                "under these pays a flush of four or more cards is not always worth 1x",
                "the search needs pays under which it is",
            )
        return gains

    def _checked(self, hole: Mapping[int, int]) -> _Array:
        checks = np.zeros(first_places()[4], dtype=bool)
        for length, threshold in hole.items():
            checks[first_places()[length] : first_places()[length] + threshold] = True
        return checks

    def _hole_total(self, checks: _Array) -> int:
        return int(self.hole_now[~checks].sum())

    def _candidates(self, curves: Mapping[int, _Array], slack: int) -> dict[int, list[int]]:
        return {
            n: [int(t) for t in np.flatnonzero(curve.max() - curve <= slack)] for n, curve in curves.items()
        }

    def best(self) -> BestThresholds:
        hole_curves = {n: _curve(self.hole_now[_span(n)], self.hole_later[_span(n)]) for n in (1, 2, 3)}
        # if optimal play raises a three-card flush at once, so does every best strategy
        if (self.hole_now[_span(3)] < self.hole_later[_span(3)]).any():
            raise fault(
                "under these pays a three-card flush is not always worth 3x", "the search needs pays under which it is"
            )
        hole_curves[3] = hole_curves[3][:1]
        start = {n: int(curve.argmax()) for n, curve in hole_curves.items()}
        best = self._compare([start], {n: [int(c.argmax())] for n, c in self._flops(start).items()})
        slack = sum(int(c.max()) for c in hole_curves.values()) - best[0]
        near = self._candidates(hole_curves, slack)
        combos: list[dict[int, int]] = []
        flops: dict[int, set[int]] = {2: set(), 3: set()}
        for chosen in product(*near.values()):
            hole = dict(zip(near, chosen, strict=True))
            curves = self._flops(hole)
            bound = self._bound(hole, curves)
            if bound >= best[0]:
                combos.append(hole)
                for n, thresholds in self._candidates(curves, bound - best[0]).items():
                    flops[n].update(thresholds)
        total, hole, flop, river, compared = self._compare(combos, {n: sorted(t) for n, t in flops.items()})
        return self._named(total, hole, flop, river, compared)

    def _flops(self, hole: Mapping[int, int]) -> dict[int, _Array]:
        """Return the curves of the flops of two and three cards; longer ones must always be worth 2x."""
        early = self.early[self._checked(hole)]
        longer = early[:, first_places()[4] :]
        if (longer[:, :, 0] < longer[:, :, 1]).any():
            raise fault(
                "under these pays a four-card flush on the flop is not always worth 2x",
                "the search needs pays under which it is",
            )
        seen = early.sum(axis=0)
        return {n: _curve(seen[_span(n), 0], seen[_span(n), 1]) for n in (2, 3)}

    def _bound(self, hole: Mapping[int, int], curves: Mapping[int, _Array]) -> int:
        checks = self._checked(hole)
        longer = int(self.early[checks][:, first_places()[4] :, 0].sum())
        return self._hole_total(checks) + longer + sum(int(curve.max()) for curve in curves.values())

    def _compare(
        self, combos: Sequence[dict[int, int]], flops: Mapping[int, Sequence[int]]
    ) -> tuple[int, dict[int, int], dict[int, int], list[dict[int, int]], int]:
        """Return the best of these hole and flop thresholds, each with its best river."""
        first = first_places()
        column = np.full(first[8], -1, dtype=np.int32)
        for n, thresholds in flops.items():
            column[first[n] : first[n] + thresholds[0]] = 0
            after = len(flops[2]) if n == 3 else 1
            for k in range(len(thresholds) - 1):
                column[first[n] + thresholds[k] : first[n] + thresholds[k + 1]] = after + k
        # hole flushes that every combination checks, then one more at a time by length
        layers: dict[tuple[int, int], tuple[_Array, ...]] = {}
        lowest = {n: min(c[n] for c in combos) for n in (1, 2, 3)}
        base = self._layer(self._checked(lowest), column, flops)
        for n in (1, 2, 3):
            below = lowest[n]
            more = tuple(np.zeros_like(part) for part in base)
            layers[n, below] = more
            for threshold in sorted({c[n] for c in combos} - {below}):
                rows = np.zeros(first[4], dtype=bool)
                rows[first[n] + below : first[n] + threshold] = True
                more = tuple(map(np.add, more, self._layer(rows, column, flops)))
                layers[n, threshold] = more
                below = threshold
        best: tuple[int, dict[int, int], tuple[int, int], _Array] | None = None
        for hole in combos:
            parts = tuple(base)
            for n in (1, 2, 3):
                parts = tuple(map(np.add, parts, layers[n, hole[n]]))
            constant, two, three, river_two, river_three = parts
            totals = (
                self._hole_total(self._checked(hole)) + int(constant)
                + two[:, None] + three[None, :]
                + self._best_rivers(river_two, river_three)
            )
            at = np.unravel_index(int(totals.argmax()), totals.shape)
            if best is None or totals[at] > best[0]:
                gains = river_two[at[0]] + river_three[at[1]]
                best = (int(totals[at]), hole, (int(at[0]), int(at[1])), gains)
        assert best is not None
        total, hole, (i, j), gains = best
        flop = {2: flops[2][i], 3: flops[3][j]}
        river = [self._river(gains[kind]) for kind in range(self.kinds)]
        return total, hole, flop, river, len(combos) * len(flops[2]) * len(flops[3])

    def _layer(self, rows: _Array, column: _Array, flops: Mapping[int, Sequence[int]]) -> tuple[_Array, ...]:
        """Return the gain from checking these hole flushes, by flop threshold of two and of three cards.

        (constant; by threshold of two; of three; gains on the river [threshold][kind][index] of
        the flops below it, once for two cards and once for three).
        """
        first = first_places()
        classes = np.flatnonzero(rows[hole_places()])
        gains = np.zeros((1, self.kinds, first[8]), dtype=np.int64)
        if len(classes):
            gains = self._rivers(classes, column)
        seen = self.early[rows].sum(axis=0)
        parts: list[_Array] = [np.array(int(seen[first[4] :, 0].sum()))]
        rivers: list[_Array] = []
        for n in (2, 3):
            parts.append(_curve(seen[_span(n), 0], seen[_span(n), 2])[list(flops[n])])
            skip = len(flops[2]) if n == 3 else 1
            steps = [gains[0] if n == 2 else np.zeros_like(gains[0])]
            for k in range(len(flops[n]) - 1):
                steps.append(gains[skip + k] if skip + k < len(gains) else np.zeros_like(gains[0]))
            rivers.append(np.cumsum(np.stack(steps), axis=0))
        return (*parts, *rivers)

    def _best_rivers(self, two: _Array, three: _Array) -> _Array:
        """Return for every pair of flop thresholds the greatest gain of river thresholds."""
        first = first_places()
        total = two[:, None, :, first[4] :].sum(axis=(2, 3)) + three[None, :, :, first[4] :].sum(axis=(2, 3))
        for n in (2, 3):
            for kind in range(self.kinds):
                a, b = (self._suffixes(gains[:, kind, _span(n)]) for gains in (two, three))
                for i in range(len(a)):
                    total[i] += (a[i] + b).max(axis=1)
        return total

    @staticmethod
    def _suffixes(gains: _Array) -> _Array:
        """Return the sums from each threshold on; the last one never raises."""
        sums = np.cumsum(gains[:, ::-1], axis=1)[:, ::-1]
        return np.concatenate([sums, np.zeros((len(sums), 1), dtype=np.int64)], axis=1)

    def _river(self, gains: _Array) -> dict[int, int]:
        """Return the best threshold of each length, the highest of equals; -1 if no deal reaches it."""
        chosen = {}
        for n in range(2, 8):
            if not gains[_span(n)].any():
                chosen[n] = -1
                continue
            sums = self._suffixes(gains[None, _span(n)])[0]
            chosen[n] = int(len(sums) - 1 - sums[::-1].argmax())
        return chosen

    def _named(
        self, total: int, hole: Mapping[int, int], flop: Mapping[int, int], river: Sequence[dict[int, int]],
        compared: int,
    ) -> BestThresholds:
        streets = {"3x": dict(hole), "2x": {**flop, 4: 0, 5: 0}, "1x": river[0]}
        if self.kinds == 2:
            streets[f"1x, {self.exception}"] = river[1]
        names: dict[str, dict[int, str]] = {}
        tables: list[_Array] = []
        for street, thresholds in streets.items():
            raises = np.zeros(first_places()[8], dtype=np.uint8)
            names[street] = {}
            for n, t in thresholds.items():
                if t < 0:
                    names[street][n] = "not reached"
                    continue
                raises[first_places()[n] + t : first_places()[n + 1]] = 1
                names[street][n] = flush_name(flushes()[n][t]) if t < len(flushes()[n]) else "never"
            tables.append(raises)
        rivers = np.stack([tables[2 + int(kind)] for kind in self.kind])
        return BestThresholds(self.exception, Strategy(tables[0], tables[1], rivers), names, total, compared)


@dataclass(frozen=True)
class HoleRule:
    """The rule by which optimal play raises 3x on a best flush of the hole cards (a rank mask).

    ``raising`` and ``checking`` list the other cards, lowest first ("" for none). If one of
    them is empty, the decision depends only on the flush.
    """

    flush: int
    raising: tuple[str, ...]
    checking: tuple[str, ...]


def hole_rules(solution: ChaseSolution) -> tuple[HoleRule, ...]:
    """Return for each best flush of the hole cards, lowest first, the effect of the other cards on optimal play."""
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for held, raises in zip(hole_classes()[0].tolist(), solution.raises_at_once.tolist(), strict=True):
        flush, *others = held
        ranks = sorted((RANKS[m.bit_length() - 1] for m in others if m), key=RANKS.index, reverse=True)
        sides.setdefault(place(flush), ([], []))[0 if raises else 1].append("-".join(ranks))
    everything = [mask for masks in flushes() for mask in masks]
    return tuple(
        HoleRule(everything[at], *(tuple(sorted(side, key=_by_rank)) for side in sides[at])) for at in sorted(sides)
    )


def _by_rank(text: str) -> list[int]:
    return [RANKS.index(rank) for rank in text.split("-") if rank]
