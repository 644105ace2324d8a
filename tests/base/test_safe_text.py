"""Text from elsewhere is shown without characters that a terminal, a reader or a runner would obey."""

import json

import pytest

from combin.base.errors import Fault
from combin.base.safe_text import hidden_in, shown, shown_json, shown_path


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("caf\u00e9 \u2660 \u4e2d", "caf\u00e9 \u2660 \u4e2d"),
        ("a\tb\r\n c", "a b c"),
        ("\x1b[2Jx", "\\x1b[2Jx"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("\u200b\ufeff\xad", "\\u200b\\ufeff\\xad"),
        ("x\udcff.toml", "x\\udcff.toml"),
        ("##[error]x", "\\x23#[error]x"),
    ],
)
def test_what_would_be_obeyed_is_an_escape(text: str, seen: str) -> None:
    assert shown(text) == seen
    assert str(Fault(text, text, text)) == f"{seen}: {seen}; {seen}"


def test_a_name_does_not_begin_a_line_as_a_command() -> None:
    assert shown_path("::error::x.toml") == "./::error::x.toml"
    assert shown_path("a\n::error::x.toml") == "a ::error::x.toml"
    assert shown_path("house.toml") == "house.toml"


def test_json_says_the_same() -> None:
    found = {"file": "a\u202e\x7f\u2028\n\t", "n": ["\u2660"]}
    text = shown_json(json.dumps(found, ensure_ascii=False, indent=1))
    assert json.loads(text) == found
    assert not hidden_in(text)


def test_lines_and_tabs_are_no_hidden_signs() -> None:
    assert hidden_in("a\n\tb\r\n") == ""
    assert hidden_in("a\x00") == "\\x00"
