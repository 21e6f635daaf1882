"""Boards and rules that several studies share, so that they play the same games once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mineproof.lab.study import Arm, Coordinate
from mineproof.position.rules import Rules
from mineproof.position.setup import Setup, mines_at
from mineproof.position.topology import Topology

__all__ = ["KEEP_GOING", "WHOLE_BOARD", "density", "mines", "squares", "ten_by_ten"]

KEEP_GOING: Final = Rules(start="any", on_mine="continue")
"""No cell is safe at the start, and a mine does not end the game: the rules of R0 and R3."""

WHOLE_BOARD: Final = Rules(start="zero", on_mine="continue")
"""The whole board is played, so that an early loss does not look like an easy game. The first hit
is where a classic game would end, so the wins are those of the classic rules."""


def ten_by_ten(numbers: Iterable[int], rules: Rules = KEEP_GOING) -> tuple[Setup, ...]:
    """Return 10×10 boards with these numbers of mines.

    Examples
    --------
    >>> [density(setup) for setup in ten_by_ten([5, 10])]
    [{'density': 0.05}, {'density': 0.1}]
    """
    return tuple(Setup(Topology(10, 10), number, rules) for number in numbers)


def density(setup: Setup) -> dict[str, Coordinate]:
    """Return the density of a setup as a coordinate."""
    return {"density": setup.mines / setup.topology.cells}


def mines(setup: Setup) -> dict[str, Coordinate]:
    """Return the number of mines of a setup as a coordinate."""
    return {"mines": setup.mines}


def squares(
    sides: Iterable[int], densities: Iterable[float], agent: str, probe: str
) -> Iterator[Arm]:
    """Let an agent play whole square boards, each size at each density.

    Examples
    --------
    >>> [arm] = squares([20], [0.15], "exact", "effort")
    >>> arm.setup.mines, arm.at["size"], arm.at["side"], arm.at["density"]
    (60, '20×20', 20, 0.15)
    """
    shares = tuple(densities)
    for side in sides:
        for share in shares:
            setup = Setup(Topology(side, side), mines_at(share, side * side), WHOLE_BOARD)
            at: dict[str, Coordinate] = {"size": f"{side}×{side}", "side": side, "density": share}
            yield Arm(agent, setup, at, probe)
