"""A Minesweeper inference laboratory: play, infer exactly, explain, compare agents.

These are the names that most programs need. The rest is public in its package:
`mineproof.position`, `inference`, `proofs`, `game`, `formats`, `chains`, `search`,
`draw`, `agents`, `arena` and `lab`.

Examples
--------
>>> from mineproof import Game, agents, play
>>> record = play(Game.level("easy", seed=1), agents.get("random"), seed=1)
>>> record.opened + record.hits > 0
True
"""

# Type checkers take this name for true; that of `typing` would have to be imported.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from mineproof import agents
    from mineproof.agents import Action, Agent, Decision
    from mineproof.arena import FixedBoards, RandomBoards, Result
    from mineproof.arena.compare import compare
    from mineproof.arena.play import play, play_many
    from mineproof.cancel import Cancel, Cancelled
    from mineproof.errors import BudgetExceeded, Contradiction, MineproofError
    from mineproof.game import Board, Game, GameRecord, Move, Outcome, Transcript
    from mineproof.inference import Budget, Posterior, Solver, infer
    from mineproof.position import (
        LEVELS,
        Cell,
        CellCode,
        Channel,
        Observation,
        Prior,
        Rules,
        Setup,
        Topology,
    )
    from mineproof.proofs import Proof
    from mineproof.proofs.explain import explain
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
    "MineproofError",
    "Move",
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

_HOMES = {
    "agents": ("Action", "Agent", "Decision"),
    "arena": ("FixedBoards", "RandomBoards", "Result", "compare", "play", "play_many"),
    "cancel": ("Cancel", "Cancelled"),
    "errors": ("BudgetExceeded", "Contradiction", "MineproofError"),
    "chains": (),
    "draw": (),
    "formats": (),
    "game": (*("Board", "Game", "GameRecord", "Move", "Outcome", "Transcript"),),
    "inference": (*("Budget", "Posterior", "Solver", "infer"),),
    "lab": (),
    "position": (
        *("LEVELS", "Cell", "CellCode", "Channel", "Observation", "Prior", "Rules", "Setup"),
        "Topology",
    ),
    "proofs": ("Proof", "explain"),
    "search": (),
    "statistics": ("Estimate",),
}
"""The packages that are imported when they are first used, and their names that are here."""

if not TYPE_CHECKING:

    def __getattr__(name):
        """Import a package, or a name from its package, when it is first used."""
        from importlib import import_module

        for home, names in _HOMES.items():
            if name == home:
                return import_module(f"mineproof.{home}")
            if name in names:
                found = globals()[name] = getattr(import_module(f"mineproof.{home}"), name)
                return found
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")

    def __dir__():
        return sorted({*__all__, *_HOMES})
