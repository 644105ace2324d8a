"""Each game names the compiled kernels that it uses: a report states the digests of their sources."""

from __future__ import annotations

import ast

import pytest

from combin import analyze
from combin.games.registry import HOMES, game_named
from combin.report.identity import kernels

from ..shared import sources


def loaded(folder: str) -> set[str]:
    """The kernels that the modules of a folder of games/ load, and the module of the same name in verify/."""
    return {
        node.args[0].value
        for name, tree in sources().items() if name.startswith((f"games/{folder}/", f"verify/{folder}"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "load"
        and node.args and isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("name", [name for name, home in HOMES.items() if home.count(".") == 1 and name != "must-hit"])
def test_a_game_names_the_kernels_that_its_modules_load(name: str) -> None:
    game = game_named(name)
    used = loaded(name.replace("-", "_"))
    if name == "blackjack-switch":  # its hands are played by the solver of blackjack
        used |= {"blackjack"}
    assert used
    assert {*game.kernels, *game.second_kernels} == used


def test_kernels_of_wagers_on_dealt_cards() -> None:
    """Seven cards of one deck are counted by a kernel of their own, first cards by that of shoes."""
    flush = analyze("maryland/high-card-flush/flush-bonus/A")
    assert [name for name, _ in kernels([flush], second=False) if name.endswith(".pyx")] == ["seven_classes.pyx"]
    pair = analyze("maryland/blackjack/pair/A", decks=6)
    assert [name for name, _ in kernels([pair]) if name.endswith(".pyx")] == ["shoe.pyx"]
