"""The exact joint distribution of a seat's wagers on one deal, or the table that deals their rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..base.errors import InputError, fault
from ..base.exact import is_number
from ..progressives.winners import winners
from ..rulebook import parameters
from ..rulebook.book import Rulebook
from ..userfiles.collected import collect
from . import cards, joint
from .plan import FROM_CARDS, Plan
from .seat import Event, Limit, Pays, Seat, SeatMeter, meters_of


@dataclass(frozen=True)
class SeatDistribution:
    """The distribution of a seat's round in dollars; ``win`` is the operator's exact mean win.

    ``win`` is None if it is not computed under a limit. If rounds are dealt, ``dealing`` deals them; there are no
    events then, and the variance is not computed.
    """

    stake: Fraction
    events: tuple[Event, ...]
    meters: tuple[SeatMeter, ...]
    win: Fraction | None
    #: The variance of the fixed dollars that a seat is paid.
    variance: Fraction | None
    dealing: cards.Dealing | None = None

    @property
    def boxes(self) -> int:
        """Spots of each seat; stake, win and hits are those of one spot."""
        return 1 if self.dealing is None else self.dealing.seat.boxes

    @cached_property
    def both(self) -> tuple[Fraction | None, ...]:
        """By meter, the probability that two spots of a dealt round both hit it; None if unknown."""
        probabilities = []
        for a in () if self.dealing is None else self.dealing.seat.wagers:
            for f in meters_of(a):
                two = winners(a, f.meter, 2)
                probabilities.append(None if two is None else two.several)
        return tuple(probabilities)


def distribution_of(plan: Plan) -> SeatDistribution:
    """Return the joint distribution of the plan's wagers. Raises `InputError` if an unknown has no value."""
    book, _ = collect(plan.files)
    analyses = tuple(_analysed(plan, number, book) for number in range(len(plan.wagers)))
    stakes = tuple(w.stake for w in plan.wagers)
    stake = sum(stakes, Fraction(0))
    try:
        seat = Seat(analyses, stakes, plan.seats, _boxes(analyses))
        _check_together(seat)
        seat = cards.under_play(replace(seat, limit=_limit(seat)))
        if plan.deals == "cards":
            return SeatDistribution(stake, (), seat.meters, _win(seat), None, cards.dealing(seat))
        counts = joint.joint(seat)
    except InputError as error:
        raise InputError(*(replace(f, file=plan.file, place="wager") for f in error.faults)) from None
    merged: dict[tuple[Fraction, Pays], Fraction] = {}
    for ends, weight in counts.items():
        for event in seat.events(ends):
            key = event.fixed, event.pays
            merged[key] = merged.get(key, Fraction(0)) + weight * event.probability
    total = sum(merged.values(), Fraction(0))
    events = tuple(Event(n / total, fixed, pays) for (fixed, pays), n in merged.items())
    mean = sum((e.probability * e.fixed for e in events), Fraction(0))
    square = sum((e.probability * e.fixed**2 for e in events), Fraction(0))
    return SeatDistribution(stake, events, seat.meters, _win(seat), square - mean**2)


def _win(seat: Seat) -> Fraction | None:
    """Return the mean win under a limit, from the joint distribution of its wagers. None if that is not counted."""
    if seat.limit is None:
        return seat.win
    if seat.limit.boxes:
        return None
    under = seat.limit.wagers
    limit = replace(seat.limit, wagers=tuple(range(len(under))))
    alone = Seat(tuple(seat.wagers[i] for i in under), tuple(seat.stakes[i] for i in under), seat.seats, limit=limit)
    try:
        counts = joint.joint(alone)
    except InputError:
        return None
    taken = sum((n * e.probability * limit.over(e.won) for ends, n in counts.items()
                 for e in alone.events(ends)), Fraction(0))
    return seat.win + taken / sum(counts.values())


def _analysed(plan: Plan, number: int, book: Rulebook) -> Analysis:
    """Return the analysis of a wager of the plan; its faults name the plan and the wager."""
    w = plan.wagers[number]
    try:
        has_stake = "stake" in parameters.names(book.resolve(w.id))
        chosen = {**w.set, "stake": str(w.stake)} if has_stake else w.set
        a = analyze(w.id, decks=w.decks, set=chosen, reading=w.reading,
                    wheel=dict(w.wheel) or None, book=book)
        _check(a, plan)
    except InputError as error:
        place = f"wager {number + 1}"
        raise InputError(*(
            replace(f, file=plan.file, place=f"{place} {f.place}".strip()) for f in error.faults)) from None
    return a


def _boxes(analyses: Sequence[Analysis]) -> int:
    """Return the spots of each seat; a wager without that setting is made on every spot."""
    several = {a.parameters.get(parameters.BOXES) or 1 for a in analyses
               if parameters.BOXES in parameters.names(a.resolved)}
    if len(several) > 1:
        raise fault("the wagers of a seat are on different numbers of boxes",
                    'give each the same: set = { boxes = "2" }')
    return int(several.pop()) if several else 1


def _check_together(seat: Seat) -> None:
    """Raise `InputError` for what the wagers or spots of a seat share and a plan cannot state."""
    for i, a in enumerate(seat.wagers):
        if any(a.id == other.id for other in seat.wagers[:i]):
            raise fault(f"{a.id} is in the plan twice", "write it once with the sum of the stakes, or give more seats")
        if seat.boxes > 1 and any(x.others for x in a.additions):
            raise fault(f"{a.id}: whether one box is paid for another box of its player is stated nowhere",
                        "leave out boxes, or other_players")


def _limit(seat: Seat) -> Limit | None:
    """Return the cap that several wagers or boxes of a seat share. None if none is shared."""
    cap = next((a.cap for a in seat.wagers if a.cap is not None), None)
    if cap is None:
        return None
    under = [i for i, a in enumerate(seat.wagers) if any(c.clause == cap.clause for c in a.resolved.caps)]
    boxes = seat.boxes > 1 and cap.basis == "round"
    if len(under) == 1 and not boxes:
        return None
    names = " and ".join(seat.wagers[i].id for i in under)
    what = f"{names} have one cap together ({cap.clause})" if len(under) > 1 else f"the boxes of {names} have one cap"
    if cap.outcomes or cap.shared or any(seat.wagers[i].game is not None for i in under):
        raise fault(what, "leave out cap, or simulate each in a plan of its own")
    if any(a.cap is None or a.cap.amount != cap.amount for a in (seat.wagers[i] for i in under)):
        raise fault(what, f'give each set = {{ cap = "{cap.amount}" }}')
    return Limit(cap.amount, tuple(under), boxes)


def _check(a: Analysis, plan: Plan) -> None:
    allowed = a.resolved.stated_seats
    if allowed is not None and plan.seats > allowed:
        raise fault(f"a table of {a.id} has at most {allowed} seats, not {plan.seats}", "write more tables in [bank]")
    if not a.has_stake:
        raise fault(f"{a.id} is a promotion without a stake",
                    f"leave it out; what it costs a round: combin analyze {a.id}")
    if plan.deals == "law" and a.game is not None and a.game.spread is not None:
        raise fault(f"a round of {a.id} has no exact distribution of amounts", FROM_CARDS)
    if any(len(o.distribution) > 1 for o in a.outcomes):
        raise fault(f"winners of one round share a pay of {a.id}", "leave other_players out")
    if a.condition is not None and a.progressive is not None:
        raise fault(f"{a.id} feeds a meter only where the {a.condition}",
                    "simulate a wager that is made in every round")
    if plan.deals == "law" and _boxes([a]) != 1:
        raise fault(f"{a.id}: the boxes of one player share a dealer and a deck", FROM_CARDS)
    if plan.deals == "cards" and a.parameters.get(parameters.RED_SIDE) is not None:
        raise fault(f"{a.id}: rounds are dealt from one shoe, not from a double one",
                    'write deals = "law" in [bank], or leave red_side_share out')
    for x in a.additions:
        if x.others and x.times != plan.seats - 1:
            raise fault(f"{a.id} has {x.times} other players, and the table {plan.seats} seats",
                        f'write other_players = "{plan.seats - 1}", or leave it out')
    if a.wheel is not None and not a.wheel.weights:
        raise fault(f"{a.id} spins a wheel", 'give its weights in the plan: wheel = { "$50 symbol" = 3 }')
    if a.game is None and a.resolved.terms.depends_on_play and a.parameters.get("ante") is not None:
        raise fault(f"{a.id}: a plan uses the best play of the base game", "omit ante")
    if a.progressive is not None and a.resolved.terms.meter_options.winners == "split":
        raise fault(f"several winners of {a.id} split the meter, and a bank pays them in turn",
                    'take a wager whose winners are paid "in-turn"')
    named = {f.meter.name for f in meters_of(a)}
    if left := [n for n in a.unknowns if n not in named]:
        raise fault(f"{a.id} depends on the unknown {left[0]}", f'set it in the plan: set = {{ {left[0]} = "..." }}')
    for f in meters_of(a):
        for name, value in ((f.meter.rate_name, f.rate), (f.meter.reset_name, f.reset)):
            if not is_number(value):
                raise fault(f"{a.id} depends on the unknown {name}", f'set it in the plan: set = {{ {name} = "..." }}')


__all__ = ["Event", "SeatDistribution", "SeatMeter", "distribution_of"]
