"""Additions to the lines: envy bonus, community pay, extra draws; and the remarks beside a figure."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from combin.analysis import envy as joint_law
from combin.analysis.additions import Addition
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.deals.player_chart import default_chart
from combin.deals.seven_beside import beside
from combin.deals.seven_cards import mask_features
from combin.rulebook import parameters
from combin.rulebook.book import shipped, source
from combin.verify import verify
from combin.views import extras, render
from combin.views import json as json_view

HIGH_CARD = "maryland/high-card-flush/progressive"
HANDS = comb(52, 7)
SEVEN, SIX = 32, 1592
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"


def envy(letter: str, others: int, **values: object) -> Analysis:
    return analyze(f"{HIGH_CARD}/{letter}", set={"other_players": others, "meter": 0, **values})


@pytest.mark.parametrize("others", range(6))
@pytest.mark.parametrize(("letter", "dollars"), [("A", 0), ("B", 0), ("C", 200 * (SEVEN + SIX)), ("D", 250 * SEVEN)])
def test_envy_by_the_number_of_other_players(letter: str, dollars: int, others: int) -> None:
    """§E(5): no envy bonus is paid for one's own hand. Each other player adds the same amount."""
    a = envy(letter, others)
    worth = Fraction(others * dollars, HANDS)
    assert a.returned - envy(letter, 0).returned == worth
    assert sum(x.contribution for x in a.additions) == worth
    assert sum(a.combinations.values()) == a.deals
    assert sum(o.contribution for o in a.outcomes) + worth == a.returned


def test_envy_is_in_proportion_to_the_wager() -> None:
    """§E(4)(a): a five-dollar wager wins five times 200 dollars. The return per unit is therefore the same."""
    alone, beside = envy("C", 0, stake=5), envy("C", 2, stake=5)
    assert beside.returned - alone.returned == Fraction(2 * 200 * (SEVEN + SIX), HANDS)


def test_other_players_hold_a_hand_as_often_as_oneself() -> None:
    """Every deal of a small deck to three players: two others hold twice as many pairs as the player."""
    deck = "aabbcd"
    deals = list(permutations(range(len(deck)), 6))
    others = sum(deck[d[2 * k]] == deck[d[2 * k + 1]] for d in deals for k in (1, 2))
    own = sum(deck[d[0]] == deck[d[1]] for d in deals)
    assert others == 2 * own


def test_the_variance_with_other_players_has_the_joint_law_of_two_hands() -> None:
    """Table D pays seven-card straight flushes alone: pairs of them that share no card are counted one by one."""
    runs = [frozenset((s, r % 13) for r in range(first, first + 7)) for s in range(4) for first in range(-1, 7)]
    pairs = sum(not one & other for one in runs for other in runs)
    both = Fraction(pairs, HANDS * comb(45, 7))
    p, alone, one, two, three = Fraction(SEVEN, HANDS), *(envy("D", n, meter=0).variance for n in range(4))
    # The second difference of the variance in the number of others is 2 Cov(Y1, Y2).
    assert one - 2 * two + three == 2 * 250**2 * (both - p**2)
    assert two - 2 * one + alone == 2 * 250**2 * (both - p**2)
    assert envy("D", 1).standard_deviation is not None


def test_envied_hands_are_walked_through_with_the_moments_of_the_joint_law() -> None:
    a = envy("C", 2, meter=7000)
    own, others = ({o.outcome: o.returned for o in a.outcomes},
                   {x.name.removeprefix("envy bonus, "): x.returned for x in a.additions})
    assert joint_law._by_lengths(a, own, others) == joint_law._walked(a, own, others)


def test_an_envy_bonus_for_shorter_straight_flushes_agrees_with_dealt_rounds() -> None:
    """$10 for each of two others with four cards in sequence, which no document pays: three hands dealt at random."""
    a = envy("C", 2)
    four = next(o for o in a.outcomes if o.outcome == "four-card straight flush")
    name = "envy bonus, four-card straight flush"
    bonus = Addition(name, "$10 for $1", four.probability, 2, Fraction(10), True, "envy", four.outcome)
    a = replace(a, additions=(bonus,))
    rounds = 100_000
    cards = np.random.default_rng(2).random((rounds, 52)).argpartition(20, axis=1)[:, :21]
    cards = np.random.default_rng(3).permuted(cards, axis=1).reshape(rounds, 3, 7)
    longest = np.zeros((rounds, 3), np.int64)
    for suit in range(4):
        masks = np.where(cards // 13 == suit, 1 << cards % 13, 0).sum(axis=2)
        longest = np.maximum(longest, mask_features(masks.ravel())[:, 0].reshape(rounds, 3))
    pays = np.array([0, 0, 0, 3, 40, 200, 0, 0.0])[longest[:, 0]] + 10 * (longest[:, 1:] == 4).sum(axis=1)
    squares = (pays - float(a.returned)) ** 2
    assert abs(pays.mean() - float(a.returned)) < 4.5 * pays.std() / rounds**0.5
    assert abs(squares.mean() - float(a.variance)) < 4.5 * squares.std() / rounds**0.5


def test_a_run_of_seven_beside_another_is_counted_run_by_run() -> None:
    runs = [{(s, r % 13) for r in range(first, first + 7)} for s in range(4) for first in range(-1, 7)]
    taken = {(0, r) for r in range(7)}
    table = beside((0b1111111, 0, 0, 0), "straight_flush_both")
    assert table.count(table["straight_flush_both"] == 7) == sum(not run & taken for run in runs)


def test_the_variance_with_an_open_meter_stays_open() -> None:
    a = analyze(f"{HIGH_CARD}/C", set={"other_players": 1})
    assert a.standard_deviation is None
    assert {str(s) for s in a.variance.free_symbols} == {"variance_of_additions", "meter"}


def test_community_pay_is_an_unknown_per_spin_of_another_player() -> None:
    """1,144 of the 22,100 hands of three cards are suited; each of three others spins with that probability."""
    identifier = "maryland/chase-the-flush/progressive/B"
    a = analyze(identifier, set={"stake": 1, "other_players": 3, "spin_of_the_wheel": 10})
    assert a.unknowns == ("community_pay",)
    assert a.coefficients["community_pay"] == 3 * Fraction(1144, 22_100)
    assert a.replace(set={"community_pay": 4}).returned == Fraction(1144, 22_100) * (10 + 12)
    assert analyze(identifier, set={"stake": 1, "spin_of_the_wheel": 10}).unknowns == ()
    blackjack_spin = analyze("maryland/blackjack/bonus-spin-progressive/A", decks=6, set={"other_players": 6})
    assert blackjack_spin.coefficients["community_pay"] == 6 * blackjack_spin.wheel.trigger / 5


def test_magic_card_and_lucky_player() -> None:
    """A magic card pays 20 for 1 and a lucky player 5 for 1; the operator's system draws both."""
    a = analyze(BAD_BEAT, decks=6, set={"meter": 0})
    assert a.unknowns == ("lucky_player_frequency", "magic_card_frequency")
    assert (a.coefficients["magic_card_frequency"], a.coefficients["lucky_player_frequency"]) == (20, 5)
    known = a.replace(set={"magic_card_frequency": "1/52", "lucky_player_frequency": "1/7"})
    assert known.returned == a.coefficients["1"] + Fraction(20, 52) + Fraction(5, 7)
    assert sum(a.probabilities.values()) == 1
    assert "other player" not in str(a)
    assert "4 other player(s)" in str(envy("C", 4))


def test_the_chart_is_named_where_the_figure_stands(tmp_path: Path) -> None:
    text = source("player-chart").decode()
    name = default_chart().name
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(name, "Never hit"), encoding="utf-8")
    default, mine = analyze(BAD_BEAT, decks=6), analyze(BAD_BEAT, decks=6, chart=str(path))
    assert mine.returned == default.returned
    assert dict(extras.remarks(mine))["playing chart"] == "Never hit: total-dependent, pairs never split"
    assert name in str(default)
    assert name in json_view.record(default)["remarks"]["playing chart"]
    first = analyze(BAD_BEAT, decks=6, reading={"bad-beat-twenty": "first-two-cards"})
    assert "playing chart" not in dict(extras.remarks(first))
    with pytest.raises(InputError, match="none of these wagers is played by a chart"):
        analyze("maryland/blackjack/lucky-ladies/A", decks=6, chart=str(path))


def test_another_chart_is_another_return(tmp_path: Path) -> None:
    """A player who stands on 13 draws to 20 less often; the second method reads the same chart."""
    path = tmp_path / "mine.toml"
    printed, stands = ('"13 to 16"    = "S S S S S ' + rest for rest in ('H H H H H"', 'S S S S S"'))
    text = source("player-chart").decode()
    assert printed in text
    path.write_text(text.replace(printed, stands), encoding="utf-8")
    default, mine = (analyze(BAD_BEAT, decks=6, chart=chart) for chart in ("", str(path)))
    assert sum(o.probability for o in mine.outcomes[:-1]) < sum(o.probability for o in default.outcomes[:-1])
    assert [c.passed for c in verify(mine).checks if c.what == "probabilities"] == [True]


def test_odds_in_for_are_lawful_and_a_mixture_is_a_finding() -> None:
    def said(identifier: str, decks: int = 6) -> str:
        return dict(extras.remarks(analyze(identifier, decks=decks))).get("odds stated in", "")

    assert said("maryland/blackjack/lucky-ladies-progressive/A").startswith('"for": lawful')
    for mixed in ("royal-match-21/C", "bad-beat-progressive/A"):
        a = analyze(f"maryland/blackjack/{mixed}", decks=6)
        assert '"to" and "for" in one paytable: a finding' in dict(extras.remarks(a))["odds stated in"]
        assert any("COMAR 36.05.03.14" in f.text for f in a.book.findings_of(a.id))
    assert said("maryland/blackjack/lucky-ladies/A") == ""


def test_every_view_labels_the_progressive_figures() -> None:
    a = analyze(f"{HIGH_CARD}/A", set={"contribution_rate": "25%"})
    words = ("return at the reset", "long-run return", "break-even meter", "expected rounds between hits",
             "probability of a hit within 1,000 rounds", "paid in turn")
    for view in (str(a), render([a], "markdown")):
        assert all(word in view for word in words)
    found = json_view.record(a)["progressive"]
    assert found["return_at_meter"] == {"exact": None, "decimal": None}
    assert Fraction(found["long_run_return"]["exact"]) == a.progressive.long_run
    assert Fraction(found["meters"][0]["break_even"]["exact"]) == a.progressive.meters[0].break_even


def test_the_variance_with_community_pay_agrees_with_dealt_rounds() -> None:
    """Three others are paid for, each suited in three cards of one deck; every seat's wheel is drawn apart."""
    identifier = "maryland/chase-the-flush/progressive/B"
    wheel = {name: k for k, (name, _) in enumerate(analyze(identifier).wheel.symbols, 1)}
    set_to = {"stake": 1, "progressive": 2000, "other_players": 3, "community_pay": 40}
    a = analyze(identifier, set=set_to, wheel=wheel)
    dollars = {n: float(n.removeprefix("$").split()[0].replace(",", "")) if n.startswith("$") else 2000.0
               for n in wheel}
    random = np.random.default_rng(9)
    rounds = 150_000
    suits = random.random((rounds, 52)).argpartition(12, axis=1)[:, :12] // 13
    seats = suits[np.arange(rounds)[:, None], random.permuted(np.tile(np.arange(12), (rounds, 1)), axis=1)]
    hands = seats.reshape(rounds, 4, 3)
    suited = (hands == hands[:, :, :1]).all(axis=2)
    chances = np.array([wheel[n] for n in dollars]) / sum(wheel.values())
    won = random.choice(list(dollars.values()), rounds, p=chances)
    paid = suited[:, 0] * won + 40.0 * suited[:, 1:].sum(axis=1)
    squares = (paid - float(a.returned)) ** 2
    assert abs(paid.mean() - float(a.returned)) < 4.5 * paid.std() / rounds**0.5
    assert abs(squares.mean() - float(a.variance)) < 4.5 * squares.std() / rounds**0.5


def test_community_pay_for_two_others_has_the_pair_law_by_hand() -> None:
    """A second difference in the number of others is twice the covariance of two suited hands."""
    identifier = "maryland/chase-the-flush/progressive/B"
    wheel = dict.fromkeys((n for n, _ in analyze(identifier).wheel.symbols), 1)
    one, two, three = (analyze(identifier, wheel=wheel, set={"stake": 1, "progressive": 9, "other_players": n,
                                                             "community_pay": 7}).variance for n in (1, 2, 3))
    p = Fraction(4 * comb(13, 3), comb(52, 3))
    both = Fraction(4 * comb(13, 3) * (comb(10, 3) + 3 * comb(13, 3)), comb(52, 3) * comb(49, 3))
    assert one - 2 * two + three == 2 * 49 * (both - p**2)


def test_no_progressive_has_an_open_variance_where_all_values_are_given() -> None:
    """Every progressive outside play, with meters, stake, weights, other players and their pays set.

    A card that is drawn in every round is met by two cards of one deck in one of 26: bonuses come somewhat less often.
    """
    given = {"stake": "1", "other_players": "2", "community_pay": "20", "contribution_rate": "10%"}
    open_ones = set()
    for item in shipped().ids():
        resolved = shipped().resolve(item)
        if "progressive" not in item or resolved.terms.promotion or resolved.document.id.startswith("massachusetts"):
            continue  # dollars a round; Massachusetts has no pays beside the lines
        known = parameters.names(resolved)
        values = {n: v for n, v in given.items() if n in known} | {
            n: "5000" for n, u in resolved.unknowns.items() if n in known and (u.is_meter or "prize" in n)}
        values |= {n: "1/27" for n in known if n.endswith("_frequency")}
        wheel = {name: 1 for name, _ in parameters.wheel_pays(resolved)} or None
        a = analyze(item, decks=min(resolved.decks), set=values, wheel=wheel)
        if a.standard_deviation is None:
            open_ones.add(item)
    assert not open_ones
