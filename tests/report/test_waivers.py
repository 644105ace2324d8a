"""A waiver in a report: the summary says that it accepts a verdict, and one that has ended accepts nothing."""

from pathlib import Path

import pytest

from ..shared import Run

FLUSH = "maryland/high-card-flush/flush-bonus"


@pytest.mark.parametrize(("today", "status"), [("2027-12-31", 0), ("2028-01-01", 1), (None, 1)])
def test_a_waiver_ends_in_a_report(combin: Run, today: str | None, status: int) -> None:
    Path("a.toml").write_text(
        f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.x]\n"four-card flush" = "9 to 1"\n')
    Path("policy.toml").write_text(
        '[[rule]]\nname = "r"\napplies_to = ["*"]\nno_player_advantage = true\n'
        '[[waiver]]\nid = "*"\nrule = "EDG003"\nreason = "a trial"\nexpires = 2027-12-31\n')
    dated = () if today is None else ("--today", today)
    found, _, err = combin("report", "a.toml", "--policy", "policy.toml", *dated, "--quick", "-o", "r.md")
    assert found == status, err
    text = Path("r.md").read_text()
    assert ("accepted by the waiver" in text) == (status == 0)
    assert "not met" in text
    assert ("waivers with an expiry date accept nothing unless --today is given" in err) == (today is None)
    assert combin("report", "a.toml", "--policy", "policy.toml", "--today", "soon", "-o", "r.md")[0] == 2
