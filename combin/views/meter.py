"""The life of a meter for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..analysis.caps import money
from ..analysis.jackpots import SHARES, Life
from ..analysis.model import Analysis
from ..base.documents import records
from ..base.exact import Exact, decimal, is_number, percent, root, text, to_float
from . import terminal

Found = Sequence[tuple[Analysis, Sequence[Life]]]
SEATS = "the seats' hands come from one deal: the returns are a seat's mean"
WINNERS = {
    "in-turn": "of several winners of a round the first has the whole meter, the next what it was reset to, and a seat "
               "is as likely to be first as any other",
    "split": "several winners of the whole meter in one round have equal parts of it, and it is reset once; shares of "
             "a round are paid before",
}
SILENT = " (the document is silent: reading several-winners)"
BOUND = ("the hands of two seats have no joint law here: the figures take no two seats to hit in one round, which is "
         "the most that a round can be hit; it is hit at least as often as one seat hits, {}")
SHARED = ("shares leave the meter without a reset: mean, standard deviation and returns are exact; amounts that hits "
          "do not exceed are those of a meter that rises evenly, at most {} too low, and chances are taken there; "
          "the return of who plays only from a threshold on lies between the two bounds that are shown")
OPEN = ("shares leave the meter without a reset, too small or of too many sizes for the law: mean, standard deviation "
        "and returns are exact, the rest is open; combin simulate deals it")
LATER = ("each reset is what the second meter held: the law of a later hit; before the first it begins at its reset. "
         "Where a meter begins is drawn, so that the chance to reach an amount before the hit is open")
TWO = "each reset is what the second meter held: the law of a later hit, the steps taken as continuous"


def _chance(p: Decimal | None) -> str:
    return "open" if p is None else f"{float(p) * 100:.6f} %"


def _worth(a: Analysis, value: Exact) -> str:
    if not is_number(value):
        return str(value)
    return percent(value) if a.has_stake else f"${decimal(value, 6)} a round"


def rows(a: Analysis, life: Life, above: Fraction | None = None) -> list[tuple[str, str, str]]:
    """(name, exact, shown) of one meter's figures."""
    law = life.law
    found = [
        ("seats", str(law.seats), str(law.seats)),
        ("a round adds", text(law.step), money(law.step)),
        ("probability of a hit in a round", text(law.hit), f"1 in {decimal(1 / law.hit, 2)}"),
        ("mean meter at a hit", text(law.mean), money(law.mean)),
        ("its standard deviation", "", money(root(law.variance))),
    ]
    if law.second is not None:
        found.append(("two winners or more in a round", text(law.several), f"1 in {decimal(1 / law.several, 2)}"))
        found.append(("mean that the second of them is paid", text(law.second), money(law.second)))
    for share in SHARES:
        x = law.at(share)
        if x is not None:
            exact = "" if law.shared else text(x)
            found.append((f"meter that {percent(share, 0)} of hits do not exceed", exact, money(x)))
    if above is not None:
        found.append((f"probability of a hit above {money(above)}", "", _chance(law.above(above))))
    if life.break_even is not None:
        found.append(("break-even meter", text(life.break_even), money(life.break_even)))
        found.append(("probability that it is reached before the hit", "", _chance(life.passes)))
    name = "return of who plays always" if a.has_stake else "dollars of who plays always"
    found.append((name, text(life.always), _worth(a, life.always)))
    if life.player is not None:
        p, from_on = life.player, money(life.player.threshold)
        rounds, worth, only = _chance(p.share), _worth(a, p.returned), text(p.returned)
        if p.at_most is not None:
            rounds, worth, only = f"{rounds} to {_chance(p.at_most[0])}", f"{worth} to {_worth(a, p.at_most[1])}", ""
        found.append((f"share of rounds with {from_on} or more", "", rounds))
        found.append(("return of who plays only then", only, worth))
    return found


def remarks(a: Analysis, life: Life) -> list[str]:
    """What is assumed of the law."""
    law, options = life.law, a.resolved.terms.meter_options
    said = []
    if law.seats > 1 and law.most is None:
        if law.exact:
            clause = f" ({options.winners_clause})" if options.winners_clause else ""
            said += [SEATS, WINNERS[options.winners] + (SILENT if "several-winners" in a.readings else clause)]
        else:
            said.append(BOUND.format(f"1 in {decimal(1 / law.least, 2)}"))
    if not law.closed:
        said.append(OPEN if law.shared is None else SHARED.format(money(law.shared.within)))
    if law.funded:
        said.append(LATER if law.shared is not None else TWO)
    return said


def show(found: Found, above: Fraction | None) -> None:
    for a, all_lives in found:
        for life in all_lives:
            terminal.paragraphs([(f"{a.id}, {a.decks} deck(s): {life.law.name}", remarks(a, life))])
            terminal.listing([(n, shown, exact if len(exact) < 60 else "") for n, exact, shown in rows(a, life, above)],
                             ("figure", "value", "exact"), folds=("figure",), drop=("exact",))
            terminal.listing([(money(x), _worth(a, r), _chance(p)) for x, r, p in life.table],
                             ("meter", "return at it", "reached before the hit"), folds=(), drop=())


def record(a: Analysis, life: Life, above: Fraction | None) -> dict[str, Any]:
    """One meter as JSON: exact values as texts, probabilities of powers as decimals."""
    law = life.law

    def value(x: Exact | None) -> Any:
        return None if x is None else {"exact": text(x), "decimal": to_float(x)}

    player = life.player
    return {
        "id": a.id, "decks": a.decks, "meter": law.name, "seats": law.seats, "step": value(law.step),
        "reset": value(law.reset), "hit_in_a_round": value(law.hit), "hit_is_exact": law.exact,
        "amounts_too_low_by_at_most": value(None if law.shared is None else law.shared.within),
        "mean_at_hit": value(law.mean), "standard_deviation": {"decimal": to_float(root(law.variance))},
        "several_winners": value(law.several), "second_is_paid": value(law.second),
        "at_hit": {percent(s, 0): value(law.at(s)) for s in SHARES},
        "above": None if above is None else {"amount": text(above), "probability": _text(law.above(above))},
        "break_even": value(life.break_even), "reached_before_hit": _text(life.passes), "always": value(life.always),
        "player": None if player is None else {
            "threshold": text(player.threshold), "share": _text(player.share), "return": value(player.returned),
            "share_at_most": None if player.at_most is None else _text(player.at_most[0]),
            "return_at_most": None if player.at_most is None else value(player.at_most[1]),
        },
        "table": [{"meter": value(x), "return": value(r), "reached": _text(p)} for x, r, p in life.table],
        "remarks": remarks(a, life),
    }


def _text(p: Decimal | None) -> str | None:
    return None if p is None else str(p)


def render_json(found: Found, above: Fraction | None) -> str:
    return records("meter", [record(a, life, above) for a, all_lives in found for life in all_lives])
