"""Parts of a section from other rooms of combin: strategies, the independent checks, the tests."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from typing import Any

from ..analysis.greatest_return import of_any_play
from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.exact import money, percent
from ..deals.deal_kinds import PlayedByChart
from ..pages.blocks import Grid, Part, Words
from ..rulebook.book import matches
from ..rulebook.parameters import RED_SIDE, meters
from ..verify.model import Check
from ..views.model import share
from ..views.strategy import tables as of_play
from ..wagers.wager_outcomes import deal_of


def _played(a: Analysis) -> tuple[Part, ...]:
    """Return the play of a wager under a chart: the chart, the peek, and the play that wins the wager most often."""
    deal = deal_of(a.resolved, a.request.chart)
    if not isinstance(deal, PlayedByChart) or deal.remark is None:
        return ()
    chart = deal.chart
    lines = [*((f"hard {n}", row) for n, row in enumerate(chart.hard, 4)),
             *((f"soft {n}", row) for n, row in enumerate(chart.soft, 12))]
    digest = sha256("\n".join(f"{name} {' '.join(row)}" for name, row in lines).encode()).hexdigest()
    other = of_any_play(a)
    if other is None:
        return ()
    notes = [f"The greatest return of any play without splits is that of drawing to 20 against every upcard: "
             f"{share(other.returned)}, regardless of the loss of the Blackjack Wager."]
    fixed = (other.coefficients or {}).get("1", Fraction(0))
    if fixed > 1:
        notes.append(f"Warning: with this play the wager favours the player: {percent(fixed)} are returned before any "
                     "unknown adds to it.")
    elif [m.name for m in meters(a.resolved)] == list(other.unknowns):
        notes.append(f"Warning: with this play the wager favours the player at meters of "
                     f"{money(other.solve(other.unknowns[0], Fraction(1)))} or more.")
    head = ("total", *(str(n) for n in range(2, 11)), "A")
    return (
        Part(f"Play: {chart.name}", blocks=(
            Grid(head, tuple((name, *row) for name, row in lines), 11),
            Words("S stand; H hit; D double, otherwise hit; Ds double, otherwise stand. Columns are upcards. Digest of "
                  f"the chart: sha256 {digest}."),
            Words("The dealer checks for a blackjack before any player draws: against one, the player's first two "
                  "cards are final. Otherwise the player draws by the chart, and the dealer then always plays "
                  "the hand out."))),
        Part("Play and return", blocks=(
            Grid(("play", "return"),
                 ((f"{chart.name} (used)", share(a.returned)), ("draw to 20", share(other.returned)))),
            *map(Words, notes))),
    )


def tables(a: Analysis) -> tuple[Part, ...]:
    """Return parts of a section that only some wagers have."""
    if a.game is None:
        return _played(a)
    from ..play.strategy import summarize

    return of_play(summarize(a))


def verification(a: Analysis) -> tuple[Check, ...]:
    """Return every check of `combin.verify`; none for a shoe with removed cards or a double shoe."""
    from ..verify import verify

    if a.request.without or a.parameters.get(RED_SIDE) is not None:
        return ()
    return verify(a, claims=False).checks


def verdict_of(check: Check) -> str:
    """Return agrees, DIFFERS, NOT CHECKED, or – for a check that decides nothing."""
    return "NOT CHECKED" if check.unchecked else {True: "agrees", False: "DIFFERS", None: "–"}[check.passed]


@cached("the tests of each figure", most=1)
def _tests() -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = tomllib.loads(
        (files("combin") / "report" / "tests.toml").read_text(encoding="utf-8"))["figure"]
    return figures


def tests_of(identifier: str) -> tuple[tuple[str, str], ...]:
    """Return (figure, test) for every test that checks figures of this wager."""
    return tuple((figure["what"], test) for figure in _tests() for test in figure["tests"]
                 if any(matches(identifier, wager) for wager in figure["wagers"]))
