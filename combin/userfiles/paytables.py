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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..base import budgets
from ..base.errors import Fault, InputError, fault, nearest, short
from ..base.textfiles import Block, decode, line_number, read_bytes
from ..base.toml_tables import Path as Keys
from ..base.toml_tables import ReportFault, TomlFile, WholeNumber, bet_and_line, empty, keys_of, placed, read
from ..deals.deal_kinds import parse as parse_deal
from ..games.registry import check_shoe, game_named
from ..rulebook.book import (
    RESERVED,
    Document,
    Paytable,
    PaytableTerms,
    Resolved,
    Rulebook,
    Wager,
    build_paytable,
    extended,
    shipped,
)
from ..rulebook.checks import check_game, check_numbers, check_wager
from ..rulebook.checks import check_options as known_options
from ..rulebook.model import StatedWaiver, WagerHead, read_wager
from ..rulebook.parameters import settings
from ..rulebook.pays import ENDS, parse_pay
from ..rulebook.terms import Terms, Unknown
from ..wagers import check_options, outcome_function
from ..wagers.condition_text import ConditionError
from ..wagers.conditions import check_part, parse
from ..wagers.vocabulary import WORDS
from ..wagers.wager_outcomes import is_stated, roles_of
from .lines import DECKS, line_faults, named_faults, other_readings, work
from .words import SHEETS, file_and_sheet, wager_and_path
from .written import PLAIN, Written

if TYPE_CHECKING:
    from ..games.model import Option

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class WagerTerms:
    """What a wager of a file may state besides its `WagerHead` and its `Terms`."""

    based_on: str | None = None
    decks: tuple[Annotated[int, WholeNumber(1, 8)], ...] | None = None
    waiver: tuple[StatedWaiver, ...] = ()


@dataclass(frozen=True)
class AddedTerms:
    """The terms that a wager which is based on another one may state."""

    unknown: Mapping[str, Unknown] = empty()
    options: Mapping[str, Any] = empty()


#: Terms of parts of a game that only wagers of documents may have.
_DOCUMENTS_KEYS = ("limits", "play_options", "dealt", "second_way")
#: The keys of a wager in a file of paytables.
WAGER_FILE_KEYS = (*keys_of(WagerTerms), *keys_of(WagerHead), *keys_of(Terms, but=_DOCUMENTS_KEYS))
_BASED_KEYS = ("based_on", "paytable", "waiver", "unknown")
_ELSEWHERE = tuple(key for key in WAGER_FILE_KEYS if key not in keys_of(WagerTerms))


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
    if file.lower().endswith(SHEETS):
        from .sheets import read_sheet

        table, notes = read_sheet(path, raw, wager, written, lambda name: _outcomes(book, name))
        return _PaytableReader(extended(book), table, sha256(raw).hexdigest(), notes, counted).read()
    if wager:
        raise fault("only a CSV or XLSX file is given as WAGER=FILE", "name the wager in the TOML file by based_on",
                    file=word)
    return add_text(book, decode(raw, path), path, counted=counted)


def add_text(book: Rulebook, text: str, path: str, *, counted: bool = True) -> tuple[Rulebook, list[str]]:
    """Return the rulebook with the paytables of a TOML text added, and their ids; faults name ``path``."""
    digest = sha256(text.encode()).hexdigest()
    return _PaytableReader(extended(book), TomlFile(path, text), digest, (), counted).read()


def add_data(data: Mapping[str, Any], name: str) -> tuple[Rulebook, list[str]]:
    """Return the shipped rulebook with the wagers of a file's data, and their ids; faults name ``name`` as the file."""
    digest = sha256(repr(data).encode()).hexdigest()
    return _PaytableReader(extended(shipped()), TomlFile(name, data=data), digest).read()


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
        self, book: Rulebook, file: TomlFile, digest: str, notes: Iterable[str] = (), is_counted: bool = True
    ) -> None:
        self.book, self.file, self.path, self.places, self.faults = book, file, file.path, file.places, file.faults
        self.digest, self.notes, self.is_counted = digest, tuple(notes), is_counted
        self.identifiers: list[str] = []

    def fault(self, what: str, remedy: str, place: str = "") -> None:
        self.faults.add(what, remedy, self.path, place)

    def read(self) -> tuple[Rulebook, list[str]]:
        """Return the rulebook with the wagers of the file, and the ids of its paytables."""
        data = self.file.data
        if "wager" not in data and not any(nearest(key[:80], ["wager"], otherwise="-") != "-" for key in data):
            # The content is not quoted: the file may be of quite another kind.
            raise fault("has no [[wager]] table", "begin with [[wager]] and based_on", file=self.path)
        for key in data:
            if key != "wager":
                remedy = nearest(key[:80], ["wager"], otherwise="write [[wager]] tables")
                self.fault(f'unknown key "{short(key, 80)}"', remedy, self.places.of("", (key,)))
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
        return self.file.checked((self.book, self.identifiers))

    def _entry(self, entry: Mapping[str, Any], block: Block) -> None:
        before, report = len(self.faults), self._report(block)
        is_based = "based_on" in entry
        aside = (*_ELSEWHERE, "decks") if is_based else _ELSEWHERE
        stated = read(WagerTerms, entry, report, aside=aside, partly=True, header="wager")
        assert stated is not None
        wager = self._based(entry, block) if is_based else self._user_defined(entry, stated, block, before)
        is_sound = len(self.faults) == before
        data = entry.get("paytable")
        tables = data if isinstance(data, dict) else {}
        paytables = {name: terms for name, table in tables.items()
                     if (terms := self._paytable(name, table, report)) is not None}
        if wager is None or not tables:
            if wager is not None and is_sound:  # otherwise a misspelt key may be the paytable
                self.fault("the wager has no paytable", "add a [wager.paytable.NAME] table", block.start)
            return
        new = self._added(wager, entry, block) if is_based else AddedTerms()
        waivers = self._waivers(stated.waiver, tables, block)
        added: dict[str, Paytable] = {}
        for name, terms in paytables.items():
            header = block.of("wager", ("paytable", name))
            if name in wager.paytables:
                self._taken(wager, name, header)
                continue
            places = {"": header} | {outcome: place for outcome in terms.lines
                                     if (place := block.of("wager", _path(name, tables[name], outcome)))}
            paytable = build_paytable(name, terms, file=self.path, places=places)
            paytable = _inherited(wager, paytable) if is_based else paytable
            added[name] = replace(
                paytable, options=new.options, unknowns=new.unknown, waivers=waivers[name],
                notes=(*self.notes, *dropped(wager, name, self.path)), stated=paytable.decks or stated.decks or (),
                bare_odds=next((self.places.bare[p] for p in places.values() if p in self.places.bare), ""),
            )
        wager = replace(wager, paytables={**wager.paytables, **added})
        self.book.with_paytables(wager)
        # A line with a faulty pay is left out, so that its name or an unknown in its pay is not a second fault.
        if is_based:
            check_game(replace(wager, paytables=added), report)
        elif len(self.faults) == before:
            check_wager(wager, report, declared=False)
        if len(self.faults) > before and wager.terms.round is not None:
            return
        for name in added:
            identifier = f"{wager.id}/{name}"
            self.identifiers.append(identifier)
            self._unknown_pays(self.book.resolve(identifier), report)
            try:
                faults = list(self._line_faults(identifier))
            except InputError as error:
                faults = [replace(f, place=added[name].places[""]) for f in error.faults]
            for f in faults:
                self.fault(f.what, self._with_map(f), f.place)
        if len(self.faults) == before and self.is_counted:
            self._note_other_readings(wager, added)

    def _with_map(self, original: Fault) -> str:
        """Return the remedy of a fault; for an unknown outcome of a client's sheet it names ``--map`` too."""
        if not original.outcome or not file_and_sheet(self.path)[0].lower().endswith(SHEETS):
            return original.remedy
        return f'{original.remedy}; --map "{original.outcome}=OUTCOME" says which one is meant'

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
        self.fault(f'{wager.id} has a paytable "{short(name, 80)}" already ({location})', remedy, place)

    def _based(self, entry: Mapping[str, Any], block: Block) -> Wager | None:
        """Return the wager of the rulebook that a wager of the file is based on; None if it is not known."""
        base = entry["based_on"]
        wager = self.book.wagers.get(base) if isinstance(base, str) else None
        if wager is None and isinstance(base, str):
            remedy = nearest(base[:80], self.book.wagers, otherwise="combin list shows the ids of wagers")
            self.fault(f'based_on does not name a wager: "{short(base, 80)}"', remedy, block.of("wager", ("based_on",)))
        if wager is None:
            return None
        stated = (*_BASED_KEYS, "options") if _option(wager) else _BASED_KEYS
        for key in entry:
            if key in WAGER_FILE_KEYS and key not in stated:
                self.fault(f'"{key}" cannot be changed in a wager that is based on another',
                           "leave it out, or define a wager with an id of its own", block.of("wager", (key,)))
        return wager

    def _added(self, wager: Wager, entry: Mapping[str, Any], block: Block) -> AddedTerms:
        """Return the unknowns that a wager adds to those of its document, and the options of its game."""
        report = self._report(block)
        option = _option(wager)
        stated = {key: entry[key] for key in keys_of(AddedTerms, but=() if option else ("options",)) if key in entry}
        added = read(AddedTerms, stated, report, partly=True, header="wager")
        assert added is not None
        for name in added.unknown:
            if name in wager.terms.unknown:
                report(f'{wager.id} has an unknown "{short(name, 80)}" already', "leave it out", ("unknown", name))
        if option is None or "options" not in entry:
            return added
        for key in added.options:
            if key != option.name:
                remedy = "choose it with --reading" if key in wager.terms.options else nearest(key[:80], [option.name])
                report(f'the option "{short(key, 80)}" cannot be set in a file', remedy, ("options", key))
        values = added.options.get(option.name, tuple(wager.terms.options[option.name]))
        is_sound = isinstance(values, tuple) and len(values) == option.count and all(
            type(n) is int and 1 <= n <= option.most for n in values)
        if not is_sound or (option.distinct and len(set(values)) < option.count):
            report(f"{option.name} is not {option.count} whole numbers from 1 to {option.most}",
                   f"give {option.meaning}", ("options", option.name))
        return replace(added, options={option.name: values})

    def _waivers(
        self, stated: Iterable[StatedWaiver], names: Iterable[str], block: Block
    ) -> Mapping[str, tuple[StatedWaiver, ...]]:
        """Return the waivers of a wager by paytable, each with its line."""
        waivers: dict[str, tuple[StatedWaiver, ...]] = dict.fromkeys(names, ())
        for number, waiver in enumerate(stated, 1):
            place = block.of("wager", (f"waiver #{number}",))
            if waiver.paytable is not None and waiver.paytable not in waivers:
                self.fault("the waiver names no paytable of this wager in this file",
                           nearest(waiver.paytable[:80], waivers), place)
            for name in waivers if waiver.paytable is None else {waiver.paytable} & waivers.keys():
                waivers[name] += (replace(waiver, line=line_number(place)),)
        return waivers

    def _unknown_pays(self, resolved: Resolved, report: ReportFault) -> None:
        """Report each pay that names a setting, or an unknown that neither the document nor the file declares."""
        for outcome, pay in resolved.lines:
            path = ("paytable", resolved.paytable.id, outcome)
            for name in dict.fromkeys(pay.unknowns):
                if name in settings(resolved):
                    report(f"{name} is a setting; a pay is an amount, or a share of a meter", "write the amount", path)
                elif name not in resolved.unknowns:
                    declare = f'write a number, or declare it: [wager.unknown.{name}] and text = "what it is"'
                    report(f'{resolved.wager_id} has no unknown "{short(name, 80)}"',
                           nearest(name, resolved.unknowns, otherwise=declare), path)

    def _user_defined(
        self, entry: Mapping[str, Any], stated: WagerTerms, block: Block, before: int
    ) -> Wager | None:
        """Return a user-defined wager; None if there are more faults than ``before``."""
        report = self._report(block)
        settled_by = "game" if "game" in entry else "beside" if "beside" in entry else "deal"
        for key in dict.fromkeys(("id", "name", settled_by, *entry.keys() & {"beside"})):
            if not isinstance(entry.get(key), str):
                if key in entry:
                    report(f'"{key}" is not a text', "put it in quotes", (key,))
                else:
                    report(f'the wager has no "{key}"', "give based_on, or id, name, deal and a table [wager.outcome], "
                           "or id, name and game", (key,))
        is_described = isinstance(entry.get("round"), dict) or "beside" in entry
        if "game" not in entry and not entry.get("outcome") and not entry.get("outcomes"):
            report("the wager has no [wager.outcome]", "write the table, with a condition for each outcome",
                   ("outcome",))
        for key in ("outcomes", "suits", "game"):
            if "outcome" in entry and key in entry and not (key == "game" and is_described):
                report(f'"{key}" is not needed with conditions', f"leave out {key}", (key,))
        decks = stated.decks if stated.decks is not None else (1,) if is_described else DECKS
        if not decks:
            report("decks names no number", "write decks = [6, 8]", ("decks",))
        if len(self.faults) > before:
            return None
        identifier = entry["id"]
        parts = identifier.split("/")
        is_formed = len(parts) == 3 and all(_ID.fullmatch(p) for p in parts)
        if not is_formed or identifier in self.book.wagers:
            what = "taken" if is_formed else "not of the form jurisdiction/game/wager"
            report(f'the id "{short(identifier, 80)}" is {what}',
                   "write another id" if is_formed else "write three parts in lower case with hyphens", ("id",))
            return None
        name = Path(self.path).name
        document = Document(name, name, "", "", "/".join(parts[:2]), self.digest, decks, (min(decks), max(decks)),
                            self.digest, game=parts[1])
        written = {key: value for key, value in entry.items() if key in _ELSEWHERE and key != "paytable"}
        wager = read_wager(parts[2], written, document, report, file=self.path)
        if wager is None:
            return None
        terms = wager.terms
        check_numbers(terms, report)
        if not self._is_sound(("game",), lambda: check_shoe(terms), report):
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
        all(self._is_sound((key,), check, report) for key, check in checks)
        return wager if len(self.faults) == before else None

    @staticmethod
    def _is_sound(path: Keys, check: Callable[[], object], report: ReportFault) -> bool:
        """Return whether a check passes; its faults are reported at the key that they name, or at ``path``."""
        try:
            check()
        except InputError as error:
            for f in error.faults:
                report(f.what, f.remedy, (f.place,) if f.place in WAGER_FILE_KEYS else path)
            return False
        return True

    def _conditions(self, terms: Terms, block: Block) -> None:
        """Report the faults of a deal and of each condition on it."""
        report = self._report(block)
        try:
            roles = roles_of(terms.deal)
        except InputError as error:
            for f in error.faults:
                report(f.what, f.remedy, ("deal",))
            return
        for name in terms.shared:
            if name not in roles:
                report(f'no role is called "{short(name, 80)}"', nearest(name[:80], roles), ("shared",))
        if len(terms.outcome) > budgets.LINES:
            report(f"more than {budgets.LINES} conditions", "leave some out", ("outcome",))
            return
        for name, text in terms.where.items():
            if not name.isidentifier() or name in WORDS or name.replace("_", " ") in (*roles, "cards"):
                report(f'"{short(name, 80)}" cannot name a part of conditions',
                       "use letters and _, and not a word of conditions", ("where", name))
            self._condition(("where", name), partial(check_part, text, roles, terms.options), block)
        for outcome, text in terms.outcome.items():
            if outcome in (*RESERVED, *ENDS):
                report(f'"{outcome}" is a reserved word of paytables', "give the outcome another name",
                       ("outcome", outcome))
            self._condition(("outcome", outcome), partial(parse, text, roles, terms.options, terms.where), block)

    def _condition(self, path: Keys, check: Callable[[], object], block: Block) -> None:
        """Report the fault of a condition at its column."""
        try:
            check()
        except ConditionError as error:
            (f,) = error.faults
            place = self.places.within(block.of("wager", path), error.offset)
            self.fault(f'"{short(path[-1], 80)}": {f.what}', f.remedy, place)

    def _report(self, block: Block) -> ReportFault:
        """Return a function that reports the faults of one wager, each at its line; those of pays name the outcome."""

        def report(what: str, remedy: str, path: Keys) -> None:
            line = block.of("wager", path)
            if path[:1] == ("paytable",):
                where = f'"{short(": ".join(path[2:]), 80)}": ' if len(path) > 2 else ""
                self.fault(where + what, remedy, line)
            else:
                self.fault(what, remedy, placed(line, path))

        return report

    def _paytable(self, name: str, data: Any, report: ReportFault) -> PaytableTerms | None:
        """Return a paytable without the lines whose pays are faulty; None if it has other faults."""
        before, path = len(self.faults), ("paytable", name)
        if not _ID.fullmatch(name) and not re.fullmatch(r"[A-Z]", name):
            report(f'"{short(name, 80)}" is not a paytable id', "use lower case letters, digits and hyphens", path)
            return None
        terms = read(PaytableTerms, data, report, path=path, partly=True)
        if terms is None:
            return None
        pays = {}
        for outcome, pay in terms.lines.items():
            if outcome in ENDS:
                report("is a reserved word for what no line pays", "give the line another name", (*path, outcome))
            if self._is_sound(_path(name, data, outcome), partial(parse_pay, pay, outcome), report):
                pays[outcome] = pay
        if not 0 < len(pays) <= budgets.LINES and (pays or len(self.faults) == before):
            what = f"has more than {budgets.LINES} lines" if pays else "pays nothing"
            report(f'paytable "{short(name, 80)}" {what}', 'write lines such as "any 20" = "4 to 1"', path)
            return None
        return replace(terms, lines=pays)


def _path(paytable: str, table: Mapping[str, Any], outcome: str) -> Keys:
    """Return the keys of a line; "ante: tie" is the line "tie" of the table of the ante."""
    bet, line = bet_and_line(outcome)
    return ("paytable", paytable, outcome) if outcome in table or line is None else ("paytable", paytable, bet, line)


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
