"""The vocabulary of conditions, and the terms of the figures, as text."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from ..base.errors import fault, nearest
from ..wagers.vocabulary import WORDS, Word

#: The terms that terminal and reports use, as they are meant here.
TERMS: Mapping[str, str] = {
    "return to player": "amount returned per unit staked, the stake included where it comes back",
    "house edge": "1 less the return to player; of a game with decisions per ante",
    "element of risk": "expected loss over the average of all money staked in a round",
    "hit frequency": "how often something is paid beyond the returned stake",
    "true odds": "(1 - p)/p to 1 of an outcome of probability p",
    "contribution": "what an outcome adds to the return: its probability times the amount returned",
    "effect of removal": "how the return changes where one card is known to be out of the shoe",
    "volatility index": "1.959964 standard deviations per unit of the named stake",
    "class": "deals that a wager cannot tell apart, counted together",
    "combinations": "the number of deals of an outcome, order within a hand aside",
}

HANDS = (
    'A hand is a role of the deal (player, upcard, hole_card), "cards" for all that is dealt, or hands joined by +.\n'
    'Cards are "Qh", ranks "Q", suits "h" or "hearts", and "red", "black", "face", "ten-valued"; several separated by\n'
    "blanks mean any of them. Words are joined by and, or, not, comparisons, + - * and X if C else Y.\n"
)


def vocabulary() -> str:
    """Every word with its line of meaning, then the terms."""
    lines = ["Conditions on the cards, for [wager.outcome] of a TOML file", "", HANDS]
    for word in WORDS.values():
        lines += [word.call, fill(word.meaning, 110, initial_indent="    ", subsequent_indent="    ")]
    lines += ["", "Terms of the figures", ""]
    for term, meaning in TERMS.items():
        lines += [term, fill(meaning, 110, initial_indent="    ", subsequent_indent="    ")]
    return "\n".join(lines) + "\n"


def one(name: str) -> str:
    """One word with its example, or one term."""
    if name in WORDS:
        return _word(WORDS[name])
    if name in TERMS:
        return f"{name}: {TERMS[name]}\n"
    remedy = nearest(name[:60], [*WORDS, *TERMS], otherwise="combin words lists them")
    raise fault(f'"{name[:60]}" is no word of conditions and no term', remedy)


def _word(word: Word) -> str:
    lines = [word.call, f"    {word.meaning}", f"    gives {word.gives}"]
    for option, values in word.options.items():
        lines.append(f"    {option}: {', '.join(values)}; {values[0]} where none is written")
    example = word.example
    lines += ["", f"    {example.condition}", f"    on {example.deal}: met by {example.meets}; not by {example.misses}"]
    return "\n".join(lines) + "\n"


__all__ = ["TERMS", "one", "vocabulary"]
