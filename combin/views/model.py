"""The rows of every readable view of an analysis, in words and figures, before any markup.

The terminal, Markdown and the reports show these rows; none of them computes a figure.
"""

from __future__ import annotations

from ..analysis.model import Analysis
from ..base.exact import Exact, decimal, decks, grouped, grouped_decimal, is_number, percent, text
from ..deals.cards import names
from ..pages.blocks import Block, Facts, Figure, Figures, Grid, Part, Words
from ..rulebook.pays import LOSS
from . import extras
from .symbolic import amount as amount
from .symbolic import figure
from .symbolic import share as share

ROUNDS = tuple(10**k for k in range(3, 8))
FEW_TOP_PRIZES = 10
NO_RANGE = "–"
FEW = f"{NO_RANGE} too few top prizes for a normal range; combin report gives exact percentiles"


#: Figures of an analysis by field, as they are named everywhere.
NAMES = {"returned": "return to player", "house_edge": "house edge", "hit_frequency": "hit frequency",
         "variance": "variance", "standard_deviation": "standard deviation",
         "volatility_index": "volatility index (95 %)", "top_pay": "top pay"}
#: Those that are square roots, usually irrational.
ROOTS = ("standard_deviation", "volatility_index")

HEAD = ("outcome", "pays", "combinations", "probability", "decimal", "1 in", "contribution")


def probability(p: Exact) -> str:
    """Return a decimal with about eight significant digits; an expression if it depends on an unknown."""
    if not is_number(p):
        return str(p)
    if p in (0, 1):
        return str(p)
    places = 8
    while p * 10**places < 10**6 and places < 24:
        places += 1
    return decimal(p, places)


def one_in(p: Exact) -> str:
    if not is_number(p):
        return str(1 / p)
    return f"{grouped_decimal(1 / p, 2)}" if p else "never"


def outcome_rows(a: Analysis) -> list[tuple[str, ...]]:
    """Return (outcome, pays, combinations, probability exact, decimal, 1 in, contribution)."""
    return [
        (
            o.outcome,
            o.pays if o.outcome != LOSS else "",
            "" if o.combinations is None else grouped(o.combinations),
            text(o.probability),
            probability(o.probability),
            one_in(o.probability),
            amount(o.contribution),
        )
        for o in a.outcomes
    ]


def figures(a: Analysis) -> list[Figure]:
    """Return the figures of the wager in reading order."""
    further = extras.figures(a)
    if not a.has_stake:
        return [figure("dollars per round", a.returned), *further]
    entries = [
        figure(NAMES["returned"], a.returned, share, key="returned"),
        figure(NAMES["house_edge"], a.house_edge, share, key="house_edge"),
        _estimated(a, "hit_frequency") or figure(NAMES["hit_frequency"], a.hit_frequency, share, key="hit_frequency"),
    ]
    of_game = {} if a.game is None else a.game.figures()
    for name, exact in {**of_game, "variance": a.variance}.items():
        guess = None if is_number(exact) else _estimated(a, name)
        entries.append(guess or figure(name.replace("_", " "), exact, key=name))
    deviation = a.standard_deviation
    if deviation is not None and a.volatility_index is not None:
        entries.append(Figure(NAMES["standard_deviation"], "", decimal(deviation, 8)))
        entries.append(Figure(NAMES["volatility_index"], "1.959964 σ", decimal(a.volatility_index, 8)))
    if a.return_range is not None and a.return_range[0].value != a.return_range[1].value:
        for name, end in zip(("least", "greatest"), a.return_range, strict=True):
            under = ", ".join(f"{k}={v}" for k, v in end.readings.items())
            under += "" if end.decks in (None, a.decks) else f"; {decks(end.decks)} in play"
            entries.append(figure(f"{name} return of the readings", end.value, share, f"({under})"))
    entries += [Figure("reading not computed", "", "", f"{n.reading}={n.choice}: {n.why}") for n in a.not_computed]
    return entries + further


def _estimated(a: Analysis, name: str) -> Figure | None:
    """Return the estimate of a figure that is not computed exactly. Returns None if there is none."""
    guess = a.estimates.get(name)
    return None if guess is None else extras.guessed(name.replace("_", " "), guess, name)


def rounds_rows(a: Analysis) -> list[tuple[str, str, str, str]]:
    """Return (rounds, least, greatest, top prizes): the 95 % range after N rounds; `NO_RANGE` if `FEW` applies."""
    rows = []
    for rounds in ROUNDS:
        interval = a.range_after(rounds)
        if interval is None:
            return []
        least, greatest, top = interval
        expected = f"{grouped_decimal(top, 2)} top prizes expected"
        ends = (NO_RANGE, NO_RANGE) if top < FEW_TOP_PRIZES else (percent(least, 2), percent(greatest, 2))
        rows.append((grouped(rounds), *ends, expected))
    return rows


def facts(a: Analysis, *, with_decks: bool = True, in_place: bool = True) -> list[tuple[str, str]]:
    """Return the wager's source and the assumptions of the figures.

    Document, clause, decks and deals are omitted unless ``in_place``: a sheet has cells for them.
    """
    paytable, document = a.resolved.paytable, a.resolved.document
    where = [part for part in (paytable.file, paytable.places.get("", "")) if part]
    deals = ""
    if in_place and a.deals is not None and a.classes is not None:
        deals = f"{grouped(a.deals)} in {grouped(a.classes)} class{'es' if a.classes != 1 else ''}"
    entries = [  # of a paytable in a user's file the document is that of its wager, which may have no clause
        ("based on" if paytable.file else "document", document.title if in_place and a.has_document else ""),
        ("clause", a.clause if in_place else ""),
        ("paytable", ", ".join(where) if paytable.file else ""),
        ("decks", str(a.decks) if in_place and with_decks else ""),
        ("cards in a deck", ", ".join(f"{number or 'no'} {rank}" for rank, number in a.resolved.terms.shoe.items())),
        ("without", names(a.request.without)),
        ("given that", a.condition),
        ("deals", deals),
        ("readings", ", ".join(f"{k}={v}" for k, v in a.readings.items())),
        ("parameters", ", ".join(f"{k}={'unknown' if v is None else text(v)}" for k, v in a.parameters.items())),
    ]
    return [(name, words) for name, words in entries if words] + extras.remarks(a)


def part(a: Analysis) -> Part:
    """Return the page of an analysis: its facts, outcomes and figures, and the range after N rounds."""
    blocks: list[Block] = [
        Facts(tuple(facts(a))),
        Grid(HEAD, tuple(outcome_rows(a)), drops=("probability", "1 in", "contribution")),
        Figures(tuple(figures(a))),
    ]
    rows = rounds_rows(a) if a.has_stake else []
    if rows:
        blocks.append(Grid(("rounds", "least return (95 %)", "greatest", "top prizes"), tuple(rows), 0))
    if any(row[1] == NO_RANGE for row in rows):
        blocks.append(Words(FEW))
    return Part(title(a), blocks=tuple(blocks))


def title(a: Analysis) -> str:
    return f"{a.id} · {a.name}"

