"""Chains of influence: which clues settled which cells, how far, and boards with long chains."""

from mineproof.chains.chains import Chains, Link, Origin, chains_of
from mineproof.chains.influence import Influence, influence_of, influences
from mineproof.chains.long_chains import LongChain, search_long_chain

__all__ = [
    "Chains",
    "Influence",
    "Link",
    "LongChain",
    "Origin",
    "chains_of",
    "influence_of",
    "influences",
    "search_long_chain",
]
