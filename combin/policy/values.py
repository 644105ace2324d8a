"""Readers of the limits of a policy: exact numbers; a limit that always or never holds is an error."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..base.errors import fault
from ..base.exact import grouped_decimal, ratio

#: A return, share or spread without a percent sign is refused from here on: a percentage is meant.
NO_SHARE = Fraction(10)


def exact(value: Any) -> Fraction:
    """Return an exact number that is not negative, from text or an integer; raises `InputError` otherwise."""
    number = _signed(value)
    if number < 0:
        raise fault(f"the value {value} is negative", "give a number that is at least 0")
    return number


def above_zero(value: Any) -> Fraction:
    """Return an exact number above 0: a least value of 0 would always hold."""
    number = exact(value)
    if number == 0:
        raise fault("a least value of 0 always holds", "give a number above 0, or leave the key out")
    return number


def _part(read: Callable[[Any], Fraction], words: str, *, whole: bool) -> Callable[[Any], Fraction]:
    """Return the reader of a part below 100 %, or of at most 100 % if it may be the ``whole``; else `InputError`."""

    def part(value: Any) -> Fraction:
        number = read(value)
        if number < 1 or (whole and number == 1):
            return number
        slip = _is_bare(value) and number / 100 < 1
        remedy = f'write "{value}%"' if slip else f"give a value {'of at most' if whole else 'below'} 100 %"
        raise fault(f"the value {_literal(value)} is {_in_percent(number)}, and {words}", remedy)

    return part


def _is_bare(value: Any) -> bool:
    """Whether a value is written without a percent sign, and not as a fraction."""
    return not {"%", "/"} & set(str(value))


def _in_percent(number: Fraction) -> str:
    return f"{grouped_decimal(number * 100, 0 if (number * 100).denominator == 1 else 2)} %"


def share_of_stake(value: Any) -> Fraction:
    """Return a return, a share of the stake or a spread; raises `InputError` for 97, since 97 % is meant."""
    number = exact(value)
    if _is_bare(value) and number >= NO_SHARE:
        raise fault(f"the value {_literal(value)} is {_in_percent(number)}", f'write "{value}%"')
    return number


def least_share(value: Any) -> Fraction:
    """The least return or share of the stake."""
    return share_of_stake(above_zero(value) and value)


def _signed(value: Any) -> Fraction:
    return ratio(value, what="the value")


_NO_EDGE, _NO_FREQUENCY = "no house edge is above 100 %", "no frequency is above 100 %"
#: A house edge may be negative; a greatest one from 100 % on would always hold, a least one above it never.
greatest_edge, least_edge = _part(_signed, _NO_EDGE, whole=False), _part(_signed, _NO_EDGE, whole=True)
#: A greatest hit frequency from 100 % on would always hold.
greatest_frequency = _part(exact, _NO_FREQUENCY, whole=False)
least_frequency = _part(above_zero, _NO_FREQUENCY, whole=True)


def one_in(value: Any) -> Fraction:
    """Return N of "1 in N", which is at least 1."""
    number = exact(value)
    if number < 1:
        raise fault(f"the value {_literal(value)} is a frequency above 1 in 1", 'write N of "1 in N": "1,000,000"')
    return number


def only_true(value: Any) -> bool:
    if value is not True:
        raise fault(f"the value {_literal(value)} is not true", "write true, or leave the key out")
    return True


def to_or_for(value: Any) -> str:
    if value not in ("to", "for"):
        raise fault(f"the value {_literal(value)} is not a word for odds", 'write "to" or "for"')
    return str(value)


def deck_list(value: Any) -> tuple[int, ...]:
    """A list of numbers of decks from 1 to 8."""
    good = isinstance(value, list) and value and all(type(n) is int and 1 <= n <= 8 for n in value)
    if not good:
        raise fault(f"the value {_literal(value)} is not a list of numbers of decks from 1 to 8", "write [6, 8]")
    return tuple(value)


def _literal(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"
