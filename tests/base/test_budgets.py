"""Small inputs that would hang or fill a machine are refused in one line."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from combin.base import budgets
from combin.base.errors import InputError
from combin.base.textfiles import parse_toml, read_bytes
from combin.policy import read_policy
from combin.rulebook.book import matches
from combin.rulebook.pays import parse_pay
from combin.tools import design
from combin.userfiles.collected import collect

FLUSH = "maryland/high-card-flush/flush-bonus"
HEAD = f'[[wager]]\nbased_on = "{FLUSH}"\n'
RULE = '[[rule]]\nname = "{}"\napplies_to = {}\nreturn_min = "1%"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a" + ".a" * 60 + " = 1", "line 1: is nested too deeply; write keys of at most 8 parts"),
        ("x = 1\n[" + "a." * 60 + "a]\ny = 1", "line 2: is nested too deeply"),
        ("a = {" + "b." * 60 + "b = 1}", "is nested too deeply"),
        ("a" + ".a" * 30_000 + " = 1", "has more than 20,000 keys, values and tables"),
        ("a = 1\n" * 60_000, "is larger than 262,144 characters"),
        ("a = [" + "1," * 25_000 + "]", "has more than 20,000 keys, values and tables"),
        ("[" + " " * 10_000 + "\nx = 1", "is not TOML"),
        ('a = "\\u202e"', "holds an invisible character, \\u202e; leave it out"),
        ('"\\u001b" = 1', "holds an invisible character, \\x1b"),
    ],
)
def test_toml(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_toml(text, "x.toml")
    assert says in str(caught.value)


def test_a_pay_of_many_terms() -> None:
    assert parse_pay(" + ".join(["1 to 1"] * budgets.TERMS)).odds == budgets.TERMS
    with pytest.raises(InputError, match="adds 2,000 terms, more than 12"):
        parse_pay(" + ".join(["1 to 1"] * 2_000))


def test_many_paytables(tmp_path: Path) -> None:
    many = "".join(f'[wager.paytable.x{i}]\n"four-card flush" = "1 to 1"\n' for i in range(budgets.PAYTABLES + 1))
    (tmp_path / "x.toml").write_text(HEAD + many)
    with pytest.raises(InputError, match="has more than 500 paytables"):
        collect([str(tmp_path / "x.toml")])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RULE.format("a", [f"*{i}*" for i in range(budgets.PATTERNS + 1)]).replace("'", '"'), "more than 500 ids and"),
        (RULE.format("a", ["*a" * 150]).replace("'", '"'), "a glob of more than 200 characters"),
        ("".join(RULE.format(i, '["*"]') for i in range(budgets.REQUIREMENTS + 1)), "more than 500 tables [[rule]]"),
    ],
)
def test_policies(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_policy(tmp_path / "p.toml")
    assert says in str(caught.value)


def test_policies_that_extend_one_another(tmp_path: Path) -> None:
    """Each policy extends the next one twice. Without a memory 2^24 files would be read."""
    for i in range(25):
        more = f'extends = ["{i + 1}.toml", "./{i + 1}.toml", "{i + 1}.toml"]\n' if i < 24 else ""
        (tmp_path / f"{i}.toml").write_text(more + RULE.format(i, '["*"]') + '[[waiver]]\nid = "*"\nreason = "r"\n')
    with pytest.raises(InputError, match="extends more than 20 policies in a row"):
        read_policy(tmp_path / "0.toml")
    policy = read_policy(tmp_path / "10.toml")
    assert len(policy.rules) == len(policy.waivers) == 15


def test_a_glob_of_many_stars_ends() -> None:
    assert not matches("a" * 100, "*a" * 80 + "b")


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.toml")
    for path in (tmp_path / "x.toml", "/dev/zero"):
        with pytest.raises(InputError, match="is not a regular file"):
            read_bytes(path)
    (tmp_path / "large").write_bytes(b"x" * (budgets.FILE_BYTES + 1))
    with pytest.raises(InputError, match="is larger than 1,048,576 bytes"):
        read_bytes(tmp_path / "large")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("outcome,pays\n" + "a,1 to 1\n" * (budgets.ROWS + 1), "has more than 5,000 rows"),
        ("outcome,pays" + "," * budgets.CELLS, "has more than 50,000 cells"),
        ("outcome,pays,pays\na,1 to 1,2 to 1\n", 'there are 2 columns "pays"; keep one'),
        ('outcome,pays\n"a\u202e",1 to 1\n', "holds an invisible character, \\u202e"),
        ("root:x:0:0:hush\n", "has no columns outcome and pays; name"),
    ],
)
def test_csv(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        collect([f"{FLUSH}={tmp_path / 'x.csv'}"])
    assert says in str(caught.value)
    assert "hush" not in str(caught.value).partition("x.csv: ")[2]


def workbook(path: Path, rows: list[list[object]], **parts: bytes) -> None:
    """A workbook of one sheet with some parts replaced."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            key = item.filename.rpartition("/")[2].removesuffix(".xml")
            new.writestr(item.filename, parts.get(key, old.read(item)))


PAYS: list[list[object]] = [["outcome", "pays"], ["four-card flush", "1 to 1"]]


@pytest.mark.parametrize(
    ("part", "content", "says"),
    [
        ("sheet1", b"<c/>" * 1_000_000, "more than 50 sheets, or than 100,000 XML tags"),
        ("sheet1", b" " * (budgets.UNPACKED + 1), "unpacks to more than 8,388,608 bytes"),
        ("workbook", b"<sheet />" * 51, "more than 50 sheets"),
        ("workbook", b"<x:sheet />" * 51, "more than 50 sheets"),
        ("styles", b"<xf/>" * 400_000, "100,000 XML tags; copy the sheet of paytables into a new workbook"),
    ],
)
def test_workbooks_that_unpack(tmp_path: Path, part: str, content: bytes, says: str) -> None:
    workbook(tmp_path / "x.xlsx", PAYS, **{part: content})
    assert (tmp_path / "x.xlsx").stat().st_size < 200_000
    with pytest.raises(InputError) as caught:
        collect([f"{FLUSH}={tmp_path / 'x.xlsx'}"])
    assert says in str(caught.value)


def test_a_formula_without_a_saved_value_is_no_pay(tmp_path: Path) -> None:
    workbook(tmp_path / "y.xlsx", [*PAYS, ["five-card flush", '="9 to 1"']])
    with pytest.raises(InputError, match="the row has no pays"):  # no value was saved with the formula
        collect([f"{FLUSH}={tmp_path / 'y.xlsx'}"])


def test_a_sheet_that_is_left_out_is_said(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in PAYS:
        book.active.append(row)
    book.create_sheet("Old").append(["something", "else"])
    book.save(tmp_path / "x.xlsx")
    found, [identifier] = collect([f"{FLUSH}={tmp_path / 'x.xlsx'}"])
    [note] = found.find(identifier)[1].notes
    assert 'the sheet "Old" has no columns outcome and pays, and is not read' in note


def test_a_design_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from fractions import Fraction

    from combin.analysis.engine import analyze

    monkeypatch.setattr(budgets, "TRIES", 1_000)
    a = analyze(f"{FLUSH}/A")
    wide = design.spans(a, ["seven-card flush=1..100000", "six-card flush=1..100000"])
    with pytest.raises(InputError, match="more than 1,000 pays would be tried; narrow a range or the bounds"):
        design.search(a, wide, Fraction(0), Fraction(100), any_order=True)
