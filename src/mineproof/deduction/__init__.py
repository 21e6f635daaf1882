"""Proofs: why a cell is certain, and what is to be said of those that are not."""

from mineproof.deduction.explain import Doubt, Pressure, explain, explain_all
from mineproof.deduction.proof import Proof, Step, Technique

__all__ = ["Doubt", "Pressure", "Proof", "Step", "Technique", "explain", "explain_all"]
