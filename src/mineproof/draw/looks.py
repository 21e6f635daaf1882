"""What is shown of each cell, in any drawing: its code, and on closed cells a risk or belief."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mineproof.arguments import percent
from mineproof.draw.palette import HEAT, MINE, SAFE, blend, ink_on
from mineproof.draw.terminal import SYMBOLS
from mineproof.game import Board, Game
from mineproof.inference import Posterior
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell


@dataclass(frozen=True, slots=True)
class Look:
    """What a drawing shows of one cell.

    A risk from 0 to 1 if it is closed and has a number, whether that is certain, and the number
    in at most four characters.

    Examples
    --------
    >>> look = Look(-1, 0.074, label="7%")
    >>> look.text(4), look.text(2), look.text(1)
    ('7%', '07', 'a')
    """

    code: int
    risk: float | None = None
    certain: bool = False
    label: str = ""

    @property
    def mine(self) -> bool:
        """Whether the cell is certainly a mine."""
        return self.certain and self.risk is not None and self.risk > 0.5

    @property
    def paper(self) -> str | None:
        """The colour of the number; certain cells have colours of their own."""
        if self.risk is None:
            return None
        if self.certain:
            return MINE if self.mine else SAFE
        return blend(HEAT, self.risk)

    @property
    def style(self) -> str:
        """The colours in a terminal, as Rich writes them."""
        if self.paper is None:
            return SYMBOLS[self.code][1]
        return f"{'bold white' if self.certain else ink_on(self.paper)} on {self.paper}"

    def text(self, size: int) -> str:
        """Write the cell in at most 4, 2 or 1 characters."""
        if self.certain:
            return ("mine" if self.mine else "safe") if size == 4 else "#" if self.mine else "+"
        if self.risk is None:
            return SYMBOLS[self.code][0]
        if size == 4:
            return self.label
        # Always two digits, unlike a clue.
        digits = percent(self.risk).strip(">%").zfill(2)
        return digits if size == 2 else "abcdefghij"[min(int(self.risk * 10), 9)]


_CERTAIN: Final = ("+ safe", "# mine")
_RISK_SIZES: Final[Mapping[int, tuple[str, ...]]] = {
    4: (),
    2: ("07 risk 7%", *_CERTAIN),
    1: ("risk a <10%", "b <20%", "... j <100%", *_CERTAIN),
}


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of all cells of an observation."""

    observation: Observation
    number: Callable[[Cell], float] | None = None
    """The number on a closed cell, NaN if it has none."""
    certain: frozenset[Cell] = frozenset()
    best: Cell | None = None
    label: Callable[[float], str] = percent
    """Writes a number in at most four characters."""
    most: float = 1.0
    """The number that gets the colour of the largest risk."""
    sizes: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: {1: ()})
    """The characters per cell, from the most to the fewest, and the legend of each."""

    @classmethod
    def risks(cls, observation: Observation, posterior: Posterior | None) -> Looks:
        """Show the risks of a posterior, if there is one."""
        if posterior is None:
            return cls(observation)
        return cls(
            observation,
            number=lambda cell: float(posterior.risk[cell]),
            certain=frozenset(posterior.safe) | frozenset(posterior.mined),
            best=None if posterior.best is None else posterior.best.cell,
            sizes=_RISK_SIZES,
        )

    @classmethod
    def beliefs(cls, observation: Observation, numbers: Mapping[Cell, float]) -> Looks:
        """Show the numbers that an agent believes in; the largest has the darkest colour."""
        most = max((number for number in numbers.values() if math.isfinite(number)), default=1.0)
        most = max(most, 1.0)
        legend = (f"a <{_short(most / 10)}", f"b <{_short(most / 5)}", f"... j to {_short(most)}")
        return cls(
            observation,
            number=lambda cell: numbers.get(cell, math.nan),
            label=_short,
            most=most,
            sizes={4: (), 1: legend},
        )

    @classmethod
    def mines(cls, observation: Observation, board: Board) -> Looks:
        """Show all mines of a board on the closed cells."""
        places = np.flatnonzero(board.layout).tolist()
        return cls(
            observation,
            number=lambda cell: 1.0 if board.layout[cell] else math.nan,
            certain=frozenset(divmod(place, board.cols) for place in places),
            sizes={1: ("# mine",)},
        )

    @classmethod
    def of(cls, value: object) -> Looks:
        """Show a value: a board its mines, a game too once it is over."""
        match value:
            case Observation():
                return cls(value)
            case Posterior():
                return cls.risks(value.observation, value)
            case Board():
                codes = np.where(value.layout, np.int8(CellCode.CLOSED), value.counts)
                return cls.mines(Observation(value.topology, codes), value)
            case Game():
                seen = value.observation
                return cls(seen) if value.outcome is None else cls.mines(seen, value.board)
        raise TypeError(f"{type(value).__name__}: cannot be drawn")

    def __getitem__(self, cell: Cell) -> Look:
        code = int(self.observation.cells[cell])
        number = self.number(cell) if self.number is not None and is_closed(code) else math.nan
        if math.isnan(number):
            return Look(code)
        risk = min(max(number / self.most, 0.0), 1.0)
        return Look(code, risk, cell in self.certain, self.label(number))


def _short(number: float) -> str:
    """Write any number in four characters, unlike a clue; as 0 or 1 only if it is exactly that.

    Examples
    --------
    >>> [_short(number) for number in (0, 0.001, 0.126, 0.999, 1, 1.5, 12.34, 1234, 99999)]
    ['0.00', '<.01', '0.13', '>.99', '1.00', '1.50', '12.3', '1234', '>999']
    """
    if 0 < number < 0.01:
        return "<.01"
    if 0.99 < number < 1:
        return ">.99"
    texts = (f"{number:.2f}", f"{number:.1f}", f"{number:.0f}")
    return next((text for text in texts if len(text) <= 4), ">999" if number > 0 else "<0")
