"""Rules of play for a submission: the order of play, an example and a near miss for each line, rack-card text."""

from __future__ import annotations

from ..games.registry import game_of
from ..pages.blocks import Block, Grid, Part, Points, Words
from .model import Section


def rules_of_play(s: Section) -> Part:
    """Return the rules of play of a paytable."""
    blocks: list[Block] = [Points(tuple((f"{n}.", words) for n, words in enumerate(_order(s), 1)))]
    if s.examples:
        rows = tuple((e.outcome, _cards(e.wins), _cards(e.misses) or "none with one other card",
                      (e.settled_as or "loses") if e.misses else "") for e in s.examples)
        blocks += [
            Words("For each line, a deal that wins it and a deal that misses it by one card:"),
            Grid(("line", "wins", "misses", "is settled as"), rows, 9),
        ]
        missing = [o.outcome for o in s.analysis.outcomes
                   if o.pay is not None and o.probability and o.outcome not in {e.outcome for e in s.examples}]
        if missing:
            blocks.append(Words(f"The search gave no deal for: {', '.join(missing)}."))
    blocks += [Words("Text for a rack card:"), Words(rack_card(s))]
    return Part("Rules of play", f"{s.anchor}-play-rules", tuple(blocks))


def _order(s: Section) -> list[str]:
    """Return the steps of a round."""
    a = s.analysis
    wager = a.book.wagers[a.resolved.wager_id]
    game = game_of(a.resolved)
    about = [wager.about] if wager.about else []
    if game is not None or not a.resolved.terms.deal:
        return about or ["The file has no description of stakes, deal and decisions: see the rules of the game."]
    shoe = "1 deck" if a.decks == 1 else f"{a.decks} decks"
    return [
        *about,
        f"The player places the {wager.name} wager before any card is dealt.",
        f"Cards are dealt from {shoe}: {a.resolved.terms.deal}.",
        "The wager is settled by the first line of the paytable, from the top, that applies to these cards; "
        "if none applies, it loses.",
    ]


def rack_card(s: Section) -> str:
    """Return the pays in one sentence, as a rack card states them."""
    lines = "; ".join(f"{outcome}: {pay.text}" for outcome, pay in s.analysis.resolved.lines)
    name = s.analysis.book.wagers[s.analysis.resolved.wager_id].name
    order = "" if game_of(s.analysis.resolved) is not None else ", by the first line that applies"
    return f"{name} pays{order}: {lines}."


def _cards(hands: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{role} {cards}" for role, cards in hands)
