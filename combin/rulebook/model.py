"""The tables of rule documents as frozen objects: documents, wagers, paytables, readings, findings.

A wager has its terms and also its table as written, which readings patch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import translate
from types import MappingProxyType
from typing import Annotated, Any, Literal

from ..base.caches import cached
from ..base.errors import Fault, fault, raise_all
from ..base.toml_tables import (
    BY_BET,
    BY_READER,
    DAY,
    FILLED,
    KEY,
    NOTHING,
    REST,
    Data,
    Path,
    ReportFault,
    Text,
    WholeNumber,
    called,
    empty,
    keys_of,
    read,
)
from .pays import Pay
from .terms import ExtraPay, PayoutCap, SettingTerms, Terms, Unknown

#: Keys of a paytable that are never outcomes.
RESERVED = ("name", "clause", "decks")
#: The keys of a choice's patch that are not terms: lines and decks by paytable.
PATCH_KEYS = ("pays", "decks")


def is_glob(pattern: str) -> bool:
    return any(c in pattern for c in "*?[")


def matches(identifier: str, pattern: str) -> bool:
    """Whether a glob matches an id; a star also matches slashes."""
    if "?" in pattern or "[" in pattern:
        return _compiled(pattern)(identifier) is not None
    # The parts between stars are searched from left to right: compiling regular expressions would be slower.
    first, *rest = pattern.split("*")
    if not rest:
        return identifier == pattern
    *middle, last = rest
    start, end = len(first), len(identifier) - len(last)
    if start > end or not identifier.startswith(first) or not identifier.endswith(last):
        return False
    for part in middle:
        index = identifier.find(part, start, end)
        if index < 0:
            return False
        start = index + len(part)
    return True


@cached("globs", most=4096)
def _compiled(pattern: str) -> Callable[[str], Any]:
    return re.compile(translate(pattern)).match


@dataclass(frozen=True)
class Document:
    """A rule document: its source, and the digests of its text and of its transcription."""

    id: str
    title: str
    issuer: str
    version: str
    prefix: str
    sha256: str
    decks: tuple[int, ...]
    deck_range: tuple[int, int]
    data_sha256: str = field(metadata=BY_READER)
    #: The clause that lets a determinant card of a double shoe become the first player's first card.
    double_shoe: str = ""
    #: A description of the game for readers who do not know it.
    about: str = ""
    #: The most spots of one player, and the clause.
    most_boxes: int = 0
    boxes_clause: str = ""
    #: The number of a hand's seven cards that all spots share.
    shared_cards: int = 0
    #: The regulation that requires odds "to" unless a paytable with odds "for" is approved.
    odds_clause: str = ""
    #: The betting positions of a table; 0 if neither the document nor its game states them.
    seats: int = 0
    #: The game by its name in ids; ``prefix`` is JURISDICTION/GAME.
    game: str = field(default="", metadata=BY_READER)


@dataclass(frozen=True)
class StatedWaiver:
    """A waiver in a user's file of paytables: what it accepts, its reason, its end, and its line.

    It is of one ``paytable`` of its wager, or of every one in the file.
    """

    reason: Annotated[str, FILLED]
    paytable: str | None = None
    rule: str = ""
    expires: Annotated[date, DAY] | None = None
    line: int | None = field(default=None, metadata=BY_READER)


@dataclass(frozen=True)
class Paytable:
    """The lines of one paytable, outcome and pay as written, in the document's order."""

    id: str
    name: str
    clause: str
    decks: tuple[int, ...]
    lines: tuple[tuple[str, str], ...]
    file: str = ""
    #: The place of each outcome in a user's file ("line 12", "row 5"); "" is the paytable itself.
    places: Data = field(default_factory=dict, compare=False)
    #: Options of a game that a user's file sets: raise multiples or limits.
    options: Data = field(default_factory=dict)
    #: Of a user's file: the unknowns that it declares, its numbers of decks, its notes.
    unknowns: Mapping[str, Unknown] = field(default_factory=dict)
    stated: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    waivers: tuple[StatedWaiver, ...] = ()
    #: A pay of a sheet that says neither "to" nor "for", as written; "" if every pay says it.
    bare_odds: str = ""


@dataclass(frozen=True)
class Setting:
    """A quantity that is always a number; ``default`` is None if the document states none."""

    name: str
    text: str = ""
    default: str | None = None
    least: str | None = None
    most: str | None = None
    fixed: bool = False
    clause: str = ""


@dataclass(frozen=True)
class Wager:
    """A wager as its document describes it, before any reading is applied.

    ``terms`` are the content of its table; ``written`` is the table itself, which readings patch.
    """

    #: The id within the document.
    local_id: str
    name: str
    clause: str
    document: Document
    terms: Terms
    paytables: Mapping[str, Paytable]
    written: Data = field(repr=False)
    #: A description of the wager.
    about: str = ""

    @property
    def id(self) -> str:
        return f"{self.document.prefix}/{self.local_id}"

    def changed(self, changes: Data) -> Wager:
        """Return the wager with other values of some keys; raises `InputError` for invalid terms."""
        written = {**self.written, **changes}
        return replace(self, terms=read_terms(written, self), written=MappingProxyType(written))

    @property
    def has_decisions(self) -> bool:
        return self.terms.has_decisions


@dataclass(frozen=True)
class ReadingChoice:
    """A choice of a reading: a patch of the wager's table; ``refused`` says why combin does not compute it."""

    id: str
    why: str = ""
    basis: Literal["text", "sister-clause", "trade-usage", ""] = ""
    patch: Data = field(default_factory=lambda: NOTHING)
    refused: str = ""
    #: The number of batches of decks of a table under the choice; one of them is in play.
    batches: int = 1


@dataclass(frozen=True)
class Reading:
    """A question that a document does not answer clearly; the first choice is the primary one."""

    id: str
    document: Document = field(metadata=BY_READER)
    clause: str
    question: str
    wagers: tuple[str, ...]
    choices: tuple[ReadingChoice, ...] = called("choice")
    frequencies_only: bool = False
    #: The choices name a suit: a shoe with equally many cards of each suit gives the same figures.
    suits_only: bool = False

    @property
    def primary(self) -> ReadingChoice:
        return self.choices[0]

    @property
    def computed(self) -> tuple[ReadingChoice, ...]:
        """The choices that are computed."""
        return tuple(c for c in self.choices if not c.refused)

    def bears_on(self, paytable_id: str) -> bool:
        return any(matches(paytable_id, pattern) for pattern in self.wagers)

    def choice(self, name: str, *, place: str = "") -> ReadingChoice:
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
    """An error in a document."""

    id: str
    document: Document = field(metadata=BY_READER)
    clause: str
    wagers: tuple[str, ...]
    kind: str
    text: str


#: The seats of a full table if neither the wager nor its document states them.
SEATS = 7


@dataclass(frozen=True)
class Resolved:
    """A paytable of a wager under chosen readings; all later code sees only its terms."""

    id: str
    #: The wager's id within the document.
    wager: str
    name: str
    clause: str
    document: Document
    paytable: Paytable
    terms: Terms
    lines: tuple[tuple[str, Pay], ...]
    decks: tuple[int, ...]
    decks_tied: bool
    readings: Mapping[str, str]
    #: The document's payout caps that apply to this paytable under its readings.
    caps: tuple[PayoutCap, ...] = ()
    #: The number of batches of decks of a table; one of them is in play.
    batches: int = 1

    @property
    def has_decisions(self) -> bool:
        return self.terms.has_decisions

    @property
    def mixes_odds(self) -> bool:
        """Whether odds "to" and odds "for" are in one paytable."""
        odds = [pay for _, pay in self.lines if pay.odds]
        return any(pay.states_to for pay in odds) and any(pay.states_for for pay in odds)

    @property
    def options(self) -> Data:
        return self.terms.options

    @property
    def unknowns(self) -> Mapping[str, Unknown]:
        """The wager's unknowns, and those that a user's file declares for the paytable."""
        return MappingProxyType({**self.terms.unknown, **self.paytable.unknowns})

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The wager's settings, each with the default of this paytable."""
        return MappingProxyType({n: _setting(n, terms, self.paytable.id) for n, terms in self.terms.setting.items()})

    @property
    def added(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Pays that are sums of others, with their parts; a line of the paytable replaces such a sum."""
        listed = dict(self.lines)
        return tuple((name, parts) for name, parts in self.terms.added.items() if parts and name not in listed)

    @property
    def stated_seats(self) -> int | None:
        """The seats of a table by the wager or its document; None if neither states them."""
        return self.terms.seats or self.document.seats or None

    @property
    def seats(self) -> int:
        """The seats of a table; `SEATS` if neither the wager nor its document states them."""
        return self.stated_seats or SEATS

    @property
    def wheel(self) -> Mapping[str, str]:
        """The pays of the wheel's symbols, as written; empty without a wheel."""
        return self.terms.wheel.get(self.paytable.id, NOTHING)

    @property
    def envy(self) -> Mapping[str, str]:
        """The envy bonuses of this paytable: hands and what they pay every other player."""
        return self.terms.envy.get(self.paytable.id, NOTHING)

    @property
    def extra(self) -> Mapping[str, ExtraPay]:
        """What this paytable pays in addition to its lines."""
        return self.terms.extra.get(self.paytable.id, NOTHING)

    @property
    def local_id(self) -> str:
        """Return the id within the document: wager and paytable."""
        return f"{self.wager}/{self.paytable.id}"

    @property
    def wager_id(self) -> str:
        return f"{self.document.prefix}/{self.wager}"

    @property
    def payments(self) -> tuple[tuple[str, Pay], ...]:
        """Every paid outcome with its pay, in the order in which deals are settled."""
        pays = dict(self.lines)
        sums = []
        for outcome, parts in self.added:
            if all(part in pays for part in parts):
                total = pays[parts[0]]
                for part in parts[1:]:
                    total = total + pays[part]
                sums.append((outcome, total))
        return (*sums, *self.lines)


def read_terms(written: Data, wager: Wager) -> Terms:
    """Return the terms of a patched table; raises `InputError` if the patch does not fit."""
    faults: list[Fault] = []

    def report(what: str, remedy: str, path: Path) -> None:
        faults.append(Fault(what, remedy, wager.document.id, ", ".join((wager.id, *path))))

    terms = read(Terms, written, report)
    raise_all(faults)
    assert terms is not None
    return terms


def _setting(name: str, terms: SettingTerms, letter: str) -> Setting:
    return Setting(name, terms.text, terms.default.of(letter), terms.least, terms.most, terms.fixed, terms.clause)


@dataclass(frozen=True)
class PaytableTerms:
    """A paytable's table: all keys but three are lines; those of a bet's table are named "BET: LINE"."""

    name: str | None = None
    clause: str = ""
    decks: tuple[Annotated[int, WholeNumber(1, 8)], ...] = ()
    lines: Annotated[Mapping[str, Annotated[str, Text(str, 'put it in quotes: "300 to 1"')]], BY_BET] = field(
        default_factory=dict, metadata={KEY: REST})


@dataclass(frozen=True)
class WagerHead:
    """What a wager's table states besides its terms."""

    id: str
    name: Annotated[str, FILLED]
    clause: str = ""
    about: str = ""
    paytable: Mapping[str, PaytableTerms] = empty()


def read_wager(local_id: str, entry: Data, document: Document, report: ReportFault, *, file: str = "") -> Wager | None:
    """Return a wager from its TOML table; None if it has faults, all of which are reported."""
    keys = keys_of(WagerHead)
    written = {key: value for key, value in entry.items() if key not in keys}
    terms = read(Terms, written, report, aside=keys, header="wager")
    head = read(WagerHead, {key: value for key, value in entry.items() if key in keys}, report, header="wager")
    if terms is None or head is None:
        return None
    paytables = {letter: build_paytable(letter, table, file=file) for letter, table in head.paytable.items()}
    return Wager(local_id, head.name, head.clause, document, terms, paytables, MappingProxyType(written), head.about)


def build_paytable(letter: str, terms: PaytableTerms, *, file: str = "", places: Data | None = None) -> Paytable:
    """Return a paytable from its table."""
    name = terms.name if terms.name is not None else f"paytable {letter}"
    return Paytable(letter, name, terms.clause, terms.decks, tuple(terms.lines.items()), file, places or {})
