"""Winners of one round: closed forms, rounds dealt at random, and the money that a round pays."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from combin.analysis.engine import analyze
from combin.analysis.jackpots import lives
from combin.analysis.winners import winners
from combin.base.errors import InputError

BLACKJACK = "maryland/blackjack"


def law_of(identifier: str, seats: int, meter: int = 0, **asked: object) -> dict[tuple[int, int], Fraction]:
    a = analyze(identifier, **asked)
    found = winners(a, a.progressive.meters[meter].meter, seats)
    assert found.exact
    assert sum(found.law.values()) == 1
    return found.law


def test_a_dealers_hand_is_hit_by_every_seat() -> None:
    one = analyze(f"{BLACKJACK}/hit-and-run-progressive/A", decks=6).progressive.meters[0].hit
    law = law_of(f"{BLACKJACK}/hit-and-run-progressive/A", 6, decks=6)
    assert law == {(6, 0): one, (0, 0): 1 - one}


def test_two_pairs_of_queens_of_hearts_beside_a_dealers_blackjack() -> None:
    """Lucky Ladies at two seats: four of six queens of hearts, or of five where the dealer's ten is one."""
    law = law_of(f"{BLACKJACK}/lucky-ladies-progressive/A", 2, decks=6)
    others, queens = 24 * (96 - 6), 24 * 6
    ways = others * comb(6, 2) * comb(4, 2) + queens * comb(5, 2) * comb(3, 2)
    assert law[2, 0] == Fraction(ways, comb(312, 2) * comb(310, 2) * comb(308, 2))


def test_three_sevens_of_one_colour_at_two_seats() -> None:
    """Three red sevens or three black ones, not all of one suit: that is paid by another meter."""
    law = law_of(f"{BLACKJACK}/blazing-7s-progressive/A", 2, meter=2, decks=6)

    def pairs(own: int, other: int) -> list[tuple[int, int, int]]:
        """(of the dealer's suit, of the other suit, ways) of a hand that is not all of the dealer's suit."""
        return [(1, 1, own * other), (0, 2, comb(other, 2))]

    ways = sum(n * m for x, y, n in pairs(5, 6) for _, _, m in pairs(5 - x, 6 - y))
    assert law[2, 0] == Fraction(24 * ways, 312 * comb(311, 2) * comb(309, 2))


def test_the_law_of_six_seats_agrees_with_dealt_rounds() -> None:
    """A wheel that always shows the jackpot: as many winners as seats with a blackjack."""
    a = analyze(f"{BLACKJACK}/bonus-spin-progressive/B", decks=6, set={"stake": 1})
    wheel = {name: int(name == "jackpot symbol") for name, _ in a.wheel.symbols}
    law = law_of(f"{BLACKJACK}/bonus-spin-progressive/B", 6, decks=6, set={"stake": 1}, wheel=wheel)
    drawn = np.random.default_rng(3).integers(312, size=(60_000, 12))
    dealt = drawn[[len(set(row)) == 12 for row in drawn.tolist()]] % 13
    aces, tens = dealt == 12, (dealt >= 8) & (dealt < 12)
    hands = (aces[:, ::2] & tens[:, 1::2]) | (tens[:, ::2] & aces[:, 1::2])
    for n in (1, 2):
        p, came = float(law[n, 0]), (hands.sum(axis=1) == n).mean()
        assert abs(came - p) < 4.5 * (p * (1 - p) / len(dealt)) ** 0.5


def test_what_seats_play_for_is_kept_in_money() -> None:
    """All seats together are paid what they put in and each reset: two ways for the long run, with any seats."""
    wheel = dict.fromkeys((n for n, _ in analyze("maryland/chase-the-flush/progressive/B").wheel.symbols), 1)
    asked = {"set": {"stake": 1, "contribution_rate": "10%"}, "wheel": wheel}
    a = analyze("maryland/chase-the-flush/progressive/B", **asked)
    for seats in (1, 2, 4):
        [life] = lives(a, seats=seats)
        assert life.always == a.progressive.long_run
    # Two suited hands of three cards are of one suit or of two; the wheel has twelve stops.
    p = Fraction(4 * comb(13, 3), comb(52, 3))
    both = Fraction(4 * comb(13, 3) * (comb(10, 3) + 3 * comb(13, 3)), comb(52, 3) * comb(49, 3))
    w = winners(a, a.progressive.meters[0].meter, 2)
    assert w.law[2, 0] == both / 12**2
    assert w.hit == 2 * p / 12 - both / 12**2


def test_hands_without_a_joint_law_have_two_bounds() -> None:
    a = analyze(f"{BLACKJACK}/bad-beat-progressive/A", decks=6)
    f = a.progressive.meters[0]
    found = winners(a, f.meter, 3)
    assert not found.exact
    assert (found.least, found.hit) == (f.hit, 3 * f.hit)


def test_a_table_has_no_more_seats_than_its_document_says() -> None:
    a = analyze("maryland/high-card-flush/progressive/C", set={"contribution_rate": "20%"})
    with pytest.raises(InputError, match="has at most 6 seats, not 7"):
        lives(a, seats=7)
