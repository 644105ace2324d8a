"""The hands of Blackjack Switch given other hands: every two cards against every upcard, at best play or by a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Any

import numpy as np

from ...base.caches import cached
from ...base.errors import fault
from ...base.parallel import Beat, sweep
from ...base.work import stored
from ...deals.draw import Composition
from ..blackjack.hands import (
    ACE,
    BLACKJACK,
    CLASSES,
    HOLE,
    PUSH_22,
    TEN,
    TWENTY_ONE,
    Ints,
    dealer_tree,
    player_hands,
)
from ..blackjack.rules import SPLIT_ACES, USUAL_HANDS, HouseRules
from ..blackjack.solve import SPLIT, SURRENDER, Solver, no_blackjack
from ..blackjack.split_counts import most_gone, terms_by_hand
from ..blackjack.split_values import COUNTED, HandLaw
from ..blackjack.strategies import PlayChart
from ..blackjack.values import (
    DOUBLE,
    HIT,
    NEED_STAND,
    PRIMES,
    Evaluator,
    Values,
    all_hands,
    hands_with,
    moduli_for,
    rewards,
    scale,
)

#: Pairs of classes of two cards, and the index of each.
PAIRS = tuple((a, b) for a in range(CLASSES) for b in range(a, CLASSES))
INDEX = np.zeros((CLASSES, CLASSES), np.intp)
for _i, (_a, _b) in enumerate(PAIRS):
    INDEX[_a, _b] = INDEX[_b, _a] = _i
NATURAL = int(INDEX[ACE, TEN])
#: The error of a hand is less than 2^-42. The weights of the terms of a split sum to less than 2^6, a switch compares
#: four hands, so the error of a sum is less than 2^-34.
MARGIN = 2.0**-30
#: Shoes whose sums one thread keeps, at about 130 bytes each: 60 MB.
MOST_LAWS = 450_000
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class SwitchHands:
    """Every two-card hand against every upcard given every other hand: ``[upcard][other][hand]``, others by `PAIRS`.

    ``value`` in wagers and joint with "no dealer blackjack" (−inf if the cards are
    not in the shoe), ``best`` its choice. An ace and a ten-valued card count here as a
    hand of 21. Residues are modulo `PRIMES`: of the value, and of the stakes of doubles and splits
    beyond the wager. ``lost_residue`` is the probability that a hand which is not split
    loses, ``each`` the hands of a split. ``dealer`` holds, by (upcard, other), the events that decide
    a blackjack: no dealer blackjack, 21 and 22, over the scale of a value.
    """

    value: Ints
    best: Ints
    residue: Ints
    extra_residue: Ints
    dealer: dict[tuple[int, int], tuple[int, int, int]] = field(repr=False)
    lost_residue: Ints
    each: dict[tuple[int, int, int], Ints] = field(repr=False)
    play: dict[tuple[int, int], Ints] = field(repr=False)
    exact_choices: int = 0


def _less(counts: Sequence[int], *cards: int) -> list[int]:
    left = list(counts)
    for card in cards:
        left[card] -= 1
    return left


def _played(rules: HouseRules, upcard: int, behind: Sequence[int]) -> Fraction:
    """The probability that hands are played: that a dealer who looks has no blackjack."""
    return no_blackjack(upcard, behind) if rules.looks else Fraction(1)


def _modulo(value: Fraction, primes: Sequence[int]) -> list[int]:
    return [value.numerator * pow(value.denominator, -1, p) % p for p in primes]


@cached("weights of split hands by further pair cards", most=4)
def _weights(most: int) -> Ints:
    """Return `split_counts.terms_by_hand` as a matrix: hands by further pair cards gone and kind of second card."""
    weights = np.zeros((most, most_gone(most) + 1, 2), object)
    for place, hand in enumerate(terms_by_hand(most)):
        for term in hand:
            weights[place, term.gone] += (term.weight, 0 if term.free else -term.weight)
    return weights


@dataclass(frozen=True)
class _Split:
    """The split of a pair against an upcard given another hand: the cards left behind the pair, its hands' play.

    ``need`` marks the hands that the play reaches.
    """

    rules: HouseRules
    upcard: int
    pair: int
    other: int
    behind: Sequence[int]
    policy: Ints = field(repr=False)
    need: Ints = field(repr=False)

    @property
    def weights(self) -> Ints:
        """Return `_weights` up to the number of further pair cards that the shoe has."""
        return _weights(self.rules.hands_of(self.pair))[:, : self.behind[self.pair] + 1]

    def base(self, gone: int) -> list[int]:
        """Return the cards left, with a hand's first card, behind ``gone`` further pair cards."""
        return [n + (1 - gone) * (c == self.pair) for c, n in enumerate(self.behind)]

    def runs(self, evaluator: Evaluator, levels: int, **options: Any) -> list[Values]:
        """Return the values of a hand behind each number of further pair cards below ``levels``."""
        return [evaluator.run(self.upcard, self.base(gone), hands_with(self.pair), choice=self.policy, need=self.need,
                              **options) for gone in range(min(levels, self.weights.shape[1]))]

    @cached_property
    def again(self) -> tuple[int, int]:
        """Return where the values of a hand of two pair cards are."""
        at = hands_with(self.pair).place[player_hands().two(self.pair, self.pair)]
        return at, int(self.policy[at])

    def worth(self, runs: Sequence[Values]) -> tuple[float, float]:
        """Return the value of the split in double precision from the first of its `runs`, and a bound of its error.

        A hand behind more pair cards is taken to be worth as much as in the last run. It is played by its own cards, so
        m pair cards make no difference in an order of the shoe unless one of them is drawn. The next card is one of
        them with probability m / pips left times the mean of its pips. So one of them is drawn with a probability of at
        most m × pips drawn / pips left in the end. A hand and a dealer hold at most 31 and 26 pips. The result
        differs then by at most twice the stake.
        """
        size, cards = sum(self.behind), self.behind[self.pair]
        drawn = 31 + 26 - (self.pair + 1) - (self.upcard + 1)
        pips = sum(n * (c + 1) for c, n in enumerate(self.behind)) - (len(runs) - 1) * (self.pair + 1)
        missed = 2 * (1 + self.rules.doubles_after(self.pair)) * drawn / max(pips - drawn, 1)
        worth = error = every = again = 0.0
        for gone, (free, paired) in enumerate(self.weights.sum(0).tolist()):
            chance = perm(cards, gone) / perm(size, gone)
            if gone < len(runs):
                every = float(runs[gone].value[-1, HIT, 0])
                again = (cards - gone) / (size - gone) * float(runs[gone].value[*self.again, 0])
            else:
                error += chance * (abs(paired) + abs(free + paired)) * (gone - len(runs) + 1) * missed
            worth += chance * (free * every + paired * again)
        return worth, error


@cached("inverses modulo the primes", most=1024)
def _inverse(number: int, moduli: int) -> Ints:
    return np.array([pow(number, -1, p) for p in PRIMES[:moduli]], object)


def _hands_of_split(split: _Split, runs: Sequence[Values]) -> Ints:
    """Return each hand of a split in the order of play, joint with "no dealer blackjack".

    ``runs`` are those of all numbers of further pair cards with the rewards ``net`` and ``lost``. Residues (hands,
    `COUNTED`, primes).
    """
    rules, upcard, pair, behind, policy = split.rules, split.upcard, split.pair, split.behind, split.policy
    family, hands = hands_with(pair), player_hands()
    seconds = [family.place[hands.two(pair, c)] for c in range(CLASSES)]
    doubles = [c for c in range(CLASSES) if policy[seconds[c]] == DOUBLE]
    chosen = split.again[1]
    size, cards, moduli = sum(behind), behind[pair], runs[0].residue.shape[-1]
    primes, weights = PRIMES[:moduli], split.weights
    modulo = np.array(primes, object)
    # By further pair cards gone: any second card and the pair's, all hands and doubled ones, net and lost.
    parts = np.zeros((weights.shape[1], 2, 2, 2, moduli), object)
    for gone, values in enumerate(runs):
        run, one = values.residue, _inverse(size - gone, moduli)
        again = (cards - gone) * one * run[split.again].astype(object)
        parts[gone, 0, 0], parts[gone, 1, 0] = run[-1, HIT], again
        for c in doubles:
            parts[gone, 0, 1] += (behind[c] - gone * (c == pair)) * one * run[seconds[c], DOUBLE].astype(object)
        parts[gone, 1, 1] = again if chosen == DOUBLE else 0
        parts[gone] *= perm(cards, gone) * _inverse(perm(size, gone), moduli) % modulo
    stakes, whole = _stakes(rules, upcard, pair, behind, policy)
    inverse = _inverse(whole, moduli)
    half = np.array([(p + 1) // 2 for p in primes], object)
    summed = weights.reshape(len(weights), -1) @ parts.reshape(-1, 4 * moduli)
    results = np.zeros((len(weights), COUNTED, moduli), object)
    for hand, shares, ((net, lost), (double_net, double_loss)) in zip(
        results, stakes, summed.reshape(-1, 2, 2, moduli), strict=True
    ):
        double_win, loss = double_net * half + double_loss, lost - double_loss
        hand[:] = *(n * inverse for n in shares), net - double_net + loss, loss, double_win, double_loss
    return results % modulo


def _stakes(
    rules: HouseRules, upcard: int, pair: int, behind: Sequence[int], policy: Ints
) -> tuple[Ints, int]:
    """Return how often each hand of a split exists and is doubled without a dealer blackjack: (hands, 2), denominator.

    A hand doubles by its second card only, so the sum of `split_counts.terms_by_hand` needs no distribution of the
    dealer.
    """
    hands, family = player_hands(), hands_with(pair)
    size, cards, hole = sum(behind), behind[pair], HOLE.get(upcard) if rules.looks else None
    weights = _weights(rules.hands_of(pair))[:, : cards + 1]
    longest = weights.shape[1] - 1
    doubles = [c for c in range(CLASSES) if policy[family.place[hands.two(pair, c)]] == DOUBLE]
    # By further pair cards gone, any second card and the pair's: exists and doubled.
    parts = np.zeros((longest + 1, 2, 2), object)
    for gone in range(longest + 1):
        left = list(behind)
        left[pair] -= gone
        ways = perm(cards, gone) * perm(size - gone - 2, longest - gone)
        unseen = size - gone - 1  # behind the second card
        second = [ways * n * (unseen - (0 if hole is None else left[hole] - (c == hole))) for c, n in enumerate(left)]
        parts[gone, 0] = sum(second), sum(second[c] for c in doubles)
        parts[gone, 1] = second[pair], second[pair] * (pair in doubles)
    return weights.reshape(len(weights), -1) @ parts.reshape(-1, 2), perm(size, longest + 2)


class _Table:
    """Fills `SwitchHands`, one upcard per call: threads write to different rows. A chart, if given, plays the hands.

    Splits of aces and surrenders come last, for rules that differ in them.
    """

    def __init__(
        self, rules: HouseRules, counts: Composition, evaluator: Evaluator, length: int, chart: PlayChart | None
    ) -> None:
        self.rules, self.counts, self.evaluator, self.length = rules, counts, evaluator, length
        self.given = None if chart is None else chart.plays(Solver(rules, counts, solved_by=(evaluator, length)))
        number, primes = len(PAIRS), evaluator.moduli
        self.value = np.full((CLASSES, number, number), -np.inf)
        self.best = np.zeros((CLASSES, number, number), np.int8)
        self.residue = np.zeros((CLASSES, number, number, primes), np.uint64)
        self.extra_residue = np.zeros_like(self.residue)
        self.lost_residue = np.zeros_like(self.residue)
        self.each: dict[tuple[int, int, int], Ints] = {}
        self.dealer: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.play: dict[tuple[int, int], Ints] = {}
        #: The play of a split of aces against each upcard, by the rule for it, and what it leaves behind.
        self.aces: list[list[tuple[int, list[int], dict[str, Ints]]]] = [[] for _ in range(CLASSES)]
        self.exact_choices = [0] * CLASSES
        # Every hand given another one, and the splits of nine pairs, those that may be best twice.
        self.beat = Beat(2 * CLASSES * len(PAIRS) * CLASSES)

    def fill(self, upcard: int) -> None:
        rules, hands = self.rules, player_hands()
        evaluator = self.evaluator.keeping(upcard, MOST_LAWS)
        solved_by = evaluator, self.length
        shoe = _less(self.counts, upcard)
        two = np.array([hands.two(a, b) for a, b in PAIRS])
        primes = PRIMES[: evaluator.moduli]
        aces = {name: replace(rules, split_aces=name) for name in SPLIT_ACES}
        policies: list[list[tuple[int, list[int], Ints]]] = [[] for _ in range(CLASSES)]
        bases = {o: _less(shoe, *other) for o, other in enumerate(PAIRS)}
        every = np.full(len(hands), NEED_STAND, np.uint8)
        evaluator.learn(upcard, np.concatenate(
            [evaluator.standing(base, all_hands(), every) for base in bases.values() if min(base) >= 0]))
        for o, other in enumerate(PAIRS):
            self.beat.step()
            base = bases[o]
            if min(base) < 0:
                continue
            solver = Solver(rules, _less(self.counts, *other), solved_by=solved_by)
            values = self._values(solver, upcard, base)
            self.play[upcard, o] = values.choice
            choice = values.choice[two]
            fits = (hands.cards[two] <= np.array(base)).all(1)
            self.value[upcard, o] = np.where(fits, values.value[two, choice, 0], -np.inf)
            self.best[upcard, o] = choice
            self.residue[upcard, o] = values.residue[two, choice, 0]
            need = evaluator.mark(all_hands(), values.choice, two.tolist())
            lost = evaluator.run(upcard, base, all_hands(), choice=values.choice, need=need, kinds=("lost",))
            self.lost_residue[upcard, o] = lost.residue[two, choice, 0]
            size = sum(base) - 2
            for i in np.flatnonzero(fits & (choice == DOUBLE)):
                self.extra_residue[upcard, o, i] = _modulo(_played(rules, upcard, _less(base, *PAIRS[i])), primes)
            if fits[NATURAL]:
                law = evaluator.kept[upcard].law(np.array(_less(base, ACE, TEN), np.int32))
                part = scale(size, self.length, evaluator.moduli).denominator // sum(law)
                self.dealer[upcard, o] = tuple(
                    n * part for n in (sum(law) - law[BLACKJACK], law[TWENTY_ONE], law[PUSH_22]))
            for c in range(CLASSES):
                splits = self.given is None or self.given[1].get((upcard, hands.two(c, c))) == SPLIT
                if not (splits and base[c] >= 2 and rules.hands_of(c) > 1 and size):
                    continue
                if c == ACE:
                    self.aces[upcard].append((o, _less(base, c, c), {
                        name: Solver(house, solver.counts, solved_by=solved_by).post_split(upcard, c, values)
                        for name, house in aces.items()}))
                else:
                    policies[c].append((o, _less(base, c, c), solver.post_split(upcard, c, values)))
        for c in range(CLASSES):
            if policies[c]:
                self._splits(evaluator, upcard, c, policies[c])

    def finish(self, upcard: int) -> None:
        """Value splits of aces, and surrender hands."""
        if plays := [(o, behind, policies[self.rules.split_aces]) for o, behind, policies in self.aces[upcard]]:
            self._splits(self.evaluator.keeping(upcard, MOST_LAWS), upcard, ACE, plays)
        if self.rules.surrender_against(upcard):
            self._surrenders(upcard)

    def under(self, rules: HouseRules) -> _Table:
        """Return this table, to be finished, under rules that differ in splits of aces or surrenders."""
        table = copy(self)
        table.rules, table.exact_choices, table.each = rules, list(self.exact_choices), dict(self.each)
        for name in ("value", "best", "residue", "extra_residue", "lost_residue"):
            setattr(table, name, getattr(self, name).copy())
        table.beat = Beat(2 * sum(map(len, self.aces)))
        return table

    def _values(self, solver: Solver, upcard: int, base: Sequence[int]) -> Values:
        """Return all hands given the other one's first two cards, not split."""
        if self.given is not None:
            return solver.evaluator.run(upcard, base, all_hands(), choice=self.given[0][upcard])
        best = solver.best(upcard, base, all_hands(), solver.evaluator.may_of(all_hands()))
        self.exact_choices[upcard] += best.exact_choices
        return best.values

    def _splits(
        self, evaluator: Evaluator, upcard: int, pair: int, policies: Sequence[tuple[int, list[int], Ints]]
    ) -> None:
        """Value the splits of one pair exactly, if they may be best or are a chart's."""
        family, rules, hand = hands_with(pair), self.rules, int(INDEX[pair, pair])
        modulo = np.array(PRIMES[: evaluator.moduli], object)
        levels, best = most_gone(rules.hands_of(pair)) + 1, self.given is None
        may, net = evaluator.may_of(family), rewards(evaluator.rules, ("net",))
        net_and_lost = rewards(evaluator.rules, ("net", "lost"))
        splits = [_Split(rules, upcard, pair, other, behind, policy,
                         evaluator.mark(family, policy, [len(family.members) - 1]))
                  for other, behind, policy in policies]

        def learn(levels: int) -> None:
            if splits:
                evaluator.learn(upcard, np.concatenate(
                    [evaluator.standing(split.base(0), family, split.need, levels - 1) for split in splits]))

        def may_be_best(split: _Split, worth: float, error: float = 0) -> bool:
            self.beat.step()
            return not best or worth + error >= self.value[upcard, split.other, hand] - MARGIN

        if best:
            learn(1)
            splits = [split for split in splits if may_be_best(
                split, *split.worth(split.runs(evaluator, 1, may=may, moduli=0, reward_table=net)))]
        learn(levels)
        for split in splits:
            at = (upcard, split.other, hand)
            runs = split.runs(evaluator, levels, may=may, reward_table=net_and_lost)
            worth, _ = split.worth(runs)
            if not may_be_best(split, worth):
                continue
            each = _hands_of_split(split, runs)
            residue = HandLaw.of(each.sum(0)).net % modulo
            if best and worth < self.value[at] + MARGIN:
                self.exact_choices[upcard] += 1
                exact = scale(sum(split.behind), self.length, evaluator.moduli)
                if exact.integer(residue) <= exact.integer(self.residue[at]):
                    continue
            self.value[at], self.best[at], self.residue[at] = worth, SPLIT, residue
            self.each[at] = each.astype(np.uint64)
            played = np.array(_modulo(_played(rules, upcard, split.behind), PRIMES[: evaluator.moduli]), object)
            self.extra_residue[at] = (each[:, :2].sum((0, 1)) - played) % modulo

    def _surrenders(self, upcard: int) -> None:
        """Surrender every hand for which that is best, or as the chart says."""
        rules, hands, primes = self.rules, player_hands(), PRIMES[: self.evaluator.moduli]
        early, shoe = rules.surrender_against(upcard) == "early", _less(self.counts, upcard)
        for o, i in np.argwhere(self.value[upcard] > -np.inf):
            at = (upcard, int(o), int(i))
            if i == NATURAL:
                continue
            remaining = _less(shoe, *PAIRS[o], *PAIRS[i])
            blackjack = 1 - no_blackjack(upcard, remaining)
            # The values of a round behind a peek leave a dealer's blackjack out.
            worth = (blackjack if rules.looks else 0) - (HALF if early else (1 - blackjack) / 2 + blackjack)
            if self.given is not None:
                if self.given[1].get((upcard, hands.two(*PAIRS[i]))) != SURRENDER:
                    continue
            elif self.value[at] > worth + MARGIN:
                continue
            elif self.value[at] > worth - MARGIN:
                self.exact_choices[upcard] += 1
                exact = scale(sum(remaining), self.length, self.evaluator.moduli)
                if exact.integer(self.residue[at]) >= worth * exact.denominator:
                    continue
            self.value[at], self.best[at], self.residue[at] = float(worth), SURRENDER, _modulo(worth, primes)
            self.extra_residue[at] = self.lost_residue[at] = 0
            self.each.pop(at, None)

    def hands(self) -> SwitchHands:
        return SwitchHands(
            self.value, self.best, self.residue, self.extra_residue, self.dealer, self.lost_residue,
            self.each, self.play, sum(self.exact_choices),
        )


@cached("hands of Blackjack Switch without splits of aces and surrenders", most=2)
def _begun(house: HouseRules, counts: Composition, chart: PlayChart | None) -> _Table:
    """Return the hands under any rules for splits of aces and surrenders."""
    size = sum(counts)
    pips = sum(v * n for v, n in enumerate(counts, 1))
    if pips < 2 * 31 * house.max_hands + 27:
        raise fault(f"a shoe of {size} card(s) can run out within a round", "leave more cards in it", file="--without")
    hands = player_hands()
    fits = (hands.cards <= np.array(counts)).all(1)
    longest = max(dealer_tree(u, house.hits_soft_17).longest for u in range(CLASSES))
    length = most_gone(USUAL_HANDS) + int(hands.size[fits].max()) + longest + 1
    evaluator = Evaluator(house.played, size, moduli_for(size, length + 5))
    evaluator.tree(ACE).check(counts)
    table = _Table(house, counts, evaluator, length, chart)
    _each_upcard(table.fill, table, "pairs of hands")
    return table


def _each_upcard(do: Callable[[int], None], table: _Table, label: str) -> None:
    upcards = [u for u in range(CLASSES) if table.counts[u]]

    def fill(start: int, stop: int, _: Any) -> None:
        for u in upcards[start:stop]:
            do(u)

    sweep(fill, len(upcards), tuple, chunk=1, label=label, beat=table.beat)


@stored("hands of Blackjack Switch with other hands", most=4)
def hands_of(house: HouseRules, counts: Composition, chart: PlayChart | None = None) -> tuple[SwitchHands, int, int]:
    """Return all hands, the length of their scale and the number of primes, kept, under any rules for blackjacks."""
    # A chart is read under the rules.
    alike = replace(house, split_aces=SPLIT_ACES[0], surrender="none") if chart is None else house
    table = _begun(alike, counts, chart).under(house)
    _each_upcard(table.finish, table, "splits of aces")
    return table.hands(), table.length, table.evaluator.moduli
