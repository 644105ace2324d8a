"""What a verification says: one line for each thing that was checked, by which method, with what result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import InputError

VERIFIED, FAILED, NOT_HELD = "verified", "failed", "not held against anything"


@dataclass(frozen=True)
class Check:
    """``passed`` is None where a result is only told, and where nothing could be held against the figure.

    ``unheld`` marks the latter.
    """

    what: str
    method: str
    result: str
    passed: bool | None = True
    unheld: bool = False


@dataclass(frozen=True)
class Verification:
    """Everything that was checked of one paytable at one number of decks."""

    id: str
    decks: int
    checks: tuple[Check, ...]

    @property
    def state(self) -> str:
        """`FAILED` where a check fails, `NOT_HELD` where no second method could count the figures, else `VERIFIED`."""
        return FAILED if self.failures else NOT_HELD if any(check.unheld for check in self.checks) else VERIFIED

    @property
    def passed(self) -> bool:
        """Whether the figures are verified: held against a second method that gives the same."""
        return self.state == VERIFIED

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.passed is False)


def compared(what: str, method: str, here: Mapping[str, Fraction | int], there: Mapping[str, Fraction | int]) -> Check:
    """Two accounts of the same figures, by name: the first that differs is named."""
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
    """A figure that no second method knows."""
    return Check(what, f"none: {why}", NOT_HELD, None, unheld=True)


def guarded(what: str, method: str, check: Callable[[], Iterable[Check]]) -> list[Check]:
    """The checks, or a failed one where the count itself breaks down."""
    try:
        return list(check())
    except (InputError, MemoryError):
        raise
    except Exception as error:  # a second method may be a plug-in's: whatever it raises is no agreement
        return [Check(what, method, f"{type(error).__name__}: {error}".removesuffix(": "), False)]
