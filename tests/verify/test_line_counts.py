"""Verified means checked against a second way: three states, and a second settlement by kind of wager."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from combin import analyze
from combin.analysis.model import Analysis
from combin.base import caches
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals.first_cards import Deal
from combin.games import registry
from combin.games.model import Game
from combin.rulebook.book import Document, Rulebook, extended, shipped
from combin.userfiles.paytables import add_file
from combin.verify import FAILED, NOT_CHECKED, VERIFIED, settle_literal, shoe, verify
from combin.verify.draws import knows as drawn_known
from combin.verify.seven_cards import knows as seven_known
from combin.wagers import _registry, columns, outcome_function

PAIRS = "house/blackjack/own"
WHEELS = ("maryland/chase-the-flush/progressive/A", "maryland/blackjack/bonus-spin-progressive/A")


def own(tmp_path: Path, outcomes: str, lines: str, deal: str = "player 2", more: str = "") -> Path:
    path = tmp_path / "own.toml"
    path.write_text(
        f'[[wager]]\nid = "{PAIRS}"\nname = "Own"\ndeal = "{deal}"\noutcomes = "{outcomes}"\n{more}'
        f"[wager.paytable.A]\n{lines}\n",
        encoding="utf-8",
    )
    return path


def analysed(path: Path, decks: int = 2) -> Analysis:
    book, [identifier] = add_file(shipped(), str(path))
    return analyze(identifier, decks=decks, book=book)


def ranks_alike(t: Any) -> dict[str, Any]:
    """An outcome function of some package: two cards of one rank."""
    return {"alike": t["player.rank"][:, 0] == t["player.rank"][:, 1]}


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Caches are empty, because two functions of one name would share entries."""
    caches.empty()
    yield
    caches.empty()


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Install a package with that outcome function and this second settlement. Returns the wager's file."""

    def install(second: str) -> Path:
        (tmp_path / "alike.py").write_text(
            f"def outcomes(t):\n    return {{'alike': t['player.rank'][:, 0] == t['player.rank'][:, 1]}}\n\n"
            f"def second(hands, options):\n    {second}\n"
        )
        meta = tmp_path / "alike-1.0.dist-info"
        meta.mkdir()
        (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: alike\nVersion: 1.0\n")
        (meta / "entry_points.txt").write_text(
            "[combin.outcomes]\nranks-alike = alike:outcomes\n"
            "[combin.second_settlements]\nranks-alike = alike:second\n"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "alike", raising=False)
        monkeypatch.setattr(settle_literal, "_SETTLERS", dict(settle_literal._SETTLERS))
        outcome_function("bad-beat")  # combin's own functions are registered once; the copy must hold them
        monkeypatch.setattr("combin.wagers._registry", dict(_registry))
        return own(tmp_path, "ranks-alike", '"alike" = "10 to 1"')

    return install


# ---- by kind of wager


def test_every_shipped_wager_has_a_second_settlement() -> None:
    """Each outcome function has a second settlement for all documents. A game has a second way of its own."""
    book, seen = shipped(), 0
    for identifier in book.ids():
        resolved = book.resolve(identifier)
        game = registry.game_of(resolved)
        if game is not None:
            assert game.module("second_way") is not None
        elif "draws out" in resolved.terms.deal:
            assert drawn_known(resolved)
        elif resolved.terms.deal == "player 7":
            assert seven_known(resolved)
        else:
            assert settle_literal.settler_of(resolved.terms.settlement) is not None, identifier
        seen += 1
    assert seen > 100


def copied(wager_id: str) -> tuple[Rulebook, str]:
    """A wager of Maryland in a document of another state, under another name."""
    book = extended(shipped())
    wager = book.wagers[wager_id]
    document = replace(wager.document, id="nevada-blackjack", prefix="nevada/twenty-one", title="Nevada")
    assert isinstance(document, Document)
    book.documents[document.id] = document
    other = replace(wager, local_id="side-bet", document=document)
    book.with_paytables(other)
    return book, f"{other.id}/{next(iter(other.paytables))}"


@pytest.mark.parametrize(
    "wager_id",
    [
        "maryland/blackjack/house-money", "maryland/blackjack/trilux-bonus", "maryland/blackjack/insurance",
        "maryland/blackjack/hit-and-run-progressive", "maryland/high-card-flush/flush-bonus",
        "maryland/blackjack/lucky-ladies", "maryland/blackjack/7s",
    ],
)  # fmt: skip
def test_a_copy_in_another_document_is_held_as_well(wager_id: str) -> None:
    book, identifier = copied(wager_id)
    decks = 1 if "high-card" in wager_id else 6
    found = verify(analyze(identifier, decks=decks, any_decks=True, book=book), claims=False)
    assert found.state == VERIFIED, found.failures
    assert [c.what for c in found.checks if c.passed and c.what in ("counts", "probabilities")]


def test_a_copy_with_a_slip_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(columns._WORDS, "straight", lambda t, c: columns._WORDS["pair"](t, c))
    caches.empty()
    book, identifier = copied("maryland/blackjack/house-money")
    assert verify(analyze(identifier, decks=6, any_decks=True, book=book)).state == FAILED


# ---- three states


def test_what_no_second_method_knows_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_registry, "ranks-alike", ranks_alike)
    path = own(tmp_path, "ranks-alike", '"alike" = "10 to 1"')
    found = verify(analysed(path), rounds=1000)
    assert (found.state, found.passed, found.failures) == (NOT_CHECKED, False, ())
    [counts] = [c for c in found.checks if c.unchecked]
    assert counts.method == 'none: the outcomes "ranks-alike" have no independent settlement'
    simulated = [c.method for c in found.checks if c.what == "simulation"]
    assert simulated == ["none: this wager has no independent settlement"]
    refused = CliRunner().invoke(cli, ["verify", str(path), "--decks", "2"])
    assert refused.exit_code == 1
    assert "0 of 1 verified; 1 not checked" in refused.stdout
    allowed = CliRunner().invoke(cli, ["verify", str(path), "--decks", "2", "--allow-unchecked"])
    assert allowed.exit_code == 0
    assert "0 of 1 verified; 1 not checked" in allowed.stdout


def test_one_unheld_among_many_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_registry, "ranks-alike", ranks_alike)
    path = own(tmp_path, "ranks-alike", '"alike" = "10 to 1"')
    words = ["verify", "maryland/blackjack/pair/A", str(path), "--decks", "2"]
    result = CliRunner().invoke(cli, words)
    last = result.stdout.splitlines()[-1].strip()
    assert (result.exit_code, last) == (1, "1 of 2 verified; 1 not checked")
    assert CliRunner().invoke(cli, [*words, "--allow-unchecked"]).exit_code == 0


def test_a_failure_is_not_allowed_with_the_unheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = columns._WORDS["pair"]
    monkeypatch.setitem(columns._WORDS, "pair", lambda t, c: right(t, c) ^ right(t, c))
    caches.empty()
    result = CliRunner().invoke(cli, ["verify", "maryland/blackjack/pair/A", "--decks", "2", "--allow-unchecked"])
    assert result.exit_code == 1
    assert "0 of 1 verified; 1 failed" in result.stdout


# ---- a plug-in's own


RIGHT = "return {'alike'} if len({card[0] for card in hands['player']}) == 1 else set()"


def test_a_second_settlement_of_a_plug_in_holds_its_wager(bring: Callable[[str], Path]) -> None:
    found = verify(analysed(bring(RIGHT)), rounds=20_000)
    assert found.state == VERIFIED, found.failures
    assert [c for c in found.checks if c.what == "counts" and c.passed]
    assert [c for c in found.checks if c.what == "simulated alike" and c.passed]


@pytest.mark.parametrize(
    ("second", "state", "said"),
    [
        ("return {'alike'} if len({card[1] for card in hands['player']}) == 1 else set()", FAILED, '"alike" is 364'),
        ("return set()", FAILED, '"alike" is'),
        ("raise ValueError('not written yet')", FAILED, "ValueError: not written yet"),
        ("return options['ace']", FAILED, "KeyError: 'ace'"),
        ("return set(hands['dealer'])", NOT_CHECKED, 'the deal has no "dealer"'),
    ],
)
def test_a_second_settlement_that_differs_fails(
    bring: Callable[[str], Path], second: str, state: str, said: str
) -> None:
    found = verify(analysed(bring(second)))
    assert found.state == state
    assert any(said in f"{c.method} {c.result}" for c in found.checks), found.checks


# ---- games


def test_an_unknown_game_raises() -> None:
    a = analyze("maryland/high-card-flush/base/A")
    unknown = replace(a, resolved=replace(a.resolved, terms=replace(a.resolved.terms, game="pai-gow")))
    with pytest.raises(InputError, match='no game has the name "pai-gow"'):
        verify(unknown)


@pytest.mark.parametrize("checks", [None, lambda a: iter(())])
def test_a_game_without_a_second_way_is_not_held(checks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without a second way, and a second way without checks."""

    class Toy(Game):
        name = "toy"

        def lines(self, terms: Any, run: Any) -> Any:
            raise AssertionError("verify asks a game for its second way alone")

        play = lines

        def module(self, room: str) -> Any:
            return None if checks is None else type("Second", (), {"checks": staticmethod(checks)})

    monkeypatch.setitem(registry._games, "toy", Toy())
    a = analyze("maryland/high-card-flush/base/A")
    found = verify(replace(a, resolved=replace(a.resolved, terms=replace(a.resolved.terms, game="toy"))), claims=False)
    assert found.state == NOT_CHECKED


# ---- shown counts include stops of a wheel; a shoe that is not full is refused


@pytest.mark.parametrize("wager", WHEELS)
def test_the_stops_of_a_wheel_are_held(wager: str) -> None:
    decks = shipped().default_decks(shipped().resolve(wager))[-1]
    plain = analyze(wager, decks=decks)
    assert plain.wheel is not None
    weights = {name: n for n, (name, _) in enumerate(plain.wheel.symbols, 1)}
    a = analyze(wager, decks=decks, wheel=weights)
    found = verify(a, rounds=20_000, claims=False)
    assert found.state == VERIFIED, found.failures
    first, second, *rest = a.outcomes
    swapped = replace(first, combinations=second.combinations, probability=second.probability)
    other = replace(second, combinations=first.combinations, probability=first.probability)
    assert verify(replace(a, outcomes=(swapped, other, *rest)), claims=False).state == FAILED


def test_a_shoe_that_lacks_cards_is_refused() -> None:
    with pytest.raises(InputError, match="deal from a full shoe"):
        verify(analyze("maryland/blackjack/pair/A", decks=2, without="As"))


def test_hands_that_are_looked_at_have_a_role() -> None:
    with pytest.raises(settle_literal.NoHand, match='no "upcard"'):
        settle_literal.outcomes_of("rank-matches", {"player": (0, 1)}, {})
    with pytest.raises(settle_literal.NoHand, match='no "cards"'):
        shoe.deals_by_outcomes("three-card-hand", Deal("player 3").roles, ())
