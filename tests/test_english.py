"""The phrases that no text of combin uses, each with what to write instead.

What may hold one is named with the reason: names of code, keys of TOML, and files of quotations.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from combin.cli.commands import cli
from combin.views.words import vocabulary

ROOT = Path(__file__).parents[1]

#: A phrase as a regular expression, and what to write instead.
PHRASES = {
    r"\bso (many|much)\b(?! that)": "the number, the limit",
    r"(?<!chance )\balone\b": "only",
    r"(?<!-)\blaws?\b": "distribution",
    r"\b(stands?|standing|stood) (in|above|below|beside|there|alone|apart|together|open|at|under|behind|by)\b": "is",
    r"\b(one|somebody|someone)'s own\b": "user-defined",
    r"\b(held|holds?|holding) ((\w+ ){0,4}against|to (a|the|its|this) policy)\b|\bunheld\b|\bnot held\b": "checked",
    r"\bli(f|v)es? of (a|the|each|its) meters?\b": "meter cycle",
    r"\b(to|by|for|of) who\b|\bwho plays always\b": "to a player who",
    r"\blong to be\b|\bsome (\d|two|three|five|ten|twenty|thirty)": "expensive to, about",
    r"\bin the mean\b|\bon the long run\b": "on average, in the long run",
    r"\bdearest\b|\bmost that a round can cost\b": "highest-paying, maximum liability",
    r"\btell(s|ing)?\b[^.;:]{0,40}\bapart\b|\btold\b": "distinguishes, reported",
    r"\b(stays?|left|leaves?|remains?) open\b|\b(is|are) open (in|where|if)\b": "is not computed, depends on",
    r"\b(that|which) (is|are) none\b": "an invalid",
    r"\b(has|have|had) not an?\b": "has no",
    r"(?<!-)\bbeside\b(?! =)(?!-)": "with, next to, in addition to",
    r"(?<!Returns )(?<!or )\bNone (too|without|where)\b": "Returns None unless",
    r"\bsecond (way|method)s?\b": "independent method",
    r"\b(line|outcome)s? that (it|they|a deal) meets?\b": "the first line that applies",
    r"\bfinished hands?\b": "final hand",
}
#: Texts that may hold a phrase, as a regular expression of the text around it, with the reason.
ALLOWED = {
    r'``[^`]*``|`[^`]*`|"(law|beside|second\s+method)"|\[wager\.beside': "a key or a name of code",
}


def without_names(text: str) -> str:
    """The text without fenced blocks, keys and names of code."""
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    for allowed in ALLOWED:
        text = re.sub(allowed, "", text)
    return text


def phrases_in(text: str) -> list[str]:
    plain = re.sub(r"\s+", " ", without_names(text))
    return [f"{plain[max(0, m.start() - 40):m.end() + 30]} -> {instead}"
            for phrase, instead in PHRASES.items() for m in re.finditer(phrase, plain, re.IGNORECASE)]


@pytest.mark.parametrize("written", [
    "Cards by class of so many decks", "shown on a terminal alone", "an exact law of its sum",
    "settled by the first line that it meets", "what stands below it", "a wager of one's own",
    "not held against anything", "the life of a meter", "what it is worth to who plays always", "some twenty s",
    "long to be solved", "in the mean", "the most that a round can cost", "tells both apart", "as told",
    "it stays open", "is open in wins_among_splits", "a chart that is none", "has not an envy bonus",
    "side bets beside the game", "None without one", "the second way",
])
def test_each_kind_of_phrase_is_found(written: str) -> None:
    assert phrases_in(f"A sentence with {written}.")
    assert not phrases_in(f"A sentence with `{written}`.")


DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_documents_use_no_such_phrase(path: Path) -> None:
    assert phrases_in(path.read_text(encoding="utf-8")) == []


def test_the_help_uses_no_such_phrase() -> None:
    for name, command in {"": cli, **cli.commands}.items():
        assert phrases_in(command.get_help(click.Context(command, info_name=name))) == [], name
    assert phrases_in(vocabulary()) == []


def words_of(path: Path) -> Iterator[str]:
    """The comments and the texts of a Python file, docstrings included; the comments and texts of a TOML file."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield re.sub(r'= "\S*"\n', "=\n", source)  # a value of one word is a key of the code
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    yield from (text for text in texts if isinstance(text, str) and " " in text and text not in KEYS)


def found_in(room: str) -> list[str]:
    top = ROOT / "combin"
    paths = sorted(top.glob(room) if "*" in room else (top / room).rglob("*"))
    return [f"{path.relative_to(ROOT)}: {phrase}" for path in paths
            if path.suffix in (".py", ".toml") and path.name not in QUOTED
            for text in words_of(path) for phrase in phrases_in(text)]


#: Keys of TOML that hold a phrase.
KEYS = {"second method"}
#: Files of quotations.
QUOTED = {"claims.toml"}
#: Every room of combin, and the modules at its top.
ROOMS = (*sorted(path.name for path in (ROOT / "combin").iterdir() if path.is_dir() and path.name[0] != "."), "*.py")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_no_such_phrase(room: str) -> None:
    assert found_in(room) == []
