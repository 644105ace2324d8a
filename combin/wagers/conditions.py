"""Parser of conditions on the cards of a deal.

    suited(cards) and count(cards, "7") == 3

A condition is an expression of Python's grammar: ``and``, ``or``, ``not``, comparisons,
``in``, ``+ - * %`` of whole numbers, ``X if C else Y`` and the words of `vocabulary`. It is read with `ast`
and never run. An unknown name, a text that is too long or too deep, and a wrong argument of a word
are faults with a column. The result is a tree (`condition_tree`); the types of its nodes, sizes of
hands and bounds of numbers have been checked.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn, Protocol

from ..base.caches import cached
from ..base.errors import Fault, InputError, nearest, short
from ..deals.drawn_roles import VARIES, first_cards_of
from .condition_hints import (
    FIRST_CARDS,
    HANDS,
    INSTEAD,
    NOT_ALLOWED,
    TOO_FINE,
    foreign_sign,
    of_ranks,
    of_suits,
    sizes,
    things,
)
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
    RoleCards,
    Within,
    calls_of,
    parts_of,
)
from .vocabulary import (
    CARDS,
    FIVE_CARD_HANDS,
    NOT_OF_DRAWN,
    NUMBER,
    OF_DRAWN_ALONE,
    POKER,
    RANK,
    SOME_CARDS,
    THREE_CARD_HANDS,
    TRUTH,
    WORDS,
    Word,
)

MOST_LETTERS = 2_000
MOST_NODES = 400
MOST_LEVELS = 40
#: Numbers of a condition lie in [-LARGEST, LARGEST], so that they fit into int64.
LARGEST = 10**9
#: A text in quotes, which may contain ``#``, or a comment, which ends with its line.
_COMMENT = re.compile(r""""(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|#[^\r\n]*""")
#: A word and a hand without brackets.
_WORD_AND_HAND = re.compile(r"\b([a-z_0-9]+)\s+([a-z_0-9]+)\b")
_UNFINISHED = (" and", " or", " not", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "%")
_QUOTED = re.compile(r""""[^"\\]*"|'[^'\\]*'""")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
EVERYTHING = "cards"
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


class ConditionError(InputError):
    """A fault of a condition; ``offset`` is its index in the text, from 0."""

    def __init__(self, what: str, remedy: str, offset: int) -> None:
        super().__init__(Fault(what, remedy, place=f"column {offset + 1}"))
        self.offset = offset


def role_name(role: str) -> str:
    """Return the name of a role in conditions: ``hole_card`` for ``hole card``."""
    return role.replace(" ", "_")


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
    return _parse(text, tuple(roles.items()), _texts(options), _texts(where), play)


def check_part(text: str, roles: Mapping[str, int], options: Mapping[str, Any] | None = None) -> None:
    """Raise `ConditionError` for the first fault of a named part: a number, or true or false."""
    _parser(text, roles, dict(_texts(options)), {}).part(compared=False)


def _texts(values: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in (values or {}).items() if isinstance(value, str)))


@cached("conditions by text", most=4096)
def _parse(
    text: str,
    roles: tuple[tuple[str, int], ...],
    options: tuple[tuple[str, str], ...],
    where: tuple[tuple[str, str], ...],
    play: PlayWords | None,
) -> Node:
    return _parser(text, dict(roles), dict(options), dict(where), play).part()[0]


def _parser(
    text: str, roles: Mapping[str, int], options: Mapping[str, str], where: Mapping[str, str],
    play: PlayWords | None = None,
) -> _Parser:
    if len(text) > MOST_LETTERS:
        raise ConditionError(
            f"the condition has {len(text):,} characters", f"write at most {MOST_LETTERS:,}", MOST_LETTERS
        )
    plain = _COMMENT.sub(lambda match: " " * len(match[0]) if match[0].startswith("#") else match[0], text)
    flat = plain.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    stripped = flat.lstrip()
    if not stripped:
        raise ConditionError("the condition is empty", "write one such as pair(player)", 0)
    return _Parser(stripped, len(flat) - len(stripped), roles, options, where, play)


class _Parser:
    def __init__(
        self, text: str, indent: int, roles: Mapping[str, int], options: Mapping[str, str], where: Mapping[str, str],
        play: PlayWords | None = None,
    ) -> None:
        self.text, self.indent, self.roles, self.options, self.where = text, indent, roles, options, where
        self.states, self.hands = (play.states, play.hands) if play is not None else ((), ())
        self.play = play
        self.by_name = {role_name(role): role for role in roles}
        #: The hand that is drawn out of which a role is a part.
        self.within = {part: role for role in roles if roles[role] == VARIES for part in first_cards_of(role)}
        self.nodes = 0

    def fault(self, node: ast.AST | int, what: str, remedy: str) -> NoReturn:
        offset = node if isinstance(node, int) else self.offset(node)
        raise ConditionError(what, remedy, self.indent + max(offset, 0)) from None

    def offset(self, node: ast.AST) -> int:
        """Return the index of a node in characters: `ast` counts bytes."""
        bytes_before = getattr(node, "col_offset", 0)
        return len(self.text.encode()[:bytes_before].decode(errors="ignore"))

    def source(self, node: ast.AST) -> str:
        start, stop = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        return self.text.encode()[start:stop].decode(errors="ignore")

    def shown(self, node: ast.AST) -> str:
        return short(self.source(node), 60)

    def part(self, compared: bool = True) -> tuple[Node, str, int]:
        """Return the tree of the whole text; unless ``compared``, it may also be a number."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            self.not_an_expression(error)
        except (ValueError, MemoryError, RecursionError):
            self.fault(0, "is not a condition: it is nested too deeply, or has a character that cannot be read",
                       "write it shorter")
        for node in ast.walk(tree):
            text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if text and not _QUOTED.fullmatch(self.source(node)):
                self.fault(node, f"{self.shown(node)} is not a single text in quotes",
                           'write "…", without a prefix or \\')
        parsed = self.node(tree, 1)
        if parsed[1] != TRUTH and (compared or parsed[1] != NUMBER):
            self.fault(tree, f"{self.shown(tree)} is {parsed[1]}, not true or false", self.compared(parsed[1]))
        return parsed

    def not_an_expression(self, error: SyntaxError) -> NoReturn:
        """Report a text that Python's grammar refuses, with the remedy for what beginners write."""
        what, index = error.msg or "no expression", (error.offset or 1) - 1
        if "integer string conversion" in what:
            self.fault(index, "a number is too long", f"write numbers up to {LARGEST:,}")
        if (foreign := foreign_sign(self.text)) is not None:
            self.fault(foreign[0], "is not a condition", foreign[1])
        if self.text[index : index + 1] == "=" or "==" in what:
            self.fault(index, "is not a condition", "compare with ==")
        for match in _WORD_AND_HAND.finditer(self.text):
            if match[1] in WORDS and match[2] in [*self.by_name, EVERYTHING]:
                self.fault(match.start(), "is not a condition", f"write {match[1]}({match[2]})")
        if self.text.rstrip().endswith(_UNFINISHED):
            self.fault(len(self.text.rstrip()), "is not a condition: it ends too early", "write the rest, or leave out "
                       f'"{self.text.split()[-1]}"')
        what = "Python cannot read it" if what.startswith("invalid syntax") else what
        self.fault(index, f"is not a condition: {what}", "write one such as pair(player) and not suited(player)")

    def compared(self, kind: str) -> str:
        return {RANK: 'compare it: >= "9"', POKER: 'compare it: >= "pair"', HAND: 'compare it: >= "pair"'}.get(
            kind, "compare it: >= 1")

    def node(self, node: ast.AST, level: int) -> tuple[Node, str, int]:
        """Return a node, the kind of its value, and the largest absolute value that it may have."""
        self.nodes += 1
        if level > MOST_LEVELS:
            self.fault(node, f"is nested more than {MOST_LEVELS} deep", "write it with fewer brackets")
        if self.nodes > MOST_NODES:
            self.fault(node, f"has more than {MOST_NODES} parts", "write it shorter")
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
                return self.call(node)
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
        if isinstance(node, ast.BinOp | ast.UnaryOp) and (foreign := foreign_sign(self.source(node))) is not None:
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
            inner = _parser(self.where[name], self.roles, self.options, {}, self.play)
            inner.nodes = self.nodes
            parsed = inner.part(compared=False)
        except ConditionError as error:
            (f,) = error.faults
            self.fault(node, f'"{name}": {f.what}', f.remedy)
        self.nodes = inner.nodes
        return parsed

    def stray_name(self, node: ast.AST, name: str) -> NoReturn:
        if name in self.by_name or name == EVERYTHING:
            single = self.roles.get(self.by_name.get(name, name)) == 1
            words = f'count({name}, "6") == 1' if single else f"pair({name}), total({name}) == 20"
            self.fault(node, f'the hand "{name}" is not a condition', f"write for example {words}")
        if name in WORDS:
            self.fault(node, f'the word "{name}" needs a hand', f"write {WORDS[name].call}")
        if name in INSTEAD:
            self.fault(node, f'"{name}" is not known', f"write {INSTEAD[name]}")
        of_play = [*self.states, *self.hands]
        known = [*WORDS, *self.hand_names(), *self.where, *of_play] if self.roles else of_play
        if self.roles and name in HANDS:
            self.no_role(node, name)
        otherwise = f"combin words lists the words; {self.named_roles()}" if self.roles else ""
        self.fault(node, f'"{short(name, 60)}" is not known', nearest(name[:60], known, otherwise=otherwise))

    def no_role(self, node: ast.AST, name: str) -> NoReturn:
        """Report a hand that the deal does not name, and how hands are named."""
        remedy = nearest(name[:60], self.hand_names(), otherwise=self.named_roles())
        if HANDS.get(name) in self.by_name:
            remedy = f"write {HANDS[name]}; {self.named_roles()}"
        self.fault(node, f'no role is called "{short(name, 60)}"', remedy)

    def named_roles(self) -> str:
        """Return the rule for the names of hands, with those of this deal."""
        names = ", ".join(name for name in self.hand_names() if name != EVERYTHING)
        rule = f"the deal's roles are {names}" if names else ""
        return "; ".join(filter(None, (rule, "cards means all that is dealt" * (EVERYTHING not in self.by_name))))

    def hand_names(self) -> list[str]:
        names = [name for name in self.by_name if name.isidentifier()]
        return [*names, EVERYTHING] if EVERYTHING not in self.by_name else names

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
            if rank not in RANKS:
                self.fault(node, f'there is no rank "{short(text, 20)}"', f"write one of {' '.join(RANKS)}")
            return Constant(RANKS.index(rank)), RANK
        three = {call.hands[0].size == 3 for call in calls_of(other[0])} == {True}
        hands = THREE_CARD_HANDS if three else FIVE_CARD_HANDS
        if text not in hands:
            kind = "three cards" if three else "five cards"
            self.fault(node, f'there is no poker hand "{short(text, 40)}" of {kind}', nearest(text[:40], hands))
        return Constant(hands.index(text)), POKER

    def call(self, node: ast.Call) -> tuple[Node, str, int]:
        if not isinstance(node.func, ast.Name):
            self.fault(node.func, f"{self.shown(node.func)} cannot be called in a condition", "use the words")
        name = node.func.id
        if name not in WORDS:
            remedy = f"write {INSTEAD[name]}" if name in INSTEAD else nearest(
                name[:60], WORDS, otherwise="combin words lists the words")
            self.fault(node.func, f'"{short(name, 60)}" is not a word of conditions', remedy)
        word = WORDS[name]
        if word.gives == SOME_CARDS:
            text = self.shown(node)
            self.fault(node, f"{text} is a hand, not true or false", f"write for example pair({text})")
        wanted = len(word.hands) + word.takes_cards
        if len(node.args) != wanted or any(isinstance(a, ast.Starred) for a in node.args):
            self.fault(node, f"{name} takes {things(wanted)}, not {len(node.args)}", f"write {word.call}")
        hands = tuple(self.hand(argument) for argument in node.args[: len(word.hands)])
        for hand, (least, most), argument in zip(hands, word.hands, node.args, strict=False):
            if hand.size == VARIES:
                self.drawn_out(word, hand, most, argument)
            elif not least <= hand.size <= most or (word.gives == POKER and hand.size == 4):
                self.fault(argument, f"{name} is for {sizes(word, least, most)}, and {self.shown(argument)} has "
                           f"{hand.size}", f"it means: {word.meaning}")
        twice = [r for i, h in enumerate(hands) for r in h.roles for h2 in hands[:i] if self.overlaps(r, h2.roles)]
        if twice:
            self.fault(node, f"{role_name(twice[0])} is compared with itself in {name}", f"write {word.call}")
        cards = self.cards(node.args[-1]) if word.takes_cards else ()
        if cards and hands[0].size == VARIES and any((c + 13) % 52 not in cards for c in cards):
            self.fault(node, f"{self.shown(node)} {TOO_FINE}", FIRST_CARDS)
        most = 231 if name in ("total", "hard_total") else 28
        return Call(name, hands, cards, self.word_options(word, node)), word.gives, most

    def drawn_out(self, word: Word, hand: RoleCards, most: int, argument: ast.AST) -> None:
        """Report what cannot be counted of a hand that is drawn out."""
        if word.name in NOT_OF_DRAWN or most == 1:
            self.fault(argument, f"{word.name}({self.shown(argument)}) {TOO_FINE}", FIRST_CARDS)
        if word.name in OF_DRAWN_ALONE and len(hand.roles) > 1:
            self.fault(argument, f"{word.name} cannot take a hand that is drawn out together with other cards",
                       f"use it for each hand: {word.name}({role_name(hand.roles[-1])})")

    def word_options(self, word: Word, node: ast.Call) -> tuple[tuple[str, str], ...]:
        options = {name: values[0] for name, values in word.options.items()}
        given: set[str] = set()
        for keyword in node.keywords:
            name = keyword.arg or "**"
            if name not in word.options or name in given:
                what = f"{word.name} has no option {name}" if name not in given else f"{name} is given twice"
                remedy = nearest(name, word.options) if word.options else f"write {word.call}"
                self.fault(keyword, what, remedy)
            given.add(name)
            value = self.option_value(keyword.value, name)
            if value not in word.options[name]:
                *some, last = word.options[name]
                self.fault(keyword.value, f'{name} is {", ".join(some)} or {last}, not "{short(value, 40)}"',
                           nearest(value[:40], word.options[name]))
            options[name] = value
        return tuple(sorted(options.items()))

    def option_value(self, node: ast.AST, name: str) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.options:
            return self.options[node.id]
        self.fault(node, f"{self.shown(node)} is not a value of {name}", f'put it in quotes: {name}="…"')

    def hand(self, node: ast.AST) -> RoleCards:
        """Return a hand: a role, ``cards``, the first two cards of a role, or hands joined by ``+``."""
        roles: list[str] = []
        waiting = [node]
        while waiting:
            part = waiting.pop()
            self.nodes += 1
            if self.nodes > MOST_NODES:
                self.fault(node, f"has more than {MOST_NODES} parts", "write it shorter")
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
                waiting += [part.right, part.left]
                continue
            if isinstance(part, ast.Call):
                part_roles = self.first_two(part)
            elif not isinstance(part, ast.Name):
                self.fault(part, f"{self.shown(part)} is not a hand", f"write one of {', '.join(self.hand_names())}")
            elif part.id in self.by_name:
                part_roles = [self.by_name[part.id]]
            elif part.id == EVERYTHING:
                part_roles = [role for role in self.roles if role not in self.within]
            else:
                self.no_role(part, part.id)
            for role in part_roles:
                if self.overlaps(role, roles):
                    self.fault(part, f"{role_name(role)} is counted twice in one hand", "name each role once")
            roles += part_roles
        ordered = tuple(role for role in self.roles if role in roles)
        sizes = [self.roles[role] for role in ordered]
        return RoleCards(ordered, VARIES if VARIES in sizes else sum(sizes))

    def overlaps(self, role: str, roles: Sequence[str]) -> bool:
        """Whether a role shares cards with one of these roles."""
        return any(role in (other, self.within.get(other)) or self.within.get(role) == other for other in roles)

    def first_two(self, node: ast.Call) -> list[str]:
        """Return the roles of the first two cards of a hand that is drawn out."""
        name, arguments = getattr(node.func, "id", ""), [getattr(argument, "id", "") for argument in node.args]
        drawn = [role_name(role) for role in self.roles if self.roles[role] == VARIES]
        if name not in WORDS or WORDS[name].gives != SOME_CARDS or node.keywords:
            self.fault(node, f"{self.shown(node)} is not a hand", f"write one of {', '.join(self.hand_names())}")
        if len(arguments) != 1 or arguments[0] not in drawn:
            remedy = f"one of {', '.join(f'{name}({role})' for role in drawn)}" if drawn else "the role itself"
            self.fault(node, f"{self.shown(node)} is for hands that are drawn out", f"write {remedy}")
        return list(first_cards_of(self.by_name[arguments[0]]))

    def cards(self, node: ast.AST) -> tuple[int, ...]:
        if isinstance(node, ast.Name) and node.id in self.options:
            words = self.options[node.id].split()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
        else:
            self.fault(node, f"{self.shown(node)} is not a text of cards", 'write count(hand, "7") or "Qh", "red"')
        if not words:
            self.fault(node, "names no card", 'write a card, a rank or a suit: "Qh", "Q", "hearts"')
        card_sets: list[frozenset[int]] = []
        for word in words:
            cards = CARDS.get(word) or CARDS.get(word[:-1].upper() + word[-1:].lower()) or CARDS.get(word.upper())
            if cards is None:
                remedy = nearest(word[:20], [k for k in CARDS if len(k) > 2],
                                 otherwise='write a card "Qh", a rank "Q", a suit "hearts", or red, black, face, '
                                 "ten-valued")
                self.fault(node, f'"{short(word, 20)}" is not a card, rank, suit or colour', remedy)
            card_sets.append(cards)
        ranks = [word for word, cards in zip(words, card_sets, strict=True) if of_ranks(cards)]
        suits = [word for word, cards in zip(words, card_sets, strict=True) if of_suits(cards)]
        if ranks and suits:
            shown = short(" ".join(words), 40)
            self.fault(node, f'"{shown}" would count every {ranks[0]} and every {suits[0]} card',
                       'name each card: "Qh Qd"')
        return tuple(sorted(frozenset().union(*card_sets)))


_SIGNS: Mapping[type, str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TURNED = {">": "<", ">=": "<="}


__all__ = [
    "Arithmetic",
    "Call",
    "Choose",
    "Compare",
    "ConditionError",
    "Constant",
    "FinalHand",
    "Join",
    "Node",
    "Not",
    "ParserState",
    "PlayWords",
    "RoleCards",
    "Within",
    "calls_of",
    "check_part",
    "parse",
    "parts_of",
    "role_name",
]  # fmt: skip
