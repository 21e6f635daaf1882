"""What is to be seen of a cell: its code and, where it is closed, a number with its colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof.arguments import percent
from mineproof.position.observation import Observation, is_closed
from mineproof.position.topology import Cell

if TYPE_CHECKING:
    from mineproof.inference.posterior import Posterior

__all__ = [
    "CLUES",
    "HEAT",
    "WINDOW",
    "Colour",
    "Look",
    "Looks",
    "hexadecimal",
    "percent",
    "short",
    "window",
]

Colour = tuple[int, int, int]

# Green stays green where a terminal has only 16 colours.
_SAFE: Final[Colour] = (28, 140, 68)
_MINE: Final[Colour] = (92, 20, 38)
HEAT: Final[tuple[Colour, ...]] = (
    (212, 237, 205),
    (250, 236, 166),
    (247, 190, 118),
    (232, 124, 96),
    (204, 66, 74),
)
"""The colours of a risk that is not certain, from low to high."""
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
WINDOW: Final = 100
"""The most rows or columns that are drawn."""


def short(number: float) -> str:
    """Write any number in four characters, unlike a clue; as 0 or 1 only where it is that.

    Examples
    --------
    >>> [short(number) for number in (0, 0.001, 0.126, 0.999, 1, 1.5, 12.34, 1234, 99999)]
    ['0.00', '<.01', '0.13', '>.99', '1.00', '1.50', '12.3', '1234', '>999']
    """
    if 0 < number < 0.01:
        return "<.01"
    if 0.99 < number < 1:
        return ">.99"
    texts = (f"{number:.2f}", f"{number:.1f}", f"{number:.0f}")
    return next((text for text in texts if len(text) <= 4), ">999" if number > 0 else "<0")


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be seen of one cell.

    Parameters
    ----------
    code
        Its code.
    risk
        From 0 to 1, where it is closed and a number is known.
    certain
        Whether the risk is that for certain.
    label
        The number in at most four characters.
    """

    code: int
    risk: float | None = None
    certain: bool = False
    label: str = ""

    @property
    def heat(self) -> Colour | None:
        """The colour of the risk, of its own for certain cells."""
        if self.risk is None:
            return None
        if self.certain:
            return _MINE if self.risk > 0.5 else _SAFE
        step, share = divmod(self.risk * (len(HEAT) - 1), 1)
        low, high = HEAT[int(step)], HEAT[min(int(step) + 1, len(HEAT) - 1)]
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
        return red, green, blue

    @property
    def ink(self) -> str:
        """Dark or light, whichever reads better on the heat."""
        red, green, blue = self.heat or (255, 255, 255)
        return "#1d2128" if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of all cells of an observation, made one by one when asked for.

    Parameters
    ----------
    observation
        What a player sees.
    number
        The number on a closed cell, NaN where it has none; None where no cell has.
    certain
        The cells whose number is certain.
    best
        The cell of the lowest risk, where that is asked.
    label
        How a number is written in words.
    most
        The number that is drawn as the largest risk.
    legend
        What the letters mean that stand for numbers where there is little room.
    """

    observation: Observation
    number: Callable[[Cell], float] | None = None
    certain: frozenset[Cell] = frozenset()
    best: Cell | None = None
    label: Callable[[float], str] = percent
    most: float = 1.0
    legend: tuple[str, ...] = ()

    @classmethod
    def risks(cls, observation: Observation, posterior: Posterior | None) -> Looks:
        """Show the risks of a posterior, where there is one."""
        if posterior is None:
            return cls(observation)
        return cls(
            observation,
            number=lambda cell: float(posterior.risk[cell]),
            certain=frozenset(posterior.safe) | frozenset(posterior.mined),
            best=None if posterior.best is None else posterior.best.cell,
            legend=("risk a <10%", "b <20%", "... j <100%", "+ safe", "# mine"),
        )

    @classmethod
    def beliefs(cls, observation: Observation, numbers: Mapping[Cell, float]) -> Looks:
        """Show the numbers that an agent has in mind; their colours reach up to the largest."""
        most = max((number for number in numbers.values() if math.isfinite(number)), default=1.0)
        most = max(most, 1.0)
        return cls(
            observation,
            number=lambda cell: numbers.get(cell, math.nan),
            label=short,
            most=most,
            legend=(f"a <{short(most / 10)}", f"b <{short(most / 5)}", f"... j to {short(most)}"),
        )

    def __getitem__(self, cell: Cell) -> Look:
        code = int(self.observation.cells[cell])
        number = self.number(cell) if self.number is not None and is_closed(code) else math.nan
        if math.isnan(number):
            return Look(code)
        risk = min(max(number / self.most, 0.0), 1.0)
        return Look(code, risk, cell in self.certain, self.label(number))


def window(length: int, most: int, centre: int) -> range:
    """Return the part of a row or column around its centre that there is room for.

    Examples
    --------
    >>> window(30, most=10, centre=12), window(30, most=10, centre=1), window(5, most=10, centre=1)
    (range(7, 17), range(0, 10), range(0, 5))
    """
    most = max(most, 1)
    first = max(0, min(centre - most // 2, length - most))
    return range(first, min(first + most, length))


def hexadecimal(colour: Colour) -> str:
    """Write a colour as the web does.

    Examples
    --------
    >>> hexadecimal((255, 0, 16))
    '#ff0010'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
