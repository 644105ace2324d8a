"""Bounds of a meter from an amount on: a closed form, the series of the continuous meter, events dealt one by one."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from combin.progressives.meter_cycle import Law, Move, lives
from combin.progressives.overshoots import from_on
from combin.progressives.shares import SharedMeter
from combin.userfiles.catalogue import analyze_all


def law(moves: tuple[tuple[str, str, bool], ...], pot: Fraction = Fraction(0)) -> Law:
    found = tuple(Move(Fraction(p), Fraction(kept), reset) for p, kept, reset in moves)
    hit = sum((m.probability for m in found if m.reset), Fraction(0))
    return Law("meter", 1, Fraction(300), hit, Fraction(1, 4), pot, bool(pot), moves=found)


@pytest.mark.parametrize("rounds", [1, 40, 2000])
def test_a_meter_without_shares_has_its_closed_form(rounds: int) -> None:
    hit, step = Fraction(1, 500), Fraction(1, 4)
    (least, most), (low, high) = from_on(SharedMeter(step, {}, {Fraction(1): hit}, Fraction(300)),
                                         300 + rounds * step, 300 + step / hit)
    # It holds so many steps or more after as many rounds less one without a hit.
    chance, mean = (1 - float(hit)) ** (rounds - 1), 300 + float(step) * (rounds - 1 + 500)
    assert float(least) < chance < float(most) + 1e-12
    assert float(low) < mean < float(high)
    assert float(high - low) < 0.02 * mean


@pytest.mark.parametrize("pot", [Fraction(0), Fraction(1, 5)])
def test_bounds_lie_between_those_of_the_continuous_meter(pot: Fraction) -> None:
    meter = law((("0.003", "0.8", False), ("0.0012", "0.5", False), ("0.001", "1", True), ("0.0002", "0.8", True)), pot)
    for amount in (80, 240, 400):
        shown, mean = from_on(meter.shared, Fraction(amount), meter.mean)
        wide_shown, wide = meter.shared.from_on(Fraction(amount), meter.mean)
        assert wide_shown[0] < shown[0] < shown[1] < wide_shown[1]
        assert wide[0] < mean[0] < mean[1] < wide[1]


def test_shares_of_many_sizes_lie_between_bounds_as_dealt() -> None:
    meter = law((("0.004", "0.9", False), ("0.01", "0.95", False), ("0.02", "0.99", False), ("0.0004", "1", True)))
    random = np.random.default_rng(5)
    events, p = 40_000, np.array([float(m.probability) for m in meter.moves])
    waits = random.geometric(p.sum(), events).tolist()
    held, now = np.empty(events), 300.0
    for n, k in enumerate(random.choice(4, events, p=p / p.sum()).tolist()):
        held[n] = now + waits[n] / 4
        now = (300.0 if meter.moves[k].reset else held[n]) * float(meter.moves[k].kept)
    (least, most), (low, high) = from_on(meter.shared, Fraction(200), meter.mean)
    above = held >= 200
    for value, lower, upper in ((above * 1.0, least, most), (held[above], low, high)):
        error = np.std([block.mean() for block in np.array_split(value, 50)], ddof=1) / 50**0.5
        assert float(lower) - 4.5 * error < value.mean() < float(upper) + 4.5 * error
    assert most - least < 0.02
    assert high - low < 4


def test_beyond_what_the_lattice_tells_apart_from_never_the_return_is_open(tmp_path: Path) -> None:
    path = tmp_path / "shares.toml"
    path.write_text("""
[[wager]]
id = "house/blackjack/small-share"
name = "Small Share"
deal = "player 2"
decks = [1]
meter_options = { winners = "in-turn", share_deducted = "yes" }
[wager.outcome]
"aces" = 'count(player, "A") == 2'
"pair" = 'pair(player)'
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "40"
resets_on = ["aces"]
contribution = { A = "20%" }
[wager.paytable.A]
"aces" = "100% of the meter"
"pair" = "0.2% of the meter"
""")
    [a] = analyze_all(str(path))
    [life] = lives(a, threshold=Fraction(60))
    assert life.law.told is None
    # Shares take so little that the meter is nearly that which only aces reset.
    hit = Fraction(6, 1326)
    assert abs(float(life.player.share) - (1 - float(hit)) ** 100) < 0.02
    assert 0 < life.player.returned <= life.player.at_most[1]
    [far] = lives(a, threshold=Fraction(100_000))
    assert (far.player.share, far.player.returned, far.player.at_most[1]) == (0, None, None)
