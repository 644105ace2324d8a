"""Analyses, paytables and play in a notebook: small HTML tables, and the same tables as text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ..analysis.model import Analysis
from ..base.exact import decimal
from ..pages import terminal
from ..pages.html import of_parts
from . import model, strategy

COLUMNS = ("id", "decks", "return", "house edge", "hit frequency", "standard deviation")
Row = Sequence[str]


def html(a: Analysis) -> str:
    facts = "<br>".join(f"{escape(k)}: {escape(v)}" for k, v in model.facts(a))
    figures = "".join(_row((f.name, f.shown, f.beside)) for f in model.figures(a))
    return (
        f"<h4>{escape(model.title(a))}</h4><p>{facts}</p>"
        f"{table(model.HEAD, model.outcome_rows(a))}<table>{figures}</table>"
    )


def _row(cells: Row, tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"


def table(head: Row, rows: Iterable[Row]) -> str:
    """Return a table of texts as HTML."""
    return f"<table><thead>{_row(head, 'th')}</thead><tbody>{''.join(map(_row, rows))}</tbody></table>"


def plain(head: Row, rows: Iterable[Row]) -> str:
    """Return a table of texts as plain text."""
    stream = io.StringIO()
    terminal.listing([tuple(row) for row in rows], tuple(head), stream)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def analyses(found: Iterable[Analysis]) -> tuple[Row, list[Row]]:
    """Return the head and one row per analysis."""
    return COLUMNS, [
        (
            a.id,
            str(a.decks),
            model.share(a.returned) if a.has_stake else f"{model.amount(a.returned)} dollars per round",
            "" if a.house_edge is None else model.share(a.house_edge),
            model.share(a.hit_frequency),
            "" if a.standard_deviation is None else decimal(a.standard_deviation, 8),
        )
        for a in found
    ]


def play(item: Any) -> str:
    """Return what `combin strategy` shows of an item, as HTML."""
    return of_parts([strategy.part(item)])
