"""A document by clause as text, Markdown or JSON: its content, and where combin computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import pages
from ..base.documents import records
from ..pages.blocks import Grid, Part, Words
from ..rulebook.book import Document, Rulebook
from ..rulebook.coverage import Clause

#: A document with its clauses.
Covered = tuple[Document, Sequence[Clause]]
NOTHING = "No clauses of this document are recorded."


def where(clause: Clause, document: Document) -> list[tuple[str, str]]:
    """Return where a clause is computed, by kind; clauses without a figure come last."""
    ids = [f"{document.prefix}/{glob}" for glob in clause.computed]
    named = (("computed", ids), ("settings", clause.settings), ("readings", clause.readings),
             ("findings", clause.findings), ("note" if ids else "no figure", [clause.why] if clause.why else []))
    return [(kind, ", ".join(words)) for kind, words in named if words]


def part(document: Document, clauses: Sequence[Clause]) -> Part:
    """Return a document's clauses as a table; a sentence if none are recorded."""
    rows = tuple((c.clause, c.says, "; ".join(f"{kind}: {words}" for kind, words in where(c, document)))
                 for c in clauses)
    block = Grid(("clause", "content", "where"), rows, 3) if rows else Words(NOTHING)
    return Part(document.title, blocks=(block,))


def _record(document: Document, clauses: Sequence[Clause], book: Rulebook) -> dict[str, Any]:
    paytables = [book.resolve(i) for i in book.ids_of(document)]
    return {
        "document": document.id,
        "title": document.title,
        "clauses": [
            {
                "clause": c.clause,
                "says": c.says,
                "computed": [p.id for p in paytables if c.bears_on([p])],
                "settings": list(c.settings),
                "readings": list(c.readings),
                "findings": list(c.findings),
                "why": c.why,
            }
            for c in clauses
        ],
    }


def render(covered: Sequence[Covered], form: str, book: Rulebook, width: int) -> str:
    """Return the clauses of documents as text, markdown or json."""
    if form == "json":
        return records("coverage", (_record(document, clauses, book) for document, clauses in covered))
    return pages.render([part(document, clauses) for document, clauses in covered], form, width)
