"""Parameters that a document leaves to the operator or to chance: settings (numbers) and unknowns (symbols).

A meter adds two settings: its amount after a reset (``reset``) and the share of each wager that goes to it
(``contribution_rate``). If a paytable has several meters, their names are prefixed. A payout cap adds
``stake``, ``cap`` and the wager limit from which its floor is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from ..base.errors import fault, nearest
from ..base.exact import Exact, ratio
from .book import Resolved, Setting
from .pays import Pay, parse_pay
from .terms import Unknown

FLAG = "--set"
#: Settings that are numbers of things.
WHOLE = ("other_players", "boxes")
#: Settings that are shown only if they are set: without them there is no cap.
SILENT = ("ante", "cap", "minimum_wager", "maximum_wager", "other_players", "match_play", "red_side_share", "boxes")
#: The face value of a match play coupon, per unit staked.
COUPON = "match_play"
#: The cards of a hand on which a player may have several spots.
WHOLE_HAND = 7
#: The spots of one player.
BOXES = "boxes"
#: The share of determinant cards that are drawn from the red side of a double shoe.
RED_SIDE = "red_side_share"


@dataclass(frozen=True)
class Meter:
    """A meter that a paytable pays from; amounts as the document writes them, None if it states none.

    ``contribution`` and ``secondary`` are the shares of each wager that the document
    fixes for the meter and for its next reset; ``seed`` is who funds a reset.
    """

    name: str
    text: str
    clause: str
    reset: str | None
    least_reset: str | None
    contribution: str | None
    secondary: str | None
    resets_on: tuple[str, ...]
    seed: str
    rate_name: str
    reset_name: str


def wheel_pays(resolved: Resolved) -> tuple[tuple[str, Pay], ...]:
    """Return the symbols of the paytable's wheel and their pays, in the document's order; empty without a wheel."""
    return tuple((name, parse_pay(pay, name)) for name, pay in resolved.wheel.items())


def extras(resolved: Resolved) -> tuple[tuple[str, Pay, str], ...]:
    """Return additions to the lines: (name, pay, the unknown that is its frequency)."""
    return tuple((name, parse_pay(extra.pays, name), extra.frequency) for name, extra in resolved.extra.items())


def meters(resolved: Resolved) -> tuple[Meter, ...]:
    """Return the meters that the lines of a paytable, or the symbols of its wheel, pay from."""
    letter = resolved.paytable.id
    paid = {n for _, pay in (*resolved.payments, *wheel_pays(resolved)) for n in pay.unknowns}
    named = [(n, e) for n, e in resolved.unknowns.items() if n in paid and e.is_meter]
    paid_meters = []
    for name, entry in named:
        prefix = "" if len(named) == 1 else f"{name}_"
        reset = entry.reset.of(letter)
        paid_meters.append(
            Meter(
                name=name,
                text=entry.text,
                clause=entry.clause,
                reset=reset,
                least_reset=min(entry.resets.values(), key=ratio, default=reset),
                contribution=entry.contribution.of(letter),
                secondary=entry.secondary.of(letter),
                resets_on=entry.resets_on.of(letter) or (),
                seed=entry.seed,
                rate_name=f"{prefix}contribution_rate",
                reset_name=f"{prefix}reset",
            )
        )
    return tuple(paid_meters)


def settings(resolved: Resolved) -> Mapping[str, Setting]:
    """Return the document's settings, then those of meters and payout caps."""
    by_name = dict(resolved.settings)
    for setting in _further_settings(resolved):
        by_name.setdefault(setting.name, setting)
    return MappingProxyType(by_name)


def _further_settings(resolved: Resolved) -> Iterator[Setting]:
    """Return settings that a document need not declare; one that it declares takes precedence."""
    for meter in meters(resolved):
        fixed, words = meter.contribution is not None, meter.text or meter.name
        yield Setting(meter.rate_name, f"share of each wager that goes to {words}", meter.contribution, "0", "1", fixed,
                      meter.clause)
        yield Setting(meter.reset_name, f"what {words} is reset to", meter.reset, meter.least_reset, None, fixed,
                      meter.clause)
    for cap in resolved.caps:
        yield Setting("stake", "stake in dollars", clause=cap.clause)
        yield Setting("cap", f"the most that is paid per {cap.basis}, dollars", clause=cap.clause)
        if cap.limit:
            yield Setting(cap.limit, "in dollars", clause=cap.clause)
        if cap.shared_pair:
            words = "other players with this wager at the same stake, who share a maximum payout"
            yield Setting("other_players", words, None, "0", cap.most_others, clause=cap.others_clause)
    if any(takes_coupon(resolved, line) for line, _ in resolved.lines):
        yield Setting(COUPON, "face value of a match play coupon with the wager, per unit staked", least="0")
    head, terms = resolved.document, resolved.terms
    if head.most_boxes and (terms.game or [*terms.roles.values()] == [WHOLE_HAND]):
        yield Setting(BOXES, "adjacent boxes on which one player makes this wager", None, "1", str(head.most_boxes),
                      clause=head.boxes_clause)
    if head.double_shoe and terms.outcome and terms.first_seat:
        words = "share of determinant cards drawn from the red side of a double shoe, for the first seat"
        yield Setting(RED_SIDE, words, None, "0", "1", clause=head.double_shoe)


def takes_coupon(resolved: Resolved, line: str) -> bool:
    """Whether a match play coupon wins with a line: every line of odds, in a game the ante."""
    pay = dict(resolved.lines)[line]
    if resolved.terms.promotion or (resolved.terms.game and line != "ante"):
        return False
    return bool(pay.odds or pay.named_odds)


def names(resolved: Resolved) -> tuple[str, ...]:
    """Return every parameter of a paytable: its settings, then the unknowns of its pays, in order."""
    unique_names = dict.fromkeys(settings(resolved))
    for _, pay in (*resolved.payments, *wheel_pays(resolved)):
        unique_names.update(dict.fromkeys(pay.unknowns))
        if pay.needs_stake and not resolved.terms.promotion:
            unique_names["stake"] = None
    unique_names.update(dict.fromkeys(frequency for _, _, frequency in extras(resolved)))
    if resolved.terms.community:
        unique_names["community_pay"] = None
    return tuple(unique_names)


def check_names(items: Iterable[Resolved], chosen: Mapping[str, str]) -> None:
    """Raise `InputError` for a parameter that none of the paytables has."""
    known = sorted({name for item in items for name in names(item)})
    for name, text in chosen.items():
        if name not in known:
            raise fault(
                f'no parameter of these wagers is called "{name}"',
                nearest(name, known) if known else "they have no parameters",
                file=FLAG,
                place=f"{name}={text}",
            )


def values(resolved: Resolved, chosen: Mapping[str, str]) -> dict[str, Exact | None]:
    """Return every parameter with its exact value; None for an unknown that was not set.

    Raises `InputError` for a value that is not a number, is out of range, or contradicts
    the document.
    """
    by_name: dict[str, Exact | None] = {}
    known = settings(resolved)
    amounts = {"stake", *(name for m in meters(resolved) for name in (m.name, m.reset_name))}
    for name in names(resolved):
        setting = known.get(name)
        place = f"{name}={chosen[name]}" if name in chosen else ""
        if name in chosen:
            value = ratio(chosen[name], what=f"the value of {name}", file=FLAG, place=place, dollars=name in amounts)
        elif setting is not None and setting.default is not None:
            value = ratio(setting.default)
        else:
            by_name[name] = None
            continue
        by_name[name] = value
        _check_value(resolved, name, value, setting, place)
    stake = by_name.get("stake")
    for name, beyond, side in (("minimum_wager", -1, "below"), ("maximum_wager", 1, "above")):
        bound = by_name.get(name)
        if stake is not None and bound is not None and (stake - bound) * beyond > 0:
            raise fault(f"a stake of {stake} is {side} the {name.replace('_', ' ')} of {bound}",
                        "give a stake that can be wagered", file=FLAG)
    rates = [by_name[m.rate_name] or Fraction(0) for m in meters(resolved) if m.contribution is None]
    if sum(rates) > 1:
        raise fault(f"the contribution rates of {resolved.id} add up to {sum(rates)}, more than the whole wager",
                    "give rates of at most 100% in all", file=FLAG)
    return by_name


def limits(resolved: Resolved) -> dict[str, tuple[Fraction, Fraction | None]]:
    """Return the least and the greatest value of every parameter; None if it has no greatest value.

    No parameter is negative, and no meter is below its reset.
    """
    known, paid = settings(resolved), {m.name: m.least_reset for m in meters(resolved)}
    by_name = {}
    for name in names(resolved):
        bounds = known.get(name) or resolved.unknowns.get(name) or Setting(name)
        least, most = bounds.least or paid.get(name) or "0", bounds.most
        by_name[name] = ratio(least), None if most is None else ratio(most)
    return by_name


def _check_value(resolved: Resolved, name: str, value: Fraction, setting: Setting | None, place: str) -> None:
    bounds = setting or resolved.unknowns.get(name, Unknown())
    clause = bounds.clause
    reference = f" ({clause})" if clause else ""
    least, most = bounds.least or "0", bounds.most
    if setting and setting.fixed and setting.default is not None and value != ratio(setting.default):
        raise fault(f"{name} of {resolved.id} is fixed at {setting.default} ({setting.clause})",
                    "leave it out, or this paytable", file=FLAG, place=place)
    if name == "stake" and value <= 0:
        raise fault(f"{name} cannot be {value}", "a stake is above 0", file=FLAG, place=place)
    if value < ratio(least):
        raise fault(f"{name} cannot be {value}{reference if ratio(least) else ''}", f"give at least {least}", file=FLAG,
                    place=place)
    if most is not None and value > ratio(most):
        raise fault(f"{name} cannot be {value}{reference}", f"give at most {most}", file=FLAG, place=place)
    if name in WHOLE and value.denominator != 1:
        raise fault(f"{name} cannot be {value}", "give a whole number", file=FLAG, place=place)


def shown(resolved: Resolved, found: Mapping[str, Exact | None]) -> Mapping[str, Exact | None]:
    """Return the parameters as an analysis shows them."""
    stated_names = {*resolved.settings, *(n for _, pay in resolved.payments if pay.needs_stake for n in ("stake",))}
    return MappingProxyType({
        name: found.get(name) for name in names(resolved)
        if found.get(name) is not None or not (name in SILENT or (name == "stake" and name not in stated_names))
    })
