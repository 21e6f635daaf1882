"""Exact inference: the chance that each closed cell is a mine."""

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
