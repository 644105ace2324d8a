"""Rounds dealt by a compiled kernel, in blocks with a stream of random numbers each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.errors import fault
from ..base.parallel import Arrays, sweep

BLOCK = 10_000  # rounds with one stream of random numbers


@dataclass(frozen=True)
class RoundDealer:
    """A kernel's rounds of one game.

    ``kernel.deal(start, stop, rounds, seed, *arrays)`` deals the blocks from ``start`` to ``stop`` of ``rounds`` rounds
    each. ``arrays(rows, spots)`` allocates its arrays: counts, and records with a row for each round. The records are
    filled if all rounds have a row.
    """

    kernel: Any
    arrays: Callable[[int, int], Arrays]

    def deal(self, rounds: int, seed: int, *, rows: int = 1, spots: int = 1, threads: int | None = None) -> Arrays:
        """Return the arrays after ``rounds`` rounds, in blocks of 10,000; the same for any number of threads."""
        if rounds % BLOCK or rounds <= 0:
            raise fault(f"rounds cannot be {rounds}", f"give a multiple of {BLOCK:,}")

        def call(start: int, stop: int, arrays: Arrays) -> None:
            self.kernel.deal(start, stop, BLOCK, seed % 2**64, *arrays)

        return sweep(call, rounds // BLOCK, lambda: self.arrays(rows, spots), chunk=10, label="rounds dealt",
                     threads=threads)

    def deal_block(self, spots: int, rounds: int, seed: int) -> Arrays:
        """Return the arrays after one block of ``rounds`` rounds with a row each, dealt in this thread."""
        arrays = self.arrays(rounds, spots)
        self.kernel.deal(0, 1, rounds, seed % 2**64, *arrays)
        return arrays
