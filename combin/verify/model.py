"""What a verification says: one line for each thing that was checked, by which method, with what result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Check:
    """``passed`` is None where nothing could be held against the figure, or where a result is only told."""

    what: str
    method: str
    result: str
    passed: bool | None = True


@dataclass(frozen=True)
class Verification:
    """Everything that was checked of one paytable at one number of decks."""

    id: str
    decks: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return all(check.passed is not False for check in self.checks)

    @property
    def held(self) -> bool:
        """Whether the counts were held against anything."""
        return not any(
            check.passed is None and check.method.startswith("none") and check.what != "simulation"
            for check in self.checks
        )

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


def guarded(what: str, method: str, check: Callable[[], Iterable[Check]]) -> list[Check]:
    """The checks, or a failed one where the count itself breaks down."""
    try:
        return list(check())
    except (ArithmeticError, AssertionError, RuntimeError) as error:
        return [Check(what, method, str(error) or type(error).__name__, False)]
