"""Exact inference: the chance of a mine under every closed cell."""

from mineproof.inference.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import Best, Budget, Effort, Posterior, Solver, infer

__all__ = [
    "Best",
    "Budget",
    "BudgetExceeded",
    "Contradiction",
    "Effort",
    "Posterior",
    "Solver",
    "infer",
]
