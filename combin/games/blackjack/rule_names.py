"""The options of a wager for house rules: the usual names of rules, and the meaning of each."""

from __future__ import annotations

from typing import Any

#: Options of a user's file: the usual names of rules with their fields of `HouseRules`.
USUAL: dict[str, dict[str, dict[str, Any]]] = {
    "soft_17": {"stands": {"hits_soft_17": False}, "hits": {"hits_soft_17": True}},
    "double": {"any": {"double": "any"}, "9-11": {"double": "9-11"}, "10-11": {"double": "10-11"},
               "11": {"double": "11"}, "none": {"double": "none"}},
    "double_after_split": {"yes": {"double_after_split": True}, "no": {"double_after_split": False}},
    "resplit_aces": {"yes": {"resplit_aces": True}, "no": {"resplit_aces": False}},
    "split_aces": {"one-card": {"split_aces": "one-card"}, "may-draw": {"split_aces": "may-draw"}},
    "surrender": {kind: {"surrender": kind} for kind in ("none", "late", "early", "early-10")},
    "hole_card": {kind: {"hole_card": kind} for kind in ("peek", "original-lost", "all-lost")},
    "push_22": {"yes": {"push_22": True}, "no": {"push_22": False}},
    "even_money": {"yes": {"even_money": True}, "no": {"even_money": False}},
    "max_hands": {str(n): {"max_hands": n} for n in range(1, 5)},
    "charlie": {"none": {"charlie": 0}, **{str(n): {"charlie": n} for n in range(4, 13)}},
}
#: The abbreviations of players and casinos.
ABBREVIATIONS = {
    "S17": ("soft_17", "stands"), "H17": ("soft_17", "hits"),
    "DOA": ("double", "any"), "D9": ("double", "9-11"), "D10": ("double", "10-11"),
    "DAS": ("double_after_split", "yes"), "NDAS": ("double_after_split", "no"),
    "RSA": ("resplit_aces", "yes"), "NRSA": ("resplit_aces", "no"),
    "LS": ("surrender", "late"), "ES": ("surrender", "early"), "ES10": ("surrender", "early-10"),
    "NS": ("surrender", "none"),
    "PEEK": ("hole_card", "peek"), "ENHC": ("hole_card", "all-lost"), "OBO": ("hole_card", "original-lost"),
    "SPL1": ("max_hands", "2"), "SPL2": ("max_hands", "3"), "SPL3": ("max_hands", "4"),
}  # fmt: skip
