"""A Minesweeper inference laboratory: play, infer exactly, compare agents.

Examples
--------
>>> from mineproof import Game, agents, play
>>> record = play(Game.level("easy", seed=1), agents.get("random"), seed=1)
>>> record.opened + record.hits > 0
True
"""

from mineproof import agents
from mineproof.agents import Action, Agent, Beliefs, Decision
from mineproof.batches import AgentFailed
from mineproof.board import LEVELS, Board, Level
from mineproof.chains import Chains, Influence, Link, chains_of, influence_of
from mineproof.comparison import Result, compare
from mineproof.deduction import (
    Advice,
    Doubt,
    Hint,
    Pressure,
    Proof,
    Step,
    Technique,
    advise,
    explain,
    explain_all,
    hints,
)
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.game import Game, Outcome, Rules
from mineproof.games import FixedBoards, RandomBoards
from mineproof.inference import Best, Budget, Effort, Posterior, Solver, infer
from mineproof.model import Channel, Prior
from mineproof.observation import (
    CLOSED,
    EXPLODED,
    FLAGGED,
    KNOWN_SAFE,
    NO_CLUE,
    Observation,
)
from mineproof.play import play, play_many
from mineproof.random import Random
from mineproof.records import GameRecord, MoveRecord
from mineproof.setup import Setup
from mineproof.topology import Cell, Topology
from mineproof.version import __version__

__all__ = [
    "CLOSED",
    "EXPLODED",
    "FLAGGED",
    "KNOWN_SAFE",
    "LEVELS",
    "NO_CLUE",
    "Action",
    "Advice",
    "Agent",
    "AgentFailed",
    "Beliefs",
    "Best",
    "Board",
    "Budget",
    "BudgetExceeded",
    "Cell",
    "Chains",
    "Channel",
    "Contradiction",
    "Decision",
    "Doubt",
    "Effort",
    "FixedBoards",
    "Game",
    "GameRecord",
    "Hint",
    "Influence",
    "Level",
    "Link",
    "MoveRecord",
    "Observation",
    "Outcome",
    "Posterior",
    "Pressure",
    "Prior",
    "Proof",
    "Random",
    "RandomBoards",
    "Result",
    "Rules",
    "Setup",
    "Solver",
    "Step",
    "Technique",
    "Topology",
    "__version__",
    "advise",
    "agents",
    "chains_of",
    "compare",
    "explain",
    "explain_all",
    "hints",
    "infer",
    "influence_of",
    "play",
    "play_many",
]
