"""The law of a round with what the table's system draws, against every order of a small shoe and dealt rounds."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import perm
from pathlib import Path

import numpy as np
import pytest

from combin import analyze, analyze_all, wagers
from combin.analysis import system_draws
from combin.analysis.model import Analysis
from combin.deals.cards import CARD_TYPES, card
from combin.verify import draws
from combin.verify.cards_dealt import deal_cards
from combin.verify.simulate_draws import ROUND_CARDS, _played, values_of
from combin.views import extras
from combin.wagers.wager_outcomes import deal_of

BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"
LINES = {2: 10, 3: 25, 4: 50, 5: 100, 6: 1000}
METER = 1500


def bad_beat(
    magic: str, lucky: str = "by-position", decks: int = 6, twenty: str = "final-total", without: tuple[int, ...] = ()
) -> Analysis:
    values = {"meter": METER, "magic_card_frequency": magic, "lucky_player_frequency": lucky}
    return analyze(BAD_BEAT, decks=decks, set=values, reading={"bad-beat-twenty": twenty}, without=without)


def paid_by_the_lines(types: np.ndarray, a: Analysis) -> np.ndarray:
    """What each row of cards pays by the lines: upcard, hole card, the player's two, then draws."""
    player, dealer = _played(values_of(types), deal_of(a.resolved))
    twenty = player.total == 20
    if a.readings["bad-beat-twenty"] == "first-two-cards":
        first = np.sort(values_of(types[:, 2:4]), axis=1)
        twenty = (first.sum(axis=1) == 20) | (first == [1, 9]).all(axis=1)
    cards_of_21 = np.where(dealer.total == 21, dealer.count, 0)
    paid = np.full(len(types), 2)
    for number, pays in LINES.items():
        paid[cards_of_21 == number] = pays
    paid[cards_of_21 >= 7] = METER
    return np.where(twenty, paid, 0)


@pytest.mark.parametrize("twenty", ["final-total", "first-two-cards"])
@pytest.mark.parametrize(("magic", "kinds"), [("by-card", 52), ("by-rank", 13)])
def test_the_law_is_that_of_every_order_of_a_small_shoe_with_every_draw(magic: str, kinds: int, twenty: str) -> None:
    """Eight cards of two decks, three of them twice: each order with each of 52 cards or 13 ranks and 7 positions."""
    kept = [card(name) for name in ("Ah", "Ah", "5c", "5c", "Tc", "Tc", "Td", "Ks")]
    rest = (Counter([*range(CARD_TYPES)] * 2) - Counter(kept)).elements()
    a = bad_beat(magic, decks=2, twenty=twenty, without=tuple(rest))
    types = np.array(list(permutations(kept)))
    paid = paid_by_the_lines(types, a)
    seen = types[:, 2:4] % (52 if kinds == 52 else 13)
    counts: Counter[int] = Counter()
    for drawn in range(kinds):
        met = (seen == drawn).any(axis=1)
        for amount, number in zip(*np.unique(paid + 20 * met, return_counts=True), strict=True):
            counts[int(amount)] += 6 * int(number)
            counts[int(amount) + 5] += int(number)
    assert a.distribution is not None
    assert dict(a.distribution) == {Fraction(x): Fraction(n, perm(8) * kinds * 7) for x, n in counts.items()}
    mean = Fraction(sum(x * n for x, n in counts.items()), counts.total())
    assert a.variance == Fraction(sum(x * x * n for x, n in counts.items()), counts.total()) - mean**2


@pytest.mark.parametrize(("magic", "kinds"), [("by-card", 52), ("by-rank", 13)])
def test_amounts_come_as_often_as_in_dealt_rounds_of_six_decks(magic: str, kinds: int) -> None:
    a, rounds, random = bad_beat(magic), 40_000, np.random.default_rng(19)
    types = deal_cards(random, rounds, ROUND_CARDS, 6)
    met = (types[:, 2:4] % kinds == random.integers(0, kinds, rounds)[:, None]).any(axis=1)
    paid = paid_by_the_lines(types, a) + 20 * met + 5 * (random.integers(0, 7, rounds) == 0)
    assert a.distribution is not None
    for amount, chance in dict(a.distribution).items():
        spread = float(rounds * chance * (1 - chance)) ** 0.5
        assert abs((paid == amount).sum() - float(rounds * chance)) < 4.5 * spread + 1


@pytest.mark.parametrize("twenty", ["final-total", "first-two-cards"])
def test_a_dealers_blackjack_against_two_tens_alike_has_its_closed_form(twenty: str) -> None:
    """The dealer's ace and ten in two orders, then two tens that are one of 96 after another: 5 or 23 are like it."""
    a, line = bad_beat("by-card", twenty=twenty), "player 20, dealer blackjack"
    tens = Fraction(2 * 24 * 96 * 95 * 94, perm(312, 4))
    assert system_draws._begun_alike(a, "by-card")[line] == tens * Fraction(5, 95)
    assert system_draws._begun_alike(a, "by-rank")[line] == tens * Fraction(23, 95)


def test_one_deck_holds_no_card_twice_so_the_draws_are_independent_of_the_lines() -> None:
    a = bad_beat("1/100", lucky="1/30", decks=1)
    own = sum(o.probability * o.returned**2 for o in a.outcomes) - sum(o.contribution for o in a.outcomes) ** 2
    assert a.variance == own + 400 * Fraction(99, 100**2) + 25 * Fraction(29, 30**2)


def test_the_mean_square_of_the_bonuses_alone_has_its_closed_form() -> None:
    """Lines that pay nothing leave 400 p + 25 q + 2 · 20 · 5 p q. A card of six decks has 5 more like it of 311."""
    lines = {o.outcome: "0 for 1" for o in bad_beat("by-card").outcomes if o.pay is not None}
    a = analyze(BAD_BEAT, decks=6, pays=lines, set={"magic_card_frequency": "by-card", "lucky_player_frequency": "1/9"})
    p, q = (2 - Fraction(5, 311)) / 52, Fraction(1, 9)
    assert a.returned == 20 * p + 5 * q
    assert a.variance + a.returned**2 == 400 * p + 25 * q + 200 * p * q


def test_a_number_is_drawn_in_a_share_of_the_rounds_by_the_reading() -> None:
    """Half of the frequency of a card in every round: the bonus is half as often there, whatever a line pays."""
    whole, half, none = (bad_beat(often, decks=2, twenty="first-two-cards")
                         for often in ("by-card", str(Fraction(205, 103 * 104)), "0"))
    assert whole.parameters["magic_card_frequency"] == 2 * half.parameters["magic_card_frequency"]
    ends = dict(whole.distribution), dict(none.distribution)
    of = {x: sum(end.get(x, Fraction(0)) for end in ends) / 2 for end in ends for x in end}
    assert dict(half.distribution) == of
    by_rank = half.replace(reading={"bad-beat-twenty": "first-two-cards", "magic-card-match": "rank"})
    assert by_rank.returned == half.returned
    assert by_rank.variance < half.variance  # two tens of one rank are commoner than two of one card


def test_a_frequency_that_no_draw_has_leaves_the_variance_open() -> None:
    often = bad_beat("1/9")
    assert often.standard_deviation is None
    assert "so it cannot have 1/9" in dict(extras.remarks(often))["system draws"]
    # A rank in every round is met in (2 − 23/311)/13 of them, and 1/9 is 4043/5391 of that.
    ranks = analyze(BAD_BEAT, decks=6, set=often.request.set, reading={"magic-card-match": "rank"})
    assert ranks.standard_deviation is not None
    assert "one of the 13 ranks in 74.9954 % of the rounds" in dict(extras.remarks(ranks))["system draws"]
    open_one = analyze(BAD_BEAT, decks=6, set={"meter": 0, "magic_card_frequency": "by-card"})
    assert open_one.distribution is None
    assert "lucky" not in dict(extras.remarks(open_one))["system draws"]


def test_verify_holds_the_amounts_against_the_second_way() -> None:
    a = bad_beat("by-rank", decks=1, twenty="first-two-cards")
    deal = deal_of(a.resolved)
    assert {str(x): p for x, p in a.distribution} == draws._with_system_draws(a, deal)


OWN = """\
[[wager]]
id = "house/blackjack/mine"
name = "Mine"
deal = "player plays the chart, dealer draws out"
decks = [1]
outcomes = "a-21"
[wager.unknown.card_frequency]
ways = ["by-rank"]
[wager.unknown.seat_frequency]
ways = ["by-position"]
[wager.unknown.free_frequency]
most = "1"
[wager.paytable.A]
"dealer 21" = "5 to 1"
[wager.paytable.B]
"dealer 21" = "5 to 1"
[wager.paytable.C]
"dealer 21" = "5 to 1"
[wager.extra]
A = { "seat bonus" = { pays = "20 for 1", frequency = "seat_frequency" } }
B = { "card bonus" = { pays = "20 for 1", frequency = "card_frequency" } }
C = { "bonus" = { pays = "20 for 1", frequency = "free_frequency" } }
"""


def test_a_wager_of_ones_own_has_a_law_where_its_draws_have_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A position bears on no line. A line paid without a player's 20, or a draw without a way, leaves the law open."""
    monkeypatch.setitem(wagers._registry, "a-21", lambda t: {"dealer 21": t["dealer_21_cards"] > 0})
    (tmp_path / "own.toml").write_text(OWN)
    values = dict.fromkeys(("seat_frequency", "card_frequency", "free_frequency"), "1/9")
    seat, on_cards, free = analyze_all(str(tmp_path / "own.toml"), set=values)
    [p, _] = (o.probability for o in seat.outcomes)
    assert seat.variance == 36 * p * (1 - p) + 400 * Fraction(8, 81)
    assert (on_cards.distribution, on_cards.standard_deviation, free.distribution) == (None, None, None)
