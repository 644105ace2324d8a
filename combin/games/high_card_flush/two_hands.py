"""Two hands of High Card Flush against one dealer, dealt from one deck: the mean product of their net results.

Most hands of a best flush are played alike: they lie between two flushes, and such deals of three hands are counted
(`deals.three_hands`). Hands that are played otherwise are listed: their other suits remove cards from the dealer's.
Few counts are needed, because the three hands are exchangeable: see `product`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise
from math import comb

import numpy as np

from ...base.errors import closed
from ...deals import cards
from ...deals.three_hands import ANY, Array, Hands, Pack, combined, joined, listed
from . import solve

LOSE, TIE, WIN = range(3)
MOST = 60


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
class HandOrder:
    """The play and the settlement of hands by the number of the best flush.

    ``net[flush][qualifies][result]`` are integers. ``qualifies[flush]`` applies to the dealer.
    """

    pack: Pack
    flushes: Array  # masks, ascending as flushes
    net: Array
    qualifies: Array
    differing: tuple[Differing, ...]

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Return all flushes, cut where the play, the settlement or the dealer's qualification changes."""
        flat = np.column_stack((self.net.reshape(len(self.net), -1), self.qualifies))
        cuts = (np.flatnonzero((flat[1:] != flat[:-1]).any(axis=1)) + 1).tolist()
        return tuple(Stretch(start, stop, self.net[start], bool(self.qualifies[start]))
                     for start, stop in pairwise((0, *cuts, len(flat))))

    def gain(self, these: Differing, dealer: Stretch) -> int:
        """Return the gain of these hands over the others of their flush."""
        return _settled(these.net - self.net[these.flush], these.flush, dealer)

    def below(self, flush: int) -> Hands:
        """Return all hands with a best flush below number ``flush``."""
        at_end = flush == len(self.flushes)
        top = self.pack.cards + 1 if at_end else int(self.flushes[flush]).bit_count()
        return self.pack.by_size(top, [m for m in self.flushes[:flush].tolist() if m.bit_count() == top], top)


def of_solution(solution: solve.HighCardSolution) -> Fraction | None:
    """Return the mean product under best play, of a solution by flush without a bonus, in square units of utility.

    Returns None if a loss and a win do not have the mean of a tie, for example with a coupon: `product` requires it.
    Also if the hands of more than `MOST` flushes differ: their pairs take minutes.
    """
    lose, tie, win = (solution.game.utility[:, :, result] for result in (LOSE, TIE, WIN))
    if (lose + win != 2 * tie).any():
        return None
    play = play_of(solution)
    if len(play.differing) > MOST:
        return None
    closed("utility of one of two hands", of_one(play), solution.total * comb(38, 7))
    return product(play)


def play_of(solution: solve.HighCardSolution) -> HandOrder:
    """Return the best play of a game."""
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
    return HandOrder(Pack(len(cards.RANKS), 7), masks, net, qualifies, tuple(differing))


def of_one(play: HandOrder) -> int:
    """Return the sum of the net results of one hand over all deals of three hands."""
    parts = _parts(play.stretches, {these.flush for these in play.differing})
    below = [play.below(part.stop) for part in parts]
    total = _summed(play, _among(parts), (ANY,), below)
    for these in play.differing:
        gains = np.array([play.gain(these, dealer) for dealer in parts], dtype=object)
        total += _summed(play, gains, (these.hands, ANY), below)
    return total


def product(play: HandOrder) -> Fraction:
    """Return the mean product of the net results of two hands; a loss and a win must have the mean of a tie.

    The three hands are exchangeable. Within a stretch of flushes of one play, a hand beats the dealer's as often as it
    loses to it, whatever the third hand is: no order within a stretch has to be counted. If all three hands are in
    one stretch, let x and y be 1, 0 or -1 as the two hands win, tie or lose. If each hand is the dealer's in turn, the
    three products xy sum to 1, or to 0 if all flushes are equal.
    """
    stretches = play.stretches
    everyone = play.below(len(play.flushes))
    closed("deals of three hands", play.pack.count(everyone, everyone, everyone), play.pack.deals)
    total = _plain(play, stretches) + 2 * _one_differs(play, stretches) + _both_differ(play, stretches)
    return Fraction(total, play.pack.deals)


def _plain(play: HandOrder, stretches: Sequence[Stretch]) -> int:
    """Return the sum with every hand played like most of its flush."""
    below = [play.below(s.stop) for s in stretches]
    nets = _among(stretches)
    worth, equal = 3 * nets[:, None] * nets, 0
    for k, s in enumerate(stretches):
        lose, tie, _ = s.net[int(s.qualifies)]
        if tie != lose:
            worth[k, k, k] += (tie - lose) ** 2
            equal += int((tie - lose) ** 2) * sum(_all_equal(play, x, many) for x, many in _alike(play, s))
    thrice = _summed(play, worth, (), below) - equal
    closed("three hands, each the dealer's in turn", thrice, 3 * (thrice // 3))
    return thrice // 3


def _one_differs(play: HandOrder, stretches: Sequence[Stretch]) -> int:
    """Return the sum with a differing first hand and a second played like most of its flush."""
    total = 0
    for these in play.differing:
        parts = _parts(stretches, {these.flush})
        below = [play.below(part.stop) for part in parts]
        gains = np.array([play.gain(these, dealer) for dealer in parts], dtype=object)
        total += _summed(play, gains * _among(parts), (these.hands,), below)
    return total


def _both_differ(play: HandOrder, stretches: Sequence[Stretch]) -> int:
    """Return the sum with two differing hands."""
    parts = _parts(stretches, {these.flush for these in play.differing})
    below = [*(play.below(part.stop) for part in parts[:-1]), ANY]
    gains = [np.array([play.gain(these, dealer) for dealer in parts], dtype=object) for these in play.differing]
    total = 0
    for (one, mine), (two, yours) in combinations_with_replacement(zip(play.differing, gains, strict=True), 2):
        total += (1 if one is two else 2) * _summed(play, mine * yours, (one.hands, two.hands), below)
    return total


def _settled(net: Array, flush: int, dealer: Stretch) -> int:
    """Return the net result of a flush against a stretch of dealers, of which it ties the first."""
    return int(net[int(dealer.qualifies)][TIE + (flush > dealer.start) - (flush < dealer.start)])


def _among(stretches: Sequence[Stretch]) -> Array:
    """Return the net result of each stretch against each as the dealer's; within one stretch the mean."""
    return np.array([[_settled(s.net, s.start, dealer) for dealer in stretches] for s in stretches], dtype=object)


def _parts(stretches: Sequence[Stretch], flushes: Collection[int]) -> list[Stretch]:
    """Return the stretches cut before and after each of these flushes."""
    cuts = sorted({n for flush in flushes for n in (flush, flush + 1)})
    parts = []
    for s in stretches:
        places = [s.start, *(n for n in cuts if s.start < n < s.stop), s.stop]
        parts += [replace(s, start=start, stop=stop) for start, stop in pairwise(places)]
    return parts


def _summed(play: HandOrder, worth: Array, given: tuple[Hands, ...], below: Sequence[Hands]) -> int:
    """Return the sum of ``worth[part]…`` over deals of the hands ``given`` and others, ``below`` the ends of parts.

    By Abel summation deals are counted only up to parts after which the worth changes.
    """
    for axis in range(worth.ndim):
        after = np.roll(worth, -1, axis)
        after[(slice(None),) * axis + (-1,)] = 0
        worth = worth - after
    changes: Counter[tuple[int, ...]] = Counter()
    for place in np.argwhere(worth).tolist():
        changes[tuple(sorted(place))] += worth[tuple(place)]  # deals do not depend on the order of the parts
    return sum(int(change) * play.pack.count(*given, *(below[part] for part in place))
               for place, change in changes.items())


def _alike(play: HandOrder, stretch: Stretch) -> Iterator[tuple[int, int]]:
    """Yield flushes of a stretch, each with the number of flushes that equally many deals give to all three hands."""
    first = stretch.start
    while first < stretch.stop:
        size = int(play.flushes[first]).bit_count()
        many = 1
        if 2 * size > play.pack.cards:  # no hand has two suits of this length, so the ranks do not matter
            same = play.flushes[first : stretch.stop]
            many = sum(int(m).bit_count() == size for m in same.tolist())
        yield first, many
        first += many


def _all_equal(play: HandOrder, flush: int, many: int) -> int:
    """Return the deals in which all three best flushes have the ranks of number ``flush``, times ``many``."""
    mask = int(play.flushes[flush])
    size = mask.bit_count()
    lower = play.below(flush) if 2 * size <= play.pack.cards else play.pack.by_size(size)
    held = play.pack.by_size(0, (mask,), size)
    three = [play.pack.by_size(size, (*lower.masks.tolist(), mask), size)] * 3
    none = np.zeros([len(h.sizes) for h in three], np.int64)
    nobody = none.copy()
    rest = play.pack.suit(lower, lower, lower)
    nobody[tuple(slice(n) for n in rest.shape)] = rest
    mine = none.copy()
    one = play.pack.suit(held, lower, lower)[0]
    mine[size, : one.shape[0], : one.shape[1]] = one
    yours, theirs = mine.transpose(1, 0, 2).copy(), mine.transpose(2, 1, 0).copy()
    each = combined(yours, theirs, three)
    # Each hand has one of the four suits, and the last is nobody's (24 orders) or one hand's second (12 orders for
    # each).
    return many * (24 * joined(combined(mine, nobody, three), each, three)
                   + 36 * joined(combined(mine, mine, three), each, three))
