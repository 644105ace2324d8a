"""High Card Flush: its rules, its solution and its players' strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ...base.errors import fault
from ...base.exact import Exact
from ...deals.table import Table
from ...rulebook.book import Resolved, Rulebook
from ..joint import figures, outcome_rows
from ..model import Game, Option, Situation, SolvedGame


class HighCardFlush(Game):
    """Seven cards each; the player folds or raises by the length of the flush."""

    name = "high-card-flush"
    hand = "player 7"
    options = (Option("raise_limit", 6, 7, "the most antes raised with a flush of two to seven cards"),)
    takes: Mapping[str, Sequence[str]] = MappingProxyType({"raise_limit": (), "long_flush_qualifies": ("yes", "no")})
    strategy = "combin.play.high_card_flush"
    second_way = "combin.verify.high_card_flush"
    kernels = ("high_card_flush",)
    second_kernels = ("high_card_flush_rounds",)

    def lines(self, resolved: Resolved) -> tuple[str, ...]:
        from .rules import LINES

        return LINES

    def play(self, situation: Situation) -> SolvedGame:
        from . import dealt_rounds, rules, solve

        if situation.without:
            raise fault("a base game is solved for one full deck", "omit --without", file="--without")
        game_rules, solution = rules.rules_of(situation.resolved), rules.solved(situation.resolved)
        joint = solution.joint.sum(-1).astype(object)
        game_figures = figures(game_rules, joint, solve.DEALS, {"hands": solution.tied_hands}, solution,
                               partial(dealt_rounds.ends, solution.game),
                               partial(rules.product_of_two, situation.resolved))
        return SolvedGame(outcome_rows(game_rules, joint, solve.DEALS), solve.DEALS, solve.CLASSES, game_figures)

    def side_bet_table(
        self, book: Rulebook, game: Resolved, bet: Resolved, values: Mapping[str, Exact | None]
    ) -> Table:
        from . import side_bets

        return side_bets.table(game, bet, values)


GAME = HighCardFlush()
