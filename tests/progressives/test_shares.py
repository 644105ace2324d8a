"""A meter that shares leave: between its bounds as dealt event by event, with the exact mean, and as a closed form."""

from decimal import Decimal
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from combin.analysis.engine import analyze
from combin.progressives.meter_cycle import Law, Move, lives
from combin.progressives.shares import SharedMeter

#: (probability of a round, part that is left, whether a reset comes before): two winners of a round among them.
ROUNDS = ((0.0010, 1.0, True), (0.0002, 0.8, True), (0.0030, 0.8, False), (0.0004, 0.64, False))
#: Another size of share, no power of the first, alone and beside it.
OTHER = ((0.0001, 0.5, True), (0.0012, 0.5, False), (0.0002, 0.4, False))


def law(pot: Fraction = Fraction(0), rounds: tuple[tuple[float, float, bool], ...] = ROUNDS) -> Law:
    moves = [Move(Fraction(str(p)), Fraction(str(kept)), reset) for p, kept, reset in rounds]
    if pot:
        moves.append(Move(Fraction("0.0001"), Fraction(0), True))
    hit = sum((m.probability for m in moves if m.reset), Fraction(0))
    return Law("meter", 2, Fraction(300), hit, Fraction(1, 4), pot, bool(pot), moves=tuple(moves))


def dealt(law: Law, events: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The meter at each hit, and the most that it held since the hit before."""
    random = np.random.default_rng(seed)
    chances = np.array([float(m.probability) for m in law.moves])
    waits = random.geometric(chances.sum(), events)
    which = random.choice(len(chances), events, p=chances / chances.sum())
    meter, rounds, most, held, greatest = float(law.reset), 0, 0.0, [], []
    for wait, k in zip(waits.tolist(), which.tolist(), strict=True):
        move = law.moves[k]
        meter += wait * float(law.step)
        rounds += wait
        most = max(most, meter)
        if move.reset:
            held.append(meter)
            greatest.append(most)
            meter = rounds * float(law.pot) if law.funded else float(law.reset)
            rounds, most = 0, 0.0
        meter *= float(move.kept)
    return np.array(held[1:]), np.array(greatest[1:])


@pytest.mark.parametrize("rounds", [ROUNDS, ROUNDS + OTHER])
@pytest.mark.parametrize("pot", [Fraction(0), Fraction(1, 5)])
def test_a_dealt_meter_lies_between_the_bounds(
    pot: Fraction, rounds: tuple[tuple[float, float, bool], ...]
) -> None:
    meter = law(pot, rounds)
    held, greatest = dealt(meter, 120_000, 4)
    within, n = meter.shared.within, len(held)
    assert within == Fraction(1, 4) * 5 + pot
    assert abs(held.mean() - float(meter.mean)) < 4.5 * held.std() / n**0.5
    for amount in (60, 150, 250, 320, 600, 1500):
        least, most = (float(meter.above(Fraction(amount) - d)) for d in (0, within))
        error = 4.5 * (max(least * (1 - least), 1 / n) / n) ** 0.5
        assert least - error < (held > amount).mean() < most + error
    for share in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
        at = float(meter.at(share))
        error = 4.5 * (float(share * (1 - share)) / n) ** 0.5
        assert (held < at).mean() - error < share < (held <= at + float(within) + 0.01).mean() + error
    for amount in (100, 250, 400, 900):
        least, most = (float(meter.reaches(Fraction(amount) - d)) for d in (0, within))
        error = 4.5 * (max(least * (1 - least), 1 / n) / n) ** 0.5
        assert least - error < (greatest >= amount).mean() < most + error
    for amount in (40, 260, 500):
        (least, most), (low, high) = meter.shared.from_on(Fraction(amount), meter.mean)
        there = held[held >= amount]
        error = 4.5 * (float(most) / n) ** 0.5
        assert float(least) - error < len(there) / n < float(most) + error
        error = 4.5 * there.std() / len(there) ** 0.5
        assert float(low) - error < there.mean() < float(high) + error


@pytest.mark.parametrize("rounds", [ROUNDS, ROUNDS + OTHER])
@pytest.mark.parametrize("pot", [Fraction(0), Fraction(1, 5)])
def test_the_area_below_the_law_is_the_mean(pot: Fraction, rounds: tuple[tuple[float, float, bool], ...]) -> None:
    meter = law(pot, rounds)
    area = 60 * sum(float(meter.above(Fraction(x))) for x in range(30, 2400, 60))
    assert float(meter.mean - meter.shared.within) - 1 < area < float(meter.mean) + 1
    # The mean excess over an amount near 0 is the lower meter's mean.
    _, (low, high) = meter.shared.from_on(Fraction(1, 10**9), meter.mean)
    assert low <= meter.mean <= high
    assert high - low < min(Fraction(1, 100), 3 * meter.shared.within)


def by_recursion(meter: Law, cells: int) -> list[float]:
    """P(the meter is the n-th amount) by going through all rounds; amounts are whole steps of a quarter dollar."""
    step = float(meter.step)
    now = np.zeros(cells)
    now[round(float(meter.reset) / step)] = 1
    into = {m.kept: (np.arange(cells) * float(m.kept)).astype(int) for m in meter.moves}
    goes_on = 1 - sum(float(m.probability) for m in meter.moves)
    for _ in range(600):
        before = np.roll(now, 1)
        before[-1] += before[0]
        before[0] = 0
        now = goes_on * before
        for m in meter.moves:
            if m.reset:
                now[int(float(meter.reset * m.kept) / step)] += float(m.probability)
            else:
                np.add.at(now, into[m.kept], float(m.probability) * before)
    before = np.roll(now, 1)
    return before.tolist()


def test_a_small_meter_follows_the_recursion_between_the_bounds() -> None:
    """Amounts cut down to whole steps after each share are too low by at most a step ÷ (1 - 4/5) in their turn."""
    rounds = tuple((40 * p, kept, reset) for p, kept, reset in ROUNDS + OTHER)
    meter = law(rounds=rounds)
    held = by_recursion(meter, 2000)
    cut = Fraction(1, 4) * 5
    for amount in (20, 60, 100, 301, 330, 400):
        least = sum(held[int(4 * (amount)) + 1 :])
        assert least <= float(meter.above(amount - meter.shared.within)) + 1e-9
        assert float(meter.above(Fraction(amount))) <= sum(held[int(4 * (amount - cut)) :]) + 1e-9


def test_without_a_share_that_is_paid_the_law_is_an_exponential() -> None:
    hit, step = Fraction(1, 1000), Fraction(1, 4)
    meter = SharedMeter(step, {Fraction(9, 10): Fraction(1, 10**40)}, {Fraction(1): hit}, Fraction(100))
    rate = -float((1 - Decimal("0.001")).ln()) * 4
    for amount in (50, 100, 300, 2000):
        expected = 1.0 if amount < 100 else exp(-rate * (amount - 100))
        assert abs(float(meter.above(Fraction(amount))) - expected) < 1e-12
        assert abs(float(meter.reaches(Fraction(amount))) - expected) < 1e-12


def test_real_meters_have_amounts_that_hits_do_not_exceed() -> None:
    """Massachusetts takes 10 % of the meter for each of some fifty shares between two hits."""
    [life] = lives(analyze("massachusetts/high-card-flush/progressive/A"))
    marks = [life.law.at(s) for s in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))]
    assert marks == sorted(marks)
    assert abs(life.law.above(marks[1]) - Decimal("0.5")) < Decimal("1e-6")


def test_shares_of_many_sizes_are_open() -> None:
    rounds = ((0.001, 1.0, True), *((0.001, 1 - k / 100, False) for k in range(1, 6)))
    meter = law(rounds=rounds)
    assert meter.above(Fraction(100)) is None
    assert meter.marks[Fraction(1, 2)] is None
    # Whether an amount is reached needs no series over products.
    _, greatest = dealt(meter, 40_000, 9)
    least, most = (float(meter.reaches(Fraction(400) - d)) for d in (0, meter.shared.within))
    error = 4.5 * (least / len(greatest)) ** 0.5
    assert least - error < (greatest >= 400).mean() < most + error
    assert law(rounds=rounds).mean > 0
