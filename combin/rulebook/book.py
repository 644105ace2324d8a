"""Rule documents as data: TOML in, frozen wagers, paytables, readings and findings out.

`Rulebook.load` reads the documents that ship with combin; `combin.userfiles` adds a
user's own paytables to one. `Rulebook.resolve` applies the chosen readings, which
are patches on a wager's data, once: everything behind it sees plain options.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from ..base.errors import fault, nearest
from .pays import Pay, parse_pay

DOCUMENTS = (
    "massachusetts-high-card-flush",
    "maryland-high-card-flush",
    "maryland-chase-the-flush",
    "chase-the-flush-recommended-rules",
    "maryland-blackjack",
)
#: Words that are never outcomes in a paytable.
RESERVED = ("name", "clause", "decks")
MOST_DECKS = 8

Data = Mapping[str, Any]


def is_glob(pattern: str) -> bool:
    return any(c in pattern for c in "*?[")


def matches(identifier: str, pattern: str) -> bool:
    """Whether a glob covers an id; a star crosses slashes."""
    return fnmatchcase(identifier, pattern)


@dataclass(frozen=True)
class Document:
    """A rule document: where it comes from, and the digests of its text and of its transcription."""

    id: str
    title: str
    issuer: str
    version: str
    prefix: str
    sha256: str
    decks: tuple[int, ...]
    deck_range: tuple[int, int]
    data_sha256: str


@dataclass(frozen=True)
class Paytable:
    """The lines of one paytable, outcome and pay as written, in the document's order."""

    id: str
    name: str
    clause: str
    decks: tuple[int, ...]
    lines: tuple[tuple[str, str], ...]
    file: str = ""
    #: Where it stands in a user's file ("line 12", "row 5"), by outcome; "" is the paytable itself.
    places: Data = field(default_factory=dict, compare=False)
    #: A user's own options of a game: raise multiples or limits.
    options: Data = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """A quantity that is always a number: ``default`` None where the document states none."""

    name: str
    text: str = ""
    default: str | None = None
    least: str | None = None
    most: str | None = None
    fixed: bool = False
    clause: str = ""


@dataclass(frozen=True)
class Wager:
    """A wager as its document describes it, before any reading is applied."""

    id: str
    name: str
    clause: str
    document: Document
    data: Data
    paytables: Mapping[str, Paytable]

    @property
    def has_decisions(self) -> bool:
        return _has_decisions(self.data)


def _has_decisions(data: Data) -> bool:
    """A game is played by a strategy, unless it is a promotion that chance alone decides."""
    return "game" in data and not data.get("promotion", False)


@dataclass(frozen=True)
class Choice:
    """One way to read: its patch on the wager's data; ``refused`` says why a choice is named but not computed."""

    id: str
    why: str
    basis: str
    patch: Data
    refused: str = ""


@dataclass(frozen=True)
class Reading:
    """A question that a document leaves open; the first choice is the primary one."""

    id: str
    document: Document
    clause: str
    question: str
    wagers: tuple[str, ...]
    choices: tuple[Choice, ...]
    frequencies_only: bool = False

    @property
    def primary(self) -> Choice:
        return self.choices[0]

    @property
    def computed(self) -> tuple[Choice, ...]:
        """The choices that are computed."""
        return tuple(c for c in self.choices if not c.refused)

    def bears_on(self, paytable_id: str) -> bool:
        inside = paytable_id.startswith(self.document.prefix)
        return inside and any(matches(paytable_id, pattern) for pattern in self.wagers)

    def choice(self, name: str, *, place: str = "") -> Choice:
        for choice in self.choices:
            if choice.id == name and choice.refused:
                raise fault(
                    f"{self.id}={name} is not computed: {choice.refused}", "leave it out", file="--reading", place=place
                )
            if choice.id == name:
                return choice
        raise fault(
            f'the reading {self.id} has no choice "{name}"',
            f"choose one of {', '.join(c.id for c in self.computed)}",
            file="--reading",
            place=place,
        )


@dataclass(frozen=True)
class Finding:
    """A plain error in a document."""

    id: str
    document: Document
    clause: str
    wagers: tuple[str, ...]
    kind: str
    text: str


@dataclass(frozen=True)
class Resolved:
    """One paytable of a wager under chosen readings: plain data for everything that follows."""

    id: str
    name: str
    clause: str
    document: Document
    paytable: Paytable
    data: Data
    lines: tuple[tuple[str, Pay], ...]
    added: tuple[tuple[str, tuple[str, ...]], ...]
    decks: tuple[int, ...]
    decks_tied: bool
    readings: Mapping[str, str]
    settings: Mapping[str, Setting]
    unknowns: Mapping[str, Data]
    #: The payout caps of the document that bear on this paytable under its readings.
    caps: tuple[Data, ...] = ()

    @property
    def has_decisions(self) -> bool:
        return _has_decisions(self.data)

    @property
    def options(self) -> Data:
        return self.data.get("options", {})

    @property
    def wager_id(self) -> str:
        return self.id.rsplit("/", 1)[0]

    @property
    def payments(self) -> tuple[tuple[str, Pay], ...]:
        """Every outcome that is paid with its pay, in the order in which deals are settled."""
        pays = dict(self.lines)
        sums = []
        for outcome, parts in self.added:
            if all(part in pays for part in parts):
                total = pays[parts[0]]
                for part in parts[1:]:
                    total = total + pays[part]
                sums.append((outcome, total))
        return (*sums, *self.lines)


class Rulebook:
    """All documents, wagers, readings and findings at hand; lists are in a stable order."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.wagers: dict[str, Wager] = {}
        self.readings: list[Reading] = []
        self.findings: list[Finding] = []
        self.caps: list[tuple[Document, Data]] = []

    @classmethod
    def load(cls) -> Rulebook:
        """The documents that ship with combin."""
        book = cls()
        for document in DOCUMENTS:
            book._add(*_read(document))
        return book

    def _add(self, data: Data, digest: str) -> None:
        head = data["document"]
        document = Document(
            head["id"],
            head["title"],
            head["issuer"],
            head.get("version", ""),
            head["prefix"],
            head["sha256"],
            tuple(head["decks"]),
            (head["deck_range"][0], head["deck_range"][1]),
            digest,
        )
        self.documents[document.id] = document
        for entry in data.get("wager", ()):
            wager = build_wager(f"{document.prefix}/{entry['id']}", entry, document)
            self.wagers[wager.id] = wager
        for entry in data.get("reading", ()):
            self.readings.append(
                Reading(
                    entry["id"],
                    document,
                    entry["clause"],
                    entry["question"],
                    tuple(f"{document.prefix}/{p}" for p in entry["wagers"]),
                    tuple(
                        Choice(c["id"], c.get("why", ""), c.get("basis", ""), c.get("patch", {}), c.get("refused", ""))
                        for c in entry["choice"]
                    ),
                    entry.get("frequencies_only", False),
                )
            )
        for entry in data.get("finding", ()):
            self.findings.append(
                Finding(
                    entry["id"],
                    document,
                    entry["clause"],
                    tuple(f"{document.prefix}/{p}" for p in entry["wagers"]),
                    entry["kind"],
                    entry["text"],
                )
            )
        self.caps += [(document, entry) for entry in data.get("cap", ())]

    def ids(self) -> list[str]:
        """Every paytable id, in the order of the documents."""
        return [f"{w.id}/{p}" for w in self.wagers.values() for p in w.paytables]

    def find(self, identifier: str) -> tuple[Wager, Paytable]:
        """The wager and paytable of an id; raises `InputError` with the nearest known id."""
        wager_id, _, letter = identifier.rpartition("/")
        wager = self.wagers.get(wager_id)
        if wager and letter in wager.paytables:
            return wager, wager.paytables[letter]
        raise fault(f'no paytable has the id "{identifier}"', self._suggest(identifier))

    def _suggest(self, pattern: str) -> str:
        if pattern in self.wagers:
            return f'its paytables are "{pattern}/*"'
        tails = {i.split("/", 2)[2]: i for i in self.ids()}
        if pattern in tails:
            return f'did you mean "{tails[pattern]}"?'
        return nearest(pattern, self.ids(), otherwise="combin list shows every id")

    def select(self, patterns: Iterable[str]) -> list[str]:
        """The ids that any of the ids or globs covers, each once; `InputError` where one covers none."""
        chosen: dict[str, None] = {}
        for pattern in patterns:
            if is_glob(pattern):
                found = [i for i in self.ids() if matches(i, pattern)]
                if not found:
                    known = sorted({w.rsplit("/", 1)[0] for w in self.wagers})
                    raise fault(
                        f'no id matches "{pattern}"', f"ids begin with {', '.join(known)}; combin list shows all"
                    )
                chosen.update(dict.fromkeys(found))
            else:
                self.find(pattern)
                chosen[pattern] = None
        return list(chosen)

    def readings_of(self, identifier: str) -> list[Reading]:
        return [r for r in self.readings if r.bears_on(identifier)]

    def findings_of(self, identifier: str) -> list[Finding]:
        return [f for f in self.findings if any(matches(identifier, p) for p in f.wagers)]

    def check_readings(self, identifiers: Iterable[str], chosen: Mapping[str, str]) -> None:
        """Refuse a reading, or a choice of it, that is not valid for every one of these ids."""
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
        """The paytable under the chosen readings, and the primary choice of every other one.

        A choice of a reading that does not bear on this paytable is ignored here:
        `check_readings` judges the whole selection.
        """
        wager, paytable = self.find(identifier)
        data: dict[str, Any] = dict(wager.data)
        pays = dict(paytable.lines)
        decks = paytable.decks
        used: dict[str, str] = {}
        for reading in self.readings_of(identifier):
            wanted = (chosen or {}).get(reading.id)
            choice = reading.choice(wanted) if wanted is not None else reading.primary
            used[reading.id] = choice.id
            data, pays, decks = _patched(data, pays, decks, choice.patch, paytable.id)
        if paytable.options:
            data["options"] = _merged(data.get("options", {}), paytable.options)
        document = wager.document
        tied = bool(decks)
        least, most = document.deck_range
        return Resolved(
            id=identifier,
            name=f"{wager.name}, {paytable.name}" if paytable.name else wager.name,
            clause=paytable.clause or wager.clause,
            document=document,
            paytable=paytable,
            data=MappingProxyType(data),
            lines=tuple((outcome, parse_pay(pay, outcome)) for outcome, pay in pays.items()),
            added=tuple((name, tuple(parts)) for name, parts in data.get("added", {}).items() if parts),
            decks=decks if tied else tuple(range(least, most + 1)),
            decks_tied=tied,
            readings=MappingProxyType(used),
            settings=MappingProxyType(
                {name: _setting(name, entry, paytable.id) for name, entry in data.get("setting", {}).items()}
            ),
            unknowns=MappingProxyType(data.get("unknown", {})),
            caps=self._caps_of(document, identifier, used),
        )

    def _caps_of(self, document: Document, identifier: str, readings: Mapping[str, str]) -> tuple[Data, ...]:
        def covers(globs: Iterable[str]) -> bool:
            return any(matches(identifier, f"{document.prefix}/{g}") for g in globs)

        return tuple(
            entry for owner, entry in self.caps
            if owner.id == document.id and covers(entry["wagers"]) and not covers(entry.get("exempt", ()))
            and all(readings.get(k) == v for k, v in entry.get("reading", {}).items())
        )

    def default_decks(self, resolved: Resolved) -> list[int]:
        """The numbers of decks analysed where none is asked for."""
        wanted = [n for n in resolved.document.decks if n in resolved.decks]
        if not resolved.data.get("dealt", True):
            return list(resolved.decks[:1])
        return wanted or list(resolved.decks[:1])

    def with_paytables(self, wager: Wager) -> None:
        """Add or replace a wager (a user's file builds it)."""
        self.wagers[wager.id] = wager


def _patched(
    data: dict[str, Any], pays: dict[str, str], decks: tuple[int, ...], patch: Data, letter: str
) -> tuple[dict[str, Any], dict[str, str], tuple[int, ...]]:
    """A choice's patch applied to a wager's data, a paytable's lines and its decks."""
    data, pays = dict(data), dict(pays)
    for key, value in patch.items():
        if key == "pays":
            for table in ("*", letter):
                for outcome, pay in value.get(table, {}).items():
                    if pay:
                        pays[outcome] = pay
                    else:
                        pays.pop(outcome, None)
        elif key == "decks":
            decks = tuple(value.get(letter, decks))
        elif isinstance(value, Mapping):
            data[key] = _merged(data.get(key, {}), value)
        else:
            data[key] = value
    return data, pays, decks


def _merged(data: Data, patch: Data) -> dict[str, Any]:
    """``data`` with the entries of ``patch``, tables within tables (a wheel's, a setting's) merged too."""
    merged = dict(data)
    for key, value in patch.items():
        merged[key] = _merged(merged.get(key, {}), value) if isinstance(value, Mapping) else value
    return merged


def _setting(name: str, entry: Data, letter: str) -> Setting:
    """A setting of one paytable: a default may stand by letter, with "*" for all others."""
    default = entry.get("default")
    if isinstance(default, Mapping):
        default = default.get(letter, default.get("*"))
    return Setting(name, **{**entry, "default": default})


def build_wager(identifier: str, entry: Data, document: Document, *, file: str = "") -> Wager:
    """A wager from its TOML table; the data is trusted here (documents by tests, user files by userfiles)."""
    paytables = {
        str(letter): build_paytable(str(letter), lines, file=file)
        for letter, lines in entry.get("paytable", {}).items()
    }
    data = {key: value for key, value in entry.items() if key not in ("id", "name", "clause", "paytable")}
    return Wager(identifier, entry["name"], entry.get("clause", ""), document, MappingProxyType(data), paytables)


def build_paytable(letter: str, lines: Data, *, file: str = "", places: Data | None = None) -> Paytable:
    name = lines.get("name", f"paytable {letter}")
    return Paytable(
        letter,
        name,
        lines.get("clause", ""),
        tuple(lines.get("decks", ())),
        tuple((outcome, pay) for outcome, pay in lines.items() if outcome not in RESERVED),
        file,
        places or {},
    )


def source(document: str) -> bytes:
    """The bytes of a shipped document's transcription."""
    return (files("combin") / "rules" / f"{document}.toml").read_bytes()


def _read(document: str) -> tuple[Data, str]:
    raw = source(document)
    return tomllib.loads(raw.decode()), sha256(raw).hexdigest()


@cache
def shipped() -> Rulebook:
    """The shipped rulebook, read once a process; copy it (`extended`) before adding to it."""
    return Rulebook.load()


def extended(book: Rulebook) -> Rulebook:
    """A rulebook of its own with the same content."""
    copy = Rulebook()
    copy.documents, copy.wagers = dict(book.documents), dict(book.wagers)
    copy.readings, copy.findings, copy.caps = list(book.readings), list(book.findings), list(book.caps)
    return copy


__all__ = [
    "Choice",
    "Document",
    "Finding",
    "Paytable",
    "Reading",
    "Resolved",
    "Rulebook",
    "Setting",
    "Wager",
    "build_paytable",
    "build_wager",
    "extended",
    "is_glob",
    "matches",
    "replace",
    "shipped",
    "source",
]
