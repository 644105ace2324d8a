"""Rounds that are too large are refused in one sentence, before anything is counted."""

from dataclasses import replace

import pytest

from combin.base.errors import InputError
from combin.deals.cards import cards
from combin.games.showdown.round import Hand
from combin.games.showdown.settlement import Settlement
from combin.games.showdown.solve import solve

from . import rounds


def test_known_cards_make_a_round_larger() -> None:
    round, settlement = rounds.chase_the_flush()
    with pytest.raises(InputError, match=r"takes about 6\d billion steps, more than 30; deal fewer cards"):
        solve(round, settlement, without=cards("Ah Kd"))
    round, settlement = rounds.texas_holdem_bonus()
    with pytest.raises(InputError, match="a street has 220,911,600 values to store, more than 100,000,000"):
        solve(round, settlement, without=cards("Ah"))


def test_amounts_beyond_62_bits() -> None:
    round, settlement = rounds.caribbean_stud()
    dear = Settlement(settlement.utility * 10**6, 10**6, *(
        getattr(settlement, name) for name in ("player_cuts", "dealer_cuts", "qualify")))
    with pytest.raises(InputError, match="exceeds 62 bits; give pays with a smaller common denominator"):
        solve(round, dear)


def test_more_cards_than_the_deck_has() -> None:
    round, settlement = rounds.three_card_poker()
    with pytest.raises(InputError, match="the deck has 4 cards, but 6 are dealt"):
        solve(replace(round, ranks="A"), settlement)


def test_more_cards_than_a_hand_may_have() -> None:
    round, settlement = rounds.crazy_four_poker()
    long = replace(round, streets=(replace(round.streets[0], deal=(("player", 6), ("dealer", 5))),),
                   player=Hand(4, ("player",)))
    with pytest.raises(InputError, match="the player has 6 cards; deal at most 5"):
        solve(long, settlement)
