"""Terms used in reports, each defined once, with the kinds of wagers to which it applies.

Used by the report, the README and `combin words`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from ..analysis.model import Analysis

WAGER, GAME, PROGRESSIVE, PROMOTION, SHOE = "wager", "game", "progressive", "promotion", "shoe"


@dataclass(frozen=True)
class Term:
    """A term with its definition; ``kinds`` are the wagers to which it applies (empty for all)."""

    name: str
    text: str
    kinds: frozenset[str] = frozenset()


TERMS = tuple(
    Term(name, " ".join(term["text"].split()), frozenset(term.get("kinds", ())))
    for name, term in tomllib.loads((files("combin") / "views" / "terms.toml").read_text(encoding="utf-8")).items())


def kinds_of(a: Analysis) -> set[str]:
    """Return the kinds of wagers to which an analysis belongs."""
    if not a.has_stake:
        return {PROMOTION}
    kinds = {GAME} if a.game is not None else {WAGER}
    if a.progressive is not None:
        kinds.add(PROGRESSIVE)
    if a.resolved.document.deck_range != (1, 1):
        kinds.add(SHOE)
    return kinds
