"""Features of seven cards of one deck: the joint table, counted by three independent methods.

The methods share no evaluator and no table. `by_class` looks up sets of ranks in codes made with bit arithmetic.
`literal` deals every hand card by card. `convolution` multiplies the features of single suits, computed from strings of
zeros and ones. Each method gives a row and its number of hands for every combination of columns that occurs, in
ascending order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from .._kernels import load
from ..base.errors import closed
from ..base.parallel import sweep

CARDS = 7
HANDS = comb(52, CARDS)  # 133,784,560

#: The columns of the longest straight flush (1-7) under each ace rule: ace high or low; ace high only; ace low only in
#: A-2-3-4-5 or longer; ace low only in exactly A-2-3-4-5.
STRAIGHT_FLUSHES = ("straight_flush_both", "straight_flush_high", "straight_flush_from_five",
                    "straight_flush_five_only")  # fmt: skip
#: The longest flush (2-7); those; four of a kind (0, 1); suited 9-T-J-Q-K-A (0, 1).
columns: tuple[str, ...] = ("flush", *STRAIGHT_FLUSHES, "quads", "nine_to_ace")

LANES = 16  # equal shares of the classes for the threads

IntArray = np.ndarray[Any, np.dtype[np.int64]]


def _closed(way: str, hands: Mapping[tuple[int, ...], int]) -> tuple[IntArray, IntArray]:
    """Return sorted rows (n, len(columns)) and weights (n,). Raises `CountError` unless every hand is counted."""
    rows = sorted((row, count) for row, count in hands.items() if count)
    closed(f"hands of seven cards, {way}", sum(count for _, count in rows), HANDS)
    return np.array([row for row, _ in rows], np.int64), np.array([count for _, count in rows], np.int64)


# ---- first method: classes of hands under the suit permutations


def mask_features(masks: IntArray) -> IntArray:
    """Return the straight-flush and nine-to-ace columns of sets of ranks (13-bit masks), shape (n, 5)."""

    def longest(sets: IntArray) -> IntArray:
        length = np.zeros_like(sets)
        while sets.any():
            length += sets != 0
            sets = sets & sets >> 1
        return length

    def has(bits: int, sets: IntArray) -> IntArray:
        return (sets & bits == bits).astype(np.int64)

    low = masks << 1 | masks >> 12  # bit 0 is the low ace, bit 13 the high ace
    high = longest(masks)
    from_low_ace = sum((has((1 << n) - 1, low) for n in range(1, CARDS + 1)), start=np.zeros_like(masks))
    five = has(0b11111, low)
    return np.stack(
        [
            longest(low),
            high,
            np.maximum(high, from_low_ace * five),
            np.maximum(high, 5 * five),
            has(0b1111110000000, masks),
        ],
        axis=1,
    )


def _joined(features: IntArray) -> tuple[IntArray, IntArray]:
    """Return all feature rows of one or more sets (k, 5), and the row of the union of two rows (k, k).

    The union has the greater of each feature. Rows are sorted: bisection finds the row of a set.
    """
    scale = 8 ** np.arange(features.shape[1])[::-1]
    keys = np.unique(features @ scale)
    while True:
        rows = keys[:, None] // scale % 8
        both = np.maximum(rows[:, None], rows[None]) @ scale
        closed = np.unique(both)
        if len(closed) == len(keys):
            return rows, np.searchsorted(keys, both)
        keys = closed


def by_class(threads: int | None = None) -> tuple[IntArray, IntArray, int]:
    """Return rows, weights and the number of classes under the 24 suit permutations: 6,009,159."""
    add_classes = load("seven_classes").add_classes
    masks = np.arange(1 << 13)
    size = sum(masks >> rank & 1 for rank in range(13))
    masks = masks[np.argsort(size, kind="stable")]
    first = np.cumsum([0] + [comb(13, n) for n in range(CARDS + 1)])
    masks = masks[: first[-1]]
    features = mask_features(masks)
    rows, join = _joined(features)
    scale = 8 ** np.arange(features.shape[1])[::-1]
    shows = np.searchsorted(rows @ scale, features @ scale).astype(np.uint8)
    masks16, join8 = masks.astype(np.uint16), join.astype(np.uint8)

    weights, classes = sweep(
        lambda start, stop, into: add_classes(start, stop, LANES, first, masks16, shows, join8, *into),
        LANES,
        lambda: (np.zeros((8, len(rows), 2), np.int64), np.zeros(1, np.int64)),
        chunk=LANES // 4,
        label="classes of seven cards",
        threads=threads,
    )
    hands: Counter[tuple[int, ...]] = Counter()
    for flush, code, quads in np.argwhere(weights).tolist():
        *straights, nine_to_ace = rows[code].tolist()
        hands[flush, *straights, quads, nine_to_ace] += int(weights[flush, code, quads])
    return *_closed("the count by class", hands), int(classes[0])


# ---- independent method: every hand, card by card


def literal(threads: int | None = None) -> tuple[IntArray, IntArray]:
    """Return rows and weights from dealing each of the 133,784,560 hands."""
    add_hands = load("seven_literal").add_hands
    (dealt,) = sweep(
        lambda start, stop, into: add_hands(start, stop, *into),
        52 - CARDS + 1,
        lambda: (np.zeros((8, 8, 8, 2, 2), np.int64),),
        chunk=1,
        label="hands of seven cards",
        threads=threads,
    )
    hands: Counter[tuple[int, ...]] = Counter()
    for flush, high, wheel, nine_to_ace, quads in np.argwhere(dealt).tolist():
        row = (
            flush,
            max(high, wheel),
            high,
            max(high, wheel if wheel >= 5 else 0),
            max(high, 5 if wheel >= 5 else 0),
            quads,
            nine_to_ace,
        )
        hands[row] += int(dealt[flush, high, wheel, nine_to_ace, quads])
    return _closed("the count of every hand", hands)


# ---- third method: convolution over the suits


def _suit_shows(ranks: str) -> int:
    """Return the features of one suit, given as 13 zeros and ones from the ace down to the two.

    Each column except four of a kind has eight bits, of which as many are set as its value: "or" then joins suits.
    """
    around = ranks + ranks[0]
    high = max(ranks.split("0"))  # the longest string of ones
    both = max(around.split("0"))
    wheel = around.rpartition("0")[2] if around.endswith("11111") else ""
    shows = int(ranks.startswith("111111"))
    for length in (
        len(max(high, wheel[:5])),
        len(max(high, wheel)),
        len(high),
        len(both),
        ranks.count("1"),
    ):
        shows = shows << 8 | (1 << length) - 1
    return shows


Suit = list[Counter[int]]  # by number of cards: features with their number of ways


def _product(a: Suit, b: Suit, sizes: range) -> Suit:
    """Return the joint features of two suits, or of two pairs of suits, for the numbers of cards in ``sizes``."""
    product: Suit = [Counter() for _ in range(CARDS + 1)]
    for cards in sizes:
        into = product[cards]
        for n in range(cards + 1):
            for shown, ways in a[n].items():
                for shows, times in b[cards - n].items():
                    into[shown | shows] += ways * times
    return product


def _four_suits(suit: Suit) -> Counter[int]:
    """Return the features of seven cards if each of the four suits is one of ``suit``."""
    pair = _product(suit, suit, range(CARDS + 1))
    return _product(pair, pair, range(CARDS, CARDS + 1))[CARDS]


def convolution() -> tuple[IntArray, IntArray]:
    """Return rows and weights from the features of single suits.

    Seven cards cannot have two fours of a kind, so the hands with one are the sum over the ranks of the hands with the
    rank in all four suits.
    """
    every: Suit = [Counter() for _ in range(CARDS + 1)]
    holding: list[Suit] = [[Counter() for _ in range(CARDS + 1)] for _ in range(13)]
    for mask in range(1 << 13):
        ranks = f"{mask:013b}"
        size = ranks.count("1")
        if size > CARDS:
            continue
        shows = _suit_shows(ranks)
        every[size][shows] += 1
        if size <= CARDS - 3:
            for rank, held in enumerate(ranks):
                if held == "1":
                    holding[rank][size][shows] += 1
    with_quads: Counter[int] = Counter()
    for suit in holding:
        with_quads.update(_four_suits(suit))
    hands: Counter[tuple[int, ...]] = Counter()
    for shows, ways in _four_suits(every).items():
        *straights, nine_to_ace = ((shows >> shift & 255).bit_count() for shift in range(0, 48, 8))
        hands[*straights, 1, nine_to_ace] += with_quads[shows]
        hands[*straights, 0, nine_to_ace] += ways - with_quads[shows]
    return _closed("the convolution over the suits", hands)


# ---- checks


def compare(tables: Mapping[str, tuple[IntArray, IntArray] | tuple[IntArray, IntArray, int]]) -> list[str]:
    """Return a sentence for each two methods whose tables differ, with their first differing row; empty if all agree.

    ``tables`` maps the name of a method to its rows and weights; only these are compared.
    """
    hands = {
        way: dict(zip(map(tuple, table[0].tolist()), table[1].tolist(), strict=True))
        for way, table in tables.items()
    }
    differences = []
    for one, other in combinations(hands, 2):
        a, b = hands[one], hands[other]
        row = min((row for row in a.keys() | b.keys() if a.get(row, 0) != b.get(row, 0)), default=None)
        if row is not None:
            shown = ", ".join(f"{column} {value}" for column, value in zip(columns, row, strict=True))
            differences.append(
                f"{one} counts {a.get(row, 0):,} hands with {shown}; {other} counts {b.get(row, 0):,}"
            )
    return differences
