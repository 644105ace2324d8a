"""The end of each bet: conditions on the end of a round, and the settlement that follows from them.

A round ends in a *cell*: a leaf of its tree, whether the dealer qualifies, who wins, the class of the player's final
hand and that of the dealer's. The named hands of the file separate the classes, so a condition is true or false for a
whole cell. `Bets.nets` settles every bet in every cell that can occur; other cells are left at zero.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from ...base.errors import fault, short
from ...base.toml_tables import Path, ReportFault, bet_and_line
from ...rulebook.pays import Pay
from ...wagers.columns import Columns
from ...wagers.condition_text import ConditionError
from ...wagers.condition_tree import Node, ParserState, Within, calls_of, parts_of
from ...wagers.conditions import parse
from . import hand_names, hand_orders
from .round import RESULTS, Leaf, Round
from .round_file import EACH, CountedFaults, named
from .settlement import Settlement
from .tree import tree_of

FOLDED, QUALIFIES = "folded", "qualifies"
#: The words for the three results, from the player's side.
COMPARED = dict(zip(("lost", "tied", "won"), range(len(RESULTS)), strict=True))
HAND, DEALER_HAND = "hand", "dealer_hand"
#: The comparison of the player's hand with the dealer's in each result, folded or not.
HANDS_COMPARED = {"hand > dealer_hand": [2], "hand >= dealer_hand": [1, 2], "hand == dealer_hand": [1],
                  "hand != dealer_hand": [0, 2], "hand < dealer_hand": [0], "hand <= dealer_hand": [0, 1]}
#: The greatest number of cells; a file with more is refused before work begins.
MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class RoundWords:
    """Words of conditions on a round, which `combin.wagers.conditions` parses: its states and the final hands."""

    round: Round
    states: tuple[str, ...]
    hands: tuple[str, ...]
    #: Whether the two final hands may be compared, also after a fold.
    compares: bool = False

    def bounds(self, text: str) -> tuple[int, int]:
        return named(self.round, text)


def words_of(round: Round) -> RoundWords:
    """Return the words that conditions on the end of this round may use."""
    if round.dealer is None:
        return RoundWords(round, (FOLDED,), (HAND,))
    return RoundWords(round, (FOLDED, *COMPARED, QUALIFIES), (HAND, DEALER_HAND))


@dataclass(frozen=True)
class BetLine:
    """One line of a bet: its name in paytables, its condition, and its pay."""

    name: str
    condition: Node
    pay: Pay


@dataclass(frozen=True)
class Bet:
    """A bet with its lines in order; ``on`` is the bet on whose stake a bonus is paid, "" for a bet with a stake."""

    name: str
    lines: tuple[BetLine, ...]
    on: str = ""
    #: The table of its lines in the file: its name, or `EACH`.
    table: str = ""


def bounds_of(node: Node, hand: str) -> Iterator[int]:
    """Yield the ranks at which a condition on a final hand changes."""
    if isinstance(node, Within) and node.hand == hand:
        yield from (bound for bound in (node.low, node.high) if bound is not None)
    for part in parts_of(node):
        yield from bounds_of(part, hand)


def says(node: Node, state: str) -> bool:
    """Return whether a condition names a state."""
    return node == ParserState(state) or any(says(part, state) for part in parts_of(node))


@dataclass(frozen=True)
class Bets:
    """The bets of a round under one paytable, with the classes of hands that their conditions distinguish."""

    round: Round
    bets: tuple[Bet, ...]
    #: Further named hands that separate two classes of the player's hand: those of the file that no line names.
    further: tuple[int, ...] = ()
    further_of_dealer: tuple[int, ...] = ()

    @cached_property
    def qualify(self) -> int | None:
        return None if self.round.qualifies is None else named(self.round, self.round.qualifies).low

    @cached_property
    def top(self) -> int:
        """Return one more than the highest rank of a hand: a longest flush has no more cards than the hand."""
        order = hand_orders.order_named(self.round.order)
        cards = sum(self.round.cards[role] for role in self.round.player.roles)
        return len(order.keys) + 1 if order.size is not None else order.interval(cards - 1).high

    def _cuts(self, hand: str, further: Iterable[int]) -> tuple[int, ...]:
        bounds = {bound for bet in self.bets for line in bet.lines for bound in bounds_of(line.condition, hand)}
        return tuple(sorted(bound for bound in {*bounds, *further} if 1 < bound < self.top))

    @cached_property
    def player_cuts(self) -> tuple[int, ...]:
        """Return the ranks at which classes of the player's final hand begin, except the lowest (rank 1)."""
        tree = tree_of(self.round)
        needs = (need for level in range(len(tree.decisions)) for need in tree.needs(level))
        return self._cuts(HAND, (*needs, *self.further))

    @cached_property
    def dealer_cuts(self) -> tuple[int, ...]:
        """Return the same for the dealer; the qualifying hand is counted on a separate axis."""
        return self._cuts(DEALER_HAND, self.further_of_dealer)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        return self.round.leaves

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """Return the numbers of leaves, states of qualifying, results, player's classes and dealer's classes."""
        dealer = self.round.dealer is not None
        return (len(self.leaves), 2 if self.qualify is not None else 1, len(RESULTS) if dealer else 1,
                len(self.player_cuts) + 1, len(self.dealer_cuts) + 1)

    @cached_property
    def possible(self) -> Any:
        """Return whether each cell can occur, by ranks and offers: bool, of `shape`."""
        leaves, _, results, players, dealers = self.shape
        mask, tree = np.zeros(self.shape, dtype=bool), tree_of(self.round)
        top = self.top
        player = list(pairwise((1, *self.player_cuts, top)))
        fine = sorted({*self.dealer_cuts, *([self.qualify] if self.qualify is not None else [])} - {1})
        for low, high in pairwise((1, *fine, top)):
            dealer = sum(low >= cut for cut in self.dealer_cuts)
            qualifies = int(self.qualify is not None and low >= self.qualify)
            for i, (least, end) in enumerate(player):
                if results == 1:
                    mask[:, qualifies, 0, i, dealer] = True
                    continue
                mask[:, qualifies, 0, i, dealer] |= least < high - 1
                mask[:, qualifies, 1, i, dealer] |= max(least, low) < min(end, high)
                mask[:, qualifies, 2, i, dealer] |= end - 1 > low
        for number, leaf in enumerate(self.leaves):
            needed = max((tree.needs(level)[index] for level, index in enumerate(leaf.path)), default=0)
            if leaf.folded:
                mask[number] = mask[number].any(axis=1, keepdims=True)
            mask[number, :, :, : bisect_right(self.player_cuts, needed)] = False
        assert mask.shape == (leaves, *self.shape[1:3], players, dealers)
        return mask

    def first_of(self, conditions: Sequence[Node]) -> Any:
        """Return the index of the first condition that is true in each cell, of `shape`; -1 if none is.

        ``won``, ``tied`` and ``lost`` are false after a fold.
        """
        leaf, qualifies, result, player, dealer = np.indices(self.shape, np.int16).reshape(len(self.shape), -1)
        folded = self._folded[leaf]
        states = {FOLDED: folded, QUALIFIES: (qualifies == 1) | (self.qualify is None)}
        states |= {name: ~folded & (result == index) for name, index in COMPARED.items()}
        states |= {name: np.isin(result, results) for name, results in HANDS_COMPARED.items()}
        ranks = {HAND: np.array((1, *self.player_cuts))[player],
                 DEALER_HAND: np.array((1, *self.dealer_cuts))[dealer]}
        cells = Columns({}, len(leaf), {}, {ParserState(name): column for name, column in states.items()}, ranks)
        return cells.first_of(conditions).reshape(self.shape)

    @property
    def _folded(self) -> Any:
        return np.array([leaf.folded for leaf in self.leaves])

    def stake(self, bet: Bet, leaf: Leaf) -> Fraction:
        """Return the units staked on a bet along a path; for a bonus, those of the bet on which it is paid."""
        return dict(leaf.stakes).get(bet.on or bet.name, Fraction(0))

    @cached_property
    def lines(self) -> Mapping[str, Any]:
        """Return the index of the line that settles each bet in each cell, of `shape`; -1 if no line does."""
        lines = {}
        for bet in self.bets:
            lines[bet.name] = self.first_of([line.condition for line in bet.lines])
            if bet.on:  # after a fold a bonus is paid only by lines that say so
                indices = [i for i, line in enumerate(bet.lines) if says(line.condition, FOLDED)]
                first = self.first_of([bet.lines[i].condition for i in indices])
                lines[bet.name][self._folded] = np.array([*indices, -1])[first[self._folded]]
        return lines

    @cached_property
    def nets(self) -> Mapping[str, Any]:
        """Return the net result of every bet, in units, as an object array of `shape`; 0 if a cell cannot occur."""
        nets = {}
        for bet in self.bets:
            stakes = [self.stake(bet, leaf) for leaf in self.leaves]
            won = [*(line.pay.returned({}) - 1 for line in bet.lines), Fraction(0)]
            by_line = np.array([[stake * net for net in won] for stake in stakes], dtype=object)
            table = np.stack([row[lines] for row, lines in zip(by_line, self.lines[bet.name], strict=True)])
            table[~self.possible] = Fraction(0)
            nets[bet.name] = table
        return nets

    @cached_property
    def net_of_round(self) -> Any:
        """Return the net result of the round in every cell, in units."""
        return sum(self.nets.values(), np.full(self.shape, Fraction(0)))

    def net_under(self, most: Fraction | None) -> Any:
        """Return the same if a hand wins at most this number of units; None is no limit."""
        net = self.net_of_round.copy()
        if most is not None:
            net[net > most] = most
        return net

    @cached_property
    def settlement(self) -> Settlement:
        """Return the net result as integers over a common denominator; raise `InputError` if 64 bits do not suffice."""
        return self.capped(None)

    def capped(self, most: Fraction | None) -> Settlement:
        """Return the same settlement if a hand wins at most this number of units."""
        net = self.net_under(most)
        unit = lcm(*(x.denominator for x in net.flat))
        whole = [int(x * unit) for x in net.flat]
        if max(map(abs, whole), default=0) >= 1 << 40:
            raise fault("the pays times their common denominator are too large", "write simpler or smaller pays")
        utility = np.array(whole, dtype=np.int64).reshape(self.shape)
        return Settlement(utility, unit, self.player_cuts, self.dealer_cuts, self.qualify)


def condition(round: Round, text: str) -> Node:
    """Return the condition of a bet of this round; raise `ConditionError` for an invalid one."""
    words = words_of(round)
    node = parse(text, {}, play=words)
    for call in calls_of(node):
        raise ConditionError(f'"{call.word}" depends on cards, but a bet is settled by the end of the round',
                             f"use {', '.join((*words.states, *words.hands))}", 0)
    return node


def conditions(round: Round, stated: Mapping[str, str], report: ReportFault) -> dict[str, Node]:
    """Return the conditions of all bets by line ("ante: tie"); faults are reported at ("outcome", bet, line)."""
    nodes = {}
    known, wrong = (*round.bets, *(bonus for bonus, _ in round.bonuses), EACH), set[str]()
    for name, text in stated.items():
        bet, line = bet_and_line(name)
        if line is None:
            report(f'"{short(name, 60)}" is not a bet', f"write [wager.outcome.BET] tables: {', '.join(known)}",
                   ("outcome", name))
        elif bet not in known:
            if bet not in wrong:
                remedy = f"its bets are {', '.join(known[:-1])}"
                report(f'no bet has the name "{short(bet, 60)}"', remedy, ("outcome", bet))
            wrong.add(bet)
        else:
            try:
                nodes[name] = condition(round, text)
            except ConditionError as error:
                (f,) = error.faults
                report(f'"{short(line, 60)}", {f.place}: {f.what}', f.remedy, ("outcome", bet, line))
    tables = {bet_and_line(name)[0] for name in stated}
    for bet in round.bets:
        if bet not in tables and EACH not in tables:
            report(f'the bet "{short(bet, 60)}" has no outcomes', f"add [wager.outcome.{_key(bet)}]",
                   _staked(round, bet))
    for bonus, _ in round.bonuses:
        if bonus not in tables:
            report(f'the bonus "{short(bonus, 60)}" has no outcomes', f"add [wager.outcome.{_key(bonus)}]",
                   ("round", "bonuses", bonus))
    return nodes


def _staked(round: Round, bet: str) -> Path:
    """Return the keys at which a bet is first staked."""
    for n, street in enumerate(round.streets, 1):
        for choice in street.choices:
            if bet in dict(choice.stakes) and bet not in dict(round.stakes):
                return "round", f"street #{n}", "choices", choice.name
    return "round", "stakes", bet


def _key(bet: str) -> str:
    return bet if bet.replace("-", "").replace("_", "").isalnum() else f'"{bet}"'


def bets_of(
    round: Round, known: Mapping[str, Node], lines: Sequence[tuple[str, Pay]], report: ReportFault, letter: str
) -> Bets | None:
    """Return the bets of a paytable; None if it has faults, all of which are reported at ("paytable", letter, …)."""
    fault_at = CountedFaults(report, "paytable", letter)
    by_table: dict[str, list[BetLine]] = {}
    for name, pay in lines:
        table, line = bet_and_line(name)
        if line is None:
            fault_at(f'"{short(name, 60)}" is not a bet', "write one table for each bet", name)
        elif name not in known:
            fault_at(f'the bet "{table}" has no outcome "{short(line, 60)}"',
                     f"add it to [wager.outcome.{_key(table)}]", table, line)
        elif pay.unknowns or pay.needs_stake:
            fault_at(f'"{short(line, 60)}" pays "{pay.text}", for which best play cannot be computed',
                     'write odds: "5 to 1", "push" or "lose"', table, line)
        else:
            by_table.setdefault(table, []).append(BetLine(line, known[name], pay))
    bonuses = dict(round.bonuses)
    for bonus in bonuses:
        for paid in by_table.get(bonus, ()):
            if not paid.pay.stake_back:
                fault_at(f'"{short(paid.name, 60)}" pays "{paid.pay.text}", but a bonus has no stake to lose',
                         'write odds: "5 to 1", or omit the line', bonus, paid.name)
    if EACH in by_table and all(bet in by_table for bet in round.bets):
        fault_at("every bet has its own table, so this one applies to no bet", "omit it, or one of the others", EACH)
    bet_list = []
    for bet in (*round.bets, *bonuses):
        table = bet if bet in by_table or bet in bonuses else EACH
        if table not in by_table:
            fault_at(f'the bet "{short(bet, 60)}" has no pays', f"add [wager.paytable.{letter}.{_key(bet)}]")
            continue
        bet_list.append(Bet(bet, tuple(by_table[table]), bonuses.get(bet, ""), table))
    if fault_at.count:
        return None
    further = {bound for node in known.values() for bound in bounds_of(node, HAND)}
    if round.qualifies is not None:
        further.add(named(round, round.qualifies).low)
    bets = Bets(round, tuple(bet_list), tuple(sorted(further)))
    if np.prod(bets.shape) * len(bet_list) > MOST_CELLS:
        ends = int(np.prod(bets.shape))
        fault_at(f"the bets have {ends:,} possible ends", "name fewer hands, or offer fewer choices")
        return None
    _check_lines(bets, fault_at)
    return None if fault_at.count else bets


def _check_lines(bets: Bets, fault_at: CountedFaults) -> None:
    """Report a case that no line of a bet settles, and lines that settle no case."""
    used: dict[tuple[str, str], bool] = {}
    for bet in bets.bets:
        staked = np.array([bets.stake(bet, leaf) > 0 for leaf in bets.leaves])
        cells = bets.possible & staked[:, None, None, None, None]
        lines = bets.lines[bet.name]
        for index, line in enumerate(bet.lines):
            here = bool((cells & (lines == index)).any())
            used[bet.table, line.name] = here or used.get((bet.table, line.name), False)
        unsettled = np.argwhere(cells & (lines < 0)).tolist()
        if unsettled and not bet.on:
            fault_at(f'no line of "{short(bet.name, 60)}" settles this case: {where(bets, *unsettled[0])}',
                     "add a line for it; a last line may be 'True'", bet.table)
    for (table, name), is_used in used.items():
        if not is_used:
            fault_at(f'"{short(name, 60)}" never applies: the lines above cover its cases, or no hand is one of them',
                     "omit the line, or move it up", table, name)


def where(bets: Bets, leaf: int, qualifies: int, result: int, player: int, dealer: int) -> str:
    """Return a cell in words: ``check / raise 2x, dealer qualifies, win, "straight"``."""
    path = bets.leaves[leaf]
    return ", ".join(part for part in (
        leaf_name(path), qualifies_name(bets, qualifies), "" if path.folded else result_name(bets, result),
        *class_names(bets, player, dealer)) if part)


def leaf_name(leaf: Leaf) -> str:
    """Return the choices of a path, joined by " / "."""
    return " / ".join(leaf.names)


def qualifies_name(bets: Bets, index: int) -> str:
    if bets.qualify is None:
        return ""
    return ("dealer does not qualify", "dealer qualifies")[index]


def result_name(bets: Bets, index: int) -> str:
    return RESULTS[index] if bets.round.dealer is not None else ""


def class_names(bets: Bets, player: int, dealer: int) -> tuple[str, str]:
    """Return the names of a class of the player's final hand and of the dealer's; "" if there is one class."""
    player_class = hand_names.of_cuts(bets.round.order, bets.player_cuts, bets.top)[player]
    other = hand_names.of_cuts(bets.round.order, bets.dealer_cuts, bets.top)[dealer]
    return player_class, f"dealer has {other}" if other else ""
