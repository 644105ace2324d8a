"""Side bets on seven cards, or three hole cards, that may depend on the play of a base game: checked, and dealt.

Rounds dealt at random are settled in arrays, without a kernel. If the cards that count depend on the play, the game is
played as well: by `high_card_play`, or in Chase the Flush by never folding three suited hole cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.errors import CountError
from ..deals.deal_kinds import FirstCards
from ..games.chase_the_flush import rules, solve
from ..games.side_bets import base_game
from ..rulebook.pays import LOSS
from . import flushes, high_card_play, line_counts
from .cards_dealt import Parcel, deal_cards
from .flushes import Array
from .model import Check, not_checked
from .seven_cards import BY_NAME


def checks_of_high_card_flush(a: Analysis) -> Iterator[Check]:
    """Yield checks of side bets on seven cards that depend on the play of High Card Flush."""
    method = "every class of hands, raised or folded by an independent count of all dealer hands, then settled"
    yield line_counts.counts(a, method, line_counts.with_stops(a, high_card_play.side_bet_counts(a)))


def checks_of_chase_the_flush(a: Analysis) -> Iterator[Check]:
    """Yield checks for hole cards of one suit, which Chase the Flush never folds, and a dealer who qualifies."""
    solution = rules.solved(a.book, base_game(a.book, a.resolved))
    suited = (solve.hole_classes()[0] > 0).sum(axis=1) == 1
    if solution.class_joint[suited, 3].any():
        yield not_checked("counts", "suited hole cards are folded under these pays")
        return
    method = "suited hole cards, which never fold, times qualifying dealers, by convolution over the suits"
    ((line, _),) = a.resolved.payments
    spins = suited_and_qualified()
    again = {line: spins, LOSS: solve.DEALS - spins}
    yield line_counts.counts(a, method, line_counts.with_stops(a, again))


@cached("suited hole cards against dealers who qualify", most=1)
def suited_and_qualified() -> int:
    """Return the number of deals of Chase the Flush with three suited hole cards and a qualifying dealer."""
    holes = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), 3)]
    hands = np.array([[mask, 0, 0, 0] for mask in holes])
    qualified = sum(comb(49, 7) - int(n) for n in flushes.unqualified(hands))
    return 4 * qualified * comb(7, 3) * comb(4, 2)  # four suits; of seven cards three are the dealer's, two the flop


# ---- dealt at random


def _tally(lines: Array, names: Sequence[str]) -> Sequence[int]:
    counts: Sequence[int] = np.bincount(lines, minlength=len(names)).tolist()
    return counts


def parcel_of_seven(a: Analysis, _: FirstCards, names: Sequence[str]) -> Parcel | None:
    """Return the parcel of seven cards that all count under any play; the loss is the last of ``names``."""
    if a.resolved.terms.settlement not in BY_NAME:
        return None
    bet = high_card_play.PlayedSideBet(tuple(names[:-1]), tuple(a.resolved.options.items()), "paid", "all-seven")

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        hands = flushes.held(deal_cards(random, rounds, 7, 1))
        return _tally(bet.settled(hands, np.zeros(rounds, dtype=bool)), names)

    return deal_rounds


def parcel_of_high_card_flush(a: Analysis, names: Sequence[str]) -> Parcel:
    """Return the parcel of seven cards, raised or folded by the count of all dealer hands against them."""
    bet, play = high_card_play.side_bet(a)
    if bet.lines != tuple(names[:-1]):
        raise CountError(f"the lines of {a.id} are in another order")

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        hands = flushes.held(deal_cards(random, rounds, 7, 1))
        raised = play.choose(hands, flushes.dealers(hands, play.long_flush)) > 0
        return _tally(bet.settled(hands, raised), names)

    return deal_rounds


def parcel_of_chase_the_flush(a: Analysis, names: Sequence[str]) -> Parcel:
    """Return the parcel of three hole cards of one suit, which are never folded, and a qualifying dealer."""

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 10, 1)
        suited = (cards[:, :3] // 13 == cards[:, :1] // 13).all(axis=1)
        spins = suited & flushes.qualifies(flushes.best(flushes.held(cards[:, 3:])))
        return _tally(np.where(spins, 0, len(names) - 1), names)

    return deal_rounds
