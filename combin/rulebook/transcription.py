"""Reader of a document's TOML file; one `InputError` has all its faults."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from ..base.errors import InputError, nearest, raise_all
from ..base.textfiles import Faults, KeyLines
from ..base.toml_tables import NOTHING, OTHERS, Data, Path, ReportFault, check_part, empty, read
from .checks import check_globs, check_name, check_numbers, check_wager
from .model import PATCH_KEYS, Document, Finding, Reading, Wager, matches, read_wager
from .terms import Companion, PayoutCap, Terms

T = TypeVar("T", Reading, Finding)
#: The tables of a document.
TABLES = ("document", "wager", "reading", "finding", "cap")


@dataclass(frozen=True)
class Contents:
    """The content of a document."""

    document: Document
    wagers: tuple[Wager, ...]
    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]
    caps: tuple[PayoutCap, ...]


@dataclass(frozen=True)
class _Patch:
    """The parts of a choice's patch that are not terms, by paytable (``*``: every other one)."""

    pays: Mapping[str, Mapping[str, str]] = empty()
    decks: Mapping[str, tuple[int, ...]] = empty()


class Transcription:
    """Reader of one document's file."""

    def __init__(self, raw: bytes, file: str, tables: Mapping[str, Any] | None = None) -> None:
        """``tables`` are those of the document if it was read before without a fault."""
        self.text, self.file, self.sound = raw.decode(), file, tables is not None
        self.data: Mapping[str, Any] = tomllib.loads(self.text) if tables is None else tables
        self.digest = sha256(raw).hexdigest()
        self.faults = Faults()

    @cached_property
    def places(self) -> KeyLines:
        return KeyLines(self.text)

    def read(self) -> Contents:
        """Return the tables of the document; raises `InputError` with all its faults."""
        for key in self.data:
            if key not in TABLES:
                self.faults.add(f'unknown key "{key}"', nearest(key, TABLES), self.file, self.places.find((key,)))
        [(head, report)] = [*self._tables("document")] or [({}, self._report("document", 0, NOTHING))]
        _, _, game = str(head.get("prefix", "")).partition("/")
        document = read(Document, head, report, given={"data_sha256": self.digest, "game": game})
        if document is None:
            raise InputError(*self.faults)
        wagers = [
            read_wager(str(e.get("id")), e, document, r) for e, r in self._tables("wager")
        ]
        readings = [self._reading(entry, document, report) for entry, report in self._tables("reading")]
        findings = [read(Finding, e, r, given={"document": document}) for e, r in self._tables("finding")]
        caps = [read(PayoutCap, entry, report) for entry, report in self._tables("cap")]
        raise_all(self.faults)
        contents = Contents(
            document,
            tuple(wager for wager in wagers if wager is not None),
            tuple(_prefixed(reading) for reading in readings if reading is not None),
            tuple(_prefixed(finding) for finding in findings if finding is not None),
            tuple(cap for cap in caps if cap is not None),
        )
        if not self.sound:
            self._check_names(contents)
            raise_all(self.faults)
        return contents

    def _tables(self, name: str) -> Iterator[tuple[Data, ReportFault]]:
        """Return every table of a name, with a function that reports its faults."""
        entries = self.data.get(name, [])
        for index, entry in enumerate([entries] if isinstance(entries, Mapping) else entries):
            yield entry, self._report(name, index, entry)

    def _report(self, name: str, index: int, entry: Data) -> ReportFault:
        """Return a function that reports the faults of one table, each with its line if that is known."""

        def report(what: str, remedy: str, path: Path) -> None:
            line = self.places.block(name, index).of(name, path)
            words = (line, f"{name} {entry.get('id', '')}".strip(), *path)
            self.faults.add(what, remedy, self.file, ", ".join(word for word in words if word))

        return report

    def _reading(self, entry: Data, document: Document, report: ReportFault) -> Reading | None:
        reading = read(Reading, entry, report, given={"document": document})
        for choice in reading.choices if reading is not None and not self.sound else ():
            path = ("choice", choice.id, "patch")
            check_part(Terms, choice.patch, report, aside=PATCH_KEYS, path=path)
            read(_Patch, {k: v for k, v in choice.patch.items() if k in PATCH_KEYS}, report, path=path)
        return reading

    @staticmethod
    def _check_companion(wager: Wager, wagers: Mapping[str, Wager], report: ReportFault) -> None:
        """Report names of the wager with which a promotion goes that do not exist."""
        companion = wager.terms.beside
        if not isinstance(companion, Companion):
            return
        base = wagers.get(f"{wager.document.prefix}/{companion.wager}")
        if base is None:
            report(f'no wager is called "{companion.wager}"', "name a wager of the document", ("beside", "wager"))
            return
        check_name(companion.table, base.paytables, "paytable", report, ("beside", "table"))
        for outcome, line in companion.lines.items():
            check_name(outcome, wager.terms.outcome, "outcome", report, ("beside", "lines", outcome))
            check_name(line, base.terms.outcome, "outcome", report, ("beside", "lines", outcome))

    def _check_names(self, contents: Contents) -> None:
        """Report names of paytables, wagers, readings and unknowns that do not exist."""
        for wager, (_, report) in zip(contents.wagers, self._tables("wager"), strict=True):
            check_numbers(wager.terms, report)
            check_wager(wager, report, declared=True)
            self._check_companion(wager, {w.id: w for w in contents.wagers}, report)
        letters = {f"{w.id}/{letter}": letter for w in contents.wagers for letter in w.paytables}
        ids = list(letters)
        for reading, (_, report) in zip(contents.readings, self._tables("reading"), strict=True):
            check_globs(reading.wagers, ids, report)
            for choice in reading.choices:
                for key in [key for key in PATCH_KEYS if key in choice.patch]:
                    known = {letters[i] for i in ids if any(matches(i, glob) for glob in reading.wagers)}
                    for letter in choice.patch[key].keys() - {OTHERS}:
                        check_name(letter, known, "paytable", report, ("choice", choice.id, "patch", key, letter))
        for finding, (_, report) in zip(contents.findings, self._tables("finding"), strict=True):
            check_globs(finding.wagers, ids, report)
        choices = {reading.id: [choice.id for choice in reading.choices] for reading in contents.readings}
        for cap, (_, report) in zip(contents.caps, self._tables("cap"), strict=True):
            check_globs([f"{contents.document.prefix}/{glob}" for glob in (*cap.wagers, *cap.exempt)], ids, report)
            lines = {outcome for w in contents.wagers for p in w.paytables.values() for outcome, _ in p.lines}
            for key, outcomes in (("outcomes", cap.outcomes), ("shared_pair", cap.shared_pair)):
                for outcome in outcomes:
                    check_name(outcome, lines, "line", report, (key, outcome))
            for name, wanted in cap.reading.items():
                check_name(name, choices, "reading", report, ("reading", name))
                if name in choices:
                    check_name(wanted, choices[name], "choice", report, ("reading", name))


def _prefixed(entry: T) -> T:
    """Return a reading or finding with full ids of wagers."""
    return replace(entry, wagers=tuple(f"{entry.document.prefix}/{glob}" for glob in entry.wagers))
