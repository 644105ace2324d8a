"""The exact figures of one paytable: the record, its variance, the range over its readings, and its views."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from inspect import Signature
from typing import TYPE_CHECKING, Any

from ..base.displayed import Displayed
from ..base.exact import Exact, Truncated, decimal, is_number, root, simplify, symbol, to_sympy
from ..base.exact import decks as decks_in_words
from ..base.later import later
from ..base.typed import typed
from ..base.work import Stored
from ..rulebook.parameters import RED_SIDE, meters
from . import other_readings
from .additions import VARIANCE
from .other_readings import NotComputed
from .record import AnalysisRecord
from .request import Extreme

if TYPE_CHECKING:
    from ..games.model import Estimate
    from ..rulebook.book import Reading, ReadingChoice
    from .long_run import Progressive

#: The two-sided 95 % quantile of the normal distribution, as laboratories use it.
Z_95 = Fraction(1959964, 1000000)
#: The mean square of a spin's return per unit staked; it depends on the wheel's weights.
SPIN_SQUARED = "mean_square_of_a_spin"

#: Returns under the computed combinations of choices, and the choices without a figure.
Returns = tuple[tuple[Extreme, ...], tuple[NotComputed, ...]]
_returns: Stored[str, Returns] = Stored(
    f"{__name__}._returns", "returns of a game under all its readings, by their inputs", most=64)


def _variance(distribution: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    mean = sum((x * p for x, p in distribution), Fraction(0))
    return sum((x**2 * p for x, p in distribution), Fraction(0)) - mean**2


#: Members for the other rooms of combin; they may change at any time.
_INTERNAL = frozenset({"ask", "book", "outcome_distribution", "request", "resolved", "return_with", "unset"})


class _Public(type):
    """The type of `Analysis`: `dir` and `help` list its public members only."""

    #: An analysis is made by `combin.analyze`, not from its fields.
    __signature__ = Signature()

    def __dir__(cls) -> list[str]:
        of_classes = (name for base in cls.__mro__ for name in (*vars(base), *vars(base).get("__annotations__", ())))
        return sorted({name for name in of_classes if not name.startswith("_")} - _INTERNAL)


@dataclass(frozen=True, eq=False)
class Analysis(AnalysisRecord, Displayed, metaclass=_Public):
    """Exact figures of one paytable at one number of decks; `combin.analyze` returns it.

    - ``id``, ``name``, ``clause``, ``decks``: what was analysed.
    - ``deals``, ``classes``: the number of deals and of their classes; None if the number of cards varies.
    - ``outcomes``: in the order in which they are settled, each with ``outcome``, ``pays``, ``combinations``,
      ``probability``, ``returned`` per unit staked, and ``contribution``.
    - ``readings``, ``parameters``: the choices and values used, by name; a value is None if it is unknown.
    - ``condition``: what the figures are conditional on; None for most wagers.
    - ``additions``, ``wheel``, ``cap``, ``game``: pays for other players' hands, the wheel, the payout cap, and the
      figures of a game with decisions; empty or None without them.

    Amounts are per unit staked. Figures are fractions, or sympy expressions if the return depends on an unknown.
    Objects are frozen; `replace` returns a changed copy.

    >>> import combin
    >>> a = combin.analyze("maryland/blackjack/pair/A", decks=6)
    >>> a
    <Analysis maryland/blackjack/pair/A, 6 decks: return 0.88102894>
    >>> a.returned, a.house_edge, a.hit_frequency
    (Fraction(274, 311), Fraction(37, 311), Fraction(23, 311))
    >>> a.combinations["suited pair"], a.probabilities["suited pair"]
    (780, Fraction(5, 311))
    >>> round(float(a.standard_deviation), 4)
    3.7143
    """

    def __dir__(self) -> list[str]:
        return dir(type(self))

    @property
    def cap_cost(self) -> Exact:
        """The reduction of the return by a payout cap; 0 without a cap."""
        if self.cap is None:
            return Fraction(0)
        if self.game is not None:
            # The best play may change under a cap: each return is under its own best play.
            return simplify(self.unset("cap").returned - self.returned)
        return simplify(self.return_with(self.parameters) - self.returned)

    @cached_property
    def progressive(self) -> Progressive | None:
        """The figures of a progressive over many rounds (`long_run.Progressive`). None for other wagers."""
        if not meters(self.resolved):
            return None
        from .long_run import progressive

        return progressive(self)

    @cached_property
    def variance(self) -> Exact:
        """The variance of the amount returned per unit staked; an expression if it depends on unknowns."""
        if self.game is not None and self.game.spread is not None:
            return self.game.spread()
        if self.distribution is not None:
            return _variance(self.distribution)
        from .envy import added_variance

        more = added_variance(self) if self.additions else None
        if more is None or self.outcome_distribution is None:
            return self._open_variance()
        return _variance(self.outcome_distribution) + more

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...] | None:
        """The distribution of the return of a round: (amount per unit staked, probability), additions included.

        Amounts may repeat. None if an unknown is left, for a game, and if the joint distribution of several hands is
        unknown.
        """
        if self.game is not None and self.game.spread is not None:
            return None
        if not self.additions:
            return self.outcome_distribution
        from .system_draws import distribution

        return distribution(self)

    def _open_variance(self) -> Exact:
        """Return the variance with a symbol for each part that is unknown.

        A spin without weights has a mean, but its mean square is unknown. Pays for other players' hands depend on the
        player's hand through the joint distribution of all hands.
        """
        first, second = 0, 0
        for o in self.outcomes:
            p, amount = to_sympy(o.probability), to_sympy(o.returned)
            first, second = first + p * amount, second + p * (symbol(SPIN_SQUARED) if o.spins else amount**2)
        return simplify(second - first**2 + (symbol(VARIANCE) if self.additions else 0))

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Estimates, with standard errors, of figures that are not computed exactly, by name; empty for most wagers."""
        return self.game.estimate() if self.game is not None and self.game.estimate is not None else {}

    @property
    def standard_deviation(self) -> Truncated | None:
        """The square root of the variance, truncated to twelve decimals. None if the variance depends on unknowns."""
        return root(self.variance) if is_number(self.variance) else None

    @property
    def volatility_index(self) -> Truncated | None:
        """z σ with z = 1.959964: the half-width of the central 95 % of one round, per unit staked."""
        return Truncated(Z_95 * self.standard_deviation) if self.standard_deviation is not None else None

    @typed
    def range_after(self, rounds: int) -> tuple[Fraction, Fraction, Fraction] | None:
        """Return the range of the return after ``rounds`` rounds (95 %, normal), and the expected number of top prizes.

        The range is truncated at 0. With fewer than ten expected top prizes it is unreliable. Returns None if the
        return depends on unknowns.
        """
        # A variance may be known though the return is not, if every deal wins the same unknown share of a stake.
        if self.standard_deviation is None or not all(is_number(o.returned) for o in self.outcomes if o.probability):
            return None
        reach = Z_95 * root(self.variance / rounds)
        _, chance = self.top_prize
        least = Truncated(max(Fraction(0), self.returned - reach))
        return least, Truncated(self.returned + reach), chance * rounds

    @cached_property
    def return_range(self) -> tuple[Extreme, Extreme] | None:
        """Least and greatest return over all computed combinations of readings.

        None if unknowns prevent the comparison.
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
        """The computed combinations of choices, this analysis first."""
        others, missing = other_readings.run_all(self.ask, self.book, self.request)
        return (self, *others), tuple(missing)

    @cached_property
    def _returns(self) -> Returns:
        """The returns under these combinations, stored for games, which are expensive to solve."""
        known = None
        if self.game is not None:
            from .store_key import inputs_of

            known = inputs_of(self.book, self.id, self.request)
        key = json.dumps(known)
        if known is not None and key in _returns:
            return _returns[key]
        analyses, missing = self._under_readings
        returns = tuple(Extreme(a.returned, a.readings, a.decks) for a in analyses), missing
        if known is not None:
            _returns[key] = returns
        return returns

    def under_all_readings(self) -> list[Analysis]:
        """Return an analysis for each combination of choices that can change the return, this one first."""
        return list(self._under_readings[0])

    @property
    def not_computed(self) -> tuple[NotComputed, ...]:
        """The choices of readings without a figure, each with the reason."""
        if not is_number(self.returned):  # without a range no other analysis is needed
            return tuple(other_readings.combinations(self.book, self.request)[1])
        return self._returns[1]

    def alternatives(self) -> list[tuple[str, str, Analysis | NotComputed]]:
        """Return (reading, choice, its analysis or the reason why there is none) for every other single choice."""
        return [(reading.id, choice.id, self._under_choice(reading, choice))
                for reading in self.book.readings_of(self.id) for choice in reading.choices
                if choice.id != self.readings[reading.id]]

    def _under_choice(self, reading: Reading, choice: ReadingChoice) -> Analysis | NotComputed:
        other = other_readings.under(self.book, self.request, {reading.id: choice})
        if isinstance(other, NotComputed):
            return other
        return other_readings.run_one(self.ask, self.book, self.request, other)

    @typed
    def solve(self, parameter: str, wanted: Fraction, *, long_run: bool = False) -> Fraction:
        """Return the exact value of an unknown or a setting at which the return is ``wanted``.

        ``long_run`` uses the long-run return of a progressive, which depends on contribution rate and reset.

        >>> import combin
        >>> from fractions import Fraction
        >>> a = combin.analyze("maryland/high-card-flush/progressive/A")
        >>> value = a.solve("meter", Fraction(1))
        >>> a.replace(set={"meter": value}).returned
        Fraction(1, 1)
        """
        from .solving import solve

        return solve(self, parameter, wanted, long_run=long_run)

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as in the JSON form: exact values as strings, each with a decimal."""
        return later("views.json").record(self)

    @typed
    def to_frame(self, library: str = "") -> Any:
        """Return a data frame of pandas or polars, one row per outcome; see `Analyses.to_frame`."""
        return later("views.frame").of_outcomes([self], library)

    @typed
    def plot(self, line: str = "", values: Sequence[Any] = ()) -> Any:
        """Return a matplotlib figure of the contributions, or of the return against a pay, an unknown or a setting.

        ``line`` is a line of the paytable or a parameter; ``values`` are its pays, as whole numbers or texts, or the
        parameter's values.
        """
        plots = later("views.plots")
        return plots.against(self, line, values) if line else plots.contributions(self)

    def __repr__(self) -> str:
        value = decimal(self.returned, 8) if is_number(self.returned) else str(self.returned)
        return f"<Analysis {self.id}, {decks_in_words(self.decks)}: return {value}>"
