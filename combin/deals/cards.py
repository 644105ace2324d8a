"""Cards, shoes, and the suit permutations that a shoe allows.

A card type is an integer 0..51, ``13 * suit + rank``. Ranks are 0 (a two) to 12 (an ace); suits are 0 clubs, 1
diamonds, 2 hearts, 3 spades. Thirteen consecutive types are one suit, so that a suit of a hand is a 13-bit mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from ..base.errors import fault
from ..base.exact import decks as decks_in_words

RANKS = "23456789TJQKA"
RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_NAMES = {rank: f"{'an' if word in ('eight', 'ace') else 'a'} {word}"
              for rank, word in zip(RANKS, RANK_WORDS, strict=True)}
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RED = frozenset({1, 2})
CARD_TYPES = 52

Permutation = tuple[int, int, int, int]


def card(text: str) -> int:
    """Return the type of a card written like ``Qh`` or ``10s``. Raises `InputError` for other texts."""
    word = text.strip()
    rank, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or suit == "" or suit not in SUITS:
        raise fault(f'"{text}" is not a card', 'write a rank of 2-9, T, J, Q, K, A and a suit of c, d, h, s: "Qh"')
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def cards(text: str) -> tuple[int, ...]:
    """Return the types of cards separated by blanks or commas, in the order given."""
    return tuple(card(word) for word in text.replace(",", " ").split())


def name(card_type: int) -> str:
    """Return ``Qh`` for the queen of hearts."""
    return RANKS[card_type % 13] + SUITS[card_type // 13]


def names(card_types: Iterable[int]) -> str:
    return " ".join(map(name, card_types))


def rank_masks(card_types: Iterable[int]) -> tuple[int, int, int, int]:
    """Return the ranks held in each suit, as masks of 13 bits from the two up."""
    held = [0, 0, 0, 0]
    for card_type in card_types:
        held[card_type // 13] |= 1 << card_type % 13
    return held[0], held[1], held[2], held[3]


def flush_name(mask: int) -> str:
    """Return the ranks of a mask from the top, such as ``T-8-2``."""
    return "-".join(RANKS[rank] for rank in reversed(range(13)) if mask >> rank & 1)


def permute(permutation: Permutation, card_type: int) -> int:
    """Return the card type after suit ``s`` has become suit ``permutation[s]``."""
    return 13 * permutation[card_type // 13] + card_type % 13


ALL_PERMUTATIONS: tuple[Permutation, ...] = tuple(permutations(range(4)))  # type: ignore[arg-type]


def suit_group(singled_out: Iterable[str] = ()) -> tuple[Permutation, ...]:
    """Return the suit permutations that preserve what a wager singles out.

    ``singled_out`` has suit names, such as ``hearts``, which are fixed. With ``colours``, red suits stay red and black
    suits black.
    """
    group = ALL_PERMUTATIONS
    for feature in singled_out:
        if feature == "colours":
            group = tuple(p for p in group if {p[s] for s in RED} == RED)
        elif feature in SUIT_NAMES:
            s = SUIT_NAMES.index(feature)
            group = tuple(p for p in group if p[s] == s)
        else:
            raise fault(f'"{feature}" is neither a suit nor colours', f"use colours or one of {', '.join(SUIT_NAMES)}")
    return group


def deck_of(ranks: Mapping[str, int]) -> tuple[int, ...]:
    """Return the number of cards of each rank in one suit of a deck, from the numbers of cards of some ranks.

    Ranks that are not named have four cards. Raises `InputError` for an unknown rank, or a number of cards that
    four suits do not share equally.

    >>> deck_of({"T": 0})
    (1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1)
    """
    for rank, number in ranks.items():
        if len(rank) != 1 or rank not in RANKS:
            raise fault(f'"{rank[:20]}" is not a rank', f"ranks are {', '.join(RANKS)}", place="shoe")
        if number not in range(0, 17, 4):
            what = f'a deck with {number} cards of the rank "{rank}"'
            raise fault(what, "give 0, 4, 8, 12 or 16: all suits have the same cards", place="shoe")
    return tuple(ranks.get(rank, 4) // 4 for rank in RANKS)


@dataclass(frozen=True)
class Shoe:
    """A shuffled shoe of ``decks`` decks less the cards already ``removed`` (card types).

    ``deck`` is the number of cards of each rank in one suit of a deck, see `deck_of`.
    """

    decks: int
    removed: tuple[int, ...] = ()
    deck: tuple[int, ...] = (1,) * len(RANKS)

    def __post_init__(self) -> None:
        if not 1 <= self.decks <= 64:
            raise fault(f"a shoe cannot have {self.decks} decks", "give 1 to 64 decks", file="--decks")
        for card_type in set(self.removed):
            held = self.decks * self.deck[card_type % 13]
            if self.removed.count(card_type) > held:
                raise fault(
                    f"{self.removed.count(card_type)} x {name(card_type)} cannot be removed from "
                    f"{decks_in_words(self.decks)}",
                    f"name each card at most {held} time(s)" if held else "omit it: the shoe has none",
                    file="--without",
                )

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """The number of copies of each of the 52 card types in the shoe."""
        left = [self.decks * self.deck[card_type % 13] for card_type in range(CARD_TYPES)]
        for card_type in self.removed:
            left[card_type] -= 1
        return tuple(left)

    @property
    def size(self) -> int:
        """The number of cards in the shoe."""
        return 4 * sum(self.deck) * self.decks - len(self.removed)

    def stabilizer(self, group: Iterable[Permutation]) -> tuple[Permutation, ...]:
        """Return the permutations of ``group`` that leave the shoe unchanged."""
        return tuple(p for p in group if all(self.copies[permute(p, c)] == self.copies[c] for c in range(CARD_TYPES)))
