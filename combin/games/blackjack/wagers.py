"""The wagers of a round by themselves: the original wager, its double, each further hand of a split, insurance.

A hand of a split has an exact law of its own, although the law of the hands' sum stays open:
each hand is played by its own cards, so its wins and losses add up over `splits.terms_by_hand`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...base.errors import CountError
from ...base.exact import percent, text
from ...deals.draw import Composition
from ...rulebook.book import Resolved, Rulebook
from ..model import Settled, StakedWager
from .hands import ACE, CLASSES, TEN, player_hands
from .solve import CHOICES, HandLaw, deals_of

ORDINALS = ("first", "second", "third", "fourth")
HALF = Fraction(1, 2)

#: What becomes of a wager, and its net result, with the probability.
Ends = Mapping[tuple[str, Fraction], Fraction]


def single(hand: HandLaw) -> Ends:
    """The wager with which a hand of a split begins."""
    win, lose = hand.win + hand.double_win, hand.loss + hand.double_loss
    return {("win", Fraction(1)): win, ("push", Fraction(0)): hand.one - win - lose, ("lose", Fraction(-1)): lose}


def double(hand: HandLaw) -> Ends:
    """The further wager of a hand that is doubled."""
    pushes = hand.doubled - hand.double_win - hand.double_loss
    return {("win", Fraction(1)): hand.double_win, ("push", Fraction(0)): pushes,
            ("lose", Fraction(-1)): hand.double_loss}


def together(*laws: Ends) -> Ends:
    """Ends of rounds that exclude each other, as one wager."""
    found: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    for law in laws:
        for end, p in law.items():
            found[end] += p
    return found


def staked(name: str, law: Ends, kind: str = "") -> StakedWager:
    """A wager of one unit with its outcomes, best first; in the rest of the rounds it is not made."""
    listed = sorted(((net, outcome, p) for (outcome, net), p in law.items() if p), key=lambda row: (-row[0], row[1]))
    rows = [Settled(outcome, "push" if not net else "" if net < 0 else f"{net} to 1", None, p, net)
            for net, outcome, p in listed]
    made = sum((p for _, _, p in listed), Fraction(0))
    if min((p for *_, p in listed), default=0) < 0 or made > 1:
        raise CountError(f"the outcomes of {name} have no probabilities")
    if made < 1:
        rows.append(Settled("not made", "", None, 1 - made, Fraction(0), False))
    return StakedWager(name, tuple(rows), made, sum((net * p for net, _, p in listed), Fraction(0)), kind=kind)


def further(each: Sequence[HandLaw], of: str = "") -> list[StakedWager]:
    """The wagers of the hands of a split behind the first one, each with its double; none that is never made."""
    found = []
    for word, hand in zip(ORDINALS[1:], each[1:], strict=False):
        found += [staked(f"Split{of}: {word} hand", single(hand), "splits"),
                  staked(f"Double of the {word} hand{of}", double(hand), "doubles")]
    return [w for w in found if w.staked]


def apart(
    rows: Mapping[tuple[str, Fraction], Fraction], each: Sequence[HandLaw], expected: Fraction
) -> tuple[StakedWager, ...]:
    """The wagers of a round: ``rows`` of rounds without a split, ``each`` hand of a split in the order of play.

    The first hand of a split keeps the original wager. Raises `CountError` where the original wager
    is not settled in every round, or where the nets do not add up to that of the round.
    """
    original: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    doubled: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    for (name, net), p in rows.items():
        half = net / 2 if name == "double" else net
        label = ("lose" if half < 0 else "win" if half else "push") if name in CHOICES[:3] else name
        original[label, half] += p
        if name == "double":
            doubled[label, half] += p
    first = staked("Original wager", together(original, *map(single, each[:1])))
    if first.staked != 1:
        raise CountError("the original wager is not settled in every round")
    more = staked("Double of the original wager", together(doubled, *map(double, each[:1])), "doubles")
    found = (first, *([more] if more.staked else []), *further(each))
    add_up(found, expected)
    return found


def add_up(wagers: Sequence[StakedWager], expected: Fraction) -> None:
    """Raise `CountError` where the nets of the wagers do not add up to that of the round."""
    if sum((w.net for w in wagers), Fraction(0)) != expected:
        raise CountError("the wagers of a round, added up, do not win what the round wins")


def insurance(book: Rulebook, resolved: Resolved, counts: Composition) -> tuple[StakedWager, ...]:
    """The insurance of the game's document where the upcard is an ace, at half the original wager; none without one.

    It is no part of a round: what the player knows of the hole card is told beside it.
    """
    other = f"{resolved.wager_id.rsplit('/', 1)[0]}/insurance"
    tens, size = counts[TEN], sum(counts) - 1
    if other not in book.wagers or not counts[ACE]:
        return ()
    ((outcome, pay),) = book.resolve(f"{other}/{next(iter(book.wagers[other].paytables))}").lines
    won = pay.odds * HALF
    rows = tuple(
        Settled(name, pays, counts[ACE] * n, Fraction(n, size), net)
        for name, pays, n, net in ((outcome, pay.text, tens, won), ("lose", "", size - tens, -HALF)) if n
    )
    chances, worth, deals = [], Fraction(0), 0
    for hand in range_of_two():
        for u, ways, left in deals_of(counts, hand):
            deals += ways
            if u == ACE:
                chances.append(Fraction(left[TEN], sum(left)))
                worth += ways * max(chances[-1] * won - (1 - chances[-1]) * HALF, Fraction(0))
    even = 1 / (pay.odds + 1)
    most = max(chances, default=Fraction(0))
    said = (
        f"Best play does not take it: beside the player's own two cards the hole card is worth ten with a probability "
        f"of {percent(most)} ({text(most)}) at most, and the wager is fair at {text(even)}."
        if not worth else
        f"Best play takes it where few of the player's own cards are worth ten: the hole card is then worth ten with "
        f"a probability of up to {percent(most)} ({text(most)}), and the wager is fair at {text(even)}. That wins "
        f"{text(worth / deals)} of the original wager in a round of all rounds."
    )
    return (StakedWager(
        "Insurance", rows, HALF, sum((r.net * r.probability for r in rows), Fraction(0)),
        f"Half the original wager, by itself where the upcard is an ace; no part of the figures of the round. {said}",
        kind="insurance", given="the upcard is an ace",
    ),)


def range_of_two() -> list[int]:
    """Every hand of two cards."""
    hands = player_hands()
    return [hands.two(a, b) for a in range(CLASSES) for b in range(a, CLASSES)]


__all__ = ["apart", "insurance", "staked"]
