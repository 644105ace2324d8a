"""Unknowns with a stated way of drawing, and community pay from the spins of other players."""

from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

from combin import analyze
from combin.analysis.draw_methods import by_card, by_rank
from combin.base.errors import InputError
from combin.deals.cards import CARD_TYPES, Shoe
from combin.rulebook import shipped

BAD_BEAT = shipped().resolve("maryland/blackjack/bad-beat-progressive/A")
CHASE = "maryland/chase-the-flush/progressive"
SUITED = Fraction(4 * comb(13, 3), comb(52, 3))


@pytest.mark.parametrize("decks", [1, 2])
def test_a_drawn_card_is_met_as_often_as_every_pair_says(decks: int) -> None:
    """Each of 52 cards and 13 ranks is met by the ordered pairs of a shoe without its aces of spades."""
    shoe = Shoe(decks, (51,) * decks)
    cards = [c for c, n in enumerate(shoe.copies) for _ in range(n)]
    pairs = list(permutations(cards, 2))
    exact = Fraction(sum(len({a, b}) for a, b in pairs), CARD_TYPES * len(pairs))
    ranks = Fraction(sum(len({a % 13, b % 13}) for a, b in pairs), 13 * len(pairs))
    assert by_card(shoe, BAD_BEAT) == exact
    assert by_rank(shoe, BAD_BEAT) == ranks


def test_ways_of_drawing_are_set_by_name() -> None:
    found = analyze(BAD_BEAT.id, decks=1, reading={"bad-beat-twenty": "first-two-cards"},
                    set={"meter": 0, "magic_card_frequency": "by-card", "lucky_player_frequency": "by-position"})
    # One deck holds no card twice, so two different cards of 52 are drawn; and one of seven seats.
    assert found.parameters["magic_card_frequency"] == Fraction(2, 52)
    assert found.parameters["lucky_player_frequency"] == Fraction(1, 7)
    assert sum(x.contribution for x in found.additions) == 20 * Fraction(2, 52) + Fraction(5, 7)
    for wrong in ("by-position", "by-suit"):
        with pytest.raises(InputError, match=f'no method of drawing "{wrong}"'):
            analyze(BAD_BEAT.id, decks=1, set={"magic_card_frequency": wrong})


def weights(letter: str, **shared: int) -> dict[str, int]:
    return dict.fromkeys(shipped().resolve(f"{CHASE}/{letter}").wheel, 1) | shared


def test_community_pay_is_what_the_wheel_shows_for_others() -> None:
    """Wheel B has 12 stops: $25 on one, $3 on two. Another player's suited cards are worth their mean."""
    shown = {"$100 and $25 symbol": 1, "$25 and $3 symbol": 2}
    for others in (0, 3, 5):
        a = analyze(f"{CHASE}/B", set={"stake": 1, "other_players": others, "progressive": 0},
                    wheel=weights("B", **shown))
        assert a.parameters["community_pay"] == Fraction(25 + 2 * 3, 12)
        assert sum(x.contribution for x in a.additions) == others * SUITED * Fraction(31, 12)


def test_a_symbol_for_others_belongs_to_the_table_of_the_stake() -> None:
    five = {"$40 and $15 symbol": 3}
    a = analyze(f"{CHASE}/D", set={"stake": 5, "other_players": 1}, wheel=weights("D", **five))
    assert a.parameters["community_pay"] == Fraction(45, 12)
    for values, shown, words in (
        ({"stake": 1}, five, "has no"),
        ({"stake": 2}, five, "stated for"),
        ({"stake": 5}, {"$40 and $15 symbol": 13}, "13 stops of 12"),
        ({"stake": 5, "community_pay": 1}, five, "only one of them"),
    ):
        with pytest.raises(InputError, match=words):
            analyze(f"{CHASE}/D", set={"other_players": 1, **values}, wheel=weights("D", **shown))
    bonus_spin = "maryland/blackjack/bonus-spin-progressive/B"
    spun = dict.fromkeys(shipped().resolve(bonus_spin).wheel, 1)
    b = analyze(bonus_spin, decks=6, set={"stake": 5, "other_players": 2, "progressive": 0},
                wheel=spun | {"$200 and $50 symbol": 2})
    assert b.parameters["community_pay"] == Fraction(100, len(spun))


@pytest.mark.slow
def test_a_fixed_sum_is_for_every_hand_even_where_the_dealer_keeps_it_from_spinning() -> None:
    both = {"spin-needs-dealer": "yes", "community-pay": "every-hand"}
    values = {"stake": 1, "other_players": 2, "community_pay": 3, "spin_of_the_wheel": 0}
    hand = analyze(f"{CHASE}/B", set=values, reading=both)
    assert sum(x.contribution for x in hand.additions) == 2 * 3 * SUITED
    spinner = analyze(f"{CHASE}/B", set=values, reading={"spin-needs-dealer": "yes"})
    spun = sum(spinner.combinations[o] for o in spinner.combinations if o != "loss")
    assert spinner.deals is not None
    assert sum(x.contribution for x in spinner.additions) == 2 * 3 * Fraction(spun, spinner.deals) < 6 * SUITED
    with pytest.raises(InputError, match="paid a fixed amount"):
        analyze(f"{CHASE}/B", set={"stake": 1}, reading=both, wheel=weights("B", **{"$25 and $3 symbol": 1}))
