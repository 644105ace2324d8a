"""One section for several numbers of decks: equal figures appear once, others have a column for each.

`merged` joins the parts that `layout` makes for each number of decks. It handles blocks and computes no figures.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from ..pages.blocks import Band, Bars, Block, Cell, Facts, Grid, Letters, Number, Part, Points, StraightLine, Words

K = TypeVar("K", bound=Hashable)
#: With more numbers of decks than this, the columns have room only for decimals.
MOST_FRACTIONS = 2
#: A longer text does not fit a column; it gets a table with a row for each number of decks.
MOST_LETTERS = 24
#: A table with more differing columns than this, such as a chart of play, is given whole for each number of decks.
MOST_COLUMNS = 5


def merged(title: str, names: Sequence[str], parts: Sequence[Part]) -> Part:
    """Return parts of the same anchor, one for each of ``names`` ("6 decks", "8 decks"), as one part."""
    anchors = _union([p.anchor for p in part.parts] for part in parts)
    inner: list[Part] = []
    for anchor in anchors:
        members = [(name, p) for name, part in zip(names, parts, strict=True) for p in part.parts if p.anchor == anchor]
        same_title = len({p.title for _, p in members}) == 1
        if len(members) == len(names) and same_title and not any(p.is_tool for _, p in members):
            inner.append(merged(members[0][1].title, names, [p for _, p in members]))
        else:
            inner += [_named(p, name) for name, p in members]
    return Part(title, parts[0].anchor, tuple(_blocks(names, [p.blocks for p in parts])), tuple(inner))


def _named(part: Part, name: str) -> Part:
    """Return a part for one number of decks, with anchors that are unique to it."""
    def apart(p: Part) -> Part:
        return replace(p, anchor=f"{p.anchor}-{name.replace(' ', '-')}", parts=tuple(map(apart, p.parts)))

    return replace(apart(part), title=f"{part.title}: {name}")


def _union(orders: Iterable[Sequence[K]]) -> list[K]:
    """Return every item of the orders; an item missing from the first order follows its predecessor."""
    union: list[K] = []
    for order in orders:
        index = 0
        for item in order:
            if item in union:
                index = union.index(item) + 1
            else:
                union.insert(index, item)
                index += 1
    return union


def _blocks(names: Sequence[str], members: Sequence[tuple[Block, ...]]) -> list[Block]:
    if len({tuple(map(type, blocks)) for blocks in members}) > 1:
        # The kinds of blocks differ, so that they cannot be merged one by one.
        return [b for name, blocks in zip(names, members, strict=True) for b in (Words(f"With {name}:"), *blocks)]
    return [b for blocks in zip(*members, strict=True) for b in _block(names, blocks)]


def _block(names: Sequence[str], members: Sequence[Block]) -> list[Block]:
    first = members[0]
    if all(m == first for m in members):
        return [first]
    if isinstance(first, Facts):
        return _facts(names, [m.rows for m in members if isinstance(m, Facts)])
    if isinstance(first, Grid):
        return _grid(names, [m for m in members if isinstance(m, Grid)])
    if isinstance(first, Words):
        return [Points(tuple((f"{n}:", m.text) for n, m in zip(names, members, strict=True) if isinstance(m, Words)))]
    if isinstance(first, Points):
        return [replace(first, items=_points(names, [m.items for m in members if isinstance(m, Points)]))]
    if isinstance(first, Bars | Band | StraightLine):  # a picture repeats the tables: one number of decks is enough
        return [replace(first, title=f"{first.title}, {names[0]}")]
    return [replace(m, title=f"{m.title}, {n}") for n, m in zip(names, members, strict=True) if isinstance(m, Letters)]


def _points(
    names: Sequence[str], members: Sequence[tuple[tuple[str, str], ...]]
) -> tuple[tuple[str, str], ...]:
    points = []
    for item in _union(members):
        where = [n for n, items in zip(names, members, strict=True) if item in items]
        name = item[0] if len(where) == len(names) else f"{', '.join(where)}: {item[0]}"
        points.append((name, item[1]))
    return tuple(points)


def _facts(names: Sequence[str], members: Sequence[tuple[tuple[str, Cell], ...]]) -> list[Block]:
    tables = [dict(rows) for rows in members]
    if any(len(t) < len(rows) for t, rows in zip(tables, members, strict=True)):  # a name is repeated
        return [b for n, rows in zip(names, members, strict=True) for b in (Words(f"With {n}:"), Facts(rows))]
    same: list[tuple[str, Cell]] = []
    apart: list[tuple[Cell, ...]] = []
    long: list[Block] = []
    for name in _union(list(t) for t in tables):
        values = [t.get(name, "") for t in tables]
        if all(v == values[0] for v in values):
            same.append((name, values[0]))
        elif any(len(_shown(v)) > MOST_LETTERS for v in values):
            long.append(Grid(("decks", name), tuple((n, v) for n, v in zip(names, values, strict=True) if v)))
        else:
            apart.append((name, *values))
    table = Grid(("figure", *names), tuple(apart), narrow=len(names) > MOST_FRACTIONS)
    return [*([Facts(tuple(same))] if same else []), *([table] if apart else []), *long]


def _shown(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell.shown if isinstance(cell, Number) else ""


def _grid(names: Sequence[str], grids: Sequence[Grid]) -> list[Block]:
    """Return a table for each column that differs; the first also has the equal columns."""
    first = grids[0]
    width = len(first.head)
    rows = [[_filled(row, width) for row in g.rows] for g in grids]
    keys = [[row[0] for row in member] for member in rows]
    if len({g.head for g in grids}) == 1 and all(k == keys[0] for k in keys):
        columns = [[[row[c] for row in member] for member in rows] for c in range(width)]
        differ = [c for c in range(width) if any(m != columns[c][0] for m in columns[c])]
        if len(differ) <= MOST_COLUMNS:
            same = [c for c in range(width) if c not in differ]
            return [b for n, c in enumerate(differ)
                    for b in (Words(f"{first.head[c].capitalize()}, by the number of decks:"),
                              _columns(names, first, columns, same if n == 0 else [0], c))]
    return [b for n, g in zip(names, grids, strict=True) for b in (Words(f"With {n}:"), g)]


def _filled(row: tuple[Cell, ...], width: int) -> tuple[Cell, ...]:
    return (*row, *("",) * (width - len(row)))


def _columns(names: Sequence[str], grid: Grid, columns: Sequence[Sequence[Sequence[Cell]]], same: Sequence[int],
             differs: int) -> Grid:
    """Return the equal columns and one column for each of ``names``, without rows that have no figure."""
    head = [*(grid.head[c] for c in same), *names]
    cells = [*(columns[c][0] for c in same), *columns[differs]]
    words = sum(c < grid.right for c in same)
    right = words if differs >= grid.right else len(head)
    rows = tuple(row for row in zip(*cells, strict=True) if any(row[1:]))
    last = grid.last and rows[-1][0] == grid.rows[-1][0]
    return replace(grid, head=tuple(head), rows=rows, right=right, last=last, narrow=len(names) > MOST_FRACTIONS)
