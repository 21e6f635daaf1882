"""The colour of a chain's length, from pale where chains begin to dark where they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mineproof.draw.looks import Colour, hexadecimal

__all__ = ["SCALE", "Depth"]

SCALE: Final[tuple[Colour, ...]] = (
    (255, 251, 219),
    (199, 233, 180),
    (83, 184, 196),
    (34, 94, 168),
    (16, 30, 92),
)
"""From the shortest chain to the longest."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep a cell lies in its chain.

    Parameters
    ----------
    length
        The length of its chain.
    longest
        The longest of all, which is the darkest.

    Examples
    --------
    >>> Depth(0, 12).paper, Depth(0, 12).ink
    ('#fffbdb', '#1d2128')
    >>> Depth(12, 12).paper, Depth(12, 12).ink
    ('#101e5c', '#ffffff')
    """

    length: int
    longest: int

    @property
    def colour(self) -> Colour:
        """The colour between pale and dark."""
        step, share = divmod(self.length * (len(SCALE) - 1) / max(self.longest, 1), 1)
        low, high = SCALE[int(step)], SCALE[min(int(step) + 1, len(SCALE) - 1)]
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
        return red, green, blue

    @property
    def paper(self) -> str:
        """What the cell is painted with."""
        return hexadecimal(self.colour)

    @property
    def ink(self) -> str:
        """Dark or light, whichever reads better on it."""
        red, green, blue = self.colour
        return "#1d2128" if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"
