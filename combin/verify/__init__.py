"""Every figure a second time: closure, Burnside's count, another method for the counts, the published claims.

`verify` takes an analysis and reports, check by check, what was compared with what. The
second methods share no evaluator with the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..analysis.model import Analysis
from ..base.errors import fault
from ..base.exact import is_number
from ..games.model import Game
from ..games.registry import game_of
from ..rulebook.parameters import RED_SIDE
from .model import FAILED, NOT_HELD, PARTLY, VERIFIED, Check, Verification, equal, guarded, unheld

CLOSURE = "closure"
MOST_ROUNDS = 10**12


def whole_rounds(text: str | None) -> int:
    """The number of rounds to simulate, from text like 10_000_000 or 10,000,000; 0 if none are wanted."""
    if text is None:
        return 0
    digits = text.replace("_", "").replace(",", "").replace(" ", "")
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits[:20]) <= MOST_ROUNDS:
        raise fault(f'"{text[:40]}" is not a number of rounds', f"give 1 to {MOST_ROUNDS:,}", file="--simulate")
    return int(digits)


def verify(a: Analysis, *, rounds: int = 0, seed: int = 1, claims: bool = True) -> Verification:
    """Check an analysis of a full shoe; the result has every check that could be made, passed or not.

    ``rounds`` also simulates so many rounds from ``seed``. ``claims`` adds published figures of
    the paytable; they do not decide whether it is verified.
    """
    if a.request.without:
        raise fault("the second methods deal from a full shoe", "leave out --without", file="--without")
    if a.parameters.get(RED_SIDE) is not None:
        raise fault("the second methods deal from a single shoe", f"leave out {RED_SIDE}", file="--set")
    game = game_of(a.resolved)  # raises for an unknown game
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
    """Outcomes partition the deals, and their contributions sum to the return."""
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
    else:
        from . import deals

        yield from deals.checks(a)


def _of_a_game(a: Analysis, game: Game) -> Iterator[Check]:
    second = game.module("second_way")
    if second is None:
        yield unheld("counts", f"{game.name} has no second way")
    else:
        yield from second.checks(a)


def _claims(a: Analysis) -> list[Check]:
    """The published claims of this paytable at this number of decks, as the ledger judges them.

    Each is judged under the readings of its own source, which may differ from the analysis's; the ledger has the
    details.
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


__all__ = ["FAILED", "NOT_HELD", "PARTLY", "VERIFIED", "Check", "Verification", "closure", "verify", "whole_rounds"]
