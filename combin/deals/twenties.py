"""A player's 20 against the dealer's 21, from one shoe: Bad Beat of one seat, and of all seats together."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import perm
from operator import add

from ..base.caches import cached
from ..base.errors import fault
from .cards import Shoe
from .dealer_draws import ACE, NINE, TEN, VALUES, Dealer, value_counts, without
from .draw import Composition, FinishedHands, draw, finished_hands, joint_by_second, orders_of, tabulate
from .player_chart import Chart, PlayerRule

TWENTIES = ("final-total", "first-two-cards")


def _unit(*card_classes: int) -> Composition:
    return tuple(card_classes.count(k) for k in range(len(VALUES)))


TWO_CARD_TWENTY = {_unit(TEN, TEN): 1, _unit(ACE, NINE): 2}


def _twenties(rule: PlayerRule, twenty: str, pair: int) -> dict[Composition, int]:
    """Return draw orders by composition of a player's 20; with a ``pair``, of those that begin with two such cards."""
    if twenty == "first-two-cards":
        return {cards: n for cards, n in TWO_CARD_TWENTY.items() if not pair or cards[pair - 1] == 2}
    first = (pair - 1,) * 2 if pair else ()
    orders = orders_of(finished_hands(rule, len(VALUES), first), lambda state: state.hand.total == 20)
    return {tuple(map(add, cards, _unit(*first))): n for cards, n in orders.items()}


def bad_beat(
    shoe: Shoe, chart: Chart, *, hits_soft_17: bool, twenty: str = "final-total", pair: int = 0
) -> FinishedHands:
    """Return the player's 20 against the dealer's 21, from one shoe (ch. 6 G(8), ch. 13 B).

    Columns: player_twenty; dealer_twenty_one; dealer_cards, the number of cards of the dealer's 21 (2: blackjack), or 0
    for another total. ``twenty`` is the reading: the player's ``final-total`` under the chart, or ``first-two-cards``.
    The dealer peeks, so against a blackjack the player's first two cards are final; otherwise the player acts on the
    upcard, and the dealer then always draws out. With a ``pair``, player_twenty also requires that the player began
    with two cards of that value. Raises `InputError` for an unknown reading, and for a shoe that can run out.
    """
    if twenty not in TWENTIES:
        raise fault(f'"{twenty}" is not a reading of the player\'s 20', f"use {' or '.join(TWENTIES)}")
    counts, size, dealer = value_counts(shoe), shoe.size, Dealer(hits_soft_17)
    # A player has at most 30 pips, a dealer who still draws 16, aces counted 1: no round uses 47.
    if sum(v * count for v, count in zip(VALUES, counts, strict=True)) < 47:
        raise fault(
            f"a shoe of {size} card(s) can run out before both hands are complete",
            "leave more cards in the shoe",
            file="--without",
        )
    ends = {v: finished_hands(dealer, len(VALUES), (v - 1,)) for v in VALUES if counts[v - 1]}
    players = {v: _twenties(chart.player(v), twenty, pair) for v in ends}
    first_two = _twenties(chart.player(ACE + 1), "first-two-cards", pair)
    # Cards of both hands besides the upcard; a pair of hands longer than the shoe has weight 0.
    length = min(
        size - 1,
        max((sum(p) for hands in (first_two, *players.values()) for p in hands), default=0)
        + max(sum(hand.composition) for hands in ends.values() for hand in hands),
    )
    weights: dict[tuple[int, ...], int] = defaultdict(int)
    for upcard, hands in ends.items():
        left, times = without(counts, upcard), counts[upcard - 1]
        natural = orders_of(hands, lambda hand: hand.blackjack)
        drawn = orders_of(hands, lambda hand: hand.total == 21 and not hand.blackjack)
        other_hole = {card: 1 for k in range(len(VALUES)) if (card := _unit(k)) not in natural}
        for dealer_hand, weight in joint_by_second(first_two, natural, left, length):
            weights[1, 1, 1 + sum(dealer_hand)] += times * weight
        for dealer_hand, weight in joint_by_second(players[upcard], drawn, left, length):
            weights[1, 1, 1 + sum(dealer_hand)] += times * weight
            weights[1, 0, 0] -= times * weight
        for _, weight in joint_by_second(players[upcard], other_hole, left, length):
            weights[1, 0, 0] += times * weight
    denominator = perm(size, length + 1)
    alone = draw(dealer, counts)
    for row, weight in zip(alone.rows, alone.weights, strict=True):
        cards, total = row[0], row[1]
        of_21 = (1, cards) if total == 21 else (0, 0)
        weights[0, *of_21] += weight * (denominator // alone.denominator)
    for key in [key for key in weights if key[0] == 1]:
        weights[0, *key[1:]] -= weights[key]
    return tabulate(("player_twenty", "dealer_twenty_one", "dealer_cards"), weights, denominator)


@cached("players who all have 20 against a dealer's 21, by shoe, chart and seats", most=64)
def all_twenties(
    shoe: Shoe, chart: Chart, *, hits_soft_17: bool, twenty: str, dealer_cards: frozenset[int], seats: int
) -> Fraction:
    """Return P(each of ``seats`` players has a 20, and the dealer a 21 of ``dealer_cards`` cards, at least 3).

    Players see only their cards and the upcard, so the order of the deal does not matter, and the cards of all players
    count as one hand. Upcards with equal play are counted together, each as the dealer's first card. With the final
    total two seats have about 16,000 hands, three 200,000, four a million. `bad_beat` refuses what it cannot deal;
    rounds with more cards than the shoe have no weight.
    """
    counts, size, probability = value_counts(shoe), shoe.size, Fraction(0)
    beside: dict[tuple[tuple[Composition, int], ...], dict[Composition, int]] = defaultdict(lambda: defaultdict(int))
    for upcard in VALUES:
        dealt = orders_of(finished_hands(Dealer(hits_soft_17), len(VALUES), (upcard - 1,)),
                          lambda hand: hand.total == 21 and hand.cards in dealer_cards)
        played = beside[tuple(sorted(_twenties(chart.player(upcard), twenty, 0).items()))]
        for hand, orders in dealt.items():
            played[tuple(map(add, hand, _unit(upcard - 1)))] += orders
    for players, dealers in beside.items():
        one = dict(players)
        length = min(size, seats * max(map(sum, one), default=0) + max(map(sum, dealers), default=0))
        weight = sum(n for _, n in joint_by_second(one, dealers, counts, length, seats))
        probability += Fraction(weight, perm(size, length))
    return probability
