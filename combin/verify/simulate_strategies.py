"""The base games dealt card by card and played by stated strategies, in arrays: no kernel, no solved table.

Decisions, the comparison with the dealer and the settlement are written out here again.
Beside them stand the exact joint table of each strategy and its exact mean, as combin
evaluates it; High Card Flush is also played at its best, each hand by a count of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..games import base
from ..games.chase_the_flush import positions as chase_the_flush_seen
from ..games.chase_the_flush import strategies as chase
from ..games.high_card_flush import solve as high
from ..games.high_card_flush import strategies as high_simple
from ..play.files import HighCardRule, When
from . import flushes, high_card_play
from .cards_dealt import deal_cards
from .flushes import LOSE, TIE, WIN, Array

Parcel = Callable[[np.random.Generator, int], Sequence[int]]
LENGTHS = tuple(range(2, 8))
RANK = {rank: place for place, rank in enumerate("23456789TJQKA")}
QUALIFIES = ("not qualified", "qualified")
RESULTS = ("lose", "tie", "win")


@dataclass(frozen=True)
class Experiment:
    """A strategy dealt and played, with what combin says of it.

    ``net`` is what each outcome wins, settled here, in antes; ``mean`` what combin says a round wins.
    """

    name: str
    exact: Mapping[str, Fraction]
    mean: Fraction
    net: tuple[Fraction, ...]
    parcel: Parcel


def flush(ranks: str) -> int:
    """The worth of a flush by its ranks: ``T97``."""
    return len(ranks) << 13 | sum(1 << RANK[rank] for rank in ranks)


def experiments(a: Analysis) -> Iterator[Experiment]:
    """Every strategy by which the game is simulated."""
    if a.resolved.data["game"] == "high-card-flush":
        yield from _high_card_flush(a)
    else:
        yield from _chase_the_flush(a)


def cells(choices: Sequence[str]) -> tuple[str, ...]:
    """The outcomes by name: choice, dealer qualifies, result, flush length."""
    return tuple(
        f"{choice}, {qualifies}, {result}, {n} cards"
        for choice in choices for qualifies in QUALIFIES for result in RESULTS for n in LENGTHS
    )  # fmt: skip


def net_results(a: Analysis) -> tuple[Fraction, ...]:
    """What each cell wins in antes, from the lines of the paytable."""
    choices = range(len(a.game.choices))
    net = _net_chase if a.resolved.data["game"] == "chase-the-flush" else _net_high
    return tuple(
        net(a, choice, qualifies, result, n)
        for choice in choices for qualifies in (False, True) for result in (LOSE, TIE, WIN) for n in LENGTHS
    )  # fmt: skip


def _experiment(a: Analysis, name: str, joint: Any, parcel: Parcel) -> Experiment:
    counts = [int(n) for n in np.asarray(joint).reshape(-1)]
    deals = sum(counts)
    if a.resolved.data["game"] == "high-card-flush":
        rules = base.high_card_flush_rules(a.resolved)
    else:
        rules = base.chase_the_flush_rules(a.resolved, _most(a))
    mean = Fraction((np.asarray(joint).astype(object) * rules.net).sum()) / deals
    exact = dict(zip(cells(list(a.game.choices)), (Fraction(n, deals) for n in counts), strict=True))
    return Experiment(name, exact, mean, net_results(a), parcel)


def _most(a: Analysis) -> Fraction | None:
    """What a payout cap lets a hand win, in antes."""
    return a.cap.amount / a.cap.stake if a.cap is not None else None


def _tally(chosen: Array, mine: Array, theirs: Array, long_flush: bool, choices: int) -> Sequence[int]:
    """Rounds by choice, dealer qualifies, result and flush length."""
    result = np.where(mine > theirs, WIN, np.where(mine == theirs, TIE, LOSE))
    qualified = flushes.qualifies(theirs, long_flush).astype(np.int64)
    code = ((chosen * 2 + qualified) * 3 + result) * len(LENGTHS) + flushes.length(mine) - 2
    counts: Sequence[int] = np.bincount(code, minlength=choices * 36).tolist()
    return counts


# ---- High Card Flush


def _net_high(a: Analysis, choice: int, qualifies: bool, result: int, length: int) -> Fraction:
    return high_card_play.net_result(a.resolved, choice, qualifies, result)


def _high_card_flush(a: Analysis) -> Iterator[Experiment]:
    play = high_card_play.Play(a.resolved)
    limits = np.array(play.limits)

    def parcel(raises: Callable[[Array], Array] | None) -> Parcel:
        def deal(random: np.random.Generator, rounds: int) -> Sequence[int]:
            cards = deal_cards(random, rounds, 14, 1)
            hands, theirs = flushes.held(cards[:, :7]), flushes.best(flushes.held(cards[:, 7:]))
            mine = flushes.best(hands)
            if raises is None:
                chosen = play.choose(hands, flushes.dealers(hands, play.long_flush))
            else:
                chosen = np.where(raises(hands), limits[flushes.length(mine) - 2], 0)
            return _tally(chosen, mine, theirs, play.long_flush, len(play.net))

        return deal

    yield _experiment(a, "best play by a count of its own", a.game.solution.joint.sum(-1), parcel(None))
    game = base.high_card_flush_game(a.resolved)
    for rule, raises in ((JACK_HIGH, _jack_high), (TWO_HIGH_CARDS, _two_high_cards)):
        seen = high_simple.histogram(rule.codes, long_flush=game.long_flush)
        joint = high_simple.value_strategy(seen, rule.choices(seen, game), game).joint
        yield _experiment(a, rule.name, joint, parcel(raises))


def _number(ranks: str) -> int:
    return high.flush_number(high.flush_of("-".join(ranks)))


#: The rules as combin evaluates them; below as they are played.
JACK_HIGH = HighCardRule("raise from J-3-2", _number("J32"))
TWO_HIGH_CARDS = HighCardRule(
    "raise from T-9-7, from T-7-2 beside two cards J or higher", _number("T97"),
    (When((), 2, _number("T72")),), RANK["J"],
)  # fmt: skip


def _jack_high(hands: Array) -> Array:
    raises: Array = flushes.best(hands) >= flush("J32")
    return raises


def _two_high_cards(hands: Array) -> Array:
    mine = flushes.best(hands)
    jacks_up = sum(1 << RANK[rank] for rank in "JQKA")
    beside = flushes.SIZE[hands & jacks_up].sum(axis=1) - flushes.SIZE[mine & jacks_up]
    raises: Array = np.where(beside >= 2, mine >= flush("T72"), mine >= flush("T97"))
    return raises


# ---- Chase the Flush

IN_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


def _net_chase(a: Analysis, choice: int, qualifies: bool, result: int, length: int) -> Fraction:
    """Ante and X-tra are lost with a fold; a dealer who does not qualify gives back the ante and nothing else."""
    raises, pays = a.resolved.options["raises"], dict(a.resolved.lines)
    if choice == len(raises):
        return Fraction(-2)
    if result == TIE:
        return Fraction(0)
    if result == LOSE:
        return Fraction(-(raises[choice] + 1 + qualifies))
    won = raises[choice] * pays["all in"].odds + (pays["ante"].odds if qualifies else 0)
    won += sum(p.odds for line, p in pays.items() if IN_WORDS.get(line.removesuffix("-card flush")) == length)
    most = _most(a)
    return won if most is None else min(won, most)


#: Two meanings of the advice on the casino's card: 3x from Q-9, 2x on three suited cards, 1x from jack high. Whether
#: Q-9 means each card, and how many higher cards of one suit on the board, of two or more there, fold three cards.
PRINTED = (
    ("Q-9 by value (K-2 is better); both suited cards higher, three-card flushes only", False, 2),
    ("a queen or better with a nine or better; one of two suited cards higher, three-card flushes only", True, 1),
)


def printed(hole: Array, flop: Array, board: Array, whole: Array, *, each_card: bool, against: int) -> Array:
    """0 for 3x, 1 for 2x, 2 for 1x, 3 for a fold."""
    two, mine = flushes.best(hole), flushes.best(whole)
    at_once = two >= flush("Q9")
    if each_card:
        low_cards = (1 << RANK["9"]) - 1
        at_once &= (flushes.length(two) == 3) | (two & low_cards == 0)
    early = flushes.length(flushes.best(flop)) >= 3
    above = ~((2 << flushes.TOP[mine & 8191]) - 1)
    suited = flushes.SIZE[board] >= 2
    higher = np.where(suited, flushes.SIZE[board & above[:, None]], 0).max(axis=1)
    three = (mine >= flush("J32")) & (higher < against)
    late = np.where(flushes.length(mine) >= 4, True, three)
    return np.where(at_once, 0, np.where(early, 1, np.where(late, 2, 3)))


def _chase_the_flush(a: Analysis) -> Iterator[Experiment]:
    exact = chase.printed_strategies()
    valued = chase_the_flush_seen.value_strategies([exact[name] for name, _, _ in PRINTED])
    for (name, each_card, against), known in zip(PRINTED, valued, strict=True):
        yield _experiment(a, f"the casino's printed advice ({name})", known.joint, _printed_parcel(each_card, against))


def _printed_parcel(each_card: bool, against: int) -> Parcel:
    def deal(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 10, 1)
        hole, dealer, flop, river = (flushes.held(cards[:, i:j]) for i, j in ((0, 3), (3, 6), (6, 8), (8, 10)))
        board = flop | river
        chosen = printed(hole, hole | flop, board, hole | board, each_card=each_card, against=against)
        return _tally(chosen, flushes.best(hole | board), flushes.best(dealer | board), True, 4)

    return deal
