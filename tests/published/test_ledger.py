"""The ledger: what a printed figure commits to, the verdicts, and causes found only where they reproduce the digits."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

import pytest

from combin import published as ledger
from combin.published import VERDICTS, claims, page
from combin.published.figures import case_of, settled
from combin.verify import verify

AGREES, OTHERWISE, CUT = "agrees", "agrees under another reading", "truncated, not rounded"
WRONG, UNEXPLAINED, NOT_COMPARABLE = "wrong", "unexplained", "not comparable"


@pytest.fixture(scope="module")
def verdicts():
    """Every verdict but those on Chase the Flush's base game, which takes long to solve."""
    return {c.number: ledger.judge(c) for c in ledger.published() if "chase-the-flush/base" not in c.subject}


def by(verdicts, subject, **fields):
    return [
        v
        for v in verdicts.values()
        if v.claim.subject == subject and all(getattr(v.claim, k) == x for k, x in fields.items())
    ]


# ---- printed figures


@pytest.mark.parametrize(
    ("text", "value", "places", "scale", "rough"),
    [
        ("13.11 %", "1311/100", 2, "percent", False),
        ("-1.1130 %", "-1113/1000", 4, "percent", False),
        ("about 17 percent", "17", 0, "percent", True),
        ("1 in 83,615", "83615", 0, "one in", False),
        ("about 1 in 130", "130", -1, "one in", True),
        ("$26,788.90", "267889/10", 2, "plain", False),
        ("4.6827e-6", "46827/10000000000", 10, "plain", False),
        (".002698", "1349/500000", 6, "plain", False),
        ("+0.76088389", "76088389/100000000", 8, "plain", False),
        ("3234 units", "3234", 0, "plain", False),
        ("in the 10 % range, depending on the number of decks", "10", -1, "percent", True),
    ],
)
def test_a_printed_figure(text, value, places, scale, rough):
    printed = claims.parse_printed(text)
    assert (printed.value, printed.places, printed.scale, printed.rough) == (Fraction(value), places, scale, rough)


def test_what_is_no_figure():
    assert claims.parse_printed("always raise") is None


@pytest.mark.parametrize(
    ("text", "exact", "rounds", "cut"),
    [
        ("3.24 %", Fraction(3238, 10**5), True, False),
        ("3.23 %", Fraction(3238, 10**5), False, True),
        ("0.13", Fraction(1, 8), True, False),
        ("0.12", Fraction(1, 8), False, True),
        ("-0.13", Fraction(-1, 8), True, False),
        ("1 in 198", Fraction(100, 19837), True, True),
        ("about 1 in 130", Fraction(100, 13376), True, True),
    ],
)
def test_rounding_and_cutting(text, exact, rounds, cut):
    printed = claims.parse_printed(text)
    assert (printed.rounds_from(exact), printed.cut_from(exact)) == (rounds, cut)


# ---- the list


def test_every_claim_is_there():
    assert [c.number for c in ledger.published()] == list(range(1, 354))
    assert len({c.source for c in ledger.published()}) > 30


def test_the_verdicts_are_these(verdicts):
    """The count of each verdict; a change here is a change of what combin says of somebody."""
    counts = Counter(v.verdict for v in verdicts.values())
    assert counts == {AGREES: 273, OTHERWISE: 8, CUT: 2, WRONG: 21, UNEXPLAINED: 7, NOT_COMPARABLE: 27}


def test_every_verdict_but_a_plain_one_has_a_reason(verdicts):
    assert not [v.claim.number for v in verdicts.values() if v.verdict not in (AGREES, CUT) and not v.reason]


def test_all_wrong_buster_edges_are_of_paytable_c(verdicts):
    edges = by(verdicts, "maryland/blackjack/buster-blackjack/A", quantity="house edge")
    assert len(edges) == 12
    for v in edges:
        assert v.verdict == WRONG
        assert v.reason.startswith("the figure of maryland/blackjack/buster-blackjack/C")


def test_hands_counted_twice(verdicts):
    """26,312 threes of a kind less the 80 suited aces: the other 960 suited ones are in two lines."""
    (v,) = [v for v in verdicts.values() if v.claim.published == "26,232"]
    assert (v.verdict, v.exact) == (WRONG, 26_312 - 80 - 960)
    assert '"suited three of a kind"' in v.reason
    (total,) = [v for v in verdicts.values() if v.claim.published == "5,014,280"]
    assert (total.verdict, total.exact) == (WRONG, 312 * 311 * 310 // 6)


def test_what_follows_from_wrong_counts(verdicts):
    edges = [v for v in verdicts.values() if v.claim.published in ("-33.0467 %", "$26,788.90", "$133,944.50")]
    assert [v.verdict for v in edges] == [WRONG] * 3
    assert all("own counts" in v.reason for v in edges)
    assert sum('"for 1"' in v.reason for v in edges) == 2


def test_odds_to_taken_for_odds_for(verdicts):
    (v,) = [v for v in verdicts.values() if v.claim.published == "3.77 %" and len(v.claim.pays) == 2]
    assert v.verdict == WRONG
    assert "4 to 1 settled as 4 for 1" in v.reason


def test_orders_counted_agree_and_say_so(verdicts):
    (v,) = [v for v in verdicts.values() if v.claim.published == "9,294,695,280"]
    assert v.verdict == AGREES
    assert v.exact == 312 * 311 * 310 * 309
    assert "orders of the player's cards and the dealer's cards" in v.reason


def test_optimal_decisions(verdicts):
    found = [v for v in verdicts.values() if v.claim.quantity == "optimal decision"]
    assert [v.verdict for v in found] == [AGREES] * 3


def test_wrong_and_unexplained_figures_have_a_second_count(verdicts):
    """Before anybody is called wrong, the exact figure is counted by the other method too."""
    cases = {v.case for v in verdicts.values() if v.verdict in (WRONG, UNEXPLAINED) and v.case}
    assert len(cases) > 15
    for case in cases:
        found = verify(settled(case).analysis, claims=False)
        assert found.passed, (case, found.failures)
        assert [c for c in found.checks if c.what in ("counts", "probabilities") and c.passed]


# ---- the engine, on claims of our own making


def claim(**fields):
    start = claims.Claim(0, "maryland/blackjack/lucky-ladies/B", True, None, 6, "house edge", "", "", "", "a page")
    return replace(start, **fields)


@pytest.mark.parametrize(
    ("published", "verdict", "reason"),
    [
        ("24.7089 %", AGREES, ""),
        ("24.708 %", CUT, ""),  # 24.70893…
        ("24.05 %", WRONG, "the figure of 8 decks"),
        ("24.7098 %", WRONG, "two neighbouring digits are exchanged"),
        ("-24.7089 %", WRONG, "the sign is the wrong way round"),
        ("23.4567 %", UNEXPLAINED, "no other reading"),
        ("24.7090 %", UNEXPLAINED, "one off in the last digit"),
    ],
)
def test_an_edge_and_its_cause(published, verdict, reason):
    found = ledger.judge(claim(published=published))
    assert found.verdict == verdict
    assert reason in found.reason


def test_another_reading_is_no_error():
    exact = settled(case_of(claim()).but(readings=(("ace-nine-is-20", "no"),))).analysis.house_edge
    text = f"{float(exact * 100):.3f} %"
    found = ledger.judge(claim(published=text))
    assert (found.verdict, found.reason) == (OTHERWISE, "reading ace-nine-is-20 = no")


def test_the_figure_of_another_paytable():
    found = ledger.judge(
        claim(published=ledger.judge(claim(published="1 %", subject=LADIES_A)).shown, subject=LADIES_A)
    )
    assert found.verdict == AGREES
    edge = settled(case_of(claim(subject=LADIES_A))).analysis.house_edge
    found = ledger.judge(claim(published=f"{float(edge * 100):.4f} %"))
    assert found.verdict == WRONG
    assert found.reason.startswith(f"the figure of {LADIES_A}")


LADIES_A = "maryland/blackjack/lucky-ladies/A"


def test_too_few_digits_prove_nothing():
    found = ledger.judge(claim(published="24 %"))
    assert found.verdict in (CUT, UNEXPLAINED)
    assert ledger.judge(claim(published="9 %")).verdict == UNEXPLAINED


def test_a_table_of_a_source_is_settled_by_its_words():
    pays = MappingProxyType({"each suited match": "11 to 1", "each unsuited match": "4 to 1"})
    found = ledger.judge(
        claim(subject="maryland/blackjack/match-the-dealer", is_id=False, pays=pays, published="4.0636 %")
    )
    exact = settled(case_of(claim(subject="maryland/blackjack/match-the-dealer/6-decks"))).analysis.house_edge
    assert found.exact == exact


def test_a_claim_without_a_paytable_is_not_compared():
    found = ledger.judge(claim(subject="maryland/blackjack/lucky-ladies", is_id=False, published="24.7089 %"))
    assert found.verdict == NOT_COMPARABLE
    assert "maryland/blackjack/lucky-ladies/B" in found.reason


# ---- the page


def test_the_page(verdicts, monkeypatch):
    chosen = tuple(v for v in verdicts.values() if "lucky" in v.claim.subject)
    monkeypatch.setattr(page, "_verdicts", lambda: chosen)
    made = page.pages()
    assert set(made) == {"published.md", "published.json"}
    text = made["published.md"]
    assert text.startswith("<!-- Generated by `combin regenerate`")
    assert "### maryland/blackjack/lucky-ladies\n" in text
    assert "| 24.7089 % | 24.7089" in text
    data = json.loads(made["published.json"])
    assert data["claims"] == len(chosen) == len(data["ledger"])
    assert sum(data["verdicts"].values()) == len(chosen)
    assert page.pages() == made


def test_verdicts_have_a_meaning():
    assert set(page.MEANING) == set(VERDICTS)
