"""The request of an analysis, and the ends of the range of its return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.errors import fault
from ..base.exact import Exact
from ..base.frozen import whole
from ..deals.cards import CARD_TYPES

if TYPE_CHECKING:
    from ..deals.player_chart import Chart


@dataclass(frozen=True)
class Extreme:
    """One end of the range of the return, and the choices of readings that give it."""

    value: Exact
    readings: Mapping[str, str]
    #: Decks in play, if a reading changes their number.
    decks: int | None = None


@dataclass(frozen=True)
class Request:
    """The request of an analysis, sufficient to repeat it with a change."""

    id: str
    decks: int
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    without: tuple[int, ...] = ()
    any_decks: bool = False
    #: Weights of a wheel's symbols and a playing chart, with the content of their files.
    wheel: tuple[tuple[str, int], ...] = ()
    chart: Chart | None = None


def whole_decks(decks: object) -> int | None:
    """Return a number of decks as a Python int, or None. Raises `InputError` unless it is a whole number."""
    number = whole(decks)
    if decks is not None and number is None:
        raise fault(f"decks is a whole number, not {decks!r}", "write decks=6", file="decks")
    return number


def named_texts(given: object, argument: str) -> dict[str, str]:
    """Return the values of ``set`` or ``reading`` as texts by name. Raises `InputError` unless it is such a mapping."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        what = f"must be a mapping of names to values, not {given!r:.60}"
        raise fault(what, f'write {argument}={{"name": "value"}}', file=argument)
    return {name: str(value) for name, value in given.items()}


def card_types(without: Iterable[object] | str) -> tuple[int, ...]:
    """Return removed cards as Python ints, from numbers or a text ("7h"). Raises `InputError` otherwise."""
    if isinstance(without, str):
        from ..deals.cards import cards

        return cards(without)
    types = []
    for given in without:
        card = whole(given)
        if card is None or not 0 <= card < CARD_TYPES:
            raise fault(f"{given!r} is not a card", 'give numbers from 0 to 51, or a text: "Qh Qh 7s"', file="without")
        types.append(card)
    return tuple(types)
