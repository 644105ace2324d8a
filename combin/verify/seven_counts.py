"""The joint table of seven cards by two independent methods, and the comparison of tables by different methods.

The methods share no evaluator and no table. `literal` deals every hand card by card. `convolution` multiplies the
features of single suits, computed from strings of zeros and ones. Each gives rows and hands in the order of
`deals.seven_cards`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import numpy as np

from .._kernels import load
from ..base.parallel import sweep
from ..deals.seven_cards import CARDS, IntArray, closed_rows, columns

# ---- every hand, card by card


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
    return closed_rows("the count of every hand", hands)


# ---- convolution over the suits


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
    return closed_rows("the convolution over the suits", hands)


# ---- comparison


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
