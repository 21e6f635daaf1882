"""An agent of a tournament, and how it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Entrant", "Failure"]


@dataclass(frozen=True, slots=True)
class Failure:
    """What an agent did wrong in a game; None if it was before all games."""

    game: int | None
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """One agent of a tournament, and how it did.

    Parameters
    ----------
    name
        The name of its file without the ending, and of its class if the file has several.
    digest
        The hash of its file.
    title
        What the agent calls itself.
    is_reference
        Whether it is an agent of mineproof that plays along.
    broken
        How many promises of the contract it broke; None if that could not be found out.
    promises
        Sentences about the first of these.
    failures
        What it did wrong while it played. It loses these games.
    out
        Why it is not ranked; empty if it is.
    columns
        For every game, the values that `compare` keeps of a record.
    file
        The name of its file; empty for an agent of mineproof.
    """

    name: str
    digest: str = ""
    title: str = ""
    is_reference: bool = False
    broken: int | None = None
    promises: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    out: str = ""
    columns: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    file: str = ""

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Entrant:
        """Make it again from `asdict`, as JSON keeps it."""
        failures = tuple(Failure(**each) for each in values.pop("failures"))
        promises = tuple(values.pop("promises"))
        columns = tuple(map(tuple, values.pop("columns")))
        return cls(**values, failures=failures, promises=promises, columns=columns)
