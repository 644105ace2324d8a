"""`combin init --wager` and `combin words` help to begin a wager of one's own."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze_all
from combin.cli.commands import cli
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.views.words import TERMS
from combin.wagers.vocabulary import WORDS


@pytest.mark.parametrize("deal", ["player 2, upcard 1", "first card 1", "player 3", "player 2, hole card 1, board 1"])
def test_what_is_written_is_a_wager(tmp_path: Path, deal: str) -> None:
    result = CliRunner().invoke(cli, ["init", "--wager", deal, "--folder", str(tmp_path)])
    assert result.exit_code == 0, result.output
    book, identifiers = add_file(shipped(), str(tmp_path / "wager.toml"))
    for a in analyze_all(identifiers, book=book):
        assert 0 < a.returned < 1


def test_every_word_and_term_is_told() -> None:
    told = CliRunner().invoke(cli, ["words"]).output
    for name in [*WORDS, *TERMS]:
        assert name in told
        assert CliRunner().invoke(cli, ["words", name]).output.startswith(name)
