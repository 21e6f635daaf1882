"""The colours of drawings, in terminals and in SVG pictures; the page has those of risks too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

BACK: Final = "#fbfbfd"
INK: Final = "#20242b"
MUTED: Final = "#626b79"
AXIS: Final = "#8a92a0"
CLOSED: Final = "#cfd6e2"
FRAME: Final = "#1f5fd0"
"""Frames the best cell, or a clue that matters."""
MARK: Final = "#c2187a"
"""Marks the cell or the path that a picture is about."""
CASE: Final = "#a34700"
"""What holds only in a case of a proof."""

SAFE: Final = "#1c8c44"
"""Still green in a terminal of 16 colours."""
MINE: Final = "#5c1426"
FLAG: Final = "#c62828"
CLUES: Final = (
    "#aab2c0",
    "#2f6fde",
    "#2c8c38",
    "#d63b3b",
    "#6b3fb5",
    "#a4502a",
    "#178388",
    "#3b3f46",
    "#7b8089",
)
"""The colours of the clues, from 0 to 8."""
HEAT: Final = ("#d4edcd", "#faeca6", "#f7be76", "#e87c60", "#cc424a")
"""The colours of an uncertain risk, from low to high."""
DEPTH: Final = ("#fffbdb", "#c7e9b4", "#53b8c4", "#225ea8", "#101e5c")
"""The colours of a chain's length, from 0 to the longest."""


def blend(scale: Sequence[str], share: float) -> str:
    """Return the colour at a share of the way along a scale."""
    step, between = divmod(share * (len(scale) - 1), 1)
    low, high = scale[int(step)], scale[min(int(step) + 1, len(scale) - 1)]
    return blend_rgb(_triplet(low), _triplet(high), between).hex


def ink_on(paper: str) -> str:
    """Return dark or white, whichever reads better on a colour."""
    red, green, blue = _triplet(paper)
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "white"


def _triplet(colour: str) -> ColorTriplet:
    return ColorTriplet(*bytes.fromhex(colour.removeprefix("#")))
