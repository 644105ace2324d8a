"""The wagers of one seat: what they pay for each result, and the meters that they feed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from ..analysis import wheels
from ..analysis.long_run import MeterFigures, is_reset_by
from ..analysis.model import Analysis
from ..base.errors import CountError, fault
from ..deals.table import deal_count
from ..games.outcome import Outcome
from ..rulebook.pays import NOT_STAKED
from ..wagers.wager_outcomes import deal_of


class DrawnEvents(NamedTuple):
    """The line of a wager's result, and for each addition drawn by the system whether it is paid."""

    line: str
    paid: tuple[tuple[str, bool], ...]


#: The result of a wager: the name of a line, or the net win per unit of a game with decisions.
End = str | Fraction | DrawnEvents
#: (meter, share, whether it is reset) in the order of payment.
Pays = tuple[tuple[int, Fraction, bool], ...]


@dataclass(frozen=True)
class SeatMeter:
    """A meter in dollars: what a seat adds in a round, and what it is reset to.

    ``pot`` goes to the next reset; if ``funded``, the pot is the reset after the first one. ``deducted`` is whether
    a share that is paid without a reset leaves the meter.
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
    """The effect of a joint result, with its conditional probability: fixed dollars, then pays from meters."""

    probability: Fraction
    fixed: Fraction
    pays: Pays
    #: Dollars won on the wagers under the seat's limit, without returned stakes.
    won: Fraction = Fraction(0)

    def cost(self, meters: Sequence[SeatMeter]) -> Fraction:
        """The fixed dollars and the resets that the operator funds."""
        return self.fixed + sum(
            (meters[m].reset for m, _, hit in self.pays if hit and not meters[m].funded), Fraction(0))


@dataclass(frozen=True)
class Limit:
    """A cap in dollars on the sum of what these wagers win on one hand, or on all spots of a seat in a round."""

    amount: Fraction
    wagers: tuple[int, ...]
    boxes: bool

    def over(self, won: Fraction) -> Fraction:
        """Return the part of the dollars won that is not paid."""
        return max(won - self.amount, Fraction(0))


@dataclass(frozen=True)
class Seat:
    """The wagers of a seat with their stakes in dollars per spot; all ``seats`` of the table make them."""

    wagers: tuple[Analysis, ...]
    stakes: tuple[Fraction, ...]
    seats: int
    #: Spots of the player of a seat; all wagers are made on each.
    boxes: int = 1
    limit: Limit | None = None

    @property
    def bets(self) -> list[Analysis]:
        """The wagers that are not games with decisions."""
        return [a for a in self.wagers if a.game is None]

    @property
    def game(self) -> Analysis | None:
        """The game among the wagers; raises `InputError` for two games."""
        games = [a for a in self.wagers if a.game is not None]
        if len(games) > 1:
            raise fault(f"{games[0].id} and {games[1].id} are games of two tables",
                        "simulate each in a plan of its own")
        return games[0] if games else None

    @property
    def meters(self) -> tuple[SeatMeter, ...]:
        """The meters of all wagers, in their order."""
        several = len(self.wagers) > 1
        return tuple(_meter(a, f, stake, several) for a, stake in zip(self.wagers, self.stakes, strict=True)
                     for f in meters_of(a))

    @property
    def win(self) -> Fraction:
        """The operator's exact mean win per spot and round in dollars, without the effect of a limit."""
        return sum((stake * _made(a) * (1 - self._returned(i))
                    for i, (a, stake) in enumerate(zip(self.wagers, self.stakes, strict=True))), Fraction(0))

    def _returned(self, i: int) -> Fraction:
        a = self.wagers[i]
        if self._limits(i):
            return Fraction(a.return_with(a.parameters))
        return Fraction(a.returned if a.progressive is None else a.progressive.long_run)

    def _limits(self, i: int) -> bool:
        return self.limit is not None and i in self.limit.wagers

    def ends(self, i: int) -> dict[End, Fraction]:
        """Return the results of a wager with their exact probabilities; a spin of the wheel is one result."""
        a = self.wagers[i]
        probability = _made(a)
        ends: dict[End, Fraction] = {NOT_STAKED: 1 - probability}
        for o in a.outcomes:
            ends[_end(a, o)] = ends.get(_end(a, o), Fraction(0)) + probability * o.probability
        return {end: p for end, p in ends.items() if p}

    def events(self, ends: Sequence[End]) -> list[Event]:
        """Return what is paid for these results of the wagers; several events if a wheel is spun."""
        events = []
        for ways in product(*(self.paid(i, end) for i, end in enumerate(ends))):
            chance, fixed, won, pays = Fraction(1), Fraction(0), Fraction(0), list[tuple[int, Fraction, bool]]()
            for i, (p, dollars, shares) in enumerate(ways):
                chance, fixed = chance * p, fixed + dollars
                pays += shares
                if self._limits(i) and dollars:  # a win under a limit has odds "to 1", so its stake is returned
                    won += dollars - self.stakes[i]
            if self.limit is not None and not self.limit.boxes:
                fixed -= self.limit.over(won)
            events.append(Event(chance, fixed, tuple(pays), won))
        return events

    def paid(self, i: int, end: End) -> list[tuple[Fraction, Fraction, Pays]]:
        """Return (probability, fixed dollars, pays of meters) for a result of a wager."""
        a, stake = self.wagers[i], self.stakes[i]
        first = sum(len(meters_of(before)) for before in self.wagers[:i])
        if isinstance(end, Fraction):
            return [(Fraction(1), stake * (1 + end), ())]
        line, drawn = end if isinstance(end, DrawnEvents) else (end, ())
        if line == NOT_STAKED:
            return [(Fraction(1), stake, ())]
        mine = [o for o in a.outcomes if _end(a, o) == line and o.probability]
        whole = sum((o.probability for o in mine), Fraction(0))
        if not mine:
            raise CountError(f"{a.id} ended in a way that has no deals: {line}")
        names = [f.meter.name for f in meters_of(a)]
        payments = []
        for o in mine:
            # A prize that the pay names and the plan sets is not a meter.
            shares = {n: share for n, share in o.pay.shares if n in names} if o.pay is not None else {}
            resets = [f.meter.name for f in meters_of(a) if is_reset_by(o, f.meter)]
            pays = tuple((first + names.index(n), shares.get(n, Fraction(0)), n in resets)
                         for n in dict.fromkeys([*shares, *resets]))
            for chance, beside in _beside(a, o, line in _spinning(a), dict(drawn)):
                fixed = stake * (_fixed(a, o, stake, shares, capped=not self._limits(i)) + beside)
                payments.append((o.probability / whole * chance, fixed, pays))
        return payments


def _made(a: Analysis) -> Fraction:
    """Return the probability that the wager can be made: its figures may be conditional."""
    deal = deal_of(a.resolved)
    if a.condition is None or deal is None or a.deals is None:
        return Fraction(1)
    size = a.shoe.size
    return Fraction(a.deals, deal_count(size, tuple(role.cards for role in deal.roles)))


def _fixed(a: Analysis, o: Outcome, stake: Fraction, shares: Iterable[str], *, capped: bool) -> Fraction:
    """Return what a line pays per unit staked without meters, under the wager's cap if ``capped``."""
    if o.pay is None:
        return Fraction(0)
    if a.cap is not None and capped:
        return Fraction(o.returned)
    values = {**a.parameters, "stake": stake, **dict.fromkeys(shares, Fraction(0))}
    return Fraction(o.pay.returned(values, prize_returns_stake=a.resolved.terms.stake_returned_with_prize))


def _beside(a: Analysis, o: Outcome, spins: bool, drawn: Mapping[str, bool]) -> list[tuple[Fraction, Fraction]]:
    """Return what is paid in addition to a line per unit staked, as (probability, amount): by draws, and to others."""
    draws: list[list[tuple[Fraction, Fraction]]] = []
    for x in a.additions:
        if x.name in drawn:
            draws.append([(Fraction(1), drawn[x.name] * x.returned)])
        elif not x.others:
            draws.append([(x.probability, x.returned), (1 - x.probability, Fraction(0))])
        elif x.kind == "envy" and x.hand == o.line:
            draws.append([(Fraction(1), x.times * x.returned)])
        elif spins and x.kind == "community":
            shown = wheels.community_symbols(a.resolved, dict(a.request.wheel), a.parameters)
            unit = x.times / Fraction(a.parameters["stake"] or 1)
            silent = 1 - sum((chance for chance, _ in shown), Fraction(0))
            draws.append([(chance, dollars * unit) for chance, dollars in shown] + [(silent, Fraction(0))] if shown
                         else [(Fraction(1), x.times * x.returned)])
    return [(prod((p for p, _ in ways), start=Fraction(1)), sum((pay for _, pay in ways), Fraction(0)))
            for ways in product(*draws) if all(p for p, _ in ways)]


def meters_of(a: Analysis) -> tuple[MeterFigures, ...]:
    """Return the figures of the meters that a wager feeds."""
    return a.progressive.meters if a.progressive is not None else ()


def _spinning(a: Analysis) -> list[str]:
    return [name for name, pay in a.resolved.payments if pay.spin]


def _end(a: Analysis, o: Outcome) -> End:
    """Return the line of an outcome; a symbol of the wheel belongs to the line that spins it."""
    if a.game is not None:
        return Fraction(o.returned) - 1
    return o.line or o.outcome


def _meter(a: Analysis, f: MeterFigures, stake: Fraction, several: bool) -> SeatMeter:
    name = f"{a.id}: {f.meter.name}" if several else f.meter.name
    start = f.reset if f.value is None else f.value
    return SeatMeter(name, start, f.reset, f.rate * stake, f.secondary * stake, f.meter.seed == "contributions",
                 a.resolved.terms.meter_options.share_deducted == "yes", f.hit)
