"""Folders and globs of files among the words of a command: what they stand for, file by file, in order."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob

from ..base import budgets
from ..base.errors import Fault, InputError, fault
from ..rulebook.book import is_glob, shipped
from .paytables import SHEETS, TOML, wager_and_path
from .recognise import may_hold_paytables


def expanded(words: Iterable[str]) -> tuple[str, ...]:
    """The words with each folder and each glob of files replaced by the files of paytables that it stands for.

    A folder gives every TOML, CSV or XLSX file of paytables in it and below it; other files in it, and those that
    begin with a dot, are passed over. A glob of files ends in one of these suffixes. WAGER=FOLDER gives its CSV
    and XLSX files. A file is given once. Raises `InputError` where a folder or a glob stands for none.
    """
    found: dict[str, None] = {}
    faults: list[Fault] = []
    for word in words:
        try:
            found |= dict.fromkeys(_files_of(word))
        except InputError as error:
            faults += error.faults
        if len(found) > budgets.FILES:
            raise fault(f"stands for more than {budgets.FILES:,} files", "part them over several folders", file=word)
    if faults:
        raise InputError(*faults)
    return tuple(found)


def from_folder(folder: str | os.PathLike[str], words: Iterable[str]) -> tuple[str, ...]:
    """The files that words of a file in this folder stand for, as they are reached from here; also WAGER=FILE."""
    def at(word: str) -> str:
        wager, path = wager_and_path(word)
        there = os.path.join(folder, path)
        return (f"{wager}=" if wager else "") + (there if there.endswith("/") else os.path.normpath(there))

    return expanded(map(at, words))


def _files_of(word: str) -> list[str]:
    wager, path = wager_and_path(word)
    prefix = f"{wager}=" if wager else ""
    if _is_folder(path):
        files = [f for f in _below(path) if not wager or f.lower().endswith(SHEETS)]
        if not files:
            raise fault("holds no file of paytables", "name another folder, or a file", file=path)
        return [prefix + f for f in files]
    if is_glob(path) and path.lower().endswith((TOML, *SHEETS)) and not os.path.exists(path):
        files = sorted(f for f in glob(path, recursive=True) if os.path.isfile(f))
        if not files:
            raise fault("no file is of this name", "check the glob, or name a folder", file=path)
        return [prefix + f for f in files]
    return [word]


def _is_folder(path: str) -> bool:
    """Whether a path is a folder, and no id of the catalogue of the same name."""
    try:
        return os.path.isdir(path) and (path.endswith(("/", ".")) or path not in {*shipped().ids(), *shipped().wagers})
    except ValueError:
        return False


def _below(folder: str) -> list[str]:
    """The files of paytables of a folder, sorted by their path; links to folders are not followed."""
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(place, name) for name in sorted(files) if not name.startswith((".", "~$"))]
        if len(found) > budgets.FILES:
            raise fault(f"holds more than {budgets.FILES:,} files", "part them over several folders", file=folder)
    return [os.path.normpath(path) for path in found if may_hold_paytables(path)]
