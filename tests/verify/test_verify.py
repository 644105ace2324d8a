"""Verification passes on right figures and fails on every planted fault."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import exp
from operator import add

import numpy as np
import pytest
from click.testing import CliRunner

import combin
from combin import analyze
from combin.base import caches
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals import drawn_out
from combin.deals import first_cards as deal
from combin.deals import seven_cards as seven
from combin.games.high_card_flush import solve as high_card_flush
from combin.verify import high_card_flush as high_again
from combin.verify import high_card_play, meter, seven_cards, shoe, verify, whole_rounds
from combin.verify.cards_dealt import deal_cards
from combin.verify.chance import poisson_tail
from combin.verify.simulate import judged, run, simulation
from combin.wagers import columns

FLUSH = "maryland/high-card-flush/flush-bonus/A"
QUADS = "maryland/high-card-flush/straight-flush-bonus/G"
LADIES = "maryland/blackjack/lucky-ladies/A"
BUSTER = "maryland/blackjack/buster-blackjack/A"


def failed(a) -> set[str]:
    """What fails, without the published claims, which never do."""
    return {check.what for check in verify(a, claims=False).failures}


@pytest.fixture
def fresh():
    """Caches are emptied before a fault is planted and after the test. Old counts would hide the fault."""

    caches.empty()
    yield
    caches.empty()


@pytest.mark.parametrize(
    ("wager", "decks"),
    [
        (FLUSH, 1),
        (QUADS, 1),
        ("recommended/chase-the-flush/same-suit-bonus/D", 1),
        ("maryland/chase-the-flush/progressive/A", 1),
        (LADIES, 1),
        (LADIES, 7),
        ("maryland/blackjack/match-the-dealer/6-decks", 6),
        ("maryland/blackjack/royal-match-21/C", 2),
        ("maryland/blackjack/insurance/A", 8),
        ("maryland/blackjack/trilux-bonus/B", 3),
        (BUSTER, 5),
        ("maryland/blackjack/buster-blackjack-free-bonus/A", 6),
        ("maryland/blackjack/hit-and-run-progressive/A", 1),
    ],
)
def test_what_is_right_is_verified(wager, decks):
    found = verify(combin.analyze(wager, decks=decks, any_decks=True), claims=False)
    assert found.passed, found.failures
    assert {"closure"} < {check.what for check in found.checks if check.passed}


@pytest.mark.parametrize("choice", ["straight-flush-first", "both-paid"])
def test_readings_are_verified_too(choice):
    assert not failed(combin.analyze(QUADS, reading={"four-of-a-kind": choice}))


@pytest.mark.slow
def test_the_base_game_is_verified():
    found = verify(combin.analyze("maryland/high-card-flush/base/A"))
    assert found.passed, found.failures
    assert {"classes", "value", "dealer hands", "symmetry", "dealer qualifies"} <= {c.what for c in found.checks}


def test_the_hands_that_do_not_qualify():
    assert seven.HANDS - high_again.seven_unqualified() == 100_825_036


# ---- faults


@pytest.mark.parametrize("way", ["the count by class", "the count of every hand", "the convolution over the suits"])
def test_a_fault_in_any_one_of_three_ways_fails(way, monkeypatch):
    good = dict(seven_cards.tables())
    rows, weights = (array.copy() for array in good[way][:2])
    weights[0] += 24
    weights[1] -= 24
    monkeypatch.setattr(seven_cards, "tables", lambda: {**good, way: (rows, weights)})
    assert "joint table" in failed(combin.analyze(FLUSH))


def test_a_rank_left_out_of_the_classes_fails(fresh, monkeypatch):
    right = seven.mask_features

    def without_the_low_ace(masks):
        features = right(masks)
        features[:, 0] = features[:, 1]
        return features

    monkeypatch.setattr(seven, "mask_features", without_the_low_ace)
    bad = combin.analyze(QUADS)
    assert "counts" in failed(bad)


def test_a_slip_in_a_word_fails(fresh, monkeypatch):
    right = columns._WORDS["total"]
    monkeypatch.setitem(columns._WORDS, "total", lambda t, c: right(t, c) + (right(t, c) == 19))
    assert failed(combin.analyze(LADIES, decks=6)) == {"counts"}


def test_a_group_that_is_too_large_fails(fresh, monkeypatch):
    """The fault: the group takes the queen of hearts for any queen."""
    monkeypatch.setattr(deal.Deal, "group", lambda self, shoe: deal.suit_group())
    assert "counts" in failed(combin.analyze(LADIES, decks=2))


def test_weights_in_the_wrong_rows_fail(fresh, monkeypatch):
    right = deal.enumerate_classes

    def swapped(*args):
        table = right(*args)
        order = np.arange(len(table))
        order[[0, -1]] = order[[-1, 0]]
        return replace(table, weights=table.weights[order])

    monkeypatch.setattr(deal, "enumerate_classes", swapped)
    assert "counts" in failed(combin.analyze("maryland/blackjack/bet-the-set-21/C", decks=6))


def test_a_class_counted_twice_fails(fresh, monkeypatch):
    right = deal.enumerate_classes
    monkeypatch.setattr(
        deal, "enumerate_classes", lambda *args: replace(right(*args), classes=right(*args).classes + 1)
    )
    assert failed(combin.analyze(LADIES, decks=1)) == {"classes"}


def test_a_dealer_who_draws_by_another_rule_fails(fresh, monkeypatch):
    right = drawn_out.Dealer
    monkeypatch.setattr(drawn_out, "Dealer", lambda hits_soft_17: right(not hits_soft_17))
    assert failed(combin.analyze(BUSTER, decks=6)) == {"probabilities"}


def test_an_outcome_that_is_lost_fails():
    a = combin.analyze(FLUSH)
    assert failed(replace(a, outcomes=a.outcomes[1:])) >= {"closure"}


def test_an_outcome_that_takes_the_hands_of_another_fails():
    a = combin.analyze(FLUSH)
    first, second, *rest = a.outcomes
    moved = replace(first, combinations=first.combinations + 1, probability=first.probability + Fraction(1, a.deals))
    less = replace(second, combinations=second.combinations - 1, probability=second.probability - Fraction(1, a.deals))
    assert failed(replace(a, outcomes=(moved, less, *rest))) == {"counts"}


def test_a_lost_tie_among_dealer_hands_fails(monkeypatch):
    """The checks are taken one at a time, without the joint table, which takes seconds to count."""
    a = combin.analyze("maryland/high-card-flush/base/A")
    counted = high_card_play.Counted(a.game.solution.joint.sum(-1), {}, a.classes, high_card_flush.HANDS)
    monkeypatch.setattr(high_card_play, "count_all", lambda play: counted)
    right = high_card_flush.classes

    def without_ties(flush, **options):
        found = right(flush, **options)
        dealers = found.dealers.copy()
        dealers[:, :, 2] += dealers[:, :, 1]
        dealers[:, :, 1] = 0
        return replace(found, dealers=dealers)

    monkeypatch.setattr(high_card_flush, "classes", without_ties)
    found = list(islice(high_again.checks(a), 4))
    assert [(check.what, check.passed) for check in found] == [
        ("classes", True), ("value", True), ("joint table", True), ("dealer hands", False),
    ]  # fmt: skip


def test_the_command_fails_with_status_1(fresh, monkeypatch):
    right = columns._WORDS["pair"]
    monkeypatch.setitem(columns._WORDS, "pair", lambda t, c: right(t, c) & False)
    result = CliRunner().invoke(cli, ["verify", "maryland/blackjack/bet-the-set-21/B"])
    assert result.exit_code == 1
    assert "FAILED" in result.stdout
    assert "0 of 1 verified" in result.stdout


def test_the_command_succeeds_and_names_its_methods():
    result = CliRunner().invoke(cli, ["verify", LADIES, "--decks", "1", "--simulate", "20_000", "--seed", "7"])
    assert result.exit_code == 0, result.output
    for words in ("Burnside", "multisets of card types", "20,000 rounds, seed 7", "36.05 %: agrees", "1 of 1 verified"):
        assert words in result.stdout


# ---- the second ways themselves


def test_weights_of_multisets_are_those_of_physical_cards():
    """Two decks, two cards of the player and an upcard: 104 x 103 / 2 x 102 deals."""
    resolved = combin.analyze("maryland/blackjack/match/A", decks=2).resolved
    roles = deal.Deal(resolved.terms.deal).roles
    found = shoe.deals_by_outcomes(resolved.terms.second_way, roles, tuple(sorted(resolved.options.items())))
    total = sum(number * shoe.weight(pattern, roles, 2) for (_, pattern), number in found.items())
    assert total == 104 * 103 // 2 * 102


def test_what_is_not_dealt_cannot_be_looked_at():
    hand = shoe.Undealt()
    for look in (
        len,
        iter,
        list,
        bool,
        lambda h: h[0],
        lambda h: "As" in h,
        lambda h: add(h, ()),
        lambda h: add((), h),
    ):
        with pytest.raises(shoe.LookedAt):
            look(hand)


# ---- simulation


@pytest.mark.parametrize("decks", [1, 8])
def test_cards_are_dealt_without_repetition(decks):
    cards = deal_cards(np.random.default_rng(5), 4_000, 9, decks)
    copies = np.stack([(cards == card).sum(axis=1) for card in range(52)])
    assert copies.max() <= decks
    # Every place deals every card with one probability: 52 x 9 cells show no bias.
    for place in range(9):
        seen = np.bincount(cards[:, place], minlength=52)
        assert abs(seen - 4_000 / 52).max() < 5 * (4_000 / 52) ** 0.5


def test_the_workers_do_not_matter():
    def parcel(random, rounds):
        return np.bincount(random.integers(0, 3, rounds), minlength=3)

    assert run(parcel, 3, 70_001, 3, threads=1).tolist() == run(parcel, 3, 70_001, 3, threads=3).tolist()
    assert run(parcel, 3, 70_001, 4, threads=1).sum() == 70_001


@pytest.mark.parametrize(
    "wager",
    [
        FLUSH,
        LADIES,
        BUSTER,
        "maryland/blackjack/buster-blackjack-free-bonus/A",
        "maryland/blackjack/super-4-progressive/A",
        "maryland/high-card-flush/base/A",
        "maryland/blackjack/bad-beat-progressive/A",
    ],
)
def test_a_short_simulation_agrees(wager):
    found = list(simulation(combin.analyze(wager, decks=1), 40_000, seed=2))
    assert len(found) > 1
    assert all(check.passed for check in found), found


def test_a_simulation_of_other_probabilities_fails():
    a = combin.analyze(FLUSH)
    third, last = a.outcomes[3], a.outcomes[4]
    a = replace(
        a,
        outcomes=(
            *a.outcomes[:3],
            replace(third, probability=last.probability),
            replace(last, probability=third.probability),
        ),
    )
    assert not all(check.passed for check in simulation(a, 20_000, seed=2))


def test_rare_outcomes_are_judged_by_their_own_law():
    assert judged("x", 1, 10**6, Fraction(1, 10**7), 1).passed
    assert not judged("x", 6, 10**6, Fraction(1, 10**7), 1).passed
    assert poisson_tail(0, 3.0) == 2 * exp(-3.0)
    assert poisson_tail(3, 3.0) == 1


def test_rounds():
    assert whole_rounds("10_000_000") == whole_rounds("10,000,000") == 10**7
    for text in ("0", "-5", "1e6", "many", "", "9" * 30):
        with pytest.raises(InputError, match="rounds: "):
            whole_rounds(text)


@pytest.mark.slow
def test_a_reader_who_goes_is_no_failure():
    """Each paytable is printed by itself, so ``head`` closes the pipe before the end."""
    command = f"{sys.executable} -m combin verify maryland/blackjack/kk/A | head -1"
    script = f"{command}; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["maryland/blackjack/kk/A, 1 deck", "0"]
    assert done.stderr == ""


def test_what_nearly_always_comes_is_judged_by_how_often_it_does_not() -> None:
    """One round in a million misses. A thousand misses in 200,000 rounds fail; no miss passes."""
    assert not judged("x", 199_000, 200_000, 1 - Fraction(1, 10**6), 1).passed
    assert judged("x", 200_000, 200_000, 1 - Fraction(1, 10**6), 1).passed


def test_few_hits_of_a_meter_are_judged_by_their_number() -> None:
    values = {"stake": 1, "contribution_rate": "1%"}
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=6, set=values)
    assert all(check.passed is not False for check in meter.simulation(a, 10_000, 5))
    assert meter._hits_judged("", 0, 0.27).passed
    assert not meter._hits_judged("", 6, 0.27).passed
    assert not meter._hits_judged("", 1_200, 1_000.0).passed
    assert meter._hits_judged("", 1_100, 1_000.0).passed


def test_a_claim_is_shown_with_what_its_source_states() -> None:
    """House edges are published for dealers who stand on soft 17 and for dealers who hit it."""
    found = verify(analyze("maryland/blackjack/buster-blackjack/C", decks=6)).checks
    edges = [c.what for c in found if c.what.startswith("published house edge")]
    assert any("hits soft 17" in what for what in edges)
    assert len(edges) == len({*edges})
