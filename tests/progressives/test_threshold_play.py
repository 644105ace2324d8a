"""A player who bets only from a threshold on: recursion on small meters, rounds dealt one by one, and closed forms."""

import json
from fractions import Fraction
from itertools import count
from math import comb

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.progressives.distribution import MeterDistribution
from combin.progressives.meter_cycle import meter_cycles
from combin.progressives.must_hit import must_hit_from_on
from combin.progressives.threshold_play import player

HIGH_CARD = "maryland/high-card-flush/progressive"
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"


def test_who_waits_for_a_threshold_plays_a_geometric_rest() -> None:
    a = analyze(f"{HIGH_CARD}/C", set={"contribution_rate": "20%"})
    [life] = meter_cycles(a, threshold=Fraction(10_000))
    hit = Fraction(4 * 8 + 4 * (9 * 46 - 16), comb(52, 7))
    rounds = next(k for k in count(24_990) if 5000 + Fraction(k, 5) >= 10_000)
    assert life.player.returned == a.progressive.fixed + hit * (5000 + Fraction(1, 5) * (rounds + 1 / hit))
    # Fifteen digits are shown, the last one rounded.
    assert abs(Fraction(life.player.share) - (1 - hit) ** rounds) <= Fraction(1, 2 * 10**15)
    # A threshold at the reset keeps nobody away.
    assert meter_cycles(a, threshold=Fraction(0))[0].player.returned == a.progressive.long_run


def nothing(names: frozenset[str]) -> Fraction:
    raise AssertionError(names)


def test_small_meters_that_are_hit_in_one_round_follow_the_recursion() -> None:
    """One meter has gone a number of rounds without a hit: where the other then stands, round by round."""
    hit, other, either, rounds = Fraction(1, 5), Fraction(1, 7), Fraction(3, 10), 6
    one = MeterDistribution("one", 1, Fraction(10), hit, Fraction(2))
    two = MeterDistribution("two", 1, Fraction(4), other, Fraction(3))
    found = player(one, Fraction(22), lambda amounts: amounts["two"] + 1000 * amounts["one"], {"two": two},
                   lambda names: {frozenset(("one", "two")): either}[names])
    # The other meter's mean in a round, before these rounds and after them: it is reset or has one step more.
    mean = 4 + 3 / other
    beside = (either - hit) / (1 - hit)
    for _ in range(rounds):
        mean = beside * (4 + 3) + (1 - beside) * (mean + 3)
    assert abs(found.returned - (mean + 1000 * (10 + 2 * (rounds + 5)))) < Fraction(1, 10**40)
    # Fifteen digits are shown, the last one rounded.
    assert abs(Fraction(found.share) - (1 - hit) ** rounds) <= Fraction(1, 2 * 10**15)


@pytest.mark.parametrize(("threshold", "seats"), [(150, 1), (300, 2), (460, 3)])
def test_must_hit_is_played_as_rounds_are_dealt(threshold: int, seats: int) -> None:
    """A round passes several hidden points at times: it adds 150 to a way of 400."""
    found = must_hit_from_on(Fraction(threshold), Fraction(100), Fraction(500), Fraction(150), seats)
    random = np.random.default_rng(4)
    points = iter((100 + 400 * random.random(200_000)).tolist())
    meter, point, paid = 100.0, next(points), []
    for _ in range(100_000):
        plays, total = meter >= threshold, 0.0
        meter += 150
        while meter >= point:
            total += point
            meter += 100 - point
            point = next(points)
        if plays:
            paid.append(total / seats)
    error = np.std(paid) / len(paid) ** 0.5
    assert abs(np.mean(paid) - float(found.returned)) < 4.5 * error
    p = float(found.share)
    assert abs(len(paid) / 100_000 - p) < 4.5 * (p * (1 - p) / 100_000) ** 0.5


def test_must_hit_played_from_its_reset_is_played_always() -> None:
    """From just above the reset on, the exponential adds up to the long run: rise x (reset + maximum) / way."""
    at = must_hit_from_on(Fraction(100), Fraction(100), Fraction(500), Fraction(150), 1)
    above = must_hit_from_on(100 + Fraction(1, 10**30), Fraction(100), Fraction(500), Fraction(150), 1)
    assert at.returned == 225
    assert abs(above.returned - 225) < Fraction(1, 10**25)
    with pytest.raises(InputError, match="the meter never reaches 500; it is hit below 500"):
        must_hit_from_on(Fraction(500), Fraction(100), Fraction(500), Fraction(1), 1)


def test_a_meter_without_contributions_stands_at_its_reset() -> None:
    law = MeterDistribution("meter", 1, Fraction(10), Fraction(1, 8), Fraction(0))
    at = player(law, Fraction(10), lambda amounts: amounts["meter"], {}, nothing)
    assert (at.share, at.returned) == (1, 10)
    assert player(law, Fraction(11), lambda amounts: amounts["meter"], {}, nothing).share == 0


def test_must_hit_without_contributions_is_refused() -> None:
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=6, set={"stake": 1, "contribution_rate": 0})
    with pytest.raises(InputError, match="nothing is added to the meter"):
        meter_cycles(a)


def test_the_command_says_who_plays_below_the_threshold() -> None:
    asked = ["meter", f"{HIGH_CARD}/C", "--set", "contribution_rate=20%", "--seats", "6", "--threshold", "10000"]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "below the threshold other players take the seat" in said
    assert "return to a player who bets only in these rounds" in said


def test_a_threshold_of_a_meter_that_shares_leave_is_not_computed() -> None:
    asked = ["meter", "massachusetts/high-card-flush/progressive/A", "--threshold", "200000", "--format", "json"]
    [shown] = json.loads(CliRunner().invoke(cli, asked).output)
    assert (shown["player"]["share"], shown["player"]["return"], shown["reached_before_hit"]) == (None, None, None)
    assert shown["at_hit"] == {"5 %": None, "50 %": None, "95 %": None}
    assert any("are not computed; combin simulate estimates them" in remark for remark in shown["remarks"])
