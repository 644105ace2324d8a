"""Verdicts as Markdown, for the summary of a run or a comment: what is not met, by paytable."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import Fault
from ...base.safe_text import shown
from ...pages.markdown import table
from ..model import FAIL, UNDECIDED, Report
from . import place


def render(report: Report) -> str:
    lines = [f"### combin: {_safe(report.summary)}", ""]
    wrong = [v for v in report.verdicts if v.status in (FAIL, UNDECIDED)]
    if wrong:
        rows = []
        for v in wrong:
            state = f"accepted: {v.accepted_reason}" if v.accepted else f"**{v.status}**"
            finding = f"{v.message} (requirement “{v.rule}”)"
            cells = (f"`{shown(v.id)}` {place(v)}", str(v.decks or ""), v.check, finding, state)
            rows.append([_safe(cell) for cell in cells])
        heads = ("paytable", "decks", "check", "finding", "")
        lines += [*table(heads, rows, (1,), escape=False), ""]
    lines += [f"- note: {_safe(note)}" for note in report.notes]
    return "\n".join(lines).rstrip() + "\n"


def faults(listed: Sequence[Fault]) -> str:
    return "\n".join(["### combin: bad input, nothing was judged", "", *(f"- {_safe(str(f))}" for f in listed)]) + "\n"


def _safe(words: str) -> str:
    """Words within a cell: nothing of them is a column, a tag or a mention."""
    text = shown(words)
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), ("|", "\\|"), ("@", "&#64;")):
        text = text.replace(sign, instead)
    return text
