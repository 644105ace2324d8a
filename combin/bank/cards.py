"""Rounds of a table, dealt from one deck to all its seats, and the results of every seat's wagers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ..analysis import system_draws
from ..analysis.draw_methods import RANKS
from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..base.errors import fault
from ..deals.cards import CARD_TYPES
from ..games.registry import game_of
from ..games.side_bets import base_game
from ..play.dealt_rounds import DealtRounds
from ..rulebook.terms import Way
from ..wagers.wager_outcomes import deal_of
from .joint import same_table
from .seat import DrawnEvents, End, Pays, Seat

Array = np.ndarray[Any, Any]
WITHOUT_CARDS = 'write deals = "law" in [bank]'
#: The number of card types from which the system draws; the rank of a type is its remainder by 13.
KINDS: Mapping[Way, int] = {"by-card": CARD_TYPES, "by-rank": RANKS}


@dataclass(frozen=True)
class Dealing:
    """A table of a game at which all seats make the same wagers; the game may or may not be one of them."""

    game: Analysis
    seat: Seat

    def deal(self, rounds: int, seed: int) -> Any:
        """Return rounds of all spots, seat by seat, as `combin.play.dealt_rounds.Dealt`."""
        return _module(self.game).deal(self.game, self.seat.seats * self.seat.boxes, rounds, seed)


def dealing(seat: Seat) -> Dealing:
    """Return the table at which the wagers are made; raises `InputError` if no table deals them."""
    game = _game_at(seat)
    if not hasattr(_module(game), "deal"):
        raise fault(f"no rounds of {game.id} are dealt to several seats", WITHOUT_CARDS)
    table = Dealing(game, seat)
    SettledTable(table).deal(np.random.default_rng(0), 1, 0)  # a side bet may need cards that the table does not deal
    return table


def under_play(seat: Seat) -> Seat:
    """Return the seat with its side bets under best play of the game by all seats, not under a chart."""
    if not any((deal := deal_of(a.resolved)) is not None and deal.by_chart for a in seat.wagers):
        return seat
    game = _game_at(seat)
    play = getattr(_module(game), "under_play", None)  # the table refuses the bet without it
    return seat if play is None else replace(seat, wagers=tuple(play(game, a) for a in seat.wagers))


def _game_at(seat: Seat) -> Analysis:
    game = seat.game or _base(seat.bets[0])
    same_table(game, seat.bets)
    return game


def _module(game: Analysis) -> Any:
    played = game_of(game.resolved)
    return played and played.module("strategy")


def _base(a: Analysis) -> Analysis:
    base = base_game(a.book, a.resolved)
    shared = {r.id for r in a.book.readings_of(base.id)}
    # A bet that depends on play is valued under the primary readings of the game.
    chosen = {} if a.resolved.terms.depends_on_play else a.request.reading
    return analyze(base.id, decks=a.decks, reading={k: v for k, v in chosen.items() if k in shared}, book=a.book)


@dataclass
class SettledTable:
    """Rounds dealt and settled: an event is an index of arrays of its fixed dollars and its pays.

    ``cost`` is the fixed dollars and the resets that the operator funds.
    """

    dealing: Dealing
    fixed: list[float] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)
    pays: list[Pays] = field(default_factory=list)
    won: list[float] = field(default_factory=list)
    _numbers: dict[int, tuple[Array, Array]] = field(default_factory=dict)

    def deal(self, random: np.random.Generator, rounds: int, seed: int) -> Array:
        """Return event indices ``[round][spot]``; ``random`` spins the wheels and makes the draws of the system."""
        dealt, seat = self.dealing.deal(rounds, seed), self.dealing.seat
        code = np.zeros(rounds * seat.seats * seat.boxes, np.int64)
        ends: list[Sequence[End]] = []
        names: Sequence[End]
        for a in seat.wagers:
            if a.game is not None:
                names, place = dealt.nets, dealt.place
            else:
                names, place = _with_draws(a, dealt, rounds, random)
            code = code * len(names) + place  # a few hundred results of a wager
            ends.append(names)
        codes, back = np.unique(code, return_inverse=True)
        back = back.reshape(-1)
        numbers = np.zeros(len(codes), np.int64)
        spun = []
        for i, one in enumerate(codes.tolist()):
            known = self._numbers.get(one) or self._numbered(one, ends)
            numbers[i] = known[0][0]
            if len(known[0]) > 1:
                spun.append((i, known))
        events = numbers[back]
        for i, (several, chances) in spun:
            rows = np.flatnonzero(back == i)
            events[rows] = random.choice(several, len(rows), p=chances)
        return events.reshape(rounds, -1)

    def taken(self, events: Array) -> Array:
        """Return the dollars ``[round][seat]`` that a limit on all spots of a seat takes; ``events`` as from `deal`."""
        seat = self.dealing.seat
        if seat.limit is None or not seat.limit.boxes:
            return np.zeros((len(events), seat.seats))
        won = np.array(self.won)[events].reshape(len(events), seat.seats, seat.boxes).sum(axis=2)
        return np.maximum(won - float(seat.limit.amount), 0.0)

    def _numbered(self, code: int, ends: list[Sequence[End]]) -> tuple[Array, Array]:
        chosen, rest = [], code
        for names in reversed(ends):
            rest, at = divmod(rest, len(names))
            chosen.append(names[at])
        events = self.dealing.seat.events(chosen[::-1])
        numbers = []
        meters = self.dealing.seat.meters
        for event in events:
            self.fixed.append(float(event.fixed))
            self.cost.append(float(event.cost(meters)))
            self.pays.append(event.pays)
            self.won.append(float(event.won))
            numbers.append(len(self.fixed) - 1)
        chances = np.array([float(e.probability) for e in events])
        self._numbers[code] = np.array(numbers), chances / chances.sum()
        return self._numbers[code]


def _with_draws(
    a: Analysis, dealt: DealtRounds, rounds: int, random: np.random.Generator
) -> tuple[Sequence[End], Array]:
    """Return the results of a wager and the index of each spot's, with additions drawn once for the table.

    The system draws one card, to be compared with the first two cards of each spot, or one position.
    """
    lines, place = dealt.ends(a.resolved)
    boxes, hands, names = len(place) // rounds, dealt.first_two, list[str]()
    for x, way in system_draws.ways_of(a):
        if way is None:
            continue
        often = Fraction(x.probability)
        most = Fraction(1, boxes) if way == "by-position" else system_draws.most_often(a, way)
        if often > most:
            raise fault(f"one draw a round for {boxes} position(s) gives the {x.name} to each with {most} at most, not "
                        f"with {often}", f"give a frequency of {most} or less")
        if way == "by-position":  # each position has an interval of [0, 1) with the length of its probability
            paid = random.random((rounds, 1)) // float(often or 1) == np.arange(boxes)
            paid &= often > 0
        elif hands is None:
            raise fault(f"{a.id} has no hands of two first cards to compare with the {x.name}", WITHOUT_CARDS)
        else:
            card = random.integers(KINDS[way], size=rounds)
            card[random.random(rounds) >= float(often / most)] = -1
            paid = (hands % KINDS[way] == card.repeat(boxes)[:, None]).any(axis=1)
        names.append(x.name)
        place = 2 * place + paid.reshape(-1)
    ends: list[End] = [DrawnEvents(line, tuple(zip(names, flags, strict=True)))
                       for line in lines for flags in product((False, True), repeat=len(names))]
    return (ends, place) if names else (lines, place)
