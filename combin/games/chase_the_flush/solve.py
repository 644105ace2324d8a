"""Chase the Flush, solved exactly: best play, its joint table, and any one position.

Three cards each to player and dealer, two community cards (the flop), two more
(turn and river). The value of a hand is the longest set of its seven cards of one
suit: by length, then by ranks from the top, ace high. The dealer qualifies with three
cards, nine high. The player raises 3x on the hole cards, 2x after the flop, or
1x on the whole board, or folds there.

An integer table (`Utility`) gives the value of each ending, so the pays, the X-tra Bonus
and the raise multiples are data. No decision depends on a card that the player does not see:
it is made on the mean over all flops, on the mean over all rivers, or on the count of
all 14,190 dealer hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.errors import CountError, closed, fault
from ...base.parallel import Arrays, sweep
from ...deals.cards import name, names, rank_masks

CHOICES = ("3x", "2x", "1x", "fold")
RESULTS = ("lose", "tie", "win")
#: The play on a river if raising and folding have equal values (the reading river-tie).
TIES = ("fold", "raise")
LENGTHS = (2, 3, 4, 5, 6, 7)

HOLES = comb(52, 3)
FLOPS = comb(49, 2)
RIVERS = comb(47, 2)
DEALER_HANDS = comb(45, 3)
#: 22,100 x 1,176 x 1,081 x 14,190
DEALS = HOLES * FLOPS * RIVERS * DEALER_HANDS
DEALS_PER_HOLE = FLOPS * RIVERS * DEALER_HANDS

#: A class has 1.8e10 deals; a small multiple of their utilities must fit 64 bits.
LARGEST_UTILITY = 50_000_000

#: Integers [choice 3x, 2x, 1x, fold][dealer qualifies no, yes][lose, tie, win][flush length 2 to 7].
Utility = np.ndarray[Any, np.dtype[np.int64]]
#: Deals or integers under the same four indices, as Python integers if they exceed 64 bits.
Joint = np.ndarray[Any, Any]
SHAPE = (len(CHOICES), 2, len(RESULTS), len(LENGTHS))

#: Progress and Ctrl-C are handled between chunks of about 50 ms.
CHUNK = 20



def check_utility(table: Any) -> Utility:
    """Return ``table`` as int64 of the right shape; raise `InputError` if it cannot be solved exactly."""
    given = np.asarray(table, dtype=object)
    if given.shape != SHAPE:
        raise fault(f"the utility table has the shape {given.shape}", f"give integers of shape {SHAPE}")
    if not all(isinstance(value, int | np.integer) for value in given.flat):
        raise fault("a utility is not an integer", "multiply the pays by their common denominator")
    largest = max(abs(int(value)) for value in given.flat)
    if largest > LARGEST_UTILITY:
        raise fault(
            f"a utility of {largest:,} could overflow 64 bits over a class of hole cards",
            f"keep pays times their common denominator within {LARGEST_UTILITY:,}",
        )
    if any((given[3, :, :, i] != given[3, 0, 0, i]).any() for i in range(len(LENGTHS))):
        raise fault("the utility of a fold depends on the dealer's cards", "a folded hand is never compared")
    return given.astype(np.int64)


@cached("the classes of three hole cards", most=1)
def hole_classes() -> tuple[np.ndarray[Any, np.dtype[np.int32]], tuple[int, ...]]:
    """Return the 1,755 classes of three hole cards under the suit permutations: masks (1755, 4) and weights.

    Masks are in descending order of (cards, ranks), so that equal ones are neighbours.
    """
    weights: dict[tuple[int, ...], int] = {}
    for hole in combinations(range(52), 3):
        key = canonical(rank_masks(hole))
        weights[key] = weights.get(key, 0) + 1
    table = np.array(list(weights), dtype=np.int32)
    table.setflags(write=False)
    return table, tuple(weights.values())


def canonical(held: Sequence[int]) -> tuple[int, ...]:
    """Return the representative of a class of hole cards."""
    return tuple(sorted(held, key=lambda mask: (-mask.bit_count(), -mask)))


@dataclass(frozen=True, eq=False)
class ChaseSolution:
    """Optimal play under one utility table.

    ``values`` (1755, 2) sums the utility over all continuations of one hand of each
    class: raised at once, and checked. ``class_joint`` (1755, 4, 2, 3, 6) counts those
    continuations by ending. ``class_ties`` (1755, 3) counts exact ties of the best choices:
    of the hole cards, of flops after a check, of rivers after two checks. ``flops``
    (1755, 49, 49) is 1 if the player raises 2x on these two cards of the flop; the cards
    that the class leaves are numbered suit by suit from the two up. ``class_tied``
    (1755, 2, 3, 6) counts the continuations that end on a tied river.
    """

    utility: Utility
    tie: str
    values: np.ndarray[Any, np.dtype[np.int64]]
    class_joint: np.ndarray[Any, np.dtype[np.int64]]
    class_ties: np.ndarray[Any, np.dtype[np.int64]]
    flops: np.ndarray[Any, np.dtype[np.uint8]]
    class_tied: np.ndarray[Any, np.dtype[np.int64]]

    def __post_init__(self) -> None:
        for array in (self.utility, self.values, self.class_joint, self.class_ties, self.flops, self.class_tied):
            array.setflags(write=False)
        check_classes(self.values.max(axis=1), self.class_joint, self.utility)
        closed("deals of the joint table of Chase the Flush", int(self.joint.sum()), DEALS)

    @cached_property
    def joint(self) -> Joint:
        """Return deals by choice, dealer qualifies, result and flush length; they add up to `DEALS`."""
        return weighted(self.class_joint)

    @cached_property
    def total(self) -> int:
        """Return the utility of all deals together, by backward induction."""
        return sum(w * int(v) for w, v in zip(hole_classes()[1], self.values.max(axis=1), strict=True))

    @property
    def mean(self) -> Fraction:
        """Return the expected utility of a round."""
        return Fraction(self.total, DEALS)

    @cached_property
    def ties(self) -> dict[str, int]:
        """Return the exact ties over all hole cards: ``3x`` of 22,100 hands, ``2x`` of flops, ``1x`` of rivers."""
        counts = weighted(self.class_ties)
        return {choice: int(counts[i]) for i, choice in enumerate(CHOICES[:3])}

    def on_tie(self, tie: str) -> ChaseSolution:
        """Return this play with tied rivers folded or raised. Both have the same value: no other decision changes."""
        if raises_ties(tie) == raises_ties(self.tie):
            return self
        raised, folded = CHOICES.index("1x"), CHOICES.index("fold")
        into, out = (raised, folded) if tie == "raise" else (folded, raised)
        joint = self.class_joint.copy()
        joint[:, into] += self.class_tied
        joint[:, out] -= self.class_tied
        return ChaseSolution(self.utility, tie, self.values, joint, self.class_ties, self.flops, self.class_tied)

    @property
    def raises_at_once(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return for each hole class whether 3x is the best choice (a tie checks)."""
        return self.values[:, 0] > self.values[:, 1]


def weighted(by_class: np.ndarray[Any, Any]) -> Joint:
    """Return the sum over the hole classes by weight, in Python integers."""
    weights = np.array(hole_classes()[1], dtype=object)
    shape = (len(weights),) + (1,) * (by_class.ndim - 1)
    total: Joint = (by_class.astype(object) * weights.reshape(shape)).sum(axis=0)
    return total


def check_classes(
    best: np.ndarray[Any, Any], class_joint: np.ndarray[Any, Any], utility: np.ndarray[Any, Any]
) -> None:
    """Compare each class's value by induction with the value of its joint cells.

    An error in the flops of a few classes may leave every total of the joint table right,
    so classes are compared one by one. Raises `CountError` at the first difference.
    """
    cells = class_joint.reshape(len(class_joint), -1)
    if (cells < 0).any() or (cells.sum(axis=1) != DEALS_PER_HOLE).any():
        raise CountError("the joint cells of a class of hole cards do not add up to its deals")
    wrong = np.flatnonzero(cells @ utility.reshape(-1) != best)
    if len(wrong):
        raise CountError(
            f"induction and joint table differ in {len(wrong)} hole classes, the first is {wrong[0]}"
        )


def solve(
    utilities: Sequence[Any], *, tie: str = "fold", threads: int | None = None
) -> tuple[ChaseSolution, ...]:
    """Return optimal play under each utility table, two tables per pass over the deals.

    If raising 1x and folding have equal values, ``tie`` (``fold`` or ``raise``, the reading
    river-tie) decides. 3x and 2x are chosen only if better than checking.
    """
    tables = [check_utility(table) for table in utilities]
    raise_ties = raises_ties(tie)
    holes, _ = hole_classes()
    kernel = load("chase_the_flush")
    solutions: list[ChaseSolution] = []
    for first in range(0, len(tables), 2):
        pair = tables[first : first + 2]
        both = np.stack([pair[0], pair[-1]])

        def call(start: int, stop: int, arrays: Arrays, both: Utility = both) -> None:
            kernel.solve_classes(holes, start, stop, both, raise_ties, *arrays)

        values, joint, ties, flops, tied = sweep(
            call, len(holes), lambda: _results(len(holes)), chunk=CHUNK,
            label="Chase the Flush", threads=threads,
        )
        for i, table in enumerate(pair):
            copies = values[:, i].copy(), joint[:, i].copy(), ties[:, i].copy()
            solutions.append(ChaseSolution(table, tie, *copies, flops // 7 if i else flops % 7, tied[:, i].copy()))
    return tuple(solutions)


def _results(classes: int) -> tuple[np.ndarray[Any, Any], ...]:
    return (
        np.zeros((classes, 2, 2), dtype=np.int64),
        np.zeros((classes, 2, *SHAPE), dtype=np.int64),
        np.zeros((classes, 2, 3), dtype=np.int64),
        np.zeros((classes, 49, 49), dtype=np.uint8),
        np.zeros((classes, 2, *SHAPE[1:]), dtype=np.int64),
    )


def raises_ties(tie: str) -> bool:
    if tie not in TIES:
        raise fault(f'river-tie cannot be "{tie}"', "choose fold or raise", file="--reading")
    return tie == "raise"


@dataclass(frozen=True)
class ChasePosition:
    """The value of each choice for a player who sees ``hole`` and ``board``.

    ``sums`` adds the utility over all ``continuations`` (unseen community cards and
    dealer hands). ``dealer`` counts the dealer's hands on a whole board by
    (qualifies, result), and is empty before.
    """

    hole: tuple[int, ...]
    board: tuple[int, ...]
    sums: dict[str, int]
    continuations: int
    best: str
    dealer: dict[tuple[bool, str], int]

    @property
    def values(self) -> dict[str, Fraction]:
        """Return the expected utility of each choice."""
        return {choice: Fraction(total, self.continuations) for choice, total in self.sums.items()}


def position(hole: Sequence[int], board: Sequence[int] = (), *, utility: Any, tie: str = "fold") -> ChasePosition:
    """Return the exact value of every choice with these hole cards and no, two or four community cards.

    Choices are ``3x`` or ``check``, ``2x`` or ``check``, ``1x`` or ``fold``. Raise
    `InputError` on a wrong number of cards or a card dealt twice.
    """
    hole, board = tuple(hole), tuple(board)
    table = check_utility(utility)
    if len(hole) != 3:
        raise fault(f"the hand has {len(hole)} card(s)", "give the player's three cards", file="--hand")
    if len(board) not in (0, 2, 4):
        raise fault(
            f"the board has {len(board)} card(s)", "give none, the two of the flop, or all four", file="--board"
        )
    _check_cards(hole + board)
    prefers_raise = raises_ties(tie)
    if len(board) == 4:
        below, upto, unqualified, flush = (int(x) for x in _dealer(hole, [board])[0])
        dealer = _settled(flush, below, upto, unqualified)
        sums = {"1x": _worth(dealer, table, 2, flush), "fold": _worth(dealer, table, 3, flush)}
        raises = sums["1x"] >= sums["fold"] if prefers_raise else sums["1x"] > sums["fold"]
        return ChasePosition(hole, board, sums, DEALER_HANDS, "1x" if raises else "fold", dealer)
    if len(board) == 2:
        raised, checked = _flop(hole, board, table)
        sums, continuations, best = {"2x": raised, "check": checked}, RIVERS * DEALER_HANDS, "2x"
    else:
        kernel, results = load("chase_the_flush"), _results(1)
        hands = np.array([canonical(rank_masks(hole))], dtype=np.int32)
        kernel.solve_classes(hands, 0, 1, np.stack([table, table]), prefers_raise, *results)
        raised, checked = (int(x) for x in results[0][0, 0])
        sums, continuations, best = {"3x": raised, "check": checked}, DEALS_PER_HOLE, "3x"
    return ChasePosition(hole, board, sums, continuations, best if raised > checked else "check", {})


def _check_cards(cards: Sequence[int]) -> None:
    for card in cards:
        if not 0 <= card < 52:
            raise fault(f"there is no card number {card}", "use numbers from 0 to 51")
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        raise fault(f"{name(twice[0])} is dealt twice in {names(cards)}", "give each card once")


def _dealer(hole: Sequence[int], boards: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for each whole board the dealer hands below the player's, not above it, not qualifying; and the flush."""
    out = np.zeros((len(boards), 4), dtype=np.int64)
    holes = np.array([rank_masks(hole)] * len(boards), dtype=np.int32)
    load("chase_the_flush_rounds").count_dealer(holes, np.array([rank_masks(b) for b in boards], dtype=np.int32), out)
    return np.ascontiguousarray(out[:, [1, 2, 3, 0]])


def _settled(flush: int, below: int, upto: int, unqualified: int) -> dict[tuple[bool, str], int]:
    """Return the dealer hands by (qualifies, player's result), in the order of a utility table."""
    qualifying_flush = flush >= 3 << 13 | 1 << 7  # three cards with a nine or better on top
    lost = DEALER_HANDS - upto
    if qualifying_flush:
        cells = (0, 0, unqualified, lost, upto - below, below - unqualified)
    else:
        cells = (unqualified - upto, upto - below, below, DEALER_HANDS - unqualified, 0, 0)
    keys = [(qualifies, result) for qualifies in (False, True) for result in RESULTS]
    return dict(zip(keys, cells, strict=True))


def _worth(dealer: Mapping[tuple[bool, str], int], table: Utility, choice: int, flush: int) -> int:
    """Return the utility of a choice summed over the dealer's hands."""
    cells = table[choice, :, :, (flush >> 13) - 2].flat
    return sum(count * int(cell) for count, cell in zip(dealer.values(), cells, strict=True))


def _flop(hole: Sequence[int], flop: Sequence[int], table: Utility) -> tuple[int, int]:
    """Return the utility summed over a flop's continuations: raised 2x, and checked."""
    unseen = [card for card in range(52) if card not in hole and card not in flop]
    boards = [(*flop, *pair) for pair in combinations(unseen, 2)]
    raised = checked = 0
    for below, upto, unqualified, flush in _dealer(hole, boards).tolist():
        dealer = _settled(flush, below, upto, unqualified)
        raised += _worth(dealer, table, 1, flush)
        checked += max(_worth(dealer, table, 2, flush), _worth(dealer, table, 3, flush))
    return raised, checked
