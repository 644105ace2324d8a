"""Rounds on short decks: the engine against the enumeration of every deal, which shares no code with it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from combin.base.errors import InputError
from combin.deals.cards import cards
from combin.games.showdown.hand_orders import named, order_named, parsed
from combin.games.showdown.round import Hand, Leaf, Round, Street
from combin.games.showdown.settlement import Settlement
from combin.games.showdown.solve import solve
from combin.verify.showdown_enumeration import EnumeratedCell, enumerate_deals

from ..games.showdown import rounds
from . import random_rounds


def check(game: tuple[Round, Settlement], lines: Sequence[str], ranks: str, without: str = "") -> None:
    same(replace(game[0], ranks=ranks), game[1], [line for line in lines if line], (), cards(without))


def same(
    round: Round, settlement: Settlement, lines: Sequence[str], dealer_lines: Sequence[str], without: tuple[int, ...]
) -> None:
    """Both methods give the same value and the same deals in every cell."""
    order = order_named(round.order)
    of_dealer = {named(round.order, line).low: line for line in (*dealer_lines, round.qualifies) if line}
    cells = EnumeratedCell(tuple(parsed(order, line) for line in lines),
                 tuple(parsed(order, of_dealer[low]) for low in sorted(of_dealer)))
    solution = solve(round, settlement, without=without)
    enumerated = enumerate_deals(round, settlement.rows, settlement.unit, cells, without)
    assert solution.deals == enumerated.deals == enumerated.joint.sum()
    assert solution.value == enumerated.value
    assert (solution.joint == settlement.cells.parted(enumerated.joint)).all()


THREE = ("straight", "three of a kind", "straight flush")
ULTIMATE = ("flush", "straight", "three of a kind", "straight flush", "straight flush ace high")
MISSISSIPPI = ("pair of sixes", "pair of jacks", *list(rounds.RIDE)[2:])
CRAZY = ("straight", "flush", "three of a kind", "straight flush", "four of a kind", "four aces")


@pytest.mark.parametrize("ranks", ["TJQKA", "2345A", "468QA"])
def test_three_card_poker(ranks: str) -> None:
    check(rounds.three_card_poker(), THREE, ranks)
    check(rounds.three_card_poker(exposed=2), THREE, ranks)


def test_three_card_poker_without_known_cards() -> None:
    check(rounds.three_card_poker(), THREE, "9TJQKA", "Ah Kd")
    check(rounds.ultimate_three_card_poker(), ULTIMATE, "TJQKA", "Ah Ac 9c Td")


def test_offers_to_some_hands() -> None:
    check(rounds.ultimate_three_card_poker(), ULTIMATE, "TJQKA")
    check(rounds.crazy_four_poker(), CRAZY, "TJQA")


@pytest.mark.parametrize(("equal_choices", "leaves"), [
    ("least stake", [0, 22100, 0]), ("greatest stake", [0, 22100 - 5660, 5660])])
def test_choices_that_are_worth_the_same(equal_choices: str, leaves: list[int]) -> None:
    """Both bets win one unit; the larger one is offered from a pair of twos with a three on."""
    choices = (rounds.choice("fold", "fold"), rounds.choice("one", "play 1 showdown"),
               rounds.choice("two", "play 2 showdown", "pair"))
    round = Round(
        "three-card poker", Hand(None, ("player",)), None, None, (("ante", Fraction(1)),), (),
        equal_choices, rounds.FULL, (Street((("player", 3),), choices),))  # type: ignore[arg-type]
    solution = solve(round, rounds.settlement(round, lambda leaf, *_: -1 if leaf.folded else 1, ()))
    # 3,744 pairs, 1,096 flushes, 720 straights, 52 threes of a kind and 48 straight flushes are 5,660 hands
    assert [int(counts.sum()) for counts in solution.joint] == leaves
    assert solution.ties == (5660,)


def invented(equal_choices: str = "least stake") -> tuple[Round, Settlement]:
    """Three streets, each with choices: the player's cards come one by one, then an upcard, then a board."""
    last = (rounds.choice("fold", "fold"), rounds.choice("one", "play 1 showdown"),
            rounds.choice("two", "play 2 showdown", "pair of kings"))
    round = Round(
        "three-card poker", Hand(3, ("player", "board")), Hand(3, ("dealer", "upcard", "board")), "king high",
        (("ante", Fraction(1)),), (), equal_choices, "TJQKA",  # type: ignore[arg-type]
        (rounds.street("player 1, dealer 1", check="next", bet="first 1 next"),
         rounds.street("player 1, upcard 1", leave="fold", check="next", bet="second 1 showdown"),
         Street((("board", 2),), last)))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction:
        if leaf.folded:
            return -leaf.staked
        won = leaf.staked + (3 if line == "flush" else 0)
        return (won if result > 0 else result * leaf.staked) if qualifies else Fraction(1)

    return round, rounds.settlement(round, net, ("flush", "straight"))


@pytest.mark.parametrize("equal_choices", ["least stake", "greatest stake"])
def test_an_invented_game_of_three_streets(equal_choices: str) -> None:
    check(invented(equal_choices), ("flush", "straight"), "TJQK")


def test_an_invented_game_without_known_cards() -> None:
    check(invented(), ("flush", "straight"), "TJQK", "Kh Tc")


def test_a_round_without_choices() -> None:
    """Both hands are dealt out; the ante is even money, and a flush that wins pays double."""
    round = Round(
        "three-card poker", Hand(3, ("player", "board")), Hand(3, ("dealer", "board")), None, (("ante", Fraction(1)),),
        (), "least stake", "TJQKA", (rounds.street("player 2, dealer 2"), rounds.street("board 2")))
    settlement = rounds.settlement(round, lambda leaf, q, result, line: result * (2 if line and result > 0 else 1),
                                   ("flush", "straight"))
    check((round, settlement), ("flush", "straight"), "TJQK")


def test_an_offer_before_the_last_street() -> None:
    """The hand of three cards is complete at once; the dealer's upcard comes after the first choice."""
    first = (rounds.choice("fold", "fold"), rounds.choice("check", "next"),
             rounds.choice("pair bet", "pair 2 next", "pair"), rounds.choice("all", "all 3 showdown", "straight"))
    round = Round(
        "three-card poker", Hand(None, ("player",)), Hand(None, ("dealer", "upcard")), "queen high",
        (("ante", Fraction(1)),), (), "greatest stake", "TJQKA",
        (Street((("player", 3), ("dealer", 2)), first),
         rounds.street("upcard 1", fold="fold", play="play 1 showdown")))

    def net(leaf: Leaf, qualifies: bool, result: int, line: str) -> Fraction:
        if leaf.folded:
            return -leaf.staked
        return result * leaf.staked if qualifies else leaf.staked / 2

    check((round, rounds.settlement(round, net, ("flush", "straight"))), ("flush", "straight"), "TJQK")


@pytest.mark.parametrize("seed", range(12))
def test_games_that_nobody_plays(seed: int) -> None:
    same(*random_rounds.game(seed))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(12, 162, 30))
def test_more_games_that_nobody_plays(start: int) -> None:
    for seed in range(start, start + 30):
        same(*random_rounds.game(seed))


def test_a_full_deck_is_too_large() -> None:
    round, settlement = rounds.three_card_poker()
    with pytest.raises(InputError, match="52 cards is too large"):
        enumerate_deals(round, settlement.rows, 1, EnumeratedCell((), ()))


def slow(name: str, lines: Sequence[str], ranks: str, without: str = "") -> Any:
    return pytest.param(name, lines, ranks, without, marks=pytest.mark.slow)


@pytest.mark.parametrize(("name", "lines", "ranks", "without"), [
    slow("caribbean_stud", rounds.CARIBBEAN, "TJQKA"),
    ("crazy_four_poker", CRAZY, "TJQKA", ""),
    ("four_card_poker", ("three of a kind", "straight flush", "four of a kind"), "JQKA", ""),
    slow("let_it_ride", rounds.RIDE, "9TJQKA"),
    slow("mississippi_stud", MISSISSIPPI, "6TJQA"),
    # Deals of nine cards out of twenty take 8 s: one game has them all, the others know three cards.
    slow("casino_holdem", ("flush", "full house", "four of a kind", "straight flush", "royal flush"), "TJQKA",
         "Td Jc Qh"),
    slow("ultimate_texas_holdem", rounds.BLIND, "TJQKA"),
    slow("ultimate_texas_holdem", rounds.BLIND, "2345A", "2d 2c 4h"),
    slow("texas_holdem_bonus", ("straight",), "789TJ", "7d 8c 8h"),
    slow("chase_the_flush", ("three-card flush", *rounds.FLUSHES), "679A"),
])
def test_games(name: str, lines: Sequence[str], ranks: str, without: str) -> None:
    check(getattr(rounds, name)(), tuple(lines), ranks, without)


def test_the_enumeration_values_hands_by_themselves() -> None:
    """Rank classes of a whole suit of ranks: 20 cards hold 4 straight flushes of five ranks, all royal."""
    round, settlement = rounds.caribbean_stud()
    round = replace(round, ranks="TJQKA")
    order = order_named(round.order)
    lines = tuple(parsed(order, line) for line in rounds.CARIBBEAN if line)
    cells = EnumeratedCell(lines, (parsed(order, "ace-king high"),))
    found = enumerate_deals(replace(round, dealer=None, qualifies=None), settlement.rows[:, 2:, :, :1], 1, cells)
    per_hand = found.joint.sum(axis=(0, 1, 3)) // 15  # one upcard of the other fifteen
    flushes, straights = 4, 4**5 - 4
    assert per_hand[-1] == flushes
    assert per_hand[3] == straights
    assert per_hand[6] == 5 * 16  # four of a kind and any other card
    assert np.sum(per_hand) == 15504
