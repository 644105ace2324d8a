"""Words of a command: which are files of paytables, and the rulebook with every file among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..base.errors import Fault, InputError, fault, raise_all
from ..rulebook.book import Rulebook, is_glob, shipped
from .written import PLAIN, Written

TOML, SHEETS = ".toml", (".csv", ".xlsx")
_WAGER_ID = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)+")


def file_and_sheet(path: str) -> tuple[str, str]:
    """The path of a workbook and the sheet named after it: FILE.xlsx#Sheet."""
    match = re.fullmatch(r"(?is)(.*\.xlsx)#(.*)", path)
    return (match[1], match[2]) if match else (path, "")


def is_file_argument(pattern: str) -> bool:
    """Whether a PATTERN names a user's file: by its suffix, as WAGER=FILE, or because such a path exists."""
    path = file_and_sheet(wager_and_path(pattern)[1])[0]
    if path.lower().endswith((TOML, *SHEETS)):
        return True
    try:
        return not is_glob(path) and Path(path).exists() and "/" not in path.strip("./")
    except (OSError, ValueError):
        return False


def wager_and_path(word: str) -> tuple[str, str]:
    """The two parts of a word WAGER=FILE; the wager is empty if the word is a path alone."""
    wager, equals, path = word.partition("=")
    return (wager, path) if equals and _WAGER_ID.fullmatch(wager) else ("", word)


def collect(words: Iterable[str], written: Written = PLAIN) -> tuple[Rulebook, list[str]]:
    """One rulebook with every file among the words, and the ids and globs of the words, in order.

    Every command and every front end of a policy uses it. Raises `InputError` for an empty word and for
    an id that two files give: the faults of all words together.
    """
    book, faults = shipped(), list[Fault]()
    wanted: list[str] = []
    for word in words:
        try:
            book, found = add_word(book, word, written)
        except InputError as error:
            faults += error.faults
        else:
            wanted += found
    raise_all(faults)
    return book, wanted


def add_word(book: Rulebook, word: str, written: Written = PLAIN) -> tuple[Rulebook, list[str]]:
    """The rulebook, with a file's paytables if the word names one, and the ids or the glob of the word."""
    if not word.strip():
        raise fault("an id, a glob or a file is empty", "combin list shows the ids", file="PATTERN")
    if not is_file_argument(word):
        return book, [word]
    from .paytables import add_file

    return add_file(book, word, written)


__all__ = ["SHEETS", "TOML", "add_word", "collect", "file_and_sheet", "is_file_argument", "wager_and_path"]
