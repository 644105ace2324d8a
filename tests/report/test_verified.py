"""`report --verify` on pages: the figures are computed again, and every page is rendered again."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from combin.cli.commands import cli
from combin.report import json as json_form
from combin.report.verified import _of_pdf

from .reports import FLUSH, command

COVER = """\
laboratory = "Example & Sons"
client = "Harbor"
report = "EL-1"
revision = "2"
issued = 2026-11-29
"""


def verified(path: Path) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["report", "--verify", str(path)], catch_exceptions=False)
    return done.exit_code, done.output


def in_page(raw: bytes) -> bytes:
    """A PDF with another glyph on a page; its attached figures are left alone."""
    for match in re.finditer(rb"/FlateDecode[^\n]*>>\nstream\n(.*?)\nendstream", raw, re.DOTALL):
        content = zlib.decompress(match[1])
        if b"TJ" in content:
            other = zlib.compress(content.replace(b"\\000\\004", b"\\000\\005", 1))
            return raw[: match.start(1)] + other + raw[match.end(1) :]
    raise AssertionError("no page holds text")


def in_sheet(raw: bytes) -> bytes:
    """A workbook with another cached value in the first sheet that has one."""
    stream = io.BytesIO()
    with ZipFile(io.BytesIO(raw)) as book, ZipFile(stream, "w") as other:
        for item in book.infolist():
            content = book.read(item)
            if item.filename.startswith("xl/worksheets/"):
                content = re.sub(rb"<v>0\.1([^<]*)</v>", rb"<v>0.9\1</v>", content, count=1)
            other.writestr(item, content)
    return stream.getvalue()


@pytest.mark.parametrize(("form", "alter"), [
    ("md", lambda raw: raw.replace(b"house edge:", b"house wedge:", 1)),
    ("html", lambda raw: raw.replace(b"house edge", b"house wedge", 1)),
    ("xlsx", in_sheet),
    ("pdf", in_page),
])
def test_an_altered_page_is_told_from_the_one_that_was_made(
    tmp_path: Path, form: str, alter: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "cover.toml").write_text(COVER, encoding="utf-8")
    made = tmp_path / f"r.{form}"
    command(FLUSH, "--quick", "--cover", str(tmp_path / "cover.toml"), "-o", str(made))
    assert verified(made) == (0, f"{made}: every value is the same, and so is every page\n")
    raw = made.read_bytes()
    other = alter(raw)
    assert other != raw
    made.write_bytes(other)
    status, said = verified(made)
    assert (status, "recomputed" in said, "difference" in said) == (1, True, True)


def test_what_is_appended_to_a_pdf_is_no_altered_page_and_is_not_vouched_for(tmp_path: Path) -> None:
    """A digital signature is appended to a file, and so may be another version of a page."""
    made = tmp_path / "r.pdf"
    command(FLUSH, "--quick", "-o", str(made))
    made.write_bytes(made.read_bytes() + b"\n% a signature\n")
    status, said = verified(made)
    assert (status, "bytes are unaltered; 15 bytes follow that combin did not write" in said) == (1, True)


def test_a_page_of_another_environment_is_rendered_with_its_versions(tmp_path: Path) -> None:
    made = tmp_path / "r.md"
    command(FLUSH, "--quick", "-o", str(made))
    text = made.read_text(encoding="utf-8")
    made.write_text(re.sub(r"CPython \d+\.\d+\.\d+", "CPython 3.9.9", text), encoding="utf-8")
    status, said = verified(made)
    assert (status, "note: Python: CPython 3.9.9 there" in said) == (0, True)


def test_each_sheet_of_a_pdf_carries_number_laboratory_and_day_and_the_file_its_date(tmp_path: Path) -> None:
    (tmp_path / "cover.toml").write_text(COVER, encoding="utf-8")
    made = tmp_path / "r.pdf"
    command(FLUSH, "--quick", "--cover", str(tmp_path / "cover.toml"), "-o", str(made))
    pages = _of_pdf(made.read_bytes())
    assert len(pages) > 2
    assert all("Report EL-1, revision 2 Example & Sons issued 2026-11-29" in text for _, text in pages)
    assert b"D:20261129" in made.read_bytes()
    assert "Open points:" in pages[-1][1]
    assert json_form.read(str(made))["cover"]["report"] == "EL-1"


@pytest.mark.parametrize("raw", [b"# A page of somebody", b"<!doctype html><p>", b"PK\x03\x04", b"%PDF-1.7"])
def test_a_file_that_carries_no_report_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "page"
    path.write_bytes(raw)
    done = CliRunner().invoke(cli, ["report", "--verify", str(path)])
    assert "contains no report" in str(done.exception)


def test_one_report_is_verified_at_a_time(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.json"
    arguments = ["report", "maryland/blackjack/pair/A", "--decks", "1", "--quick", "-o", str(one), "-o", str(other)]
    assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0
    for word in (one, other):
        done = CliRunner().invoke(cli, ["report", "--verify", str(one), str(word)])
        assert str(done.exception).startswith(f"{word}: verify takes one report; verify each report by itself")
    done = CliRunner().invoke(cli, ["report", "--verify", str(one), "maryland/blackjack/pair/B"])
    assert "is not a report on these paytables" in str(done.exception)
