"""Independent checks of games from files: every deal of a short deck, and some positions of the full deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import InputError
from ..deals.cards import names
from ..games.showdown import rules, side_bets
from ..games.showdown.bets import Bets
from ..games.showdown.hand_orders import order_named
from ..games.showdown.passes import TIED
from ..games.showdown.positions import position_values
from ..games.showdown.public_cards import hand_cards, of_level, set_of
from ..games.showdown.round import Round
from ..games.showdown.solve import Solution, solve
from ..games.showdown.tree import tree_of
from ..rulebook.terms import SIDE_BET
from . import showdown_rounds
from .chance import LIMIT, judged
from .model import COUNTS, Check, compared, equal, no_difference, not_checked
from .showdown_enumeration import EnumeratedCell, enumerate_deals

#: Ranks of short decks, in order of trial: five ranks, or four if there are too many deals.
SHORT = ("TJQKA", "6789T", "2345A", "JQKA", "9TQA")
POSITIONS, SEED = 3, 20_261_129
#: Maximum number of deals of the later visible cards that are enumerated for one position.
MOST_LATER = 3_000
#: Maximum number of random rounds, and of the dealer's hands enumerated over all rounds.
MOST_ROUNDS, MOST_HANDS = 20_000, 200_000_000


def checks(a: Analysis) -> Iterator[Check]:
    """Yield checks of the same game on a short deck by every deal, and of positions by every later deal."""
    if a.cap is not None:
        yield not_checked("counts", "a payout cap is not enumerated")
        return
    if a.resolved.terms.game == SIDE_BET:
        yield _side_bet(a)
        return
    bets = rules.bets_of(a.resolved)
    yield _short_deck(bets)
    yield from _positions(a, bets)


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """Yield checks of rounds dealt at random and played as solved: frequency of each path, mean net result.

    Every round values its last position against all hands of the dealer, which bounds the number of rounds.
    """
    if a.resolved.terms.game == SIDE_BET or a.cap is not None:
        yield Check("simulation", "none: the outcomes are counted on a short deck", "not simulated", None)
        return
    bets, tree = rules.bets_of(a.resolved), tree_of(rules.round_of(a.resolved), a.request.without)
    hands = comb(tree.deck - tree.final.seen, max(tree.hidden, 0))
    dealt = max(2, min(rounds, MOST_ROUNDS, MOST_HANDS // hands))
    dealt_rounds = showdown_rounds.deal_rounds(bets.round, bets.settlement, a.game.solution, dealt, seed,
                                               without=a.request.without)
    for name, count in zip(a.game.choices, dealt_rounds.leaves, strict=True):
        yield judged(f"simulated {name or 'rounds'}", count, dealt, a.game.choices[name], seed)
    z = float(dealt_rounds.mean - a.game.expected_value) / float(dealt_rounds.error) if dealt_rounds.error else 0.0
    yield Check("simulated net result", f"{dealt:,} rounds, seed {seed}",
                f"{float(dealt_rounds.mean):+.4f} ± {float(dealt_rounds.error):.4f}, z = {z:+.2f}", abs(z) < LIMIT)


def _enumerated(bets: Bets) -> tuple[str, Solution, Solution] | str:
    """Return the ranks of a short deck with the game solved and enumerated; the reason if no short deck deals it."""
    order, settlement = order_named(bets.round.order), bets.settlement
    cells = EnumeratedCell(tuple(order.keys[cut - 1] for cut in settlement.player_cuts),
                 tuple(order.keys[cut - 1] for cut in settlement.cells.cuts))
    why = ""
    for ranks in SHORT:
        short = replace(bets.round, ranks=ranks)
        try:
            here = solve(short, settlement)
            there = enumerate_deals(short, settlement.rows, settlement.unit, cells)
        except InputError as error:  # too many deals, or this deck lacks a hand that a choice requires
            why = error.faults[0].what
            continue
        again = replace(here, value=there.value, joint=settlement.cells.parted(there.joint), deals=there.deals)
        return ranks, here, again
    return f"no short deck deals this game: {why}"


def _on_a_short_deck(bets: Bets, compare: Callable[[Solution, Solution, str], Check]) -> Check:
    """Return the comparison of a game solved and enumerated on a short deck, with its method in words."""
    solutions = _enumerated(bets)
    if isinstance(solutions, str):
        return not_checked("counts", solutions)
    ranks, here, there = solutions
    cards = f"{4 * len(ranks)} cards"
    method = f"the same rules on {cards} ({ranks}): every deal enumerated by independent code"
    return replace(compare(here, there, method), instead=f"the game on {cards}")


def _short_deck(bets: Bets) -> Check:
    def compare(here: Solution, there: Solution, method: str) -> Check:
        differs = np.argwhere(here.joint != there.joint)
        difference = f"differs at leaf, qualifies, result, hand, dealer {differs[0].tolist()}" if len(differs) else ""
        if here.value != there.value or here.deals != there.deals:
            difference = f"{here.value} here and {there.value} there"
        return no_difference("counts", method, difference, f"the same {here.joint.size} cells of {here.deals:,} deals",
                             COUNTS)

    return _on_a_short_deck(bets, compare)


def _side_bet(a: Analysis) -> Check:
    """Return the check of a side bet on the end of a round, counted by both methods on a short deck."""
    base = side_bets.base_of(a.book, a.resolved)
    nodes = side_bets.conditions(a.resolved, rules.round_of(base))
    lines = [(outcome, nodes[outcome]) for outcome, _ in a.resolved.payments if outcome in nodes]
    if any(side_bets.on_cards(node) for _, node in lines):
        return not_checked("counts", "a side bet only on cards is checked as a wager with a deal")
    bets = side_bets.finer(base, nodes)
    return _on_a_short_deck(bets, lambda here, there, method: compared(
        "counts", method, side_bets.by_outcome(bets, here, lines), side_bets.by_outcome(bets, there, lines), COUNTS))


def _positions(a: Analysis, bets: Bets) -> Iterator[Check]:
    """Yield checks of positions of streets whose choices are stored: the choice against values by every later deal."""
    solution, round = a.game.solution, bets.round
    random = Random(SEED)
    for cards, node, chosen in _sample(round, solution, a.request.without, random):
        shown = ", ".join(f"{role} {names(held)}" for role, held in cards.items() if held)
        try:
            values = list(position_values(round, bets.settlement, cards, without=a.request.without,
                                          solution=solution).values())[node]
        except InputError:  # too many later deals for this position
            continue
        best = max(values.values())
        yield equal("choices", "positions of the full deck, every deal of the later cards", values[chosen], best,
                    f"{shown}: {chosen}, value {Fraction(best)}")


def _sample(
    round: Round, solution: Any, without: tuple[int, ...], random: Random
) -> Iterator[tuple[dict[str, tuple[int, ...]], int, str]]:
    """Yield random positions: the cards by role, the index of the path, and the stored choice."""
    tree = tree_of(round, without)
    for number, (level, chosen) in enumerate(zip(tree.levels[:tree.stored], solution.choices, strict=True)):
        if tree.completions(number) // comb(tree.deck - tree.final.seen, max(tree.hidden, 0)) > MOST_LATER:
            continue
        seen, hands = of_level(level, set_of(tree.removed)), hand_cards(level.player)
        taken = 0
        while taken < POSITIONS:
            public, hand = random.randrange(len(seen.cards)), random.randrange(len(hands))
            node = random.randrange(len(tree.nodes[number]))
            pick = int(chosen[node][public][hand])
            if pick < 0:
                continue
            taken += 1
            cards = seen.cards[public].tolist()
            yield ({"player": tuple(hands[hand].tolist()), "board": tuple(cards[:level.board]),
                    "upcard": tuple(cards[level.board:])}, node, level.choices[pick & (TIED - 1)].name)
