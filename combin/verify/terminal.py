"""Verifications at a terminal: each check with its method, and a summary table at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from ..pages.terminal import Row, console, fit, stacked, wrapped
from .model import FAILED, NOT_HELD, VERIFIED, Check, Verification

MARKS = {True: ("ok", "green"), False: ("FAILED", "bold red"), None: ("–", "dim")}
#: The least width of columns: a number of deals is not broken.
LEAST = 22


def _print(out: Console, head: Row, rows: Sequence[tuple[bool | None, Row]]) -> None:
    """A table of rows with their marks; if it is too wide, each row in lines of its own."""
    marks, styles = zip(*(MARKS[passed] for passed, _ in rows), strict=True) if rows else ((), ())
    marked = [(mark, *cells) for mark, (_, cells) in zip(marks, rows, strict=True)]
    table = fit(("", *head), marked, out.width, folds=head, least=LEAST, styles=styles)
    if table is not None:
        out.print(table)
        return
    for line in stacked(head, [(f"{mark}  {first}", *others) for mark, first, *others in marked]):
        out.print(Text("\n        ".join(wrapped(line.plain, max(out.width - 8, 20)))), soft_wrap=True)


def show(verification: Verification, stream: Any = None) -> None:
    """The checks of one paytable."""
    out = console(stream)
    out.print(Text(f"{verification.id}, {verification.decks} deck(s)", style="bold cyan"))
    _print(out, ("what", "method", "result"), [(c.passed, (c.what, c.method, c.result)) for c in verification.checks])
    out.print()


def _group(check: Check) -> str:
    """The group of a check in the summary: simulations are grouped by what was played."""
    if not check.what.startswith("simulated "):
        return check.what
    played, colon, _ = check.what.partition(": ")
    return played if colon else "simulation"


def summary(found: Sequence[Verification], stream: Any = None) -> None:
    """The summary: the paytables of each method, and every failure once more."""
    out = console(stream)
    methods: dict[tuple[str, str], list[Check]] = {}
    for verification in found:
        for check in verification.checks:
            if not check.what.startswith("published "):
                methods.setdefault((_group(check), check.method), []).append(check)
    rows: list[tuple[bool | None, Row]] = []
    for (what, method), checks in methods.items():
        failed = sum(1 for c in checks if c.passed is False)
        made = any(c.passed is not None for c in checks)
        rows.append((False if failed else True if made else None, (what, method, str(len(checks)), str(failed))))
    out.print(Text("What was verified how", style="bold"))
    _print(out, ("what", "method", "checks", "failed"), rows)
    bad = [v for v in found if v.state == FAILED]
    if bad:
        out.print()
        failures: list[tuple[bool | None, Row]] = [
            (c.passed, (v.id, str(v.decks), c.what, c.method, c.result)) for v in bad for c in v.failures
        ]
        _print(out, ("paytable", "decks", "what", "method", "result"), failures)
    unheld = [v for v in found if v.state == NOT_HELD]
    if unheld:
        out.print()
        alone: list[tuple[bool | None, Row]] = [
            (c.passed, (v.id, str(v.decks), c.what, c.method, c.result)) for v in unheld for c in v.checks if c.unheld
        ]
        _print(out, ("paytable", "decks", "what", "method", "result"), alone)
    counted = {state: sum(1 for v in found if v.state == state) for state in (VERIFIED, FAILED, NOT_HELD)}
    others = "".join(f"; {number} {state}" for state, number in counted.items() if number and state != VERIFIED)
    out.print(Text(f"{counted[VERIFIED]} of {len(found)} verified{others}"))
