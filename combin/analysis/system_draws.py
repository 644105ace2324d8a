"""The exact law of a round with bonuses that the table's system draws: a magic card, a lucky player.

In a share of the rounds the system draws one of the 52 cards or 13 ranks. Each is as likely, apart from the cards dealt
and from other draws. Two different first cards are met twice as often as two that are alike. The bonus depends on the
lines through that alone. So the rounds of each line that begin with two cards alike are counted, and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ..base.errors import CountError
from ..base.exact import is_number, percent
from ..deals.cards import Shoe
from ..deals.deal_kinds import PlayedByChart
from ..deals.dealer_draws import VALUES
from ..rulebook.parameters import extras
from ..rulebook.pays import LOSS
from ..rulebook.terms import Way
from ..wagers.wager_outcomes import deal_of
from .additions import Addition
from .draw_chances import WAYS, alike
from .record import AnalysisRecord
from .settle import settle

#: What a remark says of the way in which a bonus is drawn.
WORDS: dict[Way, str] = {"by-card": "one of the 52 cards", "by-rank": "one of the 13 ranks",
                         "by-position": "one of the positions"}


class _Part(NamedTuple):
    """Rounds that return the same amount: their probability, and that of those whose first two cards are alike."""

    amount: Fraction
    every: Fraction
    alike: Fraction


def ways_of(a: AnalysisRecord) -> Iterator[tuple[Addition, Way | None]]:
    """The additions that the system draws, each with the way named for it, otherwise the first one of the rules."""
    frequencies = {name: frequency for name, _, frequency in extras(a.resolved)}
    for x in a.additions:
        if x.name in frequencies:
            ways = a.resolved.unknowns[frequencies[x.name]].ways
            named = a.request.set.get(frequencies[x.name], "")
            yield x, next((way for way in ways if way == named), ways[0] if ways else None)


def most_often(a: AnalysisRecord, way: Way) -> Fraction:
    """How often a player is paid an addition that is drawn so in every round."""
    return WAYS[way](_shoe(a), a.resolved)


def too_often(a: AnalysisRecord, x: Addition, way: Way | None) -> Fraction | None:
    """How often a card that is drawn in every round is met, where the addition is paid more often; else None."""
    if way is None or way == "by-position" or not is_number(x.probability):
        return None
    most = most_often(a, way)
    return most if x.probability > most else None


def remark(a: AnalysisRecord) -> tuple[str, str] | None:
    """The law of the draws whose frequency is given, as a name and a text; None without one."""
    said, faults = [], []
    for x, way in ways_of(a):
        if way is None or not is_number(x.probability):
            continue
        said.append(f"{x.name}: {WORDS[way]}")
        most = too_often(a, x, way)
        if most is not None:
            faults.append(f"a draw in every round gives the {x.name} with {most}, and no law gives it with "
                          f"{x.probability}: the variance stays open")
        elif way != "by-position":
            part = x.probability / most_often(a, way)
            said[-1] += " in every round" if part == 1 else f" in {percent(part)} of the rounds"
    drawn = f"{', '.join(said)}; each alike, apart from the cards dealt and from other draws"
    return ("system draws", "; ".join([drawn, *faults])) if said else None


def law(a: AnalysisRecord) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """(amount returned per unit staked, probability), the additions included; None where no law is known here."""
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
    together = Fraction(0) if way is None else alike(_shoe(a), way)
    parts = [_Part(o.returned, o.probability, pairs.get(o.outcome, Fraction(0))) for o in a.outcomes]
    for x, how in drawn:
        parts = [part for before in parts for part in _with(before, x, how, together)]
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for amount, every, _ in parts:
        found[amount] += every
    if sum(found.values()) != 1 or sum(amount * p for amount, p in found.items()) != a.returned:
        raise CountError(f"the law of {a.id} with its additions does not give its return")
    return tuple((amount, p) for amount, p in found.items() if p)


def _shoe(a: AnalysisRecord) -> Shoe:
    return Shoe(a.request.decks, a.request.without)


def _with(part: _Part, x: Addition, way: Way | None, together: Fraction) -> tuple[_Part, _Part]:
    """The rounds that have the addition, and those that have not; ``together``: how often two cards are alike."""
    two = one = x.probability
    if way != "by-position":
        one /= 2 - together
        two = 2 * one
    won = _Part(part.amount + x.returned, (part.every - part.alike) * two + part.alike * one, part.alike * one)
    return won, _Part(part.amount, part.every - won.every, part.alike - won.alike)


def _begun_alike(a: AnalysisRecord, way: Way) -> dict[str, Fraction] | None:
    """The probability of each outcome in rounds that begin with two cards alike; None for another deal.

    Play sees values alone: two first cards of one value are alike as often as any two of that value in the shoe.
    None too where a line pays without a player's 20, the only hand of which the beginning is counted.
    """
    deal, shoe = deal_of(a.resolved, a.request.chart), _shoe(a)
    if not isinstance(deal, PlayedByChart):
        return None
    found: dict[str, Fraction] = defaultdict(Fraction)
    for value in VALUES:
        share = alike(shoe, way, value)
        if share:
            table = deal.begun_with(value).table(shoe)
            for outcome, _, rows in settle(table, a.resolved)[0]:
                if (table["player_twenty"][rows] == 0).any():
                    return None
                found[outcome] += share * Fraction(table.count(rows), table.deals)
    found[LOSS] = alike(shoe, way) - sum(found.values())
    return found


__all__ = ["law", "most_often", "remark", "ways_of"]
