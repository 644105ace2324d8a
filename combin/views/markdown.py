"""Analyses as Markdown: to read in a repository, to diff line by line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..analysis.model import Analysis
from . import model

HEAD = ("outcome", "pays", "combinations", "probability", "decimal", "1 in", "contribution")


def safe(words: str) -> str:
    """Text with escapes, so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(words.split()))


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: int | Collection[int] = 1, *, escape: bool = True
) -> list[str]:
    """A table whose columns of the numbers ``right``, or from that number on, are aligned right.

    With ``escape``, its cells are plain text.
    """
    aligned = range(right, len(head)) if isinstance(right, int) else right
    marks = ["---:" if i in aligned else "---" for i in range(len(head))]
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(marks) + "|"]
    return lines + ["| " + " | ".join(safe(c) if escape else c for c in row) + " |" for row in rows]


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
