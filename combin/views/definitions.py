"""Terms used in reports, each defined once, with the kinds of wagers to which it applies.

Used by the report, the README and `combin words`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.model import Analysis

WAGER, GAME, PROGRESSIVE, PROMOTION, SHOE = "wager", "game", "progressive", "promotion", "shoe"


@dataclass(frozen=True)
class Term:
    """A term with its definition; ``kinds`` are the wagers to which it applies (empty for all)."""

    name: str
    text: str
    kinds: frozenset[str] = frozenset()


def _term(name: str, text: str, *kinds: str) -> Term:
    return Term(name, text, frozenset(kinds))


TERMS = (
    _term("Return to player", "amount returned per unit staked, including the stake if it is returned: “n to 1” "
          "returns n + 1, “n for 1” returns n, a push 1, a loss 0; a prize in dollars or a share of a meter returns "
          "the prize divided by the stake.", WAGER, PROGRESSIVE),
    _term("Return of a game with decisions", "1 + expected net ÷ the game's unit (an ante, a wager, in "
          "Switch a wager pair), although more may be staked.", GAME),
    _term("House edge, house advantage", "1 − return, in the same unit."),
    _term("Expected value", "expected net result of the player, in the game's unit.", GAME),
    _term("Average wager", "expected total staked, in the game's unit: compulsory bets, raises, and bets that "
          "push included.", GAME),
    _term("Element of risk", "−expected value ÷ average wager: the loss per unit of the total staked.", GAME),
    _term("Win, push and loss frequency", "the probability that the net result of a round is above, at or below "
          "zero.", GAME),
    _term("True odds", "(1 − p)/p to 1 for an outcome of probability p; “one in” is 1/p."),
    _term("Combinations", "the number of deals with an outcome, without regard to order within a hand."),
    _term("Class", "deals that a wager does not distinguish, counted together."),
    _term("Contribution", "probability × amount returned; the contributions of all outcomes and additions "
          "sum to the return.", WAGER, PROGRESSIVE),
    _term("Contribution in a game", "probability × (1 + net result in the game's unit); they sum to "
          "the return.", GAME),
    _term("Hit frequency", "the probability that more than the stake is returned."),
    _term("Top pay", "the greatest net pay per unit staked that the cards allow."),
    _term("Variance, standard deviation", "of the amount returned in one round, in the unit of the return."),
    _term("Volatility index", "1.959964 standard deviations of one round."),
    _term("Return after N rounds", "the central 95 % by the normal distribution; if fewer than ten top prizes are "
          "expected in N rounds, the interval between the 2.5 % and 97.5 % points of the exact distribution."),
    _term("Percentage points", "the difference of two percentages: from 90 % to 88 % is −2 points."),
    _term("Effect of removal", "the change of the return when one such card is removed from the shoe.", SHOE),
    _term("Long-run return", "fixed pays ÷ stake + all contribution rates + resets that the operator funds × the "
          "probability of the event that resets the meter ÷ stake.", PROGRESSIVE),
    _term("Break-even", "the meter at which the return is 1.", PROGRESSIVE),
    _term("Dollars per round", "the average amount that a promotion without a stake pays.", PROMOTION),
)


def kinds_of(a: Analysis) -> set[str]:
    """Return the kinds of wagers to which an analysis belongs."""
    if not a.has_stake:
        return {PROMOTION}
    kinds = {GAME} if a.game is not None else {WAGER}
    if a.progressive is not None:
        kinds.add(PROGRESSIVE)
    if a.resolved.document.deck_range != (1, 1):
        kinds.add(SHOE)
    return kinds
