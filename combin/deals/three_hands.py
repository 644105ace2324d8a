"""Three hands dealt from one deck, counted suit by suit.

`Pack.suit` counts the ways to deal one suit to the three hands, by a trait of each: what matters of one suit for a
hand. Four suits are convolved (`Pack.count`). For a hand bounded by its length the trait is its number of cards of a
suit. For a listed hand, masks that the same other cards complete have one trait. A dozen traits are enough for
thousands of hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial
from typing import Any, TypeAlias

import numpy as np

from .._kernels import load

Array: TypeAlias = "np.ndarray[Any, Any]"


@dataclass(frozen=True)
class Hands:
    """A set of hands, described by a trait of their cards in each suit.

    The first ``free`` traits represent all masks of 0, 1, … cards. ``masks`` are others, with their ``traits``.
    """

    free: int
    masks: Array
    traits: Array
    sizes: Array  # [trait]: cards
    halves: Array  # int32[trait][trait]: the half of two suits; -1 for none
    fits: Array  # int64[half][half]: 1 if two halves form a hand of the set

    @cached_property
    def inside(self) -> Array:
        """``[mask]`` of the ranks in ``masks``: the number of masks that are subsets of it."""
        ranks = int(self.masks.max()).bit_length()
        subsets = np.bincount(self.masks, minlength=2**ranks)
        for rank in range(ranks):
            with_rank = subsets.reshape(-1, 2, 2**rank)
            with_rank[:, 1] += with_rank[:, 0]
        return subsets


#: Any hand of the cards that the other two leave; `Pack.count` deals it last.
ANY = Hands(1, np.zeros(0, int), np.zeros(0, int), np.zeros(1, int), np.zeros((1, 1), np.int32), np.ones((1, 1), int))


def listed(hands: Sequence[tuple[int, ...]]) -> Hands:
    """Return hands given as ascending masks of their four suits, and their images under permutations of suits.

    Masks that the same others complete have one trait, and so have halves that the same halves complete.
    """
    wanted: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for hand in hands:
        for i, mask in enumerate(hand):
            wanted[mask].add((*hand[:i], *hand[i + 1 :]))
    names: dict[Any, int] = {}
    trait = {m: names.setdefault((m.bit_count(), frozenset(rest)), len(names)) for m, rest in wanted.items()}
    sizes = np.array([size for size, _ in names])
    complements: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for word in {tuple(trait[m] for m in hand) for hand in hands}:
        for i, j, k, n in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
            pairs = [(min(pair), max(pair)) for pair in ((word[i], word[j]), (word[k], word[n]))]
            complements[pairs[0]].add(pairs[1])
            complements[pairs[1]].add(pairs[0])
    kinds: dict[frozenset[tuple[int, int]], int] = {}
    halves = np.full((len(names), len(names)), -1, np.int32)
    for (a, b), others in complements.items():
        halves[a, b] = halves[b, a] = kinds.setdefault(frozenset(others), len(kinds))
    fits = np.zeros((len(kinds), len(kinds)), np.int64)
    for completed, kind in kinds.items():
        for a, b in completed:
            fits[kind, halves[a, b]] = 1
    return Hands(0, np.array(list(trait)), np.array(list(trait.values())), sizes, halves, fits)


@dataclass(frozen=True)
class Pack:
    """A deck of four suits of ``ranks`` ranks, from which three hands of ``cards`` cards are dealt."""

    ranks: int
    cards: int

    @property
    def deals(self) -> int:
        size, n = 4 * self.ranks, self.cards
        return comb(size, n) * comb(size - n, n) * comb(size - 2 * n, n)

    def by_size(self, free: int, masks: Sequence[int] = (), size: int = 0) -> Hands:
        """Return all hands of fewer than ``free`` cards in each suit, and of ``masks``, which have ``size`` cards."""
        sizes = np.array([*range(free), size] if masks else range(free))
        total = sizes[:, None] + sizes
        halves = np.where(total <= self.cards, total, -1).astype(np.int32)
        fits = np.eye(self.cards + 1, dtype=np.int64)[::-1]
        return Hands(free, np.array(masks, int), np.full(len(masks), free), sizes, halves, fits)

    def suit(self, *three: Hands) -> Array:
        """Return ways to deal one suit to three hands, by their traits."""
        named = [h.sizes * (np.arange(len(h.sizes)) >= h.free) for h in three]
        free = [h.sizes - some for h, some in zip(three, named, strict=True)]
        left = self.ranks - np.add.outer(np.add.outer(*named[:2]), named[2])  # ranks that no listed mask uses
        after = left - np.add.outer(np.add.outer(*free[:2]), free[2])
        ways = np.array([factorial(n) for n in range(max(self.ranks, self.cards) + 1)])
        deals = np.where(after >= 0, ways[np.maximum(left, 0)] // ways[np.maximum(after, 0)], 0)
        deals //= ways[free[0]][:, None, None] * ways[free[1]][:, None] * ways[free[2]]  # a multinomial coefficient
        return np.ascontiguousarray(deals * self._listed(three))

    def _listed(self, three: Sequence[Hands]) -> Array:
        """Return ways to give the listed masks of these traits without a common rank; 1 for free traits only."""
        one, two, third = three
        marks = [np.eye(len(h.sizes), dtype=float)[h.traits] for h in three]  # [mask][trait]
        clear = {(i, j): ((three[i].masks[:, None] & three[j].masks) == 0).astype(float)
                 for i, j in ((0, 1), (0, 2), (1, 2))}
        listed_ways = np.ones([len(h.sizes) for h in three])
        a, b, c = (slice(h.free, None) for h in three)
        x, y, z = (slice(0, h.free) for h in three)
        listed_ways[a, y, z] = marks[0].sum(0)[a, None, None]
        listed_ways[x, b, z] = marks[1].sum(0)[None, b, None]
        listed_ways[x, y, c] = marks[2].sum(0)[None, None, c]
        listed_ways[a, b, z] = (marks[0].T @ clear[0, 1] @ marks[1])[a, b, None]
        listed_ways[a, y, c] = (marks[0].T @ clear[0, 2] @ marks[2])[a, None, c]
        listed_ways[x, b, c] = (marks[1].T @ clear[1, 2] @ marks[2])[None, b, c]
        if third.masks.size:  # of one trait
            left = 2**self.ranks - 1 - (one.masks[:, None] | two.masks)
            ways = clear[0, 1] * third.inside[left % len(third.inside)]
            listed_ways[a, b, c] = (marks[0].T @ ways @ marks[1])[a, b, None]
        return listed_ways.astype(np.int64)  # at most 4^13 ways, exact as floats

    def count(self, *three: Hands) -> int:
        """Return deals of three hands, one of each set."""
        suit = self.suit(*three)
        pair = combined(suit, suit, three)
        deals = joined(pair, pair, three)
        for n in range(sum(h is not ANY for h in three), 3):
            deals *= comb(4 * self.ranks - n * self.cards, self.cards)
        return deals


def combined(one: Array, other: Array, three: Sequence[Hands]) -> Array:
    """Return ways to deal two suits to three hands, by halves, from the ways to deal each suit."""
    ways = np.zeros([len(h.fits) for h in three], np.int64)
    load("suit_pairs").combine(one, other, *(h.halves for h in three), ways)
    return ways


def joined(one: Array, other: Array, three: Sequence[Hands]) -> int:
    """Return deals of four suits, from two halves."""
    for axis, h in enumerate(three):
        other = np.moveaxis(np.tensordot(h.fits, other, (1, axis)), 0, axis)
    if one.size >= 2**15:
        return int((one.astype(object) * other).sum())
    # The sum is at most 52! / (7!^3 31!) < 2^77. In parts above and below 24 bits, high by high sums to at most 2^29,
    # high by low to 2^53, and low by low to 2^48 per entry.
    (high, low), (other_high, other_low) = np.divmod(one, 2**24), np.divmod(other, 2**24)
    return sum(int(np.vdot(x, y)) << bits for x, y, bits in (
        (high, other_high, 48), (high, other_low, 24), (low, other_high, 24), (low, other_low, 0)))
