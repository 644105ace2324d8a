from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from combin._kernels import load
from combin.cards import cards, permute
from combin.errors import InputError
from combin.games import chase_the_flush as game

A = game.settlement({4: 1, 5: 5, 6: 20, 7: 250})
B = game.settlement({5: 7, 6: 70, 7: 400})


@pytest.fixture(scope="module")
def solved() -> tuple[game.Solution, ...]:
    return game.solve([A, B])


def flush(hand: Sequence[int]) -> tuple[int, list[int]]:
    """The best flush of a hand as (length, ranks from the top), suit by suit."""
    suits = [sorted((c % 13 for c in hand if c // 13 == s), reverse=True) for s in range(4)]
    return max((len(ranks), ranks) for ranks in suits)


def dealt(hole: Sequence[int], board: Sequence[int]) -> dict[tuple[bool, str], int]:
    """Dealer hands by (qualifies, player's result), each of the 14,190 dealt and compared."""
    own = flush((*hole, *board))
    unseen = [c for c in range(52) if c not in hole and c not in board]
    counts = {(q, r): 0 for q in (False, True) for r in game.RESULTS}
    for hand in combinations(unseen, 3):
        theirs = flush((*hand, *board))
        result = "lose" if own < theirs else "tie" if own == theirs else "win"
        counts[theirs >= (3, [7, 1, 0]), result] += 1
    return counts


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("Ks 9s 4d", "Qs 2d 3c 4c"),
        ("2c 3d 4h", "5s 6s 7s 8s"),  # the board plays: ties
        ("Kc Kd 2h", "9s 8s 7s Kh"),
        ("5c 4c 3c", "Ac Kc Qc Jc"),  # seven of a suit
        ("Ac 4c 3c", "8c Kc Qc Jd"),  # six
        ("8c 2d 2h", "7c 5c 8d 7d"),  # eight high: does not qualify
        ("9c 2d 2h", "3c 2c 8d 7d"),  # the lowest hand that does
    ],
)
def test_dealer_hands_are_those_of_the_deal(hole: str, board: str) -> None:
    found = game.position(cards(hole), cards(board), utility=A)
    assert found.dealer == dealt(cards(hole), cards(board))
    assert sum(found.dealer.values()) == 14_190


def kernel_counts(which: str, hole: Sequence[int], boards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    out = np.zeros((len(boards), 4), dtype=np.int64)
    if which == "literal":
        load("chase_the_flush_rounds").count_literally(np.array(hole, dtype=np.uint8), boards, out)
    else:
        by_suit = np.array([game.masks([int(c) for c in board]) for board in boards], dtype=np.int32)
        holes = np.array([game.masks(hole)] * len(boards), dtype=np.int32)
        load("chase_the_flush_rounds").count_dealer(holes, by_suit, out)
    return out


def test_closed_forms_are_the_literal_count_at_random_and_on_boards_of_one_suit() -> None:
    rng = random.Random(20240607)
    for case in range(40):
        deck = list(range(52))
        rng.shuffle(deck)
        if case % 2:
            deck.sort(key=lambda c: c // 13 != case % 4)  # a board of one suit
            board, rest = deck[:4], deck[4:]
            hole = rest[: case % 4] + rng.sample(rest[12:], 3 - case % 4)
        else:
            hole, board = deck[:3], deck[3:7]
        boards = np.array([board], dtype=np.uint8)
        assert (kernel_counts("literal", hole, boards) == kernel_counts("forms", hole, boards)).all()


Array = np.ndarray[Any, Any]


def induct(counts: Array, boards: Array, utility: Array) -> tuple[int, int, Array]:
    """Backward induction over every board of one hand: no class, no symmetry, no prefix.

    Returns (raised, checked, joint) of the hand, from the dealer counts of each board.
    """
    own, below, upto, unqualified = counts.T
    low = own < (3 << 13 | 1 << 7)
    zero = np.zeros_like(below)
    cells = np.stack([
        np.where(low, unqualified - upto, zero),
        np.where(low, upto - below, zero),
        np.where(low, below, unqualified),
        np.where(low, 14_190 - unqualified, 14_190 - upto), np.where(low, zero, upto - below),
        np.where(low, zero, below - unqualified),
    ], axis=1)
    length = (own >> 13) - 2
    worth = [(cells * utility[c].reshape(6, 6)[:, length].T).sum(axis=1) for c in range(4)]
    river = np.where(worth[2] > worth[3], worth[2], worth[3])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    flop = np.stack([boards[:, i].astype(int) * 52 + boards[:, j] for i, j in pairs], axis=1)
    early, late = np.zeros(52 * 52, dtype=np.int64), np.zeros(52 * 52, dtype=np.int64)
    for k in range(6):
        np.add.at(early, flop[:, k], worth[1])
        np.add.at(late, flop[:, k], river)
    raised, checked = 6 * int(worth[0].sum()), int(np.maximum(early, late).sum())
    joint = np.zeros(game.SHAPE, dtype=np.int64)
    flops_raised = (early > late)[flop].sum(axis=1)
    shares = {
        0: 6 * np.ones_like(below) * (raised > checked),
        1: flops_raised * (raised <= checked),
        2: (6 - flops_raised) * (worth[2] > worth[3]) * (raised <= checked),
        3: (6 - flops_raised) * (worth[2] <= worth[3]) * (raised <= checked),
    }
    for choice, share in shares.items():
        for n in range(6):
            at = length == n
            joint[choice, :, :, n] = (cells[at] * share[at, None]).sum(axis=0).reshape(2, 3)
    return raised, checked, joint


@pytest.mark.parametrize("hole", ["9d 9s Th"])
def test_a_whole_hand_is_that_of_plain_induction(hole: str, solved: tuple[game.Solution, ...]) -> None:
    own = cards(hole)
    boards = np.array(list(combinations([c for c in range(52) if c not in own], 4)), dtype=np.uint8)
    raised, checked, joint = induct(kernel_counts("forms", own, boards), boards, A)
    index = game.hole_classes()[0].tolist().index(list(game.canonical(game.masks(own))))
    assert solved[0].values[index].tolist() == [raised, checked]
    assert (solved[0].class_joint[index] == joint).all()
    assert game.position(own, utility=A).sums == {"3x": raised, "check": checked}


def test_hole_classes_are_1755_of_22100() -> None:
    classes, weights = game.hole_classes()
    assert classes.shape == (1755, 4)
    assert sum(weights) == 22_100
    # suited triples; two suited and one; three suits with distinct, two equal, three equal ranks
    assert sorted({(w, weights.count(w)) for w in weights}) == [
        (4, comb(13, 3) + 13), (12, comb(13, 2) * 13 + 13 * 12), (24, comb(13, 3)),
    ]


def test_closure_and_value(solved: tuple[game.Solution, ...]) -> None:
    assert game.DEALS == 22_100 * 1_176 * 1_081 * 14_190
    for solution, utility in zip(solved, (A, B), strict=True):
        assert int(solution.joint.sum()) == game.DEALS
        assert int((solution.joint * utility.astype(object)).sum()) == solution.total
        assert solution.ties["3x"] == solution.ties["2x"] == 0


def test_the_maker_prints_these_edges(solved: tuple[game.Solution, ...]) -> None:
    """1.20 % and 1.14 %, of ante plus X-tra Bonus."""
    assert [f"{float(-s.mean / 2):.2%}" for s in solved] == ["1.20%", "1.14%"]


def test_the_exact_values(solved: tuple[game.Solution, ...]) -> None:
    assert [s.mean for s in solved] == [
        Fraction(-12033802351, 503364407000), Fraction(-11508229771, 503364407000),
    ]


def test_a_published_simulation_of_approximate_play_is_near(solved: tuple[game.Solution, ...]) -> None:
    """Shares of choices over 5,000,000 deals played nearly well, printed by a public solver."""
    published = (1_208_826, 1_238_738, 1_766_270, 786_166)
    for choice, count in enumerate(published):
        exact = Fraction(int(solved[0].joint[choice].sum()), game.DEALS)
        assert abs(exact - Fraction(count, 5_000_000)) < Fraction(1, 100)


def test_without_a_choice_both_sides_are_alike() -> None:
    """A table that makes 3x best for every hand: wins equal losses, and both hands are seven cards."""
    always = np.zeros(game.SHAPE, dtype=np.int64)
    always[0] = 1
    joint = game.solve([always], threads=1)[0].joint
    assert int(joint[1:].sum()) == 0
    by_result = joint[0].sum(axis=(0, 2))
    assert by_result[0] == by_result[2]
    sevens = comb(52, 7)
    assert Fraction(int(joint[0, 1].sum()), game.DEALS) == Fraction(100_825_036, sevens)
    lengths = [4 * comb(13, n) * comb(39, 7 - n) for n in (4, 5, 6, 7)]  # at most one suit is this long
    assert [Fraction(int(joint[0, :, :, n - 2].sum()), game.DEALS) for n in (4, 5, 6, 7)] == [
        Fraction(count, sevens) for count in lengths
    ]


def some_classes(utilities: Array, every: int, raise_ties: bool = False) -> tuple[Array, Array, Array, list[int]]:
    """What the kernel finds for every so many-th class of hole cards."""
    chosen = list(range(0, 1755, every))
    holes = np.ascontiguousarray(game.hole_classes()[0][chosen])
    values = np.zeros((len(chosen), 2, 2), dtype=np.int64)
    joint = np.zeros((len(chosen), 2, *game.SHAPE), dtype=np.int64)
    ties = np.zeros((len(chosen), 2, 3), dtype=np.int64)
    flops = np.zeros((len(chosen), 49, 49), dtype=np.uint8)
    load("chase_the_flush").solve_classes(
        holes, 0, len(chosen), utilities, raise_ties, values, joint, ties, flops
    )
    return values, joint, ties, chosen


def test_the_reading_of_a_river_tie_moves_frequencies_only(solved: tuple[game.Solution, ...]) -> None:
    values, joint, ties, chosen = some_classes(np.stack([A, B]), 10, raise_ties=True)
    moved = 0
    for table, solution in enumerate(solved):
        assert (values[:, table] == solution.values[chosen]).all()
        assert (ties[:, table] == solution.class_ties[chosen]).all()
        difference = joint[:, table] - solution.class_joint[chosen]
        assert (difference[:, 2].sum(axis=(1, 2, 3)) == ties[:, table, 2] * game.DEALER_HANDS).all()
        assert (difference[:, 2] == -difference[:, 3]).all()
        moved += int(ties[:, table, 2].sum())
    assert moved > 0


def test_a_table_does_not_bear_on_the_other(solved: tuple[game.Solution, ...]) -> None:
    values, joint, ties, chosen = some_classes(np.stack([B, B]), 20)
    for table in range(2):
        assert (values[:, table] == solved[1].values[chosen]).all()
        assert (joint[:, table] == solved[1].class_joint[chosen]).all()
        assert (ties[:, table] == solved[1].class_ties[chosen]).all()


def test_the_same_utilities_in_a_finer_unit_give_the_same_play(solved: tuple[game.Solution, ...]) -> None:
    """Above a bound the kernel values positions in 64 bits instead of four 32-bit lanes."""
    for factors in ((5, 6), (997, 50_000)):
        fine = np.stack([A * factors[0], B * factors[1]])
        values, joint, ties, chosen = some_classes(fine, 25)
        for table, solution in enumerate(solved):
            assert (values[:, table] == solution.values[chosen] * factors[table]).all()
            assert (joint[:, table] == solution.class_joint[chosen]).all()
            assert (ties[:, table] == solution.class_ties[chosen]).all()


@pytest.mark.parametrize("moved", [1, -(10**6)])
def test_a_slip_that_leaves_every_total_right_is_caught(
    solved: tuple[game.Solution, ...], moved: int
) -> None:
    """Two hole classes of equal weight off by opposite amounts: the sums agree, the classes do not."""
    solution = solved[0]
    best = solution.values.max(axis=1).copy()
    game.check_classes(best, solution.class_joint, solution.utility)
    weights = game.hole_classes()[1]
    first = weights.index(24)
    second = weights.index(24, first + 1)
    best[first] += moved
    best[second] -= moved
    assert sum(w * int(v) for w, v in zip(weights, best, strict=True)) == solution.total
    with pytest.raises(ArithmeticError, match="2 classes"):
        game.check_classes(best, solution.class_joint, solution.utility)


def test_no_choice_knows_the_suits_by_name() -> None:
    """Renaming suits changes nothing; nor can an unseen card, which no position is told of."""
    rng = random.Random(7)
    for seen in (3, 5, 5, 7, 7, 7):
        deal = rng.sample(range(52), seen)
        for order in rng.sample(list(permutations(range(4))), 3):
            renamed = [permute(order, c) for c in deal]  # type: ignore[arg-type]
            one, other = (game.position(d[:3], d[3:], utility=A) for d in (deal, renamed))
            assert (one.sums, one.best) == (other.sums, other.best)


def test_a_flop_is_the_mean_of_its_rivers_and_a_hand_that_of_its_flops() -> None:
    hole, flop = cards("Ks 9s 4d"), cards("Qs 2d")
    seen = game.position(hole, flop, utility=A)
    unseen = [c for c in range(52) if c not in hole + flop]
    rivers = [game.position(hole, (*flop, *pair), utility=A) for pair in combinations(unseen, 2)]
    assert len(rivers) == game.RIVERS
    assert seen.sums["check"] == sum(max(river.sums.values()) for river in rivers)
    assert seen.values["2x"] == Fraction(seen.sums["2x"], 1_081 * 14_190)


def test_the_flops_that_raise_are_those_of_the_position(solved: tuple[game.Solution, ...]) -> None:
    """Any two cards, looked up as the class numbers them, against every river of theirs counted."""
    rng = random.Random(3)
    raised = 0
    for _ in range(25):
        deal = rng.sample(range(52), 5)
        held = game.masks(deal[:3])
        order = sorted(range(4), key=lambda s: (-held[s].bit_count(), -held[s]))
        number = game.hole_classes()[0].tolist().index([held[s] for s in order])
        unseen = [13 * s + rank for s in order for rank in range(13) if not held[s] >> rank & 1]
        x, y = (unseen.index(card) for card in deal[3:])
        for solution, utility in zip(solved, (A, B), strict=True):
            best = game.position(deal[:3], deal[3:], utility=utility).best
            assert solution.flops[number, x, y] == solution.flops[number, y, x] == (best == "2x")
        raised += best == "2x"
    assert 0 < raised < 25


def test_a_short_simulation_agrees_in_every_cell(solved: tuple[game.Solution, ...]) -> None:
    """Dealt card by card and played as solved; 10^9 rounds are dealt by hand, see the benchmark."""
    for solution, rounds in zip(solved, (1_000_000, 200_000), strict=True):
        seen = game.simulate(solution, rounds, 20240229)
        assert seen.sum() == rounds
        assert (seen[solution.joint == 0] == 0).all()
        chance = (solution.joint / game.DEALS).astype(float)
        often = chance * rounds > 10
        z = (seen - chance * rounds)[often] / np.sqrt(chance * (1 - chance) * rounds)[often]
        assert often.sum() > 40
        assert abs(z).max() < 4
        # what is too rare for that by itself, together
        rare = seen[~often].sum(), (chance * rounds)[~often].sum()
        assert abs(rare[0] - rare[1]) < 4 * rare[1] ** 0.5


def test_simulated_rounds_do_not_depend_on_the_threads(solved: tuple[game.Solution, ...]) -> None:
    one, three = (game.simulate(solved[0], 410_000, 8, threads=n) for n in (1, 3))
    assert (one == three).all()
    assert (one != game.simulate(solved[0], 410_000, 9)).any()
    with pytest.raises(InputError, match="multiple of 10,000"):
        game.simulate(solved[0], 5_000, 8)


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ks 9s", "", "2 hole cards"),
        ("Ks 9s 4d", "Qs", "1 community cards"),
        ("Ks 9s 4d", "Qs 2d 3c", "3 community cards"),
        ("Ks 9s Ks", "", "Ks is dealt twice"),
        ("Ks 9s 4d", "Qs 4d", "4d is dealt twice"),
    ],
)
def test_an_illegal_hand_is_refused_with_a_sentence(hole: str, board: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        game.position(cards(hole), cards(board), utility=A)


def test_a_utility_that_cannot_be_solved_exactly_is_refused() -> None:
    big = A.copy()
    big[0, 1, 2, 5] = 10**8
    by_dealer = A.copy()
    by_dealer[3, 1] = -3
    refused = ((big, "overflow"), (by_dealer, "dealer's cards"), (A[0], "shape"), (A / 2, "not an integer"))
    for table, message in refused:
        with pytest.raises(InputError, match=message):
            game.solve([table])
    with pytest.raises(InputError, match="river-tie"):
        game.solve([A], tie="call")
