"""Playing games with agents, comparing agents on the same boards, and the contract of agents."""

from mineproof.arena.boards import FixedBoards, Games, RandomBoards
from mineproof.arena.bulk import play_seeds
from mineproof.arena.compare import ComparisonStopped, Result, compare
from mineproof.arena.contract import broken_promises
from mineproof.arena.play import AgentFailed, Turn, play, play_many
from mineproof.arena.signatures import code_of

__all__ = [
    "AgentFailed",
    "ComparisonStopped",
    "FixedBoards",
    "Games",
    "RandomBoards",
    "Result",
    "Turn",
    "broken_promises",
    "code_of",
    "compare",
    "play",
    "play_many",
    "play_seeds",
]
