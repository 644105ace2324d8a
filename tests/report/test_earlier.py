"""A report checked against an earlier report, file or git revision: what changed, and why."""

from __future__ import annotations

import io
import json
import subprocess
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from combin.base.errors import InputError
from combin.report import json as json_form
from combin.report import render
from combin.report.layout import page as page_of
from combin.report.model import Since

from .reports import command, report_on

HOUSE = """\
[[wager]]
based_on = "maryland/blackjack/lucky-ladies"
[wager.paytable.house]
"queen of hearts pair" = "125 to 1"
"matched 20" = "19 to 1"
"suited 20" = "9 to 1"
"any 20" = "4 to 1"
"""
#: Two queens of hearts of six in 312 cards.
QUEENS = Fraction(comb(6, 2), comb(312, 2))


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a report on a file whose pair then pays 200 instead of 125."""
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text(HOUSE, encoding="utf-8")
    Path("old.json").write_text(json_form.render(report_on("house.toml", decks=6)), encoding="utf-8")
    Path("house.toml").write_text(HOUSE.replace("125 to 1", "200 to 1"), encoding="utf-8")
    return tmp_path


def since(**more: Any) -> Since:
    found = report_on("house.toml", decks=6, **more).since
    assert found is not None
    return found


def test_a_pay_is_the_reason_of_a_changed_return(old: Path) -> None:
    found = since(compare_with="old.json")
    (told,) = found.changes
    assert told.why == ('pay of "queen of hearts pair": 125 to 1 → 200 to 1',)
    # The pair pays 75 more, and is as likely as before.
    assert told.change.change == told.by_pays == 75 * QUEENS
    moved = {f.name: f.change for f in told.figures}
    assert moved["return"] == -moved["house edge"] == moved["contribution: queen of hearts pair"] == 75 * QUEENS
    assert set(moved) == {"return", "house edge", "variance", "contribution: queen of hearts pair"}
    Path("new.json").write_text(json_form.render(report_on("house.toml", decks=6)), encoding="utf-8")
    again = since(compare_with="new.json")
    assert (again.changes, again.same) == ((), 1)


def test_readings_values_documents_and_the_program_are_reasons(old: Path) -> None:
    data = json.loads(Path("old.json").read_text(encoding="utf-8"))
    data["identity"]["version"] = "0.0.9"
    del data["schema"]  # as before there was one
    data["identity"]["documents"][0]["text_sha256"] = "0" * 64
    data["identity"]["asked"]["without"] = "Qh"
    Path("other.json").write_text(json.dumps(data), encoding="utf-8")
    (told,) = since(compare_with="other.json", reading={"ace-nine-is-20": "no"}).changes
    assert [w.partition(":")[0] for w in told.why] == [
        'pay of "queen of hearts pair"', "reading ace-nine-is-20", "cards out of the shoe",
        "rule document Standard Rules – Blackjack", "program"]
    assert told.why[-1].startswith("program: combin 0.0.9 → ")
    # The pairs of queens are as likely as before; the other hands that total 20 are fewer.
    assert told.by_pays == 75 * QUEENS
    assert told.change.change is not None
    assert told.change.change < told.by_pays


def test_a_git_revision_and_a_file_are_earlier_states(old: Path) -> None:
    new = Path("house.toml").read_text(encoding="utf-8")
    Path("house.toml").write_text(HOUSE, encoding="utf-8")
    Path("before.toml").write_text(HOUSE, encoding="utf-8")
    for words in (["init", "-q"], ["add", "house.toml"],
                  ["-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", "pays"]):
        subprocess.run(["git", *words], check=True, capture_output=True)
    Path("house.toml").write_text(new, encoding="utf-8")
    of_revision, of_file = (since(compare_with=word) for word in ("HEAD:house.toml", "before.toml"))
    assert of_revision.changes == of_file.changes == since(compare_with="old.json").changes
    # A paytable that is new, and one that is gone.
    Path("house.toml").write_text(new + new.partition("\n")[2].partition("\n")[2].replace("house", "guest"),
                                  encoding="utf-8")
    assert [t.change.state for t in since(compare_with="HEAD:house.toml").changes] == ["changed", "new"]


def test_every_form_tells_the_changes_and_verifies(old: Path) -> None:
    report = report_on("house.toml", decks=6, compare_with="old.json")
    assert "since" in [part.anchor for part in page_of(report).parts]
    for form in ("html", "markdown"):
        assert "Changes since old.json" in render(report, form).decode()
    sheet = openpyxl.load_workbook(io.BytesIO(render(report, "xlsx")))["Changes"]
    assert any("125 to 1 → 200 to 1" in str(row[0].value) for row in sheet.iter_rows())
    words = ("house.toml", "--decks", "6", "--quick", "--compare-with", "old.json", "-o", "new.json")
    assert command(*words) == ""
    assert "every value is the same" in command("--verify", "new.json")


@pytest.mark.parametrize(("key", "value"), [("probability", "1/0"), ("contribution", 7.5)])
def test_a_spoilt_report_is_refused(old: Path, key: str, value: Any) -> None:
    data = json.loads(Path("old.json").read_text(encoding="utf-8"))
    data["sections"][0]["analysis"]["outcomes"][0][key] = value
    Path("old.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match="figures cannot be read"):
        since(compare_with="old.json")
