"""What follows from an observation: the exact chance that each closed cell is a mine."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Final, Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import choice, instance, truth, whole, written
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference.counting import count_layouts, decimal_digits
from mineproof.inference.words import beside
from mineproof.position.cells import CellCode
from mineproof.position.drawn import Drawn
from mineproof.position.model import Channel, Prior
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.random import check_seed

__all__ = [
    "Best",
    "Budget",
    "Effort",
    "Posterior",
    "Settings",
    "Solver",
    "check_settings",
    "exact_posterior",
    "fits",
    "infer",
]

TIE: Final = _core.TIE
"""Risks that differ by less than this are equal."""

_MAX_SAMPLED: Final = 2**32
_MOST_SINGLED_OUT: Final = 64
"""If more flags clash, it takes too long to find those that are needed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work and memory exact counting may use for one question.

    An estimate has a limit of its own, about ten seconds of work, but keeps to the memory.

    Parameters
    ----------
    nodes
        The number of products of weights; a hundred million or so take a second.
    bytes
        The memory for partial layouts.

    Examples
    --------
    >>> from mineproof import Observation, infer
    >>> small = Budget(nodes=1_000)
    >>> infer(Observation.from_text(".1."), budget=small).exact
    True
    """

    nodes: int = 500_000_000
    bytes: int = 2**30

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", whole("nodes", self.nodes, 0, 2**63 - 1))
        object.__setattr__(self, "bytes", whole("bytes", self.bytes, 0, 2**63 - 1))


class Effort(NamedTuple):
    """How much work it took to count the layouts of an observation.

    It depends only on the question: what a `Solver` remembers counts as if it were counted again.
    The order in which clues are processed is a heuristic, so two boards that mirror each other may
    differ a little in width and work.

    Parameters
    ----------
    components
        The number of components: parts of the frontier that share no clue, once the cells that
        single clues settle are removed.
    cells
        The number of unknown cells in the largest component.
    width
        The largest number of clues that have some of their cells counted and others not, at any
        time and in any component. The cost is exponential in it. For a component too wide to count
        it is the width of the best order found, or 257 if no order is worth counting in.
    work
        The number of products of weights, as in `Budget.nodes`, plus sixteen for every step between
        two partial layouts. None if the risks are estimates.

    Examples
    --------
    >>> from mineproof import Observation, infer
    >>> infer(Observation.from_text(".1.1.")).effort
    Effort(components=1, cells=3, width=2, work=102)
    """

    components: int
    cells: int
    width: int
    work: int | None


class Best(NamedTuple):
    r"""The closed cell with the lowest risk, and this risk.

    Examples
    --------
    >>> infer(Observation.from_text("4x1x2\n.1..")).best
    Best(cell=(0, 0), risk=0.5)
    """

    cell: Cell
    risk: float


class Posterior(Drawn):
    r"""What follows from an observation: the result of `infer`, computed as far as it is needed.

    Pickling keeps only the question, which is answered again on loading.

    Attributes
    ----------
    observation, prior, channel, flags, budget
        The question that it answers.

    Examples
    --------
    >>> posterior = infer(Observation.from_text("4x2x2\n.1..\n11.."))
    >>> posterior.safe, posterior.mined
    (((0, 2), (1, 2)), ((0, 0),))
    >>> posterior.risk[0, 3], posterior.layouts
    (np.float64(0.5), 2)
    """

    def __init__(
        self,
        native: _core.Posterior,
        observation: Observation,
        prior: Prior,
        channel: Channel,
        flags: Literal["ignore", "trust"],
        budget: Budget,
    ) -> None:
        self._native = native
        self.observation = observation
        self.prior = prior
        self.channel = channel
        self.flags = flags
        self.budget = budget

    def __reduce__(self) -> tuple[Any, ...]:
        again = partial(infer, flags=self.flags, budget=self.budget)
        return again, (self.observation, self.prior, self.channel)

    @property
    def exact(self) -> bool:
        """Whether the risks are exact; otherwise they are estimates with a standard error."""
        return self._native.exact

    @cached_property
    def trusted(self) -> tuple[Cell, ...]:
        r"""The flags on which it rests: those that it takes to be mines because it was asked to.

        Examples
        --------
        >>> infer(Observation.from_text("1F."), flags="trust").trusted
        ((0, 1),)
        """
        return tuple(self.observation.flagged_cells()) if self.flags == "trust" else ()

    @cached_property
    def wrong_flags(self) -> tuple[Cell, ...]:
        r"""The cells that have a flag and are certainly safe.

        Examples
        --------
        >>> infer(Observation.from_text("0F.")).wrong_flags
        ((0, 1),)
        """
        return tuple(cell for cell in self.safe if self.observation.code(cell) == CellCode.FLAGGED)

    @cached_property
    def risk(self) -> NDArray[np.float64]:
        """The chance that each cell is a mine; NaN for cells that are not closed."""
        return self._native.risk

    @cached_property
    def standard_error(self) -> NDArray[np.float64] | None:
        """The standard error of each risk, or None if the risks are exact."""
        return None if self.exact else self._native.standard_error

    @cached_property
    def safe(self) -> tuple[Cell, ...]:
        """The closed cells that are certainly safe."""
        return tuple(map(self._cell, self._native.safe))

    @cached_property
    def mined(self) -> tuple[Cell, ...]:
        """The closed cells that are certainly mines."""
        return tuple(map(self._cell, self._native.mined))

    @property
    def expected_mines(self) -> float:
        """The expected number of mines on the whole board, including exploded ones."""
        return self._native.expected_mines

    @cached_property
    def layouts(self) -> int:
        """The number of layouts that fit, that is, have a chance above 0.

        Raises
        ------
        BudgetExceeded
            If the posterior is an estimate.
        """
        if not self.exact:
            raise BudgetExceeded("the number of layouts needs an exact posterior")
        return count_layouts(self._native, self.prior.total_among(self.risk.size))

    @cached_property
    def log10_layouts(self) -> float:
        """The decimal logarithm of the number of layouts; NaN if the risks are estimates."""
        return self._native.log_layouts() / math.log(10) if self.exact else math.nan

    @cached_property
    def total_distribution(self) -> NDArray[np.float64]:
        """The chance of each number of mines on the whole board, indexed by that number."""
        return self._native.total_distribution()

    def clue_chances(self, cell: Cell) -> NDArray[np.float64]:
        r"""Return the chance that a closed cell is safe and shows each clue.

        Parameters
        ----------
        cell
            A closed cell.

        Returns
        -------
        numpy.ndarray
            One chance per clue from 0 to 8, then the chance that the cell is safe and shows no
            clue. They sum to 1 minus the risk.

        Raises
        ------
        BudgetExceeded
            If the posterior is an estimate.

        Examples
        --------
        >>> posterior = infer(Observation.from_text("4x1x2\n.1.."))
        >>> posterior.clue_chances((0, 2)).tolist()
        [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return self._native.clue_chances(self._closed_place(cell))

    def all_clue_chances(self) -> NDArray[np.float64]:
        r"""Return the chances of `clue_chances` for all closed cells at once.

        This takes little longer than inference, while asking cell by cell counts again for each.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, columns, 10); zeros for cells that are not closed.

        Examples
        --------
        >>> posterior = infer(Observation.from_text("4x1x2\n.1.."))
        >>> posterior.all_clue_chances()[0, 2].tolist()
        [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return self._native.all_clue_chances().reshape(*self.observation.cells.shape, -1)

    def count_chances(self, cell: Cell) -> NDArray[np.float64]:
        r"""Return the chance that a closed cell is safe and has each number of mines around it.

        Parameters
        ----------
        cell
            A closed cell.

        Returns
        -------
        numpy.ndarray
            One chance per number from 0 to 8. They sum to 1 minus the risk.

        Raises
        ------
        BudgetExceeded
            As for `clue_chances`.

        Examples
        --------
        >>> posterior = infer(Observation.from_text("3x1x1\n..."), channel=Channel.optimistic())
        >>> posterior.count_chances((0, 0)).round(3)[:2].tolist()
        [0.333, 0.333]
        """
        return self._native.count_chances(self._closed_place(cell))

    def _closed_place(self, cell: Cell) -> int:
        place = self.observation.topology.index(cell)
        if not self.observation.closed.flat[place]:
            row, col = self._cell(place)
            raise ValueError(f"({row}, {col}): the cell is not closed")
        return place

    def sample(self, count: int, seed: int) -> NDArray[np.bool_]:
        r"""Draw independent layouts from the posterior.

        Parameters
        ----------
        count
            The number of layouts.
        seed
            The same seed gives the same layouts.

        Returns
        -------
        numpy.ndarray
            Where the mines are, of shape (count, rows, columns), including exploded ones.

        Examples
        --------
        >>> layouts = infer(Observation.from_text("3x1x1\n.1.")).sample(1000, seed=1)
        >>> layouts.shape, layouts[:, 0, 1].any(), layouts.sum()
        ((1000, 1, 3), np.False_, np.int64(1000))
        """
        count = whole("count", count)
        if count * self.risk.size > _MAX_SAMPLED:
            raise ValueError(
                f"{written(count)} layouts of {self.risk.size} cells: at most {_MAX_SAMPLED} cells "
                "in all"
            )
        layouts = self._native.sample(count, check_seed(seed))
        return layouts.view(np.bool_).reshape(count, *self.observation.cells.shape)

    @cached_property
    def effort(self) -> Effort:
        """How much work it took to count the layouts."""
        return Effort(*self._native.effort)

    @cached_property
    def best(self) -> Best | None:
        """The first cell that is certainly safe, or else the first with the lowest risk.

        None if no cell is closed.
        """
        if self.safe:
            return Best(self.safe[0], 0.0)
        places = self._native.least_risky()
        if not places.size:
            return None
        cell = self._cell(int(places[0]))
        return Best(cell, float(self.risk[cell]))

    def to_dict(self) -> dict[str, Any]:
        r"""Return the answer as plain values, such as JSON has: None stands for NaN.

        The number of layouts is written out, as it may be longer than other programs can read.

        Examples
        --------
        >>> answer = infer(Observation.from_text("4x1x2\n.1..")).to_dict()
        >>> answer["layouts"], answer["risk"], answer["best"]
        ('2', [[0.5, None, 0.5, 1.0]], {'cell': (0, 0), 'risk': 0.5})
        """
        error, best, seen = self.standard_error, self.best, self.observation
        return {
            "rows": seen.rows,
            "cols": seen.cols,
            "topology": seen.topology.kind,
            "mines": seen.mines,
            "exact": self.exact,
            "layouts": decimal_digits(self.layouts) if self.exact else None,
            "standard_error": None if error is None else _numbers(error),
            "log10_layouts": None if math.isnan(self.log10_layouts) else self.log10_layouts,
            "risk": _numbers(self.risk),
            "safe": self.safe,
            "mined": self.mined,
            "trusted": self.trusted,
            "wrong_flags": self.wrong_flags,
            "expected_mines": self.expected_mines,
            "best": None if best is None else {"cell": best.cell, "risk": best.risk},
        }

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimated"
        found = f"{len(self.safe)} safe, {len(self.mined)} mined"
        best = "no closed cell" if self.best is None else f"best {self.best.cell}"
        return f"Posterior({self.observation.topology}, {kind}, {found}, {best})"

    def _cell(self, place: int) -> Cell:
        return divmod(place, self.observation.cols)


def _numbers(grid: NDArray[np.float64]) -> list[list[float | None]]:
    return [[None if math.isnan(value) else value for value in row] for row in grid.tolist()]


def core_of(posterior: Posterior) -> _core.Posterior:
    """Return the posterior of the core, for other packages to ask it further questions."""
    return posterior._native


_EXACT: Final = Channel.exact()
_UNKNOWN: Final = Prior.unknown()
_DEFAULT_BUDGET: Final = Budget()
_told = lru_cache(Prior.total)


def infer(
    observation: Observation,
    prior: Prior | None = None,
    channel: Channel | None = None,
    *,
    flags: Literal["ignore", "trust"] = "ignore",
    budget: Budget = _DEFAULT_BUDGET,
    require_exact: bool = False,
) -> Posterior:
    r"""Compute what follows from an observation.

    Parameters
    ----------
    observation
        What the player sees.
    prior
        How mines were laid. The default is the observation's number of mines if it has one, and
        an unknown density if not.
    channel
        How clues are produced. The default is the observation's channel, or exact clues.
    flags
        Whether to ``ignore`` flags, or to ``trust`` that they are mines.
    budget
        How much exact counting may use. A question that needs more gets an estimate.
    require_exact
        Whether to raise an error rather than return an estimate.

    Raises
    ------
    Contradiction
        If no layout fits.
    BudgetExceeded
        If the budget is too small, and an estimate is not wanted or would not be reliable.

    Examples
    --------
    >>> infer(Observation.from_text("3x2x1\n.1.\n.1.")).risk[0]
    array([0.25,  nan, 0.25])
    """
    check_settings(prior, channel, flags, budget)
    truth("require_exact", require_exact)
    return _infer(observation, prior, channel, flags, budget, require_exact, None)


class Settings(TypedDict, total=False):
    """The keyword arguments of `infer` that are part of the question."""

    prior: Prior | None
    channel: Channel | None
    flags: Literal["ignore", "trust"]
    budget: Budget


def exact_posterior(position: Observation | Posterior, **settings: Unpack[Settings]) -> Posterior:
    r"""Return an exact posterior as it is, and infer that of an observation.

    Examples
    --------
    >>> posterior = exact_posterior(Observation.from_text("3x2x1\n.1.\n.1."))
    >>> exact_posterior(posterior) is posterior
    True
    """
    if not isinstance(position, Posterior):
        return infer(position, **settings, require_exact=True)
    if settings:
        raise ValueError(f"{next(iter(settings))}: the posterior has its own")
    if not position.exact:
        raise BudgetExceeded("the frontier is too wide to count exactly within the budget")
    return position


def fits(
    observation: Observation,
    prior: Prior | None = None,
    channel: Channel | None = None,
    *,
    flags: Literal["ignore", "trust"] = "ignore",
    budget: Budget = _DEFAULT_BUDGET,
) -> bool:
    r"""Return whether any layout fits an observation, without looking for the reason if none does.

    Parameters
    ----------
    observation, prior, channel, flags, budget
        As for `infer`.

    Raises
    ------
    BudgetExceeded
        If the budget is too small to tell.

    Examples
    --------
    >>> fits(Observation.from_text("1.1")), fits(Observation.from_text("1.0"))
    (True, False)
    """
    check_settings(prior, channel, flags, budget)
    question, _, _ = _question(observation, prior, channel, flags, budget)
    return _core.fits(_core.Solver(), *question)


class Solver:
    """Answers questions like `infer`, and remembers what it has counted.

    It follows a game: from one observation to the next, only the components of the frontier that
    a new clue touches are formed and counted again. The answers are the same to the last digit.
    Threads that share a solver take turns.

    Parameters
    ----------
    prior, channel, flags, budget, require_exact
        As for `infer`.

    Examples
    --------
    >>> solver = Solver(Prior.density(0.2))
    >>> solver.infer(Observation.from_text("1..")).risk.tolist()
    [[nan, 1.0, 0.2]]
    """

    def __init__(
        self,
        prior: Prior | None = None,
        channel: Channel | None = None,
        *,
        flags: Literal["ignore", "trust"] = "ignore",
        budget: Budget = _DEFAULT_BUDGET,
        require_exact: bool = False,
    ) -> None:
        check_settings(prior, channel, flags, budget)
        truth("require_exact", require_exact)
        self._settings = prior, channel, flags, budget, require_exact
        self._native = _core.Solver()

    def infer(self, observation: Observation) -> Posterior:
        """Compute what follows from an observation."""
        return _infer(observation, *self._settings, self._native)

    def __repr__(self) -> str:
        prior, channel, flags, budget, require_exact = self._settings
        return f"Solver({prior}, {channel}, {flags=}, {budget=}, {require_exact=})"

    # What it remembers only saves time, so a copy starts with nothing.
    def __getstate__(self) -> tuple[Any, ...]:
        return self._settings

    def __setstate__(self, settings: tuple[Any, ...]) -> None:
        self._settings = settings
        self._native = _core.Solver()


def check_settings(
    prior: Prior | None, channel: Channel | None, flags: str, budget: Budget
) -> None:
    """Raise an error that names the argument which is wrong."""
    if prior is not None:
        instance("prior", prior, Prior, "Prior.density(0.2)")
    if channel is not None:
        instance("channel", channel, Channel, "Channel.parse('exact')")
    choice("flags", flags, ("ignore", "trust"))
    instance("budget", budget, Budget, "Budget(nodes=1_000_000)")


class _Question(NamedTuple):
    """A question to the core, in the order of its arguments."""

    topology: _core.Topology
    cells: NDArray[np.int8]
    mines: int | None
    density: float | None
    channel: _core.Channel
    trust_flags: bool
    nodes: int
    bytes: int


def _question(
    observation: Observation,
    prior: Prior | None,
    channel: Channel | None,
    flags: Literal["ignore", "trust"],
    budget: Budget,
) -> tuple[_Question, Prior, Channel]:
    """Return the question, with the prior and the channel that are assumed."""
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    if prior is None:
        prior = _UNKNOWN if observation.mines is None else _told(observation.mines)
    if channel is None:
        channel = observation.channel or _EXACT
    total = prior.total_among(observation.cells.size)
    question = _Question(
        observation.topology.native,
        observation.cells,
        total,
        prior.value if total is None else None,
        channel.native,
        flags == "trust",
        budget.nodes,
        budget.bytes,
    )
    return question, prior, channel


def _infer(
    observation: Observation,
    prior: Prior | None,
    channel: Channel | None,
    flags: Literal["ignore", "trust"],
    budget: Budget,
    require_exact: bool,
    solver: _core.Solver | None,
) -> Posterior:
    question, prior, channel = _question(observation, prior, channel, flags, budget)
    try:
        native = _core.infer(*question, require_exact, solver)
    except _core.Contradiction as clash:
        places, uses_total, irreducible = clash.args
        clues = tuple(map(observation.topology.cell, places))
        total_of = prior if uses_total else None
        needed: tuple[Cell, ...] = ()
        if flags == "trust":
            needed = _clashing_flags(observation, clues, total_of or _UNKNOWN, channel, budget)
        known = beside(clues, needed, observation, total_of)
        raise Contradiction(clues, uses_total, irreducible, known, needed) from None
    return Posterior(native, observation, prior, channel, flags, budget)


def _clashing_flags(
    observation: Observation,
    clues: tuple[Cell, ...],
    prior: Prior,
    channel: Channel,
    budget: Budget,
) -> tuple[Cell, ...]:
    """Return the flags that clues cannot be met with, each of them needed."""
    cells = np.where(observation.opened, np.int8(CellCode.KNOWN_SAFE), observation.cells)
    for clue in clues:
        cells[clue] = observation.code(clue)
    only = replace(observation, cells=cells)
    flags = only.flagged_cells()
    solver = _core.Solver()

    def clash(trusted: list[Cell]) -> bool:
        seen = only.without(flags=set(flags).difference(trusted))
        try:
            return not _core.fits(solver, *_question(seen, prior, channel, "trust", budget)[0])
        except BudgetExceeded:
            return False

    needed: list[Cell] = []
    rest = flags
    while not clash(needed):
        if len(needed) == _MOST_SINGLED_OUT:
            return tuple(flags)
        # The last flag of the shortest start that clashes is needed.
        count = bisect_left(range(len(rest)), True, lo=1, key=lambda n: clash([*needed, *rest[:n]]))
        needed.append(rest[count - 1])
        rest = rest[: count - 1]
    return tuple(sorted(needed))
