"""Tournaments: the agents of a folder, checked, played within limits, ranked and reported."""

from mineproof.tournament.archive import kept_seed
from mineproof.tournament.entrant import Entrant, Failure
from mineproof.tournament.games import TournamentGames
from mineproof.tournament.limits import Limits
from mineproof.tournament.page import tournament_page
from mineproof.tournament.run import Standing, entrants, play_tournament, standings

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
