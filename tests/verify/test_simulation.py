"""The second settlements without kernels agree with the first and find every fault planted in either."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

import combin
from combin.deals.cards import cards, rank_masks
from combin.deals.player_chart import default_chart
from combin.games.chase_the_flush import solve as chase_solve
from combin.games.high_card_flush import solve as high_card_flush
from combin.pages.terminal import render
from combin.verify import bad_beat, chase_play, flushes, high_card_play, meter, verify
from combin.verify import chase_the_flush as chase_again
from combin.verify import high_card_flush as high_again
from combin.verify import side_bets as side_bets_again
from combin.verify.model import Check, Verification
from combin.verify.page import checks
from combin.verify.simulate import _rows, net_judged, run, simulation

from ..shared import chase_the_flush

ROUNDS = 60_000
HIGH = "maryland/high-card-flush/base/A"
PROGRESSIVE = "massachusetts/high-card-flush/progressive/A"
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"
MUST_HIT = "maryland/blackjack/must-hit-progressive/A"


@pytest.fixture(scope="module")
def high():
    return combin.analyze(HIGH)


@pytest.fixture(scope="module")
def chase():
    return chase_the_flush()


def checked(experiment, rounds=ROUNDS, seed=1, stream=1):
    """The checks of one strategy."""
    counts = run(experiment.parcel, len(experiment.exact), rounds, seed, stream)
    found = list(_rows(f"{experiment.name}: ", experiment.exact, counts, seed))
    return [*found, net_judged("net result", counts, experiment.net, experiment.exact, experiment.mean, seed)]


def failed(found) -> list[str]:
    return [check.what for check in found if not check.passed]


# ---- flushes and dealers


@pytest.mark.parametrize("long_qualifies", [True, False])
def test_dealers_are_counted_as_by_the_one_hand_road(long_qualifies):
    random = np.random.default_rng(8)
    hands = [cards(text) for text in high_again.AT_THE_BOUND]
    hands += [tuple(random.permutation(52)[:7].tolist()) for _ in range(60)]
    found = flushes.dealers(flushes.held(np.array(hands)), long_qualifies)
    for hand, counts in zip(hands, found, strict=True):
        position = high_card_flush.position(hand, long_qualifies=long_qualifies)
        assert counts.tolist() == [list(row) for row in position.dealers]


def test_the_hands_that_do_not_qualify():
    empty = np.zeros((1, 4), dtype=np.int64)
    assert comb(52, 7) - int(flushes.unqualified(empty)[0]) == 100_825_036


def test_subsets_below_a_flush_are_those_that_can_be_listed():
    left, flush = 0b1011011101101, flushes.held(np.array([cards("Jh 8h 4h")])).max()
    ranks = [rank for rank in range(13) if left >> rank & 1]
    sets = [sum(1 << rank for rank in chosen) for chosen in combinations(ranks, 3)]
    lower, equal = flushes._lower(np.array([left], dtype=np.int32), np.array([3 << 13 | flush]), 3)
    assert lower.tolist() == [sum(1 for mask in sets if mask < flush)]
    assert equal.tolist() == [sum(1 for mask in sets if mask == flush)]


def test_every_class_of_hands_is_made_once():
    """The number of hands by cards in each suit: 2-2-2-1 and so on."""
    named = {(7, 0, 0, 0): 4 * comb(13, 7), (6, 1, 0, 0): 12 * comb(13, 6) * 13}
    named[2, 2, 2, 1] = 4 * comb(13, 2) ** 3 * 13
    made = dict(zip(high_card_play.PATTERNS, high_card_play._classes(), strict=True))
    total = 0
    for pattern, (front, back, names) in made.items():
        hands = names * int(front[:, -1].sum()) * int(back[:, -1].sum())
        assert named.get(pattern, hands) == hands
        total += hands
    assert total == comb(52, 7)


# ---- the base games


def test_high_card_flush_is_simulated_without_a_kernel(high, monkeypatch):
    found = list(high_again.experiments(high))  # the exact figures may use kernels
    monkeypatch.setattr("combin._kernels.load", lambda name: pytest.fail(f"{name} was loaded"))
    assert len(found) == 3
    for stream, experiment in enumerate(found, 1):
        assert not failed(checked(experiment, stream=stream))


@pytest.mark.slow
def test_chase_the_flush_is_simulated_without_a_kernel_and_slips_are_flagged(chase, monkeypatch):
    printed, strict = chase_again.experiments(chase)
    assert not failed(checked(printed))
    assert not failed(checked(strict, stream=2))
    # Two faults: the other meaning of the advice, and a dealer who qualifies with any three-card flush.
    assert failed(checked(replace(printed, parcel=strict.parcel)))
    monkeypatch.setattr(flushes, "QUALIFYING", 3 << 13)
    assert failed(checked(printed))


def test_pays_of_chase_the_flush_are_settled_alike(chase):
    """All cells are compared, because a fault in a rare cell would not show otherwise."""
    from combin.games.chase_the_flush import rules as chase_rules

    rules = chase_rules.rules_of(chase.resolved)
    assert chase_again.net_results(chase) == tuple(rules.net.reshape(-1))


def test_pays_of_high_card_flush_are_settled_alike(high):
    from combin.games.high_card_flush import rules as high_rules

    rules = high_rules.rules_of(high.resolved)
    assert high_again.net_results(high) == tuple(rules.net.reshape(-1))


def test_a_wrong_probability_is_flagged(high):
    *_, jack = list(high_again.experiments(high))[:2]
    (first, p), (second, q) = sorted(jack.exact.items(), key=lambda item: -item[1])[:2]
    wrong = replace(jack, exact={**jack.exact, first: q, second: p})
    assert f"simulated {jack.name}: {first}" in failed(checked(wrong))


def test_a_wrong_settlement_is_flagged(high, monkeypatch):
    """The fault: a raise wins if the dealer does not qualify."""
    right = high_card_play.net_result

    def slip(game, multiple, qualifies, result):
        won = multiple and not qualifies
        return right(game, multiple, True, 2) if won else right(game, multiple, qualifies, result)

    monkeypatch.setattr(high_card_play, "net_result", slip)
    monkeypatch.setattr(high_card_play, "count_all", lambda play: pytest.fail("not needed"))
    jack = list(high_again.experiments(high))[1]
    assert failed(checked(jack)) == ["net result"]


def test_a_whole_simulation_of_a_base_game_names_its_strategies(high):
    found = list(simulation(high, 20_000, seed=4))
    assert not failed(found)
    words = "\n".join(check.what for check in found)
    for name in (
        "optimal play: net result",
        "best play by an independent count, no kernel: fold, qualified, lose, 2 cards",
        "raise from J-3-2, no kernel: net result",
        "with two other cards J or higher, no kernel",
    ):
        assert name in words


def test_workers_do_not_matter_and_streams_differ(high):
    jack = list(high_again.experiments(high))[1]
    one, three, other = (run(jack.parcel, len(jack.exact), 70_001, 3, s, n) for n, s in ((1, 1), (3, 1), (3, 2)))
    assert one.tolist() == three.tolist() != other.tolist()
    assert one.sum() == other.sum() == 70_001


#: Patterns of suits with a flush of five cards or more: a twentieth of all classes.
LONG_FLUSHES = ((5, 1, 1, 0), (5, 2, 0, 0), (6, 1, 0, 0), (7, 0, 0, 0))


def test_long_flushes_are_counted_again(high, monkeypatch):
    """These cells of the joint table hold no other hands."""
    monkeypatch.setattr(high_card_play, "PATTERNS", LONG_FLUSHES)
    counted = high_card_play._count_all(high_card_play.HighCardPlay(high.resolved))
    joint = high.game.solution.joint.sum(-1)
    assert (counted.joint[..., 3:] == joint[..., 3:]).all()
    assert not counted.joint[..., :3].any()
    longest = {n: 4 * comb(13, n) * comb(39, 7 - n) for n in (5, 6, 7)}
    assert counted.hands == sum(longest.values())
    assert counted.joint.sum(axis=(0, 1, 2))[3:].tolist() == [n * comb(45, 7) for n in longest.values()]


def test_the_whole_game_again_flags_a_choice_moved(high, monkeypatch):
    """The fault: the deals of one hand move to the cell of another choice."""
    joint = high.game.solution.joint.sum(-1)
    counted = high_card_play.Counted(joint, {}, high.classes, high_card_flush.HANDS)
    moved = joint.copy()
    moved[0, 1, 0, 1] -= 24
    moved[1, 1, 0, 1] += 24
    for again, passed in ((counted, True), (replace(counted, joint=moved), False)):
        monkeypatch.setattr(high_card_play, "count_all", lambda play, again=again: again)
        table = next(check for check in high_again.checks(high) if check.what == "joint table")
        assert table.passed is passed


def test_hole_cards_are_played_backwards_again(chase, monkeypatch):
    monkeypatch.setattr(chase_again, "HOLES", ("Kc 2c 3d", "9h 5h 2s"))
    assert chase_again.differing_hole(chase) == ""
    joint = chase.game.solution.class_joint.copy()
    held = chase_solve.canonical(rank_masks(cards("9h 5h 2s")))
    number = int(np.flatnonzero((chase_solve.hole_classes()[0] == held).all(axis=1))[0])
    joint[number, 2, 1, 0, 1] -= 1
    joint[number, 3, 1, 0, 1] += 1
    solution = SimpleNamespace(values=chase.game.solution.values, class_joint=joint)
    wrong = replace(chase, game=replace(chase.game, solution=solution))
    assert chase_again.differing_hole(wrong) == "9h 5h 2s"
    # A dealer who qualifies with any three-card flush.
    monkeypatch.setattr(chase_play, "QUALIFYING", 3 << 13)
    chase_play.boards.cache_clear()
    assert chase_again.differing_hole(chase)
    chase_play.boards.cache_clear()


def test_dealers_on_a_board_are_those_that_can_be_dealt():
    hole, board = "Ah Kh Qh", "2s 3s 4s 5s"
    own, shown = (flushes.held(np.array([cards(text)])) for text in (hole, board))
    found = chase_play.dealers(own[0], shown, flushes.best(own | shown))[..., 0]
    literal = chase_again._dealers_on_a_river(cards(hole), cards(board))
    assert found.tolist() == [[literal[q, r] for r in ("lose", "tie", "win")] for q in (False, True)]


# ---- side bets on the play


def test_a_bet_that_a_fold_forfeits_is_simulated():
    a = combin.analyze(PROGRESSIVE)
    assert not failed(simulation(a, ROUNDS, seed=1))
    paid = combin.analyze(PROGRESSIVE, reading={"folded-progressive": "paid"})
    assert failed(simulation(replace(a, outcomes=paid.outcomes), ROUNDS, seed=1))


@pytest.fixture(scope="module")
def kept_only():
    """A bonus on the kept cards, and the same with the outcomes of all seven cards."""
    wager = "massachusetts/high-card-flush/straight-flush-bonus/A"
    a = combin.analyze(wager, reading={"discards-and-bonus": "kept-cards-only"})
    return a, replace(a, outcomes=combin.analyze(wager).outcomes)


def test_kept_cards_only_is_simulated(kept_only):
    right, wrong = kept_only
    assert not failed(simulation(right, 20_000, seed=1))
    assert "simulated three-card straight flush" in failed(simulation(wrong, 40_000, seed=1))


@pytest.mark.slow
def test_kept_cards_only_is_counted_whole(kept_only):
    right, wrong = kept_only
    found = verify(right, claims=False)
    assert found.passed, found.failures
    assert "counts" in {c.what for c in found.checks if c.passed}
    assert "counts" in {c.what for c in verify(wrong, claims=False).failures}


def test_a_spin_that_needs_the_dealer_has_a_closed_form():
    a = combin.analyze("maryland/chase-the-flush/progressive/A", reading={"spin-needs-dealer": "yes"})
    found = verify(a, rounds=ROUNDS, claims=False)
    assert found.passed, found.failures
    assert "counts" in {c.what for c in found.checks if c.passed}
    # If the dealer's hand did not matter, 22 of 425 hands would spin.
    needed = side_bets_again.suited_and_qualified()
    assert needed < chase_solve.DEALS * Fraction(22, 425)
    first, loss = a.outcomes
    wrong = replace(a, outcomes=(replace(first, probability=Fraction(22, 425)),
                                 replace(loss, probability=Fraction(403, 425))))  # fmt: skip
    assert failed(simulation(wrong, ROUNDS, seed=1))


# ---- drawn hands


def test_the_chart_is_read_alike_twice():
    first = default_chart()
    letters = dict(bad_beat.letters(default_chart().text))
    for upcard in range(1, 11):
        rule = first.player(upcard)
        assert [letters[False, total, upcard] for total in range(4, 22)] == list(rule.hard)
        assert [letters[True, total, upcard] for total in range(12, 22)] == list(rule.soft)


def test_a_dealer_who_draws_otherwise_changes_the_bad_beat():
    shoe = (1,) * 9 + (4,)
    played = bad_beat.letters(default_chart().text)
    stands, hits = (bad_beat.probabilities(shoe, h, "final-total", played) for h in (False, True))
    assert stands[2] == hits[2]  # a blackjack ends the hand before any draw
    assert stands[3] != hits[3]


def test_another_letter_of_the_chart_is_flagged(monkeypatch):
    a = combin.analyze(BAD_BEAT, decks=1)
    right = bad_beat.letters(default_chart().text)
    # The fault: hard 12 to 16 stand against every upcard.
    wrong = tuple((key, "S" if not key[0] and 12 <= key[1] <= 16 else letter) for key, letter in right)
    monkeypatch.setattr("combin.verify.draws.letters", lambda path: wrong)
    monkeypatch.setattr("combin.verify.simulate_draws.letters", lambda path: wrong)
    found = verify(a, rounds=30_000, claims=False)
    assert "probabilities" in {c.what for c in found.failures}
    assert any(c.what.startswith("simulated") for c in found.failures)


def test_twenty_of_two_cards_is_what_binomials_say():
    """Two-card 20s of the player against a dealer's blackjack, from one deck, listed pair by pair."""
    deck = [1] * 4 + [9] * 4 + [10] * 16
    ways: Counter[bool] = Counter()
    for up, hole in ((a, b) for a in range(24) for b in range(24) if a != b):
        if {deck[up], deck[hole]} != {1, 10}:
            continue
        rest = [deck[i] for i in range(24) if i not in (up, hole)]
        ways[True] += sum(1 for a, b in combinations(rest, 2) if a + b == 20 or {a, b} == {1, 9})
    played = bad_beat.letters(default_chart().text)
    found = bad_beat.probabilities((4,) * 9 + (16,), False, "final-total", played)
    assert found[2] == Fraction(ways[True], 52 * 51 * comb(50, 2))


# ---- a meter that must hit


@pytest.mark.parametrize(("values", "rounds"), [({}, ROUNDS), ({"stake": "5", "contribution_rate": "1/10"}, 500_000)])
def test_a_meter_is_counted_and_simulated(values, rounds):
    a = combin.analyze(MUST_HIT, decks=6, set=values)
    found = verify(a, rounds=rounds)
    assert found.passed, found.failures
    assert {"frequency of a hit", "dollars of a wager", "simulated hits", "simulated dollars paid"} <= {
        c.what for c in found.checks if c.passed
    }


def test_a_wrong_law_of_the_meter_is_flagged():
    """The fault: the hit point is always the maximum, so hits are half as many."""
    a = combin.analyze(MUST_HIT, decks=6, set={"stake": "5", "contribution_rate": "1/10"})
    hit, loss = a.outcomes
    wrong = replace(a, outcomes=(replace(hit, probability=hit.probability / 2), loss))
    assert {c.what for c in verify(wrong, rounds=ROUNDS).failures} >= {"frequency of a hit", "simulated hits"}


def test_meters_pay_what_they_show():
    hits, paid = meter.meters(250.0, 1000.0, 15.0, 400, seed=3)
    assert hits.sum() > 10_000
    assert 250 < paid.sum() / hits.sum() < 1000


# ---- the table at a terminal


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_number_is_broken_within_its_digits_groups(width):
    number, z = "6,071,092,494,667,200", "z = +0.93"
    check = Check("the deals of all outcomes and more", "the sum over the 5,798 best flushes", f"{number} deals, {z}")
    said = render([checks(Verification(HIGH, 1, (check,)))], width)
    assert max(map(len, said.splitlines())) <= width
    assert number in said
    assert z in said
