"""The game: boards, games in play, and the records of finished games."""

from mineproof.game.board import Board
from mineproof.game.game import Game, Outcome
from mineproof.game.measures import Difficulty, Measures, difficulty, measure
from mineproof.game.move import Claim, Move
from mineproof.game.no_guess import no_guess_board
from mineproof.game.notation import Transcript
from mineproof.game.records import GameRecord
from mineproof.game.report_presets import PRESETS, Preset

__all__ = [
    "PRESETS",
    "Board",
    "Claim",
    "Difficulty",
    "Game",
    "GameRecord",
    "Measures",
    "Move",
    "Outcome",
    "Preset",
    "Transcript",
    "difficulty",
    "measure",
    "no_guess_board",
]
