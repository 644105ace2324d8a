"""An outcome of a paytable with its exact figures, and what an analysis was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ..base.errors import fault
from ..base.exact import Exact, is_number, simplify
from ..base.frozen import whole
from ..deals.cards import CARD_TYPES
from ..deals.dealer_draws import Chart
from ..rulebook.pays import Pay
from . import wheels


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
    #: A Fraction; an expression where an unknown rate of the operator decides it.
    probability: Exact
    returned: Exact
    pay: Pay | None = field(default=None, repr=False)
    #: False for a promotion, which has no stake: there every payment is a hit.
    staked: bool = True
    #: Where other players' cards decide how much: (amount, share of the deals); ``returned`` is their mean.
    parts: tuple[tuple[Exact, Fraction], ...] = field(default=(), repr=False)

    @property
    def law(self) -> tuple[tuple[Exact, Exact], ...]:
        """(amount returned, probability) of everything that the outcome may return."""
        return tuple((x, self.probability * p) for x, p in self.parts or ((self.returned, Fraction(1)),))

    @property
    def contribution(self) -> Exact:
        """Probability × amount returned; these sum to the return."""
        return simplify(self.probability * self.returned)

    @property
    def true_odds(self) -> Exact | None:
        """(1 − p)/p, to 1."""
        return (1 - self.probability) / self.probability if self.probability else None

    @property
    def frequency(self) -> Exact | None:
        """1/p: the outcome comes once in so many rounds."""
        return 1 / self.probability if self.probability else None

    @property
    def spins(self) -> bool:
        """Whether a wheel without weights decides what is paid."""
        return self.pay is not None and wheels.spins(self.pay)

    @property
    def is_hit(self) -> bool:
        """Whether more than the stake is returned.

        A prize in dollars is held against a stake of one dollar where nobody set it; a share of an unknown counts
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
    #: Decks in play, where a reading moves their number.
    decks: int | None = None


@dataclass(frozen=True)
class Request:
    """What was asked for: enough to ask again with something changed."""

    id: str
    decks: int
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    without: tuple[int, ...] = ()
    any_decks: bool = False
    #: Weights of a wheel's symbols and a playing chart, as they were read: a file is not looked at again.
    wheel: tuple[tuple[str, int], ...] = ()
    chart: Chart | None = None


def whole_decks(decks: object) -> int | None:
    """A number of decks as a Python int, None as it is; `InputError` for what is no whole number."""
    found = whole(decks)
    if decks is not None and found is None:
        raise fault(f"decks is a whole number, not {decks!r}", "write decks=6", file="decks")
    return found


def card_types(without: Iterable[object]) -> tuple[int, ...]:
    """Cards taken out of the shoe as Python ints; `InputError` for what is no card type."""
    found = []
    for given in without:
        card = whole(given)
        if card is None or not 0 <= card < CARD_TYPES:
            raise fault(f"{given!r} is no card", 'give numbers from 0 to 51, or a text: "Qh Qh 7s"', file="without")
        found.append(card)
    return tuple(found)
