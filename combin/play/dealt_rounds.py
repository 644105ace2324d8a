"""Rounds of a table dealt from one deck: the game result of each seat, and its hand for side bets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.settle import places_of_rows
from ..base.caches import cached
from ..base.errors import fault
from ..deals.seven_cards import columns as SEVEN
from ..deals.seven_cards import mask_features
from ..deals.table import Column, Table
from ..rulebook.book import Resolved

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class DealtRounds:
    """The seats of some rounds, in order of the rounds; ``place`` is the index in ``nets`` of a seat's game result.

    ``ends(bet)`` returns the outcomes of a side bet, which may include `NOT_STAKED`, and the index of each seat's
    outcome. ``first_two`` are the card types ``[seat][2]`` of hands that begin with two cards.
    """

    nets: Sequence[Fraction]
    place: Array
    ends: Callable[[Resolved], tuple[Sequence[str], Array]]
    first_two: Array | None = None


def fits(seats: int, most: int, cards: int) -> None:
    """Raise `InputError` for more seats than a shoe of ``cards`` cards can always serve."""
    if seats > most:
        raise fault(f"{seats} seats may take more cards than a shoe of {cards} has", f"give at most {most} seat(s)",
                    file="seats")


def settled(bet: Resolved, columns: dict[str, Column]) -> tuple[Sequence[str], Array]:
    """Return the outcomes of a side bet, and the index of each row's outcome; one deal per row."""
    return places_of_rows(table(columns), bet)


def table(columns: dict[str, Column]) -> Table:
    """Return a table with one deal per row."""
    rows = len(next(iter(columns.values())))
    return Table(columns, np.ones(rows, np.int64), rows, rows)


def shown(cards: Array, role: str) -> dict[str, Column]:
    """Return ranks and suits of card types ``[row][card]``."""
    return {f"{role}.rank": (cards % 13).astype(np.int8), f"{role}.suit": (cards // 13).astype(np.int8)}


def masks_of(cards: Array) -> Array:
    """Return int16 ``[suit][row]``: the ranks in each suit of card types ``[row][card]``, each dealt once."""
    bits = np.left_shift(np.int64(1), np.arange(52))
    held = bits[cards[:, 0]]
    for i in range(1, cards.shape[1]):
        held += bits[cards[:, i]]
    return np.stack([(held >> 13 * suit & 8191).astype(np.int16) for suit in range(4)])


def seven(masks: Array) -> dict[str, Column]:
    """Return the columns of the joint table of seven cards, from masks by suit."""
    columns = [by_mask[masks].max(axis=0) for by_mask in _by_mask()]
    quads = np.bitwise_and.reduce(masks) != 0
    return dict(zip(SEVEN, [*columns[:5], quads.astype(np.int8), columns[5]], strict=True))


@cached("features of sets of ranks", most=1)
def _by_mask() -> tuple[Array, ...]:
    """Return by set of ranks: the number of cards, the lengths of straight flushes, nine to ace."""
    every = np.arange(8192)
    size = np.array([int(m).bit_count() for m in every], np.int8)
    return (size, *np.ascontiguousarray(mask_features(every).T.astype(np.int8)))


def best_suit(masks: Array) -> Array:
    """Return the suit of the best flush, by length and then by ranks."""
    suit: Array = ((_by_mask()[0][masks].astype(np.int32) << 13) + masks).argmax(axis=0)
    return suit
