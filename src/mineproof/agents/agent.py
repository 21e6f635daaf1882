"""What an agent is: it sees an observation and decides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from mineproof import _core
from mineproof.arguments import choice, instance, sentence, share, truth
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell, plain_cell
from mineproof.random import Random, check_seed

__all__ = [
    "TELLING",
    "Action",
    "Agent",
    "Beliefs",
    "Decision",
    "Kind",
    "NativePlayer",
    "Told",
]

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
    """One or more actions, done in order, and why.

    Examples
    --------
    >>> flag, then = Action("flag", (0, 0)), Action("open", (0, 1))
    >>> Decision((flag, then), "the clue at row 1, column 0 is met").reason
    'the clue at row 1, column 0 is met'
    """

    actions: tuple[Action, ...]
    reason: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.actions, tuple | list):
            raise TypeError(sentence("actions", self.actions, "a tuple, even of one Action"))
        object.__setattr__(self, "actions", tuple(self.actions))
        if not self.actions:
            raise ValueError("a decision holds at least one action")
        for action in self.actions:
            instance("action", action, Action, "Action('open', (0, 3))")
        instance("reason", self.reason, str)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What an agent believes: a number on cells, or sentences.

    Examples
    --------
    >>> Beliefs(numbers={(0, 1): 0.5}).numbers[0, 1]
    0.5
    """

    numbers: Mapping[Cell, float] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What an agent is told beside what it sees: the mine total, and how clues come about."""

    total: bool = False
    channel: bool = False


@dataclass(frozen=True, slots=True)
class NativePlayer:
    """A player of the core, and its reasons in words, in the order in which it numbers them."""

    player: _core.Player
    reasons: tuple[str, ...]


TELLING: Final[Mapping[str, str]] = MappingProxyType(
    {"total": "is told the mine total", "untold": "is not told the mine total"}
)
"""The options that every agent has."""


class Agent(ABC):
    """Whoever plays.

    An agent has a name, says what it is told, and makes a decision for every observation. It may
    remember what it likes from one decision to the next, but all its knowledge of the game comes
    from observations, and all its randomness from ``self.random``. What it remembers is set up in
    `begin`, which is called here too: a constructor of your own calls this one last.

    Parameters
    ----------
    options
        Names of its options, or ``total`` or ``untold``. They become a part of its name.

    Examples
    --------
    >>> class First(Agent):
    ...     "Opens the first closed cell."
    ...
    ...     name = "first"
    ...
    ...     def decide(self, observation):
    ...         cells = observation.closed_cells()
    ...         return Decision((Action("open", cells[0]),), "it comes first") if cells else None
    >>> First("total").name
    'first:total'
    """

    name: str
    """What records call the agent."""
    report: ClassVar[str] = ""
    """Where its idea comes from."""
    options: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What each of its options does."""
    told: Told = Told()
    """What it is told."""

    def __init__(self, *options: str) -> None:
        known = {**self.options, **TELLING}
        for option in options:
            choice(f"option of {self.name}", option, known)
        self.chosen = frozenset(options)
        if {"total", "untold"} <= self.chosen:
            raise ValueError(f"agent {self.name}: cannot be told the total and not be told it")
        if options:
            self.name += ":" + "+".join(option for option in known if option in self.chosen)
        if self.chosen & TELLING.keys():
            self.told = Told("total" in self.chosen, self.told.channel)
        self.begin(seed=0)

    def begin(self, seed: int) -> None:
        """Forget the last game; all randomness of the next comes from the seed."""
        # Set apart from the board, which mostly has the same seed: else the first cell that an
        # agent picks would be the first that a mine was laid on.
        self.random = Random(check_seed(seed) ^ _core.AGENT_STREAM)

    @abstractmethod
    def decide(self, observation: Observation) -> Decision | None:
        """Say what to do next; None where there is no decision, which ends the game as stuck."""

    def beliefs(self) -> Beliefs:
        """Show what it believed when it decided last."""
        return Beliefs()

    def native(self) -> NativePlayer | None:
        """Return a player of the core that decides alike, where there is one: it is much faster."""
        return None
