"""An analysis in a notebook: the table and the figures as small HTML."""

from __future__ import annotations

from html import escape

from ..analysis.model import Analysis
from . import model

HEAD = ("outcome", "pays", "combinations", "probability", "decimal", "1 in", "contribution")


def html(a: Analysis) -> str:
    def row(cells: tuple[str, ...], tag: str = "td") -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

    facts = "<br>".join(f"{escape(k)}: {escape(v)}" for k, v in model.facts(a))
    rows = "".join(row(r) for r in model.outcome_rows(a))
    figures = "".join(row((f.name, f.shown, f.beside)) for f in model.figures(a))
    return (
        f"<h4>{escape(model.title(a))}</h4><p>{facts}</p>"
        f"<table><thead>{row(HEAD, 'th')}</thead><tbody>{rows}</tbody></table><table>{figures}</table>"
    )
