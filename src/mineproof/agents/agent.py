"""What an agent is: it sees an observation and decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from mineproof.observation import Observation
from mineproof.topology import Cell

__all__ = ["Action", "Agent", "Decision", "Kind"]

Kind: TypeAlias = Literal["open", "flag", "unflag", "chord"]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do to one cell.

    Parameters
    ----------
    kind
        What to do: open, flag, unflag or chord.
    cell
        The cell.
    certain
        Whether the agent claims to know that this is right; an opening without that is a guess.
    risk
        The chance of a mine that the agent sees in it, where it has one.

    Examples
    --------
    >>> Action("open", (3, 4), risk=0.25)
    Action(kind='open', cell=(3, 4), certain=False, risk=0.25)
    """

    kind: Kind
    cell: Cell
    certain: bool = False
    risk: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """One or more actions, done in order.

    Examples
    --------
    >>> len(Decision((Action("flag", (0, 0)), Action("open", (0, 1)))).actions)
    2
    """

    actions: tuple[Action, ...]

    def __post_init__(self) -> None:
        if not self.actions:
            raise ValueError("a decision holds at least one action")


class Agent(Protocol):
    """Whoever plays: a name, a beginning, and a decision for every observation."""

    @property
    def name(self) -> str:
        """What records call the agent."""
        ...

    def begin(self, seed: int) -> None:
        """Forget the last game; all randomness of the next comes from the seed."""
        ...

    def decide(self, observation: Observation) -> Decision | None:
        """Say what to do next; None where there is no decision, which ends the game as stuck."""
        ...
