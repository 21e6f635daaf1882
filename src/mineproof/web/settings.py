"""The limits of a server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mineproof.arena.workers import cores

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The files and the limits of a server.

    Parameters
    ----------
    games
        The file that keeps the games; None keeps them in memory.
    hosts
        Names by which the server may be reached, in addition to addresses and ``localhost``.
    agents
        Agents to offer in addition to the registered ones, such as ``path/to/file.py:Class``.
    reports
        The directory of generated reports to show, if any.
    most_games
        How many games are kept; after that, the client with the most loses one for each new one.
    most_live
        How many games are kept in memory, too.
    most_cells, most_side
        The largest board.
    most_bytes
        The largest request.
    workers
        How many processes think and analyse at most.
    most_waiting
        How many requests may wait for a worker; whoever would be the last one is refused.
    agent_seconds, analysis_seconds, job_seconds
        How long an agent may think about a move, and how long an analysis may take, or one that
        reports its progress and can be cancelled. Each may wait as long for a worker.
    """

    games: Path | None = None
    hosts: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    reports: Path | None = None
    most_games: int = 10_000
    most_live: int = 400
    most_cells: int = 250_000
    most_side: int = 1_000
    most_bytes: int = 2_000_000
    workers: int = max(2, min(cores(), 8))
    most_waiting: int = 64
    agent_seconds: float = 20.0
    analysis_seconds: float = 60.0
    job_seconds: float = 300.0
