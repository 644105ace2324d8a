"""Rulebooks: frozen wagers, paytables, readings and findings, read from TOML.

`Rulebook.load` reads the documents that ship with combin; `combin.userfiles` adds paytables of
users. `Rulebook.resolve` applies the chosen readings once: it patches the wager's table as written
and reads the terms again. Everything after it sees only `Terms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.caches import cached
from ..base.errors import Fault, InputError, fault, nearest
from ..base.toml_tables import NOTHING, Data, merged
from .kept import keep_tables, tables_of
from .model import (
    PATCH_KEYS,
    RESERVED,
    Document,
    Finding,
    Paytable,
    PaytableTerms,
    Reading,
    ReadingChoice,
    Resolved,
    Setting,
    Wager,
    build_paytable,
    is_glob,
    matches,
    read_terms,
    read_wager,
)
from .pays import parse_pay
from .terms import PayoutCap
from .transcription import Transcription

#: These documents come first in every list; others follow in alphabetical order.
FIRST = (
    "massachusetts-high-card-flush",
    "maryland-high-card-flush",
    "maryland-chase-the-flush",
    "chase-the-flush-recommended-rules",
    "maryland-blackjack",
)
#: The most resolved paytables that a rulebook caches.
MOST_RESOLVED = 4096
#: The folder of the shipped documents.
RULES = Path(__file__).parents[1] / "rules"
#: The file of a paytable whose pays were given to a function.
GIVEN = "other pays"


class Rulebook:
    """All documents, wagers, readings and findings; lists are in a stable order.

    ``documents`` and ``wagers`` are by id. Functions that read files return a rulebook with their wagers added, for
    the argument ``book`` of `combin.analyze`.

    >>> import combin
    >>> book = combin.Rulebook.load()
    >>> book.select(["maryland/blackjack/lucky-ladies/*"])
    ['maryland/blackjack/lucky-ladies/A', 'maryland/blackjack/lucky-ladies/B']
    >>> [reading.id for reading in book.readings_of("maryland/blackjack/lucky-ladies/A")]
    ['ace-nine-is-20', 'cap-scope']
    """

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.wagers: dict[str, Wager] = {}
        self.readings: list[Reading] = []
        self.findings: list[Finding] = []
        self.caps: list[tuple[Document, PayoutCap]] = []
        #: By id and choices: the wager and the paytable as written, and the resolved paytable.
        self._resolved: dict[Any, tuple[Wager, Paytable, Resolved]] = {}
        #: The work of counting the wagers of the files added so far, by deal and number of decks.
        self.work: dict[object, int] = {}
        #: The ids of files from which single paytables were selected.
        self.files: dict[str, tuple[str, ...]] = {}

    @classmethod
    def load(cls) -> Rulebook:
        """Return a rulebook with the documents that ship with combin."""
        book, sources = cls(), {f"{document}.toml": source(document) for document in documents()}
        known = tables_of(sources)
        for file, raw in sources.items():
            book.add_document(raw, file, known.get(file))
        if not known:
            keep_tables(sources)
        return book

    def add_document(self, raw: bytes, file: str, tables: Data | None = None) -> None:
        """Add a document's transcription; raises `InputError` with all its faults.

        ``tables`` are those of the file if it was read before without a fault.
        """
        contents = Transcription(raw, file, tables).read()
        self.documents[contents.document.id] = contents.document
        self.wagers |= {wager.id: wager for wager in contents.wagers}
        self.readings += contents.readings
        self.findings += contents.findings
        self.caps += [(contents.document, cap) for cap in contents.caps]

    def may_share_a_table(self, one: Resolved, other: Resolved) -> bool:
        """Whether one document has both wagers; a user-defined wager may be offered with every game."""
        documents = {one.document.id, other.document.id} & self.documents.keys()
        return len(documents) < 2

    def ids(self) -> list[str]:
        """Return every paytable id, in the order of the documents."""
        return [f"{w.id}/{p}" for w in self.wagers.values() for p in w.paytables]

    def ids_of(self, document: Document) -> list[str]:
        """Return the paytable ids of a document's wagers."""
        return [f"{w.id}/{p}" for w in self.wagers.values() if w.document.id == document.id for p in w.paytables]

    def find(self, identifier: str) -> tuple[Wager, Paytable]:
        """Return the wager and paytable of an id; raises `InputError` with the nearest known id."""
        wager_id, _, letter = identifier.rpartition("/")
        wager = self.wagers.get(wager_id)
        if wager and letter in wager.paytables:
            return wager, wager.paytables[letter]
        if identifier.endswith("/"):
            raise fault("there is no such folder", "check the path", file=identifier)
        raise fault(f'no paytable has the id "{identifier}"', self._suggest(identifier))

    def _suggest(self, pattern: str) -> str:
        if pattern in self.wagers:
            return f'its paytables are "{pattern}/*"'
        tails = {f"{w.local_id}/{p}": f"{w.id}/{p}" for w in self.wagers.values() for p in w.paytables}
        if pattern in tails:
            return f'did you mean "{tails[pattern]}"?'
        return nearest(pattern, self.ids(), otherwise="combin list shows every id")

    def select(self, patterns: Iterable[str]) -> list[str]:
        """Return the ids that ids and globs match, each once, without those that a later ``!GLOB`` matches.

        Raises `InputError` for an id or a glob that matches none.
        """
        chosen: dict[str, None] = {}
        for pattern in patterns:
            if pattern.startswith("!"):
                left = [i for i in chosen if not matches(i, pattern[1:])]
                if len(left) == len(chosen):
                    raise fault("excludes no paytable", "write it behind the ids and files that it excludes from",
                                file=pattern)
                chosen = dict.fromkeys(left)
            elif is_glob(pattern):
                ids = [i for i in self.ids() if matches(i, pattern)]
                if not ids:
                    known = sorted({w.document.prefix for w in self.wagers.values()})
                    raise fault(
                        f'no id matches "{pattern}"', f"ids begin with {', '.join(known)}; combin list shows all"
                    )
                chosen.update(dict.fromkeys(ids))
            else:
                self.find(pattern)
                chosen[pattern] = None
        return list(chosen)

    def readings_of(self, identifier: str) -> list[Reading]:
        return [r for r in self.readings if r.bears_on(identifier)]

    def findings_of(self, identifier: str) -> list[Finding]:
        return [f for f in self.findings if any(matches(identifier, p) for p in f.wagers)]

    def check_readings(self, identifiers: Iterable[str], chosen: Mapping[str, str]) -> None:
        """Raise `InputError` for a reading or a choice that is not valid for each of these ids."""
        identifiers = list(identifiers)
        for reading_id, choice in chosen.items():
            place = f"{reading_id}={choice}"
            if reading_id not in {r.id for r in self.readings}:
                known = sorted({r.id for i in identifiers for r in self.readings_of(i)})
                raise fault(
                    f'there is no reading "{reading_id}"',
                    nearest(reading_id, known, otherwise="combin readings lists them") or "these wagers have none",
                    file="--reading",
                    place=place,
                )
            for identifier in identifiers:
                bearing = {r.id: r for r in self.readings_of(identifier)}
                if reading_id not in bearing:
                    raise fault(
                        f"the reading {reading_id} does not bear on {identifier}",
                        f"its readings: {', '.join(bearing)}" if bearing else "it has no readings",
                        file="--reading",
                        place=place,
                    )
                bearing[reading_id].choice(choice, place=place)

    def resolve(self, identifier: str, chosen: Mapping[str, str] | None = None) -> Resolved:
        """Return the paytable under the chosen readings; every other reading has its primary choice.

        Readings that do not bear on this paytable are ignored: `check_readings` checks the whole selection.
        """
        wager, paytable = self.find(identifier)
        key = identifier, tuple(sorted((chosen or {}).items())), len(self.readings), len(self.caps)
        before = self._resolved.get(key)
        if before is None or before[0] is not wager or before[1] is not paytable:
            if len(self._resolved) >= MOST_RESOLVED:
                self._resolved.clear()
            before = self._resolved[key] = wager, paytable, self._resolve(identifier, wager, paytable, chosen or {})
        return before[2]

    def _resolve(self, identifier: str, wager: Wager, paytable: Paytable, chosen: Mapping[str, str]) -> Resolved:
        written = wager.written
        pays = dict(paytable.lines)
        decks = paytable.decks
        used: dict[str, str] = {}
        batches = 1
        for reading in self.readings_of(identifier):
            wanted = chosen.get(reading.id)
            choice = reading.choice(wanted) if wanted is not None else reading.primary
            used[reading.id] = choice.id
            batches = max(batches, choice.batches)
            written, pays, decks = _patched(written, pays, decks, choice.patch, paytable.id)
        terms = wager.terms if written is wager.written else read_terms(written, wager)
        if paytable.options:
            terms = replace(terms, options=MappingProxyType({**terms.options, **paytable.options}))
        document = wager.document
        tied = bool(decks)
        least, most = document.deck_range
        return Resolved(
            id=identifier,
            wager=wager.local_id,
            name=f"{wager.name}, {paytable.name}" if paytable.name else wager.name,
            clause=paytable.clause or wager.clause,
            document=document,
            paytable=paytable,
            terms=terms,
            lines=tuple((outcome, parse_pay(pay, outcome)) for outcome, pay in pays.items()),
            decks=decks if tied else tuple(range(least, most + 1)),
            decks_tied=tied,
            readings=MappingProxyType(used),
            caps=self._caps_of(document, identifier, used),
            batches=batches,
        )

    def _caps_of(self, document: Document, identifier: str, readings: Mapping[str, str]) -> tuple[PayoutCap, ...]:
        def covers(globs: Iterable[str]) -> bool:
            return any(matches(identifier, f"{document.prefix}/{g}") for g in globs)

        return tuple(
            cap for owner, cap in self.caps
            if owner.id == document.id and covers(cap.wagers) and not covers(cap.exempt)
            and all(readings.get(k) == v for k, v in cap.reading.items())
        )

    def default_decks(self, resolved: Resolved) -> list[int]:
        """Return the numbers of decks that are analysed by default."""
        usual = {*resolved.document.decks, *(n // resolved.batches for n in resolved.document.decks)}
        wanted = [n for n in sorted(usual) if n in resolved.decks]
        if not resolved.terms.dealt:
            return list(resolved.decks[:1])
        return wanted or list(resolved.decks[:1])

    def with_pays(self, resolved: Resolved, pays: Mapping[str, str], file: str = GIVEN) -> Rulebook:
        """Return a new rulebook in which a paytable has other pays on some of its lines.

        Raises `InputError` for a line that it does not have, for a text that is not a pay, and for a line that
        a chosen reading sets. ``file`` is the file of a paytable that has none.
        """
        lines = dict(resolved.lines)
        known = {*resolved.unknowns, *(name for _, pay in resolved.payments for name in pay.unknowns)}
        for outcome, text in pays.items():
            if outcome not in lines:
                raise fault(f'{resolved.id} has no line "{outcome}"', nearest(outcome, lines), file="pays")
            try:
                new = [name for name in parse_pay(text, outcome).unknowns if name not in known]
            except InputError as error:
                raise InputError(*(Fault(f.what, f.remedy, "pays", outcome) for f in error.faults)) from None
            if new:
                raise fault(f"{new[0]} is not an unknown of {resolved.id}", "a paytable file declares unknowns",
                            file="pays", place=outcome)
        copy, old = extended(self), resolved.paytable
        changed = {**{outcome: pay.text for outcome, pay in resolved.lines}, **pays}
        wager = copy.wagers[resolved.wager_id]
        given = "; ".join(f"{outcome} {text}" for outcome, text in pays.items())
        paytable = replace(old, lines=tuple(changed.items()), file=old.file or file,
                           places={**old.places, "": given})
        copy.with_paytables(replace(wager, paytables={**wager.paytables, old.id: paytable}))
        set_by_reading = dict(copy.resolve(resolved.id, resolved.readings).lines)
        for outcome, text in pays.items():
            if set_by_reading[outcome] != parse_pay(text, outcome):
                raise fault(f"a reading sets it to {set_by_reading[outcome].text}", "choose another reading",
                            file="pays", place=outcome)
        return copy

    def with_paytables(self, wager: Wager) -> None:
        """Add or replace a wager."""
        self.wagers[wager.id] = wager


def _patched(
    written: Data, pays: dict[str, str], decks: tuple[int, ...], patch: Data, letter: str
) -> tuple[Data, dict[str, str], tuple[int, ...]]:
    """Return a wager's table, a paytable's lines and its decks with the patch of a choice applied."""
    for table in ("*", letter):
        for outcome, pay in patch.get("pays", NOTHING).get(table, NOTHING).items():
            if pay:
                pays[outcome] = pay
            else:
                pays.pop(outcome, None)
    decks = patch.get("decks", NOTHING).get(letter, decks)
    of_terms = {key: value for key, value in patch.items() if key not in PATCH_KEYS}
    return (merged(written, of_terms) if of_terms else written), pays, decks


def documents() -> tuple[str, ...]:
    """Return the names of the shipped documents: every file in the folder with a table ``[document]``."""
    names = sorted(
        entry.name.removesuffix(".toml") for entry in RULES.iterdir()
        if entry.name.endswith(".toml") and b"\n[document]\n" in b"\n" + entry.read_bytes()
    )
    return (*(name for name in FIRST if name in names), *(name for name in names if name not in FIRST))


def source(document: str) -> bytes:
    """Return the bytes of a shipped document's transcription."""
    return (RULES / f"{document}.toml").read_bytes()


@cached("the shipped rulebook", most=1)
def shipped() -> Rulebook:
    """Return the shipped rulebook, read once in a process; copy it (`extended`) before adding to it."""
    return Rulebook.load()


def extended(book: Rulebook) -> Rulebook:
    """Return a new rulebook with the same content."""
    copy = Rulebook()
    copy.documents, copy.wagers = dict(book.documents), dict(book.wagers)
    copy.readings, copy.findings, copy.caps = list(book.readings), list(book.findings), list(book.caps)
    copy.work, copy.files = dict(book.work), dict(book.files)
    return copy


__all__ = [
    "RESERVED",
    "Document",
    "Finding",
    "Paytable",
    "PaytableTerms",
    "Reading",
    "ReadingChoice",
    "Resolved",
    "Rulebook",
    "Setting",
    "Wager",
    "build_paytable",
    "extended",
    "is_glob",
    "matches",
    "read_wager",
    "shipped",
    "source",
]
