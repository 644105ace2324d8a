"""The ledger: the precision of printed figures, the verdicts, and causes that reproduce the printed digits."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

import pytest

from combin import published as ledger
from combin.published import VERDICTS, claims, derived, page
from combin.published.figures import case_of, mapping, settled
from combin.published.stated_rules import is_stated
from combin.userfiles.templates import with_templates
from combin.verify import verify


def of_template(claim):
    """Whether a claim is about a game of a template."""
    wager = with_templates().wagers.get(claim.wager)
    return wager is not None and wager.terms.round is not None


AGREES, OTHERWISE, CUT = "agrees", "agrees under another reading", "truncated, not rounded"
WRONG, UNEXPLAINED, NOT_COMPARABLE = "wrong", "unexplained", "not comparable"
ON_REQUEST = "judged on request"


class Verdicts:
    """Verdicts by number, each judged when it is first read; all but those on games that take seconds to solve."""

    def __init__(self):
        slow = ("chase-the-flush/base", "blackjack/blackjack")
        self.claims = {c.number: c for c in ledger.published()
                       if not is_stated(c) and not of_template(c) and not any(name in c.subject for name in slow)}
        self.judged = {}

    def __getitem__(self, number):
        if number not in self.judged:
            self.judged[number] = ledger.judge(self.claims[number])
        return self.judged[number]

    def of(self, choose):
        """The verdicts on the chosen claims."""
        return [self[number] for number, c in self.claims.items() if choose(c)]

    def values(self):
        return self.of(lambda claim: True)


@pytest.fixture(scope="module")
def verdicts():
    return Verdicts()


def by(verdicts, subject, **fields):
    return verdicts.of(lambda c: c.subject == subject and all(getattr(c, k) == x for k, x in fields.items()))


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


def test_over_is_a_bound():
    assert [c.number for c in claims.published() if c.printed and c.printed.is_bound] == [144]
    for text in ("about 25 %", "25 %", "around 5"):
        assert not claims.parse_printed(text).is_bound


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
    assert [c.number for c in ledger.published()] == list(range(1, 623))
    assert len({c.source for c in ledger.published()}) > 30


@pytest.mark.slow
def test_the_verdicts_are_these(verdicts):
    """The number of each verdict. A change here is a changed judgement of somebody's figures."""
    counts = Counter(v.verdict for v in verdicts.values())
    assert counts == {AGREES: 282, OTHERWISE: 12, CUT: 2, WRONG: 37, UNEXPLAINED: 5, NOT_COMPARABLE: 25,
                      ON_REQUEST: 4}


def test_games_of_templates():
    found = [c for c in ledger.published() if of_template(c)]
    counts = Counter(ledger.judge(c).verdict for c in found if "caribbean" not in c.subject and "four" not in c.subject)
    assert counts == {AGREES: 11, ON_REQUEST: 7}


def test_what_takes_long_is_judged_on_request(verdicts):
    """No game is solved here, and the source is not judged."""
    waiting = [v for v in by(verdicts, "maryland/blackjack/switch/A") if v.verdict == ON_REQUEST]
    assert len(waiting) == 4
    assert all(v.exact is None and "takes about" in v.reason for v in waiting)
    readings = [dict(v.case.readings) for v in waiting if v.case]
    assert all(r["dealer-soft-17"] == "hits" for r in readings)
    assert sum(r.get("switched-blackjack") == "blackjack" for r in readings) == 2


def test_house_rules_of_blackjack_are_read_from_the_words_of_a_source():
    by_number = {c.number: c for c in ledger.published() if "blackjack/blackjack" in c.subject}
    assert len([number for number, c in by_number.items() if not is_stated(c)]) == 16
    free, strict = case_of(by_number[384]), case_of(by_number[398])
    assert dict(free.readings) == {"split-aces": "may-draw", "dealer-soft-17": "stands"}
    assert dict(dict(free.changes)["options"])["resplit_aces"] == "yes"
    stated = dict(dict(strict.changes)["options"])
    assert (stated["surrender"], stated["max_hands"]) == ("none", "2")
    assert (stated["double_after_split"], stated["charlie"], stated["double"]) == ("no", "6", "any")


def test_the_edge_of_a_double_deck_by_two_authors():
    """One source prints the edge of best play. The other prints 0.01 % more than the edge of basic strategy."""
    of_two = [c for c in ledger.published()
              if "blackjack/blackjack" in c.subject and c.decks == 2 and not is_stated(c)]
    assert [(c.published, ledger.judge(c).verdict) for c in of_two] == [("0.34 %", UNEXPLAINED), ("0.32 %", AGREES)]


@pytest.mark.slow
def test_every_verdict_but_a_plain_one_has_a_reason(verdicts):
    assert not [v.claim.number for v in verdicts.values() if v.verdict not in (AGREES, CUT) and not v.reason]


def test_all_wrong_buster_edges_are_of_paytable_c(verdicts):
    edges = by(verdicts, "maryland/blackjack/buster-blackjack/A", quantity="house edge")
    assert len(edges) == 12
    for v in edges:
        assert v.verdict == WRONG
        assert v.reason.startswith("the figure of maryland/blackjack/buster-blackjack/C")


def test_hands_counted_twice(verdicts):
    """The source takes only the 80 suited aces from 26,312 threes of a kind. It counts 960 suited ones twice."""
    (v,) = verdicts.of(lambda c: c.published == "26,232")
    assert (v.verdict, v.exact) == (WRONG, 26_312 - 80 - 960)
    assert '"suited three of a kind"' in v.reason
    (total,) = verdicts.of(lambda c: c.published == "5,014,280")
    assert (total.verdict, total.exact) == (WRONG, 312 * 311 * 310 // 6)


def test_what_follows_from_wrong_counts(verdicts):
    edges = verdicts.of(lambda c: c.published in ("-33.0467 %", "$26,788.90", "$133,944.50"))
    assert [v.verdict for v in edges] == [WRONG] * 3
    assert all("own counts" in v.reason for v in edges)
    assert sum('"for 1"' in v.reason for v in edges) == 2


def test_odds_to_taken_for_odds_for(verdicts):
    found = verdicts.of(lambda c: c.published == "3.77 %" and len(c.pays) == 2)
    assert len(found) == 2  # two sources print it
    for v in found:
        assert v.verdict == WRONG
        assert "4 to 1 settled as 4 for 1" in v.reason


def test_orders_counted_agree_and_say_so(verdicts):
    (v,) = verdicts.of(lambda c: c.published == "9,294,695,280")
    assert v.verdict == AGREES
    assert v.exact == 312 * 311 * 310 * 309
    assert "orders of the player's cards and the dealer's cards" in v.reason


def test_optimal_decisions(verdicts):
    found = verdicts.of(lambda c: c.quantity == "optimal decision")
    assert [v.verdict for v in found] == [AGREES] * 3


@pytest.mark.slow
def test_wrong_and_unexplained_figures_have_a_second_count(verdicts):
    """A source is called wrong only after the second method has counted the exact figure too."""
    cases = {v.case for v in verdicts.values() if v.verdict in (WRONG, UNEXPLAINED) and v.case}
    assert len(cases) > 15
    for case in cases:
        found = verify(settled(case).analysis, claims=False)
        assert found.passed, (case, found.failures)
        assert [c for c in found.checks if c.what in ("counts", "probabilities") and c.passed]


# ---- figures that are derived


def number(verdicts, n):
    return verdicts[n]


def test_a_low_ace_that_needs_a_seven():
    """By hand, a suit: 6 hands are A-2-3-4-5-6 and one of 8 to K; 15 hands are A-2-3-4-5 and two of them."""
    moved = derived.moved_by_the_seven()
    assert moved[6, 5] == 4 * 6
    assert moved[5, 4] == 4 * 15
    assert 32 + 1592 - moved[6, 5] == 1600
    assert 39_960 + moved[6, 5] - moved[5, 4] == 39_924
    # Every run loses its ace alone. Runs of two, three and four cards do too.
    assert all(before == after + 1 for before, after in moved)


def test_the_figures_of_low_ace_and_seven_explain_three_claims(verdicts):
    for n, printed in ((10, "13.11 %"), (11, "1 in 83,615"), (12, "1 in 3351")):
        v = number(verdicts, n)
        assert (v.claim.published, v.verdict) == (printed, WRONG)
        assert "only where a seven is among them" in v.reason


def test_what_else_is_explained(verdicts):
    mean = number(verdicts, 72)
    six = 1 - Fraction(46247, 48205)
    assert mean.verdict == OTHERWISE
    assert mean.exact == (six + settled(case_of(claim(subject="maryland/blackjack/match-the-dealer/8-decks",
                                                      decks=8))).analysis.house_edge) / 2
    pair = number(verdicts, 190)
    assert (pair.verdict, pair.claim.published) == (WRONG, "2.78 %")
    # Two decks: 286 - 12 sets of ranks that are no straight, times 8^3 - 4 x 2^3 choices of cards not suited.
    lost = Fraction(274 * (512 - 32), 104 * 103 * 102 // 6)
    entry = {"by": "pair-or-better", "decks": 2, "odds": "5/2"}
    assert derived.figure(pair.claim, entry) == 1 - (1 - lost) * Fraction(7, 2)
    insurance = number(verdicts, 361)
    assert (insurance.verdict, insurance.exact) == (WRONG, 1 - 3 * Fraction(128, 415))


def test_a_known_cause_is_never_called_not_comparable(verdicts):
    for n in (166, 167, 180):
        assert number(verdicts, n).verdict == OTHERWISE
    for n in (182, 191, 311):
        assert number(verdicts, n).verdict == WRONG


def test_every_claim_set_aside_is_not_compared_for_the_reason_of_its_entry(verdicts):
    reasons = {n: entry["why"] for entry in mapping()["aside"] for n in entry["claims"] if n in verdicts.claims}
    assert len(reasons) >= 13
    for n, why in reasons.items():
        verdict = number(verdicts, n)
        assert (verdict.verdict, verdict.reason.startswith(why)) == (NOT_COMPARABLE, True), n


def test_claims_found_later(verdicts):
    wanted = (354, 355, 357, 358, 359, 370)
    judged = {n: (number(verdicts, n).claim.published, number(verdicts, n).verdict) for n in wanted}
    assert judged == {354: ("5.30 %", AGREES), 355: ("6.35 %", AGREES), 357: ("7.53 %", AGREES),
                      358: ("303,264", WRONG), 359: ("54.4 %", WRONG), 370: ("3.055 %", AGREES)}
    for n in range(362, 367):  # five edges of insurance without the digits before the point
        assert number(verdicts, n).verdict == WRONG
        assert number(verdicts, n).reason == "the digits before the point are missing"
    # 4 x C(13, 3) x 6^3 flushes of three ranks and 4 x 13 x C(6, 2) x 72 with a pair.
    assert 4 * 286 * 216 + 4 * 13 * 15 * 72 == 303_264


def test_a_derived_figure_that_has_other_digits_explains_nothing(monkeypatch):
    monkeypatch.setitem(derived.FIGURES, "pair-or-better", lambda claim, entry: Fraction(1, 2))
    v = ledger.judge(ledger.published()[189])
    assert v.verdict == NOT_COMPARABLE


@pytest.mark.parametrize(("source", "links", "copies"), [
    ("nilapub.com/games/blackjack/side-bets/lucky-lucky/",
     ["https://nilapub.com/games/blackjack/side-bets/lucky-lucky/"], ["wizardofodds.com"]),
    ("github mykeychain/terminal-casino, README", ["https://github.com/mykeychain/terminal-casino"], [""]),
    ("apheat.net (King's Bounty article)", ["https://apheat.net"], [""]),
    ("br.wizardofodds.com .../straight-2-flush", ["https://br.wizardofodds.com"], [""]),
    ("diigo (888-br)", [""], [""]), ("a.com; b.com/x", ["https://a.com", "https://b.com/x"], ["", ""]),
])  # fmt: skip
def test_links_say_what_is_stated_and_no_more(source, links, copies):
    from combin.published.sources import addresses

    found = list(addresses(source, mapping()["mirrors"], {}))
    assert [p.link for p in found] == links
    assert [p.copy_of for p in found] == copies


def test_rows_that_say_one_thing_are_folded(verdicts):
    buster = by(verdicts, "maryland/blackjack/buster-blackjack/A")
    rows = [line for line in page._table(buster, wager=True) if "wrong" in line]
    assert len(rows) == 1
    assert "8.77 %, 6.89 %, 8.48 %" in rows[0]
    assert "249–252" in rows[0]


def test_thousands_are_separated(verdicts):
    assert number(verdicts, 12).shown == "1 in 3,347.9620"


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
    assert found.verdict == OTHERWISE  # one paytable has these digits
    assert "maryland/blackjack/lucky-ladies/B" in found.reason
    other = ledger.judge(claim(subject="maryland/blackjack/lucky-ladies", is_id=False, published="23.4567 %"))
    assert (other.verdict, other.reason) == (NOT_COMPARABLE, "the source does not state the paytable")


# ---- the page


def test_the_page(verdicts, monkeypatch):
    chosen = tuple(verdicts.of(lambda c: "lucky" in c.subject))
    monkeypatch.setattr(page, "_verdicts", lambda: chosen)
    made = page.pages()
    assert set(made) == {"published.md", "published.json"}
    text = made["published.md"]
    assert text.startswith("<!-- Generated by `combin regenerate`")
    assert "### maryland/blackjack/lucky-ladies\n" in text
    assert "| 24.7089 % | 24.7089" in text
    data = json.loads(made["published.json"])
    assert next(iter(data.items())) == ("schema", "combin/published/1")
    assert data["claims"] == len(chosen) == len(data["ledger"])
    assert sum(data["verdicts"].values()) == len(chosen)
    assert page.pages() == made


def test_verdicts_have_a_meaning():
    assert set(page.MEANING) == set(VERDICTS)
