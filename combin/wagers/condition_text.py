"""The text of a condition: Python's grammar reads it, and faults name their column.

A text that is too long, and one that Python cannot read, are refused with the remedy for what beginners write.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from typing import NoReturn

from ..base.errors import Fault, InputError, short
from .condition_hints import foreign_sign
from .vocabulary import WORDS

MOST_LETTERS = 2_000
MOST_NODES = 400
#: Numbers of a condition lie in [-LARGEST, LARGEST], so that they fit into int64.
LARGEST = 10**9
#: A text in quotes, which may contain ``#``, or a comment, which ends with its line.
_COMMENT = re.compile(r""""(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|#[^\r\n]*""")
#: A word and a hand without brackets.
_WORD_AND_HAND = re.compile(r"\b([a-z_0-9]+)\s+([a-z_0-9]+)\b")
_UNFINISHED = (" and", " or", " not", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "%")
_QUOTED = re.compile(r""""[^"\\]*"|'[^'\\]*'""")


class ConditionError(InputError):
    """A fault of a condition; ``offset`` is its index in the text, from 0."""

    def __init__(self, what: str, remedy: str, offset: int) -> None:
        super().__init__(Fault(what, remedy, place=f"column {offset + 1}"))
        self.offset = offset


class ConditionText:
    """A condition without comments, the places of its parts, and the number of those that have been read."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_LETTERS:
            raise ConditionError(
                f"the condition has {len(text):,} characters", f"write at most {MOST_LETTERS:,}", MOST_LETTERS
            )
        plain = _COMMENT.sub(lambda match: " " * len(match[0]) if match[0].startswith("#") else match[0], text)
        flat = plain.replace("\n", " ").replace("\r", " ").replace("\t", " ")
        self.text = flat.lstrip()
        if not self.text:
            raise ConditionError("the condition is empty", "write one such as pair(player)", 0)
        self._indent, self._bytes, self.nodes = len(flat) - len(self.text), self.text.encode(), 0

    def fault(self, node: ast.AST | int, what: str, remedy: str) -> NoReturn:
        """Raise `ConditionError` at a node, or at an index of the text."""
        offset = node if isinstance(node, int) else len(self._until(getattr(node, "col_offset", 0)))
        raise ConditionError(what, remedy, self._indent + max(offset, 0)) from None

    def _until(self, stop: int, start: int = 0) -> str:
        """Return the characters between two offsets of `ast`, which counts bytes."""
        return self._bytes[start:stop].decode(errors="ignore")

    def source(self, node: ast.AST) -> str:
        """Return a node as written."""
        return self._until(getattr(node, "end_col_offset", 0), getattr(node, "col_offset", 0))

    def shown(self, node: ast.AST) -> str:
        """Return a node as written, shortened for a message."""
        return short(self.source(node), 60)

    def count(self, node: ast.AST) -> None:
        """Count a part; too many are a fault at this node."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.fault(node, f"has more than {MOST_NODES} parts", "write it shorter")

    def tree(self, hands: Sequence[str]) -> ast.expr:
        """Return the expression; ``hands`` are names of hands, for remedies."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            self._not_an_expression(error, hands)
        except (ValueError, MemoryError, RecursionError):
            self.fault(0, "is not a condition: it is nested too deeply, or has a character that cannot be read",
                       "write it shorter")
        for node in ast.walk(tree):
            text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if text and not _QUOTED.fullmatch(self.source(node)):
                self.fault(node, f"{self.shown(node)} is not a single text in quotes",
                           'write "…", without a prefix or \\')
        return tree

    def called(self) -> set[str]:
        """Return the words that the condition calls, without those of its texts and comments.

        >>> sorted(ConditionText('pair(player) and poker(player) != "suited(player)"  # flush(player)').called())
        ['pair', 'poker']
        """
        calls = [node.func for node in ast.walk(self.tree(())) if isinstance(node, ast.Call)]
        return {word.id for word in calls if isinstance(word, ast.Name)}

    def _not_an_expression(self, error: SyntaxError, hands: Sequence[str]) -> NoReturn:
        """Report a text that Python's grammar refuses, with the remedy for what beginners write."""
        what, index = error.msg or "no expression", (error.offset or 1) - 1
        if "integer string conversion" in what:
            self.fault(index, "a number is too long", f"write numbers up to {LARGEST:,}")
        if (foreign := foreign_sign(self.text)) is not None:
            self.fault(foreign[0], "is not a condition", foreign[1])
        if self.text[index : index + 1] == "=" or "==" in what:
            self.fault(index, "is not a condition", "compare with ==")
        for match in _WORD_AND_HAND.finditer(self.text):
            if match[1] in WORDS and match[2] in hands:
                self.fault(match.start(), "is not a condition", f"write {match[1]}({match[2]})")
        if self.text.rstrip().endswith(_UNFINISHED):
            self.fault(len(self.text.rstrip()), "is not a condition: it ends too early", "write the rest, or leave out "
                       f'"{self.text.split()[-1]}"')
        what = "Python cannot read it" if what.startswith("invalid syntax") else what
        self.fault(index, f"is not a condition: {what}", "write one such as pair(player) and not suited(player)")
