"""The root of the command line: commands in the order of the source, which accept an option once."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

import click

from ..base.errors import fault
from ..base.version import VERSION

OUTPUT = "Write to a file instead of standard output (-)."
#: Commands that write files of their own.
WRITERS = ("init", "regenerate", "report")
GOOD, FAILED, BAD_INPUT, OWN_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


def _load_plugins(_: click.Context, __: click.Parameter, paths: tuple[str, ...]) -> None:
    if paths:
        from ..wagers import load_plugin

        for path in paths:
            load_plugin(path)


def _keep_output(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value != "-":
        ctx.meta[OUTPUT] = value


class Command(click.Command):
    """A command that refuses an option given twice (click would take the last); it may load plug-ins.

    ``renamed`` maps old names of options, accepted for one release, to the present ones. A command without an option
    -o of its own that prints something gets one.
    """

    def __init__(self, *args: Any, renamed: Mapping[str, str] | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.renamed = renamed or {}
        if self.name not in WRITERS and not any("-o" in param.opts for param in self.params):
            self.params.append(click.Option(
                ["-o", "--output"], metavar="FILE", expose_value=False, callback=_keep_output, help=OUTPUT,
            ))
        if any(isinstance(param, click.Argument) and param.name in ("patterns", "identifier") for param in self.params):
            self.params.append(click.Option(
                ["--plugin"], multiple=True, metavar="FILE.py", expose_value=False, is_eager=True,
                callback=_load_plugins, help="Python file with outcome functions, which is run.",
            ))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = [self.renamed.get(word, word) for word in args]
        *_, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag) and order.count(option) > 1:
                raise fault(f"{max(option.opts, key=len)} is given twice", "give it once")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; with the -o of this class, what it prints goes to the file, unless it refuses its input."""
        output = ctx.meta.get(OUTPUT)
        if output is None:
            return super().invoke(ctx)
        from ..base.output import deliver, keep_apart, keep_inputs

        keep_apart([("-o", output)])
        given = [word for value in ctx.params.values() for word in (value if isinstance(value, tuple) else (value,))]
        keep_inputs({"-o": output}, [word for word in given if isinstance(word, str)])
        status = 0
        with redirect_stdout(io.StringIO()) as printed:
            try:
                super().invoke(ctx)
            except SystemExit as end:
                status = int(end.code or 0)
        deliver(printed.getvalue(), output)
        sys.exit(status)


class Commands(click.Group):
    """A group that lists its commands in the order of the source."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click itself would print an empty line
            raise click.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with its whole first sentence, which click would cut to one line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(1000)) for name, command in self.commands.items()])


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(VERSION, prog_name="combin")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Exact combinatorial analysis of casino table games.

    PATTERN is the id of a paytable, a glob over ids ('*/high-card-flush/flush-bonus/*'; * also matches slashes), a
    TOML, CSV or XLSX file of your own paytables, a folder of such files or a glob of files.

    Exit status: 0 good; 1 a policy is not met, committed analyses are stale or a verification failed; 2 bad input; 3
    combin found that one of its own counts does not add up.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(BAD_INPUT)
