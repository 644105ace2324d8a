"""Recognition of paytable files, for tools that walk folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.errors import InputError, nearest
from ..base.textfiles import decode, parse_toml, read_bytes
from .sheets import holds_pays

#: Keys below the top level that only paytable files have.
_OWN = ("based_on", "paytable")


def may_hold_paytables(path: str) -> bool:
    """Whether a TOML, CSV or XLSX file holds paytables, or cannot be read.

    The reader of paytables reports why it cannot be read.
    """
    suffix = path.lower().rpartition(".")[2]
    if suffix not in ("toml", "csv", "xlsx"):
        return False
    try:
        raw = read_bytes(path)
        return _is_ours(parse_toml(decode(raw, path), path)) if suffix == "toml" else holds_pays(path, raw)
    except InputError:
        return True


def _is_ours(data: Mapping[str, Any]) -> bool:
    below = [t for value in data.values() for t in (value if isinstance(value, list) else [value])]
    return any(nearest(key[:80], ["wager"], otherwise="-") != "-" for key in data) or any(
        key in table for table in below if isinstance(table, dict) for key in _OWN
    )
