"""Settings of a repository: combin.toml, or [tool.combin] of pyproject.toml.

    policy = "policy.toml"
    paytables = ["paytables/", "!paytables/drafts/*"]
    baseline = "baseline.json"

    [[waiver]]                     # as in a policy
    id = "maryland/blackjack/pair/house-1"
    rule = "RTP001"
    reason = "approved until the contract ends"
    expires = 2027-12-31

    odds = "to"                    # what "250-1" and "75:1" are in a client's sheets: to or for
    [map."paytables/client-*.xlsx"]    # what a client calls the outcomes
    "7 Card Flush" = "seven-card flush"

Paths are relative to the folder of the file. The nearest such file counts, from the current folder upwards to the top
of the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from ..base.errors import fault, raise_all
from ..base.textfiles import Faults, KeyLines, parse_toml, read_text
from ..base.toml_tables import FILLED, SEVERAL, empty, placed, read
from ..base.toml_tables import Path as Keys
from ..userfiles.expansion import is_path
from ..userfiles.words import is_file_argument, wager_and_path
from ..userfiles.written import PLAIN, Written
from .model import Waiver
from .reader import SHIPPED, read_waivers

OWN, SHARED, TABLE = "combin.toml", "pyproject.toml", "tool.combin"
#: The folder that is checked if neither the command line nor the file names anything.
USUAL = "paytables/"
#: A key or a table called combin in a TOML file.
_KEY = re.compile(r"""\bcombin["']?[ \t]*[].=]""")


@dataclass(frozen=True)
class SettingsTerms:
    """The keys of the file, without its waivers."""

    policy: Annotated[str, FILLED] | None = None
    paytables: Annotated[tuple[Annotated[str, FILLED], ...], SEVERAL] = ()
    baseline: Annotated[str, FILLED] | None = None
    map: Mapping[str, Mapping[str, str]] = empty()
    odds: Literal["to", "for"] | None = None


@dataclass(frozen=True)
class Settings:
    """The settings of a repository; ``file`` is empty if there are none."""

    policy: str | None = None
    paytables: tuple[str, ...] = ()
    baseline: str | None = None
    file: str = ""
    waivers: tuple[Waiver, ...] = ()
    #: The layout of client's sheets: bare odds, and names of outcomes.
    sheets: Written = PLAIN


def settings(start: str | Path = ".") -> Settings:
    """Return the settings that apply in a folder; raises `InputError` with every fault of their file.

    Without a file, the folder `USUAL` is checked.
    """
    for folder in (start_folder := Path(start).resolve(), *start_folder.parents):
        stated = [file_settings for name in (OWN, SHARED) if (file_settings := _stated(folder / name)) is not None]
        if len(stated) > 1:
            raise fault("states settings, and so does combin.toml in the same folder", "keep one of the two",
                        file=os.path.relpath(folder / SHARED), place=f"[{TABLE}]")
        if stated:
            data, text, shown = stated[0]
            return _read(data, shown, KeyLines(text), "" if os.path.basename(shown) == OWN else TABLE)
        if (folder / ".git").exists():
            break
    return Settings(paytables=_usual(""))


def _stated(path: Path) -> tuple[Any, str, str] | None:
    """Return the settings of a file, its text and its path from here; None if it states none."""
    if not path.is_file():
        return None
    shown = os.path.relpath(path)
    text = read_text(shown)
    if path.name == OWN:
        return parse_toml(text, shown), text, shown
    if not _KEY.search(text):  # it may have a form that only other tools read
        return None
    tool = parse_toml(text, shown).get("tool")
    table = tool.get("combin") if isinstance(tool, Mapping) else None
    return None if table is None else (table, text, shown)


def _usual(folder: str) -> tuple[str, ...]:
    path = os.path.join(folder, USUAL)
    return (path,) if os.path.isdir(path) else ()


def _read(data: Any, file: str, places: KeyLines, table: str) -> Settings:
    faults = Faults()

    def report(what: str, remedy: str, path: Keys) -> None:
        line = places.find((table, path[0]), path[:1], (table,)) if path else places.find((table,))
        faults.add(what, remedy, file, placed(line, path or (table,)))

    terms = read(SettingsTerms, data, report, aside=("waiver",)) or SettingsTerms()
    stated = data.get("waiver", []) if isinstance(data, Mapping) else []
    waivers = read_waivers(stated, file, places, f"{table}.waiver" if table else "waiver", faults)
    raise_all(faults)
    folder = os.path.dirname(file)
    names = tuple((os.path.normpath(os.path.join(folder, glob)), name, outcome)
                  for glob, names in terms.map.items() for name, outcome in names.items())
    return Settings(
        None if terms.policy is None else _within(folder, terms.policy),
        tuple(_within(folder, word) for word in terms.paytables) or _usual(folder),
        None if terms.baseline is None else os.path.normpath(os.path.join(folder, terms.baseline)),
        file,
        tuple(waivers),
        Written(terms.odds or "", names=names),
    )


def _within(folder: str, word: str) -> str:
    """Return a word of the file as seen from the current folder: paths are relative to the file, ids unchanged."""
    if word.startswith("!"):
        return word if not is_path(word[1:], folder) else "!" + os.path.normpath(os.path.join(folder, word[1:]))
    wager, path = wager_and_path(word)
    target = os.path.normpath(os.path.join(folder, path))
    if word.startswith(SHIPPED) or not (is_file_argument(word) or word.endswith("/") or os.path.isdir(target)):
        return word
    return f"{wager}={target}" if wager else target + ("/" if path.endswith("/") else "")
