"""Verifications at a terminal: what was held against what, by which method, and a table of all at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from ..views.terminal import console
from .model import Check, Verification

MARKS = {True: ("ok", "green"), False: ("FAILED", "bold red"), None: ("–", "dim")}


def _row(table: Table, first: Sequence[str], check: Check) -> None:
    mark, style = MARKS[check.passed]
    cells = (*first, check.what, check.method, check.result)
    table.add_row(Text(mark, style=style), *(Text(c) for c in cells))


def _table(*head: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="bold", collapse_padding=True)
    for name in head:
        table.add_column(name, overflow="fold")
    return table


def show(verification: Verification, stream: Any = None) -> None:
    """The checks of one paytable."""
    out = console(stream)
    out.print(Text(f"{verification.id}, {verification.decks} deck(s)", style="bold cyan"))
    table = _table("", "what", "method", "result")
    for check in verification.checks:
        _row(table, (), check)
    out.print(table)
    out.print()


def summary(found: Sequence[Verification], stream: Any = None) -> None:
    """What was verified how: for each method the paytables, and every failure once more."""
    out = console(stream)
    methods: dict[tuple[str, str], list[Check]] = {}
    for verification in found:
        for check in verification.checks:
            if not check.what.startswith("published "):
                what = "simulation" if check.what.startswith("simulated ") else check.what
                methods.setdefault((what, check.method), []).append(check)
    table = _table("", "what", "method", "checks", "failed")
    for (what, method), checks in methods.items():
        failed = sum(1 for c in checks if c.passed is False)
        made = any(c.passed is not None for c in checks)
        mark, style = MARKS[False if failed else True if made else None]
        table.add_row(Text(mark, style=style), Text(what), Text(method), Text(str(len(checks))), Text(str(failed)))
    out.print(Text("What was verified how", style="bold"))
    out.print(table)
    bad = [v for v in found if not v.passed]
    if bad:
        out.print()
        failures = _table("", "paytable", "decks", "what", "method", "result")
        for verification in bad:
            for check in verification.failures:
                _row(failures, (verification.id, str(verification.decks)), check)
        out.print(failures)
    out.print(Text(f"{len(found) - len(bad)} of {len(found)} verified"))
