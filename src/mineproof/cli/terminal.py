"""The live terminal of `mineproof watch`: one turn on the screen, waiting, and keys."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Final

import click
from rich.text import Text

from mineproof.agents import Beliefs
from mineproof.arena import Turn, narration
from mineproof.draw import beliefs_text, board_text, side_by_side
from mineproof.draw.terminal import harmless, unbroken
from mineproof.position import Cell, Observation

_NAP: Final = 0.2  # seconds; Ctrl-C just before a wait takes effect after it, so waits are short
QUIT: Final = ("q", "Q", "\x04", "")
"""Keys that end the program; a terminal that has been closed sends the empty one."""

_GAP: Final = 3  # columns between two things side by side
_FOOT: Final = 5  # lines below the board
_FOOT_MORE: Final = 4  # more of them for an explanation that does not fit beside the board
_EXPLANATION_WIDTH: Final = 48  # the fewest columns for an explanation beside the board
_LIST_WIDTH: Final = 36  # the fewest columns and lines for sentences about beliefs
_LIST_HEIGHT: Final = 5


@contextmanager
def unechoed() -> Iterator[None]:
    """Do not show keys, and read them without waiting for the end of a line."""
    if os.name == "nt" or sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    # This mode keeps keys that were pressed before, and Ctrl-C still interrupts.
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_key() -> str:
    """Wait for a key."""
    if os.name == "nt":
        return click.getchar()
    keys = sys.stdin.fileno()
    while not select.select([keys], [], [], _NAP)[0]:
        pass
    return os.read(keys, 1).decode(errors="replace")


def pause(seconds: float) -> None:
    """Wait for some seconds."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _NAP))


def cells(turn: Turn) -> list[Cell]:
    """Return the cells of a turn's moves."""
    return [move.cell for move in turn.moves]


def frame(
    title: str,
    turn: Turn,
    *,
    beliefs: Beliefs | None = None,
    explanation: Sequence[str] | None = None,
    width: int,
    height: int | None = None,
    hint: str = "",
) -> Text:
    """Draw a turn so that it fits the terminal.

    Beliefs are drawn next to the board. An explanation replaces the agent's own reason. Without a
    height the drawing may be of any length. The hint is at the start of the last line.
    """
    lines = 10**9 if height is None else max(height - 1 - _FOOT, 2)
    if beliefs is not None and turn.before is not None:
        title = f"Beliefs before step {turn.step}, {title}"
    body = _body(turn, beliefs, width, lines)
    beside, why, why_lines = width - _width(body) - _GAP, [harmless(turn.moves[0].reason)], 2
    if explanation and beside >= _EXPLANATION_WIDTH:
        wrapped = _wrapped(explanation, beside, lines)
        body, why = side_by_side(body, Text("\n".join(wrapped), "italic")), []
    elif explanation:
        why, why_lines = list(explanation), why_lines + _FOOT_MORE
        lines = max(lines - _FOOT_MORE, 2)
        body = _body(turn, beliefs, width, lines)
    spare = lines - _height(body)
    foot = _wrapped(why, width, why_lines + max(spare - 1, 0))
    return Text("\n", no_wrap=True, overflow="ellipsis").join(
        [
            Text(title, "bold"),
            body,
            *([Text()] if spare else []),
            *_actions(turn, width),
            *(Text(line, "italic") for line in foot),
            Text(hint, "reverse").append("  " * bool(hint)).append(narration.progress(turn), "dim"),
        ]
    )


def _actions(turn: Turn, width: int) -> list[Text]:
    """Describe the moves in at most two lines."""
    colour = "yellow" if any(move.is_guess for move in turn.moves) else "green"
    if any(move.hits for move in turn.moves):
        colour = "red"
    done = f"{narration.step(turn)}: {'; '.join(narration.actions(turn.moves))}"
    return [Text(line, f"bold {colour}") for line in _wrapped([done], width, 2)]


def _body(turn: Turn, beliefs: Beliefs | None, width: int, height: int) -> Text:
    """Draw the board, with beliefs beside or below it if they are given."""
    if beliefs is None or turn.before is None:
        return _board(turn, width, height)
    picture = _numbers(turn, turn.before, beliefs, width, height)
    sentences = tuple(map(harmless, beliefs.sentences))
    if not sentences and not beliefs.numbers:
        sentences = ("It shows no beliefs.",)
    if not sentences:
        return picture
    beside, below = width - _width(picture) - _GAP, height - _height(picture)
    longest = max(len(sentence) for sentence in sentences[:height])
    if beside >= longest or (beside >= _LIST_WIDTH and below < _LIST_HEIGHT):
        return side_by_side(picture, _list(sentences, beside, height))
    if below < _LIST_HEIGHT:
        picture = _numbers(turn, turn.before, beliefs, width, height - _LIST_HEIGHT)
    return Text("\n").join([picture, _list(sentences, width, height - _height(picture))])


def _board(turn: Turn, width: int, height: int) -> Text:
    return board_text(turn.after, width=width, height=height, marked=cells(turn))


def _numbers(turn: Turn, before: Observation, beliefs: Beliefs, width: int, height: int) -> Text:
    """Draw the board and the numbers side by side, or only the numbers if both do not fit."""
    now = _board(turn, width, height)
    if not beliefs.numbers:
        return now
    whole = beliefs_text(before, beliefs.numbers, marked=cells(turn))
    if _height(whole) < height and _width(now) + _GAP + _width(whole) <= width:
        left, right = Text("now\n", "dim"), Text("before, as it believed\n", "dim")
        return side_by_side(left + now, right + whole)
    return beliefs_text(before, beliefs.numbers, width=width, height=height, marked=cells(turn))


def _list(sentences: Sequence[str], width: int, height: int) -> Text:
    """List sentences, one per line, and count those that do not fit."""
    shown = list(sentences)
    if len(shown) > height:
        shown = [*shown[: height - 1], f"and {len(shown) - height + 1:,} more"]
    lines = [Text(sentence) for sentence in shown]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n").join(lines)


def _wrapped(sentences: Iterable[str], width: int, most: int) -> list[str]:
    """Break sentences into lines, but not inside a cell, and keep at most this many lines."""
    lines: list[str] = []
    for sentence in sentences:
        indent = " " * (len(sentence) - len(sentence.lstrip()))
        lines += wrap(
            unbroken(sentence), width, subsequent_indent=indent, max_lines=most, placeholder=" ..."
        )
    return lines if len(lines) <= most else [*lines[: most - 1], "..."]


def _width(text: Text) -> int:
    return max(line.cell_len for line in text.split("\n"))


def _height(text: Text) -> int:
    return len(text.split("\n"))
