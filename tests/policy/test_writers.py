"""One record, five writers. SARIF is checked against its schema, JUnit against the parser of a consumer."""

import json
import re
from pathlib import Path

import jsonschema
import junitparser
import pytest

from combin.policy import GateReport, check, read_policy
from combin.policy.model import Policy, Verdict
from combin.policy.writers import FORMS, render
from combin.rulebook.book import shipped

SCHEMA = json.loads((Path(__file__).parents[1] / "data/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
IDS = [
    "massachusetts/high-card-flush/flush-bonus/E",
    "massachusetts/high-card-flush/flush-bonus/F",
    "massachusetts/high-card-flush/flush-bonus/K",
    "massachusetts/high-card-flush/progressive/A",
]
TEXT = """\
name = "of every kind"
[[rule]]
name = "No, \\"100%\\": <a> & b\u00e9"
applies_to = ["*/flush-bonus/*", "*/progressive/*"]
no_player_advantage = true
break_even_min = "1"
[[rule]]
name = "elsewhere"
applies_to = ["*/lucky-ladies/*"]
return_min = "1"
[[waiver]]
id = "*/flush-bonus/K"
reason = "as printed"
[[waiver]]
id = "*/flush-bonus/F"
reason = "never needed"
"""
KINDS = {"pass": 2, "fail": 2, "undecided": 1, "skipped": 4}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> GateReport:
    path = tmp_path_factory.mktemp("policy") / "p.toml"
    path.write_text(TEXT)
    found = check(shipped(), IDS, read_policy(path))
    assert {k: v for k, v in found.counts.items() if k != "accepted"} == KINDS
    assert found.counts["accepted"] == 1
    return found


def test_text_has_a_line_for_each_finding_and_one_summary(report: GateReport) -> None:
    *lines, summary = render(report, "text").splitlines()
    assert summary == "policy not met: 2 passed, 2 failed, 1 undecided, 4 skipped (1 of them accepted)"
    words = [next(w for w in ("accepted", "fail", "undecided", "skipped", "note") if f"{w}:" in line) for line in lines]
    assert sorted(words) == sorted(["fail", "accepted", "undecided", *["skipped"] * 4, "note"])
    assert re.match(r"combin/rules/massachusetts-high-card-flush\.toml:\d+: fail: massachusetts/", lines[0])
    assert len(render(report, "text", verbose=True).splitlines()) == len(lines) + 1 + KINDS["pass"]


def test_json_is_the_flat_record(report: GateReport) -> None:
    data = json.loads(render(report, "json"))
    assert data["met"] is False
    assert data["summary"] == {**KINDS, "accepted": 1}
    assert len(data["verdicts"]) == len(report.verdicts)
    failed = next(v for v in data["verdicts"] if v["status"] == "fail")
    assert failed["figure"] == {"exact": "1401081/1286390", "decimal": 1401081 / 1286390}
    assert {"rule", "check", "id", "limit", "file", "line", "message", "fingerprint"} <= failed.keys()
    assert data["notes"] == ["waiver is not used: */flush-bonus/F, every requirement (never needed)"]


def test_junit_is_read_by_a_consumer(report: GateReport, tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(render(report, "junit"), encoding="utf-8")
    suites = junitparser.JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    assert (suites.tests, suites.failures, suites.errors, suites.skipped) == (9, 2, 0, 5)
    assert [s.name for s in suites] == ['No, "100%": <a> & b\u00e9', "elsewhere"]
    cases = [case for suite in suites for case in suite]
    results = [type(case.result[0]).__name__ if case.result else "passed" for case in cases]
    assert {r: results.count(r) for r in results} == {"passed": 2, "Failure": 2, "Skipped": 5}
    counted = [(s.tests, s.failures, s.skipped) for s in suites]
    suites.update_statistics()
    assert counted == [(s.tests, s.failures, s.skipped) for s in suites]


def test_sarif_follows_its_schema(report: GateReport) -> None:
    log = json.loads(render(report, "sarif"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["EDG003"]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    kinds = [(result["kind"], result["level"]) for result in run["results"]]
    # A service shows every result as an alert, so passed, skipped and accepted verdicts are left out.
    assert kinds == [("fail", "error"), ("fail", "warning")]
    assert run["properties"]["summary"] == report.summary
    places = [r["locations"][0]["physicalLocation"] for r in run["results"]]
    # Shipped paytables are in no repository of the user. The place is that of the requirement.
    assert all(p["artifactLocation"]["uri"].endswith("/p.toml") and p["region"]["startLine"] > 0 for p in places)


def test_a_place_of_sarif_is_one_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def places(file: str, policy: str) -> list[object]:
        verdict = Verdict("fail", "x", "RTP001", id="a/b/c/d", message="m", file=file, line=4, policy_file=policy,
                          policy_line=9)  # fmt: skip
        log = json.loads(render(GateReport(Policy("p", ()), (verdict,)), "sarif"))
        jsonschema.Draft4Validator(SCHEMA).validate(log)
        place = log["runs"][0]["results"][0]["locations"][0].get("physicalLocation", {})
        return [place.get("artifactLocation", {}).get("uri"), place.get("region", {}).get("startLine")]

    assert places(str(tmp_path / "paytables/a b.toml"), "p.toml") == ["paytables/a%20b.toml", 4]
    assert places("./paytables/../a.toml", "p.toml") == ["a.toml", 4]
    assert places("combin/rules/x.toml", "policies/p.toml") == ["policies/p.toml", 9]
    assert places("combin/rules/x.toml", "combin:sound") == [None, None]


def test_the_schema_refuses_what_is_wrong(report: GateReport) -> None:
    log = json.loads(render(report, "sarif"))
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_github_annotations_are_escaped(report: GateReport) -> None:
    *lines, summary = render(report, "github").splitlines()
    assert summary == report.summary
    pattern = re.compile(r"::(error|notice)(?: (?:file=[^,:]+,line=\d+,)?title=[^,:]+)?::(.+)")
    levels = [match[1] for line in lines if (match := pattern.fullmatch(line))]
    assert levels == ["error", "error", "notice", "notice"]  # one for each paytable, the accepted ones, a note
    assert "100%25" in lines[0]


def test_a_shipped_document_is_no_file_of_a_repository() -> None:
    verdict = Verdict("fail", "x", "RTP001", "return_min", "a/b/c/d", message="m", file="combin/rules/a.toml", line=36)
    shown = render(GateReport(Policy("p", ()), (verdict,)), "github")
    assert shown.startswith("::error title=RTP001 x::a/b/c/d: m")


def test_hostile_names_stay_in_their_field() -> None:
    verdict = Verdict(
        "fail", "r\n::error::x", "RTP001", "return_min", "a/b/c/d", message="m\r\n%", file="/abs/ä b,:.toml", line=1
    )
    found = GateReport(Policy("p\n", ()), (verdict,))
    assert len(render(found, "github").splitlines()) == 2
    log = json.loads(render(found, "sarif"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "file:///abs/%C3%A4%20b%2C%3A.toml"
    assert junitparser.JUnitXml.fromstring(render(found, "junit").encode()).failures == 1


@pytest.mark.parametrize("form", FORMS)
def test_equal_reports_are_equal_bytes(report: GateReport, form: str) -> None:
    assert render(report, form) == render(report, form)
    assert render(report, form).endswith("\n")
