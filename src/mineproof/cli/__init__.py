"""The command line: thin verbs over the library, one a file.

A verb does its work and returns; it raises `ValueError` for bad input (exit code 2),
`Contradiction` where nothing fits (3), `BudgetExceeded` where a question is too wide (4) and
`AgentFailed` where an agent has a fault (1). A file that cannot be written is an `OSError` with its
name (1), and an extra that is not installed a `ModuleNotFoundError` (2).
`main` turns these into one sentence on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor
from typing import Annotated, Final

import typer

from mineproof import __version__
from mineproof.arena.play import AgentFailed
from mineproof.cli import agents, chains, compare, explain, records, report, solve, study, watch
from mineproof.inference.errors import BudgetExceeded, Contradiction

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(solve.solve)
app.command()(explain.explain)
app.command()(chains.chains)
app.command()(agents.agents)
app.command()(watch.watch)
app.command()(compare.compare)
app.command()(study.study)
app.command()(report.report)
app.command()(records.records)

_EXTRAS: Final[Mapping[str, str]] = {
    "polars": "lab",
    "matplotlib": "lab",
    "jinja2": "lab",
    "distributed": "cluster",
}
"""Packages that only some verbs need, and the extras that install them."""


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
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        install = f"pip install 'mineproof[{_EXTRAS[package]}]'"
        return _fail(f"{package} is not installed: {install}", 2)
    except OSError as error:
        if error.filename is not None:
            reason = (error.strerror or "unusable").lower()
            return _fail(f"cannot write {error.filename}: {reason}", 1)
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
