"""The words of claims as data: `words.toml` has every phrase that is known, with the conditions that it states."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from ..base.caches import cached
from ..base.errors import raise_all
from ..base.textfiles import Faults
from ..base.toml_tables import BY_READER, empty, read
from .claims import data

_SEPARATOR = re.compile("[,;:] ")
_PLACE = re.compile("<([a-z_]+)>")
_NUMBER = r"\d[\d,]*(?:\.\d+)?"


@dataclass(frozen=True)
class Conditions:
    """What a claim is compared under, in the fields that `words.toml` explains; empty where nothing is stated.

    ``numbers`` are those of its phrases by name, ``unknown`` are phrases that are not in `words.toml`.
    """

    options: Mapping[str, str] = empty()
    blackjack: str = ""
    decks: int | None = None
    outcome: str = ""
    play: Literal["", "composition", "total", "basic", "split-count", "first-split"] = ""
    reading: Mapping[str, str] = empty()
    set: Mapping[str, str] = empty()
    without: Literal["", "tens"] = ""
    than: str = ""
    net: bool = False
    simulated: bool = False
    open_outcome: bool = False
    numbers: Mapping[str, Fraction] = field(default_factory=dict, metadata=BY_READER)
    unknown: tuple[str, ...] = field(default=(), metadata=BY_READER)

    def __or__(self, other: Conditions) -> Conditions:
        """Return these conditions with those that the other states; tables are merged."""
        changed: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(other, f.name)
            if isinstance(value, Mapping):
                changed[f.name] = MappingProxyType({**getattr(self, f.name), **value})
            elif value:
                changed[f.name] = value
        return replace(self, **changed | {"unknown": (*self.unknown, *other.unknown)})

    @property
    def house_rules(self) -> Mapping[str, str]:
        """The options of house rules that are stated, by themselves or as the choice of a reading."""
        named = _words()["options_of_readings"]
        return {**self.options, **{named[name]: choice for name, choice in self.reading.items() if name in named}}


def read_data(kind: type[Any], table: Any, file: str, *path: str) -> Any:
    """Return a table of a data file as a frozen ``kind``; raises `InputError` with every fault."""
    faults = Faults()
    terms = read(kind, table, lambda what, remedy, where: faults.add(what, remedy, file, ", ".join(where)), path=path)
    raise_all(faults)
    return terms


@cached("the vocabulary of claims", most=1)
def _words() -> Mapping[str, Any]:
    return tomllib.loads(data("words.toml").decode())


@cached("the phrases of claims", most=1)
def _phrases() -> tuple[tuple[re.Pattern[str], Conditions], ...]:
    """Return every phrase as a pattern with what it states, the longest first."""
    phrases = sorted(_words()["phrases"].items(), key=lambda entry: -len(entry[0]))
    return tuple((re.compile(_pattern(text)), read_data(Conditions, table, "words.toml", text))
                 for text, table in phrases)


def _pattern(text: str) -> str:
    parts = _PLACE.split(text)  # texts and names of numbers in turn
    words = [f"(?P<{part}>{_NUMBER})" if i % 2 else re.escape(part) for i, part in enumerate(parts)]
    return rf"(?<!\w)(?:against )?{''.join(words)}(?!\w)"


@cached("the conditions that claims state", most=1024)
def conditions(text: str) -> Conditions:
    """Return what the phrases of a claim's text state.

    What is said of readings, settings or the shoe in the midst of a phrase that is not known counts too.

    >>> stated = conditions("against H17, NDAS; two cards face up")
    >>> dict(stated.house_rules), stated.unknown
    ({'double_after_split': 'no', 'soft_17': 'hits'}, ('two cards face up',))
    """
    stated, at = Conditions(), 0
    while at < len(text):
        phrases = [(match, terms) for pattern, terms in _phrases()
                   if (match := pattern.match(text, at)) and _ends(text, match.end())][:1]
        separator = _SEPARATOR.search(text, at)
        end = separator.start() if separator else len(text)
        if phrases:
            end = phrases[0][0].end()
        else:
            stated |= Conditions(unknown=(text[at:end],))
            phrases = [(match, terms) for pattern, terms in _phrases() if terms.reading or terms.set or terms.without
                       if (match := pattern.search(text, at, end))]
        for match, terms in phrases:
            numbers = {name: Fraction(number.replace(",", "")) for name, number in match.groupdict().items()}
            stated |= replace(terms, numbers=numbers)
        at = end + 2
    return stated


def _ends(text: str, at: int) -> bool:
    """Whether a phrase ends here."""
    return at == len(text) or _SEPARATOR.match(text, at) is not None
