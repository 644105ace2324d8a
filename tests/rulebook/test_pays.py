"""Pays as the documents write them, and their returns."""

from fractions import Fraction

import pytest

from combin.base.errors import InputError
from combin.rulebook.pays import Pay, parse_pay


@pytest.mark.parametrize(
    ("text", "returned"),
    [
        ("300 to 1", 301),
        ("1,000 to 1", 1001),
        ("2.5 to 1", Fraction(7, 2)),
        ("3 to 2", Fraction(5, 2)),
        ("0 to 1", 1),
        ("push", 1),
        ("50 for 1", 50),
        ("$250", 50),  # five dollars staked
        ("$5 + $10", 3),
        ("1 to 1 + $5", 3),
        ("100% of main meter", 2000),
        ("10 percent of the meter", 40),
        ("11 to 1 + 11 to 1", 23),  # the stake comes back once
        ("10 to 1 + 1,000 for 1", 1011),
        ("250 to 1 + 100% of the meter", 251 + 400),
        ("19 to 20", Fraction(39, 20)),
        ("-1/2", Fraction(1, 2)),
        ("-0.5", Fraction(1, 2)),
        ("-2", -1),
        ("-1/2 + $5", Fraction(3, 2)),
        ("10% of the bread and butter", 1),
        ("Bonus", 8),
        ("spin of the wheel", 20),
    ],
)
def test_what_a_pay_returns(text: str, returned: Fraction) -> None:
    values = {
        "stake": Fraction(5),
        "main_meter": Fraction(10000),
        "meter": Fraction(2000),
        "bread_and_butter": Fraction(50),
        "bonus_any_pair": Fraction(7),
        "spin_of_the_wheel": Fraction(100),
    }
    assert parse_pay(text, "any pair").returned(values) == returned


def test_a_prize_may_leave_the_stake() -> None:
    assert parse_pay("$3").returned({"stake": Fraction(1)}, prize_returns_stake=True) == 4


def test_a_number_of_thirty_digits_is_read_and_a_longer_one_refused() -> None:
    assert parse_pay("9" * 30 + " for 1").odds == 10**30 - 1
    with pytest.raises(InputError, match=f'the pay "{"9" * 31} for 1…" has too many digits; write at most 30'):
        parse_pay("9" * 31 + " for 1")
    with pytest.raises(InputError, match=f'the pay "{"9" * 40}…" has too many digits'):
        parse_pay("9" * 41 + " for 1")


def test_a_term_of_120_signs_is_read_and_a_longer_one_refused() -> None:
    assert parse_pay("1% of " + "m" * 114).unknowns == ("m" * 114,)
    with pytest.raises(InputError, match="is too long"):
        parse_pay("1% of " + "m" * 115)


def test_a_pay_without_a_word_of_the_stake_keeps_it() -> None:
    assert Pay("nothing").returned({}) == 0


def test_an_open_meter_is_a_symbol() -> None:
    assert str(parse_pay("10% of the meter").returned({"stake": Fraction(5), "meter": None})) == "meter/50"


@pytest.mark.parametrize(
    "text",
    ["300 too 1", "-5 to 1", "-0", "-1/0", "--1", "-1/-2",
     "1e400 to 1", "0.1 to 0", "", "5", "5:1", "$", "$-3", "% of meter", "1" * 80 + " to 1"],
)
def test_what_is_no_pay_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_pay(text)
    (only,) = caught.value.faults
    assert only.what
    assert only.remedy
    assert "\n" not in str(only)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("250 to 1 and 100% of the meter", "250 to 1 + 100% of the meter"),
        ("250 to 1 plus 100% of the meter", "250 to 1 + 100% of the meter"),
        ("100% of the meter and 250 to 1", "100% of the meter + 250 to 1"),
        ("5 to 1 & $10 plus 10% of the meter", "5 to 1 + $10 + 10% of the meter"),
    ],
)
def test_pays_are_joined_by_a_sign(text: str, remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_pay(text)
    assert str(caught.value) == f'the pay "{text}" joins pays with a word; write "{remedy}"'
    assert parse_pay(remedy).returned({"stake": Fraction(1), "meter": Fraction(100)}) >= 26
