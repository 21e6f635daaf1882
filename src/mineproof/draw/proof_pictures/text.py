"""Pictures of proofs for the terminal: boards with signs around cells, and the argument."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text

from mineproof.draw.looks import Look, Looks
from mineproof.draw.proof_pictures.panels import Panel, basis, panels, region
from mineproof.draw.symbols import letter, style, word
from mineproof.position.observation import Observation, is_open
from mineproof.position.topology import Cell

if TYPE_CHECKING:
    from mineproof.inference.posterior import Posterior
    from mineproof.proofs import Doubt, Proof

__all__ = ["doubt_text", "proof_text", "side_by_side"]

_USUAL: Final = 100
"""The columns that are used where there is no terminal."""
_GAP: Final = 3
"""Columns between things side by side."""
_MOST_BOARDS: Final = 4


class _Sign(NamedTuple):
    """What stands around a cell, in a colour that shows on light and on dark."""

    opening: str
    closing: str
    style: str
    meaning: str


_GOAL: Final = _Sign("[", "]", "bold #e0399a", "the cell")
_CLUE: Final = _Sign("(", ")", "bold #0087ff", "a clue it rests on")
_PRESSING: Final = _CLUE._replace(meaning="a clue that presses on it")
_BROKEN: Final = _Sign("!", "!", "bold #d9730d", "cannot be met")
_IN_CASE: Final = "bold #20242b on #f3c98b"


def proof_text(observation: Observation, proof: Proof, *, width: int | None = None) -> Text:
    r"""Draw a proof for the terminal: a board of every case, one of what follows, the argument.

    Parameters
    ----------
    observation
        What was seen when the proof was made.
    proof
        Why a cell is certain.
    width
        The columns of the terminal; None where it is none.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> seen = Observation.from_text("..1\n1.1\n111")
    >>> print(proof_text(seen, explain(seen, (0, 0))).plain)
    (0, 0) is safe, by counting.
    It follows from 2 clues, and from no fewer.
    <BLANKLINE>
       0  1  2
    0 [+] .  1
    1 (1) #  1
    2 (1) 1  1
    <BLANKLINE>
    [] the cell  () a clue it rests on  + safe  # mine
    <BLANKLINE>
    1  The 1 at (2, 0) touches only 1 closed cell: (1, 1) is a mine.
    2  The 1 at (1, 0) has its mine, (1, 1): (0, 0) is safe.
    """
    room = width or _USUAL
    shown = panels(proof)
    shown = [*shown[: _MOST_BOARDS - 1], shown[-1]] if len(shown) > _MOST_BOARDS else shown
    pointed_at = {proof.cell}.union(*(panel.cells for panel in shown))
    most = max((room - 5) // 3, 1)
    rows, cols = region(observation, pointed_at, centre=proof.cell, most=most)
    looks = Looks(observation)
    boards = [_Board(looks.__getitem__, panel, rows, cols, proof.cell) for panel in shown]
    drawn = [board.text(titled=len(boards) > 1) for board in boards]
    claim = str(proof).partition("\n")[0].removesuffix(":")
    rests = [Text(line) for line in _wrapped(basis(observation, proof), width, 0) if line]
    heading = Text("\n").join([Text(f"{claim}.", "bold"), *rests])
    parts = [heading, *_rows(drawn, room), _legend(boards, room), _argument(proof, width)]
    return Text("\n\n", no_wrap=True).join(parts)


def doubt_text(posterior: Posterior, doubt: Doubt, *, width: int | None = None) -> Text:
    r"""Draw a cell that is not certain, with the risks around it and the clues that press on it.

    Parameters
    ----------
    posterior
        What follows from what was seen.
    doubt
        What is to be said of the cell.
    width
        The columns of the terminal; None where it is none.

    Examples
    --------
    >>> from mineproof import Observation, explain, infer
    >>> seen = Observation.from_text("..1\n...")
    >>> print(doubt_text(infer(seen), explain(seen, (0, 0))).plain)
          0     1
    0  [33%]  33%
    1   33%   33%
    <BLANKLINE>
    [] the cell
    <BLANKLINE>
    (0, 0) is not certain: its risk is 33.3%.
    No cell is certainly safe, and none has a lower risk.
    """
    seen = posterior.observation
    clues = {pressure.clue: [rank] for rank, pressure in enumerate(doubt.pressing, start=1)}
    room = width or _USUAL
    most = max((room - 5) // 6, 1)
    rows, cols = region(seen, {doubt.cell, *clues}, centre=doubt.cell, most=most)
    look = Looks.risks(seen, posterior).__getitem__
    board = _Board(look, Panel("", clues=clues), rows, cols, doubt.cell, _PRESSING, wordy=True)
    lines = [line for said in str(doubt).splitlines() for line in _wrapped(said, width, 0)]
    return Text("\n\n", no_wrap=True).join([board.text(), _legend([board], room), _joined(lines)])


@dataclass(frozen=True, slots=True)
class _Board:
    look: Callable[[Cell], Look]
    panel: Panel
    rows: range
    cols: range
    goal: Cell
    clue: _Sign = _CLUE
    wordy: bool = False

    def text(self, *, titled: bool = False) -> Text:
        pitch = 6 if self.wordy else 3
        margin = len(str(self.rows[-1])) + 1
        out = Text(no_wrap=True)
        if titled:
            out.append(f"{self.panel.title}\n", "bold")
        labels = "".join(f"{col:>{pitch - 1}} " for col in self.cols)
        out.append(f"{' ' * margin}{labels.rstrip()}", "dim")
        for row in self.rows:
            out.append(f"\n{row:>{margin - 1}} ", "dim")
            for col in self.cols:
                out.append_text(self._cell((row, col), pitch))
            out.rstrip()
        return out

    def _cell(self, cell: Cell, pitch: int) -> Text:
        sign, look = self.sign(cell), self._look(cell)
        field = word(look) if self.wordy else letter(look)
        out = Text(" " * (pitch - 2 - len(field)))
        out.append(sign.opening if sign else " ", sign.style if sign else "")
        out.append(field, self._style(cell, look))
        out.append(sign.closing if sign else " ", sign.style if sign else "")
        return out

    def _look(self, cell: Cell) -> Look:
        look, mark = self.look(cell), self.panel.marks.get(cell)
        return look if mark is None else Look(look.code, float(mark.mine), certain=True)

    def _style(self, cell: Cell, look: Look) -> str:
        mark = self.panel.marks.get(cell)
        if mark is not None and mark.in_case:
            return _IN_CASE
        beside = is_open(look.code) and cell not in self.panel.clues
        return "dim" if beside else style(look)

    def sign(self, cell: Cell) -> _Sign | None:
        """Return what stands around a cell."""
        if cell == self.goal:
            return _GOAL
        if cell in self.panel.broken:
            return _BROKEN
        return self.clue if cell in self.panel.clues else None


def _legend(boards: Sequence[_Board], width: int) -> Text:
    """Explain what is to be seen."""
    signs = {board.sign(cell) for board in boards for cell in (board.goal, *board.panel.cells)}
    told = [
        f"{sign.opening}{sign.closing} {sign.meaning}"
        for sign in (_GOAL, _CLUE, _PRESSING, _BROKEN)
        if sign in signs
    ]
    marks = [mark for board in boards for mark in board.panel.marks.values()]
    told += ["+ safe"] * any(not mark.mine for mark in marks)
    told += ["# mine"] * any(mark.mine for mark in marks)
    whole = "  ".join(note.replace(" ", "\N{NO-BREAK SPACE}") for note in told)
    return Text("\n".join(wrap(whole, width)).replace("\N{NO-BREAK SPACE}", " "), "dim")


def _argument(proof: Proof, width: int | None) -> Text:
    digits = len(str(len(proof.steps)))
    out = Text(no_wrap=True)
    for number, step in enumerate(proof.steps, start=1):
        indent = digits + 2 + 2 * len(step.assumed)
        for place, line in enumerate(_wrapped(step.text, width, indent)):
            out.append("" if place else f"{number:>{digits}}", "dim")
            out.append(" " * (indent if place else indent - digits) + line + "\n")
    out.right_crop(1)
    return out


def _wrapped(said: str, width: int | None, indent: int) -> list[str]:
    """Break a sentence into lines, but no cell in two."""
    whole = re.sub(r"(\(\d+,) ", "\\1\N{NO-BREAK SPACE}", said)
    lines = [whole] if width is None else wrap(whole, max(width - indent, 20))
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _joined(lines: Iterable[str]) -> Text:
    return Text("\n".join(lines), no_wrap=True)


def _rows(boards: Sequence[Text], width: int) -> Iterator[Text]:
    """Put boards side by side, as many as there is room for."""
    row = boards[0]
    for board in boards[1:]:
        both = side_by_side(row, board)
        if max(line.cell_len for line in both.split("\n")) <= width:
            row = both
        else:
            yield row
            row = board
    yield row


def side_by_side(left: Text, right: Text) -> Text:
    r"""Put two drawings side by side.

    Examples
    --------
    >>> print(side_by_side(Text("ab\nc"), Text("d\ne")).plain)
    ab   d
    c    e
    """
    lines = left.split("\n"), right.split("\n")
    width = max(line.cell_len for line in lines[0]) + _GAP
    rows = []
    for number in range(max(map(len, lines))):
        here, there = (side[number] if number < len(side) else Text() for side in lines)
        here.pad_right(width - here.cell_len)
        rows.append(here + there)
    return Text("\n").join(rows)
