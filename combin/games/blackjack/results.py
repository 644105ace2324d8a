"""The results of a solution of blackjack: rows that partition the rounds, and the figures of the play.

The distribution of the net result of rounds without a split is exact. For rounds with a split the expected
result and the numbers of hands and doubles are exact. The distribution of the hands' sum depends on the
cards of up to four hands together and is not determined here (`SPLIT_WINS`, `SPLIT_PUSHES`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from typing import Any

from ...base.errors import CountError
from ...base.exact import Exact, simplify, symbol, to_sympy
from ...base.work import stored
from ..model import GameFigures, StakedWager
from ..outcome import Outcome
from .bonuses import BONUS_LINES
from .hands import CLASSES
from .rules import BLACKJACK, MOST_HANDS, SUITED, HouseRules
from .solve import (
    BOTH_BLACKJACKS,
    CHOICES,
    SPLIT,
    SPLIT_KINDS,
    SURRENDER,
    BlackjackSolution,
    Solver,
    StartCell,
)
from .split_values import NO_HAND, HandLaw
from .values import DOUBLE, HIT, Values, all_hands, bonus_kinds
from .wager_parts import apart

SPLIT_WINS, SPLIT_PUSHES = "wins_among_splits", "pushes_among_splits"
HALF = Fraction(1, 2)
#: The course of a round whose hand is doubled after it was hit.
LATER_DOUBLE = "double after a hit"
#: The courses of a round whose wager is doubled.
DOUBLED = (CHOICES[DOUBLE], LATER_DOUBLE)


@dataclass(frozen=True)
class NetDistribution:
    """The exact distribution of the net result of rounds without a split: (course of the round, net) → probability.

    ``each`` is the distribution of each hand of the rounds with a split, over all rounds, in the order of play.
    """

    rows: dict[tuple[str, Fraction], Fraction]
    split: Fraction
    each: tuple[HandLaw, ...]

    def __post_init__(self) -> None:
        if sum(self.rows.values()) + self.split != 1:
            raise CountError("the probabilities of the courses of a round of blackjack do not add up to 1")

    @cached_property
    def by_first_choice(self) -> dict[tuple[str, Fraction], Fraction]:
        """Return the rows by first choice, whatever follows, as rounds are dealt; blackjacks and bonuses of any pay."""
        probabilities: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
        for (name, net), p in self.rows.items():
            if name in self.bonuses:  # dealt rounds count it as a win of even money
                probabilities[CHOICES[HIT], Fraction(1)] += p
            elif name in (BLACKJACK, SUITED, BOTH_BLACKJACKS):
                probabilities[BOTH_BLACKJACKS if name == BOTH_BLACKJACKS else BLACKJACK, Fraction(0)] += p
            else:
                probabilities[CHOICES[HIT] if name == LATER_DOUBLE else name, net] += p
        return probabilities

    @cached_property
    def bonuses(self) -> dict[str, Fraction]:
        """Return the probability of each bonus in rounds without a split."""
        return {name: p for (name, _), p in self.rows.items() if name in BONUS_LINES}

    @cached_property
    def hands(self) -> HandLaw:
        """Return the sum of all hands of rounds with a split."""
        return reduce(HandLaw.plus, self.each, NO_HAND)


def law(solution: BlackjackSolution) -> NetDistribution:
    """Return the probabilities of every round by its first choice and its result."""
    rows: dict[tuple[str, int | Fraction], Any] = defaultdict(int)  # integers are faster to look up
    split = 0
    each = [NO_HAND] * MOST_HANDS
    events = _events(solution)
    rules = solution.rules
    for key, cell in solution.cells.items():
        missing = cell.scale - cell.alive
        if cell.best == SURRENDER:
            early = cell.values[SURRENDER] * 2 + cell.alive != 0  # other than a late surrender, which loses half
            if early or not rules.looks:
                lost = _surrendered(cell, rules)
                rows["surrender", -HALF] += cell.ways * (cell.scale - lost)
                rows["surrender and dealer blackjack", -1] += cell.ways * lost
                continue
            rows["surrender", -HALF] += cell.ways * cell.alive
        elif cell.best == SPLIT:
            assert cell.split is not None
            split += cell.ways * cell.alive
            for i, hand in enumerate(cell.split.each):
                each[i] = each[i].plus(hand, cell.ways)
        else:
            doubled, win, loss, double_win, double_loss, *paid = events[key]
            bonused: Any = 0
            for bonus, count in zip(rules.bonuses, paid, strict=True):
                for line, odds, share in bonus.shares:
                    rows[line, odds] += cell.ways * count * share
                bonused += bonus.paid * count
            doubles = CHOICES[DOUBLE] if cell.best == DOUBLE else LATER_DOUBLE
            for name, stake, one, won, lost in (
                (CHOICES[cell.best], 1, cell.alive - doubled - bonused, win - bonused, loss),
                (doubles, 2, doubled, double_win, double_loss),
            ):
                for amount, part in ((stake, won), (-stake, lost), (0, one - won - lost)):
                    rows[name, amount] += cell.ways * part
        if rules.looks:
            rows["dealer blackjack", -1] += cell.ways * missing
    whole = solution.deals * solution.scale
    probabilities = {(name, Fraction(net)): Fraction(n, whole) for (name, net), n in rows.items()}
    for u, ways, alive in solution.naturals:
        share = Fraction(ways, solution.deals)
        for way, net, chance in solution.natural_ends(u, alive):
            probabilities[way, net] = probabilities.get((way, net), Fraction(0)) + share * chance
    return NetDistribution(
        {key: p for key, p in sorted(probabilities.items(), key=lambda item: (-item[0][1], item[0][0])) if p},
        Fraction(split, whole),
        tuple(hand.over(whole) for hand in each if hand.one),
    )


def _surrendered(cell: StartCell, rules: HouseRules) -> int:
    """Return the probability, over the scale, that a surrender loses the whole wager."""
    total = cell.values[SURRENDER] - (cell.scale - cell.alive if rules.looks else 0)
    return -(2 * total + cell.scale)


def _events(solution: BlackjackSolution) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return doubles, wins and losses, single and double, and bonuses of every cell without a split, over the scale."""
    family = all_hands()
    evaluator = solution.evaluator
    exact = evaluator.scale(solution.size - 3, solution.length)
    kinds = SPLIT_KINDS[1:] + bonus_kinds(solution.rules)
    counts = {}
    for u in {u for u, _ in solution.cells}:
        played = [h for (v, h), cell in solution.cells.items() if v == u and cell.best < SPLIT]
        base = [n - (c == u) for c, n in enumerate(solution.counts)]
        choice = solution.choice[u]
        need = evaluator.mark(family, choice, played)
        run: Values = evaluator.run(u, base, family, choice=choice, need=need, kinds=kinds)
        later = solution.rules.double_cards == "any"
        for h in played:
            single, double = (1, 2, *range(len(SPLIT_KINDS) - 1, len(kinds))), (0, 3, 4)
            none = () if later and choice[h] == HIT else single if choice[h] == DOUBLE else double
            residue = run.residue[h, int(choice[h])]
            counts[u, h] = tuple(0 if k in none else exact.integer(residue[k]) for k in range(len(kinds)))
    return counts


def rows(distribution: NetDistribution) -> tuple[Outcome, ...]:
    """Return the outcomes of a round, best results first; splits come last, with their mean."""
    listed = [
        Outcome(_outcome(name, net), _net_text(net), None, p, 1 + net) for (name, net), p in distribution.rows.items()
    ]
    if distribution.split:
        mean = distribution.hands.net / distribution.split
        listed.append(Outcome("split", f"{_net_text(mean)} on average", None, distribution.split, 1 + mean))
    return tuple(listed)


def _outcome(name: str, net: Fraction) -> str:
    if name in (*CHOICES[:3], LATER_DOUBLE):
        return f"{name}, {'win' if net > 0 else 'lose' if net < 0 else 'push'}"
    return name


def _net_text(net: Fraction) -> str:
    words = str(net) if net.denominator < 1000 else f"{float(abs(net)) * (1 if net > 0 else -1):.8f}"
    return f"wins {words}" if net > 0 else f"loses {words.removeprefix('-')}" if net < 0 else "push"


def _wagers(
    distribution: NetDistribution, expected: Fraction, insured: tuple[StakedWager, ...]
) -> tuple[StakedWager, ...]:
    return (*apart(distribution.rows, distribution.each, expected, DOUBLED), *insured)


def figures(
    solution: BlackjackSolution, distribution: NetDistribution, insured: Sequence[StakedWager] = ()
) -> GameFigures:
    """Return the figures of best play; what splits leave undetermined is a symbol. ``insured`` are further wagers."""

    def sign(wanted: int) -> Fraction:
        return sum((p for (_, net), p in distribution.rows.items() if (net > 0) - (net < 0) == wanted), Fraction(0))

    def with_splits(known: Fraction, part: object) -> Exact:
        return simplify(to_sympy(known) + to_sympy(distribution.split) * part) if distribution.split else known

    wins, pushes = symbol(SPLIT_WINS), symbol(SPLIT_PUSHES)
    doubled = sum((p for (name, _), p in distribution.rows.items() if name in DOUBLED), Fraction(0))
    rules = solution.rules
    doubles = rules.double != "none"
    best = max((odds for bonus in rules.bonuses for _, odds, _ in bonus.pays), default=Fraction(1))
    hands = (rules.hands_of(c) * max(best, Fraction(1 + (doubles and rules.doubles_after(c)))) for c in range(CLASSES))
    most = max(hands) if distribution.split else Fraction(0)
    return GameFigures(
        expected_value=solution.expected_value,
        average_wager=1 + doubled + (distribution.hands.one - distribution.split) + distribution.hands.doubled,
        initial_units=1,
        win_frequency=with_splits(sign(1), wins),
        push_frequency=with_splits(sign(0), pushes),
        loss_frequency=with_splits(sign(-1), 1 - wins - pushes),
        frequencies={
            "win_without_split": sign(1),
            "push_without_split": sign(0),
            "loss_without_split": sign(-1),
            "doubled_hands_per_round": doubled + distribution.hands.doubled,
            "hands_per_split": distribution.hands.one / distribution.split if distribution.split else Fraction(0),
        },
        choices=solution.frequencies,
        ties={"hands": len(solution.ties)},
        solution=solution,
        spread=partial(variance_at_best, rules, solution.counts),
        top_net=max(most, Fraction(1 + doubles), best, *(odds for _, odds, _ in rules.naturals)),
        wagers_of=partial(_wagers, distribution, solution.expected_value, tuple(insured)),
    )


@stored("best play of blackjack by rules and shoe", most=64)
def solved(rules: HouseRules, counts: tuple[int, ...], split_play: str = "zero-memory") -> BlackjackSolution:
    """Return best play, from the store if it is there."""
    return Solver(rules, counts, split_play=split_play).solve()


@stored("distributions of a round of blackjack at best play by rules and shoe", most=64)
def law_at_best(rules: HouseRules, counts: tuple[int, ...]) -> NetDistribution:
    """Return the distribution of a round at best play, from the store if it is there."""
    return law(solved(rules, counts))


@stored("variances of a round of blackjack at best play by rules and shoe", most=64)
def variance_at_best(rules: HouseRules, counts: tuple[int, ...]) -> Fraction:
    """Return the variance of a round at best play, from the store if it is there."""
    return variance(solved(rules, counts), law_at_best(rules, counts))


def variance(solution: BlackjackSolution, distribution: NetDistribution) -> Fraction:
    """Return the exact variance of the net result of a round, splits included."""
    from .variance import squares

    square = sum((net * net * p for (_, net), p in distribution.rows.items()), Fraction(0))
    for key, value in squares(solution).items():
        cell = solution.cells[key]
        square += Fraction(cell.ways, solution.deals) * value
    return square - solution.expected_value**2
