"""Times and ratios of deals by class: hands of five and seven cards with their poker values, roles, many decks.

Run with ``python tests/benchmarks/bench_classes.py``. The yardstick is the joint table of
seven cards, which goes over the same 6,009,159 classes without writing their cards.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from combin.deals import poker, seven_cards
from combin.deals.cards import CARD_TYPES, Shoe, suit_group
from combin.deals.classes import Classes
from combin.deals.lenses import Lens, Role
from combin.deals.tally import AT_A_TIME

CARD = Lens.by_label("card", range(CARD_TYPES))


def best(work: Callable[[], Any], times: int = 5) -> float:
    least = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - began)
    return least


def of(decks: int, **cards: int) -> Classes:
    return Classes(Shoe(decks), tuple(Role(name, n, CARD) for name, n in cards.items()), suit_group())


def hands(columns: Any) -> dict[str, Any]:
    return {"hand": poker.categories(columns["player.rank"], columns["player.suit"])}


def pairs(columns: Any) -> dict[str, Any]:
    return {"pair": columns["player.rank"][:, 0] == columns["player.rank"][:, 1]}


def parts(classes: Classes) -> None:
    """One thread writes every class once. Nothing reads them."""
    room = classes._room(AT_A_TIME)
    for start in range(0, classes.places, AT_A_TIME):
        classes._listed(start, min(start + AT_A_TIME, classes.places), room)


def main() -> None:
    yardstick = best(seven_cards.by_class, 20)
    print(f"joint table of seven cards: {1000 * yardstick:.1f} ms")
    seven, rows = of(1, player=7), 2**20
    dealt = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.int8), (rows, 1)), axis=1)[:, :7]
    ranks, suits = np.asfortranarray(dealt % 13), np.asfortranarray(dealt // 13)
    works: dict[str, tuple[Callable[[], Any], int]] = {
        "five cards, table": (of(1, player=5).table, 134459),
        "five cards, poker hands": (lambda: of(1, player=5).tally(hands), 134459),
        "seven cards, listed, one thread": (lambda: parts(seven), 6009159),
        "seven cards, poker hands, one thread": (lambda: seven.tally(hands, threads=1), 6009159),
        "seven cards, poker hands": (lambda: seven.tally(hands), 6009159),
        "seven cards of 8 decks, poker hands": (lambda: of(8, player=7).tally(hands), 13935259),
        "player 3, board 2": (lambda: of(1, player=3, board=2).tally(pairs), 1286792),
        "player 5, upcard 1": (lambda: of(1, player=5, upcard=1).tally(pairs), 5649150),
        "player 3, dealer 3": (lambda: of(1, player=3, dealer=3).tally(pairs), 18544604),
        "player 2, banker 2, 8 decks": (lambda: of(8, player=2, banker=2).tally(pairs), 115089),
        "a million random hands, poker hands": (lambda: poker.values(ranks, suits), rows),
    }
    for name, (work, classes) in works.items():
        seconds = best(work, 3)
        each = 1e9 * seconds / classes
        print(f"{name:<38} {1000 * seconds:8.1f} ms {each:6.1f} ns each {seconds / yardstick:8.2f} x the joint table")
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


if __name__ == "__main__":
    main()
