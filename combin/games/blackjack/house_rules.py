"""House rules from rule data: the options of a wager, its settings, and the usual names of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...base.errors import fault
from ...base.exact import Exact
from ...deals.cards import Shoe
from ...rulebook.book import Resolved
from ..joint import even_pay, lines_fault, only
from .bonuses import ANY, BONUS_LINES, CARDS_OF, Bonus, bonuses_of
from .hands import LETTERS
from .rule_names import USUAL
from .rules import BLACKJACK, SUITED, HouseRules
from .suited import suited_share

LINES = (BLACKJACK, "win", SUITED, *BONUS_LINES)


def house_rules(resolved: Resolved, values: Mapping[str, Exact | None], shoe: Shoe) -> HouseRules:
    """Return the house rules of a resolved paytable with the values of its settings, in this shoe."""
    only(resolved, LINES)
    if even_pay(resolved, "win") != 1:
        raise lines_fault(resolved, '"win" does not pay even money', 'write "win" = "1 to 1"', "win")
    stated = dict(resolved.lines)
    lacking = [rank for rank, number in (resolved.terms.shoe or {}).items() if not number]
    for line in stated:
        missing = [rank for rank in lacking if rank in [LETTERS[card] for card in CARDS_OF.get(line, ())]]
        if missing:
            what = f'"{line}" cannot happen: a deck has no {missing[0]}'
            raise lines_fault(resolved, what, "leave the line out", line)
    bonuses = {line: even_pay(resolved, line) for line in BONUS_LINES if line in stated}
    rules = HouseRules(blackjack_pays=even_pay(resolved, BLACKJACK), bonuses=bonuses_of(bonuses, shoe))
    if SUITED in stated:
        rules = replace(rules, suited_pays=even_pay(resolved, SUITED), suited=suited_share(shoe))
    return stated_rules(rules, {"soft_17": resolved.terms.deal_options.soft_17, **resolved.options}, values)


def in_shoe(rules: HouseRules, shoe: Shoe) -> HouseRules:
    """Return the same rules with the suits of another shoe."""
    pays = {line: odds for bonus in rules.bonuses for line, odds, _ in bonus.pays}
    return replace(rules, suited=suited_share(shoe), bonuses=bonuses_of(pays, shoe))


def stated_rules(rules: HouseRules, options: Mapping[str, str], values: Mapping[str, Exact | None]) -> HouseRules:
    """Return ``rules`` with the options; a setting applies unless an option of the same name is stated."""
    stated = dict(options)
    settings = {"max_hands": "{}", "resplit_aces": ("no", "yes"), "surrender": ("none", "late"),
                "even_money": ("no", "yes")}  # fmt: skip
    for name, words in settings.items():
        value = values.get(name)
        if name in stated or value is None:
            continue
        assert isinstance(value, Fraction)
        if value.denominator != 1:
            raise fault(f"{name} cannot be {value}", "give a whole number", file="--set", place=f"{name}={value}")
        stated[name] = str(value) if name == "max_hands" else words[int(value)]
    for name, word in stated.items():
        rules = replace(rules, **of_word(name, word))
    return rules


def of_word(name: str, word: str) -> dict[str, Any]:
    """Return the fields of `HouseRules` that this option sets to this word."""
    if name not in USUAL or word not in USUAL[name]:
        known = ", ".join(USUAL.get(name, USUAL))
        raise fault(f'{name} = "{word}" is not a house rule', f"known: {known}", file="options", place=name)
    return dict(USUAL[name][word])


def in_words(rules: HouseRules, *, odds_stated: bool = True) -> tuple[str, ...]:
    """Return the house rules as sentences, each followed by the usual abbreviation.

    Without ``odds_stated`` the pay of a blackjack and the effect of a dealer's 22 are omitted; the game states them.
    """
    sentences = ["The dealer hits soft 17 (H17)." if rules.hits_soft_17 else "The dealer stands on all 17s (S17)."]
    if odds_stated:
        sentences += [
            f"A {name} pays {won.numerator} to {won.denominator}." for name, won, _ in reversed(rules.naturals)
        ]
    sentences.append({
        "peek": "The dealer peeks under an ace or ten before play.",
        "original-lost": "The dealer has no hole card; a blackjack takes only the first wager (OBO).",
        "all-lost": "The dealer has no hole card; a blackjack takes doubles and splits as well (ENHC).",
    }[rules.hole_card])
    sentences.append({
        "any": "Any first two cards may be doubled (DOA).", "9-11": "Hard 9, 10 and 11 may be doubled (D9).",
        "10-11": "Hard 10 and 11 may be doubled (D10).", "11": "Hard 11 may be doubled.",
        "none": "There is no doubling.",
    }[rules.double])
    if rules.max_hands == 1:
        sentences.append("Pairs are not split.")
    else:
        times = rules.max_hands - 1
        sentences.append(f"Two cards of equal value may be split, to {rules.max_hands} hands (SPL{times}).")
        if rules.double != "none":
            sentences.append("Hands of a split may be doubled (DAS)." if rules.double_after_split
                             else "Hands of a split may not be doubled (NDAS).")
        if rules.max_hands > 2:
            sentences.append("Aces may be split again (RSA)." if rules.resplit_aces else "Aces are split once.")
        sentences.append("A split ace takes one card." if rules.split_aces == "one-card"
                         else "Split aces may be drawn to.")
        if rules.double != "none" and rules.double_split_aces is not None:
            sentences.append(f"A split ace and its second card may {'' if rules.doubles_after(0) else 'not '}be doubled"
                             f"{' (DSA)' if rules.doubles_after(0) else ''}.")
    if rules.double != "none" and rules.double_cards == "any":
        sentences.append("A hand of any number of cards may be doubled (DAC).")
    if rules.double == "any" and not rules.soft_doubles:
        sentences.append("Soft hands may not be doubled (NSD).")
    sentences.append({
        "none": "There is no surrender.", "late": "Half the wager may be surrendered; a dealer's blackjack takes it "
        "all (LS).",
        "late-10": "Half the wager may be surrendered only against a ten; a dealer's blackjack takes it all.",
        "late-ace": "Half the wager may be surrendered only against an ace; a dealer's blackjack takes it all.",
        "late-not-ace": "Half the wager may be surrendered except against an ace; a dealer's blackjack takes it all.",
        "early": "Half the wager may be surrendered, even if the dealer has a blackjack (ES).",
        "early-not-ace": "Half the wager may be surrendered except against an ace, even if the dealer has a blackjack.",
        "early-10": "Half the wager may be surrendered only against a ten, even if the dealer has a blackjack (ES10).",
        "early-ace": "Half the wager may be surrendered only against an ace, even if the dealer has a blackjack (ESA).",
        "early-10-late": "Half the wager may be surrendered: against a ten even if the dealer has a blackjack (ES10); "
        "against other cards a dealer's blackjack takes it all (LS).",
        "early-ace-late": "Half the wager may be surrendered: against an ace even if the dealer has a blackjack (ESA); "
        "against other cards a dealer's blackjack takes it all (LS).",
    }[rules.surrender])
    if rules.charlie:
        sentences.append(f"A hand of {rules.charlie} cards wins at once{_charlie_scope(rules)}.")
    if rules.ties_lost > 16:
        totals = {17: "17", 18: "17 and 18", 21: "17 to 21"}[rules.ties_lost]
        pushes = "" if rules.blackjack_wins else "; two blackjacks push"
        sentences.append(f"The dealer wins ties of {totals}{pushes}.")
    if rules.ties_won <= 22:
        sentences.append("The player's blackjack wins against the dealer's." if rules.ties_won == 22 else
                         "The player wins ties of 21 and of blackjacks.")
    sentences += map(_in_words, rules.bonuses)
    if rules.push_22 and odds_stated:
        sentences.append("A dealer's 22 pushes every hand except a blackjack.")
    if rules.even_money:
        sentences.append("A blackjack may be paid even money against an ace.")
    return tuple(sentences)


def _in_words(bonus: Bonus) -> str:
    longer = " or longer" if bonus.most > bonus.least else ""
    pays = [f"{'an' if line.startswith('eight') else 'a'} {line}{longer} pays {odds.numerator} to {odds.denominator}"
            for line, odds, _ in bonus.pays]
    beyond = "" if any(kind == ANY for *_, kind in bonus.pays) else " others are a plain 21;"
    return f"{', '.join(pays)} at once;{beyond} not after a double.".capitalize()


def _charlie_scope(rules: HouseRules) -> str:
    """Return the hands that a charlie does not apply to, as the end of a sentence."""
    left_out = [] if rules.charlie_splits else ["not after a split"]
    if not rules.looks:
        left_out.append("also against a dealer's blackjack" if rules.charlie_blackjack
                        else "not against a dealer's blackjack")
    return "".join(f", {part}" for part in left_out)
