"""LibreOffice computes every formula of the workbook anew. The tests are skipped if it is not installed."""

import io
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from combin import Analysis, analyze_all
from combin.report import render
from combin.report.build import build
from combin.report.identity import ReportRequest, identify

SOFFICE = shutil.which("soffice")


#: Kinds of sheets by name: the paytable and the decks.
KINDS = {
    "shoe": ("maryland/blackjack/lucky-ladies/A", 6),
    "open": ("maryland/high-card-flush/progressive/A", 1),
    "game": ("maryland/high-card-flush/base/A", 1),
    "bad beat": ("maryland/blackjack/bad-beat-progressive/A", 6),
    "must hit": ("maryland/blackjack/must-hit-progressive/A", 1),
}


def workbook(identifier: str, decks: int = 1) -> bytes:
    analyses = analyze_all([identifier], decks=decks)
    return render(build(analyses, identify(analyses, ReportRequest(patterns=(identifier,), quick=True), {})), "xlsx")


def test_sheets_print_one_page_wide() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook("maryland/high-card-flush/flush-bonus/A")))
    for sheet in book:
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.page_setup.orientation == "landscape"


def worked_out(folder: Path, books: dict[str, bytes], filled: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The workbooks as LibreOffice works them out, with inputs filled by the words beside them."""
    for name, raw in books.items():
        # openpyxl saves formulas without their stored values, so LibreOffice has to compute them.
        book = openpyxl.load_workbook(io.BytesIO(raw))
        for words, value in filled.get(name, {}).items():
            sheet = par_sheet(book)
            row = next(row for row in sheet.iter_rows() if row[0].value == words)
            assert row[2].value is None
            row[2].value = value
        book.save(folder / f"{name}.xlsx")
        bare = openpyxl.load_workbook(folder / f"{name}.xlsx", data_only=True)
        assert not any(bare[s.title][c.coordinate].value for s in book for r in s.iter_rows() for c in r
                       if c.data_type == "f")
    subprocess.run(
        [str(SOFFICE), f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--convert-to", "xlsx",
         "--outdir", str(folder / "out"), *(str(folder / f"{name}.xlsx") for name in books)],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return {name: openpyxl.load_workbook(folder / "out" / f"{name}.xlsx", data_only=True) for name in books}


def par_sheet(book: Any) -> Any:
    return next(book[name] for name in book.sheetnames if name.startswith("1 "))


def rows_of(sheet: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in sheet.iter_rows(values_only=True):
        found.setdefault(row[0], list(row))
    return found


def close(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-11, abs=1e-15)


def whole(value: Any) -> Any:
    """A number of combinations: exact text where a spreadsheet would round it to fifteen digits."""
    return None if value is None else int(value)


def holds(sheet: Any, a: Analysis) -> None:
    """Every cell of the outcomes and figures against combin's own numbers."""
    rows = rows_of(sheet)
    for o in a.outcomes:
        _, _, net, returned, count, chance, part, hit, one_in, odds, edge, exact = rows[o.outcome][:12]
        assert (net, returned) == (close(o.returned - a.has_stake), close(o.returned))
        assert (whole(count), hit) == (o.combinations, o.is_hit)
        assert (chance, part) == (close(o.probability), close(o.contribution))
        if o.probability:
            assert (one_in, odds) == (close(o.frequency), close(o.true_odds))
        if edge is not None:
            assert edge == close(1 - o.contribution)
        assert Fraction(exact) == o.probability
    assert [whole(rows["all"][4]), *rows["all"][5:7]] == [a.deals, close(1), close(a.returned)]
    for name, value in (("return to player", a.returned), ("house edge", a.house_edge),
                        ("hit frequency", a.hit_frequency), ("variance", a.variance),
                        ("standard deviation", a.standard_deviation), ("volatility index (95 %)", a.volatility_index)):
        assert rows[name][2] == close(value), name


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_works_out_the_same_figures(tmp_path: Path) -> None:
    books = {name: workbook(*KINDS[name]) for name in KINDS}
    books["filled"] = books["open"]
    books["bad beat filled"] = books["bad beat"]
    books["must hit filled"] = books["must hit"]
    fill = {"filled": {"meter": 5000},
            "bad beat filled": {"meter": 7000, "magic card frequency": 0.01, "lucky player frequency": 0.02},
            "must hit filled": {"contribution rate": 0.02, "stake": 5}}
    theirs = worked_out(tmp_path, books, fill)
    seen = 0
    for name in KINDS:  # as written: every formula gives what stands in its cell
        ours, formulas = (openpyxl.load_workbook(io.BytesIO(books[name]), data_only=d) for d in (True, False))
        for sheet in formulas:
            for cell in (c for row in sheet.iter_rows() for c in row if c.data_type == "f"):
                value = ours[sheet.title][cell.coordinate].value
                found = theirs[name][sheet.title][cell.coordinate].value
                assert found == (value if isinstance(value, str) else close(value)), (name, cell.coordinate)
                seen += 1
    assert seen > 300
    for name, settings in (("shoe", {}), ("game", {}), ("filled", {"meter": "5000"})):
        identifier, decks = KINDS["open" if name == "filled" else name]
        (a,) = analyze_all([identifier], decks=decks, set=settings)
        holds(par_sheet(theirs[name]), a)
    (game,) = analyze_all([KINDS["game"][0]])
    for wager, name in zip(game.game.wagers, [n for n in theirs["game"].sheetnames if n.startswith("1.")], strict=True):
        rows = rows_of(theirs["game"][name])
        assert rows["return to player"][2] == close(wager.returned)
        assert rows["house advantage"][2] == close(wager.house_advantage)
        for r in wager.rows:
            assert rows[r.outcome][2] == close(r.net)
            count, chance, part = rows[r.outcome][4:7]
            assert whole(count) == r.combinations
            assert (chance, part) == (close(r.probability), close(r.probability * r.net))
    rows = rows_of(par_sheet(theirs["open"]))
    for name in ("return to player", "house edge", "variance", "standard deviation", "all"):
        assert "needs meter" in rows[name]
    (bad_beat,) = analyze_all([KINDS["bad beat"][0]], decks=6, set={
        "meter": "7000", "magic_card_frequency": "0.01", "lucky_player_frequency": "0.02"})
    assert rows_of(par_sheet(theirs["bad beat filled"]))["return to player"][2] == close(bad_beat.returned)
    assert rows_of(par_sheet(theirs["bad beat"]))["return to player"][2] == "needs meter"
    # The meter takes ten cents of a round, and falls anywhere between 250 and 1,000: 375 on from its reset on average.
    # It is paid once in 3,750 rounds with 625 on it.
    assert rows_of(par_sheet(theirs["must hit filled"]))["dollars per round"][2] == close(Fraction(1, 6))
