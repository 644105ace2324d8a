"""The vocabulary of conditions and the terms of the figures, as text."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from ..base.errors import fault, nearest
from ..games.showdown.vocabulary import ENDS, KEYS, NAMED_HANDS
from ..wagers.vocabulary import WORDS, Word
from . import definitions

#: The terms of the figures, as reports define them.
TERMS: Mapping[str, str] = {term.name.lower(): term.text.removesuffix(".") for term in definitions.TERMS}

HANDS = (
    'A hand is a role of the deal (player, upcard, hole_card), "cards" for all dealt cards, or hands joined by +.\n'
    'With "dealer draws out" the dealer\'s final hand is dealer; with "baccarat" the hands are player and banker.\n'
    'Cards are "Qh", ranks "Q", suits "h" or "hearts", and "red", "black", "face", "ten-valued"; several separated by\n'
    "blanks mean any of these. Words are joined by and, or, not, comparisons, + - * and X if C else Y.\n"
)


def vocabulary() -> str:
    """Return every word with its meaning, then the terms."""
    lines = ["Conditions on the cards, for [wager.outcome] of a TOML file", "", HANDS]
    for word in WORDS.values():
        lines += [word.call, fill(word.meaning, 110, initial_indent="    ", subsequent_indent="    ")]
    for title, words in (
        ("Games with decisions, for [wager.round] of a TOML file", KEYS),
        (f"Conditions on the end of such a round, for [wager.outcome.BET]\n\n{NAMED_HANDS.rstrip()}", ENDS),
        ("Terms of the figures", TERMS),
    ):
        lines += ["", title, ""]
        for term, meaning in words.items():
            lines += [term, fill(meaning, 110, initial_indent="    ", subsequent_indent="    ")]
    return "\n".join(lines) + "\n"


def one(name: str) -> str:
    """Return one word with its example, or one term. Raises `InputError` for an unknown word."""
    if name in WORDS:
        return _word(WORDS[name])
    for words in (ENDS, KEYS, TERMS):
        if name in words:
            return f"{name}: {words[name]}\n"
    remedy = nearest(name[:60], [*WORDS, *ENDS, *KEYS, *TERMS], otherwise="combin words lists them")
    raise fault(f'"{name[:60]}" is neither a word of conditions nor a term', remedy)


def _word(word: Word) -> str:
    lines = [word.call, f"    {word.meaning}", f"    gives {word.gives}"]
    for option, values in word.options.items():
        lines.append(f"    {option}: {', '.join(values)}; default {values[0]}")
    example = word.example
    sentence = f"    on {example.deal}: true for {example.meets}; false for {example.misses}"
    lines += ["", f"    {example.condition}", sentence]
    return "\n".join(lines) + "\n"
