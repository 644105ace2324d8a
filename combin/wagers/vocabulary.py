"""The words of conditions and the texts of cards; ``words.toml`` says of each word what it takes, gives and means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ..base.toml_tables import BY_READER, TomlFile, empty, read
from ..deals.cards import CARD_TYPES, RANKS, RED, SUIT_NAMES, SUITS

#: The value of a word: a number, true or false, the rank of a card, the rank of a poker hand, a hand.
NUMBER, TRUTH, RANK, POKER, SOME_CARDS = "a number", "true or false", "a rank", "a poker hand", "a hand"


@dataclass(frozen=True)
class WordExample:
    """A condition on a deal, with cards that satisfy it and cards that do not, by role in order.

    A hand that is drawn out is given with all its cards, and its first cards are not given again.
    """

    condition: str
    deal: str
    meets: str
    misses: str


@dataclass(frozen=True)
class Word:
    """A word; ``hands`` has the least and the greatest number of cards of each hand that it takes."""

    name: str = field(metadata=BY_READER)
    call: str
    meaning: str
    gives: str
    example: WordExample
    hands: tuple[tuple[int, int], ...] = ((1, 28),)
    #: Whether its last argument is a text of cards.
    takes_cards: bool = False
    #: Each option with its values; the first is the default.
    options: Mapping[str, tuple[str, ...]] = empty()
    #: Whether it takes a hand that is drawn out: not at all, only without other cards, or also with other cards.
    drawn: Literal["no", "alone", "with others"] = "with others"


def _words() -> Mapping[str, Word]:
    file = TomlFile("words.toml", Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: file.checked(read(Word, table, file.report, given={"name": name}, path=(name,)))
                             for name, table in file.data.items()})


WORDS: Mapping[str, Word] = _words()


def _named_cards() -> Mapping[str, frozenset[int]]:
    """Return the texts that `count` takes, each with its card types."""
    types = range(CARD_TYPES)
    known = {
        "red": frozenset(c for c in types if c // 13 in RED),
        "black": frozenset(c for c in types if c // 13 not in RED),
        "face": frozenset(c for c in types if RANKS[c % 13] in "JQK"),
        "ten-valued": frozenset(c for c in types if RANKS[c % 13] in "TJQK"),
    }
    for index, (letter, name) in enumerate(zip(SUITS, SUIT_NAMES, strict=True)):
        known[letter] = known[name] = frozenset(range(13 * index, 13 * index + 13))
    for index, rank in enumerate(RANKS):
        spellings = [rank, "10"] if rank == "T" else [rank]
        for spelling in spellings:
            known[spelling] = frozenset(range(index, CARD_TYPES, 13))
            known |= {spelling + suit: frozenset({13 * s + index}) for s, suit in enumerate(SUITS)}
    return MappingProxyType(known)


#: ``Qh``, ``Q``, ``h``, ``hearts``, ``red``, ``face``, ``ten-valued`` …
CARDS: Mapping[str, frozenset[int]] = _named_cards()
