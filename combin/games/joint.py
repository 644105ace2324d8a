"""Integer utilities from a game's pays, and rows and figures from its joint table.

A joint table counts deals by [choice][dealer qualifies][result][category]. A game names its categories: the length of a
flush or the class of a poker hand.

Amounts are in antes. The return is 1 + expected net result; the contribution of an
outcome is its probability × (1 + net).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import numpy as np

from ..base.errors import CountError, closed, fault, nearest
from ..base.exact import grouped, root
from ..rulebook.book import Resolved
from .model import Estimate, GameFigures, StakedWager, WagerOutcome
from .outcome import Outcome

WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
LENGTHS = tuple(WORDS)
FLUSHES = tuple(f"{word}-card flush" for word in WORDS.values())
RESULTS = ("lose", "tie", "win")
QUALIFIES = ("dealer does not qualify", "dealer qualifies")
#: The rounds of several spots from which a covariance is estimated.
SPOTS, ROUNDS, SEED = 6, 200_000, 1


@dataclass(frozen=True)
class SeparateBets:
    """One wager of a base game: its stake and net result in each cell of the joint table.

    ``settle(choice, qualifies, result, category)`` takes the four indices and returns (stake, net, outcome, pays). A
    bonus has a net result and no stake.
    """

    name: str
    settle: Callable[[int, int, int, int], tuple[int | Fraction, Fraction, str, str]]
    bonus: bool = False


@dataclass(frozen=True)
class Rules:
    """A base game with its pays: exact net results, in antes.

    ``net[choice][qualifies][result][category]`` are Fractions. ``staked[choice]`` is the
    total stake after a choice, ``initial`` the stake before the cards. The names of an axis that a game does not have
    are ("",). The results of a choice in ``uncompared`` have no names.
    """

    choices: tuple[str, ...]
    net: Any
    staked: tuple[int | Fraction, ...]
    initial: int | Fraction
    #: The separate wagers; empty under a payout cap, which limits their total win.
    wagers: tuple[SeparateBets, ...] = ()
    categories: tuple[str, ...] = FLUSHES
    qualifies: tuple[str, ...] = QUALIFIES
    results: tuple[str, ...] = RESULTS
    uncompared: frozenset[int] = frozenset()

    def cell(self, choice: int, qualifies: int, result: int, category: int) -> tuple[str, str, str, str]:
        """Return the four words that describe a cell of the joint table; "" for an axis that the game does not have."""
        compared = "" if choice in self.uncompared else self.results[result]
        return self.choices[choice], self.qualifies[qualifies], compared, self.categories[category]

    @property
    def unit(self) -> int:
        """Return the common denominator of the net results."""
        return lcm(*(Fraction(x).denominator for x in self.net.flat))

    @property
    def utility(self) -> Any:
        """Return the net results as integers in units of 1/``unit`` ante."""
        unit = self.unit
        return np.array([int(x * unit) for x in self.net.flat], dtype=object).reshape(self.net.shape)


def compared(stake: int, result: int, pay: Fraction, names: Sequence[str]) -> tuple[int, Fraction, str, str]:
    """Settle a stake that is compared with the dealer's hand; ``names`` of the outcomes are by result."""
    nets = (Fraction(-stake), Fraction(0), pay * stake)
    return stake, nets[result], names[result], ("", "push", f"{pay} to 1")[result]


def even_pay(resolved: Resolved, line: str) -> Fraction:
    """Return the win per unit on the line of a stake; raise `InputError` if the line does not return the stake."""
    pays = dict(resolved.lines)
    if line not in pays:
        raise lines_fault(resolved, f'the game has no line "{line}"', f'add "{line}" = "1 to 1"')
    pay = pays[line]
    if not pay.stake_back or pay.unknowns or pay.needs_stake:
        raise lines_fault(resolved, f'"{line}" pays "{pay.text}"', 'write odds: "1 to 1"', line)
    return pay.odds


def lines_fault(resolved: Resolved, what: str, remedy: str, line: str = "") -> Exception:
    """Return the fault of a line of the paytable, or of the paytable itself, at its place in the user's file."""
    paytable = resolved.paytable
    place = paytable.places.get(line) or paytable.places.get("") or paytable.id
    return fault(what, remedy, file=paytable.file or resolved.id, place=place)


def only(resolved: Resolved, known: Sequence[str]) -> None:
    for line, _ in resolved.lines:
        if line not in known:
            raise lines_fault(resolved, f'the game has no line "{line}"', nearest(line, known), line)


def outcome_rows(rules: Rules, joint: Any, deals: int) -> tuple[Outcome, ...]:
    """Return the cells of a joint table that occur, as outcomes."""
    rows = []
    for index in np.ndindex(*joint.shape):
        cell = (index[0], *(size - 1 - i for size, i in zip(joint.shape[1:], index[1:], strict=True)))
        count, net = int(joint[cell]), rules.net[cell]
        if count:
            words = rules.cell(*cell)
            rows.append(Outcome(", ".join(filter(None, words)), _net_text(net), count, Fraction(count, deals), 1 + net,
                            cell=words))
    return tuple(rows)


def _net_text(net: Fraction) -> str:
    return f"wins {net}" if net > 0 else f"loses {-net}" if net < 0 else "push"


def figures(
    rules: Rules, joint: Any, deals: int, ties: Mapping[str, int], solution: Any,
    ends: Callable[[int, int, int], Any] | None = None, product: Callable[[], Fraction | None] | None = None,
) -> GameFigures:
    """Return the figures of a joint table of deals by choice, dealer qualifies, result and category.

    ``ends(spots, rounds, seed)`` deals rounds and returns the index in the joint table at which each spot ends.
    Without it there is no covariance of spots.
    ``product`` returns the mean product of the net results of two spots, if it is counted.
    """
    shares = [Fraction(int(n), deals) for n in joint.sum(axis=(1, 2, 3))]
    expected = Fraction((joint * rules.net).sum()) / deals
    return GameFigures.of_rows(
        outcome_rows(rules, joint, deals),
        sum((share * staked for share, staked in zip(shares, rules.staked, strict=True)), Fraction(0)),
        dict(zip(rules.choices, shares, strict=True)),
        initial_units=rules.initial,
        frequencies={"dealer_qualifies": Fraction(int(joint[:, 1].sum()), deals)} if joint.shape[1] == 2 else {},
        ties=ties,
        solution=solution,
        wagers_of=partial(wagers_apart, rules, joint, deals, expected),
        covariance=None if ends is None else partial(_covariance, rules, expected, ends, product),
    )


def _covariance(
    rules: Rules, expected: Fraction, ends: Callable[[int, int, int], Any],
    product: Callable[[], Fraction | None] | None,
) -> Fraction | Estimate:
    counted = product() if product else None
    return covariance(rules, expected, ends(SPOTS, ROUNDS, SEED)) if counted is None else counted - expected**2


def covariance(rules: Rules, expected: Fraction, ends: Any) -> Estimate:
    """Return the covariance of the net results of two spots, from the indices at which spots end, ``[round][spot]``.

    The mean is exact. All pairs of a round give one value, so the error allows for what the spots share.
    """
    unit, (rounds, spots) = rules.unit, ends.shape
    net = rules.utility.reshape(-1)[ends]  # Python integers: sums cannot overflow
    mean, pairs = expected * unit, spots * (spots - 1)
    values: Counter[Fraction] = Counter()
    for (total, squares), n in Counter(zip(net.sum(axis=1), (net * net).sum(axis=1), strict=True)).items():
        aside = squares - 2 * mean * total + spots * mean**2
        values[((total - spots * mean) ** 2 - aside) / (pairs * unit**2)] += n
    value = sum((v * n for v, n in values.items()), Fraction(0)) / rounds
    spread = sum(((v - value) ** 2 * n for v, n in values.items()), Fraction(0)) / (rounds - 1)
    how = f"{grouped(rounds)} rounds of {spots} spots dealt, seed {SEED}"
    return Estimate(value, root(spread / rounds), how)


def wagers_apart(rules: Rules, joint: Any, deals: int, expected: Fraction) -> tuple[StakedWager, ...]:
    """Return each wager with its outcomes; raise `CountError` if their net results do not add up to the round's."""
    wagers = []
    for wager in rules.wagers:
        rows: dict[tuple[str, str, Fraction, bool], int] = {}
        staked: int | Fraction = 0
        for cell in np.ndindex(*joint.shape):
            if count := int(joint[cell]):
                stake, net, outcome, pays = wager.settle(*cell)
                staked += stake * count
                key = outcome, pays, net, stake > 0 or wager.bonus
                rows[key] = rows.get(key, 0) + count
        closed(f"deals of the {wager.name}", sum(rows.values()), deals)
        order = sorted(rows, key=lambda key: (-key[2], key[0]))
        wagers.append(StakedWager(
            wager.name,
            tuple(WagerOutcome(*key[:2], rows[key], Fraction(rows[key], deals), *key[2:]) for key in order),
            Fraction(staked, deals),
            sum((key[2] * count for key, count in rows.items()), Fraction(0)) / deals,
        ))
    if wagers and sum(w.net for w in wagers) != expected:
        raise CountError("the net results of the wagers do not add up to that of the round")
    return tuple(wagers)
