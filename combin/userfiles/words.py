"""Parts of a word of a command: a file of paytables, a sheet, a wager, a paytable in a file.

    FILE  FILE#ID  FILE#glob  FILE.xlsx#Sheet  FILE.xlsx#Sheet#ID  WAGER=FILE#ID
"""

from __future__ import annotations

import re
from pathlib import Path

from ..rulebook.book import is_glob

TOML, SHEETS = ".toml", (".csv", ".xlsx")
_WAGER_ID = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)+")


def file_and_sheet(path: str) -> tuple[str, str]:
    """The path of a workbook and the sheet named after it: FILE.xlsx#Sheet."""
    match = re.fullmatch(r"(?is)(.*\.xlsx)#(.*)", path)
    return (match[1], match[2]) if match else (path, "")


def file_and_selection(path: str) -> tuple[str, str]:
    """The two parts of FILE#ID at the last "#"; the selection is empty if a file of the whole name exists.

    A workbook's sheet is a part of FILE: FILE.xlsx#Sheet has no selection.
    """
    file, sign, selection = path.rpartition("#")
    of_file = file_and_sheet(file)[0].lower().endswith((TOML, *SHEETS))
    if not sign or not of_file or _exists(path) or file.lower().endswith(".xlsx"):
        return path, ""
    return file, selection


def bare_file(word: str) -> str:
    """The file that a word names, without wager, sheet and selection."""
    return file_and_sheet(file_and_selection(wager_and_path(word)[1])[0])[0]


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_file_argument(pattern: str) -> bool:
    """Whether a PATTERN names a user's file: by its suffix, as WAGER=FILE, or because such a path exists."""
    path = bare_file(pattern)
    if path.lower().endswith((TOML, *SHEETS)):
        return True
    return not is_glob(path) and _exists(path) and "/" not in path.strip("./")


def wager_and_path(word: str) -> tuple[str, str]:
    """The two parts of a word WAGER=FILE; the wager is empty if the word is only a path."""
    wager, equals, path = word.partition("=")
    return (wager, path) if equals and _WAGER_ID.fullmatch(wager) else ("", word)
