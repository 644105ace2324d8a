"""The joint law of the wagers that a seat makes on one deal, and the meters that it feeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from ..analysis.engine import analyze
from ..analysis.meters import MeterFigures, is_hit_by
from ..analysis.model import Analysis
from ..analysis.settle import outcome_of_rows, table_of
from ..base.errors import CountError, InputError, fault
from ..base.exact import is_number
from ..deals.cards import Shoe
from ..deals.dealt import SevenCards
from ..rulebook import parameters
from ..rulebook.book import Rulebook, shipped
from ..wagers.stated import deal_of
from .plan import Plan


@dataclass(frozen=True)
class Meter:
    """A meter in dollars: what a seat adds in a round, and what it is reset to.

    ``pot`` goes to the next reset; ``funded`` says that the pot is the reset after the first one.
    ``deducted`` says whether a share that is paid without a reset leaves the meter.
    """

    name: str
    start: Fraction
    reset: Fraction
    step: Fraction
    pot: Fraction
    funded: bool
    deducted: bool
    hit: Fraction


@dataclass(frozen=True)
class Event:
    """What one joint outcome does: fixed dollars, and (meter, share, whether it is reset) in the order of payment."""

    probability: Fraction
    fixed: Fraction
    pays: tuple[tuple[int, Fraction, bool], ...]


@dataclass(frozen=True)
class Law:
    """The law of a seat's round, dollars: ``win`` is the operator's exact mean win."""

    stake: Fraction
    events: tuple[Event, ...]
    meters: tuple[Meter, ...]
    win: Fraction
    #: The variance of the fixed dollars that a seat is paid.
    variance: Fraction


def law_of(plan: Plan, book: Rulebook | None = None) -> Law:
    """The joint law of the plan's wagers; `InputError` where something about them is open."""
    found = [_analysed(plan, number, book) for number in range(len(plan.wagers))]
    meters: list[Meter] = []
    where: dict[tuple[int, str], int] = {}
    for i, (a, w) in enumerate(zip(found, plan.wagers, strict=True)):
        for f in a.progressive.meters if a.progressive is not None else ():
            where[i, f.meter.name] = len(meters)
            meters.append(_meter(a, f, w.stake, len(found) > 1))
    rows = _joint(found)
    merged: Counter[tuple[Fraction, tuple[tuple[int, Fraction, bool], ...]]] = Counter()
    for names, count in rows.items():
        fixed, pays = Fraction(0), []
        for i, (a, name) in enumerate(zip(found, names, strict=True)):
            o = next(o for o in a.outcomes if o.outcome == name)
            stake = plan.wagers[i].stake
            shares = o.pay.shares if o.pay is not None else ()
            if a.game is not None:  # best play; the amount is the net result and one stake
                fixed += stake * o.returned
            elif o.pay is not None:
                fixed += stake * o.pay.returned(
                    {**a.parameters, "stake": stake, **{n: Fraction(0) for n, _ in shares}},
                    prize_returns_stake=a.resolved.terms.stake_returned_with_prize,
                )
            resets = [f.meter.name for f in a.progressive.meters if is_hit_by(name, f.meter)] if a.progressive else []
            paid = dict(shares)
            for n in dict.fromkeys([*paid, *resets]):
                pays.append((where[i, n], paid.get(n, Fraction(0)), n in resets))
        merged[fixed, tuple(pays)] += count
    total = sum(merged.values())
    if any(total != a.deals for a in found if a.deals is not None):
        raise CountError("the joint outcomes of the plan do not partition the deals")
    events = tuple(Event(Fraction(n, total), fixed, pays) for (fixed, pays), n in merged.items())
    stake = sum((w.stake for w in plan.wagers), Fraction(0))
    mean = sum((e.probability * e.fixed for e in events), Fraction(0))
    square = sum((e.probability * e.fixed**2 for e in events), Fraction(0))
    win = sum((w.stake * (1 - (a.returned if a.progressive is None else a.progressive.long_run))
               for a, w in zip(found, plan.wagers, strict=True)), Fraction(0))
    return Law(stake, events, tuple(meters), win, square - mean**2)


def _analysed(plan: Plan, number: int, book: Rulebook | None) -> Analysis:
    """The analysis of one wager of the plan; its faults name the plan and the wager."""
    w = plan.wagers[number]
    try:
        a = analyze(w.id, decks=w.decks, set=_with_stake(w.set, w.stake, w.id, book), reading=w.reading,
                    wheel=dict(w.wheel) or None, book=book)
        _check(a)
    except InputError as error:
        place = f"wager {number + 1}"
        raise InputError(*(
            replace(f, file=plan.file, place=f"{place} {f.place}".strip()) for f in error.faults)) from None
    return a


def _with_stake(
    chosen: Mapping[str, str], stake: Fraction, identifier: str, book: Rulebook | None
) -> Mapping[str, str]:
    resolved = (book or shipped()).resolve(identifier)
    return {**chosen, "stake": str(stake)} if "stake" in parameters.names(resolved) else chosen


def _check(a: Analysis) -> None:
    if not a.has_stake:
        raise fault(f"{a.id} is a promotion without a stake", "simulate wagers")
    if a.game is not None and (a.game.spread is not None or any(len(o.law) > 1 for o in a.outcomes)):
        raise fault(f"the ways that a round of {a.id} ends have no exact law of amounts",
                    "simulate side bets, progressives, and the base games of High Card Flush and Chase the Flush")
    if (a.parameters.get(parameters.BOXES) or 1) != 1:
        raise fault(f"{a.id}: one player's boxes share a dealer, and a seat of a plan has one box",
                    "leave boxes out, or give more seats")
    if a.additions or a.cap is not None:
        raise fault(f"{a.id} pays beside its lines or under a cap",
                    "leave out other_players and cap, or take another wager")
    if a.wheel is not None and not a.wheel.weights:
        raise fault(f"{a.id} spins a wheel", 'give its weights in the plan: wheel = { "$50 symbol" = 3 }')
    named = {f.meter.name for f in a.progressive.meters} if a.progressive is not None else set()
    if left := [n for n in a.unknowns if n not in named]:
        raise fault(f"{a.id} is open in {left[0]}", f'set it in the plan: set = {{ {left[0]} = "..." }}')
    for f in a.progressive.meters if a.progressive is not None else ():
        for name, value in ((f.meter.rate_name, f.rate), (f.meter.reset_name, f.reset)):
            if not is_number(value):
                raise fault(f"{a.id} is open in {name}", f'set it in the plan: set = {{ {name} = "..." }}')


def _meter(a: Analysis, f: MeterFigures, stake: Fraction, several: bool) -> Meter:
    name = f"{a.id}: {f.meter.name}" if several else f.meter.name
    start = f.reset if f.value is None else f.value
    return Meter(name, start, f.reset, f.rate * stake, f.secondary * stake, f.meter.seed == "contributions",
                 a.resolved.terms.meter_options.share_deducted == "yes", f.hit)


def _joint(found: list[Analysis]) -> Counter[tuple[str, ...]]:
    """The number of deals by the outcomes of all wagers."""
    if len(found) == 1:
        [a] = found
        if a.deals is None:
            whole = lcm(*(o.probability.denominator for o in a.outcomes))
            return Counter({(o.outcome,): int(o.probability * whole) for o in a.outcomes if o.probability})
        return Counter({(o.outcome,): o.combinations for o in a.outcomes if o.combinations})
    other = next((a for a in found if not isinstance(deal_of(a.resolved), SevenCards)), None)
    if other is not None:
        raise fault(f"{other.id} is not settled on seven cards of one deck", "several wagers of one plan share such a "
                    "deal; simulate other wagers in plans of their own")
    shoe = Shoe(1)
    table = table_of(found[0].book, found[0].resolved, shoe, dict(found[0].parameters))
    labels = [outcome_of_rows(table, a.resolved) for a in found]
    counts: Counter[tuple[str, ...]] = Counter()
    for names, weight in zip(zip(*labels, strict=True), table.weights.tolist(), strict=True):
        counts[names] += int(weight)
    for i, a in enumerate(found):
        for o in a.outcomes:
            if sum(n for names, n in counts.items() if names[i] == o.outcome) != o.combinations:
                raise CountError(f"the joint law of the plan does not give the combinations of {a.id}")
    return counts


__all__ = ["Event", "Law", "Meter", "law_of"]
