"""Strategies of High Card Flush, checked against single valuations, the optimum and the lines of the play."""

from fractions import Fraction
from math import comb

import pytest

from combin.deals.cards import flush_name
from combin.games.high_card_flush import solve as game
from combin.games.high_card_flush import strategies as strategy
from combin.verify.flush_games import ante_and_raise

BASE = ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3})


@pytest.fixture(scope="module")
def solution():
    return game.solve(BASE)


@pytest.fixture(scope="module")
def by_pattern():
    return strategy.histogram(BASE, game.by_pattern())


def total(joint):
    """The utility over all deals."""
    return int((joint.astype(object) * BASE.utility).sum())


# ---- strategies


def test_thresholds_against_strategies_valued_one_by_one(by_pattern, solution):
    singles = strategy.single_thresholds(by_pattern)
    assert len(singles) == comb(13, 3) + 1
    for row in (0, 90, 150, 286):
        chosen = strategy.threshold_strategy(by_pattern, singles[row])
        joint = strategy.joint_of(by_pattern, chosen)
        assert total(joint) == singles[row].total < solution.total
        assert joint.sum() == game.DEALS
    best = max(singles, key=lambda rule: rule.total)
    assert flush_name(best.least[0]) == "T-8-6"


def test_two_thresholds_by_all_pairs(by_pattern):
    totals = strategy.threshold_totals(by_pattern)
    for rule in strategy.best_thresholds(by_pattern, strategy.two_groups(by_pattern)):
        sums = [totals[:, [label in group for label in game.by_pattern().labels]].sum(1) for group in rule.groups]
        assert rule.total == max(int(a) + int(b) for a in sums[0] for b in sums[1])


def test_a_player_who_sees_everything_that_matters_plays_the_optimum(solution, by_pattern):
    """If the flush alone decides, each flush takes its better constant choice, and the values add up."""
    alone = strategy.histogram(BASE, game.all_alike())
    chosen = strategy.best_strategy(alone)
    found = total(strategy.joint_of(alone, chosen))
    assert Fraction(found, game.DEALS) == sum(max(play.values) * play.hands for play in solution.plays()) / game.HANDS
    finer = strategy.joint_of(by_pattern, strategy.best_strategy(by_pattern))
    assert found < total(finer) < solution.total


def test_high_card_rules_beat_one_threshold(by_pattern):
    best = strategy.search_high_cards(BASE)[0]
    assert best.thresholds.total > max(rule.total for rule in strategy.single_thresholds(by_pattern))
    seen = strategy.histogram(BASE, game.by_high_cards(best.rank, pattern=False))
    chosen = strategy.threshold_strategy(seen, best.thresholds)
    assert total(strategy.joint_of(seen, chosen)) == best.thresholds.total


# ---- the play in lines


def test_the_jacks_and_higher_beside_a_ten_high_flush_decide_most():
    codes = game.by_high_cards(9, pattern=False)
    solved = game.solve(BASE, codes)
    lines = strategy.lines(solved)
    read = [(flush_name(line.first), flush_name(line.last), line.sometimes) for line in lines]
    assert read == [
        ("3-2", "9-8-7", ()),
        ("T-3-2", "T-5-4", (1, 2, 3)),
        ("T-6-2", "T-7-6", (1, 2)),
        ("T-8-2", "T-9-6", (1,)),
        ("T-9-7", "T-9-8", ()),
        ("J-3-2", "A-K-Q-J-T-9-8", ()),
    ]
    assert all(line.never == (0,) for line in lines[1:-1])
    assert not lines[0].always
    assert not lines[-1].never
    # A line is open if some of its hands fold and some raise.
    for line in lines:
        rows = slice(game.flush_number(line.first), game.flush_number(line.last) + 1)
        hands = solved.cells[rows].sum((3, 4)) // game.DEALERS
        both = (hands[..., 0] > 0) & (hands[..., 1:].sum(2) > 0)
        assert line.open_hands == hands.sum(2)[both].sum()


def test_the_best_number_of_jacks_for_each_ten_high_flush(solution):
    """Four from T-3-2, three from T-5-3, two from T-7-4, one from T-9-3: 0.0017 % of the ante below the optimum."""
    seen = strategy.histogram(BASE, game.by_high_cards(9, pattern=False))
    (rule,) = strategy.best_thresholds(seen, [tuple(frozenset([label]) for label in seen.codes.labels)])
    least = {group[0]: mask for group, mask in zip(rule.groups, rule.least, strict=True)}
    assert [flush_name(least[n]) for n in range(5)] == ["J-3-2", "T-9-3", "T-7-4", "T-5-3", "T-3-2"]
    best = strategy.best_strategy(seen)
    assert total(strategy.joint_of(seen, best)) == rule.total
    assert 0 < solution.expected - Fraction(rule.total, game.DEALS) < Fraction(172, 10_000_000)


def test_points_of_one_and_five_tell_tens_from_higher_cards():
    points = (0,) * 8 + (1, 5, 5, 5, 5)
    finer = strategy.histogram(BASE, game.by_points(points, pattern=False))
    coarser = strategy.histogram(BASE, game.by_high_cards(9, pattern=False))
    for code, label in enumerate(coarser.codes.labels):
        parts = [c for c, points in enumerate(finer.codes.labels) if points // 5 == label]
        assert (finer.cells[:, parts].sum(1) == coarser.cells[:, code]).all()


def test_verdicts_on_a_flush():
    for chosen, verdict in (((9, 0), "never"), ((4, 5), "sometimes"), ((0, 9), "always"), ((0, 4), "always")):
        play = game.FlushPlay(game.flush_of("T-8-2"), chosen, (), Fraction(0), 0)
        assert (play.hands, play.verdict) == (sum(chosen), verdict)
