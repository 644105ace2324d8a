"""A side bet of one's own: an outcome function through an entry point, and a TOML file, and nothing else."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.engine import analyze_all
from combin.base.errors import InputError
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """The README's code block whose first line is ``# name``."""
    found = re.search(rf"```[a-z]+\n# {re.escape(name)}\n(.*?)```", README, re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The plug-in of the README as an installed distribution."""
    (tmp_path / "perfect_pairs.py").write_text(block("perfect_pairs.py"))
    meta = tmp_path / "perfect_pairs-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: perfect-pairs\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[combin.outcomes]\nperfect-pairs = perfect_pairs:perfect_pairs\n")
    (tmp_path / "perfect-pairs.toml").write_text(block("perfect-pairs.toml"))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_perfect_pairs_as_the_readme_adds_it(installed: Path) -> None:
    book, identifiers = add_file(shipped(), str(installed / "perfect-pairs.toml"))
    assert identifiers == ["house/blackjack/perfect-pairs/25-12-6"]
    (a,) = analyze_all(identifiers, decks=6, book=book)
    # Behind any first card 5 of 311 are its copies, 6 the same rank and colour, 12 the rank in the other colour.
    assert a.probabilities["perfect pair"] == Fraction(5, 311)
    assert a.probabilities["coloured pair"] == Fraction(6, 311)
    assert a.probabilities["mixed pair"] == Fraction(12, 311)
    assert a.house_edge == Fraction(19, 311)


def test_a_function_nobody_registered_is_refused(installed: Path) -> None:
    own = installed / "other.toml"
    own.write_text(block("perfect-pairs.toml").replace('outcomes = "perfect-pairs"', 'outcomes = "perfect-pears"'))
    with pytest.raises(InputError, match="no outcome function"):
        add_file(shipped(), str(own))
