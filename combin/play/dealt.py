"""Rounds of a table dealt from one deck: what each seat wins on the game, and its hand as side bets see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.settle import places_of_rows
from ..base.caches import cached
from ..deals.seven_cards import columns as SEVEN
from ..deals.seven_cards import mask_features
from ..deals.table import Column, Table
from ..rulebook.book import Resolved

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Dealt:
    """The seats of some rounds, round by round: ``place`` is the place in ``nets`` of what a seat wins on the game.

    ``ends(bet)`` gives the outcomes of a side bet, and the place among them of each seat's.
    """

    nets: Sequence[Fraction]
    place: Array
    ends: Callable[[Resolved], tuple[Sequence[str], Array]]


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
    """int16 ``[row][suit]``: the ranks held in each suit of card types ``[row][card]``."""
    found = np.zeros((len(cards), 4), np.int16)
    rank, suit = np.int16(1) << (cards % 13).astype(np.int16), cards // 13
    for s in range(4):
        found[:, s] = np.where(suit == s, rank, 0).sum(axis=1)
    return found


def seven(masks: Array) -> dict[str, Column]:
    """The columns of the joint table of seven cards, from masks by suit."""
    features, size = _by_mask()
    straights = features[masks].max(axis=1)
    quads = np.bitwise_and.reduce(masks, axis=1) != 0
    found = [size[masks].max(axis=1), *straights[:, :4].T, quads.astype(np.int8), straights[:, 4]]
    return dict(zip(SEVEN, found, strict=True))


@cached("what sets of ranks show", most=1)
def _by_mask() -> tuple[Array, Array]:
    every = np.arange(8192)
    return mask_features(every).astype(np.int8), np.array([int(m).bit_count() for m in every], np.int8)


def best_suit(masks: Array) -> Array:
    """The suit of the best flush, by length and then by ranks."""
    found: Array = ((_by_mask()[1][masks].astype(np.int32) << 13) + masks).argmax(axis=1)
    return found


__all__ = ["Dealt", "best_suit", "masks_of", "settled", "seven", "shown", "table"]
