"""What other tools read: the pre-commit hook in a real run, the action, the packaged data."""

import os
import subprocess
import sys
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
    """A repository with a policy whose pre-commit hook is this one, run with the combin under test."""
    local = {**hook(), "language": "system", "entry": f"{sys.executable} -m {hook()['entry']}"}
    local["args"] = ["--policy", "policy.toml"]
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "policy.toml").write_text(
        f'[[rule]]\nname = "half"\napplies_to = ["{WAGER}/*"]\nreturn_min = "50%"\n'
        f'[[rule]]\nname = "another file"\napplies_to = ["{WAGER}/house-9"]\nreturn_min = "50%"\n'
    )
    (tmp_path / "paytables").mkdir()
    return tmp_path


def run(project: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(project / ".home"), "GIT_CONFIG_GLOBAL": os.devnull}
    for command in (["git", "init", "-q"], ["git", "add", "paytables", "policy.toml", ".pre-commit-config.yaml"]):
        subprocess.run(command, cwd=project, env=environment, check=True)
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


def test_the_hook_fails_a_bad_paytable_and_passes_a_good_one(project: Path) -> None:
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays="1 to 1"))
    found = run(project)
    assert found.returncode == 1
    assert "paytables/house.toml:3: fail: " in found.stdout
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays="3 to 1"))
    assert run(project).returncode == 0


def test_the_action_quotes_what_it_is_given() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert set(action["inputs"]) == {"policy", "paytables", "arguments", "sarif"}
    for step in action["runs"]["steps"]:
        # Inputs reach the shell through the environment alone: nothing of them is pasted into a script.
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"


def script(name: str) -> str:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    return str(next(step["run"] for step in steps if step.get("name") == name))


@pytest.mark.parametrize(("pays", "status"), [("1 to 1", 1), ("3 to 1", 0), ("3 too 1", 2)])
def test_the_steps_of_the_action_run(project: Path, pays: str, status: int) -> None:
    (project / "paytables/house.toml").write_text(PAYTABLE.format(wager=WAGER, pays=pays))
    shim = project / "bin"
    shim.mkdir()
    (shim / "combin").write_text(f'#!/bin/sh\nexec {sys.executable} -m combin "$@"\n')
    (shim / "combin").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{shim}:{os.environ['PATH']}",
        "POLICY": "policy.toml",
        "PAYTABLES": "paytables/house.toml",
        "ARGUMENTS": "--partial",
        "SARIF": "out.sarif",
    }
    options = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]

    def step(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*options, script(name)], cwd=project, env=environment, capture_output=True, text=True)

    assert (step("Write SARIF").returncode == 0) == (status != 2)
    assert (project / "out.sarif").exists() == (status != 2)
    found = step("Hold paytables to policy")
    assert found.returncode == status
    assert ("::error file=paytables/house.toml,line=3" in found.stdout) == (status == 1)
