"""The complete best play of a base game as a table, so that others can play it and settle it independently.

    best_play(combin.analyze("maryland/high-card-flush/base/A")).csv()

Each game lists the classes of hands that its solution distinguishes, with the best decision.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..analysis.model import Analysis
from ..base.csv_text import csv_text
from ..base.documents import schema
from ..base.errors import fault
from .strategy import game_of


@dataclass(frozen=True)
class BestPlay:
    """The decisions as rows of texts, with the remarks needed to follow them."""

    analysis: Analysis
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...]

    def csv(self) -> str:
        return csv_text([self.head, *self.rows])

    def json(self) -> str:
        """Return JSON with one row per line, byte-identical each time."""
        a = self.analysis
        head = {"schema": schema("best-play"), "id": a.id, "decks": a.decks,
                "readings": dict(a.readings), "remarks": self.remarks, "columns": self.head}
        rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in self.rows)
        return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n{rows}\n]}}\n'


def best_play(a: Analysis) -> BestPlay:
    """Return the best play of a base game. Raises `InputError` if its solution stores no list of hands."""
    module = game_of(a.book, a.id).module("strategy")
    if not hasattr(module, "best_play"):
        raise fault(f"the solution of {a.id} stores no list of hands", "use combin strategy with --hand for one hand",
                    file="best play")
    head, rows, remarks = module.best_play(a)
    return BestPlay(a, head, tuple(rows), remarks)
