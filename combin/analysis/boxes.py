"""Several boxes of one player: the joint law of two hands of one deck, and the deviation of all boxes together.

A player may wager on adjacent boxes (Massachusetts §6(e); Maryland Ch. 7 §G). The return of several boxes is the sum of
theirs, but their hands come from one deck. For a wager that is decided by the longest flush, or the longest straight
flush, every way to give ranks of one suit to two hands is listed (3^13), and the four suits are multiplied out: all
pairs of hands, exactly. n boxes have the variance n V + n (n - 1) C, with C the covariance of two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from ..base.caches import cached
from ..base.errors import CountError, closed
from ..base.exact import is_number
from ..deals.cards import Shoe
from ..rulebook.parameters import BOXES
from .model import Analysis
from .settle import deciding, outcome_of_rows, table_of

#: Deals of two hands by the lengths that decide each.
Joint = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Boxes:
    """``boxes`` hands of one player: the covariance of two, the variance of all, a unit staked on each."""

    boxes: int
    covariance: Fraction
    variance: Fraction


def _run(mask: int, ranks: int, ace_low: bool) -> int:
    """The longest run in a set of ranks, bit 0 the lowest; an ace is the highest, and below a two where it may."""
    row = f"{mask:0{ranks}b}"[::-1]
    return max(map(len, ((row[-1] if ace_low else "") + row).split("0")))


#: For the column that decides a wager, what one suit's ranks of a hand count.
LENGTHS: Mapping[str, Callable[[int, int], int]] = {
    "flush": lambda mask, ranks: mask.bit_count(),
    "straight_flush_both": lambda mask, ranks: min(_run(mask, ranks, True), mask.bit_count()),
    "straight_flush_high": lambda mask, ranks: _run(mask, ranks, False),
}


@cached("the joint law of two hands", most=4)
def joint(column: str, ranks: int = 13, cards: int = 7) -> Joint:
    """Deals of two hands of so many cards from a deck of four suits, by the longest of each."""
    length = np.array([LENGTHS[column](mask, ranks) for mask in range(2**ranks)])
    size = np.array([mask.bit_count() for mask in range(2**ranks)])
    whole = 2**ranks - 1
    suit: Counter[tuple[int, int, int, int]] = Counter()
    for one in range(2**ranks):
        if size[one] > cards:
            continue
        rest = whole & ~one  # every subset of what the first hand leaves
        others = np.flatnonzero((np.arange(2**ranks) & ~rest) == 0)
        others = others[size[others] <= cards]
        keys, counts = np.unique(size[others] * 16 + length[others], return_counts=True)
        for key, n in zip(keys.tolist(), counts.tolist(), strict=True):
            suit[int(size[one]), int(length[one]), key // 16, key % 16] += n
    found: Counter[tuple[int, int, int, int]] = Counter({(0, 0, 0, 0): 1})
    for _ in range(4):
        product: Counter[tuple[int, int, int, int]] = Counter()
        for (a, f, b, g), n in found.items():
            for (c, h, d, k), m in suit.items():
                if a + c <= cards and b + d <= cards:
                    product[a + c, max(f, h), b + d, max(g, k)] += n * m
        found = product
    law: Counter[tuple[int, int]] = Counter()
    for (a, f, b, g), n in found.items():
        if a == b == cards:
            law[f, g] += n
    closed("pairs of hands", sum(law.values()), comb(4 * ranks, cards) * comb(4 * ranks - cards, cards))
    return dict(law)


def _returns(a: Analysis) -> tuple[str, Mapping[int, Fraction]] | None:
    """The column that decides the wager alone, and what is returned by its length; None where no column does."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    amounts = {o.outcome: o.returned for o in a.outcomes}
    return deciding(table, [amounts[name] for name in outcome_of_rows(table, a.resolved)], LENGTHS)


def boxes(a: Analysis) -> Boxes | None:
    """The boxes that are set; None without, for a wager that no length decides, and while a pay is open."""
    n = a.parameters.get(BOXES)
    if n is None or not is_number(a.variance) or a.request.without or a.resolved.terms.depends_on_play:
        return None
    decided = _returns(a)
    if decided is None:
        return None
    column, returned = decided
    law = joint(column)
    total = sum(law.values())
    if sum(m * returned[f] for (f, _), m in law.items()) != total * a.returned:
        raise CountError(f"one hand of two of {a.id} does not return what a hand returns")
    both = sum((m * returned[f] * returned[g] for (f, g), m in law.items()), Fraction(0)) / total
    covariance = both - a.returned**2
    return Boxes(int(n), covariance, n * a.variance + n * (n - 1) * covariance)


__all__ = ["Boxes", "boxes", "joint"]
