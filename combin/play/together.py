"""A base game and a side bet on the same hand: their covariance, and the best play for both.

    t = together(combin.analyze("maryland/high-card-flush/base/A"), "maryland/high-card-flush/flush-bonus/A")
    t.plays[0].covariance, t.plays[0].deviation(ante, stake)

The base game pays X antes net, the side bet Y net per unit staked. A side bet on seven cards is settled on a table
whose rows also have the mean of X, so that E[XY] is exact. Some side bets depend on play: a fold forfeits them, a raise
discards. For these the best play for both wagers at the stated stakes is computed as well as the base game's best play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ..analysis.caps import check_allowed
from ..analysis.model import Analysis
from ..analysis.settle import deciding, settle, table_of
from ..base.displayed import Displayed
from ..base.errors import closed, fault
from ..base.exact import Exact, Truncated, is_number, ratio, root, unknowns_in
from ..deals.cards import Shoe
from ..deals.hands_by_length import DECIDING, won_by
from ..deals.table import Table
from ..games.joint import Rules
from ..games.model import Game
from ..rulebook import parameters
from ..rulebook.book import Resolved
from ..rulebook.parameters import BOXES
from ..rulebook.pays import Pay
from ..rulebook.terms import PayoutCap
from .strategy import game_of

FLAG = "--with"
ANTE, STAKE, CAP = "ante", "stake", "cap"


@dataclass(frozen=True)
class JoinedBet:
    """A side bet with its parameters and its stake in dollars."""

    resolved: Resolved
    values: Mapping[str, Exact | None]
    stake: Fraction

    def net(self, pay: Pay) -> Fraction:
        """Return the net result of a pay, per unit staked."""
        amount = pay.returned(dict(self.values), prize_returns_stake=self.resolved.terms.stake_returned_with_prize)
        assert is_number(amount)
        return Fraction(amount) - 1

    @property
    def nets(self) -> dict[str, Fraction]:
        """The net result of each line."""
        return {name: self.net(pay) for name, pay in self.resolved.payments}


@dataclass(frozen=True)
class OneCap:
    """One cap in dollars on the total win of several wagers: ``covers`` lists them, with the base game if ``base``.

    ``hands`` is the number of hands under the cap: one, or the spots of a cap per round. ``distribution`` is that of
    the dollars that several hands of one deck win; empty if it is not counted.
    """

    amount: Fraction
    clause: str
    basis: str
    covers: tuple[str, ...]
    base: bool
    hands: int = 1
    distribution: Mapping[Fraction, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class SideBets:
    """The wagers with a base game: its ante in dollars, side bets on the same hand, one cap on their wins."""

    ante: Fraction
    bets: tuple[JoinedBet, ...]
    cap: OneCap | None = None

    @property
    def stake(self) -> Fraction:
        """Dollars staked on all side bets."""
        return sum((bet.stake for bet in self.bets), Fraction(0))

    @property
    def names(self) -> str:
        return " and ".join(bet.resolved.id for bet in self.bets)


@dataclass(frozen=True)
class Play:
    """Both wagers under one play: ``base`` in antes and ``bonus`` per unit staked are expected net results.

    Several side bets of a hand are combined, per dollar staked on them. ``won`` is the distribution of the dollars that
    a hand wins on the wagers under a cap, without returned stakes; empty without a cap.
    """

    name: str
    base: Fraction
    bonus: Fraction
    base_variance: Fraction
    bonus_variance: Fraction
    covariance: Fraction
    choices: Mapping[str, Fraction]
    won: Mapping[Fraction, Fraction] = field(default_factory=dict)

    def cost(self, cap: OneCap) -> Fraction | None:
        """Return the dollars per round that the cap withholds. Returns None if several hands are not counted."""
        if cap.distribution:
            return _over(cap.distribution, cap.amount)
        return _over(self.won, cap.amount) if cap.hands == 1 else None

    def beyond(self, cap: OneCap) -> Fraction:
        """Return the probability that a hand wins more than the cap."""
        return sum((q for won, q in self.won.items() if won > cap.amount), Fraction(0))

    def expected(self, ante: Fraction, stake: Fraction) -> Fraction:
        """Return the expected dollars per round."""
        return ante * self.base + stake * self.bonus

    def variance(self, ante: Fraction, stake: Fraction) -> Fraction:
        """Return the variance of the dollars per round."""
        return (ante**2 * self.base_variance + stake**2 * self.bonus_variance
                + 2 * ante * stake * self.covariance)

    def deviation(self, ante: Fraction, stake: Fraction) -> Truncated:
        """Return the standard deviation in dollars, truncated to twelve decimals."""
        return root(self.variance(ante, stake))

    @property
    def correlation(self) -> Truncated:
        return correlation(self.covariance, self.base_variance, self.bonus_variance)


@dataclass(frozen=True)
class Together(Displayed):
    """A base game with a side bet; the first play is the best one for the base game."""

    base_id: str
    bonus_id: str
    ante: Fraction
    stake: Fraction
    plays: tuple[Play, ...]
    remarks: tuple[str, ...] = ()
    cap: OneCap | None = None


def together(
    a: Analysis, bonus_id: str | Sequence[str], set: Mapping[str, str] | None = None,
    reading: Mapping[str, str] | None = None,
) -> Any:
    """Return the base game ``a`` with a side bet of the same document on the same hand: a `Together`.

    Blackjack also takes side bets on first cards, several at once, and returns a
    `combin.play.blackjack_seat.BlackjackSeat`. A flush game takes several side bets on the same seven cards. ``set``
    gives the ``ante`` and the ``stake`` of the side bets in dollars (default 1; ``stake.flush-bonus`` for one of them),
    their unknowns, and the ``cap`` in dollars on the win of a hand on all wagers that its clause covers; ``reading``
    gives the side bets' readings. Raises `InputError` for a side bet whose joint distribution with the game is not
    computed.
    """
    game = game_of(a.book, a.id)
    names = [bonus_id] if isinstance(bonus_id, str) else list(bonus_id)
    a.book.check_readings(names, reading or {})
    module = game.module("strategy")
    if hasattr(module, "seat") and (len(names) > 1 or a.book.resolve(names[0]).terms.deal != game.hand):
        return module.seat(a, names, set, reading)
    joins_one = game.hand != "player 7"
    if len(names) > 1 and joins_one:
        raise fault("this game takes one side bet", "name one", file=FLAG)
    items = resolved_bets(a, names, reading)
    for bonus in items:
        _same_hand(a, bonus, game)
    if a.cap is not None:
        raise fault("the cap applies only to the base game", "name a side bet that it also covers", file="--set")
    chosen = dict(set or {})
    rule = None if joins_one else next((rule for item in items for rule in item.caps), None)
    known = dict.fromkeys(n for bonus in items for _, pay in bonus.payments for n in pay.unknowns)
    cap_names = [] if rule is None else [CAP, *filter(None, (rule.limit, BOXES if rule.basis == "round" else ""))]
    ante, stakes = staked(chosen, items, (*sorted(known), *cap_names))
    beside = SideBets(ante, tuple(bet_of(bonus, stake, chosen) for bonus, stake in zip(items, stakes, strict=True)))
    if CAP not in chosen:
        return module.beside(a, beside)
    if rule is None:
        raise fault("no clause allows a cap on these wagers together", "omit the cap", file="--set")
    return module.beside(a, dataclass_replace(beside, cap=_one_cap(a, module, beside, rule, chosen)))


def bet_of(bonus: Resolved, stake: Fraction, chosen: Mapping[str, str]) -> JoinedBet:
    known = {n for _, pay in bonus.payments for n in pay.unknowns}
    values = parameters.values(bonus, {k: v for k, v in chosen.items() if k in known})
    values = {**values, STAKE: stake, ANTE: None}
    amounts = [pay.returned(dict(values)) for _, pay in bonus.payments]
    unknowns = sorted({n for amount in amounts for n in unknowns_in(amount)})
    if unknowns:
        what = f"{bonus.id} depends on {', '.join(unknowns)}"
        raise fault(what, f"set it: --set {unknowns[0]}=VALUE", file="--set")
    return JoinedBet(bonus, values, stake)


def _one_cap(
    a: Analysis, module: Any, beside: SideBets, rule: PayoutCap, chosen: Mapping[str, str]
) -> OneCap:
    """Return the cap that was set. Raises `InputError` for one that the document does not allow."""
    amount, place = dollars(chosen, CAP), f"cap={chosen[CAP]}"
    base = any(rule.clause == document_cap.clause for document_cap in a.resolved.caps)
    covers = tuple(bet.resolved.id for bet in beside.bets if bet.resolved.caps)
    hands = ratio(chosen.get(BOXES, "1"), what="the number of boxes", file="--set")
    most = a.resolved.document.most_boxes
    if hands.denominator != 1 or not 1 <= hands <= most:
        raise fault(f"boxes cannot be {hands}", f"give a whole number from 1 to {most}", file="--set")
    cap = OneCap(amount, rule.clause, rule.basis, (*([a.id] if base else []), *covers), base, int(hands))
    if rule.limit:
        one = tuple(dataclass_replace(bet, stake=Fraction(1)) for bet in beside.bets)
        unit = module.beside(a, SideBets(Fraction(1), one, cap))
        limit = {rule.limit: dollars(chosen, rule.limit) if rule.limit in chosen else None}
        check_allowed(rule, amount, beside.stake, max(unit.plays[0].won), limit, place)
    covered = [bet for bet in beside.bets if bet.resolved.id in covers]
    return dataclass_replace(cap, distribution=_won_together(a, covered, cap.hands))


def _won_together(a: Analysis, bets: Sequence[JoinedBet], hands: int) -> Mapping[Fraction, Fraction]:
    """Return the distribution of the dollars that two or three hands win; empty unless flush lengths determine them."""
    if hands == 1 or any(bet.resolved.terms.depends_on_play for bet in bets):
        return {}
    tables = [table_of(a.book, bet.resolved, Shoe(1), dict(bet.values)) for bet in bets]
    for columns in DECIDING:
        each = [deciding(rows, np.maximum(_nets(bet, rows), 0) * bet.stake, [columns])
                for bet, rows in zip(bets, tables, strict=True)]
        returns = [returned for _, returned in filter(None, each)]
        if len(returns) == len(bets):
            won = {lengths: sum((of[lengths] for of in returns), Fraction(0)) for lengths in returns[0]}
            return won_by(hands, columns, won) or {}
    return {}


def resolved_bets(a: Analysis, names: Sequence[str], reading: Mapping[str, str] | None) -> list[Resolved]:
    """Return the side bets, each under those of the readings that it has. Raises `InputError` for one named twice."""
    if len(dict.fromkeys(names)) < len(names):
        raise fault("a side bet is named twice", "name each once", file=FLAG)
    of_bet = {name: {r.id for r in a.book.readings_of(name)} for name in names}
    return [a.book.resolve(name, {k: v for k, v in (reading or {}).items() if k in of_bet[name]}) for name in names]


def staked(
    chosen: Mapping[str, str], items: Sequence[Resolved], names: Sequence[str]
) -> tuple[Fraction, list[Fraction]]:
    """Return the dollars on the game and on each side bet. Raises `InputError` for a name not among ``names``."""
    stake_names = {item.id: f"{STAKE}.{item.wager}" for item in items}
    known = dict.fromkeys((ANTE, STAKE, *(stake_names.values() if len(items) > 1 else ()), *names))
    for name in chosen:
        if name not in known and name not in stake_names.values():
            raise fault(f'these wagers have no value "{name}"', f"known: {', '.join(known)}", file="--set")
    stakes = [dollars(chosen, stake_names[item.id] if stake_names[item.id] in chosen else STAKE) for item in items]
    return dollars(chosen, ANTE), stakes


def dollars(chosen: Mapping[str, str], name: str) -> Fraction:
    """Return the value of a name in dollars, by default 1."""
    value = ratio(chosen[name], what=f"the value of {name}", file="--set") if name in chosen else Fraction(1)
    if value <= 0:
        raise fault(f"{name} cannot be {value}", "give dollars above 0", file="--set")
    return value


def correlation(covariance: Fraction, one: Fraction, other: Fraction) -> Truncated:
    """Return the covariance divided by both standard deviations, from the variances; 0 if one variance is 0.

    The root is truncated to 24 decimals.
    """
    return Truncated(covariance / root(one * other, 24) if one and other else 0)


def _over(won: Mapping[Fraction, Fraction], most: Fraction) -> Fraction:
    """Return the expected dollars above ``most`` under a distribution of dollars."""
    return sum((p * (x - most) for x, p in won.items() if x > most), Fraction(0))


#: What a base game shares with a side bet, by the deal of the side bet.
SHARED = {
    "player 7": ("the player's seven cards", "name a bonus on seven cards"),
    "cards 4": ("the four cards of the two hands", "name super-match"),
    "player plays the chart, dealer draws out": ("the drawn-out hand", "name bad-beat-progressive"),
}


def _same_hand(a: Analysis, bonus: Resolved, game: Game) -> None:
    """Raise `InputError` for a side bet that is not settled on the cards of this game's player."""
    if not a.book.may_share_a_table(bonus, a.resolved):
        raise fault(f"{bonus.id} and {a.id} are wagers of different documents",
                    f"name a side bet of {a.resolved.document.id}", file=FLAG)
    if bonus.terms.deal != game.hand:
        cards, remedy = SHARED.get(game.hand, ("the cards of its player", "name another side bet"))
        raise fault(f"{bonus.id} is not settled on {cards}, so its joint distribution with the base game is not known",
                    remedy, file=FLAG)


def play_of(name: str, beside: SideBets, rows: Table, joint: Any, rules: Rules) -> Play:
    """Return moments of X and Y from ``joint`` [row][choice][qualifies][result]; Y is settled by row.

    Sums are of integers, X in units of 1/``rules.unit`` ante and Y with a common denominator for all side bets.
    """
    each = [_nets(bet, rows) for bet in beside.bets]
    won = sum(net * bet.stake for net, bet in zip(each, beside.bets, strict=True)) / beside.stake
    deals, of_x = rows.deals, rules.unit
    of_y = lcm(*(x.denominator for x in won))
    y = np.array([int(x * of_y) for x in won], dtype=object)
    x = np.moveaxis(rules.utility, -1, 0)[rows["flush"] - 2]  # no hand has a best flush of one card
    summed = joint * x
    weights = joint.sum(axis=(1, 2, 3))
    mean_x, square_x = Fraction(summed.sum(), deals * of_x), Fraction((summed * x).sum(), deals * of_x**2)
    mean_y = Fraction((weights * y).sum(), deals * of_y)
    square_y = Fraction((weights * y * y).sum(), deals * of_y**2)
    both = Fraction((summed.sum(axis=(1, 2, 3)) * y).sum(), deals * of_x * of_y)
    return Play(
        name, mean_x, mean_y, square_x - mean_x**2, square_y - mean_y**2, both - mean_x * mean_y,
        {n: Fraction(int(joint[:, i].sum()), deals) for i, n in enumerate(rules.choices)},
        {} if beside.cap is None else _won(beside, beside.cap, each, joint, x, rules.unit, deals),
    )


def _nets(bet: JoinedBet, rows: Table) -> Any:
    """Return the net result of a side bet by row, per unit staked."""
    settled, _ = settle(rows, bet.resolved)
    won = np.full(len(rows), Fraction(-1), dtype=object)
    for _, pay, taken in settled:
        won[taken] = bet.net(pay)
    return won


def _won(
    beside: SideBets, cap: OneCap, each: Sequence[Any], joint: Any, x: Any, unit: int, deals: int
) -> Mapping[Fraction, Fraction]:
    """Return the distribution of the dollars that the wagers under a cap win on a hand; losses are 0."""
    bonus = np.full(len(joint), Fraction(0), dtype=object)
    for net, bet in zip(each, beside.bets, strict=True):
        if bet.resolved.id in cap.covers:
            bonus += np.maximum(net, 0) * bet.stake
    counts: Counter[Fraction] = Counter()
    base = np.maximum(x, 0) if cap.base else np.zeros_like(x)
    for value in np.unique(base):
        deals_by_row = np.where(base == value, joint, 0).sum(axis=(1, 2, 3))
        for row in np.flatnonzero(deals_by_row):
            counts[bonus[row] + beside.ante * Fraction(int(value), unit)] += int(deals_by_row[row])
    closed("hands under a cap", sum(counts.values()), deals)
    return {amount: Fraction(n, deals) for amount, n in sorted(counts.items())}
