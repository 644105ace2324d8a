"""Rules of play for a submission: the order of play, an example and a near miss for each line, rack-card text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.toml_tables import bet_and_line
from ..deals.deal_kinds import FirstCards
from ..deals.first_cards import Deal
from ..games.registry import game_of
from ..games.showdown.description import described
from ..games.showdown.round_file import EACH
from ..games.showdown.rules import round_of
from ..pages.blocks import Block, Grid, Part, Points, Words
from ..wagers.wager_outcomes import deal_of
from .model import Section


def rules_of_play(s: Section) -> Part:
    """Return the rules of play of a paytable."""
    a = s.analysis
    blocks: list[Block] = [Points(tuple(_order(s)), numbered=True)]
    if s.examples:
        rows = tuple((e.outcome, _cards(e.wins), _cards(e.misses) or "none with one other card",
                      (e.settled_as or "loses") if e.misses else "") for e in s.examples)
        blocks += [
            Words("For each line, a deal that wins it and a deal that misses it by one card:"),
            Grid(("line", "wins", "misses", "is settled as"), rows, 9),
        ]
        missing = [o.outcome for o in a.outcomes
                   if o.pay is not None and o.probability and o.outcome not in {e.outcome for e in s.examples}]
        if missing:
            blocks.append(Words(f"The search gave no deal for: {', '.join(missing)}."))
    return Part("Rules of play", f"{s.anchor}-play-rules", (*blocks, Words("Text for a rack card:"),
                                                            Words(rack_card(s))))


def _order(s: Section) -> Iterator[tuple[str, str]]:
    """Yield the steps of a round, each with a heading word or none."""
    a = s.analysis
    wager = a.book.wagers[a.resolved.wager_id]
    terms, deal = a.resolved.terms, deal_of(a.resolved, a.request.chart)
    if terms.round is not None:
        yield from described(round_of(a.resolved))
    elif game_of(a.resolved) is not None or not terms.deal:
        if a.resolved.document.about:
            yield "", "The cards are dealt and played as “The game in plain words” says."
        yield "", wager.about or "The file has no description of stakes, deal and decisions."
    else:
        yield "", f"The player places the {wager.name} wager before any card is dealt."
        dealt = terms.deal
        if isinstance(deal, FirstCards):
            parts = (part for role in Deal(terms.deal).roles for part in role.parts or ((role.name, role.cards),))
            dealt = "; ".join(f"{name}, {number} card{'s' if number > 1 else ''}" for name, number in parts)
        yield "", f"The hands of a round, dealt from the full {'shoe' if a.decks > 1 else 'deck'}: {dealt}."
        yield "", ("The wager is settled by the first line of the paytable, from the top, that applies to these cards; "
                   "if none applies, it loses.")


def rack_card(s: Section) -> str:
    """Return the pays in a few words, as a rack card states them; losing lines are omitted."""
    a = s.analysis
    name = a.book.wagers[a.resolved.wager_id].name
    pays = [(outcome, pay.text) for outcome, pay in a.resolved.lines
            if pay.stake_back or pay.odds or pay.dollars or pay.shares or pay.named_odds]
    if a.resolved.terms.round is not None:
        bets: dict[str, list[tuple[str, str]]] = {}
        for outcome, pay in pays:
            bet, line = bet_and_line(outcome)
            bets.setdefault(bet, []).append((line or "", pay))
        named = {bet: "Each bet" if bet == EACH else bet.capitalize() for bet in bets}
        return f"{name}. " + " ".join(f"{named[bet]}: {_lines(lines)}." for bet, lines in bets.items())
    if game_of(a.resolved) is not None:
        return f"{name}: {_lines(pays)}."
    words = f"{name}, by the first line that applies: {_lines(pays)}."
    if s.additions and not a.resolved.envy:
        words += f" Also paid: {_lines([(b.name, b.pays) for b in s.additions])}."
    if a.resolved.envy:
        hands = [(hand, str(pay)) for hand, pay in a.resolved.envy.items()]
        words += f" Envy bonus for another player's hand, for $1 staked: {_lines(hands)}."
    return words


def _lines(lines: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"{outcome} {pay}" for outcome, pay in lines)


def _cards(hands: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{role} {cards}" for role, cards in hands)
