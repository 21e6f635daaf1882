"""A study as a value: a question, the games that answer it, and how the answer is shown.

Nothing is played here: `run` plays the tasks of a study, `findings` reads their records, and
`report` shows them.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mineproof.agents import Agent, registry
from mineproof.arena.signatures import code_of
from mineproof.arguments import whole
from mineproof.lab.probes import code_of_probe
from mineproof.position.model import Channel
from mineproof.position.setup import Setup
from mineproof.statistics import Bounds, Estimate, share

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = [
    "FORMAT",
    "Arm",
    "Chart",
    "Coordinate",
    "Measure",
    "Point",
    "Published",
    "Study",
    "Task",
    "grid",
]

_TASKS: Final = 4
"""Into how many tasks the games of an arm are cut, unless these have too few or too many games."""
_LEAST: Final = 50
_MOST: Final = 2_000
"""The fewest and the most games of a task of an arm that has more."""

Coordinate: TypeAlias = str | int | float
"""Where an arm stands on one axis of a study."""

FORMAT: Final = 2
"""Raised when the columns of a record file change, so that no old file is read as a new one."""


@dataclass(frozen=True)
class Task:
    """Consecutive games of one agent under one setup, played and written as a whole.

    Parameters
    ----------
    agent
        Its name, as for `agents.get`.
    setup
        The conditions.
    first, games
        The seed of the first game, and the number of games.
    probe
        The name of a probe that adds columns to the records.

    Attributes
    ----------
    code, probe_code
        What identifies the code of the agent and of the probe where the task was made.

    Examples
    --------
    >>> from mineproof import Topology
    >>> task = Task("exact", Setup.level("easy"), first=0, games=50)
    >>> task.id == Task("exact", Setup(Topology(9, 9), 10), first=0, games=50).id
    True
    >>> task.id == Task("basic", Setup(Topology(9, 9), 10), first=0, games=50).id
    False
    """

    agent: str
    setup: Setup
    first: int
    games: int
    probe: str | None = None
    code: str = field(init=False)
    probe_code: str | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", code_of(self.agent))
        probe_code = None if self.probe is None else code_of_probe(self.probe)
        object.__setattr__(self, "probe_code", probe_code)

    @property
    def description(self) -> dict[str, Any]:
        """Everything that the records depend on, in plain values."""
        setup, rules = self.setup, self.setup.rules
        return {
            "format": FORMAT,
            "agent": registry.get(self.agent).name,
            "code": self.code,
            "rows": setup.topology.rows,
            "cols": setup.topology.cols,
            "mines": setup.mines,
            "start": rules.start,
            "on_mine": rules.on_mine,
            "cascade": rules.cascade,
            "given_safe": rules.given_safe,
            "channel": _channel_name(setup.channel.name, setup.channel),
            "first_cell": list(setup.first) if isinstance(setup.first, tuple) else setup.first,
            "first_seed": self.first,
            "games": self.games,
            "probe": self.probe,
            "probe_code": self.probe_code,
        }

    @property
    def end(self) -> int:
        """The seed after that of the last game."""
        return self.first + self.games

    @cached_property
    def id(self) -> str:
        """A name that no other task has: the hash of the description."""
        return task_id(self.description)


def task_id(description: Mapping[str, Any]) -> str:
    """Return the id of the task with this description."""
    text = json.dumps(description, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, init=False)
class Arm:
    """One agent under one setup, and its coordinates in a study.

    Parameters
    ----------
    agent
        Its name, its class, or the agent itself; kept as the name by which `agents.get` makes it.
    setup
        The conditions.
    at
        The arm's coordinates, such as ``{"density": 0.2}``; ``agent`` is always one of them.
    probe
        The name of a probe that adds columns to the records.
    weight
        How many times as many games the arm plays as its study says: fast agents can have narrower
        intervals at little cost.

    Examples
    --------
    >>> Arm("exact", Setup.level("easy"), {"level": "easy"}).at["agent"]
    'exact'
    """

    agent: str
    setup: Setup
    at: Mapping[str, Coordinate]
    probe: str | None
    weight: int

    def __init__(
        self,
        agent: str | type[Agent] | Agent,
        setup: Setup,
        at: Mapping[str, Coordinate] = MappingProxyType({}),
        probe: str | None = None,
        weight: int = 1,
    ) -> None:
        if setup.topology.kind != "square":
            raise ValueError(f"studies have square boards only, not {setup.topology.kind}")
        # The order in which options are written must not make another task.
        object.__setattr__(self, "agent", registry.reference(agent))
        object.__setattr__(self, "setup", setup)
        name = registry.make(agent).name
        object.__setattr__(self, "at", MappingProxyType({"agent": name, **at}))
        object.__setattr__(self, "probe", probe)
        object.__setattr__(self, "weight", whole("weight", weight, 1))

    def tasks(self, games: int, seed: int) -> Iterator[Task]:
        """Cut the games, times the weight, into tasks.

        Small tasks lose little when a run is killed, large ones need fewer files.

        Examples
        --------
        >>> arm = Arm("basic", Setup.level("easy"))
        >>> [(task.first, task.games) for task in arm.tasks(120, seed=0)]
        [(0, 50), (50, 50), (100, 20)]
        """
        games *= self.weight
        size = min(max(-(-games // _TASKS), _LEAST), _MOST)
        for done in range(0, games, size):
            yield Task(self.agent, self.setup, seed + done, min(size, games - done), self.probe)


@dataclass(frozen=True)
class Measure:
    """A quantity that is read from the records of an arm.

    Parameters
    ----------
    column
        The column of the records.
    title
        What it is, in words, with its unit.
    share
        Whether the column is true or false; the measure is then the share of true games.
    bounds
        The lowest and the highest possible value; by default those of a count or a time. They limit
        the interval.
    factor
        The column times this is the measure in its unit; 100 gives percent.
    unit
        What follows a number in a sentence; percent needs none.
    most
        What an agent does whose value is the highest; sentences and titles say it.

    Examples
    --------
    >>> WINS.column, SCORE.factor
    ('won', 100.0)
    """

    column: str
    title: str
    share: bool = False
    bounds: Bounds = (0.0, inf)
    factor: float = 1.0
    unit: str = ""
    most: str = ""

    @property
    def units(self) -> tuple[str, str]:
        """The units of a value and of a difference."""
        return ("%", " points") if self.factor == 100 else (self.unit, self.unit)

    @property
    def margin(self) -> float:
        """The difference that counts as small: 5 points, or one per game of what is counted."""
        return 5.0 if self.factor == 100 else 1.0

    def scaled(self, estimate: Estimate) -> Estimate:
        """Return an estimate of the column in the unit of the measure.

        Examples
        --------
        >>> print(WINS.scaled(Estimate(0.5, 0.25, 0.75)))
        50 (25 to 75)
        """
        numbers = (self.factor * n for n in (estimate.value, estimate.low, estimate.high))
        return Estimate(*numbers, count=estimate.count)


WINS: Final = Measure("won", "games won, %", True, factor=100.0, most="wins the most games")
"""The share of games won."""
SCORE: Final = Measure(
    "score", "score, %", bounds=(0.0, 1.0), factor=100.0, most="has the highest score"
)
"""The mean score: mines identified, as a share of all mines."""
HITS: Final = Measure("hits", "mines hit per game", most="hits the most mines")
"""The mean number of mines that exploded."""
WRONG_FLAGS: Final = Measure(
    "wrong_flags", "wrong flags per game", most="sets the most wrong flags"
)
"""The mean number of flags on safe cells at the end."""
OPENED: Final = Measure(
    "opened", "safe cells opened per game", unit=" safe cells", most="opens the most safe cells"
)
"""The mean number of safe cells opened."""
STEPS: Final = Measure("steps", "steps per game", most="takes the most steps")
"""The mean number of decisions."""
GUESSES: Final = Measure("guesses", "guesses per game", most="guesses most often")
"""The mean number of openings not claimed certain."""
MILLISECONDS: Final = Measure(
    "seconds", "the agent's time, ms per game", factor=1000.0, unit=" ms", most="takes longest"
)
"""The agent's own time per game."""

_WIDE: Final = 10.0
"""Intervals wider than this many points are marked."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a chart.

    Parameters
    ----------
    line, x, panel
        Where it belongs.
    estimate
        The value with its interval, in the unit of the chart's measure.
    games
        How many games it is from.
    wide
        Whether the interval is wider than ten points, if the measure is in percent.
    """

    line: Coordinate
    x: Coordinate
    panel: Coordinate | None
    estimate: Estimate
    games: int
    wide: bool


@dataclass(frozen=True)
class Published:
    """Published figures for one line of a chart.

    Parameters
    ----------
    values
        Their figures by place on the axis, in the unit of the measure.
    games
        On how many games each figure rests, if that is known.
    source
        Where the figures come from, and what is known of their games.

    Examples
    --------
    >>> print(Published({"expert": 40.9}, games=58_000).estimate("expert", WINS))
    40.9 (40.5 to 41.3)
    """

    values: Mapping[Coordinate, float]
    games: int | None = None
    source: str = ""

    def estimate(self, x: Coordinate, measure: Measure) -> Estimate:
        """Return the figure of a place; the interval is endless unless games tell its width."""
        value = self.values[x]
        if self.games is None or not measure.share:
            return Estimate(value, -inf, inf)
        won = round(value / measure.factor * self.games)
        found = measure.scaled(share(won, self.games))
        return Estimate(value, min(found.low, value), max(found.high, value), count=self.games)


@dataclass(frozen=True)
class Chart:
    """A figure and its table: a measure against one coordinate, a line per value of another.

    Parameters
    ----------
    name
        The name of its files; unique in its study.
    title
        What it shows, in words.
    measure
        What is measured.
    x, x_title
        The coordinate along the axis, and its title in words.
    lines
        The coordinate that distinguishes lines.
    panels
        The coordinate that distinguishes panels, if any.
    minus
        The line that is subtracted from all others, game by game, if any.
    minus_of
        The coordinate that `minus` is a value of, if that is not what distinguishes lines.
    published
        What others published, by line.
    only
        Arms whose coordinates have these values; by default all that have the coordinates.
    points
        Computes the values; by default they are the measure of each arm.
    diagonal
        Whether to draw the line on which the value equals x.
    board
        Whether to draw a board: lines are rows, x is the column, and the values of cells are
        counts, not estimates.

    Examples
    --------
    >>> Chart("score", "Score by share of mines", SCORE, x="density").lines
    'agent'
    """

    name: str
    title: str
    measure: Measure
    x: str
    x_title: str = ""
    lines: str = "agent"
    panels: str | None = None
    minus: str | None = None
    minus_of: str | None = None
    published: Mapping[str, Published] = field(default_factory=dict)
    only: Mapping[str, tuple[Coordinate, ...]] = field(default_factory=dict)
    points: Callable[[Findings, Chart], Iterable[Point]] | None = None
    diagonal: bool = False
    board: bool = False

    def __post_init__(self) -> None:
        _check_name("chart", self.name)

    def point(
        self,
        line: Coordinate,
        x: Coordinate,
        estimate: Estimate,
        games: int | None = None,
        panel: Coordinate | None = None,
    ) -> Point:
        """Return a value of this chart; an interval wider than ten points of percent is marked.

        Its games are by default what the estimate counts.
        """
        games = estimate.count or 0 if games is None else games
        wide = self.measure.factor == 100 and estimate.width > _WIDE
        return Point(line, x, panel, estimate, games, wide)


@dataclass(frozen=True)
class Study:
    """A question, the games that answer it, and how the answer is shown.

    Parameters
    ----------
    name
        Its name on the command line.
    title
        A heading.
    question
        The question, in plain words.
    arms
        The games: agents and setups.
    games, quick
        How many games each arm plays, in full and in a quick run. A study whose quick number is 0
        cannot answer with few games, and is left out of a quick run of all studies.
    charts
        What to draw.
    answer
        Yields what the records say, in sentences; `mineproof.lab.sentences` has forms.
    seed
        The seed of the first game of each arm. Arms share seeds, so that they play the same boards.

    Examples
    --------
    >>> study = Study(
    ...     "easy",
    ...     title="Easy boards",
    ...     question="Who wins on easy boards?",
    ...     arms=grid(["exact", "random"], [Setup.level("easy")], at=lambda setup: {"size": 9}),
    ...     games=100,
    ...     quick=20,
    ... )
    >>> [task.agent for task in study.tasks(60)]
    ['exact', 'random', 'exact', 'random']
    """

    name: str
    title: str
    question: str
    arms: tuple[Arm, ...]
    games: int
    quick: int
    charts: tuple[Chart, ...] = ()
    answer: Callable[[Findings], Iterable[str]] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "arms", tuple(self.arms))
        object.__setattr__(self, "charts", tuple(self.charts))
        object.__setattr__(self, "games", whole("games", self.games, 1))
        object.__setattr__(self, "quick", whole("quick", self.quick, 0))
        _check_name("study", self.name)
        if not self.arms:
            raise ValueError(f"study {self.name!r}: needs at least one arm")
        if len({chart.name for chart in self.charts}) < len(self.charts):
            raise ValueError(f"study {self.name!r}: two charts have one name")

    def tasks(self, games: int) -> Iterator[Task]:
        """Cut the study into tasks in the order of seeds, so that no arm waits for another."""
        return heapq.merge(
            *(arm.tasks(games, self.seed) for arm in self.arms), key=lambda task: task.first
        )


def grid(
    agents: Iterable[str | type[Agent] | Agent],
    setups: Iterable[Setup],
    *,
    at: Callable[[Setup], Mapping[str, Coordinate]],
    probe: str | None = None,
) -> tuple[Arm, ...]:
    """Let every agent play every setup.

    Parameters
    ----------
    agents
        Their names, their classes, or the agents themselves.
    setups
        The conditions.
    at
        Returns the coordinates of a setup.
    probe
        The name of the probe that measures each game, if any.

    Examples
    --------
    >>> from mineproof import Topology
    >>> setups = [Setup(Topology(10, 10), mines) for mines in (10, 20)]
    >>> arms = grid(["exact", "basic"], setups, at=lambda setup: {"mines": setup.mines})
    >>> [(arm.agent, arm.at["mines"]) for arm in arms]
    [('exact', 10), ('basic', 10), ('exact', 20), ('basic', 20)]
    """
    names = [registry.reference(agent) for agent in agents]
    return tuple(Arm(name, setup, at(setup), probe) for setup in setups for name in names)


def _check_name(kind: str, name: str) -> None:
    """Check a name that becomes part of file names."""
    if not name.replace("-", "").isalnum():
        raise ValueError(f"{kind} {name!r}: a name holds letters, digits and dashes")


@cache
def _channel_name(name: str, channel: Channel) -> str:
    """Name a channel so that another table has another name."""
    try:
        if Channel.parse(name) == channel:
            return name
    except ValueError:
        pass
    return f"{name}#{hashlib.sha256(channel.weights.tobytes()).hexdigest()[:16]}"
