"""Exact values of claims: the paytable settled with the source's deal, decks and readings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from ..analysis.engine import run
from ..analysis.model import Analysis
from ..analysis.request import Request
from ..analysis.settle import settle, table_of
from ..base.caches import cached
from ..base.exact import is_number
from ..deals.cards import CARD_TYPES
from ..deals.first_cards import TEN
from ..deals.table import Column, Table
from ..games.blackjack.strategies import best_chart_value
from ..games.outcome import Outcome
from ..games.showdown.rules import round_of
from ..rulebook.book import PaytableTerms, Rulebook, build_paytable, extended
from ..rulebook.parameters import values
from ..rulebook.pays import LOSS
from ..userfiles.templates import with_templates
from ..wagers.wager_outcomes import deal_of, is_stated, masks_of
from .claims import Claim, data
from .words import conditions

PUBLISHED = "published"


@cached("what claims are about", most=1)
def mapping() -> dict[str, Any]:
    """Return what the claims are about, in the terms of the rule data."""
    return tomllib.loads(data("mapping.toml").decode())


@dataclass(frozen=True)
class Case:
    """A way to settle a claim's paytable; a hypothesis may change any field.

    ``lines`` is None if the catalogue's paytable ``letter`` is settled.
    """

    wager: str
    letter: str
    lines: tuple[tuple[str, str], ...] | None
    decks: int
    readings: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, Any], ...] = ()
    #: Ranks that are not in the shoe: "tens".
    without: str = ""

    @property
    def id(self) -> str:
        return f"{self.wager}/{self.letter}"

    def but(self, **changed: Any) -> Case:
        return Case(**{**self.__dict__, **changed})


@dataclass(frozen=True)
class SettledClaim:
    """A case with its analysis; for wagers without decisions, also with the outcomes of every deal."""

    case: Case
    analysis: Analysis
    book: Rulebook = field(repr=False)

    @cached_property
    def table(self) -> Table:
        a = self.analysis
        shoe = a.shoe
        if self._by_conditions:
            deal = deal_of(a.resolved, whole=True)
            assert deal is not None
            return deal.table(shoe)
        return table_of(self.book, a.resolved, shoe, values(a.resolved, a.request.set))

    @property
    def _by_conditions(self) -> bool:
        """Whether all outcomes of the wager, paid or not, are conditions on the deal."""
        terms = self.analysis.resolved.terms
        return is_stated(terms) and not terms.depends_on_play

    @cached_property
    def masks(self) -> Mapping[str, Column]:
        return masks_of(self.table, self.analysis.resolved, whole=self._by_conditions)

    @cached_property
    def taken(self) -> dict[str, Column]:
        """The rows of each line and of the loss, in the order of settlement."""
        paid, lost = settle(self.table, self.analysis.resolved)
        return {**{name: rows for name, _, rows in paid}, LOSS: lost}

    def line(self, name: str) -> Outcome | None:
        return next((o for o in self.analysis.outcomes if o.outcome == name), None)

    def rows(self, name: str) -> Column | None:
        """Return the rows of an outcome; if it is not a line, without those of better lines that precede it."""
        if name == "total":
            return np.ones(len(self.table), dtype=bool)
        if name in self.taken:
            return self.taken[name]
        if name not in self.masks:
            return None
        rows = self.masks[name].copy()
        for line, above in self.taken.items():
            if line == LOSS or (line in self.masks and not (self.masks[name] & ~self.masks[line]).any()):
                break
            rows &= ~above
        return rows

    def share(self, name: str) -> Fraction | None:
        """Return the probability of an outcome by the name that a source uses."""
        parts = mapping()["outcomes"].get(name, [name])
        probability = Fraction(0)
        for part in parts:
            rows = self.rows(part.removeprefix("-"))
            if rows is None:
                return None
            probability += Fraction(self.table.count(rows), self.table.deals) * (-1 if part.startswith("-") else 1)
        return probability


#: The tables of a wager's terms that an entry of the mapping may replace.
TABLES = ("options", "where", "outcome")


@cached("settled analyses by case", most=4096)
def settled(case: Case) -> SettledClaim:
    """Return the analysis of a case; raises `InputError` if its terms or its deal are unknown."""
    book = with_templates()
    wager = book.wagers[case.wager]
    changes = {k: dict(v) if k in TABLES else v for k, v in case.changes}
    paytables = dict(wager.paytables)
    if case.lines is not None:
        paytables[case.letter] = build_paytable(case.letter, PaytableTerms(lines=dict(case.lines)))
    if case.lines is not None or case.changes:
        book = extended(book)
        book.with_paytables(replace(wager.changed(changes), paytables=paytables))
    bearing = {r.id for r in book.readings_of(case.id)}
    chosen = {k: v for k, v in case.readings if k in bearing}
    tens = tuple(c for c in range(CARD_TYPES) if c % 13 == TEN) * case.decks if case.without == "tens" else ()
    request = Request(
        case.id, case.decks, MappingProxyType(dict(case.settings)), MappingProxyType(chosen), tens, any_decks=True
    )
    return SettledClaim(case, run(book, request), book)


def case_of(claim: Claim, decks: int | None = None) -> Case | None:
    """Return the case of a claim as its source states it; None if paytable or decks are unknown."""
    wager = with_templates().wagers.get(claim.wager)
    if wager is None:
        return None
    decks = decks or claim.decks
    changes: dict[str, Any] = {}
    stated = conditions(claim.reading)
    readings = dict(stated.reading)
    lines: dict[str, str] | None = None
    letter = claim.letter or PUBLISHED
    if claim.pays:
        names = mapping()["lines"]
        lines = {names.get(outcome, outcome): pay for outcome, pay in claim.pays.items() if names.get(outcome) != ""}
    for entry in mapping()["table"]:
        if entry["wager"] != claim.wager or claim.is_id:
            continue
        if ("line" in entry and entry["line"] in (lines or {})) or (
            "claimed" in entry and lines is None and _is_claimed(entry, claim)
        ):
            changes |= {k: _frozen(entry[k]) for k in ("deal", *TABLES) if k in entry}
            readings |= entry.get("reading", {})
            lines = entry.get("lines", lines)
    if stated.options and wager.terms.game:
        changes["options"] = _frozen({**wager.terms.options, **stated.options})
    if decks is None or (lines is None and not claim.is_id):
        return None
    for entry in mapping()["completed"]:
        if entry["game"] == wager.terms.game and lines is not None:
            lines = {**entry["before"], **lines, **entry["after"]}
    return Case(
        claim.wager,
        letter,
        tuple(lines.items()) if lines is not None else None,
        decks,
        tuple(readings.items()),
        tuple(stated.set.items()),
        tuple(changes.items()),
        stated.without,
    )


def _frozen(value: Any) -> Any:
    """Return data as a hashable key: lists as tuples, tables as their items."""
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value


def _is_claimed(entry: Mapping[str, Any], claim: Claim) -> bool:
    return bool(claim.outcome) and (
        claim.outcome == entry["claimed"] or claim.outcome in entry["lines"] or claim.outcome in mapping()["outcomes"]
    )


@dataclass(frozen=True)
class Value:
    """An exact value, with its unit if a source does not state the unit."""

    exact: Fraction
    of: str = ""


def candidates(claim: Claim, it: SettledClaim) -> list[Value]:
    """Return the exact value of a claim; several if the source does not state the unit, the likeliest first."""
    a, quantity = it.analysis, claim.quantity
    if a.game is not None:
        return _of_game(claim, a)
    if quantity in ("combinations", "probability") or (quantity == "hit frequency" and claim.outcome):
        share = it.share(claim.outcome)
        return [] if share is None else [Value(share)]
    if quantity == "contribution to return":
        return _contribution(claim, it)
    if quantity == "hit frequency":
        return [Value(a.hit_frequency)]
    if quantity == "change of return":
        meter = conditions(claim.reading).numbers.get("meter")
        slope = sum((v for k, v in (a.coefficients or {}).items() if k != "1"), Fraction(0))
        return [] if meter is None else [Value(slope * meter)]
    if quantity == "break-even meter":
        return [Value(a.solve(name, Fraction(1))) for name in a.unknowns[:1]]
    # Every other figure needs the return as a number; "before the jackpot" means a meter of 0.
    if a.unknowns:
        a = a.replace(set=dict.fromkeys(a.unknowns, "0"))
    if not is_number(a.returned) or (quantity in ("house edge", "expected value") and not a.has_stake):
        return []
    if quantity == "house edge":
        than = conditions(claim.reading).than
        if than:
            return [Value(run(with_templates(), Request(than, a.decks)).house_edge - a.house_edge)]
        return [Value(a.house_edge)]
    if quantity == "return":
        return [Value(a.returned)]
    if quantity == "expected value":
        return [Value(-a.house_edge)]
    if quantity == "standard deviation":
        return [Value(a.standard_deviation)] if a.standard_deviation is not None else []
    if quantity == "total loss over all combinations":
        return [Value(a.house_edge * a.deals)] if a.deals else []
    return []


def _contribution(claim: Claim, it: SettledClaim) -> list[Value]:
    share = it.share(claim.outcome)
    outcome = it.line(claim.outcome) or it.line(LOSS)
    if share is None or outcome is None or not is_number(outcome.returned):
        return []
    net, gross = Value(share * (outcome.returned - 1), "net"), Value(share * outcome.returned, "stake included")
    return [net, gross] if conditions(claim.reading).net else [gross, net]


def _of_game(claim: Claim, a: Analysis) -> list[Value]:
    game = a.game
    if claim.quantity == "house edge" and a.resolved.terms.game == "blackjack":
        return _of_blackjack(claim, a)
    if claim.quantity == "house edge":
        figures = [Value(-game.expected_value, "ante")]
        if game.initial_units > 1:
            figures.append(Value(game.house_edge_per_initial_units, "ante and X-tra Bonus together"))
        return [*figures, Value(game.element_of_risk, "average wager")]
    if claim.quantity == "expected value":
        return [Value(game.expected_value, "ante")]
    if claim.quantity == "average wager":
        return [Value(game.average_wager, "ante")]
    if claim.quantity == "element of risk":
        return [Value(game.element_of_risk, "average wager")]
    if claim.quantity == "total loss over all combinations" and a.deals:
        return [Value(-game.expected_value * a.deals, "ante")]
    if claim.quantity == "standard deviation" and a.standard_deviation is not None:
        return [Value(a.standard_deviation, "ante, of the net result")]
    if claim.quantity == "variance":
        return [Value(a.variance, "ante, of the net result")]
    shares = {
        "dealer qualifies": game.frequencies.get("dealer_qualifies"),
        "player calls (raises)": 1 - game.choices.get("fold", Fraction(0)),
        "dealer pushes with a player": sum(
            (
                o.probability
                for o in a.outcomes
                if o.cell[0] != "fold" and o.cell[1:3] == ("dealer qualifies", "tie")
            ),
            Fraction(0),
        ),
        "fold": game.choices.get("fold"),
        "the first bet rides": _first_choice(a, "let it ride"),
        **{f"All In {n}x": game.choices.get(f"all in {n}x") for n in (1, 2, 3)},
    }
    if claim.outcome == "longest flush is a three-card flush, ten high":
        from math import comb

        plays = [p for p in game.solution.plays() if p.flush.bit_length() == 9 and p.flush.bit_count() == 3]
        return [Value(Fraction(sum(p.hands for p in plays), comb(52, 7)))]
    share = shares.get(claim.outcome)
    return [] if share is None else [Value(share)]


def _first_choice(a: Analysis, name: str) -> Fraction | None:
    """Return the probability of a choice on the first street of a described round; None for other games."""
    if a.resolved.terms.round is None:
        return None
    solution, leaves = a.game.solution, round_of(a.resolved).leaves
    deals = sum(int(solution.joint[i].sum()) for i, leaf in enumerate(leaves) if leaf.names[:1] == (name,))
    return Fraction(deals, solution.deals)


def _of_blackjack(claim: Claim, a: Analysis) -> list[Value]:
    """Return best play by composition, after the best chart by total if the source's player follows a chart."""
    figures = [Value(-a.game.expected_value, "wager, best play by composition")]
    if conditions(claim.reading).play == "basic":
        by_total = best_chart_value(a.game.solution.rules, a.game.solution.counts)
        figures.insert(0, Value(-by_total, "wager, best chart by total"))
    return figures
