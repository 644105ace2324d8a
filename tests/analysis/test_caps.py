"""Payout caps: returns by hand, thresholds by direct evaluation, the four regimes of the documents."""

from fractions import Fraction
from math import comb, factorial, perm
from pathlib import Path

import pytest

from combin.analysis.caps import pairs_of_others
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.base.exact import money
from combin.deals.cards import Shoe, card
from combin.games.chase_the_flush.rules import rules_of as chase_the_flush_rules
from combin.rulebook.book import Rulebook, shipped

from ..shared import added

SAME_SUIT = "maryland/chase-the-flush/same-suit/A"
LADIES = "maryland/blackjack/lucky-ladies/A"
KINGS = "maryland/blackjack/kings-bounty/A"
FLUSH = "massachusetts/high-card-flush/flush-bonus/A"


def capped(identifier: str, stake: object, cap: object, **more: object) -> Analysis:
    return analyze(identifier, decks=6 if "blackjack" in identifier else 1, set={"stake": stake, "cap": cap, **more})


def by_hand(identifier: str, stake: Fraction, cap: Fraction, hands: tuple[str, ...] = ()) -> Fraction:
    """The return of a capped wager: a hand wins odds × stake or the cap, whichever is less, and its stake back."""
    a = analyze(identifier, decks=6 if "blackjack" in identifier else 1)
    total = Fraction(0)
    for o in a.outcomes:
        if o.pay is not None:
            limited = o.outcome in hands if hands else True
            total += o.probability * (1 + (min(o.pay.odds * stake, cap) / stake if limited else o.pay.odds))
    return total


def test_return_under_a_cap() -> None:
    assert capped(SAME_SUIT, 100, 50_000).returned == by_hand(SAME_SUIT, Fraction(100), Fraction(50_000))
    # One pay exceeds 500 to 1: 2,000 to 1 for 32 + 1,592 straight flushes of seven and six cards.
    assert capped(SAME_SUIT, 100, 50_000).cap_cost == Fraction(1500 * (32 + 1592), comb(52, 7))


@pytest.mark.parametrize(
    ("identifier", "cap", "top"), [(SAME_SUIT, 50_000, 2000), (FLUSH, 1000, 300)]
)
def test_the_stake_at_which_a_cap_begins_to_cost(identifier: str, cap: int, top: int) -> None:
    """The cap costs nothing at the stake named, and something one cent above it."""
    found = capped(identifier, 1, cap).cap.untouched
    assert found == Fraction(cap, top)
    free = analyze(identifier, decks=6 if "blackjack" in identifier else 1).returned
    for stake in (found - 1, found):
        if stake > 0:
            assert capped(identifier, stake, cap).returned == free
            assert capped(identifier, stake, cap).cap_cost == 0
    above = capped(identifier, found + Fraction(1, 100), cap)
    assert above.returned < free
    assert above.cap_cost == free - above.returned


HAND = "queen of hearts pair and dealer blackjack"


def test_a_lawful_cap_of_blackjack_cuts_nothing_that_is_won_alone() -> None:
    """Ch. 13 §L: 1,000 to 1 is paid in full at the maximum wager, and no stake exceeds that wager."""
    a = capped(LADIES, 100, 100_000)
    assert a.returned == analyze(LADIES, decks=6).returned == by_hand(LADIES, Fraction(100), Fraction(100_000), (HAND,))
    assert (a.cap_cost, a.cap.untouched, a.cap.shared) == (0, None, True)
    assert capped(LADIES, 25, 25_000).cap_cost == 0


def pairs_among(hands: int, cards: int, marked: int, pairs: int) -> Fraction:
    """The law of the number of hands with two marked cards each: a sum over the marked cards that are dealt."""
    ways = 0
    for dealt in range(2 * pairs, min(marked, 2 * hands) + 1):
        single = dealt - 2 * pairs  # each marked card in another hand, in one of its two places
        if single <= hands - pairs:
            ways += (comb(hands, pairs) * comb(hands - pairs, single) * 2**single
                     * comb(marked, dealt) * comb(cards - marked, 2 * hands - dealt)
                     * factorial(dealt) * factorial(2 * hands - dealt))
    return Fraction(ways, perm(cards, 2 * hands))


@pytest.mark.parametrize(("decks", "others"), [(6, 1), (6, 6), (8, 3), (2, 2), (1, 4)])
def test_how_many_others_hold_the_pair_too(decks: int, others: int) -> None:
    """§K: the player has two queens of hearts, and the dealer's ten-valued card may be a third."""
    law = pairs_of_others(Shoe(decks), card("Qh"), others)
    assert sum(law) == 1
    if decks == 1:
        return
    tens, queens, left = 16 * decks - 2, decks - 2, 52 * decks - 4
    for j, p in enumerate(law):
        assert p == (Fraction(tens - queens, tens) * pairs_among(others, left, queens, j)
                     + (Fraction(queens, tens) * pairs_among(others, left, queens - 1, j) if queens else 0))


def test_winners_share_the_maximum() -> None:
    """Six decks, one other player: C(4, 2) of C(308, 2) pairs win, or C(3, 2) if the dealer has a queen of hearts."""
    both = (Fraction(90, 94) * 6 + Fraction(4, 94) * 3) / comb(308, 2)
    a = capped(LADIES, 100, 100_000, other_players=1)
    chance = a.probabilities[HAND]
    assert a.cap_cost == chance * both * 500
    [hand] = [o for o in a.outcomes if o.outcome == HAND]
    assert hand.distribution == ((1001, chance * (1 - both)), (501, chance * both))
    free = analyze(LADIES, decks=6)
    assert a.variance + a.returned**2 == free.variance + free.returned**2 - chance * both * (1001**2 - 501**2)
    assert a.top_pay == 1000
    # Two winners of 1,000 to 1 reach $100,000 at a stake of $50 each, three at $100/3 each.
    assert a.cap.untouched == 50
    assert capped(LADIES, 100, 100_000, other_players=2).cap.untouched == Fraction(100, 3)
    assert capped(LADIES, 50, 100_000, other_players=1).cap_cost == 0


def test_a_cap_moves_the_range_of_the_readings_through_its_scope() -> None:
    a = capped(LADIES, 100, 100_000, other_players=6)
    assert a.return_range is not None
    assert a.return_range[1].value == analyze(LADIES, decks=6).returned > a.returned
    assert a.return_range[1].readings["cap-scope"] == "royal-match-and-kings-bounty"


def test_the_scope_of_the_blackjack_caps_is_a_reading() -> None:
    values = {"stake": 25, "cap": 50_000}
    other = {"cap-scope": "royal-match-and-kings-bounty"}
    assert analyze(KINGS, decks=6, set=values).cap is not None
    assert analyze(KINGS, decks=6, set=values, reading=other).cap is not None
    with pytest.raises(InputError, match='no parameter of these wagers is called "stake"'):
        analyze(LADIES, decks=6, set=values, reading=other)
    assert analyze("maryland/blackjack/royal-match-21/A", decks=1, set=values, reading=other).cap is not None


@pytest.mark.parametrize(
    ("identifier", "values", "said"),
    [
        # Chase the Flush: a floor.
        (SAME_SUIT, {"stake": 100, "cap": 49_999}, "a cap of $49,999 is below $50,000 (Ch. 12 §E); give at least 5"),
        (SAME_SUIT, {"stake": 100, "cap": 50_000, "minimum_wager": 100}, "below $200,000, the win at the minimum"),
        # Blackjack: a floor of its own.
        (LADIES, {"stake": 10, "cap": 24_999}, "below $25,000 (Ch. 13 §J-M)"),
        (LADIES, {"stake": 10, "cap": 25_000, "maximum_wager": 100}, "below $100,000, the win at the maximum wag"),
        (LADIES, {"stake": 100, "cap": 25_000}, "at the maximum wager, which is at least $100 (Ch. 13 §J-M)"),
        # High Card Flush in Maryland: "may not exceed".
        ("maryland/high-card-flush/flush-bonus/A", {"stake": 100, "cap": 50_001}, "above $50,000 (Ch. 12 §D)"),
        (SAME_SUIT, {"cap": 50_000}, "the effect of a cap depends on the stake; set it: set={\"stake\": VALUE}"),
        (SAME_SUIT, {"stake": 0, "cap": 50_000}, "stake cannot be 0"),
        (FLUSH, {"stake": 1, "cap": 0}, "cap cannot be 0; a cap is above 0"),
        (FLUSH, {"stake": 1, "cap": -5}, "cap cannot be -5"),
        ("maryland/chase-the-flush/progressive/A", {"stake": 1, "cap": 50_000}, 'no parameter of these wagers'),
    ],
)  # fmt: skip
def test_caps_that_the_documents_do_not_allow(identifier: str, values: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        analyze(identifier, decks=6 if "blackjack" in identifier else 1, set=values)
    assert said in str(caught.value)


def test_caps_that_they_do_allow() -> None:
    assert capped(FLUSH, 1, 1).cap_cost > 0  # Massachusetts states no least amount
    assert capped("maryland/high-card-flush/flush-bonus/A", 100, 100).cap_cost > 0
    assert capped("maryland/high-card-flush/flush-bonus/A", 200, 60_000, minimum_wager=200).cap_cost == 0
    assert capped(SAME_SUIT, 100, 200_000, minimum_wager=100).cap_cost == 0


def test_without_a_cap_nothing_changes() -> None:
    a, b = analyze(SAME_SUIT), analyze(SAME_SUIT, set={"stake": 100})
    assert a.returned == b.returned
    assert (a.cap, b.cap, b.cap_cost) == (None, None, 0)
    assert "cap" not in a.parameters
    assert "stake" not in a.parameters


def test_open_pays_under_a_cap() -> None:
    """A cap needs a value for a "Bonus" that the operator sets."""
    open_ones = [i for i in shipped().ids() if i.startswith("massachusetts") and "bonus" in i and analyze(i).unknowns]
    assert open_ones
    with pytest.raises(InputError, match="which is not set; set it: set="):
        capped(open_ones[0], 10, 1000)


def test_solving_under_a_cap_is_refused() -> None:
    with pytest.raises(InputError, match="under a payout cap the return is not linear in the pays"):
        capped(SAME_SUIT, 100, 50_000).solve("stake", Fraction(1, 2))


def test_a_cap_on_a_hand_of_the_base_game_limits_its_net_win() -> None:
    resolved = shipped().resolve("maryland/chase-the-flush/base/A")
    free, limited = chase_the_flush_rules(resolved), chase_the_flush_rules(resolved, Fraction(50))
    assert max(free.net.flat) == 250 + 3 + 1
    assert max(limited.net.flat) == 50
    assert [min(x, 50) for x in free.net.flat] == list(limited.net.flat)


@pytest.mark.slow
def test_a_cap_costs_a_base_game_the_difference_of_two_best_plays() -> None:
    """At an ante of $1,000 a cap of $50,000 stops every win above 50 antes."""
    identifier = "maryland/chase-the-flush/base/A"
    limited = analyze(identifier, set={"stake": 1000, "cap": 50_000})
    free = analyze(identifier)
    assert limited.returned < free.returned
    assert limited.cap_cost == free.returned - limited.returned
    assert free.cap_cost == 0


def test_what_to_give_instead_of_a_cap_that_is_not_allowed() -> None:
    """The minimum wager may raise a ceiling as long as nobody has set it. It may not raise a floor."""
    bonus = "maryland/high-card-flush/flush-bonus/A"
    with pytest.raises(InputError, match="give at most 50000; set minimum_wager if more is won at the min"):
        capped(bonus, 100, 50_001)
    with pytest.raises(InputError, match=r"give at most 60000$"):
        capped(bonus, 200, 60_001, minimum_wager=200)
    with pytest.raises(InputError, match=r"give at least 50000$"):
        capped(SAME_SUIT, 100, 49_999)


def own(tmp_path: Path, wager: str, lines: str) -> tuple[Rulebook, str]:
    return added(tmp_path, f'[[wager]]\nbased_on = "{wager}"\n[wager.paytable.x]\n{lines}\n')


def test_a_cap_begins_to_cost_where_even_money_reaches_it(tmp_path: Path) -> None:
    book, identifier = own(tmp_path, "massachusetts/high-card-flush/flush-bonus", '"four-card flush" = "1 to 1"')
    assert analyze(identifier, set={"stake": 1, "cap": 70}, book=book).cap.untouched == 70


def test_a_cap_on_a_hand_that_is_not_paid_costs_at_no_stake(tmp_path: Path) -> None:
    book, identifier = own(tmp_path, "maryland/blackjack/lucky-ladies", '"any 20" = "4 to 1"')
    a = analyze(identifier, decks=6, set={"stake": 10**6, "cap": 25_000}, book=book)
    assert (a.cap.untouched, a.cap_cost) == (None, 0)


def test_amounts_show_cents_where_they_have_some() -> None:
    assert money(Fraction(50_000)) == "$50,000"
    assert money(Fraction(25_005, 2)) == "$12,502.50"


@pytest.mark.parametrize(("stake", "limits", "said"), [
    (101, {"maximum_wager": 100}, "a stake of 101 is above the maximum wager of 100"),
    (100, {"maximum_wager": 100}, ""),
])  # fmt: skip
def test_a_stake_that_cannot_be_wagered(stake: int, limits: dict[str, int], said: str) -> None:
    if said:
        with pytest.raises(InputError, match=said):
            analyze(KINGS, decks=6, set={"stake": stake, **limits})
    else:
        assert analyze(KINGS, decks=6, set={"stake": stake, **limits}).parameters["stake"] == stake
    with pytest.raises(InputError, match="a stake of 4 is below the minimum wager of 5"):
        analyze("maryland/high-card-flush/flush-bonus/A", set={"stake": 4, "minimum_wager": 5})
