"""Effects of removal against differences worked out by hand. By exchangeability they add up to zero."""

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.removal import effects
from combin.base.errors import CountError, InputError
from combin.deals.cards import card

from ..shared import analysed, wager_file


def test_pair_by_closed_form() -> None:
    """Six decks without one card: 25 to 1 for a suited pair, 7 to 1 for another pair."""
    a = analyze("maryland/blackjack/pair/A", decks=6)
    found = {e.card: e for e in effects(a)}
    assert len(found) == 52
    suited = 51 * comb(6, 2) + comb(5, 2)
    pairs = 12 * comb(24, 2) + comb(23, 2)
    expected = Fraction(26 * suited + 8 * (pairs - suited), comb(311, 2))
    assert {e.returned for e in found.values()} == {expected}
    assert all(e.change == 0 for e in found.values())  # by symmetry all cards have one effect


def test_the_queen_of_hearts_matters_most_to_lucky_ladies() -> None:
    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    found = {e.card: e.change for e in effects(a)}
    assert min(found, key=lambda c: found[c]) == card("Qh")
    assert found[card("2c")] == found[card("8s")] > 0
    assert sum(6 * change for change in found.values()) == 0
    assert (
        found[card("Qh")] == analyze("maryland/blackjack/lucky-ladies/A", decks=6, without="Qh").returned - a.returned
    )


def test_suits_that_no_line_declares(tmp_path: Path) -> None:
    """Two decks without one card, counted by hand: a red pair is settled before a twenty."""
    text = wager_file("player 2", {
        "queens": ('count(player, "Qh") == 2', "500 to 1"),
        "red": ('pair(player) and count(player, "red") == 2', "9 to 1"), "any 20": ("total(player) == 20", "4 to 1"),
    }, decks=(2,))
    found = {e.card: e.returned for e in effects(analysed(tmp_path, text))}

    def by_hand(red: int, tens: int, queens: int, nines_and_aces: int) -> Fraction:
        red_tens = 3 * comb(4, 2) + comb(4, 2) if tens == 32 else 0
        return Fraction(501 * queens + 10 * (red - queens) + 5 * (comb(tens, 2) - red_tens + nines_and_aces), 5253)

    assert len({found[card(c)] for c in ("Qh", "Qd", "Kd", "2h", "2s", "9h", "9s", "Ts")}) == 7
    assert found[card("2s")] == by_hand(13 * 6, 32, 1, 64)
    assert found[card("2h")] == by_hand(12 * 6 + 3, 32, 1, 64)
    assert found[card("9s")] == by_hand(13 * 6, 32, 1, 56)
    assert found[card("9h")] == by_hand(12 * 6 + 3, 32, 1, 56)
    # Without a red queen three are left. They make three red pairs; one or none is of two queens of hearts.
    for gone, queens in (("Qd", 1), ("Qh", 0)):
        expected = 501 * queens + 10 * (12 * 6 + 3 - queens) + 5 * (comb(31, 2) - 3 * 6 - 3 + 64)
        assert found[card(gone)] == Fraction(expected, 5253)


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


def test_without_a_condition_the_effects_must_sum_to_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    a = analyze("maryland/blackjack/pair/A", decks=2)
    other = analyze("maryland/blackjack/pair/A", decks=3)
    monkeypatch.setattr(type(a), "replace", lambda *_, **__: other)
    with pytest.raises(CountError, match="exchangeability"):
        effects(a)


def test_insurance_is_won_with_a_ten_and_has_effects_that_do_not_sum() -> None:
    """Behind an ace 96 of 311 cards are ten-valued, and insurance pays 2 to 1."""
    found = {e.card: e.change for e in effects(analyze("maryland/blackjack/insurance/A", decks=6))}
    assert found[card("Kd")] == 3 * (Fraction(95, 310) - Fraction(96, 311))
    assert found[card("2d")] == found[card("Ad")] == 3 * (Fraction(96, 310) - Fraction(96, 311))


def test_each_card_of_a_drawn_hand_has_the_effect_of_taking_it_out() -> None:
    """Every rank has an effect, also with one of its cards gone. A card that is gone has none."""
    a = analyze("maryland/blackjack/buster-blackjack/A", decks=1, without="2c 9h Kd")
    found = {e.card: e.returned for e in effects(a)}
    assert len(found) == 49
    for name in ("2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kc", "Ad", "Ac"):
        without = "2c 9h Kd " + name
        assert found[card(name)] == analyze(a.id, decks=1, without=without).returned, name


def test_a_deck_shuffled_after_every_round_has_no_effects() -> None:
    with pytest.raises(InputError, match="is shuffled after every round"):
        effects(analyze("maryland/chase-the-flush/progressive/A"))
