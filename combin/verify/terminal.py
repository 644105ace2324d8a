"""Verifications at a terminal: what was held against what, by which method, and a table of all at the end."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..views.terminal import console, stacked
from .model import Check, Verification

MARKS = {True: ("ok", "green"), False: ("FAILED", "bold red"), None: ("–", "dim")}
GAP = 2
#: Columns are no narrower than their longest word, up to this many characters.
MOST_WORD = 25
#: Where a word that is too long goes on in the next line: behind one of these.
SEPARATORS = "/,;_-."

Cells = Sequence[str]


def _words(cell: str) -> str:
    """The cell with ``z = +1.23`` as one word."""
    return re.sub(r"z = (?=[+-])", "z\xa0=\xa0", cell)


def wrapped(cell: str, width: int) -> str:
    """The cell in lines of ``width``; a number or an address is broken behind a separator, if it has to be."""
    lines = []
    for line in textwrap.wrap(_words(cell), width, break_long_words=False, break_on_hyphens=False) or [""]:
        rest = line
        while len(rest) > width:
            cut = max(rest.rfind(mark, 0, width) for mark in SEPARATORS) + 1 or width
            lines.append(rest[:cut])
            rest = rest[cut:]
        lines.append(rest)
    return "\n".join(lines).replace("\xa0", " ")


def _widths(columns: Sequence[Cells], room: int) -> list[int]:
    """What each column takes of ``room`` characters: its own width, or a fair share, or its longest word."""
    natural = [max(map(len, column)) for column in columns]
    least = [max(len(w) for cell in column for w in (_words(cell).split() or [""])) for column in columns]
    least = [min(n, MOST_WORD) for n in least]
    found = list(natural)
    left = room - GAP * (len(columns) - 1)
    order = sorted(range(len(columns)), key=lambda i: natural[i])
    for done, i in enumerate(order):
        behind = sum(least[k] for k in order[done + 1 :])
        share = left // (len(order) - done)
        found[i] = max(1, min(natural[i], max(share, least[i]), max(left - behind, least[i])))
        left -= found[i]
    return found


def _print(out: Console, head: Cells, rows: Sequence[tuple[bool | None, Cells]]) -> None:
    """A table of rows behind their marks; where it is too wide even so, each row in lines of its own."""
    marks = [MARKS[passed][0] for passed, _ in rows]
    beside = max(map(len, ["", *marks])) + GAP
    columns = [[name, *(cells[i] for _, cells in rows)] for i, name in enumerate(head)]
    widths = _widths(columns, out.width - beside)
    if beside + sum(widths) + GAP * (len(widths) - 1) > out.width:
        for line in stacked(head, [(f"{MARKS[p][0]}  {first}", *others) for p, (first, *others) in rows]):
            lines = wrapped(line.plain, max(out.width - 8, 20)).split("\n")
            out.print(Text("\n        ".join(lines)), soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False, padding=(0, GAP), header_style="bold", collapse_padding=True)
    table.add_column("", no_wrap=True, min_width=beside - GAP)
    for name, width in zip(head, widths, strict=True):
        table.add_column(name, no_wrap=True, overflow="fold", min_width=width)
    for passed, cells in rows:
        mark, style = MARKS[passed]
        shown = (Text(wrapped(cell, width)) for cell, width in zip(cells, widths, strict=True))
        table.add_row(Text(mark, style=style), *shown)
    out.print(table)


def show(verification: Verification, stream: Any = None) -> None:
    """The checks of one paytable."""
    out = console(stream)
    out.print(Text(f"{verification.id}, {verification.decks} deck(s)", style="bold cyan"))
    _print(out, ("what", "method", "result"), [(c.passed, (c.what, c.method, c.result)) for c in verification.checks])
    out.print()


def _group(check: Check) -> str:
    """What a check counts as in the summary: simulations by what was played."""
    if not check.what.startswith("simulated "):
        return check.what
    played, colon, _ = check.what.partition(": ")
    return played if colon else "simulation"


def summary(found: Sequence[Verification], stream: Any = None) -> None:
    """What was verified how: for each method the paytables, and every failure once more."""
    out = console(stream)
    methods: dict[tuple[str, str], list[Check]] = {}
    for verification in found:
        for check in verification.checks:
            if not check.what.startswith("published "):
                methods.setdefault((_group(check), check.method), []).append(check)
    rows: list[tuple[bool | None, Cells]] = []
    for (what, method), checks in methods.items():
        failed = sum(1 for c in checks if c.passed is False)
        made = any(c.passed is not None for c in checks)
        rows.append((False if failed else True if made else None, (what, method, str(len(checks)), str(failed))))
    out.print(Text("What was verified how", style="bold"))
    _print(out, ("what", "method", "checks", "failed"), rows)
    bad = [v for v in found if not v.passed]
    if bad:
        out.print()
        failures: list[tuple[bool | None, Cells]] = [
            (c.passed, (v.id, str(v.decks), c.what, c.method, c.result)) for v in bad for c in v.failures
        ]
        _print(out, ("paytable", "decks", "what", "method", "result"), failures)
    alone = sum(1 for v in found if not v.held)
    beside = f"; {alone} of them without a second method" if alone else ""
    out.print(Text(f"{len(found) - len(bad)} of {len(found)} verified{beside}"))
