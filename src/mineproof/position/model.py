"""The generative model: how mines are laid, and what clues show of the true counts.

The game samples from the model; inference inverts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof import _core
from mineproof.arguments import choice, counted, instance, sentence, share, whole
from mineproof.position.topology import MAX_DEGREE

__all__ = ["NOTHING", "Channel", "Prior"]

NOTHING: Final = MAX_DEGREE + 1
"""The index in a channel's table for an open cell that shows no clue."""

_SHAPE: Final = (MAX_DEGREE + 1, MAX_DEGREE + 1, NOTHING + 1)
_ROWS: Final = [(around, true) for around in range(MAX_DEGREE + 1) for true in range(around + 1)]
"""The rows of a table that hold chances: neighbours and true count."""
_KNOWN: Final = ("exact", "lost", "late", "optimistic", "cautious")
"""The kinds of channels whose names say their chances."""


@dataclass(frozen=True, slots=True)
class Prior:
    """How mines were laid, before anything is seen.

    Examples
    --------
    >>> Prior.total(99)
    Prior(kind='total', value=99)
    >>> Prior.density(0.2)
    Prior(kind='density', value=0.2)
    >>> Prior.unknown()
    Prior(kind='unknown', value=None)
    """

    kind: Literal["total", "density", "unknown"]
    value: float | int | None = None

    def __post_init__(self) -> None:
        choice("kind", self.kind, ("total", "density", "unknown"))
        value: Any = self.value
        if self.kind == "total":
            object.__setattr__(self, "value", whole("total", value, 0, 2**63 - 1))
        elif self.kind == "density":
            object.__setattr__(self, "value", share("density", value))
        elif value is not None:
            raise ValueError(sentence("value", value, "None if the density is unknown"))

    def total_among(self, cells: int) -> int | None:
        """Return the number of mines on this many cells, or None if the prior leaves it open."""
        if self.kind == "unknown" or self.value is None:
            return None
        if self.kind == "total":
            return int(self.value)
        return {0.0: 0, 1.0: cells}.get(self.value)

    @classmethod
    def total(cls, mines: int) -> Prior:
        """Every layout with this many mines on the whole board is equally likely."""
        return cls("total", mines)

    @classmethod
    def density(cls, p: float) -> Prior:
        """Every cell is mined with chance p, independently of the others."""
        return cls("density", p)

    @classmethod
    def unknown(cls) -> Prior:
        """The density is unknown: every value from 0 to 1 is equally likely."""
        return cls("unknown")


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """What a clue shows, given the true number of mines around it.

    Channels with the same table and the same lateness are equal.

    Parameters
    ----------
    name
        What the channel is called in records and reports: a name that `Channel.parse` reads or, for
        any other table, a word that a digest of the table is added to. So tables that differ have
        names that differ.
    weights
        Chances of shape (9, 9, 10), as ``weights[neighbours, true, seen]``; seen 9 means no clue.
    arrival
        If clues are late, the chance that a pending one arrives after each later opening. A pending
        clue tells nothing, because its lateness does not depend on the mines.

    Attributes
    ----------
    is_exact
        Whether every clue is the true count, seen at once.

    Examples
    --------
    >>> Channel.lost(0.25).likelihood(3, true=3, neighbours=8)
    0.75
    >>> Channel.lost(0.25).likelihood(None, true=3, neighbours=8)
    0.25
    >>> Channel.lost(0) == Channel.exact()
    True
    """

    name: str
    weights: NDArray[np.float64]
    arrival: float | None = None
    is_exact: bool = field(init=False, repr=False)
    native: _core.Channel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        instance("name", self.name, str)
        try:
            weights = np.asarray(self.weights, np.float64)
        except (TypeError, ValueError):
            must = f"numbers of shape {_SHAPE}"
            raise TypeError(sentence("weights", self.weights, must)) from None
        _check_table(weights)
        # An array over bytes can never be made writeable. Adding zero leaves no negative zero.
        frozen = np.frombuffer((weights + 0.0).tobytes(), np.float64).reshape(_SHAPE)
        object.__setattr__(self, "weights", frozen)
        if self.arrival is not None:
            object.__setattr__(self, "arrival", share("arrival", self.arrival))
        label = self.name.partition(":")[0]
        if label not in _KNOWN:
            content = repr(self.arrival).encode() + frozen.astype("<f8").tobytes()
            digest = sha256(content).hexdigest()[:12]
            object.__setattr__(self, "name", f"{label}:{digest}")
        true = bool(np.array_equal(frozen, _IDENTITY))
        object.__setattr__(self, "is_exact", true and self.arrival is None)
        object.__setattr__(self, "native", _core.EXACT if true else _core.Channel(frozen))

    @classmethod
    def exact(cls) -> Channel:
        """The clue is the true count."""
        return cls("exact", _IDENTITY)

    @classmethod
    def lost(cls, p: float) -> Channel:
        """The clue is the true count, but with chance p the cell shows no clue."""
        p = share("p", p)
        weights = _fill(lambda seen, true, _: (1 - p) * (seen == true) + p * (seen == NOTHING))
        return cls(f"lost:{p!r}", weights)

    @classmethod
    def late(cls, p: float) -> Channel:
        """The clue is the true count, but arrives with chance p after each later opening."""
        p = share("p", p)
        return cls(f"late:{p!r}", _IDENTITY, p)

    @classmethod
    def optimistic(cls) -> Channel:
        """Every clue from 0 to the true count is equally likely."""
        return cls("optimistic", _fill(lambda seen, true, _: (seen <= true) / (true + 1)))

    @classmethod
    def cautious(cls) -> Channel:
        """Every clue from the true count to the number of neighbours is equally likely."""
        weights = _fill(lambda seen, true, d: (true <= seen <= d) / (d - true + 1))
        return cls("cautious", weights)

    @classmethod
    def table(cls, weights: ArrayLike, name: str = "table") -> Channel:
        """Use any table of chances P(seen | true, neighbours).

        Parameters
        ----------
        weights
            Chances of shape (9, 9, 10), as ``weights[neighbours, true, seen]``. Rows in which
            ``true <= neighbours`` sum to 1, the others are zero. No clue exceeds ``neighbours``.
        name
            What it is called in records and reports, where a digest of the chances follows.

        Examples
        --------
        >>> sometimes = Channel.table(Channel.lost(0.25).weights, "sometimes")
        >>> sometimes.name
        'sometimes:833911bf83ec'
        >>> Channel.parse(sometimes.to_text()) == sometimes
        True
        """
        must = f"printable, without ':', and not {', '.join(_KNOWN[:-1])} or {_KNOWN[-1]}"
        plain = instance("name", name, str).isprintable() and name == name.strip() != ""
        if not plain or ":" in name or name in _KNOWN:
            raise ValueError(sentence("name", name, must))
        return cls(name, np.asarray(weights))

    @classmethod
    def parse(cls, text: str) -> Channel:
        """Return a channel by name: exact, lost:P, late:P, optimistic or cautious.

        It also reads the tables that `to_text` writes.

        Examples
        --------
        >>> Channel.parse("lost:0.3").name
        'lost:0.3'
        """
        plain = {"exact": cls.exact, "optimistic": cls.optimistic, "cautious": cls.cautious}
        if instance("channel", text, str, "'exact'") in plain:
            return plain[text]()
        kind, _, chance = text.partition(":")
        try:
            if kind in ("lost", "late"):
                return (cls.lost if kind == "lost" else cls.late)(float(chance))
        except ValueError:
            pass
        if "/" in chance and kind not in _KNOWN:
            return cls.table(_read_table(chance), kind)
        must = "exact, lost:P or late:P with P from 0 to 1, optimistic or cautious"
        raise ValueError(sentence("channel", text, must))

    def to_text(self) -> str:
        """Write the channel for `Channel.parse`: its name, or for a table also its chances.

        Examples
        --------
        >>> Channel.lost(0.25).to_text()
        'lost:0.25'
        >>> Channel.table(Channel.lost(0.25).weights).to_text()[:40]
        'table:0.75,0.25/0.75,,0.25/,0.75,0.25/0.'
        """
        label = self.name.partition(":")[0]
        text = self.name if label in _KNOWN else f"{label}:{_write_table(self.weights)}"
        if Channel.parse(text) != self:
            raise ValueError(f"channel {self.name!r}: has not the chances that its name says")
        return text

    def likelihood(self, seen: int | None, true: int, neighbours: int) -> float:
        """Return the chance of seeing a clue, or None, if ``true`` of the neighbours are mines."""
        neighbours = whole("neighbours", neighbours, 0, MAX_DEGREE)
        true = whole("true", true, 0, neighbours)
        symbol = NOTHING if seen is None else whole("seen", seen, 0, NOTHING)
        return float(self.weights[neighbours, true, symbol])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel):
            return NotImplemented
        return self is other or (
            self.arrival == other.arrival and bool(np.array_equal(self.weights, other.weights))
        )

    def __hash__(self) -> int:
        return hash((self.weights.tobytes(), self.arrival))

    def __repr__(self) -> str:
        return f"Channel({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Channel, (self.name, self.weights, self.arrival)


def _fill(chance: Callable[[int, int, int], float]) -> NDArray[np.float64]:
    weights = np.zeros(_SHAPE)
    for neighbours in range(MAX_DEGREE + 1):
        for true in range(neighbours + 1):
            for seen in (*range(neighbours + 1), NOTHING):
                weights[neighbours, true, seen] = chance(seen, true, neighbours)
    return weights


def _write_table(weights: NDArray[np.float64]) -> str:
    """Write the chances of each row, of every clue and at last of none; a zero is left out."""
    return "/".join(
        ",".join(
            repr(chance).removesuffix(".0") if chance else ""
            for chance in weights[around, true, [*range(around + 1), NOTHING]].tolist()
        )
        for around, true in _ROWS
    )


def _read_table(text: str) -> NDArray[np.float64]:
    rows = text.split("/")
    if len(rows) != len(_ROWS):
        raise ValueError(f"channel table: {counted(len(rows), 'row')}, expected {len(_ROWS)}")
    weights = np.zeros(_SHAPE)
    for (around, true), row in zip(_ROWS, rows, strict=True):
        place = _place(around, true)
        chances = row.split(",")
        if len(chances) != around + 2:
            raise ValueError(f"{place}: {counted(len(chances), 'chance')}, expected {around + 2}")
        for seen, chance in zip([*range(around + 1), NOTHING], chances, strict=True):
            try:
                weights[around, true, seen] = float(chance or 0)
            except ValueError:
                raise ValueError(f"{place}: {sentence('chance', chance, 'a number')}") from None
    return weights


def _place(neighbours: int, true: int) -> str:
    return f"channel table: {counted(neighbours, 'neighbour')}, true count {true}"


def _check_table(weights: NDArray[np.float64]) -> None:
    if weights.shape != _SHAPE:
        raise ValueError(f"channel table: shape {weights.shape}, expected {_SHAPE}")
    negative: NDArray[np.bool_] = np.any(~(weights >= 0), axis=2)
    too_large = (_TOO_LARGE & (weights != 0)).any(axis=2)
    sums, expected = weights.sum(axis=2), np.tri(MAX_DEGREE + 1)
    wrong_sum = ~(np.abs(sums - expected) <= 1e-9)
    for neighbours, true in np.argwhere(negative | too_large | wrong_sum).tolist():
        row = neighbours, true
        place = _place(neighbours, true)
        if negative[row]:
            raise ValueError(f"{place}: a chance is negative or not a number")
        if too_large[row]:
            raise ValueError(f"{place}: shows a clue larger than the number of neighbours")
        raise ValueError(f"{place}: chances sum to {sums[row]:g}, expected {expected[row]:g}")


_TOO_LARGE: Final = np.fromfunction(
    lambda neighbours, _, seen: (neighbours < seen) & (seen < NOTHING), _SHAPE
)
"""Entries of a table that would show a clue larger than the number of neighbours."""

_IDENTITY: Final = _fill(lambda seen, true, _: float(seen == true))
