"""The exact distribution of a round with bonuses that the table's system draws: a magic card, a lucky player.

In a share of the rounds the system draws one of the 52 cards or 13 ranks, uniformly, and independently of the cards
dealt and of other draws. Two different first cards match a draw twice as often as two equal cards. The bonus depends on
the lines only through that, so only the rounds of each line that begin with two equal cards are counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ..base.errors import CountError
from ..base.exact import is_number, percent
from ..deals.deal_kinds import PlayedByChart
from ..deals.dealer_draws import VALUES
from ..rulebook.parameters import extras
from ..rulebook.pays import LOSS
from ..rulebook.terms import Way
from ..wagers.wager_outcomes import deal_of
from .additions import Addition
from .draw_methods import WAYS, alike
from .record import AnalysisRecord
from .settle import settle

#: How a bonus is drawn, for a remark.
WORDS: dict[Way, str] = {"by-card": "one of the 52 cards", "by-rank": "one of the 13 ranks",
                         "by-position": "one of the positions"}


class _Part(NamedTuple):
    """Rounds that return the same amount: their probability, and that of those whose first two cards are equal."""

    amount: Fraction
    every: Fraction
    alike: Fraction


def ways_of(a: AnalysisRecord) -> Iterator[tuple[Addition, Way | None]]:
    """Yield the additions that the system draws, each with its method: the one set, or the first of the rules."""
    frequencies = {name: frequency for name, _, frequency in extras(a.resolved)}
    for x in a.additions:
        if x.name in frequencies:
            ways = a.resolved.unknowns[frequencies[x.name]].ways
            named = a.request.set.get(frequencies[x.name], "")
            yield x, next((way for way in ways if way == named), ways[0] if ways else None)


def most_often(a: AnalysisRecord, way: Way) -> Fraction:
    """Return the hit frequency of an addition drawn every round."""
    return WAYS[way](a.shoe, a.resolved)


def too_often(a: AnalysisRecord, x: Addition, way: Way | None) -> Fraction | None:
    """Return the hit frequency of a draw every round if the addition is paid more often. Returns None otherwise."""
    if way is None or way == "by-position" or not is_number(x.probability):
        return None
    most = most_often(a, way)
    return most if x.probability > most else None


def remark(a: AnalysisRecord) -> tuple[str, str] | None:
    """Return the assumption on draws of given frequency, as a name and a text. Returns None without one."""
    draws, faults = [], []
    for x, way in ways_of(a):
        if way is None or not is_number(x.probability):
            continue
        draws.append(f"{x.name}: {WORDS[way]}")
        most = too_often(a, x, way)
        if most is not None:
            faults.append(f"a draw in every round gives the {x.name} with probability {most}, so it cannot have "
                          f"{x.probability}: the variance is not computed")
        elif way != "by-position":
            part = x.probability / most_often(a, way)
            draws[-1] += " in every round" if part == 1 else f" in {percent(part)} of the rounds"
    drawn = f"{', '.join(draws)}; uniform, independent of the cards dealt and of other draws"
    return ("system draws", "; ".join([drawn, *faults])) if draws else None


def distribution(a: AnalysisRecord) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """Return (amount returned per unit staked, probability), additions included. Returns None if it is unknown."""
    drawn = list(ways_of(a))
    if len(drawn) < len(a.additions) or a.cap is not None:
        return None
    cards = {way for _, way in drawn} - {"by-position"}
    if None in cards or len(cards) > 1 or any(too_often(a, x, how) is not None for x, how in drawn):
        return None
    numbers = [n for x, _ in drawn for n in (x.probability, x.returned)]
    if not all(map(is_number, numbers)) or any(o.spins or o.parts or not is_number(o.returned) for o in a.outcomes):
        return None
    way = next(iter(cards), None)
    pairs = {} if way is None else _begun_alike(a, way)
    if pairs is None:
        return None
    together = Fraction(0) if way is None else alike(a.shoe, way)
    parts = [_Part(o.returned, o.probability, pairs.get(o.outcome, Fraction(0))) for o in a.outcomes]
    for x, how in drawn:
        parts = [part for before in parts for part in _with(before, x, how, together)]
    probabilities: dict[Fraction, Fraction] = defaultdict(Fraction)
    for amount, every, _ in parts:
        probabilities[amount] += every
    if sum(probabilities.values()) != 1 or sum(amount * p for amount, p in probabilities.items()) != a.returned:
        raise CountError(f"the distribution of {a.id} with its additions does not give its return")
    return tuple((amount, p) for amount, p in probabilities.items() if p)


def _with(part: _Part, x: Addition, way: Way | None, together: Fraction) -> tuple[_Part, _Part]:
    """Return the rounds with the addition, and those without; ``together`` is the probability of two equal cards."""
    two = one = x.probability
    if way != "by-position":
        one /= 2 - together
        two = 2 * one
    won = _Part(part.amount + x.returned, (part.every - part.alike) * two + part.alike * one, part.alike * one)
    return won, _Part(part.amount, part.every - won.every, part.alike - won.alike)


def _begun_alike(a: AnalysisRecord, way: Way) -> dict[str, Fraction] | None:
    """Return the probability of each outcome in rounds that begin with two equal cards. Returns None for another deal.

    Play depends only on values: two first cards of one value are equal as often as any two of that value in the shoe.
    Returns None as well if a line pays without a player's 20, since only beginnings of a 20 are counted.
    """
    deal, shoe = deal_of(a.resolved, a.request.chart), a.shoe
    if not isinstance(deal, PlayedByChart):
        return None
    probabilities: dict[str, Fraction] = defaultdict(Fraction)
    for value in VALUES:
        share = alike(shoe, way, value)
        if share:
            table = deal.begun_with(value).table(shoe)
            for outcome, _, rows in settle(table, a.resolved)[0]:
                if (table["player_twenty"][rows] == 0).any():
                    return None
                probabilities[outcome] += share * Fraction(table.count(rows), table.deals)
    probabilities[LOSS] = alike(shoe, way) - sum(probabilities.values())
    return probabilities
