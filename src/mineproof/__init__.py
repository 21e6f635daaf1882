"""A Minesweeper inference laboratory: play, infer exactly, explain, compare agents.

These are the names that most programs need. The rest is public in its package:
`mineproof.position`, `inference`, `proofs`, `game`, `chains`, `search`, `draw`,
`agents`, `arena` and `lab`.

Examples
--------
>>> from mineproof import Game, agents, play
>>> record = play(Game.level("easy", seed=1), agents.get("random"), seed=1)
>>> record.opened + record.hits > 0
True
"""

from mineproof import agents
from mineproof.agents import Action, Agent, Decision
from mineproof.arena import FixedBoards, RandomBoards, Result, compare, play, play_many
from mineproof.cancel import Cancel, Cancelled
from mineproof.game import (
    LEVELS,
    Board,
    Game,
    GameRecord,
    MoveRecord,
    Outcome,
    Rules,
    Setup,
    Transcript,
)
from mineproof.inference import (
    Budget,
    BudgetExceeded,
    Contradiction,
    Posterior,
    Solver,
    infer,
)
from mineproof.position import Cell, CellCode, Channel, Observation, Prior, Topology
from mineproof.proofs import Proof, explain
from mineproof.statistics import Estimate

__version__ = "0.1.0"

__all__ = [
    "LEVELS",
    "Action",
    "Agent",
    "Board",
    "Budget",
    "BudgetExceeded",
    "Cancel",
    "Cancelled",
    "Cell",
    "CellCode",
    "Channel",
    "Contradiction",
    "Decision",
    "Estimate",
    "FixedBoards",
    "Game",
    "GameRecord",
    "MoveRecord",
    "Observation",
    "Outcome",
    "Posterior",
    "Prior",
    "Proof",
    "RandomBoards",
    "Result",
    "Rules",
    "Setup",
    "Solver",
    "Topology",
    "Transcript",
    "__version__",
    "agents",
    "compare",
    "explain",
    "infer",
    "play",
    "play_many",
]
