"""Wagers on seven cards, or three hole cards, dealt at random: settled in arrays, without a kernel.

If the cards that count depend on the play of the base game, the base game is played as well: by `high_card_play`, or in
Chase the Flush by never folding three suited hole cards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import CountError
from ..deals.deal_kinds import FirstCards
from . import flushes, high_card_play
from .cards_dealt import Parcel, deal_cards
from .flushes import Array
from .seven_cards import BY_NAME


def _tally(lines: Array, names: Sequence[str]) -> Sequence[int]:
    counts: Sequence[int] = np.bincount(lines, minlength=len(names)).tolist()
    return counts


def parcel(a: Analysis, _: FirstCards, names: Sequence[str]) -> Parcel | None:
    """Return the parcel of seven cards that all count under any play; the loss is the last of ``names``."""
    if a.resolved.terms.again not in BY_NAME:
        return None
    bet = high_card_play.PlayedSideBet(tuple(names[:-1]), tuple(a.resolved.options.items()), "paid", "all-seven")

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        hands = flushes.held(deal_cards(random, rounds, 7, 1))
        return _tally(bet.settled(hands, np.zeros(rounds, dtype=bool)), names)

    return deal_rounds


def beside_high_card_flush(a: Analysis, names: Sequence[str]) -> Parcel:
    """Return the parcel of seven cards, raised or folded by the count of all dealer hands against them."""
    bet, play = high_card_play.side_bet(a)
    if bet.lines != tuple(names[:-1]):
        raise CountError(f"the lines of {a.id} are in another order")

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        hands = flushes.held(deal_cards(random, rounds, 7, 1))
        raised = play.choose(hands, flushes.dealers(hands, play.long_flush)) > 0
        return _tally(bet.settled(hands, raised), names)

    return deal_rounds


def beside_chase_the_flush(a: Analysis, names: Sequence[str]) -> Parcel:
    """Return the parcel of three hole cards of one suit, which are never folded, and a qualifying dealer."""

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 10, 1)
        suited = (cards[:, :3] // 13 == cards[:, :1] // 13).all(axis=1)
        spins = suited & flushes.qualifies(flushes.best(flushes.held(cards[:, 3:])))
        return _tally(np.where(spins, 0, len(names) - 1), names)

    return deal_rounds
