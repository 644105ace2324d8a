"""The report as Markdown, for a repository."""

from __future__ import annotations

from ..views.markdown import safe, table
from . import layout
from .blocks import Blanks, Block, Cell, Facts, Grid, Number, Places, Points, Words, walk
from .model import Report


def render(report: Report) -> str:
    lines = [f"# Certification report: {safe(report.title)}", ""]
    for level, part in walk(layout.parts(report)):
        if part.anchor.endswith("-what-if"):
            continue
        lines += [f"{'#' * min(level, 6)} {safe(part.title)}", ""]
        for block in part.blocks:
            lines += _block(block)
    return "\n".join(lines).rstrip("\n") + "\n"


def _block(block: Block) -> list[str]:
    if isinstance(block, Words):
        return [safe(block.text), ""]
    if isinstance(block, Points):
        return [*(f"- **{safe(name)}**: {safe(words)}" for name, words in block.items), ""]
    if isinstance(block, Facts):
        return [*(f"- {safe(name)}: {safe(cell(value))}" for name, value in block.rows), ""]
    if isinstance(block, Grid):
        return [*table([safe(h) for h in block.head], _padded(block), block.right), ""]
    if isinstance(block, Blanks):
        return [line for name in block.names for line in (f"{safe(name)}: ____________________", "")]
    return []  # plots and the what-if repeat the tables


def _padded(block: Grid) -> list[list[str]]:
    return [[cell(c) for c in row] + [""] * (len(block.head) - len(row)) for row in block.rows]


def cell(value: Cell) -> str:
    if isinstance(value, Places):
        return ", ".join(value.anchors) + (" and so on" if value.more else "")
    if isinstance(value, Number):
        if value.exact.startswith("["):
            return f"{value.shown} {value.exact}"
        return f"{value.shown} = {value.exact}" if value.exact and value.exact != value.shown else value.shown
    return value
