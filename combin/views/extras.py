"""Figures that only some wagers have: meters, wheels, additions, caps, promotions.

Rows to print (name, exact, shown), sentences, and keys of the JSON form. Every figure is taken from the analysis or
from `combin.progressives`; none is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.model import Analysis
from ..base.exact import Exact, Truncated, decimal, grouped, is_number, money, nearly, percent, text, to_float
from ..games.registry import game_of
from ..pages.blocks import Figure
from ..rulebook.book import Resolved
from ..rulebook.parameters import BOXES, COUPON
from ..wagers.wager_outcomes import deal_of
from .symbolic import amount, dollars, share

if TYPE_CHECKING:
    from ..analysis.long_run import MeterFigures
    from ..analysis.spots import Spots
    from ..analysis.wheels import WheelBound
    from ..games.model import Estimate, StakedWager


#: The fields of a `Figure`.
Row = tuple[str, ...]


def figures(a: Analysis) -> list[Figure]:
    """Return the further figures in reading order."""
    return [Figure(*row) for row in (
        *_wager_rows(a), *_additions(a), *_progressive_rows(a), *_wheel_rows(a), *_cap_rows(a), *_promotion_rows(a),
        *_coupon_rows(a), *_box_rows(a))]


def _wager_rows(a: Analysis) -> Sequence[Row]:
    """Return the wagers of a game; their outcomes are in the JSON form and in reports."""
    entries = []
    for w in a.game.wagers if a.game is not None else ():
        if w.house_advantage is None:
            entries.append((f"{w.name}: won per round", text(w.net), f"{decimal(w.net, 8)},", "without a stake"))
            continue
        where = f" if {w.given}" if w.given else " per round"
        entries.append((f"{w.name}: house advantage", text(w.house_advantage),
                        percent(w.house_advantage), f"of {decimal(w.staked, 8)} staked{where}"))
    return entries


def _box_rows(a: Analysis) -> Sequence[Row]:
    spots = _spots(a)
    if spots is None:
        return []
    from ..games.model import Estimate

    before = "" if spots.returned is None else " before the cap"
    figures = {f"covariance of two spots{before}": spots.covariance,
               f"variance of {spots.number} spots": spots.variance,
               f"standard deviation of {spots.number} spots": spots.deviation}
    if spots.returned is not None:
        figures = {f"return of {spots.number} spots under the cap": spots.returned, **figures}
    return [
        (name, "", *guessed(value)) if isinstance(value, Estimate) else
        (name, "" if isinstance(value, Truncated) else text(value), decimal(value, 8))
        for name, value in figures.items()
    ]


def _spots(a: Analysis) -> Spots | None:
    """Return the figures of several spots of one player. Returns None if their number is not set."""
    if a.parameters.get(BOXES) is None:
        return None
    from ..analysis.spots import spots

    return spots(a)


def _coupon(a: Analysis) -> Exact | None:
    """Return the value of a match play coupon. Returns None if none is set."""
    if not a.parameters.get(COUPON):
        return None
    from ..analysis.match_play import worth

    return worth(a)


def _coupon_rows(a: Analysis) -> Sequence[Row]:
    coupon = _coupon(a)
    return [] if coupon is None else [("value of the match play coupon, per unit of it", text(coupon), amount(coupon))]


def _additions(a: Analysis) -> Sequence[Row]:
    entries = []
    for item in a.additions:
        many = f", {item.times} other player(s)" if item.others else ""
        entries.append((f"{item.name}{many}: part of the return", text(item.contribution), amount(item.contribution)))
    return entries


def _progressive_rows(a: Analysis) -> Sequence[Row]:
    p = a.progressive
    if p is None:
        return []
    from ..analysis.long_run import ROUNDS

    entries = [("return at the reset", text(p.at_reset), share(p.at_reset))]
    if p.at_meter is not None:
        entries.append(("return at the given meter", text(p.at_meter), share(p.at_meter)))
    entries += [
        ("long-run return", text(p.long_run), share(p.long_run)),
        ("  fixed pays", text(p.fixed), share(p.fixed)),
        ("  contributions", text(p.contributions), share(p.contributions)),
        ("  seeds by the operator", text(p.seeds), share(p.seeds)),
    ]
    if p.not_deducted != 0:
        entries.append(("  shares not deducted from the meter", text(p.not_deducted), share(p.not_deducted)))
    for f in p.meters:
        of = "" if len(p.meters) == 1 else f" of {f.meter.name.replace('_', ' ')}"
        entries.append((f"reset{of}", text(f.reset), dollars(f.reset)))
        if f.break_even is not None:
            entries.append((f"break-even meter{of}", text(f.break_even), dollars(f.break_even)))
        if f.rounds_between is not None:
            between = f"{round(f.rounds_between):,}"
            entries.append((f"expected rounds between hits{of}", text(f.rounds_between), between))
            for rounds in ROUNDS:
                name = f"probability of a hit within {grouped(rounds)} rounds{of}"
                within = f.within(rounds)  # rounded: only a hit in every round is certain
                entries.append((name, "", "> 99.999999 %" if within == 1 > f.hit else nearly(within)))
    return entries


def _wheel_rows(a: Analysis) -> Sequence[Row]:
    wheel = a.wheel
    if wheel is None:
        return []
    entries: list[Row] = [
        ("probability of a spin", text(wheel.trigger), share(wheel.trigger)),
        ("expected prize of a spin", text(wheel.expected), dollars(wheel.expected)),
    ]
    for name, bound in (("least", wheel.least), ("greatest", wheel.greatest)):
        if bound is not None:
            entries.append((f"{name} return for any weights", text(bound.returned),
                            share(bound.returned), f"(every spin stops at {bound.symbol}: {dollars(bound.prize)})"))
    return entries


def _cap_rows(a: Analysis) -> Sequence[Row]:
    if a.cap is None:
        return []
    entries = [("reduction by the payout cap", text(a.cap_cost), share(a.cap_cost))]
    if a.cap.untouched is not None:
        entries.append(("the cap reduces wins above a stake of", text(a.cap.untouched), dollars(a.cap.untouched)))
    return entries


def _promotion_rows(a: Analysis) -> Sequence[Row]:
    if a.has_stake:
        return []
    from ..analysis import long_run

    entries = []
    bonus = long_run.free_bonus(a)
    if bonus is not None:
        entries = [
            (f"return of {bonus.wager} without the bonus", text(bonus.alone), share(bonus.alone)),
            ("return with the bonus", text(bonus.together), share(bonus.together)),
            ("added by the bonus", text(bonus.added), share(bonus.added)),
        ]
    now = long_run.must_hit_now(a)
    if now is not None:
        entries.append(("dollars per round, next round at the given meter", text(now), amount(now)))
    return entries


def remarks(a: Analysis) -> list[tuple[str, str]]:
    """Return the assumptions of the figures, by name."""
    entries = []
    deal = deal_of(a.resolved, a.request.chart)
    if deal is not None and deal.remark:
        entries.append(deal.remark)
    if a.additions:
        from ..analysis.system_draws import remark

        if (drawn := remark(a)) is not None:
            entries.append(drawn)
    if a.progressive is not None:
        paid = {"in-turn": "are paid in turn, the second from what is left", "split": "have equal parts of it"}
        entries.append(("outside", "the figures assume one winner of a meter in a round; two "
                                 f"{paid[a.resolved.terms.meter_options.winners]}"))
    if a.wheel is not None and not a.wheel.weights:
        entries.append(("wheel", "no weights given; the bounds assume only that none is negative, and are not attained "
                               "if every printed symbol has a stop"))
    if a.wheel is not None and a.wheel.assumed and a.wheel.least is not None:
        names = ", ".join(a.wheel.assumed)
        entries.append(("bounds", f"with {names} at the document's minimum"))
    game = game_of(a.resolved)
    if game is not None and game.remark:
        entries.append(game.remark)
    if a.cap is not None:
        shared = ""
        if a.cap.shared:
            shared = (f"; shared with {a.cap.others} other player(s) with the same stake and hand"
                      if a.cap.others else "; sharing among winners of a round is not considered (set other_players)")
        words = f"{money(a.cap.amount)} per {a.cap.basis} ({a.cap.clause}), on this wager only{shared}"
        several = a.parameters.get(BOXES) or 1
        if a.cap.basis == "round" and several > 1:
            words += "; the figures of one spot are for a round with one spot"
            if _spots(a) is None:
                words += f", and the effect of the cap on {several} spots together is not computed"
        entries.append(("payout cap", words))
    if a.resolved.document.odds_clause:
        entries += _odds_statement(a, a.resolved.document.odds_clause)
    return entries


def mixed_odds(resolved: Resolved) -> bool:
    """Return whether odds "to" and odds "for" are in one paytable."""
    odds = [pay for _, pay in resolved.lines if pay.odds]
    return any(pay.states_to for pay in odds) and any(pay.states_for for pay in odds)


def _odds_statement(a: Analysis, clause: str) -> list[tuple[str, str]]:
    """Return a remark on odds stated as "for", if a clause requires "to" unless a paytable is approved."""
    if not any(pay.odds and pay.states_for for _, pay in a.resolved.lines):
        return []
    wording = '"for": lawful where the paytable is approved'
    if mixed_odds(a.resolved):
        wording = '"to" and "for" in one paytable: a finding'
    return [("odds stated in", f"{wording} ({clause})")]


def guessed(e: Estimate) -> tuple[str, str]:
    """Return an estimate with its standard error, and how it is made."""
    return f"{decimal(e.value, 6)} ± {decimal(e.error, 6)}", f"(estimate and its standard error: {e.how})"


def guess(e: Estimate) -> dict[str, Any]:
    """Return an estimate in the JSON form."""
    return {"decimal": to_float(e.value), "standard_error": to_float(e.error), "how": e.how}


def _bet(w: StakedWager) -> dict[str, Any]:
    """Return a bet of a game from a file, in units of its stakes."""
    return {
        "bet": w.name,
        "outcomes": [
            {"outcome": r.outcome, "pays": r.pays,
             "combinations": None if r.combinations is None else str(r.combinations),
             "probability": text(r.probability), "contribution": text(r.probability * r.net)}
            for r in w.rows
        ],
        "expected_value": _value(w.net), "average_wager": _value(w.staked), "house_edge": _value(w.house_advantage),
    }


def _wager(w: StakedWager) -> dict[str, Any]:
    """Return one wager of a game; its outcomes partition the rounds, or those in which ``given`` holds."""
    return {
        "name": w.name, "kind": w.kind, "given": w.given or None, "staked": text(w.staked), "net": text(w.net),
        "return": _value(w.returned), "house_advantage": _value(w.house_advantage),
        "outcomes": [
            {"outcome": r.outcome, "pays": r.pays,
             "combinations": None if r.combinations is None else str(r.combinations),
             "probability": text(r.probability), "net": text(r.net), "contribution": text(r.probability * r.net)}
            for r in w.rows
        ],
        "remark": w.remark,
    }


def _value(amount: Exact | Estimate | None) -> dict[str, Any]:
    if amount is None:
        return {"exact": None, "decimal": None}
    if not is_number(amount) and hasattr(amount, "error"):
        estimate: Any = amount
        return guess(estimate)
    return {"exact": text(amount), "decimal": to_float(amount)}


def record(a: Analysis) -> dict[str, Any]:
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
    coupon = _coupon(a)
    if coupon is not None:
        fields["match_play"] = {"worth": _value(coupon)}
    several = _spots(a)
    if several is not None:
        fields["boxes"] = {"boxes": several.number, "covariance": _value(several.covariance),
                           "variance": _value(several.variance)}
        if several.returned is not None:
            fields["boxes"]["return_to_player"] = _value(several.returned)
    p = a.progressive
    if p is not None:
        fields["progressive"] = {
            "return_at_reset": _value(p.at_reset),
            "return_at_meter": _value(p.at_meter),
            "long_run_return": _value(p.long_run),
            "long_run_parts": {
                "fixed": _value(p.fixed), "contributions": _value(p.contributions), "seeds": _value(p.seeds),
                "not_deducted": _value(p.not_deducted),
            },
            "meters": [_meter(f) for f in p.meters],
        }
    if a.wheel is not None:
        fields["wheel"] = {
            "trigger_probability": _value(a.wheel.trigger),
            "expected_prize": _value(a.wheel.expected),
            "symbols": [{"symbol": s, "pays": pays, "weight": a.wheel.weights.get(s)} for s, pays in a.wheel.symbols],
            "least": _bound(a.wheel.least), "greatest": _bound(a.wheel.greatest), "assumed": list(a.wheel.assumed),
        }
    if a.cap is not None:
        fields["cap"] = {
            "amount": text(a.cap.amount), "stake": text(a.cap.stake), "clause": a.cap.clause, "basis": a.cap.basis,
            "cost": _value(a.cap_cost), "untouched_stake": _value(a.cap.untouched),
        }
    if not a.has_stake:
        fields["dollars_per_round"] = _value(a.returned)
        from ..analysis.long_run import free_bonus

        bonus = free_bonus(a)
        if bonus is not None:
            fields["beside"] = {"wager": bonus.wager, "return_alone": _value(bonus.alone),
                                "return_with_bonus": _value(bonus.together), "added": _value(bonus.added)}
    notes = remarks(a)
    if notes:
        fields["remarks"] = dict(notes)
    return fields


def _meter(f: MeterFigures) -> dict[str, Any]:
    from ..analysis.long_run import ROUNDS

    return {
        "meter": f.meter.name, "value": None if f.value is None else text(f.value), "reset": text(f.reset),
        "resets_on": list(f.meter.resets_on), "seed": f.meter.seed, "probability": _value(f.hit),
        "rounds_between_hits": _value(f.rounds_between), "break_even": _value(f.break_even),
        "contribution_rate": _value(f.rate), "secondary_rate": _value(f.secondary),
        "hit_within": {str(n): str(f.within(n)) for n in ROUNDS},
    }


def _bound(bound: WheelBound | None) -> dict[str, Any] | None:
    if bound is None:
        return None
    return {"symbol": bound.symbol, "expected_prize": _value(bound.prize), "return": _value(bound.returned),
            "weights": dict(bound.weights)}
