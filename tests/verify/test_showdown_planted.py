"""A fault planted in a stage of the engine for rounds is seen, by a count that does not close or by the enumeration."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from combin.base import caches
from combin.base.errors import CountError
from combin.games.showdown import passes, public_cards
from combin.games.showdown.settlement import Segments
from combin.games.showdown.tree import Tree

from ..games.showdown import rounds
from . import random_rounds
from .test_showdown_enumeration import MISSISSIPPI, check, invented, same

Plant = Callable[[pytest.MonkeyPatch], None]


def flushes_count_nothing(patch: pytest.MonkeyPatch) -> None:
    table = passes.rank_table

    def wrong(order: str, cards: int) -> Any:
        found = table(order, cards)
        return replace(found, by_suit=np.zeros_like(found.by_suit))

    patch.setattr(passes, "rank_table", wrong)


def ties_are_worth_wins(patch: pytest.MonkeyPatch) -> None:
    right = Segments.coefficients
    patch.setattr(Segments, "coefficients", lambda self, row: right(self, row[[0, 2, 2]] if len(row) == 3 else row))


def classes_are_cut_too_late(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Segments, "starts", property(lambda self: tuple(sorted(
        {*(cut + 150 for cut in self.player_cuts), *(self.cuts if self.has_dealer else ())}))))


def the_last_of_equal_choices_is_taken(patch: pytest.MonkeyPatch) -> None:
    right = Tree.preference
    patch.setattr(Tree, "preference", lambda self, level: right(self, level)[::-1])


def suits_are_not_permuted(patch: pytest.MonkeyPatch) -> None:
    right = public_cards.located
    patch.setattr(public_cards, "located", lambda *which: (right(*which)[0], np.zeros_like(right(*which)[1])))


def values_are_not_symmetrised(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(passes.Passes, "_symmetrise", lambda self, level, array: np.floor_divide(array, 24, out=array))


def every_way_of_the_streets_is_one(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tree, "splits", lambda self, level: 1)


#: Rounds with earlier streets, ties and classes, of which at least one shows each fault.
SEEDS = 2, 5, 8, 10, 22
ROUNDS = (
    lambda: check(invented(), ("flush", "straight"), "QKA"),
    lambda: check(rounds.mississippi_stud(), MISSISSIPPI, "JQK"),
    *((lambda seed=seed: same(*random_rounds.game(seed))) for seed in SEEDS),
)


@pytest.mark.parametrize("plant", [
    flushes_count_nothing, ties_are_worth_wins, classes_are_cut_too_late, the_last_of_equal_choices_is_taken,
    suits_are_not_permuted, values_are_not_symmetrised, every_way_of_the_streets_is_one,
])  # fmt: skip
def test_a_planted_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    caches.empty()
    plant(monkeypatch)
    seen = any(map(differs, ROUNDS))
    monkeypatch.undo()
    caches.empty()
    assert seen
    assert not any(map(differs, ROUNDS[:1]))


def differs(compare: Callable[[], None]) -> bool:
    try:
        compare()
    except (AssertionError, CountError):
        return True
    return False
