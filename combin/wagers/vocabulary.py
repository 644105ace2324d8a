"""The words of conditions: arguments, value, meaning in one line, and an example that a test runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..deals.cards import CARD_TYPES, RANKS, RED, SUIT_NAMES, SUITS
from ..deals.poker import FIVE_CARDS as FIVE_CARD_HANDS
from ..deals.poker import THREE_CARDS as THREE_CARD_HANDS

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

    name: str
    call: str
    meaning: str
    gives: str
    hands: tuple[tuple[int, int], ...]
    example: WordExample
    #: Whether its last argument is a text of cards.
    takes_cards: bool = False
    #: Each option with its values; the first is the default.
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


ANY, ONE, TWO = (1, 28), (1, 1), (2, 2)
ACE = MappingProxyType({"ace": ("both", "high", "low")})
LONG_ACE = MappingProxyType({"ace": ("both", "high", "low", "from-five-cards", "five-cards-only")})
ENDS = MappingProxyType({"ace": ("high", "low"), "ends": ("excluded", "included")})
HIGH = MappingProxyType({"ace": ("high", "low")})


def _words() -> Mapping[str, Word]:
    def at_least(number: int) -> tuple[tuple[int, int], ...]:
        return ((number, 28),)

    example = WordExample
    words = (
        Word("count", 'count(hand, "…")', "number of the hand's cards that are one of these", NUMBER, (ANY,),
             example('count(player, "Q Kh") == 2', "player 2", "Qs Kh", "Qs Ks"), takes_cards=True),
        Word("size", "size(hand)", "number of cards", NUMBER, (ANY,),
             example('count(player, "red") == size(player)', "player 3", "2h 2d 9h", "2h 2d 9c")),
        Word("ranks", "ranks(hand)", "number of different ranks", NUMBER, (ANY,),
             example("ranks(player) == 2", "player 3", "2h 2d 9h", "2h 3d 9h")),
        Word("suits", "suits(hand)", "number of different suits", NUMBER, (ANY,),
             example("suits(player) == 2", "player 3", "2h 2d 9h", "2h 3h 9h")),
        Word("suited", "suited(hand)", "all cards are of one suit", TRUTH, at_least(2),
             example("suited(player)", "player 2", "Ah Kh", "Ah Kd")),
        Word("same_colour", "same_colour(hand)", "all cards are red or all are black", TRUTH, at_least(2),
             example("same_colour(player)", "player 2", "Ah Kd", "Ah Kc")),
        Word("same_rank", "same_rank(hand)", "all cards are of one rank", TRUTH, at_least(2),
             example("same_rank(cards)", "player 2, upcard 1", "7h 7d, 7h", "7h 7d, 8h")),
        Word("most_of_a_rank", "most_of_a_rank(hand)", "the largest number of cards of one rank", NUMBER, (ANY,),
             example("most_of_a_rank(player) == 3", "player 4", "7h 7d 2c 7s", "7h 7d 2c 2s")),
        Word("most_of_a_suit", "most_of_a_suit(hand)", "the largest number of cards of one suit", NUMBER, (ANY,),
             example("most_of_a_suit(player) >= 3", "player 4", "7h 2h Jh As", "7h 2h Js As")),
        Word("pair", "pair(hand)", "two or more cards of a rank; identical cards count", TRUTH, at_least(2),
             example("pair(player) and suited(player)", "player 2", "7h 7h", "7h 7d")),
        Word("two_pair", "two_pair(hand)", "two or more cards in each of two different ranks", TRUTH, at_least(4),
             example("two_pair(player)", "player 4", "7h 7d 2c 2s", "7h 7d 7c 7s")),
        Word("three_of_a_kind", "three_of_a_kind(hand)", "three or more cards of a rank", TRUTH, at_least(3),
             example("three_of_a_kind(player)", "player 4", "7h 7d 7c 2s", "7h 7d 2c 2s")),
        Word("four_of_a_kind", "four_of_a_kind(hand)", "four or more cards of a rank", TRUTH, at_least(4),
             example("four_of_a_kind(player)", "player 4", "7h 7d 7c 7s", "7h 7d 7c 2s")),
        Word("straight", 'straight(hand, ace="both")', "all cards of the hand, different and consecutive; the ace "
             "is above a king and below a two (both), or at one end (high, low)", TRUTH, at_least(2),
             example('straight(player, ace="low")', "player 3", "Ah 2d 3c", "Ah Kd Qc"), options=ACE),
        Word("longest_straight", 'longest_straight(hand, ace="both")', "largest number of consecutive ranks in the "
             "hand; the ace is above a king and below a two (both), or at one end (high, low)", NUMBER, ((1, 7),),
             example("longest_straight(player) == 4", "player 5", "4h 5d 6c 7s Kh", "4h 5d 6c 8s Kh"), options=ACE),
        Word("straight_flush", 'straight_flush(hand, ace="both")', "a straight of one suit", TRUTH, at_least(2),
             example("straight_flush(player)", "player 3", "Ah Kh Qh", "Ah Kh 2h"), options=ACE),
        Word("longest_flush", "longest_flush(hand)", "number of cards in the hand's longest suit", NUMBER, ((1, 7),),
             example("longest_flush(player) >= 4", "player 7", "2h 4h 6h 8h 9c Jd As", "2h 4h 6h 8s 9c Jd As")),
        Word("longest_straight_flush", 'longest_straight_flush(hand, ace="both")', "largest number of consecutive "
             "cards of one suit in the hand; an ace below a two may also count from-five-cards (in A-2-3-4-5 or "
             "longer) or five-cards-only (in A-2-3-4-5)", NUMBER, ((1, 7),),
             example("longest_straight_flush(player) == 3", "player 5", "Ah 2h 3h Kh 9s", "Ah 2h Kh 9s 9d"),
             options=LONG_ACE),
        Word("poker", "poker(hand)", "the best poker hand of five cards out of five to seven, or of three cards; "
             'compare it with "pair", "flush" and so on, or with the poker hand of other cards', POKER, ((3, 7),),
             example('poker(cards) >= "two pair"', "player 2, board 5", "Ah As, Kh Kd 2c 3s 9d",
                     "Ah As, Kh Qd 2c 3s 9d")),
        Word("total", "total(hand)", "blackjack points; an ace counts 11 unless the total would exceed 21", NUMBER,
             (ANY,), example("total(cards) == 21", "player 2, upcard 1", "Ah 9s, As", "Ah 9s, 2s")),
        Word("hard_total", "hard_total(hand)", "blackjack points with every ace as 1", NUMBER, (ANY,),
             example("hard_total(player) == 9", "player 2", "Ah 8s", "Ah 9s")),
        Word("soft", "soft(hand)", "an ace counts 11 in the total", TRUTH, (ANY,),
             example("soft(player)", "player 3", "Ah 3d 7s", "Ah 5d 7s")),
        Word("blackjack", "blackjack(hand)", "an ace and a ten-valued card, two cards", TRUTH, (TWO,),
             example("blackjack(player)", "player 2", "Ah Js", "Ah 9s")),
        Word("baccarat", "baccarat(hand)", "baccarat points: the last digit of the sum, aces 1, tens and faces 0",
             NUMBER, (ANY,), example("baccarat(player) >= 8", "player 2", "9h 9s", "9h 8s")),
        Word("highest", "highest(hand)", 'the highest rank, ace high; compare it with a rank such as "9"', RANK,
             (ANY,), example('highest(player) <= "9"', "player 2", "9h 2s", "Th 2s")),
        Word("lowest", "lowest(hand)", 'the lowest rank, ace high; compare it with a rank such as "9"', RANK,
             (ANY,), example('lowest(player) >= "J"', "player 2", "Jh As", "Th As")),
        Word("matches", "matches(hand, other)", "number of the hand's cards with the rank of the one card of other",
             NUMBER, (ANY, ONE), example("matches(player, upcard) == 1", "player 2, upcard 1", "7h 8s, 7c",
                                         "7h 7s, 7c")),
        Word("suited_matches", "suited_matches(hand, other)", "number of the hand's cards with the rank and the suit "
             "of the one card of other", NUMBER, (ANY, ONE),
             example("suited_matches(player, upcard) == 1", "player 2, upcard 1", "7h 7s, 7h", "7c 7s, 7h")),
        Word("suit_matches", "suit_matches(hand, other)", "number of the hand's cards with the suit of the one card "
             "of other", NUMBER, (ANY, ONE),
             example("suit_matches(player, upcard) == 2", "player 2, upcard 1", "7h 8h, Kh", "7h 8s, 7h")),
        Word("same_ranks", "same_ranks(hand, other)", "both hands hold the same ranks, each as often", TRUTH,
             (ANY, ANY), example("same_ranks(player, dealer)", "player 2, dealer 2", "7h Ks, Kd 7c", "7h Ks, Kd Kc")),
        Word("between", 'between(card, hand, ace="high", ends="excluded")', "the one card's rank lies within the "
             "hand's two different ranks", TRUTH, (ONE, TWO),
             example("between(upcard, player)", "player 2, upcard 1", "7h Ts, 8c", "7h Ts, Tc"), options=ENDS),
        Word("spread", 'spread(hand, ace="high")', "number of ranks strictly between the hand's two", NUMBER, (TWO,),
             example("spread(player) == 2", "player 2", "7h Ts", "7h Js"), options=HIGH),
        Word("first_two", "first_two(hand)", "the first two cards of a hand that is drawn out, as a hand for another "
             "word", SOME_CARDS, (ANY,),
             example("pair(first_two(player))", "baccarat", "2h 2s 5d, 9c Td", "2h 5s 2d, 9c Td")),
    )  # fmt: skip
    return MappingProxyType({word.name: word for word in words})


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


#: Words that a hand that is drawn out does not have, and words that take it only without other cards.
NOT_OF_DRAWN = frozenset(
    ("longest_straight", "same_ranks",
     "suits", "most_of_a_suit", "longest_flush", "longest_straight_flush", "poker", "suited_matches", "suit_matches",
     "between", "spread")
)  # fmt: skip
OF_DRAWN_ALONE = frozenset(("suited", "same_colour", "straight_flush"))

#: ``Qh``, ``Q``, ``h``, ``hearts``, ``red``, ``face``, ``ten-valued`` …
CARDS: Mapping[str, frozenset[int]] = _named_cards()

__all__ = [
    "CARDS",
    "FIVE_CARD_HANDS",
    "NOT_OF_DRAWN",
    "NUMBER",
    "OF_DRAWN_ALONE",
    "POKER",
    "RANK",
    "SOME_CARDS",
    "THREE_CARD_HANDS",
    "TRUTH",
    "WORDS",
    "Word",
    "WordExample",
]
