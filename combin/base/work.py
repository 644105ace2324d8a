"""The same work on many items: results of the store, the rest computed in parallel, in the order of the items.

    each(judge, checker, identifiers, inputs=..., label="policy")

A result is a plain record (`record_json`) and is always read from its text, whether it was stored or made in this or
another process: it is the same for any number of workers, with a store or without. Only a command that uses `means`
has a store and several processes; elsewhere items are processed in turn.

    @stored("best play of blackjack by rules and shoe", most=64)
    def solved(rules, counts): ...

A table that many items need is cached in the process as by `caches`, and in the command's store.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, get_origin, get_type_hints

from . import store
from .caches import Kept
from .errors import fault
from .parallel import Progress, default_threads
from .record_json import from_plain, to_plain
from .store import Store

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

K = TypeVar("K")
S = TypeVar("S")
I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")

#: Other processes are started after this time, seconds: without fork they take a second to start.
PATIENCE_SECONDS = 1.0
#: Batches for each process: with several, no process waits long for the last one.
BATCHES = 8


@dataclass(frozen=True)
class Means:
    """The means of a command: a store or none, and a number of processes."""

    kept: Store | None = None
    workers: int = 1


_PLAIN = Means()
_means: ContextVar[Means] = ContextVar("_means", default=_PLAIN)


@contextmanager
def means(*, cache: bool, workers: int | None = None) -> Iterator[None]:
    """Let work in the block use the processors of `default_threads`, and with ``cache`` the user's store."""
    root = store.usable() if cache else None
    current = Means(None if root is None else Store(root), workers or default_threads())
    token = _means.set(current)
    try:
        yield
    finally:
        _means.reset(token)
        if current.kept is not None:
            current.kept.tidy()


class Stored(Kept[K, R]):
    """A cache that code fills itself, whose entries are also in the command's store, if it has one.

    An entry is a plain record; its key is everything that it depends on besides combin's program. The operator
    ``in`` reads the entry. Other threads and workers of a command have no store.
    """

    def __init__(self, name: str, holds: str, *, most: int, made_by: Callable[..., R] | None = None) -> None:
        super().__init__(name, holds, most=most)
        self._name, self._made_by = name, made_by

    def _key(self, kept: Store, key: Any) -> str:
        return kept.key([self._name, to_plain(key)])

    def __contains__(self, key: object) -> bool:
        if super().__contains__(key):
            return True
        if (kept := _means.get().kept) is not None:
            with suppress(ValueError, RecursionError):
                super().__setitem__(key, _read(kept, self._key(kept, key), self._made_by))  # type: ignore[index]
        return super().__contains__(key)

    def __setitem__(self, key: K, value: R) -> None:
        super().__setitem__(key, value)
        if (kept := _means.get().kept) is not None:
            kept.put(self._key(kept, key), _as_text(value))


def stored(holds: str, *, most: int) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Store a function's results by its positional arguments, which are plain records; see `Stored`."""

    def keep(function: Callable[..., R]) -> Callable[..., R]:
        name = f"{function.__module__}.{function.__qualname__}"
        results: Stored[Any, R] = Stored(name, holds, most=most, made_by=function)

        @wraps(function)
        def asked(*args: Any) -> R:
            with suppress(KeyError):  # another thread may drop the entry for its own
                if args in results:
                    return results[args]
            result = results[args] = function(*args)
            return result

        return asked

    return keep


def _read(kept: Store, key: str, made_by: Callable[..., Any] | None) -> Any:
    """Return the entry of a key; raises `ValueError` if there is no sound one of the type that ``made_by`` returns.

    A record checks its closure when it is made, and may raise anything for an entry that was written by hand.
    """
    try:
        entry = from_plain(json.loads(kept.get(key) or ""))
    except Exception as error:
        raise ValueError(f"no entry: {type(error).__name__}") from None
    kind = None
    with suppress(NameError):  # a type that is imported only for type checking
        kind = None if made_by is None else get_type_hints(made_by).get("return")
    plain = get_origin(kind) or kind
    if isinstance(plain, type) and not isinstance(entry, plain):
        raise ValueError(f"an entry of another kind: {type(entry).__name__}")
    return entry


def _as_text(value: Any) -> str:
    return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))


def each(
    do: Callable[[S, I], R], shared: S, items: Sequence[I], *, inputs: Callable[[I], Any], label: str,
    keep: bool = True,
) -> list[R]:
    """Return ``do(shared, item)`` for every item, a plain record; ``do`` is a function of a module.

    ``inputs(item)`` is everything that its result depends on besides the program, as JSON data. It is None if
    something outside combin decides: that result is not stored, and is made in this process. Unless ``keep``, no
    result is stored or read: verdicts are made in every run. Raises what the first item in order raises.
    """
    has = _means.get()
    records = [inputs(item) for item in items]
    texts = ["" if known is None else json.dumps(known, ensure_ascii=True) for known in records]
    keys = [""] * len(items)
    results: dict[int, R] = {}
    kept = has.kept if keep else None
    if kept is not None:
        for index, known in enumerate(records):
            if known is not None:
                keys[index] = kept.key([do.__module__, do.__qualname__, known])
                with suppress(ValueError, RecursionError):
                    results[index] = _read(kept, keys[index], do)
    # Items with the same inputs are computed once.
    alike: dict[str | int, list[int]] = {}
    for index in range(len(items)):
        if index not in results:
            alike.setdefault(texts[index] or index, []).append(index)
    left = list(alike.values())
    with Progress(label, len(items)) as progress:
        progress.reach(len(results))
        new_texts = _made(do, shared, [(items[n], bool(texts[n])) for n, *_ in left], has.workers)
        with closing(new_texts):
            for indexes, text in zip(left, new_texts, strict=True):
                results.update((index, from_plain(json.loads(text))) for index in indexes)
                if kept is not None and keys[indexes[0]]:
                    kept.put(keys[indexes[0]], text)
                progress.reach(len(results))
    return [results[index] for index in range(len(items))]


def _made(
    do: Callable[[S, I], Any], shared: S, left: Sequence[tuple[I, bool]], workers: int
) -> Generator[str, None, None]:
    """Return the texts of the items in order: made here at first, by other processes if that takes long."""
    began, task = time.monotonic(), (do, shared)
    elsewhere: Iterator[str] | None = None
    for index, (item, known) in enumerate(left):
        if elsewhere is None and workers > 1 and time.monotonic() - began > PATIENCE_SECONDS:
            rest = [i for i, has_inputs in left[index:] if has_inputs]
            if len(rest) > 1:
                elsewhere = chain.from_iterable(on_processes(_texts, task, _batches(rest, workers), workers))
        yield next(elsewhere) if known and elsewhere is not None else _text(task, item)


def _text(task: tuple[Callable[[Any, Any], Any], Any], item: Any) -> str:
    do, shared = task
    return _as_text(do(shared, item))


def _texts(task: tuple[Callable[[Any, Any], Any], Any], items: Sequence[Any]) -> list[str]:
    return [_text(task, item) for item in items]


def _batches(items: Sequence[I], workers: int) -> list[Sequence[I]]:
    """Return batches of neighbouring items, which often need the same table: each process counts it once."""
    size = -(-len(items) // (BATCHES * workers))
    return [items[n:n + size] for n in range(0, len(items), size)]


#: In a worker: the function, and what all its items share.
_task: ContextVar[tuple[Callable[[Any, Any], Any], Any]] = ContextVar("_task")


def _begin(do: Callable[[Any, Any], Any], shared: Any) -> None:
    """Prepare a worker: it ends silently at Ctrl-C, and its kernels use one processor."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ["COMBIN_THREADS"] = "1"
    _means.set(_PLAIN)
    _task.set((do, shared))


def _end_with_parent() -> None:
    """End the worker when its parent ends: a killed process cannot tell its workers."""
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _one(item: Any) -> Any:
    do, shared = _task.get()
    return do(shared, item)


def on_processes(do: Callable[[S, I], R], shared: S, items: Iterable[I], workers: int) -> Iterator[R]:
    """Return ``do(shared, item)`` of every item in order, by ``workers`` processes; each receives ``shared`` once.

    On Linux they are forks, which begin with the modules, files and tables of this process. A fork has only one
    thread, so a process with other threads of Python starts new processes instead.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    forks = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forks else "spawn")
    pool: ProcessPoolExecutor | None = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_begin, initargs=(do, shared))
    assert pool is not None
    running: list[Future[R]] = []
    try:
        with warnings.catch_warnings():
            # Python also counts the idle threads of numpy's linear algebra, which handles forks itself.
            warnings.simplefilter("ignore", DeprecationWarning)
            running = [pool.submit(_one, item) for item in items]
        while running:
            yield running.pop(0).result()
    except BaseException as error:
        for process in list((pool._processes or {}).values()):
            process.terminate()  # their results are not needed
        if not isinstance(error, BrokenProcessPool):
            raise
        remedy = "try again with one: COMBIN_THREADS=1, or --workers 1 of combin simulate"
        raise fault("a worker ended before its work was done", remedy) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        # At Ctrl-C the process ends without finalizers, so the semaphores of the pool are released here.
        pool = None
        running.clear()
        gc.collect()
