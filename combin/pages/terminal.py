"""Pages and tables on a terminal: aligned, with grouped digits, coloured only on a real terminal.

Numbers and ids are never truncated. Columns that do not fit are dropped in a fixed order, and words are wrapped. If
that is not enough, rows are stacked.
"""

from __future__ import annotations

import io
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..base.safe_text import shown
from .blocks import Block, Cell, Facts, Grid, Number, Part, Points, Words, walk
from .markdown import cell

#: The width of output that is not a terminal: nothing is wrapped.
WIDE = 4000
#: The minimum width of wrapped columns of words.
LEAST = 16
GAP = 2
#: A cell that would need more lines of the terminal than this is put below its row's name.
MOST_LINES = 2
#: A word that is too long is broken after one of these characters.
SEPARATORS = "/,;_-."

Row = Sequence[str]


class _Console(Console):
    """A console that leaves a closed pipe to `combin.cli.main`; rich would end with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(stream: Any = None, width: int = WIDE) -> Console:
    stream = stream or sys.stdout
    if stream.isatty():
        return _Console(file=stream, highlight=False)
    return _Console(file=stream, width=width, no_color=True, highlight=False, force_terminal=False)


def width_of(stream: Any = None) -> int:
    """Return the number of characters in a line of the stream."""
    return console(stream).width


def fit(
    head: Row, rows: Sequence[Row], width: int, *, folds: Collection[int] = (), right: Collection[int] = (),
    least: int = LEAST, styles: Mapping[str, str] = MappingProxyType({}),
) -> Table | None:
    """Return the table within ``width`` characters. Returns None if it does not fit.

    Columns whose indices are in ``folds`` may be wrapped; those in ``right`` are aligned right. ``styles`` maps the
    text of a cell to its style.
    """
    natural = [max(cell_len(line) for line in (name, *cells)) for name, *cells in zip(head, *rows, strict=True)]
    widths = dict(enumerate(natural))
    wordy = sorted(folds, key=lambda i: natural[i])
    room = width - GAP * (len(head) - 1) - sum(n for i, n in widths.items() if i not in wordy)
    if room < sum(min(natural[i], least) for i in wordy) or (not wordy and room < 0):
        return None
    for left, i in zip(range(len(wordy), 0, -1), wordy, strict=True):
        widths[i] = min(natural[i], max(room // left, min(natural[i], least)))
        room -= widths[i]
    table = Table(box=None, pad_edge=False, padding=(0, GAP), header_style="bold", collapse_padding=True)
    for i, name in enumerate(head):
        table.add_column(
            name, justify="right" if i in right else "left", overflow="fold", no_wrap=i not in wordy,
            min_width=widths[i] if i in wordy else None, max_width=widths[i] if i in wordy else None,
        )
    for row in rows:
        table.add_row(*(
            Text(_hanging(cell, widths[i], "" if i in right else "  ") if i in wordy else cell, styles.get(cell, ""))
            for i, cell in enumerate(row)
        ))
    return table


def _hanging(words: str, width: int, indent: str) -> str:
    """Return the words wrapped to ``width``, with a hanging indent."""
    if cell_len(words) <= width:
        return words
    indent += " " * (len(words) - len(words.lstrip()))
    return "\n".join(wrapped(words, max(width, len(indent) + 1), indent))


def wrapped(words: str, width: int, indent: str = "") -> list[str]:
    """Return lines of at most ``width``; a long number or address is broken after a separator.

    ``z = +1.23`` counts as one word.
    """
    lines: list[str] = []
    whole = re.sub(r"z = (?=[+-])", "z\xa0=\xa0", words)
    for line in textwrap.wrap(
        whole, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ):
        rest = line
        while len(rest) > width:
            cut = max(rest.rfind(mark, len(indent), width) for mark in SEPARATORS) + 1 or width
            lines.append(rest[:cut])
            rest = indent + rest[cut:]
        lines.append(rest)
    return [line.replace("\xa0", " ") for line in lines]


def stacked(head: Row, rows: Iterable[Row]) -> list[Text]:
    """Return each row as lines of one cell each, for the narrowest terminals."""
    lines = []
    for first, *others in rows:
        lines.append(Text(first))
        lines += [Text(f"    {name}: {cell}") for name, cell in zip(head[1:], others, strict=True) if cell.strip()]
    return lines


def columns(head: Row, rows: Sequence[Row], kept: Sequence[str]) -> list[list[str]]:
    places = [head.index(name) for name in kept]
    return [[row[i] for i in places] for row in rows]


def put(out: Console, item: RenderableType) -> None:
    """Print a line or a table; long lines are wrapped and indented, but no word is broken."""
    if not isinstance(item, Text) or cell_len(item.plain) <= out.width:
        out.print(item)
    elif out.width == WIDE or max(map(cell_len, item.plain.split())) > out.width - 8:
        out.print(item, soft_wrap=True)
    else:
        margin = " " * min(4 + len(item.plain) - len(item.plain.lstrip()), out.width // 2)
        first, *others = item.wrap(out, out.width - len(margin))
        out.print(first)
        for line in others:
            out.print(Text(margin).append_text(line))


#: The colours of marks.
STYLES = {"ok": "green", "FAILED": "bold red"}


def show(parts: Sequence[Part], stream: Any = None, width: int = WIDE) -> None:
    """Print parts, with control characters in their texts replaced."""
    out = console(stream, width)
    for index, (level, part) in enumerate(walk(parts, 0)):
        if index:
            out.print()
        for words in _title(shown(part.title), out.width):
            out.print(Text(words, style="bold" if level else "bold cyan"), soft_wrap=True)
        for block in part.blocks:
            _block(out, block)


def _title(words: str, width: int) -> list[str]:
    """Return the lines of a title; an id is never broken."""
    return [words] if width == WIDE else textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)


def render(parts: Sequence[Part], width: int = WIDE) -> str:
    """Return parts as plain text in lines of at most ``width``."""
    stream = io.StringIO()
    show(parts, stream, width)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def _block(out: Console, block: Block) -> None:
    """Print a block, indented by two; pictures are omitted, since they repeat tables."""
    if isinstance(block, Words):
        put(out, Text(f"  {shown(block.text)}"))
    elif isinstance(block, Points):
        for n, (name, words) in enumerate(block.items, 1):
            put(out, Text(f"  {f'{n}. ' if block.numbered else ''}{shown(f'{name} {words}'.strip())}"))
    elif isinstance(block, Facts):
        _grid(out, Grid(("", ""), block.rows))
    elif isinstance(block, Grid):
        _grid(out, block)


def _grid(out: Console, grid: Grid) -> None:
    """Print a table with exact values if there is room, otherwise only with decimals, otherwise stacked."""
    folds = range(min(grid.right, len(grid.head)))
    longest = max((len(cell(row[i])) for row in grid.rows for i in folds if i < len(row)), default=0)
    for form in (cell, _brief):
        rows = [[form(c) for c in row] + [""] * (len(grid.head) - len(row)) for row in grid.rows]
        rows = [[shown(c) for c in row] for row in rows]
        exact = {i for row in grid.rows for i, c in enumerate(row) if form(c) != _brief(c)}
        right = [i for i in range(grid.right, len(grid.head)) if i not in exact]
        numbers = [len(word) for row in rows for i in folds for word in row[i].split() if word[0].isdigit()]
        least = max([LEAST, *numbers])
        table = fit(grid.head, rows, out.width - 2, folds=folds, right=right, least=least, styles=STYLES)
        if table is not None and longest <= MOST_LINES * out.width:
            table.show_header = any(grid.head)
            out.print(Padding(table, (0, 0, 0, 2), expand=False))
            return
    for line in stacked(grid.head, rows):
        for words in wrapped(f"  {line.plain}", max(out.width, LEAST), "        "):
            out.print(Text(words), soft_wrap=True)


def _brief(value: Cell) -> str:
    """Return a cell without the exact value behind its figure."""
    return value.shown if isinstance(value, Number) else cell(value)


def listing(
    rows: Iterable[Row], head: Row, stream: Any = None, *, width: int = WIDE, folds: Collection[str] = (),
    drop: Sequence[str] = (), least: int = LEAST,
) -> None:
    """Print a plain aligned list; if it is too wide, the columns in ``drop`` are omitted one by one."""
    out = console(stream, width)
    rows, kept = list(rows), list(head)
    for name in ("", *drop):
        kept = [word for word in kept if word != name]
        indices = [i for i, name in enumerate(kept) if name in folds]
        table = fit(kept, columns(head, rows, kept), out.width, folds=indices, least=least)
        if table is not None:
            out.print(table)
            return
    for line in stacked(head, rows):
        put(out, line)


def paragraphs(items: Iterable[tuple[str, Sequence[str]]], stream: Any = None) -> None:
    """Print a heading and indented lines for each item."""
    out = console(stream)
    for heading, lines in items:
        out.print(Text(heading, style="bold cyan"), soft_wrap=True)
        for line in lines:
            out.print(Text(f"  {line}"), soft_wrap=not out.is_terminal)
