"""Blackjack Switch under zero-memory play: the values of all hands, the exchange of cards, the exact round.

Each hand is played best given its own cards, the upcard and the other hand's first two
cards; the other hand's later cards are not looked at, and hands of a split are played as
the same cards unsplit. The shoe is in random order. When the first hand stops drawing
depends on the cards that it has drawn alone, and which place is drawn next never depends
on a card that is still to come. So the cards that the second hand and the dealer get have
the law of cards from a fresh shoe without the upcard and the four first cards
(exchangeability), whatever the first hand drew. The expected result of a round is
therefore the sum of the two hands' values, each valued alone in the shoe without the
other hand's first two cards; only the variance knows of both at once.

Values are joint with "no dealer blackjack", as in blackjack. What a dealer's blackjack
takes beside them is the wager of every hand but a blackjack: doubles and splits are
returned (ch. 10 B, 11 E), so the play does not depend on when the dealer looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Any

import numpy as np

from ...base.caches import cached
from ...base.errors import fault
from ...base.parallel import sweep
from ...deals.draw import Composition
from ..blackjack.hands import ACE, CLASSES, TEN, Ints, dealer_tree, player_hands
from ..blackjack.rules import MOST_HANDS, HouseRules
from ..blackjack.solve import SPLIT, Solver, no_blackjack
from ..blackjack.splits import most_gone, terms
from ..blackjack.values import (
    DOUBLE,
    HIT,
    NEED_STAND,
    PRIMES,
    STAND,
    Evaluator,
    all_hands,
    hands_with,
    moduli_for,
    scale,
)
from .rules import SwitchRules

#: Pairs of classes of two cards, and the place of each.
PAIRS = tuple((a, b) for a in range(CLASSES) for b in range(a, CLASSES))
INDEX = np.zeros((CLASSES, CLASSES), np.intp)
for _i, (_a, _b) in enumerate(PAIRS):
    INDEX[_a, _b] = INDEX[_b, _a] = _i
NATURAL = int(INDEX[ACE, TEN])
#: A hand is wrong by less than 2^-42. The terms of a split weigh less than 2^6 in all, an exchange compares four
#: hands, so a sum is wrong by less than 2^-34.
MARGIN = 2.0**-30
#: Shoes whose sums one thread keeps, at some 130 bytes: 60 MB.
MOST_LAWS = 450_000
FIRST, SECOND = 0, 1  # a hand as it was dealt, or behind an exchange
HOLE = {ACE: TEN, TEN: ACE}


@dataclass(frozen=True)
class Hands:
    """Every two-card hand against every upcard beside every other hand: ``[upcard][other][hand]``, others by `PAIRS`.

    ``value`` in wagers and joint with "no dealer blackjack" (−inf where the cards are
    not in the shoe), ``best`` its choice, ``extra`` what doubles and splits stake
    beyond the wager. An ace and a ten-valued card stand there as a hand of 21. Residues
    are modulo `PRIMES`. ``dealer`` holds what a blackjack meets by (upcard, other): no
    dealer blackjack, 21 and 22, over the scale of a value.
    """

    value: Ints
    best: Ints
    extra: Ints
    residue: Ints
    extra_residue: Ints
    dealer: dict[tuple[int, int], tuple[int, int, int]] = field(repr=False)
    play: dict[tuple[int, int], Ints] = field(repr=False)
    exact_choices: int = 0


@dataclass(frozen=True)
class Round:
    """A way to exchange cards, valued: (kept, exchanged) parts of the expected result, and of the probability."""

    net: tuple[Fraction, Fraction]
    share: tuple[Fraction, Fraction]
    extra: Fraction
    doubled: Fraction  # hands a round whose first choice is a double, and a split
    split: Fraction

    @property
    def expected_value(self) -> Fraction:
        """In wagers, two of which are staked."""
        return self.net[FIRST] + self.net[SECOND]


@dataclass(frozen=True)
class Solution:
    """Best play of one shoe. ``switch[upcard, a1, a2, b1, b2]``: whether the second cards are exchanged."""

    rules: SwitchRules
    counts: Composition
    hands: Hands = field(repr=False)
    natural: Ints = field(repr=False)  # a blackjack's value: [upcard][other]
    natural_residue: Ints = field(repr=False)
    length: int = field(repr=False)
    moduli: int = field(repr=False)
    switch: Ints = field(repr=False)
    exact_switches: int
    ties: int
    evaluator: Evaluator = field(repr=False, compare=False)

    @property
    def size(self) -> int:
        return sum(self.counts)

    @cached_property
    def round(self) -> Round:
        return valued(self, self.switch)

    @property
    def expected_value(self) -> Fraction:
        """Expected net result of a round, in wagers."""
        return self.round.expected_value

    def ways(self, upcard: int) -> Ints:
        """Ordered deals of the upcard and four cards, int64 ``[a1][a2][b1][b2]``: below 416^5 < 2^44."""
        found = np.full((CLASSES,) * 4, self.counts[upcard], np.int64)
        left = np.array([n - (c == upcard) for c, n in enumerate(self.counts)], np.int64)
        cards = np.indices((CLASSES,) * 4)
        for place in range(4):
            taken = sum((cards[i] == cards[place]).astype(np.int64) for i in range(place)) if place else 0
            found *= np.maximum(left[cards[place]] - taken, 0)
        return found

    def holes(self, upcard: int) -> Ints:
        """Cards left that give the dealer a blackjack, by the four cards."""
        hole = HOLE.get(upcard)
        cards = np.indices((CLASSES,) * 4)
        if hole is None:
            return np.zeros((CLASSES,) * 4, np.int64)
        found: Ints = np.maximum(self.counts[hole] - (cards == hole).sum(0), 0)
        return found

    def lost(self, switched: bool) -> Ints:
        """Wagers that a dealer's blackjack takes."""
        first, second = _dealt(switched)
        safe = not switched or self.rules.switched_blackjack == "blackjack"
        found: Ints = 2 - ((first == NATURAL).astype(np.int64) + (second == NATURAL)) * int(safe)
        return found

    def worth(self, upcard: int, switched: bool) -> Ints:
        """The sum of the two hands' values, joint with "no dealer blackjack"; −inf where it cannot be dealt."""
        first, second = _dealt(switched)
        value = self.hands.value[upcard].copy()
        if not switched or self.rules.switched_blackjack == "blackjack":
            value[:, NATURAL] = self.natural[upcard]
        found: Ints = value[second, first] + value[first, second]
        return found

    def exact_worth(self, upcard: int, cards: Sequence[int], switched: bool) -> Fraction:
        """The same of four cards, exactly."""
        first, second = (int(index[tuple(cards)]) for index in _dealt(switched))
        return self.hand_value(upcard, second, first, switched) + self.hand_value(upcard, first, second, switched)

    def hand_value(self, upcard: int, other: int, hand: int, switched: bool) -> Fraction:
        """One hand beside another one, exactly."""
        natural = hand == NATURAL and (not switched or self.rules.switched_blackjack == "blackjack")
        found = self.natural_residue[upcard, other] if natural else self.hands.residue[upcard, other, hand]
        exact = scale(self.size - 5, self.length, self.moduli)
        return Fraction(exact.integer(found), exact.denominator)


def _dealt(switched: bool) -> tuple[Ints, Ints]:
    """The two hands of (a1, a2, b1, b2) as places in `PAIRS`."""
    a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
    return (INDEX[a1, b2], INDEX[b1, a2]) if switched else (INDEX[a1, a2], INDEX[b1, b2])


# ---- hands


def _less(counts: Sequence[int], *cards: int) -> list[int]:
    found = list(counts)
    for card in cards:
        found[card] -= 1
    return found


@dataclass(frozen=True)
class _Split:
    """A split of one pair under one play: what it is worth, and its further stakes, as doubles and residues."""

    value: float
    residue: tuple[int, ...]
    extra: float
    extra_residue: tuple[int, ...]


def _split(
    evaluator: Evaluator, rules: HouseRules, upcard: int, pair: int, behind: Sequence[int], policy: Ints, need: Ints,
    may: Ints, exact: bool,
) -> _Split:
    """The sum of `splits.terms`; ``behind`` are the cards left without the pair, ``need`` what the play looks at."""
    family = hands_with(pair)
    alone, again_at = len(family.members) - 1, family.place[player_hands().two(pair, pair)]
    chosen = int(policy[again_at])
    size, cards = sum(behind), behind[pair]
    moduli = evaluator.moduli if exact else 0
    primes = PRIMES[:moduli]
    total = 0.0
    residue = [0] * moduli
    runs: dict[int, Any] = {}
    for term in terms(rules.hands_of(pair)):
        if term.gone > cards:
            continue
        if term.gone not in runs:
            base = list(behind)
            base[pair] += 1 - term.gone
            ahead = (pair, min(most_gone(rules.hands_of(pair)), cards) - term.gone)
            runs[term.gone] = evaluator.run(
                upcard, base, family, choice=policy, need=need, may=may, moduli=moduli, ahead=ahead
            )
        run = runs[term.gone]
        weight, ordered = perm(cards, term.gone) * term.weight, perm(size, term.gone)
        number, left = (0 if term.free else cards - term.gone), size - term.gone
        total += weight / ordered * float(run.value[alone, HIT, 0] - number / left * run.value[again_at, chosen, 0])
        for q, p in enumerate(primes):
            chance, again = weight * pow(ordered, -1, p), number * pow(left, -1, p)
            one = int(run.residue[alone, HIT, 0, q]) - again * int(run.residue[again_at, chosen, 0, q])
            residue[q] = (residue[q] + chance * one) % p
    if not exact:
        return _Split(total, (), 0.0, ())
    more, whole = _further_stakes(rules, upcard, pair, behind, policy)
    return _Split(
        total, tuple(residue), more / whole, tuple(more % p * pow(whole, -1, p) % p for p in primes)
    )


def _further_stakes(
    rules: HouseRules, upcard: int, pair: int, behind: Sequence[int], policy: Ints
) -> tuple[int, int]:
    """What a split stakes beyond the wager where the dealer has no blackjack: a numerator and its denominator.

    A hand doubles by its second card alone, so the sum of `splits.terms` needs no dealer's law.
    """
    hands, family = player_hands(), hands_with(pair)
    size, cards, hole = sum(behind), behind[pair], HOLE.get(upcard)
    found = [t for t in terms(rules.hands_of(pair)) if t.gone <= cards]
    most = max(t.gone for t in found)
    stakes = [2 if policy[family.place[hands.two(pair, c)]] == DOUBLE else 1 for c in range(CLASSES)]
    total = 0
    for term in found:
        left = list(behind)
        left[pair] -= term.gone
        unseen = size - term.gone - 1  # behind the second card
        one = 0
        for c in range(CLASSES):
            if term.free or c != pair:
                blackjack = 0 if hole is None else left[hole] - (c == hole)
                one += left[c] * stakes[c] * (unseen - blackjack)
        total += term.weight * perm(cards, term.gone) * one * perm(size - term.gone - 2, most - term.gone)
    first = size if hole is None else size - behind[hole]
    return total - first * perm(size - 1, most + 1), perm(size, most + 2)


def _against(
    evaluators: Sequence[Evaluator], length: int, upcard: int, behind: Sequence[int]
) -> tuple[int, int, int]:
    """No dealer blackjack, a dealer's 21 and 22 beside a player's blackjack, over the scale.

    ``evaluators`` settle a dealer's 22 as a push and as a bust: what they say of standing
    with 21 tells the dealer's 21 and 22 apart.
    """
    base = list(behind)
    base[ACE] += 1
    base[TEN] += 1
    family = all_hands()
    hand = player_hands().two(ACE, TEN)
    exact = scale(sum(behind), length, evaluators[0].moduli)
    need = np.zeros(len(family.members), np.uint8)
    need[hand] = NEED_STAND
    still = np.zeros(len(family.members), np.int8)
    pushed, won = (
        exact.integer(e.run(upcard, base, family, choice=still, need=need).residue[hand, STAND, 0]) for e in evaluators
    )
    alive = int(no_blackjack(upcard, behind) * exact.denominator)
    return alive, alive - won, won - pushed


class _Table:
    """Fills `Hands`, one upcard a call: threads write to different rows."""

    def __init__(self, rules: HouseRules, counts: Composition, evaluator: Evaluator, length: int) -> None:
        self.rules, self.counts, self.evaluator, self.length = rules, counts, evaluator, length
        self.plain = Evaluator(replace(rules.played, push_22=False), evaluator.field.size, evaluator.moduli)
        number, primes = len(PAIRS), evaluator.moduli
        self.value = np.full((CLASSES, number, number), -np.inf)
        self.best = np.zeros((CLASSES, number, number), np.int8)
        self.extra = np.zeros((CLASSES, number, number))
        self.residue = np.zeros((CLASSES, number, number, primes), np.uint64)
        self.extra_residue = np.zeros_like(self.residue)
        self.dealer: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.play: dict[tuple[int, int], Ints] = {}
        self.exact_choices = [0] * CLASSES

    def fill(self, upcard: int) -> None:
        evaluator = self.evaluator.keeping(upcard, MOST_LAWS)
        rules, hands = self.rules, player_hands()
        shoe = _less(self.counts, upcard)
        two = np.array([hands.two(a, b) for a, b in PAIRS])
        primes = PRIMES[: evaluator.moduli]
        policies: list[list[tuple[int, list[int], Ints]]] = [[] for _ in range(CLASSES)]
        for o, other in enumerate(PAIRS):
            base = _less(shoe, *other)
            if min(base) < 0:
                continue
            solver = Solver(rules, _less(self.counts, *other), solved_by=(evaluator, self.length))
            best = solver.best(upcard, base, all_hands(), evaluator.may_of(all_hands()))
            values = best.values
            self.exact_choices[upcard] += best.exact_choices
            self.play[upcard, o] = values.choice
            choice = values.choice[two]
            fits = (hands.cards[two] <= np.array(base)).all(1)
            self.value[upcard, o] = np.where(fits, values.value[two, choice, 0], -np.inf)
            self.best[upcard, o] = choice
            self.residue[upcard, o] = values.residue[two, choice, 0]
            size = sum(base) - 2
            for i in np.flatnonzero(fits & (choice == DOUBLE)):
                alive = no_blackjack(upcard, _less(base, *PAIRS[i]))
                self.extra[upcard, o, i] = float(alive)
                self.extra_residue[upcard, o, i] = [
                    alive.numerator * pow(alive.denominator, -1, p) % p for p in primes
                ]
            if fits[NATURAL]:
                behind = _less(base, ACE, TEN)
                self.dealer[upcard, o] = _against((evaluator, self.plain), self.length, upcard, behind)
            for c in range(CLASSES):
                if base[c] >= 2 and rules.hands_of(c) > 1 and size:
                    policies[c].append((o, _less(base, c, c), solver.post_split(upcard, c, values)))
        for c in range(CLASSES):
            if policies[c]:
                self._splits(evaluator, upcard, c, policies[c])

    def _splits(
        self, evaluator: Evaluator, upcard: int, pair: int, policies: Sequence[tuple[int, list[int], Ints]]
    ) -> None:
        """Splits of one pair: in doubles all of them, exactly those that may be best."""
        family, rules, hand = hands_with(pair), self.rules, int(INDEX[pair, pair])
        may, alone = evaluator.may_of(family), len(family.members) - 1
        for o, behind, policy in policies:
            need = evaluator.mark(family, policy, [alone])
            at = (upcard, o, hand)
            rough = _split(evaluator, rules, upcard, pair, behind, policy, need, may, False)
            if rough.value < self.value[at] - MARGIN:
                continue
            found = _split(evaluator, rules, upcard, pair, behind, policy, need, may, True)
            if rough.value < self.value[at] + MARGIN:
                self.exact_choices[upcard] += 1
                exact = scale(sum(behind), self.length, evaluator.moduli)
                if exact.integer(found.residue) <= exact.integer(self.residue[at]):
                    continue
            self.value[at], self.best[at], self.extra[at] = found.value, SPLIT, found.extra
            self.residue[at] = found.residue
            self.extra_residue[at] = found.extra_residue

    def hands(self) -> Hands:
        return Hands(
            self.value, self.best, self.extra, self.residue, self.extra_residue, self.dealer, self.play,
            sum(self.exact_choices),
        )


# ---- the round


def _exchanges(solution: Solution) -> tuple[Ints, int, int]:
    """Where an exchange is worth more: the table, how many were settled exactly, how many were ties."""
    found = np.zeros((CLASSES,) * 5, bool)
    a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
    other_hands = (a1 != b1) & (a2 != b2)
    exact, ties = 0, 0
    size = solution.size - 5
    early = solution.rules.exchange == "before-the-look"
    for u in range(CLASSES):
        possible = (solution.ways(u) > 0) & other_hands
        if not possible.any():
            continue
        kept, switched = solution.worth(u, False), solution.worth(u, True)
        taken = (solution.lost(True) - solution.lost(False)) * solution.holes(u)
        with np.errstate(invalid="ignore"):
            gain = switched - kept - (taken / size if early else 0)
        found[u] = possible & (gain > MARGIN)
        for cards in np.argwhere(possible & (np.abs(gain) <= MARGIN)):
            place = tuple(int(c) for c in cards)
            more = solution.exact_worth(u, place, True) - solution.exact_worth(u, place, False)
            if early:
                more -= Fraction(int(taken[place]), size)
            exact += 1
            ties += more == 0
            found[(u, *place)] = more > 0
    return found, exact, ties


def valued(solution: Solution, switch: Ints) -> Round:
    """The exact round where ``switch[upcard, a1, a2, b1, b2]`` says which cards are exchanged."""
    rules, size, hands = solution.rules, solution.size, solution.hands
    early = rules.exchange == "before-the-look"
    primes = PRIMES[: solution.moduli]
    sums = [[0] * len(primes), [0] * len(primes)]
    extra = [0] * len(primes)
    bare = [0, 0]  # what dealer's blackjacks take, over perm(size, 6)
    share, first = [0, 0], {DOUBLE: 0, SPLIT: 0}
    deals = perm(size, 5)
    for u in range(CLASSES):
        ways = solution.ways(u)
        if not ways.any():
            continue
        holes = solution.holes(u)
        for way in (FIRST, SECOND):
            taken = ways * (switch[u] == bool(way))
            one, two = _dealt(bool(way))
            uses = np.zeros((len(PAIRS), len(PAIRS)), np.int64)
            alive = np.zeros_like(uses)
            for hand, other in ((one, two), (two, one)):
                np.add.at(uses, (other, hand), taken)
                np.add.at(alive, (other, hand), taken * (size - 5 - holes))  # below 2^44 × 2^9 each, 2^61 in all
            for choice in first:
                first[choice] += int(alive[hands.best[u] == choice].sum())
            safe = way == FIRST or rules.switched_blackjack == "blackjack"
            lost = solution.lost(bool(way) and early)
            bare[way if early else FIRST] -= sum((taken * holes * lost).ravel().tolist())
            share[way] += sum((taken * (size - 5 - (0 if early else holes))).ravel().tolist())
            used = np.argwhere(uses)
            for o, i in used:
                n = int(uses[o, i])
                residue = solution.natural_residue[u, o] if safe and i == NATURAL else hands.residue[u, o, i]
                more = hands.extra_residue[u, o, i] if hands.best[u, o, i] in (DOUBLE, SPLIT) else None
                for q, p in enumerate(primes):
                    sums[way][q] = (sums[way][q] + n * int(residue[q])) % p
                    if more is not None:
                        extra[q] = (extra[q] + n * int(more[q])) % p
    # A mean over perm(size, 5) deals of values over perm(size - 5, length).
    whole = scale(size, solution.length + 5, solution.moduli)

    def exact(total: Sequence[int]) -> Fraction:
        mean = [n * pow(deals, -1, p) % p for n, p in zip(total, primes, strict=True)]
        return Fraction(whole.integer(mean), whole.denominator)

    six = perm(size, 6)
    net = [exact(sums[way]) + Fraction(bare[way], six) for way in (FIRST, SECOND)]
    switched = Fraction(share[SECOND], six)
    return Round(
        (net[FIRST], net[SECOND]), (1 - switched, switched), exact(extra),
        Fraction(first[DOUBLE], six), Fraction(first[SPLIT], six),
    )


@cached("hands of Blackjack Switch beside other hands", most=4)
def _hands(house: HouseRules, counts: Composition) -> tuple[Hands, int, Evaluator]:
    """All hands, the length of their scale and what valued them; the rules for blackjacks bear on none."""
    size = sum(counts)
    pips = sum(v * n for v, n in enumerate(counts, 1))
    if pips < 2 * 31 * house.max_hands + 27:
        raise fault(f"a shoe of {size} card(s) can run out within a round", "leave more cards in it", file="--without")
    hands = player_hands()
    fits = (hands.cards <= np.array(counts)).all(1)
    longest = max(dealer_tree(u, house.hits_soft_17).longest for u in range(CLASSES))
    length = most_gone(MOST_HANDS) + int(hands.size[fits].max()) + longest + 1
    evaluator = Evaluator(house.played, size, moduli_for(size, length + 5))
    evaluator.trees[ACE].check(counts)
    table = _Table(house, counts, evaluator, length)
    upcards = [u for u in range(CLASSES) if counts[u]]

    def fill(start: int, stop: int, _: Any) -> None:
        for u in upcards[start:stop]:
            table.fill(u)

    sweep(fill, len(upcards), tuple, chunk=1, label="hands beside hands")
    return table.hands(), length, evaluator


def _naturals(rules: SwitchRules, hands: Hands, whole: int, primes: Sequence[int]) -> tuple[Ints, Ints]:
    """The value of a blackjack that was dealt, joint with "no dealer blackjack", and its residues."""
    value = np.full((CLASSES, len(PAIRS)), -np.inf)
    residue = np.zeros((CLASSES, len(PAIRS), len(primes)), np.uint64)
    pays = rules.blackjack_pays
    for key, (alive, twenty_one, twenty_two) in hands.dealer.items():
        other = alive - twenty_one - (twenty_two if rules.blackjack_against_22 == "pushes" else 0)
        n, d = other * pays.numerator + twenty_one * pays.denominator, whole * pays.denominator
        value[key] = n / d
        residue[key] = [n * pow(d, -1, p) % p for p in primes]
    return value, residue


@cached("best play of Blackjack Switch by rules and shoe", most=16)
def solved(rules: SwitchRules, counts: Composition) -> Solution:
    """Best play of a shoe (cards by class); raises `InputError` for one that can run out within a round."""
    hands, length, evaluator = _hands(rules.hands, counts)
    size = sum(counts)
    whole = scale(size - 5, length, evaluator.moduli)
    natural, residue = _naturals(rules, hands, whole.denominator, PRIMES[: evaluator.moduli])
    open_ = Solution(
        rules, counts, hands, natural, residue, length, evaluator.moduli, np.zeros((CLASSES,) * 5, bool), 0, 0,
        evaluator,
    )
    switch, exact, ties = _exchanges(open_)
    return replace(open_, switch=switch, exact_switches=exact, ties=ties)


@cached("rounds without an exchange", most=16)
def _never(rules: SwitchRules, counts: Composition) -> Round:
    solution = solved(rules, counts)
    return valued(solution, np.zeros_like(solution.switch))


def never(solution: Solution) -> Round:
    """The same play of the hands, and cards never exchanged."""
    return _never(solution.rules, solution.counts)
