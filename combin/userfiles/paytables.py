"""Reader of files of paytables: wagers are added to a rulebook, and one `InputError` has every fault of a file.

    [[wager]]
    based_on = "maryland/high-card-flush/flush-bonus"
    [wager.paytable.house-1]
    "seven-card flush" = "300 to 1"

`based_on` takes everything but the pays from a document's wager. A user-defined wager has an `id` (three parts),
`name`, `deal`, and either a table `outcome` of conditions or the name of a registered function in `outcomes`. A CSV
file or an XLSX sheet has the columns outcome and pays; its columns wager and paytable may be omitted if the word that
names it gives the wager ("maryland/high-card-flush/flush-bonus=house.csv").

A wager based on a base game may have other raises: `options = { raises = [4, 2, 1] }` (Chase the Flush,
in the order hole cards, flop, river), `options = { raise_limit = [1, 1, 1, 2, 3, 3] }` (High Card Flush,
by a flush of two to seven cards).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import budgets
from ..base.errors import Fault, InputError, fault, nearest
from ..base.textfiles import Block, Faults, KeyLines, TomlNumber, decode, line_number, parse_toml, read_bytes
from ..base.toml_tables import ReportFault, bet_and_line, by_bet, keys_of, read
from ..deals.deal_kinds import parse as parse_deal
from ..games.registry import check_shoe, game_named
from ..rulebook.book import (
    RESERVED,
    Document,
    Paytable,
    Resolved,
    Rulebook,
    Wager,
    build_paytable,
    extended,
    shipped,
)
from ..rulebook.checks import check_game, check_numbers, check_wager
from ..rulebook.checks import check_options as known_options
from ..rulebook.model import WAGER_KEYS, read_wager
from ..rulebook.parameters import settings
from ..rulebook.pays import ENDS, parse_pay
from ..rulebook.terms import Terms, Unknown
from ..wagers import check_options, outcome_function
from ..wagers.conditions import ConditionError, check_part, parse
from ..wagers.vocabulary import WORDS
from ..wagers.wager_outcomes import is_stated, roles_of
from .lines import DECKS, line_faults, named_faults, other_readings, work
from .waivers import read_waivers
from .words import SHEETS, file_and_sheet, wager_and_path
from .written import PLAIN, Written

if TYPE_CHECKING:
    from ..games.model import Option

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_BASED_KEYS = ("based_on", "paytable", "waiver")
#: Terms of parts of a game that only wagers of documents may have.
_DOCUMENTS_KEYS = ("limits", "play_options", "dealt", "second_way")
_OWN_KEYS = (*WAGER_KEYS, *keys_of(Terms, but=_DOCUMENTS_KEYS), "decks")
#: The keys of a wager in a file of paytables.
WAGER_FILE_KEYS = tuple(dict.fromkeys((*_BASED_KEYS, *_OWN_KEYS)))


def add_file(
    book: Rulebook, word: str, written: Written = PLAIN, *, counted: bool = True
) -> tuple[Rulebook, list[str]]:
    """Return the rulebook with the paytables of a file added, and their ids; one `InputError` has every fault.

    ``written`` is the layout of a CSV file or a sheet. Unless ``counted``, no deal is counted, and faults that need a
    count are not reported.
    """
    wager, path = wager_and_path(word)
    file, _ = file_and_sheet(path)
    raw = read_bytes(file)
    notes: list[str] = []
    if file.lower().endswith(SHEETS):
        from .sheets import read_sheet

        data, places, faults, notes = read_sheet(path, raw, wager, written, lambda name: _outcomes(book, name))
    elif wager:
        raise fault("only a CSV or XLSX file is given as WAGER=FILE", "name the wager in the TOML file by based_on",
                    file=word)
    else:
        return add_text(book, decode(raw, path), path, counted=counted)
    reader = _PaytableReader(extended(book), path, places, sha256(raw).hexdigest(), faults, notes, counted)
    return reader.read(data), reader.identifiers


def add_text(book: Rulebook, text: str, path: str, *, counted: bool = True) -> tuple[Rulebook, list[str]]:
    """Return the rulebook with the paytables of a TOML text added, and their ids; faults name ``path``."""
    digest = sha256(text.encode()).hexdigest()
    reader = _PaytableReader(extended(book), path, KeyLines(text), digest, Faults(), [], counted)
    return reader.read(parse_toml(text, path)), reader.identifiers


def add_data(data: Mapping[str, Any], name: str) -> tuple[Rulebook, list[str]]:
    """Return the shipped rulebook with the wagers of a file's data, and their ids; faults name ``name`` as the file."""
    digest = sha256(repr(data).encode()).hexdigest()
    reader = _PaytableReader(extended(shipped()), name, KeyLines(""), digest, Faults(), [], True)
    return reader.read(data), reader.identifiers


def _outcomes(book: Rulebook, wager_id: str) -> list[str]:
    """Return the outcomes of a wager of the rulebook: those of its conditions and its paytables."""
    wager = book.wagers.get(wager_id)
    if wager is None:
        return []
    paid = (outcome for paytable in wager.paytables.values() for outcome, _ in paytable.lines)
    return list(dict.fromkeys([*wager.terms.outcome, *(outcome for outcome in paid if outcome not in RESERVED)]))


class _PaytableReader:
    """Reader of one file of paytables: it adds wagers to a copy of a rulebook and collects faults."""

    def __init__(
        self, book: Rulebook, path: str, places: KeyLines, digest: str, faults: Faults, notes: Sequence[str],
        is_counted: bool,
    ) -> None:
        self.is_counted = is_counted
        self.book, self.path, self.places, self.digest = book, path, places, digest
        self.faults, self.notes = faults, tuple(notes)
        self.identifiers: list[str] = []

    def fault(self, what: str, remedy: str, place: str = "") -> None:
        self.faults.add(what, remedy, self.path, place)

    def read(self, data: Mapping[str, Any]) -> Rulebook:
        if "wager" not in data and not any(nearest(key[:80], ["wager"], otherwise="-") != "-" for key in data):
            # The content is not quoted: the file may be of quite another kind.
            raise fault("has no [[wager]] table", "begin with [[wager]] and based_on", file=self.path)
        for key in data:
            if key != "wager":
                place = self.places.find(("", key), (key,))
                self.fault(
                    f'unknown key "{_short(key)}"',
                    nearest(key[:80], ["wager"], otherwise="write [[wager]] tables"),
                    place,
                )
        entries = data.get("wager", [])
        if not isinstance(entries, list) or not entries or not all(isinstance(e, dict) for e in entries):
            self.fault("has no [[wager]] table", "begin with [[wager]] and based_on")
            raise InputError(*self.faults)
        tables = [table for e in entries for table in [e.get("paytable")] if isinstance(table, dict)]
        if len(entries) > budgets.PAYTABLES or sum(map(len, tables)) > budgets.PAYTABLES:
            raise fault(f"has more than {budgets.PAYTABLES:,} paytables", "spread them over several files",
                        file=self.path)
        for index, entry in enumerate(entries):
            self._entry(entry, self.places.block("wager", index))
        if self.faults:
            raise InputError(*sorted(self.faults, key=lambda f: line_number(f.place) or 0))
        return self.book

    def _entry(self, entry: Mapping[str, Any], block: Block) -> None:
        before = len(self.faults)
        wager, paytables = self._wager(entry, block), entry.get("paytable")
        if wager is None:
            for name, table in paytables.items() if isinstance(paytables, dict) else ():
                self._paytable(name, table, block)  # the faults of its lines are reported as well
            return
        if not isinstance(paytables, dict) or not paytables:
            self.fault("the wager has no paytable", "add a [wager.paytable.NAME] table", block.place())
            return
        added: dict[str, Paytable] = {}
        sound = len(self.faults)
        options = self._game_options(wager, entry.get("options"), block) if "based_on" in entry else {}
        unknowns = self._unknowns(wager, entry.get("unknown", {}), block) if "based_on" in entry else {}
        waivers = read_waivers(entry.get("waiver", []), [*paytables], block, self.fault)
        for name, table in paytables.items():
            header = (f"wager.paytable.{name}",)
            if name in wager.paytables:
                self._taken(wager, name, block.place(header))
                continue
            paytable = self._paytable(name, table, block)
            if paytable is not None:
                paytable = _inherited(wager, paytable) if "based_on" in entry else paytable
                notes = (*self.notes, *dropped(wager, name, self.path))
                stated = paytable.decks or tuple(entry.get("decks", ()) if "based_on" not in entry else ())
                bare = next((self.places.bare[p] for p in paytable.places.values() if p in self.places.bare), "")
                added[name] = replace(paytable, options=options, unknowns=unknowns, notes=notes, stated=stated,
                                      waivers=tuple(waivers[name]), bare_odds=bare)  # fmt: skip
        wager = replace(wager, paytables={**wager.paytables, **added})
        self.book.with_paytables(wager)
        # A line with a faulty pay is left out, so that its name or an unknown in its pay is not a second fault.
        if "based_on" not in entry and len(self.faults) == sound:
            check_wager(wager, self._report(block), declared=False)
        elif "based_on" in entry:
            check_game(replace(wager, paytables=added), self._report(block))
        if len(self.faults) > before and wager.terms.round is not None:
            return
        for name in added:
            identifier = f"{wager.id}/{name}"
            self.identifiers.append(identifier)
            self._unknown_pays(self.book.resolve(identifier), block)
            try:
                faults = list(self._line_faults(identifier))
            except InputError as error:
                faults = [
                    Fault(f.what, f.remedy, self.path, block.place((f"wager.paytable.{name}",))) for f in error.faults
                ]
            for f in faults:
                self.fault(f.what, self._with_map(f), f.place)
        if len(self.faults) == before and self.is_counted:
            self._note_other_readings(wager, added)

    def _with_map(self, original: Fault) -> str:
        """Return the remedy of a fault; for an unknown outcome of a client's sheet it names ``--map`` too."""
        name = re.search(r'has no outcome "(.*)"$', original.what)
        if name is None or not file_and_sheet(self.path)[0].lower().endswith(SHEETS):
            return original.remedy
        return f'{original.remedy}; --map "{name[1]}=OUTCOME" says which one is meant'

    def _line_faults(self, identifier: str) -> Iterable[Fault]:
        """Return the faults of the lines; raises `InputError` if counting them would exceed the budget of a command."""
        if not self.is_counted:
            return named_faults(self.book, identifier)
        self.book.work |= work(self.book, identifier)
        total = sum(self.book.work.values())
        if total > budgets.WORK:
            self.book.work = {}  # the following wagers are not reported again
            what = f"counting it takes {total:,} steps with the wagers before it, more than {budgets.WORK:,}"
            raise fault(what, "deal fewer cards, ask less of them (named suits cost most), or give fewer files")
        return line_faults(self.book, identifier)

    def _note_other_readings(self, wager: Wager, added: Mapping[str, Paytable]) -> None:
        """Add a note for each line that loses deals to a smaller pay above it only under another reading."""
        known = {}
        for name, paytable in added.items():
            notes = [
                f"{self.path}: {f.place}: under {reading}={choice} {f.what}"
                for reading, choice, faults in other_readings(self.book, f"{wager.id}/{name}")
                for f in faults
            ]
            known[name] = replace(paytable, notes=(*paytable.notes, *notes))
        self.book.with_paytables(replace(wager, paytables={**wager.paytables, **known}))

    def _taken(self, wager: Wager, name: str, place: str) -> None:
        """Report a second paytable with the same id, with the place of the first."""
        first = wager.paytables[name]
        if not first.file:
            self.fault(f'{wager.id} has a paytable "{name}" already', "choose another name", place)
            return
        line = first.places.get("", "")
        location = ", ".join(p for p in (first.file, line) if p)
        if first.file != self.path:
            remedy = "choose another name, check each file separately, or compare them with report --compare"
        else:
            remedy = "give the file once" if line == place else "choose another name"
        self.fault(f'{wager.id} has a paytable "{_short(name)}" already ({location})', remedy, place)

    def _wager(self, entry: Mapping[str, Any], block: Block) -> Wager | None:
        before = len(self.faults)
        for key in entry:
            if key not in WAGER_FILE_KEYS:
                self.fault(
                    f'unknown key "{_short(key)}" in a wager',
                    nearest(key[:80], WAGER_FILE_KEYS),
                    block.place(("wager", key), (f"wager.{key}",)),
                )
        base = entry.get("based_on")
        if base is None:
            return self._own_wager(entry, block, before)
        if not isinstance(base, str) or base not in self.book.wagers:
            remedy = (
                nearest(base[:80], self.book.wagers, otherwise="combin list shows the ids of wagers")
                if isinstance(base, str)
                else "write the id of a wager in quotes"
            )
            shown = f'"{_short(base)}"' if isinstance(base, str) else _short(repr(base))
            self.fault(f"based_on does not name a wager: {shown}", remedy, block.place(("wager", "based_on")))
            return None
        for key in entry:
            if key == "unknown" or (key == "options" and _option(self.book.wagers[base]) is not None):
                continue
            if key in WAGER_FILE_KEYS and key not in _BASED_KEYS:
                self.fault(
                    f'"{key}" cannot be changed in a wager that is based on another',
                    "leave it out, or define a wager with an id of its own",
                    block.place(("wager", key)),
                )
        return self.book.wagers[base] if len(self.faults) == before else None

    def _unknowns(self, wager: Wager, table: Any, block: Block) -> Mapping[str, Unknown]:
        """Return the unknowns that a wager based on one of a document declares in addition."""
        place = block.place(("wager", "unknown"), ("wager.unknown",))
        if not isinstance(table, dict):
            self.fault("unknown is not a table", 'write [wager.unknown.NAME] and text = "what it is"', place)
            return {}
        unknowns = {}
        for name, entry in table.items():
            if name in wager.terms.unknown:
                location = block.place((f"wager.unknown.{name}",))
                self.fault(f'{wager.id} has an unknown "{_short(name)}" already', "leave it out", location)
            unknown = read(Unknown, entry, self._report(block), path=("unknown", name))
            if unknown is not None:
                unknowns[name] = unknown
        return unknowns

    def _unknown_pays(self, resolved: Resolved, block: Block) -> None:
        """Report each pay that names a setting, or an unknown that neither the document nor the file declares."""
        header = f"wager.paytable.{resolved.paytable.id}"
        for outcome, pay in resolved.lines:
            for name in dict.fromkeys(pay.unknowns):
                place = block.place((header, outcome), (header,))
                if name in settings(resolved):
                    what = f'"{outcome}": {name} is a setting; a pay is an amount, or a share of a meter'
                    self.fault(what, "write the amount", place)
                elif name not in resolved.unknowns:
                    declare = f'declare it: [wager.unknown.{name}] and text = "what it is"'
                    known = nearest(name, resolved.unknowns, otherwise=f"write a number, or {declare}")
                    what = f'"{outcome}": {resolved.wager_id} has no unknown "{_short(name)}"'
                    self.fault(what, known or f"write a number, or {declare}", place)

    def _game_options(self, wager: Wager, options: Any, block: Block) -> Mapping[str, Any]:
        """Return the raise multiples or limits of a game that is based on one of a document."""
        if options is None:
            return {}
        place = block.place(("wager", "options"), ("wager.options",))
        option = _option(wager)
        assert option is not None
        name, count, most, meaning = option.name, option.count, option.most, option.meaning
        if not isinstance(options, dict):
            self.fault("options is not a table", f"write options = {{ {name} = … }}: {meaning}", place)
            return {}
        for key in options:
            if key != name:
                location = block.find(("wager.options", key)) or place
                reading = key in wager.terms.options
                remedy = "choose it with --reading" if reading else nearest(key[:80], [name])
                self.fault(f'the option "{_short(key)}" cannot be set in a file', remedy, location)
        values = options.get(name, list(wager.terms.options[name]))
        sound = isinstance(values, list) and len(values) == count and all(
            type(n) is int and 1 <= n <= most for n in values
        )
        if not sound or (option.distinct and len(set(values)) < count):
            location = block.find(("wager.options", name)) or place
            self.fault(f"{name} is not {count} whole numbers from 1 to {most}", f"give {meaning}", location)
            return {}
        return {name: tuple(values)}

    def _own_wager(self, entry: Mapping[str, Any], block: Block, before: int) -> Wager | None:
        if not isinstance(entry.get("beside", ""), str):
            self.fault('"beside" is not the id of a game', "write the id of a game with a round in quotes",
                       block.of("wager", ("beside",)))
            return None
        settled_by = ("game",) if "game" in entry else ("beside",) if "beside" in entry else ("deal",)
        for key in ("id", "name", *settled_by):
            if not isinstance(entry.get(key), str):
                self.fault(
                    f'the wager has no "{key}"',
                    "give based_on, or id, name, deal and a table [wager.outcome], or id, name and game",
                    block.place(("wager", key)),
                )
        described = isinstance(entry.get("round"), dict) or "beside" in entry
        if "game" not in entry and not entry.get("outcome") and not entry.get("outcomes"):
            self.fault("the wager has no [wager.outcome]", "write the table, with a condition for each outcome",
                       block.place(("wager.outcome",), ("wager", "outcome")))
        for key in ("outcomes", "suits", "game"):
            if "outcome" in entry and key in entry and not (key == "game" and described):
                self.fault(f'"{key}" is not needed with conditions', f"leave out {key}",
                           block.place(("wager", key)))
        decks = entry.get("decks", [1] if described else list(DECKS))
        if not decks or not _are_decks(decks):
            self.fault(
                "decks is not a list of numbers from 1 to 8", "write decks = [6, 8]", block.place(("wager", "decks"))
            )
        if len(self.faults) > before:
            return None
        identifier = entry["id"]
        parts = identifier.split("/")
        formed = len(parts) == 3 and all(_ID.fullmatch(p) for p in parts)
        if not formed or identifier in self.book.wagers:
            self.fault(
                f'the id "{_short(identifier)}" is {"taken" if formed else "not of the form jurisdiction/game/wager"}',
                "write another id" if formed else "write three parts in lower case with hyphens",
                block.place(("wager", "id")))
            return None
        document = Document(
            Path(self.path).name,
            Path(self.path).name,
            "",
            "",
            "/".join(parts[:2]),
            self.digest,
            tuple(decks),
            (min(decks), max(decks)),
            self.digest,
        )
        stated = {key: value for key, value in entry.items() if key not in ("paytable", "decks", "waiver")}
        wager = read_wager(parts[2], stated, document, self._report(block), file=self.path)
        if wager is None:
            return None
        check_numbers(wager.terms, self._report(block))
        terms = wager.terms
        try:
            check_shoe(terms)
        except InputError as error:
            for f in error.faults:
                self.fault(f.what, f.remedy, block.of("wager", (f.place or "game",)))
            return None
        if is_stated(terms):
            self._conditions(terms, block)
            return wager if len(self.faults) == before else None
        checks: tuple[tuple[str, Callable[[], object]], ...] = (
            ("deal", lambda: parse_deal(terms.deal, terms.suits, terms.deal_options)),
            ("outcomes", lambda: outcome_function(terms.outcomes)),
            ("options", lambda: check_options(terms.outcomes, terms.options)),
        )
        if terms.game:
            checks = (
                ("game", lambda: game_named(terms.game)),
                ("options", lambda: known_options(
                    f'the game "{terms.game}"', terms.options, game_named(terms.game).takes
                )),
            )
        for key, check in checks:
            try:
                check()
            except InputError as error:
                for f in error.faults:
                    self.fault(f.what, f.remedy, block.of("wager", (key,)))
                break
        return wager if len(self.faults) == before else None

    def _conditions(self, terms: Terms, block: Block) -> None:
        """Report the faults of a deal and of each condition on it."""
        try:
            roles = roles_of(terms.deal)
        except InputError as error:
            for f in error.faults:
                self.fault(f.what, f.remedy, block.place(("wager", "deal")))
            return
        for name in terms.shared:
            if name not in roles:
                place = block.place(("wager", "shared"))
                self.fault(f'shared: no role is called "{_short(name)}"', nearest(name[:80], roles), place)
        if len(terms.outcome) > budgets.LINES:
            self.fault(f"more than {budgets.LINES} conditions", "leave some out", block.place(("wager.outcome",)))
            return
        for name, text in terms.where.items():
            place = block.find(("wager.where", name)) or block.of("wager", ("where", name))
            if not name.isidentifier() or name in WORDS or name.replace("_", " ") in (*roles, "cards"):
                what = f'"{_short(name)}" cannot name a part of conditions'
                self.fault(what, "use letters and _, and not a word of conditions", place)
            try:
                check_part(text, roles, terms.options)
            except ConditionError as error:
                (f,) = error.faults
                self.fault(f'"{_short(name)}": {f.what}', f.remedy, self.places.within(place, error.offset))
        for outcome, text in terms.outcome.items():
            place = block.find(("wager.outcome", outcome)) or block.of("wager", ("outcome", outcome))
            if outcome in (*RESERVED, *ENDS):
                self.fault(f'"{outcome}" is a reserved word of paytables', "give the outcome another name", place)
            try:
                parse(text, roles, terms.options, terms.where)
            except ConditionError as error:
                (f,) = error.faults
                self.fault(f'"{_short(outcome)}": {f.what}', f.remedy, self.places.within(place, error.offset))

    def _report(self, block: Block) -> ReportFault:
        """Report the faults of the terms of one wager, each at its line."""

        def report(what: str, remedy: str, path: Sequence[str]) -> None:
            where = f"{_short('.'.join(path[:-1]))}: " if len(path) > 1 else ""
            self.fault(f"{where}{what}", remedy, block.of("wager", tuple(path)))

        return report

    def _paytable(self, name: str, table: Any, block: Block) -> Paytable | None:
        header = f"wager.paytable.{name}"
        place = block.place((header,))
        before = len(self.faults)
        if not isinstance(table, dict):
            self.fault(
                f'paytable "{_short(name)}" is not a table',
                "write [wager.paytable.NAME] and a line for each outcome",
                place,
            )
            return None
        if not _ID.fullmatch(name) and not re.fullmatch(r"[A-Z]", name):
            self.fault(f'"{_short(name)}" is not a paytable id', "use lower case letters, digits and hyphens", place)
        table = by_bet(table)
        outcomes = {k: v for k, v in table.items() if k not in RESERVED}
        if not 0 < len(outcomes) <= budgets.LINES:
            what = f"has more than {budgets.LINES} lines" if outcomes else "pays nothing"
            self.fault(f'paytable "{_short(name)}" {what}', 'write lines such as "any 20" = "4 to 1"', place)
            return None
        lines = _places_of_lines(outcomes, header, block)
        bad = False
        for outcome, pay in outcomes.items():
            if outcome in ENDS:
                location, remedy = lines.get(outcome, place), "give the line another name"
                self.fault(f'"{outcome}" is a reserved word for what no line pays', remedy, location)
            try:
                parse_pay(pay, outcome) if type(pay) is str else _not_text(pay)
            except InputError as error:
                bad = True
                for f in error.faults:
                    location = lines.get(outcome, place)
                    self.fault(f'"{_short(outcome)}": {f.what}', f.remedy, location)
        decks = table.get("decks", [])
        if not _are_decks(decks):
            self.fault(
                f'decks of paytable "{name}" is not a list of numbers from 1 to 8',
                "write decks = [6, 8]",
                block.place((header, "decks"), (header,)),
            )
            return None
        for key in ("name", "clause"):
            if type(table.get(key, "")) is not str:
                self.fault(
                    f'{key} of paytable "{name}" is not a text', "put it in quotes",
                    block.place((header, key), (header,)),
                )
                return None
        places = {"": place, **{outcome: lines[outcome] for outcome in outcomes if outcome in lines}}
        if len(self.faults) > before and not bad:
            return None
        # Lines with a bad pay are left out here; the outcomes of the other lines are checked.
        kept = {k: v for k, v in table.items() if k in RESERVED or (type(v) is str and _is_pay(v, k))}
        return build_paytable(name, kept, file=self.path, places=places)


def _places_of_lines(outcomes: Iterable[str], header: str, block: Block) -> dict[str, str]:
    """Return the place of each line of a paytable; "ante: tie" is the line "tie" of the table of the ante."""
    places = {}
    for outcome in outcomes:
        bet, line = bet_and_line(outcome)
        place = block.find((header, outcome)) or (block.of(header, (bet, line)) if line is not None else "")
        if place:
            places[outcome] = place
    return places


def _inherited(wager: Wager, paytable: Paytable) -> Paytable:
    """Return a paytable of a described game with the bets that it omits, taken from the wager's first paytable."""
    if wager.terms.round is None or not wager.paytables:
        return paytable
    given = {bet_and_line(outcome)[0] for outcome, _ in paytable.lines}
    first = next(iter(wager.paytables.values()))
    more = tuple(line for line in first.lines if bet_and_line(line[0])[0] not in given)
    return replace(paytable, lines=(*paytable.lines, *more), places={**first.places, **paytable.places})


def _option(wager: Wager) -> Option | None:
    """Return the option of the wager's game that a file may set; None if there is none."""
    options = game_named(wager.terms.game).options if wager.terms.game else ()
    return options[0] if options else None


#: Terms that only some paytables of a document have, and how the others are said to have them.
_BY_LETTER = {"envy": ("envy bonus", "one"), "extra": ("pays for extra draws", "some"), "wheel": ("wheel", "one")}


def dropped(wager: Wager, name: str, file: str) -> tuple[str, ...]:
    """Return a note for each addition of the document's paytables that a paytable of a user's file does not have."""
    notes = []
    for key, (addition, some) in _BY_LETTER.items():
        letters = list(getattr(wager.terms, key))
        if letters and name not in letters:
            *others, last = letters
            has = f"paytables {', '.join(others)} and {last} of this wager have" if others else (
                f"paytable {last} of this wager has")
            notes.append(f"{file}: {wager.id}/{name} has no {addition}; {has} {some}")
    return tuple(notes)


def _are_decks(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and 1 <= n <= 8 for n in value)


def _is_pay(pay: str, outcome: str) -> bool:
    try:
        parse_pay(pay, outcome)
    except InputError:
        return False
    return True


def _not_text(pay: object) -> None:
    raise fault(
        f"the pay {_short(str(pay) if isinstance(pay, TomlNumber) else repr(pay))} is not a text",
        'put it in quotes: "300 to 1"',
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
