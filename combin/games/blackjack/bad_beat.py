"""Bad Beat with blackjack: the player's 20 against the dealer's 21, under the best play for both wagers.

The side bet depends on the player's final total and on the number of cards of the dealer's
21. A double does not raise it. The document does not state which hand of a split counts; here
it is the first one. Best play for both wagers is decided hand by hand in double precision,
and each first choice exactly. The resulting play is valued exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, perm, prod
from typing import Any

import numpy as np

from ...base.errors import InputError, fault
from .hands import ACE, BLACKJACK, CLASSES, OUTCOMES, ROWS, TEN, TWENTY_ONE, DealerTree, Ints, player_hands
from .solve import CHOICES, SPLIT, SURRENDER, Solver, _deals, no_blackjack, two_card_hands
from .values import DOUBLE, HIT, MAY_DOUBLE, MAY_HIT, STAND, all_hands, hands_with, rewards

#: The outcome by the number of cards of a dealer's 21; seven includes more.
PARTED = {3: TWENTY_ONE, 4: 8, 5: 9, 6: 10, 7: 11}
WORDS = {2: "blackjack", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven or more"}
#: A bound of values, in units of both stakes together.
BOUND = 1 << 40


@dataclass(frozen=True)
class Both:
    """A play of both wagers: expected net results per unit of each, and the frequency of each first choice."""

    base: Fraction
    side: Fraction
    choices: Mapping[str, Fraction]

    def expected(self, ante: Fraction, stake: Fraction) -> Fraction:
        """Return the expected dollars per round."""
        return ante * self.base + stake * self.side


def line(cards: int | None) -> str:
    """Return the paytable's line for a 20 against a 21 of this number of cards; None for any other dealer's hand."""
    if cards is None:
        return "player 20"
    if cards == 2:
        return "player 20, dealer blackjack"
    return f"player 20, dealer 21 with {WORDS[cards]} cards"


def _parted(tree: DealerTree) -> DealerTree:
    outcome = tree.cell_outcome.copy()
    for i, length in enumerate(tree.cell_length):
        if outcome[i] == TWENTY_ONE:
            outcome[i] = PARTED[min(7, int(length) + 1)]
    return replace(tree, cell_outcome=outcome)


def _rewards(solver: Solver, net: Mapping[str, int], unit: int, weights: tuple[int, int]) -> tuple[Ints, Ints]:
    """Return the objective, the net result and the side bet in units of 1/``unit``, by row and outcome."""
    if 2 * weights[0] * unit + max(weights[1], 1) * max(unit, *map(abs, net.values())) >= 1 << 62:
        raise _too_large()  # under this bound every sum fits int64
    base, lost = rewards(solver.played, ("net",))
    table = np.zeros((3, 2, ROWS, OUTCOMES), np.int64)
    bust = np.zeros((3, 2), np.int64)
    for d in range(2):
        table[1, d] = base[0, d]
        for cards, outcome in PARTED.items():
            table[1, d, :, outcome] = base[0, d, :, TWENTY_ONE]
            table[2, d, :, outcome] = -unit
            table[2, d, 20, outcome] = net[line(cards)]
        for outcome in range(BLACKJACK):
            if outcome != TWENTY_ONE:
                table[2, d, :, outcome] = -unit
                table[2, d, 20, outcome] = net[line(None)]
        bust[1, d], bust[2, d] = lost[0, d], -unit
    table[0] = weights[0] * unit * table[1] + weights[1] * table[2]
    bust[0] = weights[0] * unit * bust[1] + weights[1] * bust[2]
    # Only the order of the values matters, so the objective is reduced by the common part of its rewards.
    shared = int(np.gcd.reduce(np.append(table[0].ravel(), bust[0])))
    table[0] //= shared
    bust[0] //= shared
    if np.abs(table).max() >= 1 << 31:
        raise _too_large()
    return table.astype(np.int32), bust.astype(np.int32)


def _too_large() -> InputError:
    what = "the amounts differ too much to be added exactly"
    return fault(what, "give smaller stakes and prizes, in whole dollars", file="--set")


def _check(tree: DealerTree, left: Sequence[int], table: Ints, limit: int) -> None:
    """Raise `InputError` for rewards whose sums could reach the kernel's ``limit``.

    ``left`` are the cards without the upcard. A smaller shoe has no more orders of any outcome.
    """
    size, most = sum(left), [0] * OUTCOMES
    for i, (outcome, length) in enumerate(zip(tree.cell_outcome.tolist(), tree.cell_length.tolist(), strict=True)):
        leaves = range(int(tree.cell_start[i]), int(tree.cell_start[i + 1]))
        orders = sum(int(tree.orders[j]) * prod(map(perm, left, tree.leaves[j].tolist())) for j in leaves)
        most[outcome] += orders * perm(size - length, tree.longest - length)
    greatest = np.abs(table.astype(np.int64)).max(axis=(0, 1, 2)).tolist()
    if sum(n * reward for n, reward in zip(most, greatest, strict=True)) >= limit:
        raise _too_large()


def play(solver: Solver, pays: Mapping[str, Fraction], ante: Fraction, stake: Fraction) -> Both:
    """Return the best play for ``ante`` on blackjack and ``stake`` on the side bet, given its net pays by line.

    With a ``stake`` of 0 this is the best play of the base game. The dealer peeks under an ace or ten.
    """
    rules = solver.rules
    if not rules.looks or rules.charlie or rules.bonuses or rules.surrender not in ("none", "late"):
        what = "Bad Beat is valued only with a peek and without charlies, bonuses and early surrender"
        raise fault(what, "change the rules")
    unit = lcm(*(value.denominator for value in pays.values()))
    net = {name: int(value * unit) for name, value in pays.items()}
    whole = lcm(ante.denominator, stake.denominator)
    weights = int(ante * whole), int(stake * whole)
    table = _rewards(solver, net, unit, weights)
    # The kernel's sums have 127 bits. Residues take 125; all are needed only if some split may not double.
    limit = 1 << (127 if rules.double_after_split and rules.double_split_aces is None else 125)
    hands, family, may = player_hands(), all_hands(), solver.evaluator.may
    exact = solver.scale
    two = (hands.two(TEN, TEN), hands.two(ACE, 8))
    total, side, firsts = 0, 0, dict.fromkeys(CHOICES, 0)
    for u in range(CLASSES):
        if not solver.counts[u]:
            continue
        tree = _parted(solver.evaluator.tree(u))
        _check(tree, solver.left_behind(u), table[0], limit)
        run = solver.evaluator.run(u, solver.left_behind(u), family, tree=tree, reward_table=table)
        splits: dict[int, Any] = {}
        for h in two_card_hands():
            for v, ways, left in _deals(solver.counts, h):
                if v != u:
                    continue
                alive = int(no_blackjack(u, left) * exact.denominator)
                offers = [STAND, *([HIT] if may[h] & MAY_HIT else []), *([DOUBLE] if may[h] & MAY_DOUBLE else [])]
                values = {
                    s: tuple(exact.integer(run.residue[h, s, k], BOUND) for k in (1, 2)) for s in offers
                }
                pair = int(hands.cards[h].argmax())
                if hands.cards[h, pair] == 2 and rules.max_hands > 1:
                    if pair not in splits:
                        splits[pair] = _split(solver, u, pair, run, tree, table)
                    values[SPLIT] = splits[pair]
                if rules.surrender_against(u) == "late":
                    values[SURRENDER] = (-alive // 2, -unit * alive)
                best = max(values, key=lambda s: (weights[0] * unit * values[s][0] + weights[1] * values[s][1], -s))
                gone = exact.denominator - alive
                natural = net[line(2)] if h in two else -unit
                total += ways * (values[best][0] - gone)
                side += ways * (values[best][1] + gone * natural)
                firsts[CHOICES[best]] += ways * alive
    every = solver.size * (solver.size - 1) * (solver.size - 2) * exact.denominator
    base, bet = Fraction(total, every), Fraction(side, every * unit)
    for u, ways, left in _deals(solver.counts, hands.two(ACE, TEN)):
        share = Fraction(ways * exact.denominator, every)
        alive_share = no_blackjack(u, left)
        for _, odds, part in rules.naturals:
            worth = rules.natural(odds, alive_share)
            even = rules.even_money and u == ACE and worth < 1
            base += share * part * (1 if even else worth)
        bet -= share
    return Both(base, bet, {name: Fraction(n, every) for name, n in firsts.items()})


def law(solver: Solver) -> Mapping[str, Fraction]:
    """Return the probability of each line under the best play of the base game; the rest up to 1 is the loss."""
    lines = (line(None), *map(line, WORDS))
    # The side bet's result is linear in its pays: if one line pushes and the others lose, it is p - 1.
    return {
        name: 1 + play(solver, {n: Fraction(-(n != name)) for n in lines}, Fraction(1), Fraction(0)).side
        for name in lines
    }


def _split(
    solver: Solver, upcard: int, pair: int, run: Any, tree: DealerTree, table: tuple[Ints, Ints]
) -> tuple[int, int]:
    """Return a split's net result and that of the side bet on its first hand, split again until a card differs."""
    family = hands_with(pair)
    policy = solver.post_split(upcard, pair, run, BOUND)
    split = solver.split(upcard, pair, {0: policy})
    assert split is not None
    left = solver.left_behind(upcard)
    left[pair] -= 2
    alone, again_at = len(family.members) - 1, family.place[player_hands().two(pair, pair)]
    most, side = solver.rules.hands_of(pair), 0
    for gone in range(most - 1):
        ordered = perm(left[pair], gone)
        if not ordered:
            break
        base = list(left)
        base[pair] += 1 - gone
        need = solver.evaluator.mark(family, policy, [alone])
        results = solver.evaluator.run(
            upcard, base, family, choice=policy, need=need, tree=tree, reward_table=table
        )
        size = sum(left) - gone
        scale = solver.evaluator.scale(size, solver.length - gone)
        part = scale.integer(results.residue[alone, HIT, 2], BOUND)
        if gone < most - 2 and left[pair] > gone:
            next_scale = solver.evaluator.scale(size - 1, solver.length - gone - 1)
            part -= next_scale.integer(results.residue[again_at, int(policy[again_at]), 2], BOUND) * (left[pair] - gone)
        side += ordered * part
    return split.net, side
