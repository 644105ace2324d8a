"""Stated methods of drawing, which determine an unknown: a random card, a random rank, a random position.

A document may leave a draw to the table's system (Maryland blackjack, Ch. 1 §B(11)-(12)). With
``--set magic_card_frequency=by-card`` one of the 52 cards is drawn each round, uniformly and independently of the shoe.
With ``by-rank`` a rank is drawn. With ``lucky_player_frequency=by-position`` one of the positions of a full table is.
A number instead is the share of rounds with a draw of the first method.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction

from ..base.errors import fault, nearest
from ..deals.cards import CARD_TYPES, Shoe
from ..deals.dealer_draws import value as value_of
from ..rulebook.book import Resolved
from ..rulebook.parameters import FLAG
from ..rulebook.terms import Way

RANKS = 13


def alike(shoe: Shoe, way: Way, value: int = 0) -> Fraction:
    """Return the probability that two cards of a shoe are equal, or with ``by-rank`` of equal rank.

    With a ``value`` (1 to 10), the probability that both also have that value; 0 if the shoe has no two such cards.
    """
    groups: Counter[int] = Counter()
    for card, copies in enumerate(shoe.copies):
        if value in (0, value_of(card)):
            groups[card % RANKS if way == "by-rank" else card] += copies
    size = groups.total()
    return Fraction(sum(n * (n - 1) for n in groups.values()), max(1, size * (size - 1)))


def by_card(shoe: Shoe, _: Resolved) -> Fraction:
    """Return the probability that one of two cards is the drawn card: their mean number of different cards, of 52."""
    return (2 - alike(shoe, "by-card")) / CARD_TYPES


def by_rank(shoe: Shoe, _: Resolved) -> Fraction:
    """Return the probability that one of two cards has the drawn rank."""
    return (2 - alike(shoe, "by-rank")) / RANKS


def by_position(_: Shoe, resolved: Resolved) -> Fraction:
    """Return the probability that a player's position is drawn, among all positions of a table."""
    return Fraction(1, resolved.seats)


WAYS: Mapping[Way, Callable[[Shoe, Resolved], Fraction]] = {
    "by-card": by_card, "by-rank": by_rank, "by-position": by_position,
}


def numbers(resolved: Resolved, chosen: Mapping[str, str], shoe: Shoe) -> dict[str, str]:
    """Return the chosen values, with numbers for methods of drawing. Raises `InputError` for an unknown method."""
    values = dict(chosen)
    for name, text in chosen.items():
        unknown = resolved.unknowns.get(name)
        if unknown is None or not unknown.ways or not text[:1].isalpha():
            continue
        if text not in unknown.ways:
            raise fault(f'{name} has no method of drawing "{text[:40]}"', nearest(text[:40], unknown.ways),
                        file=FLAG, place=f"{name}={text[:40]}")
        values[name] = str(WAYS[text](shoe, resolved))
    return values
