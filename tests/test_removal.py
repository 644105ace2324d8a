"""Effects of removal against hand-made differences, and the sum that exchangeability demands."""

from fractions import Fraction
from math import comb

import pytest

from combin.cards import card
from combin.engine import analyze
from combin.errors import InputError
from combin.removal import effects


def test_pair_by_closed_form() -> None:
    """Six decks, suited pair 25 to 1, other pair 7 to 1, with one card gone."""
    a = analyze("maryland/blackjack/pair/A", decks=6)
    found = {e.card: e for e in effects(a)}
    assert len(found) == 52
    suited = 51 * comb(6, 2) + comb(5, 2)
    pairs = 12 * comb(24, 2) + comb(23, 2)
    expected = Fraction(26 * suited + 8 * (pairs - suited), comb(311, 2))
    assert {e.returned for e in found.values()} == {expected}
    assert all(e.change == 0 for e in found.values())  # by symmetry every card is alike, and they sum to nought


def test_the_queen_of_hearts_matters_most_to_lucky_ladies() -> None:
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    found = {e.card: e.change for e in effects(a)}
    assert min(found, key=lambda c: found[c]) == card("Qh")
    assert found[card("2c")] == found[card("8s")] > 0
    assert sum(6 * change for change in found.values()) == 0
    assert (
        found[card("Qh")] == analyze("maryland/blackjack/lucky-ladies/A", decks=6, without="Qh").returned - a.returned
    )


def test_a_dealer_who_draws() -> None:
    a = analyze("maryland/blackjack/buster-blackjack/A", decks=2)
    found = {e.card: e for e in effects(a)}
    assert found[card("Tc")].change == found[card("Kh")].change
    assert sum(e.copies * e.change for e in found.values()) == 0


def test_a_meter_stays_a_symbol() -> None:
    a = analyze("maryland/blackjack/lucky-ladies-progressive/A", decks=2)
    change = {e.card: e.change for e in effects(a)}[card("Qh")]
    assert str(change.free_symbols) == "{progressive}"


def test_one_deck_wagers_are_refused() -> None:
    with pytest.raises(InputError, match="one full deck"):
        effects(analyze("maryland/high-card-flush/flush-bonus/A"))
