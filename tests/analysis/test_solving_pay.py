"""Pays of games that a file describes: solved for a return and searched in a box, the play solved again."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files

import pytest

import combin
from combin.analysis.solving_pay import same_play, slope
from combin.base.errors import InputError
from combin.tools.design import search, spans, with_pays
from combin.userfiles.collected import collect


def analysed(name: str) -> combin.Analysis:
    book, (identifier,) = collect([str(files("combin") / "templates" / f"{name}.toml")])
    return combin.analyze(identifier, book=book)


def test_a_bonus_that_does_not_change_the_play() -> None:
    a = analysed("three-card-poker")
    line = "ante bonus: straight"
    assert slope(a, line) == Fraction(720, 22100)  # every straight is played
    found = a.solve(line, Fraction(1))
    assert found == 1 + (1 - a.returned) / Fraction(720, 22100)
    assert same_play(a, line, found, Fraction(1))


def test_a_pay_at_which_the_play_changes() -> None:
    a = analysed("mississippi-stud")
    found = a.solve("each: straight", Fraction(97, 100))
    assert not same_play(a, "each: straight", found, Fraction(97, 100))
    again = with_pays(a, {"each: straight": f"{found.numerator} to {found.denominator}"})
    assert again.returned == Fraction(97, 100)


@pytest.mark.parametrize(("line", "said"), [
    ("each: straigh", 'did you mean "each: straight"'), ("each: less", "loses its stake"),
])
def test_other_names_are_refused(line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        analysed("let-it-ride").solve(line, Fraction(1))


def test_no_pay_gives_so_small_a_return() -> None:
    with pytest.raises(InputError, match="no pay of 0 or more"):
        analysed("three-card-poker").solve("ante bonus: straight", Fraction(1, 2))


def test_every_paytable_of_a_box_is_solved_again() -> None:
    a = analysed("mississippi-stud")
    found = search(a, spans(a, ["each: straight=4..5"]), Fraction(9, 10), Fraction(1))
    assert [(d.pays["each: straight"], f"{float(100 * d.house_edge):.4f}") for d in found] == [
        ("4 to 1", "4.9149"), ("5 to 1", "3.7591")]
