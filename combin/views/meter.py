"""The life of a meter for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..analysis.caps import money
from ..analysis.model import Analysis
from ..base.documents import records
from ..base.exact import Exact, decimal, is_number, percent, root, text, to_float
from ..games import must_hit
from ..pages import terminal
from ..progressives.meter_cycle import Life
from . import symbolic

Found = Sequence[tuple[Analysis, Sequence[Life]]]
SEATS = "the seats' hands come from one deal: the returns are a seat's mean"
WINNERS = {
    "in-turn": "of several winners of a round the first has the whole meter, the next what it was reset to, and a seat "
               "is as likely to be first as any other",
    "split": "several winners of the whole meter in one round have equal parts of it, and it is reset once; shares of "
             "a round are paid before",
}
SILENT = " (the document is silent: reading several-winners)"
BOUND = ("the hands of so many seats have no joint law here: the figures take the most that a round can be hit and "
         "that a seat is paid; it is hit at least {}")
SHARED = "shares leave the meter without a reset"
NEAR = ("mean, standard deviation and the return of who plays always are exact; amounts that hits do not exceed are "
        "those of a meter that rises continuously, at most {} too low, and chances are taken there")
OPEN = ("the law is open, its series would be too long: mean, standard deviation and the return of who plays always "
        "are exact, chances to reach an amount, where one is shown, those of a continuous meter; combin simulate deals "
        "the rest")
FALLS = ("nothing is added to the meter: it only falls from its reset; mean, standard deviation and the return of who "
         "plays always are exact, the rest of its law is open")
LATER = "each reset is what the second meter held: the law of a later hit; before the first it begins at its reset"
OTHERS = "the other meters are at the mean that they are paid at"
SHOWN = "for who plays only from a threshold on, at that of the rounds in which this one shows it"
WAITS = ("who plays only from a threshold on looks at this meter before a round adds to it, and plays that round; "
         "below it others have the seat, so that the meter rises as ever")
BETWEEN = ("share and return of who plays from the threshold on lie between the two bounds that are shown; one figure "
           "is right in all its digits")


def chance(p: Decimal | None) -> str:
    """A probability to six decimals of a per cent, or two digits of a smaller one."""
    if p is None:
        return "open"
    return f"{float(p) * 100:.6f} %" if not p or p >= Decimal("1e-8") else f"{p * 100:.1e} %"


def unit(a: Analysis) -> str:
    """What a meter is worth to a player is measured in: a return, or dollars a round of a promotion."""
    return "return" if a.has_stake else "dollars"


def worth(a: Analysis, value: Exact) -> str:
    """A value in that unit."""
    if not is_number(value):
        return symbolic.shown(value)
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
    if law.several is None:
        found.append(("two winners or more in a round", "", "open"))
    elif law.second is not None:
        found.append(("two winners or more in a round", text(law.several), f"1 in {decimal(1 / law.several, 2)}"))
        found.append(("mean that the second of them is paid", text(law.second), money(law.second)))
    for share, x in law.marks.items():
        if x is not None:
            exact = "" if law.told else text(x)
            found.append((f"meter that {percent(share, 0)} of hits do not exceed", exact, money(x)))
    if above is not None:
        found.append((f"probability of a hit above {money(above)}", "", chance(law.above(above))))
    if life.break_even is not None:
        found.append(("break-even meter", text(life.break_even), money(life.break_even)))
        found.append(("probability that it is reached before the hit", "", chance(life.passes)))
    found.append((f"{unit(a)} of who plays always", text(life.always), worth(a, life.always)))
    if life.player is not None:
        p, from_on = life.player, money(life.player.threshold)
        shares, returns = [p.share], [p.returned]
        if p.at_most is not None:
            shares, returns = [p.share, p.at_most[0]], [p.returned, p.at_most[1]]
        rounds = " to ".join(dict.fromkeys(map(chance, shares)))
        paid = " to ".join(dict.fromkeys("open" if x is None else worth(a, x) for x in returns))
        paid = "never played" if p.share == 0 and p.returned is None and p.at_most is None else paid
        only = "" if p.rounded or p.at_most or p.returned is None else text(p.returned)
        found.append((f"share of rounds with {from_on} or more", "", rounds))
        found.append((f"{unit(a)} of who plays only then", only, paid))
    return found


def remarks(a: Analysis, life: Life) -> list[str]:
    """What is assumed of the law."""
    law, options = life.law, a.resolved.terms.meter_options
    said = []
    if law.most is not None:
        said.append(must_hit.LAW)
    if law.seats > 1 and law.most is None:
        if law.at_once is None:
            clause = f" ({options.winners_clause})" if options.winners_clause else ""
            said += [SEATS, WINNERS[options.winners] + (SILENT if "several-winners" in a.readings else clause)]
        else:
            said.append(BOUND.format(f"1 in {decimal(1 / law.at_once.hit, 2)}"))
    if not law.whole:
        said.append(SHARED)
    if law.funded:
        said.append(LATER)
    if not law.plain and law.most is None:
        said.append(NEAR.format(money(law.told.within)) if law.told is not None else OPEN if law.step else FALLS)
    if a.progressive is not None and len(a.progressive.meters) > 1:
        said.append(OTHERS if life.player is None else f"{OTHERS}; {SHOWN}")
    if life.player is not None:
        said.append(WAITS)
        if life.player.at_most is not None:
            said.append(BETWEEN)
    return said


def show(found: Found, above: Fraction | None) -> None:
    for a, all_lives in found:
        for life in all_lives:
            terminal.paragraphs([(f"{a.id}, {a.decks} deck(s): {life.law.name}", remarks(a, life))])
            terminal.listing([(n, shown, exact if len(exact) < 60 else "") for n, exact, shown in rows(a, life, above)],
                             ("figure", "value", "exact"), folds=("figure",), drop=("exact",))
            terminal.listing([(money(x), worth(a, r), chance(p)) for x, r, p in life.table],
                             ("meter", f"{unit(a)} at it", "reached before the hit"), folds=(), drop=())


def record(a: Analysis, life: Life, above: Fraction | None) -> dict[str, Any]:
    """One meter as JSON: exact values as texts, probabilities of powers as decimals."""
    law = life.law

    def value(x: Exact | None) -> Any:
        return None if x is None else {"exact": text(x), "decimal": to_float(x)}

    player = life.player
    return {
        "id": a.id, "decks": a.decks, "meter": law.name, "seats": law.seats, "step": value(law.step),
        "reset": value(law.reset), "hit_in_a_round": value(law.hit), "hit_is_exact": law.at_once is None,
        "amounts_too_low_by_at_most": value(None if law.told is None else law.told.within),
        "mean_at_hit": value(law.mean), "standard_deviation": {"decimal": to_float(root(law.variance))},
        "several_winners": value(law.several), "second_is_paid": value(law.second),
        "at_hit": {percent(s, 0): value(x) for s, x in law.marks.items()},
        "above": None if above is None else {"amount": text(above), "probability": _text(law.above(above))},
        "break_even": value(life.break_even), "reached_before_hit": _text(life.passes), "always": value(life.always),
        "player": None if player is None else {
            "threshold": text(player.threshold), "share": _text(player.share), "return": value(player.returned),
            "return_is_exact": player.at_most is None and not player.rounded,
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
