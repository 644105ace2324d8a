"""Blackjack play: the chart with its exceptions, one hand's choices, simple strategies, a user's chart.

    game = "blackjack"
    name = "House chart"
    [hard]                       #  2   3   4   5   6   7   8   9   10  A
    "17 and more" = "S S S S S S S S S S"
    "16"          = "S S S S S H H Rh Rh Rh"
    [soft]
    "18"          = "S Ds Ds Ds Ds S S H H H"
    [pairs]                      # an unlisted pair, or N, is played by its total
    "8-8"         = "P P P P P P P P P P"

S stand, H hit, D double (otherwise hit), Ds double (otherwise stand), P split, Rh, Rs, Rp surrender
(otherwise hit, stand, split).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np

from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import fault
from ..base.exact import text as exact_text
from ..base.toml_tables import TomlFile, empty
from ..deals.cards import Shoe
from ..deals.dealer_draws import value_counts
from ..deals.player_chart import row_of, rows_by_total
from ..games.blackjack import bad_beat, strategies
from ..games.blackjack.dealt_rounds import DealtEstimate, simulate, split_law
from ..games.blackjack.hands import ACE, CLASSES, LETTERS, TEN, player_hands
from ..games.blackjack.house_rules import in_words
from ..games.blackjack.results import solved
from ..games.blackjack.solve import CHOICES, SPLIT, BlackjackSolution, Solver, no_blackjack
from ..games.blackjack.strategies import MEANING, UPCARDS, PlayChart
from ..games.blackjack.values import MAY_DOUBLE, MAY_HIT, NEED_VALUE, all_hands
from .blackjack_rules import rule_table as rule_table
from .blackjack_seat import deal as deal
from .blackjack_seat import seat as seat
from .blackjack_seat import under_play as under_play
from .files import StrategyTerms
from .strategy import Answer, StrategyCosts, UserStrategy, ValuedStrategy, optimal, valued
from .together import SideBets

VIEW = "combin.views.blackjack"
BY_TOTAL = "best chart by total"
#: About 120,000 of them have a split, so that a share's standard error is below 0.0015.
SPLIT_ROUNDS, SEED = 5_000_000, 1


def best_play(a: Analysis) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]], tuple[str, ...]]:
    """Return a row for each upcard and hand that best play reaches, with the exact values of two-card choices."""
    remarks = (
        "Hands are by value, T is any ten-valued card; hands after a split are played by the solution of the split "
        "hand, which is not listed.",
        "Values are per wager, given no dealer blackjack after a peek; choices of three or more cards have none.",
    )
    rows = ((upcard, hand, best, *(dict(zip(names, worth, strict=True)).get(name, "") for name in CHOICES))
            for upcard, hand, best, names, worth in every_hand(a.game.solution))
    return ("upcard", "hand", "best", *CHOICES), rows, remarks


def every_hand(solution: BlackjackSolution) -> Iterator[tuple[str, str, str, list[str], list[str]]]:
    """Yield every hand that best play can reach: (upcard, hand, best, choices, their exact values if stored)."""
    hands = player_hands()
    counts = np.array(solution.counts)
    for u in UPCARDS:
        cells = [(h, cell) for (v, h), cell in sorted(solution.cells.items()) if v == u]
        for h, cell in sorted(cells, key=lambda pair: (hands.hard[pair[0]], pair[0])):
            names = [CHOICES[c] for c in sorted(cell.values)]
            worth = [exact_text(cell.worth(c)) for c in sorted(cell.values)]
            yield LETTERS[u], hands.name(h), CHOICES[cell.best], names, worth
        need = solution.evaluator.mark(all_hands(), solution.choice[u], [h for h, cell in cells if cell.best < SPLIT])
        fits = (hands.cards + np.eye(CLASSES, dtype=int)[u] <= counts).all(1)
        later = [int(h) for h in np.flatnonzero(((need & NEED_VALUE) > 0) & (hands.size > 2) & fits)]
        for h in sorted(later, key=lambda h: (hands.size[h], hands.hard[h], h)):
            yield LETTERS[u], hands.name(h), CHOICES[int(solution.choice[u, h])], [], []


@dataclass(frozen=True)
class BlackjackSummary(StrategyCosts):
    """Best play under one set of house rules: chart, exceptions, strategies, insurance."""

    rules: tuple[str, ...]
    chart: PlayChart
    exceptions: tuple[strategies.ChartException, ...]
    later: tuple[tuple[int, int, str], ...]
    #: Value of insurance per unit insured, by the number of ten-valued cards in the player's hand.
    insurance: Mapping[str, Fraction]
    #: Win and push frequency of a round with a split: estimates from `SPLIT_ROUNDS` dealt rounds.
    split_estimates: Mapping[str, DealtEstimate]
    view: ClassVar[str] = VIEW


@dataclass(frozen=True)
class BlackjackAnswer(Answer):
    """Value of each choice of one hand, in wagers, at the decision.

    With a peek, play continues only without a dealer blackjack: ``no_blackjack`` is its probability, and the values are
    conditional on it. ``insurance`` is per unit insured, before the peek.
    """

    hand: str
    upcard: str
    no_blackjack: Fraction
    insurance: Fraction | None
    #: Whether the values assume that the dealer has no blackjack.
    assumes_no_blackjack: bool
    view: ClassVar[str] = VIEW


def _solution(a: Analysis) -> BlackjackSolution:
    solution: BlackjackSolution = a.game.solution
    return solution


def summarize(a: Analysis, *, search: bool = False) -> BlackjackSummary:
    """Return the play of a table; ``search`` adds the classes of strategies that also consider the split history."""
    solution = _solution(a)
    solver = Solver(solution.rules, solution.counts)
    chart = strategies.best_chart(solver, solution)
    return BlackjackSummary(
        a,
        (optimal(a), *_strategies(a, solver, chart, search)),
        in_words(solution.rules),
        chart,
        strategies.exceptions(solution, chart),
        strategies.later_exceptions(solution, chart),
        _insurance(solution),
        split_law(simulate(solution, SPLIT_ROUNDS, SEED)) if solution.frequencies["split"] else {},
    )


def _strategies(a: Analysis, solver: Solver, chart: PlayChart, search: bool) -> Iterator[ValuedStrategy]:
    rules, counts = solver.rules, solver.counts

    if search and rules.max_hands > 1:
        yield _valued(a, "split hands by first split", solved(rules, counts, "first-split"),
                      "best after one split (CDP1)")
        yield _valued(a, "split hands by pair cards", solved(rules, counts, "pair-cards"),
                      "best for each number of pair cards that splits have taken (CDP)")
        yield _valued(a, "split hands by split count", solved(rules, counts, "split-count"),
                      "best for each number of hands, given that their second cards are not pair cards: more than CDP")
    yield _valued(a, BY_TOTAL, chart.valued(solver), "best choice for each total over all its hands")
    for name, other in (
        ("never surrender", replace(rules, surrender="none")),
        ("never split", replace(rules, max_hands=1)),
        ("never double", replace(rules, double="none")),
    ):
        if other != rules:
            yield _valued(a, name, solved(other, counts), "otherwise optimal")
    yield _valued(a, "never bust", strategies.never_bust(solver), "otherwise optimal")
    yield _valued(a, "mimic the dealer", strategies.mimic(solver), "no double, split or surrender")
    best = _solution(a)
    yield valued(a, "best play, always insured", 1 + best.expected_value + _always_insured(best), best.frequencies,
                 "half the wager against every ace")
    yield valued(a, "best play, even money always taken", 1 + best.expected_value + _even_money(best),
                 best.frequencies, "a blackjack against an ace pays 1 to 1")


def _valued(a: Analysis, name: str, solution: BlackjackSolution, basis: str = "") -> ValuedStrategy:
    return valued(a, name, 1 + solution.expected_value, solution.frequencies, basis)


def _always_insured(solution: BlackjackSolution) -> Fraction:
    """Return the change of the result of a round by insuring half the wager against every ace."""
    size, counts = solution.size, solution.counts
    return Fraction(counts[ACE], size) * (3 * Fraction(counts[TEN], size - 1) - 1) / 2


def _even_money(solution: BlackjackSolution) -> Fraction:
    """Return the change of the result of a round by taking even money for every blackjack against an ace."""
    total = Fraction(0)
    for upcard, ways, alive in solution.naturals:
        if upcard == ACE:
            total += Fraction(ways, solution.deals) * (1 - solution.natural_value(upcard, alive))
    return total


def _insurance(solution: BlackjackSolution) -> dict[str, Fraction]:
    tens, size = solution.counts[TEN], solution.size
    if not solution.counts[ACE]:
        return {}
    names = ("no ten-valued card", "one ten-valued card", "two ten-valued cards")
    return {"any hand": 3 * Fraction(tens, size - 1) - 1,
            **{name: 3 * Fraction(max(tens - held, 0), size - 3) - 1 for held, name in enumerate(names)}}


def value(a: Analysis, played: Sequence[UserStrategy]) -> tuple[ValuedStrategy, ...]:
    """Return the exact figures of a user's charts."""
    solution = _solution(a)
    solver = Solver(solution.rules, solution.counts)
    return tuple(_valued(a, s.name, s.chart.valued(solver)) for s in played if isinstance(s, BlackjackStrategy))


# ---- one hand


def classes_of(text: str, flag: str) -> list[int]:
    """Return the classes of cards written by rank, with or without suit: ``T 6``, ``Kc 6d``, ``10 6``."""
    classes = []
    for word in text.replace(",", " ").split():
        rank = word[:-1] if len(word) > 1 and word[-1].lower() in "cdhs" else word
        rank = {"10": "T", "J": "T", "Q": "T", "K": "T"}.get(rank.upper(), rank.upper())
        if len(rank) != 1 or rank not in LETTERS:
            raise fault(f'"{word[:20]}" is not a card', "write ranks: A 2 3 4 5 6 7 8 9 T", file=flag)
        classes.append(LETTERS.index(rank))
    if not classes:
        raise fault("no card is named", "write ranks: T 6", file=flag)
    return classes


def question(hand: str, upcard: str, shoes: Iterable[Shoe] = ()) -> tuple[list[int], int]:
    """Return the classes of a hand's cards and of the upcard.

    Raises `InputError` unless it is a hand of two or more cards, and for cards that one of the shoes does not have.
    """
    held, up = classes_of(hand, "--hand"), classes_of(upcard, "--upcard")
    if len(up) != 1 or len(held) < 2:
        what = "an upcard is one card" if len(up) != 1 else "a hand has at least two cards"
        raise fault(what, 'write --hand "T 6" --upcard T', file="--upcard" if len(up) != 1 else "--hand")
    check_shoes(shoes, [*held, *up])
    return held, up[0]


def check_shoes(shoes: Iterable[Shoe], dealt: Sequence[int]) -> None:
    """Raise `InputError` if one of the shoes does not have cards of these classes."""
    for shoe in shoes:
        if any(dealt.count(c) > n for c, n in enumerate(value_counts(shoe))):
            remedy = "give fewer of a rank, or more decks" + (", or remove fewer cards" if shoe.removed else "")
            raise fault("the shoe does not have all these cards", remedy, file="--hand")


def answer(a: Analysis, held: Sequence[int], upcard_class: int) -> BlackjackAnswer:
    """Return the exact value of every choice of a hand, given by classes of cards that the shoe has."""
    solution = _solution(a)
    rules, counts = solution.rules, solution.counts
    cards = tuple(held.count(c) for c in range(CLASSES))
    left = [n - m - (c == upcard_class) for c, (n, m) in enumerate(zip(counts, cards, strict=True))]
    place = player_hands().place.get(cards)
    if place is None:
        raise fault("the hand is busted", "give a hand of at most 21", file="--hand")
    alive = no_blackjack(upcard_class, left)
    insurance = 3 * Fraction(left[TEN], sum(left)) - 1 if upcard_class == ACE else None
    solver = Solver(rules, counts)
    if place == player_hands().two(ACE, TEN):
        values = {name: rules.natural(odds, alive) for name, odds, _ in rules.naturals}
        if upcard_class == ACE and rules.even_money:
            values["even money"] = Fraction(1)
    elif len(held) == 2:
        cell = solver.ask(upcard_class, place)
        values = {CHOICES[s]: cell.worth(s) for s in sorted(cell.values)}
    else:
        run = solver.column(upcard_class)
        exact = solver.evaluator.scale(sum(left), solver.length)
        whole = exact.denominator * (alive if rules.looks else 1)
        may = solver.evaluator.may[place]
        offers = [0, *([1] if may & MAY_HIT else []), *([2] if may & MAY_DOUBLE else [])]
        values = {CHOICES[s]: exact.integer(run.residue[place, s, 0]) / Fraction(whole) for s in offers}
    best = max(values, key=values.__getitem__)
    shown = player_hands().name(place)
    assumes = rules.looks and alive != 1 and place != player_hands().two(ACE, TEN)
    return BlackjackAnswer(a, values, best, shown, LETTERS[upcard_class], alive, insurance, assumes)


# ---- a chart from a file


@dataclass(frozen=True)
class BlackjackStrategy:
    """A user's chart."""

    name: str
    chart: PlayChart
    game: str = "blackjack"


_Row = Annotated[tuple[str, ...], row_of({letter: MEANING[letter] for letter in ("S", "H", "D", "Ds", "Rh", "Rs")})]


@dataclass(frozen=True, kw_only=True)
class BlackjackTerms(StrategyTerms):
    """A chart's file: rows of letters by the labels of totals and of pairs."""

    hard: Mapping[str, _Row]
    soft: Mapping[str, _Row]
    pairs: Mapping[str, Annotated[tuple[str, ...], row_of(MEANING)]] = empty()


def read(file: TomlFile) -> BlackjackStrategy | None:
    """Return the chart of a strategy's file; None if it has faults, which are reported."""
    terms = file.read(BlackjackTerms, partly=True)
    if terms is None:
        return None
    pairs = dict.fromkeys(range(CLASSES), ("N",) * CLASSES)
    for label, letters in terms.pairs.items():
        words = label.upper().replace("10", "T").replace("-", " ").replace(",", " ").split()
        if len(words) != 2 or words[0] != words[1] or words[0] not in LETTERS or len(words[0]) != 1:
            file.report(f'"{label[:40]}" is not a pair', 'write "A-A" to "T-T"', ("pairs", label))
            continue
        pairs[LETTERS.index(words[0])] = _by_class(letters)
    hard, soft = (tuple(map(_by_class, rows_by_total(kind, rows, file)))
                  for kind, rows in (("hard", terms.hard), ("soft", terms.soft)))
    name = terms.called(file.path)
    return BlackjackStrategy(name, PlayChart(name, hard, soft, tuple(pairs[c] for c in range(CLASSES))))


def _by_class(letters: tuple[str, ...]) -> tuple[str, ...]:
    """Return a row for the upcards 2 to 10 and ace by the class of the upcard."""
    return (*letters[-1:], *letters[:-1])


# ---- Bad Beat with the game


@dataclass(frozen=True)
class BadBeatWagers(Displayed):
    """Blackjack with Bad Beat at these stakes, under several plays by name; the best for the base game is first."""

    base_id: str
    bonus_id: str
    decks: int
    ante: Fraction
    stake: Fraction
    plays: tuple[tuple[str, bad_beat.Both], ...]
    view: ClassVar[str] = VIEW


def beside(a: Analysis, with_: SideBets) -> BadBeatWagers:
    """Return the game with a Bad Beat wager, under the best play for the game and under the best for both."""
    [bet] = with_.bets
    bonus, pays, ante, stake = bet.resolved, bet.nets, with_.ante, bet.stake
    if bonus.terms.deal_options.twenty != "final-total":
        raise fault("play does not affect a 20 of the first two cards", "omit the reading", file="--reading")
    solution = _solution(a)
    rules, counts = solution.rules, solution.counts
    if (bonus.terms.deal_options.soft_17 == "hits") != rules.hits_soft_17:
        raise fault("the two wagers have different rules for the dealer's soft 17", "give one --reading dealer-soft-17",
                    file="--reading")
    known = {bad_beat.line(None), *map(bad_beat.line, bad_beat.WORDS)}
    if set(pays) != known:
        raise fault(f"{bonus.id} does not have the lines of Bad Beat", "name bad-beat-progressive", file="--with")
    solver = Solver(rules, counts)
    plays = (
        ("best for the base game", bad_beat.play(solver, pays, Fraction(1), Fraction(0))),
        ("best for both at these stakes", bad_beat.play(solver, pays, ante, stake)),
        ("best for the side bet, with a wager of 1/1000", bad_beat.play(solver, pays, Fraction(1, 1000), Fraction(1))),
    )
    return BadBeatWagers(a.id, bonus.id, a.decks, ante, stake, plays)
