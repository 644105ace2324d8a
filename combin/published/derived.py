"""Derived figures, which no paytable of the catalogue has but which explain a claim; they are counted here.

`mapping.toml` names the derived figure of a claim. The judge accepts the explanation
only if the figure has the printed digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from ..analysis.engine import analyze
from ..base.caches import cached
from ..rulebook.book import shipped
from ..rulebook.pays import LOSS
from .claims import Claim

SEVEN = 5  # the rank of a seven; a two has rank 0
ACE = 12


def longest_run(ranks: tuple[int, ...], *, seven_needed: bool) -> int:
    """Return the longest run of ranks of one suit, the ace high or low; low only with a seven if ``seven_needed``."""
    held, best = set(ranks), 0
    for start in range(-1, 13):
        low = start == -1
        if low and (ACE not in held or (seven_needed and SEVEN not in held)):
            continue
        end = start + 1 if low else start
        while end in held:
            end += 1
        best = max(best, end - start)
    return best


@cached("hands that a straight of a seven moves", most=1)
def moved_by_the_seven() -> Mapping[tuple[int, int], int]:
    """Return hands of seven suited cards by longest straight flush, with and without a seven for a low ace."""
    tally: Counter[tuple[int, int]] = Counter()
    for ranks in combinations(range(13), 7):
        tally[longest_run(ranks, seven_needed=False), longest_run(ranks, seven_needed=True)] += 4
    return {lengths: hands for lengths, hands in tally.items() if lengths[0] != lengths[1]}


def _low_ace_beside_a_seven(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the probability or house edge if an ace-low straight of seven suited cards needs a seven."""
    a = analyze(entry["id"])
    lengths = dict(enumerate(entry["lengths"], 3))
    assert a.deals is not None
    counts = {outcome: Fraction(count) for outcome, count in a.combinations.items()}
    for (before, after), hands in moved_by_the_seven().items():
        counts[lengths.get(before, LOSS)] -= hands
        counts[lengths.get(after, LOSS)] += hands
    if claim.quantity == "house edge":
        return 1 - sum((o.returned * counts[o.outcome] for o in a.outcomes), Fraction(0)) / a.deals
    return sum((counts[o] for o in entry["outcomes"]), Fraction(0)) / a.deals


def _mean_edge(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the mean house edge of some paytables, each at its number of decks."""
    book = shipped()
    edges = [analyze(i, decks=book.resolve(i).decks[0], any_decks=True).house_edge for i in entry["ids"]]
    return Fraction(sum(edges, Fraction(0))) / len(edges)


def _pair_or_better(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the house edge of three cards that win at one pay with a pair, a flush, a straight or better.

    A loss is three different ranks, not in sequence, not of one suit: C(13, 3) sets less the twelve runs.
    """
    decks = entry["decks"]
    lost = (comb(13, 3) - 12) * ((4 * decks) ** 3 - 4 * decks**3)
    win = 1 - Fraction(lost, comb(52 * decks, 3))
    return 1 - win * (1 + Fraction(entry["odds"]))


def _endless_shoe_insurance(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the figure of insurance with an infinite shoe: four of 13 ranks win 2 to 1."""
    return 1 - 3 * Fraction(4, 13)


def _simple_play(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the house edge of High Card Flush if every flush from a given one on is raised."""
    from ..games.high_card_flush.solve import flush_number, flush_of
    from ..play.high_card_flush import HighCardStrategy
    from ..play.strategy import compare

    played: Any = HighCardStrategy(claim.reading, flush_number(flush_of(entry["raise_from"])))
    return 1 - compare(analyze(entry["id"]), [played]).strategies[1].returned


def _winnings(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the wins of a source's count of hands at its odds, without the lost stakes."""
    return Fraction(entry["odds"] * entry["hands"], comb(52 * entry["decks"], entry["cards"]))


FIGURES: Mapping[str, Callable[[Claim, Mapping[str, Any]], Fraction]] = {
    "low-ace-beside-a-seven": _low_ace_beside_a_seven,
    "mean-edge": _mean_edge,
    "pair-or-better": _pair_or_better,
    "endless-shoe-insurance": _endless_shoe_insurance,
    "simple-play": _simple_play,
    "winnings": _winnings,
}

#: Exact counts of a base game that are not outcomes, by the name that a source uses.
COUNTS = {"assignments at the 2x stage": comb(47, 2) * comb(45, 3)}


def figure(claim: Claim, entry: Mapping[str, Any]) -> Fraction:
    """Return the figure that an entry of the mapping derives for a claim."""
    return FIGURES[entry["by"]](claim, entry)
