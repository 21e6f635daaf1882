"""The conditions under which five reports let their agents play.

What an agent is told is up to the agent: `weights` of R1, for example, always knows the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import Final

from mineproof.position.rules import OnMine, Start

__all__ = ["PRESETS", "Preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """The conditions of a report; None where the report leaves them open.

    Parameters
    ----------
    report
        The authors and the year.
    on_mine, cascade
        As in `Rules`.
    size
        Rows and columns, if all boards have the same size.
    gives_cells
        Whether round(√cells) safe cells are given at the start.
    zero_start
        The agent that starts at a zero, if the others start anywhere.

    Examples
    --------
    >>> preset = PRESETS["R2"]
    >>> preset.cascade, preset.given_safe(cells=480), preset.start(["logic"])
    (False, 22, 'any')
    """

    report: str
    on_mine: OnMine
    cascade: bool = True
    size: tuple[int, int] | None = None
    gives_cells: bool = False
    zero_start: str | None = None

    def given_safe(self, cells: int) -> int:
        """Return the number of given safe cells on a board with this many cells."""
        return round(sqrt(cells)) if self.gives_cells else 0

    def start(self, agents: Iterable[str]) -> Start:
        """Return the start rule under which the report lets these agents play.

        Raises
        ------
        ValueError
            If the report has different rules for them, as compared agents share their boards.

        Examples
        --------
        >>> PRESETS["R0"].start(["clue-heap:nobacktrack"])
        'zero'
        """
        kinds = {name.partition(":")[0] for name in agents}
        if self.zero_start not in kinds:
            return "any"
        if kinds == {self.zero_start}:
            return "zero"
        raise ValueError(
            f"{self.zero_start} starts at 'zero' and the other agents at 'any', "
            "but compared agents share their boards"
        )


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        "R0": Preset("Zuo, Xu, Wang, 2019", "continue", size=(10, 10), zero_start="clue-heap"),
        "R1": Preset("Reddy, Singh", "end"),
        "R2": Preset("Chang", "end", cascade=False, gives_cells=True),
        "R3": Preset("Cao, Mao", "continue", size=(10, 10)),
        # Yang's figures do not fit games in which a zero opens its neighbours.
        "R4": Preset("Yang, 2021", "continue", cascade=False, size=(10, 10)),
    }
)
"""The presets by the short names of their reports."""
