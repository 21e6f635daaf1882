"""What exact counting may spend, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mineproof.arguments import whole

__all__ = ["Budget", "Effort"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What exact counting may spend on one question; an estimate spends a little of its own.

    Parameters
    ----------
    nodes
        Products of weights, the unit of its work: some hundred million take a second.
    bytes
        Memory for partial layouts.

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
    """What it took to count the layouts of an observation: how hard the question was.

    It belongs to the question: what a `Solver` remembers is told as if it were counted again. The
    order in which clues are closed is found by rules of thumb, so of two boards that mirror each
    other one may take a little more width and work.

    Parameters
    ----------
    components
        Parts of the frontier that share no clue, after what single clues settle.
    cells
        Unknown cells of the largest component.
    width
        The most clues that are open at once, having some of their cells counted and others not, in
        the component where they are most: cost is exponential in it. A component too wide to count
        tells of the best order found; 257 stands for one that has none worth counting in.
    work
        Products of weights, as in `Budget.nodes`, with sixteen for every step between two partial
        layouts. None where the risks are estimates.

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
