"""A client's layout or rack card, as text or a sheet, compared with the pays of a paytable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..analysis.model import Analysis
from ..base.errors import InputError, fault
from ..base.textfiles import decode, read_bytes
from ..pages.blocks import Facts, Grid, Part, Words
from ..rulebook.pays import parse_pay
from ..userfiles.sheets import sheets_of
from .model import Layout

MOST_BYTES = 1_000_000
SAME, DIFFERS, ABSENT, UNKNOWN = "the same", "differs", "not on the layout", "not in the paytable"
#: A line that ends in a pay.
_LINE = re.compile(
    r"(?P<name>.*?[A-Za-z)])[\s.:…|–—-]*"
    r"(?P<pay>\d[\d,]*(?:\.\d+)? (?:to|for) \d+|\$ ?\d[\d,]*(?:\.\d+)?|\d+ ?% of .+|push)", re.IGNORECASE)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read_layout(path: str) -> list[tuple[str, str]]:
    """Return the lines of a text file or sheet that end in a pay. Raises `InputError` if there are none."""
    raw = read_bytes(path, MOST_BYTES)
    if path.lower().rpartition(".")[2] in ("csv", "xlsx"):
        rows = [" ".join(cell for cell in row.cells if cell.strip()) for sheet in sheets_of(path, raw)[0]
                for row in sheet.rows]
    else:
        rows = decode(raw, path).splitlines()
    lines = [(m["name"].strip(), m["pay"]) for row in rows if (m := _LINE.fullmatch(" ".join(row.split())))]
    if not lines:
        raise fault("has no line that ends in a pay", 'write one line for each pay: "six-card flush 100 to 1"',
                    file=path)
    return lines


def compared(a: Analysis, lines: Sequence[tuple[str, str]], file: str, digest: str) -> Layout:
    """Return the comparison of a layout's lines with the pays of a paytable."""
    printed = {_plain(name): (name, pay) for name, pay in lines}
    rows = []
    for outcome, pay in a.resolved.lines:
        _, words = printed.pop(_plain(outcome), ("", ""))
        verdict = ABSENT if not words else SAME if _same(words, pay.text) else DIFFERS
        rows.append((outcome, pay.text, words, verdict))
    rows += [(name, "", words, UNKNOWN) for name, words in printed.values()]
    return Layout(file, digest, tuple(rows))


def _plain(name: str) -> str:
    """Return a name without case and signs, with numbers in words: "7 Card Flush" is "seven card flush"."""
    words = re.findall(r"[a-z]+|\d+", name.casefold())
    return " ".join(_NUMBERS[int(w)] if w.isdigit() and int(w) < len(_NUMBERS) else w for w in words)


def _same(printed: str, written: str) -> bool:
    """Return whether two pays are the same, however they are written."""
    try:
        printed_pay, written_pay = (parse_pay(text.replace("$ ", "$").casefold(), "") for text in (printed, written))
    except InputError:
        return printed.casefold() == written.casefold()
    return replace(printed_pay, text="") == replace(written_pay, text="")


def part(layout: Layout) -> Part:
    """Return the page of a comparison with a layout."""
    number = sum(row[3] != SAME for row in layout.rows)
    sentence = "Every line is the same." if not number else f"{number} of {len(layout.rows)} lines differ."
    return Part("Layout or rack card", "layout", (
        Facts((("file", layout.file), ("sha256", layout.sha256))), Words(sentence),
        Grid(("line", "pays", "on the layout", "comparison"), layout.rows, 9)))


def points(layout: Layout) -> list[str]:
    """Return the open point of a layout that differs; empty if it does not."""
    number = sum(row[3] != SAME for row in layout.rows)
    lines = f"{number} line{'s' if number > 1 else ''}"
    return [f"the layout {layout.file} differs from the pays in {lines}"] if number else []
