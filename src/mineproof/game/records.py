"""Records of games: plain values, one per column."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mineproof.game.game import Outcome
from mineproof.game.move import Move, move_rows

__all__ = ["GameRecord"]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its conditions, how it ended, and its counts.

    Parameters
    ----------
    agent, agent_seed
        The agent's name, and the seed of its random choices.
    total_told, channel_told
        Whether it was told the number of mines, and the channel.
    seed
        The seed of the game.
    rows, cols, topology, mines, start, on_mine, cascade, given_safe, channel
        The conditions.
    first_row, first_col
        The cell that was opened first by rule; None if the agent chose.
    outcome, won
        How the game ended, and whether it counts as won.
    hits
        The number of mines that exploded.
    opened
        The number of safe cells opened, including cascades and chords.
    steps, actions
        The number of decisions, and of actions in them. The first cell counts as one of each.
    guesses
        The number of openings not claimed certain, without the first cell under ``safe`` and
        ``zero``.
    certain
        The number of actions claimed certain.
    identified
        The number of mines flagged at the end and not exploded; all, if a mine ends the game and
        it is won.
    wrong_flags
        The number of flags on safe cells at the end.
    score
        identified / mines; 1 if there are no mines.
    seconds
        The time that the agent took.
    moves
        All actions in order.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"), seed=1)
    >>> record.outcome, record.hits, record.opened, record.guesses
    (<Outcome.WON: 'won'>, 0, 71, 1)
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
    topology: str
    mines: int
    start: str
    on_mine: str
    cascade: bool
    given_safe: int
    channel: str
    first_row: int | None
    first_col: int | None
    outcome: Outcome
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
    moves: tuple[Move, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a dict of plain values, with a list of dicts for the moves."""
        record = asdict(replace(self, moves=()))
        return {**record, "outcome": self.outcome.value, "moves": [*move_rows(self.moves)]}
