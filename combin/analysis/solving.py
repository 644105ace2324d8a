"""The value of a parameter that gives a wanted return, exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..base.errors import fault, nearest
from ..base.exact import simplify, symbol, to_sympy
from ..rulebook import parameters

if TYPE_CHECKING:
    from .model import Analysis


def solve(analysis: Analysis, parameter: str, wanted: Fraction) -> Fraction:
    """The exact value of ``parameter`` at which the return is ``wanted`` (break-even: 1).

    Raises `InputError` if the return does not depend on the parameter, if another
    unknown is open, or if no single value gives that return.
    """
    import sympy

    resolved = analysis.resolved
    known = parameters.names(resolved)
    if parameter not in known:
        raise fault(
            f'{analysis.id} has no parameter "{parameter}"',
            nearest(parameter, known) if known else "it has no parameters",
        )
    setting = parameters.settings(resolved).get(parameter)
    if setting is not None and setting.fixed:
        raise fault(f"{parameter} is fixed ({setting.clause})", "solve for an unknown")
    if parameter in parameters.WHOLE:
        raise fault(f"{parameter} is a count", f"look at its values one by one: --set {parameter}=1")
    if analysis.cap is not None or parameter == "cap":
        raise fault("under a payout cap the return has a bend at every pay", "look at its values one by one with --set")
    if parameter in analysis.request.set:
        left = {k: v for k, v in analysis.request.set.items() if k != parameter}
        analysis = analysis.ask(analysis.book, replace(analysis.request, set=MappingProxyType(left)))
    if parameter == "stake" and resolved.terms.only_at_stake:
        raise fault("which lines are paid depends on the stake", "look at its values one by one: --set stake=1")
    unknown = symbol(parameter)
    expression = sympy.expand(to_sympy(analysis.return_with({**analysis.parameters, parameter: None})))
    if unknown not in expression.free_symbols:
        raise fault(f"the return of {analysis.id} does not depend on {parameter}")
    others = sorted(str(s) for s in expression.free_symbols - {unknown})
    if others:
        raise fault(f"the return also depends on {', '.join(others)}", f"set it: --set {others[0]}=VALUE")
    free = sympy.Symbol("free")
    solutions = sympy.solve(sympy.Eq(expression.subs(unknown, free), to_sympy(wanted)), free)
    exact = [simplify(s) for s in solutions if s.is_Rational]
    if len(exact) != 1:
        raise fault(f"no single value of {parameter} gives a return of {wanted}")
    [value] = exact
    if value < 0:
        raise fault(
            f"{parameter} would have to be {value}, below zero, for a return of {wanted}",
            f"at 0 the return is {simplify(expression.subs(unknown, 0))}",
        )
    return value
