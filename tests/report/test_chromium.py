"""Site, HTML report and documentation in a browser: no script error, no horizontal overflow, no network request."""

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from combin.report.site import write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]
CATALOGUE = """
[[analysis]]
patterns = ["maryland/blackjack/lucky-ladies/*", "maryland/high-card-flush/progressive/A", "*/pair/A",
            "massachusetts/*/straight-flush-bonus/G"]
"""
WIDTHS = (400, 1280)
PAGES = ("site/index.html", "site/maryland-blackjack/lucky-ladies.html", "report.html", "docs/index.html",
         "docs/guide/policy.html", "docs/notebook.html", "docs/reference/words.html", "docs/search.html?q=removal")
#: One page with a frame for each page and width: frames are measured once all are loaded. One browser serves all.
FRAMES = """<!doctype html>{frames}<script>
addEventListener("load", () => setTimeout(() => {{
  document.title = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {{
    const inside = frame.contentWindow, root = inside.document.documentElement;
    const head = inside.document.querySelector("th button");
    if (head) head.click();
    return {{ scroll: root.scrollWidth, client: root.clientWidth,
      asked: inside.performance.getEntriesByType("resource").map(entry => entry.name),
      found: [...inside.document.querySelectorAll("#mkdocs-search-results h3")].map(found => found.innerText),
      rows: [...inside.document.querySelectorAll("tbody tr")].map(row => row.innerText).slice(0, 5) }};
  }}));
}}, 1000));
</script>"""
Measured = dict[tuple[str, int], dict[str, Any]]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """What a browser shows of each page at each width; it reports no script error."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("pages")
    (folder / "catalogue.toml").write_text(CATALOGUE)
    write(str(folder), str(folder / "site"))
    report = ["combin", "report", "maryland/blackjack/lucky-ladies/A", "--decks", "6", "--quick", "-o", "report.html"]
    subprocess.run(report, cwd=folder, check=True)
    docs = [sys.executable, "-m", "mkdocs", "build", "-q", "--site-dir", str(folder / "docs")]
    subprocess.run(docs, cwd=Path(__file__).parents[2], check=True)
    views = [(page, width) for page in PAGES for width in WIDTHS]
    frames = "".join(f'<iframe width="{width}" height="800" style="border: 0" src="{page}"></iframe>'
                     for page, width in views)
    (folder / "frames.html").write_text(FRAMES.format(frames=frames))
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
               "--enable-logging=stderr", "--virtual-time-budget=8000", "--window-size=1400,900",
               f"--user-data-dir={folder / 'profile'}", "--dump-dom", (folder / "frames.html").as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    errors = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not errors, errors
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr[-2000:]
    return dict(zip(views, json.loads(html.unescape(title[1])), strict=True))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_window_and_asks_for_nothing(measured: Measured, page: str, width: int) -> None:
    found = measured[page, width]
    assert found["client"] >= width - 20
    assert found["scroll"] <= found["client"]
    assert not [name for name in found["asked"] if not name.startswith("file:")]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_index_of_a_site_shows_every_return_and_sorts(measured: Measured, width: int) -> None:
    rows = measured["site/index.html", width]["rows"]
    assert len(rows) == 5
    assert all("%" in row or "needs" in row for row in rows)
    assert rows == sorted(rows, key=str.casefold)  # a click on the first head sorts


@pytest.mark.parametrize("width", WIDTHS)
def test_the_documentation_is_searched(measured: Measured, width: int) -> None:
    assert any("removal" in head.lower() for head in measured["docs/search.html?q=removal", width]["found"])
