"""What other parts of combin add to a section: strategies, the second method, the tests."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from ..analysis import Analysis
from ..rulebook import matches
from .model import Checked, Table


def tables(a: Analysis) -> tuple[Table, ...]:
    """Tables that stand in a section only where the wager has them."""
    return ()


def verification(a: Analysis) -> tuple[Checked, ...]:
    """Every check of `combin.verify`: what was held against what, by which method."""
    from ..verify import verify

    return tuple(Checked(c.what, c.method, c.result, c.passed) for c in verify(a).checks)


@cache
def _held() -> tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]:
    data = tomllib.loads((files("combin") / "report" / "held_by.toml").read_text(encoding="utf-8"))
    return tuple((tuple(e["wagers"]), e["what"], tuple(e["tests"])) for e in data["held"])


def held_by(identifier: str) -> tuple[tuple[str, str], ...]:
    """(what is held, test) for every test that holds figures of this wager."""
    return tuple(
        (what, test) for wagers, what, tests in _held() if any(matches(identifier, w) for w in wagers) for test in tests
    )
