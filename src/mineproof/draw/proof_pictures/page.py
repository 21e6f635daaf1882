"""Whole SVG pictures: of a proof, of all that is certain, and of a cell that is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final, Protocol
from xml.sax.saxutils import escape

from mineproof.arguments import counted
from mineproof.draw.looks import WINDOW, Looks
from mineproof.draw.picture import word
from mineproof.draw.proof_pictures.board import (
    CASE,
    HATCHING,
    INK,
    MUTED,
    Board,
    Boards,
    Legend,
    moved,
)
from mineproof.draw.proof_pictures.panels import Mark, Panel, basis, panels, region
from mineproof.position.observation import Observation

if TYPE_CHECKING:
    from mineproof.inference.posterior import Posterior
    from mineproof.proofs import Doubt, Proof

__all__ = ["doubt_svg", "proof_svg", "proofs_svg"]

_MARGIN: Final = 22
_NARROW: Final = 330
"""Beside boards up to this width there is room for sentences."""
_COLUMN: Final = 480
"""The least width of sentences."""
_MOST_BOARDS: Final = 6
_MOST_STEPS: Final = 40


def proof_svg(observation: Observation, proof: Proof, *, most: int = WINDOW) -> str:
    r"""Draw a proof as a self-contained SVG picture.

    Every step of the argument has a number. The clues that it looks at are framed and bear that
    number, and so do the cells that it settles. A case has a board of its own, where all that
    holds only in that case is hatched.

    Parameters
    ----------
    observation
        What was seen when the proof was made.
    proof
        Why a cell is certain.
    most
        The most rows and columns to draw, around the cell.

    Examples
    --------
    >>> from mineproof import explain
    >>> seen = Observation.from_text("...\n121")
    >>> proof_svg(seen, explain(seen, (0, 1)))[:4]
    '<svg'
    """
    shown = panels(proof)
    shown = [*shown[: _MOST_BOARDS - 1], shown[-1]] if len(shown) > _MOST_BOARDS else shown
    pointed_at = {proof.cell}.union(*(panel.cells for panel in shown))
    rows, cols = region(observation, pointed_at, centre=proof.cell, most=most)
    look = Looks.risks(observation, None).__getitem__
    return _page(
        f"Why is {proof.cell} {'a mine' if proof.status == 'mine' else 'safe'}?",
        basis(observation, proof),
        [Board(look, panel, rows, cols, proof.cell) for panel in shown],
        _steps(proof),
    )


def proofs_svg(observation: Observation, proofs: Sequence[Proof], *, most: int = WINDOW) -> str:
    r"""Draw all that is certain, with how it is found.

    Parameters
    ----------
    observation
        What was seen when the proofs were made.
    proofs
        Why cells are certain.
    most
        The most rows and columns to draw, from the upper left.

    Examples
    --------
    >>> from mineproof.proofs import explain_all
    >>> seen = Observation.from_text("...\n121")
    >>> proofs_svg(seen, explain_all(seen))[:4]
    '<svg'
    """
    marks = {proof.cell: Mark(proof.status == "mine", int(proof.technique)) for proof in proofs}
    rows, cols = range(min(observation.rows, most)), range(min(observation.cols, most))
    board = Board(Looks.risks(observation, None).__getitem__, Panel("", marks), rows, cols)
    grades = sorted({proof.technique for proof in proofs})
    safe = sum(proof.status == "safe" for proof in proofs)
    return _page(
        "What is certain?",
        f"{counted(safe, 'safe cell')} and {counted(len(proofs) - safe, 'mine')}.",
        [board],
        [],
        notes=tuple(f"{int(grade)}: {grade}" for grade in grades),
    )


def doubt_svg(posterior: Posterior, doubt: Doubt, *, most: int = WINDOW) -> str:
    r"""Draw a cell that is not certain, with the risks around it and the clues that press on it.

    Parameters
    ----------
    posterior
        What follows from what was seen.
    doubt
        What is to be said of the cell.
    most
        The most rows and columns to draw, around the cell.

    Examples
    --------
    >>> from mineproof import explain, infer
    >>> seen = Observation.from_text("..1\n...")
    >>> doubt_svg(infer(seen), explain(seen, (0, 0)))[:4]
    '<svg'
    """
    pressing = {pressure.clue: [rank] for rank, pressure in enumerate(doubt.pressing, start=1)}
    seen = posterior.observation
    rows, cols = region(seen, {doubt.cell, *pressing}, centre=doubt.cell, most=most)
    look = Looks.risks(seen, posterior).__getitem__
    first, *more = str(doubt).splitlines()
    return _page(
        f"How risky is {doubt.cell}?",
        first,
        [Board(look, Panel("", clues=pressing), rows, cols, doubt.cell)],
        [_Sentence("", line) for line in more],
        clue="a clue that presses on it, the strongest first",
    )


# ------------------------------------------------------------------------------------------- page


class _Block(Protocol):
    """A part of a picture that takes a certain height."""

    @property
    def height(self) -> int: ...

    def parts(self) -> Iterator[str]: ...


def _page(
    question: str,
    answer: str,
    boards: Sequence[Board],
    sentences: Iterable[_Sentence],
    *,
    clue: str = "a clue it rests on",
    notes: tuple[str, ...] = (),
) -> str:
    """Put the parts of a picture on a page: sentences beside the boards, or else below them."""
    drawn = Boards(boards)
    told = list(sentences)
    beside = bool(told) and drawn.width <= _NARROW
    column = _COLUMN if beside else max(_COLUMN, drawn.width)
    width = drawn.width + _MARGIN + column if beside else column
    heading = _Heading(question, answer)
    legend = Legend(boards, width, clue, notes)
    argument = _Argument(told, column)
    placed: list[tuple[int, int, _Block]] = [(0, 0, heading), (0, heading.height, drawn)]
    below = heading.height + drawn.height
    if beside:
        placed += [(drawn.width + _MARGIN, heading.height + 12, argument)]
        below = max(below, heading.height + 12 + argument.height)
        placed += [(0, below, legend)]
    else:
        placed += [(0, below, legend), (0, below + legend.height, argument)]
        below += argument.height
    size = width + 2 * _MARGIN, below + legend.height + 2 * _MARGIN - 10
    return "\n".join(_svg(question, size, placed))


def _svg(
    title: str, size: tuple[int, int], placed: Iterable[tuple[int, int, _Block]]
) -> Iterator[str]:
    width, height = size
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="Helvetica, Arial, sans-serif" role="img">'
    )
    yield f"<title>{title}</title>"
    yield HATCHING
    yield f'<rect width="{width}" height="{height}" rx="10" fill="#fbfbfd"/>'
    for x, y, block in placed:
        yield from (moved(_MARGIN + x, _MARGIN + y), *block.parts(), "</g>")
    yield "</svg>"


@dataclass(frozen=True, slots=True)
class _Heading:
    question: str
    answer: str

    @property
    def height(self) -> int:
        return 52 if self.answer else 30

    def parts(self) -> Iterator[str]:
        yield word(0, 13, self.question, f'font-size="18" font-weight="bold" fill="{INK}"')
        yield word(0, 34, self.answer, f'font-size="13" fill="{MUTED}"')


# ---------------------------------------------------------------------------------------- argument


@dataclass(frozen=True, slots=True)
class _Sentence:
    number: str
    text: str
    depth: int = 0
    """How many cases it is inside of."""

    def lines(self, width: int) -> list[str]:
        letters = int((width - self.left) / 5.5)
        # No cell is broken in two.
        whole = re.sub(r"(\(\d+,) ", "\\1\N{NO-BREAK SPACE}", self.text)
        return wrap(whole, letters) or [""]

    @property
    def left(self) -> int:
        return 22 + 16 * self.depth


@dataclass(frozen=True, slots=True)
class _Argument:
    sentences: Sequence[_Sentence]
    width: int

    @property
    def height(self) -> int:
        return sum(17 * len(sentence.lines(self.width)) + 6 for sentence in self.sentences)

    def parts(self) -> Iterator[str]:
        y = 0
        for sentence in self.sentences:
            lines = sentence.lines(self.width)
            yield word(14, y + 13, sentence.number, f'{_NUMBER} fill="{INK}"')
            for place, line in enumerate(lines):
                paint = f'font-size="13" fill="{INK}"'
                yield word(sentence.left, y + 13 + 17 * place, escape(line), paint)
            height = 17 * len(lines) + 6
            for depth in range(sentence.depth):
                x = 25 + 16 * depth
                yield f'<path d="M{x} {y}v{height}" stroke="{CASE}" stroke-width="2"/>'
            y += height


_NUMBER: Final = 'font-size="12" font-weight="bold" text-anchor="end"'


def _steps(proof: Proof) -> Iterator[_Sentence]:
    for number, step in enumerate(proof.steps[:_MOST_STEPS], start=1):
        yield _Sentence(str(number), step.text, len(step.assumed))
    more = len(proof.steps) - _MOST_STEPS
    if more > 0:
        yield _Sentence("", f"and {counted(more, 'more step')}")
