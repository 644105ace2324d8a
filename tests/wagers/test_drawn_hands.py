"""Outcomes of drawn hands, held against a scalar settlement of every order of the dealer's ranks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from combin.deals.table import Table
from combin.verify.settle_literal import best_total, met, totals
from combin.wagers import outcome_function

FIRST_CARDS = (0, 1, 4, 7, 8, 12)  # 2, 3, 6, 9, 10 and ace begin every kind of hand
SMALL = (0, 1, 3, 8, 12)


def dealer_hands(hand: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Ordered draws to 17, of clubs alone. The number of cards left in the shoe does not matter here."""
    names = [("23456789TJQKA"[rank] + "c",) for rank in hand]
    cards = tuple(name[0] for name in names)
    if len(hand) > 1 and (min(totals(cards)) > 21 or best_total(cards) >= 17):
        yield hand
        return
    for rank in FIRST_CARDS if not hand else SMALL:
        yield from dealer_hands((*hand, rank))


HANDS = list(dealer_hands())
NAMES = [tuple("23456789TJQKA"[rank] + "c" for rank in hand) for hand in HANDS]
PLAYERS = ((12, 8), (11, 24), (7, 12), (0, 1), (4, 5, 7), (4, 5, 5))
TWENTIES = ((11, 24), (7, 12), (4, 5, 5))


def column(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)


COLUMNS = {
    "cards": column([len(hand) for hand in HANDS]),
    "total": column([best_total(names) for names in NAMES]),
    "bust": column([int(min(totals(names)) > 21) for names in NAMES]),
    "blackjack": column([int(len(names) == 2 and best_total(names) == 21) for names in NAMES]),
}


def settled(columns: dict[str, np.ndarray], function: str, **options: str) -> list[set[str]]:
    table = Table(columns, np.ones(len(HANDS), dtype=np.int64), len(HANDS), len(HANDS))
    masks = outcome_function(function)(table, **options)
    return [{name for name, mask in masks.items() if mask[row]} for row in range(len(HANDS))]


def test_hands_of_every_length_are_there() -> None:
    assert {len(hand) for hand in HANDS} >= set(range(2, 10))


@pytest.mark.parametrize("busted", ["counts", "does-not-count"])
def test_hit_and_run(busted: str) -> None:
    for hand, found in zip(HANDS, settled(COLUMNS, "dealer-cards", busted=busted), strict=True):
        literal = met("dealer-cards", {"dealer": hand}, {"busted": busted})
        assert literal - {"two cards"} == found - {"two cards"}, hand


def test_buster_blackjack() -> None:
    for hand, found in zip(HANDS, settled(COLUMNS, "dealer-busts"), strict=True):
        assert met("dealer-busts", {"dealer": hand}, {}) == found, hand


@pytest.mark.parametrize("player", PLAYERS)
def test_the_free_bonus(player: tuple[int, ...]) -> None:
    natural = int(player == (12, 8))
    columns = {**COLUMNS, "player_blackjack": np.full(len(HANDS), natural)}
    for hand, found in zip(HANDS, settled(columns, "dealer-busts"), strict=True):
        assert met("dealer-busts", {"player": player, "dealer": hand}, {}) == found, hand


@pytest.mark.parametrize("player", PLAYERS)
def test_bad_beat(player: tuple[int, ...]) -> None:
    twenty = int(player in TWENTIES)
    cards = np.where(COLUMNS["total"] == 21, COLUMNS["cards"], 0)
    columns = {"player_twenty": np.full(len(HANDS), twenty), "dealer_21_cards": cards}
    for hand, found in zip(HANDS, settled(columns, "bad-beat"), strict=True):
        assert met("bad-beat", {"player": player, "dealer": hand}, {}) == found, hand
