"""The base games as analyses: pays to integer utilities, the joint table to outcomes and figures.

Amounts are in antes. The return is 1 + expected net result; the contribution of an
outcome is its probability × (1 + net).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np

from ..analysis import caps
from ..analysis.model import Analysis
from ..analysis.outcome import Outcome, Request
from ..base.errors import fault, nearest
from ..base.exact import Exact
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.pays import Pay
from .chase_the_flush import solve as chase_the_flush
from .high_card_flush import solve as high_card_flush

WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
LENGTHS = tuple(WORDS)
RESULTS = ("lose", "tie", "win")
QUALIFIES = ("dealer does not qualify", "dealer qualifies")


@dataclass(frozen=True)
class GameFigures:
    """What a game with decisions has beside the figures of every wager; amounts in antes.

    ``ties`` counts positions in which two choices are worth exactly the same.
    """

    expected_value: Fraction
    average_wager: Fraction
    initial_units: int
    win_frequency: Fraction
    push_frequency: Fraction
    loss_frequency: Fraction
    dealer_qualifies: Fraction
    choices: Mapping[str, Fraction]
    ties: Mapping[str, int]
    solution: Any = field(repr=False, compare=False)

    @property
    def element_of_risk(self) -> Fraction:
        """−expected net ÷ average wager."""
        return -self.expected_value / self.average_wager

    @property
    def house_edge_per_initial_units(self) -> Fraction:
        """−expected net ÷ all that is staked before the cards: the ante, and the X-tra Bonus where there is one."""
        return -self.expected_value / self.initial_units

    def figures(self) -> dict[str, Fraction]:
        """Every figure by its name in the JSON form."""
        return {
            "expected_value": self.expected_value,
            "average_wager": self.average_wager,
            "element_of_risk": self.element_of_risk,
            "house_edge_per_initial_units": self.house_edge_per_initial_units,
            "win_frequency": self.win_frequency,
            "push_frequency": self.push_frequency,
            "loss_frequency": self.loss_frequency,
            "dealer_qualifies": self.dealer_qualifies,
            **{f"chooses_{name.replace(' ', '_')}": share for name, share in self.choices.items()},
        }


@dataclass(frozen=True)
class Rules:
    """A base game with its pays: exact net results, in antes.

    ``net[choice][qualifies][result][length - 2]`` are Fractions, ``staked[choice]`` what
    a player who chooses so has on the table, ``initial`` what is staked before the cards.
    """

    choices: tuple[str, ...]
    net: Any
    staked: tuple[int, ...]
    initial: int

    @property
    def unit(self) -> int:
        """The common denominator of the net results."""
        return lcm(*(Fraction(x).denominator for x in self.net.flat))

    @property
    def utility(self) -> Any:
        """The net results as integers in units of 1/``unit`` ante."""
        unit = self.unit
        return np.array([int(x * unit) for x in self.net.flat], dtype=object).reshape(self.net.shape)


def _even_pay(resolved: Resolved, line: str) -> Fraction:
    """What the line of a stake wins per unit; such a line must give the stake back."""
    pays = dict(resolved.lines)
    if line not in pays:
        raise _lines_fault(resolved, f'the game has no line "{line}"', f'add "{line}" = "1 to 1"')
    pay = pays[line]
    if not pay.stake_back or pay.unknowns or pay.needs_stake:
        raise _lines_fault(resolved, f'"{line}" pays "{pay.text}"', 'write odds: "1 to 1"')
    return pay.odds


def _lines_fault(resolved: Resolved, what: str, remedy: str) -> Exception:
    return fault(what, remedy, file=resolved.paytable.file or resolved.id, place=resolved.paytable.id)


def high_card_flush_rules(resolved: Resolved) -> Rules:
    """Ante and raise of High Card Flush: the ante wins where the dealer does not qualify, the raise pushes."""
    _only(resolved, ("ante", "raise"))
    ante, more = _even_pay(resolved, "ante"), _even_pay(resolved, "raise")
    limits = resolved.options["raise_limit"]
    most = max(limits)
    net = np.zeros((most + 1, 2, 3, len(LENGTHS)), dtype=object)
    net[...] = Fraction(0)
    net[0] = Fraction(-1)
    for multiple in range(1, most + 1):
        net[multiple, 0] = ante
        net[multiple, 1, 0] = Fraction(-1 - multiple)
        net[multiple, 1, 2] = ante + more * multiple
    names = ("fold", *(f"raise {m}x" for m in range(1, most + 1)))
    return Rules(names, net, tuple(1 + m for m in range(most + 1)), 1)


def bonus_by_length(resolved: Resolved) -> dict[int, Fraction]:
    """What the X-tra Bonus wins, per unit, for each flush length; 0 where it pushes."""
    names = {f"{WORDS[n]}-card flush": n for n in (7, 6, 5, 4, 3, 2)}
    pushes = {f"less than a {WORDS[n]}-card flush": n for n in (4, 5, 6, 7)}
    _only(resolved, ("ante", "all in", *names, *pushes))
    pays: dict[int, Fraction] = dict.fromkeys(LENGTHS, Fraction(0))
    for line, pay in resolved.lines:
        if line in names:
            if not pay.stake_back or pay.unknowns or pay.needs_stake:
                raise _lines_fault(resolved, f'"{line}" pays "{pay.text}"', 'write odds: "20 to 1"')
            pays[names[line]] = pay.odds
        elif line in pushes and pay.odds:
            raise _lines_fault(resolved, f'"{line}" pays "{pay.text}"', 'write "push", or name the lengths one by one')
    return pays


def chase_the_flush_rules(resolved: Resolved, most: Fraction | None = None) -> Rules:
    """Ante, X-tra Bonus and All In: the ante pushes where the dealer does not qualify, the others are compared.

    ``most`` is what a payout cap lets a hand win, in antes.
    """
    ante, all_in = _even_pay(resolved, "ante"), _even_pay(resolved, "all in")
    raises = tuple(resolved.options["raises"])
    bonus = bonus_by_length(resolved)
    net = np.zeros(chase_the_flush.SHAPE, dtype=object)
    net[...] = Fraction(0)
    for choice, stake in enumerate(raises):
        for qualifies in range(2):
            net[choice, qualifies, 0] = Fraction(-stake - 1 - qualifies)
            net[choice, qualifies, 2] = [all_in * stake + ante * qualifies + bonus[n] for n in LENGTHS]
    net[3] = Fraction(-2)
    if most is not None:
        net[net > most] = most
    names = (*(f"all in {stake}x" for stake in raises), "fold")
    return Rules(names, net, (*(2 + stake for stake in raises), 2), 2)


def _only(resolved: Resolved, known: Sequence[str]) -> None:
    for line, _ in resolved.lines:
        if line not in known:
            raise _lines_fault(resolved, f'the game has no line "{line}"', nearest(line, known))


def game_lines(resolved: Resolved) -> tuple[str, ...]:
    """The names that a paytable of this game may list."""
    if resolved.data["game"] == "must-hit":
        return ("random winner",)
    if resolved.data["game"] == "high-card-flush":
        return ("ante", "raise")
    flushes = [f"{WORDS[n]}-card flush" for n in (7, 6, 5, 4, 3, 2)]
    return ("ante", "all in", *flushes, *(f"less than a {WORDS[n]}-card flush" for n in (4, 5, 6, 7)))


def high_card_flush_game(resolved: Resolved) -> high_card_flush.Game:
    rules = high_card_flush_rules(resolved)
    limits = resolved.options["raise_limit"]
    qualifies = {"yes": "qualifies", "no": "does-not"}[resolved.options.get("long_flush_qualifies", "yes")]
    return high_card_flush.Game(rules.utility, tuple(1 + n for n in limits), qualifies)


@lru_cache(maxsize=8)
def _solved_high_card_flush(key: tuple[Any, ...]) -> high_card_flush.Solution:
    utility, shape, open_choices, long_flush = key
    game = high_card_flush.Game(np.array(utility, dtype=object).reshape(shape), open_choices, long_flush)
    return high_card_flush.solve(game)


def solve_high_card_flush(resolved: Resolved) -> high_card_flush.Solution:
    """The optimal play of a resolved base game, kept for the process."""
    game = high_card_flush_game(resolved)
    utility = np.array(game.utility, dtype=object)
    return _solved_high_card_flush((tuple(utility.flat), utility.shape, game.open_choices, game.long_flush))


_chase_solutions: dict[tuple[str, tuple[int, ...]], chase_the_flush.Solution] = {}


def solve_chase_the_flush(
    book: Rulebook, resolved: Resolved, most: Fraction | None = None
) -> chase_the_flush.Solution:
    """The optimal play of a resolved base game, kept for the process.

    The other paytables of the same wager are solved in the same pass over the deals:
    the second costs little beside the first.
    """
    tie = resolved.options.get("river_tie", "fold")
    own = _chase_key(resolved, most)
    if (tie, own) not in _chase_solutions:
        wager = book.wagers[resolved.wager_id]
        chosen = dict(resolved.readings)
        siblings = [book.resolve(f"{wager.id}/{p}", chosen) for p in wager.paytables] if most is None else []
        keys = list(dict.fromkeys([own, *(_chase_key(s) for s in siblings if not s.paytable.file)]))
        missing = [k for k in keys if (tie, k) not in _chase_solutions][:2]
        tables = [np.array(k, dtype=object).reshape(chase_the_flush.SHAPE) for k in missing]
        for key, solution in zip(missing, chase_the_flush.solve(tables, tie=tie), strict=True):
            _chase_solutions[tie, key] = solution
    return _chase_solutions[tie, own]


def _chase_key(resolved: Resolved, most: Fraction | None = None) -> tuple[int, ...]:
    return tuple(int(x) for x in chase_the_flush_rules(resolved, most).utility.flat)


def _cap(resolved: Resolved, values: Mapping[str, Exact | None]) -> caps.Cap | None:
    """The payout cap on a hand of the game, whose stake is the ante: it limits what ante, bets and bonus win."""
    if not resolved.caps:
        return None
    top = Fraction(max(chase_the_flush_rules(resolved).net.flat))
    return caps.in_force(resolved, values, [("hand", Pay("hand"), top)])


def analyse(book: Rulebook, request: Request, resolved: Resolved, values: Mapping[str, Exact | None]) -> Analysis:
    """The analysis of a base game under optimal play."""
    from ..rulebook import parameters

    if resolved.data["game"] == "must-hit":
        from ..analysis import must_hit

        return must_hit.analyse(book, request, resolved, values)
    if request.without:
        raise fault("a base game is solved for one full deck", "leave out --without", file="--without")
    cap = _cap(resolved, values)
    if resolved.data["game"] == "high-card-flush":
        rules = high_card_flush_rules(resolved)
        hcf = solve_high_card_flush(resolved)
        joint = hcf.joint.sum(-1).astype(object)
        ties = {"hands": hcf.tied_hands}
        solution: Any = hcf
        deals, classes = high_card_flush.DEALS, high_card_flush.CLASSES
    else:
        most = cap.amount / cap.stake if cap is not None else None
        rules = chase_the_flush_rules(resolved, most)
        ctf = solve_chase_the_flush(book, resolved, most)
        joint, ties, solution = ctf.joint, dict(ctf.ties), ctf
        deals, classes = chase_the_flush.DEALS, len(ctf.values)
    outcomes = outcome_rows(rules, joint, deals)
    game = figures(rules, joint, deals, ties, solution)
    if sum(o.probability for o in outcomes) != 1:
        raise AssertionError(f"closure: the joint table of {request.id} does not hold every deal once")
    return Analysis(
        id=request.id,
        name=resolved.name,
        clause=resolved.clause,
        decks=request.decks,
        condition=None,
        readings=resolved.readings,
        parameters=parameters.shown(resolved, values),
        deals=deals,
        classes=classes,
        outcomes=outcomes,
        resolved=resolved,
        request=request,
        book=book,
        game=game,
        cap=cap,
    )


def outcome_rows(rules: Rules, joint: Any, deals: int) -> tuple[Outcome, ...]:
    """The cells of a joint table that occur, as outcomes."""
    found = []
    for choice, qualifies, result, length in np.ndindex(*joint.shape):
        count = int(joint[choice, 1 - qualifies, 2 - result, 5 - length])
        if not count:
            continue
        net = rules.net[choice, 1 - qualifies, 2 - result, 5 - length]
        found.append(
            Outcome(
                f"{rules.choices[choice]}, {QUALIFIES[1 - qualifies]}, {RESULTS[2 - result]}, "
                f"{WORDS[7 - length]}-card flush",
                _net_text(net),
                count,
                Fraction(count, deals),
                1 + net,
            )
        )
    return tuple(found)


def _net_text(net: Fraction) -> str:
    return f"wins {net}" if net > 0 else f"loses {-net}" if net < 0 else "push"


def figures(rules: Rules, joint: Any, deals: int, ties: Mapping[str, int], solution: Any) -> GameFigures:
    """The figures of a joint table of deals by choice, dealer qualifies, result and flush length."""
    net = rules.net
    by_choice = joint.sum(axis=(1, 2, 3))
    expected = Fraction((joint * net).sum()) / deals
    sign = {1: Fraction(0), 0: Fraction(0), -1: Fraction(0)}
    for cell in np.ndindex(*joint.shape):
        sign[(net[cell] > 0) - (net[cell] < 0)] += Fraction(int(joint[cell]), deals)
    return GameFigures(
        expected_value=expected,
        average_wager=sum(
            (Fraction(int(n), deals) * s for n, s in zip(by_choice, rules.staked, strict=True)), Fraction(0)
        ),
        initial_units=rules.initial,
        win_frequency=sign[1],
        push_frequency=sign[0],
        loss_frequency=sign[-1],
        dealer_qualifies=Fraction(int(joint[:, 1].sum()), deals),
        choices={name: Fraction(int(n), deals) for name, n in zip(rules.choices, by_choice, strict=True)},
        ties=ties,
        solution=solution,
    )


__all__ = [
    "GameFigures",
    "Pay",
    "Rules",
    "analyse",
    "chase_the_flush_rules",
    "figures",
    "game_lines",
    "high_card_flush_rules",
    "outcome_rows",
    "solve_chase_the_flush",
    "solve_high_card_flush",
]
