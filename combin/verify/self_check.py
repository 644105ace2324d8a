"""Checks that the compiled kernels of this installation count correctly on this machine: `combin verify --self`.

Each kernel counts something whose number is known: from combinatorics on paper, from the literature, or from an
independent method in Python. The cases are small, so that all of them take a few seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ..base.caches import cached
from ..base.errors import InputError
from ..base.exact import decimal, percent
from ..base.version import VERSION
from ..pages.blocks import Grid, Mark, Part, Words
from .model import Check, compared, equal, guarded

#: Hands of seven cards by their longest flush, on paper: 4 C(13, n) C(39, 7 − n) for n of 4 to 7.
BY_FLUSH = {n: 4 * comb(13, n) * comb(39, 7 - n) for n in (4, 5, 6, 7)}
#: Hands of five cards by category, as every textbook has them.
FIVE_CARDS = {
    "royal flush": 4, "straight flush": 36, "four of a kind": 624, "full house": 3_744, "flush": 5_108,
    "straight": 10_200, "three of a kind": 54_912, "two pair": 123_552, "pair": 1_098_240, "high card": 1_302_540,
}
#: Ordered deals of six cards from eight decks in which the banker wins, the player wins, both tie.
BACCARAT = {"banker": 2_292_252_566_437_888, "player": 2_230_518_282_592_256, "tie": 475_627_426_473_216}
#: Three cards of six decks: 21+3, as published.
THREE_CARDS = {"straight flush": 10_368, "three of a kind": 26_312, "straight": 155_520, "flush": 292_896}
#: One deck, the dealer stands on soft 17 and has no blackjack.
BLACKJACK = {"stand": "-0.634013", "hit": "0.172946", "double": "0.240259"}
PAPER, PUBLISHED = "combinatorics on paper", "published count"
SEED = 20_240_229


@dataclass(frozen=True)
class KernelCheck:
    """The checks of one kernel; ``passed`` if all pass."""

    kernel: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return all(check.passed is not False for check in self.checks)


def _seven_classes() -> Iterator[Check]:
    from ..deals.seven_cards import by_class

    rows, weights, classes = by_class()
    yield _by_flush(rows, weights)
    yield equal("classes of seven cards", "Burnside's lemma", classes, 6_009_159)


def _seven_literal() -> Iterator[Check]:
    from .seven_counts import literal

    yield _by_flush(*literal())


def _by_flush(rows: Any, weights: Any) -> Check:
    here = {str(n): int(sum(w for row, w in zip(rows.tolist(), weights.tolist(), strict=True) if row[0] == n))
            for n in BY_FLUSH}
    return compared("133,784,560 hands by longest flush", PAPER, here, {str(n): k for n, k in BY_FLUSH.items()})


def _poker() -> Iterator[Check]:
    from itertools import chain, combinations

    from ..deals.poker import FIVE_CARDS as NAMES
    from ..deals.poker import categories

    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8).reshape(-1, 5)
    counts = np.bincount(categories(hands % 13, hands // 13), minlength=len(NAMES))
    here = dict(zip(NAMES, counts.tolist(), strict=True))
    yield compared("2,598,960 hands of five cards", PUBLISHED, here, FIVE_CARDS)


def _shoe() -> Iterator[Check]:
    words = "straight_flush(cards)", "three_of_a_kind(cards)", "straight(cards)", "suited(cards)"
    here = _counted("player 2, upcard 1", 6, dict(zip(THREE_CARDS, words, strict=True)))
    yield compared("three cards of six decks", PUBLISHED, here, THREE_CARDS)
    results = {"banker": "baccarat(banker) > baccarat(player)", "player": "baccarat(banker) < baccarat(player)",
               "tie": "baccarat(banker) == baccarat(player)"}
    baccarat = {name: _counted("baccarat", 8, {name: condition})[name] for name, condition in results.items()}
    yield compared("baccarat, eight decks", PUBLISHED, baccarat, BACCARAT)


def _counted(deal: str, decks: int, outcome: dict[str, str]) -> dict[str, int]:
    """Return the deals of each outcome, in the order of the lines."""
    from ..analysis.engine import analyze
    from ..userfiles.paytables import add_data

    wager = {"id": "self/check/wager", "name": "Self-check", "deal": deal, "decks": [decks], "outcome": outcome,
             "paytable": {"A": dict.fromkeys(outcome, "9 to 1")}}
    book, [name] = add_data({"wager": [wager]}, "self-check")
    combinations = analyze(name, decks=decks, book=book).combinations
    return {line: combinations[line] or 0 for line in outcome}


def _suit_pairs() -> Iterator[Check]:
    from ..deals.three_hands import Pack
    from ..games.high_card_flush import solve
    from ..games.high_card_flush.two_hands import HandOrder, product

    order, n = solve.flushes(), comb(13, 7)
    net = np.zeros((len(order), 2, 3), dtype=object)
    net[solve.lengths() == 7, 1] = (-1, 0, 1)
    play = HandOrder(Pack(13, 7), order, net, np.ones(len(order), bool), ())
    # Two seven-card flushes have two suits, in 12 n² ways; the dealer has none in all but 2 n hands. If all three have
    # one, a third of the 24 n³ − 24 n ways without a tie count.
    won = 12 * n**2 * (comb(38, 7) - 2 * n) + (24 * n**3 - 24 * n) // 3
    counted = product(play) * play.pack.deals
    whole = int(counted) if counted.denominator == 1 else counted
    yield equal("three hands with a seven-card flush", PAPER, whole, won)


def _high_card_flush() -> Iterator[Check]:
    from ..games.high_card_flush import solve
    from .flush_games import ante_and_raise
    from .high_card_flush import seven_unqualified

    solution = solve.solve(ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}))
    unqualified = int(solution.joint.sum(-1)[:, 0].astype(object).sum())
    yield equal("hands with which the dealer qualifies", "convolution over the suits",
                comb(52, 7) - unqualified // comb(45, 7), comb(52, 7) - seven_unqualified())
    raised = 1 - Fraction(int(solution.joint[0].astype(object).sum()), comb(52, 7) * comb(45, 7))
    yield equal("hands that are raised", "published share", percent(raised, 2), "67.86 %")


def _high_card_flush_rounds() -> Iterator[Check]:
    from .._kernels import load
    from ..base.parallel import sweep
    from ..deals.cards import cards
    from ..games.high_card_flush import solve

    hand = cards("Tc 7c 4c Ks Qh Jd 9d")
    position = solve.position(hand)
    masks = np.array([sum(1 << c % 13 for c in hand if c // 13 == suit) for suit in range(4)], np.int32)
    (dealt,) = sweep(
        lambda start, stop, into: load("high_card_flush_rounds").count_literally(
            start, stop, masks, position.flush, True, into[0]),
        45, lambda: [np.zeros(6, np.int64)], chunk=1, label="dealer hands",
    )
    yield equal("45,379,620 dealer hands against one hand", "convolution over the suits",
                tuple(map(tuple, dealt.reshape(2, 3).tolist())), position.dealers, "the same six counts")


def _chase_the_flush() -> Iterator[Check]:
    from ..games.chase_the_flush import solve
    from .flush_games import settlement

    solution = solve.solve([settlement({4: 1, 5: 5, 6: 20, 7: 250})])[0]
    yield equal("house edge of the maker's game, per ante and X-tra Bonus", "published by the maker",
                percent(-solution.mean / 2, 2), "1.20 %")
    yield _qualified(solution.joint, solve.DEALS)


def _qualified(joint: Any, deals: int) -> Check:
    """Return the check of the dealers who qualify: their best flush is that of seven cards under any play."""
    from .high_card_flush import seven_unqualified

    qualified = int(joint.astype(object).sum(axis=(0, 2, 3))[1])
    return equal("deals with which the dealer qualifies", "convolution over the suits",
                 Fraction(qualified, deals), 1 - Fraction(seven_unqualified(), comb(52, 7)))


def _chase_the_flush_rounds() -> Iterator[Check]:
    from ..deals.cards import cards
    from ..games.chase_the_flush import solve
    from .chase_the_flush import RIVERS, _dealers_on_a_river
    from .flush_games import settlement

    utility = settlement({4: 1, 5: 5, 6: 20, 7: 250})
    for hole, board in RIVERS:
        here = solve.position(cards(hole), cards(board), utility=utility).dealer
        yield equal(f"14,190 dealer hands against {hole} on {board}", "each dealt in Python", here,
                    _dealers_on_a_river(cards(hole), cards(board)), "the same six counts")


def _chase_the_flush_strategies() -> Iterator[Check]:
    from ..games.chase_the_flush import positions, solve, strategies

    [played] = positions.value_strategies([strategies.strategy({1: "", 2: "", 3: ""}, {}, {})])
    lost, _, won = (int(n) for n in played.joint.sum(axis=(0, 1, 3)))
    yield equal("deals won by a player who always raises", "as many as are lost, by symmetry", won, lost)
    yield _qualified(played.joint, solve.DEALS)


def _base_of(game: str) -> Any:
    from ..analysis.engine import analyze
    from ..userfiles.templates import with_templates

    book = with_templates()
    wager = book.wagers[f"house/{game}/base"]
    [paytable] = wager.paytables
    return analyze(f"{wager.id}/{paytable}", book=book)


def _edge(game: str, edge: str) -> Iterator[Check]:
    name = game.replace("-", " ").title()
    yield equal(f"house edge of {name}", "published house edge", percent(_base_of(game).house_edge, 4), edge)


def _showdown_enumeration() -> Iterator[Check]:
    from ..games.showdown import rules
    from .showdown import _short_deck

    yield replace(_short_deck(rules.bets_of(_base_of("three-card-poker").resolved)),
                  what="Three Card Poker from a short deck")


def _blackjack() -> Iterator[Check]:
    from ..games.blackjack.hands import ACE, player_hands
    from ..games.blackjack.rules import HouseRules
    from ..games.blackjack.solve import CHOICES, SPLIT, deck_counts, solve

    cell = solve(HouseRules(), deck_counts(1)).cells[ACE, player_hands().two(4, 5)]
    looked = Fraction(49, 49 - 16)  # values are joint with no ten under the ace
    here = {CHOICES[s]: decimal(looked * n / cell.scale, 6) for s, n in cell.values.items() if s < SPLIT}
    yield equal("5 6 against an ace, one deck", "published values", here, BLACKJACK, ", ".join(
        f"{choice} {value}" for choice, value in here.items()))


def _blackjack_rounds() -> Iterator[Check]:
    from .blackjack import estimates, frequencies

    solution, rounds = _dealt()
    yield from frequencies(solution, rounds, SEED)
    yield from estimates(rounds, SEED)


def _blackjack_splits() -> Iterator[Check]:
    from .blackjack import moments_of_splits

    yield from moments_of_splits(*_dealt(), SEED)


@cached("a million rounds of blackjack of the self-check", most=1)
def _dealt() -> tuple[Any, Any]:
    """Return the solution of a game, and rounds of it dealt at random; two kernels are checked by them."""
    from ..analysis.engine import analyze
    from ..games.blackjack.dealt_rounds import simulate

    solution = analyze("maryland/blackjack/blackjack/3-to-2", decks=1).game.solution
    return solution, simulate(solution, 1_000_000, SEED)


CHECKS: Mapping[str, Callable[[], Iterator[Check]]] = {
    "seven_classes": _seven_classes, "seven_literal": _seven_literal, "poker": _poker, "shoe": _shoe,
    "suit_pairs": _suit_pairs, "high_card_flush": _high_card_flush, "high_card_flush_rounds": _high_card_flush_rounds,
    "chase_the_flush": _chase_the_flush, "chase_the_flush_rounds": _chase_the_flush_rounds,
    "chase_the_flush_strategies": _chase_the_flush_strategies,
    "showdown_sweep": lambda: _edge("three-card-poker", "3.3730 %"),
    "showdown_publics": lambda: _edge("ultimate-three-card-poker", "3.8807 %"),
    "showdown_enumeration": _showdown_enumeration, "blackjack": _blackjack, "blackjack_rounds": _blackjack_rounds,
    "blackjack_splits": _blackjack_splits,
}


def self_check(kernels: Sequence[str] = tuple(CHECKS)) -> Iterator[KernelCheck]:
    """Yield the checks of each kernel. A kernel that is missing or raises fails."""
    _dealt.cache_clear()  # every run counts anew
    for kernel in kernels:
        try:
            checks = guarded(kernel, "the kernel", CHECKS[kernel])
        except InputError as error:
            checks = [Check(kernel, "the kernel", str(error.faults[0]), False)]
        yield KernelCheck(kernel, tuple(checks))


def page(done: Sequence[KernelCheck]) -> Part:
    """Return a line for each kernel: what it counted, against what, and the result; for a failure the failed check."""
    rows = []
    for one in done:
        check = next((c for c in one.checks if c.passed is False), one.checks[0])
        more = len(one.checks) - 1 if one.passed else 0
        others = f" (and {more} more)" if more else ""
        rows.append((Mark(one.passed), one.kernel, f"{check.what}{others}", check.method, check.result))
    failed = sum(not one.passed for one in done)
    verdict = f"all {len(done)} kernels count correctly"
    if failed:
        verdict = f"{failed} of {len(done)} kernels count wrong on this machine: use no figure of this installation"
    head = ("", "kernel", "counts", "checked against", "result")
    return Part(f"combin {VERSION}", blocks=(Grid(head, tuple(rows), len(head)), Words(verdict)))


def record(done: Sequence[KernelCheck]) -> dict[str, Any]:
    """Return the JSON form."""
    return {"version": VERSION, "passed": all(one.passed for one in done), "kernels": [
        {"kernel": one.kernel, "passed": one.passed, "checks": [
            {"what": c.what, "method": c.method, "result": c.result, "passed": c.passed} for c in one.checks]}
        for one in done]}
