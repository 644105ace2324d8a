"""The documentation: its examples run as printed, and its site has every page that it promises."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from html import unescape
from itertools import pairwise
from pathlib import Path
from runpy import run_path

import click
import pytest

import combin
from combin.cli.commands import cli
from combin.policy.criteria import CHECKS
from combin.rulebook.book import shipped
from combin.tools.regenerate import _catalogue
from combin.wagers.vocabulary import WORDS

from .shared import Run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))}
EXAMPLES = {
    "README.md": 4,
    "docs/notebook.md": 10,
    "docs/guide/python.md": 6,
    "docs/guide/together.md": 7,
    "docs/ten-minutes.md": 4,
}


def test_the_pages_with_examples_are_known() -> None:
    assert {name for name, path in PAGES.items() if ">>> " in path.read_text(encoding="utf-8")} == set(EXAMPLES)


@pytest.mark.parametrize("page", EXAMPLES)
def test_the_examples_of_a_page_run(page: str) -> None:
    failed, tried = doctest.testfile(str(PAGES[page]), module_relative=False)
    assert tried >= EXAMPLES[page]
    assert failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_every_link_of_a_front_page_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", PAGES[page].read_text(encoding="utf-8"))
    assert links
    assert all((PAGES[page].parent / link).is_file() for link in links)


def test_the_index_links_every_page() -> None:
    links = re.findall(r"\]\(([^)#]+\.md)\)", PAGES["docs/index.md"].read_text(encoding="utf-8"))
    assert {f"docs/{link}" for link in links} == set(PAGES) - {"README.md", "docs/index.md"}


@pytest.mark.parametrize("page", PAGES)
def test_no_page_is_long(page: str) -> None:
    assert len(PAGES[page].read_text(encoding="utf-8").split()) < 1000


def test_the_readme_is_short_and_begins_with_a_figure() -> None:
    lines = PAGES["README.md"].read_text(encoding="utf-8").splitlines()
    assert len(lines) < 85
    assert any("2,323,673,820" in line for line in lines[:15])


SLOW = ["docs/guide/blackjack.md", "docs/guide/best-play.md", "docs/guide/simulate.md"]
SHOWN = [name for name, path in PAGES.items() if "```console\n" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", [pytest.param(p, marks=pytest.mark.slow) if p in SLOW else p for p in SHOWN])
def test_the_outputs_of_a_page_are_what_combin_prints(page: str, tmp_path: Path, combin: Run) -> None:
    """Each line shown is printed, in this order; "..." stands for lines, or for the rest of one."""
    block = re.compile(
        r"```toml\n(?P<toml># (?P<file>\S+\.toml)\n.*?)```|`(?P<sheet>[\w-]+\.csv)`:\n\n```csv\n(?P<csv>.*?)```"
        r"|```console\n\$ (?P<console>.*?)```", re.DOTALL
    )
    for found in block.finditer(PAGES[page].read_text(encoding="utf-8")):
        if found["console"]:
            _follow(combin, found["console"])
        else:
            path = tmp_path / (found["file"] or found["sheet"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["toml"] or found["csv"], encoding="utf-8")


def _follow(combin: Run, console: str) -> None:
    for step in console.split("\n$ "):
        command, _, shown = step.partition("\n")
        if command.startswith("combin "):
            _, printed, noted = combin(*shlex.split(command)[1:])
            output = noted + printed
        else:
            output = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout
        lines = iter(output.splitlines())
        for line in shown.splitlines():
            if line.strip() != "...":
                whole, begin = not line.endswith("..."), line.removesuffix("...").rstrip()
                left = (p.rstrip() for p in lines)
                assert any(p == begin if whole else p.startswith(begin) for p in left), f"{command}: {line}\n{output}"


@pytest.mark.parametrize("name", [
    "contributions", "after-rounds", "path", pytest.param("blackjack-chart", marks=pytest.mark.slow),
])
def test_the_pictures_are_current(name: str) -> None:
    pictures = run_path(str(DOCS / "pictures.py"))
    assert name in pictures["PICTURES"]
    for file, text in pictures["drawn"]((name,)).items():
        assert (DOCS / "pictures" / file).read_text(encoding="utf-8") == text, "run: python docs/pictures.py"


def test_every_picture_is_shown_and_every_picture_shown_exists() -> None:
    shown = set()
    for path in PAGES.values():
        for link in re.findall(r'(?:src|srcset)="([^"]+)"', path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), f"{path}: {link}"
            shown.add(Path(link).name)
    assert shown >= {path.name for path in (DOCS / "pictures").iterdir()}


def test_no_option_of_a_command_shown_takes_another_option_for_its_file() -> None:
    lines = [line for path in PAGES.values() for line in path.read_text(encoding="utf-8").splitlines()]
    shown = [line for line in lines if line.startswith("combin report ")]
    assert shown
    assert not [line for line in shown if re.search(r"--(verify|compare-with|best-play|with|policy|cover) -", line)]


def test_the_catalogue_of_the_tutorial_is_sound(tmp_path: Path) -> None:
    text = (DOCS / "library.md").read_text(encoding="utf-8")
    example = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    keys = "".join(f"{key}\n" for key in re.findall(r"^\| `(\w+ = .*?)` \|", text, re.MULTILINE))
    (tmp_path / "catalogue.toml").write_text(example + keys)
    catalogue, _ = _catalogue(tmp_path)
    assert [entry.decks for entry in catalogue.analysis] == [(), (2, 6, 8)]
    assert not catalogue.ledger


def test_commands_shown_name_options_paytables_and_readings_that_there_are() -> None:
    """Every command of a block on any page."""
    fenced = re.compile(r"^ *```\w*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
    blocks = [block for path in PAGES.values() for block in fenced.findall(path.read_text(encoding="utf-8"))]
    lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    commands = [line.removeprefix("$ ") for line in lines]
    shown = [shlex.split(line, comments=True)[1:] for line in commands if re.match(r"combin [a-z]+( |$)", line)]
    assert len(shown) > 30
    choices = {f"{r.id}={choice.id}" for r in shipped().readings for choice in r.choices}
    for name, *words in shown:
        own = words[: words.index("&&")] if "&&" in words else words
        command = cli.commands[name]
        command.make_parser(click.Context(command)).parse_args(list(own))
        for pattern in (word.partition("=")[0] for word in own):
            if pattern.startswith(("maryland/", "massachusetts/")) and pattern not in shipped().wagers:
                assert shipped().select([pattern])
        assert {word for option, word in pairwise(own) if option == "--reading"} <= choices


@pytest.mark.slow
def test_the_site(tmp_path: Path) -> None:
    """The build takes warnings as errors, broken links among them."""
    pytest.importorskip("mkdocs")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def headings(page: str) -> set[str]:
        text = (tmp_path / "reference" / page).read_text(encoding="utf-8")
        return {unescape(re.sub(r"<[^>]*>", "", h)).rstrip("¶") for h in re.findall(r"<h[23][^>]*>(.*?)</h[23]>", text)}

    def text(page: str) -> str:
        return unescape((tmp_path / "reference" / page).read_text(encoding="utf-8"))

    assert {r.id for r in shipped().readings} <= headings("readings.html")
    assert {f"combin.{name}" for name in combin.__all__} - headings("python.html") == {"combin.__version__"}
    grouped = [name for group in run_path(str(DOCS / "hooks.py"))["MEMBERS"]["Analysis"].values() for name in group]
    assert sorted(grouped) == [name for name in dir(combin.Analysis) if not name.startswith("_")]
    assert all(word.call in text("words.html") for word in WORDS.values())
    assert all(check in text("checks.html") for check in CHECKS)
    assert all(w.terms.deal in text("deals.html") for w in shipped().wagers.values())
    for folder in ("guide", "method"):
        pages = {path.stem for path in (DOCS / folder).glob("*.md")}
        assert {path.stem for path in (tmp_path / folder).glob("*.html")} == pages
