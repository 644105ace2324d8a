"""Drawn-out blackjack hands: the dealer by the house rule, the player by a chart.

Cards are classes by value: class 0 is an ace, classes 1 to 8 the cards two to nine, class 9 the ten-valued cards. An
upcard is given by its value, 1 (ace) to 10.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from math import perm
from operator import add
from pathlib import Path
from typing import ClassVar, NamedTuple

from ..base.caches import cached
from ..base.errors import Fault, fault, raise_all
from ..base.textfiles import parse_toml, read_text, with_lines
from .cards import CARD_TYPES, Shoe
from .draw import Composition, FinishedHands, draw, finished_hands, joint_by_second, orders_of, tabulate

VALUES = tuple(range(1, 11))
ACE, NINE, TEN = 0, 8, 9


def value(card_type: int) -> int:
    """Return the value of a card: 1 for an ace, 10 for ten and court cards."""
    rank = card_type % 13
    return 1 if rank == 12 else min(rank + 2, 10)


def value_counts(shoe: Shoe) -> Composition:
    """Return the number of cards in the shoe by class."""
    counts = [0] * len(VALUES)
    for card_type in range(CARD_TYPES):
        counts[value(card_type) - 1] += shoe.copies[card_type]
    return tuple(counts)


class CardTotals(NamedTuple):
    """The state of a hand on which drawing rules depend; ``hard`` counts every ace as 1."""

    cards: int = 0
    hard: int = 0
    ace: bool = False

    def add(self, card_class: int) -> CardTotals:
        return CardTotals(self.cards + 1, self.hard + card_class + 1, self.ace or card_class == ACE)

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11 (ch. 3 E(3))."""
        return self.ace and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 if self.soft else self.hard

    @property
    def blackjack(self) -> bool:
        return self.cards == 2 and self.total == 21


@dataclass(frozen=True)
class Dealer:
    """The dealer draws to 17, and hits a soft 17 or not; a blackjack is two cards totalling 21."""

    hits_soft_17: bool
    start: ClassVar[CardTotals] = CardTotals()
    bounded: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("cards", "total", "bust", "blackjack", "soft")

    def add(self, state: CardTotals, card_class: int) -> CardTotals:
        return state.add(card_class)

    def done(self, state: CardTotals) -> bool:
        return state.total > 17 or (state.total == 17 and not (state.soft and self.hits_soft_17))

    def features(self, state: CardTotals) -> tuple[int, ...]:
        """Return the features of a final hand; a busted hand keeps its actual total, 22 to 26."""
        return (state.cards, state.total, int(state.total > 21), int(state.blackjack), int(state.soft))


def _check_upcard(counts: Composition, upcard: int) -> None:
    if upcard not in VALUES:
        raise fault(f"an upcard cannot be {upcard}", "give a value of 1 (ace) to 10")
    if not counts[upcard - 1]:
        raise fault(f"no card of value {upcard} is left in the shoe", "remove fewer cards", file="--without")


def _without(counts: Composition, *values: int) -> Composition:
    left = list(counts)
    for card_value in values:
        left[card_value - 1] -= 1
    return tuple(left)


def dealer_hands(
    shoe: Shoe, *, hits_soft_17: bool, upcard: int | None = None, by_upcard: bool = False
) -> FinishedHands:
    """Return the dealer's final hand from the shoe; the dealer always completes the hand.

    Columns: cards (2 and more), total (17 to 26), bust, blackjack, soft; ``by_upcard`` puts the upcard's value before
    them. Given an ``upcard`` (a value; the shoe still has that card), probabilities are conditional on it. Raises
    `InputError` for an upcard that the shoe does not have, and for a shoe that can run out.
    """
    rule, counts = Dealer(hits_soft_17), value_counts(shoe)
    if upcard is not None:
        _check_upcard(counts, upcard)
        given = draw(rule, _without(counts, upcard), (upcard - 1,))
        if not by_upcard:
            return given
        rows = tuple((upcard, *row) for row in given.rows)
        return FinishedHands(("upcard", *rule.columns), rows, given.weights, given.denominator)
    if not by_upcard or not shoe.size:  # an empty shoe is refused here
        return draw(rule, counts)
    tables = {v: draw(rule, _without(counts, v), (v - 1,)) for v in VALUES if counts[v - 1]}
    # The denominators are perm(size - 1, k), so the greatest is a multiple of each.
    denominator = max(table.denominator for table in tables.values())
    weights = {
        (v, *row): counts[v - 1] * weight * (denominator // table.denominator)
        for v, table in tables.items()
        for row, weight in zip(table.rows, table.weights, strict=True)
    }
    return tabulate(("upcard", *rule.columns), weights, shoe.size * denominator)


LETTERS = {"S": "stand", "H": "hit", "D": "double, otherwise hit", "Ds": "double, otherwise stand"}
TOTALS = {"hard": range(4, 22), "soft": range(12, 22)}
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
_ROW = re.compile(r"(\d+)(?: (?:and (more|less)|(?:and|to) (\d+)))?")


@dataclass(frozen=True)
class Chart:
    """A playing chart: a letter of `LETTERS` for every total against every upcard.

    ``hard[total - 4]`` and ``soft[total - 12]`` are rows of ten letters, for upcards 2 to 10 and ace. Pairs are not
    split. ``text`` is the TOML text of the chart, which the independent method reads itself.
    """

    name: str
    hard: tuple[tuple[str, ...], ...]
    soft: tuple[tuple[str, ...], ...]
    text: str = field(default="", repr=False, compare=False)

    def player(self, upcard: int) -> PlayerRule:
        """Return the player's rule against an upcard (1 to 10)."""
        column = (upcard - 2) % 10
        return PlayerRule(tuple(row[column] for row in self.hard), tuple(row[column] for row in self.soft))


class PlayerHand(NamedTuple):
    hand: CardTotals = CardTotals()
    finished: bool = False


@dataclass(frozen=True)
class PlayerRule:
    """The player's rule against one upcard: one column of a chart. A blackjack and a hard 21 always stand."""

    hard: tuple[str, ...]
    soft: tuple[str, ...]
    start: ClassVar[PlayerHand] = PlayerHand()
    bounded: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("cards", "total", "soft")

    def letter(self, hand: CardTotals) -> str:
        return self.soft[hand.total - 12] if hand.soft else self.hard[hand.total - 4]

    def add(self, state: PlayerHand, card_class: int) -> PlayerHand:
        """Return the hand after one more card; a double takes one card, on the first two only (ch. 10 A)."""
        before, hand = state.hand, state.hand.add(card_class)
        if hand.cards < 2:
            return PlayerHand(hand)
        over = hand.hard >= 21 or hand.blackjack
        if over or (before.cards == 2 and self.letter(before) in ("D", "Ds")):
            return PlayerHand(hand, finished=True)
        letter = self.letter(hand)
        return PlayerHand(hand, finished=letter == "S" or (letter == "Ds" and hand.cards > 2))

    def done(self, state: PlayerHand) -> bool:
        return state.finished

    def features(self, state: PlayerHand) -> tuple[int, ...]:
        return (state.hand.cards, state.hand.total, int(state.hand.soft))


#: A fault and its remedy: every card busts a hard 21.
HARD_21 = ("the row draws to a hard 21, which every card busts", 'write "21" = "S S S S S S S S S S"')


def draws_to_hard_21(kind: str, totals: range, letters: Sequence[str]) -> bool:
    """Return whether a row of a chart draws to a hard 21, which has three or more cards."""
    return kind == "hard" and 21 in totals and not {"H", "D", "Rh"}.isdisjoint(letters)


def row_totals(label: str, every: range) -> range | None:
    """Return the totals of a label ("12", "15 and 16", "13 to 16", "8 and less"). Returns None if it is invalid."""
    match = _ROW.fullmatch(" ".join(label.split()))
    if not match:
        return None
    first, open_end, last = int(match[1]), match[2], match[3]
    low = every.start if open_end == "less" else first
    high = every[-1] if open_end == "more" else int(last) if last else first
    inside = low <= high and all(total in every for total in (first, low, high))
    return range(low, high + 1) if inside else None


def _chart_rows(kind: str, table: object, file: str, faults: list[Fault]) -> tuple[tuple[str, ...], ...]:
    every = TOTALS[kind]
    if not isinstance(table, dict):
        faults.append(Fault(f"the table [{kind}] is missing", "give a row for each total", file, kind))
        return ()
    rows: dict[int, tuple[str, ...]] = {}
    for label, text in table.items():
        place = f'{kind} "{label}"'
        totals = row_totals(label, every)
        if totals is None:
            remedy = f'write "13", "15 and 16", "17 and more", within {every.start} to {every[-1]}'
            faults.append(Fault(f"this is not a {kind} total", remedy, file, place))
            continue
        letters = tuple(text.split()) if isinstance(text, str) else ()
        if len(letters) != len(UPCARDS):
            wants = f"give {len(UPCARDS)}, for upcards {' '.join(UPCARDS)}"
            faults.append(Fault(f"the row has {len(letters)} letter(s)", wants, file, place))
        for upcard, letter in zip(UPCARDS, letters, strict=False):
            if letter not in LETTERS:
                meaning = ", ".join(f"{known} ({what})" for known, what in LETTERS.items())
                faults.append(Fault(f'"{letter}" against {upcard} is not a play', f"use {meaning}", file, place))
        if draws_to_hard_21(kind, totals, letters):
            faults.append(Fault(*HARD_21, file, place))
        for total in totals:
            if total in rows:
                faults.append(Fault(f"{kind} {total} is in two rows", "keep it in one", file, place))
            rows[total] = letters
    missing = [str(total) for total in every if total not in rows]
    if missing:
        faults.append(Fault(f"no row for {kind} {', '.join(missing)}", "add one", file, kind))
    return tuple(rows.get(total, ()) for total in every)


def parse_chart(text: str, file: str) -> Chart:
    """Return a chart from the text of its TOML file. Raises `InputError` with every fault."""
    data = parse_toml(text, file)
    faults = [
        Fault("unknown key", "a chart has name, hard and soft", file, key)
        for key in data
        if key not in ("name", *TOTALS)
    ]
    name = data.get("name")
    if not isinstance(name, str) or not name.strip():
        faults.append(Fault("the chart has no name", 'add name = "..."', file, "name"))
    rows = {kind: _chart_rows(kind, data.get(kind), file, faults) for kind in TOTALS}
    raise_all(with_lines(faults, text))
    return Chart(str(name).strip(), rows["hard"], rows["soft"], text)


def read_chart(path: str | Path) -> Chart:
    """Return a user's chart from its file. Raises `InputError` if it cannot be read or is incomplete."""
    return parse_chart(read_text(path), str(path))


@cached("the default playing charts", most=2)
def default_chart(hits_soft_17: bool = False) -> Chart:
    """Return the chart of combin for each dealer: total-dependent, pairs never split."""
    name = "player-chart-h17.toml" if hits_soft_17 else "player-chart.toml"
    return parse_chart((files("combin") / "rules" / name).read_text(encoding="utf-8"), name)


TWENTIES = ("final-total", "first-two-cards")


def _unit(*card_classes: int) -> Composition:
    return tuple(card_classes.count(k) for k in range(len(VALUES)))


TWO_CARD_TWENTY = {_unit(TEN, TEN): 1, _unit(ACE, NINE): 2}


def _twenties(rule: PlayerRule, twenty: str, pair: int) -> dict[Composition, int]:
    """Return draw orders by composition of a player's 20; with a ``pair``, of those that begin with two such cards."""
    if twenty == "first-two-cards":
        return {cards: n for cards, n in TWO_CARD_TWENTY.items() if not pair or cards[pair - 1] == 2}
    first = (pair - 1,) * 2 if pair else ()
    orders = orders_of(finished_hands(rule, len(VALUES), first), lambda state: state.hand.total == 20)
    return {tuple(map(add, cards, _unit(*first))): n for cards, n in orders.items()}


def bad_beat(
    shoe: Shoe, chart: Chart, *, hits_soft_17: bool, twenty: str = "final-total", pair: int = 0
) -> FinishedHands:
    """Return the player's 20 against the dealer's 21, from one shoe (ch. 6 G(8), ch. 13 B).

    Columns: player_twenty; dealer_twenty_one; dealer_cards, the number of cards of the dealer's 21 (2: blackjack), or 0
    for another total. ``twenty`` is the reading: the player's ``final-total`` under the chart, or ``first-two-cards``.
    The dealer peeks, so against a blackjack the player's first two cards are final; otherwise the player acts on the
    upcard, and the dealer then always draws out. With a ``pair``, player_twenty also requires that the player began
    with two cards of that value. Raises `InputError` for an unknown reading, and for a shoe that can run out.
    """
    if twenty not in TWENTIES:
        raise fault(f'"{twenty}" is not a reading of the player\'s 20', f"use {' or '.join(TWENTIES)}")
    counts, size, dealer = value_counts(shoe), shoe.size, Dealer(hits_soft_17)
    # A player has at most 30 pips, a dealer who still draws 16, aces counted 1: no round uses 47.
    if sum(v * count for v, count in zip(VALUES, counts, strict=True)) < 47:
        raise fault(
            f"a shoe of {size} card(s) can run out before both hands are complete",
            "leave more cards in the shoe",
            file="--without",
        )
    ends = {v: finished_hands(dealer, len(VALUES), (v - 1,)) for v in VALUES if counts[v - 1]}
    players = {v: _twenties(chart.player(v), twenty, pair) for v in ends}
    first_two = _twenties(chart.player(ACE + 1), "first-two-cards", pair)
    # Cards of both hands besides the upcard; a pair of hands longer than the shoe has weight 0.
    length = min(
        size - 1,
        max((sum(p) for hands in (first_two, *players.values()) for p in hands), default=0)
        + max(sum(hand.composition) for hands in ends.values() for hand in hands),
    )
    weights: dict[tuple[int, ...], int] = defaultdict(int)
    for upcard, hands in ends.items():
        left, times = _without(counts, upcard), counts[upcard - 1]
        natural = orders_of(hands, lambda hand: hand.blackjack)
        drawn = orders_of(hands, lambda hand: hand.total == 21 and not hand.blackjack)
        other_hole = {card: 1 for k in range(len(VALUES)) if (card := _unit(k)) not in natural}
        for dealer_hand, weight in joint_by_second(first_two, natural, left, length):
            weights[1, 1, 1 + sum(dealer_hand)] += times * weight
        for dealer_hand, weight in joint_by_second(players[upcard], drawn, left, length):
            weights[1, 1, 1 + sum(dealer_hand)] += times * weight
            weights[1, 0, 0] -= times * weight
        for _, weight in joint_by_second(players[upcard], other_hole, left, length):
            weights[1, 0, 0] += times * weight
    denominator = perm(size, length + 1)
    alone = draw(dealer, counts)
    for row, weight in zip(alone.rows, alone.weights, strict=True):
        cards, total = row[0], row[1]
        of_21 = (1, cards) if total == 21 else (0, 0)
        weights[0, *of_21] += weight * (denominator // alone.denominator)
    for key in [key for key in weights if key[0] == 1]:
        weights[0, *key[1:]] -= weights[key]
    return tabulate(("player_twenty", "dealer_twenty_one", "dealer_cards"), weights, denominator)


@cached("players who all have 20 against a dealer's 21, by shoe, chart and seats", most=64)
def all_twenties(
    shoe: Shoe, chart: Chart, *, hits_soft_17: bool, twenty: str, dealer_cards: frozenset[int], seats: int
) -> Fraction:
    """Return P(each of ``seats`` players has a 20, and the dealer a 21 of ``dealer_cards`` cards, at least 3).

    Players see only their cards and the upcard, so the order of the deal does not matter, and the cards of all players
    count as one hand. Upcards with equal play are counted together, each as the dealer's first card. With the final
    total two seats have about 16,000 hands, three 200,000, four a million. `bad_beat` refuses what it cannot deal;
    rounds with more cards than the shoe have no weight.
    """
    counts, size, probability = value_counts(shoe), shoe.size, Fraction(0)
    beside: dict[tuple[tuple[Composition, int], ...], dict[Composition, int]] = defaultdict(lambda: defaultdict(int))
    for upcard in VALUES:
        dealt = orders_of(finished_hands(Dealer(hits_soft_17), len(VALUES), (upcard - 1,)),
                          lambda hand: hand.total == 21 and hand.cards in dealer_cards)
        played = beside[tuple(sorted(_twenties(chart.player(upcard), twenty, 0).items()))]
        for hand, orders in dealt.items():
            played[tuple(map(add, hand, _unit(upcard - 1)))] += orders
    for players, dealers in beside.items():
        one = dict(players)
        length = min(size, seats * max(map(sum, one), default=0) + max(map(sum, dealers), default=0))
        weight = sum(n for _, n in joint_by_second(one, dealers, counts, length, seats))
        probability += Fraction(weight, perm(size, length))
    return probability
