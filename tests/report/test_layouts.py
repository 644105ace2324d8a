"""A client's layout or rack card against the pays of a paytable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.report.identity import ReportRequest
from combin.report.layouts import read_layout
from combin.report.make import Files, make
from combin.report.profiles import MET, NOT_MET

FLUSH = "maryland/high-card-flush/flush-bonus/A"
CARD = """\
FLUSH BONUS PAYS
7 Card Flush ........ 300 TO 1
SIX-CARD FLUSH   90 to 1
Five card flush: 10 to 1
Royal flush 500 to 1
"""


def reported(folder: Path, text: str, name: str = "card.txt") -> dict[str, object]:
    (folder / name).write_text(text, encoding="utf-8")
    out = folder / "r.json"
    done = CliRunner().invoke(cli, ["report", FLUSH, "--quick", "--layout", str(folder / name), "-o", str(out)],
                              catch_exceptions=False)
    assert done.exit_code == 0
    again = CliRunner().invoke(cli, ["report", "--verify", str(out)], catch_exceptions=False)
    assert again.exit_code == 0
    found: dict[str, object] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_each_line_of_a_rack_card_is_compared(tmp_path: Path) -> None:
    found = reported(tmp_path, CARD)
    rows = {row[0]: row[1:] for row in found["layout"]["rows"]}  # type: ignore[index]
    assert rows == {
        "seven-card flush": ["300 to 1", "300 TO 1", "the same"],
        "six-card flush": ["100 to 1", "90 to 1", "differs"],
        "five-card flush": ["10 to 1", "10 to 1", "the same"],
        "four-card flush": ["1 to 1", "", "not on the layout"],
        "Royal flush": ["", "500 to 1", "not in the paytable"],
    }
    reasons = found["conclusion"]["reasons"]  # type: ignore[index]
    assert "the layout card.txt differs from the pays in 3 lines" in reasons


def test_a_sheet_that_is_the_same_is_no_open_point(tmp_path: Path) -> None:
    sheet = "Hand,Pays\n7 card flush,300 to 1\n6 card flush,100 to 1\n5 card flush,10 to 1\n4 card flush,1 to 1\n"
    found = reported(tmp_path, sheet, "card.csv")
    assert {row[3] for row in found["layout"]["rows"]} == {"the same"}  # type: ignore[index]
    assert not any("layout" in reason for reason in found["conclusion"]["reasons"])  # type: ignore[index]


@pytest.mark.parametrize(("word", "verdict"), [("for", NOT_MET), ("to", MET)])
def test_a_layout_that_prints_for_is_not_met(word: str, verdict: str, tmp_path: Path) -> None:
    """COMAR 36.05.03.14 E asks for "to" in published odds, whatever the paytable's file says."""
    (tmp_path / "rack.txt").write_text(f"Seven-card flush 300 to 1\nSix-card flush 100 {word} 1\n", encoding="utf-8")
    (tmp_path / "cover.toml").write_text('laboratory = "L"\nclient = "C"\nreport = "1"\njurisdiction = "Maryland"\n',
                                         encoding="utf-8")
    files = Files([str(tmp_path / "rack.txt"), str(tmp_path / "cover.toml")])
    report, _ = make(ReportRequest((FLUSH,), quick=True, layout="rack.txt", cover="cover.toml"), files)
    (row,) = report.conclusion.requirements
    assert row.verdict == verdict


def test_a_file_without_pays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.txt"
    path.write_text("Welcome to the casino", encoding="utf-8")
    with pytest.raises(InputError, match="no line that ends in a pay"):
        read_layout(str(path))
