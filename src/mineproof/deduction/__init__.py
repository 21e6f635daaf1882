"""Proofs: why a cell is certain, and what is to be said of those that are not."""

from mineproof.deduction.advice import Advice, advise
from mineproof.deduction.doubt import Doubt, Pressure
from mineproof.deduction.explain import explain, explain_all
from mineproof.deduction.hints import Hint, hints
from mineproof.deduction.proof import Proof, Step, Technique

__all__ = [
    "Advice",
    "Doubt",
    "Hint",
    "Pressure",
    "Proof",
    "Step",
    "Technique",
    "advise",
    "explain",
    "explain_all",
    "hints",
]
