"""What tests of several folders use."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import combin
from combin import analyze
from combin.analysis.model import Analysis
from combin.deals.cards import RANKS, Shoe
from combin.deals.first_cards import Deal
from combin.rulebook.book import Rulebook, shipped
from combin.userfiles.paytables import add_file

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


#: Files of one paytable of a house: a flush bonus, and a pair that is paid 20 and 8 to 1.
HOUSE_FLUSH = """\
[[wager]]
based_on = "maryland/high-card-flush/flush-bonus"
[wager.paytable.house-1]
"seven-card flush" = "300 to 1"
"six-card flush" = "75 to 1"
"five-card flush" = "10 to 1"
"four-card flush" = "1 to 1"
"""
HOUSE_PAIR = """\
[[wager]]
based_on = "maryland/blackjack/pair"
[wager.paytable.house]
"suited pair" = "20 to 1"
"non-suited pair" = "8 to 1"
"""


def wager_file(
    deal: str, lines: Mapping[str, tuple[str, str]], *, decks: tuple[int, ...] = (1,), id: str = "house/game/bet",
    name: str = "Bet", more: str = "",
) -> str:
    """A file of a user-defined wager: for each line its condition and its pay; ``more`` are further keys and tables."""
    conditions = "".join(f"\"{line}\" = '{condition}'\n" for line, (condition, _) in lines.items())
    pays = "".join(f'"{line}" = "{pay}"\n' for line, (_, pay) in lines.items())
    return (f'[[wager]]\nid = "{id}"\nname = "{name}"\ndeal = "{deal}"\ndecks = {list(decks)}\n{more}'
            f"[wager.outcome]\n{conditions}[wager.paytable.A]\n{pays}")


def added(folder: Path, text: str) -> tuple[Rulebook, str]:
    """The rulebook with the single paytable of a file, and its id."""
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    book, [identifier] = add_file(shipped(), str(path))
    return book, identifier


def analysed(folder: Path, text: str, decks: int | None = None, **chosen: Any) -> Analysis:
    """The analysis of the single paytable of a file."""
    book, identifier = added(folder, text)
    return analyze(identifier, decks=decks, book=book, **chosen)


#: Of C(52, 7) = 133,784,560 hands one is the eight to the ace of hearts, 4 C(13, 7) are of one suit.
RARE = wager_file("player 7", {
    "eight to ace of hearts": ('count(player, "8h 9h Th Jh Qh Kh Ah") == 7', "1,000,000 to 1"),
    "seven-card flush": ("suited(player)", "800 to 1"),
}, id="harbor/carnival/lucky-seven")


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
