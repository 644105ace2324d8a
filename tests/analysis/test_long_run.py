"""Progressives over many rounds: closed forms, the account of a long run, published break-even meters."""

from decimal import Decimal
from fractions import Fraction
from math import comb
from random import Random
from types import SimpleNamespace

import pytest

from combin.analysis import long_run
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.deals.cards import Shoe, card
from combin.deals.dealer_draws import dealer_hands
from combin.games import must_hit
from combin.rulebook.parameters import meters as meters_of
from combin.rulebook.terms import Terms

HANDS = comb(52, 7)
#: With the ace high or low a suit has eight runs of seven and nine of six. A seventh card must not extend the six.
SEVEN, SIX = 4 * 8, 4 * (9 * 46 - (7 * 2 + 2))
HIGH_CARD = "maryland/high-card-flush/progressive"


def high_card(letter: str, **values: object) -> Analysis:
    return analyze(f"{HIGH_CARD}/{letter}", set=values)


def test_long_run_of_maryland_c_in_closed_form() -> None:
    """Both straight flushes reset the meter to 5,000 dollars. The operator puts them up."""
    a = high_card("C", contribution_rate="20%")
    p = a.progressive
    reset = Fraction(SEVEN + SIX, HANDS)
    assert p.meters[0].hit == reset
    assert p.meters[0].rounds_between == Fraction(HANDS, SEVEN + SIX)
    assert p.seeds == 5000 * reset
    assert p.at_reset == p.fixed + 5000 * reset
    assert p.long_run == p.fixed + Fraction(1, 5) + 5000 * reset
    assert p.at_meter is None
    assert high_card("C", meter=12345).progressive.at_meter == p.fixed + 12345 * reset
    assert p.meters[0].break_even == (1 - p.fixed) / reset


def test_break_even_is_where_the_return_is_the_stake() -> None:
    found = high_card("A").progressive.meters[0].break_even
    assert high_card("A", meter=found).returned == 1
    assert high_card("A").solve("meter", Fraction(1)) == found
    # A six-card straight flush wins 10 % of the meter, a seven-card one all of it.
    assert high_card("A").coefficients["meter"] == Fraction(SEVEN + Fraction(SIX, 10), HANDS)


def test_an_unset_rate_stays_an_unknown_of_the_long_run() -> None:
    p = high_card("C").progressive
    assert str(p.contributions) == "contribution_rate"
    assert {str(s) for s in p.long_run.free_symbols} == {"contribution_rate"}


def test_massachusetts_resets_out_of_contributions() -> None:
    """§11(f): 24 % go to the meter and 2 % to the next reset. The first seed adds nothing in the long run."""
    p = analyze("massachusetts/high-card-flush/progressive/A").progressive
    assert p.seeds == 0
    assert p.contributions == Fraction(26, 100)
    assert p.long_run == p.fixed + Fraction(26, 100)
    assert p.meters[0].hit == Fraction(SEVEN, HANDS)
    assert p.meters[0].secondary == Fraction(2, 100)


def test_a_share_that_is_not_deducted_adds_its_value_at_the_mean_meter() -> None:
    """At the mean meter m before a round is settled, the resets take as much as the contributions bring."""
    a = analyze(f"{HIGH_CARD}/A", set={"contribution_rate": "1/4"}, reading={"meter-share-deducted": "no"})
    hit, rate, reset = Fraction(SEVEN, HANDS), Fraction(1, 4), 30000
    mean = reset + rate / hit
    assert (1 - hit) * mean + hit * reset + rate == mean
    assert a.progressive.not_deducted == Fraction(SIX, HANDS) * mean / 10
    deducted = a.replace(reading={"meter-share-deducted": "yes"})
    assert deducted.progressive.not_deducted == 0
    assert a.progressive.long_run - deducted.progressive.long_run == a.progressive.not_deducted
    assert a.returned == deducted.returned


@pytest.mark.parametrize("letter", ["A", "C"])
def test_money_in_equals_money_out_over_a_long_run(letter: str) -> None:
    """A run with an exact account: seeds plus contributions equal prizes plus the last meter."""
    rounds, rate = 200_000, Fraction(1, 5)
    a = high_card(letter, contribution_rate=rate)
    figures = a.progressive.meters[0]
    reset = figures.reset
    # Prizes come a thousand times as often as in the game. The identity holds for any law.
    often = {o.outcome: o for o in a.outcomes if o.pay is not None and o.pay.shares}
    weights = [float(o.probability) * 1000 for o in often.values()]
    dice, names = Random(4), list(often)
    drawn_names = dice.choices([*names, ""], [*weights, 1 - sum(weights)], k=rounds)
    meter, paid, hits, contributed = reset, Fraction(0), 0, Fraction(0)
    for name in drawn_names:
        meter += rate
        contributed += rate
        if name:
            ((_, share),) = often[name].pay.shares
            paid += share * meter
            meter -= share * meter
            if name in figures.meter.resets_on:
                assert meter == 0
                meter, hits = reset, hits + 1
    assert hits > 20
    assert reset * (1 + hits) + contributed == paid + meter
    # The formula for the same run, with the share of hits as the probability. The last meter is the only difference.
    assert paid - (rate * rounds + reset * hits) == reset - meter


def test_the_probability_of_a_hit_within_rounds() -> None:
    p = Fraction(2, 8361535)
    exact = 1 - (1 - p) ** 500
    assert abs(Fraction(long_run.hit_within(p, 500)) - exact) < exact / 10**14
    assert long_run.hit_within(Fraction(1, 2), 3) == Decimal("0.875")
    assert long_run.hit_within(p, 0) == 0
    assert long_run.hit_within(Fraction(1), 1) == 1
    with pytest.raises(InputError, match="the number of rounds cannot be -1; give 0 or more"):
        long_run.hit_within(p, -1)


@pytest.mark.parametrize(("stake", "published"), [(1, "26788.90"), (5, "133944.50")])
def test_published_break_even_of_21_plus_3(stake: int, published: str) -> None:
    """The source counts 960 suited threes of a kind twice. Its total is 5,014,280 and not C(312, 3)."""
    a = analyze("maryland/blackjack/21-plus-3-progressive/A", decks=6, set={"stake": stake})
    found = a.progressive.meters[0].break_even
    assert found == a.solve("progressive", Fraction(1))
    assert a.deals == comb(312, 3) == 5_014_280 - 960
    paid = 960 * 125 + 10_368 * 25 + 25_272 * 20 + 155_520 * 7 + 292_896 * 3
    assert found == Fraction(stake * (comb(312, 3) - paid), 80)
    assert found + stake * Fraction(960 - 960 * 20, 80) == Fraction(published)


def test_published_return_of_bad_beat_before_the_meter() -> None:
    """"About 0.52": six decks, a magic card once in 26 × 26 rounds, no pay for a bare 20."""
    a = analyze("maryland/blackjack/bad-beat-progressive/A", decks=6,
                set={"magic_card_frequency": "1/676", "lucky_player_frequency": 0})
    bare = next(o for o in a.outcomes if o.outcome == "player 20")
    assert round(a.progressive.fixed - bare.contribution, 2) == Fraction("0.52")


def test_four_meters_each_for_itself() -> None:
    a = analyze("maryland/blackjack/super-4-progressive/D", decks=6)
    p = a.progressive
    names = [f.meter.name for f in p.meters]
    assert names == [f"{n}_progressive_meter" for n in ("star", "spade", "heart", "diamond")]
    assert [f.reset for f in p.meters] == [50000, 5000, 500, 300]
    assert p.seeds == sum(f.reset * f.hit for f in p.meters) / 5
    assert {m.rate_name for m in meters_of(a.resolved)} == {f"{n}_contribution_rate" for n in names}


@pytest.mark.parametrize(
    ("identifier", "values", "said"),
    [
        (f"{HIGH_CARD}/A", {"meter": -1}, "meter cannot be -1; give at least 0"),
        (f"{HIGH_CARD}/A", {"contribution_rate": "120%"}, "contribution_rate cannot be 6/5"),
        (f"{HIGH_CARD}/A", {"contribution_rate": "-1%"}, "contribution_rate cannot be -1/100"),
        (f"{HIGH_CARD}/A", {"other_players": 7}, "other_players cannot be 7"),
        (f"{HIGH_CARD}/A", {"other_players": "1.5"}, "give a whole number"),
        (f"{HIGH_CARD}/A", {"stake": 0}, "stake cannot be 0; a stake is above 0"),
        (f"{HIGH_CARD}/A", {"reset": 29999}, "reset cannot be 29999 (Ch. 12 §E(2)(b)); give at least 30000"),
        ("massachusetts/high-card-flush/progressive/A", {"stake": 2}, "is fixed at 1 (§6(a)(4), §12(a))"),
        ("massachusetts/high-card-flush/progressive/A", {"contribution_rate": "30%"}, "fixed at 24% (§11(f))"),
        ("massachusetts/high-card-flush/progressive/A", {"reset": "20000"}, "fixed at 10000"),
        ("maryland/blackjack/bonus-spin-progressive/B", {"other_players": 7}, "give at most 6"),
        (
            "maryland/blackjack/super-4-progressive/D",
            {"star_progressive_meter_contribution_rate": "60%", "heart_progressive_meter_contribution_rate": "50%"},
            "add up to 11/10, more than the whole wager",
        ),
        ("maryland/blackjack/bad-beat-progressive/A", {"magic_card_frequency": 2}, "give at most 1"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused_with_a_sentence(identifier: str, values: dict[str, object], said: str) -> None:
    decks = 6 if "blackjack" in identifier else 1
    with pytest.raises(InputError) as caught:
        analyze(identifier, decks=decks, set=values)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


MUST_HIT = "maryland/blackjack/must-hit-progressive/A"


def test_must_hit_in_closed_form() -> None:
    """Contributions r S, and resets R with the probability of a hit: r S + R × 2 r S/(M − R)."""
    for reset, maximum in ((250, 1000), (100, 500), (100, 200)):
        values = {"stake": 5, "contribution_rate": "2%", "reset": reset, "maximum": maximum}
        a = analyze(MUST_HIT, decks=1, set=values)
        rise, chance = Fraction(1, 10), Fraction(2, 10 * (maximum - reset))
        assert a.outcomes[0].probability == chance
        assert a.returned == rise + reset * chance
        assert not a.has_stake
        assert sum(o.probability for o in a.outcomes) == 1


def test_must_hit_without_stake_and_rate_is_an_expression() -> None:
    a = analyze(MUST_HIT, decks=1)
    assert a.unknowns == ("contribution_rate", "stake")
    assert str(a.returned) == "5*contribution_rate*stake/3"


def test_must_hit_against_a_meter_that_rises_in_steps() -> None:
    """K steps lead from the reset to the maximum, and the hit is at a uniform one of them; then steps get small."""
    reset, maximum = Fraction(250), Fraction(1000)
    off = []
    for rise in (Fraction(1), Fraction(1, 10), Fraction(1, 100)):
        steps = int((maximum - reset) / rise)
        prizes = sum(reset + rise * k for k in range(1, steps + 1))
        rounds = sum(range(1, steps + 1))
        value = must_hit.hits_per_round(reset, maximum, rise) * must_hit.mean_prize(reset, maximum)
        off.append(abs(Fraction(prizes, rounds) / value - 1))
    assert off[0] < Fraction(1, 500)
    assert off[1] < off[0] / 9
    assert off[2] < off[1] / 9


def test_must_hit_at_a_meter_adds_up_to_the_prizes() -> None:
    """The meter reaches a step with the probability of no hit before; the steps together are worth the mean prize."""
    reset, maximum, rise = Fraction(100), Fraction(200), Fraction(1, 2)
    total, meter = Fraction(0), reset
    while meter < maximum:
        total += (maximum - meter) / (maximum - reset) * must_hit.dollars_at(meter, maximum, rise)
        meter += rise
    assert total == must_hit.mean_prize(reset, maximum)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"reset": 100, "maximum": 199}, "below every pair of least amounts (Ch. 13 §U(2))"),
        ({"reset": 99, "maximum": 5000}, "give at least one of 250 and 1000, 100 and 500, 100 and 200"),
        ({"reset": 1000, "maximum": 1000}, "the maximum 1000 is not above the reset 1000"),
        ({"must_hit_meter": 1000}, "must_hit_meter cannot be 1000; it is between 250 and 1000"),
        ({"stake": 1000, "contribution_rate": 1}, "the meter would be hit more than once per round"),
    ],
)
def test_must_hit_refuses(values: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        analyze(MUST_HIT, decks=1, set=values)
    assert said in str(caught.value)


def test_the_free_bonus_beside_its_buster_wager() -> None:
    """The dollars of a round from the dealer's hands beside a player's blackjack; their share at a $5 stake."""
    a = analyze("maryland/blackjack/buster-blackjack-free-bonus/A", decks=6, reading={"buster-table": "C"})
    hands = dealer_hands(Shoe(6, (card("As"), card("Ts"))), hits_soft_17=False)  # what a player's blackjack leaves
    natural = Fraction(2 * 24 * 96, 312 * 311)
    seven = natural * hands.probability(bust=1, cards=7)
    more = natural * hands.probability(bust=1, cards=range(8, 20))
    assert a.returned == 8000 * more + 1000 * seven
    assert not a.has_stake
    bonus = long_run.free_bonus(a)
    assert bonus.wager == "maryland/blackjack/buster-blackjack/C"
    assert bonus.alone == analyze("maryland/blackjack/buster-blackjack/C", decks=6).returned
    assert bonus.added == a.returned / 5
    instead = long_run.free_bonus(a.replace(reading={"free-bonus": "instead"}))
    assert instead.added == a.returned / 5 - 251 * more - 51 * seven


def test_a_stake_of_two_halves_what_a_share_adds_and_doubles_what_rises() -> None:
    """The same with a stake of two dollars: the meter rises by half a dollar a round."""
    values = {"contribution_rate": "1/4", "stake": 2}
    a = analyze(f"{HIGH_CARD}/A", set=values, reading={"meter-share-deducted": "no"})
    mean = 30000 + Fraction(1, 2) / Fraction(SEVEN, HANDS)
    assert a.progressive.not_deducted == Fraction(SIX, HANDS) * mean / 10 / 2


def test_a_hit_of_a_meter_that_hardly_comes() -> None:
    """1 − (1 − p)^n = n p − n (n − 1) p²/2 + … to fifteen digits, for 10^3 to 10^7 rounds."""
    assert long_run.ROUNDS == (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
    assert long_run.hit_within(Fraction(1, 3), 1) == Decimal("0.333333333333333")
    assert long_run.hit_within(Fraction(1, 10**50), 1000) == Decimal("1E-47")


def test_a_meter_that_breaks_even_at_nothing_or_never() -> None:
    """The return is b + m/10 at the meter m."""

    def game(base: Fraction) -> SimpleNamespace:
        return SimpleNamespace(
            resolved=SimpleNamespace(terms=Terms()), parameters={},
            return_with=lambda values: base + values["meter"] / 10,
        )  # fmt: skip

    assert long_run._break_even(game(Fraction(9, 10)), "meter", {}) == 1
    assert long_run._break_even(game(Fraction(1)), "meter", {}) == 0
    assert long_run._break_even(game(Fraction(11, 10)), "meter", {}) is None


def test_the_next_round_of_a_must_hit_meter() -> None:
    """The hit point is uniform between meter m and maximum M: a step s holds it with s/(M − m), in its middle."""
    values = {"stake": 5, "contribution_rate": "2%"}
    a = analyze(MUST_HIT, decks=1, set=values | {"must_hit_meter": 800})
    assert long_run.must_hit_now(a) == Fraction(1, 10) / 200 * (800 + Fraction(1, 20))
    assert long_run.must_hit_now(analyze(MUST_HIT, decks=1, set=values)) is None
    assert long_run.must_hit_now(analyze(MUST_HIT, decks=1, set={"must_hit_meter": 800, "stake": 5})) is None


def test_no_single_meter_breaks_even_where_the_play_follows_it() -> None:
    """With an ante the meter changes which hands fold. Without an ante the base game decides the folds."""
    identifier = "massachusetts/high-card-flush/progressive/A"
    found = analyze(identifier).progressive.meters[0].break_even
    assert analyze(identifier, set={"main_meter": found}).returned == 1
    beside = analyze(identifier, set={"main_meter": found, "ante": 5})
    assert beside.progressive.meters[0].break_even is None
    assert beside.progressive.at_reset == analyze(identifier, set={"main_meter": 10_000, "ante": 5}).returned
