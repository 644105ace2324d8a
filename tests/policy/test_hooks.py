"""Files for other tools: the pre-commit hook in a real run, the action, the packaged data."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WAGER = "maryland/high-card-flush/flush-bonus"
PAYTABLE = '[[wager]]\nbased_on = "{wager}"\n[wager.paytable.house-1]\n"four-card flush" = "{pays}"\n'


def hook() -> dict[str, object]:
    (found,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert found["id"] == "combin-check"
    return dict(found)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with settings, a policy and this pre-commit hook. The hook runs the combin under test."""
    local = {**hook(), "language": "system", "entry": f"{sys.executable} -m {hook()['entry']}"}
    local.pop("additional_dependencies")  # pre-commit's own environment would supply these
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "combin.toml").write_text('policy = "policy.toml"\npaytables = ["paytables/"]\n')
    policy = f'[[rule]]\nname = "half"\napplies_to = ["{WAGER}/*"]\nreturn_min = "50%"\n'
    (tmp_path / "policy.toml").write_text(policy)
    (tmp_path / "paytables").mkdir()
    return tmp_path


def run(project: Path, *files: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(project / ".home"), "GIT_CONFIG_GLOBAL": os.devnull}
    for command in (["git", "init", "-q"], ["git", "add", "."]):
        subprocess.run(command, cwd=project, env=environment, check=True)
    command = [sys.executable, "-m", "pre_commit", "run", *(("--files", *files) if files else ("--all-files",))]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_hook_fails_a_bad_paytable_and_passes_a_good_one(project: Path) -> None:
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays="1 to 1"))
    found = run(project)
    assert found.returncode == 1
    assert "paytables/house.toml:3: fail: " in found.stdout
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays="3 to 1"))
    assert run(project).returncode == 0


def test_a_policy_that_changes_judges_every_paytable(project: Path) -> None:
    """No changed file holds a paytable. The hook still checks all paytables, also in a sheet of XLSX."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("wager", "outcome", "pays"), (WAGER, "four-card flush", "3 to 1")):
        book.active.append(row)
    book.save(project / "paytables/sheet.xlsx")
    policy = (project / "policy.toml").read_text()
    (project / "policy.toml").write_text(policy.replace("50%", "99%"))
    found = run(project, "policy.toml")
    assert found.returncode == 1
    assert "paytables/sheet.xlsx:2: fail: " in found.stdout
    assert run(project, ".pre-commit-config.yaml").returncode == 1  # it is never skipped


def test_the_action_quotes_what_it_is_given() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert set(action["inputs"]) == {"policy", "paytables", "baseline", "today", "arguments", "sarif", "compare"}
    assert action["inputs"]["paytables"]["default"] == ""  # what combin.toml states
    assert all("required" not in entry for entry in action["inputs"].values())
    # The caller's own Python stays first on the path.
    assert not any("setup-python" in step.get("uses", "") for step in action["runs"]["steps"])
    for step in action["runs"]["steps"]:
        # Inputs reach the shell through the environment alone. No script has them pasted in.
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"


def script(name: str) -> str:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    return str(next(step["run"] for step in steps if step.get("name") == name))


Runner = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def runner(project: Path) -> Runner:
    """Runs a step of the action as a runner does. The combin under test is the installed one."""
    shim = project / "bin"
    shim.mkdir()
    (shim / "combin").write_text(f'#!/bin/sh\nexec {sys.executable} -m combin "$@"\n')
    (shim / "combin").chmod(0o755)
    (project / "temp").mkdir()
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    files = {name: str(project / "temp" / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}

    def step(name: str, **given: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, **files, "COMBIN": str(shim / "combin"), "RUNNER_TEMP": str(project / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
            **{key.upper(): entry["default"] for key, entry in inputs.items()}, **given,
        }  # fmt: skip
        options = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        return subprocess.run([*options, script(name)], cwd=project, env=environment, capture_output=True, text=True)

    return step


def outputs(project: Path) -> dict[str, str]:
    lines = (project / "temp/GITHUB_OUTPUT").read_text().splitlines()
    return {line.partition("=")[0]: line.partition("=")[2] for line in lines}


@pytest.mark.parametrize(("pays", "status"), [("1 to 1", 1), ("3 to 1", 0), ("3 too 1", 2)])
def test_one_check_gives_annotations_sarif_summary_and_outputs(
    project: Path, runner: Runner, pays: str, status: int
) -> None:
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays=pays))
    found = runner("Check the paytables", SARIF="out.sarif")
    assert found.returncode == status, found.stderr
    assert ("::error file=paytables/house.toml,line=" in found.stdout) == (status != 0)
    log = json.loads((project / "out.sarif").read_text())
    assert len(log["runs"][0]["results"]) == (status == 1)
    given = outputs(project)
    assert given.get("met") == {0: "true", 1: "false"}.get(status)
    assert given.get("summary", "").startswith("policy") == (status < 2)
    summary = (project / "temp/GITHUB_STEP_SUMMARY").read_text()
    assert summary.startswith("### combin: ")
    assert Path(given["markdown"]).read_text() == summary


def test_the_action_ends_waivers_today(project: Path, runner: Runner) -> None:
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays="1 to 1"))
    waiver = f'[[waiver]]\nid = "{WAGER}/*"\nreason = "r"\nexpires = 2020-01-01\n'
    (project / "policy.toml").write_text((project / "policy.toml").read_text() + waiver)
    assert runner("Check the paytables").returncode == 1
    assert runner("Check the paytables", PAYTABLES="-", TODAY="2019-12-31").returncode == 0


@pytest.fixture
def committed(project: Path) -> Path:
    """The project's paytable of 3 to 1, in a revision."""
    paytable = project / "paytables/house.toml"
    paytable.write_text(PAYTABLE.format(wager=WAGER, pays="3 to 1"))
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for words in (("init", "-q"), ("add", "paytables"), (*who, "commit", "-q", "-m", "base")):
        subprocess.run(["git", *words], cwd=project, check=True)
    return paytable


def test_the_action_shows_what_a_change_makes_fail(project: Path, committed: Path, runner: Runner) -> None:
    committed.write_text(PAYTABLE.format(wager=WAGER, pays="1 to 1"))
    assert runner("Check the paytables", COMPARE="HEAD").returncode == 1
    said = Path(outputs(project)["markdown"]).read_text().splitlines()
    [line] = [line for line in said if "3 to 1 → 1 to 1" in line]
    assert "now fails" in line  # by the policy of combin.toml


@pytest.mark.slow
def test_the_action_compares_with_a_revision_or_warns(project: Path, committed: Path, runner: Runner) -> None:
    committed.write_text(PAYTABLE.format(wager=WAGER, pays="4 to 1"))
    found = runner("Check the paytables", COMPARE="HEAD")
    assert (found.returncode, "::warning" in found.stdout) == (0, False), found.stderr
    assert "3 to 1 → 4 to 1" in Path(outputs(project)["markdown"]).read_text()
    found = runner("Check the paytables", PAYTABLES="-", COMPARE="HEAD")
    assert (found.returncode, "::warning" in found.stdout) == (0, False)
    assert "3 to 1 → 4 to 1" in Path(outputs(project)["markdown"]).read_text()
    found = runner("Check the paytables", COMPARE="none")
    assert (found.returncode, "were not compared with none" in found.stdout) == (0, True)


def test_the_action_finds_a_python_and_names_its_build(project: Path, runner: Runner) -> None:
    found = runner("Find Python")
    assert found.returncode == 0, found.stderr
    given = outputs(project)
    version = [given["python"], "-c", "import sys; print(sys.version_info >= (3, 11))"]
    assert subprocess.run(version, capture_output=True, text=True, check=True).stdout == "True\n"
    assert re.fullmatch(r"combin-wheel-Linux-X64-3\.\d+-[0-9a-f]{32}", given["key"])


SOURCES = {"combin/a.py": "a", "ext/b.pyx": "b", "ext/b.pxd": "b", "setup.py": "s", "pyproject.toml": "p"}


@pytest.mark.parametrize("changed", [["ext/b.pyx"], pytest.param(list(SOURCES), marks=pytest.mark.slow)], ids=len)
def test_what_a_build_leaves_behind_does_not_change_its_name(
    project: Path, runner: Runner, changed: list[str]
) -> None:
    """A self-hosted runner keeps the action's folder; a change of a source is another build."""

    def key(files: dict[str, str]) -> str:
        for name, text in files.items():
            path = project / "action" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert runner("Find Python", GITHUB_ACTION_PATH=str(project / "action")).returncode == 0
        return outputs(project)["key"]

    first = key(SOURCES)
    left = ("combin/__pycache__/a.pyc", "combin/_kernels/_sources.py", "combin/_kernels/b.so", "ext/b.c")
    assert key(dict.fromkeys(left, "x")) == first
    assert len({first, *(key({name: "changed"}) for name in changed)}) == 1 + len(changed)
    assert key(SOURCES) == first
