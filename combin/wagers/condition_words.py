"""The words of a condition with their arguments: hands, cards and options, checked against the deal's roles."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NoReturn

from ..base.errors import nearest, short
from ..deals.drawn_roles import VARIES, first_cards_of
from .condition_hints import (
    FIRST_CARDS,
    HANDS,
    INSTEAD,
    TOO_FINE,
    of_ranks,
    of_suits,
    sizes,
    things,
)
from .condition_text import ConditionText
from .condition_tree import Call, RoleCards
from .vocabulary import CARDS, POKER, SOME_CARDS, WORDS, Word

EVERYTHING = "cards"


def role_name(role: str) -> str:
    """Return the name of a role in conditions: ``hole_card`` for ``hole card``."""
    return role.replace(" ", "_")


class WordReader:
    """Reader of the words of one text, for a deal of these roles and the options of a wager."""

    def __init__(self, text: ConditionText, roles: Mapping[str, int], options: Mapping[str, str]) -> None:
        self.text, self.roles, self.options = text, roles, options
        self.fault, self.shown = text.fault, text.shown
        self.by_name = {role_name(role): role for role in roles}
        #: The hand that is drawn out of which a role is a part.
        self.within = {part: role for role in roles if roles[role] == VARIES for part in first_cards_of(role)}

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

    def call(self, node: ast.Call) -> tuple[Call, str, int]:
        """Return a word with its arguments, the kind of its value, and the largest value that it may have."""
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
        if word.drawn == "no" or most == 1:
            self.fault(argument, f"{word.name}({self.shown(argument)}) {TOO_FINE}", FIRST_CARDS)
        if word.drawn == "alone" and len(hand.roles) > 1:
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
            self.text.count(node)
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
