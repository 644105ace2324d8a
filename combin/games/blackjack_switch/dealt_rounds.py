"""Rounds of Blackjack Switch dealt card by card, to estimate the joint distribution of two hands against one dealer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..._kernels import load
from ...base.errors import fault
from ...base.exact import root
from ...base.parallel import Arrays
from ..blackjack.dealt_rounds import ShoeTable, table_of
from ..blackjack.hands import CLASSES, Ints
from ..blackjack.rules import USUAL_HANDS
from ..blackjack.solve import SPLIT, SURRENDER
from ..model import Estimate
from ..round_dealer import BLOCK, RoundDealer
from .hands import INDEX, PAIRS
from .solve import SwitchSolution

MIDDLE = 160
TENTHS = 10
#: What the kernel reads of a hand that is surrendered.
EARLY, LATE = 2, 3


@dataclass(frozen=True)
class SwitchPlay:
    """The play and the rules of a solution as the kernel reads them; ``pairs`` index two classes among 55.

    switch          uint8 [upcard][four cards]: 1 for an exchange
    splits          uint8 [upcard][other hand][hand]: 1 if the hand is split, 2 surrendered early, 3 late
    choice          int8 [upcard][other hand][hand]: the play
    blackjack_pays  tenths of a wager against a dealer without 21
    early           cards are exchanged before the dealer looks
    """

    table: ShoeTable
    switch: Ints
    splits: Ints
    choice: Ints
    pairs: Ints
    aces_take_one: bool
    blackjack_pays: int
    blackjack_beats_22: bool
    switched_counts: bool
    early: bool


@dataclass(frozen=True)
class Moments:
    """Estimates of a round, per unit of both wagers, each with its standard error."""

    mean: Estimate
    variance: Estimate
    won: Estimate
    pushed: Estimate
    lost: Estimate


def simulate(
    solution: SwitchSolution, rounds: int, seed: int, threads: int | None = None, each: Ints | None = None
) -> Ints:
    """Count dealt rounds: int64 ``[cards kept, cards switched][ten times the net result in wagers + 160]``.

    Rounds come in whole blocks of 10,000. The hands that are played are added to ``each``: int64
    ``[dealt hand][index in the order of play][stake - 1][lost, pushed, won]``.
    """
    seen, hands_seen, *_ = _dealer(solution).deal(-(-rounds // BLOCK) * BLOCK, seed, threads=threads)
    if each is not None:
        each += hands_seen
    return seen


def deal_block(solution: SwitchSolution, spots: int, rounds: int, seed: int) -> tuple[Ints, Ints]:
    """Deal one block of rounds of several spots in this thread.

    Return their indices ``[round][spot]`` in the table of `simulate`.

    Also uint8 ``[round][card]``, the first cards as dealt: two cards for each spot, the upcard, two cards for each
    spot, the hole card.
    """
    *_, ends, cards = _dealer(solution).deal_block(spots, rounds, seed)
    return ends, cards


def _play_of(solution: SwitchSolution) -> SwitchPlay:
    rules, house = solution.rules, solution.rules.hands
    if not house.double_after_split and house.double != "none":
        raise fault("hands of a split that may not be doubled are not simulated", "allow doubles after a split")
    pays = rules.blackjack_pays * TENTHS
    assert pays.denominator == 1
    table = table_of(house, solution.counts)
    choice = np.zeros((CLASSES, len(PAIRS), len(table.child)), np.int8)
    for key, play in solution.hands.play.items():
        choice[key] = play
    splits = (solution.hands.best == SPLIT).astype(np.uint8)
    for u in range(CLASSES):
        given_up = solution.hands.best[u] == SURRENDER
        splits[u][given_up] = EARLY if house.surrender_against(u) == "early" else LATE
    return SwitchPlay(
        table, solution.switch.astype(np.uint8), splits, choice, INDEX.astype(np.int32),
        aces_take_one=house.split_aces == "one-card", blackjack_pays=int(pays),
        blackjack_beats_22=rules.blackjack_against_22 == "wins",
        switched_counts=rules.switched_blackjack == "blackjack", early=rules.exchange == "before-the-look",
    )  # fmt: skip


def _dealer(solution: SwitchSolution) -> RoundDealer:
    def arrays(rows: int, spots: int) -> Arrays:
        seen, each = np.zeros((2, 2 * MIDDLE + 1), np.int64), np.zeros((2, USUAL_HANDS, 2, 3), np.int64)
        return seen, each, np.zeros((rows, spots), np.int32), np.zeros((rows, 4 * spots + 2), np.uint8)

    return RoundDealer(load("blackjack_rounds").SwitchRounds(_play_of(solution)), arrays)


def net_of(place: int) -> Fraction:
    """Return the net result of a column of `simulate`, per unit of both wagers."""
    return Fraction(place - MIDDLE, 2 * TENTHS)


def moments(seen: Ints, how: str = "") -> Moments:
    """Return mean, variance and shares of all rounds."""
    counts = {net_of(i): int(n) for i, n in enumerate(seen.sum(0)) if n}
    rounds = sum(counts.values())
    mean = sum((n * x for x, n in counts.items()), Fraction(0)) / rounds
    second, fourth = (sum((n * (x - mean) ** k for x, n in counts.items()), Fraction(0)) / rounds for k in (2, 4))

    def share(part: int) -> Estimate:
        p = Fraction(part, rounds)
        return Estimate(p, root(p * (1 - p) / rounds), how)

    won = sum(n for x, n in counts.items() if x > 0)
    pushed = counts.get(Fraction(0), 0)
    return Moments(
        Estimate(mean, root(second / rounds), how), Estimate(second, root((fourth - second**2) / rounds), how),
        share(won), share(pushed), share(rounds - won - pushed),
    )
