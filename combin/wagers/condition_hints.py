"""Words of conditions for what beginners write, and names for parts of Python that conditions do not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from .vocabulary import POKER, Word

#: Names that are not words of conditions, with what to write instead.
INSTEAD: Mapping[str, str] = {
    "value": "total(hand) for blackjack points, or compare a rank: highest(hand) >= \"9\"",
    "points": "total(hand) for blackjack points, or baccarat(hand)",
    "sum": "total(hand) for blackjack points, or baccarat(hand)",
    "flush": 'suited(hand), or poker(hand) == "flush"',
    "full_house": 'poker(hand) == "full house"',
    "royal_flush": 'poker(hand) == "royal flush"',
    "three_card_flush": "longest_flush(hand) >= 3",
    "max": "highest(hand)",
    "min": "lowest(hand)",
    "len": "size(hand)",
    "colour": "same_colour(hand), or count(hand, \"red\")",
    "color": "same_colour(hand), or count(hand, \"red\")",
    "same_color": "same_colour(hand)",
    "red": 'count(hand, "red")',
    "black": 'count(hand, "black")',
    "suit": "suited(hand), or count(hand, \"hearts\")",
    "same_suit": "suited(hand)",
    "rank": 'count(hand, "7"), or highest(hand) >= "9"',
    "high_card": 'highest(hand) >= "9"',
    "ace": 'count(hand, "A")',
    "natural": "blackjack(hand)",
    "bust": "total(hand) > 21",
    "busted": "total(hand) > 21",
    "trips": "three_of_a_kind(hand)",
    "quads": "four_of_a_kind(hand)",
    "any": "or between conditions",
    "all": "and between conditions",
    "AND": "and", "OR": "or", "NOT": "not", "And": "and", "Or": "or", "Not": "not",
    "true": "True", "false": "False", "TRUE": "True", "FALSE": "False",
}  # fmt: skip

#: Names of hands, with the role that is probably meant if the deal has it.
HANDS: Mapping[str, str] = {
    "dealer": "upcard", "dealer_card": "upcard", "dealers_card": "upcard", "dealer_upcard": "upcard",
    "up_card": "upcard", "hole": "hole_card", "holecard": "hole_card", "player_hand": "player",
    "player_cards": "player", "players_hand": "player", "dealer_hand": "dealer", "dealer_cards": "dealer",
    "banker": "dealer", "community": "board", "flop": "board", "hand": "player", "all": "cards", "deck": "cards",
}  # fmt: skip

#: Operators of other languages, with those of conditions.
_SIGNS = (
    (re.compile(r"&&?"), "and"), (re.compile(r"\|\|?"), "or"), (re.compile(r"\b(?:AND|And)\b"), "and"),
    (re.compile(r"\b(?:OR|Or)\b"), "or"), (re.compile(r"\b(?:NOT|Not)\b(?!\()"), "not"), (re.compile(r"!(?!=)"), "not"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"\bbetween\b(?!\()", re.IGNORECASE), "19 <= total(hand) <= 20"),
)  # fmt: skip
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")

NOT_ALLOWED: Mapping[type, str] = {
    ast.Lambda: "a lambda", ast.NamedExpr: "an assignment", ast.Attribute: "an attribute", ast.Subscript: "an index",
    ast.ListComp: "a comprehension", ast.GeneratorExp: "a comprehension", ast.Tuple: "a tuple", ast.List: "a list",
    ast.Dict: "a dictionary", ast.Set: "a set", ast.JoinedStr: "a formatted text", ast.BinOp: "this arithmetic",
    ast.Constant: "this constant", ast.UnaryOp: "this sign", ast.Starred: "a star", ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension", ast.Await: "await", ast.Yield: "yield",
}  # fmt: skip


def foreign_sign(text: str) -> tuple[int, str] | None:
    """Return the index of the first operator of another language outside quotes, and a remedy.

    Returns None unless there is one.
    """
    plain = _TEXT.sub(lambda match: " " * len(match[0]), text)
    signs = [(match.start(), match[0], right) for pattern, right in _SIGNS if (match := pattern.search(plain))]
    if not signs:
        return None
    index, written, right = min(signs)
    return index, f"write {right} instead of {written}"


TOO_FINE = (
    "cannot be counted for a hand that is drawn out: conditions see its ranks, its number of cards, whether it is of "
    "one suit or colour, and its first two cards"
)
FIRST_CARDS = "use first cards: upcard, hole_card, first_two(player)"


def of_ranks(cards: frozenset[int]) -> bool:
    """Whether a word names ranks: all suits of each."""
    return len({c // 13 for c in cards}) == 4 and len({c % 13 for c in cards}) < 13


def of_suits(cards: frozenset[int]) -> bool:
    """Whether a word names suits or a colour: all ranks of each."""
    return len({c % 13 for c in cards}) == 13


def things(wanted: int) -> str:
    return ("nothing", "one thing", "two things", "three things")[wanted]


def sizes(word: Word, least: int, most: int) -> str:
    if word.gives == POKER:
        return "three, or five to seven cards"
    if least == most:
        return ("one card", "two cards")[least - 1]
    return f"{least} or more cards" if most == 28 else f"{least} to {most} cards"
