"""Exact numbers to and from text."""

from fractions import Fraction

import pytest

from combin.base.errors import InputError
from combin.base.exact import decimal, decks, enclosure, grouped, percent, ratio, root, symbol


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/4", Fraction(3, 4)),
        ("0.75", Fraction(3, 4)),
        ("75%", Fraction(3, 4)),
        ("$10,000", Fraction(10000)),
        ("1,234.5", Fraction(2469, 2)),
        ("-1/3", Fraction(-1, 3)),
        (".5", Fraction(1, 2)),
        ("98.5 %", Fraction(197, 200)),
    ],
)
def test_a_ratio_is_read_exactly(text: str, value: Fraction) -> None:
    assert ratio(text) == value


@pytest.mark.parametrize(
    "text", ["", "x", "1e400", "nan", "inf", "1/0", "1/2/3", "1,23", "--1", "1" * 100, "٣", "0x10"]
)
def test_what_is_no_exact_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not an exact number"):
        ratio(text)


def test_an_amount_is_no_per_cent() -> None:
    assert ratio("$12,000", dollars=True) == 12_000
    with pytest.raises(InputError, match='the stake "5%" is a percentage, not an amount; write dollars'):
        ratio("5%", what="the stake", dollars=True)


def test_decimals_are_rounded_from_the_exact_value() -> None:
    assert decimal(Fraction(1, 3), 4) == "0.3333"
    assert decimal(Fraction(-2, 3), 2) == "-0.67"
    assert decimal(Fraction(-1, 10**4), 4) == "-0.0001"
    assert decimal(Fraction(1, 8), 2) == "0.12"  # half to even
    assert decimal(Fraction(7), 0) == "7"
    # A double cannot hold this; a detour through floats would round it up.
    assert decimal(Fraction(10**17 + 4, 10**17), 16) == "1.0000000000000000"
    assert percent(Fraction(200861, 2572780)) == "7.8072 %"
    assert grouped(133784560) == "133,784,560"


def test_a_root_is_cut_not_rounded() -> None:
    assert root(Fraction(9, 4)) == Fraction(3, 2)
    assert root(Fraction(2), 5) == Fraction(141421, 100000)
    assert root(Fraction(2)) == Fraction("1.414213562373")


def test_whole_numbers_are_exact_and_truths_are_not() -> None:
    assert ratio(3) == 3
    for truth in (True, False):
        with pytest.raises(InputError, match=f'"{truth}" is not an exact number'):
            ratio(truth)


def test_a_message_shows_sixty_signs() -> None:
    with pytest.raises(InputError, match=f'"{"x" * 60}" is not an exact number'):
        ratio("x" * 60)
    with pytest.raises(InputError, match=f'"{"x" * 59}…" is not an exact number'):
        ratio("x" * 61)


def test_one_deck_is_no_decks() -> None:
    assert (decks(1), decks(6)) == ("1 deck", "6 decks")


@pytest.mark.parametrize(
    ("factor", "bounds"),
    [(Fraction(1, 2), (Fraction(1, 2), Fraction(3, 2))), (Fraction(-1, 2), (Fraction(-3, 2), Fraction(-1, 2)))],
)
def test_a_term_lies_between_its_values_at_the_limits(factor: Fraction, bounds: tuple[Fraction, Fraction]) -> None:
    assert enclosure(factor * symbol("x"), {"x": (Fraction(1), Fraction(3))}) == bounds


def test_a_reciprocal_lies_between_the_reciprocals_of_the_limits() -> None:
    limits = {"x": (Fraction(2), Fraction(5)), "y": (Fraction(4), None)}
    assert enclosure(3 / symbol("x"), limits) == (Fraction(3, 5), Fraction(3, 2))
    assert enclosure(1 / symbol("x") ** 2, limits) == (Fraction(1, 25), Fraction(1, 4))
    assert enclosure(1 / symbol("y"), limits) == (0, Fraction(1, 4))
