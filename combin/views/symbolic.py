"""Figures in which an unknown is open, for people: decimal coefficients where the expression is linear."""

from __future__ import annotations

from fractions import Fraction

from ..exact import Exact, decimal, to_sympy

EXPRESSION = "an expression in the unknowns"


def rounded(value: Fraction) -> str:
    """Six decimals, more where fewer than four digits of the value would be left; no zeros at the end."""
    places = 6
    while value and abs(value) * 10**places < 1000 and places < 24:
        places += 1
    shown = decimal(value, places)
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def shown(value: Exact) -> str:
    """An expression for people: ``0.470657 + 0.000001429 × meter``; in words where it is not linear."""
    if isinstance(value, Fraction):
        return rounded(value)
    import sympy

    expression = to_sympy(value)
    symbols = sorted(expression.free_symbols, key=str)
    try:
        poly = sympy.Poly(expression, *symbols)
    except sympy.PolynomialError:
        return EXPRESSION
    if poly.total_degree() > 1 or not all(c.is_Rational for c in poly.coeffs()):
        return EXPRESSION
    constant = poly.coeff_monomial(1)
    parts = [(Fraction(int(constant.p), int(constant.q)), "")] if constant else []
    for name in symbols:
        part = poly.coeff_monomial(name)
        if part:
            parts.append((Fraction(int(part.p), int(part.q)), str(name)))
    words = ""
    for part, name in parts:
        sign = "-" if part < 0 else "+"
        size = abs(part)
        term = rounded(size) if not name else name if size == 1 else f"{rounded(size)} × {name}"
        words += f" {sign} {term}" if words else f"{'-' if part < 0 else ''}{term}"
    return words or "0"
