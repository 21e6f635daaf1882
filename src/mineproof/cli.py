"""The command line: thin verbs over the library.

A verb does its work and returns; it raises `ValueError` for bad input (exit code 2),
`Contradiction` where nothing fits (3) and `BudgetExceeded` where a question is too wide (4).
`main` turns these into one sentence on standard error.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from mineproof import __version__, formats, render
from mineproof.arguments import choice, counted, sentence, whole
from mineproof.counting import decimal_digits
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference import Posterior, infer
from mineproof.model import Channel
from mineproof.observation import Observation

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


@app.command()
def solve(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A position as text; - is standard input.")
    ],
    mines: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="All mines of the board, exploded ones included. Default: the file's header "
            "line; without either, the density is unknown.",
        ),
    ] = None,
    channel: Annotated[
        str,
        typer.Option(
            metavar="exact|lost:P|optimistic|cautious",
            help="How clues came about: lost:P drops a clue with probability P.",
        ),
    ] = "exact",
    flags: Annotated[
        str, typer.Option(metavar="ignore|trust", help="What flags mean: nothing, or mines.")
    ] = "ignore",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the risks of a position and its best cell.

    The position is a line of text per row: . closed, 0-8 open with that clue, ? open without a
    clue, F flag, s known safe, * exploded mine. A first line COLSxROWSxMINES may tell the size
    and the mines. Exit codes: 2 bad input, 3 no layout fits, 4 too wide to answer.
    """
    total = None if mines is None else _whole("--mines", mines)
    choice("--flags", flags, ("ignore", "trust"))
    observation = _read_observation(file, total, Channel.parse(channel))
    posterior = infer(observation, flags="trust" if flags == "trust" else "ignore")
    if as_json:
        print(json.dumps(_solution(observation, posterior), allow_nan=False))
    else:
        _show(observation, posterior)


def _whole(option: str, text: str) -> int:
    try:
        return whole(option, int(text))
    except ValueError:
        raise ValueError(sentence(option, text, "a whole number from 0")) from None


def _read_observation(file: str, mines: int | None, channel: Channel) -> Observation:
    """Read a position from a file or standard input; errors name the source."""
    source = "standard input" if file == "-" else file
    if not source.isprintable() or not source:
        source = ascii(source)
    try:
        text = formats.decode(_read_bytes(file))
        return formats.read_observation(text, mines=mines, channel=channel)
    except OSError as error:
        raise ValueError(f"{source}: {(error.strerror or 'unreadable').lower()}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _read_bytes(file: str) -> bytes:
    """Read no more than shows that the input is too large."""
    if file != "-":
        with open(file, "rb") as stream:
            return stream.read(formats.MAX_BYTES + 1)
    if sys.stdin is None:
        raise ValueError("closed")
    return sys.stdin.buffer.read(formats.MAX_BYTES + 1)


def _solution(observation: Observation, posterior: Posterior) -> dict[str, Any]:
    """Gather what `solve --json` prints."""
    error = posterior.standard_error
    best = posterior.best
    return {
        "rows": observation.rows,
        "cols": observation.cols,
        "mines": observation.mines,
        "exact": posterior.exact,
        "layouts": decimal_digits(posterior.layouts) if posterior.exact else None,
        "standard_error": None if error is None else _numbers(error),
        "log10_layouts": None if math.isnan(posterior.log10_layouts) else posterior.log10_layouts,
        "risk": _numbers(posterior.risk),
        "safe": [list(cell) for cell in posterior.safe],
        "mined": [list(cell) for cell in posterior.mined],
        "expected_mines": posterior.expected_mines,
        "best": None if best is None else {"cell": list(best.cell), "risk": best.risk},
    }


def _numbers(grid: NDArray[np.float64]) -> list[list[float | None]]:
    """Rows of numbers, None where there is none."""
    return [[None if math.isnan(value) else value for value in row] for row in grid.tolist()]


def _show(observation: Observation, posterior: Posterior) -> None:
    """Draw the board with its risks, then say in words what matters most."""
    console = Console(highlight=False, soft_wrap=True)
    width = console.width if console.is_terminal else None
    console.print(render.text(observation, posterior, width=width))
    console.print()
    for line in _sentences(observation, posterior):
        console.print(line, markup=False)


def _sentences(observation: Observation, posterior: Posterior) -> Iterator[str]:
    if posterior.standard_error is not None:
        worst = np.nanmax(posterior.standard_error)
        yield f"Estimated, not exact: the standard error of a risk is at most {worst:.2g}."
    told = "" if observation.mines is None else f" of {counted(observation.mines, 'mine')}"
    if not posterior.exact:
        if not math.isnan(posterior.log10_layouts):
            yield f"About 10^{posterior.log10_layouts:.1f} layouts{told} fit."
    elif posterior.log10_layouts < 15:
        yield f"{counted(posterior.layouts, 'layout')}{told} fit{'s' * (posterior.layouts == 1)}."
    else:
        yield f"Some 10^{posterior.log10_layouts:.2f} layouts{told} fit (--json has the number)."
    if observation.mines is None:
        yield f"Expected mines: {posterior.expected_mines:.2f}."
    yield f"Certain: {len(posterior.safe)} safe, {len(posterior.mined)} mined."
    best = posterior.best
    if best is None:
        yield "No closed cell is left."
        return
    row, col = best.cell
    if best.cell in posterior.safe:
        chance = "certainly safe"
    elif best.cell in posterior.mined:
        chance = "certainly a mine, like every closed cell"
    else:
        chance = f"risk {render.percent(best.risk, digits=2)}"
    yield f"Best: row {row}, column {col}, {chance}."


def _fail(sentence: str, code: int) -> int:
    print(f"mineproof: {sentence}", file=sys.stderr)
    return code
