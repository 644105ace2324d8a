"""Exact figures against values from outside: closed forms, published counts, readings worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from types import SimpleNamespace

import pytest
import sympy

from combin.analysis.engine import analyze, analyze_all, run
from combin.analysis.model import Analysis
from combin.analysis.request import Request
from combin.base import caches, store
from combin.base.errors import InputError
from combin.base.exact import symbol
from combin.base.work import means
from combin.rulebook.book import Rulebook

HANDS = comb(52, 7)
#: Longest flush of seven cards, in closed form.
FLUSHES = {
    "seven-card flush": 4 * comb(13, 7),
    "six-card flush": 4 * comb(13, 6) * 39,
    "five-card flush": 4 * comb(13, 5) * comb(39, 2),
    "four-card flush": 4 * comb(13, 4) * comb(39, 3),
}


def test_flush_bonus_by_closed_form() -> None:
    a = analyze("maryland/high-card-flush/flush-bonus/A")
    assert {k: v for k, v in a.combinations.items() if k != "loss"} == FLUSHES
    assert a.deals == HANDS == sum(a.combinations.values())
    assert a.classes == 6_009_159
    won = sum(FLUSHES[k] * (n + 1) for k, n in zip(FLUSHES, (300, 100, 10, 1), strict=True))
    assert a.rtp == sympy.Rational(won, HANDS)
    assert a.house_edge == 1 - Fraction(won, HANDS)
    assert a.hit_frequency == Fraction(sum(FLUSHES.values()), HANDS)
    second = sum(FLUSHES[k] * (n + 1) ** 2 for k, n in zip(FLUSHES, (300, 100, 10, 1), strict=True))
    assert a.variance == Fraction(second, HANDS) - Fraction(won, HANDS) ** 2
    assert a.standard_deviation is not None
    assert 0 <= a.variance - a.standard_deviation**2 < Fraction(1, 10**9)
    assert sum(o.contribution for o in a.outcomes) == a.returned
    assert a.top_pay == 300


def test_lucky_ladies_by_closed_form() -> None:
    """Six decks: pairs of the queen of hearts, and every 20, counted with binomials."""
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    dealer = comb(310, 2)
    queens = comb(6, 2)
    natural = 24 * (96 - 2)
    assert a.deals == comb(312, 2) * dealer
    assert a.combinations["queen of hearts pair and dealer blackjack"] == queens * natural
    assert a.combinations["queen of hearts pair"] == queens * (dealer - natural)
    assert a.combinations["matched 20"] == 15 * comb(6, 2) * dealer
    tens_suited = 4 * (comb(24, 2) - 4 * comb(6, 2))
    assert a.combinations["suited 20"] == (tens_suited + 4 * 36) * dealer
    tens_offsuit = comb(96, 2) - 4 * comb(24, 2)
    assert a.combinations["any 20"] == (tens_offsuit + 12 * 36) * dealer


def test_a_reading_changes_the_figure_and_the_range_holds_both() -> None:
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    b = a.replace(reading={"ace-nine-is-20": "no"})
    suited, offsuit = Fraction(4 * 36, comb(312, 2)), Fraction(12 * 36, comb(312, 2))
    assert a.returned - b.returned == suited * 11 + offsuit * 5
    assert a.return_range is not None
    assert (a.return_range[0].value, a.return_range[1].value) == (b.returned, a.returned)
    assert a.return_range[0].readings["ace-nine-is-20"] == "no"


def test_massachusetts_shifted_row_both_ways() -> None:
    """The finding has four figures: two with the printed row and two with Maryland's row."""
    counts = dict(FLUSHES)
    for letter, (seven, six, five, printed, maryland) in {
        "B": (100, 20, 10, 1, 2),
        "E": (200, 60, 12, 2, 1),
        "I": (150, 20, 10, 1, 2),
        "K": (400, 100, 10, 2, 1),
    }.items():
        a = analyze(f"massachusetts/high-card-flush/flush-bonus/{letter}")
        for reading, four in (("as-printed", printed), ("as-maryland", maryland)):
            pays = dict(zip(counts, (seven, six, five, four), strict=True))
            exact = Fraction(sum(counts[k] * (n + 1) for k, n in pays.items()), HANDS)
            assert a.replace(reading={"four-card-flush-row": reading}).returned == exact
        favours = a.returned > 1
        assert favours == (letter in "EK")


def test_two_suited_matches_pay_twice_with_one_stake() -> None:
    a = analyze("maryland/blackjack/match-the-dealer/6-decks")
    returned = {o.outcome: o.returned for o in a.outcomes}
    assert returned["two suited matches"] == 1 + 11 + 11
    assert returned["one suited and one unsuited match"] == 1 + 11 + 4
    assert a.combinations["two suited matches"] == 52 * 6 * comb(5, 2)
    assert a.combinations["two unsuited matches"] == 52 * 6 * comb(18, 2)


def test_an_unknown_stays_an_expression_and_solve_inverts_it() -> None:
    a = analyze("maryland/high-card-flush/progressive/A")
    assert a.unknowns == ("meter",)
    assert a.coefficients is not None
    sevens, sixes = 4 * 8, 1592
    assert a.coefficients["meter"] == Fraction(sevens, HANDS) + Fraction(sixes, HANDS) / 10
    meter = a.solve("meter", Fraction(1))
    assert a.replace(set={"meter": meter}).returned == 1
    assert a.standard_deviation is None
    with pytest.raises(InputError, match="no parameter"):
        a.solve("metre", Fraction(1))
    with pytest.raises(InputError, match='no parameter of these wagers is called "metre"; did you mean "meter"'):
        a.replace(set={"metre": 5})


def test_a_set_unknown_gives_numbers() -> None:
    open_one = analyze("massachusetts/high-card-flush/straight-flush-bonus/G")
    assert len(open_one.unknowns) == 5
    values = dict(zip(open_one.unknowns, ("100", "8000", "1000", "7", "60"), strict=True))
    assert [k.split("_")[1] for k in values] == ["five", "four", "seven", "six", "three"]
    table_a = {"five": "100", "four": "60", "seven": "8000", "six": "1000", "three": "7"}
    values = {k: table_a[k.split("_")[1]] for k in open_one.unknowns}
    assert (
        open_one.replace(set=values).returned
        == analyze("massachusetts/high-card-flush/straight-flush-bonus/A").returned
    )


def test_insurance_is_conditional_on_an_ace() -> None:
    a = analyze("maryland/blackjack/insurance/A", decks=6)
    assert a.condition == "upcard is an ace"
    assert a.returned == 3 * Fraction(96, 311)
    assert analyze("maryland/blackjack/insurance/A", decks=6, without="Tc Td").returned == 3 * Fraction(94, 309)


def test_high_card_flush_base_game() -> None:
    a = analyze("maryland/high-card-flush/base/A")
    assert a.deals == HANDS * comb(45, 7)
    assert a.game.frequencies["dealer_qualifies"] == Fraction(100_825_036, HANDS)
    assert a.returned == 1 + a.game.expected_value
    assert sum(a.game.choices.values()) == 1
    assert a.game.win_frequency + a.game.push_frequency + a.game.loss_frequency == 1
    staked = {"fold": 1, "raise 1x": 2, "raise 2x": 3, "raise 3x": 4}
    assert a.game.average_wager == sum(staked[k] * p for k, p in a.game.choices.items())


def test_decks_are_held_to_the_rule() -> None:
    with pytest.raises(InputError, match=r"for 6 decks, not 8 \(Ch. 13 §A\(5\)\(a\)\)"):
        analyze("maryland/blackjack/match-the-dealer/6-decks", decks=8)
    assert analyze("maryland/blackjack/match-the-dealer/6-decks", decks=8, any_decks=True).decks == 8
    assert [a.decks for a in analyze_all("maryland/blackjack/bet-the-set-21/C")] == [4, 6, 8]
    left_out: list[tuple[str, int]] = []
    found = analyze_all("maryland/blackjack/bet-the-set-21/*", decks=2, left_out=left_out)
    assert [a.id[-1] for a in found] == ["B"]
    assert len(left_out) == 3


def test_objects_are_frozen_and_print_well() -> None:
    a = analyze("maryland/high-card-flush/flush-bonus/A")
    with pytest.raises(AttributeError):
        a.decks = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        a.combinations["loss"] = 1  # type: ignore[index]
    assert "6,864" in str(a)
    assert repr(a) == "<Analysis maryland/high-card-flush/flush-bonus/A, 1 deck: return 0.92192842>"
    assert "<table>" in a._repr_html_()


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ({"identifier": "maryland/high-card-flush/flush-bonus/Z"}, "no paytable"),
        ({"identifier": "maryland/blackjack/lucky-ladies/A"}, "several numbers of decks"),
        ({"identifier": "maryland/high-card-flush/flush-bonus/A", "set": {"meter": 1}}, "no parameter"),
        ({"identifier": "maryland/high-card-flush/flush-bonus/A", "reading": {"x": "y"}}, "no reading"),
        ({"identifier": "maryland/high-card-flush/progressive/A", "set": {"meter": "-1"}}, "cannot be -1"),
        ({"identifier": "massachusetts/high-card-flush/progressive/A", "set": {"stake": "2"}}, "fixed at 1"),
        ({"identifier": "maryland/high-card-flush/flush-bonus/A", "without": "Qh"}, "one full deck"),
    ],
)
def test_bad_requests_are_refused(call: dict, why: str) -> None:
    identifier = call.pop("identifier")
    with pytest.raises(InputError, match=why):
        analyze(identifier, **call)


def test_the_variance_with_other_players_is_ones_own_and_what_is_open() -> None:
    identifier = "maryland/high-card-flush/progressive/C"
    alone, beside = (analyze(identifier, set={"other_players": n}) for n in (0, 2))
    assert sympy.expand(beside.variance - symbol("variance_of_additions") - alone.variance) == 0


def test_the_normal_range_is_1_959964_standard_deviations_of_the_mean() -> None:
    """The variance of the mean of n rounds is the variance of one round divided by n."""
    a = analyze("maryland/high-card-flush/flush-bonus/A")
    least, greatest, tops = a.range_after(10_000)
    assert least + greatest == 2 * a.returned
    half = (greatest - least) / 2
    assert abs(half**2 / Fraction("1.959964") ** 2 - a.variance / 10_000) < Fraction(1, 10**12)
    assert tops == Fraction(10_000 * 4 * comb(13, 7), HANDS)
    assert a.range_after(1)[0] == 0


def test_an_open_return_has_a_range_where_nothing_is_to_be_chosen() -> None:
    """How several winners are paid bears on no round of 21+3. Hit & Run has other choices of two readings."""
    alone = analyze("maryland/blackjack/21-plus-3-progressive/A", decks=6)
    assert alone.return_range[0].readings == {"several-winners": "in-turn"}
    assert [end.value for end in alone.return_range] == [alone.returned] * 2
    assert analyze("maryland/blackjack/hit-and-run-progressive/A", decks=6).return_range is None


def test_the_open_variance_of_a_spin() -> None:
    """A prize with mean m and mean square s is won with probability p: the variance is p s - (p m)²."""
    a = analyze("maryland/chase-the-flush/progressive/A", set={"stake": 1})
    p = sympy.Rational(4 * 286, 22_100)
    mean, square = symbol("spin_of_the_wheel"), symbol("mean_square_of_a_spin")
    assert sympy.expand(a.variance - (p * square - (p * mean) ** 2)) == 0


def test_a_return_in_a_product_of_two_unknowns_has_no_coefficients() -> None:
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=6)
    assert a.unknowns == ("contribution_rate", "stake")
    assert a.coefficients is None
    assert a.replace(set={"stake": 5}).coefficients.keys() == {"1", "contribution_rate"}


@pytest.mark.parametrize(
    ("choices", "frequencies_only", "suits_only", "settled"),
    [(1, False, False, True), (2, True, False, True), (2, False, True, True), (2, False, False, False)],
)
def test_choices_that_bear_on_an_open_return_leave_its_range_open(
    choices: int, frequencies_only: bool, suits_only: bool, settled: bool
) -> None:
    a = analyze("maryland/blackjack/21-plus-3-progressive/A", decks=6)
    reading = SimpleNamespace(computed=[None] * choices, frequencies_only=frequencies_only, suits_only=suits_only)
    other = replace(a, book=SimpleNamespace(readings_of=lambda _: [reading]))
    assert (other.return_range is not None) == settled


@pytest.mark.parametrize(("identifier", "reading"), [
    ("maryland/blackjack/21-plus-3-progressive/B", "designated-suit"),
    ("maryland/blackjack/super-4-progressive/D", "chosen-suit"),
])  # fmt: skip
def test_a_suit_that_is_chosen_changes_nothing_in_a_full_shoe(identifier: str, reading: str) -> None:
    """Every suit has as many cards; with a card out of the shoe, or a side preferred, suits differ."""
    a = analyze(identifier, decks=6)
    suits = [a.replace(reading={reading: suit}) for suit in ("clubs", "diamonds", "hearts", "spades")]
    assert len({str(other.returned) for other in suits}) == 1
    if others := [r for r in a.book.readings_of(identifier) if not (r.suits_only or r.frequencies_only)]:
        assert [r.id for r in others] == ["super-4-blackjack"]  # the ace up or either card: the return changes
        assert a.return_range is None
    else:
        assert a.return_range is not None
        assert [end.value for end in a.return_range] == [a.returned, a.returned]
    one_out = analyze(identifier, decks=6, without="As")
    assert len({str(one_out.replace(reading={reading: s}).returned) for s in ("hearts", "spades")}) == 2
    assert one_out.return_range is None
    flagged = [r.id for r in a.book.readings_of(identifier) if r.suits_only]
    assert flagged == [reading]


def test_another_number_of_decks_stays_where_something_else_is_changed() -> None:
    identifier = "maryland/blackjack/match-the-dealer/6-decks"
    a = analyze(identifier, decks=8, any_decks=True)
    assert a.replace(without=[0]).deals < a.deals


def test_the_range_of_a_game_is_read_from_the_store_and_follows_from_the_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wager on dealt cards stands for a game. Of 103 second cards 1 makes a suited pair and 6 another.

    Under the reading ``at-table`` one deck is in play: 3 of 51 make a pair.
    """
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    asked = []

    def ask(book: Rulebook, request: Request) -> Analysis:
        asked.append(request.id)
        return run(book, request)

    for pair, made in ((10, 1), (9, 2), (10, 2)):
        caches.empty()
        a = analyze("maryland/blackjack/bet-the-set-21/B", decks=2, pays={"pair": f"{pair} to 1"})
        game = replace(a, game=SimpleNamespace(alone={}), ask=ask)
        with means(cache=True, workers=1):
            assert game.return_range is not None
            assert [end.value for end in game.return_range] == [
                Fraction(3 * (pair + 1), 51), Fraction(26 + 6 * (pair + 1), 103)]
            assert game.not_computed == a.not_computed
        assert len(asked) == made
