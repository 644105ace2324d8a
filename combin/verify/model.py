"""The record of a verification: each check with its method and result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import InputError

VERIFIED, FAILED, PARTLY, NOT_CHECKED = "verified", "failed", "partly checked", "not checked"
#: What a check covers: the return, or the counts of all outcomes, from which the return follows by closure.
RETURN, COUNTS = "the return", "the counts"
#: Groups of checks: of published claims, which a summary omits, and of rounds dealt at random.
PUBLISHED, SIMULATION = "published", "simulation"


@dataclass(frozen=True)
class Check:
    """A check of a figure. ``passed`` is None for a remark, and for a figure without an independent method.

    ``unchecked`` marks the latter. ``covers`` is `RETURN`, `COUNTS`, or "" for a check of a part of the figures.
    """

    what: str
    method: str
    result: str
    passed: bool | None = True
    unchecked: bool = False
    covers: str = ""
    #: For a sampled count: the smallest relative error that it would reveal.
    detects: float | None = None
    #: The name under which a summary counts it; ``what`` if it is empty.
    group: str = ""
    #: What is counted in place of the wager itself: "the game from 20 cards".
    instead: str = ""


@dataclass(frozen=True)
class Verification:
    """Every check of one paytable at one number of decks."""

    id: str
    decks: int
    checks: tuple[Check, ...]

    @property
    def state(self) -> str:
        """The state: `FAILED` if a check fails, `VERIFIED` if the return or all counts have an independent check.

        `PARTLY` if only some figures have an independent check, and `NOT_CHECKED` if none has.
        """
        if self.failures:
            return FAILED
        unchecked = any(check.unchecked for check in self.checks)
        if not unchecked and any(check.covers for check in self.checks if check.passed):
            return VERIFIED
        return NOT_CHECKED if unchecked and not any(check.covers for check in self.checks if check.passed) else PARTLY

    @property
    def passed(self) -> bool:
        """Whether the figures are verified by an independent method."""
        return self.state == VERIFIED

    @property
    def detects(self) -> float | None:
        """The smallest relative error that every sampled count would reveal. None if nothing was sampled."""
        return max((c.detects for c in self.checks if c.detects is not None and c.passed), default=None)

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.passed is False)


def compared(
    what: str, method: str, here: Mapping[str, Fraction | int], there: Mapping[str, Fraction | int], covers: str = "",
) -> Check:
    """Return a check of two sets of the same figures, by name; it states the first difference."""
    names = list(dict.fromkeys([*here, *there]))
    for name in names:
        if here.get(name, 0) != there.get(name, 0):
            return Check(what, method, f'"{name}" is {here.get(name, 0)} here and {there.get(name, 0)} there', False)
    return Check(what, method, f"the same {len(names)} figures", covers=covers)


def equal(what: str, method: str, here: object, there: object, shown: str = "", covers: str = "") -> Check:
    """Return a check of one figure; ``shown`` is the result in words if both agree."""
    if here == there:
        result = shown or f"{here:,}" if isinstance(here, int) else shown or str(here)
        return Check(what, method, result, covers=covers)
    return Check(what, method, f"{here} here and {there} there", False)


def no_difference(what: str, method: str, difference: str, shown: str, covers: str = "") -> Check:
    """Return a check that passes if there is no ``difference``; ``shown`` is the result in words."""
    return Check(what, method, difference or shown, not difference, covers=covers)


def not_checked(what: str, why: str) -> Check:
    """Return a check for a figure without an independent method."""
    return Check(what, f"none: {why}", NOT_CHECKED, None, unchecked=True)


def guarded(what: str, method: str, check: Callable[[], Iterable[Check]]) -> list[Check]:
    """Return the checks, or a failed check if the independent method raises."""
    try:
        return list(check())
    except (InputError, MemoryError):
        raise
    except Exception as error:  # a plug-in may raise anything, which is not an agreement
        return [Check(what, method, f"{type(error).__name__}: {error}".removesuffix(": "), False)]
