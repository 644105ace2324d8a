from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from combin._kernels import load
from combin.base.errors import CountError, InputError
from combin.deals.cards import cards, permute, rank_masks
from combin.games.chase_the_flush import dealt_rounds
from combin.games.chase_the_flush import solve as game
from combin.verify.flush_games import settlement

from ..kept import kept

A = settlement({4: 1, 5: 5, 6: 20, 7: 250})
B = settlement({5: 7, 6: 70, 7: 400})
#: The first table with a loss of ten more antes for a raise on the flop, so that no flop raises.
NO_FLOP = np.concatenate([A[:1], A[1:2] - 10, A[2:]])


@pytest.fixture(scope="module")
def solved() -> tuple[game.ChaseSolution, ...]:
    return game.solve([A, B])


def flush(hand: Sequence[int]) -> tuple[int, list[int]]:
    """The best flush of a hand as (length, ranks from the top), suit by suit."""
    suits = [sorted((c % 13 for c in hand if c // 13 == s), reverse=True) for s in range(4)]
    return max((len(ranks), ranks) for ranks in suits)


def dealt(hole: Sequence[int], board: Sequence[int]) -> dict[tuple[bool, str], int]:
    """All 14,190 dealer hands by (qualifies, player's result); each is dealt and compared."""
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
        by_suit = np.array([rank_masks([int(c) for c in board]) for board in boards], dtype=np.int32)
        holes = np.array([rank_masks(hole)] * len(boards), dtype=np.int32)
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


def induct(counts: Array, boards: Array, utility: Array) -> tuple[int, int, Array, list[int]]:
    """Backward induction over every board of one hand, without classes, symmetry or prefixes.

    Returns (raised, checked, joint, ties) of the hand, from the dealer counts of each board. ``ties`` counts those
    at the hole cards, at the flops after a check, and at the rivers after two checks.
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
    own_flops = np.unique(flop)
    flop_ties = int((early[own_flops] == late[own_flops]).sum())
    river_ties = int((6 - flops_raised)[worth[2] == worth[3]].sum())
    ties = [int(raised == checked), *((flop_ties, river_ties) if raised <= checked else (0, 0))]
    return raised, checked, joint, ties


def by_induction(hole: str, *utilities: Array) -> list[tuple[int, int, Array, list[int]]]:
    own = cards(hole)
    boards = np.array(list(combinations([c for c in range(52) if c not in own], 4)), dtype=np.uint8)
    counts = kernel_counts("forms", own, boards)
    return [induct(counts, boards, utility) for utility in utilities]


def class_of(hole: str) -> int:
    return game.hole_classes()[0].tolist().index(list(game.canonical(rank_masks(cards(hole)))))


@pytest.mark.parametrize("hole", ["9d 9s Th", "Qd 5c 2c"])
def test_a_whole_hand_is_that_of_plain_induction(hole: str) -> None:
    """Both tables of a pass give the values and ties of plain induction. One of the tables raises no flop."""
    index = class_of(hole)
    found = some_classes(np.stack([A, NO_FLOP]), [index])[:3]
    for place, (raised, checked, joint, ties) in enumerate(by_induction(hole, A, NO_FLOP)):
        values, again, alike = (array[0, place] for array in found)
        assert values.tolist() == [raised, checked]
        assert (again == joint).all()
        assert alike.tolist() == ties
        assert ties[2] > 0
    assert (found[2][0, 0, 2] < found[2][0, 1, 2]) == (hole == "Qd 5c 2c")  # no tie counts after a raise on the flop
    sums = game.position(cards(hole), utility=A).sums
    assert sums == dict(zip(("3x", "check"), found[0][0, 0].tolist(), strict=True))


def test_hole_cards_of_which_both_choices_are_worth_the_same_check() -> None:
    """With raises 1, 1, 1 a hand that never folds loses nothing by waiting, because all raises are equal."""
    even = settlement({4: 1, 5: 5, 6: 20, 7: 250}, (1, 1, 1))
    holes = ["Ah Kh 4h", "Ah Kh Jh", "Ah Qh Jh", "Kc 2c 3d", "5h 4d 2c"]
    values, joint, ties, _ = some_classes(np.stack([even, even]), [class_of(hole) for hole in holes])
    tied = values[:, :, 0] == values[:, :, 1]
    assert tied.tolist() == [[True, True], [True, True], [False, False], [False, False], [False, False]]
    assert (ties[:, :, 0] == tied).all()
    assert not joint[:, :, 0].any()
    ((raised, checked, again, alike),) = by_induction(holes[0], even)
    for table in range(2):
        assert values[0, table].tolist() == [raised, checked]
        assert (joint[0, table] == again).all()
        assert ties[0, table].tolist() == alike


def test_hole_classes_are_1755_of_22100() -> None:
    classes, weights = game.hole_classes()
    assert classes.shape == (1755, 4)
    assert sum(weights) == 22_100
    # suited triples; two suited and one; three suits with distinct, two equal, three equal ranks
    assert sorted({(w, weights.count(w)) for w in weights}) == [
        (4, comb(13, 3) + 13), (12, comb(13, 2) * 13 + 13 * 12), (24, comb(13, 3)),
    ]


def test_closure_and_value(solved: tuple[game.ChaseSolution, ...]) -> None:
    assert game.DEALS == 22_100 * 1_176 * 1_081 * 14_190
    for solution, utility in zip(solved, (A, B), strict=True):
        assert int(solution.joint.sum()) == game.DEALS
        assert int((solution.joint * utility.astype(object)).sum()) == solution.total
        assert solution.ties["3x"] == solution.ties["2x"] == 0


def test_the_maker_prints_these_edges(solved: tuple[game.ChaseSolution, ...]) -> None:
    """Published: 1.20 % and 1.14 % of the ante and the X-tra Bonus together."""
    assert [f"{float(-s.mean / 2):.2%}" for s in solved] == ["1.20%", "1.14%"]


def test_the_exact_values(solved: tuple[game.ChaseSolution, ...]) -> None:
    assert [s.mean for s in solved] == [
        Fraction(-12033802351, 503364407000), Fraction(-11508229771, 503364407000),
    ]


def test_a_published_simulation_of_approximate_play_is_near(solved: tuple[game.ChaseSolution, ...]) -> None:
    """Frequencies of choices in 5,000,000 deals of a public solver, which plays nearly optimally."""
    published = (1_208_826, 1_238_738, 1_766_270, 786_166)
    for choice, count in enumerate(published):
        exact = Fraction(int(solved[0].joint[choice].sum()), game.DEALS)
        assert abs(exact - Fraction(count, 5_000_000)) < Fraction(1, 100)


@pytest.mark.slow
def test_without_a_choice_both_sides_are_alike() -> None:
    """The table makes 3x the best choice of every hand. Both hands have seven cards, so wins equal losses."""
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


def some_classes(
    utilities: Array, every: int | list[int], raise_ties: bool = False
) -> tuple[Array, Array, Array, list[int]]:
    """The kernel's results for every n-th class of hole cards, or for the classes of a list."""
    chosen = list(range(0, 1755, every)) if isinstance(every, int) else every
    holes = np.ascontiguousarray(game.hole_classes()[0][chosen])
    values = np.zeros((len(chosen), 2, 2), dtype=np.int64)
    joint = np.zeros((len(chosen), 2, *game.SHAPE), dtype=np.int64)
    ties = np.zeros((len(chosen), 2, 3), dtype=np.int64)
    flops = np.zeros((len(chosen), 49, 49), dtype=np.uint8)
    tied = np.zeros((len(chosen), 2, 2, 3, 6), dtype=np.int64)
    load("chase_the_flush").solve_classes(
        holes, 0, len(chosen), utilities, raise_ties, values, joint, ties, flops, tied
    )
    return values, joint, ties, chosen


def test_the_reading_of_a_river_tie_moves_frequencies_only(solved: tuple[game.ChaseSolution, ...]) -> None:
    values, joint, ties, chosen = some_classes(np.stack([A, B]), 10, raise_ties=True)
    moved = 0
    for table, solution in enumerate(solved):
        assert (values[:, table] == solution.values[chosen]).all()
        assert (ties[:, table] == solution.class_ties[chosen]).all()
        difference = joint[:, table] - solution.class_joint[chosen]
        assert (difference[:, 2].sum(axis=(1, 2, 3)) == ties[:, table, 2] * game.DEALER_HANDS).all()
        assert (difference[:, 2] == -difference[:, 3]).all()
        # the other reading needs no further pass
        assert (solution.on_tie("raise").class_joint[chosen] == joint[:, table]).all()
        moved += int(ties[:, table, 2].sum())
    assert moved > 0


@pytest.mark.parametrize(
    "pair", [(A, B), (B, A), (A, NO_FLOP), (NO_FLOP, B)], ids=["A, B", "B, A", "A, none", "none, B"]
)
def test_a_table_does_not_bear_on_the_other(pair: tuple[Array, Array]) -> None:
    """Each table gives the play that it gives beside itself, though the other table raises other flops."""
    together = some_classes(np.stack(pair), 20)[:3]
    for place, table in enumerate(pair):
        for found, alone in zip(together, some_classes(np.stack([table, table]), 20)[:3], strict=True):
            assert (alone[:, 0] == alone[:, 1]).all()
            assert (found[:, place] == alone[:, place]).all()
    if pair[0] is NO_FLOP:
        assert (together[2][:, 0, 2] > together[2][:, 1, 2]).any()  # one table raises flops, without river ties


def test_the_same_utilities_in_a_finer_unit_give_the_same_play(solved: tuple[game.ChaseSolution, ...]) -> None:
    """Above a bound the kernel values positions in 64 bits and no longer in four 32-bit lanes."""
    for factors in ((5, 6), (997, 50_000)):
        fine = np.stack([A * factors[0], B * factors[1]])
        values, joint, ties, chosen = some_classes(fine, 25)
        for table, solution in enumerate(solved):
            assert (values[:, table] == solution.values[chosen] * factors[table]).all()
            assert (joint[:, table] == solution.class_joint[chosen]).all()
            assert (ties[:, table] == solution.class_ties[chosen]).all()


@pytest.mark.parametrize("moved", [1, -(10**6)])
def test_a_slip_that_leaves_every_total_right_is_caught(
    solved: tuple[game.ChaseSolution, ...], moved: int
) -> None:
    """Two hole classes of equal weight are wrong by opposite amounts. The sums agree, the classes do not."""
    solution = solved[0]
    best = solution.values.max(axis=1).copy()
    game.check_classes(best, solution.class_joint, solution.utility)
    weights = game.hole_classes()[1]
    first = weights.index(24)
    second = weights.index(24, first + 1)
    best[first] += moved
    best[second] -= moved
    assert sum(w * int(v) for w, v in zip(weights, best, strict=True)) == solution.total
    with pytest.raises(CountError, match="2 hole classes"):
        game.check_classes(best, solution.class_joint, solution.utility)


def test_no_choice_knows_the_suits_by_name() -> None:
    """A suit permutation changes no value. Unseen cards cannot, because a position holds seen cards alone."""
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


def test_the_flops_that_raise_are_those_of_the_position(solved: tuple[game.ChaseSolution, ...]) -> None:
    """The kept result of a class, held against a count of every river of its hole cards."""
    rng = random.Random(3)
    raised = 0
    for _ in range(25):
        deal = rng.sample(range(52), 5)
        held = rank_masks(deal[:3])
        order = sorted(range(4), key=lambda s: (-held[s].bit_count(), -held[s]))
        number = game.hole_classes()[0].tolist().index([held[s] for s in order])
        unseen = [13 * s + rank for s in order for rank in range(13) if not held[s] >> rank & 1]
        x, y = (unseen.index(card) for card in deal[3:])
        for solution, utility in zip(solved, (A, B), strict=True):
            best = game.position(deal[:3], deal[3:], utility=utility).best
            assert solution.flops[number, x, y] == solution.flops[number, y, x] == (best == "2x")
        raised += best == "2x"
    assert 0 < raised < 25


def test_a_short_simulation_agrees_in_every_cell(solved: tuple[game.ChaseSolution, ...]) -> None:
    """Rounds are dealt card by card and played as solved. The benchmark deals 10^9 rounds."""
    for solution, rounds in zip(solved, (1_000_000, 200_000), strict=True):
        seen = dealt_rounds.simulate(solution, rounds, 20240229)
        assert seen.sum() == rounds
        assert (seen[solution.joint == 0] == 0).all()
        chance = (solution.joint / game.DEALS).astype(float)
        often = chance * rounds > 10
        z = (seen - chance * rounds)[often] / np.sqrt(chance * (1 - chance) * rounds)[often]
        assert often.sum() > 40
        assert abs(z).max() < 4
        # cells too rare for a test of their own are tested together
        rare = seen[~often].sum(), (chance * rounds)[~often].sum()
        assert abs(rare[0] - rare[1]) < 4 * rare[1] ** 0.5


def test_simulated_rounds_do_not_depend_on_the_threads(solved: tuple[game.ChaseSolution, ...]) -> None:
    one, three = (dealt_rounds.simulate(solved[0], 410_000, 8, threads=n) for n in (1, 3))
    assert (one == three).all()
    assert (one != dealt_rounds.simulate(solved[0], 410_000, 9)).any()
    with pytest.raises(InputError, match="multiple of 10,000"):
        dealt_rounds.simulate(solved[0], 5_000, 8)


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ks 9s", "", "the hand has 2"),
        ("Ks 9s 4d", "Qs", "the board has 1"),
        ("Ks 9s 4d", "Qs 2d 3c", "the board has 3"),
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


# ---- tables, ties, sizes


def test_a_settlement_is_that_of_each_wager() -> None:
    """Ante 2, X-tra Bonus 3, All In 4, 2 or 1, in quarters. Each wager is settled by itself."""
    table = settlement({5: 6, 7: 100}, (4, 2, 1), unit=4, ante=2, xtra=3)
    for choice, qualifies, result, n in np.ndindex(*game.SHAPE):
        if choice == 3:
            expected = -4 * (2 + 3)
        else:
            sign = result - 1
            all_in, ante = sign * (4, 2, 1)[choice] * 4, sign * qualifies * 2 * 4
            xtra = {0: -12, 1: 0, 2: {3: 6, 5: 100}.get(n, 0)}[result]
            expected = all_in + ante + xtra
        assert table[choice, qualifies, result, n] == expected


@pytest.mark.parametrize(("tie", "river"), [("fold", "fold"), ("raise", "1x")])
def test_what_is_worth_the_same_is_checked_and_on_the_river_as_the_reading_says(tie: str, river: str) -> None:
    nothing = np.zeros(game.SHAPE, dtype=np.int64)
    hole, board = cards("Ks 9s 4d"), cards("Qs 2d 3c 4c")
    found = [game.position(hole, board[:n], utility=nothing, tie=tie) for n in (0, 2, 4)]
    assert [one.best for one in found] == ["check", "check", river]
    assert [set(one.sums.values()) for one in found] == [{0}] * 3
    assert [one.continuations for one in found] == [1_176 * 1_081 * 14_190, 1_081 * 14_190, 14_190]


def test_tables_go_two_in_a_pass_and_come_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel packs two numbers of flops: the second table's times seven plus the first table's."""
    passes: list[list[tuple[int, ...]]] = []

    def sweep(call: Any, count: int, arrays: Any, **words: Any) -> tuple[Array, ...]:
        assert count == 1755
        values, joint, ties, flops, tied = made = arrays()
        passes.append([one.shape for one in made])
        for i in range(2):
            values[:, i] = joint[:, i] = ties[:, i] = tied[:, i] = 10 * len(passes) + i
        flops[...] = 7 * 3 + 1
        return values, joint, ties, flops, tied

    monkeypatch.setattr(game, "sweep", sweep)
    monkeypatch.setattr(game, "ChaseSolution", lambda *parts: parts)
    solutions: Any = game.solve([A, B, A, B, A], tie="raise")
    shapes = [(1755, 2, 2), (1755, 2, 4, 2, 3, 6), (1755, 2, 3), (1755, 49, 49), (1755, 2, 2, 3, 6)]
    assert passes == [shapes] * 3
    assert [(parts[0] == A).all() for parts in solutions] == [True, False, True, False, True]
    assert [parts[1] for parts in solutions] == ["raise"] * 5
    for parts, number, flop in zip(solutions, (10, 11, 20, 21, 30), (1, 3, 1, 3, 1), strict=True):
        assert [part.shape for part in parts[2:]] == [
            (1755, 2), (1755, 4, 2, 3, 6), (1755, 3), (1755, 49, 49), (1755, 2, 3, 6)
        ]
        assert all((part == number).all() for part in (*parts[2:5], parts[6]))
        assert (parts[5] == flop).all()


def test_tied_rivers_change_sides_and_back(solved: tuple[game.ChaseSolution, ...]) -> None:
    for solution in solved:
        raised = solution.on_tie("raise")
        assert (raised.tie, raised.total) == ("raise", solution.total)
        assert (raised.on_tie("fold").class_joint == solution.class_joint).all()
        assert solution.on_tie("fold") is solution
    with pytest.raises(InputError, match="river-tie"):
        solved[0].on_tie("call")


def test_ties_are_weighted_by_the_hands_of_a_class(solved: tuple[game.ChaseSolution, ...]) -> None:
    weights = game.hole_classes()[1]
    for solution in solved:
        counts = [sum(w * int(n) for w, n in zip(weights, column, strict=True)) for column in solution.class_ties.T]
        assert solution.ties == dict(zip(("3x", "2x", "1x"), counts, strict=True))
        assert (solution.raises_at_once == [a > b for a, b in solution.values.tolist()]).all()


def test_counts_that_do_not_close_are_refused(solved: tuple[game.ChaseSolution, ...]) -> None:
    solution = solved[0]
    best, joint = solution.values.max(axis=1), solution.class_joint
    closed = "the joint cells of a class of hole cards do not add up to its deals"
    for cell, moved in (((0, 0, 0, 0, 0), 1), ((1754, 3, 1, 2, 5), -(10**12))):
        slipped = joint.copy()
        slipped[cell] += moved
        with pytest.raises(CountError) as refused:
            game.check_classes(best, slipped, solution.utility)
        assert str(refused.value) == closed
    negative = joint.copy()  # every sum is right, one cell is negative
    i, *cell = np.argwhere(joint == 0)[0].tolist()
    other = tuple(np.argwhere(joint[i] > 1)[0].tolist())
    negative[i, *cell] -= 1
    negative[i, *other] += 1
    with pytest.raises(CountError) as refused:
        game.check_classes(best, negative, solution.utility)
    assert str(refused.value) == closed
    best[7] += 1
    with pytest.raises(CountError) as refused:
        game.check_classes(best, joint, solution.utility)
    assert str(refused.value) == "induction and joint table differ in 1 hole classes, the first is 7"


def test_the_greatest_utility_is_fifty_million() -> None:
    edge = np.zeros(game.SHAPE, dtype=object)
    edge[0, 0, 0, 0], edge[1, 0, 0, 0] = -50_000_000, 50_000_000
    assert (game.check_utility(edge) == edge).all()
    assert game.check_utility(edge).dtype == np.int64
    edge[0, 0, 0, 0] -= 1
    with pytest.raises(InputError) as refused:
        game.check_utility(edge)
    assert str(refused.value) == (
        "a utility of 50,000,001 could overflow 64 bits over a class of hole cards; "
        "keep pays times their common denominator within 50,000,000"
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: game.check_utility(A[0]),
         "the utility table has the shape (2, 3, 6); give integers of shape (4, 2, 3, 6)"),
        (lambda: game.check_utility(A / 2),
         "a utility is not an integer; multiply the pays by their common denominator"),
        (lambda: game.position(cards("Ks 9s"), utility=A),
         "hand: the hand has 2 card(s); give the player's three cards"),
        (lambda: game.position(cards("Ks 9s 2c 3c"), utility=A),
         "hand: the hand has 4 card(s); give the player's three cards"),
        (lambda: game.position(cards("Ks 9s 2c"), cards("3c"), utility=A),
         "board: the board has 1 card(s); give none, the two of the flop, or all four"),
        (lambda: game.position(cards("Ks 9s 2c"), cards("3c 4c 5c 6c 7c"), utility=A),
         "board: the board has 5 card(s); give none, the two of the flop, or all four"),
        (lambda: game.position((0, 1, 52), utility=A), "there is no card number 52; use numbers from 0 to 51"),
        (lambda: game.position((0, 1, -1), utility=A), "there is no card number -1; use numbers from 0 to 51"),
        (lambda: game.position(cards("Ks 9s Ks"), cards("9s 3c"), utility=A),
         "9s is dealt twice in Ks 9s Ks 9s 3c; give each card once"),
        (lambda: game.position(cards("Ks 9s 2c"), utility=A, tie="call"),
         'reading: river-tie cannot be "call"; choose fold or raise'),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_in_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        call()
    assert str(refused.value) == said


def test_a_fold_is_the_same_whatever_the_dealer_has() -> None:
    """The loss of a fold may depend on the length of the flush. It may not depend on the dealer's cards."""
    for n in range(6):
        table = A.copy()
        table[3, :, :, n] = -7
        assert (game.check_utility(table) == table).all()
        for q, r in ((0, 1), (1, 0), (1, 2)):
            slipped = table.copy()
            slipped[3, q, r, n] += 1
            with pytest.raises(InputError) as refused:
                game.check_utility(slipped)
            assert str(refused.value) == (
                "the utility of a fold depends on the dealer's cards; a folded hand is never compared"
            )


def test_rounds_come_in_whole_blocks(solved: tuple[game.ChaseSolution, ...]) -> None:
    for rounds in (0, -10_000, 10_001):
        with pytest.raises(InputError) as refused:
            dealt_rounds.simulate(solved[0], rounds, 1)
        assert str(refused.value) == f"rounds cannot be {rounds}; give a multiple of 10,000"


def test_card_0_and_card_51_are_cards() -> None:
    assert game.position((0, 51, 20), (1, 2, 3, 50), utility=A).best in ("1x", "fold")


def test_a_tie_of_the_hole_cards_checks() -> None:
    values = np.array([[5, 4], [4, 4], [3, 4]], dtype=np.int64)
    stub = SimpleNamespace(values=values)
    assert game.ChaseSolution.raises_at_once.fget(stub).tolist() == [True, False, False]  # type: ignore[attr-defined]


def test_a_solution_comes_back_from_the_store_and_is_checked(solved: tuple[game.ChaseSolution, ...]) -> None:
    found = kept(solved[0])
    assert (found.joint == solved[0].joint).all()
    assert (found.on_tie("raise").class_joint == solved[0].on_tie("raise").class_joint).all()
    assert (dealt_rounds.simulate(found, 10_000, 1) == dealt_rounds.simulate(solved[0], 10_000, 1)).all()
    moved = solved[0].class_joint.copy()
    moved[7, :, 1, 0, 1] += 1
    moved[7, :, 1, 2, 1] -= 1  # as many deals as before, with another value
    for wrong in ({"class_joint": moved}, {"values": solved[0].values + 1}):
        with pytest.raises(ValueError, match="class"):
            kept(solved[0], **wrong)
