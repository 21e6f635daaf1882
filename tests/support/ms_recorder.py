"""A program that plays clicks by ms-toollib, whose errors end the process.

It reads a board, a version and clicks as JSON. It prints a replay as EVF in
hexadecimal digits if there is a version, and otherwise the final boards of several games.
"""

from __future__ import annotations

import json
import sys

Clicks = list[tuple[str, tuple[int, int]]]


def record(board: list[list[int]], version: int, clicks: Clicks) -> str:
    import ms_toollib as ms

    video = ms.BaseVideo(board, 16)
    video.mode = 0
    for code, (row, col) in clicks:
        if video.game_board_state not in (3, 4):  # won or lost
            video.step(code, (row * 16 + 8, col * 16 + 8))
    video.software, video.player_identifier = "test", "Ada"
    video.race_identifier = video.unique_identifier = ""
    video.country, video.device_uuid = "XX", [1]
    video.use_question = video.use_cursor_pos_lim = video.use_auto_replay = False
    video.is_official, video.is_fair = False, True
    getattr(video, f"generate_evf_v{version}_raw_data")()
    return bytes(video.raw_data).hex()


def play(board: list[list[int]], clicks: Clicks) -> list[list[int]]:
    import ms_toollib as ms

    machine = ms.MinesweeperBoard(board)
    for code, (row, col) in clicks:
        if machine.game_board_state not in (3, 4):
            machine.step(code, (row, col))
    found: list[list[int]] = machine.game_board
    return found


def main() -> None:
    question = json.load(sys.stdin)
    board, version, clicks = (question[name] for name in ("board", "version", "clicks"))
    if version is None:
        print(json.dumps([play(board, game) for game in clicks]))
    else:
        print(json.dumps(record(board, version, clicks)))


if __name__ == "__main__":
    main()
