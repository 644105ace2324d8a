"""Runs on a local Dask cluster of two workers. One worker is lost during the run."""

import os
import signal
from fractions import Fraction

import pytest

from combin.bank import years
from combin.bank.plan import Plan, PlannedWager
from combin.bank.seat_distribution import Event, SeatDistribution, SeatMeter, distribution_of
from combin.bank.summary import render_json, summary
from combin.bank.years import all_runs
from combin.base.errors import InputError

distributed = pytest.importorskip("dask.distributed")

pytestmark = pytest.mark.filterwarnings("ignore")

HIT = Fraction(1, 1000)
LAW = SeatDistribution(
    Fraction(1),
    (Event(1 - HIT, Fraction(0), ()), Event(HIT, Fraction(0), ((0, Fraction(1), True),))),
    (SeatMeter("meter", Fraction(20), Fraction(20), Fraction(1, 10), Fraction(0), False, True, HIT),),
    Fraction(22, 25),
    Fraction(0),
)
PLAN = Plan(1, 2, 100, 24, 365, 64, 7, "law", (PlannedWager("toy", Fraction(1), None, {}, {}),))


GAME, BUSTER = "maryland/blackjack/blackjack/3-to-2", "maryland/blackjack/buster-blackjack/A"
#: Some seconds of one processor, so that the lost worker holds pieces.
DEALT = Plan(1, 3, 100, 10, 20, 32, 7, "cards",
             tuple(PlannedWager(i, Fraction(1), 6, {}, {}) for i in (GAME, BUSTER)))


@pytest.mark.parametrize("plan", [PLAN, DEALT])
def test_a_lost_worker_changes_nothing(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    distribution = LAW if plan is PLAN else distribution_of(plan)
    expected = all_runs(distribution, plan, workers=1)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        lost: list[int] = [next(iter(cluster.workers.values())).pid]
        killed = []

        class Losing(years.Progress):
            """Kills a worker as soon as the first piece of work is done."""

            def advance(self) -> None:
                super().advance()
                if lost:
                    os.kill(lost[0], signal.SIGKILL)
                    killed.append(lost.pop())

        monkeypatch.setattr(years, "Progress", Losing)
        found = all_runs(distribution, plan, scheduler=cluster.scheduler_address)
        assert len(killed) == 1
    assert found == expected
    assert render_json(summary(distribution, plan, found)) == render_json(summary(distribution, plan, expected))


def test_a_scheduler_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        all_runs(LAW, PLAN, scheduler="tcp://127.0.0.1:9")
