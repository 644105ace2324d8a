"""The separate wagers of a round: the original wager, its double, each further hand of a split, insurance.

The distribution of each hand of a split is exact, although that of the hands' sum is not determined:
each hand is played by its cards, so its wins and losses add up over `split_counts.terms_by_hand`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

from ...base.errors import CountError
from ...base.exact import percent, text
from ...deals.draw import Composition
from ...rulebook.book import Resolved, Rulebook
from ..model import StakedWager, WagerOutcome
from .hands import ACE, TEN
from .solve import CHOICES
from .split_values import HandLaw

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
HALF = Fraction(1, 2)
#: Hands by the greatest number of cards worth ten.
BESIDE = ("a hand without a card worth ten", "a hand with at most one card worth ten", "every hand")

#: The ends of a wager: the outcome and its net result, with the probability.
Ends = Mapping[tuple[str, Fraction], Fraction]


def single(hand: HandLaw) -> Ends:
    """Return the ends of the wager with which a hand of a split begins."""
    win, lose = hand.win + hand.double_win, hand.loss + hand.double_loss
    paid = {(line, odds): p for line, odds, p in hand.bonuses}
    return {("win", Fraction(1)): win - sum(paid.values()), **paid,
            ("push", Fraction(0)): hand.one - win - lose, ("lose", Fraction(-1)): lose}


def double(hand: HandLaw) -> Ends:
    """Return the ends of the further wager of a hand that is doubled."""
    pushes = hand.doubled - hand.double_win - hand.double_loss
    return {("win", Fraction(1)): hand.double_win, ("push", Fraction(0)): pushes,
            ("lose", Fraction(-1)): hand.double_loss}


def together(*parts: Ends) -> Ends:
    """Return the ends of rounds that exclude each other, as one wager."""
    probabilities: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    for part in parts:
        for end, p in part.items():
            probabilities[end] += p
    return probabilities


def staked(name: str, ends: Ends, kind: str = "", unit: Fraction = Fraction(1)) -> StakedWager:
    """Return a wager of one ``unit`` with its outcomes, best first; in the other rounds it is not made."""
    listed = sorted(((net, outcome, p) for (outcome, net), p in ends.items() if p), key=lambda row: (-row[0], row[1]))
    probability = sum((p for *_, p in listed), Fraction(0))
    if min((p for *_, p in listed), default=0) < 0 or probability > 1:
        raise CountError(f"the probabilities of the outcomes of {name} are wrong")
    rows = [WagerOutcome(outcome, _pays(net), None, p, net * unit) for net, outcome, p in listed]
    if probability < 1:
        rows.append(WagerOutcome("not made", "", None, 1 - probability, Fraction(0), False))
    net = sum((r.net * r.probability for r in rows), Fraction(0))
    return StakedWager(name, tuple(rows), probability * unit, net, kind=kind)


def _pays(net: Fraction) -> str:
    if net < 0:
        return "" if net == -1 else f"loses {-net}"
    return f"{net.numerator} to {net.denominator}" if net else "push"


def of_hand(
    original: Ends, doubled: Ends, each: Sequence[HandLaw], hand: str = "", unit: Fraction = Fraction(1)
) -> tuple[StakedWager, ...]:
    """Return the wagers on a dealt hand, its splits included, without those that are never made.

    ``original`` and ``doubled`` are those of rounds without a split, ``each`` the hands of a split in the order
    of play. The first one keeps the original wager, which is settled in every round: `CountError` otherwise.
    """
    first = staked("Original wager", together(original, *map(single, each[:1])), hand and "original wagers", unit)
    if first.frequency != 1:
        raise CountError("the original wager is not settled in every round")
    wagers = [first, staked("Double of the original wager", together(doubled, *map(double, each[:1])), "doubles", unit)]
    for word, split in zip(ORDINALS[1:], each[1:], strict=False):
        wagers += [staked(f"{word.capitalize()} hand of a split", single(split), "splits", unit),
                   staked(f"Double of a split's {word} hand", double(split), "doubles", unit)]
    return tuple(replace(w, name=f"{hand}: {w.name[0].lower()}{w.name[1:]}" if hand else w.name)
                 for w in wagers if w.staked)


def apart(
    rows: Mapping[tuple[str, Fraction], Fraction], each: Sequence[HandLaw], expected: Fraction,
    doubles: Sequence[str] = CHOICES[2:3],
) -> tuple[StakedWager, ...]:
    """Return the wagers of a round: ``rows`` of rounds without a split, ``each`` hand of a split in the order of play.

    ``doubles`` names the courses in which the wager is doubled.
    """
    original: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    doubled: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
    for (name, net), p in rows.items():
        half = net / 2 if name in doubles else net
        played = name in CHOICES[:3] or name in doubles
        label = ("lose" if half < 0 else "win" if half else "push") if played else name
        original[label, half] += p
        if name in doubles:
            doubled[label, half] += p
    wagers = of_hand(original, doubled, each)
    add_up(wagers, expected)
    return wagers


def add_up(wagers: Sequence[StakedWager], expected: Fraction) -> None:
    """Raise `CountError` if the net results of the wagers do not add up to that of the round."""
    if sum((w.net for w in wagers), Fraction(0)) != expected:
        raise CountError("the net results of the wagers do not add up to that of the round")


def insurance(book: Rulebook, resolved: Resolved, counts: Composition) -> tuple[StakedWager, ...]:
    """Return the insurance of the game's document if the upcard is an ace, at half the original wager; () without one.

    It is not part of a round: its remark states what the player knows of the hole card.
    """
    other = f"{resolved.document.prefix}/insurance"
    tens, size = counts[TEN], sum(counts) - 1
    if other not in book.wagers or not counts[ACE]:
        return ()
    ((outcome, pay),) = book.resolve(f"{other}/{next(iter(book.wagers[other].paytables))}").lines
    won = pay.odds * HALF
    rows = tuple(
        WagerOutcome(name, pays, counts[ACE] * n, Fraction(n, size), net)
        for name, pays, n, net in ((outcome, pay.text, tens, won), ("lose", "", size - tens, -HALF)) if n
    )
    # Of the player's cards only the number worth ten matters.
    chance = {held: Fraction(tens - held, size - 2) for held in range(min(2, tens) + 1) if size - tens >= 2 - held}
    gain = {held: p * won - (1 - p) * HALF for held, p in chance.items()}
    worth = sum((Fraction(comb(tens, held) * comb(size - tens, 2 - held), comb(size, 2)) * max(value, Fraction(0))
                 for held, value in gain.items()), Fraction(0))
    most, even = max(chance.values()), 1 / (pay.odds + 1)
    known = f"with a probability of {percent(most)} ({text(most)}) at most, and the wager is fair at {text(even)}"
    advice = (
        f"Best play does not take it: given the player's two cards the hole card is worth ten {known}."
        if not worth else
        f"Best play takes it with {BESIDE[max(held for held in gain if gain[held] > 0)]}: "
        f"the hole card is worth ten {known}. That wins {text(worth)} of the original wager behind an ace."
    )
    return (StakedWager(
        "Insurance", rows, HALF, sum((r.net * r.probability for r in rows), Fraction(0)),
        f"Half the original wager, offered if the upcard is an ace; not part of the figures of the round. {advice}",
        kind="insurance", given="the upcard is an ace",
    ),)
