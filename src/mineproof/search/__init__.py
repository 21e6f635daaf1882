"""Choosing a move when none is certain: whether to guess, and where."""

from mineproof.search.advice import Advice, advise, dead_cells, fifty_fifties

__all__ = ["Advice", "advise", "dead_cells", "fifty_fifties"]
