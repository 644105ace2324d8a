"""An analysis on a terminal. Columns that do not fit are dropped in a fixed order; then rows are stacked."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ..analysis.model import Analysis
from ..base.exact import is_number
from ..pages.terminal import WIDE, columns, console, fit, put, stacked
from . import model, symbolic

#: The minimum width of outcomes.
LEAST_OUTCOME = 22


def show(analyses: Sequence[Analysis], stream: Any = None) -> None:
    """Print the analyses one below the other, or nothing if a figure of one of them cannot be computed."""
    out = console(stream)
    with out.capture() as pages:  # a figure is computed only when it is shown
        _analyses(out, analyses)
    out.file.write(pages.get())


def plain(analyses: Sequence[Analysis]) -> str:
    stream = io.StringIO()
    out = Console(file=stream, width=WIDE, no_color=True, highlight=False, force_terminal=False)
    _analyses(out, analyses)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


HEAD = (f"  {model.HEAD[0]}", *model.HEAD[1:])
#: Sets of columns from the widest to the narrowest, with the decimals of the contribution and its name.
CHOICES = ((HEAD, 8), (HEAD[:3] + HEAD[4:], 8), ((*HEAD[:3], "decimal", "1 in", "part"), 4),
           ((*HEAD[:3], "decimal", "part"), 4), ((*HEAD[:3], "decimal"), 4))


def _outcomes(out: Console, a: Analysis) -> None:
    open_ones = not all(is_number(o.contribution) and is_number(o.probability) for o in a.outcomes)
    folds = {HEAD[0], "pays", *(("probability", "decimal", "1 in", "contribution", "part") if open_ones else ())}
    for names, places in CHOICES:
        head = (*HEAD[:-1], "part" if places < 8 else HEAD[-1])
        rows = [(f"  {outcome}", *cells) for outcome, *cells in model.outcome_rows(a, places)]
        kept = [name for name in names if a.deals is not None or name != "combinations"]
        wordy = [i for i, name in enumerate(kept) if name in folds]
        table = fit(kept, columns(head, rows, kept), out.width, folds=wordy, right=range(1, len(kept)),
                    least=LEAST_OUTCOME)
        if table is not None:
            out.print(table)
            return
    for line in stacked(HEAD, [(f"  {outcome}", *cells) for outcome, *cells in model.outcome_rows(a)]):
        put(out, line)


def _figure(out: Console, figure: model.Figure, width: int) -> None:
    line = Text(f"  {figure.name.ljust(width)}  ", style="dim").append(figure.shown, style="bold")
    if figure.shown == symbolic.EXPRESSION:
        put(out, line.append(": see --format json", style="default"))
        return
    exact = Text(f"= {figure.beside}", style="default") if figure.beside else None
    if exact is not None and cell_len(line.plain) + 2 + cell_len(exact.plain) <= out.width:
        put(out, line.append("  ").append_text(exact))
        return
    put(out, line)
    if exact is not None:
        put(out, Text("    ").append_text(exact))


def _analyses(out: Console, analyses: Iterable[Analysis]) -> None:
    for index, a in enumerate(analyses):
        if index:
            out.print()
        _analysis(out, a)


def _analysis(out: Console, a: Analysis) -> None:
    put(out, Text(a.id, style="bold cyan").append(f"  {a.name}", style="bold"))
    for name, words in model.facts(a):
        put(out, Text(f"  {name}: ", style="dim").append(words, style="default"))
    _outcomes(out, a)
    figures = model.figures(a)
    width = max(len(f.name) for f in figures)
    for figure in figures:
        _figure(out, figure, width)
    rows = model.rounds_rows(a) if a.has_stake else []
    if rows:
        out.print(Text("  return after N rounds (95 %)", style="dim"))
        for rounds, least, greatest, remark in rows:
            span = f"{least.rjust(12)} to {greatest.rjust(12)}" if least != model.NO_RANGE else least.rjust(28)
            line = f"  {rounds.rjust(12)}  {span}   {remark}"
            put(out, Text(line if len(line) <= out.width else f"    {' '.join(line.split())}"))
        if any(row[1] == model.NO_RANGE for row in rows):
            put(out, Text(f"  {model.FEW}", style="dim"))
