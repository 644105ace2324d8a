"""Clients' sheets: titles, other names, odds as bare numbers, hidden sheets, points and commas."""

from __future__ import annotations

import datetime
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.base.exact import ratio, two_meanings
from combin.cli.commands import cli
from combin.rulebook.book import shipped
from combin.rulebook.pays import parse_pay
from combin.userfiles.paytables import add_file
from combin.userfiles.sheets import PLAIN
from combin.userfiles.words import file_and_sheet
from combin.userfiles.written import Written

FLUSH = "maryland/high-card-flush/flush-bonus"
CLIENT = [
    ["Flush Bonus, third draft", "", ""],
    [],
    ["Hand", "Payout", "Checked"],
    ["seven-card flush", "250-1", "yes"],
    ["six-card flush", "75:1", ""],
    ["five-card flush", "10/1", ""],
    ["four-card flush", "1", "even"],
]
PAYS = {"seven-card flush": 250, "six-card flush": 75, "five-card flush": 10, "four-card flush": 1}
TO, FOR = Written("to"), Written("for")


def csv_of(path: Path, rows: list[list[str]], separator: str = ",") -> str:
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n", encoding="utf-8")
    return f"{FLUSH}={path}"


def workbook(path: Path, sheets: dict[str, list[list[object]]], hidden: tuple[str, ...] = ()) -> str:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        if name in hidden:
            sheet.sheet_state = "hidden"
    book.save(path)
    return f"{FLUSH}={path}"


def read(word: str, written: Written = PLAIN, notes: list[str] | None = None) -> dict[str, dict[str, Fraction]]:
    """The return of each paytable of a file, by outcome."""
    book, identifiers = add_file(shipped(), word, written)
    if notes is not None:
        notes += book.find(identifiers[0])[1].notes
    return {
        i.rsplit("/", 1)[1]: {o: p.returned({}) for o, p in book.resolve(i).lines} for i in identifiers
    }


def faults(word: str, written: Written = PLAIN) -> list[str]:
    with pytest.raises(InputError) as caught:
        add_file(shipped(), word, written)
    return [f"{f.place}: {f.what}; {f.remedy}" for f in caught.value.faults]


@pytest.mark.parametrize(("written", "more"), [(TO, 1), (FOR, 0)])
def test_a_client_sheet_is_read_when_the_odds_are_said(tmp_path: Path, written: Written, more: int) -> None:
    notes: list[str] = []
    found = read(csv_of(tmp_path / "client.csv", CLIENT), written, notes)
    assert found == {"client": {outcome: odds + more for outcome, odds in PAYS.items()}}
    assert [n.partition(": ")[2] for n in notes] == ['the column "Checked" is not read']


def test_without_a_word_for_the_odds_every_one_of_them_is_refused(tmp_path: Path) -> None:
    assert faults(csv_of(tmp_path / "client.csv", CLIENT)) == [
        f'line {n}: "{row[0]}": "{row[1]}" says neither "to" nor "for"; give --odds to or --odds for'
        for n, row in enumerate(CLIENT[3:], 4)
    ]


def test_columns_by_letter_need_no_names(tmp_path: Path) -> None:
    rows = [["Paytable", "", "", ""], ["no.", "what", "", "wins"], ["1", "seven-card flush", "", "250 to 1"],
            ["2", "four-card flush", "", "2-1"]]
    word = csv_of(tmp_path / "c.csv", rows)
    found = read(word, Written.of("to", "outcome=B, pays=d"))
    assert found == {"c": {"seven-card flush": 251, "four-card flush": 3}}
    for columns, said in [("outcome=B", "are not both named"), ("outcome=B,pays=2", 'pays=2" does not name a column'),
                          ("outcome=B,prize=D", "does not name a column")]:
        with pytest.raises(InputError, match=said):
            Written.of("", columns)
    with pytest.raises(InputError, match='"per" is neither to nor for; give to or for'):
        Written.of("per", "")


def test_a_named_sheet_and_hidden_ones(tmp_path: Path) -> None:
    head = ["outcome", "pays"]
    sheets: dict[str, list[list[object]]] = {
        "Old": [head, ["seven-card flush", "9 to 1"]],
        "New": [["Title"], head, ["seven-card flush", 300.0]],
        "Other": [head, ["seven-card flush", "5 to 1"]],
    }
    word = workbook(tmp_path / "w.xlsx", sheets, hidden=("Old",))
    hidden = 'sheet "Old": the hidden sheet has the columns outcome and pays; show the sheet, delete it, or name it: '
    assert hidden in faults(word, TO)[0]
    del sheets["Old"]
    word = workbook(tmp_path / "w.xlsx", {"Remarks": [["not a table"]], **sheets}, hidden=("Remarks",))
    assert read(word, TO) == {"new": {"seven-card flush": 301}, "other": {"seven-card flush": 6}}
    sheets = {"Old": [head, ["seven-card flush", "9 to 1"]], **sheets}
    word = workbook(tmp_path / "w.xlsx", sheets, hidden=("Old",))
    assert read(f"{word}#New", TO) == {"new": {"seven-card flush": 301}}
    assert read(f"{word}#Old") == {"old": {"seven-card flush": 10}}  # a named sheet is read even if it is hidden
    assert 'has no sheet "Nwe"; did you mean "New"?' in faults(f"{word}#Nwe")[0]
    assert file_and_sheet("a/b.xlsx#My sheet") == ("a/b.xlsx", "My sheet")
    assert file_and_sheet("a#b.csv") == ("a#b.csv", "")


def test_dates_that_a_spreadsheet_made_of_odds_stay_refused(tmp_path: Path) -> None:
    rows: list[list[object]] = [["outcome", "pays"], ["seven-card flush", datetime.datetime(2026, 10, 5)]]
    word = workbook(tmp_path / "d.xlsx", {"Pays": rows})
    assert '"2026-10-05" is a date; a spreadsheet has turned odds into a date: write "5 to 1"' in faults(word, TO)[0]


@pytest.mark.parametrize(("text", "meanings"), [
    ("8.000 to 1", ("8", "8,000")), ("1.125", ("1.125", "1,125")), ("50.000", ("50", "50,000")),
    ("$25.000", ("25", "25,000")), ("2.500 for 1", ("2.5", "2,500")),
])  # fmt: skip
def test_a_point_before_three_digits_is_refused_with_both_meanings(text: str, meanings: tuple[str, str]) -> None:
    found = two_meanings(text)
    assert found is not None
    assert found[0] == f'"{text}" may mean {meanings[0]} or {meanings[1]}'
    with pytest.raises(InputError, match="may mean"):
        parse_pay(text, "x") if " " in text or "$" in text else ratio(text)


@pytest.mark.parametrize(("text", "value"), [
    ("0.125", Fraction(1, 8)), ("1.1250", Fraction(9, 8)), ("1,125", Fraction(1125)), ("12.5%", Fraction(1, 8)),
    ("1,234.567", Fraction(1234567, 1000)), ("1234.567", Fraction(1234567, 1000)),
])  # fmt: skip
def test_numbers_of_one_meaning_are_read(text: str, value: Fraction) -> None:
    assert ratio(text) == value


@pytest.mark.parametrize("title", ["Flush Bonus", "Harbor Casino, third draft, May"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_title_does_not_name_the_separator(tmp_path: Path, title: str, separator: str) -> None:
    path = tmp_path / "t.csv"
    csv_of(path, CLIENT[2:], separator)
    path.write_text(f"{title}\n\n{path.read_text()}")
    assert read(f"{FLUSH}={path}", TO) == {"t": {outcome: pays + 1 for outcome, pays in PAYS.items()}}


def test_thousands_in_a_file_and_in_a_flag(tmp_path: Path) -> None:
    rows = [["outcome", "pays"], ["seven-card flush", "8.000 to 1"], ["six-card flush", "5 to 1"]]
    [said] = faults(csv_of(tmp_path / "t.csv", rows, ";"))
    assert said == 'line 2: "seven-card flush": the pay "8.000 to 1" may mean 8 or 8,000; write 8 or 8,000'
    [said] = faults(csv_of(tmp_path / "t.csv", [rows[0], ["seven-card flush", "8.000-1"]]), TO)
    assert "may mean 8 or 8,000" in said
    with pytest.raises(InputError, match=r'the value of stake "1.000" may mean 1 or 1,000; write 1 or 1,000'):
        analyze(FLUSH + "/A", set={"stake": "1.000"})


def test_the_flags_reach_the_commands(tmp_path: Path) -> None:
    word = csv_of(tmp_path / "client.csv", CLIENT)
    for words in (["analyze", word], ["list", word], ["check", word, "--policy", "combin:lenient"],
                  ["report", word, "--quick", "-o", str(tmp_path / "r.json")]):
        done = CliRunner().invoke(cli, [*words, "--odds", "to"], catch_exceptions=False)
        assert done.exit_code in (0, 1)
        assert 'the column "Checked" is not read' in done.stderr
    again = CliRunner().invoke(cli, ["report", "--verify", str(tmp_path / "r.json"), word], catch_exceptions=False)
    assert again.output.endswith("every value is the same, and so is every page\n"), again.output
