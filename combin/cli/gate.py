"""The commands of a game team: design, policies and the gate."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ..base.errors import InputError, fault
from ..base.safe_text import shown
from . import shared
from .group import FAILED, cli

#: The formats of `combin.policy.writers`, which is imported only when it is used.
FORMS = ("text", "json", "junit", "sarif", "github", "gitlab", "markdown")


@cli.command()
@shared.one_id
@shared.selecting
@shared.sheets
@click.option("--return-min", "least", metavar="VALUE", default="0", help="Smallest return. Default: 0.")
@click.option("--return-max", "most", metavar="VALUE", default="1", help="Greatest return. Default: 1.")
@click.option("--vary", multiple=True, metavar="LINE=A..B", help='Pays to try for a line: "five-card flush=8..12".')
@click.option("--policy", metavar="FILE", help="List only paytables that meet this policy.",
              shell_complete=shared.complete_policies)
@click.option("--any-order", is_flag=True, help="Also list paytables in which a line pays less than one below it.")
@click.option("--write", metavar="FILE", help="Write the first paytable to a TOML file.")
@shared.format_option("table", "csv", "json")
def design(
    identifier: str,
    least: str,
    most: str,
    vary: tuple[str, ...],
    policy: str | None,
    any_order: bool,
    form: str,
    write: str | None,
    **selected: Any,
) -> None:
    """List every integer paytable within ranges whose return lies between bounds, the smallest changes first."""
    from ..base.output import deliver
    from ..tools.design import run

    book, wanted = shared.book_of([identifier])
    several = book.select(wanted)
    if len(several) > 1:
        raise fault(f"{len(several)} paytables match, and one is designed at a time",
                    f"name one: {shared.one_of(identifier, several[0])}", file="ID", place=identifier)
    analyses = shared.analyses_of([identifier], **selected)
    deliver(run(analyses, vary, least, most, policy=policy, any_order=any_order, form=form, write=write), None)


@cli.command(renamed={"--exact": "--fail-on-unused"})
@shared.unread_patterns
@click.option("--policy", "policy_file", metavar="FILE",
              help="Policy file, or combin:NAME for one that comes with combin.",
              shell_complete=shared.complete_policies)
@shared.format_option(*FORMS)
@shared.output_option
@click.option("--also", multiple=True, metavar="FORMAT=FILE", help="Also write the verdicts in another format.")
@click.option("--today", metavar="DATE", help="Date that ends waivers, 2027-12-31; without it none ends.")
@click.option("--baseline", metavar="FILE", help="Accept the findings in this file; only new ones fail.")
@click.option("--write-baseline", metavar="FILE", help="Write today's findings to this file, for --baseline.")
@shared.decks_option
@click.option("--partial", is_flag=True, help="Not every paytable is given, so a requirement may match none.")
@click.option("--allow-unjudged", is_flag=True, help="Accept paytables of a file that no requirement judges.")
@click.option("--fail-on-unused", is_flag=True, help="Also fail if a waiver or an entry of the baseline is not used.")
@click.option("-v", "--verbose", is_flag=True, help="Also list what passed and what was accepted.")
@shared.sheets
@shared.many_option
def check(
    patterns: tuple[str, ...],
    policy_file: str | None,
    form: str,
    output: str | None,
    also: tuple[str, ...],
    baseline: str | None,
    write_baseline: str | None,
    fail_on_unused: bool,
    verbose: bool,
    **options: Any,
) -> None:
    """Check paytables of files, folders, ids and globs against a policy; '*' is the whole catalogue.

    Without PATTERN, --policy or --baseline, combin.toml or [tool.combin] in pyproject.toml states them.
    """
    from ..base.output import deliver, keep_apart, keep_inputs, write_whole
    from ..policy.acceptance import baseline_text
    from ..policy.gate import Gate
    from ..policy.settings import settings
    from ..policy.writers import render, render_faults

    others = _also(also)
    targets = [(form, output), *others]
    files = [("-o", output), *(("--also", file) for _, file in others)]
    keep_apart(files)
    stated = settings()
    policy_file, baseline = policy_file or stated.policy, baseline or stated.baseline
    for flag, file in files:
        keep_inputs({flag: file}, (*patterns, policy_file, baseline, stated.file, write_baseline))
    try:
        words = patterns or stated.paytables
        if not words:
            remedy = f"give files, folders, ids or globs, or name paytables in {stated.file or 'combin.toml'}"
            raise fault("no paytable is named", f"{remedy}; '*' is the whole catalogue", file="check")
        if policy_file is None:
            raise fault("no policy is named", f"give --policy, or name one in {stated.file or 'combin.toml'}",
                        file="check")
        renewed = baseline is not None and baseline == write_baseline and not os.path.exists(baseline)
        gate = Gate(policy_file, baseline=None if renewed else baseline, waivers=stated.waivers, **options)
        policy, words = gate.policy, gate.expand(words)
        stating = (*(r.file for r in policy.requirements), *(w.file for w in policy.waivers))
        read = (*words, policy_file, *stating, stated.file)
        for flag, file in files:
            keep_inputs({flag: file}, read)
        keep_inputs({"--write-baseline": write_baseline}, read)  # a baseline may be renewed in place
        wanted = gate.add_all(words, shared.written())
        shared.say_notes(gate.book, wanted)
        report = gate.report
        shared.tell_left_out(gate.left_out)
    except InputError as error:
        for name, file in targets:
            faults = render_faults(error.faults, name)
            # Files that the policy extends are unknown here, so no file with the suffix of an input is overwritten.
            if faults and (file is None or not file.lower().endswith((".toml", ".csv", ".xlsx"))):
                deliver(faults, file)
        raise
    if write_baseline is not None:
        write_whole(write_baseline, baseline_text(report.verdicts))
        if write_baseline != baseline:
            click.echo(f'combin: wrote {shown(write_baseline)}; --baseline, or baseline = "{shown(write_baseline)}" in '
                       f"{shown(stated.file or 'combin.toml')}, accepts these findings", err=True)
    ways: dict[str, Any] = {}
    if not report.met and "text" in (name for name, _ in targets):
        from ..tools.wayout import ways_out

        ways = ways_out(report, gate.book)
    for name, file in targets[1:]:
        deliver(render(report, name, verbose=verbose, ways=ways), file)
    deliver(render(report, form, verbose=verbose, ways=ways, colour=output is None and _is_coloured()), output)
    if output is not None:
        click.echo(f"combin: {report.summary}", err=True)
    if fail_on_unused and report.unused and report.met:
        number = len(report.unused)
        subject = "1 acceptance is" if number == 1 else f"{number} acceptances are"
        click.echo(f"combin: fails by --fail-on-unused: {subject} not used: delete what the notes name", err=True)
    if not report.met or (fail_on_unused and report.unused):
        sys.exit(FAILED)


def _is_coloured() -> bool:
    """Return whether standard output is a terminal with colours; a file never gets colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdout.isatty() and not plain


def _also(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the formats of ``--also`` with their files."""
    formats = []
    for word in words:
        name, _, file = word.partition("=")
        if name not in FORMS or not file.strip():
            raise fault(f'"{word}" is not FORMAT=FILE', f"write {FORMS[3]}=report.sarif", file="--also")
        formats.append((name, file))
    return formats


@cli.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@shared.decks_option
@shared.set_option
@shared.reading_option
@shared.sheets
@click.option("--policy", "policy_file", metavar="FILE",
              help="Also show which paytables now fail this policy, and which no longer do.",
              shell_complete=shared.complete_policies)
@click.option("--today", metavar="DATE", help="Date that ends waivers, 2027-12-31; without it none ends.")
@shared.format_option("text", "markdown", "json")
@shared.output_option
@shared.many_option
def diff(
    old: str, new: str | None, decks: tuple[int, ...], parameters: tuple[str, ...], readings: tuple[str, ...],
    policy_file: str | None, today: str | None, form: str, output: str | None,
) -> None:
    """Show what a change of paytables does to return, house edge and policy, and why; the largest change first.

    OLD and NEW are files, folders, ids, globs, or paths of a git revision: main:paytables/. The single word
    main...branch compares branch (or the working tree, if it is left out) with the commit where it left main:
    main...branch:paytables/, or the paytables of combin.toml. Without --policy, that of combin.toml is used, if any.
    """
    from ..base.output import deliver, keep_inputs
    from ..pages.terminal import WIDE
    from ..policy.gate import Gate
    from ..policy.settings import settings
    from ..tools.diff import Options, difference, render

    stated = settings()
    olds, news = _sides(old, new, stated.paytables)
    policy_file = policy_file or stated.policy
    keep_inputs({"-o": output}, (*olds, *news, policy_file, stated.file))
    if today is not None and policy_file is None:
        raise fault("a date ends waivers, and no policy is given",
                    f"add --policy FILE, or name one in {stated.file or 'combin.toml'}", file="--today")
    gate = None if policy_file is None else Gate(policy_file, today=today, waivers=stated.waivers)
    chosen = Options(decks, shared.pairs(parameters, "--set"), shared.pairs(readings, "--reading"))
    comparison = difference(olds, news, None if gate is None else gate.policy,
                            today=None if gate is None else gate.today,
                            options=chosen if decks or parameters or readings else None, layout=shared.written())
    shared.tell_misfits(comparison.left_out)
    deliver(render(comparison, form, WIDE if output else None), output)


def _sides(old: str, new: str | None, stated: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of both sides; FIRST...SECOND stands for both, with its path in it or as the second word."""
    from ..tools.revisions import merge_base

    revisions = merge_base(old)
    if revisions is None and new is None:
        raise fault("only one side is given", "name both, or write main...branch", file="diff", place=old)
    if revisions is None or (new is not None and revisions[2]):
        return (old,), (new or "",)
    base, second, path = revisions
    path = new or path
    paths = (path,) if path else stated
    if not paths:
        raise fault("no paytables are named", f"write {old}:paytables/, or name paytables in combin.toml", file="diff")
    if others := [p for p in paths if p.startswith("!") or "*" in p or "=" in p]:
        raise fault("a revision is compared folder by folder and file by file", f"write {old}:paytables/",
                    file="diff", place=others[0])
    return tuple(f"{base}:{p}" for p in paths), tuple(f"{second}:{p}" if second else p for p in paths)


@cli.command()
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=shared.complete_checks)
@shared.format_option("text", "markdown", "json")
def rules(ids: tuple[str, ...], form: str) -> None:
    """List the checks that a policy may state; with ID, explain one."""
    from ..base.output import deliver
    from ..pages import render
    from ..pages.blocks import Grid, Part
    from ..policy.pages import page, pages

    if form == "json":
        from dataclasses import asdict

        from ..base.documents import records

        deliver(records("checks", map(asdict, [page(i) for i in ids] or pages().values())), None)
        return
    rows = tuple((p.id, p.key, p.title) for p in pages().values())
    parts = [page(i).part for i in ids] or [Part("", blocks=(Grid(("id", "check", "title"), rows, 3),))]
    deliver(render(parts, form, level=1), None)


@cli.command()
@click.argument("name", required=False)
def policies(name: str | None) -> None:
    """List the policies that come with combin; with NAME, print one."""
    from ..base.output import deliver
    from ..policy.reader import SHIPPED, describe, policy_text, shipped_policies

    if name is not None:
        deliver(policy_text(SHIPPED + name.removeprefix(SHIPPED)), None)
        return
    deliver("".join(f"{SHIPPED}{n}  {describe(n)}\n" for n in shipped_policies()), None)


@cli.command()
@click.argument("wager", required=False)
@click.option("--wager", "deal", metavar="DEAL", help='Write a side bet on these cards: "player 2, upcard 1".')
@click.option("--game", metavar="NAME", help="Write a game with decisions: three-card-poker and others.")
@click.option("--ci", type=click.Choice(["github", "gitlab", "pre-commit"]),
              help="Write combin.toml, and the file of a CI service that checks every change.")
@click.option("--from", "source", metavar="SOURCE", help="Where the CI service installs combin from: a wheel, git+URL.")
@click.option("--folder", default=".", metavar="DIR", help="Where to write. Default: the current folder.")
def init(
    wager: str | None, deal: str | None, game: str | None, ci: str | None, source: str | None, folder: str
) -> None:
    """Write commented files to start from: a paytable and a policy for WAGER, a side bet, or a game.

    With --ci, also write what a repository needs to check every change; without WAGER, write only that.
    """
    from ..policy.start import start, start_game, start_own
    from ..rulebook.book import shipped

    if (wager, deal, game).count(None) != 2 and (ci is None or (wager, deal, game).count(None) != 3):
        remedy = 'name the id of a wager, or give --wager "player 2, upcard 1", --game three-card-poker or --ci github'
        raise fault("one wager is needed", remedy, file="init")
    if source is not None and ci is None:
        raise fault("the option applies only to the file of a CI service", "add --ci", file="--from")
    written = start_game(game, folder) if game is not None else []
    if deal is not None:
        written += start_own(deal, folder)
    if wager is not None:
        written += start(shipped(), wager, folder)
    if ci is not None:
        from ..policy.start_ci import start_ci

        written += start_ci(ci, folder, source, written[0] if wager is None and written else None)
    for path in written:
        click.echo(f"wrote {shown(path)}")
    if ci is not None:
        from ..policy.start_ci import next_steps

        for line in next_steps(folder, ci, source):
            click.echo(line)


@cli.command()
@click.argument("kind", type=click.Choice(
    ["paytable", "policy", "settings", "cover", "plan", "catalogue", "strategy", "chart", "wheel"]))
@shared.output_option
def schema(kind: str, output: str | None) -> None:
    """Write the JSON Schema of a kind of file, for editors."""
    from ..base.output import deliver
    from ..tools.schemas import text

    deliver(text(kind), output)
