"""The page of verifications: each check with its method, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..base.exact import decks as decks_in_words
from ..pages.blocks import Cell, Grid, Mark, Part, Words
from .model import FAILED, NOT_CHECKED, PARTLY, PUBLISHED, VERIFIED, Check, Verification


def checks(v: Verification) -> Part:
    """Return the checks of one paytable."""
    rows = tuple((Mark(c.passed), c.what, c.method, c.result) for c in v.checks)
    return Part(f"{v.id}, {decks_in_words(v.decks)}", blocks=(Grid(("", "what", "method", "result"), rows, 4),))


def summary(verifications: Sequence[Verification]) -> Part:
    """Return the paytables of each method, every failure and every figure that was not checked."""
    methods: dict[tuple[str, str], list[Check]] = {}
    for verification in verifications:
        for check in verification.checks:
            if check.group != PUBLISHED:
                methods.setdefault((check.group or check.what, check.method), []).append(check)
    rows: list[tuple[Cell, ...]] = []
    for (what, method), group in methods.items():
        failed = sum(1 for c in group if c.passed is False)
        compared = any(c.passed is not None for c in group)
        rows.append((Mark(False if failed else True if compared else None), what, method, str(len(group)), str(failed)))
    counted = Counter(v.state for v in verifications)
    others = "".join(f"; {counted[state]} {state}" for state in (FAILED, PARTLY, NOT_CHECKED) if counted[state])
    return Part("Methods of verification", blocks=(
        Grid(("", "what", "method", "checks", "failed"), tuple(rows), 3),
        *_named([(v, c) for v in verifications for c in v.failures]),
        *_named([(v, c) for v in verifications for c in v.checks if c.unchecked]),
        Words(f"{counted[VERIFIED]} of {len(verifications)} verified{others}{_power(verifications)}"),
    ))


def _power(verifications: Sequence[Verification]) -> str:
    """Return the error that sampled counts would reveal, in words; empty if nothing was sampled."""
    sampled = [v.detects for v in verifications if v.detects is not None]
    if not sampled:
        return ""
    number = "" if len(verifications) == 1 else f" of {len(sampled)}"
    return f"; counts{number} sampled: the smallest detectable error is {100 * max(sampled):.2g} % of a count or less"


def _named(entries: Sequence[tuple[Verification, Check]]) -> tuple[Grid, ...]:
    """Return a table of checks with their paytables; empty if there are none."""
    rows = tuple((Mark(c.passed), v.id, str(v.decks), c.what, c.method, c.result) for v, c in entries)
    return (Grid(("", "paytable", "decks", "what", "method", "result"), rows, 6),) if rows else ()
