"""Rounds of a table dealt from one deck: what each seat wins on the game, and its hand as side bets see it."""

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
    """The seats of some rounds, round by round: ``place`` is the place in ``nets`` of what a seat wins on the game.

    ``ends(bet)`` gives the outcomes of a side bet, perhaps `NOT_STAKED` too, and the place among them of each seat's.
    ``first_two`` are the card types ``[seat][2]`` of hands that begin with two cards.
    """

    nets: Sequence[Fraction]
    place: Array
    ends: Callable[[Resolved], tuple[Sequence[str], Array]]
    first_two: Array | None = None


def fits(seats: int, most: int, cards: int) -> None:
    """`InputError` for more seats than a shoe of so many cards holds in any round."""
    if seats > most:
        raise fault(f"{seats} seats may take more cards than a shoe of {cards} has", f"give at most {most} seat(s)",
                    file="seats")


def settled(bet: Resolved, columns: dict[str, Column]) -> tuple[Sequence[str], Array]:
    """The outcomes of a side bet, and the place of each row's; one deal a row."""
    return places_of_rows(table(columns), bet)


def table(columns: dict[str, Column]) -> Table:
    """One deal a row."""
    rows = len(next(iter(columns.values())))
    return Table(columns, np.ones(rows, np.int64), rows, rows)


def shown(cards: Array, role: str) -> dict[str, Column]:
    """Ranks and suits of card types ``[row][card]``."""
    return {f"{role}.rank": (cards % 13).astype(np.int8), f"{role}.suit": (cards // 13).astype(np.int8)}


def masks_of(cards: Array) -> Array:
    """int16 ``[suit][row]``: the ranks held in each suit of card types ``[row][card]``, each dealt once."""
    bits = np.left_shift(np.int64(1), np.arange(52))
    held = bits[cards[:, 0]]
    for i in range(1, cards.shape[1]):
        held += bits[cards[:, i]]
    return np.stack([(held >> 13 * suit & 8191).astype(np.int16) for suit in range(4)])


def seven(masks: Array) -> dict[str, Column]:
    """The columns of the joint table of seven cards, from masks by suit."""
    found = [_greatest(by_mask, masks) for by_mask in _by_mask()]
    quads = masks[0] & masks[1] & masks[2] & masks[3]
    return dict(zip(SEVEN, [*found[:5], (quads != 0).astype(np.int8), found[5]], strict=True))


def _greatest(by_mask: Array, masks: Array) -> Array:
    found = by_mask[masks[0]]
    for mask in masks[1:]:
        np.maximum(found, by_mask[mask], out=found)
    return found


@cached("what sets of ranks show", most=1)
def _by_mask() -> tuple[Array, ...]:
    """By set of ranks: the number of cards, the runs of straight flushes, nine to ace."""
    every = np.arange(8192)
    size = np.array([int(m).bit_count() for m in every], np.int8)
    return (size, *np.ascontiguousarray(mask_features(every).T.astype(np.int8)))


def best_suit(masks: Array) -> Array:
    """The suit of the best flush, by length and then by ranks."""
    found: Array = ((_by_mask()[0][masks].astype(np.int32) << 13) + masks).argmax(axis=0)
    return found
