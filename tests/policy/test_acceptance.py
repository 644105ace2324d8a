"""Waivers and baselines: what they accept, when they end, and the notes on unused ones."""

import json
from datetime import date
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.policy import GateReport, check, read_policy
from combin.policy.acceptance import baseline_text, read_baseline
from combin.rulebook.book import shipped

FLUSH = "massachusetts/high-card-flush/flush-bonus"
IDS = [f"{FLUSH}/{letter}" for letter in "EK"]
RULE = f'[[rule]]\nname = "no gift"\napplies_to = ["{FLUSH}/*"]\nno_player_advantage = true\nhit_frequency_min = "1%"\n'


def report(tmp_path: Path, text: str, **options: object) -> GateReport:
    (tmp_path / "p.toml").write_text(RULE + text)
    return check(shipped(), IDS, read_policy(tmp_path / "p.toml"), **options)  # type: ignore[arg-type]


def waiver(identifier: str, rule: str = "", expires: str = "") -> str:
    lines = [f'[[waiver]]\nid = "{identifier}"\nreason = "as printed"']
    lines += [f'rule = "{rule}"'] if rule else []
    lines += [f"expires = {expires}"] if expires else []
    return "\n".join(lines) + "\n"


def test_both_tables_fail_without_a_waiver(tmp_path: Path) -> None:
    found = report(tmp_path, "")
    assert [(v.id, v.key) for v in found.verdicts if v.status == "fail"] == [(i, "no_player_advantage") for i in IDS]
    assert found.summary == "policy not met: 2 passed, 2 failed"


@pytest.mark.parametrize("rule", ["", "EDG003", "no gift"])
def test_a_waiver_covers_by_id_and_requirement(tmp_path: Path, rule: str) -> None:
    found = report(tmp_path, waiver(f"{FLUSH}/E", rule))
    assert not found.met
    assert [v.accepted for v in found.verdicts if v.status == "fail"] == ["waiver", ""]
    assert report(tmp_path, waiver(f"{FLUSH}/*", rule)).met


def test_a_waiver_that_is_not_used_is_reported_where_it_could_have_been(tmp_path: Path) -> None:
    both = waiver(f"{FLUSH}/*")
    found = report(tmp_path, both + waiver(f"{FLUSH}/E", "HIT001") + waiver(f"{FLUSH}/A"))
    assert found.met
    assert found.notes == (f"waiver is not used: {FLUSH}/E, HIT001 (as printed)",)


def test_a_waiver_of_no_paytable_at_all_is_told(tmp_path: Path) -> None:
    text = waiver(f"{FLUSH}/*") + waiver(f"{FLUSH.replace('bonus', 'bonsu')}/E")
    with pytest.raises(InputError, match=r"waiver is not used: no id matches .*bonsu/E; did you mean") as caught:
        report(tmp_path, text)
    assert [f.place for f in caught.value.faults] == ["line 9"]
    assert report(tmp_path, text, partial=True).met


def test_a_waiver_ends_after_its_date_and_no_clock_is_read(tmp_path: Path) -> None:
    text = waiver(f"{FLUSH}/*", expires="2001-01-31")
    assert report(tmp_path, text).met
    assert report(tmp_path, text, today=date(2001, 1, 31)).met
    found = report(tmp_path, text, today=date(2001, 2, 1))
    assert not found.met
    assert found.notes == (f"waiver is over: {FLUSH}/*, every requirement until 2001-01-31 (as printed)",)


def test_a_baseline_accepts_what_stood_before_and_nothing_new(tmp_path: Path) -> None:
    found = report(tmp_path, "")
    (tmp_path / "baseline.json").write_text(baseline_text(found.verdicts[:2]))
    baseline = read_baseline(str(tmp_path / "baseline.json"))
    again = report(tmp_path, "", baseline=baseline)
    assert [v.accepted for v in again.verdicts if v.status == "fail"] == ["baseline", ""]
    (tmp_path / "baseline.json").write_text(baseline_text(found.verdicts))
    baseline = read_baseline(str(tmp_path / "baseline.json"))
    assert report(tmp_path, "", baseline=baseline).met
    # Another figure is a new failure. A note names the baseline entry that no longer occurs.
    entries = json.loads(baseline_text(found.verdicts))["accepted"]
    assert [e["id"] for e in entries] == IDS
    entries[0]["fingerprint"] = "0" * 32
    (tmp_path / "baseline.json").write_text(json.dumps({"accepted": entries}))
    again = report(tmp_path, "", baseline=read_baseline(str(tmp_path / "baseline.json")))
    assert not again.met
    assert again.notes == (f"baseline entry no longer occurs: {IDS[0]}, EDG003 no gift",)


def test_a_baseline_written_over_itself_is_the_same(tmp_path: Path) -> None:
    text = baseline_text(report(tmp_path, "").verdicts)
    (tmp_path / "baseline.json").write_text(text)
    baseline = read_baseline(str(tmp_path / "baseline.json"))
    assert baseline_text(report(tmp_path, "", baseline=baseline).verdicts) == text
    assert baseline_text([]) == '{"schema": "combin/baseline/1", "accepted": []}\n'


@pytest.mark.parametrize("text", ["", "{", "[]", '{"accepted": 3}', '{"accepted": [{}]}', "[" * 100_000])
def test_a_bad_baseline_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match=r"b\.json: .*write one with write_baseline"):
        read_baseline(str(tmp_path / "b.json"))
