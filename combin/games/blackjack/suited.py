"""Blackjacks of one suit: their share of a shoe's blackjacks."""

from __future__ import annotations

from fractions import Fraction

from ...deals.cards import Shoe

ACE_RANK, TEN_RANKS = 12, range(8, 12)


def _by_suit(shoe: Shoe) -> list[tuple[int, int]]:
    """Return (aces, ten-valued cards) of each suit."""
    return [(shoe.copies[13 * suit + ACE_RANK], sum(shoe.copies[13 * suit + rank] for rank in TEN_RANKS))
            for suit in range(4)]


def suited_share(shoe: Shoe) -> Fraction:
    """Return the share of the pairs of an ace and a ten-valued card that are of one suit; 0 without such pairs."""
    suits = _by_suit(shoe)
    pairs = sum(aces for aces, _ in suits) * sum(tens for _, tens in suits)
    return Fraction(sum(aces * tens for aces, tens in suits), pairs) if pairs else Fraction(0)


def suits_differ(shoe: Shoe) -> bool:
    """Return whether the suits of the shoe hold unequal numbers of aces or ten-valued cards."""
    return len(set(_by_suit(shoe))) > 1
