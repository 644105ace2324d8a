"""A new game is one folder and one registration. A toy game goes through every command, with combin unchanged."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from combin.cli import main
from combin.games import registry
from combin.verify.model import Check

TOY = Path(__file__).parents[1] / "data" / "toy"
FILE = str(TOY / "toy.toml")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    sys.modules.pop("toy_game", None)
    import toy_game  # noqa: F401 - importing it registers the game

    yield
    sys.modules.pop("toy_game", None)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run the command line in this process and expect ``status``. Returns its output with the errors."""

    def call(*words: str, status: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["combin", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capfd.readouterr()
        assert int(ended.value.code or 0) == status, told.err
        return told.out + told.err

    return call


def test_it_is_analysed(run: Callable[..., str]) -> None:
    """Queen, king and ace win three antes, a jack pushes, nine ranks lose one: 1 + (9 − 9)/13."""
    (found,) = json.loads(run("analyze", FILE, "--format", "json"))
    assert found["return"]["exact"] == "1"
    assert found["deals"] == "52"
    assert {o["outcome"]: int(o["combinations"]) for o in found["outcomes"]} == {
        "raise, wins": 12, "call, pushes": 4, "fold, loses": 36,
    }  # fmt: skip
    assert found["average_wager"]["exact"] == str(Fraction(3 * 3 + 2 + 9, 13))


def test_it_is_played(run: Callable[..., str]) -> None:
    assert "queen or higher" in run("strategy", FILE)
    answer = json.loads(run("strategy", FILE, "--hand", "Kd", "--format", "json"))
    assert answer[0]["best"] == "raise"


def test_it_is_verified_and_reported(run: Callable[..., str], tmp_path: Path) -> None:
    assert "three ranks of thirteen" in run("verify", FILE)
    run("report", FILE, "-o", str(tmp_path / "toy.md"))
    assert "raise, wins" in (tmp_path / "toy.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("covers", ["", "the return"])
def test_the_parts_of_a_game_may_be_objects(
    covers: str, run: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check that does not cover the return leaves the game partly checked."""
    import toy_game

    counted = SimpleNamespace(checks=lambda a: iter([Check("cards", "four suits of 13 ranks", "52", covers=covers)]))
    monkeypatch.setattr(toy_game.Toy, "second_way", counted)
    played = SimpleNamespace(summarize=toy_game.summarize, answer=toy_game.answer, value=toy_game.value)
    monkeypatch.setattr(toy_game.Toy, "strategy", played)
    assert "queen or higher" in run("strategy", FILE)
    said = run("verify", FILE, status=0 if covers else 1)
    assert ("1 of 1 verified" if covers else "0 of 1 verified; 1 partly checked") in said
    assert run("verify", FILE, "--allow-unchecked")


def test_a_game_may_come_in_a_plugin(run: Callable[..., str], tmp_path: Path) -> None:
    """The file names itself as the module of its strategy and of its second method."""
    registry._games.pop("toy")
    asked = (FILE, "--plugin", str(TOY / "toy_game.py"))
    assert "queen or higher" in run("strategy", *asked)
    registry._games.pop("toy")
    assert "1 of 1 verified" in run("verify", *asked)
    registry._games.pop("toy")
    run("report", *asked, "-o", str(tmp_path / "toy.md"))
    assert "queen or higher" in (tmp_path / "toy.md").read_text(encoding="utf-8")


def test_an_unknown_game_is_refused(run: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "toys.toml"
    path.write_text(Path(FILE).read_text(encoding="utf-8").replace('"toy"', '"toyy"'), encoding="utf-8")
    said = run("analyze", str(path), status=2)
    assert 'toys.toml: line 4, game: no game has the name "toyy"; did you mean "toy"?' in said
