"""The commands of a game team: design, policies and the gate."""

from __future__ import annotations

import sys

import click

from ..base.errors import fault
from ..base.shown import shown
from .asking import analyses_of, asked, book_of, optional_patterns, say_notes, sheets, written
from .group import FAILED, cli


@cli.command()
@click.argument("identifier", metavar="ID")
@asked
@click.option("--return-min", "least", metavar="VALUE", default="0", help="The least return.")
@click.option("--return-max", "most", metavar="VALUE", default="1", help="The greatest return.")
@click.option("--vary", multiple=True, metavar="LINE=A..B", help='Pays to try: "five-card flush=8..12".')
@click.option("--policy", metavar="FILE", help="Keep what meets a policy as well; combin:NAME ships one.")
@click.option("--any-order", is_flag=True, help="Let a line pay less than one below it.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
def design(
    identifier: str,
    least: str,
    most: str,
    vary: tuple[str, ...],
    policy: str | None,
    any_order: bool,
    form: str,
    output: str | None,
    decks: tuple[int, ...],
    any_decks: bool,
    parameters: tuple[str, ...],
    readings: tuple[str, ...],
    without: str,
) -> None:
    """List every integer paytable in a box whose return lies between bounds, the smallest changes first."""
    from ..base.output import deliver, keep_inputs
    from ..tools.design import run

    keep_inputs({"-o": output}, (identifier, policy))
    book, wanted = book_of([identifier])
    several = book.select(wanted)
    if len(several) > 1:
        raise fault(
            f"{len(several)} paytables match, and one is designed at a time",
            f"name one: {several[0]}",
            file="ID",
            place=identifier,
        )
    analyses = analyses_of([identifier], decks, any_decks, parameters, readings, without)
    deliver(run(analyses, vary, least, most, policy=policy, any_order=any_order, form=form), output)


@cli.command()
@optional_patterns
@click.option("--policy", "policy_file", required=True, metavar="FILE", help="The policy; combin:NAME ships one.")
@click.option("--format", "form", type=click.Choice(["text", "json", "junit", "sarif", "github"]), default="text")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
@click.option("--today", metavar="DATE", help="The date that ends waivers; none ends without it.")
@click.option("--baseline", metavar="FILE", help="Accept the findings of this file.")
@click.option("--write-baseline", metavar="FILE", help="Write today's findings to this file.")
@click.option("--partial", is_flag=True, help="Not every paytable is given: a requirement may match none of them.")
@click.option("--allow-unjudged", is_flag=True, help="Let a paytable of a file pass that no requirement judges.")
@click.option("--exact", is_flag=True, help="Fail too where a waiver or an entry of the baseline is not used.")
@click.option("-v", "--verbose", is_flag=True, help="List in text what has passed as well.")
@sheets
def check(
    patterns: tuple[str, ...],
    policy_file: str,
    form: str,
    output: str | None,
    today: str | None,
    baseline: str | None,
    write_baseline: str | None,
    partial: bool,
    allow_unjudged: bool,
    exact: bool,
    verbose: bool,
    odds: str,
    columns: str,
) -> None:
    """Hold paytables to a policy: those of files, ids and globs; '*' is the whole catalogue."""
    from ..base.output import deliver, keep_inputs, write_whole
    from ..policy.acceptance import baseline_text
    from ..policy.gate import Gate
    from ..policy.writers import render

    if not patterns:
        raise fault("no paytable is named", "give files, ids or globs; '*' is the whole catalogue", file="check")
    gate = Gate.of(policy_file, today=today, baseline=baseline, partial=partial, allow_unjudged=allow_unjudged)
    policy = gate.policy
    read = (*patterns, policy_file, *(r.file for r in policy.rules), *(w.file for w in policy.waivers))
    keep_inputs({"-o": output}, (*read, baseline, write_baseline))
    keep_inputs({"--write-baseline": write_baseline}, read)  # a baseline may be renewed in place
    for word in patterns:
        found = gate.add(word, written(odds, columns))
        say_notes(gate.book, found)
    report = gate.report
    if write_baseline is not None:
        write_whole(write_baseline, baseline_text(report.verdicts))
    deliver(render(report, form, verbose=verbose), output)
    if output is not None:
        click.echo(f"combin: {report.summary}", err=True)
    if not report.met or (exact and report.unused):
        sys.exit(FAILED)


@cli.command()
@click.argument("ids", nargs=-1, metavar="[ID...]")
@click.option("--format", "form", type=click.Choice(["text", "markdown"]), default="text")
def rules(ids: tuple[str, ...], form: str) -> None:
    """The checks that a policy may state: stable ids, and a page for each ID."""
    from ..base.output import deliver
    from ..policy.pages import page, pages

    if ids:
        chosen = [page(i) for i in ids]
        deliver("\n".join(p.markdown() if form == "markdown" else p.text() for p in chosen), None)
        return
    width = max(len(p.key) for p in pages().values())
    deliver("".join(f"{p.id}  {p.key.ljust(width)}  {p.title}\n" for p in pages().values()), None)


@cli.command()
@click.argument("name", required=False)
def policies(name: str | None) -> None:
    """Policies that ship with combin; with NAME, the text of one."""
    from ..base.output import deliver
    from ..policy.reader import SHIPPED, describe, policy_text, shipped_policies

    if name is not None:
        deliver(policy_text(SHIPPED + name.removeprefix(SHIPPED)), None)
        return
    deliver("".join(f"{SHIPPED}{n}  {describe(n)}\n" for n in shipped_policies()), None)


@cli.command()
@click.argument("wager", required=False)
@click.option("--wager", "deal", metavar="DEAL", help='A wager of your own on these cards: "player 2, upcard 1".')
@click.option("--folder", default=".", metavar="DIR", help="Where to write; the current folder otherwise.")
def init(wager: str | None, deal: str | None, folder: str) -> None:
    """Write a commented paytable file and policy to begin with, for a WAGER's id or for a wager of your own."""
    from ..policy.start import start, start_own
    from ..rulebook.book import shipped

    if (wager is None) == (deal is None):
        remedy = 'name the id of a wager, or give --wager "player 2, upcard 1"'
        raise fault("it begins from one wager", remedy, file="init")
    if deal is not None:
        click.echo(f"wrote {start_own(deal, folder)}")
        return
    assert wager is not None
    for path in start(shipped(), wager, folder):
        click.echo(f"wrote {shown(path)}")
