"""Expansion of the folders and globs of files among the words of a command into files, in order."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob

from ..base import budgets
from ..base.errors import Fault, InputError, fault
from ..rulebook.book import is_glob, matches, shipped
from .words import SHEETS, TOML, file_and_selection, is_file_argument, wager_and_path


def expanded(
    words: Iterable[str], passed_over: dict[str, str] | None = None, *, required: bool = True
) -> tuple[str, ...]:
    """Return the words with each folder and each glob of files replaced by its files of paytables.

    A folder gives every TOML, CSV or XLSX file of paytables in it and below it, also through links; a glob of files
    ends in one of these suffixes. ``!GLOB`` excludes files that the words before it stand for; a glob over ids is left
    to `Rulebook.select`. WAGER=FOLDER gives its CSV and XLSX files. A file is given once. ``passed_over`` receives
    what else a folder holds, each with the reason: other sheets, files of these suffixes without paytables, hidden
    folders.

    Raises `InputError` for a glob without files, and for a folder without files if they are ``required``.
    """
    expansion: dict[str, None] = {}
    faults: list[Fault] = []
    for word in words:
        if word.startswith("!"):
            expansion = _without(expansion, word[1:])
            continue
        try:
            expansion |= dict.fromkeys(_files_of(word, passed_over, required))
        except InputError as error:
            faults += error.faults
        if len(expansion) > budgets.FILES:
            raise fault(f"stands for more than {budgets.FILES:,} files", "spread them over several folders", file=word)
    if faults:
        raise InputError(*faults)
    return tuple(expansion)


def from_folder(folder: str | os.PathLike[str], words: Iterable[str]) -> tuple[str, ...]:
    """Return the files that the words of a file in this folder name, as paths from the current folder."""
    def at(word: str) -> str:
        wager, path = wager_and_path(word.removeprefix("!"))
        target = os.path.join(folder, path)
        prefix = "!" if word.startswith("!") else f"{wager}=" if wager else ""
        return prefix + (target if target.endswith("/") else os.path.normpath(target))

    return expanded(map(at, words))


def _without(entries: Iterable[str], pattern: str) -> dict[str, None]:
    """Return the words without the files that a glob, a folder or a path matches.

    A pattern that is not a path is kept behind them, as a glob over ids.
    """
    path = os.path.normpath(pattern)

    def is_left(word: str) -> bool:
        _, file = wager_and_path(word)
        if not is_file_argument(word):
            return True
        return not (os.path.normpath(file).startswith(path + os.sep) or matches(os.path.normpath(file), path))

    words = list(entries)
    left = [word for word in words if is_left(word)]
    if len(left) < len(words):
        return dict.fromkeys(left)
    if not is_path(pattern):
        return dict.fromkeys([*words, f"!{pattern}"])
    raise fault("excludes no file", "write it behind the words whose files it excludes", file=f"!{pattern}")


def is_path(pattern: str, folder: str = "") -> bool:
    """Whether a pattern names files, not ids: by its suffix, or because its first part is a folder."""
    return pattern.lower().endswith((TOML, *SHEETS, "/")) or os.path.isdir(
        os.path.join(folder, pattern.partition("/")[0]))


def _files_of(word: str, passed_over: dict[str, str] | None, required: bool) -> list[str]:
    wager, path = wager_and_path(word)
    prefix = f"{wager}=" if wager else ""
    if _is_folder(path):
        files = [f for f in _below(path, passed_over) if not wager or f.lower().endswith(SHEETS)]
        if not files and required:
            raise fault("holds no file of paytables", "name another folder, or a file", file=path)
        return [prefix + f for f in files]
    path, selection = file_and_selection(path)
    if is_glob(path) and path.lower().endswith((TOML, *SHEETS)):
        files = sorted({*(f for f in glob(path, recursive=True) if os.path.isfile(f)),
                        *([path] if os.path.isfile(path) else [])})  # fmt: skip
        if not files:
            raise fault("no file matches", "check the glob, or name a folder", file=path)
        return [prefix + f + (f"#{selection}" if selection else "") for f in files]
    return [word]


def _is_folder(path: str) -> bool:
    """Whether a path is a folder that is not also an id of the catalogue."""
    try:
        return os.path.isdir(path) and (path.endswith(("/", ".")) or path not in {*shipped().ids(), *shipped().wagers})
    except ValueError:
        return False


#: Folders in which tools keep packages and a repository's objects.
_TOOLS = frozenset({".git", ".hg", ".svn", ".venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
_HIDDEN = "is not read, since its name begins with a dot"
#: Sheets that combin does not read.
_OTHER_SHEETS = (".xls", ".xlsm", ".xlsb", ".ods", ".tsv", ".numbers")


def _below(folder: str, passed_over: dict[str, str] | None) -> list[str]:
    """Return the files of paytables in a folder and below it, sorted; a folder that links reach twice is read once."""
    below: list[str] = []
    seen = {os.path.realpath(folder)}
    for directory, folders, files in os.walk(folder, followlinks=True):
        kept = []
        for name in sorted(folders):
            path = os.path.join(directory, name)
            if name.startswith(".") and name not in _TOOLS and passed_over is not None:
                passed_over[f"{os.path.normpath(path)}/"] = _HIDDEN
            if not name.startswith(".") and (real := os.path.realpath(path)) not in seen:
                seen.add(real)
                kept.append(name)
        folders[:] = kept
        below += [os.path.join(directory, name) for name in sorted(files) if not name.startswith((".", "~$"))]
        if passed_over is not None:
            hidden = [name for name in sorted(files) if name.startswith(".") and name.lower().endswith((TOML, *SHEETS))]
            passed_over |= {os.path.normpath(os.path.join(directory, name)): _HIDDEN for name in hidden}
        if len(below) > budgets.FILES:
            raise fault(f"holds more than {budgets.FILES:,} files", "spread them over several folders", file=folder)
    from .recognise import may_hold_paytables

    paths = [os.path.normpath(path) for path in below]
    files = [path for path in paths if may_hold_paytables(path)]
    if passed_over is not None:
        others = [p for p in paths if p.lower().endswith((TOML, *SHEETS, *_OTHER_SHEETS)) and p not in set(files)]
        passed_over |= {path: _reason(path) for path in others}
    return files


def _reason(path: str) -> str:
    if path.lower().endswith(_OTHER_SHEETS):
        return "is not read; save a sheet of paytables as XLSX or CSV"
    return "holds no paytables"
