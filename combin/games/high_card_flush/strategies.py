"""Strategies for High Card Flush, valued exactly, and the best of a named language.

A strategy depends on the best flush and on a code of the other suits. All strategies are
valued from one histogram of the deals by flush and code, made in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...base.errors import fault
from .solve import (
    DEALERS,
    DEALS,
    LENGTHS,
    Array,
    Codes,
    FlushGame,
    HighCardSolution,
    by_high_cards,
    flushes,
    lengths,
    solve,
)


@dataclass(frozen=True)
class Histogram:
    """All deals of a game by the flush and code of the player's hand, before any choice."""

    game: FlushGame
    codes: Codes
    cells: Array = field(repr=False)  # int64[flush][code][qualifies][result]; sum 6.07e15


def histogram(game: FlushGame, codes: Codes, *, threads: int | None = None) -> Histogram:
    """Return the histogram, by one pass over all classes without a choice."""
    no_choice = FlushGame(np.zeros((1, 2, 3, 6), dtype=object), (1,) * 6, game.long_qualifies)
    return Histogram(game, codes, solve(no_choice, codes, threads=threads).cells[:, :, 0])


def joint_of(seen: Histogram, strategy: Array) -> Array:
    """Return the deals of ``strategy[flush][code]``: int64 ``[choice][qualifies][result][length - 2]``.

    A strategy gives a choice, or a boolean (true: raise the most allowed).
    """
    choices = _as_choices(np.asarray(strategy), seen)
    first = np.searchsorted(lengths(), LENGTHS)
    joint = np.zeros((seen.game.choices, 2, 3, 6), np.int64)
    for choice in range(seen.game.choices):
        taken = np.where((choices == choice)[..., None, None], seen.cells, 0).sum(1)
        joint[choice] = np.add.reduceat(taken, first, axis=0).transpose(1, 2, 0)
    return joint


def best_strategy(seen: Histogram) -> Array:
    """Return ``[flush][code]``: the best choice for a player who sees only these two; the first of equals."""
    values = _values(seen)
    best = np.zeros(values.shape[:2], np.int64)
    most = values[..., 0].copy()
    open_choices = np.array(seen.game.open_choices)[lengths() - 2][:, None]
    for choice in range(1, seen.game.choices):
        better = (open_choices > choice) & (values[..., choice] > most)
        best[better] = choice
        most[better] = values[..., choice][better]
    return best


def _as_choices(strategy: Array, seen: Histogram) -> Array:
    if strategy.shape != seen.cells.shape[:2]:
        raise fault(
            f"the strategy has the shape {strategy.shape}",
            f"give {' x '.join(map(str, seen.cells.shape[:2]))}: flush and code",
        )
    open_choices = np.array(seen.game.open_choices)[lengths() - 2][:, None]
    if strategy.dtype == bool:
        most: Array = strategy * (open_choices - 1)
        return most
    whole = np.issubdtype(strategy.dtype, np.integer)
    if not whole or (strategy < 0).any() or (strategy >= open_choices).any():
        raise fault("the strategy has a choice that is not allowed", "give 0 for a fold, 1 to the limit to raise")
    return strategy


def _values(seen: Histogram) -> Array:
    """Return the utility of each choice over all its deals, Python integers ``[flush][code][choice]``, open or not."""
    game = seen.game
    # int64 if it surely suffices: a sum is at most the greatest utility x all deals.
    fits = max(abs(int(u)) for u in game.utility.flat) * DEALS < 2**63
    kind: Any = np.int64 if fits else object
    utility = game.utility[..., lengths() - 2].transpose(3, 0, 1, 2).astype(kind)  # [flush][choice][][]
    cells = seen.cells.astype(kind, copy=False)
    values = [(cells * utility[:, None, choice]).sum((2, 3)) for choice in range(game.choices)]
    return np.stack(values, -1).astype(object)


# ---- thresholds among the three-card flushes


def three_card_flushes() -> range:
    """Return the numbers of the 286 flushes of three cards; the stop is the lowest flush of four."""
    return range(int(np.searchsorted(lengths(), 3)), int(np.searchsorted(lengths(), 4)))


def threshold_totals(seen: Histogram) -> Array:
    """Return the utility over the deals of each code under each threshold, Python integers ``[287][code]``.

    Row t raises the most allowed from the t-th three-card flush upwards, the last
    one from four cards upwards. A flush of two cards is folded.
    """
    values = _values(seen)
    folded = values[..., 0]
    most = np.array(seen.game.open_choices)[lengths() - 2] - 1
    raised = np.take_along_axis(values, most[:, None, None], axis=2)[..., 0]
    three = three_card_flushes()
    always = folded[: three.start].sum(0) + raised[three.stop :].sum(0)
    low = np.concatenate([np.zeros_like(folded[:1]), np.cumsum(folded[three.start : three.stop], axis=0)])
    high = np.cumsum(raised[three.start : three.stop], axis=0)
    total: Array = low + always + np.concatenate([high[-1:], high[-1] - high])
    return total


@dataclass(frozen=True)
class Thresholds:
    """Raise from a lowest three-card flush on, which depends on the code (a mask; ``None``: four cards)."""

    groups: tuple[tuple[Any, ...], ...]  # labels of the codes
    least: tuple[int | None, ...]  # for each group
    total: int  # utility over all deals


def single_thresholds(seen: Histogram) -> tuple[Thresholds, ...]:
    """Return all 287 strategies of one threshold, whatever the code."""
    totals = threshold_totals(seen).sum(1)
    return tuple(
        Thresholds((seen.codes.labels,), (_mask(row),), int(total)) for row, total in enumerate(totals)
    )


def best_thresholds(seen: Histogram, splits: Iterable[tuple[frozenset[Any], ...]]) -> tuple[Thresholds, ...]:
    """Return for each split of the labels into groups the best threshold of each group, the best split first.

    Groups have no deals in common, so the best threshold of each group gives the best of all
    287 x 287 pairs. Of equal totals the lower threshold and the earlier split come first.
    """
    totals = threshold_totals(seen)
    labels = seen.codes.labels
    candidates = []
    for groups in splits:
        if sorted(map(str, (label for group in groups for label in group))) != sorted(map(str, labels)):
            known = ", ".join(map(str, labels))
            raise fault("a split does not divide the labels", f"put each of {known} in one group")
        least, total = [], 0
        for group in groups:
            of_group = totals[:, [label in group for label in labels]].sum(1)
            best = max(range(len(of_group)), key=of_group.__getitem__)
            least.append(_mask(best))
            total += int(of_group[best])
        named = tuple(tuple(label for label in labels if label in group) for group in groups)
        candidates.append(Thresholds(named, tuple(least), total))
    return tuple(sorted(candidates, key=lambda t: -t.total))


def two_groups(seen: Histogram) -> Iterator[tuple[frozenset[Any], frozenset[Any]]]:
    """Yield every split in two of the labels that a three-card flush may have; others are in the first group."""
    three = three_card_flushes()
    occurs: Array = seen.cells[three.start : three.stop].sum((0, 2, 3)) > 0
    free = [label for label, there in zip(seen.codes.labels, occurs, strict=True) if there]
    if len(free) > 12:
        raise fault(f"{len(free)} labels are too many to split in two", "use at most 12 labels, or name the splits")
    everything = frozenset(seen.codes.labels)
    for size in range(1, len(free)):
        for chosen in combinations(free[1:], size):  # the first label stays in the first group
            yield everything - frozenset(chosen), frozenset(chosen)


@dataclass(frozen=True)
class HighCardRule:
    """Two thresholds: the second one if the other suits hold ``cards`` cards of ``rank`` (0 a two) or higher."""

    rank: int
    cards: int
    thresholds: Thresholds


def search_high_cards(game: FlushGame, *, threads: int | None = None) -> tuple[HighCardRule, ...]:
    """Return the best two thresholds by the high cards of the other suits, over every rank and number of them."""
    rules = []
    for rank in range(13):
        seen = histogram(game, by_high_cards(rank, pattern=False), threads=threads)
        highs = [frozenset(label for label in seen.codes.labels if label >= least) for least in range(1, 5)]
        splits = [(frozenset(seen.codes.labels) - high, high) for high in highs if high]
        rules += [
            HighCardRule(rank, min(thresholds.groups[1]), thresholds)
            for thresholds in best_thresholds(seen, splits)
        ]
    return tuple(sorted(rules, key=lambda rule: -rule.thresholds.total))


def threshold_strategy(seen: Histogram, thresholds: Thresholds) -> Array:
    """Return the boolean ``[flush][code]`` of a rule of thresholds."""
    strategy = np.zeros(seen.cells.shape[:2], bool)
    three = three_card_flushes()
    for group, least in zip(thresholds.groups, thresholds.least, strict=True):
        codes = [label in group for label in seen.codes.labels]
        strategy[three.stop if least is None else int(np.flatnonzero(flushes() == least)[0]) :, codes] = True
    return strategy


def _mask(row: int) -> int | None:
    three = three_card_flushes()
    return int(flushes()[three.start + row]) if row < len(three) else None


# ---- a play that a person can read


@dataclass(frozen=True)
class StrategyLine:
    """Best flushes ``first`` to ``last`` (masks, ascending) with the same play, by label of the code."""

    first: int
    last: int
    never: tuple[Any, ...]
    sometimes: tuple[Any, ...]  # the code does not determine the choice
    always: tuple[Any, ...]
    open_hands: int  # hands under ``sometimes``


def lines(solution: HighCardSolution) -> tuple[StrategyLine, ...]:
    """Return the optimal play by best flush and code; flushes with the same play share a line.

    It needs a solution by flush. Codes that do not determine the play are in ``sometimes``.
    """
    if solution.by != "flush":
        raise fault("a solution by length has no lines", "solve by flush")
    hands = solution.cells.sum((3, 4)) // DEALERS  # [flush][code][choice]
    folds, raises = hands[..., 0], hands[..., 1:].sum(2)
    verdicts = np.where(folds > 0, 1, 0) + np.where(raises > 0, 2, 0)  # 0 for no such hand
    counts = np.where(verdicts == 3, folds + raises, 0).sum(1)
    return _merge(solution.codes, verdicts, counts)


def _merge(codes: Codes, verdicts: Array, counts: Array) -> tuple[StrategyLine, ...]:
    """Return lines: neighbours that agree on every common code are joined if these codes raise all hands or none."""

    def kind(row: Array) -> tuple[int, ...]:
        there = set(row.tolist()) - {0}
        return tuple(there) if len(there) == 1 and there != {3} else tuple(row.tolist())

    strategy_lines: list[StrategyLine] = []
    start = 0
    for row in range(1, len(verdicts) + 1):
        if row < len(verdicts) and kind(verdicts[row]) == kind(verdicts[start]):
            continue
        seen = verdicts[start:row].max(0)
        never, sometimes, always = (
            tuple(codes.labels[code] for code in np.flatnonzero(seen == verdict)) for verdict in (1, 3, 2)
        )
        ends = int(flushes()[start]), int(flushes()[row - 1])
        strategy_lines.append(StrategyLine(*ends, never, sometimes, always, int(counts[start:row].sum())))
        start = row
    return tuple(strategy_lines)
