"""Readers of users' files: bytes and text within limits, TOML, and the lines of its keys."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from hashlib import sha256
from os import PathLike
from types import MappingProxyType
from typing import Any

from . import budgets
from .errors import Fault, InputError, fault
from .safe_text import hidden_in

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
#: A dotted key or header with more parts than the budget.
_MANY_PARTS = re.compile(rf"(?m)(?:^|[\[{{,])[ \t]*+(?:{_PART}\.[ \t]*+){{{budgets.KEY_PARTS}}}")


class TomlNumber(str):
    """A number of a TOML file as written, to be read exactly later; it is not a string value."""


class Faults(list[Fault]):
    """The faults of one file; reading ends when there are too many."""

    def add(self, what: str, remedy: str, file: str, place: str = "") -> None:
        if len(self) >= budgets.FAULTS:
            raise InputError(*self, Fault("has more faults", f"correct these {budgets.FAULTS} first", file))
        self.append(Fault(what, remedy, file, place))


_UNREADABLE: Mapping[type[OSError], tuple[str, str]] = {
    FileNotFoundError: ("there is no such file", "check the path"),
    IsADirectoryError: ("is a folder", "name a file in it"),
    PermissionError: ("cannot be read", "give yourself permission to read it"),
}


def read_bytes(path: str | PathLike[str], most: int = budgets.FILE_BYTES) -> bytes:
    """Return the bytes of a user's file, at most ``most``; raises `InputError` if it cannot be read.

    A pipe or a device is refused before it is opened.
    """
    shown = str(path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
            raise fault("is not a regular file", "name a file", file=shown)
        with open(path, "rb") as stream:
            raw = stream.read(most + 1)
    except OSError as error:
        what = _UNREADABLE.get(type(error), (f"cannot be read: {error.strerror}", "check the path"))
        raise fault(*what, file=shown) from None
    except InputError:
        raise
    except ValueError:
        raise fault("is not a path", "check the path", file=repr(shown)) from None
    if len(raw) > most:
        raise fault(f"is larger than {most:,} bytes", "give a file of paytables or rules", file=shown)
    digests = _noted.get()
    if digests is not None:
        digest = sha256(raw).hexdigest()
        if digests.setdefault(shown, digest) != digest:
            raise fault("has changed since it was first read", "let nobody write to it, and start again", file=shown)
    return raw


_noted: ContextVar[dict[str, str] | None] = ContextVar("_noted", default=None)


@contextmanager
def noting() -> Iterator[dict[str, str]]:
    """Yield the SHA-256 of every user's file that is read in the block, by path.

    Raises `InputError` if a file changed between two readings: figures and digest would belong to different contents.
    """
    digests: dict[str, str] = {}
    token = _noted.set(digests)
    try:
        yield digests
    finally:
        _noted.reset(token)


def decode(raw: bytes, shown: str) -> str:
    """Return UTF-8 text with plain line ends; raises `InputError` with the line that is not UTF-8."""
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise fault("is not UTF-8 text", "save it as UTF-8", file=shown, place=f"line {line}") from None


def read_text(path: str | PathLike[str]) -> str:
    """Return the text of a user's file; raises `InputError` if it cannot be read as UTF-8 text."""
    return decode(read_bytes(path), str(path))


def parse_toml(text: str, shown: str) -> dict[str, Any]:
    """Return the tables of TOML text, decimals as `TomlNumber`; raises `InputError` with the line of a syntax error."""
    if len(text) > budgets.TOML_BYTES:
        raise fault(f"is larger than {budgets.TOML_BYTES:,} characters", "part it into several files", file=shown)
    if sum(map(text.count, "=[{,.")) > budgets.PARTS:
        what = f"has more than {budgets.PARTS:,} keys, values and tables"
        raise fault(what, "part it into several files", file=shown)
    if match := _MANY_PARTS.search(text):
        line = text.count("\n", 0, match.end()) + 1
        raise fault("is nested too deeply", f"write keys of at most {budgets.KEY_PARTS} parts", file=shown,
                    place=f"line {line}")
    try:
        data = tomllib.loads(text, parse_float=TomlNumber)
    except tomllib.TOMLDecodeError as error:
        raise InputError(_syntax_fault(str(error), text, shown)) from None
    except RecursionError:
        raise fault("is nested too deeply", "write plain tables", file=shown) from None
    except ValueError:  # an integer of thousands of digits
        raise fault("holds a number that is too long", "write at most 30 digits", file=shown) from None
    if not data:
        raise fault("is empty", "write at least one table", file=shown)
    _check_bounds(data, shown)
    return data


def _syntax_fault(error: str, text: str, shown: str) -> Fault:
    """Return a syntax error as a fault; repeated lines and missing quotes, the most common ones, are named."""
    match = re.fullmatch(r"(?s)(.*) \(at (line \d+), column (\d+)\)", error)
    what, place = (match[1], f"{match[2]}, column {match[3]}") if match else (error, "end")
    number = int(match[2].removeprefix("line ")) if match else len(text.splitlines())
    if what.startswith(("Cannot overwrite", "Cannot declare")):
        twice = _given_twice(text, number)
        if twice is not None:
            return Fault(*twice, shown, f"line {number}")
    if what == "Illegal character '\\n'" or what.startswith("Unterminated string"):
        return Fault("is not TOML: a closing quote is missing", "end the text with a quote", shown, f"line {number}")
    return Fault(f"is not TOML: {what}", "correct the syntax there", shown, place)


def _given_twice(text: str, number: int) -> tuple[str, str] | None:
    """Return the fault and its remedy if the key or header of this line occurs before in the same table."""
    entries = [(line_number(place) or 0, key) for place, key in KeyLines(text).entries]
    above = [(line, key) for line, key in entries if line < number]
    line_key = next((key for line, key in entries if line == number), None)
    if line_key is None:
        return None
    for line, key in reversed(above):
        if key == line_key:
            if len(line_key) == 2:
                return f'"{line_key[1]}" is listed twice (lines {line} and {number})', "keep one"
            what = f"the table [{line_key[0]}] occurs twice (lines {line} and {number})"
            return what, "give one of them another name"
        if len(key) == 1 and (len(line_key) == 2 or "." not in key[0]):
            return None
    return None


def _check_bounds(data: dict[str, Any], shown: str) -> None:
    """Raise `InputError` for tables nested too deeply, invisible characters, and numbers too long for a message."""
    level: list[Any] = [data]
    for _ in range(budgets.LEVELS):
        items = [item for part in level for item in part]  # of a table its keys
        items += [value for table in level if isinstance(table, dict) for value in table.values()]
        for item in items:
            if isinstance(item, str) and (sign := hidden_in(item)):
                raise fault(f"holds an invisible character, {sign}", "leave it out", file=shown)
            if isinstance(item, int) and abs(item) >= 10**60:
                raise fault("holds a number that is too long", "write at most 30 digits", file=shown)
        level = [item for item in items if isinstance(item, dict | list)]
    if level:
        raise fault("is nested too deeply", "write plain tables", file=shown)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON text; raises `InputError` (without a file) if a key occurs twice."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in mapping if keys.count(key) > 1)
        raise fault(f'"{twice[:80]}" is given twice in one object', "keep one")
    return mapping


Key = tuple[str, ...]
#: A key and the opening quote of its text.
_VALUE = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=\s*(\'\'\'|\"\"\"|'|")""")


#: A table of an array in a path of keys.
_NTH = re.compile(r"(.+) #(\d+)")


def _dotted(*parts: str) -> str:
    return ".".join(filter(None, parts))


@dataclass(frozen=True)
class Block:
    """Lines of a file: (place as text, (header, key) or (header,)), in order."""

    entries: Sequence[tuple[str, Key]]

    @property
    def start(self) -> str:
        return self.entries[0][0] if self.entries else ""

    @cached_property
    def _first(self) -> dict[Key, str]:
        return {key: place for place, key in reversed(self.entries)}

    def find(self, *keys: Key) -> str:
        """Return the place of the first of these keys that the block has; empty if it has none."""
        return next((self._first[key] for key in keys if key in self._first), "")

    def of(self, header: str, path: Key) -> str:
        """Return the place of the last key of a path below the table ``header``, or of the nearest table around it.

        A table of the path may have a header or be in the line of a key. A part "street #2" is the second table of an
        array. Paths from the top of a file have the header ""; the place of a key that it does not have is then empty.
        """
        spelt = [re.sub(r"[\"'\s]", "", part) for part in path]
        if path and (place := self.find((_dotted(header, *spelt[:-1]), path[-1]))):
            return place
        for depth, part in enumerate(path):
            if match := _NTH.fullmatch(part):
                above = _dotted(header, *spelt[:depth], match[1])
                starts = [n for n, (_, key) in enumerate(self.entries) if key == (above,)]
                if len(starts) < int(match[2]):
                    return self.of(header, (*path[:depth], match[1]))
                start, stop = [*starts, len(self.entries)][int(match[2]) - 1 : int(match[2]) + 1]
                return Block(self.entries[start:stop]).of(above, path[depth + 1 :])
        for length in range(len(path), 0, -1):
            above = _dotted(header, *spelt[: length - 1])
            last = _dotted(above, spelt[length - 1])
            if place := self.find((above, path[length - 1]), (last,)):
                return place
            if place := next((place for place, key in self.entries if key[0].startswith(f"{last}.")), ""):
                return place  # of its first table: [last.name] without [last]
        return self.start if header else ""


_HEADER = re.compile(r"\[\[?([^\]]+)\]\]?[ \t]*(?:#.*)?")


class KeyLines(Block):
    """The lines of the keys and headers of a TOML text.

    The TOML reader has no line numbers. This scan is only for messages; it knows the one-line keys and
    headers of paytable and policy files.
    """

    #: The odds of a sheet that say neither "to" nor "for", by place.
    bare: Mapping[str, str] = MappingProxyType({})

    def __init__(self, text: str) -> None:
        entries: list[tuple[str, Key]] = []
        header = ""
        object.__setattr__(self, "lines", text.splitlines())
        for number, line in enumerate(text.splitlines(), 1):
            if match := _HEADER.fullmatch(line.strip()):
                header = re.sub(r"[\"'\s]", "", match[1])
                entries.append((f"line {number}", (header,)))
            elif match := re.match(r"\s*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*[=.]", line):
                key = next(g for g in match.groups() if g is not None)
                entries.append((f"line {number}", (header, key)))
        super().__init__(entries)

    @cached_property
    def _blocks(self) -> dict[str, list[Block]]:
        """Return for every header without a dot its tables in order, each with its sub-tables."""
        by_header: dict[str, list[list[tuple[str, Key]]]] = {}
        for place, key in self.entries:
            top = key[0].partition(".")[0]
            if len(key) == 1 and "." not in key[0]:
                by_header.setdefault(top, []).append([])
            if top in by_header:
                by_header[top][-1].append((place, key))
        return {header: [Block(entries) for entries in tables] for header, tables in by_header.items()}

    def within(self, place: str, offset: int) -> str:
        """Return the line and column of a character of a key's text: ``line 7, column 31``."""
        lines: list[str] = self.lines  # type: ignore[attr-defined]
        number = line_number(place)
        match = number and _VALUE.match(lines[number - 1])
        if not number or not match:
            return f"{place}, column {offset + 1} of the text" if place else f"column {offset + 1} of the text"
        quote, column, line = match[1], match.end(), number - 1
        if len(quote) == 3 and column >= len(lines[line].rstrip()):
            line, column = line + 1, 0
        for _ in range(offset):
            if line >= len(lines):
                break
            if column >= len(lines[line]):
                line, column = line + 1, 0
            elif quote[0] == '"' and lines[line][column] == "\\":
                column += {"u": 6, "U": 10}.get(lines[line][column + 1 : column + 2], 2)
            else:
                column += 1
        return f"line {line + 1}, column {column + 1}"

    def block(self, header: str, index: int) -> Block:
        """Return the lines of the table [[header]] at ``index``."""
        tables = self._blocks.get(header, [])
        return tables[index] if index < len(tables) else Block([])


def day(value: object) -> date | None:
    """Return a date of a TOML file or a text; None for anything else."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value) if type(value) is str else None
    except ValueError:
        return None


def line_number(place: str) -> int | None:
    """Return the line of a place ("line 12", "line 12, column 3"), or the row of a sheet ("row 5")."""
    match = re.match(r"line (\d+)", place) or re.search(r"row (\d+)$", place)
    return int(match[1]) if match else None
