"""Outcomes of hands that are drawn out: the dealer's final hand and, where needed, the player's.

Columns, shape (rows,): ``cards``, ``total``, ``bust``, ``blackjack`` of the dealer;
``player_blackjack`` where the deal has it; for Bad Beat ``player_twenty`` and
``dealer_21_cards``, the cards of a dealer's 21 (2: blackjack, 0: no 21).
"""

from __future__ import annotations

from typing import Literal

from ..deals.table import Column, Table
from . import outcomes

Masks = dict[str, Column]

WORDS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


@outcomes("dealer-busts")
def dealer_busts(t: Table) -> Masks:
    """Buster Blackjack (ch. 6 G(15)) and, where the player's blackjack is dealt, its free bonus (G(16))."""
    cards, bust = t["cards"], t["bust"] == 1
    masks = {f"{n} cards": bust & (cards == n) for n in range(3, 8)}
    masks["8 or more cards"] = bust & (cards >= 8)
    masks["7 or more cards"] = bust & (cards >= 7)
    masks["3 or 4 cards"] = bust & (cards <= 4)
    if "player_blackjack" in t.columns:
        natural = t["player_blackjack"] == 1
        for name, mask in list(masks.items()):
            masks[f"{name} and player blackjack"] = masks[f"bonus and {name}"] = mask & natural
    return masks


@outcomes("dealer-cards")
def dealer_cards(t: Table, *, busted: Literal["counts", "does-not-count"] = "counts") -> Masks:
    """Hit and Run (ch. 6 G(10), ch. 13 F): a dealer's blackjack or long hand, ``busted`` or not."""
    cards = t["cards"]
    counts = (t["bust"] == 0) | (busted == "counts")
    masks = {f"{WORDS[n]} cards": counts & (cards == n) for n in range(3, 8)}
    return {"eight or more cards": counts & (cards >= 8), **masks, "blackjack": t["blackjack"] == 1}


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
