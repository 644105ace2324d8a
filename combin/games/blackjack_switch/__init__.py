"""Blackjack Switch: two hands whose second cards may be switched, exact under zero-memory play."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from ...rulebook.book import Resolved
from ..blackjack.rule_names import USUAL
from ..blackjack.rules import USUAL_HANDS
from ..model import Game, Situation, SolvedGame
from .rules import TAKES

#: The options of blackjack that Switch shares: it has no even money or charlie, and a 22 always pushes.
HAND_OPTIONS = ("soft_17", "double", "double_after_split", "resplit_aces", "split_aces", "max_hands", "surrender",
                "hole_card")


class BlackjackSwitch(Game):
    """Two equal Blackjack Wagers on two hands, whose second cards may be switched (ch. 12 A)."""

    name = "blackjack-switch"
    unit = "wager pair"
    plays = "plays of each hand by its cards, the upcard and the other hand's first two cards"
    hand = "cards 4"
    takes_long = "about 5 s of processor time"
    in_view = "upcard"
    strategy = "combin.play.blackjack_switch"
    second_way = "combin.verify.blackjack_switch"
    kernels = ("blackjack",)
    second_kernels = ("blackjack_rounds",)
    remark = (
        "play",
        "zero memory: each hand is played best given its cards, the upcard and the other hand's first two cards",
    )
    takes = MappingProxyType({
        **{name: tuple(USUAL[name])[: USUAL_HANDS if name == "max_hands" else None] for name in HAND_OPTIONS}, **TAKES})

    def lines(self, resolved: Resolved) -> Sequence[str]:
        from .house import LINES

        return LINES

    def play(self, situation: Situation) -> SolvedGame:
        from ...deals.dealer_draws import value_counts
        from . import results
        from .house import switch_rules
        from .solve import solved

        rules = switch_rules(situation.resolved, situation.values)
        solution = solved(rules, value_counts(situation.shoe))
        return SolvedGame(results.rows(solution), figures=results.figures(solution))


GAME = BlackjackSwitch()
