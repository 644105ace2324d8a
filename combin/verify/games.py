"""The second ways for the base games, and for side bets that depend on how they are played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..deals import seven_cards as seven
from ..deals.cards import cards, names
from ..games import base
from ..games.chase_the_flush import solve as chase_the_flush
from ..games.high_card_flush import solve as high_card_flush
from ..rulebook.pays import LOSS
from . import chase_play, flushes, high_card_play
from .model import Check, compared, equal

#: Situations that are counted hand by hand: chosen for ties, long flushes and boards of one suit.
HIGH_CARD_FLUSH_HAND = "Ac Kc Qc Ad Kd Qd 2s"
CHASE_THE_FLUSH_RIVERS = (
    ("Kc 9c 4d", "Qc 2c 7h 8s"),
    ("Ah Kh Qh", "2s 3s 4s 5s"),
    ("2c 2d 2h", "9s 8s 7s Tc"),
    ("Jd Td 3c", "Ad 9d 8c 2h"),
)
#: Hole cards behind which everything is counted again: near the least that raise 3x, and far from them.
CHASE_THE_FLUSH_HOLES = ("Kc 2c 3d", "Qc Jc 4d", "Ac Kd Qh", "9h 5h 2s", "Ah 7h 2h", "6c 4d 2h")
#: The least flush that qualifies, those beside it, and long flushes below the nine.
AT_THE_BOUND = (
    "9h 3h 2h 8s 5s 7d 4c",
    "9h 4h 2h 8s 5s 7d 3c",
    "8h 7h 6h As Ks Ad Kc",
    "9h 3h 2h 9s 3s 2s 9d",
    "8h 7h 6h 5h As Kd Qc",
    "5h 4h 3h 2h 5s 4s 3s",
)
SAMPLE = 40
SEED = 20_240_229


def _best(suits: Sequence[Sequence[int]]) -> tuple[int, list[int]]:
    """A hand's best flush as (cards, ranks from the top), from the ranks held in each suit."""
    return max((len(held), sorted(held, reverse=True)) for held in suits)


def _flush(hand: Sequence[int]) -> tuple[int, list[int]]:
    return _best([[card % 13 for card in hand if card // 13 == suit] for suit in range(4)])


NINE_HIGH = (3, [7, 1, 0])


# ---- High Card Flush


def differing_hand(long_flush: str) -> str:
    """The first hand of which kernel and multiplied-out suits count other dealers; empty where they agree."""
    random = Random(SEED)
    hands = [cards(text) for text in AT_THE_BOUND] + [tuple(random.sample(range(52), 7)) for _ in range(SAMPLE)]
    for hand in hands:
        second = np.array(high_card_flush.position(hand, long_flush=long_flush).dealers)
        if (_kernel_counts(hand, long_flush) != second).any():
            return names(hand)
    return ""


@cache
def _dealers_literally(hand: tuple[int, ...]) -> dict[tuple[bool, str], int]:
    """All 45,379,620 dealer hands against one hand, dealt card by card (three by three cards at a time in arrays)."""
    unseen = [card for card in range(52) if card not in hand]
    four = np.array(list(combinations(range(45), 4)), dtype=np.int64)
    bit = np.array([1 << 13 * (card // 13) + card % 13 for card in unseen], dtype=np.int64)
    masks = bit[four].sum(axis=1)
    start = np.searchsorted(four[:, 0], np.arange(46))
    size = np.array([mask.bit_count() for mask in range(8192)], dtype=np.int32)
    value = size << 13 | np.arange(8192, dtype=np.int32)
    mine, nine = (length << 13 | sum(1 << rank for rank in ranks) for length, ranks in (_flush(hand), NINE_HIGH))
    counts: dict[tuple[bool, str], int] = {}
    for i, j, k in combinations(range(42), 3):
        rest = masks[start[k + 1] :] | bit[i] | bit[j] | bit[k]
        best = np.maximum(
            np.maximum(value[rest & 8191], value[rest >> 13 & 8191]),
            np.maximum(value[rest >> 26 & 8191], value[rest >> 39]),
        )
        for qualifies, some in ((False, best[best < nine]), (True, best[best >= nine])):
            wins, ties = int((some < mine).sum()), int((some == mine).sum())
            for result, number in (("win", wins), ("tie", ties), ("lose", len(some) - wins - ties)):
                counts[qualifies, result] = counts.get((qualifies, result), 0) + number
    return counts


def _kernel_counts(hand: Sequence[int], long_flush: str) -> Any:
    """The kernel's dealer hands against the class of a hand."""
    held = chase_the_flush.canonical(chase_the_flush.masks(hand))
    listed = high_card_flush.classes(high_card_flush.position(hand).flush, long_flush=long_flush)
    place = int(np.flatnonzero((listed.masks == held).all(axis=1))[0])
    return listed.dealers[place]


def high_card_flush_checks(a: Analysis) -> Iterator[Check]:
    solution = a.game.solution
    long_flush = solution.game.long_flush
    yield equal("classes", "Burnside's lemma over the 24 suit permutations", a.classes, seven.burnside_classes())
    total = sum((play.best * play.hands * high_card_flush.DEALERS for play in solution.plays()), start=0)
    yield equal(
        "value",
        "the sum over the 5,798 best flushes, each played at its best",
        solution.total,
        int(total),
        f"{solution.total:,} units over all deals",
    )
    again = high_card_play.count_all(high_card_play.Play(a.resolved))
    differs = np.argwhere(again.joint != solution.joint.sum(-1))
    yield Check(
        "joint table",
        "every class of hands again in arrays, played by a count of its own of all dealer hands",
        f"differs at choice, qualifies, result, length {differs[0].tolist()}"
        if len(differs)
        else f"the same {again.joint.size} cells",
        not len(differs) and (again.classes, again.hands) == (a.classes, high_card_flush.HANDS),
    )
    wrong = differing_hand(long_flush)
    yield Check(
        "dealer hands",
        "the subsets of each suit multiplied out, for hands at the bound and at random",
        f"differ against {wrong}" if wrong else f"the same for {len(AT_THE_BOUND) + SAMPLE} hands",
        not wrong,
    )
    chosen = cards(HIGH_CARD_FLUSH_HAND)
    literal = _dealers_literally(chosen)
    kernel = _kernel_counts(chosen, "qualifies")
    here = {(bool(q), r): int(kernel[q][i]) for q in (0, 1) for i, r in enumerate(("lose", "tie", "win"))}
    yield equal(
        "dealer hands", f"all {comb(45, 7):,} dealt against {names(chosen)}", here, literal, "the same six counts"
    )
    yield from _no_choice_high_card_flush(solution)
    unqualified = seven_unqualified() if long_flush == "qualifies" else None
    if unqualified is not None:
        here_q = int(solution.joint.sum(-1)[:, 0].astype(object).sum())
        yield equal(
            "dealer qualifies",
            "the hands without a flush of 9-3-2 or better, the suits multiplied out",
            here_q,
            unqualified * comb(45, 7),
            f"{comb(52, 7) - unqualified:,} of {comb(52, 7):,} hands qualify",
        )


@cache
def seven_unqualified() -> int:
    """Hands of seven cards without a flush of nine high or better: subsets of a suit by size, multiplied out."""
    ways = [0] * 8
    for mask in range(8192):
        ranks = sorted((rank for rank in range(13) if mask >> rank & 1), reverse=True)
        if (len(ranks), ranks) < NINE_HIGH:
            ways[len(ranks)] += 1
    product = [1]
    for _ in range(4):
        product = [sum(product[k] * ways[n - k] for k in range(n + 1) if k < len(product)) for n in range(8)]
    return product[7]


def _no_choice_high_card_flush(solution: high_card_flush.Solution) -> Iterator[Check]:
    """Where everybody raises, both sides are dealt alike: they win equally often."""
    utility = np.zeros_like(solution.game.utility)
    utility[0] = -1
    game = replace(solution.game, utility=utility)
    joint = high_card_flush.solve(game).joint.sum((-1, -2)).astype(object)[1:].sum(axis=(0, 1))
    yield equal(
        "symmetry",
        "wins and losses of a player who never folds",
        int(joint[2]),
        int(joint[0]),
        f"{int(joint[0]):,} each",
    )


# ---- Chase the Flush


def chase_the_flush_checks(a: Analysis) -> Iterator[Check]:
    solution = a.game.solution
    yield equal("classes", "Burnside's lemma over the 24 suit permutations", a.classes, seven.burnside_classes(3))
    best = solution.values.max(axis=1)
    cells = solution.class_joint.reshape(len(best), -1) @ solution.utility.reshape(-1)
    wrong = np.flatnonzero(best != cells)
    yield Check(
        "value of every class",
        "backward induction against the joint table, class by class",
        f"differ in {len(wrong)} classes, first number {wrong[0]}"
        if len(wrong)
        else f"the same in all {len(best):,} classes of hole cards",
        not len(wrong),
    )
    other = differing_hole(a)
    yield Check(
        "hole cards",
        f"every board and dealer hand behind {len(CHASE_THE_FLUSH_HOLES)} of them again in arrays, played backwards",
        f"differ behind {other}" if other else "the same values and ends of each",
        not other,
    )
    for hole, board in CHASE_THE_FLUSH_RIVERS:
        kernel = chase_the_flush.position(cards(hole), cards(board), utility=solution.utility).dealer
        literal = _dealers_on_a_river(cards(hole), cards(board))
        yield equal(
            "dealer hands",
            f"all {comb(45, 3):,} dealt against {hole} on {board}",
            kernel,
            literal,
            "the same six counts",
        )
    utility = np.zeros(chase_the_flush.SHAPE, dtype=np.int64)
    utility[0] = 1
    joint = chase_the_flush.solve([utility])[0].joint[0].sum(axis=(0, 2))
    yield equal(
        "symmetry",
        "wins and losses of a player who always raises",
        int(joint[2]),
        int(joint[0]),
        f"{int(joint[0]):,} each",
    )


def differing_hole(a: Analysis, holes: Iterable[str] = CHASE_THE_FLUSH_HOLES) -> str:
    """The first of some hole cards whose values or ends are others when counted again; empty where none are."""
    solution = a.game.solution
    unit = base.chase_the_flush_rules(a.resolved, a.cap.amount / a.cap.stake if a.cap is not None else None).unit
    for text in holes:
        hole = cards(text)
        held = chase_the_flush.canonical(chase_the_flush.masks(hole))
        number = int(np.flatnonzero((chase_the_flush.hole_classes()[0] == held).all(axis=1))[0])
        again = chase_play.play(a, hole)
        here = [Fraction(int(value), unit) for value in solution.values[number]]
        if here != [again.raised, again.checked] or (solution.class_joint[number] != again.joint).any():
            return text
    return ""


def _dealers_on_a_river(hole: Sequence[int], board: Sequence[int]) -> dict[tuple[bool, str], int]:
    mine = _flush([*hole, *board])
    counts = {(q, r): 0 for q in (False, True) for r in chase_the_flush.RESULTS}
    for dealer in combinations([c for c in range(52) if c not in hole and c not in board], 3):
        theirs = _flush([*dealer, *board])
        result = "win" if mine > theirs else "tie" if mine == theirs else "lose"
        counts[theirs >= NINE_HIGH, result] += 1
    return counts


# ---- side bets that depend on play


def play_checks(a: Analysis) -> Iterator[Check]:
    """Deals by outcome once more, the base game played beside them."""
    counts = {o.outcome: o.combinations or 0 for o in a.outcomes}
    if a.resolved.data["deal"] == "player 7":
        method = "every class of hands raised or folded by a count of its own of all dealer hands, then settled"
        yield compared("counts", method, counts, high_card_play.side_bet_counts(a))
        return
    method = "suited hole cards, which never fold, times dealers who qualify, the suits multiplied out"
    solution = base.solve_chase_the_flush(a.book, high_card_play.base_game(a))
    suited = (chase_the_flush.hole_classes()[0] > 0).sum(axis=1) == 1
    if solution.class_joint[suited, 3].any():
        yield Check("counts", "none: suited hole cards are folded under these pays", "not held against anything", None)
        return
    (line,) = (o.outcome for o in a.outcomes if o.outcome != LOSS)
    spins = suited_and_qualified()
    yield compared("counts", method, counts, {line: spins, LOSS: chase_the_flush.DEALS - spins})


@cache
def suited_and_qualified() -> int:
    """Deals of Chase the Flush with three hole cards of one suit and a dealer who qualifies."""
    holes = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), 3)]
    hands = np.array([[mask, 0, 0, 0] for mask in holes])
    qualified = sum(comb(49, 7) - int(n) for n in flushes.unqualified(hands))
    return 4 * qualified * comb(7, 3) * comb(4, 2)  # any suit; three of the seven are the dealer's, two the flop
