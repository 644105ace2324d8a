"""The end of each bet: conditions on the end of a round, and the settlement that follows from them.

A round ends in a *cell*: a leaf of its tree, whether the dealer qualifies, who wins, the class of the player's final
hand and that of the dealer's. The named hands of the file separate the classes, so a condition is true or false for a
whole cell. `compiled` settles every bet in every cell that can occur; other cells are left at zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from ...base.errors import CountError, fault, short
from ...base.toml_tables import Path, ReportFault, bet_and_line
from ...rulebook.pays import Pay
from ...wagers.conditions import (
    Choose,
    Compare,
    ConditionError,
    Constant,
    Join,
    Node,
    Not,
    ParserState,
    Within,
    calls_of,
    parse,
    parts_of,
)
from . import hand_names, orders
from .reading import EACH, named
from .round import RESULTS, Leaf, Round
from .settlement import Settlement

FOLDED, QUALIFIES = "folded", "qualifies"
#: The words for the three results, from the player's side.
COMPARED = dict(zip(("lost", "tied", "won"), range(len(RESULTS)), strict=True))
HAND, DEALER_HAND = "hand", "dealer_hand"
#: The comparison of the player's hand with the dealer's in each result, folded or not.
HANDS_COMPARED = {"hand > dealer_hand": {2}, "hand >= dealer_hand": {1, 2}, "hand == dealer_hand": {1},
                  "hand != dealer_hand": {0, 2}, "hand < dealer_hand": {0}, "hand <= dealer_hand": {0, 1}}
#: The greatest number of cells; a file with more is refused before work begins.
MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class RoundWords:
    """The words of conditions on the end of a round; `combin.wagers.conditions` parses them."""

    order: str
    ranks: str
    dealer: bool
    #: Whether the two final hands may be compared, also after a fold.
    compares: bool = False

    @property
    def states(self) -> tuple[str, ...]:
        return (FOLDED, *COMPARED, QUALIFIES) if self.dealer else (FOLDED,)

    @property
    def hands(self) -> tuple[str, ...]:
        return (HAND, DEALER_HAND) if self.dealer else (HAND,)

    def bounds(self, text: str) -> tuple[int, int]:
        interval = orders.named(self.order, text, self.ranks)
        return interval.low, interval.high


def words_of(round: Round) -> RoundWords:
    """Return the words that conditions of this round may use."""
    return RoundWords(round.order, round.ranks, round.dealer is not None)


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


@dataclass(frozen=True)
class Cell:
    """One end of a round, by index; `where` puts it in words."""

    leaf: int
    qualifies: int
    result: int
    player: int
    dealer: int


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
        order = orders.order_named(self.round.order)
        cards = sum(self.round.cards[role] for role in self.round.player.roles)
        return len(order.keys) + 1 if order.size is not None else order.interval(cards - 1).high

    def _cuts(self, hand: str, further: Iterable[int]) -> tuple[int, ...]:
        bounds = {bound for bet in self.bets for line in bet.lines for bound in bounds_of(line.condition, hand)}
        return tuple(sorted(bound for bound in {*bounds, *further} if 1 < bound < self.top))

    @cached_property
    def player_cuts(self) -> tuple[int, ...]:
        """Return the ranks at which classes of the player's final hand begin, except the lowest (rank 1)."""
        needs = (named(self.round, c.needs).low for s in self.round.streets for c in s.choices if c.needs)
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
        mask = np.zeros(self.shape, dtype=bool)
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
            needed = self._needed(leaf)
            if leaf.folded:
                mask[number] = mask[number].any(axis=1, keepdims=True)
            mask[number, :, :, : sum(cut <= needed for cut in self.player_cuts) if needed > 1 else 0] = False
        assert mask.shape == (leaves, *self.shape[1:3], players, dealers)
        return mask

    def _needed(self, leaf: Leaf) -> int:
        """Return the lowest rank of a hand that is offered the choices of a leaf."""
        deciding = [street.choices for street in self.round.streets if street.choices]
        needs = (choices[index].needs for choices, index in zip(deciding, leaf.path, strict=False))
        return max((named(self.round, text).low for text in needs if text is not None), default=1)

    def true(self, node: Node, cell: Cell) -> bool:
        """Return whether a condition is true in a cell; no comparison is true after a fold."""
        match node:
            case ParserState(name):
                folded = self.leaves[cell.leaf].folded
                if name == FOLDED:
                    return folded
                if name == QUALIFIES:
                    return self.qualify is None or cell.qualifies == 1
                if name in HANDS_COMPARED:
                    return cell.result in HANDS_COMPARED[name]
                return not folded and cell.result == COMPARED[name]
            case Within(hand, low, high):
                cuts, index = (
                    (self.player_cuts, cell.player) if hand == HAND else (self.dealer_cuts, cell.dealer)
                )
                least = (1, *cuts)[index]
                return (low is None or least >= low) and (high is None or least < high)
            case Not(operand):
                return not self.true(operand, cell)
            case Join(every, parts):
                return (all if every else any)(self.true(part, cell) for part in parts)
            case Choose(test, yes, no):
                return self.true(yes if self.true(test, cell) else no, cell)
            case Compare(sign, left, right):
                a, b = self._value(left, cell), self._value(right, cell)
                return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b}[sign]
        raise CountError(f"a condition of a bet has a part {type(node).__name__}")

    def _value(self, node: Node, cell: Cell) -> int:
        return node.value if isinstance(node, Constant) else int(self.true(node, cell))

    def stake(self, bet: Bet, leaf: Leaf) -> Fraction:
        """Return the units staked on a bet along a path; for a bonus, those of the bet on which it is paid."""
        return dict(leaf.stakes).get(bet.on or bet.name, Fraction(0))

    def line(self, bet: Bet, cell: Cell) -> BetLine | None:
        """Return the first line of a bet that applies in a cell; None if no line does."""
        if bet.on and self.leaves[cell.leaf].folded:
            return next((x for x in bet.lines if says(x.condition, FOLDED) and self.true(x.condition, cell)), None)
        return next((line for line in bet.lines if self.true(line.condition, cell)), None)

    def net(self, bet: Bet, cell: Cell) -> Fraction:
        """Return the net result of a bet in a cell, in units."""
        line, stake = self.line(bet, cell), self.stake(bet, self.leaves[cell.leaf])
        if line is None:
            return Fraction(0)
        returned = line.pay.returned({})
        assert isinstance(returned, Fraction)
        return stake * (returned - 1)

    def cells(self) -> Iterator[Cell]:
        """Yield the cells that can occur. A folded hand is not compared: its cells have the first result."""
        for leaf, q, r, p, d in np.argwhere(self.possible).tolist():
            if not self.leaves[leaf].folded or not r:
                yield Cell(leaf, q, r, p, d)

    @cached_property
    def nets(self) -> Mapping[str, Any]:
        """Return the net result of every bet, in units, as an object array of `shape`; 0 if a cell cannot occur."""
        nets = {}
        for bet in self.bets:
            table = np.zeros(self.shape, dtype=object)
            table[...] = Fraction(0)
            for cell in self.cells():
                where = (cell.leaf, cell.qualifies, slice(None) if self.leaves[cell.leaf].folded else cell.result,
                         cell.player, cell.dealer)
                table[where] = self.net(bet, cell)
            nets[bet.name] = table
        return nets

    @cached_property
    def net_of_round(self) -> Any:
        """Return the net result of the round in every cell, in units."""
        total = np.zeros(self.shape, dtype=object)
        total[...] = Fraction(0)
        for table in self.nets.values():
            total = total + table
        return total

    @cached_property
    def settlement(self) -> Settlement:
        """Return the net result as integers over a common denominator; raise `InputError` if 64 bits do not suffice."""
        return self._settlement(self.net_of_round)

    def capped(self, most: Fraction) -> Settlement:
        """Return the same settlement if a hand wins at most this number of units."""
        net = self.net_of_round.copy()
        net[net > most] = most
        return self._settlement(net)

    def _settlement(self, net: Any) -> Settlement:
        unit = lcm(*(x.denominator for x in net.flat))
        whole = [int(x * unit) for x in net.flat]
        if max(map(abs, whole), default=0) >= 1 << 40:
            raise fault("the pays times their common denominator are too large", "write simpler or smaller pays")
        utility = np.array(whole, dtype=np.int64).reshape(self.shape)
        return Settlement(utility, unit, self.player_cuts, self.dealer_cuts, self.qualify)


def condition(round: Round, text: str) -> Node:
    """Return the condition of a bet of this round; raise `ConditionError` for an invalid one."""
    node = parse(text, {}, play=words_of(round))
    for call in calls_of(node):
        raise ConditionError(f'"{call.word}" depends on cards, but a bet is settled by the end of the round',
                             f"use {', '.join((*words_of(round).states, *words_of(round).hands))}", 0)
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
    faults = 0

    def fault_at(what: str, remedy: str, *path: str) -> None:
        nonlocal faults
        faults += 1
        report(what, remedy, ("paytable", letter, *path))

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
    if faults:
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
    return None if faults else bets


def _check_lines(bets: Bets, fault_at: Any) -> None:
    """Report a case that no line of a bet settles, and lines that settle no case."""
    used: dict[tuple[str, str], bool] = {}
    for bet in bets.bets:
        settled = True
        for line in bet.lines:
            used.setdefault((bet.table, line.name), False)
        for cell in bets.cells():
            if not bets.stake(bet, bets.leaves[cell.leaf]):
                continue
            applies = bets.line(bet, cell)
            if applies is not None:
                used[bet.table, applies.name] = True
            elif not bet.on and settled:
                settled = False
                fault_at(f'no line of "{short(bet.name, 60)}" settles this case: {where(bets, cell)}',
                         "add a line for it; a last line may be 'True'", bet.table)
    for (table, name), is_used in used.items():
        if not is_used:
            fault_at(f'"{short(name, 60)}" never applies: the lines above cover its cases, or no hand is one of them',
                     "omit the line, or move it up", table, name)


def where(bets: Bets, cell: Cell) -> str:
    """Return a cell in words: ``check / raise 2x, dealer qualifies, win, "straight"``."""
    return ", ".join(part for part in (
        leaf_name(bets.leaves[cell.leaf]), qualifies_name(bets, cell.qualifies),
        "" if bets.leaves[cell.leaf].folded else result_name(bets, cell.result),
        *class_names(bets, cell.player, cell.dealer)) if part)


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
