"""The command line: parse, one call, one view. Nothing is imported before it is used."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any

import click

from .. import __version__
from ..base.errors import CountError, InputError, fault, short
from ..base.shown import shown, shown_path
from .asking import (
    analyses_of,
    asked,
    book_of,
    optional_patterns,
    pairs,
    patterns,
    removed_cards,
    say_notes,
    sheets,
    tell_left_out,
    with_files,
    written,
)

GOOD, FAILED, BAD_INPUT, OWN_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


def _load_plugins(_: click.Context, __: click.Parameter, paths: tuple[str, ...]) -> None:
    if paths:
        from ..wagers import load_plugin

        for path in paths:
            load_plugin(path)


class Command(click.Command):
    """A command that refuses an option given twice where click would quietly take the last; it may load plug-ins."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        if any(isinstance(param, click.Argument) and param.name in ("patterns", "identifier") for param in self.params):
            self.params.append(click.Option(
                ["--plugin"], multiple=True, metavar="FILE.py", expose_value=False, is_eager=True,
                callback=_load_plugins, help="Python file with outcome functions; it is run.",
            ))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        *_, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag) and order.count(option) > 1:
                raise fault(f"{max(option.opts, key=len)} is given twice", "give it once")
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """Commands in the order in which they are written here."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click itself would print an empty line
            raise click.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with the whole of its first sentence, which click would cut to one line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(1000)) for name, command in self.commands.items()])


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="combin")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Exact combinatorial analysis of casino table games.

    PATTERN is a paytable's id, a glob over ids ('*/high-card-flush/flush-bonus/*'; a star crosses slashes),
    or a TOML file of your own paytables. Exit status: 0 good; 1 a policy is not met, committed analyses are
    stale or a verification failed; 2 bad input.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(BAD_INPUT)


@cli.command("list")
@optional_patterns
@sheets
def list_(patterns: tuple[str, ...], odds: str, columns: str) -> None:
    """List the ids with names, decks and clause."""
    from ..rulebook.book import shipped
    from ..views import terminal

    book, wanted = book_of(patterns, odds, columns) if patterns else (shipped(), ["*"])
    rows = []
    for identifier in book.select(wanted):
        resolved = book.resolve(identifier)
        decks = resolved.decks
        span = ",".join(map(str, decks)) if len(decks) < 3 else f"{decks[0]}-{decks[-1]}"
        rows.append((identifier, resolved.name, span, resolved.clause))
    terminal.listing(
        rows, ("id", "name", "decks", "clause"), folds=("name", "clause"), drop=("clause", "decks", "name")
    )


@cli.command()
@patterns
@asked
@with_files
@sheets
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "markdown"]), default="table")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
def analyze(
    patterns: tuple[str, ...],
    form: str,
    output: str | None,
    **asked_for: Any,
) -> None:
    """Count every deal and print the exact figures."""
    from ..base.output import deliver, keep_inputs
    from ..views import render

    keep_inputs({"-o": output}, (*patterns, asked_for["wheel"], asked_for["chart"]))
    found = analyses_of(patterns, **asked_for)
    if form == "table" and output is None:
        from ..views import terminal

        terminal.show(found)
    else:
        deliver(render(found, form), output)


@cli.command()
@click.argument("identifier", metavar="ID")
@click.argument("parameter")
@click.option("--return", "wanted", required=True, metavar="VALUE", help="The return to reach; 1 is break-even.")
@asked
@with_files
def solve(
    identifier: str,
    parameter: str,
    wanted: str,
    **asked_for: Any,
) -> None:
    """The exact value of an unknown that gives a return."""
    from ..base.exact import decimal, ratio

    target = ratio(wanted, what="the return", file="--return")
    found = analyses_of([identifier], **asked_for)
    refused = []
    for a in found:
        try:
            value = a.solve(parameter, target)
        except InputError as error:
            # One number of decks may not deal what the parameter pays for; the others still have an answer.
            refused.append((a, error))
            continue
        shown = str(value) if value.denominator == 1 else f"{value} ≈ {decimal(value, 8)}"
        click.echo(f"{a.id}, {a.decks} deck(s): {parameter} = {shown} gives a return of {target}")
    if len(refused) == len(found):
        raise refused[0][1]
    for a, why in refused:
        click.echo(f"combin: left out with {a.decks} deck(s): {why}", err=True)


@cli.command()
@patterns
@click.option("--hand", metavar="CARDS", help='What each choice is worth with these cards: "Tc 7c 4c Ks Qh Jd 9d".')
@click.option("--board", metavar="CARDS", help='The community cards in view, two or four: "Qs 2d".')
@click.option("--upcard", metavar="CARD", help="The dealer's upcard, for blackjack: T.")
@click.option("--decks", type=int, metavar="N", help="Number of decks; all that are analysed otherwise.")
@click.option("--without", metavar="CARDS", default="", help='Cards out of the shoe: "Qh Qh 7s".')
@click.option("--play", "files", multiple=True, metavar="FILE", help="Value a strategy of your own, a TOML file.")
@click.option("--with", "bonus", metavar="ID", help="Join a side bet on the same hand: --set ante=5, stake=1.")
@click.option("--search", is_flag=True, help="Search further: thresholds of Chase the Flush, split play of blackjack.")
@click.option("--set", "parameters", multiple=True, metavar="NAME=VALUE", help="Value of an unknown or a setting.")
@click.option("--reading", "readings", multiple=True, metavar="ID=CHOICE", help="Choice of a reading.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "markdown"]), default="table")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
def strategy(
    patterns: tuple[str, ...],
    hand: str | None,
    board: str | None,
    upcard: str | None,
    decks: int | None,
    without: str,
    files: tuple[str, ...],
    bonus: str | None,
    search: bool,
    parameters: tuple[str, ...],
    readings: tuple[str, ...],
    form: str,
    output: str | None,
) -> None:
    """How a base game is best played, what one hand is worth, and what simpler play costs."""
    from ..base.output import deliver, keep_inputs
    from ..play.advice import asked_for
    from ..views.strategy import render
    from ..views.terminal import WIDE, width_of

    keep_inputs({"-o": output}, (*patterns, *files))
    book, wanted = book_of(patterns)
    found = asked_for(
        book,
        wanted,
        hand=hand,
        board=board,
        upcard=upcard,
        decks=decks,
        without=removed_cards(without),
        files=files,
        bonus=bonus,
        search=search,
        set=pairs(parameters, "--set"),
        reading=pairs(readings, "--reading"),
    )
    deliver(render(found, form, width_of() if output is None else WIDE), output)


@cli.command()
@click.argument("identifier", metavar="ID")
@asked
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table")
def removal(identifier: str, form: str, **asked_for: Any) -> None:
    """What the return gains or loses when one card of the shoe is known to be gone."""
    from ..analysis.removal import effects
    from ..base.output import deliver
    from ..views import removal as view

    found = [(a, effects(a)) for a in analyses_of([identifier], **asked_for)]
    if form == "table":
        view.show(found)
    else:
        deliver(view.render(found, form), None)


@cli.command()
@optional_patterns
def readings(patterns: tuple[str, ...]) -> None:
    """What the documents leave open, the choices, and why the first one is taken."""
    from ..rulebook.book import shipped
    from ..views import terminal

    book, wanted = book_of(patterns) if patterns else (shipped(), ["*"])
    identifiers = book.select(wanted)
    terminal.paragraphs(
        (
            f"{reading.id}  ({reading.document.title}, {reading.clause})",
            [
                reading.question,
                f"bears on: {', '.join(reading.wagers)}",
                *(
                    f"{choice.id}{f' [primary, {choice.basis}]' if choice is reading.primary else ''}: {choice.why}"
                    + (f" Not computed: {choice.refused}." if choice.refused else "")
                    for choice in reading.choices
                ),
            ],
        )
        for reading in book.readings
        if any(reading.bears_on(i) for i in identifiers)
    )


@cli.command()
@optional_patterns
def findings(patterns: tuple[str, ...]) -> None:
    """Plain errors in the documents, with their clause."""
    from ..rulebook.book import shipped
    from ..views import terminal

    book, wanted = book_of(patterns) if patterns else (shipped(), ["*"])
    identifiers = book.select(wanted)
    chosen = [f for f in book.findings if not patterns or any(f in book.findings_of(i) for i in identifiers)]
    terminal.paragraphs((f"{f.id}  ({f.document.title}, {f.clause}; {f.kind})", [f.text]) for f in chosen)


@cli.command()
@patterns
@asked
@sheets
@click.option("--simulate", "rounds", metavar="ROUNDS", help="Also deal so many rounds of the rules: 10_000_000.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63),
    metavar="N",
    help="A whole number that the simulation's deals follow from, 1 by default: the same seed, the same deals.",
)
@click.option("--allow-unheld", is_flag=True, help="Let figures pass that no second method knows.")
def verify(
    patterns: tuple[str, ...],
    rounds: str | None,
    seed: int | None,
    allow_unheld: bool,
    **asked_for: Any,
) -> None:
    """Count everything a second time by another method, and show what was held against what.

    What no second method knows is not verified: the exit status is 1 unless --allow-unheld lets it pass.
    """
    from ..verify import NOT_HELD, whole_rounds
    from ..verify import terminal as verification
    from ..verify import verify as verified

    dealt = whole_rounds(rounds)
    if seed is not None and not dealt:
        raise fault("nothing is simulated that a seed would be for", "add --simulate ROUNDS", file="--seed")
    if asked_for["without"]:
        raise fault("the second methods deal from a full shoe", "leave out --without", file="--without")
    found = []
    for a in analyses_of(patterns, **asked_for):
        found.append(verified(a, rounds=dealt, seed=1 if seed is None else seed))
        verification.show(found[-1])
    verification.summary(found)
    if not all(v.passed or (allow_unheld and v.state == NOT_HELD) for v in found):
        sys.exit(FAILED)


@cli.command()
@click.argument("folder", default="analyses", metavar="[DIR]")
@click.option("--check", "only_check", is_flag=True, help="Rewrite nothing; show the difference and fail if stale.")
def regenerate(folder: str, only_check: bool) -> None:
    """Rewrite the committed analyses, or check that they are current."""
    from ..tools.regenerate import check, rewrite

    if not only_check:
        for line in rewrite(folder):
            click.echo(shown_path(line))
        return
    stale = check(folder)
    if stale:
        click.echo(stale, nl=False)
        click.echo(f"combin: {shown(folder)} is stale; run: combin regenerate {shown(folder)}", err=True)
        sys.exit(FAILED)
    click.echo(f"{shown_path(folder)} is current")


@cli.command()
@optional_patterns
@asked
@with_files
@sheets
@click.option("-o", "--output", metavar="FILE", help="The report: .html, .pdf, .xlsx, .md or .json by suffix.")
@click.option("--compare", is_flag=True, help="Set the paytables of each PATTERN beside those of the first.")
@click.option("--policy", metavar="FILE", help="Conclude with the verdict of a policy; combin:NAME ships one.")
@click.option("--quick", is_flag=True, help="Leave out the second method and the effects of removal.")
@click.option("--verify", metavar="FILE", help="Recompute a JSON or PDF report and say what differs.")
def report(
    patterns: tuple[str, ...],
    output: str | None,
    compare: bool,
    policy: str | None,
    quick: bool,
    verify: str | None,
    decks: tuple[int, ...],
    any_decks: bool,
    parameters: tuple[str, ...],
    readings: tuple[str, ...],
    without: str,
    wheel: str | None,
    chart: str,
    odds: str,
    columns: str,
) -> None:
    """Write the certification report on paytables, or verify one."""
    from ..base.output import keep_inputs, write_whole
    from ..report import form_of, render
    from ..report.identity import Asked
    from ..report.make import Files, make, named
    from ..report.make import verify as verify_report

    if verify is not None:
        differences, told = verify_report(verify, patterns)
        for line in told:
            click.echo(f"combin: note: {shown(line)}", err=True)
        for line in differences:
            click.echo(shown_path(line))
        said = f"{len(differences)} values differ" if differences else "every value is the same"
        click.echo(f"{shown_path(verify)}: {said}")
        sys.exit(FAILED if differences else GOOD)
    if not patterns:
        raise fault("no paytable is named", "give ids, globs or files", file="report")
    if output is None:
        raise fault("no file is named for the report", "add -o report.html (or .pdf, .xlsx, .md, .json)", file="report")
    form = form_of(output)
    keep_inputs({"-o": output}, (*patterns, wheel, chart, policy))
    wanted = Asked(
        tuple(map(named, patterns)),
        decks,
        any_decks,
        pairs(parameters, "--set"),
        pairs(readings, "--reading"),
        without,
        named(wheel) if wheel else None,
        named(chart) if chart else "",
        named(policy) if policy else None,
        compare,
        quick,
        odds,
        columns,
    )
    files = Files(word for word in (*patterns, wheel, chart, policy) if word)
    made, left_out = make(wanted, files)
    for line in dict.fromkeys(files.notes):
        click.echo(f"combin: note: {line}", err=True)
    tell_left_out(left_out)
    write_whole(output, render(made, form))
    if not made.met:
        click.echo(f"combin: {policy}: not met", err=True)
        sys.exit(FAILED)


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
@click.option("--partial", is_flag=True, help="Not every paytable is given: a rule may match none of them.")
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
    """What a policy may state: stable ids, and a page for each ID."""
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
@click.argument("word", required=False)
def words(word: str | None) -> None:
    """The words of conditions with their meaning, and the terms of the figures; of one WORD its example too."""
    from ..base.output import deliver
    from ..views.words import one, vocabulary

    deliver(one(word) if word is not None else vocabulary(), None)


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


def main() -> None:
    """Run the command line.

    Every failure that a user can cause ends in one line a fault and status 2, a count that is wrong in one line and
    status 3.
    """
    kept = sys.stdout
    _open_streams()
    try:
        result = cli.main(standalone_mode=False, prog_name="combin")
        sys.stdout.flush()
        sys.exit(result if isinstance(result, int) else GOOD)
    except InputError as error:
        for item in error.faults:
            _complain(str(item))
        sys.exit(BAD_INPUT)
    except CountError as error:
        _complain(
            f"{short(str(error))}; the counts do not close, which is a fault of combin {__version__} itself: use no "
            "figure of it, and send its maintainers this line, the command and the files that it names"
        )
        sys.exit(OWN_FAULT)
    except click.ClickException as error:
        _complain(short(" ".join(error.format_message().split()).rstrip(".")) + _help_of(error))
        sys.exit(BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        _complain("stopped")
        os._exit(INTERRUPTED)
    except BrokenPipeError:
        _forget(sys.stdout)  # the reader has gone: what it wanted it has
        sys.exit(GOOD)
    except OSError as error:  # a full disk behind standard output, a name that is too long
        _forget(sys.stdout)
        _complain(short(f"{error.filename or 'standard output'}: {error.strerror or error}"))
        sys.exit(BAD_INPUT)
    except MemoryError:
        _complain("this takes more memory than there is; ask for less at once")
        sys.exit(BAD_INPUT)
    finally:
        if kept is not None and sys.stdout is not kept:
            copy, sys.stdout = sys.stdout, kept
            with suppress(OSError, ValueError):
                copy.close()


def _help_of(error: click.ClickException) -> str:
    """Which help says what would be right."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"; {context.command_path} --help says what it takes" if context is not None else ""


def _open_streams() -> None:
    """Both output streams, closed ones into nothing; characters that an encoding lacks are written as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # Without a buffer a full disk takes a part of a write, and nothing says so.
        buffered = open(os.dup(sys.stdout.fileno()), "wb")  # noqa: SIM115 - as long as the command
        sys.stdout = io.TextIOWrapper(buffered, sys.stdout.encoding, "backslashreplace")


def _forget(stream: Any) -> None:
    """Send what is still to be written to a stream nowhere, or Python would try it again as it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(line: str) -> None:
    """One line to standard error, as far as anyone reads it."""
    try:
        print(f"combin: {shown(line)}", file=sys.stderr, flush=True)
    except OSError:
        _forget(sys.stderr)


if __name__ == "__main__":
    main()
