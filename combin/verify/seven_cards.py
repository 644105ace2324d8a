"""The independent methods for seven cards: all 133,784,560 hands and a convolution over the suits, in plain Python.

The joint table by class is compared with the other two in every cell. The paytable is then settled on the convolution's
table, row by row, by conditions that are restated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Any

from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.errors import CountError, fault
from ..deals import seven_cards as seven
from ..deals.deal_kinds import SevenCards
from ..deals.first_cards import Deal
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS
from . import line_counts, seven_counts, shoe
from .model import Check, equal, no_difference
from .settle_literal import ByRole, first_line, outcomes_of_hands, settler_of

WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
SUITS = ("clubs", "diamonds", "hearts", "spades")
#: The least length of each line on flushes and on straight flushes, in the documents' words.
FLUSHES = {f"{word}-card flush": n for word, n in WORDS.items()}
STRAIGHT_FLUSHES = {f"{word}-card straight flush": n for word, n in WORDS.items()} | {
    "six- or seven-card straight flush": 6, "five-, six- or seven-card straight flush": 5}
#: Lines on a straight flush of one suit, 1 for clubs to 4 for spades, and with a four of a kind.
OF_A_SUIT = {f"{line} of {suit}": (n, i) for line, n in STRAIGHT_FLUSHES.items() for i, suit in enumerate(SUITS, 1)}
WITH_QUADS = {f"four of a kind and {line}": n for line, n in STRAIGHT_FLUSHES.items()}
#: The columns of straight flushes by the reading of the ace.
ACES = {"both": "both", "high": "high", "from-five-cards": "from_five", "five-cards-only": "five_only"}


@cached("three counts of the joint table of seven cards", most=1)
def tables() -> Mapping[str, Any]:
    """Return the three counts of the joint table, each made once per process."""
    return {
        "the count by class": seven.by_class(),
        "the count of every hand": seven_counts.literal(),
        "the convolution over the suits": seven_counts.convolution(),
    }


#: The outcome functions whose outcome names `holds` understands.
BY_NAME = ("longest-flush", "straight-flush", "same-suit")


def knows(resolved: Resolved) -> bool:
    """Return whether the outcomes of a wager on seven cards have an independent settlement."""
    outcomes = resolved.terms.settlement
    return outcomes in BY_NAME or settler_of(outcomes) is not None


def holds(outcome: str, hand: Mapping[str, int], options: Mapping[str, Any]) -> bool:
    """Return whether a line of a document applies to a hand with these features.

    ``suit``, if a hand has it, is the suit of all seven cards, 1 for clubs to 4 for spades.
    """
    run = hand[f"straight_flush_{ACES[options.get('ace', 'both')]}"]
    if outcome in FLUSHES:
        return hand["flush"] >= FLUSHES[outcome]
    if outcome in STRAIGHT_FLUSHES:
        return run >= STRAIGHT_FLUSHES[outcome]
    if outcome in OF_A_SUIT:
        least, suit = OF_A_SUIT[outcome]
        return run >= least and hand.get("suit") == suit
    if outcome in WITH_QUADS:
        return bool(hand["quads"]) and run >= WITH_QUADS[outcome]
    if outcome == "four of a kind":
        first = options.get("quads") == "straight-flush-first"
        return bool(hand["quads"]) and not (first and run >= 3)
    if outcome == "suited nine, ten, jack, queen, king, ace":
        return bool(hand["nine_to_ace"])
    raise fault(f'no independent settlement knows "{outcome}"')


def outcome_counts(resolved: Resolved) -> Mapping[str, int]:
    """Return hands by outcome, including the loss, from the convolution over the suits."""
    rows, weights = tables()["the convolution over the suits"]
    lines = [outcome for outcome, _ in resolved.payments]
    counts: Counter[str] = Counter(dict.fromkeys([*lines, LOSS], 0))
    for hand, weight in _hands(rows.tolist(), weights.tolist()):
        if resolved.terms.settlement in BY_NAME:
            names = {line for line in lines if holds(line, hand, resolved.options)}
        else:
            names = outcomes_of_hands(resolved.terms.settlement, ByRole(player=hand), resolved.options)
        counts[first_line(lines, names)] += weight
    return counts


def _hands(rows: Sequence[Sequence[int]], weights: Sequence[int]) -> Iterator[tuple[dict[str, int], int]]:
    """Yield rows of the joint table with their hands; seven cards of one suit are a quarter for each suit."""
    for row, weight in zip(rows, weights, strict=True):
        hand = dict(zip(seven.columns, row, strict=True))
        if hand["flush"] < 7:
            yield hand, weight
            continue
        for suit in range(1, 5):
            yield hand | {"suit": suit}, exact_quarter(weight)


def exact_quarter(hands: int) -> int:
    """Return a quarter of hands that are equally many in each suit."""
    if hands % 4:
        raise CountError(f"{hands} hands are not equally many in each of four suits")
    return hands // 4


def joint(a: Analysis) -> Iterator[Check]:
    """Yield checks of the joint table, counted by three methods."""
    yield shoe.classes(a, Deal("player 7"))
    yield equal("deals", "C(52, 7)", a.deals, comb(52, 7))
    differences = seven_counts.compare(tables())
    method = "by class, by dealing all 133,784,560 hands, and by convolution over the suits"
    rows = len(tables()["the count by class"][0])
    yield no_difference("joint table", method, "".join(differences[:1]), f"the same {rows} cells three times")


def checks(a: Analysis, _: SevenCards) -> Iterator[Check]:
    """Yield checks of the joint table by three methods, and of the paytable settled on the convolution's table."""
    yield from joint(a)
    if not knows(a.resolved):
        yield line_counts.unsettled(a)
        return
    yield from settled(a)


def settled(a: Analysis) -> Iterator[Check]:
    """Yield the check of the paytable settled on the convolution's table."""
    method = "the convolution's table, settled row by row in plain Python"
    yield line_counts.counts(a, method, outcome_counts(a.resolved))
