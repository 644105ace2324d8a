"""A bank of tables: plans that are refused, runs against closed forms, the same result on any workers."""

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.bank.plan import Plan, PlannedWager, read_plan
from combin.bank.seat_distribution import Event, SeatDistribution, SeatMeter, distribution_of
from combin.bank.summary import part, spread, summary
from combin.bank.years import Run, all_runs, run_one
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.rulebook import parameters
from combin.rulebook.book import shipped

from ..shared import wager_file

PLAN = """
[bank]
tables = 2
seats = 3
rounds_per_hour = 50
hours_per_day = 10
days = 20
runs = 6

[[wager]]
id = "maryland/high-card-flush/progressive/C"
stake = "1"
set = { contribution_rate = "20%" }

[[wager]]
id = "maryland/high-card-flush/flush-bonus/A"
stake = 5
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def small(seats: int = 1, days: int = 50, runs: int = 60, seed: int = 3) -> Plan:
    return Plan(1, seats, 100, 1, days, runs, seed, "law", (PlannedWager("toy", Fraction(1), None, {}, {}),))


def toy(hit: Fraction, share: Fraction, *, funded: bool = False, pot: Fraction = Fraction(0)) -> SeatDistribution:
    """A $1 wager. 10 cents go to a $20 meter; ``hit`` wins all of it and ``share`` a tenth, each a probability."""
    events = (
        Event(1 - hit - share, Fraction(0), ()),
        Event(hit, Fraction(0), ((0, Fraction(1), True),)),
        Event(share, Fraction(0), ((0, Fraction(1, 10), False),)),
    )
    meter = SeatMeter("meter", Fraction(20), Fraction(20), Fraction(1, 10), pot, funded, True, hit)
    seeds = Fraction(0) if funded else 20 * hit
    return SeatDistribution(Fraction(1), events, (meter,), 1 - Fraction(1, 10) - pot - seeds, Fraction(0))


def test_the_joint_law_of_two_wagers_has_the_margins_of_each(tmp_path: Path) -> None:
    distribution = distribution_of(read_plan(written(tmp_path, PLAN)))
    assert sum(e.probability for e in distribution.events) == 1
    # Seven suited cards win 300 to 1 on $5. A run of seven (8 a suit) or of six wins the meter too: 9 runs of six
    # with 7 other cards of the suit make 63, and each run of seven was counted twice among them.
    seven = [e for e in distribution.events if e.pays and e.fixed == 5 * 301]
    assert [e.probability for e in seven] == [Fraction(4 * (8 + 9 * 7 - 2 * 8), comb(52, 7))]
    assert distribution.meters[0].step == Fraction(1, 5)
    assert distribution.stake == 6


def test_hits_and_meter_of_a_small_meter_follow_the_closed_form() -> None:
    """One seat: the mean meter at a hit is (q R + c) / (q + s r), for shares s of probability r and c a round."""
    q, r = Fraction(1, 50), Fraction(1, 20)
    plan = small()
    runs = [run_one(toy(q, r), plan, i) for i in range(plan.runs)]
    found = [x for run in runs for x in run.hits[0]]
    expected = plan.runs * plan.days * plan.rounds_per_day * q
    assert abs(len(found) - expected) < 4 * sqrt(expected)
    mean = (q * 20 + Fraction(1, 10)) / (q + r / 10)
    assert abs(np.mean(found) - float(mean)) < 4 * np.std(found) / sqrt(len(found)) + 0.02
    found_z = summary(toy(q, r), plan, runs).z
    assert found_z is not None
    assert abs(found_z) < 4


def test_a_reset_out_of_contributions_is_what_the_second_meter_held() -> None:
    """The pot collects as much as the meter. A hit pays what both collected since the last hit."""
    q = Fraction(1, 25)
    distribution = toy(q, Fraction(0), funded=True, pot=Fraction(1, 10))
    plan = small()
    runs = all_runs(distribution, plan, workers=1)
    assert {round(run.win, 6) for run in runs} == {round(0.8 * plan.days * 100, 6)}
    later = [x for run in runs for x in run.hits[0][1:]]
    assert abs(np.mean(later) - float(Fraction(2, 10) / q)) < 4 * np.std(later) / sqrt(len(later)) + 0.1


def test_of_two_winners_of_a_round_the_second_has_what_is_left() -> None:
    """Every wager wins: in each round the first seat wins the meter and the second seat wins the reset."""
    distribution = toy(Fraction(1), Fraction(0))
    distribution = replace(distribution, events=distribution.events[1:2])
    run = run_one(distribution, small(seats=2, days=2), 0)
    assert {round(x, 9) for x in run.hits[0][::2]} == {20.2}
    assert set(run.hits[0][1::2]) == {20.0}
    assert run.pairs == (200,)  # two days of 100 rounds


def test_any_number_of_workers_gives_the_same_runs(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, PLAN.replace("runs = 6", 'runs = 6\ndeals = "cards"')))
    distribution = distribution_of(plan)
    alone = all_runs(distribution, plan, workers=1)
    assert alone == all_runs(distribution, plan, workers=2)
    assert len({run.win for run in alone}) == plan.runs


def test_seats_that_hit_together_have_the_deviation_of_the_law_in_a_run_without_a_hit() -> None:
    """The dealer's eight cards hit the meter for all three seats: three times the deviation of one seat's hits."""
    rate = {"contribution_rate": "5%"}
    wager = PlannedWager("maryland/blackjack/hit-and-run-progressive/A", Fraction(1), 6, rate, {})
    plan = Plan(1, 3, 10, 10, 1, 2, 1, "cards", (wager,), "plan.toml")
    distribution = distribution_of(plan)
    [meter] = summary(distribution, plan, all_runs(distribution, plan, workers=1)).meters
    hit = Decimal(16_489_091) / 1_197_177_605_547  # eight cards or more, counted apart from the product
    assert meter.hits == 0
    assert f"{meter.z:.12f}" == f"{-(200 * hit / (1 - hit)).sqrt():.12f}"  # 200 rounds in all


def test_order_statistics_are_values_that_came() -> None:
    found = spread([3.0, 1.0, 2.0, 10.0])
    assert found is not None
    assert (found.least, found.greatest, found.mean, found.at[3]) == (1.0, 10.0, 4.0, 3.0)
    assert spread([]) is None


def test_the_plans_of_the_guide_are_plans(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs/guide/simulate.md").read_text(encoding="utf-8")
    plans = [toml for toml in re.findall(r"```toml\n(.*?)```", guide, re.DOTALL) if "[bank]" in toml]
    assert len(plans) == 2
    for toml in plans:
        for wager in read_plan(written(tmp_path, toml)).wagers:
            assert set(wager.set) <= set(parameters.names(shipped().resolve(wager.id)))


OWN = wager_file("player 3", {
    "suited aces": ('suited(player) and count(player, "A") == 3', "100% of the meter"),
    "aces": ('count(player, "A") == 3', "100 for 1"),
}, decks=(6,), id="house/blackjack/suited-aces",
    more='[wager.unknown.meter]\nreset = "1000"\nresets_on = ["suited aces"]\n')


def test_a_progressive_of_ones_own_stands_in_a_file_beside_the_plan(tmp_path: Path) -> None:
    """Of 24 aces in 312 cards 4 × C(6, 3) sets of three are of one suit."""
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    text = 'files = ["own.toml"]\n' + PLAN[: PLAN.rindex("[[wager]]")]
    own = text.replace("maryland/high-card-flush/progressive/C", "house/blackjack/suited-aces/A")
    distribution = distribution_of(plan := read_plan(written(tmp_path, own)))
    [meter], deals = distribution.meters, comb(312, 3)
    assert meter.hit == Fraction(4 * comb(6, 3), deals)
    assert distribution.win == 1 - Fraction(20, 100) - meter.hit * 1000 - Fraction(100 * (comb(24, 3) - 80), deals)
    assert all_runs(distribution, plan, workers=2) == all_runs(distribution, plan, workers=1)
    with pytest.raises(InputError, match="also read by this command"):
        CliRunner().invoke(cli, ["simulate", plan.file, "-o", str(tmp_path / "own.toml")], catch_exceptions=False)
    with pytest.raises(InputError, match=r"none.toml: there is no such file"):
        distribution_of(read_plan(written(tmp_path, own.replace("own.toml", "none.toml"))))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\n[bank]", "files = 3\n[bank]", 'files: 3 is not a list of texts'),
        ("tables = 2", "", 'bank: "tables" is missing'),
        ("seats = 3", "seats = 0", "bank, seats: 0 is not a whole number from 1 to 9"),
        ("seats = 3", "seatz = 3", 'unknown key "seatz"'),
        ("stake = 5", 'stake = "-5"', "wager #2, stake: the stake is -5; a stake is above 0"),
        ("stake = 5", "", 'wager #2: "stake" is missing'),
        ("days = 20", 'days = 20\ndeals = "shoe"', 'bank, deals: "shoe" is none of the choices; known: law, cards'),
        ("tables = 2", 'tables = "2"', 'tables: "2" is not a whole number from 1 to 10,000'),
        ("stake = 5", 'stake = "5%"', 'wager #2, stake: the stake "5%" is a percentage, not an amount; write dollars'),
        ("stake = 5", 'stake = 5\ndecks = "1"', 'decks: "1" is not a whole number'),
        ("[bank]", "[banks]", '"bank" is missing'),
    ],
)
def test_a_plan_is_refused_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        read_plan(written(tmp_path, PLAN.replace(old, new)))
    assert "plan.toml" in str(error.value.faults[0])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('set = { contribution_rate = "20%" }', "", "depends on the unknown contribution_rate"),
        ("maryland/high-card-flush/flush-bonus/A", "maryland/blackjack/lucky-ladies/A", "give one: decks=6"),
        ("stake = 5", 'stake = 5\nwheel = { "x" = 3 }', "plan.toml: wager 2: none of these wagers spins a wheel"),
        ("stake = 5", 'stake = 5\nset = { y = "1" }', 'plan.toml: wager 2 y=1: no parameter .* is called "y"'),
        ("maryland/high-card-flush/flush-bonus/A", "massachusetts/high-card-flush/base/A", "of different documents"),
        ("seats = 3", "seats = 7", "a table of maryland/high-card-flush/progressive/C has at most 6 seats, not 7"),
        ('flush-bonus/A"', 'base/A"\nset = { boxes = "2" }', "write deals = \"cards\""),
        ("stake = 5", 'stake = 5\nset = { other_players = "1" }', "no parameter .* is called"),
        ('"maryland/high-card-flush/flush-bonus/A"\nstake = 5',
         '"maryland/blackjack/hit-and-run-progressive/A"\nstake = 1\ndecks = 6\n'
         'reading = { several-winners = "split" }',
         "split the meter, and a bank pays them in turn"),
    ],
)
def test_a_wager_that_cannot_be_simulated_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        distribution_of(read_plan(written(tmp_path, PLAN.replace(old, new))))


def test_the_command_prints_the_exact_mean_beside_the_runs(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["simulate", str(written(tmp_path, PLAN)), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "exact mean win" in done.output
    assert "exact mean days between hits" in done.output


WHEEL = """
[bank]
tables = 1
seats = 6
rounds_per_hour = 60
hours_per_day = 16
days = 30
runs = 120

[[wager]]
id = "maryland/chase-the-flush/progressive/B"
stake = "1"
set = { contribution_rate = "10%" }
wheel = { WEIGHTS }
"""


@pytest.mark.parametrize("deals", ["law", "cards"])
def test_a_rare_prize_that_dominates_leaves_no_z(deals: str, tmp_path: Path) -> None:
    """$300 in 1 of 30,000 hands is most of the variance: 10,000 rounds expect no such hand, and no sum is normal."""
    wagers = PLAN.index("[[wager]]")
    bonus = '[[wager]]\nid = "maryland/high-card-flush/flush-bonus/A"\nstake = "1"'
    head = PLAN[:wagers].replace("[bank]", f'[bank]\ndeals = "{deals}"')
    plan = read_plan(written(tmp_path, head + bonus))
    distribution = distribution_of(plan)
    few = replace(plan, days=1, runs=2)
    found = summary(distribution, few, all_runs(distribution, few, workers=1))
    assert (found.z, found.rare) == (None, True)
    assert "no z: prizes" in str(part(found))
    # 40 million rounds expect 1,800 of the 4 · C(13, 7) hands of seven suited cards in C(52, 7).
    many = replace(few, days=10_000)
    assert not summary(distribution, many, [Run(0.0, (), (), (), ()) for _ in range(2)]).rare


def test_a_wheel_with_weights_is_spun(tmp_path: Path) -> None:
    """The jackpot has one stop of 1,000: hits and the operator's win against the exact law."""
    symbols = [name for name, _ in analyze("maryland/chase-the-flush/progressive/B").wheel.symbols]
    stops = dict.fromkeys(symbols, 1) | {"$5 symbol": 989}
    weights = ", ".join(f'"{name}" = {stop}' for name, stop in stops.items())
    plan = read_plan(written(tmp_path, WHEEL.replace("WEIGHTS", weights)))
    distribution = distribution_of(plan)
    assert distribution.meters[0].hit == Fraction(4 * comb(13, 3), comb(52, 3)) / 1000
    assert sum(e.probability for e in distribution.events) == 1
    found = summary(distribution, plan, all_runs(distribution, plan, workers=1))
    assert abs(found.z) < 4.5
    assert abs(found.meters[0].z) < 4.5
    with pytest.raises(InputError, match="give its weights in the plan"):
        distribution_of(read_plan(written(tmp_path, WHEEL.replace("wheel = { WEIGHTS }", ""))))
    with pytest.raises(InputError, match="is not a whole number"):
        read_plan(written(tmp_path, WHEEL.replace("WEIGHTS", "jackpot = 1.5")))


def test_a_base_game_under_best_play_has_its_exact_law(tmp_path: Path) -> None:
    """Two ways for mean and variance of a round: the solved game's figures and the law that runs are drawn from."""
    wagers = PLAN.index("[[wager]]")
    game = '[[wager]]\nid = "maryland/high-card-flush/base/A"\nstake = "10"'
    plan = read_plan(written(tmp_path, PLAN[:wagers] + game))
    distribution, a = distribution_of(plan), analyze("maryland/high-card-flush/base/A")
    assert distribution.win == 10 * (1 - a.returned)
    assert distribution.variance == 100 * a.variance
    assert abs(summary(distribution, plan, all_runs(distribution, plan, workers=1)).z) < 4.5
