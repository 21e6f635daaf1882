"""A board that points at clues and cells, as a part of an SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mineproof.draw.looks import Look
from mineproof.draw.picture import SIDE, mine_sign, safe_sign, tile, word
from mineproof.draw.proof_pictures.panels import Mark, Panel
from mineproof.position.observation import CellCode, is_closed
from mineproof.position.topology import Cell

__all__ = ["CASE", "HATCHING", "INK", "MUTED", "Board", "Boards", "Legend", "moved"]

INK: Final = "#20242b"
MUTED: Final = "#626b79"
CASE: Final = "#a34700"
_CLUE: Final = "#1f5fd0"
_GOAL: Final = "#c2187a"

HATCHING: Final = (
    '<pattern id="case" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#fdeed6"/>'
    '<rect width="2" height="6" fill="#f3c98b"/></pattern>'
)
"""What holds only in a case is drawn on this; a picture must hold it once."""

_EDGE: Final = 20
_GAP: Final = 24
_TITLE: Final = 26
_WIDEST: Final = 1080


def moved(x: float, y: float) -> str:
    """Begin a group that is moved; it must be ended."""
    return f'<g transform="translate({x:g} {y:g})">'


@dataclass(frozen=True, slots=True)
class Board:
    """One panel as a board.

    Parameters
    ----------
    look
        What is to be seen of a cell that the panel does not speak of.
    panel
        What to point at.
    rows, cols
        The part to draw.
    goal
        The cell that all is about, if it is one.
    """

    look: Callable[[Cell], Look]
    panel: Panel
    rows: range
    cols: range
    goal: Cell | None = None

    @property
    def width(self) -> int:
        """With the numbers of its rows."""
        return _EDGE + len(self.cols) * SIDE

    @property
    def height(self) -> int:
        """With the numbers of its columns."""
        return _EDGE + len(self.rows) * SIDE

    def parts(self) -> Iterator[str]:
        """Draw it, its corner at the origin."""
        across = list(zip(self.cols, range(_EDGE, self.width, SIDE), strict=True))
        down = list(zip(self.rows, range(_EDGE, self.height, SIDE), strict=True))
        yield '<g font-size="11" fill="#8a92a0" text-anchor="middle">'
        yield from (word(x + SIDE / 2, 12, str(col)) for col, x in across)
        yield from (word(8, y + 21, str(row)) for row, y in down)
        # Frames and numbers reach over the edges of their tiles, so they are drawn last.
        for draw in (self._tile, self._signs):
            for row, y in down:
                for col, x in across:
                    drawn = [*draw((row, col))]
                    if drawn:
                        yield from (moved(x, y), *drawn, "</g>")
        yield "</g>"

    def _tile(self, cell: Cell) -> Iterator[str]:
        look, mark = self.look(cell), self.panel.marks.get(cell)
        if mark is None:
            clues = self.panel.clues
            beside = clues and not is_closed(look.code) and cell not in clues
            yield '<g opacity=".35">' if beside else "<g>"
            yield from tile(look)
            yield "</g>"
        elif mark.in_case:
            yield from _hatched(mark)
        else:
            yield from tile(Look(look.code, float(mark.mine), certain=True))

    def _signs(self, cell: Cell) -> Iterator[str]:
        mark, numbers = self.panel.marks.get(cell), self.panel.clues.get(cell)
        if cell == self.goal:
            yield _GOAL_FRAME
        if cell in self.panel.broken:
            yield _BROKEN
        elif numbers is not None:
            yield _framed(_CLUE)
        if numbers:
            yield _badge(", ".join(map(str, numbers)), CASE if cell in self.panel.broken else _CLUE)
        elif mark is not None and mark.step is not None:
            yield _badge(str(mark.step), CASE if mark.in_case else INK)


def _hatched(mark: Mark) -> Iterator[str]:
    yield _HATCHED
    yield mine_sign(INK) if mark.mine else safe_sign("#14692f")


def _framed(colour: str, width: float = 3, over: float = 0) -> str:
    side = SIDE - 2 + 2 * over
    return (
        f'<rect x="{1 - over:g}" y="{1 - over:g}" width="{side:g}" height="{side:g}" rx="5" '
        f'fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def _badge(number: str, colour: str) -> str:
    """Put the number of a step on the upper right corner of a tile."""
    width = max(14, 5.5 * len(number) + 7)
    left = SIDE + 1 - width
    return (
        f'<rect x="{left:g}" y="-4" width="{width:g}" height="14" rx="7" fill="{colour}" '
        'stroke="white"/>'
        + word(left + width / 2, 6.5, number, 'font-size="10" font-weight="bold" fill="white"')
    )


_HATCHED: Final = (
    f'<rect x="1" y="1" width="{SIDE - 2}" height="{SIDE - 2}" rx="5" fill="url(#case)"/>'
)
# Twice, so that it differs from the frame of a clue by more than its colour.
_GOAL_FRAME: Final = _framed("white", 5) + _framed(_GOAL, 3.5, over=1.5)
_CROSS: Final = (
    f'<circle r="8" fill="{CASE}" stroke="white"/>'
    '<path d="M-3 -3L3 3M3 -3L-3 3" stroke="white" stroke-width="2"/>'
)
_BROKEN: Final = f"{_framed(CASE, 3.5)}{moved(5, SIDE - 5)}{_CROSS}</g>"


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards of one size, as many side by side as there is room for.

    Parameters
    ----------
    boards
        At least one; where there are more, their titles stand above them.
    """

    boards: Sequence[Board]

    @property
    def width(self) -> int:
        """Of all that stand side by side."""
        return self._across * self._pitch[0] - _GAP

    @property
    def height(self) -> int:
        """Of all rows, with a gap below."""
        return -(-len(self.boards) // self._across) * self._pitch[1]

    @property
    def _title(self) -> int:
        return _TITLE if len(self.boards) > 1 else 0

    @property
    def _pitch(self) -> tuple[int, int]:
        board = self.boards[0]
        titles = [7 * len(board.panel.title) for board in self.boards if self._title]
        return max(board.width, *titles, 0) + _GAP, board.height + self._title + 8

    @property
    def _across(self) -> int:
        return max(1, min(len(self.boards), (_WIDEST + _GAP) // self._pitch[0]))

    def parts(self) -> Iterator[str]:
        """Draw them, their corner at the origin."""
        for place, board in enumerate(self.boards):
            down, across = divmod(place, self._across)
            yield moved(across * self._pitch[0], down * self._pitch[1])
            if self._title:
                colour = CASE if board.panel.broken else INK
                paint = f'font-size="13" font-weight="bold" fill="{colour}"'
                yield word(0, 12, board.panel.title, paint)
            yield moved(0, self._title)
            yield from board.parts()
            yield "</g></g>"


@dataclass(frozen=True, slots=True)
class Legend:
    """Explains what is to be seen on some boards, and no more.

    Parameters
    ----------
    boards
        The boards.
    width
        The room that there is.
    clue
        What a framed clue is.
    notes
        More to be said.
    """

    boards: Sequence[Board]
    width: int
    clue: str = "a clue it rests on"
    notes: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Of its lines, with a gap below."""
        return max((y for _, _, y, _ in self._placed()), default=-24) + 38

    def parts(self) -> Iterator[str]:
        """Draw it, its corner at the origin."""
        for sign, x, y, meaning in self._placed():
            if sign:
                yield f'<g transform="translate({x:g} {y + 6}) scale(.5)">{sign}</g>'
            yield word(x + 23 * bool(sign), y + 18, meaning, f'font-size="12" fill="{MUTED}"')

    def _placed(self) -> Iterator[tuple[str, float, int, str]]:
        x, y = 0.0, 0
        for sign, meaning in self._items():
            length = 23 * bool(sign) + sum(3.4 if c in " .,:filt" else 6.5 for c in meaning)
            if x and x + length > self.width:
                x, y = 0.0, y + 20
            yield sign, x, y, meaning
            x += length + 16

    def _items(self) -> Iterator[tuple[str, str]]:
        panels = [board.panel for board in self.boards]
        marks = [mark for panel in panels for mark in panel.marks.values()]
        if any(board.goal for board in self.boards):
            yield _GOAL_FRAME, "the cell"
        if any(panel.clues for panel in panels):
            yield _framed(_CLUE, 5), self.clue
        for mine, name in ((False, "safe"), (True, "mine")):
            if any(mark.mine is mine for mark in marks):
                yield "".join(tile(Look(CellCode.CLOSED, float(mine), certain=True))), name
        if any(mark.in_case for mark in marks):
            yield _HATCHED, "only in this case"
        if any(panel.broken for panel in panels):
            several = any(len(panel.broken) > 1 for panel in panels)
            yield (
                f'<g transform="translate(17 17) scale(2)">{_CROSS}</g>',
                f"cannot {'all ' * several}be met",
            )
        yield from (("", note) for note in self.notes)
