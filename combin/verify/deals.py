"""The independent method and the random rounds of every deal, by the class of the deal.

Another package adds those of its deals with `register`. A class without an entry uses that of its base class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.model import Analysis
from ..deals.deal_kinds import Baccarat, DealerDraws, DealerDrawsOut, Dealt, FirstCards, PlayedByChart, SevenCards
from ..games.registry import game_of
from ..games.side_bets import base_game
from ..rulebook.book import Resolved
from ..wagers.wager_outcomes import deal_of
from . import conditions, drawn_hands, draws, line_counts, side_bets, simulate_draws
from .cards_dealt import Parcel
from .model import Check, not_checked


@dataclass(frozen=True)
class Way:
    """How a deal is counted independently (``checks``, of an analysis and its deal) and dealt at random (``parcel``).

    ``parcel`` also takes the names of the outcomes; it returns None for a wager that it cannot settle.
    """

    checks: Callable[[Analysis, Any], Iterator[Check]]
    parcel: Callable[[Analysis, Any, Sequence[str]], Parcel | None]
    #: Whether the outcomes of a wager on such a deal have an independent settlement.
    knows: Callable[[Resolved], bool] = lambda resolved: True


_WAYS: dict[type[Dealt], Way] = {
    FirstCards: Way(conditions.first_cards, conditions.parcel),
    SevenCards: Way(conditions.seven, lambda a, dealt, names: side_bets.parcel_of_seven(a, dealt, names)
                    or conditions.parcel(a, dealt, names)),
    DealerDraws: Way(draws.checks, simulate_draws.parcel, draws.knows),
    DealerDrawsOut: Way(drawn_hands.dealer, drawn_hands.parcel),
    Baccarat: Way(drawn_hands.baccarat, drawn_hands.parcel),
    PlayedByChart: Way(draws.checks_by_chart, simulate_draws.parcel_by_chart, draws.knows_by_chart),
}


def register(kind: type[Dealt], way: Way) -> None:
    """Register the independent method and the random rounds of a class of deals."""
    _WAYS[kind] = way


def way_of(deal: Dealt) -> Way | None:
    return next((_WAYS[kind] for kind in type(deal).__mro__ if kind in _WAYS), None)


def _way(a: Analysis) -> tuple[Way | None, Dealt | None]:
    """Return how a wager is checked, with its deal; that of the game on whose play it depends, if it depends on one."""
    if a.resolved.terms.depends_on_play:
        game = game_of(base_game(a.book, a.resolved))
        assert game is not None
        second = game.module("second_way")
        return Way(lambda a, _: second.side_bet_checks(a), lambda a, _, names: second.side_bet_parcel(a, names)), None
    deal = deal_of(a.resolved, a.request.chart)
    return way_of(deal) if deal is not None else None, deal


def checks(a: Analysis) -> Iterator[Check]:
    """Yield the independent checks of a wager that is settled on dealt cards."""
    way, deal = _way(a)
    if way is None:
        yield not_checked("counts", "this deal has no independent method")
    elif not way.knows(a.resolved):
        yield line_counts.unsettled(a)
    else:
        yield from way.checks(a, deal)


def parcel_of(a: Analysis, names: Sequence[str]) -> Parcel | None:
    """Return the function that deals rounds and counts outcomes, the last one the loss; None if it is unknown."""
    way, deal = _way(a)
    return way.parcel(a, deal, names) if way is not None and way.knows(a.resolved) else None

