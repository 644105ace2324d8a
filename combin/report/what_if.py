"""The data of the what-if for the script of a page."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..rulebook.pays import Pay
from .model import WhatIf


def payload(data: WhatIf) -> dict[str, Any]:
    """Return the script's data, with integers and fractions as texts, since JSON numbers are floats there."""
    return {
        "total": str(data.total),
        "lines": [{"outcome": e.outcome, "text": e.text, "pay": _pay(e.pay)} for e in data.lines],
        "outcomes": [{"outcome": o, "weight": str(w), "lines": list(parts)} for o, w, parts in data.outcomes],
        "values": {name: None if v is None else str(v) for name, v in data.values.items()},
        "prizeReturnsStake": data.prize_returns_stake,
        "head": data.head,
        "name": data.name,
        "notes": list(data.notes),
    }


def _pay(pay: Pay) -> dict[str, Any]:
    def pairs(items: tuple[tuple[str, Fraction], ...]) -> list[list[str]]:
        return [[name, str(part)] for name, part in items]

    return {"odds": str(pay.odds), "dollars": str(pay.dollars), "shares": pairs(pay.shares),
            "named": pairs(pay.named_odds), "stakeBack": pay.stake_back}
