"""Wheels: sharp bounds against every wheel of a few stops, weights from a file, exact returns."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from combin.analysis import wheels
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.base.exact import symbol
from combin.rulebook.book import shipped
from combin.rulebook.parameters import wheel_pays
from combin.rulebook.pays import parse_pay
from combin.views import json as json_view

CHASE = "maryland/chase-the-flush/progressive"
BONUS_SPIN = "maryland/blackjack/bonus-spin-progressive/B"
#: Three cards of one suit.
TRIGGER = Fraction(4 * 286, 22_100)


def weights_of(identifier: str, first: int = 1) -> dict[str, int]:
    """The weights first, first + 1, … in the document's order."""
    names = [name for name, _ in wheel_pays(shipped().resolve(identifier))]
    return {name: first + i for i, name in enumerate(names)}


def spun(letter: str, weights: dict[str, int], **values: object) -> Analysis:
    return analyze(f"{CHASE}/{letter}", wheel=weights, set={"stake": 5, **values})


def test_bounds_of_any_weights_by_brute_force() -> None:
    prizes = {"a": Fraction(40), "b": Fraction(1000), "c": Fraction(5), "d": Fraction(5)}
    means = [wheels.expected(prizes, dict(zip(prizes, w, strict=True))) for w in product(range(4), repeat=4) if any(w)]
    (_, low), (_, high) = wheels.extremes(prizes)
    assert wheels.expected(prizes, low) == min(means) == 5
    assert wheels.expected(prizes, high) == max(means) == 1000


@pytest.mark.parametrize(
    ("letter", "least", "greatest"), [("A", 5, 5000), ("B", 5, 5000), ("C", 50, 10_000), ("D", 40, 10_000)]
)
def test_bounds_of_the_printed_symbols(letter: str, least: int, greatest: int) -> None:
    """The jackpot at the least amount of Ch. 12 §D(5)(b)."""
    a = analyze(f"{CHASE}/{letter}", set={"stake": 5})
    assert a.wheel.trigger == TRIGGER
    assert (a.wheel.least.prize, a.wheel.greatest.prize) == (least, greatest)
    assert a.wheel.least.returned == TRIGGER * least / 5
    for bound in (a.wheel.least, a.wheel.greatest):
        jackpot = "fixed_prize_or_merchandise" if letter in "AC" else "progressive"
        values = {"stake": 5, jackpot: 5000 if letter in "AB" else 10_000}
        b = analyze(f"{CHASE}/{letter}", set=values, wheel=bound.weights)
        assert b.returned == bound.returned


def test_without_weights_the_return_is_an_expression_in_the_expected_prize() -> None:
    a = analyze(f"{CHASE}/A", set={"stake": 1})
    assert a.coefficients == {"1": 0, "spin_of_the_wheel": TRIGGER}
    assert a.solve("spin_of_the_wheel", Fraction(1)) == 1 / TRIGGER
    assert "mean_square_of_a_spin" in str(a.variance)
    known = analyze(f"{CHASE}/A", set={"stake": 1, "spin_of_the_wheel": 12})
    assert known.returned == 12 * TRIGGER
    assert known.standard_deviation is None


def test_weights_give_the_exact_return() -> None:
    """Two ways: a sum over symbols, and the trigger times the mean prize."""
    weights = weights_of(f"{CHASE}/B")
    a = spun("B", weights, progressive=7500)
    prizes = [7500, 1000, 500, 125, 90, 60, 50, 40, 28, 15, 10, 5]
    total = sum(weights.values())
    mean = Fraction(sum(w * p for w, p in zip(weights.values(), prizes, strict=True)), total)
    square = Fraction(sum(w * p * p for w, p in zip(weights.values(), prizes, strict=True)), total)
    assert a.wheel.expected == mean
    assert a.returned == TRIGGER * mean / 5
    assert a.variance == TRIGGER * square / 25 - a.returned**2
    assert a.top_pay == Fraction(7500, 5) - 1
    assert a.deals == 22_100 * total
    assert sum(a.combinations.values()) == a.deals
    assert sum(o.contribution for o in a.outcomes) == a.returned


def test_the_jackpot_meter_of_a_weighted_wheel() -> None:
    weights = weights_of(f"{CHASE}/B")
    a = spun("B", weights, contribution_rate="10%")
    (meter,) = a.progressive.meters
    assert meter.hit == TRIGGER / sum(weights.values())
    assert a.replace(set={"progressive": meter.break_even}).returned == 1
    assert a.progressive.long_run == a.progressive.fixed + Fraction(1, 10) + 5000 * meter.hit / 5


def test_a_symbol_that_pays_odds() -> None:
    """Read as "5 to 1" the $5 symbol returns six stakes."""
    only = dict.fromkeys(weights_of(f"{CHASE}/A"), 0) | {"$5 symbol": 1}
    a = analyze(f"{CHASE}/A", set={"stake": 10}, wheel=only, reading={"five-dollar-symbol": "five-to-one"})
    assert a.returned == TRIGGER * 6
    assert a.wheel.expected == 60
    assert analyze(f"{CHASE}/A", set={"stake": 10}, wheel=only).returned == TRIGGER / 2


def test_bonus_spin_needs_five_dollars_for_an_ace_alone() -> None:
    """Six decks: 2 × 24 × 96 of 312 × 311 ordered pairs are a blackjack. At five dollars any ace wins."""
    five = analyze(BONUS_SPIN, decks=6)
    one = analyze(BONUS_SPIN, decks=6, set={"stake": 1})
    assert one.wheel.trigger == Fraction(2 * 24 * 96, 312 * 311)
    assert five.wheel.trigger == 1 - Fraction(288 * 287, 312 * 311)
    weights = weights_of(BONUS_SPIN)
    spun_five = analyze(BONUS_SPIN, decks=6, wheel=weights, set={"progressive": 5000})
    assert spun_five.returned == five.wheel.trigger * spun_five.wheel.expected / 5
    assert spun_five.progressive.meters[0].hit == five.wheel.trigger / sum(weights.values())
    with pytest.raises(InputError, match="the lines that are paid depend on the stake"):
        spun_five.solve("stake", Fraction(1))


def test_json_shows_weights_and_bounds() -> None:
    found = json_view.record(spun("A", weights_of(f"{CHASE}/A")))["wheel"]
    assert found["symbols"][1] == {"symbol": "$1,000 symbol", "pays": "$1,000", "weight": 2}
    assert found["least"]["expected_prize"] == {"exact": "5", "decimal": 5.0}
    assert sum(found["greatest"]["weights"].values()) == 1


def refused(tmp_path: Path, text: str, letter: str = "A") -> str:
    path = tmp_path / "wheel.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        analyze(f"{CHASE}/{letter}", wheel=str(path))
    return str(caught.value).replace(str(path), "wheel.toml")


def lines(weights: dict[str, object]) -> str:
    return "[weights]\n" + "\n".join(f'"{name}" = {weight}' for name, weight in weights.items())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"$5 symbol": -1}, ', weights, $5 symbol: -1 is not a whole number from 0 to 1,000,000,000,000; write one in'),
        ({"$5 symbol": 1.5}, "1.5 is not a whole number"),
        ({"$5 symbol": "true"}, "true is not a whole number"),
        ({"$5 symbol": '"2"'}, '"2" is not a whole number'),
        ({"$5 symbol": 10**13}, "10000000000000 is not a whole number from 0 to"),
    ],
)
def test_malformed_weights(tmp_path: Path, changed: dict[str, object], said: str) -> None:
    assert said in refused(tmp_path, lines(weights_of(f"{CHASE}/A") | changed))


def test_other_faults_of_a_weights_file(tmp_path: Path) -> None:
    weights = weights_of(f"{CHASE}/A")
    assert "all weights are 0" in refused(tmp_path, lines(dict.fromkeys(weights, 0)))
    without = {k: v for k, v in weights.items() if k != "$5 symbol"}
    assert (
        'wheel.toml: line 1, weights: the symbol "$5 symbol" of maryland/chase-the-flush/progressive/A has no weight'
    ) in refused(tmp_path, lines(without))
    both = refused(tmp_path, lines({"$6 symbol": 1} | without)).splitlines()
    assert both[1].startswith('wheel.toml: line 2, weights, $6 symbol: the wheel of ')
    assert 'has no symbol "$6 symbol"' in both[1]
    assert len(both) == 2
    assert 'wheel.toml: line 1, stops: unknown key "stops"' in refused(tmp_path, "stops = 3\n" + lines(weights))
    assert "is empty" in refused(tmp_path, "")
    assert "has no weights" in refused(tmp_path, "[weights]")
    assert "is not TOML" in refused(tmp_path, "[weights")
    with pytest.raises(InputError, match="there is no such file"):
        analyze(f"{CHASE}/A", wheel=str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="none of these wagers spins a wheel"):
        analyze("maryland/chase-the-flush/same-suit/A", wheel=weights)


def test_weights_up_to_a_million_million() -> None:
    weights = weights_of(f"{CHASE}/A")

    def read(stops: int) -> int:
        return wheels.read_weights(wheels.file_of(weights | {"$5 symbol": stops}))["$5 symbol"]

    assert (read(10**12), read(0)) == (10**12, 0)
    with pytest.raises(InputError, match=r"1000000000001 is not a whole number from 0 to 1,000,000,000,000"):
        read(10**12 + 1)


@pytest.mark.parametrize(
    ("pays", "dollars"), [("$5", 5), ("5 for 1", 50), ("5 to 1", 60), ("push", 10), ("10% of the meter", 200)]
)
def test_what_a_symbol_pays_in_dollars(pays: str, dollars: int) -> None:
    assert wheels.prize(parse_pay(pays), {"stake": Fraction(10), "meter": Fraction(2000)}) == dollars


def test_the_expected_prize_without_weights_is_what_was_set() -> None:
    assert analyze(f"{CHASE}/A", set={"stake": 1}).wheel.expected == symbol("spin_of_the_wheel")
    assert analyze(f"{CHASE}/A", set={"stake": 1, "spin_of_the_wheel": 12}).wheel.expected == 12
