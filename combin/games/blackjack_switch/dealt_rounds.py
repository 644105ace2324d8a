"""Rounds of Blackjack Switch dealt card by card, to estimate the joint distribution of two hands against one dealer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..._kernels import load
from ...base.errors import fault
from ...base.exact import root
from ...base.parallel import Arrays, sweep
from ..blackjack.dealt_rounds import BLOCK, Caller, shoe_cards
from ..blackjack.hands import CLASSES, Ints, player_hands
from ..blackjack.rules import USUAL_HANDS
from ..blackjack.solve import SPLIT, SURRENDER
from .hands import INDEX, PAIRS
from .solve import SwitchSolution

MIDDLE = 160
TENTHS = 10
#: What the kernel reads of a hand that is surrendered.
EARLY, LATE = 2, 3


@dataclass(frozen=True)
class Share:
    """A mean over rounds with its standard error, to twelve decimals."""

    share: Fraction
    error: Fraction


@dataclass(frozen=True)
class Moments:
    """Estimates of a round, per unit of both wagers, each with its standard error."""

    rounds: int
    mean: Share
    variance: Share
    won: Share
    pushed: Share
    lost: Share


def simulate(
    solution: SwitchSolution, rounds: int, seed: int, threads: int | None = None, each: Ints | None = None
) -> Ints:
    """Count dealt rounds: int64 ``[cards kept, cards switched][ten times the net result in wagers + 160]``.

    Rounds come in whole blocks of 10,000. The hands that are played are added to ``each``: int64
    ``[dealt hand][index in the order of play][stake - 1][lost, pushed, won]``.
    """
    call = _caller(solution, seed)
    seen, hands_seen, *_ = sweep(
        lambda start, stop, arrays: call(start, stop, BLOCK, arrays), -(-rounds // BLOCK), lambda: _made((1, 1)),
        chunk=10, label="rounds dealt", threads=threads,
    )
    if each is not None:
        each += hands_seen
    return seen


def deal_block(solution: SwitchSolution, boxes: int, rounds: int, seed: int) -> tuple[Ints, Ints]:
    """Deal one block of rounds of several spots in this thread.

    Return their indices ``[round][spot]`` in the table of `simulate`.

    Also uint8 ``[round][card]``, the first cards as dealt: two cards for each spot, the upcard, two cards for each
    spot, the hole card.
    """
    arrays = _made((rounds, boxes))
    _caller(solution, seed)(0, 1, rounds, arrays)
    return arrays[2], arrays[3]


def _made(shape: tuple[int, int]) -> Arrays:
    cards = shape[0], 4 * shape[1] + 2
    seen, each = np.zeros((2, 2 * MIDDLE + 1), np.int64), np.zeros((2, USUAL_HANDS, 2, 3), np.int64)
    return seen, each, np.zeros(shape, np.int32), np.zeros(cards, np.uint8)


def _caller(solution: SwitchSolution, seed: int) -> Caller:
    """Return the kernel with the play of a solution."""
    hands, rules, house = player_hands(), solution.rules, solution.rules.hands
    if not house.double_after_split and house.double != "none":
        raise fault("hands of a split that may not be doubled are not simulated", "allow doubles after a split")
    two = np.array([[hands.two(a, b) for b in range(CLASSES)] for a in range(CLASSES)], np.int32)
    choice = np.zeros((CLASSES, len(PAIRS), len(hands)), np.int8)
    for key, play in solution.hands.play.items():
        choice[key] = play
    most = np.array([house.hands_of(c) for c in range(CLASSES)], np.int32)
    kernel = load("blackjack_rounds")
    pays = solution.rules.blackjack_pays * TENTHS
    assert pays.denominator == 1

    cards, switch = shoe_cards(solution.counts), solution.switch.astype(np.uint8)
    splits = (solution.hands.best == SPLIT).astype(np.uint8)
    for u in range(CLASSES):
        given_up = solution.hands.best[u] == SURRENDER
        splits[u][given_up] = EARLY if house.surrender_against(u) == "early" else LATE

    def call(start: int, stop: int, rounds: int, arrays: Arrays) -> None:
        kernel.simulate_switch(
            start, stop, rounds, seed % 2**64, cards, switch, splits, choice, INDEX.astype(np.int32), two, hands.child,
            most, house.hits_soft_17, house.split_aces == "one-card", int(pays), rules.blackjack_against_22 == "wins",
            rules.switched_blackjack == "blackjack", rules.exchange == "before-the-look", house.looks, *arrays,
        )  # fmt: skip

    return call


def net_of(place: int) -> Fraction:
    """Return the net result of a column of `simulate`, per unit of both wagers."""
    return Fraction(place - MIDDLE, 2 * TENTHS)


def moments(seen: Ints) -> Moments:
    """Return mean, variance and shares of all rounds."""
    counts = {net_of(i): int(n) for i, n in enumerate(seen.sum(0)) if n}
    rounds = sum(counts.values())
    mean = sum((n * x for x, n in counts.items()), Fraction(0)) / rounds
    second, fourth = (sum((n * (x - mean) ** k for x, n in counts.items()), Fraction(0)) / rounds for k in (2, 4))

    def share(part: int) -> Share:
        p = Fraction(part, rounds)
        return Share(p, root(p * (1 - p) / rounds))

    won = sum(n for x, n in counts.items() if x > 0)
    pushed = counts.get(Fraction(0), 0)
    return Moments(
        rounds, Share(mean, root(second / rounds)), Share(second, root((fourth - second**2) / rounds)),
        share(won), share(pushed), share(rounds - won - pushed),
    )
