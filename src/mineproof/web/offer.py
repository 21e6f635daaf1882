"""The choices for a new game: levels, and the presets of the five reports."""

from __future__ import annotations

import secrets
from typing import Any, Final, Literal

from mineproof.game import Transcript
from mineproof.game.report_presets import PRESETS
from mineproof.position import LEVELS, Channel, Rules, Setup, Topology, mines_at
from mineproof.random import check_seed
from mineproof.web.errors import Refused
from mineproof.web.models import LevelShown, NewGame, PresetShown
from mineproof.web.settings import Settings

__all__ = ["begin", "check_size", "levels", "presets"]

_SEEDS: Final = 2**53
"""Seeds are drawn below this number, so that any program reads them exactly."""


def levels() -> list[LevelShown]:
    """Return all levels by name."""
    return [
        LevelShown(name=name, rows=level.topology.rows, cols=level.topology.cols, mines=level.mines)
        for name, level in LEVELS.items()
    ]


def begin(asked: NewGame, settings: Settings) -> Transcript:
    """Return the beginning of a game, or refuse its conditions in one sentence."""
    size = (asked.rows, asked.cols, asked.mines, asked.density)
    try:
        if asked.level is not None or size == (None,) * 4:
            if size != (None,) * 4:
                raise ValueError("level: cannot be used with rows, cols, mines or density")
            setup = Setup.level(asked.level or "beginner")
            topology, mines = setup.topology, setup.mines
        elif asked.rows is None or asked.cols is None:
            raise ValueError("rows and cols: both are needed")
        else:
            check_size(asked.rows, asked.cols, settings)
            topology = Topology(asked.rows, asked.cols)
            if (asked.mines is None) == (asked.density is None):
                raise ValueError("a random board needs either mines or density")
            density = asked.density or 0.0
            mines = mines_at(density, topology.cells) if asked.mines is None else asked.mines
        rules = Rules(asked.start, asked.on_mine, asked.cascade, asked.given_safe)
        channel = Channel.parse(asked.channel)
        if asked.no_guess and (rules.start == "any" or not channel.is_exact):
            raise ValueError("no_guess: needs start safe or zero, and exact clues")
        seed = secrets.randbelow(_SEEDS) if asked.seed is None else check_seed(asked.seed)
        first: Literal["open"] | None = None if rules.start == "any" else "open"
        return Transcript(topology, mines, rules, channel, seed, first=first)
    except (ValueError, OverflowError) as error:
        raise Refused(422, f"{error}.") from None


def check_size(rows: int, cols: int, settings: Settings) -> None:
    """Refuse a board that is too large for the server."""
    most = settings.most_side
    if not (0 < rows <= most and 0 < cols <= most):
        raise Refused(422, f"rows, cols: must be from 1 to {most:,}.")
    if rows * cols > settings.most_cells:
        raise Refused(422, f"rows, cols: at most {settings.most_cells:,} cells in all.")


def presets() -> list[PresetShown]:
    """Return the conditions of the reports, each with its agents and a size that it shows."""
    return [
        _preset("R0", "R0 ideas I and II", (10, 10, 10), ["noisy-or", "components"]),
        _preset("R0", "R0 idea III", (10, 10, 10), ["clue-heap"]),
        _preset("R1", "R1", (7, 7, 5), ["weights"]),
        _preset("R2", "R2", None, ["logic"], levels=["easy", "medium", "hard"]),
        _preset("R3", "R3", (10, 10, 20), ["border", "basic"]),
        _preset("R4", "R4", (10, 10, 20), ["basic:eight", "projection:eight"], side_by_side=True),
    ]


_NOTES: Final = {
    "R0 ideas I and II": "Play goes on after a mine. The agent shows its table of numbers.",
    "R0 idea III": "Starts at a zero; play goes on after a mine.",
    "R1": "A mine ends the game. The agent shows its weights.",
    "R2": "Some safe cells are given, nothing cascades, and the agent never guesses.",
    "R3": "Play goes on after a mine. Switch the total, split borders and uncertain clues.",
    "R4": "The basic and the improved agent play the same board side by side.",
}


def _preset(
    name: str,
    title: str,
    size: tuple[int, int, int] | None,
    agents: list[str],
    *,
    levels: list[str] | None = None,
    side_by_side: bool = False,
) -> PresetShown:
    preset = PRESETS[name]
    game: dict[str, Any] = {
        "start": preset.start(agents),
        "on_mine": preset.on_mine,
        "cascade": preset.cascade,
    }
    if size is None:
        cells = LEVELS["easy"].topology.cells
        game |= {"level": "easy", "given_safe": preset.given_safe(cells)}
    else:
        rows, cols, mines = size
        game |= {"rows": rows, "cols": cols, "mines": mines}
    return PresetShown(
        name=title,
        title=preset.report,
        note=_NOTES[title],
        game=game,
        agents=agents,
        levels=levels or [],
        side_by_side=side_by_side,
    )
