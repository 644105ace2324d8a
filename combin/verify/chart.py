"""An independent reader of a playing chart: from its text to the play for each total."""

from __future__ import annotations

import tomllib

#: The index in a row of the letter for an upcard of this value (1 is an ace).
COLUMN = {value: (value - 2) % 10 for value in range(1, 11)}

#: (soft, total, upcard) with H, S, D (double, otherwise hit) or Ds (double, otherwise stand).
Letters = tuple[tuple[tuple[bool, int, int], str], ...]


def letters(text: str) -> Letters:
    """Return the plays of a chart from the text of its file."""
    data = tomllib.loads(text)
    plays: dict[tuple[bool, int, int], str] = {}
    for soft in (False, True):
        for label, row in data["soft" if soft else "hard"].items():
            for total in _totals(label.split(), 12 if soft else 4):
                for upcard, column in COLUMN.items():
                    plays[soft, total, upcard] = row.split()[column]
    return tuple(sorted(plays.items()))


def _totals(words: list[str], least: int) -> range:
    """Return the totals of a label: "13 to 16", "15 and 16", "17 and more", "8 and less", "12"."""
    if words[-1] == "more":
        return range(int(words[0]), 22)
    if words[-1] == "less":
        return range(least, int(words[0]) + 1)
    return range(int(words[0]), int(words[-1]) + 1)
