"""Paytables from CSV files and XLSX sheets: rows of outcome and pays as the data of a paytable file.

A row names the columns: outcome (or hand) and pays (or payout), optionally wager and
paytable. Rows above it are titles. `Written` may instead name columns by letter; it also
says whether bare odds (``250-1``, ``75:1``, ``10/1``, ``3``) are "to" or "for". Rows without a
paytable's name belong to the paytable named after the file. It is named after the sheet
if several sheets hold pays, or if a sheet is named: FILE.xlsx#Sheet.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base import budgets
from ..base.distribution import missing
from ..base.errors import InputError, fault, nearest
from ..base.safe_text import hidden_in
from ..base.textfiles import Block, Faults, Key, KeyLines, decode, read_bytes
from ..base.toml_tables import TomlFile
from .words import file_and_sheet
from .written import COLUMNS, MOST_TITLES, PLAIN, Written, folded, head, is_pay

_REMEDY = "name the columns outcome and pays in a row, or give --columns outcome=A,pays=B"


@dataclass
class SheetRow:
    """A row of a sheet: its place, and its cells as text."""

    place: str
    number: int
    cells: list[str]


@dataclass
class Sheet:
    name: str
    rows: list[SheetRow] = field(default_factory=list)
    is_hidden: bool = False


class Formatted(str):
    """The text of a cell that a spreadsheet shows differently, with the cell's number format."""

    number_format: str


def sheets_of(path: str, raw: bytes) -> tuple[list[Sheet], list[str]]:
    """Return the sheets of a file that have rows, and notes; raises `InputError` if it cannot be read."""
    file, name = file_and_sheet(path)
    if file.lower().endswith(".csv"):
        notes: list[str] = []
        sheets = [Sheet("", list(_csv_rows(decode(raw, path), path)))]
    else:
        sheets, notes = _workbook(raw, path, name)
    for sheet in sheets:
        for row in sheet.rows:
            if sign := hidden_in("".join(row.cells)):
                raise fault(f"holds an invisible character, {sign}", "leave it out", file=path, place=row.place)
    return [s for s in sheets if s.rows], notes


def sheet_names(path: str) -> list[str]:
    """Return the names of a workbook's sheets that have rows; raises `InputError` if it cannot be read."""
    return [sheet.name for sheet in sheets_of(path, read_bytes(path))[0]]


def holds_pays(path: str, raw: bytes) -> bool:
    """Whether a sheet of the file has the columns outcome and pays, in whatever encoding of a CSV file.

    Raises `InputError` for a workbook that cannot be read.
    """
    if path.lower().endswith(".csv"):
        # Plain text in UTF-16 or UTF-32 without zeros and byte order mark is the same text in UTF-8.
        text = raw.decode("utf-8-sig", "replace").replace("\0", "").lstrip("\ufffd")
        lines = [line for line in text.splitlines() if line.strip()][:MOST_TITLES]
        return any(head([c.strip().strip('"') for c in line.split(mark)]) for line in lines for mark in ",;\t")
    return any(_laid_out(s, PLAIN) is not None for s in sheets_of(path, raw)[0])


def read_sheet(
    path: str, raw: bytes, wager: str, written: Written = PLAIN, known: Callable[[str], Iterable[str]] = lambda _: ()
) -> tuple[TomlFile, list[str]]:
    """Return the wagers of a sheet as a paytable file, with the places of its rows and their faults, and notes.

    ``wager`` is the one named with the path. ``known`` returns the outcomes of a wager: a client may write them with
    other capitals and spaces, or by the names of ``written``. Raises `InputError` if no row can be read.
    """
    file, name = file_and_sheet(path)
    sheets, notes = sheets_of(path, raw)
    if not sheets:
        raise fault("is empty", "write the columns outcome and pays", file=path)
    paytable_rows = _PaytableRows(path, wager, written, notes, known)
    laid_out = [(s, _laid_out(s, written)) for s in sheets]
    with_pays = [(s, *layout) for s, layout in laid_out if layout is not None]
    if not with_pays:
        # The content is not quoted: the file may not be a table at all.
        raise fault("has no columns outcome and pays", _REMEDY, file=path, place=sheets[0].rows[0].place)
    hidden = [s.name for s, _, _ in with_pays if s.is_hidden and s.name != name]
    if hidden:
        remedy = f"show the sheet, delete it, or name it: {file}#{hidden[0]}"
        raise fault("the hidden sheet has the columns outcome and pays", remedy, file=path,
                    place=f'sheet "{hidden[0]}"')
    by_sheet = bool(name) or len(with_pays) > 1
    for sheet, columns, rows in with_pays:
        paytable_rows.add(columns, rows, identifier(sheet.name if by_sheet else Path(file).stem))
    notes += [
        f'{path}: the sheet "{s.name}" has no columns outcome and pays, and is not read'
        for s, layout in laid_out if layout is None
    ]
    return paytable_rows.result(), notes


def _laid_out(sheet: Sheet, written: Written) -> tuple[dict[str, int], list[SheetRow]] | None:
    """Return the positions of the columns, and the rows from the one that names them; None if no row does."""
    if written.columns:
        columns = written.positions()
        column = columns["pays"]
        start = next((i for i, r in enumerate(sheet.rows)
                      if is_pay(r.cells[column].strip() if column < len(r.cells) else "")), len(sheet.rows))
        return columns, [SheetRow("", 0, []), *sheet.rows[start:]]
    for i, row in enumerate(sheet.rows[:MOST_TITLES]):
        names = head(row.cells)
        if names is not None:
            return names, sheet.rows[i:]
    return None


def identifier(words: str) -> str:
    """Return the id of a paytable from the name of a file or a sheet."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "sheet"


class _PaytableRows:
    """The rows of a file, collected by wager and paytable as in a paytable file."""

    def __init__(
        self, path: str, wager: str, written: Written, notes: list[str], known: Callable[[str], Iterable[str]]
    ) -> None:
        self._known, self._outcomes = known, dict[str, dict[str, str]]()
        self.names = written.outcomes(path)
        self.path, self.wager, self.written, self.notes = path, wager, written, notes
        self.faults = Faults()
        self.nameless = False  # whether a row without a wager has been reported, once for all of them
        self.entries: dict[str, dict[str, dict[str, str]]] = {}
        self.where: dict[str, list[tuple[str, Key]]] = {}
        self.bare: dict[str, str] = {}

    def _fault(self, row: SheetRow, what: str, remedy: str) -> None:
        self.faults.add(what, remedy, self.path, row.place)

    def add(self, columns: Mapping[str, int], rows: Sequence[SheetRow], name: str) -> None:
        first, *below = rows
        names = [" ".join(c.lower().split()) for c in first.cells]
        for column in COLUMNS:
            if names.count(column) > 1:
                self._fault(first, f'there are {names.count(column)} columns "{column}"', "keep one")
        for position, known in enumerate(names):
            if known and position not in columns.values() and known not in COLUMNS:
                self._aside(first.cells[position], known, first)
        for row in below:
            cells = {c: row.cells[i].strip() if i < len(row.cells) else "" for c, i in columns.items()}
            pay = row.cells[columns["pays"]] if columns["pays"] < len(row.cells) else ""
            if isinstance(pay, Formatted):
                shown = f"its number format shows it differently: {pay.number_format[:80]}"
                self._fault(row, f'the pay is {cells["pays"][:80]}, and {shown}',
                            'write the whole pay into the cell: "5 to 1"')
            elif any(cells.values()):
                self._row(row, cells, name)

    def _aside(self, cell: str, known: str, first: SheetRow) -> None:
        """Report a column of another name: as a fault if the name is close to a known one, otherwise as a note."""
        remedy = nearest(known[:80], COLUMNS)
        if "did you mean" in remedy:
            self._fault(first, f'unknown column "{cell[:80]}"', remedy)
        else:
            self.notes.append(f'{self.path}: the column "{cell[:80]}" is not read')

    def _row(self, row: SheetRow, cells: dict[str, str], name: str) -> None:
        wager = cells.get("wager") or self.wager
        paytable = cells.get("paytable") or name
        outcome, pays = cells["outcome"], cells["pays"]
        if self._is_footnote(row, wager, outcome, pays):
            words = next(cell for cell in row.cells if cell.strip()).strip()
            why = "is not an outcome and has no pay; it is not read"
            self.notes.append(f'{self.path}: {row.place}: "{words[:80]}" {why}')
            return
        if not wager:
            if not self.nameless:
                self._fault(row, "the row names no wager",
                            f"add a column wager with the id of one, or give WAGER={self.path}")
            self.nameless = True
            return
        if self.wager and cells.get("wager") not in (None, "", self.wager):
            self._fault(row, f"the row is of {wager}, and the file was given as one of {self.wager}",
                        "remove one of the two")
        if not outcome or not pays:
            self._fault(row, f"the row has no {'pays' if outcome else 'outcome'}", "fill the cell")
            return
        try:
            cell, pays = pays, self.written.pay(pays)
        except InputError as error:
            for f in error.faults:
                self._fault(row, f'"{outcome[:80]}": {f.what}', f.remedy)
            return
        outcome = self._outcome(wager, outcome)
        lines = self.entries.setdefault(wager, {}).setdefault(paytable, {})
        if outcome in lines:
            self._fault(row, f'"{outcome[:80]}" is paid twice in paytable "{paytable[:80]}"', "keep one of the rows")
            return
        where = self.where.setdefault(wager, [])
        header = f"wager.paytable.{paytable}"
        if not lines:
            where += [(row.place, ("wager", "based_on")), (row.place, (header,))]
        lines[outcome] = pays
        if pays != cell:
            self.bare[row.place] = cell
        where.append((row.place, (header, outcome)))

    def _of(self, wager: str) -> dict[str, str]:
        """Return the outcomes of a wager by their folded names."""
        if wager not in self._outcomes:
            self._outcomes[wager] = {folded(name): name for name in self._known(wager)}
        return self._outcomes[wager]

    def _outcome(self, wager: str, written: str) -> str:
        """Return the outcome that a client's name stands for; the name itself if it stands for none."""
        outcome = self.names.get(folded(written), written)
        return self._of(wager).get(folded(outcome), outcome)

    def _is_footnote(self, row: SheetRow, wager: str, outcome: str, pays: str) -> bool:
        """Whether a row is a remark: its only text is not an outcome."""
        filled = [cell for cell in row.cells if cell.strip()]
        key = folded(outcome)
        return len(filled) == 1 and not pays and key not in self.names and key not in self._of(wager)

    def result(self) -> TomlFile:
        if not any(tables for tables in self.entries.values()):
            if self.faults:
                raise InputError(*self.faults)
            raise fault("has no rows of pays", "write a row for each outcome", file=self.path)
        wagers = [{"based_on": wager, "paytable": tables} for wager, tables in self.entries.items()]
        places = SheetPlaces([Block(self.where[w]) for w in self.entries], self.bare)
        return TomlFile(self.path, data={"wager": wagers}, places=places, faults=self.faults)


class SheetPlaces(KeyLines):
    """The places of a sheet's rows: a block for each wager; ``bare`` has the odds that say neither "to" nor "for"."""

    def __init__(self, blocks: list[Block], bare: Mapping[str, str]) -> None:
        self.__dict__["bare"] = bare
        Block.__init__(self, [entry for block in blocks for entry in block.entries])
        self.__dict__["_blocks"] = {"wager": blocks}


def _csv_rows(text: str, path: str) -> Iterator[SheetRow]:
    """Return the rows that are not empty.

    The separator is the comma, semicolon or tab that most lines have; if two are equal, the one that occurs more often
    in the first line. A title may have none, or another one.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max(",;\t", key=lambda s: (sum(s in line for line in lines), lines[0].count(s) if lines else 0))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    count, cells_read, start = 0, 0, 1
    try:
        for cells in reader:
            count += 1
            cells_read += len(cells)
            _bounded(count, cells_read, path)
            if any(c.strip() for c in cells):
                yield SheetRow(f"line {start}", start, cells)
            start = reader.line_num + 1
    except csv.Error as error:
        raise fault(f"is not CSV: {error}", "correct the quotes there", file=path, place=f"line {start}") from None


def _bounded(rows: int, cells: int, path: str) -> None:
    """Raise `InputError` for more rows, columns or cells than the budgets allow."""
    for count, most, words in ((rows, budgets.ROWS, "rows"), (cells, budgets.CELLS, "cells")):
        if count > most:
            raise fault(f"has more than {most:,} {words}", "give a file of paytables", file=path)


def _workbook(raw: bytes, path: str, wanted: str) -> tuple[list[Sheet], list[str]]:
    """Return the sheets of an XLSX file, and notes; a formula has the value that was saved with it."""
    try:
        import openpyxl
    except ImportError:
        raise missing("XLSX files need openpyxl", "xlsx", otherwise="save the sheet as CSV", file=path) from None
    try:
        kept, formulas, declared = _kept(raw, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of missing themes
            book = openpyxl.load_workbook(kept, read_only=True, data_only=True)
        if len(book.sheetnames) < declared:
            what = "keeps a sheet in an unusual part of the file"
            raise fault(what, "save it again with a spreadsheet program, or save the sheet as CSV", file=path)
        note = f"{path}: {formulas} cell(s) are formulas; the values saved with them are read"
        notes = [note] if formulas else []
        chosen = [s for s in book.worksheets if s.title == wanted or not wanted]
        if not chosen:
            titles = [s.title for s in book.worksheets]
            raise fault(f'has no sheet "{wanted[:80]}"', nearest(wanted[:80], titles), file=path)
        return [Sheet(s.title, list(_sheet_rows(s, path)), s.sheet_state != "visible") for s in chosen], notes
    except InputError:
        raise
    except Exception:  # the parsers of a damaged workbook may raise anything
        raise fault("is not an XLSX file", "save it as XLSX or CSV", file=path) from None


#: Parts of a workbook that hold no cells.
_ASIDE = re.compile(r"(?i)(?:docProps|customXml|xl/(?:media|drawings|charts|theme|printerSettings|externalLinks"
                    r"|comments|tables|pivot\w*|calcChain|embeddings|activeX|ctrlProps)).*"
                    r"|.*(?<!\.xml)(?<!\.rels)")  # fmt: skip
#: Elements of any namespace's prefix: sheets that a workbook declares, formulas of cells.
_SHEET, _FORMULA = re.compile(rb"<(?:[\w.-]+:)?sheet\s"), re.compile(rb"<(?:[\w.-]+:)?f[\s/>]")
#: Types of sheets without cells.
_NO_CELLS = re.compile(rb"relationships/(?:chartsheet|dialogsheet|xlMacrosheet)")


def _kept(raw: bytes, path: str) -> tuple[io.BytesIO, int, int]:
    """Return the workbook reduced to the parts that hold cells, and its numbers of formulas and sheets."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive, zipfile.ZipFile(kept, "w") as copy:
        items = [item for item in archive.infolist() if not _ASIDE.fullmatch(item.filename)]
        if len({item.filename for item in items}) < len(items):
            raise fault("has two parts with the same name", "save it again with a spreadsheet program", file=path)
        if sum(item.file_size for item in items) > budgets.UNPACKED:
            raise fault(f"unpacks to more than {budgets.UNPACKED:,} bytes", "give a file of paytables", file=path)
        parts = {item.filename: archive.read(item) for item in items}
        tags = sum(part.count(b"<") for part in parts.values())
        sheets = sum(len(_SHEET.findall(part)) for part in parts.values())
        if tags > budgets.TAGS or sheets > budgets.SHEETS or parts["xl/workbook.xml"].count(b"<") > budgets.TAGS // 20:
            what = f"has more than {budgets.SHEETS} sheets, or than {budgets.TAGS:,} XML tags"
            raise fault(what, "copy the sheet of paytables into a new workbook", file=path)
        for name, part in parts.items():
            copy.writestr(name, part)
    formulas = sum(len(_FORMULA.findall(part)) for part in parts.values())
    return kept, formulas, sheets - sum(len(_NO_CELLS.findall(part)) for part in parts.values())


def _sheet_rows(sheet: Any, path: str) -> Iterator[SheetRow]:
    rows = sheet.iter_rows(max_row=budgets.ROWS + 1, max_col=budgets.COLUMNS)
    for number, cells_of_row in enumerate(rows, 1):
        _bounded(number, 0, path)
        cells = [_cell(cell.value, cell.number_format if cell.value is not None else "") for cell in cells_of_row]
        if any(c.strip() for c in cells):
            yield SheetRow(f'sheet "{sheet.title}" row {number}', number, cells)


#: The formats that show a number as it is: digits, thousands in groups, decimals, a minus sign or brackets.
_PLAIN_FORMAT = re.compile(r"(?:\[\w+\])?(?:#,##|#)?[0#]+(?:\.([0#]+))?(?:_.)?(?:;.*)?")


def _cell(value: object, form: str) -> str:
    """Return a cell as text, a whole number without decimals; `Formatted` if a spreadsheet shows it differently."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else str(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        plain = _PLAIN_FORMAT.fullmatch(form)
        is_shown = form in ("General", "@") or (plain and round(value, len(plain[1] or "")) == value)
    else:
        is_shown = not isinstance(value, str) or form in ("General", "@") or not ("@" in form or form.count(";") > 2)
    if is_shown:
        return text
    formatted = Formatted(text)
    formatted.number_format = form
    return formatted
