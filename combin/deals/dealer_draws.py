"""The dealer's drawn-out blackjack hands by the house rule, and the points of hands.

Cards are classes by value: class 0 is an ace, classes 1 to 8 the cards two to nine, class 9 the ten-valued cards. An
upcard is given by its value, 1 (ace) to 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ..base.errors import fault
from .cards import CARD_TYPES, Shoe
from .draw import Composition, FinishedHands, draw

VALUES = tuple(range(1, 11))
ACE, NINE, TEN = 0, 8, 9


def value(card_type: int) -> int:
    """Return the value of a card: 1 for an ace, 10 for ten and court cards."""
    rank = card_type % 13
    return 1 if rank == 12 else min(rank + 2, 10)


def value_counts(shoe: Shoe) -> Composition:
    """Return the number of cards in the shoe by class."""
    counts = [0] * len(VALUES)
    for card_type in range(CARD_TYPES):
        counts[value(card_type) - 1] += shoe.copies[card_type]
    return tuple(counts)


class CardTotals(NamedTuple):
    """The state of a hand on which drawing rules depend; ``hard`` counts every ace as 1."""

    cards: int = 0
    hard: int = 0
    ace: bool = False

    def add(self, card_class: int) -> CardTotals:
        return CardTotals(self.cards + 1, self.hard + card_class + 1, self.ace or card_class == ACE)

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11 (ch. 3 E(3))."""
        return self.ace and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 if self.soft else self.hard

    @property
    def blackjack(self) -> bool:
        return self.cards == 2 and self.total == 21


@dataclass(frozen=True)
class Dealer:
    """The dealer draws to 17, and hits a soft 17 or not; a blackjack is two cards totalling 21."""

    hits_soft_17: bool
    start: ClassVar[CardTotals] = CardTotals()
    columns: ClassVar[tuple[str, ...]] = ("cards", "total", "bust", "blackjack", "soft")

    def add(self, state: CardTotals, card_class: int) -> CardTotals:
        return state.add(card_class)

    def done(self, state: CardTotals) -> bool:
        return state.total > 17 or (state.total == 17 and not (state.soft and self.hits_soft_17))

    def features(self, state: CardTotals) -> tuple[int, ...]:
        """Return the features of a final hand; a busted hand keeps its actual total, 22 to 26."""
        return (state.cards, state.total, int(state.total > 21), int(state.blackjack), int(state.soft))


def without(counts: Composition, *values: int) -> Composition:
    """Return the counts of a shoe without cards of these values."""
    left = list(counts)
    for card_value in values:
        left[card_value - 1] -= 1
    return tuple(left)


def dealer_hands(shoe: Shoe, *, hits_soft_17: bool, upcard: int | None = None) -> FinishedHands:
    """Return the dealer's final hand from the shoe; the dealer always completes the hand.

    Columns: cards (2 and more), total (17 to 26), bust, blackjack, soft. Given an ``upcard`` (a value; the shoe still
    has that card), probabilities are conditional on it. Raises `InputError` for an upcard that the shoe does not have,
    and for a shoe that can run out.
    """
    rule, counts = Dealer(hits_soft_17), value_counts(shoe)
    if upcard is None:
        return draw(rule, counts)
    if upcard not in VALUES:
        raise fault(f"an upcard cannot be {upcard}", "give a value of 1 (ace) to 10")
    if not counts[upcard - 1]:
        raise fault(f"no card of value {upcard} is left in the shoe", "remove fewer cards", file="--without")
    return draw(rule, without(counts, upcard), (upcard - 1,))
