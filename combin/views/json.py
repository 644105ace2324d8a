"""The JSON form of an analysis: exact values as strings, each with a decimal (keys are fixed).

Outcomes partition the deals. If other players' hands or extra draws are also paid ("additions": times × probability
× amount), the contributions of outcomes and additions sum to the return. With weights of a wheel, the counted deals
are pairs of a deal and a stop of the wheel.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..analysis.model import Analysis
from ..analysis.request import Extreme
from ..base.documents import records
from ..base.exact import Exact, text, to_float
from . import extras


def value(amount: Exact | None) -> dict[str, Any]:
    """Return an exact value and its decimal; both null if it is unknown."""
    if amount is None:
        return {"exact": None, "decimal": None}
    return {"exact": text(amount), "decimal": to_float(amount)}


def _count(number: int | None) -> str | None:
    return None if number is None else str(number)


def _extreme(end: Extreme | None, decks: int) -> dict[str, Any]:
    """Return an end of the range; ``decks`` in play are included if the readings change their number."""
    if end is None:
        return {**value(None), "readings": {}}
    moved = {} if end.decks in (None, decks) else {"decks": end.decks}
    return {**value(end.value), "readings": dict(end.readings), **moved}


def _missing(a: Analysis) -> dict[str, Any]:
    """Return the choices of readings without a figure, which are in no range; empty if there are none."""
    missing = [{"reading": n.reading, "choice": n.choice, "why": n.why} for n in a.not_computed]
    return {"not_computed": missing} if missing else {}


def record(a: Analysis) -> dict[str, Any]:
    """Return one analysis as plain data in the fixed order of keys."""
    least, greatest = (a.has_stake and a.return_range) or (None, None)
    deviation = a.standard_deviation
    fields: dict[str, Any] = {
        "id": a.id,
        "name": a.name,
        "clause": a.clause,
        "decks": a.decks,
        "condition": a.condition,
        "readings": dict(a.readings),
        "parameters": {k: None if v is None else text(v) for k, v in a.parameters.items()},
        "deals": _count(a.deals),
        "classes": _count(a.classes),
        "outcomes": [
            {
                "outcome": o.outcome,
                "pays": o.pays,
                "combinations": _count(o.combinations),
                "probability": text(o.probability),
                "contribution": text(o.contribution),
            }
            for o in a.outcomes
        ],
        # A promotion has no stake and thus no return: its figure is dollars_per_round.
        "return": value(a.returned if a.has_stake else None),
        "return_range": {"least": _extreme(least, a.decks), "greatest": _extreme(greatest, a.decks), **_missing(a)},
        "house_edge": value(a.house_edge if a.has_stake else None),
        "hit_frequency": value(a.hit_frequency),
        "variance": value(a.variance),
        "standard_deviation": {"decimal": None if deviation is None else to_float(Fraction(deviation))},
        "unknowns": list(a.unknowns),
        "coefficients": None if a.coefficients is None else {k: text(v) for k, v in a.coefficients.items()},
    }
    if a.game is not None:
        fields.update({name: value(amount) for name, amount in a.game.figures().items()})
    if a.estimates:
        fields["estimates"] = {name: extras.guess(e) for name, e in a.estimates.items()}
    fields.update(extras.record(a))
    return fields


def render(analyses: Sequence[Analysis]) -> str:
    """Return analyses as JSON text with one trailing newline, byte-identical on all machines."""
    return records("analysis", map(record, analyses))
