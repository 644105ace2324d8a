"""The value of a parameter that gives a wanted return, exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from ..base.errors import InputError, fault, nearest
from ..base.exact import Exact, decimal, is_number, simplify, symbol, to_sympy, value_of
from ..games import must_hit
from ..rulebook import parameters
from . import solving_pay, wheels
from .long_run import progressive
from .record import AnalysisRecord


def solve(analysis: AnalysisRecord, parameter: str, wanted: Fraction, *, long_run: bool = False) -> Fraction:
    """Return the exact value of ``parameter`` at which the return is ``wanted`` (break-even: 1).

    ``long_run`` uses the long-run return of a progressive, which depends on contribution rate, reset and stake. Raises
    `InputError` if the return does not depend on the parameter, if it depends on another unknown, or if no single value
    gives that return.
    """
    import sympy

    resolved = analysis.resolved
    known = parameters.names(resolved)
    if solving_pay.is_line(analysis, parameter):
        return solving_pay.pay_for(analysis, parameter, wanted)
    if parameter not in known:
        of_game = [*known, *solving_pay.lines_of(analysis)]
        raise fault(
            f'{analysis.id} has no parameter "{parameter}"',
            nearest(parameter, of_game) if of_game else "it has no parameters",
        )
    setting = parameters.settings(resolved).get(parameter)
    if setting is not None and setting.fixed:
        raise fault(f"{parameter} is fixed ({setting.clause})", "solve for an unknown")
    if parameter in parameters.WHOLE:
        raise fault(f"{parameter} is a whole number", f"try its values one by one: --set {parameter}=1")
    if analysis.cap is not None or parameter == "cap":
        raise fault("under a payout cap the return is not linear in the pays", "try values one by one with --set")
    if parameter in analysis.request.set:
        analysis = analysis.unset(parameter)
    if parameter == "stake" and resolved.terms.only_at_stake:
        raise fault("the lines that are paid depend on the stake", "try its values one by one: --set stake=1")
    unknown = symbol(parameter)
    opened = replace(analysis, parameters=MappingProxyType({**analysis.parameters, parameter: None}))
    figure = "long-run return" if long_run else "return"
    by_chance = must_hit.is_one(resolved)
    if by_chance and not long_run:
        quantity = must_hit.worth(opened.parameters, next_round=parameter == must_hit.METER)
    else:
        quantity = _long_run(opened) if long_run else opened.return_with(opened.parameters)
    expression = sympy.expand(to_sympy(quantity))
    if unknown not in expression.free_symbols:
        remedy = ""
        if parameter in (parameters.COUPON, parameters.RED_SIDE):
            raise fault(f"solving for {parameter} is not supported", f"try values one by one: --set {parameter}=1/2")
        if not long_run and any(parameter in (m.rate_name, m.reset_name) for m in parameters.meters(resolved)):
            remedy = "its long-run return does; add --long-run"
        raise fault(f"the {figure} of {analysis.id} does not depend on {parameter}", remedy)
    others = sorted(str(s) for s in expression.free_symbols - {unknown})
    if others:
        raise fault(f"the {figure} also depends on {', '.join(others)}",
                    f"set {'it' if len(others) == 1 else 'them'}: {' '.join(f'--set {name}=VALUE' for name in others)}")
    free = sympy.Symbol("free")
    solutions = sympy.solve(sympy.Eq(expression.subs(unknown, free), to_sympy(wanted)), free)
    exact = [simplify(s) for s in solutions if s.is_Rational]
    aim = f"{wanted} dollars per round" if by_chance else f"a {figure} of {wanted}"
    if len(exact) != 1:
        raise fault(f"no single value of {parameter} gives {aim}")
    [value] = exact
    if by_chance and value < 0:
        raise fault(f"no {parameter} of 0 or more gives {aim}", "choose more dollars")
    if value < 0:
        raise fault(
            f"{parameter} would have to be {_shown(value)}, below zero, for {aim}",
            f"at 0 the {figure} is {_shown(simplify(expression.subs(unknown, 0)))}",
        )
    least, most = parameters.limits(resolved)[parameter]
    if (long_run or by_chance) and (value < least or (most is not None and value > most)):
        end = least if value < least or most is None else most
        at_end = _shown(simplify(expression.subs(unknown, end)))
        raise fault(
            f"{parameter} would have to be {_shown(value)} for {aim}; "
            f"{'at least' if end == least else 'at most'} {_shown(end)} is allowed",
            f"at {_shown(end)} " + (f"they are {at_end}" if by_chance else f"the {figure} is {at_end}"),
        )
    if by_chance:
        solved = {**opened.parameters, parameter: value}
        must_hit.check(resolved, solved)
        most = value_of(opened.parameters, "maximum")
        if must_hit.hits_per_round(solved["reset"], solved["maximum"], must_hit.into_meter(solved)) > 1:
            raise fault(f"with {parameter} = {_shown(value)} the meter would be hit more than once per round",
                        "choose fewer dollars")
        if parameter == must_hit.METER and value + must_hit.into_meter(opened.parameters) > most:
            raise fault(f"the next round would take a meter of {value} to its maximum", "choose fewer dollars")
    return value


def _shown(value: Exact) -> str:
    """Return a value for display, with the decimal of a fraction."""
    return str(value) if not is_number(value) or value.denominator == 1 else f"{value} ≈ {decimal(value, 8)}"


def wheel_weights(analysis: AnalysisRecord, wanted: Fraction) -> dict[str, int]:
    """Return weights of the wheel's symbols at which the return is ``wanted``. Raises `InputError` if there are none.

    The return is linear in the expected prize of a spin, which is solved for first, then the weights.
    """
    wheel = analysis.wheel
    if wheel is None:
        raise fault(f"{analysis.id} has no wheel", "solve for a parameter")
    if not wheel.trigger:
        raise fault(f"{analysis.id} never spins its wheel", "give another number of decks")
    bare = analysis.ask(analysis.book, replace(analysis.request, wheel=()))
    prize = solve(bare, "spin_of_the_wheel", wanted)
    return wheels.weights_for(wheel.prizes, prize)


def _long_run(analysis: AnalysisRecord) -> Exact:
    """Return the long-run return of a progressive. Raises `InputError` for any other wager."""
    figures = progressive(analysis)
    if figures is None:
        if must_hit.is_one(analysis.resolved):
            raise fault(f"the dollars per round of {analysis.id} are already those of the long run", "omit --long-run")
        raise without_long_run(analysis)
    figure: Exact = figures.long_run
    return figure


def without_long_run(a: AnalysisRecord) -> InputError:
    """Return the fault of a wager without figures of a progressive."""
    meters = parameters.meters(a.resolved)
    if meters and a.wheel is not None and not a.wheel.weights:
        return fault(f"the probability of a hit of {meters[0].name} depends on the weights of the wheel",
                     "give them: --wheel FILE", file="--wheel")
    return fault(f"{a.id} has no meter, hence no long-run return", "name a progressive")
