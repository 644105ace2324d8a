"""A side bet of one's own needs an outcome function with an entry point, a TOML file and nothing else."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze_all
from combin.base import caches
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals.cards import SUIT_NAMES, Shoe
from combin.deals.first_cards import Deal
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.wagers import _registry

PAGE = (Path(__file__).parents[2] / "docs" / "method" / "plugins.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """The code block of the page whose first line is ``# name``."""
    found = re.search(rf"```[a-z]+\n# {re.escape(name)}\n(.*?)```", PAGE, re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The plug-in of the guide as an installed distribution."""
    (tmp_path / "perfect_pairs.py").write_text(block("perfect_pairs.py"))
    meta = tmp_path / "perfect_pairs-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: perfect-pairs\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[combin.outcomes]\nperfect-pairs = perfect_pairs:perfect_pairs\n")
    (tmp_path / "perfect-pairs.toml").write_text(block("perfect-pairs.toml"))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_perfect_pairs_as_the_guide_adds_it(installed: Path) -> None:
    book, identifiers = add_file(shipped(), str(installed / "perfect-pairs.toml"))
    assert identifiers == ["house/blackjack/perfect-pairs/25-12-6"]
    (a,) = analyze_all(identifiers, decks=6, book=book)
    # Of the 311 other cards 5 are copies, 6 have the same rank and colour, and 12 the rank in the other colour.
    assert a.probabilities["perfect pair"] == Fraction(5, 311)
    assert a.probabilities["coloured pair"] == Fraction(6, 311)
    assert a.probabilities["mixed pair"] == Fraction(12, 311)
    assert a.house_edge == Fraction(19, 311)


def test_a_function_nobody_registered_is_refused(installed: Path) -> None:
    own = installed / "other.toml"
    own.write_text(block("perfect-pairs.toml").replace('outcomes = "perfect-pairs"', 'outcomes = "perfect-pears"'))
    with pytest.raises(InputError, match="no outcome function"):
        add_file(shipped(), str(own))


# ---- an outcome function that fails


def own(tmp_path: Path, deal: str, outcomes: str, line: str = "pair", options: str = "") -> list[str]:
    """The faults of a wager of one's own, one line each."""
    path = tmp_path / "own.toml"
    path.write_text(
        f'[[wager]]\nid = "house/blackjack/own"\nname = "Own"\ndeal = "{deal}"\noutcomes = "{outcomes}"\n{options}'
        f'[wager.paytable.A]\n"{line}" = "1 to 1"\n',
        encoding="utf-8",
    )
    with pytest.raises(InputError) as refused:
        add_file(shipped(), str(path))
    return str(refused.value).replace(f"{tmp_path}/", "").split("\n")


@pytest.mark.parametrize(
    ("deal", "outcomes", "columns"),
    [
        ("player 7", "bad-beat", "flush, "),
        ("player 2, upcard 1", "bad-beat", "upcard.rank, upcard.suit, player.rank, player.suit"),
    ],
)
def test_a_function_that_does_not_fit_its_deal_is_one_line(
    tmp_path: Path, deal: str, outcomes: str, columns: str
) -> None:
    [line] = own(tmp_path, deal, outcomes, options="decks = [1]\n" if deal == "player 7" else "")
    assert re.match(r"own.toml: line [67]: the outcomes ", line)
    assert f'"{outcomes}" of house/blackjack/own do not fit the deal "{deal}" (columns {columns}' in line


ANSWERS = {
    "raise ZeroDivisionError('by nothing')": "ZeroDivisionError: by nothing",
    "raise AssertionError": "AssertionError",
    "raise StopIteration": "StopIteration",
    "assert not t": "AssertionError",
    "return None": "it returns a NoneType, not a mask for each outcome",
    "return {'pair': t['player.rank']}": '"pair" is int8 of shape (1378, 2), not bool of shape (1378,)',
    "return {'pair': t['player.rank'][:, 0]}": '"pair" is int8 of shape (1378,), not bool of shape (1378,)',
    "return {'pair': t['player.rank'][:5, 0] == 1}": '"pair" is bool of shape (5,), not bool of shape (1378,)',
    "return {'pair': True}": '"pair" is bool, not bool of shape',
    "return t['no such column']": "KeyError: 'no such column'",
}


@pytest.mark.parametrize("body", ANSWERS)
def test_whatever_a_plug_in_does_is_one_line(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Callable[..., Any]] = {}
    exec(f"def broken(t):\n    {body}", made)
    monkeypatch.setitem(_registry, "broken", made["broken"])
    caches.empty()  # no table keeps the answer of an earlier function
    [line] = own(tmp_path, "player 2", "broken")
    assert ANSWERS[body].replace("1378", str(rows())) in line
    assert line.count("; ") == 1


def rows() -> int:
    return len(Deal("player 2").table(Shoe(8)))


def test_a_function_that_fails_later_is_a_fault_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function fails on another shoe than the checked one, from Python and at the command line."""

    def fails_on_one_deck(t: Any) -> dict[str, Any]:
        pair = t["player.rank"][:, 0] == t["player.rank"][:, 1]
        copies = pair & (t["player.suit"][:, 0] == t["player.suit"][:, 1])
        return {"copies": copies} if copies.any() else {}[0]

    monkeypatch.setitem(_registry, "copies", fails_on_one_deck)
    path = tmp_path / "own.toml"
    path.write_text('[[wager]]\nid = "house/blackjack/own"\nname = "Own"\ndeal = "player 2"\noutcomes = "copies"\n'
                    '[wager.paytable.A]\n"copies" = "1 to 1"\n', encoding="utf-8")  # fmt: skip
    book, identifiers = add_file(shipped(), str(path))
    [a] = analyze_all(identifiers, decks=2, book=book)
    assert a.combinations["copies"] == 52
    with pytest.raises(InputError, match=r'of house/blackjack/own do not fit the deal "player 2" .*KeyError: 0'):
        analyze_all(identifiers, decks=1, book=book)
    result = CliRunner().invoke(cli, ["analyze", str(path), "--decks", "1"])
    assert isinstance(result.exception, InputError)


@pytest.mark.parametrize("suit", range(4))
def test_a_suit_that_one_class_in_many_singles_out_is_noticed(
    suit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ace to jack of one suit: one class of 22,022, and any of the four suits may represent it."""

    def royal(t: Any) -> dict[str, Any]:
        rank, suits = np.sort(t["player.rank"], axis=1), t["player.suit"]
        return {"royal": (rank == np.arange(9, 13)).all(1) & (suits == suit).all(1)}

    monkeypatch.setitem(_registry, "royal", royal)
    caches.empty()
    [line] = own(tmp_path, "player 4", "royal", "royal")
    assert f'add suits = ["{SUIT_NAMES[suit]}"]' in line
