"""Deals with hands drawn out by a fixed rule, as conditions distinguish them.

    dealer draws out                    upcard, hole card, then cards by the house rule
    player 2, dealer draws out          the same with first cards of other roles
    baccarat                            two hands of two or three cards, by the third-card rule

The dealer's final hands are summed by composition; the number of draw orders of a composition depends only on the rule
(`draw`). Baccarat deals six cards and ignores the third cards that the rule does not draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, perm
from typing import Any, ClassVar

import numpy as np

from ..base.caches import cached
from ..base.errors import fault
from ..rulebook.terms import DealOptions
from .cards import CARD_TYPES, RED, Permutation, Shoe, permute
from .classes import Classes
from .dealer_draws import CardTotals, Dealer, value
from .draw import finished_hands
from .drawn_roles import first_cards_of, third_card_of
from .lenses import Lens, Role
from .table import Column, Table

#: Maximum number of rows of the dealer's final hands with first cards; each takes about two microseconds.
MOST_ROWS = 3_000_000
#: Maximum number of cards of a dealer's hand: sixteen that count one each, and one more.
LONGEST = 17
ACE = 12
#: Baccarat points of card types.
POINTS = np.array([min(c % 13 + 2, 10) % 10 if c % 13 != ACE else 1 for c in range(CARD_TYPES)], dtype=np.int8)

#: A function from the columns of first cards and final hands to the columns by which rows are summed.
Summary = Callable[[Mapping[str, Column]], Mapping[str, Column]]


@dataclass(frozen=True)
class DrawnSeen:
    """What the conditions of a wager distinguish in a drawn-out deal.

    ``roles`` are the first cards on which they depend, in the order of the deal; their lenses refine ``lens``, the lens
    of the dealer's hand. ``suits``: whether they depend on that hand being of one suit or colour; the roles then show
    suits. ``lens`` is None if no final hand matters. ``kept`` are the suit permutations that change no condition.
    ``beside`` are further first cards, all through one lens that ``lens`` refines: they are counted after the dealer's
    cards, from the remaining shoe.
    """

    roles: tuple[Role, ...]
    lens: Lens | None
    suits: bool
    kept: tuple[Permutation, ...]
    summary: Summary
    beside: tuple[Role, ...] = ()

    def group(self, shoe: Shoe) -> tuple[Permutation, ...]:
        return shoe.stabilizer(self.kept)

    def alike(self, shoe: Shoe) -> dict[int, int]:
        """Return a representative of each card type, which wager and shoe do not distinguish from it."""
        lenses = [role.lens for role in (*self.roles, *self.beside)] + ([self.lens] if self.lens else [])
        group = self.group(shoe)

        def key(c: int) -> tuple[int, ...]:
            suit = c // 13 if self.suits else 0
            return (*(lens.label[c] for lens in lenses), suit, shoe.copies[c])

        kinds: dict[tuple[int, ...], int] = {}
        return {c: kinds.setdefault(min(key(permute(p, c)) for p in group), c) for c in range(CARD_TYPES)}


# ---- baccarat


def third_cards(player: Column, banker: Column, third: Column) -> tuple[Column, Column]:
    """Return whether player and banker draw a third card, by the points of their first two cards.

    ``third`` has the points of the player's third card, used only if it is drawn. A total of 8 or 9 on either side ends
    the round; the player draws on 5 or less. The banker draws on 5 or less if the player stands, otherwise on 2 or
    less, on 3 unless the third card is an 8, on 4 against 2 to 7, on 5 against 4 to 7, on 6 against 6 and 7.
    """
    natural = (player >= 8) | (banker >= 8)
    draws = ~natural & (player <= 5)
    least = np.array([0, 0, 0, 0, 2, 4, 6, 10], dtype=np.int8)[np.minimum(banker, 7)]
    most = np.where(banker <= 3, 9, 7)
    against = (third >= least) & (third <= most) & ~((banker == 3) & (third == 8))
    return draws, ~natural & np.where(draws, (banker <= 6) & against, banker <= 5)


def _counts(types: Column, shown: Column) -> Column:
    """Return the number of cards of each rank, int8 (rows, 13); ``shown``: whether the last card counts."""
    rows, cards = types.shape
    counts = np.zeros((rows, 13), dtype=np.int8)
    every = np.arange(rows)
    for i in range(cards):
        counts[every, types[:, i] % 13] += 1 if i < cards - 1 else shown
    return counts


def _of_one(kinds: Column, shown: Column) -> Column:
    """Return whether all cards, including the last one if ``shown``, are of one kind."""
    same = kinds[:, 0] == kinds[:, 1]
    one_kind: Column = same & (~shown | (kinds[:, 2] == kinds[:, 0]))
    return one_kind


_RED = np.array([suit in RED for suit in range(4)])


def baccarat_columns(columns: Mapping[str, Column]) -> Mapping[str, Column]:
    """Return columns of six cards with those of both final hands: counts, suited, same_colour."""
    types = {}
    for hand in ("player", "banker"):
        parts = (first_cards_of(hand)[0], third_card_of(hand))
        ranks, suits = (np.concatenate([columns[f"{p}.{what}"] for p in parts], axis=1) for what in ("rank", "suit"))
        types[hand] = np.maximum(13 * np.maximum(suits, 0) + ranks, 0)
    points = {hand: POINTS[held[:, :2]].sum(axis=1) % 10 for hand, held in types.items()}
    drawn = third_cards(points["player"], points["banker"], POINTS[types["player"][:, 2]])
    all_columns = dict(columns)
    for (hand, held), shown in zip(types.items(), drawn, strict=True):
        suits = held // 13
        all_columns[f"{hand}.counts"] = _counts(held, shown)
        all_columns[f"{hand}.suited"] = _of_one(suits, shown)
        all_columns[f"{hand}.same_colour"] = _of_one(_RED[suits], shown)
    return all_columns


@cached("tables of baccarat, by what is distinguished and shoe", most=64)
def baccarat(seen: DrawnSeen, shoe: Shoe) -> Table:
    """Return the deals by the conditions that apply to them.

    If a final hand matters, they are the ordered deals of six cards, some of which a round does not use.
    """
    classes = Classes(shoe, seen.roles, seen.group(shoe))
    if seen.lens is None:
        return classes.tally(seen.summary)
    table = classes.tally(lambda columns: seen.summary(baccarat_columns(columns)))
    times = 4  # each hand's first two cards have two orders; 4 * deals is below 2**62 up to 12 decks
    weights = table.weights.astype(object) * times
    return Table(table.columns, weights, times * table.deals, table.classes)


# ---- the dealer


@dataclass(frozen=True)
class _Labelled:
    """The dealer's rule for cards that are distinguished more finely than by value."""

    dealer: Dealer
    values: tuple[int, ...]
    start: ClassVar[CardTotals] = CardTotals()
    columns: ClassVar[tuple[str, ...]] = ()

    def add(self, state: CardTotals, label: int) -> CardTotals:
        return state.add(self.values[label] - 1)

    def done(self, state: CardTotals) -> bool:
        return self.dealer.done(state)

    def features(self, state: CardTotals) -> tuple[int, ...]:
        return ()


@dataclass(frozen=True)
class _First:
    """A class of first cards: its row, its weight, and the cards that it uses by suit and label."""

    row: int
    weight: int
    used: tuple[tuple[int, ...], ...]
    suits: tuple[int, ...]


@cached("tables of dealers' hands, by what is distinguished, house rule and shoe", most=64)
def dealer(seen: DrawnSeen, options: DealOptions, shoe: Shoe) -> Table:
    """Return the final hands with the first cards, by the conditions that apply to them.

    Weights are probabilities with a common denominator. Raises `InputError` if the shoe can run out, and for conditions
    that are too fine to count.
    """
    columns, weights, deals = _first_cards(seen, shoe)
    if seen.lens is None:
        sums = _Sums()
        sums.add(seen.summary(columns), weights.tolist(), np.zeros(len(weights), dtype=np.int64))
        return sums.table(shoe.size, deals)
    rule = _Labelled(Dealer(options.soft_17 == "hits"), _values(seen.lens))
    left = shoe.size - sum(role.cards for role in seen.roles)
    for role in seen.beside:
        deals *= comb(left, role.cards)
        left -= role.cards
    sums, rows = _Sums(), 0
    for dealt, members in _by_dealer(seen, columns, weights).items():
        hands = _completions(rule, seen.lens.labels, dealt)
        rows += len(members) * len(hands[0]) * (3 if seen.suits else 1) * len(list(_besides(seen)))
        if rows > MOST_ROWS:
            raise fault(f"the conditions distinguish more than {MOST_ROWS:,} final hands",
                        "use conditions that distinguish less of the first cards")
        for block, weights_here, lengths in _blocks(seen, shoe, columns, members, dealt, hands):
            sums.add(seen.summary(block), weights_here, lengths)
    return sums.table(left, deals)


def _first_cards(seen: DrawnSeen, shoe: Shoe) -> tuple[Mapping[str, Column], Column, int]:
    if not seen.roles:
        return {}, np.ones(1, dtype=np.int64), 1
    table = Classes(shoe, seen.roles, seen.group(shoe)).table()
    return table.columns, table.weights, table.deals


def _values(lens: Lens) -> tuple[int, ...]:
    """Return the value of each label of a lens that shows values."""
    return tuple(value(max(rank, 0)) for rank in lens.rank)


def _by_dealer(seen: DrawnSeen, columns: Mapping[str, Column], weights: Column) -> dict[tuple[int, ...], list[_First]]:
    """Return the first cards by the labels of the dealer's cards among them."""
    assert seen.lens is not None
    held = {
        role.name: np.maximum(13 * np.maximum(columns[f"{role.name}.suit"], 0) + columns[f"{role.name}.rank"], 0)
        for role in seen.roles
    }
    first_cards: dict[tuple[int, ...], list[_First]] = defaultdict(list)
    for row, weight in enumerate(weights.tolist()):
        used = [[0] * seen.lens.labels for _ in range(4 if seen.suits else 1)]
        dealt, suits = [], []
        for name, types in held.items():
            for c in types[row].tolist():
                used[c // 13 if seen.suits else 0][seen.lens.label[c]] += 1
                if name in first_cards_of("dealer"):
                    dealt.append(seen.lens.label[c])
                    suits.append(c // 13)
        first_cards[tuple(dealt)].append(_First(row, weight, tuple(map(tuple, used)), tuple(suits)))
    return first_cards


def _completions(rule: _Labelled, labels: int, dealt: tuple[int, ...]) -> tuple[Column, Column]:
    """Return the cards drawn after the dealer's first ones, (hands, labels), and their numbers of draw orders."""
    # Labels of one value draw alike, so the first of them represents all.
    first = tuple(rule.values.index(rule.values[label]) for label in dealt)
    hands = finished_hands(rule, labels, first)
    drawn = np.array([hand.composition for hand in hands], dtype=np.int8).reshape(-1, labels)
    return drawn, np.array([hand.orders for hand in hands], dtype=object)


def _blocks(
    seen: DrawnSeen, shoe: Shoe, columns: Mapping[str, Column], members: list[_First], dealt: tuple[int, ...],
    hands: tuple[Column, Column],
) -> Iterator[tuple[Mapping[str, Column], list[int], Column]]:
    """Yield columns, weights and numbers of drawn cards of the final hands for each class of first cards."""
    assert seen.lens is not None
    drawn, orders = hands
    rows, stock = len(drawn), _stock(seen, shoe)
    ranks = np.array([max(rank, 0) for rank in seen.lens.rank])
    counts = np.zeros((rows, 13), dtype=np.int8)
    for label, rank in enumerate(ranks.tolist()):
        counts[:, rank] += drawn[:, label]
    for label in dealt:
        counts[:, ranks[label]] += 1
    lengths = drawn.sum(axis=1, dtype=np.int64)
    taken = drawn.astype(np.int64)
    for label in dealt:
        taken[:, label] += 1
    others = [(named, ways) for named, ways in _beside(seen, shoe, taken) if ways.any()]
    known: dict[Any, list[tuple[bool, bool, list[int]]]] = {}
    for first in members:
        key = (first.used, first.suits if seen.suits else ())
        if key not in known:
            known[key] = [(s, c, (w * orders).tolist()) for s, c, w in _ways(seen, stock, first, drawn)]
        for suited, same_colour, ways in known[key]:
            block = {name: np.repeat(column[first.row : first.row + 1], rows, axis=0)
                     for name, column in columns.items()}
            block["dealer.counts"] = counts
            block["dealer.suited"], block["dealer.same_colour"] = np.full(rows, suited), np.full(rows, same_colour)
            if not seen.beside:
                yield block, [first.weight * w for w in ways], lengths
            for named, factors in others:
                weights = [first.weight * w * n for w, n in zip(ways, factors.tolist(), strict=True)]
                yield {**block, **named}, weights, lengths


def _besides(seen: DrawnSeen) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all labels of the cards of each further role; one empty tuple if there is no further role."""
    labels = range(seen.beside[0].lens.labels) if seen.beside else range(0)
    return product(*(combinations_with_replacement(labels, role.cards) for role in seen.beside))


def _beside(seen: DrawnSeen, shoe: Shoe, taken: Column) -> Iterator[tuple[Mapping[str, Column], Column]]:
    """Yield columns of the further first cards, and their number of deals for each final hand.

    ``taken`` are the dealer's cards by label, (hands, labels). Up to eight cards have fewer than 2**62 deals.
    """
    if not seen.beside:
        return
    assert seen.lens is not None
    lens = seen.beside[0].lens
    onto = np.array(seen.lens.onto(lens))
    stock = np.zeros(lens.labels, dtype=np.int64)
    for c, copies in enumerate(shoe.copies):
        stock[lens.label[c]] += copies
    left = np.stack([stock[k] - taken[:, onto == k].sum(axis=1) for k in range(lens.labels)], axis=1)
    for hands in _besides(seen):
        ways, used, named = np.ones(len(taken), dtype=np.int64), [0] * lens.labels, {}
        for role, hand in zip(seen.beside, hands, strict=True):
            for label in sorted(set(hand)):
                most, n = int(stock[label]), hand.count(label)
                table = np.array([comb(i, n) for i in range(most + 1)], dtype=np.int64)
                ways = ways * table[np.maximum(left[:, label] - used[label], 0)]
                used[label] += n
            for what, shown in (("rank", lens.rank), ("suit", lens.suit)):
                cards = np.array([[shown[label] for label in hand]], dtype=np.int8)
                named[f"{role.name}.{what}"] = np.repeat(cards, len(taken), axis=0)
        yield named, ways


def _stock(seen: DrawnSeen, shoe: Shoe) -> list[list[int]]:
    """Return the cards of each label in the shoe, by suit if suits matter."""
    assert seen.lens is not None
    stock = [[0] * seen.lens.labels for _ in range(4 if seen.suits else 1)]
    for c, copies in enumerate(shoe.copies):
        stock[c // 13 if seen.suits else 0][seen.lens.label[c]] += copies
    return stock


def _ways(
    seen: DrawnSeen, stock: list[list[int]], first: _First, drawn: Column
) -> Iterator[tuple[bool, bool, Column]]:
    """Yield whether the hand is of one suit and of one colour, and the ways to draw each composition in one order."""
    left = np.array(stock) - np.array(first.used)

    def ways(suits: list[int]) -> Column:
        """Return the ways to draw the cards from these suits."""
        orders = np.ones(len(drawn), dtype=object)
        for label, copies in enumerate(left[suits].sum(axis=0).tolist()):
            column = drawn[:, label]
            if most := int(column.max(initial=0)):
                orders = orders * np.array([perm(copies, n) for n in range(most + 1)], dtype=object)[column]
        return orders

    every = list(range(len(left)))
    if not seen.suits:
        yield False, False, ways(every)
        return
    held = set(first.suits)
    one = sum((ways([s]) for s in every if held <= {s}), np.zeros(len(drawn), dtype=object))
    colours = [sorted(RED), sorted(set(every) - RED)]
    colour = sum((ways(pair) for pair in colours if held <= set(pair)), np.zeros(len(drawn), dtype=object))
    yield True, True, one
    yield False, True, colour - one
    yield False, False, ways(every) - colour


class _Sums:
    """Weights summed by the requested columns and the number of drawn cards."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._weights: dict[tuple[Any, ...], int] = defaultdict(int)

    def add(self, columns: Mapping[str, Column], weights: list[int], lengths: Column) -> None:
        self._names = tuple(columns)
        keys = zip(*(column.tolist() for column in columns.values()), lengths.tolist(), strict=True)
        for key, weight in zip(keys, weights, strict=True):
            if weight:
                self._weights[key] += weight

    def table(self, left: int, deals: int) -> Table:
        """Return a row for each combination, with hands extended to equal length, so that weights have one unit."""
        reached = max((key[-1] for key in self._weights), default=0)
        rows: dict[tuple[Any, ...], int] = defaultdict(int)
        for key, weight in self._weights.items():
            rows[key[:-1]] += weight * perm(left - key[-1], reached - key[-1])
        unit = deals * perm(left, reached)
        if sum(rows.values()) != unit and left <= LONGEST:
            raise fault(f"a shoe of {left} card(s) can run out before the hand is complete",
                        "leave more cards in the shoe", file="--without")
        keys = sorted(rows)
        columns = {name: np.array([key[i] for key in keys]) for i, name in enumerate(self._names)}
        return Table(columns, np.array([rows[key] for key in keys], dtype=object), unit, len(keys), counts_deals=False)
