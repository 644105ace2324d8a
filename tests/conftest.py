"""Fast and slow tests, empty caches for each module, and the command line as a fixture.

`pytest` skips the tests marked slow, `pytest --all` runs them. The processor time of every test is measured; the end
of a run lists the tests whose mark does not fit. tests/README.md says where a new test goes.
"""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from combin.base import caches, store
from combin.cli import main

from .shared import Run

os.environ[store.VARIABLE] = ""  # no test reads the cache of a user
gc.disable()  # until all tests are collected: what is made until then stays, and a third of the time was spent on it


# ---- fast and slow tests

#: Seconds of processor time: above SLOW a test has to be marked slow, below QUICK a slow test needs no mark.
SLOW, QUICK = 2.0, 0.5
REASON = "slow; `pytest --all` runs it"
_START, _CALL = pytest.StashKey[float](), pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", dest="all_tests", help="also run the tests marked slow")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a second of processor time; `pytest --all` runs it")
    if not hasattr(config, "workerinput"):  # a worker of xdist sends its reports to the process that prints
        config.pluginmanager.register(_Times(config), "combin-times")


def pytest_collection_finish() -> None:
    gc.enable()
    gc.freeze()


def _processor_time() -> float:
    """Seconds of this process, of its threads and of the processes that it has waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a slow test before its fixtures are set up. A test that is named on the command line runs."""
    item.stash[_START] = _processor_time()
    named = any("::" in argument for argument in item.config.args)
    if item.get_closest_marker("slow") and not named and not item.config.getoption("all_tests"):
        pytest.skip(REASON)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    report.processor_time = _processor_time() - item.stash[_START]
    if report.when == "setup":
        item.stash[_CALL] = _processor_time()
    elif report.when == "call":
        report.call_time = _processor_time() - item.stash[_CALL]
    report.slow = item.get_closest_marker("slow") is not None
    return report


class _Times:
    """Collects the processor time of every test and closes the run with what it shows."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.fast: dict[str, float] = {}
        self.slow: dict[str, float] = {}
        self.total = 0.0
        self.skipped = 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.skipped and report.longrepr[2].endswith(REASON):
            self.skipped += 1
        elif report.when == "call":
            self.total += report.processor_time
            if report.slow:
                self.slow[report.nodeid] = report.processor_time
            else:  # fixtures of the module are set up for all its tests
                self.fast[report.nodeid] = report.call_time

    def misfits(self) -> Iterator[str]:
        """A line for each test whose mark does not fit its time.

        The first test of a module may pay for what others share. So a slow test counts as quick only if none of its
        module takes long.
        """
        for test, seconds in sorted(self.fast.items()):
            if seconds > SLOW:
                yield f"{test} takes {seconds:.1f} s: make it smaller or mark it slow"
        longest: dict[str, float] = {}
        for test, seconds in self.slow.items():
            module = test.partition("::")[0]
            longest[module] = max(seconds, longest.get(module, 0))
        for test in sorted(self.slow):
            if longest[test.partition("::")[0]] < QUICK:
                yield f"{test} takes {self.slow[test]:.1f} s: it is not slow, remove its mark"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        lines = [*self.misfits()]
        if lines:
            terminalreporter.section("marks of slow tests that do not fit")
            for line in lines:
                terminalreporter.write_line(line)
        if self.total > 60:
            terminalreporter.write_line(f"processor time of the tests: {self.total:.0f} s")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, Any, Any]:
        result = yield
        if self.skipped:  # the last line, below pytest's own
            reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
            tests = "1 slow test was" if self.skipped == 1 else f"{self.skipped} slow tests were"
            reporter.write_line(f"{tests} skipped; `pytest --all` runs every test")
        return result


# ---- fixtures


@pytest.fixture(scope="module", autouse=True)
def _empty_caches() -> Iterator[None]:
    """Each module begins with empty caches, so no module relies on the counts of another."""
    caches.empty()
    yield
    caches.empty()


@pytest.fixture
def combin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in a folder of its own; returns status, output and what standard error says."""
    monkeypatch.chdir(tmp_path)

    def run(*args: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["combin", *map(str, args)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        assert isinstance(caught.value.code, int)
        return caught.value.code, out, err

    return run
