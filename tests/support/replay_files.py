"""Replays that ms-toollib writes, and what it makes of clicks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from mineproof import Board, Transcript

__all__ = ["Clicks", "clicks_of", "evf", "final_boards"]

RECORDER = Path(__file__).with_name("ms_recorder.py")
Clicks: TypeAlias = list[tuple[str, tuple[int, int]]]


def evf(board: Board, clicks: Clicks, version: int = 4) -> bytes:
    """Return a replay of the clicks of a game that is over."""
    return bytes.fromhex(_answer(board=_numbers(board), version=version, clicks=clicks))


def final_boards(board: Board, games: list[Clicks]) -> list[list[list[int]]]:
    """Return what each game shows at the end, in the codes of ms-toollib."""
    found: list[list[list[int]]] = _answer(board=_numbers(board), version=None, clicks=games)
    return found


def _numbers(board: Board) -> list[list[int]]:
    numbers: list[list[int]] = np.where(board.layout, -1, board.counts).tolist()
    return numbers


def _answer(**question: Any) -> Any:
    pytest.importorskip("ms_toollib")
    command = [sys.executable, str(RECORDER)]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def clicks_of(transcript: Transcript) -> Clicks:
    """The clicks that make the moves of a game."""
    codes = {"open": ("lc", "lr"), "chord": ("lc", "cc", "rr", "lr")}
    return [
        (code, move.cell)
        for move in transcript.moves
        for code in codes.get(move.kind, ("rc", "rr"))
    ]
