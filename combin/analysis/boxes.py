"""Several boxes of one player: the joint law of two hands of one deck, and the deviation of all boxes together.

A player may wager on adjacent boxes (Massachusetts §6(e); Maryland Ch. 7 §G). The return of several boxes is the sum of
theirs, but their hands come from one deck. n boxes have the variance n V + n (n - 1) C, with C the covariance of two.

A bonus is decided by the longest flush, the longest straight flush, or both. Every way to give ranks of one suit to two
hands is listed, and the four suits are multiplied out: all pairs of hands, exactly. In Chase the Flush the hands share
four community cards. Two hands of a base game are played by decisions against one dealer. In High Card Flush their
covariance is counted (`games.high_card_flush.two_hands`); elsewhere it is an estimate from rounds dealt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..base.caches import cached
from ..base.errors import CountError, closed
from ..base.exact import is_number, root
from ..deals.cards import Shoe
from ..games.model import Estimate
from ..rulebook.parameters import BOXES
from .settle import Columns, deciding, outcome_of_rows, table_of

if TYPE_CHECKING:
    from .model import Analysis

#: The lengths that decide a hand, one for each column.
Lengths: TypeAlias = "tuple[int, ...]"
#: Deals of two hands by the lengths that decide each.
Joint: TypeAlias = "Mapping[tuple[Lengths, Lengths], int]"


@dataclass(frozen=True)
class Boxes:
    """``boxes`` hands of one player: the covariance of two, the variance of all, a unit staked on each."""

    boxes: int
    covariance: Fraction | Estimate
    variance: Fraction | Estimate

    @property
    def deviation(self) -> Fraction | Estimate:
        return self.variance.deviation if isinstance(self.variance, Estimate) else root(self.variance)


def _high(mask: int, ranks: int) -> int:
    """The longest run in a set of ranks, bit 0 the lowest and the ace the highest."""
    return max(map(len, f"{mask:0{ranks}b}".split("0")))


def _low(mask: int, ranks: int) -> int:
    """The run from an ace below the lowest rank upwards; 0 without an ace."""
    row = f"{mask:0{ranks}b}"[::-1]
    return min(mask.bit_count(), len((row[-1] + row).split("0")[0]))


#: For each column that may decide a wager, what one suit's ranks of a hand count.
LENGTHS: Mapping[str, Callable[[int, int], int]] = {
    "flush": lambda mask, ranks: mask.bit_count(),
    "straight_flush_both": lambda mask, ranks: max(_high(mask, ranks), _low(mask, ranks)),
    "straight_flush_high": _high,
    "straight_flush_from_five": lambda mask, ranks: max(
        _high(mask, ranks), _low(mask, ranks) if _low(mask, ranks) >= 5 else 0),
    "straight_flush_five_only": lambda mask, ranks: max(_high(mask, ranks), min(_low(mask, ranks), 5) // 5 * 5),
}
#: The columns that decide a wager: one of them, or the flush and one of the others.
DECIDING: tuple[Columns, ...] = (
    *((name,) for name in LENGTHS),
    *(("flush", name) for name in LENGTHS if name != "flush"),
)

#: Cards of one suit that are shared, of the first hand, of the second; then the lengths of both.
State: TypeAlias = "tuple[int, int, int, Lengths, Lengths]"


@cached("the joint law of two hands", most=8)
def joint(columns: Columns, ranks: int = 13, cards: int = 7, shared: int = 0) -> Joint:
    """Deals of two hands of so many cards from a deck of four suits, ``shared`` of them common, by their lengths."""
    two = _product(one := _one_suit(columns, ranks, cards, shared), one, lambda a, b: a <= b, (shared, cards - shared))
    law: Counter[tuple[Lengths, Lengths]] = Counter()
    for (*_, mine, theirs), n in _product(two, two, int.__eq__, (shared, cards - shared)).items():
        law[mine, theirs] += n
    own, size = cards - shared, 4 * ranks
    deals = comb(size, shared) * comb(size - shared, own) * comb(size - cards, own)
    closed("pairs of hands", sum(law.values()), deals)
    return dict(law)


def _one_suit(columns: Columns, ranks: int, cards: int, shared: int) -> Counter[State]:
    """Every way to give ranks of one suit to the shared cards and to both hands."""
    lengths = [tuple(LENGTHS[name](mask, ranks) for name in columns) for mask in range(2**ranks)]
    labels = {lengths_: i for i, lengths_ in enumerate(dict.fromkeys(lengths))}
    label = np.array([labels[lengths_] for lengths_ in lengths])
    size = np.array([mask.bit_count() for mask in range(2**ranks)])
    named = list(labels)
    suit: Counter[State] = Counter()
    for board in np.flatnonzero(size <= shared).tolist():
        masks = np.flatnonzero((size <= cards - shared) & (np.arange(2**ranks) & board == 0))
        kinds, code = np.unique(size[masks] * len(labels) + label[masks | board], return_inverse=True)
        width = len(kinds)
        found: Any = np.zeros(width * width, np.int64)  # at most 4^13 pairs
        rows = max(1, 200_000 // len(masks))
        for start in range(0, len(masks), rows):
            mine, theirs = np.nonzero(masks[start : start + rows, None] & masks[None] == 0)
            found += np.bincount(code[start + mine] * width + code[theirs], minlength=width * width)
        for at in np.flatnonzero(found).tolist():
            (a, f), (b, g) = (divmod(int(kinds[i]), len(labels)) for i in divmod(at, width))
            suit[board.bit_count(), a, b, named[f], named[g]] += int(found[at])
    return suit


def _product(
    one: Counter[State], two: Counter[State], fits: Callable[[int, int], bool], most: tuple[int, int]
) -> Counter[State]:
    """The cards of both and the greater lengths, where shared cards and those of each hand fit their numbers."""
    sizes: dict[tuple[int, int, int], list[tuple[Lengths, Lengths, int]]] = defaultdict(list)
    for (s, a, b, f, g), n in two.items():
        sizes[s, a, b].append((f, g, n))
    found: Counter[State] = Counter()
    for (s, a, b, f, g), n in one.items():
        for (t, c, d), rest in sizes.items():
            if fits(s + t, most[0]) and fits(a + c, most[1]) and fits(b + d, most[1]):
                for h, k, m in rest:
                    found[s + t, a + c, b + d, tuple(map(max, f, h)), tuple(map(max, g, k))] += n * m
    return found


def _exact(a: Analysis) -> Fraction | None:
    """The covariance of two bonuses; None where no lengths decide them."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    amounts = {o.outcome: o.returned for o in a.outcomes}
    decided = deciding(table, [amounts[name] for name in outcome_of_rows(table, a.resolved)], DECIDING)
    if decided is None:
        return None
    columns, returned = decided
    law = joint(columns, shared=a.resolved.document.shared_cards)
    total = sum(law.values())
    if sum(m * returned[f] for (f, _), m in law.items()) != total * a.returned:
        raise CountError(f"one hand of two of {a.id} does not return what a hand returns")
    both = sum((m * returned[f] * returned[g] for (f, g), m in law.items()), Fraction(0)) / total
    return both - a.returned**2


def boxes(a: Analysis) -> Boxes | None:
    """The boxes that are set; None without, for a wager that no length decides, and while a pay is open."""
    n = a.parameters.get(BOXES)
    if n is None or not is_number(a.variance) or a.request.without or a.resolved.terms.depends_on_play:
        return None
    pairs = n * (n - 1)
    of_two = _exact(a) if a.game is None else a.game.covariance() if a.game.covariance else None
    if of_two is None:
        return None
    if not isinstance(of_two, Estimate):
        return Boxes(int(n), of_two, n * a.variance + pairs * of_two)
    variance = n * a.variance + pairs * of_two.value
    return Boxes(int(n), of_two, Estimate(variance, pairs * of_two.error, of_two.how) if pairs else variance)


__all__ = ["DECIDING", "Boxes", "boxes", "joint"]
