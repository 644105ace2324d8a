"""Two hands of High Card Flush against one dealer, dealt from one deck: the mean product of their net results.

Deals of three hands are counted suit by suit. `Play.suit` counts the ways to deal one suit to the three hands, by what
each hand tells apart of it; four suits are multiplied out (`Play.count`). Hands below a flush tell apart how many cards
of a suit they hold. A hand whose play depends on its other suits is in a list of hands: its masks are told apart only
where other cards complete them. A dozen traits are enough for the thousands of hands of one flush.

Few counts are needed, because the three hands are exchangeable: see `product`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise
from math import comb, factorial
from typing import Any, TypeAlias

import numpy as np

from ..._kernels import load
from ...base.errors import closed
from ...deals import cards
from . import solve

Array: TypeAlias = "np.ndarray[Any, Any]"
LOSE, TIE, WIN = range(3)


@dataclass(frozen=True)
class Hands:
    """A set of hands, told by a trait for what a hand holds of each suit.

    The first ``free`` traits stand for all masks of 0, 1, … cards. ``masks`` are others, with their ``traits``.
    """

    free: int
    masks: Array
    traits: Array
    sizes: Array  # [trait]: cards
    halves: Array  # int32[trait][trait]: the half that two suits make; -1 for none
    fits: Array  # int64[half][half]: 1 where two halves make a hand of the set

    @cached_property
    def inside(self) -> Array:
        """``[mask]`` of the ranks that ``masks`` have: how many of them lie within it."""
        ranks = int(self.masks.max()).bit_length()
        found = np.bincount(self.masks, minlength=2**ranks)
        for rank in range(ranks):
            with_rank = found.reshape(-1, 2, 2**rank)
            with_rank[:, 1] += with_rank[:, 0]
        return found


#: Any hand of the cards that the other two leave; `Play.count` deals it last, so that it has no card of a suit before.
ANY = Hands(1, np.zeros(0, int), np.zeros(0, int), np.zeros(1, int), np.zeros((1, 1), np.int32), np.ones((1, 1), int))


def listed(hands: Sequence[tuple[int, ...]]) -> Hands:
    """Hands as the masks of their four suits, ascending, and all that come of them by exchange of suits.

    Masks that the same others complete have one trait, and so have halves that the same halves complete.
    """
    wanted: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for hand in hands:
        for i, mask in enumerate(hand):
            wanted[mask].add((*hand[:i], *hand[i + 1 :]))
    names: dict[Any, int] = {}
    trait = {m: names.setdefault((m.bit_count(), frozenset(rest)), len(names)) for m, rest in wanted.items()}
    sizes = np.array([size for size, _ in names])
    made: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for word in {tuple(trait[m] for m in hand) for hand in hands}:
        for i, j, k, n in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
            pairs = [(min(pair), max(pair)) for pair in ((word[i], word[j]), (word[k], word[n]))]
            made[pairs[0]].add(pairs[1])
            made[pairs[1]].add(pairs[0])
    kinds: dict[frozenset[tuple[int, int]], int] = {}
    halves = np.full((len(names), len(names)), -1, np.int32)
    for (a, b), others in made.items():
        halves[a, b] = halves[b, a] = kinds.setdefault(frozenset(others), len(kinds))
    fits = np.zeros((len(kinds), len(kinds)), np.int64)
    for completed, kind in kinds.items():
        for a, b in completed:
            fits[kind, halves[a, b]] = 1
    return Hands(0, np.array(list(trait)), np.array(list(trait.values())), sizes, halves, fits)


@dataclass(frozen=True)
class Differing:
    """Hands of one best flush that are not played like most of it, and ``net[qualifies][result]`` of their play."""

    flush: int  # its number
    hands: Hands
    net: Array


@dataclass(frozen=True)
class Stretch:
    """Flushes of one play and one settlement, by number: from ``start``, below ``stop``."""

    start: int
    stop: int
    net: Array
    qualifies: bool


@dataclass(frozen=True)
class Play:
    """How hands are played and settled, by the number of the best flush.

    ``net[flush][qualifies][result]`` are integers. ``qualifies[flush]`` is said of a dealer.
    """

    ranks: int
    cards: int
    flushes: Array  # masks, ascending as flushes
    net: Array
    qualifies: Array
    differing: tuple[Differing, ...]

    @cached_property
    def deals(self) -> int:
        size, n = 4 * self.ranks, self.cards
        return comb(size, n) * comb(size - n, n) * comb(size - 2 * n, n)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """All flushes, cut where the play, the settlement or the dealer's qualification changes."""
        flat = np.column_stack((self.net.reshape(len(self.net), -1), self.qualifies))
        cuts = (np.flatnonzero((flat[1:] != flat[:-1]).any(axis=1)) + 1).tolist()
        return tuple(Stretch(start, stop, self.net[start], bool(self.qualifies[start]))
                     for start, stop in pairwise((0, *cuts, len(flat))))

    def gain(self, these: Differing, dealer: Stretch) -> int:
        """What these hands win over the others of their flush."""
        return _settled(these.net - self.net[these.flush], these.flush, dealer)

    # ---- sets of hands

    def below(self, flush: int) -> Hands:
        """All hands with a best flush below number ``flush``."""
        at_end = flush == len(self.flushes)
        top = self.cards + 1 if at_end else int(self.flushes[flush]).bit_count()
        masks = [m for m in self.flushes[:flush].tolist() if m.bit_count() == top]
        return self._by_size(top, masks, top)

    def _by_size(self, free: int, masks: Sequence[int], size: int) -> Hands:
        sizes = np.array([*range(free), size] if masks else range(free))
        total = sizes[:, None] + sizes
        halves = np.where(total <= self.cards, total, -1).astype(np.int32)
        fits = np.eye(self.cards + 1, dtype=np.int64)[::-1]
        return Hands(free, np.array(masks, int), np.full(len(masks), free), sizes, halves, fits)

    # ---- deals of three hands

    def suit(self, *three: Hands) -> Array:
        """Ways to deal one suit to three hands, by their traits."""
        named = [h.sizes * (np.arange(len(h.sizes)) >= h.free) for h in three]
        free = [h.sizes - some for h, some in zip(three, named, strict=True)]
        left = self.ranks - np.add.outer(np.add.outer(*named[:2]), named[2])  # ranks that no listed mask takes
        after = left - np.add.outer(np.add.outer(*free[:2]), free[2])
        ways = np.array([factorial(n) for n in range(max(self.ranks, self.cards) + 1)])
        found = np.where(after >= 0, ways[np.maximum(left, 0)] // ways[np.maximum(after, 0)], 0)
        found //= ways[free[0]][:, None, None] * ways[free[1]][:, None] * ways[free[2]]  # a multinomial coefficient
        return np.ascontiguousarray(found * self._listed(three))

    def _listed(self, three: Sequence[Hands]) -> Array:
        """Ways to give the listed masks of these traits without a common rank; 1 for free traits alone."""
        one, two, third = three
        marks = [np.eye(len(h.sizes), dtype=float)[h.traits] for h in three]  # [mask][trait]
        clear = {(i, j): ((three[i].masks[:, None] & three[j].masks) == 0).astype(float)
                 for i, j in ((0, 1), (0, 2), (1, 2))}
        found = np.ones([len(h.sizes) for h in three])
        a, b, c = (slice(h.free, None) for h in three)
        x, y, z = (slice(0, h.free) for h in three)
        found[a, y, z] = marks[0].sum(0)[a, None, None]
        found[x, b, z] = marks[1].sum(0)[None, b, None]
        found[x, y, c] = marks[2].sum(0)[None, None, c]
        found[a, b, z] = (marks[0].T @ clear[0, 1] @ marks[1])[a, b, None]
        found[a, y, c] = (marks[0].T @ clear[0, 2] @ marks[2])[a, None, c]
        found[x, b, c] = (marks[1].T @ clear[1, 2] @ marks[2])[None, b, c]
        if third.masks.size:  # of one trait, as those of `below` are
            left = 2**self.ranks - 1 - (one.masks[:, None] | two.masks)
            ways = clear[0, 1] * third.inside[left % len(third.inside)]
            found[a, b, c] = (marks[0].T @ ways @ marks[1])[a, b, None]
        return found.astype(np.int64)  # at most 4^13 ways, exact as floats

    def count(self, *three: Hands) -> int:
        """Deals of three hands, one of each set."""
        suit = self.suit(*three)
        pair = _pair(suit, suit, three)
        found = _joined(pair, pair, three)
        for n in range(sum(h is not ANY for h in three), 3):
            found *= comb(4 * self.ranks - n * self.cards, self.cards)
        return found


def _pair(one: Array, other: Array, three: Sequence[Hands]) -> Array:
    found = np.zeros([len(h.fits) for h in three], np.int64)
    load("suit_pairs").combine(one, other, *(h.halves for h in three), found)
    return found


def _joined(one: Array, other: Array, three: Sequence[Hands]) -> int:
    """Deals of four suits, two and two."""
    for axis, h in enumerate(three):
        other = np.moveaxis(np.tensordot(h.fits, other, (1, axis)), 0, axis)
    if one.size >= 2**15:
        return int((one.astype(object) * other).sum())
    # The sum is at most 52! / (7!^3 31!) < 2^77. In parts above and below 24 bits, high by high sums to 2^29 at most,
    # high by low to 2^53, and low by low to 2^48 an entry.
    (high, low), (other_high, other_low) = np.divmod(one, 2**24), np.divmod(other, 2**24)
    return sum(int(np.vdot(x, y)) << bits for x, y, bits in (
        (high, other_high, 48), (high, other_low, 24), (low, other_high, 24), (low, other_low, 0)))


# ---- the mean product


def of_solution(solution: solve.Solution) -> Fraction | None:
    """The mean product under the best play of a game, a solution by flush without a bonus, in square units of utility.

    None where a loss and a win have not the mean of a tie, as beside a coupon: `product` asks for it.
    """
    lose, tie, win = (solution.game.utility[:, :, result] for result in (LOSE, TIE, WIN))
    return product(play_of(solution)) if (lose + win == 2 * tie).all() else None


def play_of(solution: solve.Solution) -> Play:
    """The best play of a game."""
    game, masks, lengths = solution.game, solve.flushes(), solve.lengths()
    net = np.zeros((len(masks), 2, 3), dtype=object)
    differing = []
    for n, flush in enumerate(solution.plays()):
        nets = game.utility[..., lengths[n] - 2]
        usual = flush.chosen.index(max(flush.chosen))
        net[n] = nets[usual]
        if flush.chosen[usual] == flush.hands:
            continue
        classes, choices = solve.chosen(game, flush.flush)
        for choice, hands in enumerate(flush.chosen):
            if hands and choice != usual:
                these = classes.masks[choices == choice].tolist()
                differing.append(Differing(n, listed([tuple(sorted(held)) for held in these]), nets[choice]))
    low = (lengths >= 4) & (masks <= solve.LOW) & (not game.long_qualifies)
    qualifies = (np.arange(len(masks)) >= solve.flush_number(solve.NINE_HIGH)) & ~low
    found = Play(len(cards.RANKS), 7, masks, net, qualifies, tuple(differing))
    hands = sum(flush.hands - max(flush.chosen) for flush in solution.plays())
    deals = sum(found.count(these.hands, ANY, ANY) for these in differing)
    closed("deals of hands that differ", deals * comb(52, 7), hands * found.deals)
    return found


def product(play: Play) -> Fraction:
    """The mean product of the net results of two hands; a loss and a win have the mean of a tie in all that is paid.

    The three hands are exchangeable. Within a stretch of flushes of one play, a hand beats the dealer's as often as it
    loses to it, whatever the third hand is: no order within a stretch has to be counted. Where all three hands are of
    one stretch, let x and y be 1, 0 or -1 as the two hands win, tie or lose. If each hand is the dealer's in turn, the
    three products xy sum to 1, or to 0 where all flushes are equal.
    """
    stretches = play.stretches
    everyone = play.below(len(play.flushes))
    closed("deals of three hands", play.count(everyone, everyone, everyone), play.deals)
    total = _plain(play, stretches) + 2 * _one_differs(play, stretches) + _both_differ(play, stretches)
    return Fraction(total, play.deals)


def _plain(play: Play, stretches: Sequence[Stretch]) -> int:
    """Every hand played like most of its flush."""
    below = [play.below(s.stop) for s in stretches]
    own = np.array([[_settled(s.net, s.start, dealer) for dealer in stretches] for s in stretches], dtype=object)
    worth, equal = 3 * own[:, None] * own, 0
    for k, s in enumerate(stretches):
        lose, tie, _ = s.net[int(s.qualifies)]
        if tie != lose:
            worth[k, k, k] += (tie - lose) ** 2
            equal += int((tie - lose) ** 2) * sum(_all_equal(play, x, many) for x, many in _alike(play, s))
    thrice = _summed(play, worth, (), below) - equal
    closed("three hands, each the dealer's in turn", thrice, 3 * (thrice // 3))
    return thrice // 3


def _one_differs(play: Play, stretches: Sequence[Stretch]) -> int:
    """The first hand differs, the second is played like most of its flush."""
    total = 0
    for these in play.differing:
        parts = _parts(stretches, {these.flush})
        below = [play.below(part.stop) for part in parts]
        own = np.array([play.gain(these, dealer) for dealer in parts], dtype=object)
        others = np.array([[_settled(s.net, s.start, dealer) for dealer in parts] for s in parts], dtype=object)
        total += _summed(play, own * others, (these.hands,), below)
    return total


def _both_differ(play: Play, stretches: Sequence[Stretch]) -> int:
    """Both hands differ."""
    parts = _parts(stretches, {these.flush for these in play.differing})
    below = [*(play.below(part.stop) for part in parts[:-1]), ANY]
    gains = [np.array([play.gain(these, dealer) for dealer in parts], dtype=object) for these in play.differing]
    total = 0
    for (one, mine), (two, yours) in combinations_with_replacement(zip(play.differing, gains, strict=True), 2):
        total += (1 if one is two else 2) * _summed(play, mine * yours, (one.hands, two.hands), below)
    return total


def _settled(net: Array, flush: int, dealer: Stretch) -> int:
    """The net result of a flush against a stretch of dealers, of which it ties the first."""
    return int(net[int(dealer.qualifies)][TIE + (flush > dealer.start) - (flush < dealer.start)])


def _parts(stretches: Sequence[Stretch], flushes: Collection[int]) -> list[Stretch]:
    """Stretches cut before and after each of these flushes."""
    cuts = sorted({n for flush in flushes for n in (flush, flush + 1)})
    found = []
    for s in stretches:
        places = [s.start, *(n for n in cuts if s.start < n < s.stop), s.stop]
        found += [replace(s, start=start, stop=stop) for start, stop in pairwise(places)]
    return found


def _summed(play: Play, worth: Array, given: tuple[Hands, ...], below: Sequence[Hands]) -> int:
    """The sum of ``worth[part]…`` over deals of the hands ``given`` and others, which lie ``below`` the ends of parts.

    Abel's sum: deals are counted only up to parts after which the worth changes.
    """
    for axis in range(worth.ndim):
        after = np.roll(worth, -1, axis)
        after[(slice(None),) * axis + (-1,)] = 0
        worth = worth - after
    changes: Counter[tuple[int, ...]] = Counter()
    for place in np.argwhere(worth).tolist():
        changes[tuple(sorted(place))] += worth[tuple(place)]  # deals do not depend on the order of the parts
    return sum(int(change) * play.count(*given, *(below[part] for part in place)) for place, change in changes.items())


def _alike(play: Play, stretch: Stretch) -> Iterator[tuple[int, int]]:
    """Flushes of a stretch, each with the number of those that as many deals give to all three hands."""
    first = stretch.start
    while first < stretch.stop:
        size = int(play.flushes[first]).bit_count()
        many = 1
        if 2 * size > play.cards:  # no hand holds two suits of this length, so the ranks do not matter
            same = play.flushes[first : stretch.stop]
            many = sum(int(m).bit_count() == size for m in same.tolist())
        yield first, many
        first += many


def _all_equal(play: Play, flush: int, many: int) -> int:
    """Deals in which all three best flushes have the ranks of number ``flush``, times ``many``."""
    mask = int(play.flushes[flush])
    size = mask.bit_count()
    lower = play.below(flush) if 2 * size <= play.cards else play._by_size(size, (), size)
    held = play._by_size(0, (mask,), size)
    three = [play._by_size(size, (*lower.masks.tolist(), mask), size)] * 3
    none = np.zeros([len(h.sizes) for h in three], np.int64)
    nobody = none.copy()
    rest = play.suit(lower, lower, lower)
    nobody[tuple(slice(n) for n in rest.shape)] = rest
    mine = none.copy()
    one = play.suit(held, lower, lower)[0]
    mine[size, : one.shape[0], : one.shape[1]] = one
    yours, theirs = mine.transpose(1, 0, 2).copy(), mine.transpose(2, 1, 0).copy()
    each = _pair(yours, theirs, three)
    # Of the four suits one is each hand's, and the last is nobody's (24 orders) or again one's (12 orders for each).
    return many * (24 * _joined(_pair(mine, nobody, three), each, three)
                   + 36 * _joined(_pair(mine, mine, three), each, three))
