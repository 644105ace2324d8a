"""The play of a split's hands beyond zero memory.

``first-split`` is the best play of a hand after a pair was split once, without further
knowledge; it is kept when the pair is split again (CDP1 in the literature). ``pair-cards``
is the best play of a hand for each number of pair cards that splits have taken out of the
shoe, as if nothing were known of the other hands' second cards (CDP). ``split-count`` is
the best play for each number of hands at the time of the decision. That number also implies
that second cards of final hands are not pair cards, so it is worth more than CDP. Both
are weighted exactly; nothing else about the other hands is used.
"""

from __future__ import annotations

from math import perm
from typing import Any, Protocol

import numpy as np

from .hands import ACE, CLASSES, Ints, player_hands
from .rules import HouseRules
from .split_counts import terms
from .values import DOUBLE, DOUBLED, HIT, MARGIN, MAY_DOUBLE, MAY_HIT, STAND, hands_with


class SplitSolver(Protocol):
    """The part of the solver (`solve.Solver`) that the play of a split uses."""

    rules: HouseRules
    split_play: str
    evaluator: Any

    def left_behind(self, upcard: int) -> list[int]: ...

    def may_after_split(self, pair: int) -> Ints: ...

    def best(self, upcard: int, base: Any, family: Any, may: Ints) -> Any: ...


def play_of(solver: SplitSolver, upcard: int, pair: int) -> dict[int, Ints]:
    """Return the play of a split's hands by the number of hands (0 for any), over the family of the pair's card."""
    left = solver.left_behind(upcard)
    left[pair] -= 2
    family = hands_with(pair)
    may = solver.may_after_split(pair)
    base = list(left)
    base[pair] += 1
    first = solver.best(upcard, base, family, may).values.choice.copy()
    first[-1] = HIT
    if solver.split_play == "first-split" or (pair == ACE and solver.rules.split_aces == "one-card"):
        return {0: first}
    most = solver.rules.hands_of(pair)
    if solver.split_play == "pair-cards":
        return {hands: _with_pair_cards_gone(solver, upcard, pair, base, hands - 2, may)
                for hands in range(2, most + 1) if base[pair] > hands - 2}
    return {hands: _best_at(solver, upcard, pair, left, hands, may) for hands in range(2, most + 1)}


def _with_pair_cards_gone(
    solver: SplitSolver, upcard: int, pair: int, base: list[int], gone: int, may: Ints
) -> Ints:
    """Return the best play of a hand of a split with ``gone`` further pair cards out of the shoe."""
    remaining = [n - gone * (c == pair) for c, n in enumerate(base)]
    choice = solver.best(upcard, remaining, hands_with(pair), may).values.choice.copy()
    choice[-1] = HIT
    return choice


def _best_at(solver: SplitSolver, upcard: int, pair: int, left: list[int], hands_now: int, may: Ints) -> Ints:
    """Return the best play of a hand that begins while there are ``hands_now`` hands.

    All terms of one number of hands agree on whether the second card may be the pair's,
    so every order of a hand's cards has the same weight: G(p) = Σ_m a_m W_m(p) F_m(p),
    where W_m is the probability of one order of the cards behind the first, and the
    values of hitting are plain sums of G over the next card.
    """
    family = hands_with(pair)
    count = len(family.members)
    cards = family.cards.astype(int).copy()
    cards[:, pair] -= 1  # after the first card
    number = cards.sum(1)
    stand, doubled, lost = np.zeros(count), np.zeros(count), np.zeros((2, count))
    size, pair_cards = sum(left), left[pair]
    magnitude = 0.0
    for term in terms(solver.rules.hands_of(pair)):
        if term.hands != hands_now or term.gone > pair_cards:
            continue
        shoe = list(left)
        shoe[pair] -= term.gone
        base = list(shoe)
        base[pair] += 1
        run = solver.evaluator.run(upcard, base, family, may=may, moduli=0)
        a = term.weight * perm(pair_cards, term.gone) / perm(size, term.gone)
        magnitude += abs(a)
        cards_left = sum(shoe)
        order = np.ones(count)
        for c in range(CLASSES):
            order *= np.array([float(perm(shoe[c], k)) for k in range(22)])[cards[:, c]]
        order /= np.array([float(perm(cards_left, k)) if k <= cards_left else np.inf for k in range(22)])[number]
        stand += a * order * run.value[:, STAND, 0]
        doubled += a * order * run.value[:, DOUBLED, 0]
        # A busted hand: one more card, and then the dealer has no blackjack.
        peek = solver.evaluator.peek(upcard)
        rest = np.array(shoe) - cards
        unseen = rest.sum(1)
        for c in range(CLASSES):
            out = (family.child[:, c] < 0) & (rest[:, c] > 0) & (unseen > 1)
            alive = np.ones(count)
            if peek >= 0:
                alive = 1 - (rest[:, peek] - (c == peek)) / np.maximum(unseen - 1, 1)
            part = np.where(out, a * order * rest[:, c] / np.maximum(unseen, 1) * alive, 0)
            lost[0] -= part
            lost[1] -= 2 * part
    value = np.zeros(count + 1)  # the last entry stands for a busted child, counted in ``lost``
    second = np.append(doubled, 0.0)
    choice = np.zeros(count, np.int8)
    hard = np.append(player_hands().hard[family.members[:-1]], 0)
    for layer in range(21, 0, -1):
        here = np.flatnonzero(hard == layer)
        if not len(here):
            continue
        child = family.child[here]
        offers = np.full((3, len(here)), -np.inf)
        offers[STAND] = stand[here]
        hit = value[child].sum(1) + lost[0, here]
        double = second[child].sum(1) + lost[1, here]
        offers[HIT] = np.where(may[here] & MAY_HIT, hit, -np.inf)
        offers[DOUBLE] = np.where(may[here] & MAY_DOUBLE, double, -np.inf)
        # Within the margin the value is the same to twelve digits, so the first choice is kept.
        close = offers >= offers.max(0) - MARGIN * magnitude * 1e-3
        choice[here] = close.argmax(0)
        value[here] = offers.max(0)
    choice[-1] = HIT
    return choice
