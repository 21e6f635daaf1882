"""A program that reads a replay by ms-toollib, whose errors end the process.

``python replay_reader.py evf`` reads a replay from standard input and prints JSON.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any, Final

__all__ = ["read"]

_MEMORY: Final = 2 * 2**30
"""The most memory that a replay may take; a damaged one may ask for any amount."""


def read(data: bytes, kind: str) -> dict[str, Any]:
    """Return the board of a replay and the clicks that changed it."""
    import ms_toollib

    video = getattr(ms_toollib, f"{kind.capitalize()}Video")("", list(data))
    video.parse()
    video.analyse()
    board = video.board if isinstance(video.board, list) else video.board.into_vec_vec()
    size = getattr(video, "pix_size", 16)
    clicks = []
    for event in video.events:
        if event.useful_level and event.event.is_mouse():
            mouse = event.event.unwrap_mouse()
            row, col = mouse.y // size, mouse.x // size
            flagged = event.next_game_board.game_board[row][col] == 11
            clicks.append([row, col, flagged])
    return {
        "rows": video.row,
        "cols": video.column,
        "mines": [
            [row, col]
            for row, codes in enumerate(board)
            for col, code in enumerate(codes)
            if code < 0
        ],
        "clicks": clicks,
        "player": video.player_identifier,
    }


if __name__ == "__main__":
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    print(json.dumps(read(sys.stdin.buffer.read(), sys.argv[1])))
