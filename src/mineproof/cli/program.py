"""The program: its commands, each imported when it is first used, and how it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from typing import Final, cast

import click
from click.shell_completion import CompletionItem

from mineproof import __version__
from mineproof.cli import completion
from mineproof.cli.streams import encodable, lost, reopen
from mineproof.stdout import reserved

__all__ = ["SUMMARIES", "app", "load", "run"]

SUMMARIES: Final[Mapping[str, str]] = {
    "agents": "List the agents, their sources and their options.",
    "chains": "Show chains of influence on a board.",
    "compare": "Compare agents on the same boards.",
    "completion": "Print the script that completes commands in a shell.",
    "convert": "Convert FILE to another format and write it to OUT.",
    "explain": "Explain why cells are certain, the simplest reasons first.",
    "generate": "Generate boards.",
    "measure": "Measure boards: 3BV, openings, islands, and how hard they are.",
    "optimal": "Compute the best chance to win a small board.",
    "play": "Play in the browser, with hints and proofs, or with an agent.",
    "records": "Show the games in a directory by study, agent and conditions.",
    "report": "Rebuild the report of a directory from its records.",
    "review": "Tell what each guess of a game cost.",
    "serve": "Serve the board and its HTTP API, to other machines if asked.",
    "solve": "Show the risks of a position and its best cell.",
    "study": "Play the games of studies and write the report.",
    "tournament": "Rank the agents of a folder on the same boards.",
    "watch": "Watch an agent play a game, or replay one, step by step.",
}
"""The commands, and the first sentence of their help: to list them, none is imported."""

_VARIABLE: Final = "MINEPROOF_TRACEBACK"
_TRACEBACK: Final = "mineproof.traceback"
"""Where the context of a command keeps whether errors show their traceback."""


class _Commands(Mapping[str, click.Command]):
    """The commands by name, each with the option that shows tracebacks."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SUMMARIES:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"mineproof.cli.{name}"), name)
        if _traceback not in command.params:
            command.params.append(_traceback)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


class _Program(click.Group):
    """The group of all commands, which lists them without importing them."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl([*SUMMARIES.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option."""
        found = [name for name in SUMMARIES if name.startswith(incomplete)]
        items = [CompletionItem(name, help=SUMMARIES[name]) for name in found]
        return items + click.Command.shell_complete(self, ctx, incomplete)


def _shows_traceback(context: click.Context, option: click.Parameter, value: bool) -> None:
    # The meta of a context is that of its parents as well.
    context.meta[_TRACEBACK] = context.meta.get(_TRACEBACK, False) or value


_traceback: Final = click.Option(
    ["--traceback"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_shows_traceback,
    help=f"Show the whole traceback of an error. The environment variable {_VARIABLE} does so too.",
)


@click.group(
    cls=_Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    commands=cast("MutableMapping[str, click.Command]", _Commands()),
    params=[_traceback],
)
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Study Minesweeper: exact risks, proofs, clues that lie or vanish, agents to compare."""
    context.with_resource(reserved())
    if context.invoked_subcommand is None:
        print(context.get_help())


def load(words: Sequence[str]) -> None:
    """Import the command that a command line names."""
    app.commands.get(next((word for word in words if not word.startswith("-")), ""))


def run(words: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    meta: dict[str, object] = {}
    error: BaseException | None = None
    reopen()
    with encodable():
        try:
            code = _invoked(list(words), meta)
        except click.exceptions.Exit as done:
            code = done.exit_code
        except (Exception, KeyboardInterrupt) as raised:
            error = raised
        # A stream that cannot be written is the cause of whatever came after it.
        error = lost() or error
        if error is None:
            return code
        from mineproof.cli.errors import ended

        return ended(error, traceback=bool(meta.get(_TRACEBACK) or os.environ.get(_VARIABLE)))


def _invoked(words: list[str], meta: dict[str, object]) -> int:
    """Run a command line; the meta of its contexts stays readable after an error."""
    if (completed := completion.complete(app)) is not None:
        return completed
    # Not `app.main`, which prints an empty line at Ctrl-C.
    with app.make_context("mineproof", words) as context:
        try:
            code = app.invoke(context)
        finally:
            meta |= context.meta
    return code if isinstance(code, int) else 0
