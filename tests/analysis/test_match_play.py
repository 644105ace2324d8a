"""A match play coupon: the winnings grow, the returned stake does not, and the best play changes."""

from fractions import Fraction
from math import comb

import pytest

from combin import analyze
from combin.analysis.match_play import matched, worth
from combin.analysis.sensitivity import slopes
from combin.base.errors import InputError
from combin.rulebook.pays import parse_pay
from combin.tools.design import search, spans
from combin.views import json as json_view

INSURANCE, BASE = "maryland/blackjack/insurance/A", "massachusetts/high-card-flush/base/A"


def test_a_coupon_wins_what_as_much_money_would_and_is_no_money() -> None:
    half = Fraction(1, 2)
    # 10 to 1 wins 15 with half as much more, and one unit comes back. 10 for 1 wins nine.
    assert matched(parse_pay("10 to 1"), half).returned({}) == 16
    assert matched(parse_pay("10 for 1"), half).returned({}) == 10 + Fraction(9, 2)
    assert matched(parse_pay("push"), half).returned({}) == 1
    assert matched(parse_pay("$250"), half).returned({"stake": Fraction(1)}) == 250


@pytest.mark.parametrize("share", ["1", "1/2", "5"])
def test_insurance_with_a_coupon_by_hand(share: str) -> None:
    """Behind an ace 96 of 311 hole cards are ten-valued; each wins two units, and two more for the coupon."""
    a = analyze(INSURANCE, decks=6, set={"match_play": share})
    assert a.returned == Fraction(96, 311) * (3 + 2 * Fraction(share))
    assert worth(a) == 2 * Fraction(96, 311)
    assert worth(analyze(INSURANCE, decks=6)) is None


def test_the_flush_bonus_with_a_coupon_by_hand() -> None:
    """§11(c), column A: 4 C(13, k) C(39, 7 - k) hands hold k cards of one suit, and four or more win."""
    hands = {k: 4 * comb(13, k) * comb(39, 7 - k) for k in (4, 5, 6, 7)}
    pays = {4: 1, 5: 10, 6: 100, 7: 300}
    a = analyze("massachusetts/high-card-flush/flush-bonus/A", set={"match_play": 1})
    assert a.returned == Fraction(sum(n * (1 + 2 * pays[k]) for k, n in hands.items()), comb(52, 7))


def test_the_ante_with_a_coupon_is_worth_more_than_its_wins_at_the_old_play() -> None:
    """The best play with the coupon wins at least as much as the old play with the coupon."""
    a = analyze(BASE)
    old = sum(o.probability for o in a.outcomes if "ante" in o.outcome and o.returned > 1)
    with_it = analyze(BASE, set={"match_play": 1})
    assert Fraction(2, 5) < worth(with_it) < Fraction(1, 2)
    assert with_it.returned >= a.returned + old
    own = analyze(BASE, set={"match_play": 0})
    assert own.returned == a.returned


def test_a_coupon_is_shown_with_its_worth() -> None:
    a = analyze(INSURANCE, decks=6, set={"match_play": 1})
    assert "match play coupon" in str(a)
    assert json_view.record(a)["match_play"] == {"worth": json_view.value(Fraction(192, 311))}
    assert "match_play" not in json_view.record(analyze(INSURANCE, decks=6))


def test_no_coupon_lies_with_dollars_or_on_the_blackjack_wager() -> None:
    for identifier in ("maryland/chase-the-flush/progressive/B", "maryland/blackjack/blackjack/3-to-2"):
        with pytest.raises(InputError, match='no parameter of these wagers is called "match_play"'):
            analyze(identifier, decks=1, set={"match_play": 1})
    with pytest.raises(InputError, match="match_play cannot be"):
        analyze(INSURANCE, decks=6, set={"match_play": -1})


def test_a_unit_more_on_a_line_is_a_unit_more_of_the_coupon_too() -> None:
    """25 to 1 raised to 26 to 1 with a coupon as large as the wager wins two units more."""
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6, set={"match_play": 1})
    more = a.replace(pays={"matched 20": "26 to 1"})
    [slope] = [change for line, _, change in slopes(a) if line == "matched 20"]
    assert slope == more.rtp - a.rtp


def test_tools_that_change_pays_refuse_a_coupon() -> None:
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6, set={"match_play": 1})
    with pytest.raises(InputError, match="not part of a paytable"):
        search(a, spans(a, ["matched 20=25..27"]), Fraction(0), Fraction(3))
    with pytest.raises(InputError, match="solving for match_play is not supported"):
        a.solve("match_play", Fraction(1))
