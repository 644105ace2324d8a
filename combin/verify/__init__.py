"""Every figure a second time: closure, Burnside's count, another method for the counts, the published claims.

`verify` takes an analysis and says, check by check, what was held against what. The
methods share no evaluator with the ones that made the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb

from ..analysis.model import Analysis
from ..analysis.wheels import spins
from ..base.errors import fault
from ..base.exact import is_number
from ..deals.cards import Shoe
from ..deals.dealt import BAD_BEAT, is_drawn
from ..deals.first_cards import Deal, burnside_classes
from ..games.model import Game
from ..games.registry import game_of
from . import settle_literal
from .model import FAILED, NOT_HELD, VERIFIED, Check, Verification, compared, equal, guarded, unheld

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
    if a.request.without:
        raise fault("the second methods deal from a full shoe", "leave out --without", file="--without")
    game = game_of(a.resolved)  # an unknown one is refused, not passed over
    checks = guarded(CLOSURE, "probabilities and deals add up", lambda: closure(a))
    second = guarded("counts", "the second method", lambda: _second(a, game))
    if not any(check.passed is not None or check.unheld for check in second):
        second.append(unheld("counts", "the second method says nothing"))
    checks += second
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


def _second(a: Analysis, game: Game | None) -> Iterator[Check]:
    if game is not None:
        yield from _of_a_game(a, game)
    elif is_drawn(a.resolved.terms.deal):
        yield _of_draws(a)
    else:
        yield from _of_a_deal(a)


def _of_a_game(a: Analysis, game: Game) -> Iterator[Check]:
    second = game.module("second_way")
    if second is None:
        yield unheld("counts", f"{game.name} has no second way")
    else:
        yield from second.checks(a)


def _of_draws(a: Analysis) -> Check:
    from .draws import knows, probabilities

    if not knows(a.resolved):
        return _unsettled(a)
    method = METHOD_OF_DRAWS[a.resolved.terms.deal == BAD_BEAT]
    here = {o.outcome: o.probability for o in a.outcomes}
    try:
        return compared("probabilities", method, here, probabilities(a.resolved, a.decks, a.request.chart))
    except settle_literal.NoHand as error:
        return unheld("probabilities", f"{error}, at which the second settlement looks")


def _unsettled(a: Analysis) -> Check:
    return unheld("counts", f'the outcomes "{a.resolved.terms.outcomes}" have no second settlement')


def _with_stops(a: Analysis, counts: Mapping[str, int]) -> dict[str, int]:
    """Deals by line as deals together with stops of the wheel, where an analysis has the wheel's weights."""
    if not a.request.wheel:
        return dict(counts)
    turning = {outcome for outcome, pay in a.resolved.payments if spins(pay)}
    found: dict[str, int] = {}
    for line, number in counts.items():
        for symbol, stops in a.request.wheel:
            key = f"{line}, {symbol}" if line in turning else line
            found[key] = found.get(key, 0) + number * stops
    return found


def _of_a_deal(a: Analysis) -> Iterator[Check]:
    from . import shoe

    resolved = a.resolved
    outcomes = resolved.terms.outcomes
    deal = Deal(resolved.terms.deal, resolved.terms.suits)
    counts = {o.outcome: o.combinations or 0 for o in a.outcomes}
    if resolved.terms.depends_on_play:
        from . import side_bets

        yield side_bets.check(a, lambda counts: _with_stops(a, counts))
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
    stops = sum(weight for _, weight in a.request.wheel) or 1
    yield equal("deals", "binomials of the roles", a.deals, shoe.deals(resolved, a.decks) * stops)
    if settle_literal.settler_of(outcomes) is None:
        yield _unsettled(a)
        return
    method = "multisets of card types, settled one by one in plain Python"
    try:
        yield compared("counts", method, counts, _with_stops(a, shoe.outcome_counts(resolved, a.decks)))
    except settle_literal.NoHand as error:
        yield unheld("counts", f"{error}, at which the second settlement looks")


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
    if not seven_cards.knows(a.resolved):
        yield _unsettled(a)
        return
    method = "the convolution's table, settled row by row in plain Python"
    yield compared("counts", method, counts, seven_cards.outcome_counts(a.resolved))


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


__all__ = ["FAILED", "NOT_HELD", "VERIFIED", "Check", "Verification", "closure", "verify", "whole_rounds"]
