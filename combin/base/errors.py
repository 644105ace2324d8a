"""The error for bad input and the error for a wrong count.

Bad input never ends in a traceback: the command line prints the file, the place, what is wrong and what
would be right, one line for each fault, and exits with status 2. A count that does not close is an error
of combin: one line and status 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .budgets import FAULTS
from .safe_text import shown


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an input.

    ``file`` is a path, an id or a flag; ``place`` a line, a key or empty;
    ``remedy`` says what would be right, as an imperative or a suggestion.
    """

    what: str
    remedy: str = ""
    file: str = ""
    place: str = ""
    #: The outcome that the wager does not have, if that is the fault.
    outcome: str = ""

    def __str__(self) -> str:
        parts = [short(shown(part)) for part in (self.file, self.place, self.what) if part]
        text = ": ".join(parts)
        return f"{text}; {short(shown(self.remedy))}" if self.remedy else text


def short(text: str, most: int = 400) -> str:
    """Return a part of a message, shortened if it is very long."""
    return text if len(text) <= most else text[: most - 1] + "…"


class InputError(ValueError):
    """One or more faults of the input. ``faults`` lists them in order.

    Each fault has ``what``, ``remedy``, ``file`` and ``place``. The message uses the names of Python's arguments; the
    faults, which the command line prints, use the names of options.

    >>> import combin
    >>> try:
    ...     combin.analyze("maryland/blackjack/lucky-ladies/Z", decks=6)
    ... except combin.InputError as error:
    ...     print(error.faults[0].what)
    no paytable has the id "maryland/blackjack/lucky-ladies/Z"
    """

    def __init__(self, *faults: Fault) -> None:
        if len(faults) > FAULTS + 1:
            left = Fault(f"has {len(faults) - FAULTS:,} more faults", "correct these first", faults[0].file)
            faults = (*faults[:FAULTS], left)
        super().__init__("\n".join(as_arguments(str(item)) for item in faults))
        self.faults: tuple[Fault, ...] = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.faults


#: Values of consecutive flags, cards of a flag, any other flag.
_PAIR = r"([a-z][a-z0-9_-]*)=([^\s;,()]+)"
_SET = re.compile(rf"--(set|reading) {_PAIR}(?: --\1 {_PAIR})*")
_CARDS = re.compile(r'--(hand|board|upcard) (?:"([^"]+)"|([2-9TJQKA])\b)')
_FLAG = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")
#: Flags whose argument in Python has another name.
_ARGUMENTS = {"with": "bonus_id", "simulate": "rounds", "any-decks": "any_decks=True"}


def _values(match: re.Match[str]) -> str:
    pairs = (f'"{name}": {value if value.isdigit() or value.isupper() else repr(value)}'
             for name, value in re.findall(_PAIR, match[0]))
    return f"{match[1]}={{{', '.join(pairs)}}}"


def as_arguments(message: str) -> str:
    """Return a message for Python: ``decks`` for ``--decks``, ``set={"stake": 5}`` for ``--set stake=5``."""
    text = _SET.sub(_values, message)
    text = _CARDS.sub(lambda m: f'{m[1]}="{m[2] or m[3]}"', text)
    text = _FLAG.sub(lambda m: _ARGUMENTS.get(m[1], m[1].replace("-", "_")), text)
    return text.replace("combin list shows", "combin.paytables() shows")


def fault(what: str, remedy: str = "", *, file: str = "", place: str = "") -> InputError:
    """Return an `InputError` of a single fault."""
    return InputError(Fault(what, remedy, file, place))


class CountError(ArithmeticError):
    """A count does not close: deals are missing or counted twice, or two sums that must agree do not.

    No input can cause it: it is an error in combin, and no figure that follows from the count may be shown.
    """


def closed(what: str, counted: int, wanted: int) -> None:
    """Raise `CountError` unless a count has the value that it must have."""
    if counted != wanted:
        raise CountError(f"{what}: {counted:,} counted, not {wanted:,}")


def raise_all(faults: Sequence[Fault]) -> None:
    """Raise the collected faults together; do nothing if there are none."""
    if faults:
        raise InputError(*faults)


#: The least similarity of two words for one to be taken as a misspelling of the other.
ALIKE = 0.6


def _is_slip(word: str, known: str) -> bool:
    """Return whether a name may be a misspelling: the parts that differ are similar, and neither numbers nor opposites.

    "eight-card flush" is not a misspelling of "two-card flush", nor "unsuited pair" of "suited pair"."""
    if "/" in known:  # the nearest id is helpful, whatever its last part
        return True
    parts = [re.split(r"[-_ ]+", name) for name in (word, known)]
    first, other = ([p for p in mine if p not in yours] for mine, yours in (parts, parts[::-1]))
    both = ((" ".join(first).lower(), " ".join(other).lower()), (word.lower(), known.lower()))
    numbers = ((p, q) for p in first for q in other if _counts(p) and _counts(q))
    if any(not p.startswith(q) and not q.startswith(p) for p, q in numbers) or any(
            _negates(one, two) or _negates(two, one) for one, two in both):
        return False
    from difflib import SequenceMatcher

    return not first or not other or SequenceMatcher(None, " ".join(first), " ".join(other)).ratio() >= ALIKE


_NUMBERS = frozenset({
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
})  # fmt: skip


def _counts(part: str) -> bool:
    """Return whether a part of a name is a number."""
    return part.isdigit() or part.lower() in _NUMBERS


def _negates(one: str, other: str) -> bool:
    """Return whether one text is the other with a negating word or prefix."""
    return any(one == f"{no}{other}" for no in ("un", "non", "non-", "non ", "not ", "no ", "off", "off-", "in", "mis"))


def nearest(word: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """Return a remedy for an unknown ``word`` that names what was probably meant."""
    from difflib import get_close_matches

    known = list(known)
    close = [k for k in get_close_matches(word, known, cutoff=ALIKE) if _is_slip(word, k)]
    if not close:
        folded = {k.lower(): k for k in known}
        matches = get_close_matches(word.lower(), list(folded), cutoff=ALIKE)
        close = [folded[c] for c in matches if _is_slip(word.lower(), c)]
    if close:
        return f'did you mean "{close[0]}"?'
    if otherwise:
        return otherwise
    return f"known: {', '.join(known)}" if known else ""
