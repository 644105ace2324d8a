"""For each line of a wager a deal that wins it, and the nearest known deal that misses it.

Deals are sampled as by the independent method, and settled from named cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ..analysis.model import Analysis
from ..base.exact import is_number
from ..deals.deal_kinds import FirstCards
from ..deals.first_cards import Deal
from ..deals.lenses import Role
from ..rulebook.pays import LOSS
from ..wagers.wager_outcomes import deal_of, is_stated
from . import strata
from .conditions import lines_of, named, settler
from .shoe import NAMES

#: Number of deals sampled from each stratum, and maximum size of a stratum that is enumerated.
DRAWN, MOST = 30, 8_000
#: Number of deals sampled from a few ranks and suits, for lines without a deal so far.
FROM_FEW = 20_000
SEED = 1


@dataclass(frozen=True)
class Example:
    """A deal that wins a line, role by role, and one with a card replaced that another line settles.

    ``misses`` is empty if every replacement of one card wins the line as well.
    """

    outcome: str
    wins: tuple[tuple[str, str], ...]
    misses: tuple[tuple[str, str], ...] = ()
    settled_as: str = ""


def examples(a: Analysis) -> tuple[Example, ...]:
    """Return the examples of a wager that states conditions on dealt cards; empty for other wagers.

    A line without a known deal has no example.
    """
    dealt = deal_of(a.resolved)
    if not isinstance(dealt, FirstCards) or not is_stated(a.resolved.terms) or a.request.without:
        return ()
    roles = Deal(a.resolved.terms.deal).roles
    settle = settler(lines_of(a.resolved))

    def settled(deal: Sequence[int]) -> str:
        hands = named(deal, roles)
        return settle(hands) if hands else ""

    wanted = [o.outcome for o in a.outcomes if o.outcome != LOSS and is_number(o.probability) and o.probability]
    deals: dict[str, list[int]] = {}
    for deal in _searched([role.cards for role in roles], a.decks):
        deals.setdefault(settled(deal), list(deal))
        if all(line in deals for line in wanted):
            break
    return tuple(_example(line, deals[line], roles, a.decks, settled) for line in wanted if line in deals)


def _searched(roles: Sequence[int], decks: int) -> Iterator[list[int]]:
    """Yield deals of every stratum of both divisions, a few of each; then all deals of the strata that have few."""
    cards = sum(roles)
    random = np.random.Generator(np.random.PCG64(SEED))
    kinds = [(blocks, sizes) for blocks in strata.DIVISIONS.values()
             for sizes in strata.partitions(cards, len(blocks), min(cards, len(blocks[0]) * decks))]
    for blocks, sizes in kinds:
        yield from strata.drawn(blocks, sizes, decks, DRAWN, random).tolist()
    for blocks, sizes in kinds:
        if strata.deals_of(blocks, sizes, decks, roles) <= MOST:
            yield from strata.every(blocks, sizes, decks, roles)[0]
    suits, ranks = (strata.DIVISIONS[name] for name in ("suits", "ranks"))
    chance, copies = Random(SEED), min(decks, cards)
    for turn in range(FROM_FEW):
        number = 1 + int(5 * chance.random())
        first = int((len(ranks) - number + 1) * chance.random())
        chosen = range(first, first + number) if turn % 2 else _some(chance, range(len(ranks)), min(number, 3))
        colours = _some(chance, range(len(suits)), 1 + int(2 * chance.random()))
        pool = [card for rank in chosen for card in ranks[rank] if any(card in suits[i] for i in colours)] * copies
        if len(pool) >= cards:
            yield _some(chance, pool, cards)


def _some(chance: Random, items: Sequence[int], number: int) -> list[int]:
    """Return ``number`` random items; only ``random`` of Python's generator is the same in every version."""
    left, chosen = list(items), []
    for _ in range(number):
        chosen.append(left.pop(int(len(left) * chance.random())))
    return chosen


def _example(
    line: str, deal: list[int], roles: Sequence[Role], decks: int, settled: Callable[[Sequence[int]], str]
) -> Example:
    """Return the example of a line, missed by the replacement of one card that is nearest in rank and suit."""
    nearest: tuple[tuple[int, int, int], list[int], str] | None = None
    for place in range(len(deal)):
        for card in range(len(NAMES)):
            other = [*deal[:place], card, *deal[place + 1:]]
            if card == deal[place] or other.count(card) > decks:
                continue
            away = (_apart(deal[place], card), place, card)
            if (nearest is None or away < nearest[0]) and (now := settled(other)) not in ("", line):
                nearest = away, other, now
    if nearest is None:
        return Example(line, _shown(deal, roles))
    return Example(line, _shown(deal, roles), _shown(nearest[1], roles), "" if nearest[2] == LOSS else nearest[2])


def _apart(one: int, other: int) -> int:
    """Return the distance of two cards: that of their ranks, plus one for different suits."""
    order = "23456789TJQKA"
    a, b = NAMES[one], NAMES[other]
    return abs(order.index(a[0]) - order.index(b[0])) + (a[1] != b[1])


def _shown(deal: Sequence[int], roles: Sequence[Role]) -> tuple[tuple[str, str], ...]:
    """Return the cards of each role as they are dealt, joined roles separately."""
    shown, start = [], 0
    for role in roles:
        for name, cards in role.parts or ((role.name, role.cards),):
            hand = sorted(deal[start:start + cards], key=lambda c: ("AKQJT98765432".index(NAMES[c][0]), NAMES[c][1]))
            shown.append((name, " ".join(NAMES[c] for c in hand)))
            start += cards
    return tuple(shown)
