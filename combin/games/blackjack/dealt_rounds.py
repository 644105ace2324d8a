"""Rounds of blackjack dealt card by card, to estimate the distribution of a split's result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..._kernels import load
from ...base.errors import fault
from ...base.parallel import Arrays
from ..round_dealer import BLOCK, RoundDealer
from .bonuses import Bonus
from .hands import ACE, CLASSES, TEN, Ints, player_hands
from .rules import MOST_HANDS, USUAL_HANDS, HouseRules
from .solve import SPLIT, BlackjackSolution
from .values import hands_with

WAYS = ("stand", "hit", "double", "split", "surrender", "blackjack", "both blackjacks", "dealer blackjack")
MIDDLE = 32
MOST_SPOTS = 9
#: Greater odds, to the fourth power, could outgrow the kernel's sums.
MOST_PAY = 1000


@dataclass(frozen=True)
class ShoeTable:
    """A shoe and house rules as the kernel reads them. Classes are numbered from the ace, hands as by `player_hands`.

    cards       uint8: the card types of the shoe, by class
    two         int32 [class][class]: the hand of two cards
    child       int32 [hand][class]: the hand with one more card
    most_hands  int32 [class]: the number of hands into which a pair may be split
    bonus       int8 [hand]: the bonus that pays it, -1 for none
    line        int8 [bonus][suit, or 4 for different suits]: the line that pays it, -1 for a plain 21
    """

    rules: HouseRules
    cards: Ints
    two: Ints
    child: Ints
    most_hands: Ints
    bonus: Ints
    line: Ints


@dataclass(frozen=True)
class BlackjackPlay:
    """The play of a solution as the kernel reads it.

    first         int8 [upcard][class][class]: the first choice with two cards
    choice        int8 [upcard][hand]: the play of hands without a split
    split_choice  int8 [upcard][pair][hand]: the play of hands of a split
    early         uint8 [upcard]: 1 if a surrender is settled before a dealer's blackjack counts
    pays          int64 [line]: the odds of each line times ``unit``
    """

    table: ShoeTable
    first: Ints
    choice: Ints
    split_choice: Ints
    early: Ints
    pays: Ints
    unit: int


@dataclass(frozen=True)
class DealtEstimate:
    """A share of rounds with its standard error."""

    share: float
    error: float


class RoundCounts(NamedTuple):
    """Counts of dealt rounds.

    seen    spots by their course (`WAYS`) and twice the net result + 32, bonuses as even money: int64 ``[8][65]``
    each    hands of splits: int64 ``[index in the order of play][stake - 1][lost, pushed, won]``
    paid    hands that a bonus pays: int64 ``[0, or 1 + index in a split][line]``
    splits  spots with a split that won and that pushed, and the sums of the powers 1 to 4 of their nets × ``unit``
    """

    seen: Ints
    each: Ints
    paid: Ints
    splits: Ints
    unit: int


def shoe_cards(counts: Sequence[int], bonuses: Sequence[Bonus] = ()) -> Any:
    """Return the card types of a shoe with these cards by class; whole decks if the counts are theirs.

    Cards whose suits matter to a bonus have the suits that the bonus states.
    """
    types = []
    suits = {card: copies for bonus in bonuses for card, copies in zip(bonus.cards, bonus.copies, strict=True)}
    for c, n in enumerate(counts):
        if c in suits:
            types += [13 * suit + c - 1 for suit, number in enumerate(suits[c]) for _ in range(number)]
            continue
        rank = 12 if c == ACE else c - 1
        kinds = [13 * suit + r for suit in range(4) for r in ((8, 9, 10, 11) if c == TEN else (rank,))]
        types += [kinds[i % len(kinds)] for i in range(n)]
    return np.array(types, np.uint8)


def simulate(
    solution: BlackjackSolution, rounds: int, seed: int, threads: int | None = None
) -> RoundCounts:
    """Deal rounds of one spot, in whole blocks of 10,000, and return their counts."""
    play, whole = _play_of(solution), -(-rounds // BLOCK) * BLOCK
    seen, each, paid, splits, *_ = _dealer(play, draws_out=False).deal(whole, seed, threads=threads)
    return RoundCounts(seen, each, paid, splits, play.unit)


def _lines(rules: HouseRules) -> tuple[Ints, Ints]:
    """Return the bonus of each hand, and the line of each bonus by suit and for mixed suits; −1 for none."""
    hands = player_hands()
    bonus, line, before = np.full(len(hands), -1, np.int8), np.full((max(1, len(rules.bonuses)), 5), -1, np.int8), 0
    for number, one in enumerate(rules.bonuses):
        for place in range(len(hands)):
            held = tuple(c for c in range(CLASSES) for _ in range(int(hands.cards[place, c])))
            if held == one.cards or (not one.cards and hands.total[place] == 21 and one.least <= len(held) <= one.most):
                bonus[place] = number
        for kind, suits in enumerate(((0,), (1,), (2,), (3,), (0, 1))):
            bonus_line = one.line_of(suits)
            line[number, kind] = bonus_line if bonus_line < 0 else before + bonus_line
        before += len(one.pays)
    return bonus, line


def most_spots(counts: Sequence[int], hands: int = 1, splits: int = USUAL_HANDS) -> int:
    """Return the number of spots with one or two dealt hands for which a shoe suffices in any round.

    Cards count their points, the ace 1. A hand has at most 30, a dealt hand is split into ``splits`` hands, and
    the dealer has 26. A solved shoe always suffices for one spot.
    """
    points = sum((c + 1) * n for c, n in enumerate(counts))
    return max(1, min(MOST_SPOTS, (points - 26) // (30 * splits * hands)))


def deal_block(
    solution: BlackjackSolution, spots: int, rounds: int, seed: int, *, draws_out: bool = True
) -> tuple[Ints, Ints, Ints]:
    """Deal one block of rounds of several spots in this thread.

    Return their indices ``[round][spot]`` in the table of `simulate`.

    Also uint8 ``[round][card]``, the first cards as dealt: a card for each spot, the upcard, a card for each spot, the
    hole card. And uint8 ``[round][2 + spot]``: the dealer's cards and total, and the total of each spot's first hand.
    With ``draws_out`` the dealer draws in every round, as side bets on that hand require; without, the last array is
    not filled.
    """
    *_, ends, cards, drawn = _dealer(_play_of(solution), draws_out).deal_block(spots, rounds, seed)
    return ends, cards, drawn


def table_of(rules: HouseRules, counts: Sequence[int]) -> ShoeTable:
    """Return the table of a shoe with these cards by class."""
    hands = player_hands()
    two = np.array([[hands.two(a, b) for b in range(CLASSES)] for a in range(CLASSES)], np.int32)
    most = np.array([rules.hands_of(c) for c in range(CLASSES)], np.int32)
    return ShoeTable(rules, shoe_cards(counts, rules.bonuses), two, hands.child, most, *_lines(rules))


def _play_of(solution: BlackjackSolution) -> BlackjackPlay:
    rules, table = solution.rules, table_of(solution.rules, solution.counts)
    first = np.zeros((CLASSES, CLASSES, CLASSES), np.int8)
    split = np.zeros((CLASSES, CLASSES, len(table.child)), np.int8)
    for a in range(CLASSES):
        for b in range(CLASSES):
            for u in range(CLASSES):
                cell = solution.cells.get((u, int(table.two[a, b])))
                first[u, a, b] = 0 if cell is None else cell.best
    for (u, c), play in solution.post_split.items():
        if set(play) != {0}:
            raise fault("play that depends on the number of hands is not simulated", "ask for zero-memory play")
        members = hands_with(c).members[:-1]
        split[u, c, members] = play[0][:-1]
    early = np.array([rules.surrender_against(u) == "early" for u in range(CLASSES)], np.uint8)
    odds = [odds for bonus in rules.bonuses for _, odds, _ in bonus.pays] or [Fraction(0)]
    unit = lcm(*(one.denominator for one in odds))
    if max(odds) > MOST_PAY:
        raise fault(f"bonuses of more than {MOST_PAY} to 1 are not simulated", "ask for exact figures only")
    pays = np.array([int(one * unit) for one in odds], np.int64)
    return BlackjackPlay(table, first, solution.choice, split, early, pays, unit)


def _dealer(play: BlackjackPlay, draws_out: bool) -> RoundDealer:
    def arrays(rows: int, spots: int) -> Arrays:
        return (
            np.zeros((len(WAYS), 2 * MIDDLE + 1), np.int64), np.zeros((MOST_HANDS, 2, 3), np.int64),
            np.zeros((MOST_HANDS + 1, len(play.pays)), np.int64), np.zeros(6, np.int64),
            np.zeros((rows, spots), np.int32), np.zeros((rows, 2 * spots + 2), np.uint8),
            np.zeros((rows if draws_out else 0, spots + 2), np.uint8),
        )  # fmt: skip

    return RoundDealer(load("blackjack_rounds").Rounds(play), arrays)


def split_law(dealt: RoundCounts) -> dict[str, DealtEstimate]:
    """Return estimates of the probabilities that a round with a split wins and that it pushes."""
    rounds = int(dealt.seen[SPLIT].sum())
    estimates = {}
    for name, count in zip(("wins", "pushes"), dealt.splits[:2], strict=True):
        share = int(count) / rounds if rounds else 0.0
        estimates[name] = DealtEstimate(share, sqrt(share * (1 - share) / rounds) if rounds else 0.0)
    return estimates


__all__ = [
    "ACE", "BLOCK", "MIDDLE", "WAYS", "DealtEstimate", "deal_block", "most_spots", "shoe_cards", "simulate",
    "split_law",
]
