"""Properties of every paytable, tested with random pays."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import factorial

import numpy as np
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import combin
from combin.analysis.settle import masks_of
from combin.deals.cards import ALL_PERMUTATIONS, Shoe, permute, suit_group
from combin.deals.first_cards import Deal
from combin.games.chase_the_flush import solve as ctf
from combin.games.high_card_flush import solve as hcf
from combin.games.high_card_flush import strategies as strategies
from combin.published.figures import Case, settled
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.verify.flush_games import ante_and_raise, settlement
from combin.verify.settle_literal import outcomes_of
from combin.verify.shoe import deals_by_outcomes
from combin.views import json as json_view
from combin.wagers.wager_outcomes import seen_deal

few = settings(max_examples=12, deadline=None, derandomize=True)
very_few = settings(max_examples=4, deadline=None, derandomize=True)

FLUSH = "maryland/high-card-flush/flush-bonus"
TRILUX = "maryland/blackjack/trilux-bonus"
HOUSE = "maryland/blackjack/house-money"
BUSTER = "maryland/blackjack/buster-blackjack"
#: Wagers without decisions. Their lines are in an order that allows any pays.
LINES = {
    FLUSH: ("seven-card flush", "six-card flush", "five-card flush", "four-card flush"),
    TRILUX: ("mini royal", "straight flush", "three of a kind", "straight", "flush"),
    HOUSE: ("ace-king suited", "two-card straight flush", "pair", "two-card straight"),
    BUSTER: ("8 or more cards", "7 cards", "6 cards", "5 cards", "4 cards", "3 cards"),
}
amounts = st.fractions(min_value=0, max_value=1000, max_denominator=12)


def decks_of(wager: str) -> int:
    return 1 if wager == FLUSH else 6


def priced(wager: str, pays, decks: int | None = None, **fields):
    """The analysis of a wager of the catalogue with the given pays."""
    lines = tuple((line, f"{pay.numerator} to {pay.denominator}") for line, pay in zip(LINES[wager], pays, strict=True))
    return settled(Case(wager, "house", lines, decks or decks_of(wager), **fields)).analysis


def tables(wager: str):
    return st.lists(amounts, min_size=len(LINES[wager]), max_size=len(LINES[wager]))


wagers_and_pays = st.sampled_from(sorted(LINES)).flatmap(lambda w: st.tuples(st.just(w), tables(w), tables(w)))


# ---- pays


@few
@given(wagers_and_pays, st.fractions(0, 1, max_denominator=7))
def test_the_return_is_linear_in_the_pays(drawn, share):
    wager, one, other = drawn
    between = [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]
    returns = [priced(wager, pays).returned for pays in (one, other, between)]
    assert returns[2] == share * returns[0] + (1 - share) * returns[1]


@few
@given(wagers_and_pays, st.integers(0, 3), amounts)
def test_the_return_rises_with_each_pay_by_the_probability_of_its_line(drawn, line, more):
    wager, pays, _ = drawn
    raised = [pay + more * (i == line) for i, pay in enumerate(pays)]
    a, b = priced(wager, pays), priced(wager, raised)
    assert b.returned - a.returned == more * a.outcomes[line].probability
    assert b.returned >= a.returned


@few
@given(wagers_and_pays)
def test_contributions_and_moments_are_those_of_the_law(drawn):
    wager, pays, _ = drawn
    a = priced(wager, pays)
    law = [(o.returned, o.probability) for o in a.outcomes]
    assert sum(p for _, p in law) == 1
    assert a.returned == sum(x * p for x, p in law) == sum(o.contribution for o in a.outcomes)
    assert a.variance == sum((x - a.returned) ** 2 * p for x, p in law)
    assert a.hit_frequency == sum(p for x, p in law if x > 1)


@few
@given(amounts, amounts, st.integers(1, 8))
def test_merging_lines_of_equal_pay_preserves_everything(top, pay, decks):
    """A straight flush is also a straight. At the same pay its line can be dropped."""

    def table(**lines: Fraction):
        names = tuple((k.replace("_", " "), f"{v.numerator} to {v.denominator}") for k, v in lines.items())
        return settled(Case(TRILUX, "house", names, decks)).analysis

    apart = table(mini_royal=top, straight_flush=pay, straight=pay)
    together = table(mini_royal=top, straight=pay)
    assert (apart.returned, apart.variance, apart.hit_frequency) == (
        together.returned,
        together.variance,
        together.hit_frequency,
    )
    merged = apart.combinations["straight flush"] + apart.combinations["straight"]
    assert merged == together.combinations["straight"]


@few
@given(st.integers(1, 500), st.sampled_from([1, 2, 6]))
def test_scaling_the_stake_preserves_what_holds_no_dollars(stake, decks):
    """Odds return the same at every stake. A meter returns less as the stake grows."""
    name = "maryland/blackjack/hit-and-run-progressive/A"
    one, scaled = (combin.analyze(name, decks=decks, set={"stake": s}) for s in (1, stake))
    assert scaled.coefficients["1"] == one.coefficients["1"]
    assert scaled.coefficients["meter"] * stake == one.coefficients["meter"]


# ---- cards


@few
@given(st.sampled_from(ALL_PERMUTATIONS), st.lists(st.integers(0, 51), max_size=6), st.integers(2, 8))
def test_permuting_the_suits_of_removed_cards_changes_nothing(permutation, removed, decks):
    gone = [c for c in removed if removed.count(c) <= decks]
    a = combin.analyze(f"{TRILUX}/B", decks=decks, without=gone)
    b = combin.analyze(f"{TRILUX}/B", decks=decks, without=[permute(permutation, c) for c in gone])
    assert dict(a.combinations) == dict(b.combinations)


@few
@given(st.sampled_from(suit_group(["hearts"])), st.lists(st.integers(0, 51), unique=True, max_size=6))
def test_only_the_singled_out_suit_has_a_name(permutation, gone):
    a = combin.analyze("maryland/blackjack/lucky-ladies/B", decks=2, without=gone)
    b = combin.analyze("maryland/blackjack/lucky-ladies/B", decks=2, without=[permute(permutation, c) for c in gone])
    assert a.returned == b.returned


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.permutations(range(52)), st.sampled_from(ALL_PERMUTATIONS), st.randoms(use_true_random=False))
def test_the_order_within_a_hand_and_the_names_of_suits_change_no_settlement(deck, permutation, random):
    for outcomes, roles, options in (
        ("rank-matches", {"player": 2, "upcard": 1}, {"match": "rank"}),
        ("three-card-hand", {"cards": 3}, {"ace": "both"}),
        ("super-match", {"cards": 4}, {}),
        ("house-money", {"player": 2}, {"ace": "both"}),
    ):
        start, hands = 0, {}
        for role, size in roles.items():
            hands[role] = list(deck[start : start + size])
            start += size
        shuffled = {
            role: random.sample([permute(permutation, c) for c in hand], len(hand)) for role, hand in hands.items()
        }
        assert outcomes_of(outcomes, hands, options) == outcomes_of(outcomes, shuffled, options)


def infinite_deck(wager: str) -> dict[str, Fraction]:
    """The probabilities of the lines if each card is any of 52 types; the literal settlement decides."""
    resolved = shipped().resolve(wager)
    found: dict[str, Fraction] = {}
    lines = [outcome for outcome, _ in resolved.payments]
    for (held, pattern), number in deals_by_outcomes(
        resolved.terms.settlement, Deal(resolved.terms.deal).roles, tuple(sorted(resolved.options.items()))
    ).items():
        chance = Fraction(number)
        for repeats in pattern:
            cards = sum(now for _, now in repeats)
            chance *= Fraction(factorial(cards), 52**cards)
            for _, now in repeats:
                chance /= factorial(now)
        line = next((o for o in lines if o in held), "loss")
        found[line] = found.get(line, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("wager", [f"{TRILUX}/A", "maryland/blackjack/match/A", "maryland/blackjack/jj/A"])
def test_more_decks_converge_to_the_infinite_deck(wager):
    """Twice the decks nearly halve the difference."""
    resolved, limit = shipped().resolve(wager), infinite_deck(wager)
    assert sum(limit.values()) == 1
    deal = seen_deal(resolved)
    gaps = []
    for decks in (8, 16, 32, 64):
        table = deal.table(Shoe(decks))
        masks, left = masks_of(table, resolved), np.ones(len(table), dtype=bool)
        returned, there = Fraction(0), Fraction(0)
        for outcome, pay in resolved.payments:
            amount = pay.returned({})
            returned += amount * Fraction(table.count(masks[outcome] & left), table.deals)
            there += amount * limit.get(outcome, 0)
            left &= ~masks[outcome]
        gaps.append(abs(returned - there))
    assert all(Fraction(45, 100) < b / a < Fraction(55, 100) for a, b in pairwise(gaps))


# ---- games with decisions

utilities = st.lists(st.integers(-9, 9), min_size=36, max_size=36)


def game(values) -> hcf.FlushGame:
    """The base game with given amounts added to the utility of raises; a fold loses the ante."""
    base = ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}, unit=10)
    utility = base.utility.copy()
    utility[1:] += np.array(values, dtype=object).reshape(2, 3, 6)
    return replace(base, utility=utility)


@very_few
@given(utilities, utilities)
def test_optimal_play_is_convex_and_monotone_in_what_is_paid(one, other):
    a, b = game(one), game(other)
    both = replace(a, utility=a.utility + b.utility)
    assert hcf.solve(both).total <= hcf.solve(a).total + hcf.solve(b).total
    higher = replace(a, utility=np.maximum(a.utility, b.utility))
    assert hcf.solve(higher).total >= max(hcf.solve(a).total, hcf.solve(b).total)


@very_few
@given(utilities)
def test_no_threshold_beats_the_optimal_play(values):
    own = game(values)
    best = hcf.solve(own).total
    totals = strategies.threshold_totals(strategies.histogram(own, hcf.all_alike())).sum(axis=1)
    assert len(totals) == 287
    assert max(totals) <= best


@very_few
@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True), st.integers(0, 40), st.integers(0, 40))
def test_a_flop_is_convex_and_monotone_in_the_bonus(cards, low, high):
    """One flop of Chase the Flush: the best value as a function of the X-tra pay of a four-card flush."""

    def best(pay: int) -> int:
        utility = settlement({7: 250, 6: 50, 5: 5, 4: pay}, unit=2)
        return max(ctf.position(cards[:3], cards[3:], utility=utility).sums.values())

    low, high = sorted((2 * low, 2 * high))
    middle = (low + high) // 2
    assert best(low) <= best(middle) <= best(high)
    assert 2 * best(middle) <= best(low) + best(high)


# ---- files


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.sampled_from(["to", "for"]),
    st.sampled_from(["1", "2"]),
)
def test_a_paytable_through_files_and_back_is_itself(tmp_path, steps, word, per):
    """The pays descend, as a paytable needs them."""
    totals = [sum(steps[i:]) for i in range(4)]
    lines = [(name, f"{number:,} {word} {per}") for name, number in zip(LINES[FLUSH], totals, strict=True)]
    words = {}
    toml = "".join(f"{json.dumps(name)} = {json.dumps(pay)}\n" for name, pay in lines)
    (tmp_path / "house.toml").write_text(f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.house]\n{toml}')
    words["toml"] = str(tmp_path / "house.toml")
    with open(tmp_path / "house.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([("outcome", "pays"), *lines])
    words["csv"] = f"{FLUSH}={tmp_path / 'house.csv'}"
    book = openpyxl.Workbook()
    for row in [("outcome", "pays"), *lines]:
        book.active.append(row)
    book.save(tmp_path / "house.xlsx")
    words["xlsx"] = f"{FLUSH}={tmp_path / 'house.xlsx'}"
    for kind, path in words.items():
        rulebook, (identifier,) = add_file(shipped(), path)
        resolved = rulebook.resolve(identifier)
        assert [(outcome, pay.text) for outcome, pay in resolved.lines] == lines, kind
    record = json.loads(json.dumps(json_view.record(combin.analyze(identifier, book=rulebook))))
    assert [(o["outcome"], o["pays"]) for o in record["outcomes"][:-1]] == lines
