"""The guide page "Your own game": its files make a report, a side bet is joined, a template is written once."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from combin.cli.commands import cli

PAGE = (Path(__file__).parents[1] / "docs" / "guide" / "your-own-game.md").read_text(encoding="utf-8")
GAME, CHART, SIDE_BET = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def run(command: str) -> str:
    result = CliRunner().invoke(cli, shlex.split(command, comments=True)[1:])
    assert result.exit_code == 0, (command, result.output)
    return " ".join(result.output.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.toml").write_text(GAME)
    (tmp_path / "mine.toml").write_text(CHART)
    return tmp_path


def test_the_side_bet_of_the_page_is_valued_with_the_game(folder: Path) -> None:
    (folder / "duel.toml").write_text(GAME + SIDE_BET)
    assert "house/duel/bad-beat/A" in run("combin strategy duel.toml --with house/duel/bad-beat/A")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["pdf", "xlsx"])
def test_a_game_from_its_file_alone_becomes_a_report(form: str) -> None:
    run(f"combin report duel.toml -o duel.{form}")
    assert Path(f"duel.{form}").stat().st_size > 10_000


def test_a_file_is_not_replaced(folder: Path) -> None:
    run("combin init --game three-card-poker")
    assert (folder / "three-card-poker.toml").read_text().startswith("# Three Card Poker, as commonly dealt.")
    again = CliRunner().invoke(cli, ["init", "--game", "three-card-poker"])
    assert "exists and is not replaced" in str(again.exception)
