"""The law of a round, checked against rounds dealt card by card."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from combin.games.blackjack import results, strategies
from combin.games.blackjack.dealt_rounds import MIDDLE, WAYS, simulate
from combin.games.blackjack.hands import ACE, LETTERS, TEN, player_hands
from combin.games.blackjack.rules import SURRENDERS, HouseRules
from combin.games.blackjack.solve import SPLIT, BlackjackSolution, Solver, deck_counts, solve
from combin.games.blackjack.values import all_hands
from combin.verify.blackjack import hands_judged

from ..kept import kept

ROUNDS = 4_000_000
#: Aces, fours, sixes and tens. Its rounds are counted in a tenth of a second, with every split and its variance.
SMALL = (8, 0, 0, 9, 0, 10, 0, 0, 0, 14)


def held(solution: BlackjackSolution, rounds: int = ROUNDS) -> None:
    """The frequency of each way and result and the mean of all rounds lie within 4.5 standard errors.

    Each hand of a split is judged by itself.
    """
    rounds_dealt = simulate(solution, rounds, 7)
    seen, each = rounds_dealt.seen, rounds_dealt.each
    dealt = int(seen.sum())
    law = results.law(solution)
    assert all(check.passed for check in hands_judged(law.each, each, dealt, 7, "a split"))
    assert not each[len(law.each) :].any()
    total, square, fourth = 0.0, 0.0, 0.0
    mean = float(solution.expected_value)
    for way, row in enumerate(seen):
        for place, count in enumerate(row):
            if way == SPLIT:
                continue
            net = (place - MIDDLE) / 2
            if WAYS[way] == "blackjack" or (WAYS[way] == "both blackjacks" and solution.rules.blackjack_wins):
                net = float(solution.rules.blackjack_pays)
            total += net * int(count)
            square += net * net * int(count)
            fourth += (net - mean) ** 4 * int(count)
    number = int(seen[SPLIT].sum())
    one, two, three, four = (int(rounds_dealt.splits[k + 1]) / rounds_dealt.unit**k for k in (1, 2, 3, 4))
    total, square = total + one, square + two
    fourth += four - 4 * mean * three + 6 * mean**2 * two - 4 * mean**3 * one + number * mean**4
    # Bonuses without a split are among the rows as even money.
    pays = [(line, odds) for bonus in solution.rules.bonuses for line, odds, _ in bonus.pays]
    for (line, odds), count in zip(pays, rounds_dealt.paid[0], strict=False):
        total += float(odds - 1) * int(count)
        square += float(odds * odds - 1) * int(count)
        fourth += ((float(odds) - mean) ** 4 - (1 - mean) ** 4) * int(count)
        assert abs(int(count) - float(law.bonuses.get(line, 0)) * dealt) < 4.5 * sqrt(int(count)) + 4
    for hand, paid in zip(law.each, rounds_dealt.paid[1:], strict=False):
        for (_, _, p), count in zip(hand.bonuses, paid, strict=False):
            assert abs(int(count) - float(p) * dealt) < 4.5 * sqrt(int(count)) + 4
    variance = float(results.variance(solution, law))
    assert abs(total / dealt - mean) < 4.5 * sqrt(variance / dealt)
    # The standard error of a variance follows from the fourth moment.
    error = sqrt((fourth / dealt - variance**2) / dealt)
    assert abs(square / dealt - (total / dealt) ** 2 - variance) < 4.5 * error
    for (name, net), p in law.by_first_choice.items():
        place = MIDDLE if name in ("blackjack", "both blackjacks") else MIDDLE + int(2 * net)
        if name == "surrender and dealer blackjack":
            name = "surrender"
        count = int(seen[WAYS.index(name), place])
        expected = float(p) * dealt
        assert abs(count - expected) < 4.5 * sqrt(expected) + 1, (name, net)
    assert sum(law.rows.values()) + law.split == 1


@pytest.mark.parametrize(
    "counts", [SMALL, pytest.param(deck_counts(2), marks=pytest.mark.slow)], ids=["small shoe", "two decks"]
)
@pytest.mark.parametrize(
    "rules",
    [
        HouseRules(surrender="late-10"),
        HouseRules(hits_soft_17=True, resplit_aces=True, split_aces="may-draw", push_22=True),
        HouseRules(hole_card="all-lost", surrender="early", double="9-11", double_after_split=False),
        HouseRules(hole_card="all-lost", surrender="late-not-ace", charlie=5, max_hands=3),
        HouseRules(hole_card="original-lost", surrender="early-10", double="10-11", blackjack_pays=Fraction(6, 5)),
        HouseRules(hole_card="all-lost", surrender="early-ace", charlie=5, charlie_splits=False,
                   charlie_blackjack=False, double_cards="any", ties_lost=18),
        HouseRules(surrender="early-10-late", soft_doubles=False, double_split_aces=True, ties_lost=21),
    ],
)
def test_rounds_dealt_card_by_card(rules: HouseRules, counts: tuple[int, ...]) -> None:
    held(solve(rules, counts), ROUNDS if counts != SMALL else 1_000_000)


@pytest.mark.slow
def test_eight_hands_of_a_split_are_dealt_card_by_card() -> None:
    held(solve(HouseRules(max_hands=8, resplit_aces=True), deck_counts(2)))


@pytest.mark.parametrize(
    "counts", [SMALL, pytest.param(deck_counts(6), marks=pytest.mark.slow)], ids=["small shoe", "six decks"]
)
def test_a_chart_is_dealt_as_it_is_valued(counts: tuple[int, ...]) -> None:
    solver = Solver(HouseRules(surrender="late"), counts)
    chart = strategies.best_chart(solver, solver.solve())
    held(chart.valued(solver))
    held(strategies.mimic(solver))
    held(strategies.never_bust(solver))


def test_nobody_looks_but_the_first_wager_alone_is_lost() -> None:
    """The loss to a dealer's blackjack does not depend on the play, so the game is worth as much as with a peek."""
    peek = solve(HouseRules(surrender="late"), deck_counts(1))
    other = solve(HouseRules(surrender="late", hole_card="original-lost"), deck_counts(1))
    assert peek.expected_value == other.expected_value


@pytest.mark.parametrize("hole_card", ["peek", "all-lost"])
def test_what_surrenders_are_worth_against_each_upcard_adds_up(hole_card: str) -> None:
    counts = (8, 8, 0, 0, 8, 0, 8, 0, 0, 16)
    value = {word: solve(HouseRules(surrender=word, hole_card=hole_card), counts).expected_value for word in SURRENDERS}
    gain = {word: worth - value["none"] for word, worth in value.items()}
    for kind in ("early", "late"):
        assert gain[kind] == gain[f"{kind}-ace"] + gain[f"{kind}-not-ace"]
    assert gain["early-10-late"] == gain["early-10"] + gain["late"] - gain["late-10"]
    assert gain["early-10"] > gain["late-10"] > 0


@pytest.mark.parametrize("counts", [
    (8, 8, 0, 0, 8, 0, 8, 0, 0, 16), pytest.param(deck_counts(1), marks=pytest.mark.slow),
], ids=["small shoe", "one deck"])  # fmt: skip
def test_a_rule_for_the_player_is_never_worth_less(counts: tuple[int, ...]) -> None:
    base = HouseRules(max_hands=2)
    value = solve(base, counts).expected_value
    better = [
        HouseRules(max_hands=3),
        HouseRules(max_hands=2, surrender="late"),
        HouseRules(max_hands=2, split_aces="may-draw"),
        HouseRules(max_hands=2, charlie=6),
        HouseRules(max_hands=2, double_cards="any"),
        HouseRules(max_hands=2, double_split_aces=True),
        HouseRules(max_hands=2, surrender="early-ace"),
    ]
    worse = [
        HouseRules(max_hands=1),
        HouseRules(max_hands=2, double_after_split=False),
        HouseRules(max_hands=2, double="10-11"),
        HouseRules(max_hands=2, hole_card="all-lost"),
        HouseRules(max_hands=2, blackjack_pays=Fraction(6, 5)),
        HouseRules(max_hands=2, push_22=True),
        HouseRules(max_hands=2, ties_lost=17),
        HouseRules(max_hands=2, soft_doubles=False),
    ]
    assert all(solve(rules, counts).expected_value > value for rules in better)
    assert all(solve(rules, counts).expected_value < value for rules in worse)


@pytest.mark.parametrize("counts", [
    SMALL, pytest.param(deck_counts(1), marks=pytest.mark.slow),
], ids=["small shoe", "one deck"])  # fmt: skip
def test_split_play_that_looks_further_is_worth_more(counts: tuple[int, ...]) -> None:
    values = [
        solve(HouseRules(), counts, split_play=kind).expected_value
        for kind in ("zero-memory", "first-split", "pair-cards", "split-count")
    ]
    assert values == sorted(values)
    assert values[0] < values[2]


#: The chart that every book prints: six decks, dealer stands on soft 17, double after split, late surrender.
HARD = {16: "SSSSSHHRRR", 15: "SSSSSHHHRH", 12: "HHSSSHHHHH", 11: "DDDDDDDDDH", 10: "DDDDDDDDHH", 9: "HDDDDHHHHH"}
SOFT = {18: "SDDDDSSHHH", 17: "HDDDDHHHHH", 15: "HHDDDHHHHH", 13: "HHHDDHHHHH"}
PAIRS = {"A": "PPPPPPPPPP", "9": "PPPPPNPPNN", "8": "PPPPPPPPPP", "7": "PPPPPPNNNN", "6": "PPPPPNNNNN",
         "4": "NNNPPNNNNN", "3": "PPPPPPNNNN", "2": "PPPPPPNNNN"}  # fmt: skip


def test_the_chart_that_is_printed_everywhere() -> None:
    solver = Solver(HouseRules(surrender="late"), deck_counts(6))
    best = solver.solve()
    chart = strategies.best_chart(solver, best)

    def row(letters: tuple[str, ...]) -> str:
        return "".join(letters[u][0] for u in strategies.UPCARDS)

    for total, wanted in HARD.items():
        assert row(chart.hard[total - 4]) == wanted, total
    for total, wanted in SOFT.items():
        assert row(chart.soft[total - 12]) == wanted, total
    for pair, wanted in PAIRS.items():
        assert row(chart.pairs[LETTERS.index(pair)]) == wanted, pair
    # The two known exceptions of six decks: ten-two against a four, eight-seven against a ten.
    hands = player_hands()
    found = [(hands.name(h), LETTERS[u], play) for u, h, _, play, _ in strategies.exceptions(best, chart)]
    assert found == [("2 T", "4", "H"), ("7 8", "T", "H")]
    assert 0 < best.expected_value - chart.valued(solver).expected_value < Fraction(1, 10_000)


def test_a_solution_comes_back_from_the_store_and_is_checked() -> None:
    rules, counts = HouseRules(max_hands=2, surrender="early"), deck_counts(1)
    solution, law = results.solved(rules, counts), results.law_at_best(rules, counts)
    found = kept(solution)
    assert found.expected_value == solution.expected_value
    assert (found.frequencies, found.ties, found.cells) == (solution.frequencies, solution.ties, solution.cells)
    assert results.law(found) == law == kept(law)
    assert (simulate(found, 10_000, 1).seen == simulate(solution, 10_000, 1).seen).all()
    with pytest.raises(ValueError, match="deals of two cards"):
        kept(solution, cells=dict(list(solution.cells.items())[1:]))
    with pytest.raises(ValueError, match="courses"):
        kept(law, split=law.split * 2)


@pytest.mark.parametrize("change", [
    {"double": "10-11"}, {"double_after_split": False}, {"hole_card": "all-lost"}, {"max_hands": 3},
], ids=str)
def test_what_two_sets_of_rules_share_is_what_each_is_alone(change: dict[str, Any]) -> None:
    """A split is looked up by the play of its hands, and a column without a rule that does not bear on it."""
    rules, counts = HouseRules(split_aces="may-draw"), deck_counts(2)
    solver = Solver(replace(rules, **change), counts)
    for upcard in (ACE, 4, 8, TEN):
        alone = solver.best(upcard, solver.left_behind(upcard), all_hands(), solver.evaluator.may).values
        assert (solver.column(upcard).residue == alone.residue).all()
        for pair in (ACE, 3, 7):
            hand = player_hands().two(pair, pair)
            Solver(rules, counts).ask(upcard, hand)
            cell = solver.ask(upcard, hand)
            split = solver.split(upcard, pair, {0: solver.post_split(upcard, pair, alone)})
            assert split is not None
            assert cell.values[SPLIT] == split.net
            assert cell.split == (split if cell.best == SPLIT else None)
