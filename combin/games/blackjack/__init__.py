"""Blackjack: house rules, hands by composition, exact best play, strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from ...deals.cards import Shoe
from ...rulebook.book import Resolved
from ..model import Game, GameFigures, Played, Situation
from .rule_names import USUAL


class Blackjack(Game):
    """The Blackjack Wager: stand, hit, double, split or surrender against the dealer's upcard."""

    name = "blackjack"
    unit = "wager"
    hand = "player plays the chart, dealer draws out"
    in_view = "upcard"
    strategy = "combin.play.blackjack"
    second_way = "combin.verify.blackjack"
    takes = MappingProxyType({name: tuple(words) for name, words in USUAL.items()})

    def lines(self, resolved: Resolved) -> Sequence[str]:
        from .house_rules import LINES

        return LINES

    def play(self, situation: Situation) -> Played:
        from ...deals.cards import Shoe
        from ...deals.dealer_draws import value_counts
        from . import results
        from .house_rules import house_rules
        from .wager_parts import insurance

        rules = house_rules(situation.resolved, situation.values)
        counts = value_counts(Shoe(situation.decks, situation.without))
        solution = results.solved(rules, counts)
        found = results.law_at_best(rules, counts)
        return Played(results.rows(found), figures=results.figures(
            solution, found, insurance(situation.book, situation.resolved, counts)))

    def alike(self, shoe: Shoe) -> Mapping[int, int]:
        """Only values are seen."""
        from ...deals.dealer_draws import value

        kinds: dict[int, int] = {}
        return {card: kinds.setdefault(value(card), card) for card in range(len(shoe.copies)) if shoe.copies[card]}

    def replayed(self, figures: GameFigures, shoe: Shoe) -> Fraction:
        from ...deals.dealer_draws import value_counts
        from .solve import Solver

        solution = figures.solution
        first = {key: cell.best for key, cell in solution.cells.items()}
        again = Solver(solution.rules, value_counts(shoe)).solve(choice=solution.choice, first=first)
        return 1 + again.expected_value


GAME = Blackjack()
