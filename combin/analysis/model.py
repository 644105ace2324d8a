"""The exact figures of one paytable: what an `Analysis` holds, and what follows from it.

Everything after it (terminal, JSON, report, committed table, verdict) is a view of one
`Analysis`; nothing recomputes a number. The engine makes analyses, and gives each a way to ask again.
"""

from __future__ import annotations

import copyreg
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ..base.errors import InputError, fault
from ..base.exact import Exact, Truncated, decimal, is_number, root, simplify, symbol, to_sympy, unknowns_in
from ..base.frozen import freeze
from ..base.work import Stored
from ..games.model import Estimate
from ..progressives import long_run
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.parameters import RED_SIDE, wheel_pays
from . import caps, envy, other_readings, solving, system_draws, wheels
from .additions import VARIANCE, Addition
from .other_readings import NotComputed
from .outcome import Extreme, Outcome, Request, card_types, whole_decks
from .store_key import inputs_of

#: The two-sided 95 % quantile of the normal distribution, as laboratories quote it.
Z_95 = Fraction(1959964, 1000000)
#: The mean square of a spin's return per unit staked; its value needs the wheel's weights.
SPIN_SQUARED = "mean_square_of_a_spin"

#: Returns under the combinations of choices that are computed, and the choices that are not.
Returns = tuple[tuple[Extreme, ...], tuple[NotComputed, ...]]
_returns: Stored[str, Returns] = Stored(
    f"{__name__}._returns", "returns of a game under all its readings, by all that they depend on", most=64)


def _frozen(data: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(data)


def _variance(law: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    mean = sum((x * p for x, p in law), Fraction(0))
    return sum((x**2 * p for x, p in law), Fraction(0)) - mean**2


# An analysis holds read-only views, which Python cannot pickle by itself.
copyreg.pickle(MappingProxyType, lambda view: (_frozen, (dict(view),)))  # type: ignore[arg-type, return-value]


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
    #: The way to another analysis: the engine that made this one.
    ask: Callable[[Rulebook, Request], Analysis] = field(repr=False, compare=False)
    #: The figures of a game with decisions; None for other wagers.
    game: Any = field(default=None, repr=False)
    #: What is paid beside the outcomes: other players' hands, extra draws.
    additions: tuple[Addition, ...] = ()
    wheel: wheels.Wheel | None = None
    cap: caps.Cap | None = None

    def __post_init__(self) -> None:
        for part in (self.resolved, self.request, self.game, self.wheel):
            freeze(part)

    def __hash__(self) -> int:
        """From some fields alone: equal analyses have equal fields."""
        return hash((self.id, self.decks, self.outcomes))

    @property
    def combinations(self) -> Mapping[str, int]:
        """Exact number of deals by outcome; raises `InputError` if the number of cards varies."""
        if self.deals is None:
            raise fault(f"{self.id} has probabilities, not combinations: its number of cards varies")
        return MappingProxyType({o.outcome: o.combinations for o in self.outcomes})  # type: ignore[misc]

    @property
    def probabilities(self) -> Mapping[str, Exact]:
        return MappingProxyType({o.outcome: o.probability for o in self.outcomes})

    @property
    def has_document(self) -> bool:
        """Whether a rule document has the wager; none has a wager of the user's own."""
        return self.resolved.document.id in self.book.documents

    @property
    def has_stake(self) -> bool:
        """Whether the wager has a stake of its own; a promotion has neither stake nor return."""
        return not self.resolved.terms.promotion

    @cached_property
    def returned(self) -> Exact:
        """Return to player: a Fraction, or an expression in the unknowns (dollars per round for a promotion)."""
        return self.return_with(None)

    def return_with(self, values: Mapping[str, Exact | None] | None) -> Exact:
        """The return at other ``values`` of unknowns and stake, from the same deals and additions.

        None means the values of this analysis. With other values no cap is applied.
        """
        stake_too = self.resolved.terms.stake_returned_with_prize
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
        """The reduction of the return by a payout cap; 0 without one."""
        if self.cap is None:
            return Fraction(0)
        if self.game is not None:
            # The best play may change under a cap: both returns are at their own best play.
            free = {k: v for k, v in self.request.set.items() if k != "cap"}
            return self.ask(self.book, dataclass_replace(self.request, set=free)).returned - self.returned
        return simplify(self.return_with(self.parameters) - self.returned)

    @cached_property
    def progressive(self) -> Any:
        """The figures of a progressive over many rounds (`meters.Progressive`); None for other wagers."""
        return long_run.progressive(self)

    @property
    def rtp(self) -> Any:
        """Return to player per unit staked as a sympy Rational or expression."""
        return to_sympy(self.returned)

    @property
    def house_edge(self) -> Any:
        """1 − return; None for a promotion, which has no stake."""
        return simplify(1 - self.returned) if self.has_stake else None

    @property
    def hit_frequency(self) -> Exact:
        """The probability that something is paid beyond the returned stake."""
        if self.game is not None:
            return simplify(self.game.win_frequency)
        return sum((o.probability for o in self.outcomes if o.is_hit), Fraction(0))

    @cached_property
    def variance(self) -> Exact:
        """Variance of the amount returned per unit staked."""
        if self.game is not None and self.game.spread is not None:
            return self.game.spread()
        if self.law is not None:
            return _variance(self.law)
        more = envy.added_variance(self) if self.additions else None
        if more is None or self._own_law is None:
            return self._open_variance()
        return _variance(self._own_law) + more

    @cached_property
    def law(self) -> tuple[tuple[Fraction, Fraction], ...] | None:
        """(amount returned per unit staked, probability) of a round, with all that is paid beside the outcomes.

        Amounts may repeat. None where an unknown is left, and where the joint law of a game's or of several
        players' results is not known.
        """
        if self.game is not None and self.game.spread is not None:
            return None
        return system_draws.law(self) if self.additions else self._own_law

    @property
    def _own_law(self) -> tuple[tuple[Fraction, Fraction], ...] | None:
        """The law of what the outcomes alone return; None where it is open."""
        found = tuple(pair for o in self.outcomes for pair in o.law)
        known = all(is_number(x) and is_number(p) for x, p in found) and not any(o.spins for o in self.outcomes)
        return found if known else None

    def _open_variance(self) -> Exact:
        """The variance with a symbol for each part of it that is unknown.

        A spin without weights has a mean but no known mean square. Pays for other hands
        depend on one's own hand: only the joint law of all hands would tell how.
        """
        first, second = 0, 0
        for o in self.outcomes:
            p, amount = to_sympy(o.probability), to_sympy(o.returned)
            first, second = first + p * amount, second + p * (symbol(SPIN_SQUARED) if o.spins else amount**2)
        return simplify(second - first**2 + (symbol(VARIANCE) if self.additions else 0))

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Estimates of figures that stay open, by name, each with its standard error; none for most wagers."""
        return self.game.estimate() if self.game is not None and self.game.estimate is not None else {}

    @property
    def standard_deviation(self) -> Truncated | None:
        """The square root of the variance, truncated at twelve decimals; None while unknowns are left."""
        return root(self.variance) if is_number(self.variance) else None

    @property
    def volatility_index(self) -> Truncated | None:
        """z σ with z = 1.959964: how far 95 % of single rounds stray, per unit staked."""
        return Truncated(Z_95 * self.standard_deviation) if self.standard_deviation is not None else None

    def range_after(self, rounds: int) -> tuple[Fraction, Fraction, Fraction] | None:
        """Least and greatest return after so many rounds (95 %, normal), and the expected number of top prizes.

        The range is truncated at 0. With fewer than ten expected top prizes it is not
        reliable. None while unknowns are left.
        """
        if self.standard_deviation is None:
            return None
        reach = Z_95 * root(self.variance / rounds)
        top = max((o for o in self.outcomes if o.probability), key=lambda o: o.returned)
        least = Truncated(max(Fraction(0), self.returned - reach))
        return least, Truncated(self.returned + reach), top.probability * rounds

    @property
    def top_pay(self) -> Exact:
        """The greatest net pay per unit staked that can be won (an expression where the top prize is an unknown)."""
        if self.game is not None and self.game.top_net is not None:
            return self.game.top_net
        nets = [simplify(x - 1) for o in self.outcomes if not o.spins and o.probability for x, p in o.law]
        nets += [simplify(pay.returned(dict(self.parameters)) - 1) for _, pay in wheel_pays(self.resolved)]
        open_ones = [n for n in nets if not is_number(n)]
        if not open_ones:
            return max(nets)
        import sympy

        # No unknown is negative: of several shares of one meter the largest is the greatest.
        given = {symbol(name): sympy.Symbol(name, nonnegative=True) for n in open_ones for name in unknowns_in(n)}
        most = sympy.Max(*(to_sympy(n).subs(given) for n in nets))
        return most.subs({known: plain for plain, known in given.items()})

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknowns that are left in the return, in alphabetical order."""
        open_ones = [unknowns_in(x) for o in self.outcomes if o.probability for x in (o.probability, o.returned)]
        return tuple(sorted(set().union(*open_ones, *(unknowns_in(a.contribution) for a in self.additions))))

    @cached_property
    def coefficients(self) -> Mapping[str, Fraction] | None:
        """The return's coefficient of each unknown, "1" for the constant; None if it is not linear."""
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
        """Least and greatest return over every combination of readings that is computed.

        None if unknowns leave the comparison open. Readings that take a game too long to be
        solved again keep their choice; `not_computed` names the choices left out.
        """
        if not is_number(self.returned):
            # Expressions cannot be compared; a single one needs no comparison.
            full = not self.request.without and self.parameters.get(RED_SIDE) is None
            alone = all(len(r.computed) == 1 or r.frequencies_only or (r.suits_only and full)
                        for r in self.book.readings_of(self.id))
            end = Extreme(self.returned, self.readings)
            return (end, end) if alone else None
        values, _ = self._returns
        if not all(is_number(e.value) for e in values):
            return None
        return min(values, key=lambda e: e.value), max(values, key=lambda e: e.value)

    @cached_property
    def _under_readings(self) -> tuple[tuple[Analysis, ...], tuple[NotComputed, ...]]:
        """The combinations of choices that are computed beside this one."""
        kept = {name: self.readings[name] for name in self._alone}
        found, missing = other_readings.run_all(self.ask, self.book, self.request, kept)
        return (self, *found), tuple(missing)

    @cached_property
    def _returns(self) -> Returns:
        """The returns under the same combinations, kept for a game: it is long to be solved for each."""
        known = None if self.game is None else inputs_of(self.book, self.id, self.request)
        key = json.dumps(known)
        if known is not None and key in _returns:
            return _returns[key]
        found, missing = self._under_readings
        made = tuple(Extreme(a.returned, a.readings, a.decks) for a in found), missing
        if known is not None:
            _returns[key] = made
        return made

    def under_all_readings(self) -> list[Analysis]:
        """One analysis for each combination of choices that can change the return, this one's own first.

        Readings for which a game is long to be solved again are among them.
        """
        if self._alone:
            return [self, *other_readings.run_all(self.ask, self.book, self.request)[0]]
        return list(self._under_readings[0])

    @property
    def _alone(self) -> Mapping[str, str]:
        """Readings whose other choices are not computed beside this one, with the reason."""
        return self.game.alone if self.game is not None else {}

    @property
    def not_computed(self) -> tuple[NotComputed, ...]:
        """The choices of readings that have no figure, each with the reason."""
        if not is_number(self.returned):  # a range that stays open needs no other analysis
            return tuple(other_readings.combinations(self.book, self.request)[1])
        long = [
            NotComputed(r.id, c.id, self._alone[r.id])
            for r in self.book.readings_of(self.id) if r.id in self._alone
            for c in r.computed if c.id != self.readings[r.id]
        ]
        return (*long, *self._returns[1])

    def alternatives(self) -> list[tuple[str, str, Analysis | NotComputed]]:
        """(reading, choice, its analysis or why there is none) for every other single choice."""
        found: list[tuple[str, str, Analysis | NotComputed]] = []
        for reading in self.book.readings_of(self.id):
            for choice in reading.choices:
                if choice.id == self.readings[reading.id]:
                    continue
                if reading.id in self._alone:
                    why = self._alone[reading.id]
                    found.append((reading.id, choice.id, NotComputed(reading.id, choice.id, why)))
                    continue
                other = other_readings.asked(self.book, self.request, reading, choice)
                if isinstance(other, Request):
                    try:
                        found.append((reading.id, choice.id, self.ask(self.book, other)))
                        continue
                    except InputError as error:
                        other = NotComputed(reading.id, choice.id, error.faults[0].what)
                found.append((reading.id, choice.id, other))
        return found

    def replace(
        self,
        *,
        decks: int | None = None,
        pays: Mapping[str, str] | None = None,
        set: Mapping[str, object] | None = None,
        reading: Mapping[str, str] | None = None,
        without: Sequence[int] | None = None,
    ) -> Analysis:
        """The same wager with some of its pays, readings, parameters, decks or removed cards changed.

        >>> import combin
        >>> a = combin.analyze("maryland/blackjack/lucky-ladies/A", decks=6)
        >>> a.replace(decks=2).deals == 104 * 103 // 2 * 102 * 101 // 2  # two cards of the player, two of the dealer
        True
        >>> a.replace(pays={"any 20": "4 to 1"}).returned < a.replace(pays={"any 20": "5 to 1"}).returned
        True
        """
        request = self.request
        if reading:
            self.book.check_readings([self.id], reading)
        book = self.book
        if pays:
            book = book.with_pays(book.resolve(self.id, {**request.reading, **(reading or {})}), pays)
        return self.ask(
            book,
            dataclass_replace(
                request,
                decks=whole_decks(decks) or request.decks,
                set=MappingProxyType({**request.set, **{k: str(v) for k, v in (set or {}).items()}}),
                reading=MappingProxyType({**request.reading, **(reading or {})}),
                without=request.without if without is None else card_types(without),
                any_decks=request.any_decks or bool(reading),
            ),
        )

    def solve(self, parameter: str, wanted: Fraction, *, long_run: bool = False) -> Fraction:
        """The exact value of an unknown or a setting at which the return is ``wanted``.

        ``long_run`` asks for the long-run return of a progressive, which contribution rate and reset decide.

        >>> import combin
        >>> from fractions import Fraction
        >>> a = combin.analyze("maryland/high-card-flush/progressive/A")
        >>> value = a.solve("meter", Fraction(1))
        >>> a.replace(set={"meter": value}).returned
        Fraction(1, 1)
        """
        return solving.solve(self, parameter, wanted, long_run=long_run)

    def to_dict(self) -> dict[str, Any]:
        """The analysis as in the JSON form: exact values as strings with decimals beside them."""
        from ..views import json

        return json.record(self)

    def to_frame(self, library: str = "") -> Any:
        """A data frame of pandas or polars, one row an outcome; see `Analyses.to_frame`."""
        from ..views import frame

        return frame.of_outcomes([self], library)

    def plot(self, line: str = "", values: Sequence[Any] = ()) -> Any:
        """A figure of matplotlib: the contributions, or the return against a pay, an unknown or a setting.

        ``line`` names a line of the paytable or a parameter; ``values`` are its pays, as whole numbers or
        texts, or the parameter's values.
        """
        from ..views import plots

        return plots.against(self, line, values) if line else plots.contributions(self)

    def __str__(self) -> str:
        from ..views import terminal

        return terminal.plain([self])

    def __repr__(self) -> str:
        value = decimal(self.returned, 8) if is_number(self.returned) else str(self.returned)
        return f"<Analysis {self.id}, {self.decks} deck(s): return {value}>"

    def _repr_html_(self) -> str:
        from ..views import notebook

        return notebook.html(self)
