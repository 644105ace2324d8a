"""Figures that only some wagers have (meters, wheels, additions, caps, promotions), and the assumptions of figures.

Every figure is taken from the analysis or from `combin.progressives`; none is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..analysis.model import Analysis
from ..base.exact import Exact, Truncated, decimal, grouped, money, nearly
from ..games.registry import game_of
from ..pages.blocks import Figure
from ..rulebook.parameters import BOXES, COUPON
from ..wagers.wager_outcomes import deal_of
from .symbolic import dollars, figure, share

if TYPE_CHECKING:
    from ..analysis.spots import Spots
    from ..games.model import Estimate


def figures(a: Analysis) -> list[Figure]:
    """Return the further figures in reading order."""
    worth = coupon(a)
    return [
        *_of_wagers(a), *_of_additions(a), *_of_meters(a), *_of_wheel(a), *_of_cap(a), *_of_promotion(a),
        *([] if worth is None else [figure("value of the match play coupon, per unit of it", worth)]), *_of_spots(a),
    ]


def _of_wagers(a: Analysis) -> Iterator[Figure]:
    """Yield the wagers of a game; their outcomes are in the JSON form and in reports."""
    for w in a.game.wagers if a.game is not None else ():
        if w.house_advantage is None:
            yield figure(f"{w.name}: won per round", w.net, remark=", without a stake")
        else:
            where = f" if {w.given}" if w.given else " per round"
            yield figure(f"{w.name}: house advantage", w.house_advantage, share,
                         f"of {decimal(w.staked, 8)} staked{where}", "house_advantage")


def _of_spots(a: Analysis) -> Iterator[Figure]:
    several = spots(a)
    if several is None:
        return
    from ..games.model import Estimate

    if several.returned is not None:
        yield figure(f"return of {several.number} spots under the cap", several.returned)
    before = "" if several.returned is None else " before the cap"
    for name, value in ((f"covariance of two spots{before}", several.covariance),
                        (f"variance of {several.number} spots", several.variance),
                        (f"standard deviation of {several.number} spots", several.deviation)):
        if isinstance(value, Truncated):
            yield Figure(name, "", decimal(value, 8))
        elif isinstance(value, Estimate):
            yield guessed(name, value)
        else:
            yield figure(name, value)


def spots(a: Analysis) -> Spots | None:
    """Return the figures of several spots of one player. Returns None if their number is not set."""
    if a.parameters.get(BOXES) is None:
        return None
    from ..analysis.spots import spots

    return spots(a)


def coupon(a: Analysis) -> Exact | None:
    """Return the value of a match play coupon. Returns None if none is set."""
    if not a.parameters.get(COUPON):
        return None
    from ..analysis.match_play import worth

    return worth(a)


def _of_additions(a: Analysis) -> Iterator[Figure]:
    for item in a.additions:
        many = f", {item.times} other player(s)" if item.others else ""
        yield figure(f"{item.name}{many}: part of the return", item.contribution)


def _of_meters(a: Analysis) -> Iterator[Figure]:
    p = a.progressive
    if p is None:
        return
    from ..analysis.long_run import ROUNDS

    yield figure("return at the reset", p.at_reset, share)
    if p.at_meter is not None:
        yield figure("return at the given meter", p.at_meter, share)
    yield figure("long-run return", p.long_run, share)
    yield figure("  fixed pays", p.fixed, share)
    yield figure("  contributions", p.contributions, share)
    yield figure("  seeds by the operator", p.seeds, share)
    if p.not_deducted != 0:
        yield figure("  shares not deducted from the meter", p.not_deducted, share)
    for f in p.meters:
        of = "" if len(p.meters) == 1 else f" of {f.meter.name.replace('_', ' ')}"
        yield figure(f"reset{of}", f.reset, dollars)
        if f.break_even is not None:
            yield figure(f"break-even meter{of}", f.break_even, dollars)
        if f.rounds_between is not None:
            yield figure(f"expected rounds between hits{of}", f.rounds_between, lambda rounds: f"{round(rounds):,}")
            for rounds in ROUNDS:
                within = f.within(rounds)  # rounded: only a hit in every round is certain
                yield Figure(f"probability of a hit within {grouped(rounds)} rounds{of}", "",
                             "> 99.999999 %" if within == 1 > f.hit else nearly(within))


def _of_wheel(a: Analysis) -> Iterator[Figure]:
    wheel = a.wheel
    if wheel is None:
        return
    yield figure("probability of a spin", wheel.trigger, share)
    yield figure("expected prize of a spin", wheel.expected, dollars)
    for name, bound in (("least", wheel.least), ("greatest", wheel.greatest)):
        if bound is not None:
            yield figure(f"{name} return for any weights", bound.returned, share,
                         f"(every spin stops at {bound.symbol}: {dollars(bound.prize)})")


def _of_cap(a: Analysis) -> Iterator[Figure]:
    if a.cap is None:
        return
    yield figure("reduction by the payout cap", a.cap_cost, share)
    if a.cap.untouched is not None:
        yield figure("the cap reduces wins above a stake of", a.cap.untouched, dollars)


def _of_promotion(a: Analysis) -> Iterator[Figure]:
    if a.has_stake:
        return
    from ..analysis import long_run

    bonus = long_run.free_bonus(a)
    if bonus is not None:
        yield figure(f"return of {bonus.wager} without the bonus", bonus.alone, share)
        yield figure("return with the bonus", bonus.together, share)
        yield figure("added by the bonus", bonus.added, share)
    now = long_run.must_hit_now(a)
    if now is not None:
        yield figure("dollars per round, next round at the given meter", now)


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
            if spots(a) is None:
                words += f", and the effect of the cap on {several} spots together is not computed"
        entries.append(("payout cap", words))
    clause = a.resolved.document.odds_clause  # of a jurisdiction that requires "to" unless a paytable is approved
    if clause and any(pay.odds and pay.states_for for _, pay in a.resolved.lines):
        wording = ('"to" and "for" in one paytable: a finding' if a.resolved.mixes_odds
                   else '"for": lawful where the paytable is approved')
        entries.append(("odds stated in", f"{wording} ({clause})"))
    return entries


def guessed(name: str, e: Estimate, key: str = "") -> Figure:
    """Return an estimate with its standard error, and how it is made."""
    return Figure(name, "", f"{decimal(e.value, 6)} ± {decimal(e.error, 6)}",
                  f"(estimate and its standard error: {e.how})", key)
