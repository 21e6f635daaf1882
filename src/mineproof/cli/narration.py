"""A game in words: its conditions, what was decided and why, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from mineproof.arena.play import Turn
from mineproof.arguments import counted, percent
from mineproof.game.game import Rules
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.game.setup import Setup
from mineproof.position.observation import CellCode
from mineproof.position.topology import Cell

__all__ = ["actions", "conditions", "conditions_of", "result", "standing"]

_MOST_CELLS = 8
"""How many cells are named before the rest is counted; the board marks all of them."""


def conditions(setup: Setup) -> str:
    """Tell the size and the rules, those that are usual left out.

    Examples
    --------
    >>> conditions(Setup.level("expert"))
    '16 rows, 30 columns, 99 mines, start safe'
    """
    channel = "exact" if setup.channel.is_exact else setup.channel.name
    return conditions_of(setup.rows, setup.cols, setup.mines, setup.rules, channel)


def conditions_of(rows: int, cols: int, mines: int, rules: Rules, channel: str) -> str:
    """Tell conditions of which there is no more than what a record holds.

    Examples
    --------
    >>> conditions_of(1, 5, 2, Rules(cascade=False), "lost:0.5")
    '1 row, 5 columns, 2 mines, start safe, no cascade, clues lost:0.5'
    """
    words = [counted(rows, "row"), counted(cols, "column")]
    words += [counted(mines, "mine"), f"start {rules.start}"]
    if rules.on_mine == "continue":
        words += ["play goes on after a mine"]
    if not rules.cascade:
        words += ["no cascade"]
    if rules.given_safe:
        words += [f"{counted(rules.given_safe, 'safe cell')} given"]
    if channel != "exact":
        words += [f"clues {channel}"]
    return ", ".join(words)


def actions(moves: Sequence[MoveRecord]) -> Iterator[str]:
    """Tell what was done, like things together, and how sure the agent was of it.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"))
    >>> list(actions(record.moves[:3]))
    ['open (0, 0): certain', 'open (0, 2): a guess, risk 11.69%', 'flag (0, 4): certain']
    """
    for (kind, sure), alike in groupby(moves, key=lambda move: (move.kind, _sureness(move))):
        cells = [(move.row, move.col) for move in alike]
        yield f"{kind} {_named(cells)}" + (f": {sure}" if sure else "")


def standing(setup: Setup, step: Turn) -> str:
    """Tell what a step opened and exploded, and how far the game has come.

    Examples
    --------
    >>> from mineproof import agents, play
    >>> setup, steps = Setup.level("easy"), []
    >>> record = play(setup.game(seed=2), agents.get("exact"), watch=steps.append)
    >>> standing(setup, steps[2])
    'opened 7 cells (17 of 71), 3 flags, 0 hits'
    """
    new, hits = sum(move.opened for move in step.moves), sum(move.hits for move in step.moves)
    seen, cells = step.after, setup.rows * setup.cols
    opened = cells - int(np.count_nonzero(seen.closed)) - seen.exploded
    flags = int(np.count_nonzero(seen.cells == CellCode.FLAGGED))
    return ", ".join(
        [
            f"opened {counted(new, 'cell')} ({opened:,} of {cells - setup.mines:,})",
            *([f"{counted(hits, 'mine')} exploded"] if hits else []),
            counted(flags, "flag"),
            counted(seen.exploded, "hit"),
        ]
    )


def result(record: GameRecord) -> list[str]:
    r"""Tell how the game ended, with every count but the time, which does not repeat.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> print(*result(play(Game.level("easy", seed=2), agents.get("exact"))), sep="\n")
    Result: won, score 1.000, identified 10 of 10 mines, wrong flags 0
    hits 0, opened 71, steps 6, guesses 1
    """
    found = f"identified {record.identified} of {counted(record.mines, 'mine')}"
    counts = "hits", "opened", "steps", "guesses"
    return [
        f"Result: {record.outcome}, score {record.score:.3f}, {found}, "
        f"wrong flags {record.wrong_flags}",
        ", ".join(f"{name} {getattr(record, name)}" for name in counts),
    ]


def _sureness(move: MoveRecord) -> str:
    if move.certain:
        return "certain"
    words = [] if move.kind == "unflag" else ["a guess" if move.guess else "not certain"]
    if move.risk is not None:
        risk = move.risk
        words += [f"risk {risk:.0%}" if risk in (0, 1) else f"risk {percent(risk, digits=2)}"]
    return ", ".join(words)


def _named(cells: Sequence[Cell]) -> str:
    rest = len(cells) - _MOST_CELLS
    named = ", ".join(map(str, cells[:_MOST_CELLS]))
    return f"{named} and {rest} more" if rest > 0 else named
