"""pytest --combin-policy: items and verdicts, and no effect without the option."""

import subprocess
import sys

import pytest

import combin.policy  # noqa: F401 - stays loaded: numpy cannot be loaded by one inner run after the other

from .shared import HOUSE_FLUSH

pytest_plugins = ["pytester"]

HOUSE = HOUSE_FLUSH + """\
[wager.paytable.house-2]
"seven-card flush" = "300 to 1"
"five-card flush" = "10 to 1"
"""
POLICY = """
[[rule]]
name = "three quarters"
applies_to = ["*/flush-bonus/*"]
return_min = "75%"
[[rule]]
name = "eight decks"
applies_to = ["*/flush-bonus/house-1"]
decks = [8]
return_min = "75%"
[[rule]]
name = "others"
applies_to = ["*/lucky-ladies/*"]
return_min = "75%"
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with paytables, a policy, and files that are neither."""
    pytester.makefile(".toml", policy=POLICY)
    folder = pytester.mkdir("paytables")
    (folder / "house.toml").write_text(HOUSE)
    (folder / "other.toml").write_text("[tool]\nx = 1\n")
    (folder / "data.csv").write_text("a,b\n1,2\n")
    pytester.makepyfile("def test_nothing(): pass")
    return pytester


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    loaded = project._request.config.pluginmanager.has_plugin("combin.pytest_plugin")
    plugin = () if loaded else ("-p", "combin.pytest_plugin")
    without = [word for name in ("cacheprovider", "hypothesispytest", "randomly") for word in ("-p", f"no:{name}")]
    return project.runpytest_inprocess(*plugin, *without, *args)


def test_each_paytable_and_requirement_is_an_item(project: pytest.Pytester) -> None:
    result = run(project, "--combin-policy", "policy.toml", "-v", "paytables")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines([
        "*house-1::three quarters PASSED*",
        "*house-1::eight decks SKIPPED*",
        "*house-2::three quarters FAILED*",
        "paytables/house.toml:8: fail: *house-2: return 35.* is below 75%; "
        "requirement \"three quarters\", RTP001 return_min",
    ])  # fmt: skip
    assert "Traceback" not in result.stdout.str()


def test_a_waiver_is_an_expected_failure_until_it_is_over(project: pytest.Pytester) -> None:
    waiver = '[[waiver]]\nid = "*/house-2"\nreason = "until the felt is changed"\nexpires = 2030-01-31\n'
    (project.path / "policy.toml").write_text(POLICY + waiver)
    options = ("--combin-policy", "policy.toml", "paytables")
    run(project, *options, "--combin-today", "2030-01-31").assert_outcomes(passed=1, xfailed=1, skipped=1)
    run(project, *options, "--combin-today", "2030-02-01").assert_outcomes(passed=1, failed=1, skipped=1)
    result = run(project, *options, "--combin-today", "soon")
    result.stderr.fnmatch_lines(['ERROR: --combin-today: "soon" is not a date*'])


def test_without_the_option_nothing_is_collected(project: pytest.Pytester) -> None:
    run(project).assert_outcomes(passed=1)
    result = run(project, "paytables")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_bad_files_are_told_in_lines(project: pytest.Pytester) -> None:
    (project.path / "paytables/house.toml").write_text(HOUSE.replace("10 to 1", "10 too 1"))
    result = run(project, "--combin-policy", "policy.toml", "paytables")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['*paytables/house.toml: line 6: "five-card flush": "10 too 1" is not a pay*'])
    assert "Traceback" not in result.stdout.str()
    result = run(project, "--combin-policy", "none.toml", "paytables")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: none.toml: there is no such file*"])


def test_csv_files_with_a_wager_column_are_collected(project: pytest.Pytester) -> None:
    rows = "wager,outcome,pays\nmaryland/high-card-flush/flush-bonus,four-card flush,3 to 1\n"
    (project.path / "paytables/data.csv").write_text(rows)
    result = run(project, "--combin-policy", "policy.toml", "paytables", "-k", "data")
    result.assert_outcomes(passed=1, deselected=3)


def test_a_requirement_that_matches_nothing_ends_the_run(project: pytest.Pytester) -> None:
    (project.path / "policy.toml").write_text(POLICY.replace("house-1", "house-9"))
    result = run(project, "--combin-policy", "policy.toml", "paytables")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['ERROR: policy.toml: line 6: the requirement "eight decks" matches nothing*'])


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import combin.pytest_plugin; "
        "print([m for m in set(sys.modules) - before if not m.startswith('combin')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
