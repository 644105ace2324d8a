"""Figures with unknowns in readable form: linear expressions with decimal coefficients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..base.exact import Exact, decimal, is_number, money, percent, simplify, text, to_sympy
from ..pages.blocks import Figure

EXPRESSION = "an expression in the unknowns"
#: A nonlinear expression of at most this length is shown unchanged.
SHORT = 48


def rounded(value: Fraction) -> str:
    """Return six decimals, or more if fewer than four significant digits would remain; no trailing zeros."""
    places = 6
    while value and abs(value) * 10**places < 1000 and places < 24:
        places += 1
    shown = decimal(value, places)
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def shown(value: Exact) -> str:
    """Return a readable expression, ``0.470657 + 0.000001429 × meter``; `EXPRESSION` for a long nonlinear one."""
    if isinstance(value, Fraction):
        return rounded(value)
    import sympy

    expression = to_sympy(value)
    if isinstance(expression, sympy.Max):
        parts = sorted((shown(simplify(part)) for part in expression.args), key=lambda word: (word[:1].isalpha(), word))
        return f"the greater of {' and '.join(parts)}" if len(parts) == 2 else f"the greatest of {', '.join(parts)}"
    symbols = sorted(expression.free_symbols, key=str)
    whole = str(value) if len(str(value)) <= SHORT else EXPRESSION
    try:
        poly = sympy.Poly(expression, *symbols)
    except sympy.PolynomialError:
        return whole
    terms = poly.terms()
    products = len(terms) == 1 and max(terms[0][0]) == 1
    if not (products or poly.total_degree() <= 1) or not all(c.is_Rational for _, c in terms):
        return whole
    words = ""
    for powers, coefficient in sorted(terms, key=lambda term: (sum(term[0]), [-p for p in term[0]])):
        part = Fraction(int(coefficient.p), int(coefficient.q))
        names = [str(name) for name, power in zip(symbols, powers, strict=True) if power]
        factors = names if names and abs(part) == 1 else [rounded(abs(part)), *names]
        term, sign = " × ".join(factors), "-" if part < 0 else "+"
        words += f" {sign} {term}" if words else f"{'-' if part < 0 else ''}{term}"
    return words


def share(value: Exact) -> str:
    return percent(value) if is_number(value) else shown(value)


def amount(value: Exact, places: int = 8) -> str:
    return decimal(value, places) if is_number(value) else shown(value)


def dollars(value: Exact) -> str:
    if is_number(value):
        return money(value)
    words = shown(value)
    return words if words == EXPRESSION else f"{words} dollars"


def figure(name: str, value: Exact, form: Callable[[Exact], str] = amount, remark: str = "", key: str = "") -> Figure:
    """Return a named figure, shown as ``form`` writes it."""
    return Figure(name, text(value), form(value), remark, key)
