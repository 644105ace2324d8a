"""Provisions of regulators: which are selected, what the verdict on each is, and what the sentence names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from combin.base.errors import InputError
from combin.pages.blocks import walk
from combin.report.conclusion import FAILS, MEETS, OPEN
from combin.report.identity import ReportRequest
from combin.report.layout import page
from combin.report.make import Files, make
from combin.report.model import Report
from combin.report.profiles import MET, NOT_CHECKED, NOT_MET, OUTSIDE, read_profile, shipped

from ..shared import RARE

FLUSH = "maryland/high-card-flush/flush-bonus"
COVER = """\
laboratory = "Example Laboratories"
client = "Harbor Casino"
report = "EL-1"
standard = ["ISO/IEC 17025"]
"""


def reported(folder: Path, pattern: str, cover: str, policy: str | None = "combin:sound", **files: str) -> Report:
    """The quick report on a paytable, or on a file of ``files``, with a cover that has further lines."""
    (folder / "cover.toml").write_text(COVER + cover, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    typed = [str(folder / f"{pattern}.toml") if pattern in files else pattern]
    name = Path(typed[0]).name if pattern in files else pattern
    asked = ReportRequest((name,), policy=policy, cover="cover.toml", quick=True)
    return make(asked, Files([*typed, str(folder / "cover.toml")]))[0]


def verdicts(report: Report) -> dict[str, str]:
    return {r.id: r.verdict for r in report.conclusion.requirements}


def test_a_prize_that_is_too_rare_is_not_met_and_standards_are_not_signed(tmp_path: Path) -> None:
    report = reported(tmp_path, "own", 'profiles = ["gli-11"]', own=RARE)
    (row,) = report.conclusion.requirements
    assert (row.verdict, "133,784,560" in row.figure) == (NOT_MET, True)
    assert report.conclusion.outcome == FAILS
    assert report.conclusion.sentence.count("GLI-11 version 3.0, 4.8.2") == 1
    assert "ISO" not in report.conclusion.sentence
    assert ("named by the client, not tested here", "ISO/IEC 17025") in report.cover.facts
    # The policy's requirement on prizes is for other wagers: that is open, and so is whatever it does not judge.
    assert any("prize_one_in_max was not applied" in reason for reason in report.conclusion.reasons)
    # A prize as rare as the limit occurs at least so often: 1 of C(52, 5) = 2,598,960.
    five = RARE.replace("player 7", "player 5").replace("8h 9h Th", "Th").replace("== 7", "== 5")
    assert verdicts(reported(tmp_path, "own", 'profiles = ["gli-11"]', own=five)) == {"GLI-11 version 3.0, 4.8.2": MET}


@pytest.mark.slow
def test_provisions_for_new_wagers_apply_to_those_alone(tmp_path: Path) -> None:
    odds, described = "COMAR 36.05.03.20 A(3)", "COMAR 36.05.03.20 A(1)"
    own = verdicts(reported(tmp_path, "own", 'jurisdiction = "maryland"', own=RARE))
    assert (own[odds], own[described], own["COMAR 36.05.03.20 B"]) == (MET, NOT_CHECKED, OUTSIDE)
    about = RARE.replace('deal = "player 7"', 'about = "A bet on seven cards of one suit."\ndeal = "player 7"')
    assert verdicts(reported(tmp_path, "own", 'jurisdiction = "Maryland"', own=about))[described] == OUTSIDE
    standard = verdicts(reported(tmp_path, f"{FLUSH}/A", 'jurisdiction = "Maryland"'))
    assert standard == {"COMAR 36.05.03.14 E": MET}
    pays = ("300 to 1", "100 to 1", "10 to 1", "1 to 1")
    lines = ("seven-card flush", "six-card flush", "five-card flush", "four-card flush")
    for wanted, changed in ((False, pays), (True, (*pays[:1], "90 to 1", *pays[2:]))):
        table = "".join(f'"{line}" = "{pay}"\n' for line, pay in zip(lines, changed, strict=True))
        text = f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.x]\n{table}'
        report = reported(tmp_path, "own", 'jurisdiction = "Maryland"', own=text)
        assert (odds in verdicts(report), report.sections[0].is_new) == (wanted, wanted)
        assert any("nearest: A (Ch. 12 §B(1)); differs in" in reason for reason in report.conclusion.reasons) == wanted


def test_odds_for_are_not_met_in_a_clients_table(tmp_path: Path) -> None:
    report = reported(tmp_path, "own", 'jurisdiction = "Maryland"', own=RARE.replace("800 to 1", "800 for 1"))
    row = next(r for r in report.conclusion.requirements if r.id == "COMAR 36.05.03.14 E")
    assert (row.verdict, row.figure) == (NOT_MET, '"seven-card flush" pays 800 for 1')


@pytest.mark.parametrize(("line", "words"), [
    ('profiles = ["comar"]', 'the profile "comar" is unknown'),
    ('jurisdiction = "Atlantis"', 'no profile covers the jurisdiction "Atlantis"'),
])
def test_an_unknown_profile_is_an_open_point(tmp_path: Path, line: str, words: str) -> None:
    conclusion = reported(tmp_path, f"{FLUSH}/A", line).conclusion
    assert (conclusion.requirements, conclusion.outcome) == ((), OPEN)
    assert any(words in reason for reason in conclusion.reasons)


PROFILE = """\
id = "house"
title = "House rules"
[[row]]
id = "H1"
asks = "at least 90 % are returned"
source = "house"
check = "least return"
limit = "90%"
[[row]]
id = "H2"
asks = "pays follow rarity"
source = "house"
requirement = "pays_monotone"
"""


def test_a_laboratory_adds_a_profile_of_its_own(tmp_path: Path) -> None:
    report = reported(tmp_path, f"{FLUSH}/A", 'profiles = ["house.toml"]', house=PROFILE)
    assert verdicts(report) == {"H1": MET, "H2": MET}
    assert "house.toml" in dict(report.identity.files)
    assert verdicts(reported(tmp_path, f"{FLUSH}/A", 'profiles = ["house.toml"]', policy=None)) == {
        "H1": MET, "H2": NOT_CHECKED}
    high = PROFILE.replace('limit = "90%"', 'limit = "95%"')
    assert verdicts(reported(tmp_path, f"{FLUSH}/A", 'profiles = ["house.toml"]', house=high))["H1"] == NOT_MET


@pytest.mark.parametrize(("old", "new", "message"), [
    ('check = "least return"', 'check = "least returns"', '"least returns" is not a check'),
    ('limit = "90%"\n', "", "lacks the limit of its check"),
    ('requirement = "pays_monotone"', 'requirement = "pays"', '"pays" is not a key of policies'),
    ('requirement = "pays_monotone"', "", "is judged by none or by several"),
    ('source = "house"\ncheck', 'wagers = "old"\nsource = "house"\ncheck',
     'wagers: "old" is none of the choices; known: all, new'),
])
def test_a_faulty_profile_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(PROFILE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_profile(str(path))


def test_every_shipped_provision_has_a_source_and_leads_to_parts_that_exist(tmp_path: Path) -> None:
    rows = [row for profile in shipped().values() for row in profile.row]
    assert {"comar-36.05.03", "205-cmr-147", "gli-11"} <= set(shipped())
    assert all(row.source and bool(row.outside) != bool(row.where) for row in rows)
    report = reported(tmp_path, "own", f"profiles = {list(shipped())}".replace("'", '"'), own=RARE)
    anchors = [part.anchor for _, part in walk(page(report).parts)]
    named = {a for a in anchors if a}
    assert len(anchors) == len(set(anchors))
    assert {"game", "paytable-1-paytable", "requirements"} <= named


def test_what_is_undecided_or_waived_is_never_called_met(tmp_path: Path) -> None:
    """The meter that nobody set leaves the return open; combin:sound lets what is undecided pass."""
    report = reported(tmp_path, "maryland/high-card-flush/progressive/A", 'jurisdiction = "Maryland"')
    (section,) = report.sections
    (verdict,) = (v for v in section.verdicts if v.key == "no_player_advantage")
    assert (verdict.passed, verdict.word) == (None, "undecided, accepted by the policy")
    assert report.met
    assert report.conclusion.outcome == OPEN
    assert any("undecided" in reason for reason in report.conclusion.reasons)
    waived: Any = replace(verdict, status="fail", accepted="waiver")
    assert waived.word == "not met, accepted by the waiver"


@pytest.mark.slow
def test_values_of_the_command_line_count_for_the_policy_and_any_play_is_judged() -> None:
    """112.55 %: a player who draws to 20, and on a soft 21, at a meter of $12,000 (given with the case)."""
    asked = ReportRequest(("maryland/blackjack/bad-beat-progressive/A",), (6,), quick=True, policy="combin:sound",
                  set={"meter": "12000", "magic_card_frequency": "0", "lucky_player_frequency": "0"})
    report, _ = make(asked, Files())
    (section,) = report.sections
    assert f"{float(section.analysis.returned):.6f}" == "0.821356"
    assert f"{float(section.greatest_return):.4f}" == "1.1255"
    assert any(v.passed is False and v.key == "no_player_advantage" for v in section.verdicts)
    assert report.conclusion.outcome == FAILS
    assert any("above 100 %" in reason for reason in report.conclusion.reasons)


def test_the_sentence_without_open_points_names_what_was_checked(tmp_path: Path) -> None:
    from combin.report.conclusion import conclude
    from combin.verify.model import Check

    report = reported(tmp_path, f"{FLUSH}/A", 'jurisdiction = "Maryland"')
    checked = (Check("counts", "another way", "the same"),)
    (section,) = (replace(s, findings=(), verification=checked) for s in report.sections)
    found = conclude([section], "house", report.cover, False, report.conclusion.requirements)
    assert found.outcome == MEETS
    assert found.sentence.endswith("meets COMAR 36.05.03.14 E and the policy house.")
