"""Proofs: why a cell is certain, step by step, and hints that lead there."""

from mineproof.proofs.doubt import Doubt, Pressure
from mineproof.proofs.explain import explain, explain_all
from mineproof.proofs.hints import Hint, hints
from mineproof.proofs.proof import Proof, Step, Technique

__all__ = [
    "Doubt",
    "Hint",
    "Pressure",
    "Proof",
    "Step",
    "Technique",
    "explain",
    "explain_all",
    "hints",
]
