"""What is written down of a game: plain values, a column each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["GameRecord", "MoveRecord"]


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One action of a game.

    Parameters
    ----------
    step
        Which decision it belongs to, from 0.
    kind
        open, flag, unflag or chord.
    row, col
        The cell.
    certain
        Whether the agent claimed to know that this is right.
    guess
        Whether it is an opening that was not claimed certain.
    risk
        The chance of a mine that the agent saw in it, where it had one.
    reason
        Why, in the agent's words.
    opened
        Safe cells that it opened, cascades included.
    hits
        Mines that it exploded.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> move = play(Game.level("easy", seed=1), agents.get("exact"), seed=1).moves[0]
    >>> move.kind, (move.row, move.col), move.certain, move.opened
    ('open', (0, 0), True, 1)
    """

    step: int
    kind: str
    row: int
    col: int
    certain: bool
    guess: bool
    risk: float | None
    reason: str
    opened: int
    hits: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its conditions, how it ended, and what was counted.

    Parameters
    ----------
    agent, agent_seed
        Who played, and the seed of its randomness.
    total_told, channel_told
        What it was told.
    seed
        The seed of the game.
    rows, cols, mines, start, on_mine, cascade, given_safe, channel
        The conditions.
    first_row, first_col
        The cell that was opened first by rule; None where the agent chose.
    outcome, won
        How it ended, and whether that counts as won.
    hits
        Mines that exploded.
    opened
        Safe cells opened, cascades and chords included.
    steps, actions
        Decisions, and the actions in them. The first cell is one of each.
    guesses
        Openings not claimed certain; the first cell under ``safe`` and ``zero`` is none.
    certain
        Actions claimed certain.
    identified
        Mines flagged at the end and not exploded; a classic win identifies all.
    wrong_flags
        Flags on safe cells at the end.
    score
        identified / mines; 1 with no mines.
    seconds
        The agent's own time.
    moves
        Every action in order.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"), seed=1)
    >>> record.outcome, record.hits, record.opened, record.guesses
    ('won', 0, 71, 1)
    >>> import json
    >>> json.dumps(record.to_dict())[:33]
    '{"agent": "exact", "agent_seed": '
    """

    agent: str
    agent_seed: int
    total_told: bool
    channel_told: bool
    seed: int
    rows: int
    cols: int
    mines: int
    start: str
    on_mine: str
    cascade: bool
    given_safe: int
    channel: str
    first_row: int | None
    first_col: int | None
    outcome: str
    won: bool
    hits: int
    opened: int
    steps: int
    actions: int
    guesses: int
    certain: int
    identified: int
    wrong_flags: int
    score: float
    seconds: float
    moves: tuple[MoveRecord, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, its moves as a list of such."""
        return {**asdict(self), "moves": [asdict(move) for move in self.moves]}
