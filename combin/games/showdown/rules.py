"""A wager's round and bets, read once, and their form for `combin.games.joint`."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from ...base.caches import Kept
from ...base.errors import Fault, InputError, raise_all
from ...base.toml_tables import Path, ReportFault
from ...rulebook.book import Resolved, Wager
from ...rulebook.pays import parse_pay
from ..joint import Rules, SeparateBets
from . import bets
from .bets import Bet, Bets
from .round import RESULTS, Round
from .round_file import read_round
from .size_limits import check_size
from .tree import tree_of

_read: Kept[Any, Bets] = Kept(f"{__name__}._read", "rounds and bets of games by their text", most=64)


def check(wager: Wager, report: ReportFault) -> None:
    """Report every fault of a wager's round, of the conditions of its bets, and of its paytables."""
    terms = wager.terms
    if terms.round is None:
        report("the game has no round", "add [wager.round] and [[wager.round.street]] tables", ("round",))
        return
    if wager.document.deck_range != (1, 1):
        report("the game is dealt from a single deck", "write decks = [1]", ("decks",))
    round = read_round(terms.round, report)
    if round is None:
        return
    known = bets.conditions(round, terms.outcome, report)
    if len(known) < len(terms.outcome):
        return
    for letter, paytable in wager.paytables.items():
        lines = [(name, parse_pay(text, name)) for name, text in paytable.lines]
        paytable_bets = bets.bets_of(round, known, lines, report, letter)
        if paytable_bets is None:
            continue
        try:
            check_size(tree_of(round), paytable_bets.settlement)
        except InputError as error:
            for f in error.faults:
                report(f.what, f.remedy, ("round", "street #1"))
            return


def bets_of(resolved: Resolved) -> Bets:
    """Return the bets of a paytable, with its round; raise `InputError` with every fault of its wager."""
    terms, letter = resolved.terms, resolved.paytable.id
    key = repr((terms.round, tuple(terms.outcome.items()), resolved.lines, resolved.id))
    if key in _read:
        return _read[key]
    faults: list[Fault] = []

    def report(what: str, remedy: str, path: Path) -> None:
        place = resolved.paytable.places.get("") or resolved.id
        faults.append(Fault(what, remedy, resolved.paytable.file or resolved.document.id, ", ".join((place, *path))))

    assert terms.round is not None
    round = read_round(terms.round, report)
    raise_all(faults)
    assert round is not None
    known = bets.conditions(round, terms.outcome, report)
    paytable_bets = bets.bets_of(round, known, resolved.lines, report, letter)
    raise_all(faults)
    assert paytable_bets is not None
    _read[key] = paytable_bets
    return paytable_bets


def round_of(resolved: Resolved) -> Round:
    """Return the round of a paytable's wager."""
    return bets_of(resolved).round


def rules_of(paytable: Bets, most: Fraction | None = None) -> Rules:
    """Return the game for `combin.games.joint`: a category is a class of the player's hand and one of the dealer's."""
    leaves, states, results, players, dealers = paytable.shape
    names = [bets.class_names(paytable, p, d) for p in range(players) for d in range(dealers)]
    wagers = () if most is not None else tuple(
        SeparateBets(bet.name, partial(_settled, paytable, bet), bonus=bool(bet.on)) for bet in paytable.bets
    )
    return Rules(
        choices=tuple(bets.leaf_name(leaf) for leaf in paytable.leaves),
        net=paytable.net_under(most).reshape(leaves, states, results, players * dealers),
        staked=tuple(leaf.staked for leaf in paytable.leaves),
        initial=sum((stake for _, stake in paytable.round.stakes), Fraction(0)),
        wagers=wagers,
        categories=tuple(", ".join(filter(None, pair)) for pair in names),
        qualifies=tuple(bets.qualifies_name(paytable, q) for q in range(states)),
        results=RESULTS if results > 1 else ("",),
        uncompared=frozenset(n for n, leaf in enumerate(paytable.leaves) if leaf.folded),
    )


def _settled(
    paytable: Bets, bet: Bet, leaf: int, qualifies: int, result: int, category: int
) -> tuple[Fraction, Fraction, str, str]:
    """Return how a bet ends in a cell: stake, net, outcome, pays."""
    cell = leaf, qualifies, result, *divmod(category, paytable.shape[4])
    stake = paytable.stake(bet, paytable.leaves[leaf])
    if not stake:
        return Fraction(0), Fraction(0), "not made", ""
    wagered, index = Fraction(0) if bet.on else stake, paytable.lines[bet.name][cell]
    if index < 0:
        return wagered, Fraction(0), "not paid", ""
    line = bet.lines[index]
    several = len({paytable.stake(bet, leaf) for leaf in paytable.leaves} - {0}) > 1
    return (wagered, paytable.nets[bet.name][cell], f"{stake}x, {line.name}" if several else line.name,
            line.pay.text)


def joint_of(paytable: Bets, joint: Any) -> Any:
    """Return the joint table by [leaf][qualifies][result][category]; folded hands have the first result."""
    leaves, states, results, players, dealers = paytable.shape
    table = joint.reshape(leaves, states, results, players * dealers).copy()
    for n, leaf in enumerate(paytable.leaves):
        if leaf.folded:
            table[n, :, 0], table[n, :, 1:] = table[n].sum(axis=1), 0
    return table
