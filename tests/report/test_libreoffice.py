"""LibreOffice computes every formula of the workbook anew. The tests are skipped if it is not installed."""

import io
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest

from combin import analyze_all
from combin.report import render
from combin.report.identity import Asked, identify
from combin.report.model import build

SOFFICE = shutil.which("soffice")


def workbook(identifier: str) -> bytes:
    analyses = analyze_all([identifier])
    return render(build(analyses, identify(analyses, Asked(patterns=(identifier,), quick=True), {})), "xlsx")


def test_sheets_print_one_page_wide() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook("maryland/high-card-flush/flush-bonus/A")))
    for sheet in book:
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.page_setup.orientation == "landscape"


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_works_out_the_same_figures(tmp_path: Path) -> None:
    raw = workbook("maryland/high-card-flush/flush-bonus/A")
    # openpyxl saves formulas without their stored values, so LibreOffice has to compute them.
    openpyxl.load_workbook(io.BytesIO(raw)).save(tmp_path / "bare.xlsx")
    bare = openpyxl.load_workbook(tmp_path / "bare.xlsx", data_only=True)
    subprocess.run(
        [str(SOFFICE), f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to", "xlsx",
         "--outdir", str(tmp_path / "out"), str(tmp_path / "bare.xlsx")], check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    ours = openpyxl.load_workbook(io.BytesIO(raw), data_only=True)
    formulas = openpyxl.load_workbook(io.BytesIO(raw))
    theirs = openpyxl.load_workbook(tmp_path / "out" / "bare.xlsx", data_only=True)
    seen = 0
    for sheet in formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    assert bare[sheet.title][cell.coordinate].value is None
                    found = theirs[sheet.title][cell.coordinate].value
                    assert found == pytest.approx(ours[sheet.title][cell.coordinate].value, rel=1e-11)
                    seen += 1
    assert seen > 25
