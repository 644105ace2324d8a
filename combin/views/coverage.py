"""A document clause by clause, as text, Markdown or JSON: what it says, and where combin computes it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from ..base.documents import records
from ..pages import markdown
from ..rulebook.book import Document, Rulebook
from ..rulebook.coverage import Clause

#: A document with its clauses.
Covered = tuple[Document, Sequence[Clause]]
NOTHING = "No clauses of this document are written down."


def where(clause: Clause, document: Document) -> list[tuple[str, str]]:
    """Where a clause is computed, by kind; what is not comes last."""
    ids = [f"{document.prefix}/{glob}" for glob in clause.computed]
    named = (("computed", ids), ("settings", clause.settings), ("readings", clause.readings),
             ("findings", clause.findings), ("note" if ids else "no figure", [clause.why] if clause.why else []))
    return [(kind, ", ".join(words)) for kind, words in named if words]


def text(found: Sequence[Covered], width: int) -> str:
    lines: list[str] = []
    for document, clauses in found:
        lines += [document.title, ""]
        for clause in clauses:
            lines += wrap(f"{clause.clause}  {clause.says}", width, subsequent_indent="    ")
            for kind, words in where(clause, document):
                lines += wrap(f"{kind}: {words}", width, initial_indent="    ", subsequent_indent="        ",
                              break_long_words=False, break_on_hyphens=False)
        lines += [*([] if clauses else [NOTHING]), ""]
    return "\n".join(lines[:-1]) + "\n"


def in_markdown(found: Sequence[Covered]) -> str:
    lines: list[str] = []
    for document, clauses in found:
        rows = [(c.clause, c.says, "; ".join(f"{k}: {w}" for k, w in where(c, document))) for c in clauses]
        lines += [f"## {markdown.safe(document.title)}", ""]
        lines += markdown.table(("clause", "what it says", "where"), rows, right=3) if rows else [NOTHING]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def in_json(found: Sequence[Covered], book: Rulebook) -> str:
    return records("coverage", (_record(document, clauses, book) for document, clauses in found))


def _record(document: Document, clauses: Sequence[Clause], book: Rulebook) -> dict[str, Any]:
    ids = [i for i in book.ids() if i.startswith(document.prefix + "/")]
    return {
        "document": document.id,
        "title": document.title,
        "clauses": [
            {
                "clause": c.clause,
                "says": c.says,
                "computed": [i for i in ids if c.bears_on([i])],
                "settings": list(c.settings),
                "readings": list(c.readings),
                "findings": list(c.findings),
                "why": c.why,
            }
            for c in clauses
        ],
    }


def render(found: Sequence[Covered], form: str, book: Rulebook, width: int) -> str:
    """The clauses of documents in a form: text, markdown or json."""
    if form == "json":
        return in_json(found, book)
    return in_markdown(found) if form == "markdown" else text(found, width)


__all__ = ["Covered", "render", "where"]
