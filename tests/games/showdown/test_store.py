"""A solution is kept in the command's store by all that it depends on."""

from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from combin.base import caches, store
from combin.base.work import means
from combin.games.showdown import solve as module
from combin.games.showdown.settlement import Settlement
from combin.games.showdown.solve import solve

from ...verify.test_showdown_enumeration import invented
from . import rounds


def test_a_solution_is_read_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    round, settlement = invented()
    with means(cache=True, workers=1):
        first = solve(round, settlement)
        caches.empty()
        monkeypatch.setattr(module, "Passes", None)  # nothing can be solved any more
        again = solve(round, settlement)
        with pytest.raises(TypeError):  # another pay is another round
            solve(round, Settlement(settlement.utility * 2, *(getattr(settlement, f.name) for f in
                                                              fields(settlement)[1:])))
    assert again.value == first.value
    assert isinstance(again.value, Fraction)
    assert (again.joint == first.joint).all()
    assert all(np.array_equal(a, b) for a, b in zip(again.choices, first.choices, strict=True))


def test_equal_rounds_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = solve(*rounds.three_card_poker())
    monkeypatch.setattr(module, "Passes", None)
    assert solve(*rounds.three_card_poker()) is first
