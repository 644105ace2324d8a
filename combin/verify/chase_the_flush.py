"""Independent checks of Chase the Flush: values, dealer hands, and its rules dealt card by card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..deals.cards import cards, rank_masks
from ..deals.first_cards import Deal
from ..games.chase_the_flush import dealt_rounds, positions, rules, solve
from ..games.chase_the_flush import strategies as simple
from ..games.round_dealer import BLOCK
from . import chase_play, flushes, rounds, shoe, side_bets
from .cards_dealt import Parcel, deal_cards
from .flushes import Array
from .model import RETURN, Check, equal, no_difference
from .rounds import RANK, Experiment, experiment, flush, tally

#: Side bets that depend on the play: counted independently, and dealt at random.
side_bet_checks, side_bet_parcel = side_bets.checks_of_chase_the_flush, side_bets.parcel_of_chase_the_flush
#: Rivers that are counted hand by hand, chosen for ties, long flushes and boards of one suit.
RIVERS = (
    ("Kc 9c 4d", "Qc 2c 7h 8s"),
    ("Ah Kh Qh", "2s 3s 4s 5s"),
    ("2c 2d 2h", "9s 8s 7s Tc"),
    ("Jd Td 3c", "Ad 9d 8c 2h"),
)
#: Hole cards that are solved independently: some near the boundary of a 3x raise, some far from it.
HOLES = ("Kc 2c 3d", "Qc Jc 4d", "Ac Kd Qh", "9h 5h 2s", "Ah 7h 2h", "6c 4d 2h")


def checks(a: Analysis) -> Iterator[Check]:
    solution = a.game.solution
    yield shoe.classes(a, Deal("player 3"))
    best = solution.values.max(axis=1)
    cells = solution.class_joint.reshape(len(best), -1) @ solution.utility.reshape(-1)
    wrong = np.flatnonzero(best != cells)
    difference = f"differ in {len(wrong)} classes, first number {wrong[0]}" if len(wrong) else ""
    yield no_difference("value of every class", "backward induction compared with the joint table, for each class",
                        difference, f"the same in all {len(best):,} classes of hole cards", RETURN)
    hole = differing_hole(a)
    yield no_difference(
        "hole cards", f"every board and dealer hand for {len(HOLES)} of them, by backward induction in arrays",
        f"differ for {hole}" if hole else "", "the same values and endings for each")
    for hole, board in RIVERS:
        kernel = solve.position(cards(hole), cards(board), utility=solution.utility).dealer
        literal = _dealers_on_a_river(cards(hole), cards(board))
        yield equal("dealer hands", f"all {comb(45, 3):,} dealt against {hole} on {board}", kernel, literal,
                    "the same six counts")
    # The cards decide who wins, so the cells of folds are counted like the others.
    lost, _, won = (int(deals) for deals in solution.joint.sum(axis=(0, 1, 3)))
    yield equal("symmetry", "wins and losses over all deals, including folds", won, lost, f"{lost:,} each")


def differing_hole(a: Analysis, holes: Iterable[str] = HOLES) -> str:
    """Return the first hole cards whose values or endings differ in the independent solution; empty if none do."""
    solution = a.game.solution
    unit = rules.rules_of(a.resolved, chase_play.most(a)).unit
    for text in holes:
        hole = cards(text)
        held = solve.canonical(rank_masks(hole))
        number = int(np.flatnonzero((solve.hole_classes()[0] == held).all(axis=1))[0])
        again = chase_play.play(a, hole)
        here = [Fraction(int(value), unit) for value in solution.values[number]]
        if here != [again.raised, again.checked] or (solution.class_joint[number] != again.joint).any():
            return text
    return ""


def _dealers_on_a_river(hole: Sequence[int], board: Sequence[int]) -> dict[tuple[bool, str], int]:
    mine = flushes.best(flushes.held(np.array([[*hole, *board]])))
    left = np.array([card for card in range(52) if card not in hole and card not in board])
    dealt = left[chase_play.chosen(len(left), 3)]
    theirs = flushes.best(flushes.held(dealt) | flushes.held(np.array([board])))
    result = (mine >= theirs).astype(int) + (mine > theirs)
    return {
        (q, solve.RESULTS[r]): int(((flushes.qualifies(theirs) == q) & (result == r)).sum())
        for q in (False, True)
        for r in range(len(solve.RESULTS))
    }


# ---- the rules, dealt card by card


def optimal_play(a: Analysis, number: int, seed: int) -> tuple[dict[str, Fraction], Any]:
    """Return every cell of the joint table by name, and its simulated count; the kernel deals in blocks of 10,000."""
    seen = dealt_rounds.simulate(a.game.solution, rounds.whole(number, BLOCK), seed)
    return rounds.shares(a, a.game.solution.joint), seen.reshape(-1)


net_results = chase_play.net_results

#: Two interpretations of the advice on the casino's card: 3x from Q-9, 2x with three suited cards, 1x from jack high.
#: They differ in whether Q-9 refers to each card, and in the number of higher cards of a suit on the board at which
#: three cards are folded.
PRINTED = (
    ("Q-9 by value (K-2 is better); both suited cards higher, three-card flushes only", False, 2),
    ("a queen or better with a nine or better; one of two suited cards higher, three-card flushes only", True, 1),
)


def printed(hole: Array, flop: Array, board: Array, whole: Array, *, each_card: bool, against: int) -> Array:
    """Return the choices as numbers: 0 for 3x, 1 for 2x, 2 for 1x, 3 for a fold."""
    two, mine = flushes.best(hole), flushes.best(whole)
    at_once = two >= flush("Q9")
    if each_card:
        low_cards = (1 << RANK["9"]) - 1
        at_once &= (flushes.length(two) == 3) | (two & low_cards == 0)
    early = flushes.length(flushes.best(flop)) >= 3
    above = ~((2 << flushes.TOP[mine & 8191]) - 1)
    suited = flushes.SIZE[board] >= 2
    higher = np.where(suited, flushes.SIZE[board & above[:, None]], 0).max(axis=1)
    three = (mine >= flush("J32")) & (higher < against)
    late = np.where(flushes.length(mine) >= 4, True, three)
    return np.where(at_once, 0, np.where(early, 1, np.where(late, 2, 3)))


def experiments(a: Analysis) -> Iterator[Experiment]:
    """Yield every strategy that is simulated without a kernel."""
    game_rules, net = rules.rules_of(a.resolved, chase_play.most(a)), chase_play.net_results(a)
    exact = simple.printed_strategies()
    valued = positions.value_strategies([exact[name] for name, _, _ in PRINTED])
    for (name, each_card, against), known in zip(PRINTED, valued, strict=True):
        yield experiment(
            a, f"the casino's printed advice ({name})", known.joint, game_rules, net,
            _printed_parcel(each_card, against)
        )


def _printed_parcel(each_card: bool, against: int) -> Parcel:
    def deal(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 10, 1)
        hole, dealer, flop, river = (flushes.held(cards[:, i:j]) for i, j in ((0, 3), (3, 6), (6, 8), (8, 10)))
        board = flop | river
        chosen = printed(hole, hole | flop, board, hole | board, each_card=each_card, against=against)
        return tally(chosen, flushes.best(hole | board), flushes.best(dealer | board), True, 4)

    return deal
