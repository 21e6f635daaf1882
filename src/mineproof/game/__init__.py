"""The game: boards, rules, games in play, and the records of finished games."""

from mineproof.game.board import Board
from mineproof.game.files import Entry, read_boards, read_entries, read_positions
from mineproof.game.formats import FORMATS, write_entry
from mineproof.game.game import Game, Outcome
from mineproof.game.levels import LEVELS, Level
from mineproof.game.measures import Difficulty, Measures, difficulty, measure
from mineproof.game.no_guess import no_guess_board
from mineproof.game.notation import Move, Transcript
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.game.report_presets import PRESETS, Preset
from mineproof.game.setup import Setup
from mineproof.position.rules import OnMine, Rules, Start

__all__ = [
    "FORMATS",
    "LEVELS",
    "PRESETS",
    "Board",
    "Difficulty",
    "Entry",
    "Game",
    "GameRecord",
    "Level",
    "Measures",
    "Move",
    "MoveRecord",
    "OnMine",
    "Outcome",
    "Preset",
    "Rules",
    "Setup",
    "Start",
    "Transcript",
    "difficulty",
    "measure",
    "no_guess_board",
    "read_boards",
    "read_entries",
    "read_positions",
    "write_entry",
]
