"""Pages on a terminal: aligned, with grouped digits, coloured only on a real terminal, no blanks at the ends of lines.

Numbers and ids are never truncated. A table that does not fit loses its exact values, then columns in a fixed order;
words are wrapped. If that is not enough, rows are stacked.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ..base.safe_text import shown
from .blocks import Block, Cell, Code, Facts, Figure, Figures, Grid, Number, Part, Points, Words, walk
from .markdown import cell

#: The width of output that is not a terminal: nothing is wrapped.
WIDE = 4000
#: The minimum width of wrapped columns of words, and the one for which columns of figures are dropped.
LEAST, ROOMY = 12, 22
#: The minimum width of a value that goes on below itself; otherwise it goes on below its name.
LEAST_BELOW = 40
GAP = 2
#: What the second line of a wrapped text begins with.
HANGING = "  "
#: A table with a cell that would need more lines of the terminal than this is stacked.
MOST_LINES = 2
#: A longer figure is an expression, which may be wrapped, and does not determine the width of its column in a list.
LONGEST_FIGURE = 24
#: A longer exact value that is an expression is left to the other output forms.
LONGEST_EXPRESSION = 300
#: A word that is too long for its column is broken after one of these characters.
SEPARATORS = "/,;_-."
#: The colours of marks.
STYLES = {"ok": "green", "FAILED": "bold red"}

Row = Sequence[str]


class _Console(Console):
    """A console that leaves a closed pipe to `combin.cli.main`; rich would end with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console(stream: Any) -> Console:
    stream = stream or sys.stdout
    if stream.isatty():
        return _Console(file=stream, highlight=False)
    return _Console(file=stream, width=WIDE, no_color=True, highlight=False, force_terminal=False)


def width_of(stream: Any = None) -> int:
    """Return the number of characters in a line of the stream."""
    return _console(stream).width


def show(parts: Sequence[Part], stream: Any = None) -> None:
    """Print parts, with control characters in their texts replaced."""
    out = _console(stream)
    for line in _lines(parts, out.width):
        out.print(line, soft_wrap=True)


def render(parts: Sequence[Part], width: int = WIDE) -> str:
    """Return parts as plain text in lines of at most ``width``."""
    return "".join(f"{line.plain}\n" for line in _lines(parts, width))


def _lines(parts: Sequence[Part], width: int) -> list[Text]:
    lines: list[Text] = []
    for index, (level, part) in enumerate(walk(parts, 0)):
        if index:
            lines.append(Text())
        lines += [Text(words, "bold" if level else "bold cyan") for words in _filled(shown(part.title), width)]
        for block in part.blocks:
            lines += _block(block, width, "  " if part.title else "")
    return lines


def _filled(words: str, width: int, indent: str = "") -> list[str]:
    """Return lines of at most ``width``; no word is broken, and ``=`` and ``%`` stay with their figures."""
    if width == WIDE:
        return [words] if words else []
    whole = re.sub(r"z = (?=[+-])|^ *= | (?=%)", lambda match: match[0].replace(" ", "\xa0"), words)
    lines = textwrap.wrap(whole, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def _block(block: Block, width: int, margin: str) -> list[Text]:
    """Return a block's lines; pictures are omitted, since they repeat tables."""
    if isinstance(block, Grid):
        return _grid(block, width, margin)
    if isinstance(block, Figures):
        return _named([(f.name, _pieces(f)) for f in block.rows], width, margin)
    if isinstance(block, Facts):
        return _named([(name, _pieces(value)) for name, value in block.rows], width, margin)
    if isinstance(block, Code):
        return [Text(f"{margin}  {_indented(line)}") for line in block.text.splitlines()]
    lines = []
    if isinstance(block, Words):
        lines = [block.text]
    elif isinstance(block, Points):
        lines = [f"{f'{n}. ' if block.numbered else ''}{f'{name} {words}'.strip()}"
                 for n, (name, words) in enumerate(block.items, 1)]
    return [Text(line) for words in lines for line in _filled(f"{margin}{shown(words)}", width, f"{margin}{HANGING}")]


def _pieces(value: Figure | Cell) -> tuple[str, ...]:
    """Return one text for words; for a figure also its exact value and its remark, which may be empty."""
    if not isinstance(value, Figure | Number):
        return (shown(cell(value)),)
    beside = value.beside
    if " " in beside and len(beside) > LONGEST_EXPRESSION:
        beside = "see --format json"
    remark = value.remark.removeprefix(", ") if isinstance(value, Figure) else ""
    return shown(value.shown), f"= {shown(beside)}" if beside else "", shown(remark)


def _named(rows: Sequence[tuple[str, tuple[str, ...]]], width: int, margin: str) -> list[Text]:
    """Return names and values; what does not fit on a line follows below the value."""
    names = max((n for name, _ in rows if (n := cell_len(name)) <= width * 3 // 5), default=0)
    figures = max((n for _, pieces in rows if pieces[1:] and (n := cell_len(pieces[0])) <= LONGEST_FIGURE), default=0)
    lines = []
    for name, (value, *others) in rows:
        texts = [f"{margin}{_padded(_indented(name), names)}"]
        for piece in (_padded(value, figures, right=True) if others else value, *filter(None, others)):
            begin = " " * (len(margin) + names + GAP)
            if width - len(begin) < max([LEAST_BELOW, *map(cell_len, piece.split())]):
                begin = f"{margin}    "
            line = f"{texts[-1]}{' ' * GAP}{piece}"
            if cell_len(line) <= width or not others:
                texts[-1] = line
            else:
                texts.append(f"{begin}{piece.lstrip()}")
        first, *more = (Text(line.rstrip()) for text in texts for line in _filled(text, width, begin))
        first.stylize("dim", 0, len(margin) + len(name))
        lines += [first, *more]
    return lines


def _indented(words: str) -> str:
    """Return words safely shown, with the blanks at their beginning."""
    return " " * (len(words) - len(words.lstrip())) + shown(words)


def _padded(words: str, width: int, right: bool = False) -> str:
    blanks = " " * (width - cell_len(words))
    return blanks + words if right else words + blanks


def _grid(grid: Grid, width: int, margin: str) -> list[Text]:
    """Return a table with exact values if there is room, otherwise only with decimals, with fewer columns, stacked."""
    room = width - len(margin)
    cells = [[*row, *[""] * (len(grid.head) - len(row))] for row in grid.rows]
    brief = [[shown(c.shown if isinstance(c, Number) else cell(c)) for c in row] for row in cells]
    most = [max((cell_len(row[i]) for row in brief), default=0) for i in range(len(grid.head))]
    exact = [[" " * (most[i] - cell_len(b)) + full if i >= grid.right and full != b else full
              for i, (b, full) in enumerate(zip(row, (shown(cell(c)) for c in wide), strict=True))]
             for row, wide in zip(brief, cells, strict=True)]
    kept = [i for i in range(len(grid.head)) if not cells or any(row[i] for row in exact)]
    words = [row[i] for row in exact for i in kept if i < grid.right]
    if max(map(cell_len, words), default=0) <= MOST_LINES * width:
        last = len(grid.drops)
        for rows, dropped in ((exact, 0), *((brief, n) for n in range(last + 1))):
            columns = [i for i in kept if grid.head[i] not in grid.drops[:dropped]]
            long = {i for i in columns if any(full[i] != row[i] for full, row in zip(rows, brief, strict=True))}
            widths = _widths(grid, rows, columns, long, room, ROOMY if dropped < last else LEAST)
            if widths is not None:
                return _table(grid, rows, widths, long, margin)
    lines = []
    for row in brief:
        lines.append(f"{margin}{row[0]}")
        lines += [f"{margin}    {grid.head[i]}: {row[i]}" for i in kept if i and row[i].strip()]
    return [Text(line) for words in lines for line in _filled(words, max(width, LEAST), f"{margin}        ")]


def _widths(
    grid: Grid, rows: Sequence[Row], columns: Sequence[int], long: Collection[int], room: int, least: int
) -> dict[int, int] | None:
    """Return the widths of some columns of a table in ``room`` characters. Returns None if they do not fit.

    Names of columns and words are wrapped, words not below ``least``, and so are expressions among the figures.
    Columns in ``long`` have exact values.
    """
    natural, leasts = {}, {}
    for i in columns:
        cells = [row[i] for row in rows]
        natural[i] = max(map(cell_len, (grid.head[i], *cells)))
        wordy = i < grid.right or (i not in long and natural[i] > LONGEST_FIGURE)
        if wordy and any(" " in words for words in cells):
            whole = (word for words in cells for word in words.split()
                     if word[0].isdigit() or not any(mark in word for mark in SEPARATORS))
            leasts[i] = min(natural[i], max([least, *(cell_len(word) + len(HANGING) for word in whole)]))
        else:
            leasts[i] = max(map(cell_len, (*grid.head[i].split(), *cells)), default=0)
    room -= GAP * (len(columns) - 1) + sum(leasts.values())
    if room < 0:
        return None
    widths = dict(leasts)
    by_need = sorted(columns, key=lambda i: natural[i] - leasts[i])
    for left, i in zip(range(len(columns), 0, -1), by_need, strict=True):
        widths[i] += (more := min(natural[i] - leasts[i], room // left))
        room -= more
    return widths


def _table(
    grid: Grid, rows: Sequence[Row], widths: Mapping[int, int], long: Collection[int], margin: str
) -> list[Text]:
    """Return the lines of a table; figures are aligned right unless their column has exact values."""
    lines = []
    for index, row in enumerate([grid.head, *rows] if any(grid.head) else rows, 0 if any(grid.head) else 1):
        right = [i >= grid.right and i not in long for i in widths]
        folded = [_hanging(row[i], widths[i], "" if aligned else HANGING)
                  for i, aligned in zip(widths, right, strict=True)]
        for pieces in zip_longest(*folded, fillvalue=""):
            cells = list(map(_padded, pieces, widths.values(), right))
            line = Text(f"{margin}{(' ' * GAP).join(cells)}".rstrip(), "" if index else "bold")
            for column, words in enumerate(pieces):
                if index and words in STYLES:
                    begin = len(margin) + sum(len(cell) + GAP for cell in cells[:column])
                    line.stylize(STYLES[words], begin, begin + len(words))
            lines.append(line)
    return lines


def _hanging(words: str, width: int, indent: str) -> list[str]:
    """Return the words in lines of at most ``width``, with a hanging indent.

    A long number or address is broken after a separator.
    """
    if cell_len(words) <= width:
        return [words]
    indent += " " * (len(words) - len(words.lstrip()))
    width = max(width, len(indent) + 1)
    lines: list[str] = []
    for line in _filled(words, width, indent):
        rest = line
        while len(rest) > width:
            cut = max(rest.rfind(mark, len(indent), width) for mark in SEPARATORS) + 1 or width
            lines.append(rest[:cut])
            rest = indent + rest[cut:]
        lines.append(rest)
    return lines
