"""Blackjack: house rules, hands by composition, exact best play, strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from ...deals.cards import Shoe
from ...rulebook.book import Resolved
from ..model import Game, GameFigures, Situation, SolvedGame
from .bonuses import bonus_suits
from .rule_names import USUAL
from .suited import suits_differ


class Blackjack(Game):
    """The game of blackjack: stand, hit, double, split or surrender against the dealer's upcard."""

    name = "blackjack"
    unit = "wager"
    plays = "plays in which each hand of a split is played as the same cards are without a split"
    hand = "player plays the chart, dealer draws out"
    in_view = "upcard"
    ranks_needed = ("A", "TJQK")  # there are blackjacks
    strategy = "combin.play.blackjack"
    second_way = "combin.verify.blackjack"
    kernels = ("blackjack", "blackjack_splits")
    second_kernels = ("blackjack_rounds",)
    takes = MappingProxyType({name: tuple(words) for name, words in USUAL.items()})

    def lines(self, resolved: Resolved) -> Sequence[str]:
        from .house_rules import LINES

        return LINES

    def play(self, situation: Situation) -> SolvedGame:
        from ...deals.dealer_draws import value_counts
        from ..joint import lines_fault
        from . import results
        from .house_rules import house_rules
        from .solve import runs_out
        from .wager_parts import insurance

        shoe = situation.shoe
        rules, counts = house_rules(situation.resolved, situation.values, shoe), value_counts(shoe)
        whole = replace(shoe, removed=())
        if runs_out(rules, value_counts(whole)):
            what = f"a shoe of {whole.size} card(s), by its decks and \"shoe\", can run out within a round"
            raise lines_fault(situation.resolved, what, "give it more cards, or allow fewer hands with max_hands")
        solution = results.solved(rules, counts)
        distribution = results.law_at_best(rules, counts)
        return SolvedGame(results.rows(distribution), figures=results.figures(
            solution, distribution, insurance(situation.book, situation.resolved, counts)))

    def alike(self, resolved: Resolved, shoe: Shoe) -> Mapping[int, int]:
        """Return cards of one value as alike, except for suits on which blackjacks or bonuses depend in such a shoe."""
        from ...deals.dealer_draws import value

        kinds: dict[tuple[int, int], int] = {}
        suits = bonus_suits({line for line, _ in resolved.lines}, shoe)
        if suits_differ(shoe):
            suits |= {1: tuple(range(4)), 10: tuple(range(4))}
        return {card: kinds.setdefault((value(card), suits.get(value(card), (0,) * 4)[card // 13]), card)
                for card in range(len(shoe.copies)) if shoe.copies[card]}

    def replayed(self, figures: GameFigures, shoe: Shoe) -> Fraction:
        from ...deals.dealer_draws import value_counts
        from .house_rules import in_shoe
        from .solve import Solver

        solution = figures.solution
        first = {key: cell.best for key, cell in solution.cells.items()}
        again = Solver(in_shoe(solution.rules, shoe), value_counts(shoe)).solve(choice=solution.choice, first=first)
        return 1 + again.expected_value


GAME = Blackjack()
