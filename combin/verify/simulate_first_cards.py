"""Rounds of a wager on the first cards of a shoe, settled by the names of their cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..deals.cards import name
from ..deals.deal_kinds import FirstCards
from ..deals.first_cards import Deal
from .cards_dealt import Parcel, deal_cards
from .settle_literal import ByRole, first_line, outcomes_of_hands, settler_of
from .shoe import LookedAt, Undealt


def parcel(a: Analysis, dealt: FirstCards, names: Sequence[str]) -> Parcel | None:
    """Return a function that deals rounds and counts outcomes. Returns None without an independent settlement."""
    deal = Deal(dealt.text)
    if settler_of(a.resolved.terms.settlement) is None:
        return None
    bounds = np.cumsum([0, *(role.cards for role in deal.roles)]).tolist()
    #: The outcome by the first roles' cards, as one number; -1 if it depends on further cards.
    known: dict[tuple[int, int], int] = {}
    options, place = dict(a.resolved.options), {line: i for i, line in enumerate(names)}
    of_rank = np.array([[name(c)[0] == role.only for c in range(52)] for role in deal.roles])

    def settle(cards: Sequence[int], roles: int) -> int:
        hands = tuple(tuple(name(c) for c in cards[start:stop]) for start, stop in pairwise(bounds[: roles + 1]))
        try:
            undealt: Any = tuple(Undealt() for _ in deal.roles[roles:])
            seen = ByRole(zip((role.name for role in deal.roles), hands + undealt, strict=True))
            return place[first_line(names, outcomes_of_hands(a.resolved.terms.settlement, seen, options))]
        except LookedAt:
            return -1

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, bounds[-1], a.decks).astype(np.int64)
        for start, role, rank in zip(bounds, deal.roles, of_rank, strict=False):
            if role.only:
                cards = cards[rank[cards[:, start]]]
        counts = [0] * len(names)
        code = np.zeros(len(cards), dtype=np.int64)
        for depth, (start, stop) in enumerate(pairwise(bounds), 1):
            cards[:, start:stop] = np.sort(cards[:, start:stop], axis=1)
            for place in range(start, stop):
                code = code * 52 + cards[:, place]
            values, first, back, times = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
            outcomes = np.empty(len(values), dtype=np.int64)
            for i, value in enumerate(values.tolist()):
                if (depth, value) not in known:
                    known[depth, value] = settle(cards[first[i]].tolist(), depth)
                outcomes[i] = known[depth, value]
            for outcome in range(len(names)):
                counts[outcome] += int(times[outcomes == outcome].sum())
            unsettled = outcomes[back] < 0
            cards, code = cards[unsettled], code[unsettled]
            if not len(cards):
                break
        return counts

    return deal_rounds

