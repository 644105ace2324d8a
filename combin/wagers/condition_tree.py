"""The tree of a condition: `conditions` builds it, and both evaluators use it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class RoleCards:
    """The cards of some roles, in the order of the deal; ``size`` of them, `VARIES` if one is drawn out."""

    roles: tuple[str, ...]
    size: int


@dataclass(frozen=True)
class Constant:
    value: int


@dataclass(frozen=True)
class Call:
    """A word with its hands, the card types that it counts (in ascending order), and all its options."""

    word: str
    hands: tuple[RoleCards, ...]
    cards: tuple[int, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str:
        return dict(self.options)[name]


@dataclass(frozen=True)
class Not:
    operand: Node


@dataclass(frozen=True)
class Join:
    """``and`` or ``or`` of two or more parts."""

    every: bool
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Compare:
    """One comparison: ``==``, ``!=``, ``<`` or ``<=``; ``>`` and ``>=`` are reversed."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Arithmetic:
    """``+``, ``-`` or ``*`` of two numbers."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Choose:
    """``yes`` where the test holds, ``no`` elsewhere."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True)
class ParserState:
    """A state of a finished round: ``folded``, ``won``, ``tied``, ``lost``, ``qualifies``."""

    name: str


@dataclass(frozen=True)
class Within:
    """Whether the final hand ``hand`` has a rank r with ``low <= r < high``; None means no bound."""

    hand: str
    low: int | None
    high: int | None


@dataclass(frozen=True)
class FinalHand:
    """A final hand by name; it occurs only in a comparison."""

    name: str


Node = Constant | Call | Not | Join | Compare | Arithmetic | Choose | ParserState | Within | FinalHand


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the direct parts of a node."""
    match node:
        case Not(operand):
            return (operand,)
        case Join(_, parts):
            return parts
        case Compare(_, left, right) | Arithmetic(_, left, right):
            return (left, right)
        case Choose(test, yes, no):
            return (test, yes, no)
    return ()


def calls_of(node: Node) -> Iterator[Call]:
    """Return every word of a condition."""
    if isinstance(node, Call):
        yield node
    for part in parts_of(node):
        yield from calls_of(part)
