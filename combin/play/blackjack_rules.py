"""Effect of each house rule of blackjack on the return, and the dealer's probabilities by upcard.

Each rule is changed separately, and the game is solved again for best play. Effects of several changes do not add
exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, ClassVar

from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import InputError
from ..deals.cards import Shoe
from ..deals.dealer_draws import VALUES, dealer_hands, value, value_counts
from ..games.blackjack.house_rules import in_shoe, in_words, of_word
from ..games.blackjack.results import solved
from ..games.blackjack.rule_names import ABBREVIATIONS, USUAL
from ..games.blackjack.rules import HouseRules
from ..games.blackjack.solve import BlackjackSolution, runs_out

#: Numbers of decks that the table compares.
DECKS = (1, 2, 4, 6, 8)
ODDS = (Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(2))
#: Options with many choices: those that are compared.
TRIED = {"charlie": ("none", "5", "6", "7"), "max_hands": ("1", "2", "3", "4", "8")}
#: Columns of the dealer's table: the totals of a final hand.
TOTALS = (17, 18, 19, 20, 21)


@dataclass(frozen=True)
class RuleEffect:
    """One changed rule: the field's abbreviation or "", the rule in words, the return, the change of the return."""

    abbreviation: str
    rule: str
    returned: Fraction
    change: Fraction


@dataclass(frozen=True)
class DealerRow:
    """The dealer's final hand for an upcard (1 is an ace, 0 any): probabilities of 17 to 21, blackjack, bust.

    ``peeked`` is the same given that the dealer has no blackjack; a blackjack is not included in 21.
    """

    upcard: int
    before: tuple[Fraction, ...]
    peeked: tuple[Fraction, ...]


@dataclass(frozen=True)
class RuleTable(Displayed):
    """The effects of all house rules compared with the rules of an analysis, and the dealer's table."""

    analysis: Analysis
    rules: tuple[str, ...]
    effects: tuple[RuleEffect, ...]
    dealer: tuple[DealerRow, ...]
    view: ClassVar[str] = "combin.views.blackjack_rules"


def rule_table(a: Analysis) -> RuleTable:
    """Return the effects of all house rules and the dealer's table; the game is solved once for each rule."""
    rules: HouseRules = a.game.solution.rules
    return RuleTable(a, in_words(rules), tuple(effects(a)), dealer_table(a.shoe, rules.hits_soft_17))


def effects(a: Analysis, *, all_rules: bool = True) -> Iterator[RuleEffect]:
    """Yield the effect of every rule that differs from those of the analysis, changed separately, at best play.

    Without ``all_rules``, only of the rules in most tables of published figures. Rules and numbers of decks with which
    the shoe can run out within a round are left out.
    """
    solution: BlackjackSolution = a.game.solution
    rules, base = solution.rules, 1 + solution.expected_value

    def effect(abbreviation: str, rule: str, returned: Fraction) -> RuleEffect:
        return RuleEffect(abbreviation, rule, returned, returned - base)

    for abbreviation, name, other in changes(rules):
        if (all_rules or abbreviation) and not runs_out(other, solution.counts):
            yield effect(abbreviation, name, 1 + solved(other, solution.counts).expected_value)
    if not a.request.without:
        for decks in DECKS:
            if decks != a.decks:
                name = f"{decks} deck{'s' if decks > 1 else ''}"
                shoe = replace(a.shoe, decks=decks)
                counts = value_counts(shoe)
                if not runs_out(rules, counts):
                    yield effect("", name, 1 + solved(in_shoe(rules, shoe), counts).expected_value)


def changes(rules: HouseRules) -> Iterator[tuple[str, str, HouseRules]]:
    """Yield (abbreviation, the rule in words, the changed rules) for every alternative rule."""
    short = {pair: name for name, pair in ABBREVIATIONS.items()}
    base = _bearing(rules)
    seen = set()
    for odds in ODDS:
        other = replace(rules, blackjack_pays=odds)
        if other != rules and rules.suited_pays is None:
            yield f"{odds.numerator}:{odds.denominator}", _said(rules, other), other
    if rules.suited_pays is None:
        other = replace(rules, suited_pays=Fraction(2))
        yield "S2:1", _said(rules, other), other
    for bonus in rules.bonuses:
        yield "", f'No bonus on "{bonus.name}".', replace(rules, bonuses=tuple(b for b in rules.bonuses if b != bonus))
    for option, words in USUAL.items():
        for word in TRIED.get(option, tuple(words)):
            try:
                other = replace(rules, **of_word(option, word))
            except InputError:  # rules that contradict the others, or are not computed with them
                continue
            # A peek and OBO are the same game, but two different rules to one who leaves ENHC.
            game = _bearing(other)
            if game == base or (game, other.hole_card) in seen:
                continue
            seen.add((game, other.hole_card))
            yield short.get((option, word), ""), _said(rules, other), other


def _bearing(rules: HouseRules) -> HouseRules:
    """Return the rules with a fixed value in fields that have no effect: equal rules are the same game."""
    doubles, splits = rules.double != "none", rules.max_hands > 1
    aces = tuple(rules.doubles_after(c) and doubles and splits for c in (0, 1))
    return replace(
        rules,
        soft_doubles=rules.soft_doubles or rules.double != "any",
        double_cards=rules.double_cards if doubles else "two",
        double_after_split=aces[1],
        double_split_aces=aces[0],
        resplit_aces=rules.resplit_aces and rules.max_hands > 2,
        split_aces=rules.split_aces if splits else "one-card",
        hole_card="peek" if rules.looks else rules.hole_card,
        charlie_splits=rules.charlie_splits or not rules.charlie or not splits,
        charlie_blackjack=rules.charlie_blackjack or not rules.charlie or rules.looks,
        even_money=rules.even_money and rules.blackjack_pays > 1 and not rules.blackjack_wins,
    )


def _said(rules: HouseRules, other: HouseRules) -> str:
    """Return the sentences of the changed rules that the base rules do not have."""
    before = set(in_words(rules))
    sentences = [sentence for sentence in in_words(other) if sentence not in before]
    if sentences:
        return " ".join(sentences)
    changed = {f.name for f in fields(rules) if getattr(rules, f.name) != getattr(other, f.name)}
    return GONE[min(changed & GONE.keys(), default="")]


#: Sentences for a rule whose change only removes a sentence.
GONE = {
    "charlie": "There is no charlie.",
    "double_cards": "Only the first two cards may be doubled.",
    "double_split_aces": "Split aces may be doubled like other hands of a split.",
    "even_money": "There is no even money.",
    "push_22": "A dealer's 22 is a bust.",
    "soft_doubles": "Soft hands may be doubled.",
    "ties_lost": "Ties push.",
    "ties_won": "Ties of 21 and of blackjacks push.",
    "": "",
}


def dealer_table(shoe: Shoe, hits_soft_17: bool) -> tuple[DealerRow, ...]:
    """Return the dealer's final hand by upcard and for any upcard; only the upcard is removed from the shoe."""
    rows = []
    for upcard in (*VALUES[1:], VALUES[0]):
        if any(n and value(card) == upcard for card, n in enumerate(shoe.copies)):
            rows.append(_row(upcard, dealer_hands(shoe, hits_soft_17=hits_soft_17, upcard=upcard)))
    return (*rows, _row(0, dealer_hands(shoe, hits_soft_17=hits_soft_17)))


def _row(upcard: int, table: Any) -> DealerRow:
    """Return the row of totals 17 to 21 without blackjacks, blackjack, bust."""
    counts = [0] * 7
    for (_, total, bust, blackjack, _), weight in zip(table.rows, table.weights, strict=True):
        counts[5 if blackjack else 6 if bust else TOTALS.index(total)] += weight
    alive = table.denominator - counts[5]
    return DealerRow(
        upcard, tuple(Fraction(n, table.denominator) for n in counts),
        tuple(Fraction(0 if i == 5 else n, alive) for i, n in enumerate(counts)),
    )
