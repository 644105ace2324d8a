"""From a resolved paytable to its exact figures: settle, take moments, vary, solve.

    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    a.combinations["any 20"]        # an int
    a.rtp                           # a sympy Rational, or an expression in the unknowns

Everything downstream (terminal, JSON, report, committed table, verdict) is a view of
one `Analysis`; nothing recomputes a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from . import drawn, parameters
from .cards import Shoe
from .deal import Deal
from .errors import Fault, InputError, fault, raise_all
from .exact import Exact, decimal, is_number, root, simplify, symbol, to_sympy, unknowns_in
from .pays import LOSS, Pay
from .rulebook import Resolved, Rulebook, shipped
from .table import Column, Table
from .wagers import outcome_function

#: Two-sided 95 % of the normal distribution, as laboratories quote it.
Z_95 = Fraction(1959964, 1000000)


@dataclass(frozen=True)
class Outcome:
    """One outcome of a paytable.

    ``combinations`` is the exact number of deals (None where the number of cards
    varies), ``probability`` its share of all deals, ``returned`` the amount
    returned per unit staked, stake included where it comes back.
    """

    outcome: str
    pays: str
    combinations: int | None
    probability: Fraction
    returned: Exact
    pay: Pay | None = field(default=None, repr=False)

    @property
    def contribution(self) -> Exact:
        """Probability × amount returned; these sum to the return."""
        return simplify(self.probability * self.returned)

    @property
    def true_odds(self) -> Fraction | None:
        """(1 − p)/p, to 1."""
        return (1 - self.probability) / self.probability if self.probability else None

    @property
    def frequency(self) -> Fraction | None:
        """1/p: the outcome comes once in so many rounds."""
        return 1 / self.probability if self.probability else None

    @property
    def is_hit(self) -> bool:
        """Whether something is paid beyond the returned stake."""
        if self.pay is None:
            return is_number(self.returned) and self.returned > 1
        prize = bool(self.pay.dollars or self.pay.unknowns)
        return prize or bool(is_number(self.returned) and self.returned > 1)


@dataclass(frozen=True)
class Extreme:
    """One end of the range of the return, and the choices of readings that give it."""

    value: Exact
    readings: Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """What was asked for: enough to ask again with something changed."""

    id: str
    decks: int
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    without: tuple[int, ...] = ()
    any_decks: bool = False


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

    @property
    def combinations(self) -> Mapping[str, int]:
        """Exact number of deals by outcome; raises `InputError` where the number of cards varies."""
        if self.deals is None:
            raise fault(f"{self.id} has probabilities, not combinations: its number of cards varies")
        return MappingProxyType({o.outcome: o.combinations for o in self.outcomes})  # type: ignore[misc]

    @property
    def probabilities(self) -> Mapping[str, Fraction]:
        return MappingProxyType({o.outcome: o.probability for o in self.outcomes})

    @property
    def has_stake(self) -> bool:
        """Whether the wager has a stake of its own; a promotion has not, and no return either."""
        return not self.resolved.data.get("promotion", False)

    @cached_property
    def returned(self) -> Exact:
        """Return to player: a Fraction, or an expression in the unknowns (dollars per round for a promotion)."""
        if all(is_number(o.returned) for o in self.outcomes):
            return sum((o.probability * o.returned for o in self.outcomes), Fraction(0))
        return simplify(sum(to_sympy(o.probability) * to_sympy(o.returned) for o in self.outcomes))

    @property
    def rtp(self) -> Any:
        """Return to player per unit staked as a sympy Rational or expression."""
        return to_sympy(self.returned)

    @property
    def house_edge(self) -> Exact:
        """1 − return."""
        return simplify(1 - self.returned)

    @property
    def hit_frequency(self) -> Fraction:
        """The probability that something is paid beyond the returned stake."""
        return sum((o.probability for o in self.outcomes if o.is_hit), Fraction(0))

    @cached_property
    def variance(self) -> Exact:
        """Variance of the amount returned per unit staked."""
        if all(is_number(o.returned) for o in self.outcomes):
            second = sum((o.probability * o.returned**2 for o in self.outcomes), Fraction(0))
            return second - self.returned**2
        second = sum(to_sympy(o.probability) * to_sympy(o.returned) ** 2 for o in self.outcomes)
        return simplify(second - to_sympy(self.returned) ** 2)

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
        nets = [simplify(o.returned - 1) for o in self.outcomes]
        open_ones = [n for n in nets if not is_number(n)]
        if not open_ones:
            return max(nets)
        import sympy

        return sympy.Max(*(to_sympy(n) for n in nets))

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknowns that are left in the return, in alphabetical order."""
        return tuple(sorted(set().union(*(unknowns_in(o.returned) for o in self.outcomes if o.probability))))

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


def settle(table: Table, resolved: Resolved) -> tuple[list[tuple[str, Pay, Column]], Column]:
    """(outcome, pay, rows that it takes) for each paid outcome in order, and the rows that are left: the loss.

    A row goes to the first outcome listed that it meets. Raises `InputError` for an
    outcome that the wager does not know, and in a user's file for a line below a
    smaller pay which it overlaps.
    """
    known = masks_of(table, resolved)
    raise_all(unknown_outcomes(resolved, known))
    left = table["eligible"] == 1 if "eligible" in table.columns else np.ones(len(table), dtype=bool)
    settled = []
    for outcome, pay in resolved.payments:
        taken = known[outcome] & left
        left = left & ~taken
        settled.append((outcome, pay, taken))
    if resolved.paytable.file:
        raise_all(misordered(resolved, known))
    if "eligible" in table.columns:
        left = left | (table["eligible"] == 0)
    return settled, left


def masks_of(table: Table, resolved: Resolved) -> Mapping[str, Column]:
    """The rows of every outcome that the wager knows; kept with the table, which serves all its paytables."""
    key = (resolved.data["outcomes"], repr(sorted(resolved.options.items())))
    if key not in table._masks:
        table._masks[key] = outcome_function(resolved.data["outcomes"])(table, **resolved.options)
    found: Mapping[str, Column] = table._masks[key]
    return found


def line_faults(table: Table, resolved: Resolved) -> list[Fault]:
    """Everything that is wrong with the lines of a user's paytable: outcomes, then order."""
    known = masks_of(table, resolved)
    return unknown_outcomes(resolved, known) + misordered(resolved, known)


def unknown_outcomes(resolved: Resolved, known: Iterable[str]) -> list[Fault]:
    from .errors import nearest

    known = list(known)
    return [
        Fault(
            f'{resolved.wager_id} has no outcome "{outcome}"',
            nearest(outcome, known),
            resolved.paytable.file,
            _place(resolved, outcome),
        )
        for outcome, _ in resolved.lines
        if outcome not in known
    ]


def misordered(resolved: Resolved, masks: Mapping[str, Column]) -> list[Fault]:
    """Lines that stand below a smaller pay which they overlap: part of their deals is paid less."""
    values: dict[str, Exact] = {"stake": Fraction(1)}
    faults = []
    lines = [
        (outcome, pay.returned(values)) for outcome, pay in resolved.lines if not pay.unknowns and outcome in masks
    ]
    for i, (outcome, amount) in enumerate(lines):
        for above, smaller in lines[:i]:
            if smaller < amount and bool((masks[above] & masks[outcome]).any()):
                faults.append(
                    Fault(
                        f'"{outcome}" pays more than "{above}" above it, which takes deals that are both',
                        f'list "{outcome}" before "{above}"',
                        resolved.paytable.file,
                        _place(resolved, outcome),
                    )
                )
                break
    return faults


def _place(resolved: Resolved, outcome: str) -> str:
    return resolved.paytable.places.get(outcome) or resolved.paytable.id


def table_of(book: Rulebook, resolved: Resolved, shoe: Shoe, values: Mapping[str, Exact | None]) -> Table:
    """The table of deals on which a wager without decisions is settled."""
    text = resolved.data["deal"]
    if drawn.is_drawn(text):
        return drawn.table(text, shoe, resolved.data.get("deal_options", {}))
    if resolved.data.get("play_options"):
        from .games import play

        if play.depends(resolved):
            return play.table(book, resolved, values)
    return Deal(text, tuple(resolved.data.get("suits", ()))).table(shoe)


def _analyze(book: Rulebook, request: Request) -> Analysis:
    resolved = book.resolve(request.id, request.reading)
    if request.decks not in resolved.decks and not (
        request.any_decks and resolved.document.deck_range[0] <= request.decks <= resolved.document.deck_range[1]
    ):
        raise decks_refused(resolved, request.decks)
    values = parameters.values(resolved, request.set)
    if resolved.has_decisions:
        from .games import base

        return base.analyse(book, request, resolved, values)
    shoe = Shoe(request.decks, request.without)
    table = table_of(book, resolved, shoe, values)
    settled, lost = settle(table, resolved)
    returns_stake = resolved.data.get("stake_returned_with_prize", False)
    outcomes = []
    for name, pay, mask in settled:
        count = table.count(mask)
        amount = simplify(pay.returned(values, prize_returns_stake=returns_stake))
        outcomes.append(
            Outcome(name, pay.text, count if table.counts_deals else None, Fraction(count, table.deals), amount, pay)
        )
    count = table.count(lost)
    outcomes.append(
        Outcome(LOSS, LOSS, count if table.counts_deals else None, Fraction(count, table.deals), Fraction(0))
    )
    if sum(o.probability for o in outcomes) != 1:
        raise AssertionError(f"closure: the outcomes of {request.id} do not partition the deals")
    deal_condition = None if drawn.is_drawn(resolved.data["deal"]) else Deal(resolved.data["deal"]).condition
    return Analysis(
        id=request.id,
        name=resolved.name,
        clause=resolved.clause,
        decks=request.decks,
        condition=resolved.data.get("condition", deal_condition),
        readings=resolved.readings,
        parameters=parameters.shown(resolved, values),
        deals=table.deals if table.counts_deals else None,
        classes=table.classes if table.counts_deals else None,
        outcomes=tuple(outcomes),
        resolved=resolved,
        request=request,
        book=book,
    )


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
    book: Rulebook | None = None,
) -> Analysis:
    """The exact analysis of one paytable.

    ``decks`` may be left out where the paytable allows one number only; ``set`` gives
    values to unknowns and settings (text or exact numbers), ``reading`` chooses
    readings, ``without`` names cards taken out of the shoe ("Qh Qh 7s"). Raises
    `InputError` with what would be right.
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
    return _analyze(
        book,
        Request(identifier, decks, MappingProxyType(chosen), MappingProxyType(dict(reading or {})), removed, any_decks),
    )


def analyze_all(
    pattern: str | Iterable[str],
    *,
    decks: int | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] = (),
    any_decks: bool = False,
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
    if parameter in resolved.settings and resolved.settings[parameter].fixed:
        raise fault(f"{parameter} is fixed ({resolved.settings[parameter].clause})", "solve for an unknown")
    if parameter in analysis.unknowns:
        expression = analysis.rtp
    else:
        request = dataclass_replace(
            analysis.request, set=MappingProxyType({k: v for k, v in analysis.request.set.items() if k != parameter})
        )
        values = {**parameters.values(resolved, request.set), parameter: None}
        returns_stake = resolved.data.get("stake_returned_with_prize", False)
        expression = sum(
            to_sympy(o.probability) * to_sympy(o.pay.returned(values, prize_returns_stake=returns_stake))
            for o in analysis.outcomes
            if o.pay is not None
        )
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


__all__ = ["Z_95", "Analysis", "Extreme", "Outcome", "Request", "analyze", "analyze_all", "solve"]
