"""A toy game in one folder: one card, three choices. Its figures are plain at a glance.

The player sees one card of a deck and stakes an ante. A fold loses it. A call stakes one more, a
raise two more. An ace, king or queen wins the whole stake, a jack pushes, and other cards lose it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combin.base.errors import fault
from combin.deals.cards import RANKS
from combin.games.model import Game, GameFigures, Situation, SolvedGame
from combin.games.outcome import Outcome
from combin.games.registry import register
from combin.play.strategy import FlushAnswer, PositionGroup, Summary, ValuedStrategy, optimal, valued
from combin.rulebook.book import Resolved
from combin.verify.model import RETURN, Check, equal

CHOICES = {"fold": 0, "call": 1, "raise": 2}
WINNERS, PUSHES = "QKA", "J"


def values(rank: str, odds: Fraction) -> dict[str, Fraction]:
    """The net result of each choice with this rank, in antes."""
    sign = odds if rank in WINNERS else 0 if rank in PUSHES else -1
    return {name: Fraction(sign) * (1 + more) if more else Fraction(-1) for name, more in CHOICES.items()}


class Toy(Game):
    name = "toy"
    strategy = second_way = __name__

    def lines(self, resolved: Resolved) -> Sequence[str]:
        return ("win",)

    def play(self, situation: Situation) -> SolvedGame:
        if situation.without:
            raise fault("the toy is dealt from a full deck", "leave out --without", file="--without")
        ((_, pay),) = situation.resolved.lines
        played: dict[tuple[str, Fraction], int] = {}
        for rank in RANKS:
            each = values(rank, pay.odds)
            best = max(each, key=lambda name: each[name])
            played[best, each[best]] = played.get((best, each[best]), 0) + 4 * situation.decks
        deals = 52 * situation.decks
        rows = tuple(
            Outcome(f"{choice}, {'wins' if net > 0 else 'pushes' if not net else 'loses'}", str(net), n,
                Fraction(n, deals), 1 + net)
            for (choice, net), n in sorted(played.items(), key=lambda item: -item[0][1])
        )
        chosen = {
            name: sum((r.probability for r in rows if r.outcome.startswith(name)), Fraction(0)) for name in CHOICES
        }
        staked = sum((share * (1 + CHOICES[name]) for name, share in chosen.items()), Fraction(0))
        return SolvedGame(rows, deals, 13, GameFigures.of_rows(rows, staked, chosen))


def summarize(a: Any, *, search: bool = False) -> Summary:
    return Summary(
        a, (optimal(a), valued(a, "fold everything", Fraction(0), {"fold": Fraction(1)})),
        (PositionGroup("", "queen or higher", "", 12, 12), PositionGroup("", "ten or lower", "", 36, 0)),
    )


def value(a: Any, played: Sequence[Any]) -> tuple[ValuedStrategy, ...]:
    return ()


def answer(a: Any, hand: tuple[int, ...], board: tuple[int, ...]) -> FlushAnswer:
    ((_, pay),) = a.resolved.lines
    each = values(RANKS[hand[0] % 13], pay.odds)
    return FlushAnswer(a, each, max(each, key=lambda name: each[name]), hand, board, "one card")


def checks(a: Any) -> Iterator[Check]:
    """A queen, king or ace raises and wins three, a jack pushes, nine ranks fold and lose one."""
    method = "three ranks of thirteen win three antes, nine lose one"
    yield equal("return", method, a.returned, 1 + Fraction(3 * 3 - 9, 13), covers=RETURN)


GAME = Toy()
register(GAME)
