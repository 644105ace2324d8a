"""From a resolved paytable to its exact figures: settle, take moments, vary, solve.

    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    a.combinations["any 20"]        # an int
    a.rtp                           # a sympy Rational, or an expression in the unknowns

Everything downstream (terminal, JSON, report, committed table, verdict) is a view of
one `Analysis`; nothing recomputes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

from . import caps, drawn, parameters, wheels
from .additions import VARIANCE, Addition, additions
from .cards import Shoe
from .deal import Deal
from .errors import InputError, fault
from .exact import Exact, decimal, is_number, ratio, root, simplify, symbol, to_sympy, unknowns_in
from .outcome import Extreme, Outcome, Request
from .parameters import wheel_pays
from .pays import LOSS, Pay
from .rulebook import Resolved, Rulebook, shipped
from .settle import line_faults, settle, table_of, unknown_outcomes

#: Two-sided 95 % of the normal distribution, as laboratories quote it.
Z_95 = Fraction(1959964, 1000000)
#: The mean square of what a spin returns per unit staked, which needs the weights of the wheel.
SPIN_SQUARED = "mean_square_of_a_spin"


@dataclass(frozen=True)
class Analysis:
    """The exact figures of one paytable at one number of decks.

    Amounts are per unit staked. Objects are frozen; `replace` gives another one.
    """

    id: str
    name: str
    clause: str
    decks: int
    condition: str | None
    readings: Mapping[str, str]
    parameters: Mapping[str, Exact | None]
    deals: int | None
    classes: int | None
    outcomes: tuple[Outcome, ...]
    resolved: Resolved = field(repr=False, compare=False)
    request: Request = field(repr=False)
    book: Rulebook = field(repr=False, compare=False)
    #: The figures of a game with decisions; None for other wagers.
    game: Any = field(default=None, repr=False)
    #: What is paid beside the outcomes: other players' hands, extra draws.
    additions: tuple[Addition, ...] = ()
    wheel: wheels.Wheel | None = None
    cap: caps.Cap | None = None

    @property
    def combinations(self) -> Mapping[str, int]:
        """Exact number of deals by outcome; raises `InputError` where the number of cards varies."""
        if self.deals is None:
            raise fault(f"{self.id} has probabilities, not combinations: its number of cards varies")
        return MappingProxyType({o.outcome: o.combinations for o in self.outcomes})  # type: ignore[misc]

    @property
    def probabilities(self) -> Mapping[str, Exact]:
        return MappingProxyType({o.outcome: o.probability for o in self.outcomes})

    @property
    def has_stake(self) -> bool:
        """Whether the wager has a stake of its own; a promotion has not, and no return either."""
        return not self.resolved.data.get("promotion", False)

    @cached_property
    def returned(self) -> Exact:
        """Return to player: a Fraction, or an expression in the unknowns (dollars per round for a promotion)."""
        return self.return_with(None)

    def return_with(self, values: Mapping[str, Exact | None] | None) -> Exact:
        """The return where unknowns and stake have other ``values``, the deals and what is paid beside them the same.

        None stands for the values of this analysis. A cap in force is left out of other values.
        """
        stake_too = self.resolved.data.get("stake_returned_with_prize", False)
        parts = [(a.probability * a.times, a.returned) for a in self.additions]
        for o in self.outcomes:
            again = values is not None and o.pay is not None
            amount = o.pay.returned(dict(values), prize_returns_stake=stake_too) if again else o.returned  # type: ignore
            parts.append((o.probability, amount))
        if all(is_number(p) and is_number(r) for p, r in parts):
            return sum((p * r for p, r in parts), Fraction(0))
        return simplify(sum(to_sympy(p) * to_sympy(r) for p, r in parts))

    @property
    def cap_cost(self) -> Exact:
        """What a payout cap takes from the return; 0 without one."""
        if self.cap is None:
            return Fraction(0)
        if self.game is not None:
            # The best play may change under a cap: both ends are played as well as can be.
            free = {k: v for k, v in self.request.set.items() if k != "cap"}
            return _analyze(self.book, dataclass_replace(self.request, set=free)).returned - self.returned
        return simplify(self.return_with(self.parameters) - self.returned)

    @cached_property
    def progressive(self) -> Any:
        """The figures of a progressive over many rounds (`combin.meters.Progressive`); None for other wagers."""
        from . import meters

        return meters.progressive(self)

    @property
    def rtp(self) -> Any:
        """Return to player per unit staked as a sympy Rational or expression."""
        return to_sympy(self.returned)

    @property
    def house_edge(self) -> Exact:
        """1 − return."""
        return simplify(1 - self.returned)

    @property
    def hit_frequency(self) -> Exact:
        """The probability that something is paid beyond the returned stake."""
        return sum((o.probability for o in self.outcomes if o.is_hit), Fraction(0))

    @cached_property
    def variance(self) -> Exact:
        """Variance of the amount returned per unit staked."""
        if self.additions or not all(is_number(o.returned) and is_number(o.probability) for o in self.outcomes):
            return self._open_variance()
        if any(o.spins for o in self.outcomes):
            return self._open_variance()
        return sum((o.probability * o.returned**2 for o in self.outcomes), Fraction(0)) - self.returned**2

    def _open_variance(self) -> Exact:
        """The variance where something about it is open, each such thing a symbol.

        A spin without weights has a mean but no known square; what is paid for other
        hands goes with one's own in a way that only the law of all hands would tell.
        """
        first, second = 0, 0
        for o in self.outcomes:
            p, amount = to_sympy(o.probability), to_sympy(o.returned)
            first, second = first + p * amount, second + p * (symbol(SPIN_SQUARED) if o.spins else amount**2)
        return simplify(second - first**2 + (symbol(VARIANCE) if self.additions else 0))

    @property
    def standard_deviation(self) -> Fraction | None:
        """The square root of the variance, cut at twelve decimals; None while unknowns are left."""
        return root(self.variance) if is_number(self.variance) else None

    @property
    def volatility_index(self) -> Fraction | None:
        """z σ with z = 1.959964: how far 95 % of single rounds stray, per unit staked."""
        return Z_95 * self.standard_deviation if self.standard_deviation is not None else None

    def range_after(self, rounds: int) -> tuple[Fraction, Fraction, Fraction] | None:
        """Least and greatest return after so many rounds (95 %, normal), and the expected number of top prizes.

        The range is cut at 0. Below ten expected top prizes it is not honest. None
        while unknowns are left.
        """
        if self.standard_deviation is None:
            return None
        reach = Z_95 * root(self.variance / rounds)
        top = max((o for o in self.outcomes if o.probability), key=lambda o: o.returned)
        return max(Fraction(0), self.returned - reach), self.returned + reach, top.probability * rounds

    @property
    def top_pay(self) -> Exact:
        """The greatest net pay per unit staked (an expression where the top prize is an unknown)."""
        nets = [simplify(o.returned - 1) for o in self.outcomes if not o.spins]
        if len(nets) < len(self.outcomes):
            nets += [simplify(pay.returned(dict(self.parameters)) - 1) for _, pay in wheel_pays(self.resolved)]
        open_ones = [n for n in nets if not is_number(n)]
        if not open_ones:
            return max(nets)
        import sympy

        return sympy.Max(*(to_sympy(n) for n in nets))

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknowns that are left in the return, in alphabetical order."""
        open_ones = [unknowns_in(x) for o in self.outcomes if o.probability for x in (o.probability, o.returned)]
        return tuple(sorted(set().union(*open_ones, *(unknowns_in(a.contribution) for a in self.additions))))

    @cached_property
    def coefficients(self) -> Mapping[str, Fraction] | None:
        """The return's coefficient of each unknown, "1" for the constant; None where it is not linear."""
        if is_number(self.returned):
            return MappingProxyType({"1": self.returned})
        import sympy

        unknowns = [symbol(name) for name in self.unknowns]
        try:
            polynomial = sympy.Poly(self.rtp, *unknowns)
        except sympy.PolynomialError:
            return None
        if polynomial.total_degree() > 1:
            return None
        found = {"1": simplify(polynomial.nth(*([0] * len(unknowns))))}
        for name, unknown in zip(self.unknowns, unknowns, strict=True):
            found[name] = simplify(polynomial.coeff_monomial(unknown))
        return MappingProxyType(found)

    @cached_property
    def return_range(self) -> tuple[Extreme, Extreme] | None:
        """Least and greatest return over every combination of readings that bears on it.

        None where unknowns leave the comparison open.
        """
        if not is_number(self.returned):
            return None
        values = [Extreme(a.returned, a.readings) for a in self.under_all_readings()]
        if not all(is_number(e.value) for e in values):
            return None
        return min(values, key=lambda e: e.value), max(values, key=lambda e: e.value)

    def under_all_readings(self) -> list[Analysis]:
        """One analysis for each combination of choices that can change the return, this one's own first."""
        bearing = [r for r in self.book.readings_of(self.id) if not r.frequencies_only]
        others = {r.id: self.readings[r.id] for r in self.book.readings_of(self.id) if r.frequencies_only}
        found = [self]
        for choices in product(*(r.choices for r in bearing)):
            picked = {**{r.id: c.id for r, c in zip(bearing, choices, strict=True)}, **others}
            if picked != dict(self.readings):
                request = dataclass_replace(self.request, reading=MappingProxyType(picked), any_decks=True)
                found.append(_analyze(self.book, request))
        return found

    def alternatives(self) -> list[tuple[str, str, Analysis]]:
        """(reading, choice, analysis) for every single choice that differs from this analysis."""
        found = []
        for reading in self.book.readings_of(self.id):
            for choice in reading.choices:
                if choice.id != self.readings[reading.id]:
                    found.append((reading.id, choice.id, self.replace(reading={reading.id: choice.id})))
        return found

    def replace(
        self,
        *,
        decks: int | None = None,
        set: Mapping[str, object] | None = None,
        reading: Mapping[str, str] | None = None,
        without: Sequence[int] | None = None,
    ) -> Analysis:
        """The same wager with some of its readings, parameters, decks or removed cards changed."""
        request = self.request
        if reading:
            self.book.check_readings([self.id], reading)
        return _analyze(
            self.book,
            dataclass_replace(
                request,
                decks=request.decks if decks is None else decks,
                set=MappingProxyType({**request.set, **{k: str(v) for k, v in (set or {}).items()}}),
                reading=MappingProxyType({**request.reading, **(reading or {})}),
                without=request.without if without is None else tuple(without),
                any_decks=request.any_decks or bool(reading),
            ),
        )

    def solve(self, parameter: str, wanted: Fraction) -> Fraction:
        """The exact value of an unknown or a setting at which the return is ``wanted``."""
        return solve(self, parameter, wanted)

    def __str__(self) -> str:
        from .views import terminal

        return terminal.plain([self])

    def __repr__(self) -> str:
        value = decimal(self.returned, 8) if is_number(self.returned) else str(self.returned)
        return f"<Analysis {self.id}, {self.decks} deck(s): return {value}>"

    def _repr_html_(self) -> str:
        from .views import notebook

        return notebook.html(self)


def _analyze(book: Rulebook, request: Request) -> Analysis:
    resolved = book.resolve(request.id, request.reading)
    if request.decks not in resolved.decks and not (
        request.any_decks and resolved.document.deck_range[0] <= request.decks <= resolved.document.deck_range[1]
    ):
        raise decks_refused(resolved, request.decks)
    values = parameters.values(resolved, request.set)
    if "game" in resolved.data:
        from .games import base

        return base.analyse(book, request, resolved, values)
    resolved = _as_asked(resolved, request, values)
    weights = wheels.fit(resolved, dict(request.wheel)) if request.wheel else {}
    table = table_of(book, resolved, Shoe(request.decks, request.without), values)
    settled, lost = settle(table, resolved)
    counts = {name: table.count(mask) for name, _, mask in settled}
    # With weights the cases that are counted are deals together with stops of the wheel.
    stops = sum(weights.values()) or 1
    cases: list[tuple[str, Pay, int]] = []
    for name, pay, _ in settled:
        if weights and wheels.spins(pay):
            cases += [(f"{name}, {sign}", won, counts[name] * weights[sign]) for sign, won in wheel_pays(resolved)]
        else:
            cases.append((name, pay, counts[name] * stops))
    stake_too = resolved.data.get("stake_returned_with_prize", False)
    # A promotion has no stake to divide by: its amounts are dollars.
    dollars = {**values, "stake": Fraction(1)} if resolved.data.get("promotion") else values
    paid = [(name, pay, simplify(pay.returned(dollars, prize_returns_stake=stake_too))) for name, pay, _ in cases]
    cap = caps.in_force(resolved, values, paid)
    outcomes = []
    for (name, pay, amount), (*_, count) in zip(paid, cases, strict=True):
        back = amount if cap is None else simplify(cap.limited(name, pay, amount))
        outcomes.append(Outcome(name, pay.text, count if table.counts_deals else None,
                                Fraction(count, table.deals * stops), back, pay))
    count = table.count(lost) * stops
    outcomes.append(Outcome(LOSS, LOSS, count if table.counts_deals else None,
                            Fraction(count, table.deals * stops), Fraction(0)))
    if sum(o.probability for o in outcomes) != 1:
        raise AssertionError(f"closure: the outcomes of {request.id} do not partition the deals")
    beside = additions(resolved, values, {n: Fraction(c, table.deals) for n, c in counts.items()})
    deal_condition = None if drawn.is_drawn(resolved.data["deal"]) else Deal(resolved.data["deal"]).condition
    return Analysis(
        id=request.id,
        name=resolved.name,
        clause=resolved.clause,
        decks=request.decks,
        condition=resolved.data.get("condition", deal_condition),
        readings=resolved.readings,
        parameters=parameters.shown(resolved, values),
        deals=table.deals * stops if table.counts_deals else None,
        classes=table.classes if table.counts_deals else None,
        outcomes=tuple(outcomes),
        resolved=resolved,
        request=request,
        book=book,
        additions=beside,
        wheel=_wheel(resolved, values, weights, beside, counts, table.deals),
        cap=cap,
    )


def _as_asked(resolved: Resolved, request: Request, values: Mapping[str, Exact | None]) -> Resolved:
    """The paytable with a user's chart, and without the lines that need another stake."""
    needed = resolved.data.get("only_at_stake", {})
    lines = tuple(
        (name, pay) for name, pay in resolved.lines if name not in needed or values["stake"] == ratio(needed[name]))
    data = resolved.data
    if request.chart:
        data = MappingProxyType({**data, "deal_options": {**data.get("deal_options", {}), "chart": request.chart}})
    return dataclass_replace(resolved, lines=lines, data=data)


def _wheel(
    resolved: Resolved, values: Mapping[str, Exact | None], weights: wheels.Weights, beside: Iterable[Addition],
    counts: Mapping[str, int], deals: int,
) -> wheels.Wheel | None:
    """The paytable's wheel, with what the wager returns beside its spins."""
    if not wheel_pays(resolved):
        return None
    stake_too = resolved.data.get("stake_returned_with_prize", False)
    trigger, rest = Fraction(0), sum((a.contribution for a in beside), Fraction(0))
    for name, pay in resolved.payments:
        chance = Fraction(counts[name], deals)
        if wheels.spins(pay):
            trigger += chance
        else:
            rest += chance * pay.returned(dict(values), prize_returns_stake=stake_too)
    return wheels.describe(resolved, values, weights, trigger, rest, stake_too)


def decks_refused(resolved: Resolved, decks: int) -> InputError:
    allowed = ", ".join(map(str, resolved.decks))
    if resolved.document.deck_range == (1, 1):
        return fault(
            f"{resolved.id} is dealt from one deck, not {decks}", "leave out --decks or give 1", file="--decks"
        )
    what = f"{resolved.id} is for {allowed} deck(s), not {decks} ({resolved.clause})"
    if resolved.decks_tied:
        return fault(what, f"give one of {allowed}, or --any-decks to compute it all the same", file="--decks")
    return fault(what, f"give one of {allowed}", file="--decks")


def analyze(
    identifier: str,
    *,
    decks: int | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] | str = (),
    any_decks: bool = False,
    wheel: str | Mapping[str, int] | None = None,
    chart: str = "",
    book: Rulebook | None = None,
) -> Analysis:
    """The exact analysis of one paytable.

    ``decks`` may be left out where the paytable allows one number only; ``set`` gives
    values to unknowns and settings (text or exact numbers), ``reading`` chooses
    readings, ``without`` names cards taken out of the shoe ("Qh Qh 7s"), ``wheel``
    gives the weights of a wheel's symbols (or the file that does), ``chart`` the file
    of a playing chart. Raises `InputError` with what would be right.
    """
    from .cards import cards

    book = book or shipped()
    resolved = book.resolve(identifier, reading)
    book.check_readings([identifier], reading or {})
    if decks is None:
        if len(resolved.decks) > 1:
            raise fault(f"{identifier} can be dealt from several numbers of decks", "say which: decks=6")
        decks = resolved.decks[0]
    chosen = {k: str(v) for k, v in (set or {}).items()}
    parameters.check_names([resolved], chosen)
    removed = cards(without) if isinstance(without, str) else tuple(without)
    weights = _weights(wheel)
    wheel_of, chart_of = _files_for([resolved], weights, chart)
    return _analyze(
        book,
        Request(identifier, decks, MappingProxyType(chosen), MappingProxyType(dict(reading or {})), removed, any_decks,
                wheel_of(resolved), chart_of(resolved)),
    )


def _weights(wheel: str | Mapping[str, int] | None) -> tuple[tuple[str, int], ...]:
    if wheel is None:
        return ()
    table = wheels.read_weights(wheel) if isinstance(wheel, str) else wheels.check_weights(wheel)
    return tuple(table.items())


def _files_for(
    items: Sequence[Resolved], weights: tuple[tuple[str, int], ...], chart: str
) -> tuple[Callable[[Resolved], tuple[tuple[str, int], ...]], Callable[[Resolved], str]]:
    """Which of the paytables a wheel's weights and a playing chart are for; `InputError` where none is."""
    if weights and not any(wheel_pays(item) for item in items):
        raise fault("none of these wagers spins a wheel", "leave it out", file=wheels.FLAG)
    if chart and not any(item.data.get("deal") == drawn.BAD_BEAT for item in items):
        raise fault("none of these wagers is played by a chart", "leave it out", file="--chart")
    return (
        lambda item: weights if wheel_pays(item) else (),
        lambda item: chart if item.data.get("deal") == drawn.BAD_BEAT else "",
    )


def analyze_all(
    pattern: str | Iterable[str],
    *,
    decks: int | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] = (),
    any_decks: bool = False,
    wheel: str | Mapping[str, int] | None = None,
    chart: str = "",
    book: Rulebook | None = None,
    left_out: list[str] | None = None,
) -> tuple[Analysis, ...]:
    """The analyses of every id that the pattern covers, at each number of decks allowed among those analysed.

    With ``decks``, an id that does not fit is refused where it was named itself,
    and left out (and appended to ``left_out``) where a glob covered it.
    """
    from .rulebook import is_glob

    book = book or shipped()
    patterns = [pattern] if isinstance(pattern, str) else list(pattern)
    identifiers = book.select(patterns)
    named = {p for p in patterns if not is_glob(p)}
    book.check_readings(identifiers, reading or {})
    resolved = [book.resolve(i, reading) for i in identifiers]
    chosen = {k: str(v) for k, v in (set or {}).items()}
    parameters.check_names(resolved, chosen)
    wheel_of, chart_of = _files_for(resolved, _weights(wheel), chart)
    found = []
    for item in resolved:
        for n in book.default_decks(item) if decks is None else [decks]:
            if n not in item.decks and not any_decks and item.id not in named:
                if left_out is not None:
                    left_out.append(item.id)
                continue
            known = {k: v for k, v in chosen.items() if k in parameters.names(item)}
            found.append(
                _analyze(
                    book,
                    Request(
                        item.id,
                        n,
                        MappingProxyType(known),
                        MappingProxyType(dict(reading or {})),
                        tuple(without),
                        any_decks,
                        wheel_of(item),
                        chart_of(item),
                    ),
                )
            )
    if not found:
        raise fault(
            f"none of the {len(resolved)} paytables is dealt from {decks} deck(s)",
            "give another number",
            file="--decks",
        )
    return tuple(found)


def solve(analysis: Analysis, parameter: str, wanted: Fraction) -> Fraction:
    """The exact value of ``parameter`` at which the return is ``wanted`` (break-even: 1).

    Raises `InputError` where the return does not depend on it, where another unknown
    is open, or where no single value gives that return.
    """
    import sympy

    from .errors import nearest

    resolved = analysis.resolved
    known = parameters.names(resolved)
    if parameter not in known:
        raise fault(
            f'{analysis.id} has no parameter "{parameter}"',
            nearest(parameter, known) if known else "it has no parameters",
        )
    setting = parameters.settings(resolved).get(parameter)
    if setting is not None and setting.fixed:
        raise fault(f"{parameter} is fixed ({setting.clause})", "solve for an unknown")
    if parameter in parameters.WHOLE:
        raise fault(f"{parameter} is a count", f"look at its values one by one: --set {parameter}=1")
    if analysis.cap is not None or parameter == "cap":
        raise fault("under a payout cap the return has a bend at every pay", "look at its values one by one with --set")
    if parameter in analysis.request.set:
        left = {k: v for k, v in analysis.request.set.items() if k != parameter}
        analysis = _analyze(analysis.book, dataclass_replace(analysis.request, set=MappingProxyType(left)))
    if parameter == "stake" and "only_at_stake" in resolved.data:
        raise fault("which lines are paid depends on the stake", "look at its values one by one: --set stake=1")
    if parameter in analysis.unknowns:
        expression = analysis.rtp
    else:
        expression = to_sympy(analysis.return_with({**analysis.parameters, parameter: None}))
    unknown = symbol(parameter)
    expression = sympy.expand(expression)
    if unknown not in expression.free_symbols:
        raise fault(f"the return of {analysis.id} does not depend on {parameter}")
    others = sorted(str(s) for s in expression.free_symbols - {unknown})
    if others:
        raise fault(f"the return also depends on {', '.join(others)}", f"set it: --set {others[0]}=VALUE")
    free = sympy.Symbol("free")
    solutions = sympy.solve(sympy.Eq(expression.subs(unknown, free), to_sympy(wanted)), free)
    exact = [simplify(s) for s in solutions if s.is_Rational]
    if len(exact) != 1:
        raise fault(f"no single value of {parameter} gives a return of {wanted}")
    if exact[0] < 0:
        raise fault(
            f"{parameter} would have to be {exact[0]}, below zero, for a return of {wanted}",
            f"at 0 the return is {simplify(expression.subs(unknown, 0))}",
        )
    return exact[0]


__all__ = [
    "Z_95", "Analysis", "Extreme", "Outcome", "Request", "analyze", "analyze_all", "line_faults", "settle", "solve",
    "table_of", "unknown_outcomes",
]  # fmt: skip
