"""Bonuses on a player's 21: 6-7-8, 7-7-7, and 21s of five or more cards.

The play depends on ranks. Given its ranks, the suits of a hand are distributed as those of any cards of these
ranks from the shoe, whatever other ranks are known: a fixed share of the hands of these ranks is of one suit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, lcm

from ...base.caches import cached
from ...deals.cards import Shoe

SPADES = 3
ANY, SUITED, OF_SPADES = "any", "suited", "spades"
#: (name, classes of the cards): the hands whose suits may matter.
OF_RANKS = (("6-7-8", (5, 6, 7)), ("7-7-7", (6, 6, 6)))
#: (line, number of cards): 21s by their size; the longest that a paytable names includes longer ones.
OF_SIZE = (("five-card 21", 5), ("six-card 21", 6), ("seven-card 21", 7), ("eight-card 21", 8))


def _lines(name: str) -> tuple[tuple[str, str], ...]:
    """Return the lines of a hand of certain ranks, with the suits that each pays."""
    return (name, ANY), (f"suited {name}", SUITED), (f"{name} of spades", OF_SPADES)


#: The classes of the cards that a line needs, by line.
CARDS_OF = {line: cards for name, cards in OF_RANKS for line, _ in _lines(name)}
BONUS_LINES = (*CARDS_OF, *(line for line, _ in OF_SIZE))
#: A number of cards greater than that of any hand of 21.
LONGEST = 21


@dataclass(frozen=True)
class Bonus:
    """21s of certain cards that win at once, unless the dealer has a blackjack; never after a double.

    name    the hands that it pays, whatever their suits: "6-7-8", "five-card 21"
    cards   the classes of the cards, for a hand of certain ranks; otherwise ()
    least   the hand's number of cards, and `most`
    pays    (line, odds, suits) by suits: any, suited, spades
    copies  for each of the ``cards`` the number in the shoe by suit
    """

    name: str
    cards: tuple[int, ...]
    least: int
    most: int
    pays: tuple[tuple[str, Fraction, str], ...]
    copies: tuple[tuple[int, ...], ...] = ()

    @property
    def shares(self) -> tuple[tuple[str, Fraction, Fraction], ...]:
        """Return (line, odds, share of the hands that it pays) for each line."""
        return _shares(self)

    @property
    def paid(self) -> Fraction:
        """Return the share of the hands that any line pays; the others are a plain 21."""
        return sum((share for *_, share in self.shares), Fraction(0))

    @property
    def by_suits(self) -> bool:
        """Return whether the pay depends on the suits."""
        return any(kind != ANY for *_, kind in self.pays)

    @property
    def mean(self) -> Fraction:
        """Return the mean odds times `paid`."""
        return sum((odds * share for _, odds, share in self.shares), Fraction(0))

    def line_of(self, suits: Sequence[int]) -> int:
        """Return the index of the pay of a hand whose cards have these suits; −1 if it is paid as a plain 21."""
        kinds = [OF_SPADES] * (set(suits) == {SPADES}) + [SUITED] * (len(set(suits)) == 1) + [ANY]
        listed = [kind for *_, kind in self.pays]
        return next((listed.index(kind) for kind in kinds if kind in listed), -1)


@cached("shares of a bonus by suits", most=64)
def _shares(bonus: Bonus) -> tuple[tuple[str, Fraction, Fraction], ...]:
    if not bonus.cards:
        return tuple((line, odds, Fraction(1)) for line, odds, _ in bonus.pays)
    pays = pays_of(bonus)
    return tuple((line, odds, pays.get((i,), Fraction(0))) for i, (line, odds, _) in enumerate(bonus.pays))


@cached("pays of hands with bonuses by suits", most=64)
def pays_of(*hands: Bonus) -> dict[tuple[int, ...], Fraction]:
    """Return the probabilities of the indices of the pays of hands from one shoe with the cards of these bonuses."""
    cards = tuple(card for hand in hands for card in hand.cards)
    copies = tuple(number for hand in hands for number in hand.copies)
    ends = [sum(len(hand.cards) for hand in hands[: i + 1]) for i in range(len(hands))]
    ways: dict[tuple[int, ...], int] = defaultdict(int)
    for suits in product(range(4), repeat=len(cards)):
        number = 1
        for i, (card, suit) in enumerate(zip(cards, suits, strict=True)):
            gone = sum(c == card and s == suit for c, s in zip(cards[:i], suits[:i], strict=True))
            number *= max(0, copies[i][suit] - gone)
        ways[tuple(h.line_of(suits[end - len(h.cards) : end]) for h, end in zip(hands, ends, strict=True))] += number
    whole = sum(ways.values())
    return {places: Fraction(n, whole) for places, n in ways.items() if n}


def bonuses_of(pays: Mapping[str, Fraction], shoe: Shoe) -> tuple[Bonus, ...]:
    """Return the bonuses of a paytable's lines, with the suits of a shoe."""
    bonuses = []
    for name, cards in OF_RANKS:
        payments = tuple((line, pays[line], kind) for line, kind in _lines(name) if line in pays)
        if payments:
            copies = tuple(tuple(shoe.copies[13 * suit + card - 1] for suit in range(4)) for card in cards)
            bonuses.append(Bonus(name, cards, len(cards), len(cards), payments, copies))
    sizes = [(line, n) for line, n in OF_SIZE if line in pays]
    for line, n in sizes:
        bonuses.append(Bonus(line, (), n, LONGEST if n == sizes[-1][1] else n, ((line, pays[line], ANY),)))
    return tuple(bonuses)


def bonus_suits(lines: Collection[str], shoe: Shoe) -> dict[int, tuple[int, ...]]:
    """Return by value of a card a number for each suit: suits with equal numbers are alike for these lines."""
    suits_of: dict[int, tuple[int, ...]] = {}
    for name, cards in OF_RANKS:
        kinds = {kind for line, kind in _lines(name) if line in lines}
        if kinds - {ANY}:
            even = all(len({shoe.copies[13 * suit + card - 1] for suit in range(4)}) == 1 for card in cards)
            spades = int(OF_SPADES in kinds)
            for card in cards:
                suits = (0, 0, 0, spades) if even else (0, 1, 2, 3)
                suits_of[card + 1] = max(suits_of.get(card + 1, suits), suits)
    return suits_of


@cached("units of bonuses", most=64)
def unit_of(bonuses: tuple[Bonus, ...]) -> int:
    """Return the common denominator of the mean results of the hands."""
    return lcm(*(x.denominator for b in bonuses for x in (b.mean, b.paid)))


def most_odds(bonuses: tuple[Bonus, ...]) -> int:
    """Return the greatest odds, rounded up; 1 without bonuses."""
    return max((ceil(odds) for b in bonuses for _, odds, _ in b.pays), default=1)


