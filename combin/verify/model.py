"""The record of a verification: each check with its method and result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import InputError

VERIFIED, FAILED, NOT_HELD = "verified", "failed", "not held against anything"


@dataclass(frozen=True)
class Check:
    """A check of a figure. ``passed`` is None for a remark, and for a figure without a second method.

    ``unheld`` marks the second case.
    """

    what: str
    method: str
    result: str
    passed: bool | None = True
    unheld: bool = False


@dataclass(frozen=True)
class Verification:
    """Every check of one paytable at one number of decks."""

    id: str
    decks: int
    checks: tuple[Check, ...]

    @property
    def state(self) -> str:
        """`FAILED` if a check fails, `NOT_HELD` if a figure has no second method, otherwise `VERIFIED`."""
        return FAILED if self.failures else NOT_HELD if any(check.unheld for check in self.checks) else VERIFIED

    @property
    def passed(self) -> bool:
        """Whether the figures are verified: a second method gives the same."""
        return self.state == VERIFIED

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.passed is False)


def compared(what: str, method: str, here: Mapping[str, Fraction | int], there: Mapping[str, Fraction | int]) -> Check:
    """A check of two sets of the same figures, by name; it names the first difference."""
    names = list(dict.fromkeys([*here, *there]))
    for name in names:
        if here.get(name, 0) != there.get(name, 0):
            return Check(what, method, f'"{name}" is {here.get(name, 0)} here and {there.get(name, 0)} there', False)
    return Check(what, method, f"the same {len(names)} figures")


def equal(what: str, method: str, here: object, there: object, shown: str = "") -> Check:
    if here == there:
        return Check(what, method, shown or f"{here:,}" if isinstance(here, int) else shown or str(here))
    return Check(what, method, f"{here} here and {there} there", False)


def unheld(what: str, why: str) -> Check:
    """A check for a figure without a second method."""
    return Check(what, f"none: {why}", NOT_HELD, None, unheld=True)


def guarded(what: str, method: str, check: Callable[[], Iterable[Check]]) -> list[Check]:
    """The checks, or a failed check if the second method raises."""
    try:
        return list(check())
    except (InputError, MemoryError):
        raise
    except Exception as error:  # a plug-in's second method may raise anything: that is no agreement
        return [Check(what, method, f"{type(error).__name__}: {error}".removesuffix(": "), False)]
