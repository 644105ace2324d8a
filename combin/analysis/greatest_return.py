"""The play of greatest return for a wager played by a chart."""

from __future__ import annotations

from dataclasses import replace

from ..deals.deal_kinds import PlayedByChart
from ..games.registry import game_of
from ..wagers.wager_outcomes import deal_of
from .model import Analysis

#: A chart that draws to 20 against every upcard, even with a soft 21 of three cards: any other total loses the wager,
#: and a further card does not change the dealer's chances on average, so no play without splits returns more.
DRAW_TO_20 = (
    "draw to 20", (("H",) * 10,) * 16 + (("S",) * 10,) * 2, (("H",) * 10,) * 8 + (("S",) * 10, ("H",) * 10)
)


def of_any_play(a: Analysis) -> Analysis | None:
    """Return the analysis under the play of greatest return without splits; ``a`` if its play is fixed or optimal.

    Returns None if a chart plays the wager and the play of greatest return is not known.
    """
    deal = deal_of(a.resolved, a.request.chart)
    if not isinstance(deal, PlayedByChart) or deal.options.twenty == "first-two-cards":
        return a
    if a.resolved.terms.outcomes != "bad-beat":
        return None
    from ..deals.player_chart import Chart

    return a.ask(a.book, replace(a.request, chart=Chart(*DRAW_TO_20)))


def among(a: Analysis) -> str:
    """Return the plays over which `of_any_play` takes the greatest return, in words; "" if they are all plays."""
    game = game_of(a.resolved)
    if game is not None:
        return game.plays
    return "" if of_any_play(a) is a else "plays without splits"
