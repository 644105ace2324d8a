"""Outcomes of Bad Beat: the player's 20 by a chart and the cards of the dealer's 21.

Columns, shape (rows,): ``player_twenty`` and ``dealer_21_cards``, the cards of a dealer's 21
(2: blackjack, 0: no 21).
"""

from __future__ import annotations

from ..deals.table import Column, Table
from . import outcomes

Masks = dict[str, Column]

WORDS = {3: "three", 4: "four", 5: "five", 6: "six"}


@outcomes("bad-beat")
def bad_beat(t: Table) -> Masks:
    """Bad Beat (ch. 6 G(8), ch. 13 B): the player's 20 and the cards of the dealer's 21."""
    player, cards = t["player_twenty"] == 1, t["dealer_21_cards"]
    masks = {f"player 20, dealer 21 with {WORDS[n]} cards": player & (cards == n) for n in range(3, 7)}
    return {
        "player 20, dealer 21 with seven or more cards": player & (cards >= 7),
        **masks,
        "player 20, dealer blackjack": player & (cards == 2),
        "player 20": player,
    }
