"""The root of the command line: a group in written order whose commands take an option once."""

from __future__ import annotations

from typing import Any

import click

from ..base.errors import fault
from ..base.version import VERSION

GOOD, FAILED, BAD_INPUT, OWN_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


def _load_plugins(_: click.Context, __: click.Parameter, paths: tuple[str, ...]) -> None:
    if paths:
        from ..wagers import load_plugin

        for path in paths:
            load_plugin(path)


class Command(click.Command):
    """A command that refuses an option given twice (click would take the last); it may load plug-ins."""

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
@click.version_option(VERSION, prog_name="combin")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Exact combinatorial analysis of casino table games.

    PATTERN is a paytable's id, a glob over ids ('*/high-card-flush/flush-bonus/*'; a star crosses slashes),
    a TOML, CSV or XLSX file of your own paytables, a folder of them or a glob of files. Exit status: 0 good; 1 a policy
    is not met, committed analyses are stale or a verification failed; 2 bad input; 3 a count of combin's own does not
    close.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(BAD_INPUT)
