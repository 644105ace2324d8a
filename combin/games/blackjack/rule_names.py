"""The options of a wager for house rules: the usual names of rules with their meanings."""

from __future__ import annotations

from typing import Any

from .rules import DOUBLE_CARDS, MOST_HANDS, SURRENDERS, TIES_LOST, TIES_WON

#: Options of a user's file: the usual names of rules with their fields of `HouseRules`.
USUAL: dict[str, dict[str, dict[str, Any]]] = {
    "soft_17": {"stands": {"hits_soft_17": False}, "hits": {"hits_soft_17": True}},
    "double": {"any": {"double": "any"}, "9-11": {"double": "9-11"}, "10-11": {"double": "10-11"},
               "11": {"double": "11"}, "none": {"double": "none"}},
    "double_cards": {kind: {"double_cards": kind} for kind in DOUBLE_CARDS},
    "soft_doubles": {"yes": {"soft_doubles": True}, "no": {"soft_doubles": False}},
    "double_after_split": {"yes": {"double_after_split": True}, "no": {"double_after_split": False}},
    "double_split_aces": {"yes": {"double_split_aces": True}, "no": {"double_split_aces": False}},
    "resplit_aces": {"yes": {"resplit_aces": True}, "no": {"resplit_aces": False}},
    "split_aces": {"one-card": {"split_aces": "one-card"}, "may-draw": {"split_aces": "may-draw"}},
    "surrender": {kind: {"surrender": kind} for kind in SURRENDERS},
    "hole_card": {kind: {"hole_card": kind} for kind in ("peek", "original-lost", "all-lost")},
    "push_22": {"yes": {"push_22": True}, "no": {"push_22": False}},
    "even_money": {"yes": {"even_money": True}, "no": {"even_money": False}},
    "max_hands": {str(n): {"max_hands": n} for n in range(1, MOST_HANDS + 1)},
    "charlie": {"none": {"charlie": 0}, **{str(n): {"charlie": n} for n in range(4, 13)}},
    "charlie_after_split": {"yes": {"charlie_splits": True}, "no": {"charlie_splits": False}},
    "charlie_beats_blackjack": {"yes": {"charlie_blackjack": True}, "no": {"charlie_blackjack": False}},
    "ties_lose": {word: {"ties_lost": total} for word, total in TIES_LOST.items()},
    "ties_win": {word: {"ties_won": total} for word, total in TIES_WON.items()},
}
#: The abbreviations that players and casinos use.
ABBREVIATIONS = {
    "S17": ("soft_17", "stands"), "H17": ("soft_17", "hits"),
    "DOA": ("double", "any"), "D9": ("double", "9-11"), "D10": ("double", "10-11"),
    "DAC": ("double_cards", "any"), "NSD": ("soft_doubles", "no"), "DSA": ("double_split_aces", "yes"),
    "DAS": ("double_after_split", "yes"), "NDAS": ("double_after_split", "no"),
    "RSA": ("resplit_aces", "yes"), "NRSA": ("resplit_aces", "no"),
    "LS": ("surrender", "late"), "ES": ("surrender", "early"), "ES10": ("surrender", "early-10"),
    "ESA": ("surrender", "early-ace"),
    "NS": ("surrender", "none"),
    "PEEK": ("hole_card", "peek"), "ENHC": ("hole_card", "all-lost"), "OBO": ("hole_card", "original-lost"),
    **{f"SPL{n - 1}": ("max_hands", str(n)) for n in range(2, MOST_HANDS + 1)},
}  # fmt: skip
