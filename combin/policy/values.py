"""Readers of the limits of a policy: exact numbers; a limit that always or never holds is an error."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..base.errors import fault
from ..base.exact import grouped_decimal, ratio

#: A return, share or spread without a percent sign is refused from here on: a percentage is meant.
NO_SHARE = Fraction(10)


def exact(value: Any) -> Fraction:
    """Return an exact number that is not negative, from text or an integer; raises `InputError` otherwise."""
    number = ratio(value, what="the value")
    if number < 0:
        raise fault(f"the value {value} is negative", "give a number that is at least 0")
    return number


def above_zero(value: Any) -> Fraction:
    """Return an exact number above 0: a least value of 0 would always hold."""
    number = exact(value)
    if number == 0:
        raise fault("a least value of 0 always holds", "give a number above 0, or leave the key out")
    return number


def _within(number: Fraction, value: Any, most: Fraction, words: str, *, reached: bool) -> Fraction:
    """Return ``number``; raises `InputError` if it is above ``most``, or equal to it unless ``reached``."""
    if number < most or (reached and number == most):
        return number
    slip = _is_bare(value) and number / 100 < most
    remedy = f'write "{value}%"' if slip else f"give a value {'of at most' if reached else 'below'} {_in_percent(most)}"
    raise fault(f"the value {_literal(value)} is {_in_percent(number)}, and {words}", remedy)


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


def greatest_edge(value: Any) -> Fraction:
    """The greatest house edge; it may be negative; from 100 % on it would always hold."""
    return _within(ratio(value, what="the value"), value, Fraction(1), "no house edge is above 100 %", reached=False)


def least_edge(value: Any) -> Fraction:
    """The least house edge; it may be negative; above 100 % it would never hold."""
    return _within(ratio(value, what="the value"), value, Fraction(1), "no house edge is above 100 %", reached=True)


def greatest_frequency(value: Any) -> Fraction:
    """The greatest hit frequency: from 100 % on it would always hold."""
    return _within(exact(value), value, Fraction(1), "no frequency is above 100 %", reached=False)


def least_frequency(value: Any) -> Fraction:
    """The least hit frequency."""
    return _within(above_zero(value), value, Fraction(1), "no frequency is above 100 %", reached=True)


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
