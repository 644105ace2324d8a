"""Each choice of a reading beside the chosen one has a figure of its own, or says why it has none."""

from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.analysis.other_readings import NotComputed
from combin.base.exact import symbol
from combin.games.model import Estimate
from combin.policy import check, read_policy
from combin.rulebook.book import shipped
from combin.views import json
from combin.views import model as views

MATCH = "maryland/blackjack/match-the-dealer/6-decks"
HIT_AND_RUN = "maryland/blackjack/hit-and-run-progressive/A"


def under(a: Analysis, reading: str, choice: str) -> Analysis | NotComputed:
    [found] = [b for r, c, b in a.alternatives() if (r, c) == (reading, choice)]
    return found


def match_the_dealer(decks: int, suited: int, unsuited: int) -> Fraction:
    """By hand: each of two cards is paid by itself, and the stake comes back once if either matches."""
    left = 52 * decks - 1
    matching = 4 * decks - 1
    paid = 2 * (suited * Fraction(decks - 1, left) + unsuited * Fraction(3 * decks, left))
    return paid + 1 - Fraction(comb(left - matching, 2), comb(left, 2))


def four_cards(decks: int, four: int, two_pair: int, three: int, pair: int) -> Fraction:
    """Super Match by hand: four cards from 13 ranks of 4 x decks cards each."""
    n = 4 * decks
    ways = {
        four: 13 * comb(n, 4),
        two_pair: comb(13, 2) * comb(n, 2) ** 2,
        three: 13 * comb(n, 3) * 12 * n,
        pair: 13 * comb(n, 2) * comb(12, 2) * n * n,
    }
    return Fraction(sum((odds + 1) * count for odds, count in ways.items()), comb(52 * decks, 4))


@pytest.mark.parametrize(("identifier", "decks", "in_play", "returned"), [
    (MATCH, 6, 3, match_the_dealer(3, 11, 4)),
    ("maryland/blackjack/match-the-dealer/8-decks", 8, 4, match_the_dealer(4, 14, 3)),
    ("maryland/blackjack/super-match/6-decks", 6, 3, four_cards(3, 40, 8, 5, 1)),
    # One deck holds no suited pair. The second card has the rank of the first with probability 3/51.
    ("maryland/blackjack/bet-the-set-21/B", 2, 1, Fraction(11, 17)),
])  # fmt: skip
def test_decks_of_the_table_leave_half_of_them_in_play(
    identifier: str, decks: int, in_play: int, returned: Fraction
) -> None:
    a = analyze(identifier, decks=decks)
    b = under(a, "decks-used", "at-table")
    assert isinstance(b, Analysis)
    assert (b.decks, b.returned) == (in_play, returned)
    assert a.return_range is not None
    assert a.return_range[0].value <= returned < a.returned
    assert a.return_range[0].decks == in_play
    assert not a.not_computed


def test_three_decks_in_play_return_31_of_35() -> None:
    assert match_the_dealer(3, 11, 4) == Fraction(31, 35)


def test_a_number_of_decks_that_the_paytable_is_not_for_is_not_computed() -> None:
    a = analyze(MATCH, decks=3, reading={"decks-used": "at-table"})
    b = under(a, "decks-used", "in-play")
    assert b == NotComputed("decks-used", "in-play", "the paytable is then for 6 decks in play, not 3")
    assert a.not_computed == (b,)
    assert {x.decks for x in a.under_all_readings()} == {3}


def test_what_is_asked_at_the_table_is_shown_with_both_numbers_in_play() -> None:
    book = shipped()
    assert book.default_decks(book.resolve(MATCH, {"decks-used": "at-table"})) == [3, 6]
    assert book.default_decks(book.resolve(MATCH)) == [6]


def test_a_refused_choice_has_no_figure_and_says_why() -> None:
    a = analyze(HIT_AND_RUN, decks=6, set={"meter": 1000})
    b = under(a, "dealer-completes-hand", "only-if-needed")
    assert isinstance(b, NotComputed)
    assert "depends on every player at the table" in b.why
    assert a.not_computed == (b,)
    assert all(x.readings["dealer-completes-hand"] == "always" for x in a.under_all_readings())


POLICY = """
[[rule]]
name = "floor"
applies_to = ["maryland/blackjack/match-the-dealer/6-decks", "maryland/blackjack/hit-and-run-progressive/A"]
readings = "all"
decks = [6]
return_min = "90%"
[rule.set]
meter = "1000000"
stake = "1"
"""


def test_a_policy_on_all_readings_sees_every_computed_choice_and_names_the_others(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(POLICY, encoding="utf-8")
    match, run = check(shipped(), [MATCH, HIT_AND_RUN], read_policy(str(path))).verdicts
    # 31/35 is below the floor already, and the other reading returns less.
    assert (match.status, match.decks) == ("fail", 6)
    assert "decks-used=at-table with 3 decks in play" in match.message
    assert run.status == "pass"
    assert run.message.endswith("; not computed: dealer-completes-hand=only-if-needed")


def test_an_estimate_stands_where_a_figure_stays_open() -> None:
    whole = analyze("maryland/high-card-flush/base/A")
    guess = Estimate(Fraction(43, 100), Fraction(1, 1000), "some rounds")
    game = replace(whole.game, win_frequency=symbol("rounds_won"),
                   estimate=lambda: {"win_frequency": guess, "variance": guess})
    a = replace(whole, game=game)
    shown = {f.name: f.words for f in views.figures(a)}
    assert shown["win frequency"].startswith("0.430000 ± 0.001000 (estimate")
    assert "estimate" not in shown["variance"]  # the variance is known exactly
    assert json.record(a)["estimates"]["win_frequency"]["standard_error"] == 0.001
