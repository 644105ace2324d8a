"""The JSON form of an analysis: exact values as strings, each with a decimal (keys are fixed).

Outcomes partition the deals. If other players' hands or extra draws are also paid ("additions": times × probability
× amount), the contributions of outcomes and additions sum to the return. With weights of a wheel, the counted deals
are pairs of a deal and a stop of the wheel.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..analysis.model import Analysis
from ..analysis.request import Extreme
from ..base.documents import records
from ..base.exact import Exact, text, to_float
from . import extras

if TYPE_CHECKING:
    from ..analysis.long_run import MeterFigures
    from ..analysis.wheels import WheelBound
    from ..games.model import Estimate, StakedWager, WagerOutcome
    from ..games.outcome import Outcome


def value(amount: Exact | Estimate | None) -> dict[str, Any]:
    """Return an exact value and its decimal, both null if it is unknown; an estimate with its standard error."""
    if amount is None:
        return {"exact": None, "decimal": None}
    if hasattr(amount, "how"):
        return guess(amount)  # type: ignore[arg-type]
    return {"exact": text(amount), "decimal": to_float(amount)}


def guess(e: Estimate) -> dict[str, Any]:
    """Return an estimate with its standard error."""
    return {"decimal": to_float(e.value), "standard_error": to_float(e.error), "how": e.how}


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
        "outcomes": [_outcome(o, o.contribution) for o in a.outcomes],
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
        fields["estimates"] = {name: guess(e) for name, e in a.estimates.items()}
    fields.update(_further(a))
    return fields


def _outcome(o: Outcome | WagerOutcome, contribution: Exact, **net: str) -> dict[str, Any]:
    """Return an outcome; ``net`` is its net result, if that is not in its pay."""
    return {"outcome": o.outcome, "pays": o.pays, "combinations": _count(o.combinations),
            "probability": text(o.probability), **net, "contribution": text(contribution)}


def _bet(w: StakedWager) -> dict[str, Any]:
    """Return a bet of a game from a file, in units of its stakes."""
    return {
        "bet": w.name,
        "outcomes": [_outcome(r, r.probability * r.net) for r in w.rows],
        "expected_value": value(w.net), "average_wager": value(w.staked), "house_edge": value(w.house_advantage),
    }


def _wager(w: StakedWager) -> dict[str, Any]:
    """Return one wager of a game; its outcomes partition the rounds, or those in which ``given`` holds."""
    return {
        "name": w.name, "kind": w.kind, "given": w.given or None, "staked": text(w.staked), "net": text(w.net),
        "return": value(w.returned), "house_advantage": value(w.house_advantage),
        "outcomes": [_outcome(r, r.probability * r.net, net=text(r.net)) for r in w.rows],
        "remark": w.remark,
    }


def _further(a: Analysis) -> dict[str, Any]:
    """Return the further keys of an analysis, after the fixed ones."""
    fields: dict[str, Any] = {}
    if a.game is not None and a.game.wagers:
        described = a.resolved.terms.round is not None
        fields["bets" if described else "wagers"] = [_bet(w) if described else _wager(w) for w in a.game.wagers]
    if a.additions:
        fields["additions"] = [
            {"name": x.name, "pays": x.pays, "times": x.times, "probability": text(x.probability),
             "contribution": text(x.contribution)}
            for x in a.additions
        ]
    coupon = extras.coupon(a)
    if coupon is not None:
        fields["match_play"] = {"worth": value(coupon)}
    several = extras.spots(a)
    if several is not None:
        fields["boxes"] = {"boxes": several.number, "covariance": value(several.covariance),
                           "variance": value(several.variance)}
        if several.returned is not None:
            fields["boxes"]["return_to_player"] = value(several.returned)
    p = a.progressive
    if p is not None:
        fields["progressive"] = {
            "return_at_reset": value(p.at_reset),
            "return_at_meter": value(p.at_meter),
            "long_run_return": value(p.long_run),
            "long_run_parts": {
                "fixed": value(p.fixed), "contributions": value(p.contributions), "seeds": value(p.seeds),
                "not_deducted": value(p.not_deducted),
            },
            "meters": [_meter(f) for f in p.meters],
        }
    if a.wheel is not None:
        fields["wheel"] = {
            "trigger_probability": value(a.wheel.trigger),
            "expected_prize": value(a.wheel.expected),
            "symbols": [{"symbol": s, "pays": pays, "weight": a.wheel.weights.get(s)} for s, pays in a.wheel.symbols],
            "least": _bound(a.wheel.least), "greatest": _bound(a.wheel.greatest), "assumed": list(a.wheel.assumed),
        }
    if a.cap is not None:
        fields["cap"] = {
            "amount": text(a.cap.amount), "stake": text(a.cap.stake), "clause": a.cap.clause, "basis": a.cap.basis,
            "cost": value(a.cap_cost), "untouched_stake": value(a.cap.untouched),
        }
    if not a.has_stake:
        fields["dollars_per_round"] = value(a.returned)
        from ..analysis.long_run import free_bonus

        bonus = free_bonus(a)
        if bonus is not None:
            fields["beside"] = {"wager": bonus.wager, "return_alone": value(bonus.alone),
                                "return_with_bonus": value(bonus.together), "added": value(bonus.added)}
    notes = extras.remarks(a)
    if notes:
        fields["remarks"] = dict(notes)
    return fields


def _meter(f: MeterFigures) -> dict[str, Any]:
    from ..analysis.long_run import ROUNDS

    return {
        "meter": f.meter.name, "value": None if f.value is None else text(f.value), "reset": text(f.reset),
        "resets_on": list(f.meter.resets_on), "seed": f.meter.seed, "probability": value(f.hit),
        "rounds_between_hits": value(f.rounds_between), "break_even": value(f.break_even),
        "contribution_rate": value(f.rate), "secondary_rate": value(f.secondary),
        "hit_within": {str(n): str(f.within(n)) for n in ROUNDS},
    }


def _bound(bound: WheelBound | None) -> dict[str, Any] | None:
    if bound is None:
        return None
    return {"symbol": bound.symbol, "expected_prize": value(bound.prize), "return": value(bound.returned),
            "weights": dict(bound.weights)}


def render(analyses: Sequence[Analysis]) -> str:
    """Return analyses as JSON text with one trailing newline, byte-identical on all machines."""
    return records("analysis", map(record, analyses))
