"""Tables that are attached to a section: charts, side bets joined to a base game, the whole best play."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

import combin
from combin.base.errors import InputError
from combin.pages.blocks import Grid, Number, Words

from .reports import FLUSH, LADIES, command, report_on


@pytest.mark.slow
def test_bad_beat_shows_its_play_and_warns_of_another() -> None:
    (s,) = report_on("maryland/blackjack/bad-beat-progressive/A", decks=6).sections
    play, returns = s.tables
    chart, *notes = play.blocks
    rows = {row[0]: row[1:] for row in chart.rows}
    assert rows["hard 16"] == tuple("SSSSSHHHHH")
    assert rows["soft 18"][1] == "Ds"
    assert any("sha256" in note.text for note in notes)
    played, *notes = returns.blocks
    assert [row[0] for row in played.rows] == ["total-dependent, never split (used)", "draw to 20"]
    assert any(note.text.startswith("Warning: with this play the wager favours the player") for note in notes)


def test_a_side_bet_is_joined_to_a_base_game() -> None:
    base, bonus = "maryland/high-card-flush/base/A", "maryland/high-card-flush/flush-bonus/A"
    report = report_on(base, bonus=(bonus,), set={"ante": "5", "stake": "2"})
    s, joined = report.sections
    play, variances = s.further
    assert play.title == "High Card Flush, ante and raise, paytable A with Flush Bonus, paytable A"
    # The joined bet has a section of its own: paytable, readings, findings, liability.
    assert (joined.analysis.id, joined.analysis.parameters["stake"]) == (bonus, 2)
    assert joined.findings
    # $5 of the ante win 4 to 1 at the most (a raise of three times), $2 of the side bet 300 to 1.
    assert any("at most $620 in a round" in block.text for block in play.blocks if isinstance(block, Words))
    grids = [block for part in (play, variances) for block in part.blocks if isinstance(block, Grid)]
    values = {name: Fraction(cell.exact) for grid in grids for name, cell in zip(grid.head, grid.rows[0], strict=True)
              if isinstance(cell, Number)}
    # Each wager by itself is what its own analysis says; a round is both at their stakes.
    game, side = combin.analyze(base), combin.analyze(bonus)
    assert values["side bet returns"] == side.returned
    assert values["side bet"] == side.variance
    assert values["base, antes"] == game.game.expected_value
    assert values["dollars per round"] == 5 * game.game.expected_value + 2 * (side.returned - 1)
    squares = 25 * game.variance + 4 * side.variance + 20 * values["covariance"]
    assert values["round, square dollars"] == squares
    assert f"--with {bonus}" in report.identity.request.command


@pytest.mark.parametrize(
    ("base", "bonus", "message"),
    [
        (FLUSH, FLUSH, "is a side bet; name the base game"),
        ("maryland/high-card-flush/base/A", LADIES, "wagers of different documents"),
        ("maryland/high-card-flush/base/A", "nothing", "no paytable has the id"),
    ],
)
def test_a_side_bet_that_cannot_be_joined_is_refused(base: str, bonus: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        report_on(base, bonus=(bonus,))


@pytest.mark.slow
def test_best_play_is_written_beside_the_report_with_its_digest(tmp_path: Path) -> None:
    base = "maryland/high-card-flush/base/A"
    output = tmp_path / "report.json"
    assert command(base, "--quick", "--best-play", str(tmp_path), "-o", str(output)) == ""
    (table,) = (t for s in json.loads(output.read_text("utf-8"))["sections"] for t in s["tables"])
    assert [name for name, _ in table["rows"]] == [f"{base.replace('/', '-')}-1.{form}" for form in ("csv", "json")]
    for name, digest in table["rows"]:
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    with pytest.raises(InputError, match="is not a folder"):
        command(base, "--quick", "--best-play", str(tmp_path / "none"), "-o", str(output))
    with pytest.raises(InputError, match="none of these paytables has decisions"):
        command(FLUSH, "--quick", "--best-play", str(tmp_path), "-o", str(output))
