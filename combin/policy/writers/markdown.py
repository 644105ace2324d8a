"""Verdicts as Markdown, for the summary of a run or a comment: what is not met, by paytable."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...base.errors import Fault
from ...base.safe_text import shown
from ...pages.markdown import table
from ..model import GateReport
from . import accepted_in_words, place


def render(report: GateReport) -> str:
    lines = [f"### combin: {_safe(report.summary)}", ""]
    rows = []
    for v in report.unmet:
        cells = (f"{v.id} {place(v)}", str(v.decks or ""), v.check, f"{v.message} (requirement “{v.rule}”)")
        rows.append([*map(_safe, cells), f"**{v.status}**"])
    if rows:
        heads = ("paytable", "decks", "check", "finding", "")
        lines += [*table(heads, rows, (1,), escape=False), ""]
    if accepted := accepted_in_words(report):
        lines += [f"- accepted: {accepted}"]
    lines += [f"- note: {_safe(note)}" for note in report.notes]
    return "\n".join(lines).rstrip() + "\n"


def faults(listed: Sequence[Fault]) -> str:
    return "\n".join(["### combin: bad input, nothing was judged", "", *(f"- {_safe(str(f))}" for f in listed)]) + "\n"


def _safe(words: str) -> str:
    """Return words for a cell, escaped: none is a column, a tag, a mention, an image, a link or an address."""
    text = re.sub(r"([\\`*_{}\[\]()!~|#])", r"\\\1", shown(words))
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", "&#64;"), ("://", "&#58;//"),
                          ("www.", "www&#46;")):  # fmt: skip
        text = text.replace(sign, instead)
    return text
