"""Files of games, boards and positions: in the text of mineproof, and in formats of others."""

from mineproof.formats.files import Entry, read_boards, read_entries, read_positions
from mineproof.formats.formats import FORMATS, write_entry

__all__ = [
    "FORMATS",
    "Entry",
    "read_boards",
    "read_entries",
    "read_positions",
    "write_entry",
]
