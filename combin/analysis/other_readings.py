"""The other choices of an analysis's readings: a request for each, or the reason why it is not computed.

Under some choices the decks of a table are divided into two batches (Maryland blackjack, ch. 3 §B, §C). Half of the
decks are then in play, and the request is for that number of decks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from itertools import product
from types import MappingProxyType
from typing import TypeVar

from ..base.errors import InputError
from ..rulebook.book import ReadingChoice, Rulebook
from .request import Request

T = TypeVar("T")


@dataclass(frozen=True)
class NotComputed:
    """A choice of a reading without a figure, and the reason."""

    reading: str
    choice: str
    why: str

    def __str__(self) -> str:
        return f"{self.reading}={self.choice} is not computed: {self.why}"


def combinations(
    book: Rulebook, request: Request, fixed: Mapping[str, str] | None = None, *, frequencies: bool = False
) -> tuple[list[Request], list[NotComputed]]:
    """Return a request for every combination of choices that can change the return, ``request`` itself first.

    ``fixed`` readings keep their choice. With ``frequencies``, readings that change only frequencies are combined as
    well. Also returns the choices that are not computed.
    """
    choices: list[list[tuple[str, ReadingChoice]]] = []
    missing: list[NotComputed] = []
    # Readings that decide only to which wagers a payout cap applies.
    of_caps = {name for _, entry in book.caps for name in entry.reading}
    for reading in book.readings_of(request.id):
        if reading.id in (fixed or {}):
            continue
        missing += [NotComputed(reading.id, c.id, c.refused) for c in reading.choices if c.refused]
        if reading.frequencies_only and not frequencies:
            continue
        if reading.id in of_caps and "cap" not in request.set:
            continue
        choice_id = request.reading.get(reading.id, reading.primary.id)
        choices.append([(reading.id, c) for c in sorted(reading.computed, key=lambda c: c.id != choice_id)])
    requests = []
    for number, picked in enumerate(product(*choices)):
        other = under(book, request, dict(picked)) if number else request
        if isinstance(other, NotComputed):
            missing += [other] if other not in missing else []
        else:
            requests.append(other)
    return requests, missing


def under(book: Rulebook, request: Request, picked: Mapping[str, ReadingChoice]) -> Request | NotComputed:
    """Return the request with these choices; `NotComputed` if one is refused or the document has no such table."""
    for name, choice in picked.items():
        if choice.refused:
            return NotComputed(name, choice.id, choice.refused)
    chosen = {**request.reading, **{name: choice.id for name, choice in picked.items()}}
    before, after = book.resolve(request.id, request.reading), book.resolve(request.id, chosen)
    decks = request.decks
    if after.batches > before.batches and decks % after.batches == 0:
        decks //= after.batches
    if decks not in after.decks and not request.any_decks and after.batches < before.batches:
        name = next(r.id for r in book.readings_of(request.id)
                    if r.id in picked and r.choice(before.readings[r.id]).batches > picked[r.id].batches)
        only = " or ".join(map(str, after.decks))
        return NotComputed(name, picked[name].id, f"the paytable is then for {only} decks in play, not {decks}")
    return dataclass_replace(request, decks=decks, reading=MappingProxyType(chosen), any_decks=True)


def run_all(
    run: Callable[[Rulebook, Request], T], book: Rulebook, request: Request, fixed: Mapping[str, str] | None = None, *,
    frequencies: bool = False,
) -> tuple[list[T], list[NotComputed]]:
    """Return the results of ``run`` for all requests of `combinations` except the first, and what was not computed."""
    requests, missing = combinations(book, request, fixed, frequencies=frequencies)
    results: list[T] = []
    for other in requests[1:]:
        result = run_one(run, book, request, other)
        (missing if isinstance(result, NotComputed) else results).append(result)  # type: ignore[arg-type]
    return results, missing


def run_one(run: Callable[[Rulebook, Request], T], book: Rulebook, request: Request, other: Request) -> T | NotComputed:
    """Return the result of ``run`` for an ``other`` request than ``request``; why there is none if it is refused."""
    try:
        return run(book, other)
    except InputError as error:
        changed = {n: c for n, c in other.reading.items() if request.reading.get(n) != c}
        return NotComputed(", ".join(changed), ", ".join(changed.values()), error.faults[0].what)
