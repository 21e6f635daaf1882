"""Proofs: why a cell is certain, step by step, and hints that lead to certain moves."""

from mineproof.proofs.explain import explain, explain_all, prove
from mineproof.proofs.hints import Hint, hints
from mineproof.proofs.proof import Assumptions, Doubt, OpenCell, Pressure, Proof, Step, Technique

__all__ = [
    "Assumptions",
    "Doubt",
    "Hint",
    "OpenCell",
    "Pressure",
    "Proof",
    "Step",
    "Technique",
    "explain",
    "explain_all",
    "hints",
    "prove",
]
