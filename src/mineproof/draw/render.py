"""Pictures of an observation, its risks and proofs: text with colour, and SVG.

Both say the same: what is open, the risk of every closed cell, which cells are certain, and the
best cell. Certain cells are told from likely ones by more than colour, and a risk is shown as 0%
or 100% only where it is certain. As text, an agent's beliefs can take the place of risks, and
cells can be marked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from mineproof.draw.looks import WINDOW, Looks, window
from mineproof.draw.symbols import letter, style, word
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

if TYPE_CHECKING:
    from mineproof.inference.posterior import Posterior

__all__ = ["beliefs_text", "board_text"]


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
        The columns and lines of the terminal that may be used, None where it is none. A board too
        wide for numbers is drawn with a letter for each tenth of risk; one too large even for
        that, or of more than 100 rows or columns, is cut to the part around the first marked cell
        or the best one.
    marked
        Cells to put in brackets.

    Examples
    --------
    >>> from mineproof.position.observation import Observation
    >>> print(board_text(Observation.from_text("1.1\n111"), marked=[(0, 2), (1, 0), (1, 1)]).plain)
        0 1 2
     0  1 .[1]
     1 [1|1]1
    """
    return _draw(Looks.risks(observation, posterior), width, height, marked)


def beliefs_text(
    observation: Observation,
    numbers: Mapping[Cell, float],
    *,
    width: int | None = None,
    height: int | None = None,
    marked: Collection[Cell] = (),
) -> Text:
    r"""Draw the numbers that an agent has in mind on the closed cells, coloured by value.

    Takes what `board_text` takes, with any numbers in place of risks.

    Examples
    --------
    >>> from mineproof.position.observation import Observation
    >>> seen = Observation.from_text("..1")
    >>> print(beliefs_text(seen, {(0, 0): 0.25, (0, 1): 1.5}, marked=[(0, 0)]).plain)
           0    1    2
     0 [0.25]1.50    1
    """
    return _draw(Looks.beliefs(observation, numbers), width, height, marked)


def _draw(looks: Looks, width: int | None, height: int | None, marked: Collection[Cell]) -> Text:
    observation, best = looks.observation, looks.best
    numbered = looks.number is not None
    margin = len(str(observation.rows - 1)) + 2
    room = WINDOW * 5 if width is None else max(width - margin - bool(marked), 2)
    flagged = numbered and bool((observation.cells == CellCode.FLAGGED).any())
    wordy = numbered and min(observation.cols, WINDOW) * (5 + flagged) <= room
    # A flag leaves no room for its number where the board would be cut otherwise.
    beside = flagged and (wordy or not observation.cols * 2 <= room < observation.cols * 3)
    pitch, symbol = (5 + beside, word) if wordy else (2 + beside, letter)
    legend = [
        *(looks.legend if not wordy else ()),
        *(["F flag"] if flagged else []),
        *(["best underlined"] if best is not None and width is not None else []),
    ]
    notes = list(_lines(legend, width or WINDOW))
    centre = next(iter(marked), best or (0, 0))
    cols = window(observation.cols, min(WINDOW, room // pitch), centre[1])
    most = WINDOW if height is None else min(WINDOW, height - 1 - len(notes))
    rows = window(observation.rows, most, centre[0])
    cut = _cut(observation, rows, cols, width)
    if cut and most < WINDOW:
        rows = window(observation.rows, most - len(cut), centre[0])
        cut = _cut(observation, rows, cols, width)

    out = Text(no_wrap=True)
    out.append(" " * margin + "".join(_column_labels(cols, pitch)).rstrip() + "\n", "dim")
    brackets = frozenset(marked)
    for row in rows:
        out.append(f"{row:>{margin - 1}} ", "dim")
        closing = ""
        for col in cols:
            look = looks[row, col]
            flagged_here = look.code == CellCode.FLAGGED
            flag = "F" * (flagged_here and beside and look.risk is not None)
            field = "F" if flagged_here and not beside else symbol(look)
            opening = "[" * ((row, col) in brackets)
            underline = " underline" * ((row, col) == best)
            out.append(_gap(closing, opening, pitch - len(flag + field)), "bold")
            out.append(flag, "bold red")
            out.append(field, style(look) + underline)
            closing = "]" * bool(opening)
        out.append(closing + "\n", "bold")
    out.append("".join([*cut, *notes]), "dim")
    out.right_crop(1)
    return out


def _gap(closing: str, opening: str, length: int) -> str:
    """Fill the gap between two cells; where it is too short for two brackets, they share one."""
    if closing and opening and length == 1:
        return "|"
    return closing + " " * (length - len(closing + opening)) + opening


def _cut(observation: Observation, rows: range, cols: range, width: int | None) -> list[str]:
    """Say which part of the board is drawn, unless it is all of it."""
    if len(rows) == observation.rows and len(cols) == observation.cols:
        return []
    part = [
        f"rows {rows[0]}-{rows[-1]} of {observation.rows}",
        f"columns {cols[0]}-{cols[-1]} of {observation.cols}",
    ]
    return list(_lines(part, width or WINDOW))


def _lines(notes: list[str], width: int) -> Iterator[str]:
    """Put notes side by side, as many on a line as the width allows."""
    line = ""
    for note in notes:
        if line and len(line) + 2 + len(note) > width:
            yield line + "\n"
            line = ""
        line += "  " * bool(line) + note
    if line:
        yield line + "\n"


def _column_labels(cols: range, pitch: int) -> Iterator[str]:
    """Number every column where there is room, else every fifth."""
    gap = 1 if len(str(cols[-1])) < pitch else 5
    line = ""
    for place, col in enumerate(cols):
        if col % gap == 0 and len(line) < (place + 1) * pitch - len(str(col)) + 1:
            label = str(col).rjust((place + 1) * pitch - len(line))
            line += label
            yield label
