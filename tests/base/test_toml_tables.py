"""The reader of TOML tables: what a class is read from, and the place of every fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal

import pytest

from combin.base.errors import InputError, fault
from combin.base.toml_tables import AMOUNT, BY_BET, BY_READER, FILLED, KEY, REST, Text, TomlFile, WholeNumber, keys_of


def _half(text: str) -> Fraction:
    if text != "half":
        raise fault(f'"{text}" is not a half', 'write "half"')
    return Fraction(1, 2)


@dataclass(frozen=True)
class Part:
    """A table with a name and two numbers that must not be equal."""

    name: Annotated[str, FILLED]
    first: Annotated[int, WholeNumber(1, 8)] = 1
    second: Annotated[int, WholeNumber(1, 8)] | Literal["most"] = "most"
    line: int = field(default=0, metadata=BY_READER)

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise fault("both numbers are equal", "change one", place="second")


@dataclass(frozen=True)
class Whole:
    """A file with parts, a share, and lines of any name."""

    part: tuple[Part, ...]
    share: Annotated[Fraction, Text(_half)] = Fraction(1)
    amount: Annotated[str, AMOUNT] | None = None
    two_words: str = field(default="", metadata={KEY: "two-words"})
    lines: Annotated[Mapping[str, str], BY_BET] = field(default_factory=dict, metadata={KEY: REST})


SOUND = """share = "half"
amount = 2.50
two-words = "x"
tie = "push"
[ante]
win = "1 to 1"
[[part]]
name = "a"
first = 3
[[part]]
name = "b"
second = 2
"""


def faults(text: str, partly: bool = False) -> tuple[Whole | None, list[str]]:
    file = TomlFile("f.toml", text)
    return file.read(Whole, partly=partly), [str(f) for f in file.faults]


def test_a_file_becomes_a_class() -> None:
    whole, none = faults(SOUND)
    assert none == []
    assert whole == Whole(
        (Part("a", 3), Part("b", 1, 2)), Fraction(1, 2), "2.50", "x", {"tie": "push", "ante: win": "1 to 1"})
    assert keys_of(Whole) == ("part", "share", "amount", "two-words")
    assert keys_of(Part) == ("name", "first", "second")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"half"', '"third"', 'f.toml: line 1, share: "third" is not a half; write "half"'),
        ('"half"', "0.5", "f.toml: line 1, share: 0.5 is not a text; put it in quotes"),
        ("2.50", "true", "f.toml: line 2, amount: true is not a text; put it in quotes"),
        ('"half"', "2027-01-31", "f.toml: line 1, share: 2027-01-31 is not a text; put it in quotes"),
        ('"push"', "1", "f.toml: line 4, tie: 1 is not a text; put it in quotes"),
        ('"1 to 1"', "1", "f.toml: line 6, ante, win: 1 is not a text; put it in quotes"),
        ('name = "a"', 'name = " "', "f.toml: line 8, part #1, name: is empty; write it"),
        ('name = "b"\n', "", 'f.toml: line 10, part #2: "name" is missing; add name = …'),
        ("first = 3", "first = 9",
         "f.toml: line 9, part #1, first: 9 is not a whole number from 1 to 8; write one in this range"),
        ("second = 2", 'second = "mst"',
         'f.toml: line 12, part #2, second: "mst" is none of the choices; did you mean "most"?'),
        ("second = 2", "second = 1", "f.toml: line 12, part #2, second: both numbers are equal; change one"),
        ("second = 2", "line = 2", 'f.toml: line 12, part #2, line: unknown key "line"; known: name, first, second'),
        ("second = 2", "secnd = 2", 'f.toml: line 12, part #2, secnd: unknown key "secnd"; did you mean "second"?'),
    ],
)
def test_a_fault_has_its_line_and_its_keys(old: str, new: str, said: str) -> None:
    assert SOUND.count(old) == 1
    assert faults(SOUND.replace(old, new)) == (None, [said])


def test_tables_that_are_missing_are_named_as_tables() -> None:
    assert faults('share = "half"\n')[1] == ['f.toml: "part" is missing; add [[part]]']
    assert faults("part = 3\n")[1] == ["f.toml: line 1, part: 3 is not a list of tables; write [[part]]"]


def test_what_is_sound_may_be_read_with_its_faults() -> None:
    whole, told = faults(SOUND.replace('"half"', "0.5").replace('"push"', "1"), partly=True)
    assert len(told) == 2
    assert whole == Whole((Part("a", 3), Part("b", 1, 2)), amount="2.50", two_words="x", lines={"ante: win": "1 to 1"})
    assert faults(SOUND.replace('name = "a"', "name = 1"), partly=True)[0] is None


def test_a_key_that_looks_like_the_number_of_a_table_has_its_own_line() -> None:
    assert faults(SOUND.replace('"push"', '"push"\n"tie #2" = 3'))[1] == [
        "f.toml: line 5, tie #2: 3 is not a text; put it in quotes"]


def test_faults_are_raised_in_the_order_of_their_lines() -> None:
    file = TomlFile("f.toml", SOUND)
    file.report("second", "mend it", ("part #2",))
    file.report("first", "mend it", ("share",))
    with pytest.raises(InputError) as refused:
        file.checked(file.read(Whole))
    assert [f.what for f in refused.value.faults] == ["first", "second"]


def test_data_without_a_file_have_no_lines() -> None:
    file = TomlFile("pays", data={"part": [{"name": 3}]})
    assert file.read(Whole) is None
    assert [str(f) for f in file.faults] == ["pays: part #1, name: 3 is not a text; put it in quotes"]
