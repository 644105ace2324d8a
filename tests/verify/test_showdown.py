"""`combin verify` of games that a file describes finds a fault that is planted in each stage."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import combin
from combin.analysis.model import Analysis
from combin.games.showdown import bets, solve
from combin.userfiles.collected import collect
from combin.verify import FAILED, VERIFIED, showdown, verify


def analysed(name: str) -> Analysis:
    book, (identifier,) = collect([str(files("combin") / "templates" / f"{name}.toml")])
    return combin.analyze(identifier, book=book)


@pytest.mark.parametrize("name", ["three-card-poker", "let-it-ride"])
def test_a_template_is_verified(name: str) -> None:
    found = verify(analysed(name))
    assert found.state == VERIFIED
    assert any(check.covers and "every deal enumerated" in check.method for check in found.checks)


@pytest.mark.parametrize("name", ["three-card-poker", "let-it-ride"])
def test_rounds_dealt_at_random_come_as_often_as_counted(name: str) -> None:
    a = analysed(name)
    checks = list(showdown.simulation(a, 800, 1))
    assert len(checks) == len(a.game.choices) + 1
    assert all(check.passed for check in checks)


def test_a_planted_fault_of_the_counts_is_found_by_rounds() -> None:
    a = analysed("three-card-poker")
    shares = {"fold": Fraction(1, 2), "play": Fraction(1, 2)}
    wrong = replace(a, game=replace(a.game, choices=shares))
    assert not all(check.passed for check in showdown.simulation(wrong, 800, 1))


def test_a_planted_fault_of_the_sweep_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def shifted(round: Any, settlement: Any, **more: Any) -> Any:
        solution = solve.solve(round, settlement, **more)
        joint = solution.joint.copy()
        cells = np.argwhere(joint > 1)
        joint[tuple(cells[0])] += 1
        joint[tuple(cells[-1])] -= 1
        return replace(solution, joint=joint)

    a = analysed("three-card-poker")
    monkeypatch.setattr(showdown, "solve", shifted)
    assert verify(a).state == FAILED


def test_a_planted_fault_of_a_choice_is_found() -> None:
    a = analysed("let-it-ride")
    choices = tuple(1 - np.where(kept < 0, 1, kept & 1) for kept in a.game.solution.choices)
    wrong = replace(a.game.solution, choices=choices)
    checks = list(showdown._positions(replace(a, game=replace(a.game, solution=wrong)), _bets(a)))
    assert any(check.passed is False for check in checks)


def _bets(a: Analysis) -> bets.Bets:
    from combin.games.showdown.rules import bets_of

    return bets_of(a.resolved)
