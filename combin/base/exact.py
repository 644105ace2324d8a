"""Exact numbers to and from text: ratios, percents, dollars, decimals.

Every figure is a `fractions.Fraction`, or a sympy expression if a pay has an unknown;
sympy is imported only in that case. Floats appear only in `to_float`, for the decimal
next to an exact value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

from .errors import fault
from .typed import typed

#: A Fraction, or a sympy expression in the unknowns that are left.
Exact: TypeAlias = "Fraction | Any"

#: A point before exactly three digits, as in 1.500: 1.5 in some countries, 1500 in others.
_EITHER = re.compile(r"(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,])", re.ASCII)
_PLAIN = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?", re.ASCII)
MOST_DIGITS = 60


def two_meanings(text: str) -> tuple[str, str] | None:
    """Return the fault and its remedy for a number whose separator has two meanings; None for any other text."""
    match = _EITHER.search(text)
    if match is None:
        return None
    whole, part = match.groups()
    short = f"{whole}.{part.rstrip('0')}".rstrip(".")
    return (f'"{_short(text)}" may mean {short} or {whole},{part}',
            f"write {short if short != f'{whole}.{part}' else f'{whole}.{part}0'} or {whole},{part}")


def ratio(
    text: str | int | Fraction, *, what: str = "value", file: str = "", place: str = "", dollars: bool = False
) -> Fraction:
    """Return an exact number from ``3/4``, ``0.75``, ``75%``, ``$10,000`` or an integer.

    Raises `InputError` for any other text, and for a percentage if ``dollars``.
    """
    if isinstance(text, Fraction):
        return text
    if isinstance(text, int) and not isinstance(text, bool):
        return Fraction(text)
    word = str(text).strip() if isinstance(text, str) else ""
    if either := two_meanings(word):
        raise fault(f"{what} {either[0]}", either[1], file=file, place=place)
    bare = word.removeprefix("$").strip()
    percent = bare.endswith("%")
    remedy = 'write a decimal, a fraction or a percent: "0.75", "3/4", "75%"'
    if dollars:
        remedy = 'write dollars: "5", "2.50" or "12,000"'
        if percent:
            raise fault(f'{what} "{_short(text)}" is a percentage, not an amount', remedy, file=file, place=place)
    bare = bare.removesuffix("%").strip()
    parts = bare.split("/")
    if len(bare) <= MOST_DIGITS and len(parts) <= 2 and all(p.strip() and _PLAIN.fullmatch(p.strip()) for p in parts):
        numbers = [Fraction(p.strip().replace(",", "")) for p in parts if re.search(r"[0-9]", p)]
        if len(numbers) == len(parts) and (len(parts) == 1 or numbers[1] != 0):
            value = numbers[0] / numbers[1] if len(parts) == 2 else numbers[0]
            return value / 100 if percent else value
    raise fault(f'{what} "{_short(text)}" is not an exact number', remedy, file=file, place=place)


def _short(text: object) -> str:
    word = str(text)
    return word if len(word) <= MOST_DIGITS else word[: MOST_DIGITS - 1] + "…"


def is_number(value: Exact) -> bool:
    return isinstance(value, Fraction)


def simplify(value: Any) -> Exact:
    """Return a Fraction if ``value`` has no unknown left, otherwise the expanded sympy expression."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int):
        return Fraction(value)
    import sympy

    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    expanded = sympy.expand(value)
    return Fraction(int(expanded.p), int(expanded.q)) if expanded.is_Rational else expanded


def to_sympy(value: Exact) -> Any:
    """Return the sympy Rational or expression of an exact value."""
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.sympify(value)


def unknowns_in(value: Any) -> set[str]:
    """Return the names of the unknowns in an exact value."""
    return set() if isinstance(value, Fraction) else {str(s) for s in value.free_symbols}


Range: TypeAlias = "tuple[Fraction | None, Fraction | None]"


def enclosure(value: Exact, limits: Mapping[str, tuple[Fraction, Fraction | None]]) -> Range:
    """Return a lower and an upper bound of ``value``; None for a bound that is not known.

    ``limits`` has each unknown's least value (0 or more) and greatest value (None if it has none).
    An unknown that is not named may have any value. Bounds are summed term by term: they may lie
    outside the true range, never inside.
    """
    if isinstance(value, Fraction):
        return value, value
    import sympy

    least: Fraction | None = Fraction(0)
    greatest: Fraction | None = Fraction(0)
    for term in sympy.Add.make_args(sympy.expand(value)):
        low, high = _term_range(term, limits)
        least = None if least is None or low is None else least + low
        greatest = None if greatest is None or high is None else greatest + high
    return least, greatest


def _term_range(term: Any, limits: Mapping[str, tuple[Fraction, Fraction | None]]) -> Range:
    """Return the bounds of a number times powers of unknowns; (None, None) for any other term."""
    number, factors = term.as_coeff_mul()
    low: Fraction = Fraction(1)
    high: Fraction | None = Fraction(1)
    for factor in factors:
        base, power = factor.as_base_exp()
        if not (base.is_Symbol and power.is_Integer and number.is_Rational and str(base) in limits):
            return None, None
        first, last = limits[str(base)]
        n = abs(int(power))
        bottom, top = first**n, None if last is None else last**n
        if power < 0:
            bottom, top = (Fraction(0) if top is None else 1 / top), (1 / bottom if bottom else None)
        low, high = low * bottom, None if high is None or top is None else high * top
    if not number.is_Rational:
        return None, None
    times = Fraction(int(number.p), int(number.q))
    ends = (times * low, None if high is None else times * high)
    return ends if times >= 0 else (ends[1], ends[0])


@typed
def symbol(name: str) -> Any:
    """Return the sympy symbol of an unknown, for expressions such as ``a.rtp``.

    Its name as a text also works where sympy accepts one: ``a.rtp.subs("meter", 20_000)``.

    >>> symbol("main_meter") + 1
    main_meter + 1
    """
    import sympy

    return sympy.Symbol(name)


def value_of(values: Mapping[str, Exact | None], name: str) -> Exact:
    """Return the value of a parameter, or its symbol if it has none."""
    known = values.get(name)
    return symbol(name) if known is None else known


def text(value: Exact) -> str:
    """``p/q`` in lowest terms, an integer without ``/1``, or the expression."""
    return str(value)


def to_float(value: Exact) -> float | None:
    """Return the nearest double, for display; None if the value has unknowns."""
    return value.numerator / value.denominator if isinstance(value, Fraction) else None


def to_decimal(value: Fraction) -> Decimal:
    """Return the value to the digits of the current decimal context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def decimal(value: Fraction, places: int) -> str:
    """Return ``value`` rounded half to even at ``places`` decimals, in integer arithmetic."""
    scaled = round(value * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return ("-" if scaled < 0 else "") + whole + ("." + part if places else "")


def clear(value: Fraction, places: int, digits: int = 4) -> str:
    """Return ``value`` at ``places`` decimals; more for a small one, to show ``digits`` significant digits.

    >>> clear(Fraction(1, 3), 4), clear(Fraction(1, 30000), 4), clear(Fraction(0), 4)
    ('0.3333', '0.00003333', '0')
    """
    if not value:
        return "0"
    while abs(value) * 10**places < 10 ** (digits - 1):
        places += 1
    return decimal(value, places)


def decks(number: int | None) -> str:
    """``1 deck``, ``6 decks``."""
    return f"{number} deck" if number == 1 else f"{number} decks"


def money(amount: Fraction) -> str:
    """Return an amount in dollars as text, with cents if there are any."""
    whole, _, cents = decimal(amount, 2).partition(".")
    return f"${int(whole):,}" + (f".{cents}" if amount.denominator != 1 else "")


def percent(value: Fraction, places: int = 4) -> str:
    return decimal(value * 100, places) + " %"


class Truncated(Fraction):
    """A truncated decimal of a figure that is not a fraction, such as a square root.

    >>> root(Fraction(2), 4)
    Truncated(7071, 5000)
    """


def root(value: Fraction, places: int = 12) -> Truncated:
    """Return the square root of a value that is not negative, truncated at ``places`` decimals."""
    scale = 10**places
    return Truncated(isqrt(value.numerator * value.denominator * scale * scale), value.denominator * scale)


def grouped(count: int) -> str:
    """``133,784,560``."""
    return f"{count:,}"


def grouped_decimal(value: Fraction, places: int) -> str:
    """``133,784,560.25``: ``value`` rounded at ``places`` decimals, its whole digits grouped."""
    whole, _, part = decimal(value, places).partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return f"{sign}{int(digits):,}" + (f".{part}" if part else "")


def nearly(p: Fraction | Decimal | float) -> str:
    """Return a probability in percent, which is 0 % or 100 % only if it is exactly that.

    >>> nearly(Fraction(1, 3)), nearly(1 - Fraction(1, 10**12)), nearly(Fraction(1, 10**12))
    ('33.333333 %', '> 99.999999 %', '1.0e-10 %')
    """
    shown = f"{float(p) * 100:.6f} %"
    if shown == "100.000000 %" and p < 1:
        return "> 99.999999 %"
    if shown == "0.000000 %" and p:
        small = Decimal(p.numerator) / p.denominator if isinstance(p, Fraction) else Decimal(p)
        return f"{small * 100:.1e} %"
    return shown
