"""Random rounds of a game from a file, played by its solution.

Hands are ranked by the definition of their order, card by card, not by the tables of the sweep. On the last street the
player takes the best choice of the position, which `positions` values against every hand of the dealer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

from ..base.exact import root
from ..games.showdown.hand_orders import SUITS, order_named
from ..games.showdown.passes import Passes
from ..games.showdown.positions import Cards, Position
from ..games.showdown.round import Hand, Round
from ..games.showdown.settlement import Settlement
from ..games.showdown.solve import Solution
from ..games.showdown.tree import tree_of


@dataclass(frozen=True)
class DealtShowdown:
    """Dealt rounds: their mean net result in units with its standard error, and the number of rounds of each leaf."""

    rounds: int
    mean: Fraction
    error: Fraction
    leaves: tuple[int, ...]


def deal_rounds(
    round: Round, settlement: Settlement, solution: Solution, rounds: int, seed: int, *, without: tuple[int, ...] = ()
) -> DealtShowdown:
    """Deal ``rounds`` (two or more) and play each by the solution; the same seed deals the same rounds."""
    dealer = _Dealer(round, settlement, solution, without)
    random = Random(seed)
    results: Counter[int] = Counter()
    leaves: Counter[int] = Counter()
    for _ in range(rounds):
        leaf, net = dealer.play(random)
        leaves[leaf] += 1
        results[net] += 1
    total = sum(net * n for net, n in results.items())
    squares = sum(net * net * n for net, n in results.items())
    spread = Fraction(squares * rounds - total * total, rounds * (rounds - 1)) / settlement.unit**2
    return DealtShowdown(rounds, Fraction(total, rounds * settlement.unit), root(spread / rounds),
                 tuple(leaves[i] for i in range(len(round.leaves))))


class _Dealer:
    def __init__(self, round: Round, settlement: Settlement, solution: Solution, without: tuple[int, ...]) -> None:
        self.round, self.settlement, self.solution = round, settlement, solution
        self.passes = Passes(tree_of(round, without), settlement)
        self.tree = self.passes.tree
        self.position = Position(self.passes)
        self.order = order_named(round.order)
        self.deck = [card for card in range(52) if card not in self.tree.removed]

    def play(self, random: Random) -> tuple[int, int]:
        """Return the leaf in which one round ends, and its net result times the unit."""
        tree, final = self.tree, self.tree.final
        hidden = max(tree.hidden, 0)
        drawn = random.sample(self.deck, final.seen + hidden)
        board, drawn = drawn[:final.board], drawn[final.board:]
        upcards, drawn = drawn[:final.upcards], drawn[final.upcards:]
        player, dealer = drawn[:final.player], drawn[final.player:]
        node = 0
        for level, here in enumerate(tree.decisions):
            seen = (tuple(sorted(board[:here.board])), tuple(sorted(upcards[:here.upcards])),
                    tuple(sorted(player[:here.player])))
            step = tree.step(level, node, self._choice(level, node, seen))
            node = step.node
            if step.leaf >= 0:
                break
        leaf = step.leaf if tree.decisions else 0
        cards = {"board": board, "upcard": upcards, "player": player, "dealer": dealer}
        return leaf, self._settled(leaf, cards)

    def _choice(self, level: int, node: int, seen: Cards) -> int:
        if level < len(self.solution.choices):
            return self.passes.choice_at(self.solution.choices[level][node], level, seen)
        values = self.position.choices(level, seen)[node]
        offered = [i for i in self.tree.preference(level) if self.position.offered(level, i, seen)]
        return max(offered, key=lambda i: values[i])  # the first of equal ones

    def _settled(self, leaf: int, cards: dict[str, list[int]]) -> int:
        settlement, result, interval = self.settlement, 0, 0
        mine = self._rank(self.round.player, cards)
        qualifies = int(settlement.qualify is not None)
        if self.round.dealer is not None:
            theirs = self._rank(self.round.dealer, cards)
            result = 1 + (mine > theirs) - (mine < theirs)
            interval = bisect_right(settlement.dealer_cuts, theirs)
            qualifies = int(settlement.qualify is not None and theirs >= settlement.qualify)
        return int(settlement.utility[leaf, qualifies, result, bisect_right(settlement.player_cuts, mine), interval])

    def _rank(self, hand: Hand, cards: dict[str, list[int]]) -> int:
        """Return the rank of the best hand by the definition of the order."""
        held = [card for role in hand.roles for card in cards.get(role, ())]
        order = self.order
        if order.size is None:
            suits = ([card % 13 for card in held if card // 13 == suit] for suit in range(SUITS))
            return max(order.ranks[order.suited(tuple(ranks))] for ranks in suits if ranks)
        best = 0
        for chosen in combinations(held, order.size):
            ranks = tuple(sorted(card % 13 for card in chosen))
            one_suit = len({card // 13 for card in chosen}) == 1
            best = max(best, order.ranks[order.suited(ranks) if one_suit else order.unsuited(ranks)])
        return best
