"""A seat at a blackjack table with all its wagers: each wager, every two of them, the dollars of a round."""

from __future__ import annotations

from typing import Any

from ..base.exact import decimal, percent, text
from ..play.blackjack_seat import Seat
from .json import value
from .model import decks
from .strategy import Section


def sections(s: Seat) -> list[Section]:
    game, *bets = s.wagers
    facts = [
        f"{decks(s.decks)}; wagers in dollars: "
        + ", ".join(f"{w.id} {text(w.stake)}" for w in s.wagers),
        "the game is played as is best for it alone; a side bet on first cards does not change that",
        f"expected {decimal(s.expected, 8)} dollars a round = {text(s.expected)}",
        f"standard deviation {decimal(s.deviation, 8)} dollars a round, variance {text(s.variance)}",
        *s.remarks,
    ]
    rows = [
        (w.id, text(w.stake), percent(1 + w.net), decimal(w.stake * w.net, 8), decimal(w.variance, 8), text(w.net))
        for w in s.wagers
    ]
    pairs = [
        (first.id, second.id, decimal(s.covariance[i][j], 8), decimal(s.correlation(i, j), 8),
         text(s.covariance[i][j]))
        for i, first in enumerate(s.wagers) for j, second in enumerate(s.wagers) if i < j
    ]
    return [
        Section(f"{game.id} with {', '.join(b.id for b in bets)}", facts,
                ("wager", "stake, $", "return", "dollars a round", "variance per unit", "net per unit, exact"), rows),
        Section("Every two wagers", ("the covariance is per unit of both",),
                ("wager", "and", "covariance", "correlation", "exact"), pairs, 2),
    ]


def record(s: Seat) -> Any:
    return {
        "id": s.wagers[0].id, "decks": s.decks,
        "wagers": [
            {"id": w.id, "stake": text(w.stake), "expected_value": value(w.net), "variance": value(w.variance)}
            for w in s.wagers
        ],
        "pairs": [
            {"wagers": [first.id, second.id], "covariance": value(s.covariance[i][j]),
             "correlation": {"decimal": float(s.correlation(i, j))}}
            for i, first in enumerate(s.wagers) for j, second in enumerate(s.wagers) if i < j
        ],
        "dollars_per_round": value(s.expected), "variance_in_dollars": value(s.variance),
        "standard_deviation_in_dollars": {"decimal": float(s.deviation)},
        "remarks": list(s.remarks),
    }
