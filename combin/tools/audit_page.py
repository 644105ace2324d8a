"""The page of an audit: the results of play, the verdict, and each test with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .. import pages
from ..base.documents import document
from ..base.exact import decimal, grouped, money, percent, text
from ..base.exact import decks as decks_in_words
from ..pages.blocks import Block, Grid, Part, Words
from .audit import LEVELS, Audit


def shown_p(p: float, error: float) -> str:
    """Return a p-value with the digits that its error allows."""
    return f"< {error:.1g}" if p < error else f"{p:.4f}" if p >= 0.001 else f"{p:.2e}"


def _cell(value: Fraction | None, of_return: bool) -> str:
    if value is None:
        return ""
    return percent(value) if of_return else grouped(int(value)) if value.denominator == 1 else decimal(value, 2)


def table(audit: Audit) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the columns, and a row for each test."""
    heads = ("figure", "by", "expected", "observed", "95 % interval", "99 % interval", "p-value", "error up to")
    rows = []
    for t in audit.tests:
        ends = [" to ".join(_cell(x, t.of_return) for x in pair) for pair in t.intervals] or ["", ""]
        rows.append((t.name, t.method, _cell(t.expected, t.of_return), _cell(t.observed, t.of_return), *ends,
                     shown_p(t.p, t.error), f"{t.error:.1g}"))
    return heads, rows


def rows(audit: Audit) -> tuple[tuple[str, str, str], ...]:
    """Return label, rounds and p-value of each row of the results."""
    return tuple((r.label, grouped(r.rounds), shown_p(p, error)) for r, p, error in audit.rows)


def render(audit: Audit, form: str) -> str:
    """Return an audit as text, Markdown or JSON."""
    if form == "json":
        return document("audit", _record(audit))
    return pages.render([part(*head(audit), *table(audit), rows(audit), audit.notes)], form, level=3)


def part(
    title: str, verdict: str, together: str, heads: tuple[str, ...], tests: Sequence[tuple[str, ...]],
    rows: Sequence[tuple[str, ...]], notes: Sequence[str],
) -> Part:
    """Return the page of an audit from its texts; ``rows`` are (label, rounds, p-value)."""
    blocks: list[Block] = [Words(verdict), Words(together), *([Grid(heads, tuple(tests), 2)] if tests else [])]
    blocks += [Grid(("row", "rounds", "p-value"), tuple(rows))] if rows else []
    return Part(title, blocks=(*blocks, *map(Words, notes)))


def head(audit: Audit) -> tuple[str, str, str]:
    """Return what was played, the verdict, and the p-value of all tests together."""
    a, played = audit.analysis, audit.played
    amounts = [f"{name} {money(value)}" for name, value in
               (("handle", played.handle), ("drop", played.drop), ("win", played.win)) if value is not None]
    amounts += [] if played.hold is None else [f"hold {percent(played.hold, 2)}"]
    rounds = [f"{grouped(played.rounds)} rounds"] if played.rounds else []
    together = f"p-value of {len(audit.tests)} test(s) together (Bonferroni): {shown_p(audit.p, audit.error)}"
    return (f"{a.id}, {decks_in_words(a.decks)}: {', '.join([*rounds, *amounts])}", f"Verdict: {audit.verdict}.",
            together if audit.tests else "Nothing was tested.")


def _record(audit: Audit) -> dict[str, Any]:
    def exact(value: Fraction | None) -> str | None:
        return None if value is None else text(value)

    played = audit.played
    return {
        "id": audit.analysis.id, "decks": audit.analysis.decks, "rounds": played.rounds, "met": audit.met,
        "verdict": audit.verdict, "p": audit.p, "error": audit.error,
        "tests": [
            {"name": t.name, "method": t.method, "expected": exact(t.expected), "observed": exact(t.observed),
             "intervals": {str(int(q * 100)): [text(x) for x in pair]
                           for q, pair in zip(LEVELS, t.intervals, strict=False)},
             "p": t.p, "error": t.error}
            for t in audit.tests
        ],
        "look": audit.look or None, "handle": exact(played.handle), "drop": exact(played.drop),
        "win": exact(played.win), "hold": exact(played.hold),
        "rows": [{"label": r.label, "rounds": r.rounds, "p": p, "error": error} for r, p, error in audit.rows],
        "notes": list(audit.notes),
    }
