"""Two paytables side by side: how they are paired, the changed pays and their effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ..analysis.model import Analysis
from ..base.exact import Exact, is_number, simplify
from ..rulebook.pays import parse_pay
from ..views.model import NAMES, ROOTS
from .cells import pay_text
from .model import ComparedFigure, ComparedLine, Comparison, label

#: Two analyses, and how they were paired; empty if the user paired them.
Pair = tuple[Analysis, Analysis, str]
SAME_NAME = "paired by the name of wager and paytable"
NEAREST = "paired by pays: the nearest paytable of the wager"


def pairs(first: Sequence[Analysis], second: Sequence[Analysis]) -> list[Pair]:
    """Return pairs of an analysis of each group; empty if the groups cannot be paired.

    Pairs have the same id and decks, or else the same name without the document. The rest is paired with the paytable
    of the same wager and decks whose pays are nearest. Groups of equal size without any such pair are paired in order.
    """
    known = {(b.id, b.decks): b for b in second}
    if all((a.id, a.decks) in known for a in first):
        return [(a, known[a.id, a.decks], "") for a in first]
    named = {(_name(b), b.decks): b for b in second}
    matches: list[Pair] = [(a, named[_name(a), a.decks], SAME_NAME) for a in first if (_name(a), a.decks) in named]
    if not matches and len(first) == len(second):
        return [(a, b, "") for a, b in zip(first, second, strict=True)]
    taken = {(side.id, side.decks) for a, b, _ in matches for side in (a, b)}
    left = [a for a in first if (a.id, a.decks) not in taken]
    over = [b for b in second if (b.id, b.decks) not in taken] if matches else []
    for a in left:
        near = _nearest(a, second)
        matches += [] if near is None else [(a, near, NEAREST)]
    for b in over:
        near = _nearest(b, first)
        matches += [] if near is None else [(near, b, NEAREST)]
    return matches


def _wager(a: Analysis) -> tuple[str, str]:
    """Return game and wager, which documents of several jurisdictions may have."""
    return a.resolved.document.game, a.resolved.wager


def _name(a: Analysis) -> tuple[str, str, str]:
    """Return game, wager and paytable."""
    return *_wager(a), a.resolved.paytable.id


def _pays(a: Analysis) -> dict[str, str]:
    return {outcome: pay.text for outcome, pay in a.resolved.lines}


def _nearest(a: Analysis, others: Sequence[Analysis]) -> Analysis | None:
    """Return the paytable of the same wager and decks with fewest differing lines; of equals the nearest return."""
    def apart(b: Analysis) -> tuple[int, bool, Exact]:
        both = is_number(a.returned) and is_number(b.returned)
        count = len(differences(_pays(a), _pays(b)))
        return count, not both, abs(a.returned - b.returned) if both else Fraction(0)

    alike = [b for b in others if _wager(b) == _wager(a) and b.decks == a.decks]
    return min(alike, key=apart, default=None)


def differences(mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """Return a sentence for each line whose pays differ."""
    sentences = []
    for outcome in dict.fromkeys([*theirs, *mine]):
        our_pay, their_pay = (parse_pay(x[outcome], outcome) if outcome in x else None for x in (mine, theirs))
        if our_pay is None or their_pay is None or replace(our_pay, text="") != replace(their_pay, text=""):
            sentences.append(f'"{outcome}" {mine.get(outcome, "not paid")}, not {theirs.get(outcome, "not paid")}')
    return sentences


def comparison(a: Analysis, b: Analysis, how: str = "") -> Comparison:
    lines = []
    left, right = ({o.outcome: o for o in side.outcomes} for side in (a, b))
    for outcome in dict.fromkeys([*left, *right]):
        one, two = left.get(outcome), right.get(outcome)
        parts = [Fraction(0) if o is None else o.contribution for o in (one, two)]
        lines.append(ComparedLine(
            outcome,
            (pay_text(one), pay_text(two)),
            (None if one is None else one.probability, None if two is None else two.probability),
            simplify(parts[1] - parts[0]),
        ))
    figures = []
    for key, name in NAMES.items():
        was, now = getattr(a, key), getattr(b, key)
        change = None if was is None or now is None else simplify(now - was)
        figures.append(ComparedFigure(name, was, now, change, key in ROOTS))
    return Comparison(label(a), label(b), tuple(lines), tuple(figures),
                      len(differences(_pays(a), _pays(b))), how)
