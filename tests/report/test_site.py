"""A static site: each page is self-contained, every link has a target, and no other file is touched."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.report.site import write

from ..shared import HOUSE_PAIR

CATALOGUE = """
[[analysis]]
files = ["house.toml"]
patterns = ["maryland/blackjack/pair/*"]
decks = [6]
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "catalogue.toml").write_text(CATALOGUE)
    (tmp_path / "house.toml").write_text(HOUSE_PAIR)
    return tmp_path


class Page(HTMLParser):
    """The links and anchors of a page, and its unclosed tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [v for k, v in given.items() if k in ("href", "src") and v]
        self.anchors |= {v for k, v in given.items() if k == "id" and v}
        if tag not in ("meta", "input", "br", "line", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("line", "rect"):
            return
        assert self.open.pop() == tag


def test_every_link_leads_somewhere(library: Path) -> None:
    site = library / "site"
    said = write(str(library), str(site))
    assert {line.removeprefix(f"wrote {site}/") for line in said} == {
        "index.html", "files/house-pair.html", "maryland-blackjack/pair.html"}
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert all(not page.open for page in pages.values())
    for path, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve()
            assert target in pages, link  # no page needs a network or a server
            assert not anchor or anchor in pages[target].anchors
    index = (site / "index.html").read_text(encoding="utf-8")
    row = r"<tr><td><a[^>]*>[^<]*</a><small>([^<]*)</small></td><td>(\d+)</td><td[^>]*>([^<]*)</td>"
    rows = re.findall(row, index)
    assert ("maryland/blackjack/pair/house", "6") in [row[:2] for row in rows]
    # Of C(312, 2) hands 52 C(6, 2) suited pairs return 21 and 13 C(4, 2) 36 other pairs return 9.
    assert [row[2] for row in rows if row[0].endswith("/house")] == [f"{(780 * 21 + 2808 * 9) / 48516:.4%}"[:-1] + " %"]
    assert "<svg" in (site / "files" / "house-pair.html").read_text(encoding="utf-8")
    assert write(str(library), str(site)) == [f"{site} is current"]


def test_the_index_has_one_row_a_paytable(library: Path) -> None:
    patterns = '["maryland/blackjack/pair/A", "maryland/high-card-flush/progressive/A"]'
    (library / "catalogue.toml").write_text(f"[[analysis]]\npatterns = {patterns}\n")
    write(str(library), str(library / "site"))
    index = (library / "site" / "index.html").read_text(encoding="utf-8")
    assert index.count("<tr><td>") == 2
    # Of 51 second cards 3 make a pair with one deck; of 415 with eight, 7 a suited one and 24 another.
    assert f"<td>1, 2, 4, 6, 8</td><td data-value=\"{(26 * 7 + 8 * 24) * 10**12 // 415}\">47.0588 % to " in index
    assert ">needs meter<" in index


def test_other_files_stay(library: Path) -> None:
    site = library / "site"
    write(str(library), str(site))
    (site / "notes.html").write_text("my own")
    (library / "house.toml").rename(library / "second.toml")
    (library / "catalogue.toml").write_text(CATALOGUE.replace("house", "second"))
    assert f"removed {site}/files/house-pair.html" in write(str(library), str(site))
    assert (site / "notes.html").read_text() == "my own"
    (site / "index.html").write_text("by hand")
    with pytest.raises(InputError, match=r"index\.html: was not written by combin regenerate"):
        write(str(library), str(site))
    assert (site / "index.html").read_text() == "by hand"
