"""A seat at a blackjack table with all its wagers: each wager, each pair of wagers, dollars per round."""

from __future__ import annotations

from typing import Any

from ..base.exact import decimal, decks, text
from ..pages.blocks import Grid, Part, Words, number, share
from ..play.blackjack_seat import BlackjackSeat
from .json import value
from .strategy import page_of, points, record_of


@page_of.register
def _part(s: BlackjackSeat) -> Part:
    """Return the page of a seat: its wagers and their pairs."""
    game, *bets = s.wagers
    facts = points(
        f"{decks(s.decks)}; wagers in dollars: "
        + ", ".join(f"{w.id} {text(w.stake)}" for w in s.wagers),
        "the game is played optimally for itself; side bets on first cards do not change that play",
        f"expected {decimal(s.expected, 8)} dollars per round = {text(s.expected)}",
        f"standard deviation {decimal(s.deviation, 8)} dollars per round, variance {text(s.variance)}",
        *s.remarks,
    )
    rows = tuple(
        (w.id, text(w.stake), share(1 + w.net), number(w.stake * w.net), number(w.variance), number(w.net))
        for w in s.wagers
    )
    pairs = tuple(
        (first.id, second.id, number(s.covariance[i][j]), decimal(s.correlation(i, j), 8))
        for i, first in enumerate(s.wagers) for j, second in enumerate(s.wagers) if i < j
    )
    head = ("wager", "stake, $", "return", "dollars per round", "variance per unit", "net per unit")
    return Part(f"{game.id} with {', '.join(b.id for b in bets)}", blocks=(facts, Grid(head, rows)), parts=(
        Part("Pairs of wagers", blocks=(
            Grid(("wager", "and", "covariance", "correlation"), pairs, 2),
            Words("The covariance is per unit of both wagers."))),))


@record_of.register
def _record(s: BlackjackSeat) -> Any:
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
