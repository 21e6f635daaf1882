"""Boards with risks, with an agent's beliefs or with their mines, as text and as SVG."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from rich.text import Text

from mineproof.draw import svg
from mineproof.draw.looks import Look, Looks
from mineproof.draw.palette import FLAG, HEAT
from mineproof.draw.terminal import SYMBOLS, WINDOW, Bracket, board_grid, fitting, window
from mineproof.inference import Posterior
from mineproof.position import CellCode, Observation
from mineproof.position.topology import Cell

_MARKED: Final = Bracket("[", "]")
_FLAG: Final = SYMBOLS[CellCode.FLAGGED][0]
_LEAST: Final = 180
"""The least width of an SVG legend."""


def board_text(
    observation: Observation,
    posterior: Posterior | None = None,
    *,
    width: int | None = None,
    height: int | None = None,
    marked: Collection[Cell] = (),
) -> Text:
    r"""Draw an observation for the terminal, with rows and columns numbered from 0.

    Parameters
    ----------
    observation
        What a player sees.
    posterior
        Its risks; without them closed cells are drawn plain.
    width, height
        The columns and lines of the terminal, None if there is none. A board too wide for
        percentages is drawn with two digits per risk, a wider one with a letter per tenth of
        risk. One too large even for that, or of more than 100 rows or columns, is cut to the part
        around the first marked cell or the best one.
    marked
        Cells to put in brackets.

    Examples
    --------
    >>> from mineproof import Observation
    >>> print(board_text(Observation.from_text("1.1\n111"), marked=[(0, 2), (1, 0), (1, 1)]).plain)
        0 1 2
     0  1 .[1]
     1 [1|1]1
    """
    return looks_text(Looks.risks(observation, posterior), width, height, marked)


def beliefs_text(
    observation: Observation,
    numbers: Mapping[Cell, float],
    *,
    width: int | None = None,
    height: int | None = None,
    marked: Collection[Cell] = (),
) -> Text:
    r"""Draw any numbers that an agent believes in, in place of the risks of `board_text`.

    Examples
    --------
    >>> from mineproof import Observation
    >>> seen = Observation.from_text("..1")
    >>> print(beliefs_text(seen, {(0, 0): 0.25, (0, 1): 1.5}, marked=[(0, 0)]).plain)
           0    1    2
     0 [0.25]1.50    1
    """
    return looks_text(Looks.beliefs(observation, numbers), width, height, marked)


def looks_text(
    looks: Looks, width: int | None = None, height: int | None = None, marked: Collection[Cell] = ()
) -> Text:
    """Draw a board for the terminal in the widest form that fits."""
    seen, best, in_brackets = looks.observation, looks.best, frozenset(marked)
    flagged = looks.number is not None and bool((seen.cells == CellCode.FLAGGED).any())
    # A flag stands before its number, or in its place if both do not fit.
    plans = [(size, flags) for size in looks.sizes for flags in (1, 0) if flagged or not flags]
    across = min(seen.cols, WINDOW)
    fits = (plan for plan in plans if fitting(width, seen.topology, sum(plan) + 1) >= across)
    size, beside = next(fits, plans[-1])

    def field(cell: Cell) -> Text:
        look, underline = looks[cell], " underline" * (cell == best)
        flag = look.code == CellCode.FLAGGED
        written = _FLAG if flag and not beside else look.text(size)
        before = _FLAG * (flag and beside and look.risk is not None)
        return Text.assemble((before, f"bold {FLAG}"), (written, look.style + underline))

    explained = [*looks.sizes[size], *[f"{_FLAG} flag"] * flagged]
    explained += ["best underlined"] * (best is not None and width is not None)
    return board_grid(
        seen.topology,
        size + 1 + beside,
        field,
        brackets=lambda cell: _MARKED if cell in in_brackets else None,
        legend=explained,
        centre=next(iter(marked), best or (0, 0)),
        width=width,
        height=height,
    )


def board_svg(
    observation: Observation,
    posterior: Posterior | None = None,
    *,
    marked: Collection[Cell] = (),
    most: int = WINDOW,
    legend: bool = True,
) -> str:
    """Draw an observation as a self-contained SVG picture.

    Parameters
    ----------
    observation
        What a player sees.
    posterior
        Its risks; without them closed cells are drawn plain.
    marked
        Cells to put a dashed frame around.
    most
        The most rows and columns to draw: a larger board is cut to the part around the first
        marked cell, and the best one if both fit.
    legend
        Whether to explain the colours of risks.
    """
    return looks_svg(Looks.risks(observation, posterior), marked, most, legend=legend)


def looks_svg(
    looks: Looks, marked: Collection[Cell] = (), most: int = WINDOW, *, legend: bool = True
) -> str:
    """Draw a board as an SVG picture, with a legend if it shows risks."""
    best, seen = looks.best, looks.observation
    tiles = svg.Tiles(seen.topology)
    pointed_at = [*marked, *([] if best is None else [best])]
    rows = window(seen.rows, most, _centre([row for row, _ in pointed_at], most))
    cols = window(seen.cols, most, _centre([col for _, col in pointed_at], most))

    def frames(cell: Cell) -> str:
        return tiles.best * (cell == best) + tiles.marked * (cell in marked)

    board = tiles.board(rows, cols, lambda cell: tiles.tile(looks[cell]), frames)
    explained = _risk_legend(tiles) if legend and best is not None else []
    below = svg.flow(explained, max(board.width, _LEAST), align=0.5)
    return svg.picture(svg.stack([board, below], gap=12, align=0.5), margin=12)


def _centre(places: Sequence[int], most: int) -> int:
    """Return the middle between the first place and the last, or the first if they are too far."""
    if not places:
        return 0
    first, last = places[0], places[-1]
    return (first + last + 1) // 2 if abs(first - last) < most else first


def _risk_legend(tiles: svg.Tiles) -> list[svg.Block]:
    """Explain certain cells, the colours of the risks between them, flags and the best cell."""
    return [
        svg.sign(tiles.safe_tile, "safe"),
        svg.scale("heat", HEAT, "> 0%", "< 100%"),
        svg.sign(tiles.mine_tile, "mine"),
        svg.sign(tiles.tile(Look(CellCode.FLAGGED)), "flag"),
        svg.sign(tiles.tile(Look(CellCode.CLOSED)) + tiles.best, "best"),
    ]
