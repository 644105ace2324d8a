"""The what-if script gives the fractions of an analysis of the edited file."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import combin
from combin.analysis.engine import analyze_all
from combin.analysis.model import Analysis
from combin.report.build import build
from combin.report.identity import ReportRequest, identify
from combin.report.what_if import payload
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file

SCRIPT = (files("combin") / "pages" / "what_if.js").read_text(encoding="utf-8")
CALL = """
const answer = ({ data, texts, values }) => {
  const f = combinWhatIf.figures(data, texts, values), show = combinWhatIf.exact;
  return { return: show(f.return), edge: show(f.edge), hit: show(f.hit), variance: show(f.variance),
           deviation: show(f.deviation), percent: combinWhatIf.decimal(f.return, 6),
           toml: combinWhatIf.toml(data, texts) };
};
"""


def run(data: dict[str, Any], texts: list[str], values: dict[str, str | None] | None = None) -> dict[str, str]:
    """The output of the script, run by QuickJS or by Node."""
    asked = json.dumps({"data": data, "texts": texts, "values": values or data["values"]})
    code = f"{SCRIPT}\n{CALL}\n"
    try:
        import quickjs
    except ImportError:
        node = shutil.which("node")
        assert node is not None, "the what-if is tested by quickjs (in the extra `test`) or by node: install one"
        done = subprocess.run([node, "-e", f"{code}console.log(JSON.stringify(answer({asked})))"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr) from None
        return json.loads(done.stdout)
    context = quickjs.Context()
    context.eval(code)
    try:
        return json.loads(context.eval(f"JSON.stringify(answer({asked}))"))
    except quickjs.JSException as error:
        raise ValueError(str(error)) from None


def data_of(a: Analysis) -> dict[str, Any]:
    what_if = build([a], identify([a], ReportRequest((a.id,)))).sections[0].what_if
    assert what_if is not None
    return payload(what_if)


def same(found: dict[str, str], a: Analysis) -> None:
    assert Fraction(found["return"]) == a.returned
    assert Fraction(found["edge"]) == a.house_edge
    assert Fraction(found["hit"]) == a.hit_frequency
    assert Fraction(found["variance"]) == a.variance
    assert Fraction(found["deviation"]) == a.standard_deviation


def from_file(toml: str, folder: Path, decks: int) -> Analysis:
    path = folder / "edited.toml"
    path.write_text(toml, encoding="utf-8")
    book, ids = add_file(shipped(), str(path))
    (a,) = analyze_all(ids, decks=decks, book=book)
    return a


@pytest.mark.parametrize(
    ("identifier", "decks"),
    [("massachusetts/high-card-flush/flush-bonus/A", 1), ("maryland/high-card-flush/straight-flush-bonus/B", 1),
     ("maryland/blackjack/lucky-ladies/A", 6),
     ("maryland/blackjack/match-the-dealer/6-decks", 6)],
)
def test_unedited_pays_give_the_analysis_itself(identifier: str, decks: int) -> None:
    a = combin.analyze(identifier, decks=decks)
    data = data_of(a)
    same(run(data, [line["text"] for line in data["lines"]]), a)


@pytest.mark.parametrize(
    ("identifier", "decks", "edits"),
    [
        ("massachusetts/high-card-flush/flush-bonus/A", 1, {0: "1,234 to 1", 2: " 9.5  to 1 ", 3: "push"}),
        ("massachusetts/high-card-flush/flush-bonus/A", 1, {0: "500 FOR 1", 1: "70 to 2", 3: "1 to 1 + 3 for 7"}),
        ("maryland/blackjack/lucky-ladies/A", 6, {0: "123456789012 to 1", 3: "25 to 2"}),
        ("maryland/blackjack/match-the-dealer/6-decks", 6, {0: "13 to 1", 1: "3 to 1"}),
    ],
)
def test_edited_pays_give_what_the_copied_file_gives(
    identifier: str, decks: int, edits: dict[int, str], tmp_path: Path
) -> None:
    data = data_of(combin.analyze(identifier, decks=decks))
    texts = [edits.get(i, line["text"]) for i, line in enumerate(data["lines"])]
    found = run(data, texts)
    edited = from_file(found["toml"], tmp_path, decks)
    assert edited.id == identifier.rsplit("/", 1)[0] + "/what-if"
    assert edited.returned != combin.analyze(identifier, decks=decks).returned
    same(found, edited)


def test_a_meter_is_set_in_the_page_as_on_the_command_line() -> None:
    identifier = "maryland/high-card-flush/progressive/A"
    data = data_of(combin.analyze(identifier))
    texts = [line["text"] for line in data["lines"]]
    with pytest.raises(ValueError, match="give a value to meter"):
        run(data, texts)
    found = run(data, texts, {**data["values"], "meter": "12345.67"})
    same(found, combin.analyze(identifier, set={"meter": "12345.67"}))


@pytest.mark.parametrize("bad", ["", "lots", "-1 to 1", "1 to 0", "1e3 to 1", "12,34 to 1", "50% of moon", "0x10 to 1"])
def test_what_is_no_pay_is_refused_as_the_command_refuses_it(bad: str, tmp_path: Path) -> None:
    data = data_of(combin.analyze("massachusetts/high-card-flush/flush-bonus/A"))
    texts = [bad, *(line["text"] for line in data["lines"][1:])]
    with pytest.raises(ValueError, match=r"is not a pay|against a stake|know no moon"):
        run(data, texts)


def test_decimals_are_rounded_half_to_even() -> None:
    from combin.base.exact import decimal

    data = data_of(combin.analyze("massachusetts/high-card-flush/flush-bonus/A"))
    found = run(data, [line["text"] for line in data["lines"]])
    assert found["percent"] == decimal(Fraction(found["return"]), 6)


def test_a_coupon_leaves_the_what_if_out() -> None:
    a = combin.analyze("maryland/blackjack/lucky-ladies/A", decks=6, set={"match_play": 1})
    assert build([a], identify([a], ReportRequest((a.id,)))).sections[0].what_if is None
