"""Words of a command: which of them name a file of paytables, a sheet, a wager."""

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


__all__ = ["SHEETS", "TOML", "file_and_sheet", "is_file_argument", "wager_and_path"]
