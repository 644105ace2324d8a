"""Verification of every figure: closure, Burnside's count, an independent method for the counts, published claims.

`verify` takes an analysis and reports what was compared in each check. The independent methods share no evaluator with
the first ones.
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
from .model import FAILED, NOT_CHECKED, PARTLY, PUBLISHED, VERIFIED, Check, Verification, equal, guarded, not_checked

CLOSURE = "closure"
MOST_ROUNDS = 10**12


def whole_rounds(text: str | None) -> int:
    """Return the number of rounds to simulate, from text like 10_000_000 or 10,000,000; 0 for None."""
    if text is None:
        return 0
    digits = text.replace("_", "").replace(",", "").replace(" ", "")
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits[:20]) <= MOST_ROUNDS:
        raise fault(f'"{text[:40]}" is not a number of rounds', f"give 1 to {MOST_ROUNDS:,}", file="--simulate")
    return int(digits)


def verify(a: Analysis, *, rounds: int = 0, seed: int = 1, claims: bool = True) -> Verification:
    """Return the verification of an analysis of a full shoe, with every check that could be made, passed or not.

    ``rounds`` adds a simulation of that many rounds from ``seed``. ``claims`` adds published figures of the paytable,
    which do not affect whether it is verified.
    """
    if a.request.without:
        raise fault("the independent methods deal from a full shoe", "omit --without", file="--without")
    if a.parameters.get(RED_SIDE) is not None:
        raise fault("the independent methods deal from a single shoe", f"omit {RED_SIDE}", file="--set")
    game = game_of(a.resolved)  # raises `InputError` for an unknown game
    checks = guarded(CLOSURE, "probabilities and deals add up", lambda: closure(a))
    second = guarded("counts", "the independent method", lambda: _second(a, game))
    if not any(check.passed is not None or check.unchecked for check in second):
        second.append(not_checked("counts", "the independent method checks nothing"))
    checks += second
    if claims:
        checks += _claims(a)
    if rounds:
        from .simulate import simulation

        checks += guarded("simulation", "the rules, card by card", lambda: simulation(a, rounds, seed))
    return Verification(a.id, a.decks, tuple(checks))


def closure(a: Analysis) -> Iterator[Check]:
    """Yield checks that outcomes partition the deals, and that their contributions sum to the return."""
    total = sum((o.probability for o in a.outcomes), Fraction(0))
    yield equal(CLOSURE, "the probabilities of all outcomes", total, Fraction(1), "add up to 1")
    if a.deals is not None:
        counted = sum(o.combinations or 0 for o in a.outcomes)
        yield equal(CLOSURE, "the deals of all outcomes", counted, a.deals, f"add up to {a.deals:,}")
    if is_number(a.returned) and a.game is None and not a.additions:
        again = sum((o.probability * o.returned for o in a.outcomes), Fraction(0))
        yield equal(CLOSURE, "probability times amount returned", a.returned, again, "adds up to the return")


def _second(a: Analysis, game: Game | None) -> Iterator[Check]:
    if game is None:
        from . import deals as second
    else:
        second = game.module("second_way")
    if game is not None and second is None:
        yield not_checked("counts", f"{game.name} has no independent method")
    else:
        yield from second.checks(a)


def _claims(a: Analysis) -> list[Check]:
    """Return checks for the published claims of this paytable at this number of decks, as the ledger judges them.

    Each claim is judged under the readings of its source, which may differ from those of the analysis; the ledger has
    the details.
    """
    from ..published import judge, published

    checks = []
    for claim in published():
        if claim.is_id and claim.subject == a.id and claim.decks in (a.decks, None):
            verdict = judge(claim)
            what = f"published {claim.quantity}" + (f", {claim.outcome}" if claim.outcome else "")
            what += f" ({claim.stated})"
            result = f"{claim.published}: {verdict.verdict}" + (f" ({verdict.reason})" if verdict.reason else "")
            checks.append(Check(what, claim.source.split("; ")[0], result, None, group=PUBLISHED))
    return checks


__all__ = ["FAILED", "NOT_CHECKED", "PARTLY", "VERIFIED", "Check", "Verification", "closure", "verify", "whole_rounds"]
