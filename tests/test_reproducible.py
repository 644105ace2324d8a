"""The same bytes for any threads, hash seed, locale, time zone and folder; no clock and no network is used."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .shared import ROOT, sources

#: Kernels on threads, sets and mappings of names, a drawn deal, unknowns.
IDS = (
    "maryland/high-card-flush/flush-bonus/A",
    "maryland/high-card-flush/straight-flush-bonus/A",
    "maryland/blackjack/lucky-ladies/A",
    "maryland/blackjack/hit-and-run-progressive/A",
    "maryland/blackjack/buster-blackjack/A",
)
CATALOGUE = '[[analysis]]\npatterns = ["maryland/high-card-flush/*-bonus/A", "maryland/blackjack/pair/*"]\n'
WORDS = ("analyze", *IDS, "--format", "json")
ALL_AT_ONCE = {"COMBIN_THREADS": "5", "PYTHONHASHSEED": "7", "TZ": "Pacific/Kiritimati", "LC_ALL": "C",
               "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "HOME": "/nonexistent"}  # fmt: skip
VARIANTS = {
    "one thread": {"COMBIN_THREADS": "1"},
    "two threads": {"COMBIN_THREADS": "2"},
    "five threads": {"COMBIN_THREADS": "5"},
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed random": {"PYTHONHASHSEED": "random"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "optimized": {"PYTHONOPTIMIZE": "2"},
    "no home": {"HOME": "/nonexistent"},
}


def environment(**more: str) -> dict[str, str]:
    left = ("LC_", "LANG", "COMBIN_", "PYTHON", "TZ")
    plain = {k: v for k, v in os.environ.items() if k == "PYTHONPYCACHEPREFIX" or not k.startswith(left)}
    return {**plain, "PYTHONPATH": str(ROOT.parent), "PYTHONHASHSEED": "0", **more}


def output(*words: str, before: tuple[str, ...] = (), folder: Path | None = None, **more: str) -> bytes:
    command = [*before, sys.executable, "-m", "combin", *words]
    found = subprocess.run(command, capture_output=True, env=environment(**more), cwd=folder, check=False, timeout=120)
    assert (found.returncode, found.stderr) == (0, b"")
    return found.stdout


@cache
def expected() -> bytes:
    return output(*WORDS)


def test_the_same_bytes_with_everything_changed_at_once(tmp_path: Path) -> None:
    assert output(*WORDS, folder=tmp_path, **ALL_AT_ONCE) == expected()
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_bytes(name: str, tmp_path: Path) -> None:
    assert output(*WORDS, folder=tmp_path, **VARIANTS[name]) == expected()
    assert not list(tmp_path.iterdir())


#: All forms of a report in one process.
REPORTS = """
import sys
from combin.cli.commands import cli
for suffix in ("html", "json", "md", "xlsx", "pdf"):
    cli.main(["report", sys.argv[1], "--quick", "-o", f"report.{suffix}"], standalone_mode=False)
"""


@pytest.mark.slow
def test_the_same_reports(tmp_path: Path) -> None:
    made = []
    for name, more in (("one", {}), ("two", {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"})):
        folder = tmp_path / name
        folder.mkdir()
        subprocess.run([sys.executable, "-c", REPORTS, IDS[0]], cwd=folder, env=environment(**more), check=True)
        made.append({p.name: p.read_bytes() for p in folder.iterdir()})
    assert len(made[0]) == 5
    assert made[0] == made[1]


@pytest.mark.slow
def test_the_same_committed_tables(tmp_path: Path) -> None:
    made = []
    for name, seed in (("one", "0"), ("two", "99")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "catalogue.toml").write_text(CATALOGUE)
        output("regenerate", ".", folder=folder, PYTHONHASHSEED=seed, COMBIN_THREADS="1" if seed == "0" else "4")
        made.append({p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
    assert made[0] == made[1]


@pytest.mark.slow
def test_a_simulation_is_the_same_for_any_number_of_workers() -> None:
    words = ("verify", IDS[0], "--simulate", "20_000", "--seed", "5")
    assert output(*words, COMBIN_THREADS="1") == output(*words, COMBIN_THREADS="4")


# ---- neither clock nor network

#: Runs one command. The first use of a socket or of a calendar clock ends it with status 70.
WATCHED = """
import sys, time
def watch(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        sys.stderr.write(event)
        sys.stderr.flush()
        import os
        os._exit(70)
sys.addaudithook(watch)
now = int(sys.argv.pop(1))
time.time, time.time_ns = lambda: float(now), lambda: now * 10**9
from combin.cli import main
sys.argv[0] = "combin"
main()
"""


@pytest.mark.parametrize("now", ["4102444800", pytest.param("0", marks=pytest.mark.slow)])
def test_no_socket_is_opened_and_the_date_is_not_shown(now: str) -> None:
    command = [sys.executable, "-c", WATCHED, now, *WORDS]
    found = subprocess.run(command, capture_output=True, env=environment(), check=False, timeout=120)
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout == expected()


@pytest.mark.slow
def test_it_runs_where_there_is_no_network() -> None:
    """The command runs in an empty network namespace if the system allows one. Otherwise the run above must do."""
    unshare = shutil.which("unshare")
    apart = () if unshare is None else (unshare, "-rn")
    if apart and subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        apart = ()
    assert output(*WORDS, before=apart) == expected()


FORBIDDEN = {"socket", "ssl", "urllib", "http", "ftplib", "smtplib", "asyncio", "requests", "secrets", "uuid"}
#: The progress bar shows the elapsed time, on a terminal alone. Long work is shared out, with the same results.
TIMERS = {"base/parallel.py": {"monotonic"}, "base/work.py": {"monotonic"}}


def test_nothing_imports_the_network_or_reads_a_clock() -> None:
    for where, tree in sources().items():
        for node in ast.walk(tree):
            imported = []
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported = [node.module or ""]
                assert node.module != "time", where
            apart = {name for name in imported if name != "urllib.parse"}
            assert not {name.partition(".")[0] for name in apart} & FORBIDDEN, where
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner, name = node.value.id, node.attr
                assert owner != "time" or name in TIMERS.get(where, ()), f"{where}: time.{name}"
                assert (owner, name) not in {("datetime", "now"), ("datetime", "utcnow"), ("date", "today"),
                                             ("datetime", "today")}, where  # fmt: skip
