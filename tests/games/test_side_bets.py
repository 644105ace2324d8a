"""Side bets that depend on the play of the base game: the dollars at stake, and the cards that a raise keeps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import combin
from combin.base.errors import InputError
from combin.games.high_card_flush import rules as high_rules
from combin.games.high_card_flush import side_bets
from combin.games.high_card_flush import solve as high
from combin.verify import verify
from combin.verify.flush_games import ante_and_raise
from combin.verify.model import VERIFIED

MASS = "massachusetts/high-card-flush"
KEPT = {"discards-and-bonus": "kept-cards-only"}


@pytest.fixture(scope="module")
def bonus() -> Any:
    return combin.analyze(f"{MASS}/straight-flush-bonus/A", reading=KEPT).resolved


@pytest.fixture(scope="module")
def game() -> high.FlushGame:
    return high_rules.game_of(combin.analyze(f"{MASS}/base/A").resolved)


def played(bonus: Any, game: high.FlushGame, ante: str, **values: Fraction) -> high.HighCardSolution:
    return side_bets.together(bonus, game, high.by_features("both"), values, Fraction(ante))


def test_the_play_depends_on_how_many_antes_the_stake_is(bonus: Any, game: high.FlushGame) -> None:
    """Twice the ante and stake double every utility, so the play stays. Twice the stake alone changes the play."""
    cells = played(bonus, game, "10", stake=Fraction(1)).cells
    for ante, stake in (("5/2", Fraction(1, 4)), ("30", Fraction(3)), ("1/6", Fraction(1, 60))):
        assert (played(bonus, game, ante, stake=stake).cells == cells).all()
    assert (played(bonus, game, "10").cells == cells).all()  # the stake is a dollar unless stated
    assert (played(bonus, game, "10", stake=Fraction(2)).cells != cells).any()


def test_dollars_of_a_round_are_those_of_both_wagers(bonus: Any, game: high.FlushGame) -> None:
    """Settled once more from the table of held hands; a pay "to 1" gives the stake back."""
    codes, ante, stake = high.by_features("both"), Fraction(1, 2), Fraction(5)
    solved = played(bonus, game, "1/2", stake=stake)
    pays = {7: 8000, 6: 1000, 5: 100, 4: 60, 3: 7}
    utility = ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}).utility
    dollars = Fraction(0)
    for length, code, choice, qualifies, result in zip(*np.nonzero(solved.cells), strict=True):
        label = codes.labels[code]
        run = label.kept if choice else label.straight_flush
        won = ante * int(utility[choice, qualifies, result, length]) + stake * (pays.get(run, -1) + 1)
        dollars += won * int(solved.cells[length, code, choice, qualifies, result])
    assert solved.expected == dollars / high.DEALS * 2  # in half dollars, the unit common to both wagers


def test_a_raiser_who_discards_keeps_no_four_of_a_kind(bonus: Any) -> None:
    """The kept cards have one suit, so no two have the same rank."""
    labels = [high.Features(3, 2, True, False), high.Features(4, 4, False, True)] * 2
    raised = np.array([True, True, False, False])
    table, _ = side_bets.features(bonus, labels, raised, np.ones(4, dtype=np.int64))
    assert table["quads"].tolist() == [0, 0, 1, 0]
    assert table["straight_flush_both"].tolist() == table["straight_flush_high"].tolist() == [2, 4, 3, 4]
    assert table["nine_to_ace"].tolist() == [0, 1, 0, 1]
    assert table["eligible"].tolist() == [1, 1, 1, 1]
    assert (table.deals, table.classes) == (4, 6_009_159)


def test_an_ante_of_nothing_is_refused() -> None:
    chosen = {"main_meter": "10000", "ante": "0"}
    with pytest.raises(InputError) as refused:
        combin.analyze(f"{MASS}/progressive/A", set=chosen)
    assert str(refused.value) == "set: ante cannot be 0; give the ante in dollars, above 0"


def test_an_open_pay_is_named_where_both_are_played_for() -> None:
    with pytest.raises(InputError) as refused:
        combin.analyze(f"{MASS}/progressive/A", set={"ante": "5"})
    assert str(refused.value) == (
        'set: the best play for both wagers depends on main_meter; set it: set={"main_meter": VALUE}'
    )
    bonus = f"{MASS}/straight-flush-bonus/G"
    names = sorted(f"bonus_{n}_card_straight_flush" for n in ("three", "four", "five", "six", "seven"))
    with pytest.raises(InputError) as refused:
        combin.analyze(bonus, set={"ante": "5"}, reading=KEPT)
    assert str(refused.value) == (
        f"set: the best play for both wagers depends on {', '.join(names)}; set it: set={{\"{names[0]}\": VALUE}}"
    )


ELECTED = """\
[[wager]]
based_on = "massachusetts/high-card-flush/straight-flush-bonus"
[wager.paytable.x]
"seven-card straight flush of spades" = "10000 to 1"
"seven-card straight flush of clubs" = "9000 to 1"
"seven-card straight flush" = "8000 to 1"
"six-card straight flush" = "1000 to 1"
"five-card straight flush" = "100 to 1"
"four-card straight flush" = "60 to 1"
"three-card straight flush" = "7 to 1"
"""


@pytest.mark.slow
@pytest.mark.parametrize(("discards", "ante"), [("all-seven", {}), ("kept-cards-only", {"ante": "10"})])
def test_an_elected_suit_has_eight_straight_flushes(tmp_path: Any, discards: str, ante: dict[str, str]) -> None:
    """Massachusetts 5(c)(2): seven ranks in sequence start at an ace to an eight. No card of them is discarded."""
    (tmp_path / "x.toml").write_text(ELECTED)
    (a,) = combin.analyze_all(str(tmp_path / "x.toml"), reading={"discards-and-bonus": discards}, set=ante)
    counts = {o.outcome: o.combinations for o in a.outcomes}
    assert [counts[f"seven-card straight flush{suit}"] for suit in (" of spades", " of clubs", "")] == [8, 8, 16]
    plain = combin.analyze(f"{MASS}/straight-flush-bonus/A", reading={"discards-and-bonus": discards}, set=ante)
    more = Fraction(8 * 2000 + 8 * 1000, 133_784_560)
    assert a.returned - plain.returned == more
    assert verify(a).state == VERIFIED
