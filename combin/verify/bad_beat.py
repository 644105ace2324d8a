"""The independent method for Bad Beat: both hands drawn card by card, without the tables of drawn hands.

The player makes every ordered draw by the chart. The dealer then draws from the remaining shoe. Draws with the same
cards leave the same shoe and are treated together: each of the dealer's cards is drawn for all hands of the player at
once, in Python integers. Values of cards are 1 (ace) to 10. The chart is read from its text by a reader of its own.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import perm, prod
from typing import Any

import numpy as np

from ..base.caches import cached

#: The index in a row of the letter for an upcard of this value (1 is an ace).
COLUMN = {value: (value - 2) % 10 for value in range(1, 11)}

#: (soft, total, upcard) with H, S, D (double, otherwise hit) or Ds (double, otherwise stand).
Letters = tuple[tuple[tuple[bool, int, int], str], ...]

VALUES = range(1, 11)
#: Number of cards of each value in a hand.
Held = tuple[int, ...]


def letters(text: str) -> Letters:
    """Return the plays of a chart from the text of its file."""
    data = tomllib.loads(text)
    plays: dict[tuple[bool, int, int], str] = {}
    for soft in (False, True):
        for label, row in data["soft" if soft else "hard"].items():
            for total in _totals(label.split(), 12 if soft else 4):
                for upcard, column in COLUMN.items():
                    plays[soft, total, upcard] = row.split()[column]
    return tuple(sorted(plays.items()))


def _totals(words: list[str], least: int) -> range:
    """Return the totals of a label: "13 to 16", "15 and 16", "17 and more", "8 and less", "12"."""
    if words[-1] == "more":
        return range(int(words[0]), 22)
    if words[-1] == "less":
        return range(least, int(words[0]) + 1)
    return range(int(words[0]), int(words[-1]) + 1)


def total(points: int, ace: bool) -> int:
    """Return the total of a hand; ``points`` counts every ace as one."""
    return points + 10 if ace and points <= 11 else points


def draws_on(points: int, ace: bool, hits_soft_17: bool) -> bool:
    """Return whether a dealer draws; ``points`` counts every ace as one."""
    counted = total(points, ace)
    return counted < 17 or (counted == 17 and points < counted and hits_soft_17)


@cached("the player's draws to 20, by upcard, chart and first pairs", most=80)
def twenties(
    upcard: int, played: Letters, pairs: tuple[int, ...] = ()
) -> tuple[Mapping[Held, int], Mapping[Held, int]]:
    """Return ordered draws, by cards, of a player who ends with 20 by the chart, and of two cards that total 20.

    With ``pairs``, only of players whose first two cards are equal and of one of these values.
    """
    plays = dict(played)
    final: Counter[Held] = Counter()
    first_two: Counter[Held] = Counter()

    def add(to: Counter[Held], drawn: tuple[int, ...]) -> None:
        to[tuple(drawn.count(value) for value in VALUES)] += 1

    def hand(drawn: tuple[int, ...], points: int, ace: bool) -> None:
        counted = total(points, ace)
        if len(drawn) == 2 and counted == 20:
            add(first_two, drawn)
        letter = "H"
        if len(drawn) >= 2:
            ended = points >= 21 or (counted == 21 and len(drawn) == 2)
            letter = "S" if ended else plays[points < counted, counted, upcard]
        doubles = letter in ("D", "Ds") and len(drawn) == 2
        if letter == "S" or (letter == "Ds" and not doubles):
            if counted == 20:
                add(final, drawn)
            return
        for value in VALUES:
            if not doubles:
                hand((*drawn, value), points + value, ace or value == 1)
            elif total(points + value, ace or value == 1) == 20:
                add(final, (*drawn, value))

    firsts: list[tuple[int, ...]] = [(value, value) for value in pairs]
    for first in firsts or [()]:
        hand(first, sum(first), 1 in first)
    return final, first_two


@cached("the player's 20 against the dealer's 21, by shoe, house rule and chart", most=64)
def probabilities(
    shoe: tuple[int, ...], hits_soft_17: bool, twenty: str, played: Letters, pairs: tuple[int, ...] = ()
) -> Mapping[int, Fraction]:
    """Return the probability of a player's 20 by the dealer's number of cards in a 21 (2: blackjack), 0: no 21.

    ``shoe`` has the number of cards of each value. ``twenty`` is ``final-total`` or ``first-two-cards``. With
    ``pairs``, the player's first two cards are also equal and of one of these values. The dealer checks for blackjack
    first, so against a blackjack only the first two cards count.
    """
    size = sum(shoe)
    chances: dict[int, Fraction] = {}
    for upcard in VALUES:
        if not shoe[upcard - 1]:
            continue
        left = list(shoe)
        left[upcard - 1] -= 1
        final, first_two = twenties(upcard, played, pairs)
        counts = first_two if twenty == "first-two-cards" else final
        for cards, numerators in _dealer(left, upcard, counts, first_two, hits_soft_17).items():
            for drawn, number in numerators.items():
                if number:
                    chance = Fraction(shoe[upcard - 1] * number, size * perm(size - 1, drawn))
                    chances[cards] = chances.get(cards, Fraction(0)) + chance
    return chances


def _dealer(
    left: list[int], upcard: int, counts: Mapping[Held, int], first_two: Mapping[Held, int], hits: bool
) -> Mapping[int, Mapping[int, int]]:
    """Return ordered draws of player and dealer, by the cards of the dealer's 21, then by the number of drawn cards."""
    held = [h for h in dict.fromkeys([*counts, *first_two]) if all(n <= m for n, m in zip(h, left, strict=True))]
    if not held:
        return {}
    player_cards = np.array([sum(h) for h in held])
    stock = np.array([[m - n for n, m in zip(h, left, strict=True)] for h in held], dtype=object)
    draws = np.array([_falling(left, h) for h in held], dtype=object)
    ways = np.array([counts.get(h, 0) for h in held], dtype=object) * draws
    two = np.array([first_two.get(h, 0) for h in held], dtype=object) * draws
    draws_of: dict[int, Counter[int]] = {}

    def add(key: int, cards: int, numbers: Any) -> None:
        place = draws_of.setdefault(key, Counter())
        for longer in np.unique(player_cards):
            place[int(longer) + cards - 1] += int(numbers[player_cards == longer].sum())

    # The dealer's cards after the upcard; draws of the same cards in different orders are merged.
    open_hands: dict[Held, tuple[int, Any]] = {(0,) * 10: (1, ways)}
    while open_hands:
        longer: dict[Held, tuple[int, Any]] = {}
        for drawn, (orders, numbers) in open_hands.items():
            cards = 2 + sum(drawn)
            points = upcard + sum(n * value for n, value in zip(drawn, VALUES, strict=True))
            for value in VALUES:
                more, ace = points + value, bool(1 in (upcard, value) or drawn[0])
                counted = total(more, ace)
                natural = cards == 2 and counted == 21
                each = (two if natural else numbers) * np.maximum(stock[:, value - 1] - drawn[value - 1], 0)
                if draws_on(more, ace, hits):
                    after = tuple(n + (v == value) for n, v in zip(drawn, VALUES, strict=True))
                    longer[after] = (longer.get(after, (0,))[0] + orders, each)
                else:
                    add(cards if counted == 21 else 0, cards, orders * each)
        open_hands = longer
    return draws_of


def _falling(left: list[int], held: Held) -> int:
    return prod(perm(count, number) for count, number in zip(left, held, strict=True))
