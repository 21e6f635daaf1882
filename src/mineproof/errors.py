"""All errors that users may want to catch. Wrong arguments are `TypeError` or `ValueError`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from mineproof._core import BudgetExceeded, Cancelled, MineproofError
from mineproof.arguments import placed

__all__ = [
    "AgentFailed",
    "BudgetExceeded",
    "Cancelled",
    "CannotWrite",
    "ClusterFailed",
    "Contradiction",
    "FailureKind",
    "MineproofError",
    "NoBoardFound",
    "OptionError",
]

MineproofError.__module__ = "mineproof"
MineproofError.__doc__ = """The base of all errors of mineproof.

    Examples
    --------
    >>> from mineproof import MineproofError, Observation, infer
    >>> try:
    ...     infer(Observation.from_text("4x1x1\\n1.2."))
    ... except MineproofError as error:
    ...     print(error)
    no layout fits the clue at (0, 2) with the mine total of 1
    """

# The core raises these; users import them from the package.
BudgetExceeded.__module__ = "mineproof"
BudgetExceeded.__doc__ = r"""A question needs more than its budget, and an estimate is not enough.

    Examples
    --------
    >>> from mineproof import Budget, Observation, infer
    >>> seen = Observation.from_text("...\n.3.\n...")
    >>> infer(seen, budget=Budget(nodes=0), require_exact=True)
    Traceback (most recent call last):
    ...
    mineproof.BudgetExceeded: the frontier is too wide to count exactly within the budget
    """


Cancelled.__module__ = "mineproof"
Cancelled.__doc__ = "The call was stopped by a `Cancel`."


class Contradiction(MineproofError, ValueError):
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
    >>> from mineproof import Observation, infer
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
        clues: tuple[tuple[int, int], ...],
        uses_total: bool,
        irreducible: bool = True,
        beside: tuple[str, ...] = (),
        flags: tuple[tuple[int, int], ...] = (),
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


class NoBoardFound(MineproofError):
    """A search for a board found none in as many tries as it was allowed."""


class CannotWrite(MineproofError, OSError):
    """A file could not be written, for example on a full disk; what it held before is intact."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


class ClusterFailed(MineproofError):
    """A cluster cannot be used, or no longer; finished tasks are kept."""


FailureKind: TypeAlias = Literal["error", "illegal", "idle"]
"""Whether the code raised an error, made an illegal move, or decided for ever to no effect."""


class AgentFailed(MineproofError):
    """The code of an agent failed. The error that it raised, if any, is the cause.

    Parameters
    ----------
    agent
        The name of the agent.
    reason
        What it did wrong.
    place
        The file, the line and the function, if they are known.
    kind
        Whether it raised an ``error``, made an ``illegal`` move, or was ``idle`` for too long.

    Examples
    --------
    >>> failed = AgentFailed("corner", "KeyError: 3", "corner.py, line 7, in Corner.decide")
    >>> failed.seed = 4
    >>> print(failed)
    agent 'corner' failed in the game of seed 4: KeyError: 3 (corner.py, line 7, in Corner.decide)
    """

    seed: int | None = None
    """The seed of the game in which it failed."""

    def __init__(
        self, agent: str, reason: str, place: str = "", kind: FailureKind = "error"
    ) -> None:
        super().__init__(agent, reason, place, kind)
        self.agent, self.reason, self.place, self.kind = agent, reason, place, kind

    @property
    def why(self) -> str:
        """The reason with its place."""
        return f"{self.reason} ({self.place})" if self.place else self.reason

    def __str__(self) -> str:
        game = "" if self.seed is None else f" in the game of seed {self.seed}"
        return f"agent {self.agent!r} failed{game}: {self.why}"


class OptionError(MineproofError, ValueError):
    """An agent does not take such options: a mistake of whoever chose them, not of its code."""
