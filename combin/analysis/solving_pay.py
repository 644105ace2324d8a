"""The pay of a line at which a game from a file has a wanted return, under the best play for that pay.

The return under best play is the maximum of many linear functions of the pay, one for each play. It is linear between
two pays if the line at the first leads to the return at the second, since a maximum of linear functions is convex.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

import numpy as np

from ..base.errors import fault
from ..base.exact import is_number
from ..games.showdown import rules
from ..rulebook.pays import Pay
from .record import AnalysisRecord

#: Pays are solved at multiples of the reciprocals, until the return is linear between two of them.
GRIDS = (1, 10, 100, 1000)
MOST_SOLVED = 40


def is_line(a: AnalysisRecord, parameter: str) -> bool:
    """Return whether a parameter is a line of a bet, "blind: straight"."""
    return a.resolved.terms.round is not None and parameter in dict(a.resolved.lines)


def lines_of(a: AnalysisRecord) -> Mapping[str, Pay]:
    """Return the lines of a game from a file; empty for other wagers."""
    return dict(a.resolved.lines) if a.resolved.terms.round is not None else {}


def slope(a: AnalysisRecord, line: str) -> Fraction:
    """Return the increase of the return for one unit more on a line under unchanged play."""
    bets = rules.bets_of(a.resolved)
    assert a.game is not None
    joint = a.game.solution.joint
    staked = Fraction(0)
    for bet in bets.bets:
        for index, bet_line in enumerate(bet.lines):
            if f"{bet.table}: {bet_line.name}" == line:
                by_leaf = np.where(bets.lines[bet.name] == index, joint, 0).sum(axis=(1, 2, 3, 4))
                staked += sum(int(n) * bets.stake(bet, leaf) for n, leaf in zip(by_leaf, bets.leaves, strict=True))
    return staked / int(joint.sum())


def pay_for(a: AnalysisRecord, line: str, wanted: Fraction) -> Fraction:
    """Return the odds on a line at which the return under best play is ``wanted``, exactly.

    Raises `InputError` for a line without odds or that never applies, and if no pay of 0 or more gives the return.
    """
    pay = dict(a.resolved.lines)[line]
    if a.cap is not None:
        raise fault("under a payout cap the return is not linear in the pays", "omit the cap")
    if not pay.stake_back and not pay.odds:
        raise fault(f'"{line}" loses its stake', "name a line that pays odds")
    solved: dict[Fraction, tuple[Fraction, Fraction]] = {}

    def at(odds: Fraction) -> tuple[Fraction, Fraction]:
        if odds not in solved:
            if len(solved) >= MOST_SOLVED:
                raise fault(f"no pay of {line} was found in {MOST_SOLVED} solutions", "choose another return")
            text = f"{odds.numerator} {'for' if pay.states_for else 'to'} {odds.denominator}"
            changed = a if odds == pay.odds else a.replace(pays={line: text})
            assert is_number(changed.returned)
            solved[odds] = changed.returned, slope(changed, line)
        return solved[odds]

    odds = pay.odds
    for grid in GRIDS:
        while True:
            returned, rate = at(odds)
            if not rate:
                raise fault(f'no round is settled by "{line}" under best play', "name another line")
            target = odds + (wanted - returned) / rate
            if target < 0 and odds <= 0:
                raise fault(f"no pay of 0 or more on {line} gives a return of {wanted}", "choose a greater return")
            low = max(Fraction(floor(target * grid), grid), Fraction(0))
            high = low + Fraction(1, grid)
            (under, rate), (over, _) = at(low), at(high)
            if under <= wanted <= over:
                break
            if low == 0 and under > wanted:
                raise fault(f"no pay of 0 or more on {line} gives a return of {wanted}", "choose a greater return")
            odds = low if under > wanted else high
        if under + rate / grid == over:
            return low + (wanted - under) / rate
        odds = low
    raise fault(f"the play changes between {low} and {high} on {line}, where the return passes {wanted}",
                "try pays one by one")


def same_play(a: AnalysisRecord, line: str, odds: Fraction, wanted: Fraction) -> bool:
    """Return whether the play for the present pay is also best at these odds."""
    assert is_number(a.returned)
    return a.returned + slope(a, line) * (odds - dict(a.resolved.lines)[line].odds) == wanted
