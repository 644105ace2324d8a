"""What other parts of combin add to a section: strategies, the second method, the tests."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.resources import files
from typing import Any

from ..analysis.model import Analysis
from ..base.caches import cached
from ..rulebook.book import matches


@dataclass(frozen=True)
class Table:
    """A table that a section has from another part of combin; columns from number ``right`` on hold figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | int | Fraction, ...], ...]
    right: int
    notes: tuple[str, ...] = ()
    #: Whether it is a chart of letters, which a page and paper show in colours.
    coloured: bool = False


@dataclass(frozen=True)
class Checked:
    """One check of the second method; ``verdict`` is agrees, DIFFERS, NOT HELD, or told where nothing is decided."""

    what: str
    method: str
    result: str
    verdict: str


def tables(a: Analysis) -> tuple[Table, ...]:
    """Tables that stand in a section only where the wager has them."""
    if a.game is None:
        return ()
    from ..play.strategy import summarize

    play: Any = summarize(a)
    if hasattr(play, "view"):
        return tuple(Table(*table) for table in import_module(play.view).tables(play))
    ties = ", ".join(f"{count:,} ({where})" for where, count in play.ties.items())
    return (
        Table(
            "Optimal play",
            ("street", "hands", "given", "raised", "positions", "of them raised"),
            tuple((x.street, x.hands, x.given, x.verdict, x.positions, x.raised) for x in play.lines),
            4,
            (f"Positions in which two choices are worth exactly the same: {ties}.",) if ties else (),
        ),
        Table(
            "Simpler strategies",
            ("strategy", "found", "return", "cost against optimal play"),
            tuple((v.name, v.found, v.returned, v.cost) for v in play.strategies),
            2,
        ),
    )


def verification(a: Analysis) -> tuple[Checked, ...]:
    """Every check of `combin.verify`: what was held against what, by which method; none of a shoe that lacks cards."""
    from ..verify import verify

    if a.request.without:
        return ()
    words = {True: "agrees", False: "DIFFERS", None: "told"}
    return tuple(
        Checked(c.what, c.method, c.result, "NOT HELD" if c.unheld else words[c.passed]) for c in verify(a).checks
    )


@cached("the tests that hold each clause", most=1)
def _held() -> tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]:
    data = tomllib.loads((files("combin") / "report" / "held_by.toml").read_text(encoding="utf-8"))
    return tuple((tuple(e["wagers"]), e["what"], tuple(e["tests"])) for e in data["held"])


def held_by(identifier: str) -> tuple[tuple[str, str], ...]:
    """(what is held, test) for every test that holds figures of this wager."""
    return tuple(
        (what, test) for wagers, what, tests in _held() if any(matches(identifier, w) for w in wagers) for test in tests
    )
