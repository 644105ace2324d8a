from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from combin._kernels import load
from combin.base.errors import CountError, InputError
from combin.deals.cards import cards, flush_name, rank_masks
from combin.games.chase_the_flush import positions as played
from combin.games.chase_the_flush import solve as game
from combin.games.chase_the_flush import strategies as simple
from combin.verify.flush_games import settlement

A = settlement({4: 1, 5: 5, 6: 20, 7: 250})
Array = np.ndarray[Any, Any]


def best_flush(suits: Array) -> Array:
    """(positions, 4 suit masks) to length << 13 | ranks."""
    lengths = np.array([mask.bit_count() for mask in range(1 << 13)])
    return (lengths[suits] << 13 | suits).max(axis=1)


def by_suit(dealt: Array) -> Array:
    masks = np.zeros((len(dealt), 4), dtype=np.int32)
    for column in dealt.T.astype(np.int32):
        masks[np.arange(len(dealt)), column // 13] |= 1 << column % 13
    return masks


def places(flushes: Array) -> Array:
    order = sorted((m.bit_count(), m) for m in range(1, 1 << 13) if m.bit_count() <= 7)
    table = np.zeros(8 << 13, dtype=np.int64)
    for index, (length, mask) in enumerate(order):
        table[length << 13 | mask] = index
    return table[flushes]


def threats(board: Array, flushes: Array) -> Array:
    """0, 1, 2 as the language defines them, card by card."""
    found = np.zeros(len(board), dtype=int)
    for i, (suits, flush) in enumerate(zip(board.tolist(), flushes.tolist(), strict=True)):
        top = (flush & 0x1FFF).bit_length()
        for mask in suits:
            higher = sum(mask >> rank & 1 for rank in range(top, 13))
            if mask.bit_count() >= 2:
                found[i] = max(found[i], min(higher, 2))
    return found


def test_a_strategy_of_coin_tosses_on_one_hand_is_its_plain_count() -> None:
    """Two random strategies are played board by board on a hand with two equal suits."""
    rng = np.random.default_rng(11)
    own = cards("9d 9s Th")
    hole = np.array([game.canonical(rank_masks(own))], dtype=np.int32)
    flop = rng.integers(0, 2, (2, 5811), dtype=np.uint8)
    river = rng.integers(0, 2, (2, 3, 5811), dtype=np.uint8)
    size = simple.first_places()[-1]
    never = np.zeros(size, dtype=np.uint8)
    one_pass = played._Pass([simple.Strategy(never, flop[s], river[s]) for s in range(2)], None)
    sums = np.zeros((3, size, 3, 4), dtype=np.int64)  # the two rules, and all boards
    load("chase_the_flush_strategies").play_classes(
        hole, 0, 1, np.array([1]), one_pass.flop, one_pass.pattern[:1], one_pass.table, np.zeros((1, 49, 49), np.uint8),
        np.zeros(game.SHAPE, dtype=np.int64), False, sums, np.zeros((size, 2), dtype=np.int64),
    )  # fmt: skip

    boards = np.array(list(combinations([c for c in range(52) if c not in own], 4)), dtype=np.uint8)
    held = np.array([rank_masks(own)] * len(boards), dtype=np.int32)
    on_board = by_suit(boards)
    counts = np.zeros((len(boards), 4), dtype=np.int64)
    load("chase_the_flush_rounds").count_dealer(held, on_board, counts)
    flush, below, upto, unqualified = counts.T
    assert (flush == best_flush(held | on_board)).all()
    low = flush < (3 << 13 | 1 << 7)
    cells = np.where(
        low,
        np.stack([unqualified - upto, upto - below, below, 14_190 - unqualified, 0 * below, 0 * below]),
        np.stack([0 * below, 0 * below, unqualified, 14_190 - upto, upto - below, below - unqualified]),
    )
    threat = threats(on_board, flush)
    for s in range(2):
        raised = np.zeros(len(boards), dtype=np.int64)
        for i, j in combinations(range(4), 2):
            raised += flop[s][places(best_flush(held | by_suit(boards[:, [i, j]])))]
        called = river[s][threat, places(flush)].astype(bool)
        joint = np.zeros(game.SHAPE, dtype=np.int64)
        for n in range(6):
            at = flush >> 13 == n + 2
            for choice, share in ((1, raised), (2, (6 - raised) * called), (3, (6 - raised) * ~called)):
                joint[choice, :, :, n] = (cells * share)[:, at].sum(axis=1).reshape(2, 3)
        assert (played._by_length(one_pass._ends(sums, s)) == joint).all()


@pytest.mark.parametrize(("raise_ties", "times"), [(False, 0), (True, 6)])
def test_a_river_that_is_worth_nothing_either_way_is_played_by_the_reading(raise_ties: bool, times: int) -> None:
    """Without money at stake every river ties, and six flops lead to each river."""
    hole = np.array([game.canonical(rank_masks(cards("9d 9s Th")))], dtype=np.int32)
    size = simple.first_places()[-1]
    table = np.full((1, played.EARLY + 1), -1, dtype=np.int32)
    table[0, played.LATE], table[0, played.EARLY] = 0, 1
    sums = np.zeros((2, size, 3, 4), dtype=np.int64)
    flops = np.zeros((size, 2), dtype=np.int64)
    load("chase_the_flush_strategies").play_classes(
        hole, 0, 1, np.array([1]), np.zeros((0, size), np.uint8), np.zeros(1, np.int32), table,
        np.zeros((1, 49, 49), np.uint8), np.zeros(game.SHAPE, dtype=np.int64), raise_ties, sums, flops,
    )  # fmt: skip
    late, early = sums[..., 3].sum(axis=(1, 2)).tolist()
    assert (late, early) == (times * comb(49, 4), 0)
    assert flops.sum(axis=0).tolist() == [comb(49, 2), 0]


@pytest.mark.parametrize("tie", ["fold", "raise"])
@pytest.mark.parametrize("unit", [1, 50_000])
def test_the_rivers_of_followed_play_are_those_of_the_solution(unit: int, tie: str) -> None:
    """Small utilities are compared in 32 bits, those in a finer unit in 64; deals are those of the joint table."""
    hole = np.array([game.canonical(rank_masks(cards("9d 9s Th")))], dtype=np.int32)
    utility, ties = A * unit, tie == "raise"
    results = game._results(1)
    load("chase_the_flush").solve_classes(hole, 0, 1, np.stack([utility, utility]), ties, *results)
    values, joint, _, flops, _ = results
    assert values[0, 0, 0] < values[0, 0, 1]  # checked
    size = simple.first_places()[-1]
    table = np.array([[-1] * 5 + [0, 1, 2]], dtype=np.int32)  # all boards, optimal 1x, optimal 2x
    sums = np.zeros((3, size, 3, 4), dtype=np.int64)
    load("chase_the_flush_strategies").play_classes(
        hole, 0, 1, np.array([1]), np.zeros((0, size), np.uint8), np.zeros(1, np.int32), table, flops % 7, utility,
        ties, sums, np.zeros((size, 2), np.int64),
    )  # fmt: skip
    whole, late, early = sums
    ends = np.stack([0 * whole, early, late, 6 * whole - early - late], axis=2)
    assert (played._by_length(ends) == joint[0, 0]).all()


def test_a_pass_holds_five_rules_of_the_flop_and_not_too_many_tables() -> None:
    never = np.zeros(simple.first_places()[-1], dtype=np.uint8)
    rivers = np.stack([never] * 3)
    rules = [never.copy() for _ in range(7)]
    for number, rule in enumerate(rules):
        rule[number] = 1
    each = [simple.Strategy(never, rule, rivers) for rule in rules]
    assert [len(batch) for batch in played._batches([*each, *each[5:]], None)] == [5, 4]
    # each further hole rule splits the groups of classes
    number = np.arange(len(never))
    cut = [simple.Strategy(number % 2**k >= 2 ** (k - 1), never, rivers) for k in range(1, 9)]
    # sixteen groups need 31 tables: two each, one for the group that always raises; 32 groups need 63
    assert [len(batch) for batch in played._batches(cut, None)] == [4, 4]
    assert [played._Pass(batch, None).tables for batch in played._batches(cut, None)] == [31, 31]
    assert [*played._batches([], None)] == []


@pytest.mark.slow
def test_the_printed_strategy_and_the_best_of_the_language_are_valued_exactly() -> None:
    """`search` found the best strategy. The benchmark runs the search and tries the neighbours."""
    best = simple.strategy(
        {2: "K2", 3: ""}, {2: "AJ", 3: "742", 4: "", 5: ""}, {3: "", 4: "", 5: ""}, {2: {3: "T85", 4: ""}}
    )
    printed = next(iter(simple.printed_strategies().values()))
    every = np.ones(simple.first_places()[-1], dtype=np.uint8)
    everything = simple.Strategy(every, every, np.stack([every] * 3))
    one, other, all_in = played.value_strategies([best, printed, everything])
    assert int(one.joint.sum()) == int(other.joint.sum()) == game.DEALS
    assert [f"{float(p.mean(A)):.7f}" for p in (one, other)] == ["-0.0499418", "-0.0906543"]
    # without a choice player and dealer have the same law
    lose, _, win = all_in.joint[0].sum(axis=(0, 2))
    assert int(all_in.joint[1:].sum()) == 0
    assert lose == win
    # 3x is raised with a three-card flush, or with two suited cards from Q-9 up by value
    hands = 4 * 286 + 12 * 13 * sum(1 for mask in simple.flushes()[2] if mask >= 1 << 10 | 1 << 7)
    assert Fraction(int(other.joint[0].sum()), game.DEALS) == Fraction(hands, 22_100)


def test_the_third_card_decides_two_suited_hole_cards() -> None:
    """A few classes are played, K-9 among them, one hand at a time."""
    for third, best in (("4", "check"), ("5", "3x")):
        assert game.position(cards(f"Ks 9s {third}d"), utility=A).best == best
    classes, _ = game.hole_classes()
    values = np.zeros((len(classes), 2), dtype=np.int64)
    values[:, 1] = np.array([mask.bit_length() < 12 for mask in classes.max(axis=1).tolist()])
    values[:, 0] = 1 - values[:, 1]

    class Stub:
        raises_at_once = values[:, 0] > values[:, 1]

    rules = {flush_name(r.flush): r for r in simple.hole_rules(Stub())}  # type: ignore[arg-type]
    assert len(rules) == 13 + 78 + 286
    assert rules["Q-J"].checking == tuple("23456789TJQ")
    assert rules["Q-J"].raising == tuple("KA")
    assert rules["K-2"].checking == rules["4-3-2"].raising == ()
    assert rules["4-3-2"].checking == ("",)
    assert rules["K"].raising[0] == "2-2"


def test_thresholds_name_the_least_flush() -> None:
    assert flush_name(simple.least(2, "Q9")) == "Q-9"
    assert flush_name(simple.least(3, "J")) == "J-3-2"
    assert flush_name(simple.least(3, "")) == "4-3-2"
    assert simple.place(simple.least(1, "")) == 0
    assert simple.place(simple.least(7, "AKQJT98")) == 5_810
    assert len(simple.printed_strategies()) == 8


@pytest.mark.parametrize(("length", "ranks"), [(2, "9Q"), (2, "AKQ"), (3, "3"), (3, "X"), (8, "")])
def test_a_threshold_that_is_no_flush_is_refused(length: int, ranks: str) -> None:
    with pytest.raises(InputError, match="begins with"):
        simple.least(length, ranks)


def test_an_unknown_exception_is_refused() -> None:
    with pytest.raises(InputError, match='there is no exception "three-higher"'):
        simple.search(None, "three-higher")  # type: ignore[arg-type]


def test_passes_are_cut_where_the_tables_would_be_too_many() -> None:
    """Nested hole rules: 23 make 24 groups of classes. A group needs two tables, or one if it always raises."""
    places = np.arange(simple.first_places()[-1])
    never = np.zeros(len(places), dtype=np.uint8)
    nested = [
        simple.Strategy((places >= least).astype(np.uint8), never, np.stack([never] * 3))
        for least in range(20, 20 + 12 * 26, 12)
    ]
    batches = [*played._batches(nested, None)]
    assert [len(batch) for batch in batches] == [23, 3]
    assert [played._Pass(batch, None).tables for batch in batches] == [47, 7]
    assert [one for batch in batches for one in batch] == nested


def test_a_solution_is_followed_once_beside_the_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first pass follows it."""
    asked: list[tuple[int, Any]] = []

    class Solved:
        pass

    class Pass:
        def __init__(self, batch: Any, solution: Any) -> None:
            self.batch, self.solution = batch, solution

        def run(self, threads: int | None) -> Any:
            assert threads == 3
            asked.append((len(self.batch), self.solution))
            return [*self.batch], ["seen"] if self.solution else []

    monkeypatch.setattr(played, "_Pass", Pass)
    monkeypatch.setattr(played, "_batches", lambda strategies, beside: iter([strategies[:2], strategies[2:]]))
    one, other = Solved(), Solved()
    assert played.value_strategies("abc", beside=one, threads=3) == tuple("abc")  # type: ignore[arg-type, comparison-overlap]
    assert asked == [(2, one), (1, None)]
    assert played.follow(one, threads=3) == "seen"  # type: ignore[arg-type, comparison-overlap]
    assert played.value_strategies("abc", beside=one, threads=3) == tuple("abc")  # type: ignore[arg-type, comparison-overlap]
    assert asked[2:] == [(2, None), (1, None)]
    for _ in range(2):
        assert played.follow(other, threads=3) == "seen"  # type: ignore[arg-type, comparison-overlap]
    assert asked[4:] == [(0, other)]


def test_rivers_are_the_positions_that_come_after_two_checks() -> None:
    size, every = simple.first_places()[-1], 22_100 * 1_176 * 1_081
    ends = np.zeros((size, 3, 4, 4), dtype=np.int64)
    ends[70, 1, 2] = (8, 8, 8, 20)  # raised on the river
    ends[70, 1, 3] = (9, 9, 9, 30)  # folded there
    ends[5, 0, 0, 3], ends[5, 2, 1, 3] = every - 90, 40
    seen = played.SeenPositions(np.zeros(0), np.zeros(0), ends)
    assert seen.river[70, 1].tolist() == [30, 20]
    assert seen.river.sum() == 50
    ends = ends.copy()
    ends[0, 0, 0, 3] += 1
    with pytest.raises(CountError) as refused:
        played.SeenPositions(np.zeros(0), np.zeros(0), ends)
    assert str(refused.value) == f"positions of Chase the Flush: {every + 1:,} counted, not {every:,}"


def test_deals_are_settled_by_place_against_a_low_and_a_high_flush() -> None:
    """Of 14,190 dealer hands 10 lose and 3 tie. 100 do not qualify, or 5 in the second case."""
    least = simple.place(simple.least(3, "9"))
    ends = np.zeros((simple.first_places()[-1], 4, 4), dtype=np.int64)
    ends[least - 1, 0] = (10, 13, 100, 2)
    ends[least, 2] = (10, 13, 5, 1)
    found = played._settled(ends)
    assert found.shape == (len(ends), 4, 2, 3)
    assert found[least - 1, 0].tolist() == [[87, 3, 10], [2 * 14_190 - 100, 0, 0]]
    assert found[least, 2].tolist() == [[0, 0, 5], [14_190 - 13, 3, 5]]
    assert found.sum() == 3 * 14_190


def test_a_joint_table_that_misses_a_deal_is_refused() -> None:
    joint = np.zeros(game.SHAPE, dtype=object)
    joint[3, 0, 0, 0], joint[0, 1, 2, 5] = game.DEALS - 3, 3
    valued = played.PlayedPositions(None, joint)  # type: ignore[arg-type]
    assert valued.mean(A) == Fraction(int(A[3, 0, 0, 0]) * (game.DEALS - 3) + 3 * int(A[0, 1, 2, 5]), game.DEALS)
    joint[0, 1, 2, 5] = 2
    with pytest.raises(CountError) as refused:
        played.PlayedPositions(None, joint)  # type: ignore[arg-type]
    assert str(refused.value) == (
        f"deals of a strategy's joint table: {game.DEALS - 1:,} counted, not {game.DEALS:,}"
    )


def test_the_tables_of_all_threads_take_128_mebibytes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six groups of classes, five of which check, need eleven tables of 5,811 places x 3 threats x 4 counts."""
    places = np.arange(simple.first_places()[-1])
    never = np.zeros(len(places), dtype=np.uint8)
    nested = [
        simple.Strategy((places >= least).astype(np.uint8), never, np.stack([never] * 3))
        for least in (20, 60, 100, 150, 200)
    ]
    one_pass = played._Pass(nested, None)
    asked: list[tuple[int, int, tuple[int, ...]]] = []

    def sweep(call: Any, count: int, arrays: Any, *, threads: int, **words: Any) -> None:
        asked.append((count, threads, arrays()[0].shape))
        raise StopIteration

    monkeypatch.setattr(played, "sweep", sweep)
    for threads in (1, 21, 22, 64):
        with pytest.raises(StopIteration):
            one_pass.run(threads)
    assert asked == [(1755, n, (11, 5_811, 3, 4)) for n in (1, 21, 21, 21)]
    assert 21 * 11 * 5_811 * 3 * 4 * 8 < 2**27 < 22 * 11 * 5_811 * 3 * 4 * 8
    with pytest.raises(StopIteration):
        played._Pass([simple.Strategy(never, never, np.stack([never] * 3))], None).run(500)
    assert asked[-1] == (1755, 120, (2, 5_811, 3, 4))
    assert 120 * 2 * 5_811 * 3 * 4 * 8 < 2**27 < 121 * 2 * 5_811 * 3 * 4 * 8
    monkeypatch.setattr(played, "MOST_BYTES", 1000)  # less than the tables of one thread
    with pytest.raises(StopIteration):
        one_pass.run(None)
    assert asked[-1][1] == 1
