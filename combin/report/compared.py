"""Two paytables side by side: the changed pays and their effect."""

from __future__ import annotations

from fractions import Fraction

from ..analysis.model import Analysis
from ..base.exact import simplify
from ..rulebook.pays import LOSS
from .model import ROOTS, ComparedFigure, ComparedLine, Comparison, label


def comparison(a: Analysis, b: Analysis) -> Comparison:
    lines = []
    left, right = ({o.outcome: o for o in side.outcomes} for side in (a, b))
    for outcome in dict.fromkeys([*left, *right]):
        one, two = left.get(outcome), right.get(outcome)
        parts = [Fraction(0) if o is None else o.contribution for o in (one, two)]
        lines.append(ComparedLine(
            outcome,
            ("" if one is None or (one.pay is None and one.outcome == LOSS) else one.pays,
             "" if two is None or (two.pay is None and two.outcome == LOSS) else two.pays),
            (None if one is None else one.probability, None if two is None else two.probability),
            simplify(parts[1] - parts[0]),
        ))
    figures = []
    for name, was, now in (
        ("return to player", a.returned, b.returned),
        ("house edge", a.house_edge, b.house_edge),
        ("hit frequency", a.hit_frequency, b.hit_frequency),
        ("variance", a.variance, b.variance),
        (ROOTS[0], a.standard_deviation, b.standard_deviation),
        (ROOTS[1], a.volatility_index, b.volatility_index),
        ("top pay", a.top_pay, b.top_pay),
    ):
        change = None if was is None or now is None else simplify(now - was)
        figures.append(ComparedFigure(name, was, now, change))
    return Comparison(label(a), label(b), tuple(lines), tuple(figures))


__all__ = ["comparison"]
