"""Figures that an unknown leaves open, and wagers of which no prize can be won, end in no traceback."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.liability import exposure
from combin.base.exact import text

from ..shared import Run, added, analysed, wager_file

SAME = wager_file("player 1, dealer 1", {
    "not an ace": ('highest(player) <= "K"', "$250"), "ace": ('highest(player) == "A"', "$250"),
}, decks=(2,))
#: Envy of a line that is left out at this stake.
LEFT_OUT = wager_file("player 5", {"two pair": ("two_pair(cards)", "3 to 1")}, id="house/poker/envy", more="""
[wager.only_at_stake]
"two pair" = "5"
[wager.setting.stake]
default = "1"
[wager.setting.other_players]
default = "3"
[wager.envy.A]
"two pair" = "$20"
""")
#: Roles seen with different precision.
PRECISIONS = wager_file("player 2, upcard 1, hole card 1", {"nine, red and black": (
    'total(player) == 9 and count(upcard, "red") == 1 and count(hole_card, "black 7h") == 1', "10 to 1"),
}, decks=(6,))


def test_the_variance_may_be_known_where_the_return_is_not(tmp_path: Path) -> None:
    """$250 for any deal: the return is 250 for the stake, and it never varies."""
    a = analysed(tmp_path, SAME)
    assert (text(a.returned), a.variance) == ("250/stake", 0)
    assert a.range_after(1000) is None
    known = a.replace(set={"stake": "500"})
    assert known.range_after(1000) == (Fraction(1, 2), Fraction(1, 2), 1000)


def test_a_line_that_is_not_paid_at_the_stake_earns_no_envy_bonus(tmp_path: Path) -> None:
    a = analysed(tmp_path, LEFT_OUT)
    assert (a.additions, a.returned, a.top_pay) == ((), 0, -1)
    # 4 · 123,552 + 3 · 20 dollars for each of three others, of 2,598,960 hands; full houses are two pairs too.
    hands = 123_552 + 3_744
    assert analysed(tmp_path, LEFT_OUT, set={"stake": "5"}).returned == Fraction(hands * (4 + 3 * 20), 2_598_960)


@pytest.mark.parametrize("policy", ["combin:lenient", "combin:sound", "combin:strict"])
@pytest.mark.parametrize("toml", [SAME, LEFT_OUT], ids=["same", "left-out"])
def test_no_policy_ends_in_a_traceback(toml: str, policy: str, tmp_path: Path, combin: Run) -> None:
    added(tmp_path, toml)
    status, shown, _ = combin("check", str(tmp_path / "own.toml"), "--policy", policy)
    assert status in (0, 1)
    assert "policy" in shown


def test_a_spin_without_symbols_is_the_top_pay(tmp_path: Path) -> None:
    """Every deal spins a wheel whose symbols the paytable does not have."""
    a = analysed(tmp_path, SAME.replace('"$250"', '"spin of the wheel"').replace(
        "[wager.paytable.A]", '[wager.unknown.spin_of_the_wheel]\ntext = "prize"\n[wager.paytable.A]'))
    assert text(a.top_pay) == "spin_of_the_wheel/stake - 1"


SEVENS = wager_file("player 2, upcard 1", {
    "suited 7-7-7": ('suited(cards) and count(cards, "7") == 3', "200 to 1"),
    "suited 21": ("suited(cards) and total(cards) == 21", "20 to 1"),
}, decks=(6, 8))


@pytest.mark.parametrize(("decks", "most"), [(6, 2 * 200 + 5 * 20), (8, 3 * 200 + 4 * 20)])
def test_seats_share_the_upcard_of_a_bonus_on_three_sevens(decks: int, most: int, tmp_path: Path) -> None:
    """Five sevens of the upcard's suit are left in six decks, seven in eight: two seats, and three."""
    cost = exposure(analysed(tmp_path, SEVENS, decks=decks))
    assert cost is not None
    assert (cost.exact, cost.most) == (True, most)


HEARTS = wager_file("player 3, board 4", {
    "eight to ace of hearts": ('count(cards, "8h 9h Th Jh Qh Kh Ah") == 7', "1000 to 1"),
    "four of a kind on the board": ("same_rank(board)", "50 to 1"),
    "player flush": ("suited(player)", "10 to 1"),
})


def test_a_wager_of_too_many_hands_has_a_bound(tmp_path: Path) -> None:
    cost = exposure(analysed(tmp_path, HEARTS))
    assert cost is not None
    assert (cost.exact, cost.most) == (False, cost.seats * 1000)


def test_the_liability_of_roles_that_are_seen_with_different_precision(tmp_path: Path) -> None:
    """All seven seats can have nine points under one pair of dealer's cards."""
    cost = exposure(analysed(tmp_path, PRECISIONS.replace("black 7h", "black")))
    assert cost is not None
    assert cost.most == 7 * 10
