"""The commands that follow the money over time: meters and banks of tables."""

from __future__ import annotations

import click

from .group import cli


@cli.command()
@click.argument("plan", metavar="PLAN.toml")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Processes; one a processor otherwise.")
@click.option("--scheduler", metavar="ADDRESS", default="", help="Run on the Dask cluster at tcp://HOST:8786.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
def simulate(plan: str, workers: int | None, scheduler: str, form: str, output: str | None) -> None:
    """A bank of tables over a year, many times: the operator's win, greatest meters, days between hits.

    The result follows from the plan and its seed alone, whatever the number of workers.
    """
    from ..bank.law import law_of
    from ..bank.plan import read_plan
    from ..bank.summary import render_json, summary, text
    from ..bank.years import all_runs, check
    from ..base.errors import fault
    from ..base.output import deliver, keep_inputs

    keep_inputs({"-o": output}, (plan,))
    if workers is not None and scheduler:
        raise fault("a cluster has its own workers", "leave out --workers", file="--workers")
    asked = read_plan(plan)
    check(asked)
    law = law_of(asked)
    found = summary(law, asked, all_runs(law, asked, workers=workers, scheduler=scheduler))
    deliver(render_json(found) if form == "json" else text(found), output)
