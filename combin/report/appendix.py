"""The appendix of long exact values, so that the text has decimals and no column breaks a number."""

from __future__ import annotations

import re
from dataclasses import replace

from ..pages.blocks import Block, Cell, Facts, Grid, Number, Part, Words

#: A fraction whose numerator or denominator has more digits than this goes to the appendix.
MOST_DIGITS = 12
_LONG = re.compile(rf"\d{{{MOST_DIGITS + 1},}}")


def moved(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts without long fractions, and an appendix of them before the identity."""
    seen: dict[str, str] = {}
    shortened = tuple(_part(p, p.title, seen) for p in parts)
    if not seen:
        return shortened
    rows = tuple((name, exact) for exact, name in seen.items())
    last = Part("Appendix: exact fractions", "appendix", (
        Words(f"The exact values of those decimals in the text whose fractions have more than {MOST_DIGITS} digits or "
              "are in a table of many columns. [n] in the text refers to row n."),
        Grid(("n", "exact value"), rows, right=9)))
    index = next((i for i, p in enumerate(shortened) if p.anchor == "identity"), len(shortened))
    return (*shortened[:index], last, *shortened[index:])


def _part(part: Part, title: str, seen: dict[str, str]) -> Part:
    return replace(part, blocks=tuple(_block(b, seen) for b in part.blocks),
                   parts=tuple(_part(p, title, seen) for p in part.parts))


def _block(block: Block, seen: dict[str, str]) -> Block:
    if isinstance(block, Facts):
        return replace(block, rows=tuple((name, _cell(value, seen)) for name, value in block.rows))
    if isinstance(block, Grid):
        return replace(block, rows=tuple(tuple(_cell(c, seen, block.narrow) for c in row) for row in block.rows))
    return block


def _cell(cell: Cell, seen: dict[str, str], narrow: bool = False) -> Cell:
    if not isinstance(cell, Number) or cell.shown == cell.exact:
        return cell
    if not (is_long(cell.exact) or (narrow and "/" in cell.exact)):
        return cell
    return replace(cell, exact=f"[{seen.setdefault(cell.exact, str(len(seen) + 1))}]", in_appendix=True)


def is_long(exact: str) -> bool:
    """Return whether an integer in a fraction or in an expression has more than `MOST_DIGITS` digits."""
    return "/" in exact and _LONG.search(exact) is not None
