"""Cards dealt at random from a shuffled shoe, for many rounds at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Cards = np.ndarray[Any, Any]
#: Deals one parcel of rounds: takes a random generator and a number of rounds, and returns the count of each outcome.
Parcel = Callable[[np.random.Generator, int], Sequence[int]]


def deal_cards(random: np.random.Generator, rounds: int, cards: int, decks: int) -> Cards:
    """Return card types in the order dealt, shape (rounds, cards), uint8: all ordered deals are equally likely.

    If much of a shoe is dealt, it is shuffled partially. Otherwise a round with a repeated physical card is dealt
    again.
    """
    size = 52 * decks
    if cards * cards > size // 4:
        shoe = np.tile(np.arange(size, dtype=np.uint16), (rounds, 1))
        row = np.arange(rounds)
        for place in range(cards):
            other = random.integers(place, size, rounds)
            shoe[row, place], shoe[row, other] = shoe[row, other], shoe[row, place]
        return (shoe[:, :cards] % 52).astype(np.uint8)
    dealt = random.integers(0, size, (rounds, cards), dtype=np.uint16)
    again = np.arange(rounds)
    while len(again):
        ordered = np.sort(dealt[again], axis=1)
        again = again[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)]
        dealt[again] = random.integers(0, size, (len(again), cards), dtype=np.uint16)
    return (dealt % 52).astype(np.uint8)
