"""The rules of Blackjack Switch from rule data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...base.exact import Exact
from ...rulebook.book import Resolved
from ...rulebook.pays import parse_pay
from ..blackjack.house_rules import in_words as hands_in_words
from ..blackjack.house_rules import stated_rules
from ..joint import even_pay, lines_fault, only
from .rules import TAKES, SwitchRules

LINES = ("win",)


def switch_rules(resolved: Resolved, values: Mapping[str, Exact | None]) -> SwitchRules:
    """Return the rules of a resolved paytable with the values of its settings."""
    only(resolved, LINES)
    if even_pay(resolved, "win") != 1:
        raise lines_fault(resolved, '"win" does not pay even money', 'write "win" = "1 to 1"', "win")
    options = {"soft_17": resolved.terms.deal_options.soft_17, **resolved.options}
    switch_options = {name: options.pop(name) for name in TAKES if name in options}
    rules = SwitchRules()
    odds = switch_options.pop("blackjack_pays", None)
    if odds is not None:
        rules = replace(rules, blackjack_pays=parse_pay(odds).odds)
    return replace(rules, hands=stated_rules(rules.hands, options, values), **switch_options)


def in_words(rules: SwitchRules) -> tuple[str, ...]:
    """Return the rules as sentences."""
    pays = f"{rules.blackjack_pays.numerator} to {rules.blackjack_pays.denominator}"
    sentences = [*hands_in_words(rules.hands, odds_stated=False)]
    sentences.append(f"A blackjack that was dealt pays {pays}" + (
        "." if rules.blackjack_pays == 1 else ", 1 to 1 against a dealer's 21."))
    sentences.append("A dealer's 22 pushes every hand of 21 or less"
                     + (" except a dealt blackjack."
                     if rules.blackjack_against_22 == "wins" else ", blackjacks too."))
    sentences.append("An ace and a ten-valued card after a switch are "
                     + ("a hand of 21." if rules.switched_blackjack == "twenty-one" else "a blackjack."))
    sentences.append("Cards are switched before the peek." if rules.exchange == "before-the-look"
                     else "Cards are switched after the peek.")
    return tuple(sentences)
