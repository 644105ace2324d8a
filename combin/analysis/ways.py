"""Stated ways of drawing that give an unknown its value: a random card, a random rank, a random position.

A document may leave to the table's system what it draws (Maryland blackjack, Ch. 1 §B(11)-(12)). With
``--set magic_card_frequency=by-card`` one of the 52 cards is drawn each round, all alike and apart from the shoe.
With ``by-rank`` a rank is. With ``lucky_player_frequency=by-position`` one of the positions of a full table is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ..base.errors import fault, nearest
from ..deals.cards import CARD_TYPES, Shoe
from ..rulebook.book import Resolved
from ..rulebook.parameters import FLAG
from ..rulebook.terms import Way
from .exposure import SEATS

RANKS = 13


def _alike(groups: Mapping[int, int]) -> Fraction:
    """How often two cards of a shoe are of one group, given the cards of each group."""
    size = sum(groups.values())
    return Fraction(sum(n * (n - 1) for n in groups.values()), size * (size - 1))


def by_card(shoe: Shoe, _: Resolved) -> Fraction:
    """How often one of two cards is the card drawn: the mean number of different cards among them, of 52."""
    return (2 - _alike(dict(enumerate(shoe.copies)))) / CARD_TYPES


def by_rank(shoe: Shoe, _: Resolved) -> Fraction:
    """How often one of two cards has the rank drawn."""
    return (2 - _alike({r: sum(shoe.copies[r::RANKS]) for r in range(RANKS)})) / RANKS


def by_position(_: Shoe, resolved: Resolved) -> Fraction:
    """How often the position of one player is drawn, of all that a table has."""
    return Fraction(1, SEATS[resolved.id.split("/")[1]])


WAYS: Mapping[Way, Callable[[Shoe, Resolved], Fraction]] = {
    "by-card": by_card, "by-rank": by_rank, "by-position": by_position,
}


def numbers(resolved: Resolved, chosen: Mapping[str, str], shoe: Shoe) -> dict[str, str]:
    """The chosen values with each stated way of drawing as the number that it gives; `InputError` for another word."""
    found = dict(chosen)
    for name, text in chosen.items():
        unknown = resolved.unknowns.get(name)
        if unknown is None or not unknown.ways or not text[:1].isalpha():
            continue
        if text not in unknown.ways:
            raise fault(f'{name} has no way of drawing called "{text[:40]}"', nearest(text[:40], unknown.ways),
                        file=FLAG, place=f"{name}={text[:40]}")
        found[name] = str(WAYS[text](shoe, resolved))
    return found


__all__ = ["WAYS", "by_card", "by_position", "by_rank", "numbers"]
