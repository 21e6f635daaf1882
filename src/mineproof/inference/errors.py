"""The errors that inference raises."""

from __future__ import annotations

import numpy as np

from mineproof._core import BudgetExceeded
from mineproof.arguments import counted
from mineproof.inference.words import placed, placed_flags
from mineproof.position.cells import CellCode
from mineproof.position.model import Prior
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["BudgetExceeded", "Contradiction", "beside"]

# The core raises it; users import it from the package.
BudgetExceeded.__module__ = "mineproof"
BudgetExceeded.__doc__ = r"""A question needs more than its budget, and an estimate is not enough.

    Examples
    --------
    >>> from mineproof import Budget, infer
    >>> seen = Observation.from_text("...\n.3.\n...")
    >>> infer(seen, budget=Budget(nodes=0), require_exact=True)
    Traceback (most recent call last):
    ...
    mineproof.BudgetExceeded: the frontier is too wide to count exactly within the budget
    """


class Contradiction(ValueError):
    r"""No layout fits what was seen.

    Attributes
    ----------
    clues
        Cells of clues that cannot all be met. Without any one of them the others can be met. If
        at most 20 clues are connected with them, no smaller set exists among these. Another
        component may have a smaller one.
    uses_total
        Whether they clash only together with the mine total, which a density of 0 or 1 fixes too.
    irreducible
        False only on a huge board, if finding out which clues can be left out would take too long.
    beside
        What the clues clash with, in words: the mine total, exploded mines and trusted flags.
    flags
        The trusted flags that these clues clash with. Without any one of them the clues can be met,
        unless there are more than 64.

    Examples
    --------
    >>> from mineproof import infer
    >>> try:
    ...     infer(Observation.from_text("4x1x1\n1.2."))
    ... except Contradiction as clash:
    ...     print(clash)
    ...     print(clash.clues, clash.uses_total)
    no layout fits the clue at (0, 2) with the mine total of 1
    ((0, 2),) True
    """

    def __init__(
        self,
        clues: tuple[Cell, ...],
        uses_total: bool,
        irreducible: bool = True,
        beside: tuple[str, ...] = (),
        flags: tuple[Cell, ...] = (),
    ) -> None:
        self.clues = clues
        self.uses_total = uses_total
        self.irreducible = irreducible
        self.beside = beside
        self.flags = flags
        super().__init__(clues, uses_total, irreducible, beside, flags)

    def __str__(self) -> str:
        beside = " and ".join(self.beside)
        if not self.clues:
            return f"no layout fits {beside}"
        return f"no layout fits {placed('clue', self.clues)}" + f" with {beside}" * bool(beside)


def beside(
    clues: tuple[Cell, ...],
    flags: tuple[Cell, ...],
    observation: Observation,
    total_of: Prior | None,
) -> tuple[str, ...]:
    """Say in words what clues clash with, besides each other.

    If they clash only together with the total of a prior, all exploded mines matter, otherwise only
    those next to the clues.
    """
    if total_of is None:
        around = {cell for clue in clues for cell in observation.topology.neighbours(clue)}
        codes = np.array([observation.code(cell) for cell in around])
        said = []
    else:
        codes = observation.cells
        kind = "the mine total" if total_of.kind == "total" else "a density"
        said = [f"{kind} of {int(total_of.value or 0):,}"]
    exploded = int(np.count_nonzero(codes == CellCode.EXPLODED.value))
    if exploded:
        said.append(counted(exploded, "exploded mine"))
    if flags:
        said.append(placed_flags("trusted flag", flags))
    return tuple(said)
