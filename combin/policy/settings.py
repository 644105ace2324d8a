"""What a repository states once for its gate: combin.toml, or [tool.combin] of pyproject.toml.

    policy = "policy.toml"
    paytables = ["paytables/"]
    baseline = "baseline.json"

Paths are those of the folder in which the file stands. The nearest such file counts, from the
current folder upwards, no further than the top of the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import nearest, raise_all
from ..base.textfiles import Faults, Places, parse_toml, read_text
from ..userfiles.paytables import is_file_argument, wager_and_path
from .reader import SHIPPED

OWN, SHARED, TABLE = "combin.toml", "pyproject.toml", "tool.combin"
KEYS = ("policy", "paytables", "baseline")
#: Where a TOML file may have a key or a table of combin's name.
_KEY = re.compile(r"""\bcombin["']?[ \t]*[].=]""")


@dataclass(frozen=True)
class Settings:
    """The settings of a repository; ``file`` is empty where there are none."""

    policy: str | None = None
    paytables: tuple[str, ...] = ()
    baseline: str | None = None
    file: str = ""


def settings(start: str | Path = ".") -> Settings:
    """The settings that count in a folder; `InputError` lists every fault of their file."""
    for folder in (here := Path(start).resolve(), *here.parents):
        for name in (OWN, SHARED):
            path = folder / name
            if path.is_file():
                shown = os.path.relpath(path)
                text = read_text(shown)
                # A pyproject.toml without a key of combin may hold whatever another tool reads.
                if name == OWN or _KEY.search(text):
                    data = parse_toml(text, shown)
                    tool = data.get("tool")
                    own: Any = data if name == OWN else tool.get("combin") if isinstance(tool, Mapping) else None
                    if own is not None:
                        return _read(own, shown, Places(text), "" if name == OWN else TABLE)
        if (folder / ".git").exists():
            break
    return Settings()


def _read(data: Any, file: str, places: Places, table: str) -> Settings:
    faults = Faults()

    def at(key: str) -> str:
        return places.find((table, key), (key,), (table,))

    if not isinstance(data, Mapping):
        faults.add("tool.combin is not a table", "write [tool.combin]", file)
        data = {}
    for key in data:
        if key not in KEYS:
            faults.add(f'unknown key "{key[:80]}"', nearest(key[:80], KEYS), file, at(key))
    for key in ("policy", "baseline"):
        if key in data and (type(data[key]) is not str or not data[key].strip()):
            faults.add(f"{key} is not a text", f'write {key} = "{key}.toml"', file, at(key))
    words = data.get("paytables", [])
    words = [words] if type(words) is str else words
    if not isinstance(words, list) or not all(type(w) is str and w.strip() for w in words):
        faults.add("paytables is not a list of texts", 'write paytables = ["paytables/"]', file, at("paytables"))
    raise_all(faults)
    folder = os.path.dirname(file)
    return Settings(
        _within(folder, data["policy"]) if "policy" in data else None,
        tuple(_within(folder, word) for word in words),
        os.path.normpath(os.path.join(folder, data["baseline"])) if "baseline" in data else None,
        file,
    )


def _within(folder: str, word: str) -> str:
    """A word of the file as one of the current folder: a path is one of the file's folder, an id stays."""
    wager, path = wager_and_path(word)
    found = os.path.normpath(os.path.join(folder, path))
    if word.startswith(SHIPPED) or not (is_file_argument(word) or word.endswith("/") or os.path.isdir(found)):
        return word
    return f"{wager}={found}" if wager else found + ("/" if path.endswith("/") else "")


__all__ = ["Settings", "settings"]
