"""Choosing a move when none is certain, optimal play on small boards, judging finished games."""

from mineproof.search.advice import Advice, advise, dead_cells, fifty_fifties
from mineproof.search.guesses import (
    Chance,
    Guess,
    best_guess,
    chances_to_win,
    weigh_guesses,
)
from mineproof.search.optimal import Optimum, optimal
from mineproof.search.review import Judged, Review, review

__all__ = [
    "Advice",
    "Chance",
    "Guess",
    "Judged",
    "Optimum",
    "Review",
    "advise",
    "best_guess",
    "chances_to_win",
    "dead_cells",
    "fifty_fifties",
    "optimal",
    "review",
    "weigh_guesses",
]
