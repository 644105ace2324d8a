"""Best play of blackjack and its exact value, for any house rules and any shoe.

`solve` decides every hand against every upcard; `BlackjackSolution` holds the decisions and the
exact value of each choice of each two-card hand. Amounts are in wagers. If play assumes
no dealer blackjack, a choice's value is joint with "no dealer blackjack". The player's
expectation at the decision is that value over the probability (`Cell.worth`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import comb, perm
from typing import Any

import numpy as np

from ...base.caches import cached
from ...base.errors import closed, fault
from ...base.parallel import sweep
from ...deals.draw import Composition
from .best_choices import Best, best_play, evaluator_of
from .hands import ACE, CLASSES, HOLE, TEN, Ints, player_hands
from .rules import HouseRules
from .split_counts import SplitTerm, ends_of_pairs, most_gone, terms, terms_by_hand
from .split_play import play_of
from .split_values import COUNTED, HandLaw, Results, SplitValue
from .values import (
    DOUBLE,
    HIT,
    MAY_DOUBLE,
    MAY_HIT,
    STAND,
    Evaluator,
    Family,
    Scale,
    Values,
    all_hands,
    bonus_kinds,
    hands_with,
)

CHOICES = ("stand", "hit", "double", "split", "surrender")
SPLIT, SURRENDER = 3, 4
#: The course of a round.
BOTH_BLACKJACKS = "both blackjacks"
#: Classes of strategies for the hands of a split.
SPLIT_PLAY = ("zero-memory", "first-split", "pair-cards", "split-count")
#: The events that are counted of a hand, and the amounts that are counted of a hand of a split.
EVENTS = ("win", "loss", "double win", "double loss")
SPLIT_KINDS = ("one", "doubled", *EVENTS)


def deck_counts(decks: int) -> Composition:
    """Return the cards by class of this number of decks."""
    return (*(4 * decks,) * 9, 16 * decks)


@dataclass(frozen=True)
class StartCell:
    """One two-card hand against one upcard. The scale of the solution is the denominator."""

    hand: int
    upcard: int
    ways: int  # ordered deals of upcard and hand
    alive: int  # deals without a dealer's blackjack; all deals if play does not assume that
    values: Mapping[int, int]  # by choice, for the choices that the rules offer
    best: int
    split: SplitValue | None  # None unless the split can be the best choice
    scale: int

    def worth(self, choice: int) -> Fraction:
        """Return the value of the choice at the decision, in wagers."""
        return Fraction(self.values[choice], self.alive)


@dataclass(frozen=True)
class BlackjackSolution:
    """Best play (or a given play) of one shoe under one set of house rules.

    ``choice[upcard, hand]`` is stand, hit or double for every hand; `cells` holds the
    two-card hands with splits and surrenders.
    """

    rules: HouseRules
    counts: Composition
    choice: Ints = field(repr=False)
    post_split: Mapping[tuple[int, int], Mapping[int, Ints]] = field(repr=False)
    cells: Mapping[tuple[int, int], StartCell] = field(repr=False)
    scale: int = field(repr=False)
    length: int = field(repr=False)
    exact_choices: int
    ties: tuple[tuple[int, int], ...] = field(repr=False)

    def __post_init__(self) -> None:
        ways = sum(cell.ways for cell in self.cells.values()) + sum(ways for _, ways, _ in self.naturals)
        closed("deals of two cards and an upcard", ways, self.deals)

    @cached_property
    def evaluator(self) -> Evaluator:
        """Return the evaluator that valued the hands."""
        return evaluator_of(self.rules.played, self.counts)[0]

    @property
    def size(self) -> int:
        return sum(self.counts)

    @property
    def deals(self) -> int:
        """Return the number of ordered deals of the upcard and the player's two cards."""
        return perm(self.size, 3)

    def lost_to_blackjack(self, cell: StartCell) -> int:
        """Return the loss to a dealer's blackjack that the cell's values omit, over the scale (0 or less)."""
        return cell.alive - self.scale if self.rules.looks else 0

    @cached_property
    def naturals(self) -> tuple[tuple[int, int, Fraction], ...]:
        """Return (upcard, ways, probability of no dealer blackjack) of the player's blackjacks."""
        deals = _deals(self.counts, player_hands().two(ACE, TEN))
        return tuple((u, ways, no_blackjack(u, left)) for u, ways, left in deals)

    def natural_ends(self, upcard: int, alive: Fraction) -> list[tuple[str, Fraction, Fraction]]:
        """Return (course, net, probability) of a player's blackjack; ``alive``: the dealer has none."""
        ends = []
        for name, odds, share in self.rules.naturals:
            if self.takes_even_money(upcard, alive, odds):
                ends.append(("even money", Fraction(1), share))
            else:
                both = odds if self.rules.blackjack_wins else Fraction(0)
                ends += [(name, odds, share * alive), (BOTH_BLACKJACKS, both, share * (1 - alive))]
        return ends

    def natural_value(self, upcard: int, alive: Fraction) -> Fraction:
        """Return the expected net result of a player's blackjack."""
        return sum((net * p for _, net, p in self.natural_ends(upcard, alive)), Fraction(0))

    def takes_even_money(self, upcard: int, alive: Fraction, odds: Fraction) -> bool:
        return self.rules.even_money and upcard == ACE and self.rules.natural(odds, alive) < 1

    @cached_property
    def blackjack_value(self) -> Fraction:
        """Return the part of the expected net result that comes from the player's blackjacks."""
        total = sum((ways * self.natural_value(u, alive) for u, ways, alive in self.naturals), Fraction(0))
        return total / self.deals

    @cached_property
    def expected_value(self) -> Fraction:
        """Return the expected net result of a round, in wagers."""
        total = sum(cell.ways * (cell.values[cell.best] + self.lost_to_blackjack(cell)) for cell in self.cells.values())
        return Fraction(total, self.deals * self.scale) + self.blackjack_value

    @cached_property
    def frequencies(self) -> dict[str, Fraction]:
        """Return the frequency of each first choice; with a peek, in rounds without a dealer's blackjack."""
        deals = dict.fromkeys(CHOICES, 0)
        for cell in self.cells.values():
            deals[CHOICES[cell.best]] += cell.ways * cell.alive
        return {name: Fraction(n, self.deals * self.scale) for name, n in deals.items()}


def no_blackjack(upcard: int, left: Sequence[int]) -> Fraction:
    """Return the probability that the dealer has no blackjack with the upcard."""
    hole = HOLE.get(upcard)
    size = sum(left)
    return Fraction(size - left[hole], size) if hole is not None else Fraction(1)


def _deals(counts: Composition, hand: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return (upcard, ordered deals, cards left) of a two-card hand against every upcard that can be dealt."""
    cards = [int(n) for n in player_hands().cards[hand]]
    orders = 1 if 2 in cards else 2
    deals = []
    for u in range(CLASSES):
        undealt = [n - (c == u) for c, n in enumerate(counts)]
        left = tuple(n - m for n, m in zip(undealt, cards, strict=True))
        if min(left) >= 0 and min(undealt) >= 0:
            ways = counts[u] * orders
            for n, m in zip(undealt, cards, strict=True):
                ways *= perm(n, m)
            deals.append((u, ways, left))
    return deals


def two_card_hands() -> list[int]:
    """Return every two-card hand except the blackjack, which is not played."""
    hands = player_hands()
    return [hands.two(a, b) for a in range(CLASSES) for b in range(a, CLASSES) if (a, b) != (ACE, TEN)]


@cached("best play against one upcard", most=80)
def _column(played: HouseRules, counts: Composition, upcard: int) -> Best:
    """Return best play of every hand against an upcard; shared by rules that differ in splits or odds."""
    evaluator, length = evaluator_of(played, counts)
    return best_play(evaluator, length, upcard, [n - (c == upcard) for c, n in enumerate(counts)], all_hands())


@cached("splits of one pair", most=1024)
def _split(
    played: HouseRules, counts: Composition, upcard: int, pair: int, most: int, doubles: bool, split_aces: str,
    split_play: str,
) -> tuple[SplitValue | None, Mapping[int, Ints]]:
    """Return a pair's split with the hands' play by the number of hands; shared in the same way."""
    rules = replace(
        played, max_hands=most, resplit_aces=True, double_after_split=doubles, double_split_aces=doubles,
        split_aces=split_aces or "one-card",
    )
    solver = Solver(rules, counts, split_play=split_play, solved_by=evaluator_of(played, counts))
    if split_play != "zero-memory":
        play = play_of(solver, upcard, pair)
        return solver.split(upcard, pair, play), play
    # If a hand of any size may double, only best play without doubles shows how to hit after a split.
    alone = replace(played, double="none") if played.double_cards == "any" and not doubles else played
    policy, family = solver.post_split(upcard, pair, _column(alone, counts, upcard).values), hands_with(pair)
    unsplit, hand = _column(played, counts, upcard).values, player_hands().two(pair, pair)
    beats = solver.scale.integer(unsplit.residue[hand, int(unsplit.choice[hand]), 0])
    reached = solver.evaluator.mark(family, policy, [len(family.members) - 1])
    chosen = np.where(reached, policy, STAND).astype(np.int8).tobytes()
    free = replace(played, double="any", soft_doubles=True)
    return _split_as_played(free, counts, upcard, pair, most, chosen, beats), {0: policy}


@cached("splits of one pair by the play of their hands", most=1024)
def _split_as_played(
    played: HouseRules, counts: Composition, upcard: int, pair: int, most: int, policy: bytes, beats: int
) -> SplitValue | None:
    """Return a split whose hands are played like this; shared by rules with the same best play."""
    rules = replace(played, max_hands=most, resplit_aces=True)
    solver = Solver(rules, counts, solved_by=evaluator_of(played, counts))
    return solver.split(upcard, pair, {0: np.frombuffer(policy, np.int8)}, beats)


def runs_out(rules: HouseRules, counts: Sequence[int]) -> bool:
    """Return whether a shoe can run out within a round."""
    pips = sum(v * n for v, n in enumerate(counts, 1))
    # A player's hand holds at most 31 pips, a double 31 too, the dealer's 26, with every ace as 1.
    return pips < 31 * rules.max_hands + 27


class Solver:
    """The solver of one shoe under one set of house rules.

    ``choice`` (10, hands) fixes stand, hit and double of every hand; ``first`` maps
    (upcard, two-card hand) to a choice of `CHOICES`, for a strategy other than the
    best one: no other split is then valued. ``solved_by`` is an evaluator of these rules and its length, which many
    shoes may share. Raises `InputError` for a shoe that can run out within a round.
    """

    def __init__(
        self, rules: HouseRules, counts: Sequence[int], *, split_play: str = "zero-memory",
        solved_by: tuple[Evaluator, int] | None = None,
    ) -> None:
        if split_play not in SPLIT_PLAY:
            raise fault(f'"{split_play}" is not a class of strategies', f"use {', '.join(SPLIT_PLAY)}")
        self.rules, self.counts = rules, tuple(counts)
        self.size = sum(counts)
        self.split_play = split_play
        if runs_out(rules, counts):
            raise fault(
                f"a shoe of {self.size} card(s) can run out within a round", "leave more cards in it", file="--without"
            )
        self.played = rules.played
        self.evaluator, self.length = solved_by or evaluator_of(self.played, self.counts)
        self.moduli = self.evaluator.moduli
        self.scale = self.scale_of(self.size)

    @cached_property
    def after_split(self) -> Solver:
        """Return the solver of the hands of a split."""
        return self if self.rules.of_splits == self.played else Solver(replace(self.rules, charlie=0), self.counts)

    def scale_of(self, size: int) -> Scale:
        """Return the scale of all values of a shoe of this size after the first three cards."""
        return self.evaluator.scale(size - 3, self.length)

    # ---- choices

    def best(self, upcard: int, base: Sequence[int], family: Family, may: Ints) -> Best:
        """Return best play of a family under the allowed choices; ``base`` is the shoe without the upcard."""
        return best_play(self.evaluator, self.length, upcard, base, family, may)

    def left_behind(self, upcard: int) -> list[int]:
        return [n - (c == upcard) for c, n in enumerate(self.counts)]

    def post_split(self, upcard: int, pair: int, values: Values, bound: int | None = None) -> Ints:
        """Return the play of a split's hands (over the family of the pair's card), if it is that of unsplit hands.

        ``bound`` is the greatest size of a value, if it differs from that of these rules.
        """
        family = hands_with(pair)
        choice = family.own(values.choice)
        choice[-1] = HIT
        rules = self.rules
        hands = player_hands()
        one_card, doubles = pair == ACE and rules.split_aces == "one-card", rules.doubles_after(pair)
        twos = [family.place[hands.two(pair, c)] for c in range(CLASSES)]
        for at in twos if one_card else () if doubles else np.flatnonzero(choice == DOUBLE):
            h = int(family.members[at])
            other, may = (DOUBLE, doubles * MAY_DOUBLE) if one_card else (HIT, MAY_HIT)
            offers = (STAND, other) if self.evaluator.may[h] & may else (STAND,)
            worth = {s: self._close(values, h, s, bound) for s in offers} if len(offers) > 1 else {STAND: 0}
            choice[at] = max(offers, key=lambda s: (worth[s], -s))
        return choice

    def _close(self, values: Values, hand: int, choice: int, bound: int | None) -> int:
        """Return the exact value of a two-card hand's choice, over the scale; 0 if the hand cannot be dealt."""
        return self.scale.integer(values.residue[hand, choice, 0], bound)

    def may_after_split(self, pair: int) -> Ints:
        """Return what the rules allow the hands of a split, over the family of the pair's card."""
        family = hands_with(pair)
        may = self.evaluator.may_of(family)
        if pair == ACE and self.rules.split_aces == "one-card":
            may[:-1] &= np.uint8(MAY_DOUBLE if self.rules.doubles_after(ACE) else 0)
        elif not self.rules.doubles_after(pair):
            may &= ~np.uint8(MAY_DOUBLE)
        return may

    # ---- splits

    def split(
        self, upcard: int, pair: int, play: Mapping[int, Ints], beats: int | None = None
    ) -> SplitValue | None:
        """Return the value of splitting a pair; ``play`` maps the number of hands to the play of the family, 0 for any.

        With ``beats``, over the scale, a split worth no more has only its net result. Returns None if the
        pair cannot be split.
        """
        most = self.rules.hands_of(pair)
        left = self.left_behind(upcard)
        left[pair] -= 2
        if most < 2 or min(left) < 0:
            return None
        cards = left[pair]
        family = hands_with(pair)
        # All hands of a split face the same unseen cards except further pair cards, at any number of hands.
        further = min(most_gone(most), cards)
        keys = [self.evaluator.standing(self._behind(left, pair, 0), family, need, further) for need in (
            self.evaluator.mark(family, policy, [len(family.members) - 1]) for policy in play.values())]
        evaluator = self.evaluator.keeping(upcard, sum(map(len, keys)))
        evaluator.learn(upcard, np.concatenate(keys))
        results: dict[tuple[int, int, tuple[str, ...]], tuple[Results, Results]] = {}

        def summed(parts: Sequence[SplitTerm], kinds: tuple[str, ...]) -> list[int]:
            total = [0] * len(kinds)
            for term in parts:
                if term.gone > cards:
                    continue
                policy = play.get(term.hands, play.get(0))
                assert policy is not None
                key = (term.gone, id(policy), kinds)
                if key not in results:
                    results[key] = self.one_hand(upcard, pair, family, left, term.gone, policy, kinds, evaluator)
                ordered = perm(cards, term.gone) * term.weight
                for i, (every, again) in enumerate(zip(*results[key], strict=True)):
                    total[i] += ordered * (every if term.free else every - again)
            return total

        if beats is not None:
            (net,) = summed(terms(most), ("net",))
            if net <= beats:
                return SplitValue(net)
        kinds = SPLIT_KINDS + bonus_kinds(self.rules)
        each = tuple(self._hand(summed(hand, kinds)) for hand in terms_by_hand(most))
        by_hands: dict[int, Fraction] = {}
        for hands, done, ways in ends_of_pairs(most):
            drawn = (self._drawn(upcard, pair, left, hands - 2 + j) for j in range(done + 1))
            parts = ((-1) ** j * comb(done, j) * chance for j, chance in enumerate(drawn))
            by_hands[hands] = by_hands.get(hands, Fraction(0)) + ways * sum(parts, Fraction(0))
        return SplitValue(int(sum(law.net for law in each)), each, by_hands)

    def _hand(self, counts: Sequence[int]) -> HandLaw:
        """Return one hand from the counts of `SPLIT_KINDS` and of the hands of each bonus."""
        paid = tuple((line, odds, share * n) for bonus, n in zip(self.rules.bonuses, counts[COUNTED:], strict=True)
                     for line, odds, share in bonus.shares)
        return HandLaw.of(counts[:COUNTED], paid)

    def _drawn(self, upcard: int, pair: int, left: Sequence[int], number: int) -> Fraction:
        """Return the probability of ``number`` pair cards next; with a peek, given no dealer blackjack."""
        chance = Fraction(perm(left[pair], number), perm(sum(left), number))
        if not chance or not self.rules.looks:
            return chance
        remaining = [n - number * (c == pair) for c, n in enumerate(left)]
        return chance * no_blackjack(upcard, remaining) / no_blackjack(upcard, left)

    @staticmethod
    def _behind(left: Sequence[int], pair: int, gone: int) -> list[int]:
        """Return the cards left by class with a hand's first card, after ``gone`` further pair cards."""
        return [n + (1 - gone) * (c == pair) for c, n in enumerate(left)]

    def one_hand(
        self, upcard: int, pair: int, family: Family, left: Sequence[int], gone: int, policy: Ints,
        kinds: tuple[str, ...] = SPLIT_KINDS, evaluator: Evaluator | None = None,
    ) -> tuple[Results, Results]:
        """Return one hand of a split after ``gone`` further pair cards: with any second card, and the pair's again.

        The values are the expectations of each of the ``kinds``, over perm(unseen cards − gone, length − gone), so that
        a product with the ordered ways of the ``gone`` cards is over the scale of the solution.
        """
        alone = len(family.members) - 1
        need = self.evaluator.mark(family, policy, [alone])
        base = self._behind(left, pair, gone)
        run = (evaluator or self.evaluator).run(upcard, base, family, choice=policy, need=need, kinds=kinds)
        size = sum(left) - gone
        scale = self.evaluator.scale(size, self.length - gone)
        next_scale = self.evaluator.scale(size - 1, self.length - gone - 1)
        again_at = family.place[player_hands().two(pair, pair)]
        chosen = int(policy[again_at])
        number = left[pair] - gone
        every = tuple(scale.integer(run.residue[alone, HIT, k]) for k in range(len(kinds)))
        if number <= 0:
            return every, (0,) * len(kinds)
        again = tuple(next_scale.integer(run.residue[again_at, chosen, k]) * number for k in range(len(kinds)))
        return every, again

    def ask(self, upcard: int, hand: int) -> StartCell:
        """Return one two-card hand against an upcard, under best play."""
        deals = [(ways, left) for u, ways, left in _deals(self.counts, hand) if u == upcard]
        if not deals:
            remedy = "give fewer of a rank, or more decks"
            raise fault("the shoe does not have all these cards", remedy, file="--hand")
        cards = player_hands().cards[hand]
        pair, splits = int(cards.argmax()), {}
        if cards[pair] == 2 and self.rules.max_hands > 1:
            splits[upcard, pair] = self._split_of(upcard, pair)
        ((ways, left),) = deals
        return self._cell(upcard, hand, ways, left, self.column(upcard), splits, None)

    def column(self, upcard: int) -> Values:
        """Return best play of every hand against an upcard."""
        return self._best_against(upcard).values

    def _best_against(self, upcard: int) -> Best:
        return _column(self.rules.against(upcard), self.counts, upcard)

    def _split_of(self, upcard: int, pair: int) -> tuple[SplitValue | None, Mapping[int, Ints]]:
        rules = self.rules
        return _split(
            rules.of_splits_against(upcard), self.counts, upcard, pair, rules.hands_of(pair),
            rules.doubles_after(pair), rules.split_aces if pair == ACE else "", self.split_play,
        )

    # ---- the whole

    def solve(
        self,
        *,
        choice: Ints | None = None,
        first: Mapping[tuple[int, int], int] | None = None,
        may: Ints | None = None,
        choice_after_split: Ints | None = None,
    ) -> BlackjackSolution:
        """Return best play, or the value of the play that ``choice`` and ``first`` fix.

        ``choice_after_split`` is the choice of hands of a split if other rules apply to them.
        ``may`` (over all hands, `MAY_HIT` and `MAY_DOUBLE`) restricts best play to some choices.
        """
        hands = player_hands()
        upcards = [u for u in range(CLASSES) if self.counts[u]]
        pairs = [(u, c) for u in upcards for c in range(CLASSES) if self.left_behind(u)[c] >= 2
                 and (first is None or first.get((u, hands.two(c, c))) == SPLIT)]
        best: dict[int, Best] = {}
        limits = None if may is None else all_hands().own(may) & self.evaluator.may
        split = self.after_split
        splits: dict[tuple[int, int], tuple[SplitValue | None, Mapping[int, Ints]]] = {}

        def column(start: int, stop: int, _: Any) -> None:
            for u in upcards[start:stop]:
                if limits is not None:
                    base = self.left_behind(u)
                    best[u] = self.best(u, base, all_hands(), limits)
                elif choice is None:
                    best[u] = self._best_against(u)
                else:
                    best[u] = Best(self.evaluator.run(u, self.left_behind(u), all_hands(), choice=choice[u]), 0, ())

        def split_values(u: int) -> Values:
            base = self.left_behind(u)
            if may is not None:
                return split.best(u, base, all_hands(), all_hands().own(may) & split.evaluator.may).values
            assert choice is not None
            given = choice if choice_after_split is None else choice_after_split
            return split.evaluator.run(u, base, all_hands(), choice=given[u])

        def pair(start: int, stop: int, _: Any) -> None:
            for u, c in pairs[start:stop]:
                if choice is not None or limits is not None:
                    values = best[u].values if split is self else split_values(u)
                    play = {0: split.post_split(u, c, values)}
                    splits[u, c] = split.split(u, c, play), play
                    continue
                splits[u, c] = self._split_of(u, c)

        sweep(column, len(upcards), tuple, chunk=1, label="hands")
        if self.rules.max_hands > 1:
            sweep(pair, len(pairs), tuple, chunk=5, label="splits")
        chosen = np.zeros((CLASSES, len(hands)), np.int8)
        for u in upcards:
            chosen[u] = best[u].values.choice
        cells = {}
        for h in two_card_hands():
            for u, ways, left in _deals(self.counts, h):
                cells[u, h] = self._cell(u, h, ways, left, best[u].values, splits, first, limits)
        return BlackjackSolution(
            self.rules,
            self.counts,
            chosen,
            {key: play for key, (_, play) in splits.items()},
            cells,
            self.scale.denominator,
            self.length,
            sum(b.exact_choices for b in best.values()),
            tuple((u, h) for u in upcards for h in best[u].ties),
        )

    def _cell(
        self,
        upcard: int,
        hand: int,
        ways: int,
        left: Sequence[int],
        values: Values,
        splits: Mapping[tuple[int, int], tuple[SplitValue | None, Mapping[int, Ints]]],
        first: Mapping[tuple[int, int], int] | None,
        limits: Ints | None = None,
    ) -> StartCell:
        whole = self.scale.denominator
        free = no_blackjack(upcard, left)
        alive = int(free * whole) if self.rules.looks else whole
        may = int((self.evaluator.may if limits is None else limits)[hand])
        offers = [STAND, *([HIT] if may & MAY_HIT else []), *([DOUBLE] if may & MAY_DOUBLE else [])]
        if first is not None:
            offers = [int(values.choice[hand])]
        worth = {s: self.scale.integer(values.residue[hand, s, 0]) for s in offers}
        cards = player_hands().cards[hand]
        pair = int(cards.argmax())
        split = splits[upcard, pair][0] if cards[pair] == 2 and (upcard, pair) in splits else None
        if split is not None:
            worth[SPLIT] = split.net
        kind = self.rules.surrender_against(upcard)
        if kind:
            blackjack = whole - int(free * whole)
            # Half the wager; with a peek the values of a round omit a dealer's blackjack.
            half = -whole // 2 if kind == "early" else -(whole - blackjack) // 2 - blackjack
            worth[SURRENDER] = half + blackjack if self.rules.looks else half
        best = max(worth, key=lambda s: (worth[s], -s))
        if first is not None:
            best = first.get((upcard, hand), int(values.choice[hand]))
            if best not in worth:
                best = int(values.choice[hand])
        return StartCell(hand, upcard, ways, alive, worth, best, split if split and split.each else None, whole)


def solve(rules: HouseRules, counts: Sequence[int], *, split_play: str = "zero-memory") -> BlackjackSolution:
    """Return best play of a shoe (cards by class) under these house rules, with this class of split play."""
    return Solver(rules, counts, split_play=split_play).solve()
