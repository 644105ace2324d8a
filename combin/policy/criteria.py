"""The checks of a policy: each has a key, a stable id, a reader of its limit and a judge.

A measure of an analysis is an exact number or an expression in unknowns. A measure whose
comparison depends on an unknown raises `Undecided` (undecided). A check that does not apply to a
wager raises `NotApplicable` (skipped). Fractions are compared; a standard deviation is compared by its
square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..analysis.greatest_return import among, of_any_play
from ..analysis.model import Z_95, Analysis
from ..base.errors import InputError
from ..base.exact import (
    Exact,
    Range,
    decimal,
    enclosure,
    grouped_decimal,
    is_number,
    percent,
    root,
    simplify,
    symbol,
    text,
    to_sympy,
    unknowns_in,
)
from ..games.outcome import Outcome
from ..rulebook import parameters
from ..rulebook.book import Resolved
from ..rulebook.parameters import wheel_pays
from . import values
from .model import FAIL, PASS, Requirement

ANTE, INITIAL, AVERAGE = "ante", "initial", "average"


class Undecided(Exception):
    """A check is undecided, and why; ``names`` are the unknowns that it depends on."""

    def __init__(self, why: str, names: Iterable[str] = ()) -> None:
        super().__init__(why)
        self.names = frozenset(names)


class Unstated(Undecided):
    """A check is undecided because the file or the policy omits something; it passes under no policy."""


class NotApplicable(Exception):
    """A check does not apply to this wager, and why."""


@dataclass(frozen=True)
class Judgement:
    """A status with the figure that decided it.

    ``figure`` is exact text, ``shown`` the same for reading, ``value`` the number if there is
    one. ``margin`` is the distance to the limit, negative for a failure.
    """

    status: str
    message: str
    figure: str = ""
    shown: str = ""
    margin: Fraction = Fraction(0)
    value: Fraction | None = None
    #: Whether it is undecided because the requirement or the file omits something.
    unstated: bool = False
    #: The unknowns because of which it is undecided.
    open_in: frozenset[str] = frozenset()
    #: Whether the limit is a least value; None if no figure is compared.
    least: bool | None = None
    #: Every faulty line, if lines are judged.
    faulty: tuple[str, ...] = ()


Measure = Callable[[Analysis, Requirement], Exact]
#: A judge takes an analysis (or one of each paytable of a wager), the requirement and the limit's value.
Judge = Callable[[Any, Requirement, Any], Judgement]
#: The text of a figure for reading.
Shown = Callable[[Fraction], str]


@dataclass(frozen=True)
class PolicyCheck:
    """A check: its stable id, its key, and what it measures."""

    id: str
    key: str
    measure: str


@dataclass(frozen=True)
class Criterion(PolicyCheck):
    """A check that a policy states, with the reader of its limit and its judge."""

    read: Callable[[Any], Any]
    judge: Judge
    #: Whether it is judged once for all the paytables of a wager.
    of_wager: bool = False
    #: Whether it depends on no setting, only on the texts of the pays or the number of decks.
    of_words: bool = False


# ---- measures


def number(value: Exact) -> Fraction:
    """Return ``value`` as a number; raises `Undecided` with its unknowns if it is an expression."""
    if isinstance(value, Fraction):
        return value
    names = sorted(unknowns_in(value))
    raise Undecided(f"needs {', '.join(names)}, which nobody set; give values under [rule.set]", names)


def ends(value: Exact, a: Analysis) -> Range:
    """Return the bounds of ``value`` over all its unknowns; None for a missing bound."""
    return enclosure(value, parameters.limits(a.resolved))


def _sure_ends(value: Exact, a: Analysis) -> Range:
    """Return the bounds of ``value``, without the limits that a file states for its own unknowns."""
    limits = parameters.limits(a.resolved)
    return enclosure(value, {n: (Fraction(0), None) if is_invented(n, a.resolved) else v for n, v in limits.items()})


def is_invented(name: str, resolved: Resolved) -> bool:
    """Whether an unknown comes from a user's file, so that ``undecided = "pass"`` does not let it pass.

    Either the file declares it, or the file pays dollars and the stake is not set.
    """
    from_user_file = not resolved.document.issuer or name in (*resolved.paytable.unknowns, "stake")
    return bool(resolved.paytable.file) and from_user_file


def own_defaults(resolved: Resolved) -> tuple[str, ...]:
    """Return the settings whose value a user's file states, or whose default it uses in an envy bonus.

    A policy does not use these values; it states its own under ``[rule.set]``.
    """
    if not resolved.paytable.file:
        return ()
    known = parameters.settings(resolved)
    names = dict.fromkeys(name for meter in parameters.meters(resolved) if is_invented(meter.name, resolved)
                          for name in (meter.rate_name, meter.reset_name))  # fmt: skip
    if not resolved.document.issuer:
        names |= dict.fromkeys(resolved.settings)
    defaults = [name for name in names if name in known and known[name].default is not None]
    if not resolved.document.issuer and resolved.envy:
        defaults.append("other_players")
    if not resolved.document.issuer and resolved.terms.only_at_stake:
        defaults.append("stake")
    return tuple(dict.fromkeys(defaults))


def _of_stake(a: Analysis) -> None:
    if not a.has_stake:
        why = "is a promotion without a stake of its own, and so without a return"
        if a.resolved.paytable.file:
            raise Unstated(f"{why}; that is the statement of its own file, and a waiver of the policy has to accept it")
        raise Undecided(why)


def returned(a: Analysis, requirement: Requirement) -> Exact:
    """Return to player on the requirement's basis: 1 + expected net ÷ the stake on that basis."""
    _of_stake(a)
    if a.game is None or requirement.basis == ANTE:
        return a.returned
    if requirement.basis == INITIAL:
        return 1 - a.game.house_edge_per_initial_units
    if requirement.basis == AVERAGE:
        return 1 - a.game.element_of_risk
    raise Unstated('is a game with decisions: the requirement must name its basis: basis = "ante", "initial" or '
                   '"average"')


def _of_any_play(a: Analysis, requirement: Requirement) -> Exact:
    """Return the greatest return of any play without splits: players need not follow the chart of the analysis."""
    best = of_any_play(a)
    if best is None:
        raise Undecided("is played by a chart, and the greatest return of any play is not computed")
    return returned(best, requirement)


def _favours_nobody(a: Analysis, requirement: Requirement, wanted: bool) -> Judgement:
    """Judge the greatest return against 1; the message names the plays among which it is the greatest."""
    judgement = bound(_of_any_play, percent, least=False)(a, requirement, Fraction(1))
    plays = among(a)
    return replace(judgement, message=f"(among {plays}) {judgement.message}") if plays else judgement


def _house_edge(a: Analysis, requirement: Requirement) -> Exact:
    return 1 - returned(a, requirement)


def _hits(a: Analysis) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest hit frequency over all values of the unknowns."""
    least = greatest = Fraction(0)
    for o in a.outcomes:
        stake = int(o.staked)
        (low, high), (rare, often) = _sure_ends(o.returned, a), _sure_ends(o.probability, a)
        if low is not None and low > stake:
            least += rare or 0
        if high is None or high > stake:
            greatest += 1 if often is None else often
    return least, min(greatest, Fraction(1))


def _hit(*, least: bool) -> Judge:
    """Judge the hit frequency; it is undecided if a pay may or may not exceed the stake."""

    def judge(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
        if a.game is not None:
            return _compared(number(a.game.win_frequency), limit, least, percent)
        low, high = _hits(a)
        worst, best = (low, high) if least else (high, low)
        judgement = _compared(worst, limit, least, percent)
        if judgement.status == PASS or low == high:
            return judgement
        judgement = _compared(best, limit, least, percent)
        if judgement.status == PASS:
            names = {n for o in a.outcomes for x in (o.returned, o.probability) for n in unknowns_in(x)}
            raise Undecided(f"needs {', '.join(sorted(names))}, which nobody set; give values under [rule.set]", names)
        return judgement

    return judge


def _per_ante(a: Analysis, requirement: Requirement) -> None:
    _of_stake(a)
    if a.game is not None and requirement.basis != ANTE:
        raise Unstated('is a game with decisions, whose spread is known per ante: write basis = "ante"')


def _variance(a: Analysis, requirement: Requirement) -> Exact:
    _per_ante(a, requirement)
    return a.variance


def _volatility_squared(a: Analysis, requirement: Requirement) -> Exact:
    variance = _variance(a, requirement)
    return variance * Z_95**2 if is_number(variance) else simplify(variance * to_sympy(Z_95**2))


def _break_even(a: Analysis, requirement: Requirement) -> Exact:
    """Return the value of the meter at which the return is 1."""
    _of_stake(a)
    if not a.unknowns and requirement.meter is None:
        raise NotApplicable("has no meter that nobody set")
    if requirement.meter is None and len(a.unknowns) > 1:
        names = ", ".join(a.unknowns)
        raise Undecided(f"has several unknowns ({names}): name one with meter, set the others", a.unknowns)
    name = requirement.meter or a.unknowns[0]
    try:
        return a.solve(name, Fraction(1))
    except InputError as error:
        slopes = a.coefficients or {}
        if a.cap is None and a.unknowns == (name,) and slopes.get(name):
            return (1 - slopes["1"]) / slopes[name]  # below 0: the player has an advantage at any meter
        raise Undecided(error.faults[0].what, a.unknowns) from None


def _player_share(a: Analysis, requirement: Requirement) -> Exact:
    """Return the long-run return of a progressive, see `combin.analysis.long_run`."""
    _of_stake(a)
    if a.progressive is None:
        raise NotApplicable("is not a progressive wager")
    long_run: Exact = a.progressive.long_run
    return long_run


def _reading_spread(a: Analysis, requirement: Requirement) -> Exact:
    _of_stake(a)
    returns = [number(returned(b, requirement)) for b in a.under_all_readings()]
    return max(returns) - min(returns)


# ---- judging


def _plain(value: Fraction) -> str:
    return grouped_decimal(value, 0 if value.denominator == 1 else 6)


def _dollars(value: Fraction) -> str:
    return f"${grouped_decimal(value, 2)}"


def _root(square: Fraction) -> str:
    return decimal(root(max(square, Fraction(0))), 8)


def bound(measure: Measure, shown: Shown, *, least: bool) -> Judge:
    """Return the judge of a measure against its least or greatest allowed value."""

    def judge(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
        value = measure(a, requirement)
        return _beyond(value, a, limit, least, shown) or _compared(number(value), limit, least, shown)

    return judge


def squared_bound(measure: Measure, *, least: bool) -> Judge:
    """Return the judge of the square root of a measure against a limit, by comparing squares."""
    of_square = bound(measure, _root, least=least)

    def judge(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
        judgement = of_square(a, requirement, limit**2)
        value = None if judgement.value is None else root(judgement.value)
        return replace(judgement, figure=f"sqrt({judgement.figure})", value=value)

    return judge


def _compared(value: Fraction, limit: Fraction, least: bool, shown: Shown) -> Judgement:
    margin = value - limit if least else limit - value
    status, words = (PASS, "is at least" if least else "is at most") if margin >= 0 else (FAIL, _BEYOND[least])
    return Judgement(status, words, text(value), shown(value), margin, value, least=least)


#: The words of a failure, by whether the limit is a least value.
_BEYOND = {True: "is below", False: "is above"}


def _beyond(value: Exact, a: Analysis, limit: Fraction, least: bool, shown: Shown) -> Judgement | None:
    """Return the failure of a measure if no value of its unknowns meets the limit; None if one may."""
    if is_number(value):
        return None
    low, high = ends(value, a)
    end = high if least else low
    if end is None or (end >= limit if least else end <= limit):
        return None
    *names, last = sorted(unknowns_in(value))
    known = f"whatever {', '.join(names)} and {last} are" if names else f"whatever {last} is"
    words = f"at {'most' if least else 'least'} {shown(end)} ({known})"
    return Judgement(FAIL, _BEYOND[least], text(value), words, end - limit if least else limit - end)


def _top(a: Analysis, limit: Fraction, stake: Fraction, shown: Shown) -> Judgement:
    """Judge the greatest net pay (times a stake); a number above the limit fails whatever the unknowns are."""
    nets = _nets(a)
    least = {name: low for name, net in nets for low, _ in [ends(net, a)] if low is not None}
    known = max(least.values(), default=Fraction(-1)) * stake
    if known <= limit:
        spins = {o.pay.spin for o in a.outcomes if o.pay is not None and o.pay.spin}
        for name, net in nets:
            if is_number(net):
                continue
            if spins & {*unknowns_in(net)}:
                raise Unstated(f'pays for "{name}" what a wheel shows whose symbols the paytable does not have')
            number(net)
    over = tuple(f"{name}: {text(net)}" for name, net in nets if least.get(name, known) * stake > limit)
    return replace(_compared(known, limit, False, shown), faulty=over)


def _nets(a: Analysis) -> list[tuple[str, Exact]]:
    """Return every possible net pay per unit staked by its line, with each symbol of a wheel."""
    stake_too = a.resolved.terms.stake_returned_with_prize
    nets = []
    for o in a.outcomes:
        if not o.probability:
            continue
        if o.pay is None or not o.pay.spin:
            nets.append((o.outcome, simplify(o.returned - 1)))
            continue
        symbols = wheel_pays(a.resolved)
        for name, pay in symbols:
            back = pay.returned(dict(a.parameters), prize_returns_stake=stake_too)
            nets.append((f"{o.outcome}, {name}", simplify(back - 1)))
        if not symbols:
            # The expected prize of a spin is not its greatest prize.
            nets.append((o.outcome, symbol(o.pay.spin)))
    return nets


def _top_pay(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
    _per_ante(a, requirement)
    return _top(a, limit, Fraction(1), _plain)


def _payout(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
    _per_ante(a, requirement)
    if requirement.at_stake is None:
        raise Unstated("has a payout in dollars at a stake only: give at_stake in the requirement")
    stake = values.exact(requirement.at_stake)
    if "stake" in a.parameters:
        a = a.replace(set={"stake": stake})
    return _top(a, limit, stake, _dollars)


def _odds_word(a: Analysis, requirement: Requirement, word: str) -> Judgement:
    wrong = [(o, pay.text) for o, pay in a.resolved.lines if pay.odds and pay.states_for != (word == "for")]
    if not wrong:
        return Judgement(PASS, "are stated with the word")
    outcome, first = wrong[0]
    return Judgement(FAIL, f'for "{outcome}" is not stated with the word', first, f"{len(wrong)} line(s)",
                     Fraction(-len(wrong)), faulty=tuple(f"{o}: {words}" for o, words in wrong))


def lines_won(a: Analysis) -> list[tuple[Outcome, Fraction]]:
    """Return every line of the paytable with the probability that it is paid, by itself or in an added pay."""
    parts = dict(a.resolved.added)
    lines = []
    for o in a.outcomes:
        if o.pay is not None and o.outcome not in parts:
            within = [b.probability for b in a.outcomes if o.outcome in parts.get(b.outcome, ())]
            lines.append((o, number(sum(within, o.probability))))
    return lines


def _monotone(a: Analysis, requirement: Requirement, wanted: bool) -> Judgement:
    if a.game is not None:
        raise NotApplicable("is a game with decisions: it pays results of play, not lines by rarity")
    won = sorted(((o, p) for o, p in lines_won(a) if p), key=lambda pair: pair[1])
    amounts = {o.outcome: ends(o.returned, a) for o, _ in won}

    def less(rare: Outcome, common: Outcome) -> bool:
        most, least = amounts[rare.outcome][1], amounts[common.outcome][0]
        return most is not None and least is not None and most < least

    pairs = [(rare, p, common, q) for i, (rare, p) in enumerate(won) for common, q in won[i + 1 :]
             if p != q and less(rare, common)]
    if not pairs:
        for o, _ in won:
            number(o.returned)
        return Judgement(PASS, "follow")
    rare, p, common, q = pairs[0]
    words = f'for "{rare.outcome}" ({_one_in(1 / p)}) and the more frequent "{common.outcome}" ({_one_in(1 / q)})'
    difference = rare.returned - common.returned
    return Judgement(FAIL, f"{words} do not follow", f"{rare.pays} against {common.pays}",
                     margin=difference if is_number(difference) else Fraction(-1),
                     faulty=tuple(f"{r.outcome}: {r.pays} against {c.outcome}: {c.pays}" for r, _, c, _ in pairs))


def _one_in(rounds: Fraction) -> str:
    return f"1 in {grouped_decimal(rounds, 2)}"


def _prize_odds(a: Analysis, requirement: Requirement, limit: Fraction) -> Judgement:
    if a.game is not None:
        raise NotApplicable("is a game with decisions: it advertises no prize")
    won = lines_won(a)
    if not won:
        raise NotApplicable("pays no line at this stake")
    never = [o for o, p in won if not p]
    if never:
        words = f'for "{never[0].outcome}", which cannot be won, is rarer than 1 in'
        return Judgement(FAIL, words, "never", margin=-limit, faulty=tuple(f"{o.outcome}: {o.pays}" for o in never))
    rarest, p = min(won, key=lambda pair: pair[1])
    judgement = _compared(1 / p, limit, False, _one_in)
    words = "is no rarer than 1 in" if judgement.status == PASS else "is rarer than 1 in"
    rarer = tuple(f"{o.outcome}: {o.pays}, 1 in {text(1 / q)}" for o, q in won if 1 / q > limit)
    return replace(judgement, message=f'for "{rarest.outcome}" {words}', faulty=rarer)


def _decks_allowed(a: Analysis, requirement: Requirement, allowed: tuple[int, ...]) -> Judgement:
    fits = a.decks in allowed
    words = "is among" if fits else "is not among"
    return Judgement(PASS if fits else FAIL, words, str(a.decks), value=Fraction(a.decks))


def _spread_of_wager(analyses: Sequence[Analysis], requirement: Requirement, limit: Fraction) -> Judgement:
    """Judge the spread between the least and the greatest return of a wager's paytables."""
    returns = [(number(returned(a, requirement)), a.resolved.paytable.id) for a in analyses]
    (low, least), (high, greatest) = min(returns), max(returns)
    judgement = _compared(high - low, limit, False, percent)
    ends_in_words = f"from {percent(low)} ({least}) to {percent(high)} ({greatest})"
    return replace(judgement, message=f"{ends_in_words} {judgement.message}")


_RETURN, _EDGE, _HIT = "return", "house edge", "hit frequency"
_DEVIATION, _BREAK_EVEN = "standard deviation", "break-even meter"
_OPTIMAL, _ANY_PLAY = "return under optimal play", "greatest return of any play"
_BAND, _READINGS = "spread of the returns of a wager's paytables", "spread of the return over the readings"

CRITERIA = {c.key: c for c in (
    Criterion("RTP001", "return_min", _RETURN, values.least_share, bound(returned, percent, least=True)),
    Criterion("RTP002", "return_max", _RETURN, values.share_of_stake, bound(returned, percent, least=False)),
    Criterion("RTP003", "optimal_return_min", _OPTIMAL, values.least_share, bound(returned, percent, least=True)),
    Criterion("RTP004", "return_band_max", _BAND, values.share_of_stake, _spread_of_wager, of_wager=True),
    Criterion("EDG001", "house_edge_max", _EDGE, values.greatest_edge, bound(_house_edge, percent, least=False)),
    Criterion("EDG002", "house_edge_min", _EDGE, values.least_edge, bound(_house_edge, percent, least=True)),
    Criterion("EDG003", "no_player_advantage", _ANY_PLAY, values.only_true, _favours_nobody),
    Criterion("HIT001", "hit_frequency_min", _HIT, values.least_frequency, _hit(least=True)),
    Criterion("HIT002", "hit_frequency_max", _HIT, values.greatest_frequency, _hit(least=False)),
    Criterion("VOL001", "standard_deviation_max", _DEVIATION, values.exact, squared_bound(_variance, least=False)),
    Criterion("VOL002", "standard_deviation_min", _DEVIATION, values.above_zero, squared_bound(_variance, least=True)),
    Criterion("VOL003", "volatility_index_max", "volatility index", values.exact,
              squared_bound(_volatility_squared, least=False)),
    Criterion("PAY001", "top_pay_max", "top pay", values.exact, _top_pay),
    Criterion("PAY002", "payout_max", "greatest payout", values.exact, _payout),
    Criterion("PAY003", "odds_stated_as", "odds", values.to_or_for, _odds_word, of_words=True),
    Criterion("PAY004", "pays_monotone", "pays", values.only_true, _monotone),
    Criterion("PAY005", "prize_one_in_max", "frequency", values.one_in, _prize_odds),
    Criterion("PRG001", "break_even_min", _BREAK_EVEN, values.above_zero, bound(_break_even, _dollars, least=True)),
    Criterion("PRG002", "break_even_max", _BREAK_EVEN, values.exact, bound(_break_even, _dollars, least=False)),
    Criterion("PRG003", "player_share_min", "long-run share to players", values.least_share,
              bound(_player_share, percent, least=True)),
    Criterion("DCK001", "decks_allowed", "number of decks", values.deck_list, _decks_allowed, of_words=True),
    Criterion("RDG001", "reading_spread_max", _READINGS, values.share_of_stake,
              bound(_reading_spread, percent, least=False)),
)}
BY_ID = {c.id: c for c in CRITERIA.values()}


#: The check of the gate itself, which no policy states: every paytable of a file must have a requirement.
UNJUDGED = PolicyCheck("JDG001", "judged", "requirements")
CHECKS: dict[str, PolicyCheck] = {**BY_ID, UNJUDGED.id: UNJUDGED}
