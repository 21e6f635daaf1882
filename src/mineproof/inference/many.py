"""Many observations at once, answered by native threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof import _core
from mineproof.arguments import sentence, whole
from mineproof.inference.posterior import Budget, check_settings
from mineproof.position.model import Channel, Prior
from mineproof.position.topology import Topology, TopologyKind

__all__ = ["Risks", "infer_many"]

_EXACT: Final = Channel.exact()
_UNKNOWN: Final = Prior.unknown()
_DEFAULT_BUDGET: Final = Budget()
_MOST_THREADS: Final = 1024


class Risks(NamedTuple):
    """The risks of many observations.

    Parameters
    ----------
    risk
        The chance that each cell is a mine, of shape (observations, rows, columns); NaN for cells
        that are not closed, and for whole observations without an answer.
    exact
        Whether the risks of each observation are exact; if not, they are estimates, or there is no
        answer within the budget.
    fits
        Whether a layout fits each observation, as far as the budget tells.

    Examples
    --------
    >>> infer_many([[[1, -1, -1]], [[1, 0, -1]]]).fits
    array([ True, False])
    """

    risk: NDArray[np.float64]
    exact: NDArray[np.bool_]
    fits: NDArray[np.bool_]


def infer_many(
    cells: ArrayLike,
    prior: Prior | None = None,
    channel: Channel | None = None,
    *,
    mines: int | Sequence[int] | NDArray[np.integer] | None = None,
    flags: Literal["ignore", "trust"] = "ignore",
    budget: Budget = _DEFAULT_BUDGET,
    threads: int = 1,
    topology: TopologyKind = "square",
) -> Risks:
    """Compute the risks of many observations of boards of the same size.

    The risks are those of `infer`. An observation that no layout fits is no error here, and no
    time is spent on the reason.

    Parameters
    ----------
    cells
        The codes of all observations, of shape (observations, rows, columns).
    prior, channel, flags, budget
        As for `infer`, the same for all.
    mines
        The number of mines of all boards, or of each, instead of a prior.
    threads
        How many native threads share the work. The number changes nothing but the time.
    topology
        Which cells touch, on all boards: ``square``, ``torus`` or ``hex``, as for `Topology`.

    Examples
    --------
    >>> closed = np.full((2, 1, 4), -1)
    >>> closed[:, 0, 1] = [1, 2]
    >>> infer_many(closed, mines=2, threads=2).risk[:, 0].tolist()
    [[0.5, nan, 0.5, 1.0], [1.0, nan, 1.0, 0.0]]
    """
    check_settings(prior, channel, flags, budget)
    if prior is not None and mines is not None:
        raise ValueError("mines: the prior says how mines are laid already")
    codes = np.asarray(cells)
    if codes.ndim != 3 or codes.dtype.kind not in "iu":
        must = "an array of whole numbers of shape (observations, rows, columns)"
        raise ValueError(sentence("cells", cells, must))
    count, rows, cols = codes.shape
    board = Topology(rows, cols, topology)
    prior = _UNKNOWN if prior is None else prior
    total = prior.total_among(board.cells) if mines is None else None
    told = _totals(mines if total is None else total, count)
    risk, found = _core.infer_many(
        board.native,
        np.ascontiguousarray(np.clip(codes, -128, 127), np.int8),
        told,
        prior.value if told is None else None,
        (_EXACT if channel is None else channel).native,
        flags == "trust",
        budget.nodes,
        budget.bytes,
        whole("threads", threads, 1, _MOST_THREADS),
    )
    return Risks(risk.reshape(codes.shape), found == 0, found != 3)


def _totals(
    mines: int | Sequence[int] | NDArray[np.integer] | None, count: int
) -> NDArray[np.int64] | None:
    """Return the number of mines of each board."""
    if mines is None:
        return None
    totals = np.asarray(mines)
    if totals.dtype.kind not in "iu" or totals.shape not in ((), (count,)):
        must = f"a whole number, or {count} of them"
        raise ValueError(sentence("mines", mines, must))
    return np.full(count, totals, np.int64)
