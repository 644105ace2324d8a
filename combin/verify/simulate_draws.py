"""Rounds of blackjack dealt and drawn out: the dealer by the house rule, the player by the chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import CountError
from ..deals.deal_kinds import DealerDraws, DealerDrawsOut, PlayedByChart
from .bad_beat import letters
from .cards_dealt import Cards, Parcel, deal_cards
from .settle_literal import ByRole, first_line, outcomes_of_hands

WORDS = ("", "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts")
#: Maximum number of cards of a dealer's hand: each card counts at least one, and the dealer stands on 17.
DEALER_CARDS = 18
ROUND_CARDS = 34


def values_of(cards: Cards) -> Cards:
    """Return 1 for an ace to 10 for ten and court cards."""
    rank = cards.astype(np.int64) % 13
    return np.where(rank == 12, 1, np.minimum(rank + 2, 10))


class SimulatedHands:
    """Many hands at once: cards in the order drawn, their number, points with every ace as one, aces."""

    def __init__(self, rounds: int, most: int) -> None:
        self.cards = np.zeros((rounds, most), dtype=np.int64)
        self.count = np.zeros(rounds, dtype=np.int64)
        self.points = np.zeros(rounds, dtype=np.int64)
        self.ace = np.zeros(rounds, dtype=bool)

    def add(self, who: Cards, value: Cards) -> None:
        rows = np.flatnonzero(who)
        drawn = value[rows]
        self.cards[rows, self.count[rows]] = drawn
        self.count[rows] += 1
        self.points[rows] += drawn
        self.ace[rows] |= drawn == 1

    @property
    def soft(self) -> Cards:
        held: Cards = self.ace & (self.points <= 11)
        return held

    @property
    def total(self) -> Cards:
        points: Cards = self.points + np.where(self.soft, 10, 0)
        return points

    @property
    def natural(self) -> Cards:
        held: Cards = (self.count == 2) & (self.total == 21)
        return held


def numbered(cards: Cards) -> Cards:
    """Return a number for each row of values; rows with equal values have equal numbers."""
    number = np.zeros(len(cards), dtype=np.int64)
    for start in range(0, cards.shape[1], 17):
        part = cards[:, start : start + 17]
        code = np.zeros(len(cards), dtype=np.int64)
        for column in range(part.shape[1]):
            code = code * 11 + part[:, column]  # 11^17 is below 2^63
        _, place = np.unique(code, return_inverse=True)
        number = number * (int(place.max()) + 1) + place
    return number


def _dealer_draws(hands: SimulatedHands, hits: bool) -> Cards:
    total = hands.total
    draws: Cards = (total < 17) | ((total == 17) & hands.soft & hits)
    return draws


class _Tally:
    """Counts of the outcomes of final hands, settled by the names of their cards."""

    def __init__(self, a: Analysis, names: Sequence[str]) -> None:
        self.outcomes, self.options, self.names = a.resolved.terms.settlement, a.resolved.options, names
        self.known: dict[bytes, int] = {}

    def __call__(self, player: SimulatedHands, dealer: SimulatedHands) -> list[int]:
        # The order of the cards does not matter, so hands with equal cards are settled once.
        both = np.concatenate([-np.sort(-hands.cards, axis=1) for hands in (player, dealer)], axis=1)
        _, first, times = np.unique(numbered(both), return_index=True, return_counts=True)
        width, counts = player.cards.shape[1], [0] * len(self.names)
        for row, number in zip(both[first].astype(np.uint8), times.tolist(), strict=True):
            key = row.tobytes()
            if key not in self.known:
                hands = [tuple(WORDS[v] for v in part if v) for part in (row[:width], row[width:])]
                seen = ByRole({role: hand for role, hand in zip(("player", "dealer"), hands, strict=True) if hand})
                line = first_line(self.names, outcomes_of_hands(self.outcomes, seen, self.options))
                self.known[key] = self.names.index(line)
            counts[self.known[key]] += number
        return counts


def parcel(
    a: Analysis, deal: DealerDraws | DealerDrawsOut, names: Sequence[str], *, player_cards: int = 0
) -> Parcel:
    """Return the parcel of the dealer's hand, after two cards of a player if ``player_cards`` is 2."""
    tally = _Tally(a, names)

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        values = values_of(deal_cards(random, rounds, DEALER_CARDS + player_cards, a.decks))
        player, dealer = SimulatedHands(rounds, player_cards), SimulatedHands(rounds, DEALER_CARDS)
        all_rounds = np.ones(rounds, dtype=bool)
        for place in range(player_cards):
            player.add(all_rounds, values[:, place])
        for place in range(player_cards, values.shape[1]):
            draws = (dealer.count < 2) | _dealer_draws(dealer, deal.hits_soft_17)
            if not draws.any():
                break
            dealer.add(draws, values[:, place])
        if player_cards:  # only whether it is a blackjack matters
            player.cards = np.where(player.natural[:, None], [[1, 10]], [[10, 10]])
        return tally(player, dealer)

    return deal_rounds


def parcel_by_chart(a: Analysis, deal: PlayedByChart, names: Sequence[str]) -> Parcel:
    """Return the parcel of the player's hand played by the chart, then the dealer's."""
    tally = _Tally(a, names)

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        values = values_of(deal_cards(random, rounds, ROUND_CARDS, a.decks))
        player, dealer = _played(values, deal)
        if deal.options.twenty == "first-two-cards":
            player.cards[:, 2:] = 0
        return tally(player, dealer)

    return deal_rounds


def _played(values: Cards, deal: PlayedByChart) -> tuple[SimulatedHands, SimulatedHands]:
    """Return player and dealer: upcard, hole card, two cards of the player; peek; chart; then the dealer draws."""
    number = {"H": 0, "S": 1, "D": 2, "Ds": 3}
    plays = np.ones((2, 22, 11), dtype=np.int64)  # [soft][total][upcard]
    for (is_soft, points, upcard), play in letters(deal.chart.text):
        plays[int(is_soft), points, upcard] = number[play]
    rounds = len(values)
    player, dealer = SimulatedHands(rounds, 22), SimulatedHands(rounds, DEALER_CARDS)
    all_rounds = np.ones(rounds, dtype=bool)
    for hand, place in ((dealer, 0), (dealer, 1), (player, 2), (player, 3)):
        hand.add(all_rounds, values[:, place])
    next_card = np.full(rounds, 4)
    acting = ~dealer.natural
    while acting.any():
        total = player.total
        acting = acting & (player.points < 21) & ~player.natural
        letter = plays[player.soft.astype(np.int64), np.minimum(total, 21), values[:, 0]]
        first_two = player.count == 2
        doubles = acting & first_two & (letter >= 2)
        draws = acting & ((letter == 0) | (letter == 2) | doubles)
        player.add(draws, _take(values, next_card, draws))
        acting = draws & ~doubles
    while (draws := _dealer_draws(dealer, deal.hits_soft_17)).any():
        dealer.add(draws, _take(values, next_card, draws))
    return player, dealer


def _take(values: Cards, next_card: Cards, mask: Cards) -> Cards:
    """Return the next card of every round, and advance the index of the rounds that take it."""
    if int(next_card.max()) >= values.shape[1]:
        raise CountError("a round used up the cards dealt for it")
    taken = values[np.arange(len(values)), next_card]
    next_card += mask
    return taken
