"""Rows as the text of a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Return rows as CSV, lines ended by ``\n``."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
