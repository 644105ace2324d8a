"""Every paytable of the catalogue, written out with the lines that `combin analyze` prints, reads back unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.games.registry import game_of
from combin.rulebook.book import Resolved, shipped
from combin.rulebook.pays import LOSS
from combin.userfiles.paytables import add_file


def written(analyses: list[tuple[str, list[tuple[str, str]]]]) -> str:
    text = []
    for wager, lines in analyses:
        text += ["[[wager]]", f'based_on = "{wager}"', "[wager.paytable.printed]"]
        text += [f"\"{outcome}\" = '{pay}'" for outcome, pay in lines]
    return "\n".join(text)


def printed(resolved: Resolved) -> tuple[Analysis, list[tuple[str, str]]]:
    """The analysis, and its lines as they are printed. A wheel's line prints one row for each stop."""
    a = analyze(resolved.id, decks=resolved.decks[-1])
    return a, [(o.outcome, o.pays) for o in a.outcomes if o.outcome != LOSS]


def figures(a: Analysis) -> tuple[object, ...]:
    """The rows, and the return where no setting differs by paytable and nothing but the lines is paid."""
    alone = not (a.resolved.envy or a.resolved.extra or a.additions)
    settings = any(len(setting.default.values) > 1 for setting in a.resolved.terms.setting.values())
    return [(o.outcome, o.pays, o.probability) for o in a.outcomes], a.rtp if alone and not settings else None


def read_back(tmp_path: Path, identifiers: list[str]) -> int:
    book, count = shipped(), 0
    for identifier in identifiers:
        resolved = book.resolve(identifier)
        if game_of(resolved) is not None or resolved.terms.depends_on_play:
            continue
        a, lines = printed(resolved)
        path = tmp_path / "printed.toml"
        path.write_text(written([(resolved.wager_id, lines)]), encoding="utf-8")
        own, (added,) = add_file(book, str(path))
        again = analyze(added, decks=a.decks, any_decks=True, book=own)
        rows, rtp = figures(a)
        assert figures(again)[0] == rows, identifier
        assert rtp is None or again.rtp == rtp, identifier
        count += 1
    return count


@pytest.mark.parametrize("pattern", ["maryland/blackjack/match-the-dealer", "maryland/blackjack/royal-match-21"])
def test_a_table_with_added_pays_reads_back(tmp_path: Path, pattern: str) -> None:
    assert read_back(tmp_path, [i for i in shipped().ids() if i.startswith(f"{pattern}/")]) > 1


@pytest.mark.slow
def test_every_table_reads_back(tmp_path: Path) -> None:
    assert read_back(tmp_path, list(shipped().ids())) > 120
