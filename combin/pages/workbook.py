"""A page in a workbook: the formats of its cells, tables, and blocks one below the other.

Every text is written as a string cell, so that no name can become a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from ..base.exact import Exact, is_number
from .blocks import Block, Code, Facts, Figures, Grid, Points, Words
from .markdown import cell


def styles_of(book: Any) -> dict[str, Any]:
    # A figure too wide for its column is shrunk, not replaced by signs.
    figure = {"align": "right", "valign": "top", "shrink": True}
    return {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        "head_right": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top",
                                       "align": "right"}),
        "text": book.add_format({"num_format": "@", "valign": "top"}),
        "soft": book.add_format({"font_color": "#5d6865", "valign": "top"}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
        "exact": book.add_format({"text_wrap": True, "valign": "top", "align": "left", "indent": 1, "num_format": "@"}),
        "head_exact": book.add_format({"bold": True, "bottom": 1, "valign": "top", "align": "left", "indent": 1}),
        "right": book.add_format({**figure, "num_format": "@"}),
        "count": book.add_format({**figure, "num_format": "#,##0"}),
        "pay": book.add_format({**figure, "num_format": "#,##0.######", "font_color": "#1f3fbf",
                                "bg_color": "#eef2fb"}),
        "number": book.add_format({**figure, "num_format": "#,##0.######"}),
        "chance": book.add_format({**figure, "num_format": "0.000000000000"}),
        "percent": book.add_format({**figure, "num_format": "0.0000%"}),
        "total": book.add_format({**figure, "bold": True, "top": 1, "num_format": "0.000000000000"}),
        "total_count": book.add_format({**figure, "bold": True, "top": 1, "num_format": "#,##0"}),
        "bold": book.add_format({"bold": True, "valign": "top"}),
    }


def height(texts: Iterable[tuple[str, float]]) -> float:
    """Return the height of a row of wrapped texts in columns of these widths: not every program computes it."""
    lines = max((len(wrap(words, max(1, int(width * 0.95)))) for words, width in texts), default=1)
    return float(min(15 * max(1, lines), 405))


def figure(sheet: Any, row: int, column: int, value: Exact | None, styles: dict[str, Any], style: str) -> None:
    if value is None:
        return
    if is_number(value):
        sheet.write_number(row, column, float(value), styles[style])
    else:
        sheet.write_string(row, column, "open", styles["wrap"])


def table(sheet: Any, styles: dict[str, Any], widths: Sequence[int], head: Sequence[str],
           rows: Iterable[Sequence[str | Fraction | Any]], none: str = "") -> None:
    for column, (width, words) in enumerate(zip(widths, head, strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, words, styles["head"])
    row = 0
    for row, values in enumerate(rows, 1):
        for column, value in enumerate(values):
            if isinstance(value, str):
                sheet.write_string(row, column, value, styles["wrap"])
            else:
                figure(sheet, row, column, value, styles, "percent")
        sheet.set_row(row, height((v, w) for v, w in zip(values, widths, strict=True) if isinstance(v, str)))
    if not row:
        sheet.write_string(1, 0, none, styles["wrap"])
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)


def blocks(sheet: Any, styles: dict[str, Any], widths: Sequence[int], of: Iterable[Block]) -> None:
    """Write words, facts and tables of the report, one below the other."""
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    rows: list[tuple[str, list[str]]] = []
    for block in of:
        if isinstance(block, Figures):
            block = block.grid
        if isinstance(block, Words):
            rows.append(("soft" if " " in block.text else "bold", [block.text]))
        elif isinstance(block, Code):
            rows += [("soft", [line]) for line in block.text.splitlines()]
        elif isinstance(block, Points):
            rows += [("soft", [f"{name} {words}".strip()]) for name, words in block.items]
        elif isinstance(block, Facts | Grid):
            rows += [("head", list(block.head))] if isinstance(block, Grid) else []
            rows += [("wrap", list(map(cell, values))) for values in block.rows]
    for row, (style, texts) in enumerate(rows):
        for column, words in enumerate(texts):
            sheet.write_string(row, column, words, styles[style])
        if style == "wrap":
            sheet.set_row(row, height(zip(texts, widths, strict=False)))
