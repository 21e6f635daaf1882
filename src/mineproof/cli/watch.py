"""`mineproof watch`: one game, step by step."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, TextIO

import click
from rich.console import Console
from rich.live import Live

from mineproof.agents import Agent, Beliefs
from mineproof.agents.exact import ExactAgent
from mineproof.arena import AgentFailed, Turn, narration, play
from mineproof.cli import options
from mineproof.cli.completion import agent_names
from mineproof.cli.terminal import QUIT, cells, frame, pause, read_key, unechoed
from mineproof.draw import beliefs_text, board_text
from mineproof.game import GameRecord, MoveRecord, Setup
from mineproof.position import Cell
from mineproof.position.cells import is_open

_TERMINAL_DELAY: Final = 0.4
_GOOD_GAME: Final = ("intermediate", 365)
"""A level and a seed: `exact` opens much at once, guesses twice, late, and wins."""


@click.command(cls=options.BoardCommand)
@click.option(
    "--agent",
    type=options.agent,
    metavar="NAME",
    shell_complete=agent_names,
    help="Who plays: a name that `mineproof agents` lists, or path/to/file.py:Class. Default: "
    "exact.",
)
@options.board
@options.seed
@click.option("--beliefs", is_flag=True, help="Show what the agent believes.")
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
    agent: Agent | None,
    board: options.BoardOptions,
    seed: int | None,
    beliefs: bool,
    explain: bool,
    step: bool,
    delay: float | None,
    as_json: bool,
) -> None:
    """Watch an agent play one game, step by step.

    The moves of the last step are in brackets. A step is one decision of one or more actions. If
    the output is not a terminal, each step is a block of plain text. With --json the first line has
    the conditions, each action is an object on a line of its own, and the last line has the
    outcome.

    Unless an agent, a seed or a board is given, this shows a good game: exact on level
    intermediate with seed 365, which it wins after two guesses.
    """
    if agent is None and seed is None and not board.given(options.SIZE + options.RULES):
        board, seed = replace(board, level=_GOOD_GAME[0]), _GOOD_GAME[1]
    agent, seed = agent or ExactAgent(), seed or 0
    setup = board.setup()
    with options.naming("--seed"):
        setup.game(seed)
    if as_json:
        options.refuse("--json", {"--step": step})
    on_terminal = not as_json and _is_terminal(sys.stdout)
    if step and not (on_terminal and _is_terminal(sys.stdin)):
        raise click.UsageError("--step needs a terminal to read keys from.")
    if delay is None:
        delay = _TERMINAL_DELAY if on_terminal and not step else 0.0
    show = _show_json if as_json else _show_on_terminal if on_terminal else _show_plain
    show(_Show(setup, agent, seed, beliefs, explain, step, delay))


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
    shows_beliefs: bool
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
        return self.agent.beliefs() if self.shows_beliefs and turn.before is not None else None

    def explanation(self, turn: Turn) -> list[str]:
        return narration.told_together(narration.reasons(turn)) if self.explain else []


def _show_json(show: _Show) -> None:
    def look(turn: Turn) -> None:
        lines = [
            _action(move, clues) for move, clues in zip(turn.moves, _new_clues(turn), strict=True)
        ]
        if show.shows_beliefs:
            beliefs = show.beliefs(turn)
            for line in lines:
                line["beliefs"] = None if beliefs is None else _beliefs(beliefs)
        if show.explain:
            for line, found in zip(lines, narration.reasons(turn), strict=True):
                line["explanation"] = narration.sentences(found)
        for line in lines:
            print(json.dumps(line, allow_nan=False), flush=True)
        pause(show.delay)

    conditions = narration.conditions_dict(show.setup.game(show.seed))
    print(json.dumps({"agent": show.agent.name, "conditions": conditions}, allow_nan=False))
    record = show.play(look)
    counts = "score", "identified", "wrong_flags", "hits", "opened", "steps", "guesses", "seconds"
    ending = {"outcome": record.outcome, **{name: getattr(record, name) for name in counts}}
    print(json.dumps(ending, allow_nan=False))


def _action(move: MoveRecord, clues: Mapping[Cell, int | None]) -> dict[str, Any]:
    names = "risk", "certain", "guess", "reason", "opened", "hits"
    return {
        "step": move.step,
        "kind": move.kind,
        "cell": [move.row, move.col],
        **{name: getattr(move, name) for name in names},
        "clues": [{"cell": cell, "clue": clue} for cell, clue in clues.items()],
    }


def _beliefs(beliefs: Beliefs) -> dict[str, Any]:
    numbers = [{"cell": cell, "number": number} for cell, number in beliefs.numbers.items()]
    return {"numbers": numbers, "sentences": beliefs.sentences}


def _new_clues(turn: Turn) -> Iterator[dict[Cell, int | None]]:
    """Yield for each move of a turn the cells that it opened and their clues, None if lost."""
    before, after = turn.before, turn.after
    left = {
        cell
        for cell in map(after.topology.cell, range(after.topology.cells))
        if is_open(after.code(cell)) and (before is None or not is_open(before.code(cell)))
    }
    for move in turn.moves:
        cell = move.row, move.col
        reached = [*after.topology.neighbours(cell)] if move.kind == "chord" else [cell]
        found: dict[Cell, int | None] = {}
        # Only as many as the move opened: without a cascade the cells around a zero stay closed.
        while reached and len(found) < move.opened:
            cell = reached.pop(0)
            if cell in left:
                left.remove(cell)
                found[cell] = None if after.code(cell) < 0 else after.code(cell)
                if found[cell] == 0:
                    reached += after.topology.neighbours(cell)
        yield dict(sorted(found.items()))


def _show_plain(show: _Show) -> None:
    def look(turn: Turn) -> None:
        print("\n".join(_block(show, turn)), flush=True)
        pause(show.delay)

    print(show.title, end="\n\n")
    print(*narration.outcome(show.play(look)), sep="\n")


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
        outcome, counts = narration.outcome(record)
        console.print(outcome, style="bold green" if record.won else "bold red")
        console.print(counts)


def _wait_for_key() -> None:
    """Return at Enter or space."""
    while (key := read_key()) not in ("\r", "\n", " "):
        if key in QUIT:
            raise _Quit
