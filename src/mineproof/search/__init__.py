"""Choosing a move where none is certain."""

from mineproof.search.advice import Advice, advise

__all__ = ["Advice", "advise"]
