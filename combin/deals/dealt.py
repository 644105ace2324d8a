"""Tables of hands that are drawn out: probabilities over a common denominator, no numbers of deals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..base.caches import cached
from ..base.errors import fault, nearest
from ..rulebook.terms import DealOptions
from . import dealer_draws as blackjack
from .cards import Shoe
from .draw import FinishedHands
from .table import Table

DEALER = "dealer draws out"
FREE_BONUS = "player blackjack, dealer draws out"
BAD_BEAT = "player plays the chart, dealer draws out"
DEALS = (DEALER, FREE_BONUS, BAD_BEAT)


def chart_of(chart: blackjack.Chart | None) -> blackjack.Chart:
    """The playing chart that was given, or the default chart."""
    return chart or blackjack.default_chart()


def is_drawn(deal: str) -> bool:
    return deal.endswith(DEALER)


def table(deal: str, shoe: Shoe, options: DealOptions, chart: blackjack.Chart | None = None) -> Table:
    """The table of a drawn deal; the player of Bad Beat plays the ``chart``, or the default one."""
    if deal not in DEALS:
        raise fault(f'"{deal}" is not a deal that is drawn out', nearest(deal, DEALS))
    return _table(deal, shoe, options.soft_17 == "hits", options.twenty, chart_of(chart))


@cached("tables of drawn hands by deal, shoe, house rule and chart", most=64)
def _table(deal: str, shoe: Shoe, hits: bool, twenty: str, chart: blackjack.Chart) -> Table:
    if deal == DEALER:
        return _as_table(blackjack.dealer_hands(shoe, hits_soft_17=hits))
    if deal == FREE_BONUS:
        return _as_table(blackjack.dealer_hands_and_player_blackjack(shoe, hits_soft_17=hits))
    hands = blackjack.bad_beat(shoe, chart, hits_soft_17=hits, twenty=twenty)
    return _as_table(hands, {"dealer_cards": "dealer_21_cards"})


def _as_table(hands: FinishedHands, names: Mapping[str, str] = {}) -> Table:
    rows = np.array(hands.rows, dtype=np.int64)
    weights = np.array(hands.weights, dtype=object)
    columns = {names.get(name, name): rows[:, i] for i, name in enumerate(hands.columns)}
    return Table(columns, weights, hands.denominator, len(rows), counts_deals=False)
