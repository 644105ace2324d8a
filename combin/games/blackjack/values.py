"""Values of hands: the kernel's doubles for decisions, its residues for exact fractions.

A choice is made in double precision if the difference exceeds the margin, and
otherwise exactly. The error: the dealer's distribution is a sum of exact integers, each
rounded once (2^-52) and multiplied by a rounded 1 / perm(n, k) (2^-53 more); the parts
of a value of standing add up to at most 2, so it is wrong by less than 2^-49. One
card more averages values with weights that sum to 1 and rounds each of its ten terms
about three times, which adds less than 2^-47 for values up to 2. No hand takes more than
twenty cards more, so every value is wrong by less than 2^-42 (2.3e-13). `MARGIN` is
2^-36, sixty times that. A wrong choice within the margin changes earlier values by less
than the error, so decisions outside the margin stay valid.

An exact value is an integer over perm(n, k), where n cards are unseen and no round takes
more than k of them. The residues determine it if the product of the primes is greater than
twice its bound; one further prime detects a wrong denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import perm, prod
from operator import mul
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.errors import CountError, fault
from .bonuses import Bonus
from .hands import (
    ACE,
    BLACKJACK,
    BONUS_ROW,
    BUST,
    CHARLIE_ROW,
    CLASSES,
    HOLE,
    OUTCOMES,
    PUSH_22,
    ROWS,
    DealerTree,
    Ints,
    dealer_tree,
    player_hands,
    steps,
)
from .rules import DOUBLES, HouseRules

#: The greatest primes below 2^62.
PRIMES = tuple((1 << 62) - k for k in (57, 87, 117, 143, 153, 167, 171, 195, 203, 273))
MARGIN = 2.0**-36
#: No value in wagers, and no square of one, is larger.
MOST_VALUE = 64
STAND, HIT, DOUBLE, DOUBLED = range(4)
MAY_HIT, MAY_DOUBLE = 1, 2
NEED_STAND, NEED_DOUBLED, NEED_VALUE, NEED_ALL = 1, 2, 4, 8
_WORD = 1 << 64


@dataclass(frozen=True)
class Field:
    """Reciprocals of falling factorials for shoes of up to ``size`` cards, as doubles and modulo the primes."""

    size: int
    longest: int
    moduli: int
    weight: Ints = field(repr=False)
    primes: Ints = field(repr=False)
    inverse: Ints = field(repr=False)


@cached("reciprocals of falling factorials", most=8)
def reciprocals(size: int, longest: int, moduli: int) -> Field:
    weight = np.zeros((size + 1, longest + 1))
    inverse = np.zeros((moduli, size + 1, longest + 1), np.uint64)
    for n in range(size + 1):
        for k in range(min(n, longest) + 1):
            weight[n, k] = 1 / perm(n, k)
    for q, p in enumerate(PRIMES[:moduli]):
        scale = _WORD * _WORD % p
        ones = [0, *(pow(n, -1, p) for n in range(1, size + 1))]
        for n in range(size + 1):
            value = scale
            for k in range(min(n, longest) + 1):
                inverse[q, n, k] = value
                value = value * ones[n - k] % p
    primes = np.array([[p, -pow(p, -1, _WORD) % _WORD] for p in PRIMES[:moduli]], np.uint64).reshape(moduli, 2)
    return Field(size, longest, moduli, weight, primes, inverse)


@dataclass(frozen=True)
class Scale:
    """Integers over ``denominator`` from the residues of values in units: it is perm(n, k) times the unit.

    A value is at most ``most`` wagers.
    """

    denominator: int
    moduli: int
    unit: int = 1
    most: int = MOST_VALUE

    @cached_property
    def _parts(self) -> tuple[int, ...]:
        """Return for each prime the numerator modulo the primes' product with residue 1 there and 0 elsewhere."""
        whole, numerator = self._whole, self.denominator // self.unit
        primes = PRIMES[: self.moduli]
        return tuple(numerator * (whole // p) * pow(whole // p, -1, p) % whole for p in primes)

    @cached_property
    def _whole(self) -> int:
        return prod(PRIMES[: self.moduli])

    def integer(self, residues: Sequence[int] | Ints, bound: int | None = None) -> int:
        """Return the numerator whose value modulo the primes is ``residues``; its size is at most ``bound`` wholes."""
        given = residues.tolist() if isinstance(residues, np.ndarray) else residues
        if len(given) != self.moduli:
            raise CountError(f"a value has {len(given)} residues instead of {self.moduli}")
        numerator = sum(map(mul, given, self._parts)) % self._whole
        if 2 * numerator > self._whole:
            numerator -= self._whole
        if abs(numerator) > (bound or self.most) * self.denominator:
            raise CountError("the denominator of a value is wrong: no small numerator has these residues")
        return numerator


@cached("scales of exact values", most=512)
def scale(size: int, length: int, moduli: int, unit: int = 1, most: int = MOST_VALUE) -> Scale:
    return Scale(perm(size, min(size, length)) * unit, moduli, unit, most)


def moduli_for(size: int, length: int, unit: int = 1) -> int:
    """Return the number of primes that determine a value bounded by 64 ``unit``s over perm(size, length), plus one."""
    return -(-((perm(size, min(size, length)) * unit).bit_length() + 8) // 61) + 1


def key_of(cards: Sequence[int] | Ints) -> Ints:
    """Return numbers of cards by class (the last axis) as the keys of the dealer's distributions that are kept."""
    keys: Ints = np.asarray(cards, np.uint64) @ np.array([1 << 6 * c for c in range(CLASSES)], np.uint64)
    return keys


@dataclass(frozen=True)
class Family:
    """Hands as the kernel reads them: all of two cards and more, or those that begin with one card."""

    members: Ints  # indices in the table of all hands; -1 is the single card
    cards: Ints
    child: Ints
    place: dict[int, int] = field(repr=False)
    last: int  # the class that the dealer's distributions of these hands multiply last

    @cached_property
    def walk(self) -> Ints:
        """Return the hands in the order in which most distributions of the dealer repeat all but the last step."""
        return np.lexsort(self.cards.T[steps(self.last)[::-1]]).astype(np.int32)

    def own(self, values: Ints) -> Ints:
        """Return an array over all hands, restricted to this family; 0 for the single card."""
        return np.append(values, values.dtype.type(0))[self.members]


@cached("the family of all hands", most=1)
def all_hands() -> Family:
    hands = player_hands()
    every = np.arange(len(hands))
    return Family(every, hands.cards, hands.child, {int(i): int(i) for i in every}, ACE)


@cached("families of hands with a card", most=10)
def hands_with(card_class: int) -> Family:
    """Return the hands with a card of the class, and last the single card with which a hand of a split begins."""
    hands = player_hands()
    members = np.flatnonzero(hands.cards[:, card_class] > 0)
    place = {int(i): j for j, i in enumerate(members)}
    child = np.full((len(members) + 1, CLASSES), -1, np.int32)
    for j, i in enumerate(members):
        for c in range(CLASSES):
            if hands.child[i, c] >= 0:
                child[j, c] = place[int(hands.child[i, c])]
    alone = np.zeros(CLASSES, np.int8)
    alone[card_class] = 1
    for c in range(CLASSES):
        child[-1, c] = place[hands.two(card_class, c)]
    cards = np.ascontiguousarray(np.vstack([hands.cards[members], alone]))
    return Family(np.append(members, -1), cards, child, place, card_class)


def _result(rules: HouseRules, row: int, outcome: int) -> int:
    """Return the result of a hand that is not busted: 1 win, 0 push or "no such outcome", -1 loss."""
    if outcome == BLACKJACK and rules.looks:
        return 0
    if row == CHARLIE_ROW:
        return 1 if outcome != BLACKJACK or rules.charlie_blackjack else -1
    if outcome == BLACKJACK:
        return -1
    if outcome == PUSH_22:
        return 0 if rules.push_22 else 1
    if outcome == BUST:
        return 1
    if row == outcome + 17:
        return 1 if row >= rules.ties_won else -1 if row <= rules.ties_lost else 0
    return 1 if row > outcome + 17 else -1


@cached("rewards by house rules", most=64)
def rewards(rules: HouseRules, kinds: tuple[str, ...]) -> tuple[Ints, Ints]:
    """Return (rewards, 2, 30, 12) and (rewards, 2), in units: the reward of a hand by row, and that of a busted hand.

    Kinds: ``net`` result in wagers, ``one`` for each hand, ``doubled``, ``lost`` with one wager or two,
    ``win``, ``loss``, ``double win``, ``double loss`` as events, and those of `bonus_kinds`: hands of certain cards
    that have won or would win, paid or not.
    """
    unit = rules.unit
    table = np.zeros((len(kinds), 2, ROWS, OUTCOMES), np.int32)
    bust = np.zeros((len(kinds), 2), np.int32)

    def amount(kind: str, doubled: int, sign: int) -> int:
        net = sign * (1 + doubled)
        events = {"win": (0, 1), "loss": (0, -1), "double win": (1, 1), "double loss": (1, -1)}
        if kind in events:
            return int(events[kind] == (doubled, sign))
        return {"net": net, "one": 1, "doubled": doubled, "lost": int(sign < 0)}.get(kind, 0)

    def of_bonus(kind: str, number: int, outcome: int) -> int:
        bonus, plain = rules.bonuses[number], _result(rules, 21, outcome)
        if kind == bonus_kind(number):
            return unit * (outcome != BLACKJACK)
        if outcome == BLACKJACK:
            return unit * amount(kind, 0, plain)
        paid = bonus.mean if kind == "net" else bonus.paid * amount(kind, 0, 1)
        return int(unit * (paid + (1 - bonus.paid) * amount(kind, 0, plain)))

    for k, kind in enumerate(kinds):
        for d in range(2):
            bust[k, d] = unit * amount(kind, d, -1)
            for row in range(ROWS):
                for outcome in range(OUTCOMES):
                    if not (outcome == BLACKJACK and rules.looks):
                        bonus = row - BONUS_ROW
                        table[k, d, row, outcome] = (
                            of_bonus(kind, bonus, outcome) if not d and 0 <= bonus < len(rules.bonuses) else
                            unit * amount(kind, d, _result(rules, min(row, 21) if bonus >= 0 else row, outcome)))
    return table, bust


def bonus_kind(number: int) -> str:
    """Return the kind of reward that counts the hands of a bonus."""
    return f"bonus {number}"


def bonus_kinds(rules: HouseRules) -> tuple[str, ...]:
    """Return the kinds of reward that count the hands of each bonus."""
    return tuple(map(bonus_kind, range(len(rules.bonuses))))


@dataclass(frozen=True)
class Values:
    """The kernel's results for one family against one upcard."""

    family: Family
    choice: Ints
    value: Ints  # (hands, 4, rewards)
    residue: Ints  # (hands, 4, rewards, primes)


def _paid_by(bonus: Bonus) -> Ints:
    """Return whether a bonus pays each hand."""
    hands = player_hands()
    if bonus.cards:
        return (hands.cards == np.bincount(bonus.cards, minlength=CLASSES)).all(1)
    return (hands.total == 21) & (hands.size >= bonus.least) & (hands.size <= bonus.most)


class Evaluator:
    """Values of hands under one set of house rules, from any shoe of up to ``size`` cards."""

    def __init__(self, rules: HouseRules, size: int, moduli: int) -> None:
        hands = player_hands()
        self.rules = rules
        self.hole: tuple[int, int] | None = None
        self.hands = hands
        self.moduli = moduli
        self.field = reciprocals(size, max(3, *(self.tree(u).longest for u in range(CLASSES))), moduli)
        self.unit, self.most = rules.unit, MOST_VALUE * rules.most_odds
        greatest = self.unit * max(2, rules.most_odds)
        # The kernel's sums of rewards, and the rewards.
        if greatest >= 1 << 31 or perm(size, min(size, self.field.longest)) * greatest >= 1 << 125:
            if any(len(set(copies)) > 1 for bonus in rules.bonuses for copies in bonus.copies):
                raise fault("the suits of the shoe differ too much for exact bonuses",
                            "remove cards of all suits alike", file="--without")
            raise fault("the pays of the bonuses are too high, or their fractions too fine, for exact figures",
                        "give lower or rounder pays")
        charlie = (hands.size >= rules.charlie) if rules.charlie else np.zeros(len(hands), bool)
        self.row = np.where(charlie, CHARLIE_ROW, hands.total).astype(np.uint8)
        for number, bonus in enumerate(rules.bonuses):
            self.row[_paid_by(bonus)] = BONUS_ROW + number
        # Every card busts a hard 21; a soft 21 may be worth drawing to.
        ends = charlie | (hands.hard == 21) | (self.row >= BONUS_ROW)
        totals = DOUBLES[rules.double]
        doubles = ~ends & ((hands.size == 2) | (rules.double_cards == "any"))
        if rules.double != "any":
            doubles &= np.isin(hands.hard, list(totals)) & ~hands.soft
        elif not rules.soft_doubles:
            doubles &= ~hands.soft
        self.may = (np.where(ends, 0, MAY_HIT) | np.where(doubles, MAY_DOUBLE, 0)).astype(np.uint8)
        self.kept: dict[int, Any] = {}
        self._evaluate = load("blackjack").evaluate
        self._mark = load("blackjack").mark

    def keeping(self, upcard: int, most: int) -> Evaluator:
        """Return this evaluator with the dealer's distributions kept for up to ``most`` sets of cards left.

        It is for one thread.
        """
        evaluator = copy(self)
        evaluator.kept = {upcard: load("blackjack").Kept(most)}
        return evaluator

    def learn(self, upcard: int, keys: Ints) -> None:
        """Compute the dealer's distributions for these cards left (`key_of`) at once, in the cheapest order."""
        tree = self.tree(upcard)
        self.kept[upcard].learn(np.sort(keys), tree, self.field.longest)

    def standing(self, base: Sequence[int], family: Family, need: Ints, further: int = 0) -> Ints:
        """Return the keys of the cards left behind the hands that stand, of those that `mark` marked.

        Also those after each of up to ``further`` more cards of the family's last class.
        """
        stand = np.flatnonzero(need & (NEED_STAND | NEED_DOUBLED))
        left = np.array(base) - family.cards[stand]
        left = left[(left >= 0).all(1)]
        gone = np.arange(further + 1)
        fits = left[:, family.last, None] >= gone
        return (key_of(left)[:, None] - (gone.astype(np.uint64) << np.uint64(6 * family.last)))[fits]

    def seeing(self, upcard: int, hole: int) -> Evaluator:
        """Return this evaluator for a known hole card, which is then out of the shoe and makes no blackjack."""
        evaluator = copy(self)
        evaluator.kept, evaluator.hole = {}, (upcard, hole)
        return evaluator

    def scale(self, size: int, length: int) -> Scale:
        """Return the scale of values in units over perm(size, length)."""
        return scale(size, length, self.moduli, self.unit, self.most)

    def tree(self, upcard: int, last: int = ACE) -> DealerTree:
        """Return the dealer's final hands behind an upcard."""
        hole = self.hole[1] if self.hole is not None and self.hole[0] == upcard else None
        return dealer_tree(upcard, self.rules.hits_soft_17, hole, last)

    def peek(self, upcard: int) -> int:
        """Return the hole card's class that would make a blackjack if play assumes that there is none; else -1."""
        if self.hole is not None:
            return -1
        return HOLE.get(upcard, -1) if self.rules.looks else -1

    def may_of(self, family: Family) -> Ints:
        """Return the choices that the rules allow the hands of a family; a single card takes its second one."""
        may = family.own(self.may)
        may[family.members < 0] = MAY_HIT
        return may

    def run(
        self,
        upcard: int,
        base: Sequence[int],
        family: Family,
        *,
        choice: Ints | None = None,
        need: Ints | None = None,
        may: Ints | None = None,
        kinds: tuple[str, ...] = ("net",),
        moduli: int | None = None,
        tree: DealerTree | None = None,
        reward_table: tuple[Ints, Ints] | None = None,
    ) -> Values:
        """Return best play of the family, or the value of the given play ``choice`` (over the family).

        ``base`` are the cards left by class, without the upcard and with the family's hands.
        ``tree`` may divide the dealer's outcomes further; ``reward_table`` may replace ``kinds``.
        """
        kept = self.kept.get(upcard) if tree is None else None
        # Distributions that are kept need no tree of their own order.
        tree = tree or self.tree(upcard, family.last if kept is None else ACE)
        count = len(family.members)
        primes = self.moduli if moduli is None else moduli
        reward, bust = reward_table or rewards(self.rules, kinds)
        follow = choice is not None
        # The kernel writes into its choices, and a given play may be read-only.
        chosen = np.zeros(count, np.int8) if choice is None else np.array(choice, np.int8)
        value = np.zeros((count, 4, len(bust)))
        residue = np.zeros((count, 4, len(bust), primes), np.uint64)
        self._evaluate(
            np.array(base, np.int32),
            family.cards,
            family.own(self.row),
            family.child,
            family.walk,
            tree,
            self.peek(upcard),
            reward,
            bust,
            self.may_of(family) if may is None else may,
            np.full(count, NEED_VALUE | NEED_ALL, np.uint8) if need is None else need,
            follow,
            chosen,
            self.field.weight,
            self.field.primes[:primes],
            self.field.inverse[:primes],
            value,
            residue,
            kept,
        )
        if self.unit > 1:
            value /= self.unit
        return Values(family, chosen, value, residue)

    def mark(self, family: Family, choice: Ints, starts: Sequence[int]) -> Ints:
        """Return the hands that a play of ``choice`` reaches from these hands of the family, for `run`."""
        need = np.zeros(len(family.members), np.uint8)
        need[list(starts)] = NEED_VALUE
        self._mark(family.child, choice, need)
        return need
