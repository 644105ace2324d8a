"""Tables for a person at a terminal: aligned, grouped digits, colour only where it is one."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..analysis import Analysis
from . import model

#: Width where output is not a terminal: nothing is wrapped or cut.
WIDE = 400
NARROW = 120


class _Console(Console):
    """A console that leaves a reader who has gone to `combin.cli.main`, where rich would end with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(stream: Any = None) -> Console:
    stream = stream or sys.stdout
    if stream.isatty():
        return _Console(file=stream, highlight=False)
    return _Console(file=stream, width=WIDE, no_color=True, highlight=False, force_terminal=False)


def show(analyses: Sequence[Analysis], stream: Any = None) -> None:
    """Print the analyses one below the other."""
    out = console(stream)
    for index, a in enumerate(analyses):
        if index:
            out.print()
        _analysis(out, a)


def plain(analyses: Sequence[Analysis]) -> str:
    stream = io.StringIO()
    out = Console(file=stream, width=WIDE, no_color=True, highlight=False)
    for index, a in enumerate(analyses):
        if index:
            out.print()
        _analysis(out, a)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def _analysis(out: Console, a: Analysis) -> None:
    out.print(Text(a.id, style="bold cyan").append(f"  {a.name}", style="bold"))
    for name, words in model.facts(a):
        out.print(Text(f"  {name}: ", style="dim").append(words, style="default"))
    narrow = out.width < NARROW
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="bold", collapse_padding=True)
    table.add_column("  outcome")
    table.add_column("pays", justify="right")
    if a.deals is not None:
        table.add_column("combinations", justify="right")
    if not narrow:
        table.add_column("probability", justify="right")
    for name in ("decimal", "1 in", "contribution"):
        table.add_column(name, justify="right")
    for outcome, pays, count, exact, shown, rare, part in model.outcome_rows(a):
        cells = [
            f"  {outcome}",
            pays,
            count if a.deals is not None else None,
            None if narrow else exact,
            shown,
            rare,
            part,
        ]
        table.add_row(*(Text(c) for c in cells if c is not None))
    out.print(table)
    width = max(len(f.name) for f in model.figures(a))
    for figure in model.figures(a):
        line = Text(f"  {figure.name.ljust(width)}  ", style="dim").append(figure.shown, style="bold")
        if figure.exact and figure.exact != figure.shown:
            line.append(f"  = {figure.exact}", style="default")
        out.print(line)
    rows = model.rounds_rows(a) if a.has_stake else []
    if rows:
        out.print(Text("  return after N rounds (95 %)", style="dim"))
        for rounds, least, greatest, remark in rows:
            out.print(Text(f"  {rounds.rjust(12)}  {least.rjust(12)} to {greatest.rjust(12)}   {remark}"))


def listing(rows: Iterable[Sequence[str]], head: Sequence[str], stream: Any = None) -> None:
    """A plain aligned list."""
    out = console(stream)
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="bold", collapse_padding=True)
    for name in head:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(c) for c in row))
    out.print(table)


def paragraphs(items: Iterable[tuple[str, Sequence[str]]], stream: Any = None) -> None:
    """A heading and indented lines for each item."""
    out = console(stream)
    for heading, lines in items:
        out.print(Text(heading, style="bold cyan"), soft_wrap=True)
        for line in lines:
            out.print(Text(f"  {line}"), soft_wrap=not out.is_terminal)
