"""Two or three hands of one deck by their longest flushes and straight flushes.

The longest flush, the longest straight flush, or both determine a bonus. All ways to give ranks of one suit to two
hands are enumerated, and the four suits are convolved: all pairs of hands, exactly. In Chase the Flush the hands share
four community cards. For the total win of three hands, lengths between which no pay changes form one step. Deals up to
each step are counted (`three_hands`), and their differences are the deals at three steps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, TypeAlias

import numpy as np

from ..base.caches import cached
from ..base.errors import closed
from .three_hands import Pack, combined, joined

#: The columns of a table that determine a hand's result.
Columns: TypeAlias = "tuple[str, ...]"
#: The lengths that determine a hand's result, one for each column.
Lengths: TypeAlias = "tuple[int, ...]"
#: Deals of two hands by the lengths of each.
Joint: TypeAlias = "Mapping[tuple[Lengths, Lengths], int]"


def _high(mask: int, ranks: int) -> int:
    """Return the longest run in a set of ranks, with bit 0 the lowest and the ace the highest."""
    return max(map(len, f"{mask:0{ranks}b}".split("0")))


def _low(mask: int, ranks: int) -> int:
    """Return the length of the run from a low ace upwards; 0 without an ace."""
    row = f"{mask:0{ranks}b}"[::-1]
    return min(mask.bit_count(), len((row[-1] + row).split("0")[0]))


#: For each column that may determine a wager, the length from one suit's ranks of a hand.
LENGTHS: Mapping[str, Callable[[int, int], int]] = {
    "flush": lambda mask, ranks: mask.bit_count(),
    "straight_flush_both": lambda mask, ranks: max(_high(mask, ranks), _low(mask, ranks)),
    "straight_flush_high": _high,
    "straight_flush_from_five": lambda mask, ranks: max(
        _high(mask, ranks), _low(mask, ranks) if _low(mask, ranks) >= 5 else 0),
    "straight_flush_five_only": lambda mask, ranks: max(_high(mask, ranks), min(_low(mask, ranks), 5) // 5 * 5),
}
#: The columns that may determine a wager: one of them, or the flush and one of the others.
DECIDING: tuple[Columns, ...] = (
    *((name,) for name in LENGTHS),
    *(("flush", name) for name in LENGTHS if name != "flush"),
)

#: Cards of one suit that are shared, of the first hand, of the second; then the lengths of both.
State: TypeAlias = "tuple[int, int, int, Lengths, Lengths]"


@cached("the joint distribution of two hands", most=8)
def joint(columns: Columns, ranks: int = 13, cards: int = 7, shared: int = 0) -> Joint:
    """Return deals of two hands of equal size from four suits, ``shared`` of their cards common, by their lengths."""
    two = _product(one := _one_suit(columns, ranks, cards, shared), one, lambda a, b: a <= b, (shared, cards - shared))
    pairs: Counter[tuple[Lengths, Lengths]] = Counter()
    for (*_, mine, theirs), n in _product(two, two, int.__eq__, (shared, cards - shared)).items():
        pairs[mine, theirs] += n
    further, size = cards - shared, 4 * ranks
    deals = comb(size, shared) * comb(size - shared, further) * comb(size - cards, further)
    closed("pairs of hands", sum(pairs.values()), deals)
    return dict(pairs)


def _one_suit(columns: Columns, ranks: int, cards: int, shared: int) -> Counter[State]:
    """Return every way to give ranks of one suit to the shared cards and to both hands."""
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
        pairs: Any = np.zeros(width * width, np.int64)  # at most 4^13 pairs
        rows = max(1, 200_000 // len(masks))
        for start in range(0, len(masks), rows):
            mine, theirs = np.nonzero(masks[start : start + rows, None] & masks[None] == 0)
            pairs += np.bincount(code[start + mine] * width + code[theirs], minlength=width * width)
        for at in np.flatnonzero(pairs).tolist():
            (a, f), (b, g) = (divmod(int(kinds[i]), len(labels)) for i in divmod(at, width))
            suit[board.bit_count(), a, b, named[f], named[g]] += int(pairs[at])
    return suit


def _product(
    one: Counter[State], two: Counter[State], fits: Callable[[int, int], bool], most: tuple[int, int]
) -> Counter[State]:
    """Return the cards of both and the greater lengths, if shared cards and those of each hand fit their numbers."""
    sizes: dict[tuple[int, int, int], list[tuple[Lengths, Lengths, int]]] = defaultdict(list)
    for (s, a, b, f, g), n in two.items():
        sizes[s, a, b].append((f, g, n))
    counts: Counter[State] = Counter()
    for (s, a, b, f, g), n in one.items():
        for (t, c, d), rest in sizes.items():
            if fits(s + t, most[0]) and fits(a + c, most[1]) and fits(b + d, most[1]):
                for h, k, m in rest:
                    counts[s + t, a + c, b + d, tuple(map(max, f, h)), tuple(map(max, g, k))] += n * m
    return counts


def mean_product(
    columns: Columns, one: Mapping[Lengths, Fraction], other: Mapping[Lengths, Fraction], shared: int = 0
) -> Fraction:
    """Return E[one(first hand) other(second hand)] for two hands of seven cards, ``shared`` of them common."""
    pairs = joint(columns, shared=shared)
    return sum((n * one[f] * other[g] for (f, g), n in pairs.items()), Fraction(0)) / sum(pairs.values())


def won_by(
    hands: int, columns: Columns, won: Mapping[Lengths, Fraction], shared: int = 0
) -> Mapping[Fraction, Fraction] | None:
    """Return the distribution of the sum of ``won`` over two or three hands of seven cards.

    Returns None for more hands, and for three with ``shared`` cards.
    """
    if hands == 3 and not shared:
        return won_by_three(columns, won)
    if hands != 2:
        return None
    counts: Counter[Fraction] = Counter()
    for (mine, theirs), n in joint(columns, shared=shared).items():
        counts[won[mine] + won[theirs]] += n
    return {amount: Fraction(n, counts.total()) for amount, n in sorted(counts.items())}


# ---- three hands


def won_by_three(
    columns: Columns, won: Mapping[Lengths, Fraction], ranks: int = 13, cards: int = 7
) -> Mapping[Fraction, Fraction]:
    """Return the distribution of the sum of ``won`` over three hands, which has all lengths of ``columns``."""
    pack, steps = Pack(ranks, cards), _steps(won)
    amounts = {_floor(lengths, steps): amount for lengths, amount in won.items()}
    upto = _upto(pack, columns, steps)
    for axis in range(upto.ndim):
        upto = np.diff(upto, axis=axis, prepend=0)
    counts: Counter[Fraction] = Counter()
    for place in np.argwhere(upto).tolist():
        hands = [tuple(place[i : i + len(steps)]) for i in range(0, len(place), len(steps))]
        counts[sum((amounts[hand] for hand in hands), Fraction(0))] += int(upto[tuple(place)])
    closed("deals of three hands", sum(counts.values()), pack.deals)
    return {amount: Fraction(n, pack.deals) for amount, n in sorted(counts.items())}


def _floor(lengths: Lengths, steps: Sequence[Sequence[int]]) -> Lengths:
    """Return the index of the step of each length."""
    return tuple(bisect_right(starts, length) - 1 for starts, length in zip(steps, lengths, strict=True))


def _steps(won: Mapping[Lengths, Fraction]) -> list[list[int]]:
    """Return the least lengths of the steps of each column; the first is 0."""
    steps = [[0, *sorted({lengths[i] for lengths in won} - {0})] for i in range(len(next(iter(won))))]
    for starts in steps:
        for start in starts[1:]:
            at = starts.index(start)
            del starts[at]
            if len({(_floor(lengths, steps), amount) for lengths, amount in won.items()}) > len(
                    {_floor(lengths, steps) for lengths in won}):
                starts.insert(at, start)
    return steps


def _upto(pack: Pack, columns: Columns, steps: Sequence[Sequence[int]]) -> Any:
    """Return deals with every length of every hand up to a step, ``[step of each column of the first hand, …]``."""
    suit, sizes, lengths = _suit(pack, columns, steps)
    within: dict[bytes, Any] = {}  # [size][trait]: 1 if a suit of that trait is within the steps
    named = []
    for limit in product(*map(range, map(len, steps))):
        fits = (lengths <= limit).all(axis=1) & (np.arange(pack.cards + 1)[:, None] == sizes)
        named.append(fits.tobytes())
        within[fits.tobytes()] = fits.astype(np.int64)
    names, any_hand = list(within), pack.by_size(pack.cards + 1)
    number = [names.index(name) for name in named]
    deals_upto = np.zeros((len(names),) * 3, dtype=object)
    for i, first in enumerate(names):
        one = np.tensordot(within[first], suit, (1, 0))
        for j in range(i, len(names)):
            two = np.tensordot(within[names[j]], one, (1, 1)).transpose(1, 0, 2)
            for k in range(j, len(names)):
                ways = np.ascontiguousarray(two @ within[names[k]].T)
                pair = combined(ways, ways, [any_hand] * 3)
                deals = joined(pair, pair, [any_hand] * 3)
                for place in {(i, j, k), (i, k, j), (j, i, k), (j, k, i), (k, i, j), (k, j, i)}:
                    deals_upto[place] = deals
    shape = tuple(map(len, steps))
    return deals_upto[np.ix_(number, number, number)].reshape(shape * 3)


def _suit(pack: Pack, columns: Columns, steps: Sequence[Sequence[int]]) -> tuple[Any, Any, Any]:
    """Return ways to deal one suit to three hands by traits, and the size and steps of the lengths of each trait."""
    deck = 2**pack.ranks
    masks = np.array([mask for mask in range(deck) if mask.bit_count() <= pack.cards])
    traits: dict[tuple[int, Lengths], int] = {}
    code = np.full(deck, -1)
    for mask in masks.tolist():
        lengths = tuple(LENGTHS[name](mask, pack.ranks) for name in columns)
        code[mask] = traits.setdefault((mask.bit_count(), _floor(lengths, steps)), len(traits))
    inside = (code == np.arange(len(traits))[:, None]).astype(np.int64)  # [trait][mask], then summed over its subsets
    for rank in range(pack.ranks):
        split = inside.reshape(len(traits), -1, 2, 2**rank)
        split[:, :, 1] += split[:, :, 0]
    n = len(traits)
    ways: Any = np.zeros((n, n * n))  # at most 4^13 ways, exact as floats
    rows = max(1, 400_000 // len(masks))
    for start in range(0, len(masks), rows):
        mine, theirs = np.nonzero(masks[start : start + rows, None] & masks == 0)
        one, two = masks[start + mine], masks[theirs]
        pairs, left = code[one] * n + code[two], deck - 1 - (one | two)
        for third in range(n):
            ways[third] += np.bincount(pairs, inside[third][left], n * n)
    suit = ways.astype(np.int64).reshape(n, n, n).transpose(1, 2, 0)
    return suit, np.array([size for size, _ in traits]), np.array([lengths for _, lengths in traits])
