"""Exact inference: the chance that each closed cell is a mine."""

from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference.many import Risks, infer_many
from mineproof.inference.posterior import (
    Best,
    Budget,
    Effort,
    Posterior,
    Settings,
    Solver,
    fits,
    infer,
)

__all__ = [
    "Best",
    "Budget",
    "BudgetExceeded",
    "Contradiction",
    "Effort",
    "Posterior",
    "Risks",
    "Settings",
    "Solver",
    "fits",
    "infer",
    "infer_many",
]
