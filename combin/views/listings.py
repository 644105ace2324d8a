"""JSON of the commands' lists: ids, readings, findings, answers of `solve`, verifications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..base.documents import records
from ..pages.blocks import Part, Points, Words
from ..rulebook.book import Finding, Reading, Rulebook
from .json import value


def ids(book: Rulebook, identifiers: Iterable[str]) -> str:
    """Return the paytables, with the numbers of decks from which each may be dealt."""
    resolved = (book.resolve(i) for i in identifiers)
    return records("list", (
        {"id": r.id, "name": r.name, "decks": list(r.decks), "clause": r.clause, "document": r.document.id,
         "file": r.paytable.file or None}
        for r in resolved
    ))  # fmt: skip


def reading_part(reading: Reading) -> Part:
    """Return the page of a reading: the question, and each choice with its reason."""
    return Part(reading.id, reading.id, (
        Words(f"{reading.document.title}, {reading.clause}. {reading.question}"),
        Words(f"Bears on {', '.join(reading.wagers)}."),
        Points(tuple(
            (f"{choice.id}{f' (primary, {choice.basis})' if choice is reading.primary else ''}:",
             f"{choice.why}{f' Not computed: {choice.refused}.' if choice.refused else ''}")
            for choice in reading.choices
        )),
    ))


def finding_part(finding: Finding) -> Part:
    return Part(finding.id, finding.id, (
        Words(f"{finding.document.title}, {finding.clause}; {finding.kind}: {finding.text}"),))


def readings(chosen: Iterable[Reading]) -> str:
    return records("readings", (
        {
            "id": r.id, "document": r.document.id, "clause": r.clause, "question": r.question, "wagers": list(r.wagers),
            "choices": [
                {"id": c.id, "primary": c is r.primary, "basis": c.basis or None, "why": c.why,
                 "not_computed": c.refused or None}
                for c in r.choices
            ],
        }
        for r in chosen
    ))  # fmt: skip


def findings(chosen: Iterable[Finding]) -> str:
    return records("findings", (
        {"id": f.id, "document": f.document.id, "clause": f.clause, "kind": f.kind, "wagers": list(f.wagers),
         "text": f.text}
        for f in chosen
    ))  # fmt: skip


def solved(
    answers: Sequence[tuple[Any, Fraction | Mapping[str, int] | None, str]], parameter: str, target: Fraction, *,
    long_run: bool = False,
) -> str:
    """Return the value of a parameter, or the weights, for each analysis; null with the reason if there is none."""
    return records("solve", (
        {"id": a.id, "decks": a.decks, "parameter": parameter,
         "value": dict(solution) if isinstance(solution, Mapping) else value(solution),
         "return": value(target), "long_run": long_run, "refused": why or None}
        for a, solution, why in answers
    ))  # fmt: skip


def verified(verifications: Iterable[Any]) -> str:
    """Return every check of every verification; ``passed`` is null for a remark and for an unchecked figure."""
    return records("verify", (
        {
            "id": v.id, "decks": v.decks, "state": v.state,
            "checks": [
                {"what": c.what, "method": c.method, "result": c.result, "passed": c.passed, "unheld": c.unchecked,
                 "covers": c.covers, "detects": c.detects}
                for c in v.checks
            ],
        }
        for v in verifications
    ))  # fmt: skip
