"""The suite of positions with their layout counts, in tests/positions: our perft.

A position is a block of lines: its name, the number of layouts that fit, options where they are
not the defaults (flags, channel), and the text of the observation. No header means that the mine
total is not told. Zero layouts stand for a contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import oracle
import pytest

from mineproof import Channel, Contradiction, Observation, infer

SUITE = Path(__file__).parent / "positions"
CODES = {".": -1, "F": -2, "?": -3, "*": -4, "s": -5}


@dataclass(frozen=True)
class Position:
    name: str
    layouts: int
    text: str
    flags: Literal["ignore", "trust"] = "ignore"
    channel: str = "exact"

    def question(self) -> oracle.Question:
        """The same position for the oracle, read independently."""
        lines = self.text.split("\n")
        header = [int(number) for number in lines[0].split("x")] if "x" in lines[0] else None
        cells = tuple(
            tuple(int(symbol) if symbol.isdigit() else CODES[symbol] for symbol in line)
            for line in lines[header is not None :]
        )
        kind, _, value = self.channel.partition(":")
        channel = oracle.lost(Fraction(value)) if kind == "lost" else getattr(oracle, kind)()
        return oracle.Question(
            cells=cells,
            prior="unknown" if header is None else "total",
            value=None if header is None else header[2],
            channel=channel,
            trust=self.flags == "trust",
        )


def read_suite(path: Path) -> list[Position]:
    positions = []
    for block in path.read_text().split("\n\n"):
        lines = [line for line in block.strip().split("\n") if not line.startswith("#")]
        options: dict[str, Any] = dict(line.split(": ") for line in lines if ": " in line)
        grid = "\n".join(line for line in lines if ": " not in line)
        if grid:
            layouts = int(options.pop("layouts"))
            positions.append(Position(layouts=layouts, text=grid, **options))
    return positions


POSITIONS = [position for path in sorted(SUITE.glob("*.txt")) for position in read_suite(path)]
named = pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)


def count_with_oracle(position: Position) -> int:
    question = position.question()
    if position.channel == "exact":
        return sum(oracle.count_by_total(question).values())
    return len(oracle.answer(question).layouts)


def test_the_suite_is_there() -> None:
    assert len(POSITIONS) >= 40
    assert len({position.name for position in POSITIONS}) == len(POSITIONS)


@named
def test_layouts(position: Position) -> None:
    observation = Observation.from_text(position.text)
    channel, flags = Channel.parse(position.channel), position.flags
    if position.layouts == 0:
        with pytest.raises(Contradiction):
            infer(observation, channel=channel, flags=flags)
    else:
        assert infer(observation, channel=channel, flags=flags).layouts == position.layouts


@pytest.mark.parametrize(
    "position",
    [position for position in POSITIONS if len(position.question().unknown()) <= 12],
    ids=lambda position: position.name,
)
def test_the_suite_itself_by_brute_force(position: Position) -> None:
    assert len(oracle.answer(position.question()).layouts) == position.layouts


@pytest.mark.long
@named
def test_the_suite_itself_by_backtracking(position: Position) -> None:
    assert count_with_oracle(position) == position.layouts
