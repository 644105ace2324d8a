"""Exact values of claims whose source states its rules in words: house rules of blackjack, public side bets.

Blackjack takes a second for each set of rules, so the values are stored in `values.toml`; a slow test computes
them again. The abbreviations of a claim's reading are those at the head of the list: S17, DAS, LS, RSA, all lost.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from typing import Any

from ..base.caches import cached
from ..base.exact import root
from ..deals.cards import Shoe
from ..deals.table import Column, Table
from ..games.blackjack.hands import player_hands
from ..games.blackjack.rules import HouseRules
from ..games.blackjack.solve import CHOICES, Solver, deck_counts
from ..games.blackjack.strategies import best_chart_value
from ..rulebook.pays import parse_pay
from ..rulebook.terms import DealOptions
from ..wagers.wager_outcomes import counted
from .claims import Claim, Printed, parse_printed

BLACKJACK, CARDS = "maryland/blackjack/blackjack", "A23456789T"
#: Terms of a reading with the rules that they change; the first of each kind counts.
WORDS: tuple[tuple[tuple[str, ...], Mapping[str, Any]], ...] = (
    (("H17",), {"hits_soft_17": True}),
    (("NDAS",), {"double_after_split": False}),
    (("LS",), {"surrender": "late"}),
    (("RSA",), {"resplit_aces": True}),
    (("all lost", "no hole card"), {"hole_card": "all-lost"}),
    (("split once",), {"max_hands": 2}),
    (("blackjack 6 to 5",), {"blackjack_pays": Fraction(6, 5)}),
    (("blackjack 1 to 1",), {"blackjack_pays": Fraction(1)}),
    (("double 9 to 11",), {"double": "9-11"}),
    (("early surrender",), {"surrender": "early"}),
    (("ES10",), {"surrender": "early-10"}),
    (("double on 10 and 11 only",), {"double": "10-11"}),
)
#: The rule of which a change of the house edge is the effect.
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "blackjack 2 to 1": {"blackjack_pays": Fraction(2)},
    "1 to 1": {"blackjack_pays": Fraction(1)},
    "6 to 5": {"blackjack_pays": Fraction(6, 5)},
    "dealer stands on soft 17": {"hits_soft_17": False},
    "dealer hits soft 17": {"hits_soft_17": True},
    "double on 9 to 11 only": {"double": "9-11"},
    "double on 10 and 11 only": {"double": "10-11"},
    "double on 11 only": {"double": "11"},
    "no doubling": {"double": "none"},
    "no double after a split": {"double_after_split": False},
    "no surrender": {"surrender": "none"},
    "late surrender": {"surrender": "late"},
    "early surrender": {"surrender": "early"},
    "early surrender against an ace": {"surrender": "early-ace"},
    "late surrender against an ace": {"surrender": "late-ace"},
    "early surrender against a ten": {"surrender": "early-10"},
    "no splitting": {"max_hands": 1},
    "no resplit": {"max_hands": 2},
    "split to three hands": {"max_hands": 3},
    "resplit aces": {"resplit_aces": True},
    "draw to split aces": {"split_aces": "may-draw"},
    "double after split aces": {"double_split_aces": True},
    "dealer's 22 pushes": {"push_22": True},
    "five-card Charlie": {"charlie": 5},
    "six-card Charlie": {"charlie": 6},
    "seven-card Charlie": {"charlie": 7},
    "player wins a tie of blackjacks": {"ties_won": 22},
}
DECKS = {"two decks": 2, "four decks": 4}
_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
#: Decimals of a source's floating-point numbers, and of `values.toml`.
MOST_PLACES, KEPT = 14, Fraction(1, 10**20)


def raw() -> bytes:
    """Return the bytes of the shipped side bets and values."""
    return b"".join((files("combin") / "published" / name).read_bytes() for name in ("public.toml", "values.toml"))


@cached("public side bets", most=1)
def public() -> dict[str, Any]:
    """Return the public side bets: deal and outcomes by name."""
    return tomllib.loads((files("combin") / "published" / "public.toml").read_text(encoding="utf-8"))


@cached("kept values of claims", most=1)
def kept() -> Mapping[str, tuple[Fraction, ...]]:
    """Return the values of `values.toml`, to 20 decimals: by number, and those of `otherwise` by number and a prime."""
    text = (files("combin") / "published" / "values.toml").read_text(encoding="utf-8")
    return {number: tuple(map(Fraction, values)) for number, values in tomllib.loads(text).items()}


def otherwise(claim: Claim, entry: Mapping[str, Any]) -> Claim | None:
    """Return the claim under the other rules of an entry of the mapping; None if it states none."""
    changed = {key: entry[key] for key in ("decks", "outcome", "reading") if key in entry}
    return replace(claim, **changed) if changed else None


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
    return tuple(_rounded_to(p, min(p.places, MOST_PLACES) if places is None else places) for p in parsed if p)


def _rounded_to(printed: Printed, places: int) -> Printed:
    return replace(printed, value=round(printed.value, places), places=places)


def fits(printed: Printed, exact: Fraction) -> tuple[bool, bool]:
    """Return whether the digits are the exact value rounded, and whether they are the exact value truncated."""
    if printed.scale == "fraction":
        return printed.value == exact or abs(printed.value - exact) < KEPT, False
    return printed.rounds_from(exact), printed.cut_from(exact)


def rules_of(claim: Claim) -> HouseRules:
    """Return the house rules that a claim's reading states."""
    of_6_to_5 = (claim.wager, claim.letter) == (BLACKJACK, "6-to-5")
    rules = HouseRules(blackjack_pays=Fraction(6, 5) if of_6_to_5 else Fraction(3, 2))
    words = re.split(r"[,;:] ?", claim.reading.replace("against ", "").replace("double after a split", "DAS"))
    words = [word.strip() for word in words]
    for texts, change in WORDS:
        if any(text in words for text in texts):
            rules = replace(rules, **change)
    if "Charlie" in claim.outcome and "not after a split" in claim.reading:
        rules = replace(rules, charlie_splits=False, charlie_blackjack=False)
    return rules


def _value(rules: HouseRules, decks: int, by_total: bool) -> Fraction:
    """Return the expected net result of a round, by composition or by the best chart of totals."""
    counts = deck_counts(decks)
    return best_chart_value(rules, counts) if by_total else _best(rules, counts)


@cached("values of blackjack by rules, shoe and play of splits", most=256)
def _best(rules: HouseRules, counts: tuple[int, ...], split_play: str = "zero-memory") -> Fraction:
    return Solver(rules, counts, split_play=split_play).solve().expected_value


def compute(claim: Claim) -> tuple[Fraction, ...]:
    """Return the exact values of the numbers that a claim prints; empty if its rules are not computed here."""
    if bet := {f"house/public/{name}": name for name in public()}.get(claim.wager):
        return _public(claim, bet)
    if not (claim.is_id and claim.wager == BLACKJACK):
        return ()
    by_total = "play by total" in claim.reading
    rules = rules_of(claim)
    if claim.quantity in ("house edge", "expected value") and claim.decks:
        value = _value(rules, claim.decks, by_total)
        return (-value if claim.quantity == "house edge" else value,)
    if claim.quantity == "house edge":
        return tuple(-_value(rules, decks, by_total) for decks in (1, 2, 4, 6, 8))
    if claim.quantity == "change of house edge":
        return _change(claim, rules, by_total)
    if claim.quantity == "expected value of a hand" and claim.decks:
        return _hand(claim, rules, claim.decks)
    if claim.quantity == "effect of removal" and claim.decks:
        counts = deck_counts(claim.decks)
        whole = _best(rules, counts)
        order = [*range(1, 10), 0]
        return tuple(
            _best(rules, tuple(n - (i == c) for i, n in enumerate(counts))) - whole for c in order
        )
    return ()


def _change(claim: Claim, rules: HouseRules, by_total: bool) -> tuple[Fraction, ...]:
    if claim.decks and claim.outcome in DECKS:
        changed = _value(rules, DECKS[claim.outcome], by_total)
    elif claim.decks and claim.outcome in CHANGES:
        changed = _value(replace(rules, **CHANGES[claim.outcome]), claim.decks, by_total)
    elif not claim.outcome:
        return tuple(
            _value(rules, decks, by_total) - _value(replace(rules, double=double), decks, by_total)
            for double in ("10-11", "9-11") for decks in (1, 2, 6)
        )
    else:
        return ()
    return (_value(rules, claim.decks, by_total) - changed,)


def _hand(claim: Claim, rules: HouseRules, decks: int) -> tuple[Fraction, ...]:
    cards, _, upcard = claim.outcome.partition(" against ")
    first, second = (CARDS.index(card) for card in cards.split())
    play = "split-count" if "number of prior splits" in claim.reading else "zero-memory"
    play = "first-split" if "fixed after the first split" in claim.reading else play
    solver = Solver(rules, deck_counts(decks), split_play=play)
    cell = solver.ask(CARDS.index(upcard), player_hands().two(first, second))
    values = {CHOICES[choice]: cell.worth(choice) for choice in cell.values}
    left = 52 * decks - 3
    tens = 16 * decks - sum(card == "T" for card in [*cards.split(), upcard])
    values["insurance"] = (3 * Fraction(tens, left) - 1) / 2
    return tuple(values[word] for word in re.findall(r"stand|hit|double|split|insurance", claim.published))


# ---- public side bets


def shares(name: str, decks: int, soft_17: str = "stands") -> tuple[Mapping[str, Fraction], int]:
    """Return the probability of each outcome of a public side bet by itself, and the number of deals."""
    table, masks = _table(name, decks, soft_17)
    return {outcome: Fraction(table.count(mask), table.deals) for outcome, mask in masks.items()}, table.deals


def settled_shares(name: str, decks: int, lines: Sequence[str], soft_17: str = "stands") -> Mapping[str, Fraction]:
    """Return the probability of each line, the first that applies, and of "loss"."""
    table, masks = _table(name, decks, soft_17)
    left, by_line = ~next(iter(masks.values())) | True, {}
    for line in lines:
        by_line[line] = Fraction(table.count(masks[line] & left), table.deals)
        left &= ~masks[line]
    return {**by_line, "loss": Fraction(table.count(left), table.deals)}


@cached("tables of public side bets", most=64)
def _table(name: str, decks: int, soft_17: str) -> tuple[Table, Mapping[str, Column]]:
    """Return the table of a public side bet, with the rows of each outcome."""
    entry = public()[name]
    options = DealOptions(soft_17="hits" if soft_17 == "hits" else "stands")
    return counted(entry["deal"], entry["outcome"], entry.get("where", {}), options, Shoe(decks))


def _public(claim: Claim, name: str) -> tuple[Fraction, ...]:
    """Return the values of a claim on a public side bet."""
    decks = claim.decks
    if decks is None:
        return ()
    if name == "casino-holdem-progressive":
        return _meters(claim, decks)
    if claim.quantity == "probability":
        stated = (("(H17)", "hits"), ("(S17)", "stands"))
        rules = [soft_17 for word, soft_17 in stated if word in claim.published] or ["stands"]
        alone = claim.outcome in ("dealer's 22", "a drawn 21", "tie")
        lines = list(public()[name]["outcome"])
        by_rule = [shares(name, decks, s)[0] if alone else settled_shares(name, decks, lines, s) for s in rules]
        return tuple(share[{"no pair": "loss"}.get(claim.outcome, claim.outcome)] for share in by_rule)
    if claim.quantity == "combinations":
        total = shares(name, decks)[1]
        settled = settled_shares(name, decks, list(claim.pays or public()[name]["outcome"]))
        if claim.outcome == "total":
            return (Fraction(total),)
        wanted = _SEVERAL.get(claim.outcome, (claim.outcome,)) if claim.outcome else [*settled]
        return (*(settled[line] * total for line in wanted), *(() if claim.outcome else (Fraction(total),)))
    pays = dict(claim.pays or _PAYS.get((name, claim.reading), _PAYS.get((name, ""), {})))
    if not pays:
        return ()
    share = settled_shares(name, decks, list(pays), "hits" if "dealer hits soft 17" in claim.reading else "stands")
    nets = {line: Fraction(parse_pay(pay).returned({})) - 1 for line, pay in pays.items()} | {"loss": Fraction(-1)}
    mean = sum((share[line] * net for line, net in nets.items()), Fraction(0))
    if claim.quantity == "standard deviation":
        return (root(sum((share[line] * net**2 for line, net in nets.items()), Fraction(0)) - mean**2),)
    if name == "war":
        bonus = mean + share["war tied"]
        return (-mean, -bonus)
    return (-mean if claim.quantity == "house edge" else mean,)


#: The lines of a claim that is about several.
_SEVERAL: Mapping[str, tuple[str, ...]] = {
    "coloured four of a kind, four of a kind, suited pair":
        ("coloured four of a kind", "four of a kind", "suited pair"),
}
#: Pays of a claim that states them only in words, by bet and reading.
_PAYS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("under13", ""): {"under": "1 to 1"},
    ("war-surrender", ""): {"win": "1 to 1", "tie": "-1/2"},
    ("war", ""): {"win": "1 to 1", "war tied": "1 to 1", "war won": "1 to 1", "war lost": "-2"},
    ("push-22", ""): {"suited 22": "50 to 1", "22 of one colour": "20 to 1", "dealer's 22": "8 to 1"},
}


def _meters(claim: Claim, decks: int) -> tuple[Fraction, ...]:
    """Return the value of a claim on three meters of Casino Hold'em: average at a hit, or long-run return."""
    share = settled_shares("casino-holdem-progressive", decks, list(public()["casino-holdem-progressive"]["outcome"]))
    hit = [share[line] for line in ("straight flush", "four of a kind", "full house")]
    numbers = [Fraction(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", claim.reading.split("; $")[0])]
    seeds, rates = numbers[:3], [rate / 100 for rate in numbers[3:6]]
    if claim.quantity == "average meter at a hit":
        return tuple(seed + rate / p for seed, rate, p in zip(seeds, rates, hit, strict=True))
    fixed = 50 * share["flush"] + 10 * share["straight"]
    return (sum((seed * p + rate for seed, rate, p in zip(seeds, rates, hit, strict=True)), fixed),)
