"""Games with decisions that a file describes: the deal, the choices, the order of hands and the settlement of bets.

`round_file` builds a `Round` from a file, `bets` settles its bets, `solve` finds the best play; no game has its own
code.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...base.toml_tables import ReportFault
from ...rulebook.book import Resolved, Wager
from ..model import ANY_IN_VIEW, Game, Situation, SolvedGame


class Showdown(Game):
    """A game that a file describes."""

    name = "showdown"
    unit = "unit"
    #: No deal of a wager: side bets on this game depend on the ends of rounds.
    hand = "final hands"
    in_view = ANY_IN_VIEW
    strategy = "combin.play.showdown"
    second_way = "combin.verify.showdown"
    kernels = ("showdown_publics", "showdown_sweep")
    second_kernels = ("showdown_enumeration",)

    def lines(self, resolved: Resolved) -> Sequence[str]:
        return [name for name, _ in resolved.lines]  # `check` reports lines of no bet

    def check(self, wager: Wager, report: ReportFault) -> None:
        from . import rules

        rules.check(wager, report)

    def play(self, situation: Situation) -> SolvedGame:
        from . import solved_game

        return solved_game.play(situation)

    def top(self, resolved: Resolved) -> Fraction:
        from . import rules

        return Fraction(max(rules.bets_of(resolved).net_of_round.flat))


GAME = Showdown()
