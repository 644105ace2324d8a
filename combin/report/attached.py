"""Parts of a section from other rooms of combin: strategies, the independent checks, the tests."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files

from ..analysis.greatest_return import of_any_play
from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.exact import money, percent
from ..deals.deal_kinds import PlayedByChart
from ..pages.blocks import Grid, Part, Words
from ..rulebook.book import matches
from ..rulebook.parameters import RED_SIDE, meters
from ..views.model import share
from ..views.strategy import tables as of_play
from ..wagers.wager_outcomes import deal_of


@dataclass(frozen=True)
class Checked:
    """One check by an independent method; ``verdict`` is agrees, DIFFERS, NOT CHECKED, or – if it decides nothing."""

    what: str
    method: str
    result: str
    verdict: str
    #: For a sampled count: the smallest relative error that it would reveal, in percent.
    detects: str = ""
    #: What is counted in place of the wager itself.
    instead: str = ""
    #: The value of ``detects`` as a share of the count.
    least_error: float | None = field(default=None, metadata={"json": False})


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


def verification(a: Analysis) -> tuple[Checked, ...]:
    """Return every check of `combin.verify`; none for a shoe with removed cards or a double shoe."""
    from ..verify import verify

    if a.request.without or a.parameters.get(RED_SIDE) is not None:
        return ()
    words = {True: "agrees", False: "DIFFERS", None: "–"}
    return tuple(
        Checked(c.what, c.method, c.result, "NOT CHECKED" if c.unchecked else words[c.passed],
                "" if c.detects is None else f"{100 * c.detects:.2g} %", c.instead, c.detects)
        for c in verify(a, claims=False).checks
    )


@cached("the tests of each figure", most=1)
def _held() -> tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]:
    data = tomllib.loads((files("combin") / "report" / "held_by.toml").read_text(encoding="utf-8"))
    return tuple((tuple(e["wagers"]), e["what"], tuple(e["tests"])) for e in data["held"])


def held_by(identifier: str) -> tuple[tuple[str, str], ...]:
    """Return (figure, test) for every test that checks figures of this wager."""
    return tuple(
        (what, test) for wagers, what, tests in _held() if any(matches(identifier, w) for w in wagers) for test in tests
    )
