"""Strategies that do not use every card: charts by total, and simple rules of play.

A chart has a letter for every hard and soft total and for every pair against every
upcard. It is turned into the choices of all hands and valued exactly by `Solver`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...base.caches import cached
from .hands import ACE, CLASSES, TEN, Ints, player_hands
from .results import solved
from .rules import HouseRules
from .solve import SPLIT, SURRENDER, BlackjackSolution, Solver, two_card_hands
from .values import DOUBLE, DOUBLED, HIT, MAY_DOUBLE, MAY_HIT, STAND, all_hands

#: The meaning of each letter of a chart.
MEANING = {
    "S": "stand",
    "H": "hit",
    "D": "double, otherwise hit",
    "Ds": "double, otherwise stand",
    "P": "split",
    "Rh": "surrender, otherwise hit",
    "Rs": "surrender, otherwise stand",
    "Rp": "surrender, otherwise split",
    "N": "play the total, do not split",
}
#: Upcards in the order of a chart: two to ten, ace.
UPCARDS = (*range(1, CLASSES), ACE)
HARD, SOFT = range(4, 22), range(12, 22)


@dataclass(frozen=True)
class PlayChart:
    """``hard[total - 4][upcard]``, ``soft[total - 12][upcard]``, ``pairs[class][upcard]``: letters of `MEANING`.

    Upcards are classes; a pair that is not split (``N``) is played by its total.
    """

    name: str
    hard: tuple[tuple[str, ...], ...]
    soft: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, ...], ...]

    def letter(self, hand: int, upcard: int) -> str:
        """Return the letter of a hand's total."""
        hands = player_hands()
        total = int(hands.total[hand])
        return self.soft[total - 12][upcard] if hands.soft[hand] else self.hard[total - 4][upcard]

    def plays(self, solver: Solver) -> tuple[Ints, dict[tuple[int, int], int]]:
        """Return stand, hit or double of every hand, and the first choices that are splits or surrenders."""
        hands, may = player_hands(), solver.evaluator.may
        choice = np.zeros((CLASSES, len(hands)), np.int8)
        first: dict[tuple[int, int], int] = {}
        two = set(two_card_hands())
        for u in range(CLASSES):
            for h in range(len(hands)):
                letter = self.letter(h, u) if may[h] else "S"
                low = STAND if letter in ("S", "Ds", "Rs") else HIT
                if letter in ("D", "Ds") and may[h] & MAY_DOUBLE:
                    low = DOUBLE
                choice[u, h] = low if low != HIT or may[h] & MAY_HIT else STAND
                if h in two:
                    pair = int(hands.cards[h].argmax())
                    pair_letter = self.pairs[pair][u] if hands.cards[h, pair] == 2 else "N"
                    surrenders = pair_letter in ("Rp", "Rh", "Rs") or (pair_letter == "N" and letter in ("Rh", "Rs"))
                    if surrenders and solver.rules.surrender_against(u):
                        first[u, h] = SURRENDER
                    elif pair_letter in ("P", "Rp"):
                        first[u, h] = SPLIT
                    elif pair_letter in ("Rh", "Rs", "S", "H"):
                        choice[u, h] = STAND if pair_letter in ("Rs", "S") else HIT
                    elif pair_letter in ("D", "Ds"):
                        choice[u, h] = DOUBLE if may[h] & MAY_DOUBLE else STAND if pair_letter == "Ds" else HIT
        return choice, first

    def valued(self, solver: Solver) -> BlackjackSolution:
        """Return the exact value of the chart."""
        choice, first = self.plays(solver)
        split = solver.after_split
        return solver.solve(
            choice=choice, first=first, choice_after_split=None if split is solver else self.plays(split)[0]
        )


@dataclass(frozen=True)
class _Column:
    """All hands against one upcard in double precision: the value of a choice under given later ones."""

    stand: Ints
    double: Ints
    bust: Ints  # the loss from a bust on the next card
    chance: Ints  # (hands, 10) probability of the next card

    def values(self, choice: Ints) -> Ints:
        """Return (hands, 3): each choice, with later hands played by ``choice``."""
        hands = player_hands()
        value = np.zeros((len(hands) + 1, 3))
        value[:-1, STAND], value[:-1, DOUBLE] = self.stand, self.double
        chosen_value = np.zeros(len(hands) + 1)
        for layer in range(21, 1, -1):
            here = np.flatnonzero(hands.hard == layer)
            value[here, HIT] = (self.chance[here] * chosen_value[hands.child[here]]).sum(1) + self.bust[here]
            chosen_value[here] = value[here, choice[here]]
        return value[:-1]


def _column(solver: Solver, upcard: int) -> _Column:
    hands = player_hands()
    base = solver.left_behind(upcard)
    run = solver.evaluator.run(upcard, base, all_hands(), moduli=0)
    left = np.maximum(np.array(base) - hands.cards, 0)
    size = left.sum(1)
    peek = solver.evaluator.peek(upcard)
    chance = left / np.maximum(size, 1)[:, None]
    bust = np.zeros(len(hands))
    for c in range(CLASSES):
        after = size - 1 - (left[:, peek] - (c == peek) if peek >= 0 else 0)
        bust -= np.where(hands.child[:, c] < 0, chance[:, c] * after / np.maximum(size - 1, 1), 0)
    doubled = np.append(run.value[:, DOUBLED, 0], 0.0)
    double = (chance * doubled[hands.child]).sum(1) + 2 * bust
    possible = (np.array(base) >= hands.cards).all(1)
    return _Column(np.where(possible, run.value[:, STAND, 0], 0), double, bust, chance)


def best_chart(solver: Solver, solution: BlackjackSolution) -> PlayChart:
    """Return the best play by total: each cell is the best choice for all its hands, weighted by their frequencies.

    The frequencies of a total's hands depend on the play of smaller totals, their values on
    that of greater ones. Cells are therefore improved in turn until none can be improved.
    Hands of a split are weighted with one pair card fewer in the shoe. Splits and surrendered pairs
    are those of best play.
    """
    hands, may = player_hands(), solver.evaluator.may
    two = hands.size == 2
    letters: dict[tuple[bool, int, int], str] = {}
    pairs: dict[tuple[int, int], str] = {}
    kinds = [(False, t) for t in HARD] + [(True, t) for t in SOFT]
    rows = {kind: np.flatnonzero((hands.soft == kind[0]) & (hands.total == kind[1])) for kind in kinds}
    blackjack = hands.two(ACE, TEN)
    for u in range(CLASSES):
        column = _column(solver, u)
        weight = np.zeros(len(hands))
        split_weight = np.zeros(len(hands))
        surrender = np.full(len(hands), -np.inf)
        for h in two_card_hands():
            cell = solution.cells.get((u, h))
            if cell is None:
                continue
            if SURRENDER in cell.values:
                surrender[h] = cell.values[SURRENDER] / cell.scale
            pair = int(hands.cards[h].argmax())
            if cell.best == SPLIT and cell.split is not None:
                each = cell.ways * float(sum(n * p for n, p in cell.split.by_hands.items()))
                for c in range(CLASSES):
                    after = hands.two(pair, c)
                    if not (pair == ACE and solver.rules.split_aces == "one-card"):
                        split_weight[after] += each * column.chance[h, c]
                pairs[pair, u] = "P"
            elif hands.cards[h, pair] == 2 and cell.best == SURRENDER:
                other = max((s for s in cell.values if s != SURRENDER), key=lambda s: cell.values[s])
                pairs[pair, u] = "Rp" if other == SPLIT else "Rs" if other == STAND else "Rh"
            else:
                weight[h] = cell.ways
        choice = solution.choice[u].copy()
        choice[two & (choice == DOUBLE)] = HIT
        later, first, drawn = choice.copy(), solution.choice[u].copy(), choice.copy()
        for _ in range(20):
            before = (later.copy(), first.copy())
            values = column.values(np.where(two, first, later))
            frequency = _reached(column, weight + split_weight, np.where(two, first, later))
            for kind in sorted(kinds, key=lambda k: -(k[1] - 10 * k[0])):
                members = rows[kind]
                members = members[members != blackjack] if len(members) > 1 else members
                mass = frequency[members] * (~two[members]) + (weight + split_weight)[members] * two[members]
                if not mass.sum():
                    mass = np.ones(len(members))
                hit = [(mass * values[members, s]).sum() for s in (STAND, HIT)]
                low = HIT if hit[1] > hit[0] and may[members].max() & MAY_HIT else STAND
                later[members], first[members], drawn[members] = low, low, low
                can = members[(may[members] & MAY_DOUBLE) > 0]
                mass = np.where(two[can], (weight + split_weight)[can], frequency[can])
                if len(can) and (mass * values[can, DOUBLE]).sum() > (mass * values[can, low]).sum():
                    first[can[two[can]]] = later[can[~two[can]]] = DOUBLE
            later = np.where(may & MAY_HIT, later, STAND)
            first = np.where(may & MAY_HIT, first, STAND)
            if (before[0] == later).all() and (before[1] == first).all():
                break
        values = column.values(np.where(two, first, later))
        for kind in kinds:
            members = rows[kind]
            members = members[members != blackjack] if len(members) > 1 else members
            letter = base = "S" if drawn[members[0]] == STAND else "H"
            twos = members[two[members]]
            if (np.where(two[members], first[members], later[members]) == DOUBLE).any():
                letter = "D" if base == "H" else "Ds"
            mass = weight[twos]
            if mass.sum() and np.isfinite(surrender[twos]).all():
                played = (mass * values[twos, first[twos]]).sum()
                if (mass * surrender[twos]).sum() > played and solver.rules.surrender_against(u):
                    letter = "Rh" if base == "H" else "Rs"
            letters[(*kind, u)] = letter
    return PlayChart(
        "total-dependent",
        tuple(tuple(letters[False, t, u] for u in range(CLASSES)) for t in HARD),
        tuple(tuple(letters[True, t, u] for u in range(CLASSES)) for t in SOFT),
        tuple(tuple(pairs.get((c, u), "N") for u in range(CLASSES)) for c in range(CLASSES)),
    )


@cached("values of the best charts by total", most=64)
def best_chart_value(rules: HouseRules, counts: tuple[int, ...]) -> Fraction:
    """Return the expected net result of the best play by total, in wagers."""
    solver = Solver(rules, counts)
    return best_chart(solver, solved(rules, counts)).valued(solver).expected_value


def _reached(column: _Column, start: Ints, choice: Ints) -> Ints:
    """Return how often each hand is reached when play begins with the hands ``start``."""
    hands = player_hands()
    frequency = np.append(start.astype(float), 0.0)
    for layer in range(2, 22):
        here = np.flatnonzero((hands.hard == layer) & (choice == HIT))
        if len(here):
            for c in range(CLASSES):
                np.add.at(frequency, hands.child[here, c], frequency[here] * column.chance[here, c])
        frequency[-1] = 0.0
    return frequency[:-1]


def mimic(solver: Solver) -> BlackjackSolution:
    """Return the play of a player who acts like the dealer: hits to 17 and never doubles, splits or surrenders."""
    hands, may = player_hands(), solver.evaluator.may
    soft_17 = hands.soft & (hands.total == 17) & solver.rules.hits_soft_17
    choice = np.where(((hands.total < 17) | soft_17) & ((may & MAY_HIT) > 0), HIT, STAND).astype(np.int8)
    return solver.solve(choice=np.tile(choice, (CLASSES, 1)), first={})


def never_bust(solver: Solver) -> BlackjackSolution:
    """Return the best play that never takes a card which could bust the hand."""
    hands = player_hands()
    may = np.where((hands.hard >= 12), 0, solver.evaluator.may).astype(np.uint8)
    return solver.solve(may=may)


def chart_of(solution: BlackjackSolution, hand: int, upcard: int) -> str:
    """Return the letter of best play for one two-card hand."""
    cell = solution.cells[upcard, hand]
    best = cell.best
    if best == SPLIT:
        return "P"
    if best == SURRENDER:
        rest = max((s for s in cell.values if s != SURRENDER), key=lambda s: cell.values[s])
        return {SPLIT: "Rp", STAND: "Rs"}.get(rest, "Rh")
    if best == DOUBLE:
        return "D" if cell.values.get(HIT, cell.values[STAND] - 1) > cell.values[STAND] else "Ds"
    return "HS"[best == STAND]


class ChartException(NamedTuple):
    """A two-card hand whose best play differs from the chart's letter, and what that play gains."""

    upcard: int
    hand: int
    charted: str
    best: str
    gain: Fraction


def exceptions(solution: BlackjackSolution, chart: PlayChart) -> tuple[ChartException, ...]:
    """Return every two-card hand whose best play differs from that of its total."""
    hands = player_hands()
    differing = []
    for (u, h) in sorted(solution.cells, key=lambda key: ((key[0] - 1) % CLASSES, -key[1])):
        pair = int(hands.cards[h].argmax())
        pair_letter = chart.pairs[pair][u] if hands.cards[h, pair] == 2 else "N"
        charted = pair_letter if pair_letter != "N" else chart.letter(h, u)
        best = chart_of(solution, h, u)
        if _first(charted) != _first(best):
            cell = solution.cells[u, h]
            place = {"S": 0, "H": 1, "D": 2, "Ds": 2, "P": SPLIT}.get(charted, 4)
            if place not in cell.values:
                place = 0 if charted in ("Ds", "Rs") else 1
            differing.append(ChartException(u, h, charted, best, cell.worth(cell.best) - cell.worth(place)))
    return tuple(differing)


def _first(letter: str) -> str:
    return {"Ds": "D", "Rh": "R", "Rs": "R", "Rp": "R"}.get(letter, letter)


def later_exceptions(solution: BlackjackSolution, chart: PlayChart) -> tuple[tuple[int, int, str], ...]:
    """Return (upcard, hand, best) of every hand of three or more cards that best play reaches and plays differently."""
    hands = player_hands()
    differing = []
    for u in range(CLASSES):
        starts = [h for (v, h), cell in solution.cells.items() if v == u and cell.best < SPLIT]
        if not starts:
            continue
        need = solution.evaluator.mark(all_hands(), solution.choice[u], starts)
        fits = (hands.cards <= np.array(solution.counts)).all(1)
        for h in np.flatnonzero((need & 4 > 0) & (hands.size > 2) & (solution.evaluator.may > 0) & fits):
            best = "SHD"[int(solution.choice[u, h])]
            charted = chart.letter(int(h), u)
            doubles = charted in ("D", "Ds") and solution.evaluator.may[h] & MAY_DOUBLE
            if ("D" if doubles else "S" if charted in ("S", "Ds", "Rs") else "H") != best:
                differing.append((u, int(h), best))
    return tuple(differing)

