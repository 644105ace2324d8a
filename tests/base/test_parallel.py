"""The pool handles every item once, for any number of threads. A failure stops it."""

import time

import numpy as np
import pytest

from combin.base import parallel
from combin.base.errors import InputError
from combin.base.parallel import Beat, sweep


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_every_item_is_worked_once(threads: int, chunk: int) -> None:
    def call(start: int, stop: int, arrays: list[np.ndarray]) -> None:
        arrays[0][start:stop] += 1
        arrays[1][0] += sum(range(start, stop))

    seen, total = sweep(
        call, 100, lambda: [np.zeros(100, np.int64), np.zeros(1, np.int64)], chunk=chunk, threads=threads
    )
    assert (seen == 1).all()
    assert total[0] == 4950


def test_a_failure_in_a_thread_is_raised() -> None:
    def call(start: int, stop: int, arrays: list[np.ndarray]) -> None:
        raise ArithmeticError("no")

    with pytest.raises(ArithmeticError):
        sweep(call, 10, lambda: [np.zeros(1, np.int64)], chunk=1, threads=2)


@pytest.mark.parametrize("wanted", ["abc", "0", "-3", "1.5", "٣"])
def test_a_number_of_threads_that_is_none(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMBIN_THREADS", wanted)
    with pytest.raises(InputError, match=r"COMBIN_THREADS is .*; give a whole number of threads, 1 or more"):
        parallel.default_threads()


def test_a_sweep_that_ends_early_stops_at_the_next_step() -> None:
    """One item fails, as Ctrl-C would make it fail. The other item would take a minute, but ends at its next step."""
    beat = Beat(6000)

    def call(start: int, stop: int, arrays: list[np.ndarray]) -> None:
        if start:
            raise ArithmeticError("no")
        for _ in range(6000):
            beat.step()
            time.sleep(0.01)

    with pytest.raises(ArithmeticError):
        sweep(call, 2, lambda: [np.zeros(1, np.int64)], chunk=1, threads=2, beat=beat)
    assert beat.done < 6000


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_are_counted(threads: int) -> None:
    beat = Beat(12)

    def call(start: int, stop: int, arrays: list[np.ndarray]) -> None:
        for _ in range(3):
            beat.step()

    sweep(call, 4, lambda: [np.zeros(1, np.int64)], chunk=1, threads=threads, beat=beat)
    assert beat.done == 12
