"""`mineproof solve`: the risks of a position and its best cell."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from mineproof.arguments import counted, percent
from mineproof.cli.options import ChannelOption, JsonOption
from mineproof.cli.position import (
    FlagsOption,
    PositionArgument,
    TotalOption,
    read_flags,
    read_position,
)
from mineproof.draw import board_text
from mineproof.inference.counting import decimal_digits
from mineproof.inference.posterior import Posterior, infer
from mineproof.position.observation import Observation

__all__ = ["solve"]


def solve(
    file: PositionArgument,
    mines: TotalOption = None,
    channel: ChannelOption = "exact",
    flags: FlagsOption = "ignore",
    as_json: JsonOption = False,
) -> None:
    """Show the risks of a position and its best cell.

    The position is a line of text per row: . closed, 0-8 open with that clue, ? open without a
    clue, F flag, s known safe, * exploded mine. A first line COLSxROWSxMINES may tell the size
    and the mines. Exit codes: 2 bad input, 3 no layout fits, 4 too wide to answer.
    """
    meaning = read_flags(flags)
    observation = read_position(file, mines=mines, channel=channel)
    posterior = infer(observation, flags=meaning)
    if as_json:
        print(json.dumps(_solution(observation, posterior), allow_nan=False))
    else:
        _show(observation, posterior)


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
    console.print(board_text(observation, posterior, width=width))
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
        chance = f"risk {percent(best.risk, digits=2)}"
    yield f"Best: row {row}, column {col}, {chance}."
