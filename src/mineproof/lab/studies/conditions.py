"""Conditions that several studies share, so that games they have in common are played once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from mineproof.game.board import mine_total
from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.study import Arm, Coordinate

__all__ = [
    "ALL_OF_IT",
    "BY_DENSITY",
    "BY_SIDE",
    "KEEP_GOING",
    "chained_squares",
    "density",
    "squares",
    "ten_by_ten",
]

KEEP_GOING: Final = Rules(start="any", on_mine="continue")
"""Nothing is free of mines at the start, and a mine does not end the game: what R0 and R3 play."""

ALL_OF_IT: Final = Rules(start="zero", on_mine="continue")
"""All of the board is played, so that short games do not pass for easy ones. The first hit comes
where it would end the game, so wins are those of the classic rules."""

_DENSITIES: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7)
_SIDES: Final = (6, 10, 14, 20, 28, 40)

BY_DENSITY: Final[Mapping[str, tuple[Coordinate, ...]]] = MappingProxyType({"side": (10, 20)})
"""The boards of `chained_squares` that have all densities."""

BY_SIDE: Final[Mapping[str, tuple[Coordinate, ...]]] = MappingProxyType(
    {"density": (0.15, 0.2, 0.25)}
)
"""Those that have all sizes."""


def ten_by_ten(mines: Iterable[int], rules: Rules = KEEP_GOING) -> tuple[Setup, ...]:
    """Return 10×10 boards with so many mines: as many as percent.

    Examples
    --------
    >>> [setup.mines for setup in ten_by_ten([5, 10])]
    [5, 10]
    """
    return tuple(Setup(10, 10, number, rules) for number in mines)


def density(setup: Setup) -> dict[str, Coordinate]:
    """Say at which density a board is.

    Examples
    --------
    >>> density(Setup(10, 10, 15))
    {'density': 0.15}
    """
    return {"density": setup.mines / (setup.rows * setup.cols)}


def squares(
    sides: Iterable[int], densities: Iterable[float], agent: str, probe: str
) -> Iterator[Arm]:
    """Let an agent play all of square boards, every size at every density.

    Examples
    --------
    >>> [arm] = squares([20], [0.15], "exact", "effort")
    >>> arm.setup.mines, arm.at["size"], arm.at["side"], arm.at["density"]
    (60, '20×20', 20, 0.15)
    """
    shares = tuple(densities)
    for side in sides:
        for share in shares:
            setup = Setup(side, side, mine_total(None, share, side * side), ALL_OF_IT)
            at: dict[str, Coordinate] = {"size": f"{side}×{side}", "side": side, "density": share}
            yield Arm(agent, setup, at, probe)


def chained_squares() -> tuple[Arm, ...]:
    """Let exact play boards of two sizes at many densities, and of many sizes at three.

    Chains and effort of every game are measured.
    """
    return tuple(
        arm
        for arm in squares(_SIDES, _DENSITIES, "exact", "chains")
        if arm.at["side"] in BY_DENSITY["side"] or arm.at["density"] in BY_SIDE["density"]
    )
