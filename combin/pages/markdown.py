"""A page as Markdown, for a repository."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ..base.safe_text import shown
from .blocks import Blanks, Block, Cell, Code, Facts, Figures, Grid, Number, Page, Part, Places, Points, Words, walk


def safe(words: str) -> str:
    """Return text with escapes, so that Markdown shows it unchanged."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", shown(words))


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: int | Collection[int] = 1, *, escape: bool = True
) -> list[str]:
    """Return a table; columns whose indices are in ``right``, or not less than it, are aligned right.

    With ``escape``, the cells are plain text.
    """
    aligned = range(right, len(head)) if isinstance(right, int) else right
    marks = ["---:" if i in aligned else "---" for i in range(len(head))]
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(marks) + "|"]
    return lines + ["| " + " | ".join(safe(c) if escape else c for c in row) + " |" for row in rows]


def render(page: Page) -> str:
    """Return the page as Markdown, its title as the first heading."""
    carried = "\n<!-- combin report: {} -->\n".format(page.request.replace("--", "-\\u002d")) if page.request else ""
    return f"# {safe(page.full_title)}\n\n{of_parts(page.parts)}{carried}"


def of_parts(of: Sequence[Part], level: int = 2) -> str:
    """Return parts as Markdown, the first heading at ``level``."""
    lines: list[str] = []
    parts = [(level, part) for level, part in walk(of, level) if not part.is_tool]
    titles = {part.anchor: part.title for _, part in parts}
    pointed = {a for _, part in parts for b in part.blocks if isinstance(b, Grid)
               for row in b.rows for c in row if isinstance(c, Places) for a in c.anchors}
    for level, part in parts:
        if part.anchor in pointed:
            lines += [f'<a id="{part.anchor}"></a>', ""]
        lines += [f"{'#' * min(level, 6)} {safe(part.title)}", ""] if part.title else []
        for block in part.blocks:
            lines += _block(block, titles)
    return "\n".join(lines).rstrip("\n") + "\n"


def _block(block: Block, titles: Mapping[str, str]) -> list[str]:
    if isinstance(block, Words):
        return [safe(block.text), ""]
    if isinstance(block, Code):
        return ["```toml", block.text.strip("\n"), "```", ""]
    if isinstance(block, Points):
        return [*(f"{f'{n}.' if block.numbered else '-'} {_name(name)}{safe(words)}"
                  for n, (name, words) in enumerate(block.items, 1)), ""]
    if isinstance(block, Facts):
        return [*(f"- {safe(name)}: {safe(cell(value))}" for name, value in block.rows), ""]
    if isinstance(block, Figures):
        block = block.grid
    if isinstance(block, Grid):
        head, right = [safe(h) for h in block.head], block.right
        return [*table(head, [[_linked(c, titles) for c in row] for row in _padded(block)], right, escape=False), ""]
    if isinstance(block, Blanks):
        return [line for name in block.names for line in (f"{safe(name)}: ____________________", "")]
    return []  # plots and the what-if only repeat the tables


def _name(name: str) -> str:
    """Return the heading words of a sentence; they may end in a punctuation mark."""
    return f"**{safe(name)}**{'' if name.endswith(('.', ':')) else ':'} " if name else ""


def _padded(block: Grid) -> list[list[Cell]]:
    return [[*row, *[""] * (len(block.head) - len(row))] for row in block.rows]


def _linked(value: Cell, titles: Mapping[str, str]) -> str:
    """Return a cell in Markdown, with links to existing parts."""
    if not isinstance(value, Places):
        return safe(cell(value))
    links = (f"[{safe(titles[a])}](#{a})" if a in titles else safe(a) for a in value.anchors)
    return ", ".join(links) + (" and so on" if value.more else "")


def cell(value: Cell) -> str:
    """Return a cell as plain text: a decimal with its exact value."""
    if isinstance(value, Places):
        return ", ".join(value.anchors) + (" and so on" if value.more else "")
    if isinstance(value, Number):
        if value.in_appendix:
            return f"{value.shown} {value.exact}"
        return f"{value.shown} = {value.beside}" if value.beside else value.shown
    return value if isinstance(value, str) else value.shown
