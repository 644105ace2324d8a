"""Records go through JSON text and come back equal; a text that names anything else is refused."""

import json
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import sympy

from combin.base.exact import Truncated, symbol
from combin.base.record_json import from_plain, to_plain
from combin.deals.cards import Shoe
from combin.games.blackjack.split_values import HandLaw
from combin.policy.model import Verdict


def through_text(value: Any) -> Any:
    return from_plain(json.loads(json.dumps(to_plain(value))))


VALUES = [
    None, True, 0, -3, 10**40, 0.1, "", "a \u202e b", date(2026, 2, 28), Fraction(-1, 3), Truncated(Fraction(1, 7)),
    (), (1, (2,)), [1, "x"], {"a": 1, 2: (3,)}, {Fraction(1, 2): "half"},
    symbol("meter") / 3 + 2, sympy.Max(symbol("meter"), 5), Verdict("pass", "a requirement", decks=6),
    HandLaw(Fraction(1, 3), 0, 1, 2, 3, 4),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back(value: Any) -> None:
    found = through_text(value)
    assert (found, type(found)) == (value, type(value))


def test_a_view_stays_one_that_cannot_be_written() -> None:
    found = through_text(MappingProxyType({"a": (1,)}))
    assert isinstance(found, MappingProxyType)
    assert found == {"a": (1,)}


def test_numbers_that_look_alike_stay_apart() -> None:
    """1, 1.0, True and Fraction(1) are equal in Python; what a result is found by must tell them apart."""
    assert len({json.dumps(to_plain(v)) for v in (1, 1.0, True, Fraction(1), "1", (1,), [1])}) == 7


ARRAYS = [
    np.arange(24, dtype=np.int64).reshape(2, 3, 4) - 2**62, np.arange(6, dtype=np.uint8).reshape(2, 3).T,
    np.array([True, False]), np.array([-np.inf, 0.1]), np.zeros((3, 0), np.int32), np.array(7, np.uint64),
    np.array([[10**40, 1], [-3, 2]], dtype=object),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_an_array_comes_back_and_may_be_written(array: Any) -> None:
    found = through_text(array)
    assert (found.dtype, found.shape, found.tolist()) == (array.dtype, array.shape, array.tolist())
    assert all(type(a) is type(b) for a, b in zip(found.flat, array.flat, strict=True))
    assert found.flags.writeable


def test_a_record_that_checks_itself_does_so_when_it_is_read() -> None:
    text = json.dumps(to_plain(Shoe(6)))
    assert from_plain(json.loads(text)) == Shoe(6)
    with pytest.raises(ValueError, match="deck"):
        from_plain(json.loads(text.replace("6", "-6")))


@dataclass(frozen=True)
class Foreign:
    x: int = 1


@pytest.mark.parametrize(
    "value", [Foreign(), object(), {1, 2}, b"x", np.array(["x"]), sympy.sin(symbol("meter"))], ids=type)
def test_what_is_no_plain_record_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        to_plain(value)


@pytest.mark.parametrize("data", [
    [], ["fraction"], ["fraction", "1/0"], ["fraction", "x"], ["date", "2026-02-30"], ["unheard of", 1],
    ["record", "os:system", "true"], ["record", "combin.base.record_json:to_plain", 1], ["record", "combin.none:Such"],
    ["record", "combin.policy.model:Verdict", "pass"], ["expression", "sin", ["symbol", "x", []]], ["symbol", 1, []],
    {"a": 1}, ["dict", 1], ["array", "|O", [1], "eJxjAAAAAQAB"], ["array", "<i8", [1], "eJxjAAAAAQAB"],
    ["array", "|u1", [1], "eJxj!AAAAQAB"], ["array", "|u1", [-1], "eJxjAAAAAQAB"], ["array", "|u1", [2], "eJx"],
    ["objects", [2], 1], ["record", "combin.policy.evaluation:Checker", 1, 2, 3, 4, 5],
], ids=str)  # fmt: skip
def test_data_of_another_make_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        from_plain(data)
