"""The thread pool: it splits a kernel's work into chunks, runs them, and adds up the results.

A kernel call covers ``[start, stop)`` of its outermost items, adds into arrays that the caller
owns, and releases the interpreter lock. Every thread has its own arrays, so no lock is needed.
Results are integers, so any number of threads gives the same totals.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .errors import fault

#: Work that is expected to take longer shows a progress bar, seconds.
PATIENCE_SECONDS = 2.0

Arrays = Sequence[np.ndarray[Any, Any]]


def default_threads() -> int:
    """Return COMBIN_THREADS if it is set, otherwise the number of processors that this process may use."""
    wanted = os.environ.get("COMBIN_THREADS", "")
    if wanted:
        if not (wanted.isascii() and wanted.isdigit() and int(wanted[:9]) > 0):
            raise fault(f'COMBIN_THREADS is "{wanted[:40]}"', "give a whole number of threads, 1 or more")
        return int(wanted[:9])
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class SweepEndedError(Exception):
    """Raised in a thread whose sweep has ended, to stop it."""


class Beat:
    """Steps of long items: the progress bar counts ``steps``, and a sweep that ends early stops at the next one."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done, self.stopped = steps, 0, False
        self.tell: Callable[[int], None] | None = None

    def step(self) -> None:
        """Count a step; raises `SweepEndedError` if the sweep has ended."""
        if self.stopped:
            raise SweepEndedError
        self.done += 1  # two threads may lose a step, which only the progress bar shows
        if self.tell is not None:
            self.tell(self.done)


def sweep(
    call: Callable[[int, int, Arrays], None],
    items: int,
    make_arrays: Callable[[], Arrays],
    *,
    chunk: int,
    label: str = "",
    threads: int | None = None,
    beat: Beat | None = None,
) -> list[np.ndarray[Any, Any]]:
    """Run ``call(start, stop, arrays)`` over ``range(items)`` and return the summed arrays.

    ``make_arrays`` allocates one set of zeroed integer arrays for a thread;
    ``chunk`` is the number of items that take about 50 ms. A progress bar with an
    estimate of the remaining time is shown on a terminal's standard error after two
    seconds; Ctrl-C stops within a chunk, or at the next step of a `beat`.
    """
    workers = max(1, min(threads or default_threads(), -(-items // chunk) or 1))
    ranges = [(start, min(start + chunk, items)) for start in range(0, items, chunk)]
    progress = Progress(label, beat.steps if beat else len(ranges))
    if workers == 1:
        arrays = make_arrays()
        with progress:
            if beat:
                beat.tell = progress.reach
            for start, stop in ranges:
                call(start, stop, arrays)
                if not beat:
                    progress.advance()
        return list(arrays)
    idle = [make_arrays() for _ in range(workers)]
    all_arrays = list(idle)
    waiting = iter(ranges)
    from concurrent.futures import ThreadPoolExecutor
    from queue import Empty, SimpleQueue

    # Ctrl-C may come while this thread waits: a SimpleQueue stays sound, the locks of a future may not.
    ended: SimpleQueue[tuple[Arrays, BaseException | None]] = SimpleQueue()

    def work(start: int, stop: int, arrays: Arrays) -> None:
        failure = None
        try:
            call(start, stop, arrays)
        except BaseException as error:
            failure = error
        ended.put((arrays, failure))

    running = 0
    pool = ThreadPoolExecutor(workers)
    try:
        with progress:
            while True:
                while idle and (piece := next(waiting, None)) is not None:
                    pool.submit(work, *piece, idle.pop())
                    running += 1
                if not running:
                    break
                try:
                    arrays, failure = ended.get(timeout=0.5)
                except Empty:
                    pass
                else:
                    running -= 1
                    idle.append(arrays)
                    if failure is not None:
                        raise failure
                    if not beat:
                        progress.advance()
                if beat:
                    progress.reach(beat.done)
    finally:
        if beat:
            beat.stopped = True
        pool.shutdown(wait=True, cancel_futures=True)
    return [_added(parts) for parts in zip(*all_arrays, strict=True)]


def _added(parts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Return the sum of the threads' arrays in the first of them, so that no further array is allocated."""
    total, *others = parts
    for other in others:
        total += other
    return total


class Progress:
    """A progress bar on standard error, shown only on a terminal and after a noticeable wait."""

    def __init__(self, label: str, steps: int) -> None:
        self.label, self.steps, self.done = label, steps, 0
        self.began = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Progress:
        return self

    def advance(self) -> None:
        self.reach(self.done + 1)

    def reach(self, done: int) -> None:
        self.done = done
        if self.bar is not None:
            self.bar.update(self.task, completed=self.done)
        elif time.monotonic() - self.began > PATIENCE_SECONDS and sys.stderr.isatty():
            self._show()

    def _show(self) -> None:
        from rich import progress as rich
        from rich.console import Console

        self.bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.TextColumn("{task.percentage:>3.0f} %"),
            rich.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.bar.start()
        self.task = self.bar.add_task(self.label or "counting", total=self.steps, completed=self.done)

    def __exit__(self, *exc: object) -> None:
        if self.bar is not None:
            self.bar.stop()
