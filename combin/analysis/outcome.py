"""An outcome of a paytable with its exact figures, and the request of an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from ..base.errors import fault
from ..base.exact import Exact, is_number, simplify
from ..base.frozen import whole
from ..deals.cards import CARD_TYPES
from ..rulebook.pays import Pay

if TYPE_CHECKING:
    from ..deals.player_chart import Chart


@dataclass(frozen=True)
class Outcome:
    """One outcome of a paytable.

    ``combinations`` is the exact number of deals (None if the number of cards varies), ``probability`` its share of all
    deals, ``returned`` the amount returned per unit staked, including a returned stake.
    """

    outcome: str
    pays: str
    combinations: int | None
    #: A Fraction; an expression if it depends on an unknown rate.
    probability: Exact
    returned: Exact
    pay: Pay | None = field(default=None, repr=False)
    #: False for a promotion, which has no stake: every payment is a hit.
    staked: bool = True
    #: If other players' cards determine the amount: (amount, share of the deals); ``returned`` is the mean.
    parts: tuple[tuple[Exact, Fraction], ...] = field(default=(), repr=False)
    #: The line of the paytable, and the symbol of the wheel; "" if there is none.
    line: str = field(default="", repr=False)
    symbol: str = field(default="", repr=False)
    #: For a game with a joint table: choice, whether the dealer qualifies, result and category.
    cell: tuple[str, ...] = field(default=(), repr=False)

    @property
    def distribution(self) -> tuple[tuple[Exact, Exact], ...]:
        """The distribution of the outcome: (amount returned, probability)."""
        return tuple((x, self.probability * p) for x, p in self.parts or ((self.returned, Fraction(1)),))

    @property
    def contribution(self) -> Exact:
        """Probability × amount returned; the contributions sum to the return."""
        return simplify(self.probability * self.returned)

    @property
    def true_odds(self) -> Exact | None:
        """(1 − p)/p, to 1. None if the outcome is impossible."""
        return (1 - self.probability) / self.probability if self.probability else None

    @property
    def frequency(self) -> Exact | None:
        """1/p, the mean number of rounds per occurrence. None if the outcome is impossible."""
        return 1 / self.probability if self.probability else None

    @property
    def spins(self) -> bool:
        """Whether a wheel without weights determines the amount."""
        return self.pay is not None and bool(self.pay.spin)

    @property
    def is_hit(self) -> bool:
        """Whether more than the stake is returned.

        If the stake is not set, a prize in dollars is compared with a stake of one dollar. A share of an unknown counts
        as more.
        """
        back = self.returned
        if not is_number(back) and self.pay is not None:
            back = self.pay.returned({"stake": Fraction(1)})
        return not is_number(back) or bool(back > int(self.staked))


@dataclass(frozen=True)
class Extreme:
    """One end of the range of the return, and the choices of readings that give it."""

    value: Exact
    readings: Mapping[str, str]
    #: Decks in play, if a reading changes their number.
    decks: int | None = None


@dataclass(frozen=True)
class Request:
    """The request of an analysis, sufficient to repeat it with a change."""

    id: str
    decks: int
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    without: tuple[int, ...] = ()
    any_decks: bool = False
    #: Weights of a wheel's symbols and a playing chart, with the content of their files.
    wheel: tuple[tuple[str, int], ...] = ()
    chart: Chart | None = None


def whole_decks(decks: object) -> int | None:
    """Return a number of decks as a Python int, or None. Raises `InputError` unless it is a whole number."""
    number = whole(decks)
    if decks is not None and number is None:
        raise fault(f"decks is a whole number, not {decks!r}", "write decks=6", file="decks")
    return number


def named_texts(given: object, argument: str) -> dict[str, str]:
    """Return the values of ``set`` or ``reading`` as texts by name. Raises `InputError` unless it is such a mapping."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        what = f"must be a mapping of names to values, not {given!r:.60}"
        raise fault(what, f'write {argument}={{"name": "value"}}', file=argument)
    return {name: str(value) for name, value in given.items()}


def card_types(without: Iterable[object] | str) -> tuple[int, ...]:
    """Return removed cards as Python ints, from numbers or a text ("7h"). Raises `InputError` otherwise."""
    if isinstance(without, str):
        from ..deals.cards import cards

        return cards(without)
    types = []
    for given in without:
        card = whole(given)
        if card is None or not 0 <= card < CARD_TYPES:
            raise fault(f"{given!r} is not a card", 'give numbers from 0 to 51, or a text: "Qh Qh 7s"', file="without")
        types.append(card)
    return tuple(types)
