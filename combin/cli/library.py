"""The commands that write committed analyses and reports."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ..base.errors import fault
from ..base.safe_text import shown, shown_path
from . import shared
from .group import FAILED, GOOD, cli

#: The options of a report that name a file, besides the policy.
FILES = ("wheel", "chart", "cover", "results", "compare_with", "layout")


@cli.command()
@click.argument("folder", default="analyses", metavar="[DIR]")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; list what is stale, and fail if anything is.")
@click.option("--patch", is_flag=True, help="With --check, show the lines of the stale files.")
@click.option("--site", metavar="DIR",
              help="Write a static site of the tables to this folder instead; it needs no server.")
@shared.many_option
def regenerate(folder: str, only_check: bool, patch: bool, site: str | None) -> None:
    """Rewrite the committed analyses, or check that they are current.

    DIR holds a catalogue.toml, which names what is analysed: patterns, files, decks, values, readings.
    """
    from ..tools.regenerate import check, rewrite

    left_out: list[tuple[str, str]] = []
    if site is not None:
        if only_check:
            raise fault("the site is not committed", "leave out --check", file="--site")
        from ..report.site import write

        for line in write(folder, site, left_out, shared.written()):
            click.echo(shown_path(line))
        shared.tell_misfits(left_out)
        return
    if not only_check:
        for line in rewrite(folder, left_out, shared.written()):
            click.echo(shown_path(line))
        shared.tell_misfits(left_out)
        return
    stale = check(folder, patch=patch, left_out=left_out, layout=shared.written())
    shared.tell_misfits(left_out)
    if stale:
        click.echo(stale, nl=False)
        click.echo(f"combin: {shown(folder)} is stale; run: combin regenerate {shown(folder)}", err=True)
        sys.exit(FAILED)
    click.echo(f"{shown_path(folder)} is current")


@cli.command()
@shared.optional_patterns
@shared.selecting
@shared.with_files
@shared.sheets
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="Report as .html, .pdf, .xlsx, .md or .json; several are forms of the same report.")
@click.option("--compare", is_flag=True, help="Compare the paytables of each PATTERN with those of the first.")
@click.option("--compare-with", metavar="OLD", help="Show what changed since OLD, and why: a JSON or PDF report, a "
              "file of paytables, or one of a git revision, main:paytables/house.toml.")
@click.option("--with", "bonus", multiple=True, metavar="ID|FILE#ID",
              help="Side bet in the same seat as a base game, as in combin strategy.")
@click.option("--best-play", metavar="DIR", help="Folder for the best decision of every hand of a base game, as CSV "
              "and JSON; the report has the digests.")
@click.option("--policy", metavar="FILE", help="Conclude with the verdict of a policy (a file or combin:NAME).",
              shell_complete=shared.complete_policies)
@click.option("--today", metavar="DATE", help="Date at which waivers of the policy are judged; without it, a "
              "waiver with an end accepts nothing.")
@click.option("--cover", metavar="FILE", help="TOML file with the laboratory, the client, dates and signatories.")
@click.option("--layout", metavar="FILE", help="Compare a layout or rack card (text or sheet) with the pays.")
@click.option("--results", metavar="FILE", help="Compare a CSV file of results of play, as combin audit does.")
@click.option("--seats", type=click.IntRange(1, 100), metavar="N",
              help="Meter cycles for 1 to N seats; set the rate with "
              "--set contribution_rate=20%.")
@click.option("--quick", is_flag=True, help="Leave out the independent method and the effects of removal.")
@click.option("--verify", metavar="FILE", help="Compute a report and its pages again, and list what differs.")
@shared.many_option
def report(
    patterns: tuple[str, ...], outputs: tuple[str, ...], bonus: tuple[str, ...], best_play: str | None,
    policy: str | None, verify: str | None, seats: int | None, **options: Any,
) -> None:
    """Write a certification report on paytables, or verify one."""
    from ..base.output import keep_apart, keep_inputs, write_whole
    from ..report import form_of, render
    from ..report.identity import ReportRequest
    from ..report.make import Files, make, named

    if verify is not None:
        for flag in shared.others_given("verify", "no_cache", "plugin"):
            raise fault("a report is verified with the options that it was written with", f"leave out {flag}",
                        file="--verify")
        _verify_report(verify, patterns)
        return
    if not patterns:
        raise fault("no paytable is named", "give ids, globs or files", file="report")
    if not outputs:
        raise fault("no file is named for the report", "add -o report.html (or .pdf, .xlsx, .md, .json)", file="report")
    forms = [form_of(output) for output in outputs]
    keep_apart(("-o", output) for output in outputs)
    if best_play is not None and not os.path.isdir(best_play):
        raise fault("is not a folder", "make it first", file="--best-play", place=best_play)
    files = {"policy": policy, **{name: options.pop(name) for name in FILES}}
    inputs = (*patterns, *bonus, *files.values())
    for output in outputs:
        keep_inputs({"-o": output}, inputs)
    options |= {name: named(file) for name, file in files.items() if file}
    sheets_as = shared.written()
    wanted = ReportRequest(
        tuple(map(named, patterns)), set=shared.pairs(options.pop("parameters"), "--set"),
        reading=shared.pairs(options.pop("readings"), "--reading"), odds=sheets_as.odds,
        columns=",".join(f"{name}={letter}" for name, letter in sheets_as.columns.items()), map=sheets_as.names,
        bonus=tuple(map(named, bonus)), best_play=best_play is not None, seats=seats or 0, **options,
    )
    paths = Files(word for word in inputs if word)
    certification, left_out = make(wanted, paths)
    for line in dict.fromkeys(paths.notes):
        click.echo(f"combin: note: {line}", err=True)
    shared.tell_left_out(left_out)
    contents = [render(certification, form) for form in forms]
    for name, text in paths.attached.items():
        write_whole(f"{best_play}/{name}", text)
    for output, content in zip(outputs, contents, strict=True):
        write_whole(output, content)
    if not certification.met:
        click.echo(f"combin: {policy}: not met", err=True)
    agrees = certification.results is None or certification.results.agrees
    if not agrees:
        click.echo(f"combin: {files['results']}: the results do not agree with the exact distribution", err=True)
    if not (certification.met and agrees):
        sys.exit(FAILED)


def _verify_report(file: str, patterns: tuple[str, ...]) -> None:
    """Compute a report and its pages again; the exit status is 1 if something differs."""
    from ..base.work import means
    from ..report.verified import verify

    with means(cache=False):  # a stored figure would be compared with itself
        differences, notes = verify(file, patterns)
    for line in notes:
        click.echo(f"combin: note: {shown(line)}", err=True)
    for line in differences:
        click.echo(shown_path(line))
    number = len(differences)
    summary = f"{number} difference{'s' if number > 1 else ''}"
    click.echo(f"{shown_path(file)}: {summary if number else 'every value is the same, and so is every page'}")
    sys.exit(FAILED if differences else GOOD)
