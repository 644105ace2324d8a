"""Side bets of Chase the Flush that depend on its play: three hole cards, and whether the dealer qualifies."""

from __future__ import annotations

import numpy as np

from ...deals.table import Column, Table
from ...rulebook.book import Resolved, Rulebook
from . import rules, solve


def table(book: Rulebook, game: Resolved) -> Table:
    """Return the deals of three hole cards, and whether the dealer qualifies against a player who raises."""
    solution = rules.solved(book, game)
    masks, weights = solve.hole_classes()
    joint = solution.class_joint
    eligible = joint[:, :3, 1].sum(axis=(1, 2, 3)).astype(object)
    every = joint.sum(axis=(1, 2, 3, 4)).astype(object)
    rank, suit = hole_cards()
    both = np.concatenate([eligible, every - eligible]) * np.array(weights * 2, dtype=object)
    columns = {
        "player.rank": np.concatenate([rank, rank]),
        "player.suit": np.concatenate([suit, suit]),
        "eligible": np.repeat(np.array([1, 0], np.int8), len(masks)),
    }
    return Table(columns, both, solve.DEALS, len(masks))


def hole_cards() -> tuple[Column, Column]:
    """Return the ranks and the suits of the three cards of each class."""
    cards = [[(r, s) for s in range(4) for r in range(13) if held[s] >> r & 1] for held in solve.hole_classes()[0]]
    shown = np.array(cards, np.int8)
    return shown[..., 0], shown[..., 1]
