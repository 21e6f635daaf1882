"""`mineproof watch`: one game, step by step."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

import click
import numpy as np
from rich.live import Live

from mineproof.agents import Agent, Beliefs
from mineproof.agents.exact import ExactAgent
from mineproof.agents.seat import beliefs_of
from mineproof.arena import Turn, narration, play
from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.completion import agent_names
from mineproof.cli.output import Console, print_wrapped, wrapped
from mineproof.cli.positions import number_option, one_entry, started
from mineproof.cli.terminal import QUIT, cells, frame, pause, read_key, unechoed
from mineproof.draw import beliefs_text, board_text
from mineproof.draw.boards import looks_text
from mineproof.draw.looks import Looks
from mineproof.draw.terminal import harmless
from mineproof.game import PRESETS, Game, Move, Outcome, Transcript
from mineproof.position import Cell, CellCode, Observation
from mineproof.position.cells import is_open
from mineproof.writing import write_whole

_TERMINAL_DELAY: Final = 0.4
_GOOD_GAME: Final = ("intermediate", 365)
"""A level and a seed: `exact` opens much at once, guesses twice, late, and wins."""


_COUNTS: Final = (
    *("score", "identified", "wrong_flags", "hits", "opened", "steps", "guesses", "seconds"),
)


@click.command(cls=options.BoardCommand)
@click.argument("file", required=False, type=options.FILE)
@click.option(
    "--agent",
    type=options.agent,
    metavar="NAME",
    shell_complete=agent_names,
    help="Who plays: a name that `mineproof agents` lists, or path/to/file.py:Class. Default: "
    "exact.",
)
@options.board
@options.preset
@options.seed
@number_option
@click.option(
    "--save",
    type=options.OUT,
    metavar="OUT",
    help="Write the game to this file, which `mineproof watch` and other commands read.",
)
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
    file: str | None,
    agent: Agent | None,
    board: options.BoardOptions,
    preset: str | None,
    seed: int | None,
    number: int | None,
    save: Path | None,
    beliefs: bool,
    explain: bool,
    step: bool,
    delay: float | None,
    as_json: bool,
) -> None:
    """Watch an agent play a game, or replay one, step by step.

    The moves of the last step are in brackets. A step is one decision of one or more actions. If
    the output is not a terminal, each step is a block of plain text. With --json the first line has
    the conditions, each action is an object on a line of its own, and the last line has the
    outcome. A lost game shows its mines.

    FILE is a game, a board or a position as text or in a format that `mineproof convert --help`
    lists; - is standard input. A game is replayed. If an agent is given, it continues a game that
    is not over, on the same board, and plays a game that is over again from its start. On a board
    the agent plays. From a position it continues, with hidden mines drawn by the seed from the
    layouts that fit.

    Unless a file, an agent, a seed or a board is given, this shows a good game: exact on level
    intermediate with seed 365, which it wins after two guesses.
    """
    given = {**board.given(options.BOARD + options.RULES), "--preset": preset is not None}
    if not (file or agent or seed is not None or any(given.values())):
        board, seed = replace(board, level=_GOOD_GAME[0]), _GOOD_GAME[1]
    if file is not None:
        options.refuse("FILE", {**board.given(options.SIZE), "--preset": preset is not None})
    if preset is not None:
        board = board.with_preset(PRESETS[preset], [(agent or ExactAgent()).name])
        board = replace(board, given_safe=board.setup(PRESETS[preset]).rules.given_safe)
    entry = None if file is None else one_entry(file, number, board.topology)
    if as_json:
        options.refuse("--json", {"--step": step})
    on_terminal = not as_json and _is_terminal(sys.stdout)
    if step and not (on_terminal and _is_terminal(sys.stdin)):
        raise click.UsageError("--step needs a terminal to read keys from.")
    if delay is None:
        delay = _TERMINAL_DELAY if on_terminal and not step else 0.0
    played: _Playing | _Replay
    if isinstance(entry, Transcript) and agent is None:
        options.refuse("a game in FILE", {**board.given(options.RULES), "--beliefs": beliefs})
        played = _Replay(entry)
    else:
        made: tuple[Move, ...] = ()
        if isinstance(entry, Transcript) and entry.seed is not None:
            seed = entry.seed if seed is None else seed
            made = () if (game := entry.game()).outcome else entry.moves
        if made:
            options.refuse("a game in FILE", board.given(options.RULES))
        else:
            game = started(entry, board, seed or 0, file or "")
        played = _Playing(game, agent or ExactAgent(), seed or 0, made)
    show = _show_json if as_json else _show_on_terminal if on_terminal else _show_plain
    try:
        show(_Show(played, beliefs, explain, step, delay))
    finally:
        if save is not None:
            write_whole(save, played.transcript().to_text() + "\n")


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that can be drawn on."""
    able = os.environ.get("TERM") not in ("dumb", "unknown")
    return stream is not None and stream.isatty() and able


class _Quit(Exception):
    """The user quit before the end of the game."""


class _Ending(NamedTuple):
    """How a game ended: in words, as JSON, whether it is won, and a lost one to show its mines."""

    lines: list[str]
    entry: dict[str, Any]
    won: bool
    lost: Game | None


class _Playing:
    """A game that an agent plays, after the moves that others made."""

    def __init__(self, game: Game, agent: Agent, seed: int, made: Sequence[Move]) -> None:
        agent.check_topology(game.topology)
        self._game, self._agent, self._seed, self._made = game, agent, seed, [*made]
        self._before = len(made)
        self._outcome: Outcome | None = None

    @property
    def title(self) -> str:
        after = f", continued after {counted(self._before, 'move')}" if self._before else ""
        return f"{self._agent.name}: {narration.conditions(self._game)}, seed {self._seed}{after}"

    @property
    def head(self) -> dict[str, Any]:
        """The first line of JSON."""
        return {"agent": self._agent.name, "conditions": narration.conditions_dict(self._game)}

    def play(self, look: Callable[[Turn], None]) -> _Ending:
        def note(turn: Turn) -> None:
            self._made += turn.moves
            look(turn)

        record = play(self._game, self._agent, seed=self._seed, watch=note, begun=True)
        self._outcome = record.outcome
        entry = {"outcome": record.outcome} | {name: getattr(record, name) for name in _COUNTS}
        lost = self._game if record.outcome is Outcome.LOST else None
        return _Ending(narration.outcome(record), entry, record.won, lost)

    def beliefs(self, seen: Observation) -> Beliefs:
        return beliefs_of(self._agent, seen)

    def transcript(self) -> Transcript:
        """Return the game so far."""
        return Transcript.of(self._game, moves=self._made, outcome=self._outcome)


class _Replay:
    """A game that was saved."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._authors = list(dict.fromkeys(move.by for move in transcript.moves if move.by))

    @property
    def title(self) -> str:
        by = ", ".join(self._authors) or "A game"
        return f"{by}: {narration.conditions(self._transcript)}"

    @property
    def head(self) -> dict[str, Any]:
        conditions = narration.conditions_dict(self._transcript)
        return {"agent": ", ".join(self._authors), "conditions": conditions}

    def play(self, look: Callable[[Turn], None]) -> _Ending:
        for turn in narration.replayed(self._transcript):
            look(turn)
        outcome, seen = self._transcript.outcome, self._transcript.observation()
        counts = {
            "hits": seen.exploded,
            "opened": seen.topology.cells - len(seen.closed_cells()) - seen.exploded,
            "steps": sum(moves[0].kind != "wait" for moves in self._transcript.decisions()),
        }
        words = "the game is not over" if outcome is None else outcome.value
        lines = [f"Outcome: {words}", ", ".join(f"{name} {counts[name]}" for name in counts)]
        lost = outcome is Outcome.LOST and self._transcript.seed is not None
        entry = {"outcome": outcome, **counts}
        game = self._transcript.game() if lost else None
        return _Ending(lines, entry, outcome is Outcome.WON, game)

    def beliefs(self, seen: Observation) -> Beliefs:
        return Beliefs()

    def transcript(self) -> Transcript:
        return self._transcript


@dataclass(frozen=True, slots=True)
class _Show:
    """A game, and how to show it."""

    played: _Playing | _Replay
    shows_beliefs: bool
    explain: bool
    step: bool
    delay: float

    def beliefs(self, turn: Turn) -> Beliefs | None:
        """Return what the agent believes, if it is shown and the agent decided this turn."""
        if not self.shows_beliefs or turn.before is None:
            return None
        return self.played.beliefs(turn.before)

    def explanation(self, turn: Turn) -> list[str]:
        return narration.told_together(narration.reasons(turn)) if self.explain else []


def _show_json(show: _Show) -> None:
    def look(turn: Turn) -> None:
        lines = [*_actions(turn)]
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

    print(json.dumps(show.played.head, allow_nan=False))
    ending = show.played.play(look)
    mines = {} if ending.lost is None else {"mines": np.argwhere(ending.lost.board.layout).tolist()}
    print(json.dumps({**ending.entry, **mines}, allow_nan=False))


def _actions(turn: Turn) -> Iterator[dict[str, Any]]:
    """Yield the moves of a turn; each cell that they open has one clue, as seen after the turn."""
    listed: set[Cell] = set()
    for move in turn.moves:
        opened = [
            cell
            for cell, code in move.shows
            if is_open(code)
            and cell not in listed  # A late clue shows its cell again.
            and not (turn.before is not None and is_open(turn.before.code(cell)))
        ]
        listed.update(opened)
        codes = [turn.after.code(cell) for cell in opened]
        claims = {"risk": move.risk, "certain": move.certain, "guess": move.is_guess}
        yield {
            "step": turn.step,
            **({"by": move.by} if move.claim is None else {}),
            "kind": move.kind,
            "cell": list(move.cell),
            **({} if move.claim is None else {**claims, "reason": move.reason}),
            "opened": move.opened,
            "hits": move.hits,
            "clues": [
                {"cell": cell, "clue": None if code < 0 else code}
                for cell, code in zip(opened, codes, strict=True)
            ],
            "exploded": [cell for cell, code in move.shows if code == CellCode.EXPLODED],
        }


def _beliefs(beliefs: Beliefs) -> dict[str, Any]:
    numbers = [{"cell": cell, "number": number} for cell, number in beliefs.numbers.items()]
    return {"numbers": numbers, "sentences": beliefs.sentences}


def _show_plain(show: _Show) -> None:
    def look(turn: Turn) -> None:
        print("\n".join(_block(show, turn)), flush=True)
        pause(show.delay)

    print_wrapped(show.played.title, "")
    ending = show.played.play(look)
    print_wrapped(*ending.lines)
    if ending.lost is not None:
        print(f"\nThe mines:\n{ending.lost}")


def _block(show: _Show, turn: Turn) -> Iterator[str]:
    """Describe one turn in plain text."""
    head = f"{narration.step(turn)}: "
    for action in narration.actions(turn.moves):
        yield from wrapped(head + action, hanging=" " * len(head) if head.strip() else "")
        head = " " * len(head)
    if turn.moves[0].reason:
        yield from wrapped(f"Why: {harmless(turn.moves[0].reason)}", hanging="     ")
    for line in show.explanation(turn):
        yield from wrapped(f"     {line}")
    yield from wrapped(f"Then: {narration.progress(turn)}", hanging="      ")
    yield board_text(turn.after, marked=cells(turn)).plain
    beliefs = show.beliefs(turn)
    if beliefs is not None and turn.before is not None:
        yield "Believed before:"
        if beliefs.numbers:
            yield beliefs_text(turn.before, beliefs.numbers, marked=cells(turn)).plain
        for sentence in beliefs.sentences:
            yield from wrapped(harmless(sentence), hanging="  ")
        if not beliefs.numbers and not beliefs.sentences:
            yield "nothing that it shows"
    yield ""


def _show_on_terminal(show: _Show) -> None:
    """Redraw the board in place, and leave the last turn and the result on the terminal."""
    console = Console(highlight=False, soft_wrap=True)
    hint = "Enter: next step, q: quit" if show.step else ""
    last: tuple[Turn, list[str]] | None = None
    ending: _Ending | None = None

    def look(turn: Turn) -> None:
        nonlocal last
        last = turn, show.explanation(turn)
        width, height = console.size
        drawn = frame(
            show.played.title,
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
        ending = show.played.play(look)
    if last is not None:
        turn, explanation = last
        width = console.width
        console.print(frame(show.played.title, turn, explanation=explanation, width=width))
    if ending is None:
        console.print("Quit before the end.", style="bold")
        return
    outcome, counts = ending.lines
    console.print(outcome, style="bold green" if ending.won else "bold red")
    console.print(counts)
    if ending.lost is not None:
        console.print("\nThe mines:", style="bold")
        console.print(looks_text(Looks.of(ending.lost), width=console.width))


def _wait_for_key() -> None:
    """Return at Enter or space."""
    while (key := read_key()) not in ("\r", "\n", " "):
        if key in QUIT:
            raise _Quit
