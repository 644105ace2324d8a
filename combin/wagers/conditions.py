"""Parser of conditions on the cards of a deal.

    suited(cards) and count(cards, "7") == 3

A condition is an expression of Python's grammar: ``and``, ``or``, ``not``, comparisons,
``in``, ``+ - * %`` of whole numbers, ``X if C else Y`` and the words of `vocabulary`. It is read with `ast`
(`condition_text`) and never run. An unknown name, a text that is too long or too deep, and a wrong argument of a word
(`condition_words`) are faults with a column. The result is a tree (`condition_tree`); the types of its nodes, sizes of
hands and bounds of numbers have been checked.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NoReturn, Protocol

from ..base.caches import cached
from ..base.errors import InputError, nearest, short
from ..deals.cards import RANKS
from ..deals.poker import FIVE_CARDS, THREE_CARDS
from .condition_hints import HANDS, INSTEAD, NOT_ALLOWED, foreign_sign
from .condition_text import LARGEST, ConditionError, ConditionText
from .condition_tree import (
    Arithmetic,
    Call,
    Choose,
    Compare,
    Constant,
    FinalHand,
    Join,
    Node,
    Not,
    ParserState,
    Within,
    calls_of,
)
from .condition_words import EVERYTHING, WordReader
from .vocabulary import NUMBER, POKER, RANK, TRUTH, WORDS

MOST_LEVELS = 40
#: The kind of value of a final hand.
HAND = "a final hand"


class PlayWords(Protocol):
    """The words of a round: states that are true or false, and final hands to compare with named hands."""

    def __hash__(self) -> int: ...

    @property
    def states(self) -> tuple[str, ...]: ...

    @property
    def hands(self) -> tuple[str, ...]:
        """The player's final hand, then the dealer's."""

    @property
    def compares(self) -> bool:
        """Whether the two final hands may be compared with one another."""

    def bounds(self, text: str) -> tuple[int, int]:
        """Return the ranks of a named hand as a half-open interval; raises `InputError` for another name."""


def parse(
    text: str,
    roles: Mapping[str, int],
    options: Mapping[str, Any] | None = None,
    where: Mapping[str, str] | None = None,
    play: PlayWords | None = None,
) -> Node:
    """Return the tree of a condition on a deal of these roles, ``{"player": 2, "upcard": 1}``.

    A role of `VARIES` cards is drawn out; the roles of its first cards are parts of it.
    ``options`` are the wager's options: ``ace=ace`` takes the wager's option ``ace``, and cards may be an option.
    ``where`` gives names to parts of conditions. ``play`` adds the words of a game's round and is hashable. Raises
    `ConditionError` for the first fault.
    """
    return _parse(text, tuple(roles.items()), texts(options), texts(where), play)


def check_part(text: str, roles: Mapping[str, int], options: Mapping[str, Any] | None = None) -> None:
    """Raise `ConditionError` for the first fault of a named part: a number, or true or false."""
    _Parser(text, roles, dict(texts(options)), {}).part(compared=False)


def texts(values: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return the options that are texts, in alphabetical order."""
    return tuple(sorted((name, value) for name, value in (values or {}).items() if isinstance(value, str)))


@cached("conditions by text", most=4096)
def _parse(
    text: str,
    roles: tuple[tuple[str, int], ...],
    options: tuple[tuple[str, str], ...],
    where: tuple[tuple[str, str], ...],
    play: PlayWords | None,
) -> Node:
    return _Parser(text, dict(roles), dict(options), dict(where), play).part()[0]


class _Parser:
    def __init__(
        self, text: str, roles: Mapping[str, int], options: Mapping[str, str], where: Mapping[str, str],
        play: PlayWords | None = None,
    ) -> None:
        self.text, self.where, self.play = ConditionText(text), where, play
        self.words = WordReader(self.text, roles, options)
        self.fault, self.shown = self.text.fault, self.text.shown
        self.states, self.hands = (play.states, play.hands) if play is not None else ((), ())

    def part(self, compared: bool = True) -> tuple[Node, str, int]:
        """Return the tree of the whole text; unless ``compared``, it may also be a number."""
        tree = self.text.tree([*self.words.by_name, EVERYTHING])
        parsed = self.node(tree, 1)
        if parsed[1] != TRUTH and (compared or parsed[1] != NUMBER):
            self.fault(tree, f"{self.shown(tree)} is {parsed[1]}, not true or false", self.compared(parsed[1]))
        return parsed

    def compared(self, kind: str) -> str:
        return {RANK: 'compare it: >= "9"', POKER: 'compare it: >= "pair"', HAND: 'compare it: >= "pair"'}.get(
            kind, "compare it: >= 1")

    def node(self, node: ast.AST, level: int) -> tuple[Node, str, int]:
        """Return a node, the kind of its value, and the largest absolute value that it may have."""
        if level > MOST_LEVELS:
            self.fault(node, f"is nested more than {MOST_LEVELS} deep", "write it with fewer brackets")
        self.text.count(node)
        match node:
            case ast.BoolOp(op=op, values=values):
                self.repeated(node)
                parts = tuple(self.truth(value, level) for value in values)
                return Join(isinstance(op, ast.And), parts), TRUTH, 1
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Not(self.truth(operand, level)), TRUTH, 1
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                value, most = self.number(operand, level)
                return (Arithmetic("-", Constant(0), value) if isinstance(op, ast.USub) else value), NUMBER, most
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Mod()):
                return self.arithmetic(node, level)
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op]):
                return self.among(node, op, level), TRUTH, 1
            case ast.Compare():
                return self.comparison(node, level), TRUTH, 1
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, kind, most = self.node(body, level + 1)
                no, other, most_too = self.node(orelse, level + 1)
                if kind != other or kind not in (TRUTH, NUMBER):
                    self.fault(node, "both sides of if … else must be numbers, or both true or false",
                               "change one side")
                return Choose(self.truth(test, level), yes, no), kind, max(most, most_too)
            case ast.Call():
                return self.words.call(node)
            case ast.Constant(value=bool() as value):
                return Compare("==", Constant(0), Constant(0 if value else 1)), TRUTH, 1
            case ast.Constant(value=int() as value):
                if abs(value) > LARGEST:
                    self.fault(node, "a number is too large", f"write numbers up to {LARGEST:,}")
                return Constant(value), NUMBER, abs(value)
            case ast.Constant(value=str()):
                self.fault(node, f"the text {self.shown(node)} is compared with nothing",
                           'compare a word with it: >= "9"')
            case ast.Name(id=name) if name in self.states:
                return ParserState(name), TRUTH, 1
            case ast.Name(id=name) if name in self.hands:
                return FinalHand(name), HAND, 1
            case ast.Name(id=name) if name in self.where:
                return self.named(node, name)
            case ast.Name(id=name):
                self.stray_name(node, name)
        if isinstance(node, ast.BinOp | ast.UnaryOp) and (foreign := foreign_sign(self.text.source(node))) is not None:
            self.fault(node, f"{self.shown(node)} is not a condition", foreign[1])
        match node:
            case ast.Attribute(value=ast.Name(id=hand), attr=word) if word in WORDS or word in INSTEAD:
                self.fault(node, f"{self.shown(node)} is not a condition",
                           f"write {word}({hand})" if word in WORDS else f"write {INSTEAD[word]}")
        what = NOT_ALLOWED.get(type(node), type(node).__name__)
        self.fault(node, f"{what} cannot be part of a condition: {self.shown(node)}",
                   "use and, or, not, comparisons, in, + - * %, if … else and the words of conditions")

    def named(self, node: ast.AST, name: str) -> tuple[Node, str, int]:
        """Return the node of a named part."""
        try:
            inner = _Parser(self.where[name], self.words.roles, self.words.options, {}, self.play)
            inner.text.nodes = self.text.nodes
            parsed = inner.part(compared=False)
        except ConditionError as error:
            (f,) = error.faults
            self.fault(node, f'"{name}": {f.what}', f.remedy)
        self.text.nodes = inner.text.nodes
        return parsed

    def stray_name(self, node: ast.AST, name: str) -> NoReturn:
        if name in self.words.by_name or name == EVERYTHING:
            single = self.words.roles.get(self.words.by_name.get(name, name)) == 1
            words = f'count({name}, "6") == 1' if single else f"pair({name}), total({name}) == 20"
            self.fault(node, f'the hand "{name}" is not a condition', f"write for example {words}")
        if name in WORDS:
            self.fault(node, f'the word "{name}" needs a hand', f"write {WORDS[name].call}")
        if name in INSTEAD:
            self.fault(node, f'"{name}" is not known', f"write {INSTEAD[name]}")
        of_play = [*self.states, *self.hands]
        known = [*WORDS, *self.words.hand_names(), *self.where, *of_play] if self.words.roles else of_play
        if self.words.roles and name in HANDS:
            self.words.no_role(node, name)
        otherwise = f"combin words lists the words; {self.words.named_roles()}" if self.words.roles else ""
        self.fault(node, f'"{short(name, 60)}" is not known', nearest(name[:60], known, otherwise=otherwise))

    def truth(self, node: ast.AST, level: int) -> Node:
        value, kind, _ = self.node(node, level + 1)
        if kind != TRUTH:
            self.fault(node, f"{self.shown(node)} is {kind}, not true or false", self.compared(kind))
        return value

    def repeated(self, node: ast.BoolOp) -> None:
        """Report a bare number or text next to ``and`` or ``or``, as in ``total(cards) == 20 or 21``."""
        for before, value in pairwise(node.values):
            if isinstance(value, ast.Constant) and type(value.value) in (int, str):
                remedy, shown = "compare a word with it", self.shown(value)
                if isinstance(before, ast.Compare) and len(before.ops) == 1 and type(before.ops[0]) in _SIGNS:
                    left = f"{self.shown(before.left)} {_SIGNS[type(before.ops[0])]}"
                    word = "and" if isinstance(node.op, ast.And) else "or"
                    remedy = f"write {left} {self.shown(before.comparators[0])} {word} {left} {shown}"
                self.fault(value, f"{shown} is compared with nothing", remedy)

    def number(self, node: ast.AST, level: int) -> tuple[Node, int]:
        value, kind, most = self.node(node, level + 1)
        if kind != NUMBER:
            remedy = f"write 1 if {self.shown(node)} else 0" if kind == TRUTH else self.compared(kind)
            self.fault(node, f"{self.shown(node)} is {kind}, not a number", remedy)
        return value, most

    def arithmetic(self, node: ast.BinOp, level: int) -> tuple[Node, str, int]:
        left, most = self.number(node.left, level)
        right, other = self.number(node.right, level)
        if isinstance(node.op, ast.Mod):
            if not isinstance(right, Constant) or right.value < 1:
                self.fault(node.right, f"% divides by {self.shown(node.right)}", "divide by a number of at least 1")
            return Arithmetic("%", left, right), NUMBER, right.value - 1
        times = isinstance(node.op, ast.Mult)
        most = most * other if times else most + other
        if most > LARGEST:
            self.fault(node, "a number could grow too large", f"stay within {LARGEST:,}")
        sign = "*" if times else "+" if isinstance(node.op, ast.Add) else "-"
        return Arithmetic(sign, left, right), NUMBER, most

    def among(self, node: ast.Compare, op: ast.cmpop, level: int) -> Node:
        """Return ``x in (7, 14)`` as equality with one of the listed numbers or texts."""
        (listed,) = node.comparators
        if not isinstance(listed, ast.Tuple | ast.List | ast.Set) or not listed.elts:
            self.fault(listed, f"{self.shown(listed)} is not a list", "write x in (7, 14)")
        parts = []
        for value in listed.elts:
            if not isinstance(value, ast.Constant):
                self.fault(value, f"{self.shown(value)} is neither a number nor a text", "write x in (7, 14)")
            parts.append(self.comparison(ast.Compare(node.left, [ast.Eq()], [value]), level))
        membership = parts[0] if len(parts) == 1 else Join(False, tuple(parts))
        return Not(membership) if isinstance(op, ast.NotIn) else membership

    def comparison(self, node: ast.Compare, level: int) -> Node:
        operands = [node.left, *node.comparators]
        texts = [isinstance(o, ast.Constant) and isinstance(o.value, str) for o in operands]
        known: list[tuple[Node, str] | None] = [
            None if text else self.node(operand, level + 1)[:2] for operand, text in zip(operands, texts, strict=True)
        ]
        pairs: list[Node] = []
        for i, op in enumerate(node.ops):
            sign = _SIGNS.get(type(op))
            if sign is None:
                self.fault(node, f"{self.shown(node)}: only == != < <= > >= compare", "use one of these")
            if (final := self.final_hand(operands[i : i + 2], known[i : i + 2], sign)) is not None:
                pairs.append(final)
                continue
            one, two = self.ranked(operands[i : i + 2], known[i : i + 2]) or known[i : i + 2]
            left = one or self.constant(operands[i], two, operands[i + 1])
            right = two or self.constant(operands[i + 1], one, operands[i])
            if left[1] != right[1] or (left[1] == TRUTH and sign not in ("==", "!=")):
                remedy = self.compared(left[1]) if left[1] != TRUTH else "compare values of one kind"
                self.fault(operands[i + 1], f"{self.shown(operands[i])} is {left[1]} and cannot be compared with "
                           f"{self.shown(operands[i + 1])}", remedy)
            if not any([*calls_of(left[0]), *calls_of(right[0])]):
                self.fault(operands[i], f"{self.shown(operands[i])} and {self.shown(operands[i + 1])} name no hand, so "
                           "that every deal compares alike", "compare a word with a number: total(cards) == 21")
            turned = sign in (">", ">=")
            pairs.append(Compare(_TURNED.get(sign, sign), *((right[0], left[0]) if turned else (left[0], right[0]))))
        return pairs[0] if len(pairs) == 1 else Join(True, tuple(pairs))

    def ranked(
        self, sides: list[ast.expr], known: list[tuple[Node, str] | None]
    ) -> list[tuple[Node, str] | None] | None:
        """Return two poker hands by all their ranks if both sides are hands; None for any other comparison."""
        calls = [side[0] for side in known if side is not None and side[1] == POKER and isinstance(side[0], Call)]
        if len(calls) < 2:
            return None
        if len({call.hands[0].size == 3 for call in calls}) == 2:
            self.fault(sides[1], "a hand of three cards is compared with one of five", "compare hands of one size")
        return [(Call("poker_value", call.hands, (), ()), NUMBER) for call in calls]

    def final_hand(self, sides: list[ast.expr], known: list[tuple[Node, str] | None], sign: str) -> Node | None:
        """Return a final hand compared with a named hand; None for any other comparison."""
        if not any(side is not None and side[1] == HAND for side in known):
            return None
        if self.play is not None and self.play.compares and None not in known and known[0] != known[1]:
            (one, _), (other, _) = (side for side in known if side is not None)
            if isinstance(one, FinalHand) and isinstance(other, FinalHand):
                turned = one.name != self.hands[0]
                name = f"{self.hands[0]} {_MIRRORED.get(sign, sign) if turned else sign} {self.hands[1]}"
                return ParserState(name)
        text = next((side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)),
                    None)
        side = known[0] or known[1]
        if text is None or None not in known or side is None or not isinstance(side[0], FinalHand):
            self.fault(sides[1], f"{self.shown(sides[0])} cannot be compared with {self.shown(sides[1])}",
                       'compare a final hand with a named hand: hand >= "pair"')
        assert self.play is not None
        try:
            low, high = self.play.bounds(text)
        except InputError as error:
            (f,) = error.faults
            self.fault(sides[known.index(None)], f.what, f.remedy)
        hand, sign = side[0].name, sign if known[0] else _MIRRORED.get(sign, sign)
        if sign == "!=":
            return Not(Within(hand, low, high))
        bounds = {"==": (low, high), ">=": (low, None), "<": (None, low), ">": (high, None), "<=": (None, high)}[sign]
        return Within(hand, *bounds)

    def constant(self, node: Any, other: tuple[Node, str] | None, beside: ast.AST) -> tuple[Node, str]:
        """Return the index of a text among the ranks or the poker hands."""
        text = node.value
        if other is None or other[1] not in (RANK, POKER):
            if other is None:
                self.fault(node, "two texts are compared", "compare a word with a text")
            self.fault(node, f"{self.shown(beside)} is {other[1]} and cannot be compared with a text",
                       "write a number" if other[1] == NUMBER else "omit the comparison")
        if other[1] == RANK:
            rank = {"10": "T"}.get(text, text.upper())
            if rank not in tuple(RANKS):
                self.fault(node, f'there is no rank "{short(text, 20)}"', f"write one of {' '.join(RANKS)}")
            return Constant(RANKS.index(rank)), RANK
        three = {call.hands[0].size == 3 for call in calls_of(other[0])} == {True}
        hands = THREE_CARDS if three else FIVE_CARDS
        if text not in hands:
            kind = "three cards" if three else "five cards"
            self.fault(node, f'there is no poker hand "{short(text, 40)}" of {kind}', nearest(text[:40], hands))
        return Constant(hands.index(text)), POKER


_SIGNS: Mapping[type, str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TURNED = {">": "<", ">=": "<="}
