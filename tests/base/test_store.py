"""What is kept is found again whole, and by nothing but the same inputs; work gives the same with it and without."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from combin.base import caches, store, work
from combin.base.store import Store


def entry(root: Path) -> Path:
    [path] = [p for p in root.rglob("*") if p.is_file()]
    return path


def test_an_entry_is_found_by_its_inputs_alone(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put(kept.key([1, "a"]), "[2]")
    assert kept.get(kept.key([1, "a"])) == "[2]"
    for other in ([1.0, "a"], [True, "a"], ["1", "a"], [[1, "a"]], [1, "a", None]):
        assert kept.get(kept.key(other)) is None


def test_another_program_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Store(tmp_path)
    kept.put(kept.key(1), "1")
    monkeypatch.setattr(store, "program", lambda: "0" * 64)
    assert kept.get(kept.key(1)) is None


@pytest.mark.parametrize("raw", [b"", b"\n", b"{}", b"\xff" * 80, b"0" * 64 + b"\n1"])
def test_a_damaged_entry_is_as_if_it_were_not_there(tmp_path: Path, raw: bytes) -> None:
    kept = Store(tmp_path)
    kept.put(kept.key(1), "1")
    entry(tmp_path).write_bytes(raw)
    assert kept.get(kept.key(1)) is None
    kept.put(kept.key(1), "1")
    assert kept.get(kept.key(1)) == "1"


def test_every_cut_of_an_entry_is_seen(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put(kept.key(1), "[1,2,3]")
    path = entry(tmp_path)
    whole = path.read_bytes()
    for n in range(len(whole)):
        path.write_bytes(whole[:n])
        assert kept.get(kept.key(1)) is None


def test_a_folder_that_cannot_be_used_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Store(tmp_path / "file")
    kept.put(kept.key(1), "1")
    assert kept.get(kept.key(1)) is None
    kept.tidy()


def test_a_store_that_can_only_be_read_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Store(tmp_path)
    kept.put(kept.key(1), "[2]")

    def refuse(path: Path) -> None:
        raise OSError(30, "Read-only file system", path)

    monkeypatch.setattr(os, "utime", refuse)
    assert kept.get(kept.key(1)) == "[2]"


def test_the_oldest_entries_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 4 * 100)
    kept = Store(tmp_path)
    for n in range(6):  # an entry has 64 letters of its digest, a line's end, and 35 of these
        kept.put(kept.key(n), "x" * 35)
        os.utime(kept._path(kept.key(n)), (n, n))
    kept.tidy()
    assert [kept.get(kept.key(n)) is not None for n in range(6)] == [False] * 4 + [True] * 2


@pytest.mark.parametrize(("stated", "where"), [("", None), ("/x/y", Path("/x/y")), ("~/y", Path("/home/of/x/y"))])
def test_the_variable_names_the_folder(stated: str, where: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/of/x")
    monkeypatch.setenv(store.VARIABLE, stated)
    assert store.folder() == where


def test_the_platform_has_a_folder_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(store.VARIABLE)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert store.folder() == tmp_path / ".cache" / "combin"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/x")
    assert store.folder() == Path("/var/x/combin")


# ---- work on many items

MADE: list[int] = []


def square(shared: int, item: int) -> tuple[int, int]:
    MADE.append(item)
    if item < 0:
        raise ValueError(item)
    return shared, item * item


def done(items: list[int], inputs: Any = lambda item: item) -> list[tuple[int, int]]:
    MADE.clear()
    return work.each(square, 7, items, inputs=inputs, label="")


def test_nothing_is_kept_unless_a_command_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    assert done([3, 1]) == [(7, 9), (7, 1)]
    with work.means(cache=False):
        assert done([3, 1]) == [(7, 9), (7, 1)]
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    with work.means(cache=True, workers=1):
        assert done([3, 1]) == [(7, 9), (7, 1)]
    with work.means(cache=True, workers=1):
        assert done([1, 2, 3]) == [(7, 1), (7, 4), (7, 9)]
    assert MADE == [2]


def test_items_of_the_same_inputs_are_made_once() -> None:
    assert done([3, -3, 3, 1], inputs=lambda item: [item * item] if item > 0 else [9]) == [(7, 9)] * 3 + [(7, 1)]
    assert MADE == [3, 1]
    assert done([3, 3], inputs=lambda item: None) == [(7, 9)] * 2
    assert MADE == [3, 3]


def test_what_depends_on_the_unknown_is_never_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    for _ in range(2):
        with work.means(cache=True, workers=1):
            assert done([3, 1], inputs=lambda item: None) == [(7, 9), (7, 1)]
        assert MADE == [3, 1]


@pytest.mark.parametrize("forks", [True, False])
def test_other_processes_give_the_same(forks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("threading.active_count", lambda: 1 if forks else 2)
    with work.means(cache=False, workers=2):
        found = done(list(range(6)), inputs=lambda item: None if item == 2 else item)
    assert found == [(7, n * n) for n in range(6)]
    assert MADE == [2]  # by this process alone; the others made the rest


# ---- what is kept by its arguments


@pytest.fixture
def tripled(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that is kept, in a register for the test alone."""
    monkeypatch.setattr(caches, "_register", {})
    MADE.clear()

    def triple(number: int, word: str = "x") -> tuple[str, Any]:
        MADE.append(number)
        return word, np.array([3 * number])

    return work.stored("triples", most=2)(triple)


def test_a_function_is_asked_once_for_each_of_its_arguments(tripled: Any, tmp_path: Path) -> None:
    assert [int(tripled(n)[1][0]) for n in (1, 2, 1, 3, 1)] == [3, 6, 3, 9, 3]
    assert MADE == [1, 2, 3, 1]  # 3 made room for 1
    assert [(c.holds, c.most, c.size()) for c in caches.registered()] == [("triples", 2, 2)]


def test_what_a_function_made_outlives_the_process(
    tripled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    tripled(1)
    assert list(tmp_path.iterdir()) == []  # no command asked for a store
    caches.empty()
    for raw in (None, None, b"0" * 64 + b"\n1"):
        with work.means(cache=True, workers=1):
            assert tripled(2, "y") == ("y", np.array([6]))
        caches.empty()
        if raw is not None:
            entry(tmp_path).write_bytes(raw)
    assert MADE == [1, 2]
    with work.means(cache=True, workers=1):
        assert tripled(2, "y") == ("y", np.array([6]))  # the entry was damaged
        assert tripled(2, "z") == ("z", np.array([6]))
    assert MADE == [1, 2, 2, 2]


def begun(shared: None, item: int) -> tuple[int, bool, str, list[int]]:
    return item, work._means.get() == work.Means(), os.environ["COMBIN_THREADS"], MADE


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no sound forks")
def test_a_fork_has_what_was_counted_and_no_means_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    MADE[:] = [42]
    with work.means(cache=False, workers=2):
        found = work.each(begun, None, [0, 1], inputs=lambda item: item, label="")
    assert found == [(n, True, "1", [42]) for n in range(2)]


@pytest.mark.parametrize("patience", [-1.0, 60.0])
def test_the_first_fault_in_order_is_raised(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PATIENCE_SECONDS", patience)
    with work.means(cache=False, workers=2), pytest.raises(ValueError, match="-2"):
        done([1, -2, 3, -4])


WORKING = """
import os, signal, time
from combin.base.work import on_processes
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process of a shell ignores it

def work(_, n):
    os.write(1, b"at work\\n")  # in one piece, for two workers write to one pipe
    time.sleep(60)

if __name__ == "__main__":
    list(on_processes(work, None, range(4), 2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forks on Linux")
@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_process(word: signal.Signals) -> None:
    words = [sys.executable, "-c", WORKING]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == [b"at work\n"] * 2
        process.send_signal(word)
        # The pipe is closed once no worker holds it.
        assert process.communicate(timeout=20) == (b"", None)
        assert process.returncode != 0
