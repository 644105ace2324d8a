"""`combin init --ci`: from an empty folder to a gate that passes, for each runner, with nothing to fill in."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from combin.policy.start_ci import RUNNERS

from ..shared import Run


@pytest.mark.parametrize("runner", RUNNERS)
def test_from_an_empty_folder_to_a_passing_gate(combin: Run, tmp_path: Path, runner: str) -> None:
    status, out, _ = combin("init", "maryland/blackjack/lucky-ladies", "--ci", runner, "--from", "dist/combin.whl")
    assert status == 0
    assert out.splitlines()[-1] == "next: combin check"
    assert ("next: pip install pre-commit && pre-commit install" in out) == (runner == "pre-commit")
    assert combin("check")[0] == 0
    text = (tmp_path / RUNNERS[runner]).read_text()
    assert yaml.safe_load(text)
    for placeholder in ("OWNER", "COMMIT", "TODO", "{", "<"):
        assert placeholder not in text.replace("${{", "")
    assert "combin check" in text
    status, _, err = combin("init", "--ci", runner)
    assert (status, f"{RUNNERS[runner]}: exists and is not replaced" in err) == (2, True)


@pytest.mark.parametrize("own", [("--wager", "player 2, upcard 1"), ("--game", "three-card-poker")])
def test_the_gate_of_an_own_file_checks_it(combin: Run, tmp_path: Path, own: tuple[str, str]) -> None:
    status, out, _ = combin("init", *own, "--ci", "github", "--from", "x.whl")
    assert (status, out.splitlines()[-1]) == (0, "next: combin check")
    [file] = {path.name for path in tmp_path.glob("*.toml")} - {"combin.toml"}
    assert f'paytables = ["{file}"]' in (tmp_path / "combin.toml").read_text()
    status, out, _ = combin("check")
    assert (status, "policy" in out) in {(0, True), (1, True)}


def test_a_folder_that_is_missing_is_called_one(combin: Run) -> None:
    assert combin("init", "--ci", "github")[0] == 0
    assert combin("check")[::2] == (2, "combin: paytables/: there is no such folder; check the path\n")


def test_each_runner_runs_what_it_is_told(combin: Run, tmp_path: Path) -> None:
    """The steps of the workflow, run by a shell as the runner would, but for those that fetch and install."""
    combin("init", "maryland/blackjack/lucky-ladies", "--ci", "github")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    steps = yaml.safe_load((tmp_path / RUNNERS["github"]).read_text())["jobs"]["paytables"]["steps"]
    [check] = [step["run"] for step in steps if step.get("run", "").startswith("combin check")]
    found = subprocess.run(["bash", "-ec", check], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "summary.md").read_text().startswith("### combin: policy met")


def test_the_runner_takes_its_wheel_among_several(combin: Run, tmp_path: Path) -> None:
    """Wheels of other Pythons in the same folder would be refused by pip."""
    assert "(.ci/wheels in a clone of combin builds it)" in combin("init", "--ci", "gitlab")[1]
    (tmp_path / "wheels").mkdir()
    for tag in ("cp311", "cp312", "cp313"):
        (tmp_path / "wheels" / f"combin_tables-0.1.0-{tag}-{tag}-linux_x86_64.whl").touch()
    script = yaml.safe_load((tmp_path / RUNNERS["gitlab"]).read_text())["paytables"]["script"][0]
    words = subprocess.run(["bash", "-c", f"echo {script.partition('install')[2]}"], capture_output=True, text=True,
                           check=True).stdout.split()
    assert words == ["wheels/combin_tables-0.1.0-cp312-cp312-linux_x86_64.whl", "openpyxl>=3.1"]


def test_settings_that_exist_are_kept(combin: Run, tmp_path: Path) -> None:
    (tmp_path / "combin.toml").write_text('policy = "combin:strict"\n')
    assert combin("init", "--ci", "gitlab")[0] == 0
    assert (tmp_path / "combin.toml").read_text() == 'policy = "combin:strict"\n'
    status, out, _ = combin("init", "--ci", "github")
    assert (status, "next: combin init maryland/blackjack/lucky-ladies" in out) == (0, True)
    assert combin("init")[0] == combin("init", "--from", "x.whl", "maryland/blackjack/pair")[0] == 2
