"""A move of a game: what was done, what it showed, and what its player claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mineproof.arguments import choice, instance, sentence, truth
from mineproof.position.rules import KINDS, Kind
from mineproof.position.topology import Cell, plain_cell

__all__ = ["Claim", "Move", "check_player", "decisions", "move_rows"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What the player of a move claimed.

    Parameters
    ----------
    certain
        Whether the player claimed to be certain.
    risk
        The chance of a mine, according to the player, if it named one.
    reason
        Why it made the move, in words.
    """

    certain: bool = False
    risk: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a game.

    Parameters
    ----------
    kind, cell
        What was done, and where.
    by
        Who made the move: a person, or an agent by name. It is empty if nobody chose the move, as
        with a first cell by rule, or if nobody knows who did.
    shows
        The cells that look different after the move, with their codes. The flag that a move sets or
        removes is not among them.
    together
        Whether it was decided together with the move before it, as an agent decides on many.
    opened, hits
        The number of safe cells that it opened, cascades included, and of mines that it exploded.
    claim
        What its player claimed, if that is known.

    Examples
    --------
    >>> move = Move("open", (0, 3), by="Ada", shows=(((0, 3), 1),), opened=1)
    >>> move.shows, move.certain, move.is_guess
    ((((0, 3), 1),), False, False)
    """

    kind: Kind
    cell: Cell
    by: str = ""
    shows: tuple[tuple[Cell, int], ...] = ()
    together: bool = False
    opened: int = 0
    hits: int = 0
    claim: Claim | None = None

    def __post_init__(self) -> None:
        choice("kind", self.kind, KINDS)
        truth("together", self.together)
        object.__setattr__(self, "cell", plain_cell(self.cell))
        check_player("by", self.by)
        shown = sorted((plain_cell(cell), int(code)) for cell, code in self.shows)
        object.__setattr__(self, "shows", tuple(shown))

    @classmethod
    def from_core(
        cls,
        kind: Kind,
        cell: Cell,
        by: str,
        shows: tuple[tuple[Cell, int], ...],
        together: bool,
        opened: int,
        hits: int,
        claim: Claim | None,
    ) -> Move:
        """Wrap a move that the core has made, without checking it."""
        move = object.__new__(cls)
        fill = object.__setattr__
        fill(move, "kind", kind)
        fill(move, "cell", cell)
        fill(move, "by", by)
        fill(move, "shows", shows)
        fill(move, "together", together)
        fill(move, "opened", opened)
        fill(move, "hits", hits)
        fill(move, "claim", claim)
        return move

    @property
    def certain(self) -> bool:
        """Whether its player claimed to be certain."""
        return self.claim is not None and self.claim.certain

    @property
    def is_guess(self) -> bool:
        """Whether it opened a cell, and its player did not claim to be certain."""
        return self.kind == "open" and self.claim is not None and not self.claim.certain

    @property
    def risk(self) -> float | None:
        """The chance of a mine, according to its player, if it named one."""
        return None if self.claim is None else self.claim.risk

    @property
    def reason(self) -> str:
        """Why its player made it, in words; empty if that is not known."""
        return "" if self.claim is None else self.claim.reason


def check_player(name: str, value: str) -> None:
    """Raise an error if this cannot be the name of a player."""
    if instance(name, value, str) != value.strip() or not value.isprintable():
        raise ValueError(sentence(name, value, "printable, without spaces at its ends"))


def decisions(moves: Iterable[Move]) -> Iterator[tuple[Move, ...]]:
    """Yield the moves of each decision. Nobody decides to wait: a wait comes alone.

    Examples
    --------
    >>> moves = [Move("open", (0, 0)), Move("flag", (0, 1)), Move("flag", (0, 2), together=True)]
    >>> [len(made) for made in decisions(moves)]
    [1, 2]
    """
    made: list[Move] = []
    for move in moves:
        if made and not move.together:
            yield tuple(made)
            made.clear()
        made.append(move)
    if made:
        yield tuple(made)


def move_rows(moves: Iterable[Move]) -> Iterator[dict[str, Any]]:
    """Yield the moves of a game as plain values, with the numbers of their decisions.

    Examples
    --------
    >>> rows = move_rows([Move("open", (0, 0), opened=1, claim=Claim(reason="a hunch"))])
    >>> {name: value for name, value in next(rows).items() if value}
    {'kind': 'open', 'guess': True, 'reason': 'a hunch', 'opened': 1}
    """
    step = 0
    for made in decisions(moves):
        for move in made:
            row, col = move.cell
            yield {
                "step": step,
                "kind": move.kind,
                "row": row,
                "col": col,
                "certain": move.certain,
                "guess": move.is_guess,
                "risk": move.risk,
                "reason": move.reason,
                "opened": move.opened,
                "hits": move.hits,
            }
        step += made[0].kind != "wait"
