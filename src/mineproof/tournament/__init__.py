"""Tournaments: the agents of a folder, checked, played within limits, ranked and reported."""

from mineproof.tournament.page import tournament_page
from mineproof.tournament.process import Limits
from mineproof.tournament.run import (
    Entrant,
    Failure,
    Standing,
    TournamentGames,
    entrants,
    kept_seed,
    play_tournament,
    standings,
)

__all__ = [
    "Entrant",
    "Failure",
    "Limits",
    "Standing",
    "TournamentGames",
    "entrants",
    "kept_seed",
    "play_tournament",
    "standings",
    "tournament_page",
]
