"""A user's own paytables: TOML in, wagers of the rulebook out, every fault with file and line.

    [[wager]]
    based_on = "maryland/high-card-flush/flush-bonus"
    [wager.paytable.house-1]
    "seven-card flush" = "300 to 1"

`based_on` takes everything but the pays from a document's wager. A wager that no
document has gives `id` (three parts), `name`, `deal`, `outcomes` and, where suits
are singled out, `suits`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from .deal import Deal
from .errors import Fault, InputError, fault, nearest, raise_all
from .pays import parse_pay
from .rulebook import RESERVED, Document, Rulebook, Wager, build_paytable, build_wager, extended

#: A file of paytables is text; whatever is larger than this is something else.
MOST_BYTES = 2_000_000
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WAGER_KEYS = (
    "based_on",
    "id",
    "name",
    "clause",
    "deal",
    "suits",
    "outcomes",
    "options",
    "added",
    "setting",
    "unknown",
    "decks",
    "paytable",
)


def is_file_argument(pattern: str) -> bool:
    """Whether a PATTERN names a user's file: it ends in .toml, or something of that name is there."""
    return pattern.endswith(".toml") or (Path(pattern).exists() and "/" not in pattern.strip("./"))


def read_text(path: str | Path) -> str:
    """The text of a user's file; `InputError` for whatever keeps it from being read as UTF-8 text."""
    shown = str(path)
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise fault("there is no such file", "check the path", file=shown) from None
    except IsADirectoryError:
        raise fault("is a folder", "name a file in it", file=shown) from None
    except PermissionError:
        raise fault("cannot be read", "give yourself permission to read it", file=shown) from None
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror}", "check the path", file=shown) from None
    except ValueError:
        raise fault("is no path", "check the path", file=repr(shown)) from None
    if len(raw) > MOST_BYTES:
        raise fault(f"is larger than {MOST_BYTES:,} bytes", "give a TOML file of paytables or rules", file=shown)
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise fault("is not UTF-8 text", "save it as UTF-8", file=shown, place=f"line {line}") from None


def read_toml(path: str | Path) -> tuple[dict[str, Any], str]:
    """The tables of a TOML file and its text; `InputError` with the line of a syntax error."""
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(r"(?s)(.*) \(at (line \d+), column (\d+)\)", str(error))
        what, place = (match[1], f"{match[2]}, column {match[3]}") if match else (str(error), "end")
        raise fault(f"is not TOML: {what}", "mend the syntax there", file=str(path), place=place) from None
    except RecursionError:
        raise fault("is nested too deeply", "write plain tables", file=str(path)) from None
    if not data:
        raise fault("is empty", "write at least one table", file=str(path))
    return data, text


def key_lines(text: str) -> dict[tuple[str, ...], list[int]]:
    """Where keys and table headers stand: (header, key) or (header,) to line numbers, in order.

    TOML's reader tells no lines; this scan is for messages only and knows the
    one-line keys and headers that paytable and policy files are made of.
    """
    header, found = "", {}
    header = ""
    found: dict[tuple[str, ...], list[int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$", line):
            header = re.sub(r"[\"'\s]", "", match[1])
            found.setdefault((header,), []).append(number)
        elif match := re.match(r"\s*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*=", line):
            key = next(g for g in match.groups() if g is not None)
            found.setdefault((header, key), []).append(number)
    return found


def add_file(book: Rulebook, path: str) -> tuple[Rulebook, list[str]]:
    """The rulebook with a file's paytables added, and their ids; every fault of the file in one `InputError`."""
    data, text = read_toml(path)
    lines = key_lines(text)
    faults: list[Fault] = []
    for key in data:
        if key != "wager":
            faults.append(
                Fault(
                    f'unknown key "{key}"',
                    nearest(key, ["wager"], otherwise="write [[wager]] tables"),
                    path,
                    _line(lines, ("", key)) or _line(lines, (key,)),
                )
            )
    entries = data.get("wager", [])
    if not isinstance(entries, list) or not entries or not all(isinstance(e, dict) for e in entries):
        faults.append(Fault("has no [[wager]] table", "begin with [[wager]] and based_on", path))
        raise InputError(*faults)
    book = extended(book)
    digest = sha256(text.encode()).hexdigest()
    identifiers: list[str] = []
    for index, entry in enumerate(entries):
        place = _nth(lines, ("wager",), index)
        wager = _wager(book, entry, path, place, lines, digest, faults)
        if wager is None:
            continue
        paytables = entry.get("paytable")
        if not isinstance(paytables, dict) or not paytables:
            faults.append(Fault("the wager has no paytable", "add a [wager.paytable.NAME] table", path, place))
            continue
        merged = dict(wager.paytables)
        for name, table in paytables.items():
            before = len(faults)
            paytable = _paytable(wager, name, table, path, lines, faults)
            if len(faults) == before and paytable is not None:
                if f"{wager.id}/{name}" in identifiers or (name in merged and not merged[name].file):
                    faults.append(
                        Fault(
                            f'{wager.id} has a paytable "{name}" already',
                            "choose another name",
                            path,
                            _line(lines, (f"wager.paytable.{name}",)),
                        )
                    )
                    continue
                merged[name] = paytable
                identifiers.append(f"{wager.id}/{name}")
        book.with_paytables(Wager(wager.id, wager.name, wager.clause, wager.document, wager.data, merged))
    raise_all(faults)
    return book, identifiers


def _wager(
    book: Rulebook,
    entry: Mapping[str, Any],
    path: str,
    place: str,
    lines: dict[tuple[str, ...], list[int]],
    digest: str,
    faults: list[Fault],
) -> Wager | None:
    before = len(faults)
    for key in entry:
        if key not in _WAGER_KEYS:
            faults.append(
                Fault(
                    f'unknown key "{key}" in a wager',
                    nearest(key, _WAGER_KEYS),
                    path,
                    _line(lines, ("wager", key)) or place,
                )
            )
    base = entry.get("based_on")
    if base is not None:
        if not isinstance(base, str) or base not in book.wagers:
            faults.append(
                Fault(
                    f'based_on names no wager: "{base}"',
                    nearest(str(base), book.wagers),
                    path,
                    _line(lines, ("wager", "based_on")) or place,
                )
            )
            return None
        wanted = [k for k in entry if k in ("id", "deal", "suits", "outcomes", "options", "added")]
        if wanted:
            faults.append(
                Fault(
                    f'"{wanted[0]}" cannot be changed in a wager that is based on another',
                    "leave it out, or define a wager of your own with id",
                    path,
                    place,
                )
            )
        return book.wagers[base] if len(faults) == before else None
    for key in ("id", "name", "deal", "outcomes"):
        if not isinstance(entry.get(key), str):
            faults.append(
                Fault(f'the wager has no "{key}"', "give based_on, or id, name, deal and outcomes", path, place)
            )
    if len(faults) > before:
        return None
    identifier = entry["id"]
    parts = identifier.split("/")
    if len(parts) != 3 or not all(_ID.fullmatch(p) for p in parts) or identifier in book.wagers:
        faults.append(
            Fault(
                f'the id "{identifier}" is taken or not of the form jurisdiction/game/wager',
                "write three parts in lower case with hyphens",
                path,
                place,
            )
        )
        return None
    try:
        Deal(entry["deal"], tuple(entry.get("suits", ()))).roles  # noqa: B018 - reading it is the check
    except InputError as error:
        faults.extend(Fault(f.what, f.remedy, path, place) for f in error.faults)
        return None
    decks = entry.get("decks", [1, 2, 4, 6, 8])
    if not isinstance(decks, list) or not decks or not all(isinstance(n, int) and 1 <= n <= 8 for n in decks):
        faults.append(Fault("decks is no list of numbers from 1 to 8", "write decks = [6, 8]", path, place))
        return None
    document = Document(
        Path(path).name,
        Path(path).name,
        "",
        "",
        "/".join(parts[:2]),
        digest,
        tuple(decks),
        (min(decks), max(decks)),
        digest,
    )
    return build_wager(identifier, {**entry, "paytable": {}}, document, file=path)


def _paytable(
    wager: Wager, name: str, table: Any, path: str, lines: dict[tuple[str, ...], list[int]], faults: list[Fault]
) -> Any:
    header = f"wager.paytable.{name}"
    place = _line(lines, (header,))
    if not isinstance(table, dict):
        faults.append(Fault(f'paytable "{name}" is no table', f"write [wager.paytable.{name}]", path, place))
        return None
    if not _ID.fullmatch(name) and not re.fullmatch(r"[A-Z]", name):
        faults.append(
            Fault(f'"{name}" is not a paytable id', "use lower case letters, digits and hyphens", path, place)
        )
    outcomes = {k: v for k, v in table.items() if k not in RESERVED}
    if not outcomes:
        faults.append(Fault(f'paytable "{name}" pays nothing', 'add lines such as "any 20" = "4 to 1"', path, place))
        return None
    for outcome, pay in outcomes.items():
        at = _line(lines, (header, outcome)) or place
        try:
            parse_pay(pay, outcome) if isinstance(pay, str) else _not_text(pay)
        except InputError as error:
            faults.extend(Fault(f'"{outcome}": {f.what}', f.remedy, path, at) for f in error.faults)
    decks = table.get("decks", [])
    if not isinstance(decks, list) or not all(isinstance(n, int) and 1 <= n <= 8 for n in decks):
        faults.append(
            Fault(
                f'decks of paytable "{name}" is no list of numbers from 1 to 8',
                "write decks = [6, 8]",
                path,
                _line(lines, (header, "decks")) or place,
            )
        )
        return None
    for key in ("name", "clause"):
        if not isinstance(table.get(key, ""), str):
            faults.append(Fault(f'{key} of paytable "{name}" is no text', "put it in quotes", path, place))
            return None
    places = {outcome: lines[(header, outcome)][0] for outcome in outcomes if (header, outcome) in lines}
    if (header,) in lines:
        places[""] = lines[(header,)][0]
    return build_paytable(name, table, file=path, places=places)


def _not_text(pay: object) -> None:
    raise fault(f"the pay {pay!r} is not a text", 'put it in quotes: "300 to 1"')


def _line(lines: dict[tuple[str, ...], list[int]], key: tuple[str, ...]) -> str:
    return f"line {lines[key][0]}" if key in lines else ""


def _nth(lines: dict[tuple[str, ...], list[int]], key: tuple[str, ...], index: int) -> str:
    at = lines.get(key, [])
    return f"line {at[index]}" if index < len(at) else ""
