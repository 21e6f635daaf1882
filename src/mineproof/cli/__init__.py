"""The command line: one thin command per file.

A command prints its answer and returns, or raises an error that `main` turns into one sentence on
standard error and an exit code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor
from typing import Final

import click

from mineproof import __version__
from mineproof.arena import AgentFailed
from mineproof.cli import (
    agents,
    chains,
    compare,
    completion,
    convert,
    explain,
    generate,
    measure,
    optimal,
    play,
    records,
    report,
    review,
    serve,
    solve,
    study,
    tournament,
    watch,
)
from mineproof.inference import BudgetExceeded, Contradiction

__all__ = ["app", "main"]

_EXTRAS: Final[Mapping[str, str]] = {
    "polars": "lab",
    "altair": "lab",
    "vl_convert": "lab",
    "jinja2": "lab",
    "distributed": "cluster",
    "fastapi": "web",
    "pydantic": "web",
    "uvicorn": "web",
    "ms_toollib": "replays",
}
"""Packages that only some commands need, and the extras that install them."""


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    commands=[
        *(play.play, serve.serve, solve.solve, explain.explain, chains.chains, review.review),
        *(generate.generate, measure.measure, convert.convert),
        *(optimal.optimal, agents.agents, watch.watch, compare.compare, tournament.tournament),
        *(study.study, report.report, records.records, completion.completion),
    ],
)
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Study Minesweeper: exact risks, proofs, clues that lie or vanish, agents to compare."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        The arguments after the program's name. By default those of the process.

    Examples
    --------
    >>> main(["--version"])
    0.1.0
    0
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if (completed := completion.complete(app)) is not None:
            return completed
        # Not `app.main`, which prints an empty line at Ctrl-C.
        with app.make_context("mineproof", words) as context:
            code = app.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _fail(error.format_message().removesuffix("."), 2)
    except Contradiction as error:
        return _fail(str(error), 3)
    except BudgetExceeded as error:
        return _fail(str(error), 4)
    except ValueError as error:
        return _fail(str(error), 2)
    except (AgentFailed, BrokenExecutor) as error:
        return _fail(str(error), 1)
    except MemoryError:
        return _fail("there is not enough memory; what was finished before is kept", 1)
    except KeyboardInterrupt:
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
        # Otherwise what is still buffered raises the error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return (
            1 if isinstance(error, BrokenPipeError) else _fail(f"cannot write: {error.strerror}", 1)
        )
    return code if isinstance(code, int) else 0


def _fail(sentence: str, code: int) -> int:
    print(f"mineproof: {sentence}", file=sys.stderr)
    return code
