"""One step of a game on a terminal: the board, what the agent believed, and what it did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.text import Text

from mineproof.agents import Beliefs
from mineproof.arena.play import Turn
from mineproof.cli import narration
from mineproof.draw import beliefs_text, board_text, side_by_side
from mineproof.game.setup import Setup
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["cells", "frame"]

_FOOT = 5
"""The lines that are kept free below the board."""
_EXPLAINED = 4
"""More of them where it is explained why, and there is no room beside the board."""
_COLUMN = 48
"""The least columns for an explanation beside the board."""
_GAP = 3
"""Columns between things side by side."""
_LIST = 36, 5
"""The least columns and lines for sentences."""
_ENDLESS = 10**9


def frame(
    title: str,
    setup: Setup,
    step: Turn,
    *,
    beliefs: Beliefs | None = None,
    explanation: Sequence[str] | None = None,
    width: int,
    height: int | None = None,
    hint: str = "",
) -> Text:
    """Draw a step so that it fits the terminal.

    Parameters
    ----------
    title
        Who plays what.
    setup
        The conditions of the game.
    step
        What was seen and done.
    beliefs
        What the agent believed when it decided, where that is to be shown.
    explanation
        Why it was right, in place of the agent's own reason, where that is to be shown.
    width, height
        The columns of the terminal, and its lines where the drawing must not be longer.
    hint
        What stands in front of the last line.
    """
    room = _ENDLESS if height is None else max(height - 1 - _FOOT, 2)
    if beliefs is not None and step.before is not None:
        title = f"Beliefs before step {step.moves[0].step}, {title}"
    body = _body(step, beliefs, width, room)
    beside, why = width - _width(body) - _GAP, [step.moves[0].reason]
    most = 2
    if explanation and beside >= _COLUMN:
        told = _listed(explanation, beside, room)
        body, why = side_by_side(body, Text("\n".join(told), "italic")), []
    elif explanation:
        most, why = most + _EXPLAINED, list(explanation)
        room = max(room - _EXPLAINED, 2)
        body = _body(step, beliefs, width, room)
    spare = room - _height(body)
    gap = [Text()] if spare else []
    foot = _foot(setup, step, width, _listed(why, width, most + max(spare - 1, 0)), hint)
    lines = [Text(title, "bold"), body, *gap, *foot]
    return Text("\n", no_wrap=True, overflow="ellipsis").join(lines)


def cells(step: Turn) -> list[Cell]:
    """Return the cells that a step was about."""
    return [(move.row, move.col) for move in step.moves]


def _body(step: Turn, beliefs: Beliefs | None, width: int, height: int) -> Text:
    """Draw the board, or what was believed where that is to be shown."""
    if beliefs is None or step.before is None:
        return _board(step, width, height)
    return _thoughts(step, step.before, beliefs, width, height)


def _board(step: Turn, width: int, height: int) -> Text:
    return board_text(step.after, width=width, height=height, marked=cells(step))


def _thoughts(step: Turn, before: Observation, beliefs: Beliefs, width: int, height: int) -> Text:
    """Draw beliefs: numbers on a board, sentences beside or below it."""
    sentences = beliefs.sentences
    if not beliefs.numbers and not sentences:
        sentences = ("It shows no beliefs.",)
    picture = _numbers(step, before, beliefs, width, height)
    if not sentences:
        return picture
    least_width, least_height = _LIST
    beside, below = width - _width(picture) - _GAP, height - _height(picture)
    longest = max(len(sentence) for sentence in sentences[:height])
    if beside >= longest or (beside >= least_width and below < least_height):
        return side_by_side(picture, _list(sentences, beside, height))
    if below < least_height:
        picture = _numbers(step, before, beliefs, width, height - least_height)
    return Text("\n").join([picture, _list(sentences, width, height - _height(picture))])


def _numbers(step: Turn, before: Observation, beliefs: Beliefs, width: int, height: int) -> Text:
    """Draw the board and the numbers side by side, or the numbers alone where room is short."""
    now = _board(step, width, height)
    if not beliefs.numbers:
        return now
    whole = beliefs_text(before, beliefs.numbers, marked=cells(step))
    if _height(whole) < height and _width(now) + _GAP + _width(whole) <= width:
        left, right = Text("now\n", "dim"), Text("before, as it believed\n", "dim")
        return side_by_side(left + now, right + whole)
    return beliefs_text(before, beliefs.numbers, width=width, height=height, marked=cells(step))


def _list(sentences: Sequence[str], width: int, height: int) -> Text:
    """List sentences, a line each, and count those that there is no room for."""
    shown = list(sentences)
    if len(shown) > height:
        shown = [*shown[: height - 1], f"and {len(shown) - height + 1:,} more"]
    lines = [Text(sentence) for sentence in shown]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n").join(lines)


def _foot(setup: Setup, step: Turn, width: int, why: Iterable[str], hint: str) -> list[Text]:
    """Tell what was done, in at most two lines, why, and how things stand."""
    moves = step.moves
    done = f"Step {moves[0].step}: {'; '.join(narration.actions(moves))}"
    colour = "yellow" if any(move.guess for move in moves) else "green"
    if any(move.hits for move in moves):
        colour = "red"
    return [
        *(Text(line, f"bold {colour}") for line in _wrapped(done, width, 2)),
        *(Text(line, "italic") for line in why),
        Text(hint, "reverse")
        .append("  " * bool(hint))
        .append(narration.standing(setup, step), "dim"),
    ]


def _listed(sentences: Iterable[str], width: int, most: int) -> list[str]:
    """Break sentences into at most so many lines."""
    lines = [line for sentence in sentences for line in _wrapped(sentence, width, most)]
    return lines if len(lines) <= most else [*lines[: most - 1], "..."]


def _wrapped(words: str, width: int, most: int) -> list[str]:
    """Break words into lines, but no cell in two."""
    whole = re.sub(r"(\(\d+,) ", "\\1\N{NO-BREAK SPACE}", words)
    indent = " " * (len(words) - len(words.lstrip()))
    return wrap(whole, width, subsequent_indent=indent, max_lines=most, placeholder=" ...")


def _width(text: Text) -> int:
    return max(line.cell_len for line in text.split("\n"))


def _height(text: Text) -> int:
    return len(text.split("\n"))
