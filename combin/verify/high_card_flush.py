"""Independent checks of High Card Flush: its counts, its joint table, and its rules dealt card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from ..deals.cards import cards, names, rank_masks
from ..deals.first_cards import Deal
from ..games.chase_the_flush.solve import canonical
from ..games.high_card_flush import dealt_rounds as dealt
from ..games.high_card_flush import rules, solve
from ..games.high_card_flush import strategies as simple
from ..games.round_dealer import BLOCK
from ..play.high_card_flush import HighCardStrategy, When
from . import flushes, high_card_play, rounds, shoe, side_bets
from .cards_dealt import Parcel, deal_cards
from .flushes import Array
from .model import RETURN, Check, equal, no_difference
from .rounds import RANK, Experiment, experiment, flush, tally

#: Side bets that depend on the play: counted independently, and dealt at random.
side_bet_checks, side_bet_parcel = side_bets.checks_of_high_card_flush, side_bets.parcel_of_high_card_flush
#: A hand that is compared with every dealer hand, chosen for ties and long flushes.
CHOSEN_HAND = "Ac Kc Qc Ad Kd Qd 2s"
#: The lowest qualifying flush, its neighbours, and long flushes below a nine.
AT_THE_BOUND = (
    "9h 3h 2h 8s 5s 7d 4c",
    "9h 4h 2h 8s 5s 7d 3c",
    "8h 7h 6h As Ks Ad Kc",
    "9h 3h 2h 9s 3s 2s 9d",
    "8h 7h 6h 5h As Kd Qc",
    "5h 4h 3h 2h 5s 4s 3s",
)
SAMPLE = 40
SEED = 20_240_229



def differing_hand(long_qualifies: bool) -> str:
    """Return the first hand whose dealer counts differ between kernel and convolution; empty if all agree."""
    random = Random(SEED)
    hands = [cards(text) for text in AT_THE_BOUND] + [tuple(random.sample(range(52), 7)) for _ in range(SAMPLE)]
    for hand in hands:
        second = np.array(solve.position(hand, long_qualifies=long_qualifies).dealers)
        if (_kernel_counts(hand, long_qualifies) != second).any():
            return names(hand)
    return ""


@cached("all dealer hands against one hand", most=4)
def _dealers_literally(hand: tuple[int, ...]) -> dict[tuple[bool, str], int]:
    """Return counts of all 45,379,620 dealer hands against one hand, in arrays of four cards for each other three."""
    unseen = [card for card in range(52) if card not in hand]
    four = np.array(list(combinations(range(45), 4)), dtype=np.int64)
    bit = np.array([1 << 13 * (card // 13) + card % 13 for card in unseen], dtype=np.int64)
    masks = bit[four].sum(axis=1)
    start = np.searchsorted(four[:, 0], np.arange(46))
    mine, value = int(flushes.best(flushes.held(np.array([hand])))[0]), flushes.WORTH
    counts: dict[tuple[bool, str], int] = {}
    for i, j, k in combinations(range(42), 3):
        rest = masks[start[k + 1] :] | bit[i] | bit[j] | bit[k]
        best = np.maximum(
            np.maximum(value[rest & 8191], value[rest >> 13 & 8191]),
            np.maximum(value[rest >> 26 & 8191], value[rest >> 39]),
        )
        for qualifies, some in ((False, best[best < flushes.QUALIFYING]), (True, best[best >= flushes.QUALIFYING])):
            wins, ties = int((some < mine).sum()), int((some == mine).sum())
            for result, number in (("win", wins), ("tie", ties), ("lose", len(some) - wins - ties)):
                counts[qualifies, result] = counts.get((qualifies, result), 0) + number
    return counts


def _kernel_counts(hand: Sequence[int], long_qualifies: bool) -> Any:
    """Return the kernel's counts of dealer hands for the class of a hand."""
    held = canonical(rank_masks(hand))
    listed = solve.classes(solve.position(hand).flush, long_qualifies=long_qualifies)
    place = int(np.flatnonzero((listed.masks == held).all(axis=1))[0])
    return listed.dealers[place]


def checks(a: Analysis) -> Iterator[Check]:
    solution = a.game.solution
    long_qualifies = solution.game.long_qualifies
    yield shoe.classes(a, Deal("player 7"))
    total = sum((play.best * play.hands * solve.DEALERS for play in solution.plays()), start=0)
    yield equal("value", "the sum over the 5,798 best flushes, each played optimally", solution.total, int(total),
                f"{solution.total:,} units over all deals")
    again = high_card_play.count_all(high_card_play.HighCardPlay(a.resolved))
    differs = np.argwhere(again.joint != solution.joint.sum(-1))
    difference = f"differs at choice, qualifies, result, length {differs[0].tolist()}" if len(differs) else ""
    if (again.classes, again.hands) != (a.classes, solve.HANDS):
        difference = f"{again.hands:,} hands in {again.classes:,} classes there"
    yield no_difference(
        "joint table", "every class of hands in arrays, played by an independent count of all dealer hands",
        difference, f"the same {again.joint.size} cells", RETURN)
    wrong = differing_hand(long_qualifies)
    yield no_difference("dealer hands", "convolution over the suits, for hands near the bound and random hands",
                        f"differ for {wrong}" if wrong else "", f"the same for {len(AT_THE_BOUND) + SAMPLE} hands")
    chosen = cards(CHOSEN_HAND)
    literal = _dealers_literally(chosen)
    kernel = _kernel_counts(chosen, True)
    here = {(bool(q), r): int(kernel[q][i]) for q in (0, 1) for i, r in enumerate(("lose", "tie", "win"))}
    yield equal(
        "dealer hands", f"all {comb(45, 7):,} dealt against {names(chosen)}", here, literal, "the same six counts"
    )
    yield from _no_choice(solution)
    if long_qualifies:
        unqualified = seven_unqualified()
        yield equal("dealer qualifies", "the hands without a flush of 9-3-2 or better, by convolution over the suits",
                    int(solution.joint.sum(-1)[:, 0].astype(object).sum()), unqualified * comb(45, 7),
                    f"{comb(52, 7) - unqualified:,} of {comb(52, 7):,} hands qualify")


def seven_unqualified() -> int:
    """Return the number of hands of seven of 52 cards without a flush of nine high or better, by convolution."""
    return int(flushes.unqualified(np.zeros((1, 4), dtype=np.int64))[0])


def _no_choice(solution: solve.HighCardSolution) -> Iterator[Check]:
    """Yield a check of symmetry: if the player always raises, both sides win equally often."""
    utility = np.zeros_like(solution.game.utility)
    utility[0] = -1
    game = replace(solution.game, utility=utility)
    joint = solve.solve(game).joint.sum((-1, -2)).astype(object)[1:].sum(axis=(0, 1))
    lost, _, won = (int(deals) for deals in joint)
    yield equal("symmetry", "wins and losses of a player who never folds", won, lost, f"{lost:,} each")


# ---- the rules, dealt card by card


def optimal_play(a: Analysis, number: int, seed: int) -> tuple[dict[str, Fraction], Any]:
    """Return every cell of the joint table by name, and its simulated count; the kernel deals blocks of 10,000."""
    seen = dealt.simulate(a.game.solution.game, rounds.whole(number, BLOCK), seed)
    return rounds.shares(a, a.game.solution.joint.sum(-1)), seen.reshape(-1)


def net_results(a: Analysis) -> tuple[Fraction, ...]:
    """Return the win of each cell in antes, from the lines of the paytable."""

    def net(choice: int, qualifies: bool, result: int, length: int) -> Fraction:
        return high_card_play.net_result(a.resolved, choice, qualifies, result)

    return rounds.net_results(len(a.game.choices), net)


def experiments(a: Analysis) -> Iterator[Experiment]:
    """Yield every strategy that is simulated without a kernel."""
    play = high_card_play.HighCardPlay(a.resolved)
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
            return tally(chosen, mine, theirs, play.long_flush, len(play.net))

        return deal

    game_rules, net = rules.rules_of(a.resolved), net_results(a)
    best = a.game.solution.joint.sum(-1)
    yield experiment(a, "best play by an independent count", best, game_rules, net, parcel(None))
    game = rules.game_of(a.resolved)
    for rule, raises in ((JACK_HIGH, _jack_high), (TWO_HIGH_CARDS, _two_high_cards)):
        seen = simple.histogram(game, rule.codes)
        joint = simple.joint_of(seen, rule.choices(seen))
        yield experiment(a, rule.name, joint, game_rules, net, parcel(raises))


def _number(ranks: str) -> int:
    return solve.flush_number(solve.flush_of("-".join(ranks)))


#: The strategies as combin evaluates them; how they are played follows.
JACK_HIGH = HighCardStrategy("raise from J-3-2", _number("J32"))
TWO_HIGH_CARDS = HighCardStrategy(
    "raise from T-9-7, from T-7-2 with two other cards J or higher", _number("T97"),
    (When((), 2, _number("T72")),), RANK["J"],
)  # fmt: skip


def _jack_high(hands: Array) -> Array:
    raises: Array = flushes.best(hands) >= flush("J32")
    return raises


def _two_high_cards(hands: Array) -> Array:
    mine = flushes.best(hands)
    jacks_up = sum(1 << RANK[rank] for rank in "JQKA")
    others = flushes.SIZE[hands & jacks_up].sum(axis=1) - flushes.SIZE[mine & jacks_up]
    raises: Array = np.where(others >= 2, mine >= flush("T72"), mine >= flush("T97"))
    return raises
