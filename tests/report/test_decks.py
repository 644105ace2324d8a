"""One section for several numbers of decks: a column for each, and what is the same once."""

from __future__ import annotations

import io
from math import comb

import openpyxl

from combin.base.exact import grouped
from combin.pages.blocks import Bars, Facts, Grid, Letters, Part, Points, Words, walk
from combin.report import render
from combin.report.beside import merged
from combin.report.identity import ReportRequest
from combin.report.layout import page as page_of
from combin.report.make import Files, make
from combin.report.model import Report

from .reports import LADIES

SEVERAL = (2, 6, 8)


def report_on(*patterns: str) -> Report:
    return make(ReportRequest(patterns, SEVERAL, quick=True), Files(patterns))[0]


def test_one_section_has_a_column_for_each_number_of_decks() -> None:
    report = report_on(LADIES)
    laid = [part for part in page_of(report).parts if part.anchor.startswith("paytable-")]
    assert [p.anchor for p in laid] == ["paytable-1"]
    assert laid[0].title == "Lucky Ladies Twenty Point Bonus, paytable A, 2, 6 and 8 decks"
    known = {p.anchor: p for _, p in walk(laid)}
    assert len(known) == len(walk(laid))  # no two places of one name
    grids = [b for b in known["paytable-1-paytable"].blocks if isinstance(b, Grid)]
    counts = {row[0]: row[2:] for row in grids[0].rows}
    # Two queens of hearts of so many in the shoe, no dealer blackjack: by hand from the binomials.
    for n, cell in zip(SEVERAL, counts["queen of hearts pair"], strict=True):
        rest = 52 * n - 2
        blackjacks = 4 * n * (16 * n - 2)
        assert cell == grouped(comb(n, 2) * (comb(rest, 2) - blackjacks))
    assert counts["all"] == tuple(grouped(comb(52 * n, 2) * comb(52 * n - 2, 2)) for n in SEVERAL)
    assert grids[0].head == ("outcome", "payout odds", "2 decks", "6 decks", "8 decks")
    assert [g.head for g in grids[1:]] == [("outcome", "2 decks", "6 decks", "8 decks")] * 4
    assert "decks" not in {name for b in laid[0].blocks if isinstance(b, Facts) for name, _ in b.rows}
    # What is the same stands once.
    conditions = [b for b in known["paytable-1-outcomes"].blocks if isinstance(b, Grid)]
    assert [g.head for g in conditions] == [("outcome", "condition")]
    figures = next(b for b in known["paytable-1-figures"].blocks if isinstance(b, Grid))
    assert {row[0] for row in figures.rows} >= {"return to player", "house edge", "hit frequency",
                                                "volatility index (95 %)"}


def test_the_sections_of_json_are_as_they_were() -> None:
    report = report_on(LADIES, "maryland/blackjack/lucky-lucky/A")
    assert [(s.analysis.decks, s.anchor) for s in report.sections] == [
        *((n, "paytable-1") for n in SEVERAL), *((n, "paytable-2") for n in SEVERAL)]
    assert [len(group) for group in report.groups] == [3, 3]
    page = render(report, "html").decode()
    assert page.count('id="paytable-1"') == page.count('id="paytable-2"') == 1
    # The what-if edits the pays at one number of decks.
    assert page.count('<script type="application/json" class="what-if">') == 6


def test_the_workbook_has_a_column_for_each_number_of_decks() -> None:
    book = openpyxl.load_workbook(io.BytesIO(render(report_on(LADIES), "xlsx")))
    values = openpyxl.load_workbook(io.BytesIO(render(report_on(LADIES), "xlsx")), data_only=True)
    rows = {row[0].value: row for row in book["By decks"].iter_rows() if row[0].value}
    for column in range(1, 4):
        cell = rows["combinations: any 20"][column]
        sheet, _, place = str(cell.value).removeprefix("=").rpartition("!")
        held = values[sheet.strip("'")][place.replace("$", "")]
        assert values["By decks"][cell.coordinate].value == held.value
        assert values[sheet.strip("'")][f"A{held.row}"].value == "any 20"
    one = make(ReportRequest((LADIES,), (6,), quick=True), Files((LADIES,)))[0]
    assert "By decks" not in openpyxl.load_workbook(io.BytesIO(render(one, "xlsx"))).sheetnames


def test_blocks_that_do_not_line_up_stand_whole_for_each_number_of_decks() -> None:
    def part(*blocks: object, more: tuple[Part, ...] = ()) -> Part:
        return Part("t", "p", blocks, more)  # type: ignore[arg-type]

    names = ("6 decks", "8 decks")
    chart = tuple(Grid(("total", *"234567"), (("9", *letters),), 1) for letters in ("HHDDDD", "DDHHHH"))
    found = merged("t", names, [part(g) for g in chart])
    assert found.blocks == (Words("With 6 decks:"), chart[0], Words("With 8 decks:"), chart[1])
    rows = tuple(Grid(("card", "change"), tuple((c, "1") for c in cards)) for cards in (("A", "K"), ("A",)))
    assert [type(b) for b in merged("t", names, [part(g) for g in rows]).blocks] == [Words, Grid, Words, Grid]
    assert merged("t", names, [part(Words("a")), part(Words("b"))]).blocks == (
        Points((("6 decks:", "a"), ("8 decks:", "b"))),)
    kinds = merged("t", names, [part(Words("a")), part(Facts((("x", "1"),)))])
    assert kinds.blocks == (Words("With 6 decks:"), Words("a"), Words("With 8 decks:"), Facts((("x", "1"),)))
    bars = [part(Bars("b", (("x", n),))) for n in (1, 2)]  # type: ignore[arg-type]
    assert merged("t", names, bars).blocks == (Bars("b, 6 decks", (("x", 1),)),)  # type: ignore[arg-type]
    letters = [part(Letters("c", ("t", "2"), (("9", x),))) for x in "HD"]
    assert [b.title for b in merged("t", names, letters).blocks] == ["c, 6 decks", "c, 8 decks"]  # type: ignore[union-attr]
    # A fact that a side has not is blank there; a part of one side alone names it.
    facts = merged("t", names, [part(Facts((("x", "1"), ("y", "2")))),
                                part(Facts((("x", "1"),)), more=(Part("only", "p-o"),))])
    assert facts.blocks == (Facts((("x", "1"),)), Grid(("figure", *names), (("y", "2", ""),)))
    assert [(p.title, p.anchor) for p in facts.parts] == [("only: 8 decks", "p-o-8-decks")]
    # A fact that happens to be the number of decks remains.
    players = merged("t", names, [part(Facts((("players", n),))) for n in "68"])
    assert players.blocks == (Grid(("figure", *names), (("players", "6", "8"),)),)
