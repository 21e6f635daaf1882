"""Chains of influence: what settled what, how far belief travels, and boards with long chains."""

from mineproof.chains.belief import Influence, influence_of, influences
from mineproof.chains.games import chains_of
from mineproof.chains.graph import Chains, Link
from mineproof.chains.search import LongChain, search_long_chain

__all__ = [
    "Chains",
    "Influence",
    "Link",
    "LongChain",
    "chains_of",
    "influence_of",
    "influences",
    "search_long_chain",
]
