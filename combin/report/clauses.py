"""The annex of a report: the clauses of the documents that apply to its paytables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis.model import Analysis
from ..rulebook.book import Document, Resolved
from ..rulebook.coverage import Clause, clauses_of


@dataclass(frozen=True)
class Annex:
    """The clauses of one document."""

    document: Document
    clauses: tuple[Clause, ...]


def annexes(analyses: Sequence[Analysis]) -> tuple[Annex, ...]:
    """Return the documents of the analyses with the clauses that apply to them; none for a user-defined wager."""
    paytables: dict[str, list[Resolved]] = {}
    for a in analyses:
        if a.has_document:
            paytables.setdefault(a.resolved.document.id, []).append(a.resolved)
    documents = []
    for name, members in paytables.items():
        clauses = tuple(c for c in clauses_of(name) if c.bears_on(members))
        if clauses:
            documents.append(Annex(analyses[0].book.documents[name], clauses))
    return tuple(documents)
