"""Rounds and settlements of games, written here from ../shared/reference/carnival.md and from no file of combin's.

A settlement is made by a function of (leaf, dealer qualifies, result, category of the player's hand), where a category
is the name of the last of `lines` that the hand reaches. Results are -1, 0, 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from combin.games.showdown.hand_orders import named
from combin.games.showdown.round import Choice, Hand, Leaf, Round, Street
from combin.games.showdown.settlement import Settlement

Net = Callable[[Leaf, bool, int, str], "Fraction | int"]
FULL = "23456789TJQKA"
ONE = Fraction(1)


def settlement(round: Round, net: Net, lines: Sequence[str]) -> Settlement:
    """The settlement of a net result in units; ``lines`` are named hands, ascending."""
    cuts = tuple(named(round.order, line).low for line in lines)
    assert list(cuts) == sorted(set(cuts))
    qualify = None if round.qualifies is None else named(round.order, round.qualifies).low
    shape = len(round.leaves), 1 if qualify is None else 2, 3 if round.dealer else 1, len(cuts) + 1, 1
    table = np.zeros(shape, dtype=object)
    for leaf, q, result, line, _ in np.ndindex(*shape):
        table[leaf, q, result, line, 0] = Fraction(net(
            round.leaves[leaf], qualify is None or q == 1, result - 1 if round.dealer else 1,
            lines[line - 1] if line else ""))
    unit = lcm(*(x.denominator for x in table.flat))
    return Settlement(table * unit, unit, cuts, (), qualify)


def street(deal: str, **choices: str) -> Street:
    """A street: ``player 2, dealer 2`` and choices ``name="bet 2 then"``."""
    dealt = tuple((role, int(cards)) for role, cards in (part.split() for part in deal.split(", ")))
    return Street(dealt, tuple(choice(name, text) for name, text in choices.items()))


def choice(name: str, text: str, needs: str | None = None) -> Choice:
    *stake, then = text.split()
    stakes = ((" ".join(stake[:-1]), Fraction(stake[-1])),) if stake else ()
    return Choice(name, stakes, then, needs)  # type: ignore[arg-type]


def staked(leaf: Leaf, bet: str) -> Fraction:
    return dict(leaf.stakes).get(bet, Fraction(0))


def three_card_poker(
    bonus: tuple[int, int, int] = (1, 4, 5), ranks: str = FULL, exposed: int = 0
) -> tuple[Round, Settlement]:
    deal = f"player 3, dealer {3 - exposed}" + (f", upcard {exposed}" if exposed else "")
    round = Round(
        "three-card poker", Hand(None, ("player",)), Hand(None, ("dealer", "upcard") if exposed else ("dealer",)),
        "queen high", (("ante", ONE),), (("ante bonus", "ante"),), "least stake", ranks,
        (street(deal, fold="fold", play="play 1 showdown"),))
    lines = ("straight", "three of a kind", "straight flush")

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> int:
        if leaf.folded:
            return -1
        won = 2 * result if qualifies else 1
        return won + (bonus[lines.index(line)] if line else 0)

    return round, settlement(round, net, lines)


def ultimate_three_card_poker() -> tuple[Round, Settlement]:
    pays = {"": 0, "flush": 1, "straight": Fraction(3, 2), "three of a kind": 6, "straight flush": 8,
            "straight flush ace high": 100}
    choices = (choice("fold", "fold"), choice("play 1", "play 1 showdown"), choice("play 3", "play 3 showdown", "pair"))
    round = Round(
        "three-card poker", Hand(None, ("player",)), Hand(None, ("dealer", "upcard")), "queen high",
        (("ante", ONE), ("blind", ONE)), (), "least stake", FULL,
        (Street((("player", 3), ("dealer", 2), ("upcard", 1)), choices),))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -2
        blind = pays[line] if result > 0 else result
        return (result if qualifies else 0) + blind + staked(leaf, "play") * result

    return round, settlement(round, net, [line for line in pays if line])


CARIBBEAN = {"": 1, "two pair": 2, "three of a kind": 3, "straight": 4, "flush": 5, "full house": 7,
             "four of a kind": 20, "straight flush": 50, "royal flush": 100}


def caribbean_stud() -> tuple[Round, Settlement]:
    round = Round(
        "five-card poker", Hand(None, ("player",)), Hand(None, ("dealer", "upcard")), "ace-king high",
        (("ante", ONE),), (), "least stake", FULL,
        (street("player 5, dealer 4, upcard 1", fold="fold", bet="raise 2 showdown"),))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> int:
        if leaf.folded:
            return -1
        if not qualifies:
            return 1
        return 1 + 2 * CARIBBEAN[line] if result > 0 else 3 * result

    return round, settlement(round, net, [line for line in CARIBBEAN if line])


def crazy_four_poker() -> tuple[Round, Settlement]:
    pays = {"straight": 1, "flush": Fraction(3, 2), "three of a kind": 2, "straight flush": 15, "four of a kind": 30,
            "four aces": 200}
    choices = (choice("fold", "fold"), choice("play 1", "play 1 showdown"),
               choice("play 3", "play 3 showdown", "pair of aces"))
    round = Round(
        "four-card poker", Hand(4, ("player",)), Hand(4, ("dealer",)), "king high", (("ante", ONE), ("super", ONE)),
        (), "least stake", FULL, (Street((("player", 5), ("dealer", 5)), choices),))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -2
        bonus = pays[line] if line else (-1 if result < 0 and qualifies else 0)
        if not qualifies:
            return staked(leaf, "play") + bonus
        return (1 + staked(leaf, "play")) * result + bonus

    return round, settlement(round, net, list(pays))


def four_card_poker() -> tuple[Round, Settlement]:
    pays = {"": 0, "three of a kind": 2, "straight flush": 20, "four of a kind": 25}
    round = Round(
        "four-card poker", Hand(4, ("player",)), Hand(4, ("dealer", "upcard")), None, (("ante", ONE),),
        (("ante bonus", "ante"),), "least stake", FULL,
        (street("player 5, dealer 5, upcard 1", fold="fold", one="play 1 showdown", two="play 2 showdown",
                three="play 3 showdown"),))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -1
        return (1 + staked(leaf, "play")) * (1 if result >= 0 else -1) + pays[line]

    return round, settlement(round, net, [line for line in pays if line])


RIDE = {"": -1, "pair of tens": 1, "two pair": 2, "three of a kind": 3, "straight": 5, "flush": 8, "full house": 11,
        "four of a kind": 50, "straight flush": 200, "royal flush": 1000}


def let_it_ride(equal_choices: str = "least stake") -> tuple[Round, Settlement]:
    round = Round(
        "five-card poker", Hand(5, ("player", "board")), None, None, (("third", ONE),), (), equal_choices,  # type: ignore[arg-type]
        FULL, (street("player 3", pull="next", ride="first 1 next"),
               street("board 1", pull="showdown", ride="second 1 showdown"), street("board 1")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction:
        return leaf.staked * RIDE[line]

    return round, settlement(round, net, [line for line in RIDE if line])


def mississippi_stud(straight: int = 4) -> tuple[Round, Settlement]:
    pays = {"": -1, "pair of sixes": 0, "pair of jacks": 1, "two pair": 2, "three of a kind": 3, "straight": straight,
            "flush": 6, "full house": 10, "four of a kind": 40, "straight flush": 100, "royal flush": 500}

    def bets(name: str, then: str) -> dict[str, str]:
        return {"fold": "fold", "one": f"{name} 1 {then}", "two": f"{name} 2 {then}", "three": f"{name} 3 {then}"}

    round = Round(
        "five-card poker", Hand(5, ("player", "board")), None, None, (("ante", ONE),), (), "greatest stake", FULL,
        (street("player 2", **bets("third", "next")), street("board 1", **bets("fourth", "next")),
         street("board 1", **bets("fifth", "showdown")), street("board 1")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction:
        return -leaf.staked if leaf.folded else leaf.staked * pays[line]

    return round, settlement(round, net, [line for line in pays if line])


def casino_holdem(ranks: str = FULL) -> tuple[Round, Settlement]:
    pays = {"": 1, "flush": 2, "full house": 3, "four of a kind": 10, "straight flush": 20, "royal flush": 100}
    round = Round(
        "five-card poker", Hand(5, ("player", "board")), Hand(5, ("dealer", "board")), "pair of fours",
        (("ante", ONE),), (), "least stake", ranks,
        (street("player 2, dealer 2"), street("board 3", fold="fold", call="call 2 showdown"), street("board 2")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> int:
        if leaf.folded:
            return -1
        if not qualifies:
            return pays[line]
        return pays[line] + 2 if result > 0 else 3 * result

    return round, settlement(round, net, [line for line in pays if line])


def texas_holdem_bonus(ante: str = "straight") -> tuple[Round, Settlement]:
    round = Round(
        "five-card poker", Hand(5, ("player", "board")), Hand(5, ("dealer", "board")), None, (("ante", ONE),), (),
        "least stake", FULL,
        (street("player 2, dealer 2", fold="fold", flop="flop 2 next"),
         street("board 3", check="next", turn="turn 1 next"),
         street("board 1", check="showdown", river="river 1 showdown"), street("board 1")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -1
        first = (1 if line else 0) if result > 0 else result
        return first + result * (leaf.staked - 1)

    return round, settlement(round, net, [ante])


BLIND = {"": 0, "straight": 1, "flush": Fraction(3, 2), "full house": 3, "four of a kind": 10, "straight flush": 50,
         "royal flush": 500}


def ultimate_texas_holdem(ranks: str = FULL, three: bool = True) -> tuple[Round, Settlement]:
    opening = {"check": "next", "four": "play 4 showdown", **({"three": "play 3 showdown"} if three else {})}
    round = Round(
        "five-card poker", Hand(5, ("player", "board")), Hand(5, ("dealer", "board")), "pair",
        (("ante", ONE), ("blind", ONE)), (), "least stake", ranks,
        (street("player 2, dealer 2", **opening), street("board 3", check="next", two="play 2 showdown"),
         street("board 2", fold="fold", one="play 1 showdown")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -2
        blind = BLIND[line] if result > 0 else result
        return (result if qualifies else 0) + blind + result * staked(leaf, "play")

    return round, settlement(round, net, [line for line in BLIND if line])


FLUSHES = {"": 0, "four-card flush": 1, "five-card flush": 5, "six-card flush": 20, "seven-card flush": 250}


def chase_the_flush(ranks: str = FULL) -> tuple[Round, Settlement]:
    """Paytable A of the rules of Maryland: the ante pushes where the dealer does not qualify."""
    round = Round(
        "longest flush", Hand(None, ("player", "board")), Hand(None, ("dealer", "board")),
        "three-card flush nine high", (("ante", ONE), ("bonus", ONE)), (), "least stake", ranks,
        (street("player 3, dealer 3", check="next", three="all in 3 showdown"),
         street("board 2", check="next", two="all in 2 showdown"),
         street("board 2", fold="fold", one="all in 1 showdown")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction | int:
        if leaf.folded:
            return -2
        bonus = FLUSHES[line] if result > 0 else result
        return (result if qualifies else 0) + bonus + result * (leaf.staked - 2)

    lines = ["three-card flush", *(line for line in FLUSHES if line)]
    return round, settlement(round, lambda *cell: net(*cell[:3], cell[3] if cell[3] in FLUSHES else ""), lines)
