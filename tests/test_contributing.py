"""The steps of CONTRIBUTING.md work with the text of the page."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

import combin
from combin.rulebook.book import Rulebook, source

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```toml\n# ([^\n]*)\n(.*?)```", TEXT, flags=re.DOTALL))


def book_with(document: str, text: str) -> Rulebook:
    """The shipped rulebook with another text for one document."""
    book = Rulebook.load()
    book.add_document(text.encode(), f"{document}.toml")
    return book


def test_the_rooms_are_those_of_the_package() -> None:
    root = Path(combin.__file__).parent
    rows = re.findall(r"^\| (`[^|]*`) \|", TEXT, flags=re.M)
    told = {name for row in rows for name in re.findall(r"`(\w+)/`", row)}
    there = {path.name for path in root.iterdir() if (path / "__init__.py").exists()}
    assert told == there


def test_the_files_that_are_named_are_there() -> None:
    root = Path(combin.__file__).parents[1]
    named = re.findall(r"`((?:tests|analyses|\.ci)/[\w./-]+)`", TEXT)
    named += [f"combin/{path}" for path in re.findall(r"`((?:\w+/)+\w+\.(?:py|toml))`", TEXT) if "tests/" not in path]
    assert len(named) > 10
    assert [path for path in named if not (root / path.removeprefix("combin/analyses").lstrip("/")).exists()
            and not (root / path.replace("combin/analyses", "analyses")).exists()] == []


def test_a_paytable_is_added() -> None:
    """500 × 6,864 + 50 × 200,772 + 10 × C(13, 5)C(39, 2) × 4 + …, from binomials."""
    text = source("maryland-high-card-flush").decode()
    wager = text.index('id = "flush-bonus"')
    place = text.index("[[wager]]", wager)
    added = text[:place] + BLOCKS["paytable: maryland-high-card-flush, flush-bonus"] + "\n" + text[place:]
    a = combin.analyze("maryland/high-card-flush/flush-bonus/P", book=book_with("maryland-high-card-flush", added))
    hands = {n: 4 * comb(13, n) * comb(39, 7 - n) for n in (4, 5, 6, 7)}
    won = 501 * hands[7] + 51 * hands[6] + 11 * hands[5] + 2 * hands[4]
    assert a.returned == Fraction(won, comb(52, 7))


def test_a_wager_is_added() -> None:
    text = source("maryland-blackjack").decode()
    place = text.index("[[reading]]")
    added = text[:place] + BLOCKS["wager: maryland-blackjack"] + "\n" + text[place:]
    a = combin.analyze("maryland/blackjack/two-hearts/A", decks=6, book=book_with("maryland-blackjack", added))
    assert a.returned == Fraction(11 * comb(78, 2), comb(312, 2))


def test_a_document_is_added() -> None:
    book = book_with("nevada-example", BLOCKS["document"])
    a = combin.analyze("nevada/example/red-pair/A", decks=6, book=book)
    assert a.returned == Fraction(21 * 13 * comb(12, 2), comb(312, 2))


@pytest.mark.parametrize("word", re.findall(r"^\| (\w[\w ]*) \| ", TEXT[TEXT.index("## Words") :], flags=re.M)[1:])
def test_a_word_of_the_glossary_is_used(word: str) -> None:
    """The code uses every term of the glossary."""
    root = Path(combin.__file__).parent
    assert any(word in path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
