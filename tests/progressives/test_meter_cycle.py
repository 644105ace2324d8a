"""Meter cycles: closed forms against plain recursion, the long-run return, and simulated meters."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.progressives.distribution import MeterDistribution, Move
from combin.progressives.meter_cycle import at_table, meter_cycles
from combin.report.build import _by_seats

HIGH_CARD = "maryland/high-card-flush/progressive"


def recursion(hit: Fraction, reset: Fraction, step: Fraction, rounds: int) -> list[tuple[Fraction, Fraction]]:
    """(meter, probability of a hit at that meter), round by round."""
    left, meter, found = Fraction(1), reset, []
    for _ in range(rounds):
        meter += step
        found.append((meter, left * hit))
        left *= 1 - hit
    return found


def test_a_small_meter_follows_the_recursion() -> None:
    law = MeterDistribution("meter", 1, Fraction(10), Fraction(1, 8), Fraction(3, 2))
    hits = recursion(law.hit, law.reset, law.step, 400)
    assert abs(sum(m * p for m, p in hits) - law.mean) < Fraction(1, 10**15)
    for amount in (Fraction(0), Fraction(10), Fraction(23, 2), Fraction(12), Fraction(20), Fraction(41)):
        exact = sum(p for m, p in hits if m > amount)
        assert abs(law.above(amount) - Decimal(float(exact))) < Decimal("1e-12")
        exact = sum(p for m, p in hits if m >= amount)
        assert abs(law.reaches(amount) - Decimal(float(exact))) < Decimal("1e-12")
    for share in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
        at = law.at(share)
        assert sum(p for m, p in hits if m <= at) >= share
        assert sum(p for m, p in hits if m < at) < share


def test_a_share_that_is_taken_lowers_the_mean_as_a_meter_dealt_round_by_round() -> None:
    q, r, reset, step = 1 / 20, 1 / 10, 10.0, 1.0
    moves = (Move(Fraction(1, 20), Fraction(1), True), Move(Fraction(1, 10), Fraction(9, 10), False))
    law = MeterDistribution("meter", 1, Fraction(10), Fraction(1, 20), Fraction(1), moves=moves)
    random, meter, found = np.random.default_rng(5), reset, []
    for u in random.random(200_000).tolist():
        meter += step
        if u < q:
            found.append(meter)
            meter = reset
        elif u < q + r:
            meter *= 0.9
    assert abs(np.mean(found) - float(law.mean)) < 4 * np.std(found) / len(found) ** 0.5


def test_a_second_meter_pays_the_sum_of_two_geometric_numbers() -> None:
    law = MeterDistribution("meter", 1, Fraction(100), Fraction(1, 2000), Fraction(1, 4), Fraction(1, 20), funded=True)
    random = np.random.default_rng(8)
    held = random.geometric(1 / 2000, 200_000) / 4 + random.geometric(1 / 2000, 200_000) / 20
    assert abs(held.mean() - float(law.mean)) < 4 * held.std() / 200_000**0.5
    assert law.above(Fraction(50)) is law.at(Fraction(1, 2)) is law.reaches(Fraction(50)) is None


@pytest.mark.parametrize("letter", ["A", "C"])
@pytest.mark.parametrize("seats", [1, 6])
def test_who_plays_always_has_the_long_run_return(letter: str, seats: int) -> None:
    """Two ways: the return at the mean meter, and the balance of contributions and prizes."""
    a = analyze(f"{HIGH_CARD}/{letter}", set={"contribution_rate": "20%"})
    [life] = meter_cycles(a, seats=seats)
    others = a.replace(set={"other_players": seats - 1}) if letter == "C" else a  # C pays envy bonuses
    assert life.always == others.progressive.long_run


def test_massachusetts_resets_from_the_second_meter() -> None:
    a = analyze("massachusetts/high-card-flush/progressive/A")
    [life] = meter_cycles(a)
    assert life.always == a.progressive.long_run


def test_must_hit_is_uniform_up_to_its_cap() -> None:
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=6, set={"stake": 1, "contribution_rate": "1%"})
    [life] = meter_cycles(a)
    reset, most = a.parameters["reset"], a.parameters["maximum"]
    assert life.distribution.at(Fraction(1, 2)) == life.distribution.mean == (reset + most) / 2
    assert life.distribution.above(most) == 0
    assert life.always == a.returned


def test_what_is_open_is_named() -> None:
    with pytest.raises(InputError, match="the meter cycle depends on contribution_rate; set it: set="):
        meter_cycles(analyze(f"{HIGH_CARD}/C"))
    with pytest.raises(InputError, match="has no meter"):
        meter_cycles(analyze("maryland/high-card-flush/flush-bonus/A"))


def test_every_open_rate_is_named_at_once() -> None:
    rates = [f"{which}_progressive_contribution_rate" for which in ("mega", "major", "minor")]
    with pytest.raises(InputError, match=f"the meter cycle depends on {', '.join(rates)}; set them: "):
        meter_cycles(analyze("maryland/blackjack/blazing-7s-progressive/A", decks=6))


def test_a_symbol_without_a_stop_never_wins_the_meter() -> None:
    b = "maryland/chase-the-flush/progressive/B"
    symbols = [name for name, _ in analyze(b).wheel.symbols]
    asked = {"stake": 1, "contribution_rate": "20%"}
    with pytest.raises(InputError, match="its symbol has no stop of the wheel; give its symbol a stop"):
        meter_cycles(analyze(b, set=asked, wheel={name: int(name != "jackpot") for name in symbols}))


def test_a_meter_to_which_nothing_is_added_stays_at_its_reset() -> None:
    law = MeterDistribution("meter", 1, Fraction(10), Fraction(1, 8), Fraction(0))
    assert [law.reaches(Fraction(amount)) for amount in (9, 10, 11)] == [1, 1, 0]


def test_must_hit_is_shown_in_dollars_with_its_assumption() -> None:
    asked = ["meter", "maryland/blackjack/must-hit-progressive/A", "--set", "stake=1", "--set", "contribution_rate=5%"]
    shown = CliRunner().invoke(cli, asked).output
    assert "he hidden hit point is uniform between reset and maximum" in shown
    assert "dollars at this meter" in shown
    assert "$0.016668 per round" in shown  # 5 cents of the 750 dollars above the reset, each at some $250


def test_a_return_with_unknowns_is_short() -> None:
    asked = ["meter", "maryland/blackjack/bad-beat-progressive/A", "--decks", "6", "--set", "contribution_rate=5%"]
    shown = CliRunner().invoke(cli, asked).output
    assert "0.845312 + 5 × lucky_player_frequency + 20 × magic_card_frequency" in shown


def test_the_command_shows_the_law() -> None:
    asked = ["meter", f"{HIGH_CARD}/C", "--set", "contribution_rate=20%", "--above", "20000"]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    assert "probability of a hit above $20,000" in done.output
    assert CliRunner().invoke(cli, [*asked, "--format", "json"]).output.startswith("[")


def test_variance_of_a_meter_that_shares_leave() -> None:
    """A meter dealt round by round, two winners and shares in one round among them."""
    rows = ((0.05, 1.0, True), (0.01, 0.9, True), (0.1, 0.9, False), (0.02, 0.81, False))
    moves = tuple(Move(Fraction(str(p)), Fraction(str(kept)), reset) for p, kept, reset in rows)
    law = MeterDistribution("meter", 2, Fraction(10), Fraction(6, 100), Fraction(1), moves=moves)
    bounds = np.cumsum([p for p, *_ in rows])
    meter, found = 10.0, []
    for place in np.searchsorted(bounds, np.random.default_rng(6).random(300_000)).tolist():
        meter += 1
        if place < 4:
            _, kept, reset = rows[place]
            if reset:
                found.append(meter)
            meter = kept * (10 if reset else meter)
    n, mean, variance = len(found), np.mean(found), np.var(found)
    assert abs(mean - float(law.mean)) < 4.5 * (variance / n) ** 0.5
    fourth = np.mean((np.array(found) - mean) ** 4)
    assert abs(variance - float(law.variance)) < 4.5 * ((fourth - variance**2) / n) ** 0.5


def test_variance_of_a_geometric_number_of_steps() -> None:
    law = MeterDistribution("meter", 1, Fraction(10), Fraction(1, 8), Fraction(3, 2))
    assert law.variance == Fraction(9, 4) * Fraction(7, 8) * 64
    second = MeterDistribution("meter", 1, Fraction(0), Fraction(1, 8), Fraction(3, 2), Fraction(1, 2), funded=True)
    assert second.variance == (Fraction(9, 4) + Fraction(1, 4)) * Fraction(7, 8) * 64


def test_envy_bonuses_of_the_other_seats_are_in_the_return() -> None:
    """Each other seat's six- and seven-card straight flushes pay: 71.6417 % for one seat, 72.8556 % for six."""
    a = analyze(f"{HIGH_CARD}/C", set={"contribution_rate": "20%", "stake": "1"})
    one, *_, six = [cycle.always for seats in range(1, 7) for cycle in meter_cycles(at_table(a, seats), seats=seats)]
    assert (f"{float(one):.6f}", f"{float(six):.6f}") == ("0.716417", "0.728556")
    assert a.progressive is not None
    assert one == a.progressive.long_run
    each = sum((x.probability * x.returned for x in analyze(
        f"{HIGH_CARD}/C", set={"contribution_rate": "20%", "other_players": "1"}).additions), Fraction(0))
    assert six - one == 5 * each
    # `combin meter --seats 6` and the table of a report say the same.
    assert [cycle.always for cycle in meter_cycles(a, seats=6)] == [six]
    assert _by_seats(a, 6)[-1].cycle.always == six
    with pytest.raises(InputError, match="3 seats are a player and 2 others, not 1"):
        meter_cycles(a.replace(set={"other_players": "1"}), seats=3)
