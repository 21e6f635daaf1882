"""What follows from an observation: the exact chance of a mine under every closed cell."""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import choice, instance, truth, whole
from mineproof.counting import count_layouts
from mineproof.effort import Budget, Effort
from mineproof.errors import BudgetExceeded, Contradiction, beside
from mineproof.model import Channel, Prior
from mineproof.observation import Observation
from mineproof.random import check_seed
from mineproof.topology import Cell

__all__ = ["Best", "Budget", "Effort", "Posterior", "Solver", "infer"]

TIE: Final = _core.TIE
"""Risks closer than this are equal."""

_MOST_SAMPLED: Final = 2**32


class Best(NamedTuple):
    r"""The closed cell of the lowest risk.

    Parameters
    ----------
    cell
        Where it is.
    risk
        The chance of a mine there.

    Examples
    --------
    >>> infer(Observation.from_text("4x1x2\n.1..")).best
    Best(cell=(0, 0), risk=0.5)
    """

    cell: Cell
    risk: float


class Posterior:
    r"""What follows from an observation: made by `infer`, worked out as far as it is asked.

    Attributes
    ----------
    observation, prior, channel, flags
        What it follows from.

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
    ) -> None:
        self._native = native
        self.observation = observation
        self.prior = prior
        self.channel = channel
        self.flags = flags

    @property
    def native(self) -> _core.Posterior:
        """The core's own posterior, for other questions to the core."""
        return self._native

    @property
    def exact(self) -> bool:
        """Whether the risks are exact; if not, they are estimates with a standard error."""
        return self._native.exact

    @cached_property
    def risk(self) -> NDArray[np.float64]:
        """The chance of a mine by cell; not a number where a cell is not closed."""
        return self._native.risk

    @cached_property
    def standard_error(self) -> NDArray[np.float64] | None:
        """The standard error of every risk, or None where they are exact."""
        return None if self.exact else self._native.standard_error

    @cached_property
    def safe(self) -> tuple[Cell, ...]:
        """The closed cells that are certainly safe."""
        return tuple(map(self._cell, self._native.safe))

    @cached_property
    def mined(self) -> tuple[Cell, ...]:
        """The closed cells that are certainly mined."""
        return tuple(map(self._cell, self._native.mined))

    @property
    def expected_mines(self) -> float:
        """The mean number of mines on the whole board, exploded ones included."""
        return self._native.expected_mines

    @cached_property
    def layouts(self) -> int:
        """The number of layouts that fit: those that are possible at all, however unlikely.

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
        """The decimal logarithm of the number of layouts; NaN where the risks are estimates."""
        if self.channel.is_exact and self.prior.total_among(self.risk.size) is not None:
            return self._native.log_weight / math.log(10)
        return math.log10(self.layouts) if self.exact else math.nan

    @cached_property
    def total_distribution(self) -> NDArray[np.float64]:
        """The chance of every number of mines on the whole board, by that number."""
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
            By clue from 0 to 8; last, the chance that it is safe and shows none. They sum to one
            less the risk.

        Examples
        --------
        >>> posterior = infer(Observation.from_text("4x1x2\n.1.."))
        >>> posterior.clue_chances((0, 2)).tolist()
        [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return self._native.clue_chances(self._closed_place(cell))

    def count_chances(self, cell: Cell) -> NDArray[np.float64]:
        r"""Return the chance that a closed cell is safe and touches each number of mines.

        Parameters
        ----------
        cell
            A closed cell.

        Returns
        -------
        numpy.ndarray
            By number from 0 to 8. They sum to one less the risk.

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
            raise ValueError(f"row {row}, column {col}: the cell is not closed")
        return place

    def sample(self, count: int, seed: int) -> NDArray[np.bool_]:
        r"""Draw independent layouts from the posterior.

        Parameters
        ----------
        count
            How many.
        seed
            The same seed gives the same layouts.

        Returns
        -------
        numpy.ndarray
            Mines by layout, row and column; exploded ones are mines too.

        Examples
        --------
        >>> layouts = infer(Observation.from_text("3x1x1\n.1.")).sample(1000, seed=1)
        >>> layouts.shape, layouts[:, 0, 1].any(), layouts.sum()
        ((1000, 1, 3), np.False_, np.int64(1000))
        """
        count = whole("count", count)
        if count * self.risk.size > _MOST_SAMPLED:
            raise ValueError(
                f"{count} layouts of {self.risk.size} cells: at most {_MOST_SAMPLED} cells in all"
            )
        layouts = self._native.sample(count, check_seed(seed))
        return layouts.view(np.bool_).reshape(count, *self.observation.cells.shape)

    @cached_property
    def effort(self) -> Effort:
        """What it took to count the layouts."""
        return Effort(*self._native.effort)

    @cached_property
    def best(self) -> Best | None:
        """A certainly safe cell, or else one of the lowest risk; the first of equals.

        None where no cell is closed.
        """
        if self.safe:
            return Best(self.safe[0], 0.0)
        places = self._native.least_risky()
        if not places.size:
            return None
        cell = self._cell(int(places[0]))
        return Best(cell, float(self.risk[cell]))

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimated"
        found = f"{len(self.safe)} safe, {len(self.mined)} mined"
        best = "no closed cell" if self.best is None else f"best {self.best.cell}"
        rows, cols = self.observation.topology.shape
        return f"Posterior({rows}x{cols}, {kind}, {found}, {best})"

    def _repr_svg_(self) -> str:
        from mineproof.render import svg

        return svg(self.observation, self)

    def _cell(self, place: int) -> Cell:
        return divmod(place, self.observation.cols)


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
    r"""Work out what follows from an observation.

    Parameters
    ----------
    observation
        What is seen.
    prior
        How mines were laid; by default the observation's total, or an unknown density.
    channel
        How clues came about; by default the observation's channel, or exact clues.
    flags
        Whether flags are only marks, or mines that are known.
    budget
        What exact counting may spend. A wider question gets an estimate.
    require_exact
        Whether an estimate will not do.

    Raises
    ------
    Contradiction
        If no layout fits.
    BudgetExceeded
        If the budget does not suffice, and an estimate will not do or cannot be trusted.

    Examples
    --------
    >>> infer(Observation.from_text("3x2x1\n.1.\n.1.")).risk[0]
    array([0.25,  nan, 0.25])
    """
    _check_settings(prior, channel, flags, budget, require_exact)
    return _infer(observation, prior, channel, flags, budget, require_exact, None)


class Solver:
    """Answers one question after another like `infer`, and remembers what it has counted.

    Along a game most parts of the frontier stay as they were from move to move. They are not
    counted again; the answers are the same to the last digit.

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
        _check_settings(prior, channel, flags, budget, require_exact)
        self._settings = prior, channel, flags, budget, require_exact
        self._cache = _core.LayoutCache()

    def infer(self, observation: Observation) -> Posterior:
        """Work out what follows from an observation."""
        return _infer(observation, *self._settings, self._cache)

    def __repr__(self) -> str:
        prior, channel, flags, budget, require_exact = self._settings
        return f"Solver({prior}, {channel}, {flags=}, {budget=}, {require_exact=})"

    # What is remembered only saves time, so a copy begins without it.
    def __getstate__(self) -> tuple[Any, ...]:
        return self._settings

    def __setstate__(self, settings: tuple[Any, ...]) -> None:
        self._settings = settings
        self._cache = _core.LayoutCache()


def _check_settings(
    prior: Prior | None, channel: Channel | None, flags: str, budget: Budget, require_exact: bool
) -> None:
    if prior is not None:
        instance("prior", prior, Prior, "Prior.density(0.2)")
    if channel is not None:
        instance("channel", channel, Channel, "Channel.parse('exact')")
    choice("flags", flags, ("ignore", "trust"))
    instance("budget", budget, Budget, "Budget(nodes=1_000_000)")
    truth("require_exact", require_exact)


def _infer(
    observation: Observation,
    prior: Prior | None,
    channel: Channel | None,
    flags: Literal["ignore", "trust"],
    budget: Budget,
    require_exact: bool,
    cache: _core.LayoutCache | None,
) -> Posterior:
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    if prior is None:
        prior = _UNKNOWN if observation.mines is None else _told(observation.mines)
    if channel is None:
        channel = observation.channel or _EXACT
    total = prior.total_among(observation.cells.size)
    try:
        native = _core.infer(
            observation.topology.native,
            observation.cells,
            total,
            prior.value if total is None else None,
            channel.native,
            flags == "trust",
            budget.nodes,
            budget.bytes,
            require_exact,
            cache,
        )
    except _core.Contradiction as clash:
        places, uses_total, irreducible = clash.args
        clues = tuple(map(observation.topology.cell, places))
        total_of = prior if uses_total else None
        known = beside(clues, observation, total_of, trust_flags=flags == "trust")
        raise Contradiction(clues, uses_total, irreducible, known) from None
    return Posterior(native, observation, prior, channel, flags)
