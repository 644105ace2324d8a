"""Claims whose source states its rules in words: what is read of them, their values, and the verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from combin import published as ledger
from combin.base.errors import InputError
from combin.games.blackjack.rules import HouseRules
from combin.published.claims import KEPT, published
from combin.published.stated_rules import (
    compute,
    is_stated,
    kept,
    printed_parts,
    rules_of,
    settled_shares,
    unknown_words,
)
from combin.published.words import Conditions, conditions, read_data

from .values_by_hand import values

CLAIMS = {c.number: c for c in published()}
STATED = [c for c in published() if is_stated(c)]


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (408, ["-0.722356", "-0.379910", "-1.024099"]),
        (452, ["0.17", "0.46", "0.60", "0.64", "0.66"]),
        (495, ["-0.637333"]),
        (507, ["-0.3526", "-0.3946", "0.3343", "0.3362"]),
        (509, ["560", "8032", "123936", "111488", "107648", "1126592", "1478256"]),
        (558, ["6847.66", "1083.00", "105.53"]),
        (566, ["0.073470", "0.073168"]),
        (570, ["5/311"]),
    ],
)
def test_the_numbers_that_a_claim_prints(number: int, printed: list[str]) -> None:
    assert [p.value for p in printed_parts(CLAIMS[number])] == [Fraction(text) for text in printed]


def test_a_float_is_read_to_the_digits_that_it_holds() -> None:
    assert all(p.places <= 14 for p in printed_parts(CLAIMS[493]))


@pytest.mark.parametrize(
    ("number", "rules"),
    [
        (401, HouseRules(double_after_split=False)),
        (406, HouseRules(hits_soft_17=True, double_after_split=False, hole_card="all-lost")),
        (425, HouseRules(hits_soft_17=True, surrender="late")),
        (423, HouseRules(max_hands=2)),
        (592, HouseRules(hits_soft_17=True, resplit_aces=True, hole_card="all-lost")),
    ],
)
def test_the_rules_that_a_claim_states(number: int, rules: HouseRules) -> None:
    assert rules_of(CLAIMS[number], conditions(CLAIMS[number].reading)) == rules


@pytest.mark.parametrize(("reading", "options"), [
    ("H17, NDAS, LS", {"double_after_split": "no", "surrender": "late"}),
    ("against H17, no double after a split; late surrender", {"double_after_split": "no", "surrender": "late"}),
    ("dealer hits soft 17; resplit all but aces, split once", {"resplit_aces": "no", "max_hands": "2"}),
])  # fmt: skip
def test_phrases_state_the_same_rules_in_any_words_and_order(reading: str, options: dict[str, str]) -> None:
    stated = conditions(reading)
    assert (dict(stated.options), stated.unknown) == (options, ())
    assert stated.house_rules == options | {"soft_17": "hits"}


def test_phrases_that_are_not_known_are_named() -> None:
    """A comma within a phrase of the vocabulary separates nothing; a word within an unknown phrase states nothing."""
    assert conditions("an ace counts one; 25, 12, 6 to 1").unknown == ()
    stated = conditions("S17, no surrender on Sundays: ties lose")
    assert stated.unknown == ("no surrender on Sundays", "ties lose")
    assert dict(stated.options) == {}
    within = conditions("where the dealer hits soft 17 and aces split again")
    assert (dict(within.reading), dict(within.options)) == ({"dealer-soft-17": "hits"}, {})
    assert len(within.unknown) == 1


def test_numbers_of_a_phrase() -> None:
    assert conditions("simulation, of 5,000,000 deals, standard error 0.25").numbers == {
        "deals": 5_000_000, "standard_error": Fraction(1, 4)}
    assert conditions("per $10,000 in the meter, $5 wager").numbers == {"meter": 10_000}


def test_a_new_claim_is_judged_by_its_words() -> None:
    """Six decks, H17, NDAS, no hole card: -0.0086975 is printed by the Wizard of Odds (appendix 9)."""
    new = replace(CLAIMS[406], number=9001, published="-0.0087", reading="dealer hits soft 17; NDAS; no hole card")
    assert ledger.judge(new).verdict == "judged on request"
    assert ledger.judge(new, long=True).verdict == "agrees"
    unknown = ledger.judge(replace(new, reading="dealer hits soft 17; blackjacks on Sundays"), long=True)
    assert (unknown.verdict, unknown.reason) == (
        "not comparable", 'what "blackjacks on Sundays" states is not known here')


@pytest.mark.parametrize("changed", [
    {"outcome": "14 against 7", "quantity": "expected value of a hand"},
    {"outcome": "9 8 against T", "quantity": "expected value of a hand", "published": "split -0.5"},
    {"quantity": "house edge", "decks": None},
    {"quantity": "variance"},
    {"subject": "house/public/hot3", "is_id": False, "quantity": "house edge", "pays": {"21": "10% of the meter"}},
    {"subject": "house/public/hot3", "is_id": False, "quantity": "house edge", "pays": {"22": "2 to 1"}},
    {"subject": "house/public/hot3", "is_id": False, "quantity": "probability", "outcome": "22"},
])  # fmt: skip
def test_a_new_claim_that_is_not_computed_is_not_comparable(changed: dict[str, object]) -> None:
    verdict = ledger.judge(replace(CLAIMS[401], number=9001, **changed), long=True)
    assert (verdict.verdict, verdict.reason) == ("not comparable", "the source does not say enough to compute it")


def test_no_phrase_of_a_compared_claim_is_unknown() -> None:
    compared = [c for c in STATED if str(c.number) in kept()]
    assert len(compared) > 180
    assert not [(c.number, unknown_words(c)) for c in compared if unknown_words(c)]


def test_a_slip_in_the_vocabulary_is_named() -> None:
    with pytest.raises(InputError, match=r'words.toml:.*H17.*unknown key "optoins".*"options"'):
        read_data(Conditions, {"optoins": {}}, "words.toml", "H17")


def test_a_dealers_22_and_the_21_that_is_printed_for_it() -> None:
    """Eight decks, S17: the page prints the probability of a drawn 21."""
    share = settled_shares("house/public/push-22", 8, ["a drawn 21", "dealer's 22"])
    assert f"{float(share['a drawn 21']):.6f}" == "0.072838"
    assert round(float(share["dealer's 22"]), 6) == 0.072599


def test_each_claim_of_a_public_side_bet_is_computed_again() -> None:
    """All but the bets on seven and six cards, which take longer, and the drawn hands of six decks."""
    cheap = [c for c in STATED if c.wager.startswith("house/public/") and c.wager.split("/")[2] in
             ("hot3", "under13", "over13", "perfect-pairs", "baccarat-perfect", "war", "war-tie", "magic-jacks")]
    assert len(cheap) > 35
    for claim in cheap:
        again = compute(claim)
        assert all(abs(x - y) <= KEPT for x, y in zip(again, kept()[str(claim.number)], strict=True)), claim.number


@pytest.mark.slow
def test_every_kept_value_is_computed_again() -> None:
    again = values()
    assert again.keys() == kept().keys()
    for number, found in again.items():
        assert all(abs(x - y) <= KEPT for x, y in zip(found, kept()[number], strict=True)), number


def test_the_verdicts_are_these() -> None:
    """The number of each verdict. A change here is a changed judgement of somebody's figures."""
    verdicts = [ledger.judge(c) for c in STATED]
    assert len(verdicts) == 199
    assert Counter(v.verdict for v in verdicts) == {
        "agrees": 110, "agrees under another reading": 6, "truncated, not rounded": 5, "wrong": 9, "unexplained": 61,
        "not comparable": 8,
    }  # fmt: skip
    for v in verdicts:
        assert v.reason or v.verdict in ("agrees", "truncated, not rounded")
        if v.verdict == "agrees" and v.claim.number not in (437, 450):  # four decimals padded with zeros
            known = kept()[str(v.claim.number)]
            assert all(p.rounds_from(x) for p, x in zip(printed_parts(v.claim), known, strict=True))


def test_a_claim_of_several_figures_shows_them_all() -> None:
    [verdict] = [ledger.judge(CLAIMS[566])]
    assert verdict.verdict == "wrong"
    assert verdict.shown == "0.0734702228, 0.0725186938"
