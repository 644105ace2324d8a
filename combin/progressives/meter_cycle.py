"""Meter cycles: the meter at a hit, and its value to a player who always bets, or who bets only above a threshold.

The rule data state how several winners of a round are paid (`MeterOptions.winners`). In turn: the first is paid the
whole meter, the next from the reset, and the seats are equally likely to be first. Or the winners of the whole meter
split it. Money is conserved: a round pays what the meter loses, and each reset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache

from ..analysis import long_run
from ..analysis.model import Analysis
from ..analysis.solving import without_long_run
from ..base.errors import fault
from ..base.exact import Exact, is_number, value_of
from ..base.exact import decks as decks_in_words
from ..games import must_hit
from ..rulebook.parameters import settings
from . import winners
from .distribution import SHARES, MeterDistribution, Move
from .must_hit import must_hit_from_on
from .threshold_play import Player, player

MOST_SEATS = 10_000
OTHERS = "other_players"


@dataclass(frozen=True)
class MeterCycle:
    """A meter over time; ``always`` is the return to a player who bets every round, other meters at their mean.

    ``table`` has (meter, return of a seat, P(the meter reaches it)) at the reset, at quantiles, and at break-even.
    """

    distribution: MeterDistribution
    always: Exact
    break_even: Fraction | None
    passes: Decimal | None
    player: Player | None
    table: tuple[tuple[Fraction, Exact, Decimal | None], ...]


def meter_cycles(a: Analysis, *, seats: int = 1, threshold: Fraction | None = None) -> tuple[MeterCycle, ...]:
    """Return the meter cycles of an analysis. Raises `InputError` if it has no meter, or if a rate is not set."""
    if not 1 <= seats <= MOST_SEATS:
        raise fault(f"the number of seats cannot be {seats}", f"give 1 to {MOST_SEATS:,}", file="--seats")
    if must_hit.is_one(a.resolved):
        return (_must_hit(a, seats, threshold),)
    winners.check_seats(a, seats)
    given = a.parameters.get(OTHERS) if OTHERS in a.request.set else None
    if given is None:
        a = at_table(a, seats) if seats > 1 else a
    elif seats > 1 and given != seats - 1 and _pays_others(a):
        raise fault(f"{seats} seats are a player and {seats - 1} others, not {given}",
                    f"omit {OTHERS}, or set it to {seats - 1}", file="--seats")
    p = a.progressive
    if p is None:
        raise without_long_run(a)
    needed = {"stake": value_of(a.parameters, "stake")}
    for f in p.meters:
        needed |= {f.meter.rate_name: f.rate, f.meter.reset_name: f.reset}
    _refuse_open(needed)
    cycle_meters = [_distribution(a, f, seats) for f in p.meters]
    means = {meter.name: meter.plays_for for meter in cycle_meters}
    always = a.return_with({**a.parameters, **means})
    cycles = []

    @cache
    def either(names: frozenset[str]) -> Fraction:
        """Return P(a round hits at least one of these meters)."""
        one, *rest = (f.meter for f in p.meters if f.meter.name in names)
        lines = (*one.resets_on, *(line for m in rest for line in m.resets_on))
        both = winners.winners(a, replace(one, resets_on=lines), seats)
        assert both is not None  # known, since the winners of each meter are counted
        return both.hit

    for meter in cycle_meters:
        def worth(amounts: Mapping[str, Fraction]) -> Exact:
            return a.return_with({**a.parameters, **means, **amounts})

        def seat(amount: Fraction, meter: MeterDistribution = meter) -> Exact:
            return worth({meter.name: meter.seat(amount)})

        even = _even(seat)
        others = {other.name: other for other in cycle_meters if other is not meter}
        only = None if threshold is None else player(meter, threshold, worth, others, either)
        marks = [meter.reset if not meter.funded else Fraction(0), *(x for x in meter.marks.values() if x is not None)]
        marks += [meter.mean, *([even] if even is not None else [])]
        table = tuple((x, seat(x), meter.reaches(x)) for x in sorted(set(marks)))
        cycles.append(MeterCycle(meter, always, even, None if even is None else meter.reaches(even), only, table))
    return tuple(cycles)


def _pays_others(a: Analysis) -> bool:
    """Return whether hands of other players pay: envy bonuses, or a community pay of known amount."""
    pays = a.resolved.envy or (a.resolved.terms.community and a.parameters.get("community_pay") is not None)
    return bool(pays) and OTHERS in settings(a.resolved)


def at_table(a: Analysis, seats: int) -> Analysis:
    """Return the wager at a table of ``seats``: others' hands pay envy bonuses and community pay."""
    return a.replace(set={OTHERS: str(seats - 1)}) if _pays_others(a) else a


def _even(at: Callable[[Fraction], Exact]) -> Fraction | None:
    """Return the meter at which the return is 1, other meters at their mean. Returns None if there is none."""
    base, more = at(Fraction(0)), at(Fraction(1))
    if not (is_number(base) and is_number(more)) or more == base:
        return None
    even: Fraction = (1 - base) / (more - base)
    return even if even >= 0 else None


def _refuse_open(needed: Mapping[str, Exact]) -> None:
    """Raise `InputError` with every value that is not set."""
    if names := [name for name, value in needed.items() if not is_number(value)]:
        remedy = f"set {'it' if len(names) == 1 else 'them'}: {' '.join(f'--set {n}=VALUE' for n in names)}"
        raise fault(f"the meter cycle depends on {', '.join(names)}", remedy, file="--set")


def _distribution(a: Analysis, f: long_run.MeterFigures, seats: int) -> MeterDistribution:
    """Return the distribution of a meter; raises `InputError` if it is never hit, or its winners are not counted."""
    if not is_number(f.hit):
        raise fault(f"the probability of a hit of {f.meter.name} depends on the weights of the wheel",
                    "give them: --wheel FILE", file="--wheel")
    if not f.hit and a.wheel is not None and a.wheel.trigger:
        raise fault(f"{f.meter.name} of {a.id} is never hit: its symbol has no stop of the wheel",
                    "give its symbol a stop", file="--wheel")
    if not f.hit:
        raise fault(f"{a.id} never hits {f.meter.name} with {decks_in_words(a.decks)}", "give another number of decks",
                    file="--decks")
    round_winners = winners.winners(a, f.meter, seats)
    if round_winners is None:
        raise fault(f"the number of winners of {f.meter.name} of {a.id} among {seats} seats is not computed",
                    winners.fewer_seats(a), file="--seats")
    if 1 in round_winners.sizes:
        raise fault(f"a line of {a.id} pays all of {f.meter.name} without resetting it",
                    "name the line in resets_on", file=a.resolved.paytable.file or a.id)
    return _paid(a, f, round_winners)


@dataclass(frozen=True)
class PaidRound:
    """Pays of the winners of a round: (part of the meter, part of a reset) for all of them, and for the second."""

    paid: tuple[Fraction, Fraction]
    second: tuple[Fraction, Fraction]
    kept: Fraction
    reset: bool


def in_turn(order: Sequence[Fraction], *, deducted: bool, funded: bool) -> PaidRound:
    """Return the pays of winners in turn, each from the remaining meter; a share of 1 resets it.

    If a second meter funds the reset, a second reset in one round is 0.
    """
    none = Fraction(0)
    meter, fresh, wins = Fraction(1), none, 0
    paid, second = (none, none), (none, none)
    for share in order:
        takes = (share * meter, share * fresh)
        paid = (paid[0] + takes[0], paid[1] + takes[1])
        if share == 1:
            wins += 1
            second = takes if wins == 2 else second
            meter, fresh = none, Fraction(int(not (funded and wins > 1)))
        elif deducted:
            meter, fresh = meter - takes[0], fresh - takes[1]
    return PaidRound(paid, second, fresh if wins else meter, wins > 0)


def split(order: Sequence[Fraction], *, deducted: bool) -> PaidRound:
    """Return the pays of winners who split the rest equally, after shares are paid in turn; it is then reset."""
    wins = sum(share == 1 for share in order)
    before = in_turn([share for share in order if share != 1], deducted=deducted, funded=False)
    if not wins:
        return before
    second = before.kept / wins if wins > 1 else Fraction(0)
    return PaidRound((before.paid[0] + before.kept, Fraction(0)), (second, Fraction(0)), Fraction(1), True)


def _paid(a: Analysis, f: long_run.MeterFigures, round_winners: winners.Winners) -> MeterDistribution:
    """Return the distribution of a meter whose winners in a round are equally likely in any order."""
    from sympy.utilities.iterables import multiset_permutations

    seats, reset, funded = round_winners.seats, Fraction(f.reset), f.meter.seed == "contributions"
    stake = value_of(a.parameters, "stake")
    step, pot = f.rate * stake * seats, f.secondary * stake * seats
    options = a.resolved.terms.meter_options
    deducted = options.share_deducted == "yes"
    start = pot / round_winners.hit if funded else reset
    moves: dict[tuple[Fraction, bool], Fraction] = {}
    whole = rest = Fraction(0)
    second = (Fraction(0), Fraction(0))
    for counts, p in round_winners.distribution.items():
        if not any(counts):
            continue
        sizes = zip((Fraction(1), *round_winners.sizes), counts, strict=True)
        winning = [share for share, n in sizes for _ in range(n)]
        orders = list(multiset_permutations(winning))
        for order in orders:
            r = (split(order, deducted=deducted) if options.winners == "split"
                 else in_turn(order, deducted=deducted, funded=funded))
            chance = p / len(orders)
            moves[r.kept, r.reset] = moves.get((r.kept, r.reset), Fraction(0)) + chance
            whole, rest = whole + chance * r.paid[0], rest + chance * r.paid[1] * start
            second = (second[0] + chance * r.second[0], second[1] + chance * r.second[1] * start)
    due = seats * (f.hit + sum((o.probability * winners.share_of(a, f.meter, o) for o in a.outcomes), Fraction(0)))
    meter = MeterDistribution(f.meter.name, seats, reset, round_winners.hit, step, pot, funded,
              moves=tuple(Move(p, kept, is_reset) for (kept, is_reset), p in moves.items()),
              turn=(whole / due, rest / due), several=round_winners.several)
    mean = meter.moment(1)
    return replace(meter, played=meter.turn[0] * mean + meter.turn[1],
                   second=(second[0] * mean + second[1]) / round_winners.several if round_winners.several else None)


def _must_hit(a: Analysis, seats: int, threshold: Fraction | None) -> MeterCycle:
    """Return the cycle of a Must Hit meter; the hidden point is assumed uniform between reset and maximum."""
    reset, most = value_of(a.parameters, "reset"), value_of(a.parameters, "maximum")
    rise = must_hit.into_meter(a.parameters)
    _refuse_open({n: value_of(a.parameters, n) for n in ("stake", "contribution_rate")})
    if not rise:
        raise fault("nothing is added to the meter", "set a stake and a contribution_rate above 0", file="--set")
    if rise * seats > (most - reset) / 2:
        raise fault("the meter would be hit more than once per round", "give fewer seats", file="--seats")
    step = rise * seats
    meter = MeterDistribution("must_hit_meter", seats, reset, 2 * step / (most - reset), step, most=most)
    always = must_hit_from_on(reset, reset, most, meter.step, seats)
    assert always.returned is not None
    only = None if threshold is None else must_hit_from_on(threshold, reset, most, meter.step, seats)
    table = tuple((x, must_hit.dollars_at(x, most, meter.step) / seats, meter.above(x))
                  for x in (reset, *meter.marks.values()) if x is not None)
    return MeterCycle(meter, always.returned, None, None, only, table)


__all__ = [
    "SHARES", "MeterCycle", "MeterDistribution", "Move", "PaidRound", "Player", "at_table", "in_turn", "meter_cycles",
    "split",
]
