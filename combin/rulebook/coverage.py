"""Coverage of a document: what each clause that moves money says, and where combin computes it or why not.

The clauses are in ``rules/DOCUMENT.clauses.toml`` next to the document's rule data. Every name in them is
one of the rule data. They change no figure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from ..base.caches import cached
from ..base.errors import fault, nearest, raise_all
from ..base.textfiles import Faults, KeyLines
from ..base.toml_tables import Path, ReportFault, read
from .book import Resolved, Rulebook, matches, shipped
from .checks import check_name
from .parameters import names


@dataclass(frozen=True)
class Clause:
    """A clause with all clauses below it that have no entry.

    ``computed`` are globs over the document's paytables; ``settings`` are parameters of those,
    ``readings`` and ``findings`` ids of the document. ``why`` says what is not computed.
    """

    clause: str
    says: str
    computed: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    why: str = ""

    def holds(self, place: str) -> bool:
        """Whether a clause of the text is this one or below it."""
        return place == self.clause or (place.startswith(self.clause) and place[len(self.clause)] in " (")

    def bears_on(self, paytables: Iterable[Resolved]) -> bool:
        """Whether it is computed in one of these paytables of the same document."""
        return any(matches(paytable.local_id, glob) for paytable in paytables for glob in self.computed)


def clauses_of(document: str, book: Rulebook | None = None) -> tuple[Clause, ...]:
    """Return the clauses of a document in its order; empty if they are not recorded.

    Raises `InputError` for an unknown document, and for every fault of its clauses.
    """
    known = (book or shipped()).documents
    if document not in known:
        raise fault(f'no document is called "{document[:60]}"',
                    nearest(document[:60], known, otherwise=f"known: {', '.join(known)}"))
    return _shipped(document)


@cached("the clauses of a document", most=16)
def _shipped(document: str) -> tuple[Clause, ...]:
    path = files("combin") / "rules" / f"{document}.clauses.toml"
    return read_clauses(path.read_text(encoding="utf-8"), document, shipped()) if path.is_file() else ()


def read_clauses(text: str, document: str, book: Rulebook) -> tuple[Clause, ...]:
    """Return the clauses of a file's text; raises `InputError` with every fault, each at its line."""
    faults, places, file = Faults(), KeyLines(text), f"{document}.clauses.toml"
    data = tomllib.loads(text)
    for key in data:
        if key != "clause":
            faults.add(f'unknown key "{key}"', "write [[clause]]", file, places.find((key,)))
    clauses: list[Clause] = []
    for index, entry in enumerate(data.get("clause", ())):

        def report(what: str, remedy: str, path: Path, index: int = index) -> None:
            line = places.block("clause", index).of("clause", path)
            faults.add(what, remedy, file, ", ".join(word for word in (line, *path) if word))

        clause = read(Clause, entry, report)
        if clause is not None:
            _check(clause, document, book, report)
            if any(c.clause == clause.clause for c in clauses):
                report(f'the clause "{clause.clause}" occurs twice', "write it once", ("clause",))
            clauses.append(clause)
    raise_all(faults)
    return tuple(clauses)


def _check(clause: Clause, document: str, book: Rulebook, report: ReportFault) -> None:
    """Report names that the document does not have, and an entry that names nothing."""
    prefix = book.documents[document].prefix + "/"
    ids = book.ids_of(book.documents[document])
    for glob in clause.computed:
        if not any(matches(i, prefix + glob) for i in ids):
            report(f'no id of the document matches "{glob}"', nearest(prefix + glob, ids), ("computed",))
    computed = [p for p in map(book.resolve, ids) if clause.bears_on([p])] if clause.settings else []
    settings = {name for p in computed for name in names(p)}
    for name in clause.settings:
        check_name(name, settings, "parameter of these paytables", report, ("settings",))
    for name in clause.readings:
        check_name(name, {r.id for r in book.readings if r.document.id == document}, "reading", report, ("readings",))
    for name in clause.findings:
        check_name(name, {f.id for f in book.findings if f.document.id == document}, "finding", report, ("findings",))
    if not (clause.computed or clause.findings or clause.why):
        report("nothing says where it is computed", "write computed, or why it is not", ())
