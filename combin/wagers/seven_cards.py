"""Outcomes of seven cards of one deck, and of the three hole cards of Chase the Flush.

A hand of six suited cards holds a five-card flush too, so an outcome is met by its
length and by every longer one; the paytable's order settles a deal as the highest hand
that it lists, and a table that lists a shorter, smaller line first is caught as misordered.
"""

from __future__ import annotations

from typing import Literal

from ..deals.table import Column, Table
from . import outcomes

WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}

#: Column of the longest straight flush for what an ace may be: high or low; high only;
#: low too where it completes A-2-3-4-5 or longer; low too in A-2-3-4-5 and no longer.
Ace = Literal["both", "high", "from-five-cards", "five-cards-only"]
ACE: dict[Ace, str] = {
    "both": "straight_flush_both",
    "high": "straight_flush_high",
    "from-five-cards": "straight_flush_from_five",
    "five-cards-only": "straight_flush_five_only",
}


def _flushes(t: Table) -> dict[str, Column]:
    return {f"{WORDS[n]}-card flush": t["flush"] >= n for n in range(2, 8)}


def _straight_flushes(t: Table, ace: Ace) -> dict[str, Column]:
    longest = t[ACE[ace]]
    return {f"{WORDS[n]}-card straight flush": longest >= n for n in range(3, 8)}


@outcomes("longest-flush")
def longest_flush(t: Table) -> dict[str, Column]:
    """The number of cards in the longest suit, two to seven."""
    return _flushes(t)


@outcomes("straight-flush")
def straight_flush(
    t: Table, *, ace: Ace = "both", quads: Literal["best-pay", "straight-flush-first"] = "best-pay"
) -> dict[str, Column]:
    """The longest straight flush, three to seven cards, and what Maryland pays beside it.

    ``ace`` is a key of `ACE`. ``quads`` says which hands are "four of a kind": "best-pay" all
    that hold one (the paytable's order settles the rest), "straight-flush-first" those without
    a straight flush. Seven cards hold a straight flush of at most four beside four of a kind.
    """
    hands = _straight_flushes(t, ace)
    four = t["quads"] == 1
    for name in ("four-card straight flush", "three-card straight flush"):
        hands[f"four of a kind and {name}"] = four & hands[name]
    hands["four of a kind"] = four & (t[ACE[ace]] < 3) if quads == "straight-flush-first" else four
    hands["suited nine, ten, jack, queen, king, ace"] = t["nine_to_ace"] == 1
    return hands


@outcomes("same-suit")
def same_suit(t: Table, *, ace: Ace = "both") -> dict[str, Column]:
    """The longest flush and the longest straight flush; ``ace`` is a key of `ACE`."""
    straight = _straight_flushes(t, ace)
    merged = {
        "six- or seven-card straight flush": straight["six-card straight flush"],
        "five-, six- or seven-card straight flush": straight["five-card straight flush"],
    }
    return _flushes(t) | straight | merged


@outcomes("hole-cards")
def hole_cards(t: Table) -> dict[str, Column]:
    """Whether the player's three cards are of one suit."""
    suits = t["player.suit"]
    return {"three suited hole cards": (suits == suits[:, :1]).all(axis=1)}
