"""Chase the Flush: its rules, its solution, single positions, and its players' strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from ...base.errors import fault
from ...base.exact import Exact
from ...deals.table import Table
from ...rulebook.book import Resolved, Rulebook
from ..joint import figures, outcome_rows
from ..model import Game, Option, Situation, SolvedGame


class ChaseTheFlush(Game):
    """Three cards each and four on the board; the player raises once, on one of three streets, or folds."""

    name = "chase-the-flush"
    hand = "player 7"
    options = (
        Option("raises", 3, 1000, "three different multiples: on the hole cards, the flop and the river", True),
    )
    takes: Mapping[str, Sequence[str]] = MappingProxyType({"raises": (), "river_tie": ("fold", "raise")})
    strategy = "combin.play.chase_the_flush"
    second_way = "combin.verify.chase_the_flush"
    kernels = ("chase_the_flush", "chase_the_flush_strategies")
    second_kernels = ("chase_the_flush_rounds",)

    def lines(self, resolved: Resolved) -> tuple[str, ...]:
        from .rules import LINES

        return LINES

    def top(self, resolved: Resolved) -> Fraction:
        from .rules import rules_of

        return Fraction(max(rules_of(resolved).net.flat))

    def play(self, situation: Situation) -> SolvedGame:
        from . import dealt_rounds, rules, solve

        if situation.without:
            raise fault("a base game is solved for one full deck", "omit --without", file="--without")
        game_rules = rules.rules_of(situation.resolved, situation.most)
        solution = rules.solved(situation.book, situation.resolved, situation.most)
        joint, ties = solution.joint, dict(solution.ties)
        game_figures = figures(game_rules, joint, solve.DEALS, ties, solution, partial(dealt_rounds.ends, solution))
        return SolvedGame(outcome_rows(game_rules, joint, solve.DEALS), solve.DEALS, len(solution.values), game_figures)

    def side_bet_table(
        self, book: Rulebook, game: Resolved, bet: Resolved, values: Mapping[str, Exact | None]
    ) -> Table:
        from . import side_bets

        return side_bets.table(book, game)


GAME = ChaseTheFlush()
