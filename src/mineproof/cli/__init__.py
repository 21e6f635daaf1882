"""The command line: thin verbs over the library, one a file.

A verb does its work and returns; it raises `ValueError` for bad input (exit code 2),
`Contradiction` where nothing fits (3), `BudgetExceeded` where a question is too wide (4) and
`AgentFailed` where an agent has a fault (1).
`main` turns these into one sentence on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import Annotated

import typer

from mineproof import __version__
from mineproof.batches import AgentFailed
from mineproof.cli import agents, compare, solve, watch
from mineproof.errors import BudgetExceeded, Contradiction

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(solve.solve)
app.command()(agents.agents)
app.command()(watch.watch)
app.command()(compare.compare)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        The words after the program's name; by default those of the process.

    Examples
    --------
    >>> main(["--version"])
    0.1.0
    0
    """
    try:
        result = app(arguments, prog_name="mineproof", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except typer.TyperException as error:
        return _fail(error.format_message(), 2)
    except Contradiction as error:
        return _fail(str(error), 3)
    except BudgetExceeded as error:
        return _fail(str(error), 4)
    except ValueError as error:
        return _fail(str(error), 2)
    except (AgentFailed, BrokenExecutor) as error:
        return _fail(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except OSError as error:
        # What is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        left = isinstance(error, BrokenPipeError)
        return 1 if left else _fail(f"cannot write: {error.strerror}", 1)
    return result if isinstance(result, int) else 0


def _print_version(asked: bool) -> None:
    if asked:
        print(__version__)
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Study Minesweeper: exact risks, clues that lie or vanish, agents to compare."""


def _fail(sentence: str, code: int) -> int:
    print(f"mineproof: {sentence}", file=sys.stderr)
    return code
