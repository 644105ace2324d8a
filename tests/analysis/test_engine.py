"""Requests that are refused before a count, and the other parameters when one is solved for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from combin.analysis import engine
from combin.analysis.engine import analyze, analyze_all
from combin.base.errors import InputError
from combin.rulebook.book import Rulebook, shipped
from combin.rulebook.pays import parse_pay

from ..shared import added

MATCH = "maryland/blackjack/match-the-dealer"
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"
CHASE_WHEEL = "maryland/chase-the-flush/progressive/A"
#: Three cards of one suit.
TRIGGER = Fraction(4 * 286, 22_100)


@pytest.fixture
def nothing_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> None:
        raise AssertionError("something is counted")

    monkeypatch.setattr(engine, "_analysis", run)


@pytest.mark.parametrize(
    ("request_of", "why"),
    [
        (lambda: analyze_all(f"{MATCH}/6-decks", decks=6, without=[10] * 7), "Q"),
        (lambda: analyze_all(BAD_BEAT, decks=6, chart="none.toml"), "none.toml: there is no such file"),
        (lambda: analyze_all(f"{MATCH}/6-decks", decks=8), "is for 6 decks, not 8"),
        (lambda: analyze_all(CHASE_WHEEL, wheel={"$5 symbol": 1}), "has no weight"),
    ],
)
@pytest.mark.usefixtures("nothing_counted")
def test_what_is_wrong_is_said_before_anything_is_counted(request_of: Callable[[], object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        request_of()


def test_a_paytable_for_one_number_of_decks_is_computed_for_others_on_demand_alone() -> None:
    """§A(5) states the odds by the number of decks; the game takes one to eight decks."""
    with pytest.raises(InputError, match=r"6 decks, not 8 .*; give 6, or any_decks=True to ignore this restriction"):
        analyze(f"{MATCH}/6-decks", decks=8)
    for decks in (1, 8):
        a = analyze(f"{MATCH}/6-decks", decks=decks, any_decks=True)
        same = comb(decks - 1, 2)  # two more copies of the dealer's card
        assert a.combinations["two suited matches"] == 52 * decks * same
    for decks in (0, 9):
        with pytest.raises(InputError, match=f"{decks} decks are outside the range of 1 to 8; "):
            analyze(f"{MATCH}/6-decks", decks=decks, any_decks=True)
    with pytest.raises(InputError, match=r"is for 1 deck, not 6 "):
        analyze("maryland/blackjack/royal-match-21/A", decks=6)


def test_a_glob_leaves_out_what_does_not_fit_and_an_id_is_refused() -> None:
    left_out: list[tuple[str, int]] = []
    found = analyze_all(f"{MATCH}/*", decks=8, left_out=left_out)
    assert ([a.id for a in found], left_out) == ([f"{MATCH}/8-decks"], [(f"{MATCH}/6-decks", 8)])
    with pytest.raises(InputError, match="is for 6 decks, not 8"):
        analyze_all([f"{MATCH}/*", f"{MATCH}/6-decks"], decks=8)


def test_of_two_numbers_of_decks_one_must_be_named(tmp_path: Path) -> None:
    lines = f'[[wager]]\nbased_on = "{MATCH}"\n[wager.paytable.x]\ndecks = [6, 8]\n"one suited match" = "9 to 1"\n'
    book, identifier = added(tmp_path, lines)
    with pytest.raises(InputError, match="can be dealt from several numbers of decks; give one"):
        analyze(identifier, book=book)
    assert [a.decks for a in analyze_all(identifier, book=book)] == [6, 8]


def test_the_weights_of_a_file_are_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "wheel.toml"
    path.write_text('[weights]\n"$7 symbol" = 1\n', encoding="utf-8")
    with pytest.raises(InputError, match=r'wheel.toml: line 2, weights, \$7 symbol'):
        analyze_all(CHASE_WHEEL, wheel=str(path))


def solved(identifier: str, parameter: str, wanted: Fraction = Fraction(1), **request: Any) -> Fraction:
    found = analyze(identifier, **request).solve(parameter, wanted)
    assert isinstance(found, Fraction)
    return found


def test_solving_leaves_the_parameter_itself_open_and_the_others_as_they_are() -> None:
    """A return that adds 20 for 1 and 5 for 1 to `rest`."""
    set_ = {"meter": 0, "lucky_player_frequency": "1/1000"}
    rest = analyze(BAD_BEAT, decks=6, set=set_ | {"magic_card_frequency": 0}).returned
    wanted = (Fraction(1) - rest) / 20
    for magic in ({}, {"magic_card_frequency": "1/52"}):
        assert solved(BAD_BEAT, "magic_card_frequency", decks=6, set=set_ | magic) == wanted


def test_solving_the_stake_where_prizes_are_dollars() -> None:
    """The return is the mean prize over the stake."""
    values = {"spin_of_the_wheel": 60, "stake": 5}
    assert solved(CHASE_WHEEL, "stake", set=values) == 60 * TRIGGER
    assert solved(CHASE_WHEEL, "stake", Fraction(1, 2), set=values) == 120 * TRIGGER
    bonus = "maryland/blackjack/bonus-spin-progressive/B"
    spins = 1 - Fraction(288 * 287, 312 * 311)  # a five-dollar wager wins with any ace among two cards
    assert solved(bonus, "spin_of_the_wheel", decks=6, set={"stake": 5}) == 5 / spins


def test_solving_for_what_a_parameter_gives_at_zero() -> None:
    assert solved(CHASE_WHEEL, "spin_of_the_wheel", Fraction(0), set={"stake": 5}) == 0
    with pytest.raises(InputError, match=r"below zero, for a return of -1/999; at 0 the return is 0"):
        solved(CHASE_WHEEL, "spin_of_the_wheel", Fraction(-1, 999), set={"stake": 5})


def test_a_parameter_that_is_not_there() -> None:
    with pytest.raises(InputError, match='has no parameter "spin_of_the_whel"; did you mean'):
        solved(CHASE_WHEEL, "spin_of_the_whel")
    with pytest.raises(InputError, match='has no parameter "meter"; known: match_play'):
        solved("maryland/blackjack/insurance/A", "meter", decks=6)
    both = ('lucky_player_frequency, magic_card_frequency; '
            'set them: set={"lucky_player_frequency": VALUE, "magic_card_frequency": VALUE}')
    with pytest.raises(InputError, match=f"the return also depends on {both}"):
        solved(BAD_BEAT, "meter", decks=6)


def test_the_bounds_of_a_wheel_hold_what_is_paid_beside_its_spins() -> None:
    """A line that no document has: a pair of hole cards pays 3 for 1 in one of ten cases."""
    resolved = shipped().resolve(CHASE_WHEEL)
    beside = replace(resolved, lines=(*resolved.lines, ("a pair", parse_pay("3 for 1"))))
    values: Mapping[str, Any] = {"stake": Fraction(5), "fixed_prize_or_merchandise": Fraction(5000)}
    counts = {"three suited hole cards": 1144, "a pair": 2210}
    wheel = engine._wheel(beside, values, (), (), counts, 22_100)
    assert wheel is not None
    assert wheel.least.returned == Fraction(3, 10) + TRIGGER
    assert wheel.greatest.returned == Fraction(3, 10) + 1000 * TRIGGER


def test_a_paytable_is_resolved_and_checked_once_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: Counter[str] = Counter()

    def count(owner: object, name: str) -> None:
        real = getattr(owner, name)

        def called(*args: Any, **given: Any) -> Any:
            counted[name] += 1
            return real(*args, **given)

        monkeypatch.setattr(owner, name, called)

    count(Rulebook, "resolve")
    count(engine, "_check")
    found = analyze_all("maryland/blackjack/buster-blackjack/*", decks=6)
    assert len(found) == 6
    assert counted == {"resolve": 6, "_check": 6}
