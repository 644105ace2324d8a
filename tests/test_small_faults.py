"""Figures that a small fault in the Python would change, each checked against a value from outside."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import combin
from combin.base.errors import InputError
from combin.base.exact import MOST_DIGITS, ratio, root, symbol
from combin.rulebook.book import shipped
from combin.rulebook.pays import parse_pay
from combin.userfiles.paytables import add_file

WHEEL = "maryland/chase-the-flush/progressive/A"
FLUSH = "maryland/high-card-flush/flush-bonus"


def test_an_open_variance_is_the_second_moment_less_the_square_of_the_first() -> None:
    """Other players and a wheel without weights: two symbols stand for the two unknowns."""
    a = combin.analyze(WHEEL, set={"other_players": 2, "community_pay": 3, "stake": 1})
    spin = symbol("mean_square_of_a_spin")
    law = [(sympy.Rational(str(o.probability)), sympy.sympify(o.returned), o.spins) for o in a.outcomes]
    square = sum(p * (spin if spins else amount**2) for p, amount, spins in law)
    first = sum(p * amount for p, amount, _ in law)
    rest = sympy.expand(a.variance - square + first**2)
    assert len(rest.free_symbols) == 1
    assert rest.is_Symbol, "the variance of what is paid for other hands is left, and nothing else"
    assert a.additions


def test_the_volatility_index_is_1_959964_standard_deviations() -> None:
    a = combin.analyze(f"{FLUSH}/A")
    assert a.standard_deviation is not None
    assert a.volatility_index == Fraction("1.959964") * a.standard_deviation
    assert combin.analyze("maryland/high-card-flush/progressive/A").volatility_index is None


def test_the_top_pay_of_a_wheel_is_its_best_symbol_less_the_stake() -> None:
    """A wheel without weights: a jackpot of $100,000 at a stake of $5 is 19,999 to 1."""
    a = combin.analyze(WHEEL, set={"fixed_prize_or_merchandise": "100000", "stake": "5"})
    assert a.top_pay == 19_999


def test_odds_that_the_operator_sets() -> None:
    to, of = parse_pay("bonus to 1"), parse_pay("house odds for 1")
    assert (to.named_odds, to.stake_back) == ((("bonus", Fraction(1)),), True)
    assert (of.named_odds, of.stake_back) == ((("house_odds", Fraction(1)),), False)
    assert to.returned({"bonus": Fraction(7)}) == 8
    assert of.returned({"house_odds": Fraction(7)}) == 7


def test_roots_are_cut_at_twelve_decimals() -> None:
    assert root(Fraction(2)) == Fraction(1414213562373, 10**12)


def test_numbers_of_sixty_digits_are_read_and_longer_ones_refused() -> None:
    assert MOST_DIGITS == 60
    assert ratio("9" * 60) == 10**60 - 1
    with pytest.raises(InputError, match="is not an exact number"):
        ratio("9" * 61)


def test_an_unknown_is_not_negative() -> None:
    """Of 100 % and 10 % of one meter the whole is the greater: it and the $250 are left."""
    top = combin.analyze("maryland/high-card-flush/progressive/A").top_pay
    assert top == sympy.Max(249, symbol("meter") - 1)


def test_dollar_prizes_of_a_users_file_are_put_in_order_too(tmp_path: Path) -> None:
    """Pays are compared at a stake of one dollar, also if the stake is another one later."""
    own = tmp_path / "own.toml"
    head = f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.x]\n'
    own.write_text(head + '"seven-card flush" = "$250"\n"six-card flush" = "75 to 1"\n')
    _, found = add_file(shipped(), str(own))
    assert found == [f"{FLUSH}/x"]
    own.write_text(head + '"six-card flush" = "$250"\n"five-card flush" = "75 to 1"\n')
    add_file(shipped(), str(own))
    twins = '[[wager]]\nbased_on = "maryland/blackjack/pair"\n[wager.paytable.x]\n"pair" = "$5"\n"suited pair" = "{}"\n'
    for pay, refused in (("$6", True), ("4 to 1", False), ("5 to 1", True)):
        own.write_text(twins.format(pay))
        if refused:
            with pytest.raises(InputError, match='list "suited pair" before "pair"'):
                add_file(shipped(), str(own))
        else:
            add_file(shipped(), str(own))


def test_a_negative_stake_and_rates_above_the_wager_are_refused() -> None:
    for stake in ("0", "-1"):
        with pytest.raises(InputError, match="a stake is above 0"):
            combin.analyze("maryland/high-card-flush/progressive/A", set={"stake": stake})
