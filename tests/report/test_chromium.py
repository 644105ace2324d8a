"""Site, HTML report and documentation in a browser: no script error, no horizontal overflow, no network request."""

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from combin.report.site import write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]
CATALOGUE = """
[[analysis]]
patterns = ["maryland/blackjack/lucky-ladies/*", "maryland/high-card-flush/progressive/A", "*/pair/A",
            "*/bonus-spin-progressive/A"]
"""
#: A page in a frame of a given width, measured once it is loaded.
FRAME = """<!doctype html><iframe id="f" width="{width}" height="800" style="border: 0" src="{page}"></iframe><script>
const frame = document.getElementById("f");
frame.addEventListener("load", () => setTimeout(() => {{
  const inside = frame.contentWindow, root = inside.document.documentElement;
  const box = inside.document.querySelector("th button");
  if (box) box.click();
  const asked = inside.performance.getEntriesByType("resource").map(entry => entry.name);
  document.title = JSON.stringify({{ scroll: root.scrollWidth, client: root.clientWidth, asked,
    found: [...inside.document.querySelectorAll("#mkdocs-search-results h3")].map(head => head.innerText),
    rows: [...inside.document.querySelectorAll("tbody tr")].map(row => row.innerText).slice(0, 5) }});
}}, 300));
</script>"""


def measured(page: Path, width: int, folder: Path, query: str = "") -> dict[str, object]:
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(width=width, page=page.as_uri() + query))
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
               "--enable-logging=stderr", "--virtual-time-budget=4000", "--window-size=1400,900",
               f"--user-data-dir={folder / 'profile'}", "--dump-dom", frame.as_uri()]  # fmt: skip
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    errors = [line for line in found.stderr.splitlines() if "CONSOLE" in line]
    assert not errors, errors
    title = re.search(r"<title>(.*?)</title>", found.stdout, re.DOTALL)
    assert title, found.stderr[-2000:]
    return dict(json.loads(html.unescape(title[1])))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "catalogue.toml").write_text(CATALOGUE)
    write(str(folder), str(folder / "site"))
    command = ["combin", "report", "maryland/blackjack/lucky-ladies/A", "--decks", "6", "--quick", "-o", "report.html"]
    subprocess.run(command, cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("page", ["site/index.html", "site/maryland-blackjack/lucky-ladies.html", "report.html"])
def test_a_page_fits_its_window_and_asks_for_nothing(made: Path, tmp_path: Path, page: str, width: int) -> None:
    found = measured(made / page, width, tmp_path)
    assert int(str(found["client"])) >= width - 20
    assert int(str(found["scroll"])) <= int(str(found["client"]))
    assert not [name for name in found["asked"] if not str(name).startswith("file:")]  # type: ignore[attr-defined]
    if page.endswith("index.html"):
        rows = [str(row) for row in found["rows"]]  # type: ignore[attr-defined]
        assert len(rows) == 5
        assert all("%" in row or "needs" in row for row in rows)  # the return is visible at every width
        assert rows == sorted(rows, key=str.casefold)  # a click on the first head sorts


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("docs")
    build = [sys.executable, "-m", "mkdocs", "build", "-q", "--site-dir", str(folder)]
    subprocess.run(build, cwd=Path(__file__).parents[2], check=True)
    return folder


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("page", ["index.html", "guide/policy.html", "reference/words.html", "search.html?q=removal"])
def test_the_documentation_fits_and_searches(docs: Path, tmp_path: Path, page: str, width: int) -> None:
    name, _, query = page.partition("?")
    found = measured(docs / name, width, tmp_path, f"?{query}" if query else "")
    assert int(str(found["scroll"])) <= int(str(found["client"]))
    assert not [name for name in found["asked"] if not str(name).startswith("file:")]  # type: ignore[attr-defined]
    if query:
        assert any("removal" in str(head).lower() for head in found["found"])  # type: ignore[attr-defined]
