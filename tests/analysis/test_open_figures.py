"""Figures that an unknown leaves open, and wagers of which no prize can be won, end in no traceback."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.liability import exposure
from combin.analysis.model import Analysis
from combin.base.exact import text
from combin.rulebook.book import Rulebook, shipped
from combin.userfiles.paytables import add_file

from ..shared import Run

SAME = """
[[wager]]
id = "house/blackjack/same"
name = "Every deal wins the same dollars"
deal = "player 1, dealer 1"
decks = [2]
[wager.outcome]
"not an ace" = 'highest(player) <= "K"'
"ace" = 'highest(player) == "A"'
[wager.paytable.A]
"not an ace" = "$250"
"ace" = "$250"
"""
LEFT_OUT = """
[[wager]]
id = "house/poker/envy"
name = "Envy of a line that is left out at this stake"
deal = "player 5"
decks = [1]
[wager.outcome]
"two pair" = "two_pair(cards)"
[wager.only_at_stake]
"two pair" = "5"
[wager.setting.stake]
default = "1"
[wager.setting.other_players]
default = "3"
[wager.envy.A]
"two pair" = "$20"
[wager.paytable.A]
"two pair" = "3 to 1"
"""
PRECISIONS = """
[[wager]]
id = "house/blackjack/precisions"
name = "Roles seen with different precision"
deal = "player 2, upcard 1, hole card 1"
decks = [6]
[wager.outcome]
"nine, red and black" = 'total(player) == 9 and count(upcard, "red") == 1 and count(hole_card, "black 7h") == 1'
[wager.paytable.A]
"nine, red and black" = "10 to 1"
"""


def read(tmp_path: Path, toml: str) -> tuple[Rulebook, str]:
    path = tmp_path / "own.toml"
    path.write_text(toml, encoding="utf-8")
    book, [identifier] = add_file(shipped(), str(path))
    return book, identifier


def analysed(tmp_path: Path, toml: str, **asked: object) -> Analysis:
    book, identifier = read(tmp_path, toml)
    return analyze(identifier, book=book, **asked)


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
    read(tmp_path, toml)
    status, shown, _ = combin("check", str(tmp_path / "own.toml"), "--policy", policy)
    assert status in (0, 1)
    assert "policy" in shown


def test_a_spin_without_symbols_is_the_top_pay(tmp_path: Path) -> None:
    """Every deal spins a wheel whose symbols the paytable does not have."""
    a = analysed(tmp_path, SAME.replace('"$250"', '"spin of the wheel"').replace(
        "[wager.paytable.A]", '[wager.unknown.spin_of_the_wheel]\ntext = "prize"\n[wager.paytable.A]'))
    assert text(a.top_pay) == "spin_of_the_wheel/stake - 1"


SEVENS = """
[[wager]]
id = "harbor/blackjack/hot-three"
name = "Hot Three"
deal = "player 2, upcard 1"
decks = [6, 8]
[wager.outcome]
"suited 7-7-7" = 'suited(cards) and count(cards, "7") == 3'
"suited 21" = 'suited(cards) and total(cards) == 21'
[wager.paytable.A]
"suited 7-7-7" = "200 to 1"
"suited 21" = "20 to 1"
"""


@pytest.mark.parametrize(("decks", "most"), [(6, 2 * 200 + 5 * 20), (8, 3 * 200 + 4 * 20)])
def test_seats_share_the_upcard_of_a_bonus_on_three_sevens(decks: int, most: int, tmp_path: Path) -> None:
    """Five sevens of the upcard's suit are left in six decks, seven in eight: two seats, and three."""
    cost = exposure(analysed(tmp_path, SEVENS, decks=decks))
    assert cost is not None
    assert (cost.exact, cost.most) == (True, most)


HEARTS = """
[[wager]]
id = "harbor/carnival/hearts"
name = "Hearts"
deal = "player 3, board 4"
decks = [1]
[wager.outcome]
"eight to ace of hearts" = 'count(cards, "8h 9h Th Jh Qh Kh Ah") == 7'
"four of a kind on the board" = 'same_rank(board)'
"player flush" = 'suited(player)'
[wager.paytable.A]
"eight to ace of hearts" = "1000 to 1"
"four of a kind on the board" = "50 to 1"
"player flush" = "10 to 1"
"""


def test_a_wager_of_too_many_hands_has_a_bound(tmp_path: Path) -> None:
    cost = exposure(analysed(tmp_path, HEARTS))
    assert cost is not None
    assert (cost.exact, cost.most) == (False, cost.seats * 1000)


def test_the_liability_of_roles_that_are_seen_with_different_precision(tmp_path: Path) -> None:
    """All seven seats can have nine points under one pair of dealer's cards."""
    cost = exposure(analysed(tmp_path, PRECISIONS.replace("black 7h", "black")))
    assert cost is not None
    assert cost.most == 7 * 10
