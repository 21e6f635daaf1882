"""Choosing a move when none is certain, optimal play on small boards, judging finished games."""

from mineproof.search.advice import Advice, advise, dead_cells, fifty_fifties
from mineproof.search.guesses import Guess, weigh_guesses
from mineproof.search.optimal import Optimum, optimal
from mineproof.search.review import Judged, Review, review

__all__ = [
    "Advice",
    "Guess",
    "Judged",
    "Optimum",
    "Review",
    "advise",
    "dead_cells",
    "fifty_fifties",
    "optimal",
    "review",
    "weigh_guesses",
]
