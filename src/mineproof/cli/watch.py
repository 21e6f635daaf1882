"""`mineproof watch`: one game, step by step."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TextIO

import click
from rich.console import Console
from rich.live import Live

from mineproof.agents import Agent, Beliefs
from mineproof.arena import AgentFailed, Turn, play
from mineproof.cli import narration, options
from mineproof.cli.terminal import QUIT, cells, frame, pause, read_key, unechoed
from mineproof.draw import beliefs_text, board_text
from mineproof.game import GameRecord, MoveRecord, Setup

_TERMINAL_DELAY: Final = 0.4


@click.command(cls=options.BoardCommand)
@click.option(
    "--agent",
    type=options.agent,
    required=True,
    metavar="NAME",
    help="Who plays. `mineproof agents` lists the names.",
)
@options.board
@options.seed
@click.option("--knowledge", is_flag=True, help="Show what the agent believes.")
@click.option("--explain", is_flag=True, help="Explain why each move is certain, or a guess.")
@click.option("--step", is_flag=True, help="Wait for Enter after each step. q quits.")
@click.option(
    "--delay",
    type=options.Number(0, 3600),
    metavar="SECONDS",
    help=f"Wait after each step. Default: {_TERMINAL_DELAY} on a terminal, else 0.",
)
@options.as_json
def watch(
    agent: Agent,
    board: options.BoardOptions,
    seed: int,
    knowledge: bool,
    explain: bool,
    step: bool,
    delay: float | None,
    as_json: bool,
) -> None:
    """Watch an agent play one game, step by step.

    The moves of the last step are in brackets. A step is one decision of one or more actions. If
    the output is not a terminal, each step is a block of plain text. With --json each action is an
    object on its own line, and so is the result at the end.
    """
    setup = board.setup()
    with options.naming("--seed"):
        setup.game(seed)
    if as_json:
        options.refuse("--json", {"--step": step, "--knowledge": knowledge})
    on_terminal = not as_json and _is_terminal(sys.stdout)
    if step and not (on_terminal and _is_terminal(sys.stdin)):
        raise click.UsageError("--step needs a terminal to read keys from.")
    if delay is None:
        delay = _TERMINAL_DELAY if on_terminal and not step else 0.0
    show = _show_json if as_json else _show_on_terminal if on_terminal else _show_plain
    show(_Show(setup, agent, seed, knowledge, explain, step, delay))


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that can be drawn on."""
    able = os.environ.get("TERM") not in ("dumb", "unknown")
    return stream is not None and stream.isatty() and able


class _Quit(Exception):
    """The user quit before the end of the game."""


@dataclass(frozen=True, slots=True)
class _Show:
    """A game to show, and how."""

    setup: Setup
    agent: Agent
    seed: int
    knowledge: bool
    explain: bool
    step: bool
    delay: float

    @property
    def title(self) -> str:
        return f"{self.agent.name}: {narration.conditions(self.setup)}, seed {self.seed}"

    def play(self, look: Callable[[Turn], None]) -> GameRecord:
        try:
            return play(self.setup.game(self.seed), self.agent, seed=self.seed, watch=look)
        except (_Quit, OSError):  # raised by `look`
            raise
        except Exception as error:  # an agent may raise anything
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise AgentFailed(f"agent {self.agent.name!r} failed: {reason}") from error

    def beliefs(self, turn: Turn) -> Beliefs | None:
        """Return what the agent believes, if it is shown and the agent decided this turn."""
        return self.agent.beliefs() if self.knowledge and turn.before is not None else None

    def explanation(self, turn: Turn) -> list[str]:
        return narration.told_together(narration.reasons(turn)) if self.explain else []


def _show_json(show: _Show) -> None:
    def look(turn: Turn) -> None:
        lines = [_action(move) for move in turn.moves]
        if show.explain:
            for line, found in zip(lines, narration.reasons(turn), strict=True):
                line["explanation"] = narration.sentences(found)
        for line in lines:
            print(json.dumps(line, allow_nan=False), flush=True)
        pause(show.delay)

    record = show.play(look)
    counts = "score", "identified", "wrong_flags", "hits", "opened", "steps", "guesses", "seconds"
    result = {"result": record.outcome, **{name: getattr(record, name) for name in counts}}
    print(json.dumps(result, allow_nan=False))


def _action(move: MoveRecord) -> dict[str, Any]:
    names = "risk", "certain", "guess", "reason", "opened"
    return {
        "step": move.step,
        "action": move.kind,
        "cell": [move.row, move.col],
        **{name: getattr(move, name) for name in names},
    }


def _show_plain(show: _Show) -> None:
    def look(turn: Turn) -> None:
        print("\n".join(_block(show, turn)), flush=True)
        pause(show.delay)

    print(show.title, end="\n\n")
    print(*narration.result(show.play(look)), sep="\n")


def _block(show: _Show, turn: Turn) -> Iterator[str]:
    """Describe one turn in plain text."""
    head = f"Step {turn.moves[0].step}: "
    for action in narration.actions(turn.moves):
        yield head + action
        head = " " * len(head)
    if turn.moves[0].reason:
        yield f"Why: {turn.moves[0].reason}"
    yield from (f"     {line}" for line in show.explanation(turn))
    yield f"Then: {narration.progress(show.setup, turn)}"
    yield board_text(turn.after, marked=cells(turn)).plain
    beliefs = show.beliefs(turn)
    if beliefs is not None and turn.before is not None:
        yield "Believed before:"
        if beliefs.numbers:
            yield beliefs_text(turn.before, beliefs.numbers, marked=cells(turn)).plain
        yield from beliefs.sentences
        if not beliefs.numbers and not beliefs.sentences:
            yield "nothing that it shows"
    yield ""


def _show_on_terminal(show: _Show) -> None:
    """Redraw the board in place, and leave the last turn and the result on the terminal."""
    console = Console(highlight=False, soft_wrap=True)
    hint = "Enter: next step, q: quit" if show.step else ""
    last: tuple[Turn, list[str]] | None = None
    record: GameRecord | None = None

    def look(turn: Turn) -> None:
        nonlocal last
        last = turn, show.explanation(turn)
        width, height = console.size
        drawn = frame(
            show.title,
            show.setup,
            turn,
            beliefs=show.beliefs(turn),
            explanation=last[1],
            width=width,
            height=height,
            hint=hint,
        )
        live.update(drawn, refresh=True)
        if show.step:
            _wait_for_key()
        pause(show.delay)

    live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False)
    with unechoed(), live, suppress(_Quit):
        record = show.play(look)
    if last is not None:
        turn, explanation = last
        width = console.width
        console.print(frame(show.title, show.setup, turn, explanation=explanation, width=width))
    if record is None:
        console.print("Quit before the end.", style="bold")
    else:
        outcome, counts = narration.result(record)
        console.print(outcome, style="bold green" if record.won else "bold red")
        console.print(counts)


def _wait_for_key() -> None:
    """Return at Enter or space."""
    while (key := read_key()) not in ("\r", "\n", " "):
        if key in QUIT:
            raise _Quit
