"""Accepted failures: a baseline also accepts an improvement, and a paytable may carry its own waivers."""

import json
from datetime import date
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.policy.acceptance import baseline_text, read_baseline
from combin.policy.gate import Gate
from combin.policy.model import GateReport
from combin.userfiles.collected import collect

from ..shared import wager_file

FLUSH = "maryland/high-card-flush/flush-bonus"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


ADMITTED = 'file_waivers = ["RTP001", "r"]\n'


def report(
    pays: int, *, bound: str = 'return_min = "90%"', waiver: str = "", file_waivers: str = ADMITTED, **options: object
) -> GateReport:
    text = f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.x]\n"four-card flush" = "{pays} to 1"\n'
    text += f'[wager.paytable.y]\n"four-card flush" = "3 to 1"\n{waiver}'
    Path("a.toml").write_text(text)
    Path("p.toml").write_text(f'{file_waivers}[[rule]]\nname = "r"\napplies_to = ["*/x"]\n{bound}\n')
    gate = Gate("p.toml", allow_unjudged=True, **options)  # type: ignore[arg-type]
    gate.add_all(["a.toml"])
    return gate.report


def test_a_baseline_accepts_an_improvement_and_says_what_stood_before() -> None:
    """22.98 % of hands hold four or more of a suit. 1 to 1 returns 46 % and 2 to 1 returns 69 %, both below 90 %."""
    Path("b.json").write_text(baseline_text(report(1).verdicts))
    [old] = [v for v in report(1).verdicts if v.status == "fail"]
    same, better = report(1, baseline="b.json"), report(2, baseline="b.json")
    assert (same.met, better.met) == (True, True)
    assert [v.accepted_reason for v in same.verdicts if v.accepted] == ["known before"]
    [reason] = [v.accepted_reason for v in better.verdicts if v.accepted]
    assert reason == f"known before, better now; it was {old.figure}"
    assert better.unused == ()


def test_what_is_worse_than_the_baseline_fails_and_shows_the_old_figure() -> None:
    Path("b.json").write_text(baseline_text(report(2).verdicts))
    [old] = [v for v in report(2).verdicts if v.status == "fail"]
    found = report(1, baseline="b.json")
    assert not found.met
    [wrong] = [v for v in found.verdicts if not v.met]
    assert wrong.message.endswith(f"; accepted before, when it was {old.figure}")


def test_another_limit_is_another_finding() -> None:
    Path("b.json").write_text(baseline_text(report(1).verdicts))
    assert not report(2, bound='return_min = "91%"', baseline="b.json").met


def test_lines_at_fault_are_accepted_as_they_stand_alone() -> None:
    """A smaller top pay on another line is a new failure, because a failure includes every faulty line."""
    Path("b.json").write_text(baseline_text(report(9, bound='top_pay_max = "2"').verdicts))
    assert report(9, bound='top_pay_max = "2"', baseline="b.json").met
    assert not report(8, bound='top_pay_max = "2"', baseline="b.json").met


def test_a_baseline_without_margins_is_taken_as_it_was() -> None:
    data = json.loads(baseline_text(report(1).verdicts))
    for entry in data["accepted"]:
        del entry["margin"]
    Path("b.json").write_text(json.dumps(data))
    assert report(1, baseline="b.json").met
    assert not report(2, baseline="b.json").met
    data["accepted"][0]["margin"] = "1/0"
    Path("b.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match="a margin is not a fraction"):
        read_baseline("b.json")


WAIVER = '[[wager.waiver]]\npaytable = "x"\nrule = "RTP001"\nreason = "until the contract ends"\nexpires = 2027-12-31\n'


def test_a_waiver_may_stand_beside_its_paytable() -> None:
    found = report(1, waiver=WAIVER, today="2027-12-31")
    assert found.met
    [accepted] = [v for v in found.verdicts if v.accepted]
    assert (accepted.accepted, accepted.accepted_reason) == ("waiver", "until the contract ends")
    over = report(1, waiver=WAIVER, today="2028-01-01")
    assert not over.met
    assert any("waiver is over" in note for note in over.unused)
    assert any("no --today is given" in note for note in report(1, waiver=WAIVER).notes)


def test_a_waiver_in_a_file_covers_its_own_paytable_and_check_alone() -> None:
    assert not report(1, waiver=WAIVER.replace('"x"', '"y"')).met
    assert not report(1, waiver=WAIVER.replace("RTP001", "RTP002")).met
    assert report(1, waiver=WAIVER.replace("RTP001", "r")).met
    unused = report(3, waiver=WAIVER)
    assert any("waiver is not used" in note for note in unused.unused)


@pytest.mark.parametrize(("file_waivers", "waiver", "why"), [
    ("", WAIVER, "the policy's file_waivers do not list RTP001"),
    ('file_waivers = ["RTP002"]\n', WAIVER, "the policy's file_waivers do not list RTP001"),
    ('file_waivers = ["RTP001"]\n', WAIVER.replace('rule = "RTP001"\n', ""), "admit only waivers that name a rule"),
    ('file_waivers = ["RTP001"]\n', WAIVER.replace("expires = 2027-12-31\n", ""), "it has no expires"),
])  # fmt: skip
def test_a_waiver_in_a_file_needs_the_policys_consent(file_waivers: str, waiver: str, why: str) -> None:
    found = report(1, waiver=waiver, file_waivers=file_waivers, today="2027-01-01")
    assert not found.met
    assert any(why in note for note in found.unused)


@pytest.mark.parametrize(("stated", "says"), [
    ('file_waivers = "RTP001"\n', 'file_waivers: "RTP001" is not a list of texts'),
    ('file_waivers = ["RTP01"]\n', "file_waivers names neither a requirement nor a check"),
    ('file_waivers = ["return_min"]\n', "write RTP001"),
])
def test_consent_that_is_wrong_is_a_line(stated: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        report(1, file_waivers=stated)


@pytest.mark.parametrize("change", [{"margin": "-1000000"}, {"figure": "0"}, {"figure": "0", "margin": "-1000000"}])
def test_a_field_of_a_baseline_that_was_edited_accepts_nothing_worse(change: dict[str, str]) -> None:
    """2 to 1 was accepted. 1 to 1 returns less; an entry with another figure no longer is the one that was written."""
    data = json.loads(baseline_text(report(2).verdicts))
    data["accepted"][0] |= change
    Path("b.json").write_text(json.dumps(data))
    assert not report(1, baseline="b.json").met


def test_an_entry_accepts_what_its_fields_say() -> None:
    data = json.loads(baseline_text(report(2).verdicts))
    data["accepted"][0]["id"] = f"{FLUSH}/y"  # a reviewer would look at another paytable
    Path("b.json").write_text(json.dumps(data))
    assert not report(2, baseline="b.json").met


@pytest.mark.parametrize(("bound", "worse", "better"), [
    ('standard_deviation_max = "1/10"', 2, 1), ('standard_deviation_min = "100"', 1, 2), ('return_max = "1%"', 2, 1),
])
def test_an_improvement_goes_in_the_direction_of_its_check(bound: str, worse: int, better: int) -> None:
    Path("b.json").write_text(baseline_text(report(worse, bound=bound).verdicts))
    assert report(better, bound=bound, baseline="b.json").met
    Path("b.json").write_text(baseline_text(report(better, bound=bound).verdicts))
    assert not report(worse, bound=bound, baseline="b.json").met


@pytest.mark.parametrize(
    ("waiver", "says"),
    [
        ('[[wager.waiver]]\nrule = "RTP001"\n', 'line 7, waiver #1: "reason" is missing'),
        ('[[wager.waiver]]\nreason = "r"\npaytable = "z"\n', "line 7: the waiver names no paytable of this wager"),
        ('[[wager.waiver]]\nreason = "r"\nruel = "RTP001"\n', 'line 9, waiver #1, ruel: unknown key "ruel"; did'),
        ('[[wager.waiver]]\nreason = "r"\nexpires = "soon"\n', 'line 9, waiver #1, expires: "soon" is not a date'),
        ('[[wager.waiver]]\nreason = "r"\nrule = 3\n', "line 9, waiver #1, rule: 3 is not a text"),
        ('[[wager.waiver]]\nreason = "r"\n[[wager.waiver]]\nreason = ""\n',
         'line 10, waiver #2, reason: is empty'),
        ('[wager.waiver]\nreason = "r"\n', "is not a list of tables"),
    ],
)
def test_a_waiver_that_is_wrong_is_a_line(waiver: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        report(1, waiver=waiver)
    assert says in str(caught.value)


def test_a_wager_of_ones_own_may_be_waived() -> None:
    Path("own.toml").write_text(wager_file("player 2", {"pair": ("pair(player)", "2 to 1")}, decks=(6,))
                                + '[[wager.waiver]]\nreason = "a trial"\nexpires = "2027-01-31"\n')
    book, [identifier] = collect(["own.toml"])
    [waiver] = book.find(identifier)[1].waivers
    assert (waiver.reason, waiver.expires, waiver.line) == ("a trial", date(2027, 1, 31), 10)
