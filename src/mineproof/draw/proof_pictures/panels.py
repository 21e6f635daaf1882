"""What a picture of a proof shows: a board of every case, and one of what follows in the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mineproof.arguments import counted
from mineproof.draw.looks import window
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

if TYPE_CHECKING:
    from mineproof.proofs import Proof
    from mineproof.proofs.proof import Assumptions

__all__ = ["Mark", "Panel", "basis", "panels", "region"]

_FEW: Final = 8
"""A step about more clues or cells than this only sums up, and its number is not shown on them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a panel shows of a closed cell.

    Parameters
    ----------
    mine
        Whether as a mine, or as safe.
    step
        The number of the step that says so, from 1; None for one that is not shown.
    in_case
        Whether that is so only in the panel's case.
    """

    mine: bool
    step: int | None
    in_case: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One board of a picture.

    Parameters
    ----------
    title
        The case that is drawn, or what follows.
    marks
        The cells that are assumed or settled.
    clues
        The clues to point at, and the numbers of the steps that look at them.
    broken
        Those that cannot be met in this case.
    """

    title: str
    marks: dict[Cell, Mark] = field(default_factory=dict)
    clues: dict[Cell, list[int]] = field(default_factory=dict)
    broken: set[Cell] = field(default_factory=set)

    @property
    def cells(self) -> set[Cell]:
        """All cells that the panel points at."""
        return {*self.marks, *self.clues}


def panels(proof: Proof) -> list[Panel]:
    r"""Sort what a proof says into panels, in the order in which their last steps are made.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> proof = explain(Observation.from_text("....\n121?\n...."), (0, 1))
    >>> for panel in panels(proof):
    ...     print(f"{panel.title}: clues {list(panel.clues)}, broken {panel.broken}")
    If (0, 1) were a mine: clues [(1, 0), (1, 2), (1, 1)], broken {(1, 1)}
    So (0, 1) is safe: clues [(1, 0), (1, 1), (1, 2)], broken set()
    """
    so = "a mine" if proof.status == "mine" else "safe"
    last = Panel(f"So {proof.cell} is {so}", clues={clue: [] for clue in proof.premises})
    panel_of: dict[Assumptions, Panel] = {(): last}
    for number, step in enumerate(proof.steps, start=1):
        panel = panel_of.pop(step.assumed, None)
        if panel is None:
            # The step before has said what is assumed.
            around = panel_of[step.assumed[:-1]]
            panel = _case(step.assumed, around, number - 1)
        panel_of[step.assumed] = panel  # behind all that end before
        shown = number if max(len(step.clues), len(step.safe + step.mined)) <= _FEW else None
        for clue in step.clues:
            panel.clues.setdefault(clue, []).extend([] if shown is None else [shown])
        for cells, mine in ((step.safe, False), (step.mined, True)):
            panel.marks.update((cell, Mark(mine, shown, bool(step.assumed))) for cell in cells)
        if step.impossible:
            panel.broken.update(step.clues)
    return list(panel_of.values())


def _case(assumed: Assumptions, around: Panel, number: int) -> Panel:
    """Begin a case with all that is known where it is tried."""
    suppositions = [f"{cell} were {'a mine' if mine else 'safe'}" for cell, mine in assumed]
    cell, mine = assumed[-1]
    marks = {**around.marks, cell: Mark(mine, number, in_case=True)}
    return Panel(f"If {' and '.join(suppositions)}", marks)


def basis(observation: Observation, proof: Proof) -> str:
    r"""Say what a proof rests on, in a sentence; nothing where it rests on nothing.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> seen = Observation.from_text("..1\n1.1\n111")
    >>> basis(seen, explain(seen, (0, 0)))
    'It follows from 2 clues, and from no fewer.'
    """
    number = len(proof.premises)
    told = "" if observation.mines is None else f" of {observation.mines:,}"
    parts = [counted(number, "clue")] * bool(number) + [f"the mine total{told}"] * proof.uses_total
    if not parts:
        return ""
    fewer = ", and from no fewer" if proof.smallest and number > 1 else ""
    return f"It follows from {' and '.join(parts)}{fewer}."


def region(
    observation: Observation, cells: Iterable[Cell], *, centre: Cell, most: int, margin: int = 1
) -> tuple[range, range]:
    r"""Return the rows and columns around some cells, or the most of them around one.

    Examples
    --------
    >>> seen = Observation.from_text("\n".join(["." * 30] * 20))
    >>> region(seen, [(0, 3), (5, 9)], centre=(5, 9), most=4)
    (range(3, 7), range(7, 11))
    """
    rows, cols = zip(*cells, strict=True)
    return (
        _around(rows, observation.rows, centre[0], most, margin),
        _around(cols, observation.cols, centre[1], most, margin),
    )


def _around(places: Sequence[int], size: int, centre: int, most: int, margin: int) -> range:
    first, end = max(min(places) - margin, 0), min(max(places) + margin + 1, size)
    part = window(end - first, most, centre - first)
    return range(first + part.start, first + part.stop)
