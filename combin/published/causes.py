"""Causes of wrong printed figures: a hypothesis is a cause only if its figure has the printed digits.

Hypotheses are tried in this order: another reading of the document, another number of decks, another
paytable of the catalogue, odds "for" taken for odds "to", then two of these together. A count may also
include the hands of two lines, and figures of a table may follow from wrong counts of that table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product

from ..base.errors import InputError
from ..base.exact import decks as decks_in_words
from ..base.exact import is_number
from ..rulebook.pays import LOSS, Pay, parse_pay
from ..rulebook.terms import Terms
from ..userfiles.templates import with_templates
from .claims import Claim, Printed
from .figures import Case, SettledClaim, Value, candidates, settled

#: With fewer significant digits, agreement by chance is too likely to prove a cause.
PROOF = 3

DECKS = range(1, 9)
#: Kinds of a single change whose figure may be truncated instead of rounded.
SINGLE = ("reading", "decks", "paytable")


@dataclass(frozen=True)
class Cause:
    """A cause of a printed figure. ``kind``: reading, decks, paytable, odds, twice, own-counts, digits."""

    kind: str
    text: str
    figure: Fraction


def other_readings(case: Case, *, with_play: bool = True) -> Iterator[tuple[str, Case]]:
    """Return the case under one other choice of its readings, then under two.

    Unless ``with_play``, choices with which the wager depends on the base game's play are left out.
    """
    # numbers of decks are varied elsewhere, and no source states a cap
    bearing = [r for r in with_templates().readings_of(case.id)
               if not r.frequencies_only and any(set(c.patch) - {"decks"} for c in r.computed)]
    chosen = dict(case.readings)
    current = {r.id: chosen.get(r.id, r.primary.id) for r in bearing}
    for number in (1, 2):
        for some in combinations(bearing, number):
            for choices in product(*(r.computed for r in some)):
                if not with_play and any("play_options" in c.patch for c in choices):
                    continue
                picked = {r.id: c.id for r, c in zip(some, choices, strict=True)}
                if all(current[k] != v for k, v in picked.items()):
                    text = " and ".join(f"{k} = {v}" for k, v in picked.items())
                    yield f"reading {text}", case.but(readings=tuple({**chosen, **picked}.items()))


def other_decks(case: Case) -> Iterator[tuple[str, Case]]:
    if with_templates().wagers[case.wager].document.deck_range[1] > 1:
        for decks in DECKS:
            if decks != case.decks:
                yield decks_in_words(decks), case.but(decks=decks)


def _outcomes(terms: Terms) -> object:
    """Return the names of a wager's outcomes, or the name of its outcome function."""
    return set(terms.outcome) or terms.outcomes


def other_paytables(case: Case, known: Mapping[str, Sequence[tuple[str, Case]]]) -> Iterator[tuple[str, Case]]:
    """Return paytables of the same wager in catalogue and sources, then of wagers with the same outcomes."""
    wagers = with_templates().wagers
    outcomes = _outcomes(wagers[case.wager].terms)
    sisters = [w for w in wagers.values() if _outcomes(w.terms) == outcomes and not w.has_decisions]
    sisters.sort(key=lambda w: w.id != case.wager)
    for wager in sisters:
        for letter in wager.paytables:
            if (wager.id, letter) != (case.wager, case.letter):
                yield (
                    f"{wager.id}/{letter} ({short_pays(wager.paytables[letter].lines)})",
                    case.but(wager=wager.id, letter=letter, lines=None, changes=()),
                )
        for name, other in known.get(wager.id, ()):
            if other.lines != case.lines:
                yield name, other.but(decks=case.decks)


def short_pays(lines: Sequence[tuple[str, str]]) -> str:
    """Return the pays of a table in short form: 25, 10 and 5 to 1."""
    pays = [parse_pay(pay, outcome) for outcome, pay in lines]
    if len(pays) > 1 and all(pay == Pay(pay.text, pay.odds, stake_back=True, states_to=True) for pay in pays):
        numbers = [f"{float(pay.odds):,}".removesuffix(".0") for pay in pays]
        return f"{', '.join(numbers[:-1])} and {numbers[-1]} to 1"
    return ", ".join(pay.text for pay in pays)


def other_odds(case: Case) -> Iterator[tuple[str, Case]]:
    """Return cases with odds "to" settled as odds "for" (the stake counted in the pay), and vice versa."""
    lines = tuple(case.lines or with_templates().wagers[case.wager].paytables[case.letter].lines)
    for i, (outcome, pay) in enumerate(lines):
        if parse_pay(pay, outcome).states_to:
            changed = (*lines[:i], (outcome, pay.replace(" to ", " for ")), *lines[i + 1 :])
            text = (
                f'"{outcome}" at {pay} settled as {pay.replace(" to ", " for ")} (the stake counted among the winnings)'
            )
            yield text, case.but(letter=case.letter + "'", lines=changed)
    for old, new, text in (
        (" to ", " for ", 'odds "to 1" settled as "for 1" (the stake counted among the winnings)'),
        (" for ", " to ", 'odds "for 1" settled as "to 1" (the stake returned besides)'),
    ):
        changed = tuple((outcome, pay.replace(old, new)) for outcome, pay in lines)
        if changed != lines:
            yield text, case.but(letter=case.letter + "'", lines=changed)


def variations(case: Case, known: Mapping[str, Sequence[tuple[str, Case]]]) -> Iterator[tuple[str, str, Case]]:
    """Yield (kind, text, case) for every hypothesis, first single ones, then pairs."""
    singles: list[tuple[str, Callable[[Case], Iterator[tuple[str, Case]]]]] = [
        ("reading", other_readings),
        ("odds", other_odds),
        ("decks", other_decks),
        ("paytable", lambda c: other_paytables(c, known)),
    ]
    for kind, vary in singles:
        for text, varied in vary(case):
            yield kind, text, varied
    pairs = [
        ("paytable", "decks"),
        ("paytable", "reading"),
        ("decks", "reading"),
        ("paytable", "odds"),
        ("decks", "odds"),
    ]
    by_kind: dict[str, Callable[[Case], Iterator[tuple[str, Case]]]] = {
        **dict(singles), "reading": lambda c: other_readings(c, with_play=False),
    }
    for first, second in pairs:
        for one, once in by_kind[first](case):
            for two, twice in by_kind[second](once):
                yield f"{first} and {second}", f"{one}, {two}", twice


def figure(claim: Claim, case: Case) -> list[Value]:
    """Return the claim's figures in a case; empty if the case cannot be settled."""
    try:
        return candidates(claim, settled(case))
    except (InputError, KeyError):
        return []


def reproduce(
    claim: Claim, case: Case, printed: Printed, known: Mapping[str, Sequence[tuple[str, Case]]]
) -> list[Cause]:
    """Return all hypotheses with the printed digits, of the first kind that has any."""
    causes: list[Cause] = []
    for kind, text, varied in variations(case, known):
        if causes and kind != causes[0].kind:
            break
        for value in figure(claim, varied):
            # Two changes, or one change of many lines, give many hypotheses: only the rounded figure is a proof.
            if printed.rounds_from(value.exact) or (kind in SINGLE and printed.cut_from(value.exact)):
                causes.append(Cause(kind, text, value.exact))
                break
    return causes


def counted_twice(it: SettledClaim, name: str, count: Fraction) -> Cause | None:
    """Return the cause of a count that includes hands of a better line; None if there is none.

    Every condition that includes the hands of the outcome is tried, with only some of the lines above it subtracted.
    """
    table = it.table
    hands = it.rows(name)
    if hands is None:
        return None
    lines = [line for line in it.taken if line != LOSS]
    for other, mask in it.masks.items():
        if (hands & ~mask).any():
            continue
        above = [line for line in lines if (it.taken[line] & mask & ~hands).any()]
        for number in range(len(above)):
            for kept in combinations(above, number):
                rows = mask.copy()
                for line in kept:
                    rows &= ~it.taken[line]
                if table.count(rows) == count:
                    both = [line for line in above if line not in kept]
                    as_what = (
                        "" if other == name else f' (it is "{other}"' + (f" less {_quoted(kept)})" if kept else ")")
                    )
                    return Cause("twice", f"the hands of {_quoted(both)} are counted here once more{as_what}", count)
    return None


def _quoted(names: Sequence[str]) -> str:
    return " and ".join(f'"{name}"' for name in names)


OWN_COUNTS = {
    "": "",
    "for": ', with the pays settled "for 1" where the source says "to 1"',
    "stake": ", with the stake returned in addition to the meter",
}


def own_counts(
    claim: Claim, group: Sequence[Claim], pays: Mapping[str, str], printed: Printed, stake: Fraction
) -> Cause | None:
    """Return the cause if the source's counts give the figure, with its pays as printed or "to" taken as "for"."""
    counts = {c.outcome: c.printed.value for c in group if c.quantity == "combinations" and c.printed}
    total = counts.pop("total", None)
    if total is None or not set(pays) <= set(counts):
        return None
    for word, extra in OWN_COUNTS.items():
        fixed, slope = Fraction(0), Fraction(0)
        for outcome, text in pays.items():
            pay = parse_pay(text, outcome)
            if word == "for" and pay.states_to:
                pay = replace(pay, stake_back=False)
            returned = pay.returned({"stake": stake})
            if is_number(returned):
                fixed += returned * counts[outcome] / total
            else:
                slope += counts[outcome] / total / stake
                fixed += counts[outcome] / total if word == "stake" else 0
        value = {
            "house edge": 1 - fixed,
            "expected value": fixed - 1,
            "break-even meter": (1 - fixed) / slope if slope else None,
        }.get(claim.quantity)
        if value is not None and printed.fits(value):
            return Cause("own-counts", f"follows from the source's own counts{extra}", value)
    return None


def misprinted(printed: Printed, exact: Fraction) -> Cause | None:
    """Return the cause if two neighbouring digits are exchanged or the sign is missing; None otherwise."""
    shown = printed.shown(exact)
    scaled = round(shown * Fraction(10) ** printed.places)
    digits = int(printed.value * Fraction(10) ** printed.places)
    whole = 10 ** max(printed.places, 0)
    if 0 < digits < whole <= scaled and scaled % whole == digits:
        return Cause("digits", "the digits before the point are missing", exact)
    if digits == -scaled:
        return Cause("digits", "the sign is the wrong way round", exact)
    right, wrong = str(abs(scaled)), str(abs(digits))
    if len(right) == len(wrong):
        apart = [i for i, (a, b) in enumerate(zip(right, wrong, strict=True)) if a != b]
        if (
            len(apart) == 2
            and apart[1] == apart[0] + 1
            and right[apart[0]] == wrong[apart[1]]
            and right[apart[1]] == wrong[apart[0]]
        ):
            return Cause("digits", "two neighbouring digits are exchanged", exact)
    return None
