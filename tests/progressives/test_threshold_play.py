"""Who plays only from a threshold on: recursion on small meters, rounds dealt one by one, and closed forms."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import count
from math import comb
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.progressives.meter_cycle import Law, lives
from combin.progressives.threshold_play import must_hit_from_on, player
from combin.progressives.winners import winners
from combin.userfiles.catalogue import analyze_all

HIGH_CARD = "maryland/high-card-flush/progressive"
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"


def test_who_waits_for_a_threshold_plays_a_geometric_rest() -> None:
    a = analyze(f"{HIGH_CARD}/C", set={"contribution_rate": "20%"})
    [life] = lives(a, threshold=Fraction(10_000))
    hit = Fraction(4 * 8 + 4 * (9 * 46 - 16), comb(52, 7))
    rounds = next(k for k in count(24_990) if 5000 + Fraction(k, 5) >= 10_000)
    assert life.player.returned == a.progressive.fixed + hit * (5000 + Fraction(1, 5) * (rounds + 1 / hit))
    # Fifteen digits are shown, the last one rounded.
    assert abs(Fraction(life.player.share) - (1 - hit) ** rounds) <= Fraction(1, 2 * 10**15)
    # A threshold at the reset keeps nobody away.
    assert lives(a, threshold=Fraction(0))[0].player.returned == a.progressive.long_run


def nothing(names: frozenset[str]) -> Fraction:
    raise AssertionError(names)


def test_small_meters_that_are_hit_in_one_round_follow_the_recursion() -> None:
    """One meter has gone so many rounds without a hit: where the other then stands, round by round."""
    hit, other, either, rounds = Fraction(1, 5), Fraction(1, 7), Fraction(3, 10), 6
    one = Law("one", 1, Fraction(10), hit, Fraction(2))
    two = Law("two", 1, Fraction(4), other, Fraction(3))
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


def test_hands_without_a_joint_law_have_a_return_between_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round pays (all hits) x reset + (a round is hit) x what the meter is above it, however they fall together."""
    monkeypatch.setattr("combin.progressives.winners.EXACT_TWENTIES", 2)
    a = analyze(BAD_BEAT, decks=1, set={"contribution_rate": "10%", "magic_card_frequency": 0,
                                        "lucky_player_frequency": 0})
    [life] = lives(a, seats=3, threshold=Fraction(20_000))
    hit, step, reset = a.progressive.meters[0].hit, Fraction(3, 10), 5000
    rounds = next(k for k in count(49_990) if reset + k * step >= 20_000)
    for q, returned in ((life.law.at_once.hit, life.player.returned), (life.law.hit, life.player.at_most[1])):
        paid = 3 * hit * reset + q * step * (rounds + 1 / q)
        assert returned == a.progressive.fixed + paid / 3
    assert life.player.share < life.player.at_most[0]
    assert life.law.several is None


SMALL = """
[[wager]]
id = "house/blackjack/small-meter"
name = "Small Meter"
deal = "player 2"
decks = [1]
meter_options = { winners = "in-turn", share_deducted = "yes" }
[wager.outcome]
"aces" = 'count(player, "A") == 2'
"kings" = 'count(player, "K") == 2'
"pair" = 'pair(player)'
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "40"
resets_on = ["pair"]
contribution = { A = "20%" }
SECOND
[wager.paytable.A]
"aces" = "ACES"
"kings" = "KINGS"
"pair" = "100% of the meter"
"""
TAKES = {"aces": "50% of the meter", "kings": "10% of the meter"}
SECOND = 'seed = "contributions"\nsecondary = { A = "5%" }'


def dealt(
    law: Mapping[tuple[int, ...], Fraction], sizes: tuple[Fraction, ...], seats: int, second: float, threshold: float,
    rounds: int,
) -> tuple[float, float, float]:
    """Rounds one by one: the share in which the meter shows the threshold, what a seat is paid then, and its error."""
    random = np.random.default_rng(11)
    chances, orders = zip(*((float(p), counts) for counts, p in law.items()), strict=True)
    meter, reserve, played, paid = 40.0, 0.0, 0, []
    for k in random.choice(len(chances), rounds, p=chances).tolist():
        plays = meter >= threshold
        meter, reserve, sum_paid = meter + 0.2 * seats, reserve + second * seats, 0.0
        hands = [1.0] * orders[k][0] + [float(s) for s, n in zip(sizes, orders[k][1:], strict=True) for _ in range(n)]
        for hand in random.permutation(hands).tolist() if len(hands) > 1 else hands:
            sum_paid += hand * meter
            meter -= hand * meter
            if hand == 1:
                meter, reserve = (reserve, 0.0) if second else (40.0, 0.0)
        if plays:
            played += 1
            paid.append(sum_paid / seats)
    blocks = [float(np.mean(block)) for block in np.array_split(np.array(paid), 100)]
    return played / rounds, float(np.mean(paid)), float(np.std(blocks)) / 10


@pytest.mark.parametrize(("second", "shares"), [(False, ("aces", "kings")), (True, ()), (True, ("kings",))])
@pytest.mark.parametrize("seats", [1, 4])
def test_a_small_meter_is_played_as_rounds_are_dealt(
    tmp_path: Path, second: bool, shares: tuple[str, ...], seats: int
) -> None:
    path, written = tmp_path / "small.toml", SMALL.replace("SECOND", SECOND if second else "")
    for name, pay in TAKES.items():
        written = written.replace(name.upper(), pay if name in shares else "2 for 1")
    path.write_text(written)
    [a] = analyze_all(str(path))
    threshold = Fraction(4 if second else 42)
    [life] = lives(a, seats=seats, threshold=threshold)
    found = winners(a, a.progressive.meters[0].meter, seats)
    share, paid, error = dealt(found.law, found.sizes, seats, 0.05 * second, float(threshold), 30_000)
    paid += float(a.progressive.fixed)
    low, high = life.player.returned, life.player.returned
    least, most = life.player.share, life.player.share
    if second or shares:
        most, high = life.player.at_most
    assert float(low) - 4.5 * error < paid < float(high) + 4.5 * error
    # Rounds of one life of the meter go together: some 20 to a life.
    assert float(least) - 0.02 < share < float(most) + 0.02
    always = lives(a, seats=seats, threshold=Fraction(0))[0]
    assert always.player.returned == always.always or always.player.returned < always.always < always.player.at_most[1]


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
    with pytest.raises(InputError, match="the meter never shows 500; it is hit below 500"):
        must_hit_from_on(Fraction(500), Fraction(100), Fraction(500), Fraction(1), 1)


def test_a_meter_without_contributions_stands_at_its_reset() -> None:
    law = Law("meter", 1, Fraction(10), Fraction(1, 8), Fraction(0))
    at = player(law, Fraction(10), lambda amounts: amounts["meter"], {}, nothing)
    assert (at.share, at.returned) == (1, 10)
    assert player(law, Fraction(11), lambda amounts: amounts["meter"], {}, nothing).share == 0


def test_the_command_says_who_plays_below_the_threshold() -> None:
    asked = ["meter", "massachusetts/high-card-flush/progressive/A", "--seats", "6", "--threshold", "200000"]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "below it others have the seat" in said
    assert "lie between the two bounds" in said
    assert "82.71" in said


def test_must_hit_without_contributions_is_refused() -> None:
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=6, set={"stake": 1, "contribution_rate": 0})
    with pytest.raises(InputError, match="nothing is added to the meter"):
        lives(a)
