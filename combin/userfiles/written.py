"""The layout of a client's sheet: the names of its columns, the meaning of bare odds, names of outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import normpath

from ..base.errors import InputError, fault
from ..base.exact import two_meanings
from ..rulebook.book import matches
from ..rulebook.pays import parse_pay

COLUMNS = ("outcome", "pays", "wager", "paytable")
#: Other accepted names of the columns.
CALLED = {"hand": "outcome", "hands": "outcome", "outcomes": "outcome", "result": "outcome", "payout": "pays",
          "payouts": "pays", "pay": "pays", "odds": "pays", "payout odds": "pays"}
#: The most rows of titles above the names of the columns.
MOST_TITLES = 50
_NUMBER = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]*|0)(?:\.[0-9]+)?"
_WORDLESS = re.compile(rf"({_NUMBER})(?: ?[-–:/] ?({_NUMBER}))?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?: 00:00:00)?")
ODDS = ("to", "for")


@dataclass(frozen=True)
class Written:
    """The layout of a sheet: whether bare odds are "to" or "for", and columns by letter if no row names them.

    ``names`` are a client's names of outcomes: a glob over files, the name in the sheet, the outcome.
    """

    odds: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    names: tuple[tuple[str, str, str], ...] = ()

    @classmethod
    def of(cls, odds: str, columns: str, names: Iterable[tuple[str, str, str]] = ()) -> Written:
        """Return the layout of the options ``--odds to`` and ``--columns outcome=B,pays=D``, and of names.

        Raises `InputError` for other values.
        """
        letters: dict[str, str] = {}
        for part in columns.split(",") if columns else ():
            name, _, letter = (word.strip() for word in part.partition("="))
            name = CALLED.get(name.lower(), name.lower())
            if name not in COLUMNS or not re.fullmatch("[A-Za-z]{1,2}", letter) or name in letters:
                raise fault(f'"{part}" does not name a column', "write --columns outcome=B,pays=D", file="--columns")
            letters[name] = letter.upper()
        if columns and not {"outcome", "pays"} <= letters.keys():
            raise fault("outcome and pays are not both named", "write --columns outcome=B,pays=D", file="--columns")
        if odds not in ("", *ODDS):
            raise fault(f'"{odds}" is neither to nor for', "give to or for", file="--odds")
        return cls(odds, letters, tuple(names))

    def outcomes(self, path: str) -> dict[str, str]:
        """Return the client's names in a file, folded, with the outcomes that they stand for."""
        return {folded(name): outcome for glob, name, outcome in self.names if matches(normpath(path), glob)}

    def positions(self) -> dict[str, int]:
        """Return the indices of the named columns, from 0."""
        def number(letters: str) -> int:
            total = 0
            for letter in letters:
                total = 26 * total + ord(letter) - ord("A") + 1
            return total - 1

        return {name: number(letters) for name, letters in self.columns.items()}

    def pay(self, cell: str) -> str:
        """Return the pay of a cell with "to" or "for"; raises `InputError` for bare odds and for a date."""
        if _DATE.fullmatch(cell):
            raise fault(f'"{cell.partition(" ")[0]}" is a date',
                        'a spreadsheet has turned odds into a date: write "5 to 1"')
        match = _WORDLESS.fullmatch(cell)
        if match is None:
            return cell
        if two_meanings(cell) is None and not self.odds:
            raise fault(f'"{cell}" says neither "to" nor "for"', "give --odds to or --odds for")
        return f"{match[1]} {self.odds or 'to'} {match[2] or 1}"


PLAIN = Written()


def folded(name: str) -> str:
    """Return a name of an outcome without case, spaces, hyphens and dashes, which clients write differently."""
    return re.sub(r"[\s\u2010-\u2015-]+", "", name.casefold())


def mapping(word: str) -> tuple[str, str, str]:
    """Return the parts of NAME=OUTCOME, split at the first "=", with a glob for every file."""
    name, equals, outcome = word.partition("=")
    if not equals or not name.strip() or not outcome.strip():
        raise fault(f'"{word[:80]}" is not NAME=OUTCOME', 'write --map "7 Card Flush=seven-card flush"', file="--map")
    return "*", name.strip(), outcome.strip()


def head(cells: Sequence[str]) -> dict[str, int] | None:
    """Return the positions of the known columns; None unless outcome and pays are among them."""
    names = [" ".join(c.lower().split()) for c in cells]
    positions: dict[str, int] = {}
    for i, name in enumerate(names):
        # the first name of a column takes precedence over its other names
        if name in COLUMNS or CALLED.get(name, name) not in names:
            positions.setdefault(CALLED.get(name, name), i)
    positions = {name: i for name, i in positions.items() if name in COLUMNS}
    return positions if {"outcome", "pays"} <= positions.keys() else None


def is_pay(cell: str) -> bool:
    """Whether a cell may hold a pay, with or without a word for its odds."""
    try:
        return bool(cell) and (_WORDLESS.fullmatch(cell) is not None or bool(parse_pay(cell, "outcome")))
    except InputError:
        return False
