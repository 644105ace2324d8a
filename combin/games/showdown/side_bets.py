"""Side bets on a game that a file describes: on its cards, or on how a round under its best play ends.

    [[wager]]
    id = "house/ultimate-texas-holdem/trips"
    beside = "house/ultimate-texas-holdem/base"
    [wager.outcome]
    "straight or better" = 'hand >= "straight"'

A bet whose conditions depend on the end of a round is settled on the joint distribution, with a class of hands for
each hand that it names. A bet on cards only is settled on the deal of the roles that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...base.errors import Fault, InputError, fault, nearest, raise_all, short
from ...base.exact import Exact
from ...base.toml_tables import ReportFault
from ...deals.cards import Shoe
from ...rulebook.book import Resolved, Rulebook, Wager
from ...rulebook.pays import LOSS, Pay
from ...rulebook.terms import SIDE_BET
from ...wagers.condition_text import ConditionError
from ...wagers.condition_tree import FinalHand, Node, ParserState, Within, calls_of, parts_of
from ...wagers.conditions import parse
from ...wagers.wager_outcomes import deal_of, masks_of
from ..model import Game, Situation, SolvedGame
from ..outcome import Outcome
from . import rules
from .bets import DEALER_HAND, HAND, Bets, bounds_of, words_of
from .round import Round
from .solve import Solution, recount, solve

#: Roles in the order of a deal on which a bet on cards is settled.
_DEALT = ("player", "upcard", "board", "dealer")


class SideBet(Game):
    """A wager with ``beside``: the id of a game that a file describes."""

    name = SIDE_BET
    decisions = False
    second_way = "combin.verify.showdown"
    kernels = ("showdown_publics", "showdown_sweep")
    second_kernels = ("showdown_enumeration",)

    def lines(self, resolved: Resolved) -> Sequence[str]:
        return list(resolved.terms.outcome)

    def check(self, wager: Wager, report: ReportFault) -> None:
        """Check the lines; conditions are checked once the base game is known: see `conditions`."""
        if not wager.terms.outcome:
            report("the side bet has no outcomes", "add [wager.outcome]", ("outcome",))

    def check_lines(self, book: Rulebook, resolved: Resolved) -> Sequence[Fault]:
        """Return the faults of the conditions on the base game's round."""
        try:
            conditions(resolved, rules.round_of(base_of(book, resolved)))
        except InputError as error:
            return error.faults
        return ()

    def play(self, situation: Situation) -> SolvedGame:
        resolved, values = situation.resolved, dict(situation.values)
        base = base_of(situation.book, resolved)
        nodes = conditions(resolved, rules.round_of(base))
        payments = [(outcome, pay) for outcome, pay in resolved.payments if outcome in nodes]
        if all(not on_cards(nodes[outcome]) for outcome, _ in payments):
            bets, solution = bets_under(base, nodes, situation.without)
            counts = by_outcome(bets, solution, [(outcome, nodes[outcome]) for outcome, _ in payments])
            return _played(payments, counts, solution.deals, solution.classes, values, resolved)
        return _on_a_deal(situation, rules.round_of(base), nodes, payments)


def base_of(book: Rulebook, resolved: Resolved) -> Resolved:
    """Return the paytable of the base game, the first one of a named wager; raise `InputError` if there is none."""
    name = resolved.terms.beside
    assert isinstance(name, str)
    wager = book.wagers.get(name)
    identifier = f"{name}/{next(iter(wager.paytables))}" if wager is not None and wager.paytables else name
    known = [w.id for w in book.wagers.values() if w.terms.round is not None]
    if wager is None and name not in book.ids():
        raise fault(f'beside = "{short(name, 80)}" does not name a game',
                    nearest(name[:80], known, otherwise="write the id of a game with a round, in this file or named "
                            "before it"), file=resolved.paytable.file, place=resolved.paytable.places.get("", ""))
    base = book.resolve(identifier)
    if base.terms.round is None:
        what = f"{name} is not a game that a file describes"
        raise fault(what, nearest(name[:80], known), file=resolved.paytable.file,
                    place=resolved.paytable.places.get("", ""))
    return base


def conditions(resolved: Resolved, round: Round) -> Mapping[str, Node]:
    """Return the conditions of a side bet by outcome; raise `InputError` with every fault."""
    words = replace(words_of(round), compares=True)
    nodes: dict[str, Node] = {}
    faults = []
    for outcome, text in resolved.terms.outcome.items():
        try:
            nodes[outcome] = parse(text, round.cards, resolved.terms.options, resolved.terms.where, words)
        except ConditionError as error:
            (f,) = error.faults
            place = resolved.paytable.places.get(outcome) or resolved.paytable.places.get("", resolved.id)
            what = f'"{short(outcome, 60)}", {f.place}: {f.what}'
            faults.append(Fault(what, f.remedy, resolved.paytable.file, place))
    paid = [nodes[outcome] for outcome, _ in resolved.payments if outcome in nodes]
    if any(map(on_cards, paid)) and any(map(_on_the_end, paid)):
        faults.append(Fault(
            "conditions on single cards and on the end of a round cannot be combined",
            f"state the bet by {', '.join((*words.states, *words.hands))}, or only by cards",
            resolved.paytable.file, resolved.paytable.places.get("", resolved.id)))
    raise_all(faults)
    return nodes


def on_cards(node: Node) -> bool:
    return next(iter(calls_of(node)), None) is not None


def _on_the_end(node: Node) -> bool:
    return isinstance(node, ParserState | Within | FinalHand) or any(map(_on_the_end, parts_of(node)))


def finer(base: Resolved, nodes: Mapping[str, Node]) -> Bets:
    """Return the bets of the base game with a class of hands for each hand that the conditions name."""
    bets = rules.bets_of(base)
    return Bets(bets.round, bets.bets, (*bets.further, *(b for n in nodes.values() for b in bounds_of(n, HAND))),
                tuple(b for n in nodes.values() for b in bounds_of(n, DEALER_HAND)))


def bets_under(base: Resolved, nodes: Mapping[str, Node], without: tuple[int, ...] = ()) -> tuple[Bets, Solution]:
    """Return the finer bets, and the best play of the base game counted over their classes."""
    bets, base_bets = finer(base, nodes), rules.bets_of(base)
    solution = solve(base_bets.round, base_bets.settlement, without=without)
    joint = recount(base_bets.round, base_bets.settlement, solution, bets.settlement.cells, without=without)
    return bets, replace(solution, joint=joint)


def by_outcome(bets: Bets, solution: Solution, lines: Sequence[tuple[str, Node]]) -> dict[str, int]:
    """Return deals by outcome; folded hands are compared too."""
    first = bets.first_of([node for _, node in lines])
    counts = {outcome: int(solution.joint[first == index].sum()) for index, (outcome, _) in enumerate(lines)}
    return counts | {LOSS: int(solution.joint[first < 0].sum())}


def _played(
    payments: Sequence[tuple[str, Pay]], counts: Mapping[str, int], deals: int, classes: int,
    values: dict[str, Exact | None], resolved: Resolved,
) -> SolvedGame:
    known: dict[str, Any] = dict(values)
    prize = resolved.terms.stake_returned_with_prize
    rows = [Outcome(outcome, pay.text, counts[outcome], Fraction(counts[outcome], deals),
                pay.returned(known, prize_returns_stake=prize), pay) for outcome, pay in payments]
    rows.append(Outcome(LOSS, LOSS, counts[LOSS], Fraction(counts[LOSS], deals), Fraction(0)))
    return SolvedGame(tuple(rows), deals, classes)


def _on_a_deal(
    situation: Situation, round: Round, nodes: Mapping[str, Node], payments: Sequence[tuple[str, Pay]]
) -> SolvedGame:
    """Return a bet on cards only, settled on the deal of the roles that it names."""
    resolved = situation.resolved
    used = {role for outcome, _ in payments for call in calls_of(nodes[outcome]) for hand in call.hands
            for role in hand.roles}
    deal = ", ".join(f"{role} {round.cards[role]}" for role in _DEALT if role in used)
    plain = replace(resolved, terms=replace(resolved.terms, deal=deal, game="", beside=None))
    of = deal_of(plain)
    assert of is not None
    table = of.table(Shoe(1, situation.without))
    masks = masks_of(table, plain)
    left, counts = table.weights >= 0, {}
    for outcome, _ in payments:
        counts[outcome] = table.count(masks[outcome] & left)
        left = left & ~masks[outcome]
    counts[LOSS] = table.count(left)
    return _played(payments, counts, table.deals, table.classes, dict(situation.values), resolved)


GAME = SideBet()
