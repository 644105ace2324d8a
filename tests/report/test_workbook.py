"""The workbook of a report: our figures beside live formulas, large integers in parts, the same bytes each time."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from math import comb, prod
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from combin.analysis.engine import analyze_all
from combin.report import render
from combin.report.build import build
from combin.report.identity import ReportRequest, identify
from combin.report.make import Files, make

from ..shared import wager_file
from .reports import FLUSH, LADIES, METER, report_on


def test_the_workbook_holds_our_figures_beside_live_formulas() -> None:
    report = report_on(FLUSH, METER, "maryland/blackjack/match-the-dealer/*")
    raw = render(report, "xlsx")
    values = openpyxl.load_workbook(io.BytesIO(raw), data_only=True)
    formulas = openpyxl.load_workbook(io.BytesIO(raw))
    a = report.sections[0].analysis
    name = next(n for n in values.sheetnames if n.startswith("1 "))
    rows = {row[0].value: row for row in values[name].iter_rows() if row[0].value}
    for o in a.outcomes:
        _, _, net, returned, count, chance, part, hit, one_in, odds, edge, exact = (c.value for c in rows[o.outcome])
        assert o.frequency is not None
        assert o.true_odds is not None
        assert (one_in, odds) == (float(o.frequency), float(o.true_odds))
        assert edge is None  # a line by itself has no house advantage
        assert (net, returned, count) == (o.returned - 1, o.returned, o.combinations)
        assert (chance, part) == (float(o.probability), float(o.contribution))
        assert hit == o.is_hit
        assert Fraction(exact) == o.probability
    live = formulas[name]
    for name, value in (("return to player", a.returned), ("house edge", a.house_edge), ("variance", a.variance),
                        ("hit frequency", a.hit_frequency), ("standard deviation", a.standard_deviation)):
        assert rows[name][2].value == float(value)
        assert str(live.cell(rows[name][0].row, 3).value).startswith("=")
    assert rows["all"][4].value == a.deals


class Sheets:
    """Evaluates the formulas of a workbook in fractions. It knows the functions that combin writes, and no others."""

    def __init__(self, raw: bytes) -> None:
        self.book = openpyxl.load_workbook(io.BytesIO(raw))
        self.known: dict[tuple[str, str], Any] = {}

    def value(self, sheet: str, cell: str) -> Any:
        key = (sheet, cell.upper())
        if key not in self.known:
            self.known[key] = self._worked_out(*key)
        return self.known[key]

    def _worked_out(self, sheet: str, cell: str) -> Any:
        held = self.book[sheet][cell.replace("$", "")].value
        if not str(held).startswith("="):
            return Fraction(held) if isinstance(held, int | float) else held
        text = re.sub(r"(?<![\w$])(\d+)/(\d+)(?![\w.])", r"Fraction(\1,\2)", held[1:].replace("^", "**"))
        text = self._choices(text)
        text = re.sub(r"(?<![\w.(])(\d+\.\d+)", r"Fraction('\1')", text)
        text = re.sub(r"('[^'!]+'!)?\$?([A-Z])\$?(\d+):\$?[A-Z]\$?(\d+)", self._range, text)
        text = re.sub(r"(?:('[^'!]+')!)?(?<![\w'])\$?([A-Z])\$?(\d+)(?![\w'])",
                      lambda m: f"at({m[1] or repr(sheet)}, '{m[2]}{m[3]}')", text)
        names = {
            "at": self.value, "Fraction": Fraction, "SUM": lambda v: sum(v, Fraction(0)), "SQRT": lambda v: v**0.5,
            "AND": lambda *tests: all(tests), "ABS": abs,
            "ISBLANK": lambda value: value is None,
            "SUMPRODUCT": lambda *columns: sum((prod(row) for row in zip(*columns, strict=True)), Fraction(0)),
            "column": lambda letter, first, last: [self.value(sheet, f"{letter}{n}") for n in range(first, last + 1)],
        }
        return eval(text, {"__builtins__": {}}, names)  # the formulas are our own

    def _choices(self, text: str) -> str:
        """IF(test, yes, no) as Python says it, so that the part not chosen is not worked out."""
        while (start := text.find("IF(")) >= 0:
            depth, commas, at = 1, [], start + 3
            while depth:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                commas += [at] if text[at] == "," and depth == 1 else []
                at += 1
            test, yes, no = text[start + 3:commas[0]], text[commas[0] + 1:commas[1]], text[commas[1] + 1:at - 1]
            test = re.sub(r"(?<![<>])=", "==", test)
            text = f"{text[:start]}(({yes}) if ({test}) else ({no})){text[at:]}"
        return text

    @staticmethod
    def _range(match: re.Match[str]) -> str:
        return f"column('{match[2].lower()}', {match[3]}, {match[4]})"


@pytest.mark.parametrize(
    ("identifier", "decks"),
    [(FLUSH, 1), (METER, 1), (LADIES, 6), ("maryland/blackjack/match-the-dealer/6-decks", 6),
     ("maryland/blackjack/buster-blackjack-free-bonus/A", 2), ("maryland/high-card-flush/base/A", 1)],
)
def test_every_formula_gives_the_value_that_stands_in_its_cell(identifier: str, decks: int) -> None:
    raw = render(report_on(identifier, decks=decks), "xlsx")
    sheets, cached = Sheets(raw), openpyxl.load_workbook(io.BytesIO(raw), data_only=True)
    seen = 0
    for sheet in sheets.book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    value = sheets.value(sheet.title, cell.coordinate)
                    held = cached[sheet.title][cell.coordinate].value
                    if isinstance(held, str):
                        assert value == held
                        continue
                    # Counts and pays are exact here. Only the inputs were rounded to doubles.
                    assert abs(float(value) - held) <= 1e-13 * max(1, abs(held)), (cell.coordinate, cell.value)
                    seen += 1
    assert seen > 12


def test_integers_that_a_spreadsheet_would_round_stand_as_text_with_their_parts(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    path.write_text(wager_file("player 4, hole card 2, upcard 1",
                               {"four of a suit": ("longest_flush(player) == 4", "9 to 1")}, decks=(8,)))
    book = openpyxl.load_workbook(io.BytesIO(render(report_on(str(path)), "xlsx")))
    sheet = next(book[n] for n in book.sheetnames if n.startswith("1 "))
    rows = {row[0].value: row for row in sheet.iter_rows() if row[0].value}
    deals = comb(416, 4) * comb(412, 2) * 410
    flushes = 4 * comb(104, 4) * comb(412, 2) * 410
    assert deals > 2**53
    for name, count in (("four of a suit", flushes), ("loss", deals - flushes)):
        row = rows[name]
        assert row[4].value == str(count)
        parts = [cell.value for cell in row[12:]]
        assert sum(p * 10 ** (12 * n) for n, p in enumerate(reversed(parts))) == count
        assert all(0 <= p < 2**53 for p in parts)
    assert rows["all"][4].value == str(deals)
    assert any("exact text" in str(row[0].value) for row in sheet.iter_rows())
    sheets = Sheets(render(report_on(str(path)), "xlsx"))
    assert sheets.value(sheet.title, f"F{rows['four of a suit'][0].row}") == Fraction(flushes, deals)


def test_a_varying_number_of_cards_has_exact_fractions_beside_doubles() -> None:
    (a,) = analyze_all(["maryland/blackjack/buster-blackjack/A"], decks=8)
    assert a.deals is None
    raw = render(build([a], identify([a], ReportRequest((a.id,), quick=True))), "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(raw))
    sheet = next(book[n] for n in book.sheetnames if n.startswith("1 "))
    exact = [row[11].value for row in sheet.iter_rows() if re.fullmatch(r"\d+(/\d+)?", str(row[11].value))]
    assert any(v.denominator > 2**53 for v in map(Fraction, exact))
    assert {Fraction(v) for v in exact} >= {o.probability for o in a.outcomes}


def test_the_workbook_is_the_same_bytes_each_time_and_holds_every_sheet(tmp_path: Path) -> None:
    cover = tmp_path / "cover.toml"
    cover.write_text('laboratory = "Lab One"\nclient = "Client Two"\nreport = "R-3"\njurisdiction = "Maryland"\n'
                     '[[signatory]]\nname = "A. Name"\nrole = "engineer"\n', encoding="utf-8")
    asked = ReportRequest((METER,), quick=True, cover=str(cover))
    raw = render(make(asked, Files((METER,)))[0], "xlsx")
    assert raw == render(make(asked, Files((METER,)))[0], "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(raw))
    assert book.sheetnames == ["Cover", "Summary", "1 progressive A", "Readings", "Findings", "Verification",
                               "Liability", "Provisions", "Definitions", "Identity"]
    assert [row[2].value for row in book["Provisions"].iter_rows(min_row=2)] == ["met"]
    assert "depends on meter" in book["Liability"]["A3"].value
    said = {row[0].value: row[1].value for row in book["Cover"].iter_rows() if row[0].value}
    assert said["laboratory"] == "Lab One"
    assert said["signed by"] == "A. Name, engineer"
    terms = {row[0].value for row in book["Definitions"].iter_rows()}
    assert {"Return to player", "House edge, house advantage"} <= terms


def test_a_sheet_names_what_its_figures_stand_under() -> None:
    """A coupon, cards out of the shoe and readings: nobody can take the sheet for that of the wager without them."""
    report = report_on("maryland/blackjack/match-the-dealer/6-decks", decks=6, without="Qh",
                       set={"match_play": "1/2"})
    sheet = openpyxl.load_workbook(io.BytesIO(render(report, "xlsx"))).worksheets[2]
    words = [str(row[0].value) for row in sheet.iter_rows(max_row=16)]
    assert "without: Qh" in words
    assert any(w.startswith("parameters: ") and "match_play=1/2" in w for w in words)


def test_a_workbook_withdraws_its_statements_once_a_pay_differs(tmp_path: Path) -> None:
    report = report_on("maryland/high-card-flush/flush-bonus/A", policy="combin:sound")
    book = openpyxl.load_workbook(io.BytesIO(render(report, "xlsx")))
    sheet = book["1 flush-bonus A"]
    status = sheet["E1"].value
    # Each blue cell is compared with the pay as written: 300, 100, 10 and 1 to 1, and the loss of the stake.
    for value in ("(300)", "(100)", "(10)", "(1)", "(-1)"):
        assert f"-{value})<1E-9" in status
    assert status.endswith(',"pays as written","not for these pays")')
    cells = {row[0].value: row[1].value for row in book["Cover"].iter_rows() if row[0].value}
    for name in ("statements are for", "digest of all figures", "digest of the report"):
        assert "'1 flush-bonus A'!$E$1" in cells[name]
        assert '"not for these pays"' in cells[name]
    verdict = next(cell.value for cell in book["Summary"][5] if "met" in str(cell.value))
    assert verdict.startswith("=IF(AND('1 flush-bonus A'!$E$1=")
    assert "as written" in str([cell.value for row in sheet.iter_rows(max_row=12) for cell in row])
