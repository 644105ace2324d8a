"""The record of one analysis: its fields, the return, and what follows from the outcomes.

Every view (terminal, JSON, report, committed table, verdict) shows one analysis; none recomputes a figure. The engine
creates analyses, and gives each a function to request another one.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from ..base.errors import fault
from ..base.exact import Exact, is_number, simplify, symbol, to_sympy, unknowns_in
from ..base.frozen import freeze
from ..base.typed import typed
from ..deals.cards import Shoe, deck_of
from ..games.outcome import Outcome
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.parameters import check_names, wheel_pays
from .additions import Addition
from .request import Request, card_types, whole_decks

if TYPE_CHECKING:
    from sympy import Expr

    from .caps import Cap
    from .wheels import Wheel


def _frozen(data: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(data)


# An analysis contains read-only mappings, which Python cannot pickle by default.
copyreg.pickle(MappingProxyType, lambda view: (_frozen, (dict(view),)))  # type: ignore[arg-type, return-value]


@dataclass(frozen=True)
class AnalysisRecord:
    """Exact figures of one paytable at one number of decks that follow from its fields.

    Amounts are per unit staked. Objects are frozen; `replace` returns a changed copy.
    """

    id: str
    name: str
    clause: str
    decks: int
    readings: Mapping[str, str]
    parameters: Mapping[str, Exact | None]
    deals: int | None
    classes: int | None
    outcomes: tuple[Outcome, ...]
    resolved: Resolved = field(repr=False, compare=False)
    request: Request = field(repr=False)
    book: Rulebook = field(repr=False, compare=False)
    #: The engine's function that runs another request.
    ask: Callable[[Rulebook, Request], Any] = field(repr=False, compare=False)
    #: What the figures are conditional on; None for most wagers.
    condition: str | None = None
    #: The figures of a game with decisions; None for other wagers.
    game: Any = field(default=None, repr=False)
    #: Pays besides the outcomes, for other players' hands or extra draws.
    additions: tuple[Addition, ...] = ()
    wheel: Wheel | None = None
    cap: Cap | None = None

    def __post_init__(self) -> None:
        for part in (self.resolved, self.request, self.game, self.wheel):
            freeze(part)

    def __hash__(self) -> int:
        """Hash only some fields: equal analyses have equal fields."""
        return hash((self.id, self.decks, self.outcomes))

    @property
    def shoe(self) -> Shoe:
        """Return the shoe without the cards removed from it."""
        return Shoe(self.decks, self.request.without, deck_of(self.resolved.terms.shoe))

    @property
    def combinations(self) -> Mapping[str, int]:
        """Exact number of deals by outcome. Raises `InputError` if the number of cards varies."""
        if self.deals is None:
            raise fault(f"{self.id} has no combinations, since its number of cards varies; use probabilities")
        return MappingProxyType({o.outcome: o.combinations for o in self.outcomes})  # type: ignore[misc]

    @property
    def probabilities(self) -> Mapping[str, Exact]:
        """Exact probability by outcome."""
        return MappingProxyType({o.outcome: o.probability for o in self.outcomes})

    @property
    def has_document(self) -> bool:
        """Whether a rule document defines the wager; false for a user-defined wager."""
        return self.resolved.document.id in self.book.documents

    @property
    def has_stake(self) -> bool:
        """Whether the wager has a stake; a promotion has neither stake nor return."""
        return not self.resolved.terms.promotion

    @cached_property
    def returned(self) -> Exact:
        """Return to player: a Fraction, or an expression in the unknowns (dollars per round for a promotion)."""
        return self.return_with(None)

    def return_with(self, values: Mapping[str, Exact | None] | None) -> Exact:
        """Return the return at other ``values`` of unknowns and stake, from the same deals and additions.

        None means the values of this analysis. For other values no cap is applied.
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

    def unset(self, parameter: str) -> Self:
        """Return the same analysis without a value of the parameter."""
        left = {name: text for name, text in self.request.set.items() if name != parameter}
        other: Self = self.ask(self.book, dataclass_replace(self.request, set=MappingProxyType(left)))
        return other

    @property
    def rtp(self) -> Expr:
        """Return to player per unit staked as a sympy Rational or expression."""
        return to_sympy(self.returned)

    @property
    def house_edge(self) -> Any:
        """1 − return. None for a promotion, which has no stake."""
        return simplify(1 - self.returned) if self.has_stake else None

    @property
    def hit_frequency(self) -> Exact:
        """The probability that more than the stake is returned."""
        if self.game is not None:
            return simplify(self.game.win_frequency)
        return sum((o.probability for o in self.outcomes if o.is_hit), Fraction(0))

    @property
    def outcome_distribution(self) -> tuple[tuple[Fraction, Fraction], ...] | None:
        """The distribution of the amount returned by outcomes, without additions. None if it depends on unknowns."""
        pairs = tuple(pair for o in self.outcomes for pair in o.distribution)
        known = all(is_number(x) and is_number(p) for x, p in pairs) and not any(o.spins for o in self.outcomes)
        return pairs if known else None

    @property
    def top_prize(self) -> tuple[Exact, Exact]:
        """The greatest amount that an outcome returns, with its probability; all amounts must be numbers."""
        best = max(o.returned for o in self.outcomes if o.probability)
        return best, sum((o.probability for o in self.outcomes if o.returned == best), Fraction(0))

    @property
    def top_pay(self) -> Exact:
        """The greatest net pay per unit staked that can be won; an expression if the top prize is unknown."""
        if self.game is not None and self.game.top_net is not None:
            return self.game.top_net
        won = [o for o in self.outcomes if o.probability]
        symbols = wheel_pays(self.resolved)
        # Without symbols of the wheel the expected prize is used.
        nets = [simplify(x - 1) for o in won if not (o.spins and symbols) for x, p in o.distribution]
        if any(o.spins or o.symbol for o in won):
            nets += [simplify(pay.returned(dict(self.parameters)) - 1) for _, pay in symbols]
        unknown_nets = [n for n in nets if not is_number(n)]
        if not unknown_nets:
            return max(nets)
        import sympy

        # Unknowns are not negative: of several shares of one meter the largest is the greatest.
        given = {symbol(name): sympy.Symbol(name, nonnegative=True) for n in unknown_nets for name in unknowns_in(n)}
        most = sympy.Max(*(to_sympy(n).subs(given) for n in nets))
        return most.subs({known: plain for plain, known in given.items()})

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknowns on which the return depends, in alphabetical order."""
        names = [unknowns_in(x) for o in self.outcomes if o.probability for x in (o.probability, o.returned)]
        return tuple(sorted(set().union(*names, *(unknowns_in(a.contribution) for a in self.additions))))

    @cached_property
    def coefficients(self) -> Mapping[str, Fraction] | None:
        """The return's coefficient of each unknown, "1" for the constant. None if it is not linear."""
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
        coefficients = {"1": simplify(polynomial.nth(*([0] * len(unknowns))))}
        for name, unknown in zip(self.unknowns, unknowns, strict=True):
            coefficients[name] = simplify(polynomial.coeff_monomial(unknown))
        return MappingProxyType(coefficients)

    @typed
    def replace(
        self,
        *,
        decks: int | None = None,
        pays: Mapping[str, str] | None = None,
        set: Mapping[str, object] | None = None,
        reading: Mapping[str, str] | None = None,
        without: Sequence[int] | str | None = None,
    ) -> Self:
        """Return the same wager with some of its pays, readings, parameters, decks or removed cards changed.

        >>> import combin
        >>> a = combin.analyze("maryland/blackjack/lucky-ladies/A", decks=6)
        >>> a.replace(decks=2).deals == 104 * 103 // 2 * 102 * 101 // 2  # two cards of the player, two of the dealer
        True
        >>> a.replace(pays={"any 20": "4 to 1"}).returned < a.replace(pays={"any 20": "5 to 1"}).returned
        True
        """
        request, book = self.request, self.book
        if reading:
            book.check_readings([self.id], reading)
        readings = {**request.reading, **(reading or {})}
        texts = {name: str(value) for name, value in (set or {}).items()}
        if pays:
            book = book.with_pays(book.resolve(self.id, readings), pays)
        if set:
            check_names([book.resolve(self.id, readings)], texts)
        other: Self = self.ask(
            book,
            dataclass_replace(
                request,
                decks=whole_decks(decks) or request.decks,
                set=MappingProxyType({**request.set, **texts}),
                reading=MappingProxyType(readings),
                without=request.without if without is None else card_types(without),
                any_decks=request.any_decks or bool(reading),
            ),
        )
        return other
