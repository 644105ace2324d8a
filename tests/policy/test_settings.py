"""`combin check` without words takes the gate from combin.toml or from [tool.combin] of pyproject.toml."""

import json
from pathlib import Path

import jsonschema
import junitparser
import pytest

from combin.base.errors import InputError
from combin.policy.settings import settings
from combin.policy.writers import FORMS

from ..shared import Run

FLUSH = "maryland/high-card-flush/flush-bonus"
POLICY = f'[[rule]]\nname = "half"\napplies_to = ["{FLUSH}/*"]\nreturn_min = "50%"\n'
OWN = 'policy = "gate/policy.toml"\npaytables = ["paytables/"]\n'
SARIF = json.loads((Path(__file__).parents[1] / "data/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def table(name: str, pays: str) -> str:
    return f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.{name}]\n"four-card flush" = "{pays}"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        ".git/HEAD": "ref\n",
        "gate/policy.toml": POLICY,
        "paytables/good.toml": table("good", "3 to 1"),
        "paytables/deeper/bad.toml": table("bad", "1 to 1"),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path




@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("combin.toml", OWN),
        ("pyproject.toml", '[project]\nname = "x"\n[tool.combin]\n' + OWN),
        ("pyproject.toml", "tool.combin.policy = 'gate/policy.toml'\ntool.combin.paytables = 'paytables'\n"),
        ("pyproject.toml", '[ tool . "combin" ]\n' + OWN),
        ("pyproject.toml", "[tool]\ncombin = { policy = 'gate/policy.toml', paytables = 'paytables' }\n"),
    ],
)
def test_the_command_alone_is_the_gate(combin: Run, project: Path, file: str, text: str) -> None:
    (project / file).write_text(text)
    status, out, _ = combin("check")
    assert status == 1
    assert "paytables/deeper/bad.toml:3: fail: " in out
    assert "1 passed, 1 failed" in out
    (project / "paytables/deeper/bad.toml").write_text(table("bad", "4 to 1"))
    assert combin("check")[0] == 0


def test_paths_are_those_of_the_file_from_a_folder_below(
    combin: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "combin.toml").write_text(OWN + 'baseline = "baseline.json"\n')
    monkeypatch.chdir(project / "paytables" / "deeper")
    assert combin("check", "--write-baseline", "../../baseline.json")[0] == 1
    status, out, _ = combin("check")
    assert (status, "accepted: 1 finding of 1 paytable; -v lists them" in out) == (0, True)
    assert settings().paytables == ("../../paytables/",)


def test_what_is_given_comes_before_what_is_stated(combin: Run, project: Path) -> None:
    (project / "combin.toml").write_text(OWN)
    assert combin("check", "paytables/good.toml")[0] == 0
    (project / "other.toml").write_text(POLICY.replace("50%", "1%"))
    assert combin("check", "--policy", "other.toml")[0] == 0


def test_settings_above_the_repository_do_not_count(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = project / "inner"
    (inner / ".git").mkdir(parents=True)
    (project / "combin.toml").write_text(OWN)
    monkeypatch.chdir(inner)
    assert settings().file == ""
    (inner / ".git").rmdir()
    assert settings().file == "../combin.toml"


@pytest.mark.parametrize(
    "text",
    ["tool = 3 # tool.combin = {}\n", '[project]\nname = "combin"\n', 'dependencies = ["combin==1"]\n', "combin {\n"],
)
def test_another_pyproject_states_nothing(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)
    assert settings().file == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('polcy = "x"\n', 'combin.toml: line 1, polcy: unknown key "polcy"; did you mean "policy"?'),
        ("policy = 3\n", "combin.toml: line 1, policy: 3 is not a text"),
        ("paytables = [1]\n", "combin.toml: line 1, paytables: 1 is not a text"),
        ("x = y\n", "combin.toml: line 1"),
    ],
)
def test_settings_that_are_wrong_are_one_line(project: Path, text: str, says: str) -> None:
    (project / "combin.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        settings()
    assert says in str(caught.value)


def test_nothing_stated_and_nothing_given_is_refused(combin: Run, project: Path) -> None:
    status, _, err = combin("check", "--policy", "gate/policy.toml")
    assert status == 1  # the folder paytables/ is checked if nothing is named
    (project / "paytables").rename(project / "tables")
    status, _, err = combin("check")
    assert status == 2
    assert "no paytable is named; give files, folders, ids or globs, or name paytables in combin.toml" in err
    status, _, err = combin("check", "tables/")
    assert (status, "no policy is named" in err) == (2, True)


def test_bad_input_is_shown_by_every_service(combin: Run, project: Path) -> None:
    """Two files with a fault each: annotations, errors of JUnit, notifications of SARIF, blockers of GitLab."""
    (project / "combin.toml").write_text(OWN)
    (project / "paytables/good.toml").write_text(table("good", "3 too 1"))
    (project / "paytables/deeper/bad.toml").write_text("[[wager]\n")
    for form in FORMS:
        status, out, err = combin("check", "--format", form)
        assert status == 2
        assert err.count("combin: paytables/") == 2
        if form in ("text", "json"):
            assert out == ""
        elif form == "github":
            assert out.splitlines()[0].startswith(
                "::error file=paytables/good.toml,line=4,title=bad input::paytables/good.toml: line 4"
            )
        elif form == "junit":
            suites = junitparser.JUnitXml.fromstring(out.encode())
            assert (suites.tests, suites.failures, suites.errors) == (2, 0, 2)
        elif form == "sarif":
            log = json.loads(out)
            jsonschema.Draft4Validator(SARIF).validate(log)
            [invocation] = log["runs"][0]["invocations"]
            assert invocation["executionSuccessful"] is False
            places = [n["locations"][0]["physicalLocation"] for n in invocation["toolConfigurationNotifications"]]
            assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [
                ("paytables/good.toml", 4), ("paytables/deeper/bad.toml", 1),
            ]  # fmt: skip
        elif form == "gitlab":
            assert [(e["severity"], e["location"]["path"]) for e in json.loads(out)] == [
                ("blocker", "paytables/good.toml"), ("blocker", "paytables/deeper/bad.toml"),
            ]  # fmt: skip
        else:
            assert out.startswith("### combin: bad input, nothing was judged\n")


def test_several_forms_come_of_one_check(combin: Run, project: Path) -> None:
    (project / "combin.toml").write_text(OWN)
    words = [w for form in FORMS for w in ("--also", f"{form}=out.{form}")]
    status, out, _ = combin("check", *words)
    assert status == 1
    assert (project / "out.text").read_text() == out
    for form in FORMS:
        assert (project / f"out.{form}").read_text() == combin("check", "--format", form)[1]
    [finding] = json.loads((project / "out.gitlab").read_text())
    assert finding["location"] == {"path": "paytables/deeper/bad.toml", "lines": {"begin": 3}}
    assert finding["severity"] == "major"
    for wrong in ("sarif", "sarf=x", "sarif="):
        assert combin("check", "--also", wrong)[0] == 2


def test_a_fault_is_never_written_over_an_input(combin: Run, project: Path) -> None:
    (project / "combin.toml").write_text(OWN)
    (project / "gate/policy.toml").write_text('extends = "base.toml"\n[[rule')
    (project / "gate/base.toml").write_text(POLICY)
    for target in ("gate/base.toml", "paytables/good.toml", "gate/policy.toml", "combin.toml"):
        before = (project / target).read_text()
        assert combin("check", "--format", "sarif", "-o", target)[0] == 2
        assert combin("check", "--also", f"gitlab={target}")[0] == 2
        assert (project / target).read_text() == before
