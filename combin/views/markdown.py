"""Analyses as Markdown, to read in a repository and to diff by line."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.model import Analysis
from ..pages.markdown import safe, table
from . import model

HEAD = ("outcome", "pays", "combinations", "probability", "decimal", "1 in", "contribution")


def section(a: Analysis, level: int = 2) -> list[str]:
    lines = [f"{'#' * level} {safe(model.title(a))}", ""]
    lines += [f"- {name}: {safe(words)}" for name, words in model.facts(a)]
    lines += ["", *table(HEAD, model.outcome_rows(a)), ""]
    lines += table(("figure", "value", "exact"), [(f.name, f.shown, f.beside) for f in model.figures(a)])
    rows = model.rounds_rows(a) if a.has_stake else []
    if rows:
        lines += ["", *table(("rounds", "least return (95 %)", "greatest", "top prizes"), rows, right=0)]
        if any(row[1] == model.NO_RANGE for row in rows):
            lines += ["", safe(model.FEW)]
    return [*lines, ""]


def render(analyses: Sequence[Analysis]) -> str:
    lines: list[str] = []
    for a in analyses:
        lines += section(a)
    return "\n".join(lines).rstrip("\n") + "\n"
