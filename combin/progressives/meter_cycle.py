"""The life of a meter: what it holds when it is hit, and what it is worth to who plays always or above a threshold.

A round of ``seats`` wagers raises the meter by ``step`` dollars before its cards are dealt, and hits it with
probability q, that of at least one winner (`winners`): the number of rounds to a hit is geometric, and the meter at
the hit is reset + step × rounds. Where a reset is paid out of a second meter, it is a geometric number of its own
steps (the hit before). Where shares leave the meter without a reset, mean and variance follow from linear equations:
with U the meter before a round is paid and W after it, U = W + step, and W is a share of U or of the reset; `shares`
has the rest of that law.

How several winners of a round are paid is said by the rule data (`MeterOptions.winners`): in turn, where the first has
the whole meter, the next is paid from what it was reset to, and the seats are equally likely to stand first; or the
winners of the whole meter split it. Money is kept: a round pays what the meter loses, and each reset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING

from ..base.errors import fault
from ..base.exact import Exact, is_number, value_of
from ..games import must_hit
from . import long_run, winners
from .shares import SharedMeter
from .threshold_play import Player, must_hit_from_on, player, short

if TYPE_CHECKING:
    from ..analysis.model import Analysis

#: The shares of hits at which the meter is shown.
SHARES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
MOST_SEATS = 10_000


@dataclass(frozen=True)
class Move:
    """What a round with winners leaves: ``kept`` of the meter, or ``kept`` of a reset; otherwise it goes on whole."""

    probability: Fraction
    kept: Fraction
    reset: bool


@dataclass(frozen=True)
class Law:
    """One meter when it is hit, dollars.

    ``hit`` is the probability of a hit in a round of all seats, ``step`` what a round adds, ``pot`` what it adds to
    the next reset. The meter at a hit is that before the round is paid. ``moves`` are the rounds with winners; without
    any, a hit resets the meter and nothing else leaves it. ``played`` is the mean amount that a wager plays for, and a
    wager at the meter x plays for ``turn[0]`` x + ``turn[1]``; both follow from one seat if not given. ``several`` is
    the chance of two winners or more in one round, None where it is open; ``second`` is what the second is paid.
    ``most`` is the maximum of a Must Hit meter.
    """

    name: str
    seats: int
    reset: Fraction
    hit: Fraction
    step: Fraction
    pot: Fraction = Fraction(0)
    funded: bool = False
    moves: tuple[Move, ...] = ()
    played: Fraction | None = None
    turn: tuple[Fraction, Fraction] = (Fraction(1), Fraction(0))
    several: Fraction | None = Fraction(0)
    second: Fraction | None = None
    most: Fraction | None = None
    #: Where ``hit`` is the most that a round can be hit: the law with the least.
    at_once: Law | None = None

    def _moves(self) -> tuple[Move, ...]:
        return self.moves or (Move(self.hit, Fraction(1), True),)

    def _moment(self, n: int, before: Fraction = Fraction(0)) -> Fraction:
        """The mean n-th power, 1 or 2, of the meter before a round is paid; ``before`` is that of the power below."""
        start = self.reset**n
        if self.funded:  # the second meter has grown for a geometric number of rounds
            start = (self.pot / self.hit) ** n * (1 if n == 1 else 2 - self.hit)
        goes_on = 1 - sum((m.probability for m in self._moves()), Fraction(0))
        again = goes_on + sum((m.probability * m.kept**n for m in self._moves() if not m.reset), Fraction(0))
        fresh = start * sum((m.probability * m.kept**n for m in self._moves() if m.reset), Fraction(0))
        rest = self.step if n == 1 else 2 * self.step * before - self.step**2
        return (rest + fresh) / (1 - again)

    @property
    def mean(self) -> Fraction:
        """The mean meter at a hit."""
        return (self.reset + self.most) / 2 if self.most is not None else self._moment(1)

    @property
    def variance(self) -> Fraction:
        """The variance of the meter before a round is paid, at a hit as at any other round."""
        if self.most is not None:
            return (self.most - self.reset) ** 2 / 12
        first = self._moment(1)
        return self._moment(2, first) - first**2

    @property
    def plays_for(self) -> Fraction:
        """The mean that a wager plays for; that of one seat is the mean meter."""
        return self.mean if self.played is None else self.played

    def seat(self, amount: Fraction) -> Fraction:
        """The mean that a seat plays for in a round whose meter is ``amount``."""
        return self.turn[0] * amount + self.turn[1]

    @property
    def whole(self) -> bool:
        """Whether every round leaves the whole meter, or a whole reset."""
        return all(m.kept == 1 for m in self._moves())

    @property
    def plain(self) -> bool:
        """Whether the meter rises evenly from one reset to the hit: the law is geometric."""
        return self.whole and not self.funded and self.most is None

    @cached_property
    def shared(self) -> SharedMeter | None:
        """The law where shares leave the meter or a second meter is its reset, to `SharedMeter.within` dollars."""
        if self.most is not None or self.plain or not self.step:
            return None
        goes_on, resets, empty = dict[Fraction, Fraction](), dict[Fraction, Fraction](), Fraction(0)
        for m in self._moves():
            if not m.kept and not m.reset:
                return None
            if not m.kept:
                empty += m.probability
            elif m.reset or m.kept != 1:
                into = resets if m.reset else goes_on
                into[m.kept] = into.get(m.kept, Fraction(0)) + m.probability
        reset = Fraction(0) if self.funded else self.reset
        return SharedMeter(self.step, goes_on, resets, reset, self.pot if self.funded and self.pot else None, empty)

    @property
    def told(self) -> SharedMeter | None:
        """`shared`, if its series are not too long for more than what is reached."""
        return self.shared if self.shared is not None and self.shared.tractable else None

    def above(self, amount: Fraction) -> Decimal | None:
        """P(the meter holds more than ``amount`` when it is hit); None without a closed form."""
        if self.most is not None:
            share = (self.most - amount) / (self.most - self.reset)
            return _decimal(min(max(share, Fraction(0)), Fraction(1)))
        if not self.plain:
            return None if self.told is None else short(self.told.above(amount))
        if not self.step:
            return Decimal(int(amount < self.reset))
        return Decimal(1) if amount < self.reset else self.unhit((amount - self.reset) // self.step)

    def reaches(self, amount: Fraction) -> Decimal | None:
        """P(the meter reaches ``amount`` before it is hit, or as it is)."""
        if not self.whole:
            found = None if self.shared is None else self.shared.reaches(amount)
            return None if found is None else short(found)
        if self.most is not None or self.funded:
            return self.above(amount)
        if not self.step:
            return Decimal(int(amount <= self.reset))
        return self.unhit(max(-((self.reset - amount) // self.step) - 1, 0))

    def at(self, share: Fraction) -> Fraction | None:
        """The least amount that at least this share of hits does not exceed; None without a closed form."""
        if self.most is not None:
            return self.reset + share * (self.most - self.reset)
        if not self.plain:
            return None if self.told is None else self.told.at(share, 2 * self.mean)
        with localcontext() as context:
            context.prec = 60
            stay = Decimal(self.hit.denominator - self.hit.numerator) / Decimal(self.hit.denominator)
            left = Decimal((1 - share).numerator) / Decimal((1 - share).denominator)
            if not stay:
                return self.reset + self.step
            rounds = int((left.ln() / stay.ln()).to_integral_value(ROUND_CEILING))
            # The logarithms may be off in their last digit: the least number of rounds is looked for beside them.
            while rounds > 1 and stay ** (rounds - 1) <= left:
                rounds -= 1
            while stay**rounds > left:
                rounds += 1
        return self.reset + self.step * max(rounds, 1)

    @cached_property
    def marks(self) -> dict[Fraction, Fraction | None]:
        """`at`, for each of `SHARES`."""
        return {share: self.at(share) for share in SHARES}

    def unhit(self, rounds: int) -> Decimal:
        """The probability of no hit in so many rounds."""
        with localcontext() as context:
            context.prec = 60 + len(str(self.hit.denominator))
            left: Decimal = (Decimal(self.hit.denominator - self.hit.numerator) / Decimal(self.hit.denominator)) ** int(
                rounds)
            context.prec = long_run.DIGITS
            return (+left).normalize() if left else Decimal(0)


def _decimal(value: Fraction) -> Decimal:
    with localcontext() as context:
        context.prec = long_run.DIGITS
        return Decimal(value.numerator) / Decimal(value.denominator)


@dataclass(frozen=True)
class Life:
    """A meter over time. ``always`` is the return of who plays every round, the other meters at their mean.

    ``table`` holds (meter, return of a seat, P(the meter reaches it)): reset, shares of hits, break-even.
    """

    law: Law
    always: Exact
    break_even: Fraction | None
    passes: Decimal | None
    player: Player | None
    table: tuple[tuple[Fraction, Exact, Decimal | None], ...]


def lives(a: Analysis, *, seats: int = 1, threshold: Fraction | None = None) -> tuple[Life, ...]:
    """The meters of an analysis over time; `InputError` where it has none or a rate is not set."""
    if not 1 <= seats <= MOST_SEATS:
        raise fault(f"the number of seats cannot be {seats}", f"give 1 to {MOST_SEATS:,}", file="--seats")
    if must_hit.is_one(a.resolved):
        return (_must_hit(a, seats, threshold),)
    p = a.progressive
    if p is None:
        raise long_run.without(a)
    needed = {"stake": value_of(a.parameters, "stake")}
    for f in p.meters:
        needed |= {f.meter.rate_name: f.rate, f.meter.reset_name: f.reset}
    _refuse_open(needed)
    laws = [_law(a, f, seats) for f in p.meters]
    means = {law.name: law.plays_for for law in laws}
    always = a.return_with({**a.parameters, **means})
    found = []

    @cache
    def either(names: frozenset[str]) -> Fraction:
        """P(a round hits one of these meters)."""
        one, *rest = (f.meter for f in p.meters if f.meter.name in names)
        lines = (*one.resets_on, *(line for m in rest for line in m.resets_on))
        return winners.winners(a, replace(one, resets_on=lines), seats).hit

    for law in laws:
        def worth(amounts: Mapping[str, Fraction]) -> Exact:
            return a.return_with({**a.parameters, **means, **amounts})

        def seat(amount: Fraction, law: Law = law) -> Exact:
            return worth({law.name: law.seat(amount)})

        even = _even(seat)
        others = {other.name: other for other in laws if other is not law}
        only = None if threshold is None else player(law, threshold, worth, others, either)
        marks = [law.reset if not law.funded else Fraction(0), *(x for x in law.marks.values() if x is not None)]
        marks += [law.mean, *([even] if even is not None else [])]
        table = tuple((x, seat(x), law.reaches(x)) for x in sorted(set(marks)))
        found.append(Life(law, always, even, None if even is None else law.reaches(even), only, table))
    return tuple(found)


def _even(at: Callable[[Fraction], Exact]) -> Fraction | None:
    """The meter at which the return is 1, the other meters at their mean."""
    base, more = at(Fraction(0)), at(Fraction(1))
    if not (is_number(base) and is_number(more)) or more == base:
        return None
    found: Fraction = (1 - base) / (more - base)
    return found if found >= 0 else None


def _refuse_open(needed: Mapping[str, Exact]) -> None:
    """`InputError` with every value that is still to be set."""
    if names := [name for name, value in needed.items() if not is_number(value)]:
        remedy = f"set {'it' if len(names) == 1 else 'them'}: {' '.join(f'--set {n}=VALUE' for n in names)}"
        raise fault(f"the life of the meter is open in {', '.join(names)}", remedy, file="--set")


def _law(a: Analysis, f: long_run.MeterFigures, seats: int) -> Law:
    if not is_number(f.hit):
        raise fault(f"how often {f.meter.name} is hit is open", "give the weights of the wheel: --wheel FILE",
                    file="--wheel")
    if not f.hit and a.wheel is not None and a.wheel.trigger:
        raise fault(f"{f.meter.name} of {a.id} is never hit: no stop of the wheel wins it", "give its symbol a stop",
                    file="--wheel")
    if not f.hit:
        raise fault(f"{a.id} never hits {f.meter.name} with {a.decks} deck(s)", "give another number of decks",
                    file="--decks")
    allowed = winners.most_seats(a)
    if allowed is not None and seats > allowed:
        raise fault(f"a table of {a.id} has at most {allowed} seats, not {seats}",
                    "each table's round moves the meter by itself: give the seats of one table", file="--seats")
    found = winners.winners(a, f.meter, seats)
    if any(p < 0 for p in found.law.values()):
        raise fault(f"{seats} seats would hit {f.meter.name} more than once a round", "give fewer seats",
                    file="--seats")
    if 1 in found.sizes:
        raise fault(f"a line of {a.id} pays the whole of {f.meter.name} and does not reset it",
                    "name the line in resets_on", file=a.resolved.paytable.file or a.id)
    law = _paid(a, f, found)
    if found.at_once is None:
        return law
    # Between the two bounds, how often several seats win in one round is open.
    return replace(law, several=None, second=None, at_once=_paid(a, f, found.at_once))


@dataclass(frozen=True)
class Round:
    """What the winners of a round are paid: (part of the meter, part of a reset) for all, and for the second."""

    paid: tuple[Fraction, Fraction]
    second: tuple[Fraction, Fraction]
    kept: Fraction
    reset: bool


def in_turn(order: Sequence[Fraction], *, deducted: bool, funded: bool) -> Round:
    """Winners paid one after the other, each from the meter as it then stands; a share of 1 resets it.

    Where a second meter funds the reset, a second reset of the round is 0.
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
    return Round(paid, second, fresh if wins else meter, wins > 0)


def split(order: Sequence[Fraction], *, deducted: bool) -> Round:
    """Shares are paid first, in turn; those who win the whole meter have equal parts of the rest and it is reset."""
    wins = sum(share == 1 for share in order)
    before = in_turn([share for share in order if share != 1], deducted=deducted, funded=False)
    if not wins:
        return before
    second = before.kept / wins if wins > 1 else Fraction(0)
    return Round((before.paid[0] + before.kept, Fraction(0)), (second, Fraction(0)), Fraction(1), True)


def _paid(a: Analysis, f: long_run.MeterFigures, found: winners.Winners) -> Law:
    """The law of a meter whose winners of one round come in any order alike."""
    from sympy.utilities.iterables import multiset_permutations

    seats, reset, funded = found.seats, Fraction(f.reset), f.meter.seed == "contributions"
    stake = value_of(a.parameters, "stake")
    step, pot = f.rate * stake * seats, f.secondary * stake * seats
    options = a.resolved.terms.meter_options
    deducted = options.share_deducted == "yes"
    start = pot / found.hit if funded else reset
    moves: dict[tuple[Fraction, bool], Fraction] = {}
    whole = rest = Fraction(0)
    second = (Fraction(0), Fraction(0))
    for counts, p in found.law.items():
        if not any(counts):
            continue
        winning = [share for share, n in zip((Fraction(1), *found.sizes), counts, strict=True) for _ in range(n)]
        orders = list(multiset_permutations(winning))
        for order in orders:
            r = (split(order, deducted=deducted) if options.winners == "split"
                 else in_turn(order, deducted=deducted, funded=funded))
            chance = p / len(orders)
            moves[r.kept, r.reset] = moves.get((r.kept, r.reset), Fraction(0)) + chance
            whole, rest = whole + chance * r.paid[0], rest + chance * r.paid[1] * start
            second = (second[0] + chance * r.second[0], second[1] + chance * r.second[1] * start)
    due = seats * (f.hit + sum((o.probability * winners.share_of(a, f.meter, o) for o in a.outcomes), Fraction(0)))
    law = Law(f.meter.name, seats, reset, found.hit, step, pot, funded,
              moves=tuple(Move(p, kept, is_reset) for (kept, is_reset), p in moves.items()),
              turn=(whole / due, rest / due), several=found.several)
    mean = law._moment(1)
    return replace(law, played=law.turn[0] * mean + law.turn[1],
                   second=(second[0] * mean + second[1]) / found.several if found.several else None)


def _must_hit(a: Analysis, seats: int, threshold: Fraction | None) -> Life:
    """Must Hit under its assumption: the hidden point is uniform between reset and maximum."""
    reset, most = value_of(a.parameters, "reset"), value_of(a.parameters, "maximum")
    rise = must_hit.into_meter(a.parameters)
    _refuse_open({n: value_of(a.parameters, n) for n in ("stake", "contribution_rate")})
    if not rise:
        raise fault("nothing is added to the meter", "set a stake and a contribution_rate above 0", file="--set")
    if rise * seats > (most - reset) / 2:
        raise fault("the meter would be hit more than once a round", "give fewer seats", file="--seats")
    law = Law("must_hit_meter", seats, reset, 2 * rise * seats / (most - reset), rise * seats, most=most)
    always = must_hit_from_on(reset, reset, most, law.step, seats)
    assert always.returned is not None
    only = None if threshold is None else must_hit_from_on(threshold, reset, most, law.step, seats)
    table = tuple((x, must_hit.dollars_at(x, most, law.step) / seats, law.above(x))
                  for x in (reset, *law.marks.values()) if x is not None)
    return Life(law, always.returned, None, None, only, table)


__all__ = ["SHARES", "Law", "Life", "Move", "Player", "Round", "in_turn", "lives", "split"]
