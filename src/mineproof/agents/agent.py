"""What an agent is: it sees an observation and decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from mineproof.arguments import choice, instance, sentence, share, truth
from mineproof.observation import Observation
from mineproof.topology import Cell, plain_cell

__all__ = ["Action", "Agent", "Decision", "Kind"]

Kind: TypeAlias = Literal["open", "flag", "unflag", "chord"]
_KINDS: Final = get_args(Kind)


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

    def __post_init__(self) -> None:
        choice("kind", self.kind, _KINDS)
        object.__setattr__(self, "cell", plain_cell(self.cell))
        object.__setattr__(self, "certain", truth("certain", self.certain))
        if self.risk is not None:
            object.__setattr__(self, "risk", share("risk", self.risk))


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
        if not isinstance(self.actions, tuple | list):
            raise TypeError(sentence("actions", self.actions, "a tuple, even of one Action"))
        object.__setattr__(self, "actions", tuple(self.actions))
        if not self.actions:
            raise ValueError("a decision holds at least one action")
        for action in self.actions:
            instance("action", action, Action, "Action('open', (0, 3))")


@runtime_checkable
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
