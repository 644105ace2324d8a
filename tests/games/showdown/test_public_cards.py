"""Classes of public cards and of positions: closure, Burnside's lemma, published numbers of canonical hands."""

from math import comb

import numpy as np
import pytest

from combin.deals.cards import cards
from combin.games.showdown.public_cards import located, position_classes, publics, set_of
from combin.games.showdown.tree import Level


@pytest.mark.parametrize(("board", "upcards", "without"), [
    (3, 0, ""), (4, 0, ""), (0, 1, ""), (2, 1, ""), (1, 2, "Ah Kd"), (3, 0, "Ah Ad 2c"),
])  # fmt: skip
def test_orbits_close_and_are_as_many_as_burnside_counts(board: int, upcards: int, without: str) -> None:
    removed = cards(without)
    found = publics(board, upcards, set_of(removed))
    left = 52 - len(removed)
    assert found.orbits.sum() == comb(left, board) * comb(left - board, upcards)
    assert len(found.orbits) == position_classes(Level(board, upcards, 0), set_of(removed))
    classes, _ = located(board, upcards, set_of(removed))
    # Every pair of sets has one class; pairs that share a card, or hold a removed one, keep a zero.
    counted = np.bincount(classes, minlength=len(found.orbits))
    assert (counted[1:] == found.orbits[1:]).all()


@pytest.mark.parametrize(("cards_of_player", "classes"), [(2, 169), (3, 1755), (5, 134459)])
def test_canonical_hands(cards_of_player: int, classes: int) -> None:
    """169 hands of two cards; 1,755 of three; 134,459 of five."""
    assert position_classes(Level(0, 0, cards_of_player), 0) == classes


def test_canonical_flops_with_two_cards() -> None:
    """1,286,792 flops with a hand of two cards, as lists of canonical positions of hold'em say."""
    assert position_classes(Level(3, 0, 2), 0) == 1286792
