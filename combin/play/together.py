"""A base game and a side bet on the same hand: their covariance, and the play that is best for both.

    t = together(combin.analyze("maryland/high-card-flush/base/A"), "maryland/high-card-flush/flush-bonus/A")
    t.plays[0].covariance, t.plays[0].deviation(ante, stake)

The base game pays X antes net, the side bet Y net per unit staked. A side bet on seven cards
is settled on a table whose rows also hold the mean of X, so that E[XY] is exact. Some side bets
depend on play: a fold forfeits them, a raiser discards. Then the best play for both wagers at the
stated stakes is given as well as the base game's own best play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..analysis.settle import settle
from ..base.errors import fault
from ..base.exact import Exact, is_number, ratio, root, unknowns_in
from ..deals.table import Table
from ..games.joint import Rules
from ..games.model import Game
from ..rulebook import parameters
from ..rulebook.book import Resolved
from ..rulebook.pays import Pay
from .strategy import game_of

FLAG = "--with"
ANTE, STAKE = "ante", "stake"


@dataclass(frozen=True)
class Play:
    """Both wagers under one play: ``base`` in antes and ``bonus`` per unit staked are expected net results."""

    name: str
    base: Fraction
    bonus: Fraction
    base_variance: Fraction
    bonus_variance: Fraction
    covariance: Fraction
    choices: Mapping[str, Fraction]

    def expected(self, ante: Fraction, stake: Fraction) -> Fraction:
        """Dollars a round."""
        return ante * self.base + stake * self.bonus

    def variance(self, ante: Fraction, stake: Fraction) -> Fraction:
        """Of the dollars of a round."""
        return (ante**2 * self.base_variance + stake**2 * self.bonus_variance
                + 2 * ante * stake * self.covariance)

    def deviation(self, ante: Fraction, stake: Fraction) -> Fraction:
        """The standard deviation in dollars, truncated at twelve decimals."""
        return root(self.variance(ante, stake))

    @property
    def correlation(self) -> Fraction:
        """Covariance over both standard deviations, to twelve decimals; 0 if a wager never varies."""
        product = self.base_variance * self.bonus_variance
        return self.covariance / root(product, 24) if product else Fraction(0)


@dataclass(frozen=True)
class Together:
    """A base game with a side bet; the first play is the base game's own best."""

    base_id: str
    bonus_id: str
    ante: Fraction
    stake: Fraction
    plays: tuple[Play, ...]
    remarks: tuple[str, ...] = ()


def together(
    a: Analysis, bonus_id: str | Sequence[str], set: Mapping[str, str] | None = None,
    reading: Mapping[str, str] | None = None,
) -> Any:
    """The base game ``a`` with a side bet of the same document on the same hand: a `Together`.

    Blackjack takes side bets on first cards too, several at once: a `combin.play.seat.Seat`.
    ``set`` gives the ``ante`` and the ``stake`` of the side bet in dollars (1 each otherwise)
    and the side bet's unknowns, ``reading`` its readings. Raises `InputError` for a side bet that the
    tables cannot join.
    """
    game = game_of(a.book, a.id)
    names = [bonus_id] if isinstance(bonus_id, str) else list(bonus_id)
    a.book.check_readings(names, reading or {})
    module = game.module("strategy")
    if hasattr(module, "seat") and (len(names) > 1 or a.book.resolve(names[0]).terms.deal != game.hand):
        return module.seat(a, names, set, reading)
    if len(names) > 1:
        raise fault("this game is joined with one side bet", "name one", file=FLAG)
    [bonus_id] = names
    bonus = a.book.resolve(bonus_id, reading)
    _same_hand(a, bonus, game)
    if a.cap is not None:
        raise fault("a cap on one hand's wagers together is not taken into account", "leave out the cap", file="--set")
    chosen = dict(set or {})
    ante = dollars(chosen, ANTE)
    stake = dollars(chosen, STAKE)
    known = sorted({n for _, pay in bonus.payments for n in pay.unknowns})
    for name in chosen:
        if name not in (*known, ANTE, STAKE):
            allowed = ", ".join(dict.fromkeys((ANTE, STAKE, *known)))
            raise fault(f'no value "{name}" belongs to these two wagers', f"known: {allowed}", file="--set")
    values = parameters.values(bonus, {k: v for k, v in chosen.items() if k in known})
    values = {**values, STAKE: stake, ANTE: None}
    amounts = [(name, pay.returned(dict(values))) for name, pay in bonus.payments]
    open_ones = sorted({n for _, amount in amounts for n in unknowns_in(amount)})
    if open_ones:
        what = f"{bonus_id} depends on {', '.join(open_ones)}"
        raise fault(what, f"set it: --set {open_ones[0]}=VALUE", file="--set")
    return module.beside(a, bonus, values, ante, stake)


def dollars(chosen: Mapping[str, str], name: str) -> Fraction:
    """The value of a name in dollars, 1 where nobody gave it."""
    value = ratio(chosen[name], what=f"the value of {name}", file="--set") if name in chosen else Fraction(1)
    if value <= 0:
        raise fault(f"{name} cannot be {value}", "give dollars above 0", file="--set")
    return value


#: What a base game shares with a side bet, by the deal of that side bet.
SHARED = {
    "player 7": ("the player's seven cards", "name a bonus on seven cards"),
    "cards 4": ("the four cards of the two hands", "name super-match"),
    "player plays the chart, dealer draws out": ("the hand that is played out", "name bad-beat-progressive"),
}


def _same_hand(a: Analysis, bonus: Resolved, game: Game) -> None:
    """Refuse a side bet that is not settled on the cards of this game's player."""
    prefix = a.id.rsplit("/", 2)[0]
    if bonus.id.rsplit("/", 2)[0] != prefix:
        raise fault(f"{bonus.id} and {a.id} are wagers of different documents",
                    f"name a side bet whose id begins with {prefix}", file=FLAG)
    if bonus.terms.deal != game.hand:
        cards, remedy = SHARED.get(game.hand, ("the cards of its player", "name another side bet"))
        raise fault(f"{bonus.id} is not settled on {cards}, so its joint law with the base game is not in the tables",
                    remedy, file=FLAG)


def play_of(
    name: str, bonus: Resolved, values: Mapping[str, Exact | None], rows: Table, joint: Any, rules: Rules
) -> Play:
    """Moments of X and Y from ``joint`` [row][choice][qualifies][result]; Y is settled by row.

    Sums are of integers, X in units of 1/``rules.unit`` ante and Y in a common fraction of its stake.
    """
    settled, _ = settle(rows, bonus)
    stake_too = bonus.terms.stake_returned_with_prize
    won = np.full(len(rows), Fraction(-1), dtype=object)
    for _, pay, taken in settled:
        won[taken] = _net(pay, values, stake_too)
    deals, of_x = rows.deals, rules.unit
    of_y = lcm(*(x.denominator for x in won))
    y = np.array([int(x * of_y) for x in won], dtype=object)
    x = np.moveaxis(rules.utility, -1, 0)[rows["flush"] - 2]  # no hand has a best flush of one card: no deals
    summed = joint * x
    weights = joint.sum(axis=(1, 2, 3))
    mean_x, square_x = Fraction(summed.sum(), deals * of_x), Fraction((summed * x).sum(), deals * of_x**2)
    mean_y = Fraction((weights * y).sum(), deals * of_y)
    square_y = Fraction((weights * y * y).sum(), deals * of_y**2)
    both = Fraction((summed.sum(axis=(1, 2, 3)) * y).sum(), deals * of_x * of_y)
    return Play(
        name, mean_x, mean_y, square_x - mean_x**2, square_y - mean_y**2, both - mean_x * mean_y,
        {n: Fraction(int(joint[:, i].sum()), deals) for i, n in enumerate(rules.choices)},
    )


def _net(pay: Pay, values: Mapping[str, Exact | None], stake_too: bool) -> Fraction:
    amount = pay.returned(dict(values), prize_returns_stake=stake_too)
    assert is_number(amount)
    return Fraction(amount) - 1
