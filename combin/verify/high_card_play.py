"""High Card Flush played and settled independently: in arrays, without a kernel or a solution.

The player's choice follows from the count of all dealer hands (`flushes.dealers`). The pay of a round is read from the
paytable and settled here. Over all classes of hands this is the independent method of the whole game; over random hands
it is the simulation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, lcm, prod
from threading import Lock
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base import parallel
from ..base.caches import Kept, cached
from ..games.side_bets import base_game
from ..rulebook.book import Resolved
from ..rulebook.parameters import values
from ..rulebook.pays import LOSS
from . import flushes
from .flushes import CARDS, DEALERS, LOSE, SIZE, TIE, WIN, Array
from .seven_cards import exact_quarter, holds

#: Numbers of cards by suit, the longest first.
PATTERNS = (
    (2, 2, 2, 1), (3, 2, 1, 1), (3, 2, 2, 0), (3, 3, 1, 0), (4, 1, 1, 1), (4, 2, 1, 0), (4, 3, 0, 0),
    (5, 1, 1, 0), (5, 2, 0, 0), (6, 1, 0, 0), (7, 0, 0, 0),
)  # fmt: skip
#: Number of hands whose counts fit in a processor's cache.
ROWS = 8_000


def net_result(resolved: Resolved, multiple: int, qualifies: bool, result: int) -> Fraction:
    """Return the net result of a round in antes: ``multiple`` antes raised, 0 for a fold."""
    pays = dict(resolved.lines)
    if not multiple:
        return Fraction(-1)  # the ante
    if not qualifies:
        return pays["ante"].odds  # the raise is returned
    if result == TIE:
        return Fraction(0)
    return pays["ante"].odds + multiple * pays["raise"].odds if result == WIN else Fraction(-1 - multiple)


FEATURES = (
    "flush", "straight_flush_both", "straight_flush_high", "straight_flush_from_five", "straight_flush_five_only",
    "nine_to_ace", "suit", "quads",
)  # fmt: skip
PLACES = 8 ** np.arange(len(FEATURES))
BEHIND = 8 ** len(FEATURES)


def _longest(ranks: str) -> int:
    return max(map(len, ranks.split("0")))


def _shown(mask: int) -> tuple[int, ...]:
    """Return the features of a set of ranks of one suit (bit 0 is the two), from its zeros and ones."""
    up = f"{mask:013b}"[::-1]  # from the two
    low = up[12] + up
    wheel = low.split("0")[0] if low.startswith("1") else ""
    high = _longest(up)
    from_five, five_only = len(wheel) if len(wheel) >= 5 else 0, 5 if len(wheel) >= 5 else 0
    nine_to_ace = int(up.endswith("111111"))
    return (up.count("1"), _longest(low), high, max(high, from_five), max(high, five_only), nine_to_ace)


@cached("features of each set of ranks of one suit", most=1)
def shown_by_suit() -> Array:
    """Return the features of all 8,192 sets of ranks of one suit, int8 (8192, 6)."""
    return np.array([[min(n, 7) for n in _shown(mask)] for mask in range(8192)], dtype=np.int8)


def features(hands: Array) -> Array:
    """Return the features of cards, one number per hand: its digits to the base 8 are `FEATURES`."""
    of_suit = shown_by_suit()
    shown = of_suit[hands[:, 0]]
    for suit in (1, 2, 3):
        np.maximum(shown, of_suit[hands[:, suit]], out=shown)
    quads = hands[:, 0] & hands[:, 1] & hands[:, 2] & hands[:, 3] != 0
    suit = ((SIZE[hands] == CARDS) * np.arange(1, 5)).sum(axis=1)  # of all seven cards, 0 if they have several
    # The features of a hand and of its flush are together below 2^48.
    codes: Array = shown @ PLACES[:-2] + suit * PLACES[-2] + quads * PLACES[-1]
    return codes


def seen(hands: Array) -> Array:
    """Return `features` of the hands, followed by `features` of their best flushes."""
    of_one_suit = shown_by_suit() @ PLACES[:-2]
    codes: Array = features(hands) * BEHIND + of_one_suit[flushes.best(hands) & 8191]
    return codes


def feature_names(code: int) -> dict[str, int]:
    return {name: code // int(place) % 8 for name, place in zip(FEATURES, PLACES, strict=True)}


@dataclass(frozen=True)
class PlayedSideBet:
    """A side bet that depends on the game's play: its lines in order, and its readings."""

    lines: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    folded: str  # paid, forfeited
    discards: str  # all-seven, kept-cards-only
    #: The return of each line and of the loss, in dollars; empty if only the game determines the play.
    dollars: tuple[Fraction, ...] = ()

    def line(self, whole: int, kept: int, raised: bool) -> int:
        """Return the index of the first line that applies to a hand's features; the loss follows all lines."""
        if not raised and self.folded == "forfeited":
            return len(self.lines)
        hand = feature_names(whole)
        if raised and self.discards == "kept-cards-only":
            hand = feature_names(kept) | {"suit": hand["suit"]}  # seven cards of one suit have no discards
        options = dict(self.options)
        return next((i for i, line in enumerate(self.lines) if holds(line, hand, options)), len(self.lines))

    def settled(self, hands: Array, raised: Array) -> Array:
        """Return `line` of each hand."""
        code = seen(hands) * 2 + raised
        values, back = np.unique(code, return_inverse=True)
        lines = [self.line(v // 2 // BEHIND, v // 2 % BEHIND, bool(v % 2)) for v in values.tolist()]
        return np.array(lines, dtype=np.int64)[back.reshape(-1)]


class HighCardPlay:
    """The best play of the base game; of both together if the side bet's dollars are given."""

    def __init__(self, game: Resolved, side: PlayedSideBet | None = None, ante: Fraction = Fraction(1)) -> None:
        self.limits = tuple(game.options["raise_limit"])
        self.long_flush = game.options.get("long_flush_qualifies", "yes") == "yes"
        self.side = side if side is not None and side.dollars else None
        table = [
            [net_result(game, m, q, r) * ante for q in (False, True) for r in (LOSE, TIE, WIN)]
            for m in range(max(self.limits) + 1)
        ]
        dollars = self.side.dollars if self.side else ()
        unit = lcm(*(x.denominator for row in table for x in row), *(x.denominator for x in dollars))
        # Greatest value times dealers: the solution's bound, 2^57, applies here as well.
        self.net = tuple(tuple(int(x * unit) for x in row) for row in table)
        self.dollars = np.array([int(x * unit) for x in dollars], dtype=np.int64)

    @property
    def key(self) -> Hashable:
        """A key that is equal for equal play."""
        return self.limits, self.long_flush, self.net, self.side

    def choose(self, hands: Array, dealers: Array) -> Array:
        """Return the antes raised by each hand, 0 for a fold; of equal choices the smallest."""
        limit = np.array(self.limits)[flushes.length(flushes.best(hands)) - 2]
        values = dealers.reshape(len(hands), 6) @ np.array(self.net, dtype=np.int64).T
        if self.side:
            for raised in (False, True):
                lines = self.side.settled(hands, np.full(len(hands), raised))
                values[:, int(raised) : len(self.net) if raised else 1] += (self.dollars[lines] * DEALERS)[:, None]
        chosen, most = np.zeros(len(hands), dtype=np.int64), values[:, 0].copy()
        for multiple in range(1, len(self.net)):
            better = (multiple <= limit) & (values[:, multiple] > most)
            chosen[better], most[better] = multiple, values[better, multiple]
        return chosen


# ---- all classes of hands


def _of_size(size: int, suits: int) -> tuple[Array, Array]:
    """Return unordered sets of ranks of one size for ``suits`` suits, and the number of their orders."""
    sets = np.flatnonzero(size == SIZE)
    rows = np.array(list(combinations_with_replacement(range(len(sets)), suits)), dtype=np.int64).reshape(-1, suits)
    equal = (rows[:, 1:] == rows[:, :-1]).sum(axis=1)
    return sets[rows], np.array(ORDERS[suits])[equal]


#: The number of orders of sets for a number of suits, by the number of equal neighbours.
ORDERS = {1: (1,), 2: (2, 1), 3: (6, 3, 1)}


def _classes() -> list[tuple[Array, Array, int]]:
    """Return for each pattern of suits: sets of the longest suits, sets of the others, number of suit assignments."""
    classes = []
    for pattern in PATTERNS:
        groups = [(size, pattern.count(size)) for size in dict.fromkeys(pattern)]
        named = factorial(4) // prod(factorial(times) for _, times in groups)
        sets, orders = _of_size(*groups[0])
        rest: Array = np.zeros((1, 0), dtype=np.int64)
        rest_orders: Array = np.ones(1, dtype=np.int64)
        for size, times in groups[1:]:
            more, more_orders = _of_size(size, times)
            rest = np.concatenate([np.repeat(rest, len(more), axis=0), np.tile(more, (len(rest), 1))], axis=1)
            rest_orders = np.repeat(rest_orders, len(more)) * np.tile(more_orders, len(rest_orders))
        front = np.concatenate([sets, orders[:, None]], axis=1)
        back = np.concatenate([rest, rest_orders[:, None]], axis=1)
        classes.append((front, back, named))
    return classes


@dataclass(frozen=True)
class Counted:
    """Counts of the game: deals [antes raised][qualifies][result][length - 2], and hands by side-bet features."""

    joint: Array
    seen: Mapping[tuple[int, int, bool], int]  # features of the hand, of the played flush, whether it is raised
    classes: int
    hands: int


_counted: Kept[Hashable, Counted] = Kept(f"{__name__}._counted", "every hand of High Card Flush, by the play", most=16)


def count_all(play: HighCardPlay) -> Counted:
    """Return every hand played against every dealer hand; counted once per process for the same play."""
    if play.key not in _counted:
        _counted[play.key] = _count_all(play)
    return _counted[play.key]


def _count_all(play: HighCardPlay) -> Counted:
    work = []
    for front, back, named in _classes():
        step = max(1, ROWS // len(back))
        work += [(front[i : i + step], back, named) for i in range(0, len(front), step)]
    rows = len(play.net) * 6
    by_code: Counter[int] = Counter()
    one_at_a_time = Lock()

    def call(start: int, stop: int, arrays: parallel.Arrays) -> None:
        for front, back, named in work[start:stop]:
            hands = np.concatenate(
                [np.repeat(front[:, :-1], len(back), axis=0), np.tile(back[:, :-1], (len(front), 1))], axis=1
            )
            weights = named * np.repeat(front[:, -1], len(back)) * np.tile(back[:, -1], len(front))
            dealers = flushes.dealers(hands, play.long_flush)
            chosen = play.choose(hands, dealers)
            cards = flushes.length(flushes.best(hands)) - 2
            arrays[0][:] += _sums(chosen * 6 + cards, dealers.reshape(-1, 6) * weights[:, None], rows)
            arrays[1][:] += np.array([len(hands), weights.sum()])
            codes = seen(hands) * 2 + (chosen > 0)
            values, back_to = np.unique(codes, return_inverse=True)
            numbers = np.zeros(len(values), dtype=np.int64)
            np.add.at(numbers, back_to.reshape(-1), weights)
            with one_at_a_time:
                by_code.update(dict(zip(values.tolist(), numbers.tolist(), strict=True)))

    total, numbers = parallel.sweep(
        call, len(work), lambda: (np.zeros((rows, 6), np.int64), np.zeros(2, np.int64)), chunk=1,
        label="all hands, independently",
    )
    joint = total.reshape(-1, 6, 2, 3).transpose(0, 2, 3, 1)  # 6.1e15 deals, below 2^63
    by_features = {(v // 2 // BEHIND, v // 2 % BEHIND, bool(v % 2)): n for v, n in by_code.items()}
    return Counted(joint, by_features, int(numbers[0]), int(numbers[1]))


def _sums(number: Array, weighted: Array, most: int) -> Array:
    """Return rows summed by their key."""
    order = np.argsort(number, kind="stable")
    rows, first = np.unique(number[order], return_index=True)
    sums = np.zeros((most, weighted.shape[1]), dtype=np.int64)
    sums[rows] = np.add.reduceat(weighted[order], first, axis=0)
    return sums


# ---- side bets that depend on the play


def side_bet(a: Analysis) -> tuple[PlayedSideBet, HighCardPlay]:
    """Return a side bet of Massachusetts under its readings, and the play of the base game with it."""
    resolved = a.resolved
    play = resolved.terms.play_options
    known = values(resolved, a.request.set)
    ante = known.get("ante")
    stake = known.get("stake") or Fraction(1)
    dollars: tuple[Fraction, ...] = ()
    if ante is not None:
        paid = [pay.returned(dict(known)) for _, pay in resolved.payments]
        dollars = tuple(Fraction(x) * stake for x in (*paid, 0))
    bet = PlayedSideBet(
        tuple(line for line, _ in resolved.payments),
        tuple(resolved.options.items()),
        play.folded,
        play.discards,
        dollars,
    )
    game = base_game(a.book, a.resolved)
    return bet, HighCardPlay(game, bet, Fraction(1) if ante is None else Fraction(ante))


def side_bet_counts(a: Analysis) -> Mapping[str, int]:
    """Return the number of hands on each line of a side bet under the play, including the loss."""
    bet, play = side_bet(a)
    lines = (*bet.lines, LOSS)
    counts = dict.fromkeys(lines, 0)
    for (whole, kept, raised), number in count_all(play).seen.items():
        if not (one := feature_names(whole)["suit"]):
            counts[lines[bet.line(whole, kept, raised)]] += number
            continue
        for suit in range(1, 5):  # classes are hands up to permutations of the suits
            named = whole + (suit - one) * int(PLACES[FEATURES.index("suit")])
            counts[lines[bet.line(named, kept, raised)]] += exact_quarter(number)
    return counts
