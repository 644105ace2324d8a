"""Exact values of claims whose source states its rules in words: house rules of blackjack, public side bets.

`words.py` translates the words. Blackjack takes a second for each set of rules, so the values are stored in
`values.toml`; a slow test computes them again.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..base.caches import cached
from ..base.exact import ratio, root
from ..base.toml_tables import empty
from ..deals.cards import Shoe
from ..deals.table import Column, Table
from ..games.blackjack import house_rules
from ..games.blackjack.hands import player_hands
from ..games.blackjack.rules import BLACKJACK, HouseRules
from ..games.blackjack.solve import CHOICES, Solver, deck_counts
from ..games.blackjack.strategies import best_chart_value
from ..rulebook.pays import LOSS, parse_pay
from ..rulebook.terms import DealOptions
from ..userfiles.templates import with_templates
from ..wagers.wager_outcomes import counted
from .claims import Claim, Printed, data, parse_printed
from .figures import mapping
from .words import Conditions, conditions, read_data

CARDS, CHANGE, TOTAL = "A23456789T", "change of house edge", "total"
_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
_HAND = re.compile(f"([{CARDS}]) ([{CARDS}]) against ([{CARDS}])")
#: Decimals of a source's floating-point numbers.
MOST_PLACES = 14


@dataclass(frozen=True)
class MeterOfClaim:
    """A meter of a claim on a public side bet: what it is reset to, and the share of a wager that it takes."""

    seed: str
    rate: str


@dataclass(frozen=True)
class StatedClaims:
    """An entry of `mapping.toml` for claims whose source states its rules in words.

    ``why`` is the reason of a ``verdict`` if the digits are not the exact ones; ``other`` are conditions under which
    they come out, of the figure with the index ``part`` if the claim prints several. ``figures`` are the
    conditions of each printed figure, ``outcomes`` the outcomes. ``places`` is the precision of a source that pads
    its numbers with zeros. ``meters`` and ``fixed`` (pays for 1) are by line.
    """

    claims: tuple[int, ...]
    verdict: str = ""
    why: str = ""
    other: Conditions | None = None
    part: int | None = None
    figures: tuple[Conditions, ...] = (Conditions(),)
    outcomes: tuple[str, ...] = ()
    places: int | None = None
    meters: Mapping[str, MeterOfClaim] = empty()
    fixed: Mapping[str, str] = empty()


@dataclass(frozen=True)
class PublicBet:
    """A side bet of `public.toml`: its deal, its outcomes, and what it pays if a claim prints no pays.

    Outcomes in ``whole`` include the deals of better lines. A claim prints a figure for each of several paytables.
    """

    deal: str
    outcome: Mapping[str, str]
    where: Mapping[str, str] = empty()
    whole: tuple[str, ...] = ()
    pays: tuple[Mapping[str, str], ...] = ()


@cached("public side bets", most=1)
def public() -> Mapping[str, PublicBet]:
    """Return the public side bets by wager."""
    bets = tomllib.loads(data("public.toml").decode())
    return {wager: read_data(PublicBet, bet, "public.toml", wager) for wager, bet in bets.items()}


@cached("entries of claims whose source states its rules", most=1)
def _entries() -> Mapping[int, StatedClaims]:
    entries = [read_data(StatedClaims, entry, "mapping.toml", "stated") for entry in mapping()["stated"]]
    return {number: entry for entry in entries for number in entry.claims}


def entry_of(claim: Claim) -> StatedClaims:
    """Return the claim's entry of the mapping; an empty one if it has none."""
    return _entries().get(claim.number, StatedClaims(()))


def is_stated(claim: Claim) -> bool:
    """Whether a claim is on rules that its source states, and not settled as a wager of the documents."""
    on_rules = claim.wager in public() or _of_blackjack(claim)
    return claim.number in _entries() or (on_rules and claim.number not in mapping()["documents"]["claims"])


def _of_blackjack(claim: Claim) -> bool:
    wager = with_templates().wagers.get(claim.wager)
    return claim.is_id and wager is not None and wager.terms.game == "blackjack"


@cached("kept values of claims", most=1)
def kept() -> Mapping[str, tuple[Fraction, ...]]:
    """Return the values of `values.toml`, to 20 decimals: by number; under other conditions by number and a prime."""
    values = tomllib.loads(data("values.toml").decode())
    return {number: tuple(map(Fraction, texts)) for number, texts in values.items()}


def printed_parts(claim: Claim, places: int | None = None) -> tuple[Printed, ...]:
    """Return the numbers that a claim prints, in order: those with a decimal point if there are any.

    ``places`` is their precision if final zeros have no meaning. The 16th digit of a float has none either.
    """
    if fraction := re.fullmatch(r"(\d+)/(\d+)", claim.published):
        return (Printed(Fraction(int(fraction[1]), int(fraction[2])), MOST_PLACES, "fraction", False),)
    scale = " %" if "%" in claim.published else ""
    numbers = [number.rstrip(",") for number in _NUMBER.findall(claim.published)]
    numbers = [number for number in numbers if "." in number] or numbers
    parsed = [parse_printed(number + scale) for number in numbers]
    kept_places = [(p, min(p.places, MOST_PLACES) if places is None else places) for p in parsed if p]
    return tuple(replace(p, value=round(p.value, n), places=n) for p, n in kept_places)


def rules_of(claim: Claim, terms: Conditions) -> HouseRules:
    """Return the house rules of conditions, in the claim's paytable of blackjack."""
    _, paytable = with_templates().find(claim.subject)
    pay = terms.blackjack or dict(paytable.lines)[BLACKJACK]
    return house_rules.stated_rules(HouseRules(blackjack_pays=parse_pay(pay).odds), terms.house_rules, {})


def unknown_words(claim: Claim) -> tuple[str, ...]:
    """Return the phrases of a claim that `words.toml` does not have."""
    changed = (claim.outcome,) if claim.quantity == CHANGE and claim.outcome else ()
    return tuple(phrase for text in (claim.reading, *changed) for phrase in conditions(text).unknown)


def compute(claim: Claim, *, other: bool = False) -> tuple[Fraction, ...]:
    """Return the exact values of the numbers that a claim prints; empty if its rules are not computed here.

    ``other`` is for its other conditions in `mapping.toml`.
    """
    entry = entry_of(claim)
    if unknown_words(claim):
        return ()
    changed = Conditions(decks=claim.decks, outcome=claim.outcome) | conditions(claim.reading)
    figures = entry.figures
    if other and entry.other is not None:
        changed |= entry.other
        figures = figures if entry.part is None else (figures[entry.part],)
    values = _public if claim.wager in public() else _blackjack
    return tuple(value for figure in figures for value in values(claim, changed | figure))


def _value(claim: Claim, terms: Conditions) -> Fraction:
    """Return the expected net result of a round, by composition or by the best chart of totals."""
    assert terms.decks
    rules, counts = rules_of(claim, terms), deck_counts(terms.decks)
    if terms.play in ("total", "basic"):
        return best_chart_value(rules, counts)
    return _best(rules, counts, _split_play(terms))


@cached("values of blackjack by rules, shoe and play of splits", most=256)
def _best(rules: HouseRules, counts: tuple[int, ...], split_play: str) -> Fraction:
    return Solver(rules, counts, split_play=split_play).solve().expected_value


def _split_play(terms: Conditions) -> str:
    return terms.play if terms.play in ("split-count", "first-split") else "zero-memory"


def _blackjack(claim: Claim, terms: Conditions) -> tuple[Fraction, ...]:
    if not _of_blackjack(claim) or not terms.decks:
        return ()
    if claim.quantity in ("house edge", "expected value"):
        value = _value(claim, terms)
        return (-value if claim.quantity == "house edge" else value,)
    if claim.quantity == CHANGE:
        if not terms.outcome:
            return ()
        return (_value(claim, terms) - _value(claim, terms | conditions(terms.outcome)),)
    if claim.quantity == "expected value of a hand":
        return _hand(claim, terms)
    if claim.quantity == "effect of removal":
        rules, counts, play = rules_of(claim, terms), deck_counts(terms.decks), _split_play(terms)
        whole = _best(rules, counts, play)
        order = [*range(1, 10), 0]
        return tuple(_best(rules, tuple(n - (i == c) for i, n in enumerate(counts)), play) - whole for c in order)
    return ()


def _hand(claim: Claim, terms: Conditions) -> tuple[Fraction, ...]:
    hand = _HAND.fullmatch(claim.outcome)
    if not hand or not terms.decks:
        return ()
    first, second, upcard = (CARDS.index(card) for card in hand.groups())
    solver = Solver(rules_of(claim, terms), deck_counts(terms.decks), split_play=_split_play(terms))
    cell = solver.ask(upcard, player_hands().two(first, second))
    values = {CHOICES[choice]: cell.worth(choice) for choice in cell.values}
    tens = 16 * terms.decks - hand.groups().count("T")
    values["insurance"] = (3 * Fraction(tens, 52 * terms.decks - 3) - 1) / 2
    words = re.findall(r"stand|hit|double|split|insurance", claim.published)
    return tuple(values[word] for word in words) if values.keys() >= set(words) else ()


# ---- public side bets


def settled_shares(wager: str, decks: int, lines: Sequence[str], soft_17: str = "stands") -> Mapping[str, Fraction]:
    """Return the probability of each line, the first that applies, and of the loss."""
    table, masks = _table(wager, decks, soft_17)
    left, by_line = ~next(iter(masks.values())) | True, {}
    for line in lines:
        by_line[line] = Fraction(table.count(masks[line] & left), table.deals)
        left &= ~masks[line]
    return {**by_line, LOSS: Fraction(table.count(left), table.deals)}


@cached("tables of public side bets", most=64)
def _table(wager: str, decks: int, soft_17: str) -> tuple[Table, Mapping[str, Column]]:
    """Return the table of a public side bet, with the rows of each outcome."""
    bet = public()[wager]
    options = DealOptions(soft_17="hits" if soft_17 == "hits" else "stands")
    return counted(bet.deal, bet.outcome, bet.where, options, Shoe(decks))


def _public(claim: Claim, terms: Conditions) -> tuple[Fraction, ...]:
    """Return the values of a claim on a public side bet."""
    bet, entry, decks = public()[claim.wager], entry_of(claim), terms.decks
    soft_17 = terms.house_rules.get("soft_17", "stands")
    if decks is None:
        return ()
    if claim.quantity in ("average meter at a hit", "return, long run"):
        return _meters(claim, entry, decks)
    if claim.quantity in ("probability", "combinations"):
        table, masks = _table(claim.wager, decks, soft_17)
        lines = {**settled_shares(claim.wager, decks, list(claim.pays or bet.outcome), soft_17), TOTAL: Fraction(1)}
        lines |= {name: Fraction(table.count(masks[name]), table.deals) for name in bet.whole}
        [outcome, *_] = mapping()["outcomes"].get(terms.outcome, [terms.outcome])
        names = entry.outcomes or ((outcome,) if outcome else tuple(lines))
        unit = 1 if claim.quantity == "probability" else table.deals
        return tuple(lines[name] * unit for name in names) if set(names) <= lines.keys() else ()
    return tuple(value for pays in ([claim.pays] if claim.pays else bet.pays)
                 if (value := _paid(claim, pays, decks, soft_17)) is not None)


def _paid(claim: Claim, pays: Mapping[str, str], decks: int, soft_17: str) -> Fraction | None:
    """Return the figure of a claim under some pays; None if it is not one of the net result, or a pay is no odds."""
    odds = {line: parse_pay(pay, line) for line, pay in pays.items()}
    are_odds = not any(pay.unknowns or pay.needs_stake for pay in odds.values())
    if not are_odds or not odds.keys() <= public()[claim.wager].outcome.keys():
        return None
    share = settled_shares(claim.wager, decks, list(pays), soft_17)
    nets = {line: Fraction(pay.returned({})) - 1 for line, pay in odds.items()} | {LOSS: Fraction(-1)}
    mean, square = (sum((share[line] * net**n for line, net in nets.items()), Fraction(0)) for n in (1, 2))
    figures = {"house edge": -mean, "expected value": mean, "standard deviation": root(square - mean**2)}
    return figures.get(claim.quantity)


def _meters(claim: Claim, entry: StatedClaims, decks: int) -> tuple[Fraction, ...]:
    """Return the average of each meter at a hit, or the long-run return of fixed pays for 1 and all meters."""
    share = settled_shares(claim.wager, decks, list(public()[claim.wager].outcome))
    meters = [(Fraction(m.seed), ratio(m.rate), share[line]) for line, m in entry.meters.items()]
    if claim.quantity == "average meter at a hit":
        return tuple(seed + rate / p for seed, rate, p in meters)
    fixed = sum((Fraction(pay) * share[line] for line, pay in entry.fixed.items()), Fraction(0))
    return (sum((seed * p + rate for seed, rate, p in meters), fixed),) if entry.meters else ()
