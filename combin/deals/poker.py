"""The poker value of hands in columns: best five of five to seven cards, and three-card hands."""

from __future__ import annotations

import numpy as np

from .._kernels import load
from .table import Column

#: The categories in ascending order; a value's category is ``value >> 20``.
FIVE_CARDS = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
THREE_CARDS = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
CATEGORY_SHIFT = 20


def values(ranks: Column, suits: Column) -> Column:
    """Return the values (int32) of hands of three or five to seven cards, which compare as the hands do.

    ``ranks`` (0 a two to 12 an ace) and ``suits`` have the shape (hands, cards). Cards of several decks may be
    identical: five of a kind is four of a kind with a fifth card of the rank, and a flush may contain a pair. Raises
    ValueError for other numbers of cards.
    """
    out = np.empty(len(ranks), dtype=np.int32)
    load("poker").values(_by_card(ranks), _by_card(suits), out)
    return out


def _by_card(cards: Column) -> Column:
    """Return an array of shape (cards, hands), contiguous for each card; columns of classes already are."""
    turned = cards.T.astype(np.int8, copy=False)
    return turned if turned.strides[1] == 1 else np.ascontiguousarray(turned)


def categories(ranks: Column, suits: Column) -> Column:
    """Return the categories (int8) of hands: indices in `FIVE_CARDS`, or in `THREE_CARDS` for three cards."""
    result: Column = (values(ranks, suits) >> CATEGORY_SHIFT).astype(np.int8)
    return result
