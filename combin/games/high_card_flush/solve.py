"""High Card Flush: seven cards to the player, seven to the dealer, the best flush wins.

The kernel counts, for each of the 6,009,159 classes of player hands, the dealer
hands by (qualifies, result), takes the choice of greatest utility and adds the
hand to a histogram. This module holds the utilities, the codes that distinguish
hands in the histogram, and an independent count of a single hand.

A **flush** is the mask of the ranks of a player's best flush (bit 0 a two, bit 12
an ace) and has a number, 0 to 5,797, ascending: a longer flush is better, then the
higher cards from the top. The best flush is a whole suit of the hand. Two suits
tie only with equal ranks, and then nothing depends on which of them is played.
A player who raises always plays the best flush. Playing a lesser flush to keep
a straight flush for a bonus is not among the choices.

Utilities are integers in a unit of the caller's choice, results are counts or fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ..._kernels import load
from ...base import parallel
from ...base.caches import cached
from ...base.errors import closed, fault
from ...deals import cards

Array = np.ndarray[Any, Any]

HANDS = comb(52, 7)  # of the player
DEALERS = comb(45, 7)  # against one hand
DEALS = HANDS * DEALERS  # 6.07e15, below 2^63
CLASSES = 6_009_159

#: Kernel calls in a solution. Flushes of two and three cards hold three quarters of the classes,
#: so every call takes its share of each length.
CALLS = 30

#: The greatest size of a thread's histogram in bytes: with two threads and their sum at most 384 MiB.
MOST_BYTES = 2**27

LENGTHS = range(2, 8)
NINE_HIGH = 0b10000011  # 9-3-2, the lowest flush of three with which the dealer qualifies
LOW = 0b1111111  # the ranks below the nine

#: Suit lengths of a hand in descending order, as the kernel numbers them.
PATTERNS = (
    (2, 2, 2, 1),
    (3, 2, 1, 1), (3, 2, 2, 0), (3, 3, 1, 0),
    (4, 1, 1, 1), (4, 2, 1, 0), (4, 3, 0, 0),
    (5, 1, 1, 0), (5, 2, 0, 0),
    (6, 1, 0, 0),
    (7, 0, 0, 0),
)  # fmt: skip


@cached("the flushes of two to seven cards", most=1)
def flushes() -> Array:
    """Return the 5,798 masks of two to seven cards in ascending order as flushes."""
    masks = np.array(load("high_card_flush").flushes(), np.int32)
    masks.flags.writeable = False
    return masks


@cached("the length of each flush", most=1)
def lengths() -> Array:
    """Return the number of cards of each flush."""
    return np.array([int(mask).bit_count() for mask in flushes()], np.int32)


@cached("the number of each flush", most=1)
def _numbers() -> dict[int, int]:
    return {int(mask): number for number, mask in enumerate(flushes())}


def flush_number(mask: int) -> int:
    """Return the index of a flush in `flushes`."""
    return _numbers()[mask]


def flush_of(ranks: str) -> int:
    """Return the mask of a flush written like ``T-8-2`` or ``10-8-2``; raise `InputError` for any other text."""
    words = ranks.upper().replace("10", "T").split("-")
    if not all(word in cards.RANKS and len(word) == 1 for word in words) or len(set(words)) != len(words):
        raise fault(f'"{ranks}" is not a flush', 'write two to seven different ranks, like "T-8-2"')
    if len(words) not in LENGTHS:
        raise fault(f'"{ranks}" has {len(words)} card(s)', "a best flush has two to seven cards")
    return sum(1 << cards.RANKS.index(word) for word in words)


# ---- the game


@dataclass(frozen=True)
class FlushGame:
    """Integer utilities ``utility[choice][qualifies][result][length - 2]``, and the number of open choices.

    ``result``: 0 the player loses, 1 ties, 2 wins against the dealer's flush, whether or
    not the dealer qualifies. A player with a flush of some length chooses among the first
    ``open_choices[length - 2]`` choices. Choice 0 is the fold.
    ``long_qualifies``: whether a dealer's flush of four or more cards below the nine qualifies.
    """

    utility: Array
    open_choices: tuple[int, ...]
    long_qualifies: bool = True

    def __post_init__(self) -> None:
        utility = np.array(self.utility, dtype=object)
        if utility.ndim != 4 or utility.shape[1:] != (2, 3, 6) or not 1 <= len(utility) <= 8:
            raise fault(
                f"the utility table has the shape {utility.shape}",
                "give [choice][qualifies][result][length - 2]: 1 to 8 choices x 2 x 3 x 6",
            )
        _check_integers(utility, "a utility")
        if len(self.open_choices) != 6 or not all(1 <= n <= len(utility) for n in self.open_choices):
            raise fault(
                f"the open choices are {self.open_choices}",
                f"give a number from 1 to {len(utility)} for each flush of 2 to 7 cards",
            )
        utility.flags.writeable = False
        object.__setattr__(self, "utility", utility)

    @property
    def choices(self) -> int:
        return len(self.utility)


def kernel_utility(game: FlushGame) -> Array:
    """Return the utilities as ``[length - 2][choice][3 * qualifies + result]``."""
    by_length = game.utility.transpose(3, 0, 1, 2).reshape(6, game.choices, 6)
    return by_length.astype(np.int64, order="C")


def _check_integers(values: Array, what: str) -> None:
    for value in values.flat:
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise fault(f"{what} is {value}", "give integers; multiply by the common denominator")


# ---- codes of a histogram


@dataclass(frozen=True)
class Codes:
    """A small number for each player hand, with its label; see `code_hands`."""

    labels: tuple[Any, ...]
    marks: Array = field(repr=False)  # uint16[8192], of a suit other than the flush; summed over three suits
    tables: Array = field(repr=False)  # int32[flush]: which table
    table: Array = field(repr=False)  # int16[table][pattern][four of a kind][sum of marks]

    def __post_init__(self) -> None:
        # The kernel does not check its indices.
        most = [max(int(self.marks[mask]) for mask in range(8192) if mask.bit_count() == n) for n in range(4)]
        sound = (
            self.marks.dtype == np.uint16 and self.tables.dtype == np.int32 and self.table.dtype == np.int16
            and self.tables.shape == (len(flushes()),) and self.table.shape[1:3] == (len(PATTERNS), 2)
            and self.tables.min() >= 0 and self.tables.max() < len(self.table)
            and self.table.min() >= 0 and self.table.max() < len(self.labels)
            and all(sum(most[n] for n in pattern[1:]) < self.table.shape[3] for pattern in PATTERNS)
        )  # fmt: skip
        if not sound:
            raise fault("the codes leave a hand without a label", "make them with code_hands")

    def __len__(self) -> int:
        return len(self.labels)


def code_hands(
    label: Callable[[Any, tuple[int, ...], bool, int], Hashable],
    *,
    key: Callable[[int], Hashable] = lambda mask: None,
    mark: Callable[[int], int] = lambda mask: 0,
) -> Codes:
    """Code hands by ``label(key(flush), suit lengths, four of a kind, sum of mark(other suit))``.

    ``mark`` gives a small number for a mask of at most three cards. Every label that a
    hand may have gets a code, in order of first occurrence.
    """
    by_size: list[set[int]] = [set() for _ in range(4)]
    marks = np.zeros(8192, np.uint16)
    for mask in range(8192):
        if mask.bit_count() <= 3:
            marks[mask] = mark(mask)
            by_size[mask.bit_count()].add(int(marks[mask]))
    keys = [key(int(mask)) for mask in flushes()]
    lengths_of: dict[Hashable, set[int]] = {}
    for value, length in zip(keys, lengths(), strict=True):
        lengths_of.setdefault(value, set()).add(int(length))
    sums = [sorted({sum(m) for m in product(*(by_size[n] for n in pattern[1:]))}) for pattern in PATTERNS]
    table = np.zeros((len(lengths_of), len(PATTERNS), 2, 1 + max(map(max, sums))), np.int16)
    codes: dict[Hashable, int] = {}
    for row, (value, seen) in enumerate(lengths_of.items()):
        for number, pattern in enumerate(PATTERNS):
            if pattern[0] not in seen:
                continue
            for quads, total in product((False, True) if pattern[3] else (False,), sums[number]):
                code = codes.setdefault(label(value, pattern, quads, total), len(codes))
                table[row, number, int(quads), total] = code
    place = {value: row for row, value in enumerate(lengths_of)}
    return Codes(tuple(codes), marks, np.array([place[value] for value in keys], np.int32), table)


@cached("one code for all hands", most=1)
def all_alike() -> Codes:
    """Return one code for every hand."""
    return code_hands(lambda flush, pattern, quads, total: "any")


@cached("codes by suit lengths", most=1)
def by_pattern() -> Codes:
    """Return codes of the suit lengths, such as ``(3, 2, 2, 0)``."""
    return code_hands(lambda flush, pattern, quads, total: pattern)


@cached("codes by suit lengths and points", most=64)
def by_points(points: tuple[int, ...], *, pattern: bool = True) -> Codes:
    """Return codes of the suit lengths and the sum of ``points[rank]`` (0 to 255) over the other suits' cards."""
    if len(points) != 13 or not all(0 <= p <= 255 for p in points):
        raise fault(f"the points are {points}", "give 13 numbers from 0 to 255, from the two to the ace")
    return code_hands(
        lambda flush, lengths, quads, total: (lengths, total) if pattern else total,
        mark=lambda mask: sum(points[rank] for rank in range(13) if mask >> rank & 1),
    )


def by_high_cards(rank: int, *, pattern: bool = True) -> Codes:
    """Return codes of the suit lengths and the number of cards of ``rank`` (0 a two) or higher in the other suits."""
    return by_points(tuple(int(r >= rank) for r in range(13)), pattern=pattern)


class Features(NamedTuple):
    """The features of a player's seven cards that side bets depend on."""

    straight_flush: int  # the longest, in cards
    kept: int  # the longest within the best flush, the only cards that a raiser keeps
    four_of_a_kind: bool
    nine_to_ace: bool  # suited 9-10-J-Q-K-A


def longest_run(mask: int, ace: str = "both") -> int:
    """Return the longest run of ranks; the ace is high, with ``both`` also low."""
    run = longest = mask >> 12 if ace == "both" else 0
    for rank in range(13):
        run = run + 1 if mask >> rank & 1 else 0
        longest = max(longest, run)
    return longest


@cached("codes by the features of a hand", most=2)
def by_features(ace: str = "both") -> Codes:
    """Return codes of the `Features` of the hand; ``ace`` in a straight flush: ``both`` or ``high``."""
    if ace not in ("both", "high"):
        raise fault(f'the ace in a straight flush cannot be "{ace}"', "use both or high")

    def label(flush: tuple[int, bool], pattern: tuple[int, ...], quads: bool, total: int) -> Features:
        beside = 3 if total >= 4 else 2 if total else 1
        return Features(max(flush[0], beside), flush[0], quads, flush[1])

    return code_hands(
        label,
        key=lambda mask: (longest_run(mask, ace), mask >> 7 == 0b111111),
        # At most three suits have two or more cards, and at most one of the others three.
        mark=lambda mask: (0, 0, 1, 4)[longest_run(mask, ace)],
    )


# ---- the optimal play


@dataclass(frozen=True)
class FlushPlay:
    """The optimal play of all hands with one best flush."""

    flush: int
    chosen: tuple[int, ...]  # hands by choice
    values: tuple[Fraction, ...]  # of each open choice, made with all of these hands; in units of utility
    best: Fraction  # with the best choice of each hand
    ties: int  # hands with two best choices of equal value

    @property
    def hands(self) -> int:
        return sum(self.chosen)

    @property
    def verdict(self) -> str:
        """Return ``never``, ``sometimes`` or ``always`` raised."""
        return "never" if self.chosen[0] == self.hands else "sometimes" if self.chosen[0] else "always"


@dataclass(frozen=True)
class HighCardSolution:
    """Every hand under its choice of greatest utility; the first of equals, so a tie is a fold."""

    game: FlushGame
    codes: Codes
    by: str  # "flush" or "length": the meaning of the rows of the two arrays
    cells: Array = field(repr=False)  # int64[row][code][choice][qualifies][result], deals; sum below 2^63
    ties: Array = field(repr=False)  # int64[row][code], hands with two best choices of equal value
    bonus: Array = field(repr=False)  # object[choice][code]

    def __post_init__(self) -> None:
        closed("deals of High Card Flush", int(self.cells.sum()), DEALS)

    @cached_property
    def joint(self) -> Array:
        """Return deals by ``[choice][qualifies][result][length - 2][code]``, int64."""
        cells = self.cells
        if self.by == "flush":
            first = np.searchsorted(lengths(), LENGTHS)
            cells = np.add.reduceat(cells, first, axis=0)
        return np.ascontiguousarray(cells.transpose(2, 3, 4, 0, 1))

    @cached_property
    def total(self) -> int:
        """Return the sum of utility over all deals, bonuses included."""
        base = (self.joint.sum(-1).astype(object) * self.game.utility).sum()
        return int(base + (self.joint.sum((1, 2, 3)).astype(object) * self.bonus).sum())

    @property
    def expected(self) -> Fraction:
        """Return the utility per round."""
        return Fraction(self.total, DEALS)

    @property
    def tied_hands(self) -> int:
        return int(self.ties.sum())

    def plays(self) -> tuple[FlushPlay, ...]:
        """Return the play by best flush, ascending, of a solution by flush without a bonus."""
        if self.by != "flush" or self.bonus.any():
            raise fault("this solution has no play by flush", "solve by flush and without a bonus")
        by_choice = self.cells.sum(1)
        chosen = by_choice.sum((2, 3)) // DEALERS
        utility = self.game.utility[..., lengths() - 2].transpose(3, 0, 1, 2)
        alone = (utility * by_choice.sum(1)[:, None].astype(object)).sum((2, 3))
        best = (utility * by_choice.astype(object)).sum((1, 2, 3))
        deals, ties = by_choice.sum((1, 2, 3)), self.ties.sum(1)
        return tuple(
            FlushPlay(
                int(mask),
                tuple(map(int, chosen[row])),
                tuple(
                    Fraction(int(value), int(deals[row]))
                    for value in alone[row, : self.game.open_choices[length - 2]]
                ),
                Fraction(int(best[row]), int(deals[row])),
                int(ties[row]),
            )
            for row, (mask, length) in enumerate(zip(flushes(), lengths(), strict=True))
        )


def solve(
    game: FlushGame,
    codes: Codes | None = None,
    *,
    bonus: Array | None = None,
    by: str = "flush",
    threads: int | None = None,
) -> HighCardSolution:
    """Return the optimal play of all 6,009,159 classes and its joint table.

    ``bonus[choice][code]`` (integers) is added to the utility of a choice for any dealer
    hand. Histogram rows are by flush number or by length; with many codes use
    ``by="length"``. Raise `InputError` if a sum could exceed 64 bits.
    """
    codes = codes or all_alike()
    shape = (game.choices, len(codes))
    added = np.array(np.zeros(shape, np.int64) if bonus is None else bonus, dtype=object)
    if added.shape != shape:
        raise fault(f"the bonus table has the shape {added.shape}", f"give {shape[0]} choices x {shape[1]} codes")
    _check_integers(added, "a bonus")
    # In the kernel a value is a sum of seven terms of up to 8 x utility x dealers.
    limit = 2**57 // DEALERS
    greatest = max(abs(int(u)) for u in game.utility.flat) + max(abs(int(b)) for b in added.flat)
    if greatest > limit:
        raise fault(
            f"the utilities reach {greatest:,}",
            f"the greatest utility and bonus together must not exceed {limit:,}; use a larger unit",
        )
    if by not in ("flush", "length"):
        raise fault(f'"by" cannot be "{by}"', "use flush or length")
    if by == "flush" and len(flushes()) * len(codes) * game.choices * 48 > MOST_BYTES:
        raise fault(f"{len(codes)} codes by flush are too many", "use fewer codes, or solve by length")
    kernel = load("high_card_flush")
    utility = kernel_utility(game)
    open_choices = np.array(game.open_choices, np.int32)
    added_64 = added.astype(np.int64)
    count = len(flushes())
    order = np.argsort(np.arange(count) % CALLS, kind="stable").astype(np.int32)
    rows = np.arange(count, dtype=np.int32) if by == "flush" else (lengths() - 2).astype(np.int32)
    height = int(rows.max()) + 1

    def call(start: int, stop: int, arrays: parallel.Arrays) -> None:
        kernel.solve(
            start, stop, order, game.long_qualifies, utility, open_choices, added_64,
            codes.marks, codes.tables, codes.table, rows, *arrays,
        )  # fmt: skip

    def make_arrays() -> parallel.Arrays:
        return (
            np.zeros((height, len(codes), game.choices, 6), np.int64),
            np.zeros((height, len(codes)), np.int64),
        )

    cells, ties = parallel.sweep(
        call, count, make_arrays, chunk=-(-count // CALLS), label="High Card Flush", threads=threads
    )
    return HighCardSolution(game, codes, by, cells.reshape(*cells.shape[:3], 2, 3), ties, added)


@dataclass(frozen=True)
class HandClasses:
    """The classes of hands with one best flush, in the kernel's order."""

    masks: Array  # int32[class][4], the suits in descending order of length and mask
    hands: Array  # int32[class], at most 24
    dealers: Array  # int64[class][qualifies][result], each class sums to 45,379,620


def classes(flush: int, *, long_qualifies: bool = True) -> HandClasses:
    """Return the classes with the best flush ``flush`` (a mask) and their dealer hands."""
    kernel, number = load("high_card_flush"), flush_number(flush)
    count = kernel.classes(number, long_qualifies)
    listed, cells = np.zeros((count, 5), np.int32), np.zeros((count, 6), np.int64)
    kernel.classes(number, long_qualifies, listed, cells)
    return HandClasses(listed[:, :4], listed[:, 4], cells.reshape(count, 2, 3))


def chosen(game: FlushGame, flush: int) -> tuple[HandClasses, Array]:
    """Return the classes with one best flush, and the choice of greatest utility of each; the first of equals."""
    listed, length = classes(flush, long_qualifies=game.long_qualifies), flush.bit_count()
    # A class's cells sum to 45,379,620, and `solve` keeps utilities below 2^57 over that: every sum fits int64.
    utility = game.utility[: game.open_choices[length - 2], ..., length - 2].astype(np.int64)
    return listed, np.einsum("cqr,nqr->nc", utility, listed.dealers).argmax(axis=1)


# ---- one hand


@dataclass(frozen=True)
class HighCardPosition:
    """One hand of the player and the dealer hands against it."""

    hand: tuple[int, ...]
    flush: int
    pattern: tuple[int, ...]
    dealers: tuple[tuple[int, int, int], tuple[int, int, int]]  # [qualifies][player loses, ties, wins]
    long_qualifies: bool

    def values(self, game: FlushGame) -> tuple[Fraction, ...]:
        """Return the exact utility of each open choice."""
        if game.long_qualifies != self.long_qualifies:
            raise fault("the hand was counted under another reading of the long flush", "count it under the game's")
        length = self.flush.bit_count() - 2
        cells = np.array(self.dealers, dtype=object)
        return tuple(
            Fraction(int((game.utility[choice, ..., length] * cells).sum()), DEALERS)
            for choice in range(game.open_choices[length])
        )


def position(hand: str | Sequence[int], *, long_qualifies: bool = True) -> HighCardPosition:
    """Return the counts of the 45,379,620 dealer hands against one hand of seven cards (text or card types).

    This count is independent of the kernel: it lists the subsets of each suit and convolves
    the suits. Raise `InputError` for another number of cards or a duplicate.
    """
    dealt = cards.cards(hand) if isinstance(hand, str) else tuple(hand)
    if len(dealt) != 7:
        raise fault(f"the hand has {len(dealt)} card(s)", "a hand of High Card Flush has seven cards")
    for card_type in dealt:
        if dealt.count(card_type) > 1:
            raise fault(f"{cards.name(card_type)} is in the hand twice", "name seven different cards")
    held = cards.rank_masks(dealt)
    flush = max(held, key=lambda mask: (mask.bit_count(), mask))
    pattern = tuple(sorted((mask.bit_count() for mask in held), reverse=True))
    return HighCardPosition(dealt, flush, pattern, _count_dealers(held, flush, long_qualifies), long_qualifies)


@cached("sizes and places of all masks", most=1)
def _orders() -> tuple[Array, Array]:
    """Return the size of each mask, and its index among flushes of all lengths: by length, then by ranks."""
    masks = np.arange(8192)
    sizes = np.array([mask.bit_count() for mask in range(8192)])
    return sizes, sizes << 13 | masks


def _count_dealers(held: Sequence[int], flush: int, long_qualifies: bool) -> Any:
    sizes, order = _orders()
    masks = np.arange(8192)
    suits = [(masks & mask) == 0 for mask in held]
    nine_high, beyond = int(order[NINE_HIGH]), int(order.max())  # all thirteen ranks: above any seven cards

    def below(limit: int) -> int:
        """Return the number of hands in which no suit reaches the limit, by convolution over the suits."""
        ways_to = [1, 0, 0, 0, 0, 0, 0, 0]
        for subsets in suits:
            ways = np.bincount(sizes[subsets & (order < limit)], minlength=8)
            ways_to = [sum(ways_to[k] * int(ways[n - k]) for k in range(n + 1)) for n in range(8)]
        return ways_to[7]

    def low_below(limit: int) -> int:
        """Return the number of those that do not qualify: below 9-3-2, or eight high in a longer flush."""
        count = below(min(limit, nine_high))
        for mask, subsets in zip(held, suits, strict=True):
            if not long_qualifies:
                eights = sizes[subsets & (masks <= LOW) & (sizes >= 4) & (order < limit)]
                count += sum(comb(32 + mask.bit_count(), 7 - int(n)) for n in eights)
        return count

    mine = int(order[flush])
    limits = (mine, mine + 1, beyond)
    low = [low_below(limit) for limit in limits]
    high = [below(limit) - missed for limit, missed in zip(limits, low, strict=True)]
    return tuple((all_ - upto, upto - less, less) for less, upto, all_ in (low, high))
