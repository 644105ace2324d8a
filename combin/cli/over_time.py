"""The commands on what happens over many rounds: meters, and banks of tables."""

from __future__ import annotations

from typing import Any

import click

from . import shared
from .group import cli


@cli.command()
@click.argument("plan", metavar="PLAN.toml")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N",
              help="Number of processes. Default: one for each processor.")
@click.option("--scheduler", metavar="ADDRESS", default="", help="Run on the Dask cluster at tcp://HOST:8786.")
@shared.format_option("text", "json")
@shared.output_option
def simulate(plan: str, workers: int | None, scheduler: str, form: str, output: str | None) -> None:
    """Simulate a bank of tables over a year, many times: the operator's win, greatest meters, days between hits.

    The result depends only on the plan and its seed, not on the number of workers.
    """
    from ..bank.plan import read_plan
    from ..bank.seat_distribution import distribution_of
    from ..bank.summary import part, render_json, summary
    from ..bank.years import all_runs, check
    from ..base.errors import fault
    from ..base.output import deliver, keep_inputs
    from ..pages import terminal

    if workers is not None and scheduler:
        raise fault("a cluster has its own workers", "leave out --workers", file="--workers")
    bank = read_plan(plan)
    keep_inputs({"-o": output}, (plan, *bank.files))
    check(bank, cluster=bool(scheduler))
    distribution = distribution_of(bank)
    results = summary(distribution, bank, all_runs(distribution, bank, workers=workers, scheduler=scheduler))
    width = terminal.width_of() if output is None else terminal.WIDE
    deliver(render_json(results) if form == "json" else terminal.render([part(results)], width), output)


@cli.command()
@shared.patterns
@shared.selecting
@shared.with_files
@shared.sheets
@click.option("--seats", type=int, default=1, metavar="N", help="Seats that make the wager in each round. Default: 1.")
@click.option("--above", metavar="AMOUNT", help="Also print the probability of a hit above this meter.")
@click.option("--threshold", metavar="AMOUNT",
              help="Also print the return to a player who bets only while the meter shows at least this amount.")
@shared.format_option("table", "json")
def meter(
    patterns: tuple[str, ...], seats: int, above: str | None, threshold: str | None, form: str, **selected: Any
) -> None:
    """Show the cycle of a progressive's meter: what it holds when it is hit, and its value to a player.

    Set the contribution rate with --set contribution_rate=20%.
    """
    from ..base.errors import fault
    from ..base.exact import ratio
    from ..base.output import deliver
    from ..pages import terminal
    from ..progressives.meter_cycle import meter_cycles
    from ..views import meter as view

    amount = None if above is None else ratio(above, what="the meter", file="--above", dollars=True)
    least = None if threshold is None else ratio(threshold, what="the meter", file="--threshold", dollars=True)
    for flag, meter_at in (("--above", amount), ("--threshold", least)):
        if meter_at is not None and meter_at < 0:
            raise fault("a meter is never below 0", "give an amount of 0 or more", file=flag)
    cycles = [(a, meter_cycles(a, seats=seats, threshold=least)) for a in shared.analyses_of(patterns, **selected)]
    if form == "table":
        terminal.show([view.part(a, life, amount) for a, lives in cycles for life in lives])
    else:
        deliver(view.render_json(cycles, amount), None)
