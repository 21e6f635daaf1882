"""`mineproof watch`: one game, step by step."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import Annotated, Any, Final, TextIO

import typer
from rich.console import Console
from rich.live import Live

from mineproof import agents
from mineproof.agents import Agent, Beliefs
from mineproof.arena.play import AgentFailed, Turn, play
from mineproof.arguments import sentence
from mineproof.cli import narration, reasons, screen
from mineproof.cli.keys import QUIT, pause, read_key, unechoed
from mineproof.cli.options import (
    ChannelOption,
    ColsOption,
    DensityOption,
    FirstOption,
    GivenSafeOption,
    JsonOption,
    LevelOption,
    MinesOption,
    NoCascadeOption,
    OnMineOption,
    RowsOption,
    SeedOption,
    StartOption,
    named,
    read_seed,
    read_setup,
)
from mineproof.draw import beliefs_text, board_text
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.game.setup import Setup

__all__ = ["watch"]

_PLEASANT: Final = 0.4
"""Seconds between steps on a terminal."""
_LONGEST: Final = 3600


def watch(
    agent: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who plays; `mineproof agents` lists all names."),
    ],
    level: LevelOption = None,
    rows: RowsOption = None,
    cols: ColsOption = None,
    mines: MinesOption = None,
    density: DensityOption = None,
    seed: SeedOption = "0",
    start: StartOption = "safe",
    first: FirstOption = None,
    on_mine: OnMineOption = "end",
    no_cascade: NoCascadeOption = False,
    given_safe: GivenSafeOption = "0",
    channel: ChannelOption = "exact",
    knowledge: Annotated[
        bool, typer.Option("--knowledge", help="Show what the agent believes.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why every move is certain, or what a guess is.")
    ] = False,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter after every step; q quits.")
    ] = False,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS", help=f"Wait after every step. Default: {_PLEASANT} on a terminal."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Watch an agent play one game, step by step.

    The moves of the last step stand in brackets. A step is one decision, of one or more actions.
    Where there is no terminal, every step is a block of plain text. With --json every action is
    an object on a line of its own, and so is the result at the end.
    """
    with named("--agent"):
        player = agents.get(agent)
    setup = read_setup(
        level=level,
        rows=rows,
        cols=cols,
        mines=mines,
        density=density,
        start=start,
        first=first,
        on_mine=on_mine,
        no_cascade=no_cascade,
        given_safe=given_safe,
        channel=channel,
    )
    number = read_seed("--seed", seed)
    terminal = not as_json and _is_terminal(sys.stdout)
    for option, given in {"--step": step, "--knowledge": knowledge}.items():
        if given and as_json:
            raise ValueError(f"{option}: cannot stand beside --json")
    if step and not (terminal and _is_terminal(sys.stdin)):
        raise ValueError("--step: needs a terminal to wait for a key")
    seconds = _read_delay(delay, default=_PLEASANT if terminal and not step else 0.0)
    show = _show_json if as_json else _show_on_terminal if terminal else _show_plain
    show(_Showing(setup, player, number, knowledge, explain, step, seconds))


class _Quit(Exception):
    """The one who watches has seen enough."""


@dataclass(frozen=True, slots=True)
class _Showing:
    """A game to show, and how."""

    setup: Setup
    agent: Agent
    seed: int
    knowledge: bool
    explain: bool
    step: bool
    seconds: float

    @property
    def title(self) -> str:
        return f"{self.agent.name}: {narration.conditions(self.setup)}, seed {self.seed}"

    def play(self, look: Callable[[Turn], None]) -> GameRecord:
        try:
            return play(self.setup.game(self.seed), self.agent, seed=self.seed, watch=look)
        except (_Quit, OSError):  # of the one who looks on
            raise
        except Exception as error:  # whatever an agent raises
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise AgentFailed(f"agent {self.agent.name!r} failed: {reason}") from error

    def beliefs(self, step: Turn) -> Beliefs | None:
        """Ask the agent what it believes, if that is wanted and it was the one to decide."""
        return self.agent.beliefs() if self.knowledge and step.before is not None else None

    def explanation(self, step: Turn) -> list[str] | None:
        """Say why a step was right, or what was to be said of it, if that is wanted."""
        return reasons.told_together(reasons.reasons(step)) if self.explain else None


def _show_json(showing: _Showing) -> None:
    def look(step: Turn) -> None:
        why = map(reasons.sentences, reasons.reasons(step)) if showing.explain else repeat(None)
        for move, explanation in zip(step.moves, why, strict=False):
            print(json.dumps(_action(move, explanation), allow_nan=False), flush=True)
        pause(showing.seconds)

    print(json.dumps(_result(showing.play(look)), allow_nan=False))


def _action(move: MoveRecord, explanation: list[str] | None) -> dict[str, Any]:
    action = {
        "step": move.step,
        "action": move.kind,
        "cell": [move.row, move.col],
        "risk": move.risk,
        "certain": move.certain,
        "guess": move.guess,
        "reason": move.reason,
        "opened": move.opened,
    }
    return action if explanation is None else {**action, "explanation": explanation}


def _result(record: GameRecord) -> dict[str, Any]:
    names = "score", "identified", "wrong_flags", "hits", "opened", "steps", "guesses", "seconds"
    return {"result": record.outcome, **{name: getattr(record, name) for name in names}}


def _show_plain(showing: _Showing) -> None:
    def look(step: Turn) -> None:
        print("\n".join(_block(showing, step)), flush=True)
        pause(showing.seconds)

    print(showing.title, end="\n\n")
    print(*narration.result(showing.play(look)), sep="\n")


def _block(showing: _Showing, step: Turn) -> Iterator[str]:
    """Tell one step in plain text."""
    moves, cells = step.moves, screen.cells(step)
    head = f"Step {moves[0].step}: "
    for told in narration.actions(moves):
        yield head + told
        head = " " * len(head)
    if moves[0].reason:
        yield f"Why: {moves[0].reason}"
    yield from (f"     {line}" for line in showing.explanation(step) or ())
    yield f"Then: {narration.standing(showing.setup, step)}"
    yield board_text(step.after, marked=cells).plain
    beliefs = showing.beliefs(step)
    if beliefs is not None and step.before is not None:
        yield "Believed before:"
        if beliefs.numbers:
            yield beliefs_text(step.before, beliefs.numbers, marked=cells).plain
        yield from beliefs.sentences
        if not beliefs.numbers and not beliefs.sentences:
            yield "nothing that it shows"
    yield ""


def _show_on_terminal(showing: _Showing) -> None:
    """Redraw the board in place, and leave the last step and the result on the terminal."""
    console = Console(highlight=False, soft_wrap=True)
    hint = "Enter: next step, q: quit" if showing.step else ""
    last: tuple[Turn, list[str] | None] | None = None
    record: GameRecord | None = None
    live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False)
    with unechoed(), live:

        def look(step: Turn) -> None:
            nonlocal last
            last = step, showing.explanation(step)
            width, height = console.size
            drawn = screen.frame(
                showing.title,
                showing.setup,
                step,
                beliefs=showing.beliefs(step),
                explanation=last[1],
                width=width,
                height=height,
                hint=hint,
            )
            live.update(drawn, refresh=True)
            if showing.step:
                _wait_for_key()
            pause(showing.seconds)

        with suppress(_Quit):
            record = showing.play(look)
    if last is not None:
        step, explanation = last
        console.print(
            screen.frame(
                showing.title, showing.setup, step, explanation=explanation, width=console.width
            )
        )
    if record is None:
        console.print("Quit before the end.", style="bold")
    else:
        outcome, counts = narration.result(record)
        console.print(outcome, style="bold green" if record.won else "bold red")
        console.print(counts)


def _wait_for_key() -> None:
    """Return at Enter or space."""
    key = None
    while key not in ("\r", "\n", " "):
        key = read_key()
        if key in QUIT:
            raise _Quit


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream leads to a terminal that can be drawn on."""
    return (
        stream is not None and stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
    )


def _read_delay(text: str | None, default: float) -> float:
    try:
        seconds = default if text is None else float(text)
        if 0 <= seconds <= _LONGEST:
            return seconds
    except ValueError:
        pass
    raise ValueError(sentence("--delay", text, f"a number of seconds from 0 to {_LONGEST}"))
