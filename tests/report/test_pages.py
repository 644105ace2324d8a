"""The layout of reports on the screen and on paper."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from combin.pages import html, pdf
from combin.pages.blocks import Grid, Number
from combin.report.layout import page as page_of

from .reports import FLUSH, report_on


def test_words_of_a_table_keep_their_lines() -> None:
    """The ranks of a hand and short words stay on one line; a whole number beside a decimal is no long fraction."""
    assert html.cell("from K-2, 5-4-3-2") == (
        'from <span class="w">K-2</span>, <span class="w">5-4-3-2</span>')
    assert html.cell("three-card flush, 10-11 A-Z") == "three-card flush, 10-11 A-Z"
    assert html.cell(Number("0.0000 %", "0")) == '0.0000\u00a0% <span class="x">0</span>'
    street, hands, words = "3x, hole cards", "6-5-4-3-2 to A-K-Q-J-T", "no suited pair on the board is higher"
    assert pdf._columns(Grid(("street", "hands", "given"), ((street, hands, words),), right=9)) == "(auto, auto, 3fr,)"
    assert pdf._columns(Grid(("2", "3"), (("S", "Ds"),), right=9)) == "(1fr, 1fr,)"


def test_a_table_of_many_figures_is_set_small() -> None:
    """Figures that fill the line would leave its words a column of no width."""
    words = ("3x, dealer does not qualify", "1 to 1")
    few = Grid(("outcome", "pays", "combinations"), ((*words, "9,738,210,139,632"),), right=2)
    many = Grid(("outcome", "pays", *"abcd"), ((*words, *("277,093,724.6579 to 1",) * 4),), right=2)
    assert ["8.5pt" in pdf._block(grid) for grid in (few, many)] == [True, False]
    # A short table stays on one page, a long one is broken.
    assert pdf._block(few).startswith("#block(breakable: false")
    assert pdf._block(replace(few, rows=few.rows * 11)).startswith("#sheet(")


def test_what_introduces_a_table_stays_with_it() -> None:
    source = pdf.source(page_of(report_on(FLUSH)))
    leads = [line for line, after in pairwise(source.split("\n")) if after.startswith("#sheet(")
             and line.startswith(("#words(", "#lead("))]
    assert leads
    assert all(line.startswith("#lead(") for line in leads)


def test_what_is_signed_stands_on_the_page_of_the_signature() -> None:
    inside = pdf.source(page_of(report_on(FLUSH))).split("#block(breakable: false)[")[1].split("\n]")[0]
    for part in ('"Signature"', "#words(", "#blanks("):
        assert part in inside
