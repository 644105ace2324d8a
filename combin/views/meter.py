"""Meter cycles as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..analysis.model import Analysis
from ..base.documents import records
from ..base.exact import Exact, decimal, is_number, money, nearly, percent, root, text, to_float
from ..base.exact import decks as decks_in_words
from ..games import must_hit
from ..pages.blocks import Facts, Grid, Number, Part, Words
from ..progressives.meter_cycle import MeterCycle
from . import symbolic

Cycles = Sequence[tuple[Analysis, Sequence[MeterCycle]]]
SEATS = "all seats are dealt from one deck or shoe; the returns are averages over the seats"
WINNERS = {
    "in-turn": "of several winners in a round the first is paid the whole meter, the next the reset amount, and every "
               "seat is equally likely to be first",
    "split": "several winners of the whole meter in one round share it equally, and it is reset once; smaller shares "
             "of the meter are paid before",
}
SILENT = " (the document is silent: reading several-winners)"
SHARED = "a share is deducted from the meter without a reset"
NOT_COMPUTED = "not computed"
MOMENTS = ("mean, standard deviation and the return to a player who always bets are exact; other figures of its "
           "distribution are not computed; combin simulate estimates them")
LATER = ("each reset is the amount in the second meter: the distribution is that of later hits; before the first hit "
         "the meter begins at its reset")
OTHERS = "the other meters are at their means at a hit"
SHOWN = "for a player who bets only above a threshold, at their means over the rounds in which this meter is above it"
WAITS = ("a player who bets only above a threshold reads this meter before a round adds to it, and plays that "
         "round; below the threshold other players take the seat, so the meter grows at the same rate")


def chance(p: Decimal | None) -> str:
    """Return a probability to six decimals of a percent, or to two digits if smaller."""
    return NOT_COMPUTED if p is None else nearly(p)


def unit(a: Analysis) -> str:
    """Return the unit of a meter's value to a player: a return, or dollars per round of a promotion."""
    return "return" if a.has_stake else "dollars"


def worth(a: Analysis, value: Exact) -> str:
    """Return a value in that unit."""
    if not is_number(value):
        return symbolic.shown(value)
    return percent(value) if a.has_stake else f"${decimal(value, 6)} per round"


def rows(a: Analysis, life: MeterCycle, above: Fraction | None = None) -> list[tuple[str, str, str]]:
    """Return (name, exact, shown) for the figures of one meter."""
    meter = life.distribution
    figures = [
        ("seats", str(meter.seats), str(meter.seats)),
        ("added per round", text(meter.step), money(meter.step)),
        ("probability of a hit in a round", text(meter.hit), f"1 in {decimal(1 / meter.hit, 2)}"),
        ("mean meter at a hit", text(meter.mean), money(meter.mean)),
        ("standard deviation of the meter at a hit", "", money(root(meter.variance))),
    ]
    if meter.second is not None:
        figures.append(("two or more winners in a round", text(meter.several), f"1 in {decimal(1 / meter.several, 2)}"))
        figures.append(("mean amount paid to the second winner", text(meter.second), money(meter.second)))
    for share, x in meter.marks.items():
        if x is not None:
            figures.append((f"meter not exceeded at {percent(share, 0)} of hits", text(x), money(x)))
    if above is not None:
        figures.append((f"probability of a hit above {money(above)}", "", chance(meter.above(above))))
    if life.break_even is not None:
        figures.append(("break-even meter", text(life.break_even), money(life.break_even)))
        figures.append(("probability that it is reached before a hit", "", chance(life.passes)))
    figures.append((f"{unit(a)} to a player who always bets", text(life.always), worth(a, life.always)))
    if life.player is not None:
        p, from_on = life.player, money(life.player.threshold)
        never = p.share == 0 and p.returned is None
        paid = "never played" if never else NOT_COMPUTED if p.returned is None else worth(a, p.returned)
        only = "" if p.rounded or p.returned is None else text(p.returned)
        figures.append((f"share of rounds at {from_on} or more", "", chance(p.share)))
        figures.append((f"{unit(a)} to a player who bets only in these rounds", only, paid))
    return figures


def remarks(a: Analysis, life: MeterCycle) -> list[str]:
    """Return the assumptions of the distribution."""
    meter, options = life.distribution, a.resolved.terms.meter_options
    clause = f" ({options.winners_clause})" if options.winners_clause else ""
    shared = meter.seats > 1 and meter.most is None
    others = a.progressive is not None and len(a.progressive.meters) > 1
    sentences = (
        (meter.most is not None, must_hit.ASSUMPTION),
        (shared, SEATS),
        (shared, WINNERS[options.winners] + (SILENT if "several-winners" in a.readings else clause)),
        (not meter.whole, SHARED),
        (meter.funded, LATER),
        (not meter.plain and meter.most is None, MOMENTS),
        (others, OTHERS if life.player is None else f"{OTHERS}; {SHOWN}"),
        (life.player is not None, WAITS),
    )
    return [sentence for applies, sentence in sentences if applies]


def part(a: Analysis, life: MeterCycle, above: Fraction | None = None) -> Part:
    """Return the page of one meter: its figures, a table by meter, and the assumptions."""
    figures = tuple((name, Number(value, exact)) for name, exact, value in rows(a, life, above))
    table = tuple((Number(money(x), text(x)), Number(worth(a, r), text(r)), chance(p)) for x, r, p in life.table)
    return Part(f"{a.id}, {decks_in_words(a.decks)}: {life.distribution.name}", blocks=(
        Facts(figures), Grid(("meter", f"{unit(a)} at this meter", "reached before a hit"), table),
        *(Words(f"{words[0].upper()}{words[1:]}.") for words in remarks(a, life))))


def record(a: Analysis, life: MeterCycle, above: Fraction | None) -> dict[str, Any]:
    """Return one meter as JSON: exact values as texts, probabilities of powers as decimals."""
    meter = life.distribution

    def value(x: Exact | None) -> Any:
        return None if x is None else {"exact": text(x), "decimal": to_float(x)}

    player = life.player
    return {
        "id": a.id, "decks": a.decks, "meter": meter.name, "seats": meter.seats, "step": value(meter.step),
        "reset": value(meter.reset), "hit_in_a_round": value(meter.hit), "hit_is_exact": True,
        "amounts_too_low_by_at_most": None,
        "mean_at_hit": value(meter.mean), "standard_deviation": {"decimal": to_float(root(meter.variance))},
        "several_winners": value(meter.several), "second_is_paid": value(meter.second),
        "at_hit": {percent(s, 0): value(x) for s, x in meter.marks.items()},
        "above": None if above is None else {"amount": text(above), "probability": _text(meter.above(above))},
        "break_even": value(life.break_even), "reached_before_hit": _text(life.passes), "always": value(life.always),
        "player": None if player is None else {
            "threshold": text(player.threshold), "share": _text(player.share), "return": value(player.returned),
            "return_is_exact": player.returned is not None and not player.rounded,
            "share_at_most": None,
            "return_at_most": None,
        },
        "table": [{"meter": value(x), "return": value(r), "reached": _text(p)} for x, r, p in life.table],
        "remarks": remarks(a, life),
    }


def _text(p: Decimal | None) -> str | None:
    return None if p is None else str(p)


def render_json(cycles: Cycles, above: Fraction | None) -> str:
    return records("meter", [record(a, life, above) for a, all_lives in cycles for life in all_lives])
