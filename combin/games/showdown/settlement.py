"""The value of a round as linear functions of the counts of the sweep, and the counts back from their sums.

For a hand of rank r the sweep counts the dealer's hands below each cut of ranks, below r, up to r, and all of them.
A hand in a *segment* of ranks has one class, and its rank lies between the same two cuts of the dealer's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np

LOSE, TIE, WIN = range(3)


@dataclass(frozen=True, eq=False)
class Settlement:
    """The net result of a round as integers: ``utility`` [leaf][qualifies][result][player class][dealer class].

    Amounts are in 1/``unit`` units and include every stake. Class i of the player's hand holds the ranks r
    with ``player_cuts[i - 1] <= r < player_cuts[i]``; the dealer's likewise. The axis of ``qualifies`` has two
    entries (no, yes) if ``qualify`` is a rank, one if the dealer always qualifies; the axis of results is lose, tie,
    win, or one entry without a dealer. A folded leaf does not depend on the result.
    """

    utility: Any
    unit: int
    player_cuts: tuple[int, ...]
    dealer_cuts: tuple[int, ...]
    qualify: int | None

    @cached_property
    def cells(self) -> Cells:
        return Cells(self.player_cuts, self.dealer_cuts, self.qualify, self.utility.shape[2] > 1)

    @cached_property
    def rows(self) -> Any:
        """Return the utilities as Python integers, [leaf][result][class of the player's hand][cut of the dealer's]."""
        return self.cells.joined(self.utility.astype(object))


@dataclass(frozen=True)
class Cells:
    """Cells by result, class of the player's hand, and interval of the dealer's ``cuts``."""

    player_cuts: tuple[int, ...]
    dealer_cuts: tuple[int, ...]
    qualify: int | None
    has_dealer: bool = True

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        return tuple(sorted({*self.dealer_cuts, *(() if self.qualify is None else (self.qualify,))}))

    def _places(self) -> list[tuple[int, int]]:
        """Return (qualifies, class of the dealer's hand) of each interval between cuts."""
        lows = (0, *self.cuts)
        return [(int(self.qualify is not None and low >= self.qualify), bisect_right(self.dealer_cuts, low))
                for low in lows]

    def joined(self, table: Any) -> Any:
        """Return [leaf][qualifies][result][player][dealer] as [leaf][result][player][cut]."""
        return np.stack([table[:, q, :, :, d] for q, d in self._places()], axis=-1)

    def parted(self, table: Any) -> Any:
        """Return [leaf][result][player][cut] as [leaf][qualifies][result][player][dealer]."""
        leaves, results, players, _ = table.shape
        parts = np.zeros((leaves, 1 if self.qualify is None else 2, results, players, len(self.dealer_cuts) + 1),
                         dtype=object)
        for cut, (q, d) in enumerate(self._places()):
            parts[:, q, :, :, d] += table[..., cut]
        return parts


@dataclass(frozen=True)
class Segments:
    """The intervals of ranks of a player's hand, by its classes and by cuts of the dealer's."""

    player_cuts: tuple[int, ...]
    cuts: tuple[int, ...]
    has_dealer: bool

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Return the first rank of each segment except the first."""
        return tuple(sorted({*self.player_cuts, *(self.cuts if self.has_dealer else ())}))

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Return the class of the player's hand and the interval of the dealer's cuts of each segment."""
        return tuple((bisect_right(self.player_cuts, low), bisect_right(self.cuts, low)) for low in (0, *self.starts))

    def _intervals(self, position: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield (result, interval of the dealer's cuts, count before it, count up to its end) for hands of a segment.

        The count at cut i has the index i, then follow the counts below, up to, and of all. Interval k begins at count
        k - 1; the first begins at none, -1.
        """
        n = len(self.cuts)
        if not self.has_dealer:
            yield 0, 0, -1, n + 2
            return
        for k in range(n + 1):
            first, last = k - 1, k if k < n else n + 2
            if k == position:
                yield from ((WIN, k, first, n), (TIE, k, n, n + 1), (LOSE, k, n + 1, last))
            else:
                yield WIN if k < position else LOSE, k, first, last

    def coefficients(self, row: Any) -> list[list[int]]:
        """Return the value of a hand of each segment as coefficients of the counts at cuts, below, up to, and of all.

        ``row`` is [result][class of the player's hand][cut of the dealer's].
        """
        rows = []
        for player, position in self.places:
            of = [0] * (len(self.cuts) + 3)
            for result, k, before, after in self._intervals(position):
                worth = int(row[result, player, k])
                of[after] += worth
                if before >= 0:
                    of[before] -= worth
            rows.append(of)
        return rows

    def joint(self, moments: Any) -> Any:
        """Return counts [leaf][result][class of the player's hand][cut] from moments [leaf][segment][count]."""
        results = 3 if self.has_dealer else 1
        counts = np.zeros((len(moments), results, len(self.player_cuts) + 1, len(self.cuts) + 1), dtype=object)
        for segment, (player, position) in enumerate(self.places):
            m = moments[:, segment].astype(object)
            for result, k, before, after in self._intervals(position):
                counts[:, result, player, k] += m[:, after] - (m[:, before] if before >= 0 else 0)
        return counts


def fewer_cuts(rows: Any, cuts: Sequence[int]) -> tuple[tuple[int, ...], Any]:
    """Return the cuts at which some row changes, and the rows [leaf][result][player][cut] between them."""
    kept = [i for i in range(len(cuts)) if (rows[..., i] != rows[..., i + 1]).any()]
    return tuple(cuts[i] for i in kept), rows[..., [0, *(i + 1 for i in kept)]]


@dataclass(frozen=True)
class Combination:
    """A row as ``constant`` plus integer multiples of basis rows."""

    constant: int
    multiples: tuple[tuple[int, int], ...]


def basis_of(rows: Sequence[Any]) -> tuple[list[Any], list[Combination]]:
    """Return a small basis of which all rows are integer combinations, up to a constant: fewer arrays to add up.

    Twenty-seven leaves with one paytable on different stakes need one array.
    """
    basis: list[Any] = []
    flat: list[list[Fraction]] = []
    combinations = []
    for row in rows:
        values = [int(x) for x in row.flat]
        known = _solved(flat, values)
        if known is None or any(x.denominator != 1 for x in known):
            divisor = gcd(*values) or 1
            basis.append(np.array([x // divisor for x in values], dtype=object).reshape(row.shape))
            flat.append([Fraction(x // divisor) for x in values])
            combinations.append(Combination(0, ((len(basis) - 1, divisor),)))
        else:
            multiples = tuple((i, int(x)) for i, x in enumerate(known[1:]) if x)
            combinations.append(Combination(int(known[0]), multiples))
    return basis, combinations


def _solved(basis: list[list[Fraction]], values: list[int]) -> list[Fraction] | None:
    """Return the coefficients of a constant and of the basis rows that give the values; None if none do."""
    columns = [[Fraction(1)] * len(values), *basis]
    # Distinct equations only: most cells repeat.
    system = sorted({(*(column[i] for column in columns), Fraction(x)) for i, x in enumerate(values)})
    matrix = [list(equation) for equation in system]
    pivots = []
    at = 0
    for column in range(len(columns)):
        pivot = next((i for i in range(at, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            continue
        matrix[at], matrix[pivot] = matrix[pivot], matrix[at]
        matrix[at] = [x / matrix[at][column] for x in matrix[at]]
        for i in range(len(matrix)):
            if i != at and (by := matrix[i][column]):
                matrix[i] = [x - by * y for x, y in zip(matrix[i], matrix[at], strict=True)]
        pivots.append(column)
        at += 1
    if any(equation[-1] for equation in matrix[at:]):
        return None
    coefficients = [Fraction(0)] * len(columns)
    for i, column in enumerate(pivots):
        coefficients[column] = matrix[i][-1]
    return coefficients
