"""The deal of a wager: one object, chosen when the deal's text is parsed.

    deal_of(resolved).table(shoe)

A deal has its table, the condition of its figures, the cards with equal effect, whether it is counted for one full
deck, and whether a playing chart decides it. `combin.verify` finds its independent method and its random rounds by its
class. No other code distinguishes kinds of deals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..base.caches import cached
from ..base.errors import fault
from ..rulebook.book import Resolved
from ..rulebook.terms import DealOptions
from .cards import CARD_TYPES, Shoe, permute
from .drawn_roles import BACCARAT, BY_CHART, DRAWS_OUT, first_cards_of, hands_of
from .first_cards import Deal
from .lenses import Role
from .table import Table

if TYPE_CHECKING:
    from .draw import FinishedHands
    from .drawn_out import DrawnSeen
    from .player_chart import Chart


class Dealt(ABC):
    """A deal of one wager; ``text`` is its text in the rule data."""

    text: str
    #: Whether the deal is counted only for one full deck.
    one_deck: ClassVar[bool] = False
    #: Whether a playing chart decides which cards are drawn.
    by_chart: ClassVar[bool] = False
    #: The compiled kernels that count it, and those of its independent method.
    kernels: tuple[str, ...] = ()
    second_kernels: tuple[str, ...] = ()

    @property
    def one_for_all(self) -> bool:
        """Whether every seat is settled on the same cards."""
        return False

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles with their numbers of cards; empty if the numbers vary."""
        return ()

    @property
    def condition(self) -> str | None:
        """The condition of the figures. None if they are unconditional."""
        return None

    @property
    def remark(self) -> tuple[str, str] | None:
        """An assumption of the figures beyond the rules, as a name and a text. None if there is none."""
        return None

    def played_by(self, chart: Chart | None) -> Dealt:
        """Return the same deal under this chart; unchanged if no chart decides it."""
        return self

    @abstractmethod
    def table(self, shoe: Shoe) -> Table:
        """Return the classes of deals from the shoe. Raises `InputError` if the shoe cannot deal them."""

    @abstractmethod
    def alike(self, shoe: Shoe) -> dict[int, int]:
        """Return a representative of each card type, which wager and shoe do not distinguish from it."""


@dataclass(frozen=True)
class FirstCards(Dealt):
    """The first cards of a shoe: roles with fixed numbers of cards, counted by classes."""

    deal: Deal
    kernels = ("shoe",)

    @property
    def text(self) -> str:  # type: ignore[override]
        return self.deal.text

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.deal.roles

    @property
    def condition(self) -> str | None:
        return self.deal.condition

    def table(self, shoe: Shoe) -> Table:
        return self.deal.table(shoe)

    def alike(self, shoe: Shoe) -> dict[int, int]:
        group = self.deal.group(shoe)
        return {c: min(permute(p, c) for p in group) for c in range(CARD_TYPES)}


class SevenCards(FirstCards):
    """Seven cards of one deck, counted by a joint histogram of their features."""

    one_deck = True
    kernels = ("seven_classes",)
    second_kernels = ("seven_literal",)


@dataclass(frozen=True)
class DealerDraws(Dealt):
    """The dealer's hand drawn out by the house rule; rows are probabilities with a common denominator."""

    text: str
    options: DealOptions

    @property
    def one_for_all(self) -> bool:
        return not self.by_chart

    @property
    def hits_soft_17(self) -> bool:
        return self.options.soft_17 == "hits"

    def table(self, shoe: Shoe) -> Table:
        return _drawn(self, shoe)

    def finished(self, shoe: Shoe) -> FinishedHands:
        from . import dealer_draws

        return dealer_draws.dealer_hands(shoe, hits_soft_17=self.hits_soft_17)

    def alike(self, shoe: Shoe) -> dict[int, int]:
        """Return representatives by value: equal values are alike if the shoe has equally many of each card."""
        from . import dealer_draws

        kinds: dict[tuple[int, int], int] = {}
        return {c: kinds.setdefault((dealer_draws.value(c), shoe.copies[c]), c) for c in range(CARD_TYPES)}


@dataclass(frozen=True)
class PlayedByChart(DealerDraws):
    """The player's hand played by a chart (by default the one of combin), then the dealer's hand drawn out."""

    given: Chart | None = None
    pair: int = 0
    by_chart = True

    @property
    def chart(self) -> Chart:
        from .player_chart import default_chart

        return self.given or default_chart(self.hits_soft_17)

    def played_by(self, chart: Chart | None) -> PlayedByChart:
        return replace(self, given=chart)

    def begun_with(self, pair: int) -> PlayedByChart:
        """Return the deal in which only a player who began with two cards of this value has a 20."""
        return replace(self, pair=pair)

    @property
    def remark(self) -> tuple[str, str] | None:
        if self.options.twenty == "first-two-cards":
            return None
        return "playing chart", f"{self.chart.name}: total-dependent, pairs never split"

    def finished(self, shoe: Shoe) -> FinishedHands:
        from .draw import FinishedHands
        from .twenties import bad_beat

        hits, twenty = self.hits_soft_17, self.options.twenty
        hands = bad_beat(shoe, self.chart, hits_soft_17=hits, twenty=twenty, pair=self.pair)
        names = tuple("dealer_21_cards" if name == "dealer_cards" else name for name in hands.columns)
        return FinishedHands(names, hands.rows, hands.weights, hands.denominator)


@dataclass(frozen=True)
class DrawnHands(Dealt):
    """Drawn-out hands, as conditions distinguish them."""

    text: str
    seen: DrawnSeen

    @property
    def kernels(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("shoe",) if self.seen.roles else ()

    def alike(self, shoe: Shoe) -> dict[int, int]:
        return self.seen.alike(shoe)


@dataclass(frozen=True)
class DealerDrawsOut(DrawnHands):
    """The dealer's final hand with first cards; rows are probabilities with a common denominator."""

    options: DealOptions

    @property
    def one_for_all(self) -> bool:
        roles = (*self.seen.roles, *self.seen.beside)
        return all(role.name in first_cards_of("dealer") for role in roles)

    @property
    def hits_soft_17(self) -> bool:
        return self.options.soft_17 == "hits"

    def table(self, shoe: Shoe) -> Table:
        from . import drawn_out

        return drawn_out.dealer(self.seen, self.options, shoe)


class Baccarat(DrawnHands):
    """Two hands of baccarat by the third-card rule."""

    one_for_all = True

    def table(self, shoe: Shoe) -> Table:
        from . import drawn_out

        return drawn_out.baccarat(self.seen, shoe)


#: The drawn-out deals that an outcome function settles, by their text.
DRAWN: Mapping[str, type[DealerDraws]] = {
    DRAWS_OUT: DealerDraws,
    f"{BY_CHART}, {DRAWS_OUT}": PlayedByChart,
}


def of_drawn_hands(text: str, options: DealOptions, seen: DrawnSeen) -> DrawnHands:
    """Return the deal written as ``text``, as conditions distinguish it."""
    return Baccarat(text, seen) if text == BACCARAT else DealerDrawsOut(text, seen, options)


@cached("tables of drawn hands, by deal, house rule, chart and shoe", most=64)
def _drawn(deal: DealerDraws, shoe: Shoe) -> Table:
    hands = deal.finished(shoe)
    rows = np.array(hands.rows, dtype=np.int64)
    weights = np.array(hands.weights, dtype=object)
    columns = {name: rows[:, i] for i, name in enumerate(hands.columns)}
    return Table(columns, weights, hands.denominator, len(rows), counts_deals=False)


def of_roles(deal: Deal) -> FirstCards:
    """Return the deal of these roles. Raises `InputError` if they are invalid."""
    return SevenCards(deal) if deal.is_seven_cards else FirstCards(deal)


@cached("deals, by their texts in rule data", most=512)
def parse(text: str, singled_out: tuple[str, ...], options: DealOptions) -> Dealt:
    """Return the deal written as ``text``. Raises `InputError` if it is invalid."""
    if text in DRAWN:
        return DRAWN[text](text, options)
    if hands_of(text):
        raise fault(f'"{text}" is settled by conditions', "write a table [wager.outcome]")
    return of_roles(Deal(text, singled_out))


def deal_of(resolved: Resolved, chart: Chart | None = None) -> Dealt | None:
    """Return the deal of a paytable's wager, under a ``chart`` if given. None for a game, which deals itself."""
    terms = resolved.terms
    return parse(terms.deal, terms.suits, terms.deal_options).played_by(chart) if terms.deal else None
