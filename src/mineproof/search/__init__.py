"""Choosing a move when none is certain, and optimal play on small boards."""

from mineproof.search.advice import Advice, advise, dead_cells, fifty_fifties
from mineproof.search.optimal import Optimum, optimal

__all__ = ["Advice", "Optimum", "advise", "dead_cells", "fifty_fifties", "optimal"]
