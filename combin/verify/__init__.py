"""Every figure a second time: closure, Burnside's count, another method for the counts, the published claims.

`verify` takes an analysis and says, check by check, what was held against what. The
methods share no evaluator with the ones that made the figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from ..analysis.model import Analysis
from ..base.errors import fault
from ..base.exact import is_number
from ..deals.cards import Shoe
from ..deals.dealt import BAD_BEAT, is_drawn
from ..deals.first_cards import Deal, burnside_classes
from ..games.model import Game
from ..games.registry import game_of
from . import settle_literal
from .model import Check, Verification, compared, equal, guarded

CLOSURE = "closure"
MOST_ROUNDS = 10**12
METHOD_OF_DRAWS = (
    "every ordered draw, card by card, settled in plain Python",
    "every ordered draw of the player, and the dealer from what it leaves",
)


def whole_rounds(text: str | None) -> int:
    """The number of rounds to simulate, from text like 10_000_000 or 10,000,000; 0 where none are asked for."""
    if text is None:
        return 0
    digits = text.replace("_", "").replace(",", "").replace(" ", "")
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits[:20]) <= MOST_ROUNDS:
        raise fault(f'"{text[:40]}" is not a number of rounds', f"give 1 to {MOST_ROUNDS:,}", file="--simulate")
    return int(digits)


def verify(a: Analysis, *, rounds: int = 0, seed: int = 1, claims: bool = True) -> Verification:
    """Check an analysis of a full shoe; every check that could be made, passed or not.

    With ``rounds`` the rules are also simulated so many times from ``seed``; ``claims``
    adds what has been published of the paytable, which decides nothing.
    """
    checks = guarded(CLOSURE, "probabilities and deals add up", lambda: closure(a))
    checks += guarded("counts", "the second method", lambda: _second(a))
    if claims:
        checks += _claims(a)
    if rounds:
        from .simulate import simulation

        checks += guarded("simulation", "the rules, card by card", lambda: simulation(a, rounds, seed))
    return Verification(a.id, a.decks, tuple(checks))


def closure(a: Analysis) -> Iterator[Check]:
    """Outcomes partition the deals, and their contributions are the return."""
    total = sum((o.probability for o in a.outcomes), Fraction(0))
    yield equal(CLOSURE, "the probabilities of all outcomes", total, Fraction(1), "add up to 1")
    if a.deals is not None:
        counted = sum(o.combinations or 0 for o in a.outcomes)
        yield equal(CLOSURE, "the deals of all outcomes", counted, a.deals, f"add up to {a.deals:,}")
    if is_number(a.returned) and a.game is None and not a.additions:
        again = sum((o.probability * o.returned for o in a.outcomes), Fraction(0))
        yield equal(CLOSURE, "probability times amount returned", a.returned, again, "adds up to the return")


def _second(a: Analysis) -> Iterator[Check]:
    game = game_of(a.resolved)
    if game is not None:
        yield from _of_a_game(a, game)
    elif is_drawn(a.resolved.terms.deal):
        from .draws import probabilities

        method = METHOD_OF_DRAWS[a.resolved.terms.deal == BAD_BEAT]
        yield compared(
            "probabilities", method, {o.outcome: o.probability for o in a.outcomes}, probabilities(a.resolved, a.decks, a.request.chart)
        )
    else:
        yield from _of_a_deal(a)


def _of_a_game(a: Analysis, game: Game) -> Iterator[Check]:
    second = game.module("second_way")
    if second is None:
        yield Check("counts", f"none: {game.name} has no second way", "not held against anything", None)
    else:
        yield from second.checks(a)


def _of_a_deal(a: Analysis) -> Iterator[Check]:
    from . import shoe

    resolved = a.resolved
    deal = Deal(resolved.terms.deal, resolved.terms.suits)
    counts = {o.outcome: o.combinations or 0 for o in a.outcomes}
    if resolved.terms.depends_on_play:
        from . import side_bets

        yield from side_bets.checks(a)
        return
    if deal.is_seven_cards:
        yield from _of_seven_cards(a, counts)
        return
    yield equal(
        "classes",
        f"Burnside's lemma over {len(deal.group(Shoe(a.decks)))} suit permutations",
        a.classes,
        burnside_classes(deal, Shoe(a.decks)),
    )
    yield equal("deals", "binomials of the roles", a.deals, shoe.deals(resolved, a.decks))
    if resolved.terms.outcomes == "hole-cards":
        from .seven_cards import suited_hole_cards

        yield compared("counts", "closed form: 4 C(13, 3) of C(52, 3)", counts, suited_hole_cards(resolved))
    elif settle_literal.knows(a.resolved.wager_id):
        method = "multisets of card types, settled one by one in plain Python"
        yield compared("counts", method, counts, shoe.outcome_counts(resolved, a.decks))
    else:
        yield Check("counts", "none: this wager has no second settlement", "not held against anything", None)


def _of_seven_cards(a: Analysis, counts: dict[str, int]) -> Iterator[Check]:
    from ..deals import seven_cards as seven
    from . import seven_cards

    yield equal("classes", "Burnside's lemma over the 24 suit permutations", a.classes, seven.burnside_classes())
    yield equal("deals", "C(52, 7)", a.deals, comb(52, 7))
    differences = seven.compare(seven_cards.tables())
    method = "by class, all 133,784,560 hands dealt, and a convolution over the suits"
    rows = len(seven_cards.tables()["the count by class"][0])
    yield Check(
        "joint table", method, differences[0] if differences else f"the same {rows} cells three times", not differences
    )
    yield compared(
        "counts",
        "the convolution's table, settled row by row in plain Python",
        counts,
        seven_cards.outcome_counts(a.resolved),
    )


def _claims(a: Analysis) -> list[Check]:
    """The published claims of this paytable at this number of decks, as the ledger judges them.

    Each is judged under what its own source states, which may be another reading than that of the analysis; the
    ledger has the whole of it.
    """
    from ..published import judge, published

    checks = []
    for claim in published():
        if claim.is_id and claim.subject == a.id and claim.decks in (a.decks, None):
            verdict = judge(claim)
            what = f"published {claim.quantity}" + (f", {claim.outcome}" if claim.outcome else "")
            what += f" ({claim.stated})"
            said = f"{claim.published}: {verdict.verdict}" + (f" ({verdict.reason})" if verdict.reason else "")
            checks.append(Check(what, claim.source.split("; ")[0], said, None))
    return checks


__all__ = ["Check", "Verification", "closure", "verify", "whole_rounds"]
