"""Pages of changes: paytables side by side, and what changed since an earlier state."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.exact import decks, grouped, is_number
from ..pages.blocks import Block, Facts, Grid, Number, Part, Points, Words
from .cells import behind, cell, chance, change, difference, of_text, share, value_text
from .model import Comparison, Since


def side_by_side(comparisons: Sequence[Comparison]) -> Part:
    """Return a table of all pairs: the returns, their change, and the number of lines whose pays differ."""
    rows = []
    for c in comparisons:
        returned = c.figures[0]
        ends = [share(v) if v is not None and is_number(v) else "open" for v in (returned.before, returned.after)]
        known = returned.change is not None and is_number(returned.change)
        rows.append((c.before, c.after, str(c.unlike), *ends, change(returned.change) if known else ""))
    return Part("Paytables side by side", "side-by-side", (
        Grid(("before", "after", "lines that differ", "return before", "after", "change"), tuple(rows), right=2,
             links=tuple(f"comparison-{n}" for n in range(1, len(comparisons) + 1))),))


def comparison(c: Comparison, number: int) -> Part:
    pays = tuple(
        (line.outcome, line.pays[0] or "not paid", line.pays[1] or "not paid",
         *("" if p is None else chance(p) for p in line.probability),
         change(line.change))
        for line in c.lines
    )
    figures = tuple(
        (f.name, *("" if v is None else Number(value_text(v), behind(f, v)) for v in (f.before, f.after)),
         "" if f.change is None else Number(difference(f.change), behind(f, f.change)))
        for f in c.figures
    )
    return Part(f"Comparison: {c.before} and {c.after}", f"comparison-{number}", (
        Facts((("before", c.before), ("after", c.after), *((("how paired", c.how),) if c.how else ()))),
        Grid(("outcome", "pays before", "after", "probability before", "after", "change of the return"), pays),
        Grid(("figure", "before", "after", "change"), figures)))


def since(changes: Since) -> Part:
    """Return what changed since an earlier state, with a part for each changed paytable."""
    inner = []
    for n, detail in enumerate(changes.changes, 1):
        c = detail.change
        blocks: list[Block] = [] if detail.why else [Words(f"{c.line()}.")]
        if detail.why:
            blocks += [Words("Causes:"), Points(tuple(("", words) for words in detail.why))]
        if c.change and detail.by_pays is not None:
            blocks.append(Facts((
                ("change of the return", change(c.change)),
                ("due to pays, at the earlier probabilities", change(detail.by_pays)),
                ("due to probabilities: rules, readings, values, program", change(c.change - detail.by_pays)))))
        if detail.figures:
            blocks.append(Grid(("figure", "before", "now", "change"), tuple(
                (f.name, *(grouped(int(w)) if w.isdigit() else of_text(w) for w in (f.before, f.after)),
                 cell(f.change, difference)) for f in detail.figures)))
        inner.append(Part(f"{c.id}, {decks(c.decks)}", f"since-{n}", tuple(blocks)))
    number = len(changes.changes)
    subject = "1 paytable is" if number == 1 else f"{number} paytables are"
    return Part(f"Changes since {changes.name}", "since", (
        Words(f"Compared with {changes.name} (combin {changes.version}): {subject} changed, new or removed; "
              f"{changes.same} unchanged in every figure."),), tuple(inner))
