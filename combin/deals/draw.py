"""Drawn-out hands: a stopping rule becomes an exact table of final hands.

Cards are divided into classes, for example the ten values of blackjack. A shoe is the number of cards left in each
class. A rule updates a state card by card and decides when the hand is complete. The number of draw orders of a
composition depends only on the rule, and is counted once per rule. A shoe then gives each composition the weight
``orders x falling factorials of its class counts``. Short hands are extended to the length of the longest one, so that
all weights have one denominator. Cards are drawn without replacement. Weights outgrow 64 bits and are Python integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm, prod
from operator import getitem
from struct import Struct
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..base.caches import cached
from ..base.errors import CountError, closed, fault

Composition = tuple[int, ...]
"""Number of cards of each class in a hand."""

OPEN_HANDS_MAX = 50_000
CLASS_BITS = 16  # a composition is packed into one integer
MOST_CARDS = 4095  # 64 decks are 3,328 cards


class StoppingRule(Protocol):
    """A rule that decides when to stop drawing, hashable since the draw orders of a rule are cached.

    A state contains everything that the rule and ``features`` need.
    """

    @property
    def start(self) -> Hashable:
        """The state before the first card."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the features."""

    def add(self, state: Any, card_class: int) -> Hashable:
        """Return the state after one more card."""

    def done(self, state: Any) -> bool:
        """Return whether the hand is complete."""

    def features(self, state: Any) -> tuple[int, ...]:
        """Return the features of a final hand in a table."""

    def __hash__(self) -> int: ...


class Finished(NamedTuple):
    """Draw orders that end in the same state with the same cards."""

    composition: Composition
    state: Any
    orders: int


@dataclass(frozen=True)
class FinishedHands:
    """Final hands: a row of small integers and an exact weight each.

    ``rows[i]`` follows ``columns``; its probability is ``weights[i] / denominator``. Raises `CountError` unless the
    weights sum to the denominator (closure).
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    denominator: int

    def __post_init__(self) -> None:
        closed("weights of final hands", sum(self.weights), self.denominator)
        if min(self.weights, default=0) < 0:
            raise CountError(f"a final hand has a negative weight: {min(self.weights)}")

    def weight(self, **wanted: int | Collection[int]) -> int:
        """Return the weight of the rows whose named columns have the given value, or one of the given values."""
        tests = [
            (self.columns.index(column), {value} if isinstance(value, int) else value)
            for column, value in wanted.items()
        ]
        return sum(
            weight
            for row, weight in zip(self.rows, self.weights, strict=True)
            if all(row[place] in values for place, values in tests)
        )

    def probability(self, **wanted: int | Collection[int]) -> Fraction:
        """Return the exact probability of those rows."""
        return Fraction(self.weight(**wanted), self.denominator)


def tabulate(
    columns: tuple[str, ...], weights: Mapping[tuple[int, ...], int], denominator: int
) -> FinishedHands:
    """Return a table of the possible rows, in ascending order."""
    rows = tuple(sorted(row for row, weight in weights.items() if weight))
    return FinishedHands(columns, rows, tuple(weights[row] for row in rows), denominator)


@cached("final hands, by drawing rule and first cards", most=256)
def finished_hands(rule: StoppingRule, classes: int, first: tuple[int, ...] = ()) -> tuple[Finished, ...]:
    """Return every final hand with its number of draw orders.

    ``first`` are the classes already dealt, in order; compositions do not include them. Raises `InputError` if the
    rule never ends.
    """
    steps: dict[Hashable, list[tuple[Hashable, bool]]] = {}

    def step(state: Hashable) -> list[tuple[Hashable, bool]]:
        after = [rule.add(state, card_class) for card_class in range(classes)]
        steps[state] = moves = [(state, rule.done(state)) for state in after]
        return moves

    state = rule.start
    for card_class in first:
        state = rule.add(state, card_class)
    if first and rule.done(state):
        return (Finished((0,) * classes, state, 1),)
    shifts = [CLASS_BITS * k for k in range(classes)]
    layer: dict[tuple[int, Hashable], int] = {(0, state): 1}
    ended: dict[tuple[int, Hashable], int] = defaultdict(int)
    for _ in range(MOST_CARDS):
        longer: dict[tuple[int, Hashable], int] = defaultdict(int)
        for (packed, state), orders in layer.items():
            moves = steps.get(state) or step(state)
            for shift, (after, done) in zip(shifts, moves, strict=True):
                (ended if done else longer)[packed + (1 << shift), after] += orders
        layer = longer
        if not layer or len(layer) > OPEN_HANDS_MAX:
            break
    if layer:
        raise fault(
            f"{rule} does not stop: more than {OPEN_HANDS_MAX} open hands, or {MOST_CARDS} cards",
            "give a rule that stops, or fewer classes of cards",
        )
    numbers = Struct(f"<{classes}H")
    return tuple(
        Finished(numbers.unpack(packed.to_bytes(numbers.size, "little")), state, orders)
        for (packed, state), orders in ended.items()
    )


def draw(rule: StoppingRule, counts: Sequence[int], first: tuple[int, ...] = ()) -> FinishedHands:
    """Return the exact distribution of final hands.

    ``counts`` are the cards left in the shoe by class after ``first`` are dealt. Raises `InputError` if the shoe can
    run out before the hand is complete.
    """
    counts = tuple(counts)
    size = sum(counts)
    table = finished_hands(rule, len(counts), first)
    longest = max((sum(hand.composition) for hand in table), default=0)
    falls = [[perm(count, k) for k in range(longest + 1)] for count in counts]
    by_length: dict[tuple[tuple[int, ...], int], int] = defaultdict(int)
    features = {state: rule.features(state) for state in {hand.state for hand in table}}
    for composition, state, orders in table:
        if ways := prod(map(getitem, falls, composition)):
            by_length[features[state], sum(composition)] += orders * ways
    reached = max((length for _, length in by_length), default=0)
    weights: dict[tuple[int, ...], int] = defaultdict(int)
    for (row, length), weight in by_length.items():
        weights[row] += weight * perm(size - length, reached - length)
    denominator = perm(size, reached)
    # If the weights fall short, some draws exhausted the shoe before the hand ended. For a hand that cannot need that
    # many cards, FinishedHands raises CountError.
    if size <= longest and sum(weights.values()) != denominator:
        raise fault(
            f"a shoe of {size} card(s) can run out before the hand is complete",
            "leave more cards in the shoe",
            file="--without",
        )
    return tabulate(rule.columns, weights, denominator)


def orders_of(hands: Sequence[Finished], wanted: Callable[[Any], bool]) -> dict[Composition, int]:
    """Return draw orders by composition, for hands with a wanted final state."""
    orders: dict[Composition, int] = defaultdict(int)
    for composition, state, number in hands:
        if wanted(state):
            orders[composition] += number
    return dict(orders)


def joint_by_second(
    first: Mapping[Composition, int], second: Mapping[Composition, int], counts: Sequence[int], length: int,
    players: int = 1,
) -> Iterator[tuple[Composition, int]]:
    """Yield the exact weight of each composition of the second of two hands from one shoe.

    ``first`` and ``second`` map compositions to draw orders; each of the ``players`` has a first hand, and p has the
    cards of all. A pair (p, d) has the weight ``orders(p) orders(d) prod falling(count, p + d)``, extended to
    ``length`` cards. The denominator is ``perm(sum(counts), length)``; no pair may be longer. The sum over p is taken
    class by class: first hands that differ only in the summed classes are merged, and second hands that agree in these
    classes share the sums.
    """
    if not first:
        return
    size, hands = sum(counts), np.array([(sum(p), *p) for p in first])
    dims = tuple(players * hands.max(axis=0) + 1)
    one = keys = np.ravel_multi_index(tuple(hands.T), dims)
    # A 20 has fewer than 2**20 orders, and at most 3 with two cards: three players stay below 2**60 orders, 39 with two
    # cards below 2**63. It has at most 20 // value cards of a value: numpy refuses keys from 2**63 on, which need 19.
    orders = weights = np.array(list(first.values()), np.int64)
    for player in range(players):
        if player:
            keys, weights = np.add.outer(one, keys).ravel(), np.multiply.outer(orders, weights).ravel()
        order = np.argsort(keys)
        keys = keys[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        keys, weights = keys[starts], np.add.reduceat(weights[order], starts)
        held = (np.stack(np.unravel_index(keys, dims)[1:], axis=1) <= counts).all(axis=1)
        keys, weights = keys[held], weights[held]
    half = len(counts) // 2
    levels = []
    for block in (slice(half, len(counts)), *(slice(k, k + 1) for k in reversed(range(half)))):
        rest, block_keys = np.divmod(keys, prod(dims[1:][block]))
        block_keys, place = np.unique(block_keys, return_inverse=True)
        starts = np.flatnonzero(np.diff(rest, prepend=-1))
        keys = rest[starts]
        levels.append((block, np.stack(np.unravel_index(block_keys, dims[1:][block]), axis=1).tolist(), place, starts))
    lengths = keys.tolist()

    def beside(weights: np.ndarray, compositions: list[Composition], level: int) -> Iterator[tuple[Composition, int]]:
        if level == len(levels):
            [d] = compositions
            both = [p + sum(d) for p in lengths]
            yield d, second[d] * sum(w * perm(size - n, length - n) for w, n in zip(weights, both, strict=True) if w)
            return
        block, block_cards, place, starts = levels[level]
        for cards in sorted({d[block] for d in compositions}):
            ways = [prod(perm(n, c + e) for n, c, e in zip(counts[block], p, cards, strict=True)) for p in block_cards]
            summed = np.add.reduceat(weights * np.array(ways, object)[place], starts)
            yield from beside(summed, [d for d in compositions if d[block] == cards], level + 1)

    if len(keys):
        yield from ((d, weight) for d, weight in beside(weights.astype(object), list(second), 0) if weight)
