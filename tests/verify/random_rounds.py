"""Rounds of games that nobody plays: streets, choices, offers, bounds of classes and utilities drawn from a seed."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from random import Random
from typing import NamedTuple

import numpy as np

from combin.base.errors import InputError
from combin.games.showdown.hand_orders import ORDERS, named
from combin.games.showdown.round import Choice, Hand, Round, Street
from combin.games.showdown.settlement import Settlement

DECKS = ("TJQK", "JQKA", "9JKA", "QKA", "345A", "23KA", "TJQKA")
LINES = {
    "three-card poker": ("pair", "pair of kings", "flush", "straight", "king high", "straight flush"),
    "four-card poker": ("pair", "two pair", "straight", "flush", "three of a kind", "king high"),
    "five-card poker": ("pair", "two pair", "three of a kind", "full house", "pair of kings", "ace-king high"),
    "longest flush": ("three-card flush", "two-card flush king high", "four-card flush", "two-card flush"),
}
MOST_STATES, MOST_DEALS = 40_000, 2_000_000


class Game(NamedTuple):
    """A round with its settlement, the named hands of its classes, and known cards."""

    round: Round
    settlement: Settlement
    lines: tuple[str, ...]
    dealer_lines: tuple[str, ...]
    without: tuple[int, ...]


def game(seed: int) -> Game:
    """The game of a seed."""
    random = Random(seed)
    order = random.choice(list(ORDERS))
    while True:
        ranks = random.choice(DECKS)
        lines = _lines(random, order, ranks)
        cards = {"player": random.randint(1, 4), "board": random.randint(0, 4), "upcard": random.choice([0, 0, 1, 2]),
                 "dealer": random.randint(0, 3)}
        player = ("player", *(["board"] if random.random() < 0.85 else []))
        dealer = ("dealer", "upcard", *(["board"] if random.random() < 0.85 else []))
        has_dealer = random.random() < 0.85
        if not has_dealer:
            cards["upcard"] = cards["dealer"] = 0
        hands = (player, dealer)[:1 + has_dealer]
        least = ORDERS[order].size or 1
        if lines and _fits(cards, 4 * len(ranks)) and all(sum(cards[r] for r in hand) >= least for hand in hands):
            break
    mine, theirs = (tuple(role for role in hand if cards[role]) for hand in (player, dealer))
    size = ORDERS[order].size
    qualifies = random.choice(lines) if has_dealer and random.random() < 0.6 else None
    round = Round(
        order, Hand(size, mine), Hand(size, theirs) if has_dealer else None, qualifies, (("ante", Fraction(1)),), (),
        random.choice(["least stake", "greatest stake"]), ranks, _streets(random, cards, mine, lines))
    dealer_lines = tuple(line for line in lines if has_dealer and random.random() < 0.4)
    deck = [13 * suit + "23456789TJQKA".index(rank) for suit in range(4) for rank in ranks]
    without = random.sample(deck, random.choice([0, 0, 1, 2]))
    return Game(round, _settlement(random, round, lines, dealer_lines), lines, dealer_lines, tuple(without))


def _fits(cards: dict[str, int], deck: int) -> bool:
    """Whether the deck is large enough, two known cards aside, and the deals few enough to be enumerated."""
    states, left = 1, deck
    for role in ("board", "upcard", "player"):
        states *= comb(left, cards[role])
        left -= cards[role]
    return left - 2 >= cards["dealer"] and states <= MOST_STATES and states * comb(left, cards["dealer"]) <= MOST_DEALS


def _lines(random: Random, order: str, ranks: str) -> tuple[str, ...]:
    """Named hands of the order that the deck has, ascending."""
    found: dict[int, str] = {}
    for line in random.sample(LINES[order], random.randint(1, 4)):
        try:
            found.setdefault(named(order, line, ranks).low, line)
        except InputError:
            continue
    return tuple(found[low] for low in sorted(found))


def _streets(
    random: Random, cards: dict[str, int], mine: tuple[str, ...], lines: tuple[str, ...]
) -> tuple[Street, ...]:
    number = random.randint(1, 4)
    cuts = {role: [0, *sorted(random.randint(0, n) for _ in range(number - 1)), n] for role, n in cards.items()}
    cuts["dealer"] = [0] + [cards["dealer"]] * number
    seen = [sum(cuts[role][i + 1] for role in ("player", "board")) for i in range(number)]
    deciding = [i for i in range(number) if seen[i] and random.random() < 0.8]
    found = []
    for i in range(number):
        deal = tuple((role, at[i + 1] - at[i]) for role, at in cuts.items() if at[i + 1] > at[i])
        whole = all(cuts[role][i + 1] == cards[role] for role in mine)
        found.append(Street(deal, _choices(random, i, i < max(deciding), whole, lines) if i in deciding else ()))
    return tuple(found)


def _choices(random: Random, street: int, more: bool, whole: bool, lines: tuple[str, ...]) -> tuple[Choice, ...]:
    """Two or three choices; the first is offered to all hands, and goes on where more are to come."""
    found = []
    for i in range(random.randint(2, 3)):
        then = "next" if more and (not i or random.random() < 0.5) else random.choice(["fold", "showdown", "showdown"])
        stake = 0 if then == "fold" else random.randint(0, 3)
        needs = random.choice(lines) if i and whole and random.random() < 0.3 else None
        found.append(Choice(f"choice {i}", ((f"bet {street}", Fraction(stake)),) if stake else (), then, needs))
    return tuple(found)


def _settlement(random: Random, round: Round, lines: tuple[str, ...], dealer_lines: tuple[str, ...]) -> Settlement:
    """Utilities without sense, some of them equal, so that choices tie."""
    player, dealer = (tuple(named(round.order, line).low for line in cuts) for cuts in (lines, dealer_lines))
    qualify = None if round.qualifies is None else named(round.order, round.qualifies).low
    shape = (len(round.leaves), 1 if qualify is None else 2, 3 if round.dealer else 1, len(player) + 1, len(dealer) + 1)
    table = np.array([random.randint(-3, 3) for _ in range(prod(shape))], dtype=object).reshape(shape)
    for leaf, path in enumerate(round.leaves):
        if path.folded:  # does not depend on the comparison
            table[leaf] = table[leaf][:, :1]
        if random.random() < 0.3:
            table[leaf] = random.randint(-2, 2)
    return Settlement(table, 1, player, dealer, qualify)
