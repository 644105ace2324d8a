"""Analyses, paytables and play when printed and in a notebook, as the commands show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..analysis.analyses import Analyses
from ..analysis.engine import numbers
from ..analysis.model import Analysis
from ..base.exact import decimal
from ..pages import html as html_pages
from ..pages import terminal
from ..pages.blocks import Grid, Part
from ..userfiles.catalogue import Paytables
from . import model


def text(item: Any) -> str:
    return terminal.render([part(item)]).rstrip("\n")


#: Notebooks have a style of their own, which aligns every cell right and gives every fact two lines.
STYLE = """<style>
.combin dl div { display: grid; grid-template-columns: 10rem 1fr } .combin dd { margin: 0 }
.combin table { margin: .5em 0 } .combin tr > :is(th, td):not(.n) { text-align: left }
</style>
"""


def html(item: Any) -> str:
    return f'{STYLE}<div class="combin">{html_pages.of_parts([part(item)])}</div>'


def part(item: Any) -> Part:
    """Return the page of an object of the interface for scripts."""
    if isinstance(item, Analysis):
        return model.part(item)
    if isinstance(item, Analyses):
        return table(map(row, item))
    if isinstance(item, Paytables):
        return Part("", blocks=(Grid(("id", "name", "decks", "lines", "clause"), tuple(
            (p.id, p.name, numbers(p.decks), str(len(p.pays)), p.clause) for p in item), 5),))
    from . import strategy

    return strategy.part(item)


def table(rows: Iterable[tuple[str, ...]]) -> Part:
    """Return a table with one row per analysis."""
    head = ("id", "decks", "return", "house edge", "hit frequency", "standard deviation")
    return Part("", blocks=(Grid(head, tuple(rows)),))


def row(a: Analysis) -> tuple[str, ...]:
    """Return an analysis in that table."""
    return (
        a.id,
        str(a.decks),
        model.share(a.returned) if a.has_stake else f"{model.amount(a.returned)} dollars per round",
        "" if a.house_edge is None else model.share(a.house_edge),
        model.share(a.hit_frequency),
        "" if a.standard_deviation is None else decimal(a.standard_deviation, 8),
    )
