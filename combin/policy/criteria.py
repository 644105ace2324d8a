"""The requirements that a rule may state: a key, a stable id, how its value is read and how it is judged.

A measure of an analysis is an exact number or an expression in unknowns. What an
unknown leaves open raises `Open` (undecided); what a wager has no notion of raises
`Apart` (skipped). Comparison is between fractions; a standard deviation is compared
by its square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..analysis.model import Z_95, Analysis
from ..analysis.outcome import Outcome
from ..base.errors import InputError, fault
from ..base.exact import Exact, decimal, is_number, percent, ratio, root, text
from ..views.model import grouped_decimal
from .model import FAIL, PASS, Rule

ANTE, INITIAL, AVERAGE = "ante", "initial", "average"
BASES = (ANTE, INITIAL, AVERAGE)


class Open(Exception):
    """Undecided, and why."""


class Unstated(Open):
    """Undecided since the rule leaves out what it has to state; the policy's ``undecided`` does not let it pass."""


class Apart(Exception):
    """The requirement has no meaning for this wager, and why."""


@dataclass(frozen=True)
class Judgement:
    """A status with the figure that gave it.

    ``figure`` is exact text, ``shown`` is it for people, ``value`` a number where there is
    one; ``margin`` is the distance to the limit, negative where it fails.
    """

    status: str
    figure: str
    shown: str
    message: str
    margin: Fraction = Fraction(0)
    value: Fraction | None = None
    #: Whether it is undecided for what the rule leaves out.
    unstated: bool = False


@dataclass(frozen=True)
class Criterion:
    """One kind of requirement. ``judge`` takes an analysis, the rule and the value as read."""

    id: str
    key: str
    measure: str
    read: Callable[[Any], Any]
    judge: Callable[[Analysis, Rule, Any], Judgement]
    #: Whether it is judged once for all the paytables of a wager.
    of_wager: bool = False


Measure = Callable[[Analysis, Rule], Exact]


def exact(value: Any) -> Fraction:
    """An exact number that is not negative, from text or an integer; `InputError` otherwise."""
    number = ratio(value, what="the value")
    if number < 0:
        raise fault(f"the value {value} is negative", "give a number that is at least 0")
    return number


def signed(value: Any) -> Fraction:
    """An exact number of either sign (a house edge may be negative)."""
    return ratio(value, what="the value")


def only_true(value: Any) -> bool:
    if value is not True:
        raise fault(f"the value {_literal(value)} is not true", "write true, or leave the key out")
    return True


def _to_or_for(value: Any) -> str:
    if value not in ("to", "for"):
        raise fault(f"the value {_literal(value)} is not a word for odds", 'write "to" or "for"')
    return str(value)


def deck_list(value: Any) -> tuple[int, ...]:
    """A list of numbers of decks from 1 to 8."""
    good = isinstance(value, list) and value and all(type(n) is int and 1 <= n <= 8 for n in value)
    if not good:
        raise fault(f"the value {_literal(value)} is not a list of numbers of decks from 1 to 8", "write [6, 8]")
    return tuple(value)


def _literal(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


# ---- measures


def number(value: Exact, a: Analysis) -> Fraction:
    """``value`` as a number; `Open` names the unknowns that keep it from being one."""
    if isinstance(value, Fraction):
        return value
    names = sorted(map(str, value.free_symbols))
    raise Open(f"needs {', '.join(names)}, which nobody set; give values under [rule.set]")


def _of_stake(a: Analysis) -> None:
    if not a.has_stake:
        raise Open("is a promotion without a stake of its own, and so without a return")


def returned(a: Analysis, rule: Rule) -> Exact:
    """Return to player on the rule's basis: 1 + expected net ÷ what the basis counts as staked."""
    _of_stake(a)
    if a.game is None or rule.basis == ANTE:
        return a.returned
    if rule.basis == INITIAL:
        return 1 - a.game.house_edge_per_initial_units
    if rule.basis == AVERAGE:
        return 1 - a.game.element_of_risk
    raise Unstated(
        'is a game with decisions: the rule must name the basis of its bound, basis = "ante", "initial" or "average"'
    )


def _house_edge(a: Analysis, rule: Rule) -> Exact:
    return 1 - returned(a, rule)


def _hit_frequency(a: Analysis, rule: Rule) -> Exact:
    return a.game.win_frequency if a.game is not None else a.hit_frequency


def _per_ante(a: Analysis, rule: Rule) -> None:
    _of_stake(a)
    if a.game is not None and rule.basis != ANTE:
        raise Unstated('is a game with decisions, whose spread is known per ante: write basis = "ante"')


def _variance(a: Analysis, rule: Rule) -> Exact:
    _per_ante(a, rule)
    return a.variance


def _volatility_squared(a: Analysis, rule: Rule) -> Exact:
    return number(_variance(a, rule), a) * Z_95**2


def _break_even(a: Analysis, rule: Rule) -> Exact:
    """The value of the meter at which the return is 1."""
    _of_stake(a)
    if not a.unknowns and rule.meter is None:
        raise Apart("has no meter that nobody set")
    if rule.meter is None and len(a.unknowns) > 1:
        raise Open(f"has several unknowns ({', '.join(a.unknowns)}): name one with meter, set the others")
    try:
        return a.solve(rule.meter or a.unknowns[0], Fraction(1))
    except InputError as error:
        raise Open(error.faults[0].what) from None


def _player_share(a: Analysis, rule: Rule) -> Exact:
    """The long-run return of a progressive: see `combin.meters`."""
    _of_stake(a)
    if a.progressive is None:
        raise Apart("is not a progressive wager")
    long_run: Exact = a.progressive.long_run
    return long_run


def _reading_spread(a: Analysis, rule: Rule) -> Exact:
    _of_stake(a)
    values = [number(returned(b, rule), b) for b in a.under_all_readings()]
    return max(values) - min(values)


# ---- judging


def share(value: Fraction) -> str:
    return percent(value)


def plain(value: Fraction) -> str:
    return grouped_decimal(value, 0 if value.denominator == 1 else 6)


def money(value: Fraction) -> str:
    return f"${grouped_decimal(value, 2)}"


def bound(
    measure: Measure, *, least: bool, shown: Callable[[Fraction], str]
) -> Callable[[Analysis, Rule, Fraction], Judgement]:
    """Judge a measure against its least or greatest allowed value."""

    def judge(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
        value = number(measure(a, rule), a)
        margin = value - limit if least else limit - value
        return _judged(margin, text(value), shown(value), least, value)

    return judge


def squared_bound(measure: Measure, *, least: bool) -> Callable[[Analysis, Rule, Fraction], Judgement]:
    """Judge the square root of a measure against a limit, by comparing squares."""

    def judge(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
        value = number(measure(a, rule), a)
        margin = value - limit**2 if least else limit**2 - value
        deviation = root(value)
        return _judged(margin, f"sqrt({text(value)})", decimal(deviation, 8), least, deviation)

    return judge


def _judged(margin: Fraction, figure: str, shown: str, least: bool, value: Fraction) -> Judgement:
    if margin >= 0:
        return Judgement(PASS, figure, shown, "is at least" if least else "is at most", margin, value)
    return Judgement(FAIL, figure, shown, "is below" if least else "is above", margin, value)


def _top(
    a: Analysis, rule: Rule, limit: Fraction, *, stake: Fraction = Fraction(1), shown: Callable[[Fraction], str] = plain
) -> Judgement:
    """The greatest net pay (times a stake) against a limit; a known pay above it fails whatever the unknowns are."""
    nets = [o.returned - 1 for o in a.outcomes if o.probability]
    known = max(n for n in nets if is_number(n)) * stake
    if known <= limit:
        for net in nets:
            number(net, a)
    return _judged(limit - known, text(known), shown(known), False, known)


def _top_pay(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
    _per_ante(a, rule)
    return _top(a, rule, limit)


def _payout(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
    _per_ante(a, rule)
    if rule.at_stake is None:
        raise Unstated("has a payout in dollars at a stake only: give at_stake in the rule")
    if "stake" in a.parameters:
        a = a.replace(set={"stake": rule.at_stake})
    return _top(a, rule, limit, stake=rule.at_stake, shown=money)


def _odds_word(a: Analysis, rule: Rule, word: str) -> Judgement:
    wrong = [o for o, pay in a.resolved.lines if pay.odds and pay.states_for != (word == "for")]
    if wrong:
        lines = dict(a.resolved.lines)
        return Judgement(
            FAIL,
            lines[wrong[0]].text,
            f"{len(wrong)} line(s)",
            f'for "{wrong[0]}" is not stated with the word',
            Fraction(-len(wrong)),
        )
    return Judgement(PASS, "", "", "are stated with the word")


def lines_won(a: Analysis) -> list[tuple[Outcome, Fraction]]:
    """Every line of the paytable with the probability that it is paid, alone or in an added pay."""
    parts = dict(a.resolved.added)
    found = []
    for o in a.outcomes:
        if o.pay is not None and o.outcome not in parts:
            within = [b.probability for b in a.outcomes if o.outcome in parts.get(b.outcome, ())]
            found.append((o, number(sum(within, o.probability), a)))
    return found


def _monotone(a: Analysis, rule: Rule, wanted: bool) -> Judgement:
    if a.game is not None:
        raise Apart("is a game with decisions: it pays results of play, not lines by rarity")
    won = sorted(((o, p) for o, p in lines_won(a) if p), key=lambda pair: pair[1])
    for i, (rare, p) in enumerate(won):
        for common, q in won[i + 1 :]:
            if p == q or not (is_number(rare.returned) and is_number(common.returned)):
                continue
            if rare.returned < common.returned:
                return Judgement(
                    FAIL,
                    f"{rare.pays} against {common.pays}",
                    "",
                    f'for "{rare.outcome}" (1 in {plain_odds(p)}) is less than for the more frequent '
                    f'"{common.outcome}" (1 in {plain_odds(q)}), so pays do not follow',
                    rare.returned - common.returned,
                )
    for o, _ in won:
        number(o.returned, a)
    return Judgement(PASS, "", "", "follow")


def plain_odds(probability: Fraction) -> str:
    return grouped_decimal(1 / probability, 2)


def _prize_odds(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
    if a.game is not None:
        raise Apart("is a game with decisions: it advertises no prize")
    won = lines_won(a)
    never = [o for o, p in won if not p]
    if never:
        words = f'for "{never[0].outcome}", which cannot be won, is rarer than 1 in'
        return Judgement(FAIL, "never", "", words, -limit)
    rarest, p = min(won, key=lambda pair: pair[1])
    value = 1 / p
    found = _judged(limit - value, text(value), f"1 in {grouped_decimal(value, 2)}", False, value)
    words = "is no rarer than 1 in" if found.status == PASS else "is rarer than 1 in"
    return replace(found, message=f'for "{rarest.outcome}" {words}')


def _decks_allowed(a: Analysis, rule: Rule, allowed: tuple[int, ...]) -> Judgement:
    fits = a.decks in allowed
    words = "is among" if fits else "is not among"
    return Judgement(PASS if fits else FAIL, str(a.decks), "", words, value=Fraction(a.decks))


def band(analyses: list[Analysis], rule: Rule, limit: Fraction) -> Judgement:
    """The spread between the least and the greatest return of a wager's paytables against a limit."""
    values = [(number(returned(a, rule), a), a.id.rpartition("/")[2]) for a in analyses]
    (low, least), (high, greatest) = min(values), max(values)
    found = _judged(limit - (high - low), text(high - low), share(high - low), False, high - low)
    return replace(found, message=f"from {share(low)} ({least}) to {share(high)} ({greatest}) {found.message}")


def _no_single(a: Analysis, rule: Rule, limit: Fraction) -> Judgement:
    raise TypeError("a band is judged over a wager, not over one paytable")


_RETURN, _EDGE, _HIT = "return", "house edge", "hit frequency"
_DEVIATION, _BREAK_EVEN = "standard deviation", "break-even meter"

CRITERIA = {
    c.key: c
    for c in (
        Criterion("RTP001", "return_min", _RETURN, exact, bound(returned, least=True, shown=share)),
        Criterion("RTP002", "return_max", _RETURN, exact, bound(returned, least=False, shown=share)),
        Criterion(
            "RTP003", "optimal_return_min", "return under optimal play", exact, bound(returned, least=True, shown=share)
        ),
        Criterion("RTP004", "return_band_max", "spread of the returns of a wager's paytables", exact, _no_single, True),
        Criterion("EDG001", "house_edge_max", _EDGE, signed, bound(_house_edge, least=False, shown=share)),
        Criterion("EDG002", "house_edge_min", _EDGE, signed, bound(_house_edge, least=True, shown=share)),
        Criterion(
            "EDG003",
            "no_player_advantage",
            _RETURN,
            only_true,
            lambda a, rule, _: bound(returned, least=False, shown=share)(a, rule, Fraction(1)),
        ),
        Criterion("HIT001", "hit_frequency_min", _HIT, exact, bound(_hit_frequency, least=True, shown=share)),
        Criterion("HIT002", "hit_frequency_max", _HIT, exact, bound(_hit_frequency, least=False, shown=share)),
        Criterion("VOL001", "standard_deviation_max", _DEVIATION, exact, squared_bound(_variance, least=False)),
        Criterion("VOL002", "standard_deviation_min", _DEVIATION, exact, squared_bound(_variance, least=True)),
        Criterion(
            "VOL003", "volatility_index_max", "volatility index", exact, squared_bound(_volatility_squared, least=False)
        ),
        Criterion("PAY001", "top_pay_max", "top pay", exact, _top_pay),
        Criterion("PAY002", "payout_max", "greatest payout", exact, _payout),
        Criterion("PAY003", "odds_stated_as", "odds", _to_or_for, _odds_word),
        Criterion("PAY004", "pays_monotone", "pay", only_true, _monotone),
        Criterion("PAY005", "prize_one_in_max", "frequency", exact, _prize_odds),
        Criterion("PRG001", "break_even_min", _BREAK_EVEN, exact, bound(_break_even, least=True, shown=money)),
        Criterion("PRG002", "break_even_max", _BREAK_EVEN, exact, bound(_break_even, least=False, shown=money)),
        Criterion(
            "PRG003",
            "player_share_min",
            "long-run share to players",
            exact,
            bound(_player_share, least=True, shown=share),
        ),
        Criterion("DCK001", "decks_allowed", "number of decks", deck_list, _decks_allowed),
        Criterion(
            "RDG001",
            "reading_spread_max",
            "spread of the return over the readings",
            exact,
            bound(_reading_spread, least=False, shown=share),
        ),
    )
}
BY_ID = {c.id: c for c in CRITERIA.values()}
