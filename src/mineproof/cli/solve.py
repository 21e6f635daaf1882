"""`mineproof solve`: the risks of a position and its best cell."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, Literal

import click
import numpy as np

from mineproof.arguments import counted, percent
from mineproof.cli import options
from mineproof.cli.output import html_page, plain_console, print_wrapped
from mineproof.cli.positions import position_options
from mineproof.draw import board_svg, board_text
from mineproof.inference import Posterior, infer
from mineproof.inference.words import flag_sentences
from mineproof.position import Observation
from mineproof.search import advise as give_advice
from mineproof.writing import write_whole

_SAMPLES: Final = 200
"""Boards that are drawn to estimate chances to win."""


@click.command()
@position_options
@options.svg
@options.html
@click.option(
    "--advise",
    is_flag=True,
    help="Also say where to guess: chances to win and to make progress, dead cells, 50/50s.",
)
@options.as_json
def solve(
    observation: Observation,
    flags: Literal["ignore", "trust"],
    svg: Path | None,
    html: Path | None,
    advise: bool,
    as_json: bool,
) -> None:
    """Show the risks of a position and its best cell.

    FILE has one line of text per row, or is - for standard input. Symbols: . closed, 0-8 open with
    this clue, ? open without a clue, ~ open with its clue still to come, F flag, s known to be
    safe, * exploded mine. The first line may give the size and the mines as COLSxROWSxMINES. FILE
    may also be a game that `mineproof watch --save` wrote, and hold several, with empty lines
    between them. Boards, positions and replays of other programs are read as well: `mineproof
    convert --help` lists their formats.

    Exit codes: 2 bad input, 3 no layout fits, 4 too wide to answer.
    """
    posterior = infer(observation, flags=flags)
    if svg is not None:
        write_whole(svg, board_svg(observation, posterior) + "\n")
    if html is not None:
        write_whole(html, _page(observation, posterior))
    advice = give_advice(posterior, samples=_SAMPLES) if advise else None
    if as_json:
        extra = {} if advice is None else {"advice": advice.to_dict()}
        print(json.dumps({**posterior.to_dict(), **extra}, allow_nan=False))
        return
    console, width = plain_console()
    console.print(board_text(observation, posterior, width=width))
    console.print()
    print_wrapped(*_sentences(observation, posterior))
    if advice is not None:
        print_wrapped("", *str(advice).splitlines(), hanging="  ")


def _page(observation: Observation, posterior: Posterior) -> str:
    """Return a page with the picture and the sentences."""
    paragraphs = "\n".join(f"<p>{escape(line)}</p>" for line in _sentences(observation, posterior))
    title = f"Minesweeper position, {observation.rows} x {observation.cols}"
    return html_page(title, f"{board_svg(observation, posterior)}\n{paragraphs}")


def _sentences(observation: Observation, posterior: Posterior) -> Iterator[str]:
    if posterior.standard_error is not None:
        worst = np.nanmax(posterior.standard_error)
        yield f"Estimated, not exact: the standard error of a risk is at most {worst:.2g}."
    total = "" if observation.mines is None else f" of {counted(observation.mines, 'mine')}"
    if not posterior.exact:
        if not math.isnan(posterior.log10_layouts):
            yield f"About 10^{posterior.log10_layouts:.1f} layouts{total} fit."
    elif posterior.log10_layouts < 15:
        yield f"{counted(posterior.layouts, 'layout')}{total} fit{'s' * (posterior.layouts == 1)}."
    else:
        yield f"Some 10^{posterior.log10_layouts:.2f} layouts{total} fit (--json has the number)."
    if observation.mines is None:
        yield f"Expected mines: {posterior.expected_mines:.2f}."
    yield f"Certain: {len(posterior.safe)} safe, {len(posterior.mined)} mined."
    yield from flag_sentences(posterior.trusted, posterior.wrong_flags)
    best = posterior.best
    if best is None:
        yield "No closed cell is left."
        return
    if best.cell in posterior.safe:
        chance = "certainly safe"
    elif best.cell in posterior.mined:
        chance = "certainly a mine, like every closed cell"
    else:
        chance = f"risk {percent(best.risk, digits=2)}"
    yield f"Best: {best.cell}, {chance}."
