"""What tests of several folders use."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import combin
from combin import analyze
from combin.analysis.model import Analysis
from combin.deals.cards import RANKS, Shoe
from combin.deals.first_cards import Deal

#: The folder of the package.
ROOT = Path(combin.__file__).parent

#: The fixture `combin`: words of the command line to (exit status, standard output, standard error).
Run = Callable[..., tuple[int, str, str]]


@cache
def sources() -> dict[str, ast.Module]:
    """Syntax tree of every module of the package, by its path in it. Parsed once for all tests of a process."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
    }


@cache
def chase_the_flush() -> Analysis:
    """The base game of Chase the Flush, which takes 2 s to solve: once for all tests of a process that read it."""
    return analyze("maryland/chase-the-flush/base/A")


def physical_deals(deal: Deal, shoe: Shoe) -> Iterator[Any]:
    """Every deal of physical cards, one at a time, as a tuple of card types in the order of the roles.

    An independent method for small shoes: no classes, no group, no lens.
    """
    stack = [c for c, copies in enumerate(shoe.copies) for _ in range(copies)]

    def roles(index: int, used: frozenset[int]) -> Any:
        if index == len(deal.roles):
            yield ()
            return
        role = deal.roles[index]
        free = [i for i in range(len(stack)) if i not in used]
        if role.only:
            free = [i for i in free if RANKS[stack[i] % 13] == role.only]
        for hand in combinations(free, role.cards):
            for rest in roles(index + 1, used.union(hand)):
                yield (tuple(stack[i] for i in hand), *rest)

    return roles(0, frozenset())
