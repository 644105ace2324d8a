"""The commands that find, compute and explain figures; each imports only what it uses."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import InputError, fault
from . import shared
from .group import FAILED, cli

if TYPE_CHECKING:
    from ..rulebook.book import Rulebook

table_or_json = shared.format_option("table", "json")


@cli.command("list")
@shared.optional_patterns
@shared.sheets
@table_or_json
def list_(patterns: tuple[str, ...], form: str) -> None:
    """List the ids with names, decks and clause; a word that is not an id is searched in ids and names."""
    from ..base.output import deliver
    from ..pages import terminal
    from ..pages.blocks import Grid, Part

    book, identifiers = _listed(shared.searched(patterns))
    if form == "json":
        from ..views.listings import ids

        deliver(ids(book, identifiers), None)
        return
    rows = []
    for identifier in identifiers:
        resolved = book.resolve(identifier)
        decks = resolved.decks
        span = ",".join(map(str, decks)) if len(decks) < 3 else f"{decks[0]}-{decks[-1]}"
        rows.append((identifier, resolved.name, span, resolved.clause))
    terminal.show([Part("", blocks=(
        Grid(("id", "name", "decks", "clause"), tuple(rows), 4, drops=("clause", "decks", "name")),))])


def _listed(words: tuple[str, ...]) -> tuple[Rulebook, list[str]]:
    """Return the rulebook and the ids that the words select, without a count; all ids without a word."""
    from ..rulebook.book import shipped

    book, wanted = shared.book_of(words, counted=False) if words else (shipped(), ["*"])
    return book, book.select(wanted)


@cli.command()
@shared.patterns
@shared.selecting
@shared.with_files
@shared.sheets
@shared.format_option("table", "json", "csv", "markdown")
def analyze(patterns: tuple[str, ...], form: str, **selected: Any) -> None:
    """Count every deal and print the exact figures."""
    from ..base.output import deliver
    from ..pages import terminal
    from ..views import model, render

    analyses = shared.analyses_of(patterns, **selected)
    if form == "table":
        terminal.show([model.part(a) for a in analyses])
    else:
        deliver(render(analyses, form), None)


@cli.command()
@shared.one_id
@click.argument("parameter")
@click.option("--return", "wanted", required=True, metavar="VALUE",
              help="The return to reach: 98%, 49/50; 1 is break-even.")
@click.option("--long-run", is_flag=True, help="Solve for the long-run return of a progressive.")
@shared.selecting
@shared.with_files
@shared.sheets
@table_or_json
def solve(
    identifier: str,
    parameter: str,
    wanted: str,
    form: str,
    long_run: bool,
    **selected: Any,
) -> None:
    """Solve for the exact value of an unknown that gives a return.

    PARAMETER is an unknown such as a meter, a line of a game with decisions ("raise: straight or better"), or weights,
    for those of a wheel.
    """
    from ..base.exact import decimal, ratio
    from ..base.exact import decks as decks_in_words
    from ..base.output import deliver

    target = ratio(wanted, what="the return", file="--return")
    analyses = shared.analyses_of([identifier], **selected)

    def solved_again(a: Any, line: str, odds: Any) -> str:
        from ..analysis.solving_pay import is_line, same_play

        if not is_line(a, line):
            return ""
        same = "is still best" if same_play(a, line, odds, target) else "is no longer best"
        return f"; best play was solved again: the play at the present pay {same}"

    refused, answers = [], []
    figure = "long-run return" if long_run else "return"
    if parameter == "weights":
        from ..analysis.solving import wheel_weights

        if long_run:
            raise fault("weights are solved at the present meter", "leave out --long-run", file="--long-run")
        wheels = [(a, wheel_weights(a, target)) for a in analyses]
        if form == "json":
            from ..views.listings import solved

            deliver(solved([(a, weights, "") for a, weights in wheels], parameter, target), None)
            return
        for a, weights in wheels:
            click.echo(f"# {a.id}, {decks_in_words(a.decks)}: a return of {target}; a file for --wheel\n[weights]")
            for name, weight in weights.items():
                click.echo(f'"{name}" = {weight}')
        return
    for a in analyses:
        try:
            value = a.solve(parameter, target, long_run=long_run)
        except InputError as error:
            # The parameter may matter only at some numbers of decks.
            refused.append((a, error))
            answers.append((a, None, "\n".join(map(str, error.faults))))
            continue
        answers.append((a, value, ""))
        if form == "json":
            continue
        shown = str(value) if value.denominator == 1 else f"{value} ≈ {decimal(value, 8)}"
        worth = f"a {figure} of {target}" if a.has_stake else f"{target} dollars per round"
        again = solved_again(a, parameter, value)
        click.echo(f"{a.id}, {decks_in_words(a.decks)}: {parameter} = {shown} gives {worth}{again}")
    if len(refused) == len(analyses):
        raise refused[0][1]
    if form == "json":
        from ..views.listings import solved

        deliver(solved(answers, parameter, target, long_run=long_run), None)
        return
    for a, why in refused:
        click.echo(f"combin: left out with {decks_in_words(a.decks)}: {why}", err=True)


@cli.command()
@shared.patterns
@click.option("--hand", metavar="CARDS", help='Value of each choice with these cards: "Tc 7c 4c Ks Qh Jd 9d".')
@click.option("--board", metavar="CARDS", help='Community cards in view, two or four: "Qs 2d".')
@click.option("--upcard", metavar="CARD", help="Upcard of the dealer, for blackjack: T.")
@click.option("--decks", type=int, metavar="N", help="Number of decks. Default: all that are analysed.")
@shared.without_option
@click.option("--play", "files", multiple=True, metavar="FILE",
              help="TOML file with a user-defined strategy, to be valued.")
@click.option("--with", "bonus", multiple=True, metavar="ID|FILE#ID",
              help="Side bet in the same seat; the stakes are set with --set ante=5 --set stake=1.")
@click.option("--search", is_flag=True,
              help="Search further: the best thresholds of Chase the Flush, better split play of blackjack.")
@click.option("--rules", is_flag=True, help="Effect of each house rule, and the dealer's probabilities, for blackjack.")
@shared.sheets
@shared.set_option
@shared.reading_option
@shared.format_option("table", "json", "csv", "markdown")
@shared.many_option
def strategy(
    patterns: tuple[str, ...], without: str, bonus: tuple[str, ...], parameters: tuple[str, ...],
    readings: tuple[str, ...], form: str, **choices: Any,
) -> None:
    """Show the best play of a base game, the value of each choice of a hand, and the cost of simpler play."""
    from ..base.output import deliver
    from ..play.requests import results_of
    from ..views.strategy import render

    book, wanted = shared.book_of(patterns)
    if bonus:
        from ..userfiles.collected import add_side_bets

        book, bonus = add_side_bets(book, bonus, shared.written())
    items = results_of(book, wanted, bonus=bonus, without=shared.removed_cards(without),
                       set=shared.pairs(parameters, "--set"), reading=shared.pairs(readings, "--reading"), **choices)
    deliver(render(items, form), None)


@cli.command()
@shared.one_id
@shared.selecting
@shared.sheets
@shared.format_option("table", "json", "csv")
def removal(identifier: str, form: str, **selected: Any) -> None:
    """Show how the return changes when one card is removed from the shoe."""
    from ..analysis.removal import effects
    from ..base.output import deliver
    from ..pages import terminal
    from ..views import removal as view

    by_analysis = [(a, effects(a)) for a in shared.analyses_of([identifier], **selected)]
    if form == "table":
        terminal.show([view.part(a, cards) for a, cards in by_analysis])
    else:
        deliver(view.render(by_analysis, form), None)


@cli.command()
@shared.one_id
@click.argument("results", metavar="RESULTS.csv")
@shared.selecting
@shared.with_files
@shared.sheets
@click.option("--look", type=click.IntRange(1, 10**6), metavar="N",
              help="This is the N-th look at growing results; the limits stay valid for any number of looks.")
@shared.format_option("text", "markdown", "json")
def audit(identifier: str, results: str, look: int | None, form: str, **selected: Any) -> None:
    """Compare results of play with the exact distribution: intervals, p-values, verdict.

    RESULTS.csv names its columns in the first row: rounds, and outcomes (their hits), or handle (total staked) and
    win (of the house). A column stake has the stake of each round of a row. Drop and win give only the hold.
    """
    from ..base.exact import decks as decks_in_words
    from ..base.output import deliver
    from ..tools.audit import audit as audited
    from ..tools.audit_page import render
    from ..tools.audit_results import read_results

    analyses = shared.analyses_of([identifier], **selected)
    if len(analyses) != 1:
        known = ", ".join(f"{a.id} ({decks_in_words(a.decks)})" for a in analyses[:8])
        decks = f" and --decks {analyses[-1].decks}" if len({a.decks for a in analyses}) > 1 else ""
        raise fault(f"results belong to one paytable at one number of decks, and {len(analyses)} match: {known}",
                    f"name one: {shared.one_of(identifier, analyses[-1].id)}{decks}", file=identifier)
    verdict = audited(analyses[0], read_results(results, analyses[0]), look or 0)
    deliver(render(verdict, form), None)
    if not verdict.met:
        sys.exit(FAILED)


@cli.command()
@shared.optional_patterns
@shared.sheets
@table_or_json
def readings(patterns: tuple[str, ...], form: str) -> None:
    """List what the documents leave unclear, the possible readings, and why the primary one is chosen."""
    from ..base.output import deliver
    from ..pages import terminal
    from ..views import listings

    book, identifiers = _listed(_or_documents(patterns))
    chosen = [reading for reading in book.readings if any(reading.bears_on(i) for i in identifiers)]
    if form == "json":
        deliver(listings.readings(chosen), None)
    else:
        terminal.show(list(map(listings.reading_part, chosen)))


@cli.command()
@shared.optional_patterns
@shared.sheets
@table_or_json
def findings(patterns: tuple[str, ...], form: str) -> None:
    """List the errors in the documents, each with its clause."""
    from ..base.output import deliver
    from ..pages import terminal
    from ..views import listings

    book, identifiers = _listed(_or_documents(patterns))
    chosen = [f for f in book.findings if not patterns or any(f in book.findings_of(i) for i in identifiers)]
    if form == "json":
        deliver(listings.findings(chosen), None)
    else:
        terminal.show(list(map(listings.finding_part, chosen)))


def _or_documents(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns with the id of a document replaced by a glob over its paytables."""
    from ..rulebook.book import shipped

    documents = shipped().documents
    return tuple(f"{documents[word].prefix}/*" if word in documents else word for word in words)


@cli.command()
@click.argument("documents", nargs=-1, metavar="[DOCUMENT...]")
@shared.format_option("text", "markdown", "json")
def coverage(documents: tuple[str, ...], form: str) -> None:
    """Go through a document clause by clause: where each clause is computed, or why it is not."""
    from ..base.output import deliver
    from ..pages.terminal import width_of
    from ..rulebook.book import shipped
    from ..rulebook.coverage import clauses_of
    from ..views.coverage import render

    book = shipped()
    clauses = {d: clauses_of(d) for d in documents or book.documents}
    covered = [(book.documents[d], rows) for d, rows in clauses.items()]
    deliver(render(covered, form, book, min(width_of(), 110)), None)


@cli.command()
@click.argument("word", required=False)
def words(word: str | None) -> None:
    """List the words of conditions and the terms of the figures; with WORD, explain one with an example."""
    from ..base.output import deliver
    from ..views.words import one, vocabulary

    deliver(one(word) if word is not None else vocabulary(), None)


@cli.command(renamed={"--allow-unheld": "--allow-unchecked"})
@shared.optional_patterns
@click.option("--self", "whole", is_flag=True, help="Check the kernels of this installation instead.")
@shared.selecting
@shared.sheets
@click.option("--simulate", "rounds", metavar="ROUNDS", help="Also simulate this number of rounds: 10_000_000.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63),
    metavar="N",
    help="Seed of the simulation. Default: 1.",
)
@click.option("--allow-unchecked", is_flag=True, help="Exit with 0 even if no independent method checks a figure.")
@table_or_json
def verify(
    patterns: tuple[str, ...],
    whole: bool,
    rounds: str | None,
    seed: int | None,
    allow_unchecked: bool,
    form: str,
    **selected: Any,
) -> None:
    """Check every count by an independent method, and show what each check covers.

    A paytable is verified if an independent method gives its return, or the counts of all its outcomes. Otherwise it
    is partly checked or not checked, and the exit status is 1 unless --allow-unchecked is given.

    With --self and without PATTERN, known numbers show within seconds whether the installed kernels count correctly.
    """
    if whole:
        if patterns or shared.others_given("whole", "form", "output", "plugin"):
            raise fault("the installation is checked, and no paytable",
                        "omit PATTERN and every other option but --format", file="--self")
        _verify_itself(form)
        return
    if not patterns:
        raise fault("no paytable is named", "give ids, globs or files, or --self", file="verify")
    from ..pages import terminal
    from ..verify import NOT_CHECKED, PARTLY, whole_rounds
    from ..verify import verify as verified
    from ..verify.page import checks, summary

    dealt = whole_rounds(rounds)
    if seed is not None and not dealt:
        raise fault("a seed is given, but nothing is simulated", "add --simulate ROUNDS", file="--seed")
    if selected["without"]:
        raise fault("the independent methods deal from a full shoe", "leave out --without", file="--without")
    verifications = []
    for a in shared.analyses_of(patterns, **selected):
        verifications.append(verified(a, rounds=dealt, seed=1 if seed is None else seed))
        if form == "table":
            terminal.show([checks(verifications[-1])])
            click.echo()
    if form == "json":
        from ..base.output import deliver
        from ..views import listings

        deliver(listings.verified(verifications), None)
    else:
        terminal.show([summary(verifications)])
    if not all(v.passed or (allow_unchecked and v.state in (NOT_CHECKED, PARTLY)) for v in verifications):
        sys.exit(FAILED)


def _verify_itself(form: str) -> None:
    """Check every kernel; the exit status is 1 if one counts wrong."""
    from ..base.output import deliver
    from ..base.work import means
    from ..pages import terminal
    from ..verify.self_check import page, record, self_check

    with means(cache=False):  # a stored figure would hide a kernel that counts wrong
        done = tuple(self_check())
    if form == "json":
        from ..base.documents import document

        deliver(document("self-check", record(done)), None)
    else:
        terminal.show([page(done)])
    if not all(one.passed for one in done):
        sys.exit(FAILED)
