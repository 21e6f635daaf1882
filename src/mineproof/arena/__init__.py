"""Agents at play: single games, comparisons on the same boards, and the contract of agents."""

from mineproof.arena.batches import AgentFailed
from mineproof.arena.boards import FixedBoards, Games, RandomBoards
from mineproof.arena.compare import Result, compare
from mineproof.arena.contract import broken_promises
from mineproof.arena.play import Turn, play, play_many

__all__ = [
    "AgentFailed",
    "FixedBoards",
    "Games",
    "RandomBoards",
    "Result",
    "Turn",
    "broken_promises",
    "compare",
    "play",
    "play_many",
]
