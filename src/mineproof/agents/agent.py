"""What an agent is: a player that sees an observation and makes a decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Final

from mineproof import _core
from mineproof.agents.asking import choosing
from mineproof.arguments import choice, instance, sentence, share, truth
from mineproof.errors import OptionError
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS, Kind
from mineproof.position.topology import TOPOLOGIES, Cell, Topology, TopologyKind, plain_cell
from mineproof.random import Random

__all__ = ["TELLING", "Action", "Agent", "Beliefs", "Decision", "Told"]

_ACTIONS: Final = tuple(kind for kind in KINDS if kind != "wait")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do with one cell.

    Parameters
    ----------
    kind
        What to do: open, flag, unflag or chord.
    cell
        The cell.
    certain
        Whether the agent claims to be certain. An opening that is not certain is a guess.
    risk
        The chance of a mine, according to the agent, if it has one.

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
        choice("kind", self.kind, _ACTIONS)
        object.__setattr__(self, "cell", plain_cell(self.cell))
        if type(self.certain) is not bool:
            object.__setattr__(self, "certain", truth("certain", self.certain))
        if self.risk is not None:
            object.__setattr__(self, "risk", share("risk", self.risk))


@dataclass(frozen=True, slots=True)
class Decision:
    """One or more actions, carried out in order, and the reason for them.

    Examples
    --------
    >>> flag, opening = Action("flag", (0, 0)), Action("open", (0, 1))
    >>> Decision((flag, opening), "the clue at (1, 0) is met").reason
    'the clue at (1, 0) is met'
    """

    actions: tuple[Action, ...]
    reason: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.actions, list):
            object.__setattr__(self, "actions", tuple(self.actions))
        elif not isinstance(self.actions, tuple):
            raise TypeError(sentence("actions", self.actions, "a tuple, even of one Action"))
        if not self.actions:
            raise ValueError("a decision needs at least one action")
        for action in self.actions:
            instance("action", action, Action, "Action('open', (0, 3))")
        instance("reason", self.reason, str)

    @classmethod
    def certain(
        cls, reason: str, *, mines: Iterable[Cell] = (), safe: Iterable[Cell] = ()
    ) -> Decision:
        """Flag cells that are certainly mines, then open cells that are certainly safe.

        Examples
        --------
        >>> Decision.certain("the 0 has no mines around it", safe=[(0, 1)]).actions
        (Action(kind='open', cell=(0, 1), certain=True, risk=0.0),)
        """
        flags = [Action("flag", cell, certain=True, risk=1.0) for cell in mines]
        opens = [Action("open", cell, certain=True, risk=0.0) for cell in safe]
        return cls((*flags, *opens), reason)

    @classmethod
    def guess(cls, cell: Cell, reason: str, risk: float | None = None) -> Decision:
        """Open one cell without claiming that it is safe.

        Examples
        --------
        >>> Decision.guess((0, 1), "every cell is equally risky", risk=0.25).actions
        (Action(kind='open', cell=(0, 1), certain=False, risk=0.25),)
        """
        return cls((Action("open", cell, risk=risk),), reason)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What an agent believes: numbers for cells, or sentences.

    Examples
    --------
    >>> Beliefs(numbers={(0, 1): 0.5}).numbers[0, 1]
    0.5
    """

    numbers: Mapping[Cell, float] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What an agent is told in addition to what it sees: the mine total, and the channel.

    An agent that declares nothing is told both; ``told = Told()`` declares that it is told neither.
    """

    total: bool = False
    channel: bool = False


TELLING: Final[Mapping[str, str]] = MappingProxyType(
    {"total": "is told the mine total", "untold": "is not told the mine total"}
)
"""The options that all agents have."""


class Agent(ABC):
    """A player.

    An agent has a name, says what it must be told, and makes a decision for each observation. It
    may keep anything from one decision to the next, but everything it knows about the game comes
    from observations, and all its random choices from ``self.random``. Set up what it keeps in
    `begin`, which the constructor calls: a constructor of your own must call this one last.

    Parameters
    ----------
    options
        The chosen options of the agent, and ``total`` or ``untold``. They become part of its name.

    Examples
    --------
    >>> class First(Agent):
    ...     "Opens the first closed cell."
    ...
    ...     name = "first"
    ...
    ...     def decide(self, observation):
    ...         cells = observation.closed_cells()
    ...         return Decision.guess(cells[0], "it comes first") if cells else None
    >>> First("total")
    <First 'first:total'>
    """

    name: str
    """The name of the agent in commands and records."""
    report: ClassVar[str] = ""
    """Where its idea comes from."""
    options: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What each of its options does."""
    topologies: tuple[TopologyKind, ...] = TOPOLOGIES
    """The topologies of the boards that its rules are made for; by default all."""
    told: Told = Told(total=True, channel=True)
    """What it is told in addition to what it sees and the rules; by default everything."""

    def __init__(self, *options: str) -> None:
        known = {**self.options, **TELLING}
        with choosing():
            for option in options:
                choice(f"option of {self.name}", option, known)
        self.chosen = frozenset(options)
        if {"total", "untold"} <= self.chosen:
            raise OptionError(f"agent {self.name}: cannot be told and not told the total")
        if options:
            self.name += ":" + "+".join(option for option in known if option in self.chosen)
        if self.chosen & TELLING.keys():
            self.told = Told("total" in self.chosen, self.told.channel)
        self.begin(seed=0)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def begin(self, seed: int) -> None:
        """Start a new game, with the seed for all random choices."""
        self.random = Random(seed)

    def check_topology(self, topology: Topology) -> None:
        """Raise an error if the agent's rules are not made for such boards."""
        if topology.kind not in self.topologies:
            known = " and ".join(self.topologies)
            raise ValueError(f"agent {self.name!r}: plays {known} boards, not {topology.kind}")

    @abstractmethod
    def decide(self, observation: Observation) -> Decision | None:
        """Return what to do next, or None to give up, which ends the game as stuck.

        The flags in the observation are the agent's own: cells that others have flagged look
        closed to it. See `Seat`.
        """

    def beliefs(self) -> Beliefs:
        """Return what the agent believed when it made its last decision."""
        return Beliefs()

    def native(self) -> _core.Player | None:
        """Return a player of the core that makes the same decisions faster, if there is one."""
        return None
