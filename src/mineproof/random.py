"""Random numbers that repeat: a seed gives the same numbers on every platform and version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from hashlib import sha256
from typing import Final, TypeVar

from mineproof import _core
from mineproof.arguments import whole

__all__ = ["Random", "agent_seed", "check_seed", "one_way"]

T = TypeVar("T")

_WORDS: Final = 2**64


def check_seed(seed: int) -> int:
    """Return the seed as an int, which must be from 0 to 2**64 - 1."""
    return whole("seed", seed, 0, _WORDS - 1)


def one_way(*parts: object) -> int:
    """Return a seed made from a seed and what it is for, from which neither can be computed.

    Examples
    --------
    >>> one_way("board", 1), one_way("board", 2)
    (18076047528903337722, 3495426819949507708)
    """
    text = " ".join(map(str, ("mineproof", *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[:8])


def agent_seed(seed: int) -> int:
    """Return the seed that an agent is given in a game where this one stands for it.

    A game and its agent usually have the same seed number. The agent must not be able to lay the
    board again with its own.
    """
    return one_way("agent", check_seed(seed))


class Random:
    """A seeded generator of random numbers; a copy continues from the same state.

    Parameters
    ----------
    seed
        From 0 to 2**64 - 1.

    Examples
    --------
    >>> Random(7).below(100) == Random(7).below(100)
    True
    """

    __slots__ = ("_native",)

    def __init__(self, seed: int) -> None:
        self._native = _core.Random(check_seed(seed))

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to ``bound - 1``, each equally likely."""
        return self._native.below(whole("bound", bound, 1, _WORDS - 1))

    def pick(self, things: Sequence[T]) -> T:
        """Draw one of the things, all equally likely."""
        return things[self.below(len(things))]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return the things in random order, all orders equally likely."""
        result = list(things)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def uniform(self) -> float:
        """Draw a number from [0, 1)."""
        return self._native.uniform()

    def __reduce__(self) -> tuple[Callable[[_core.Random], Random], tuple[_core.Random]]:
        return _resume, (self._native,)


def _resume(native: _core.Random) -> Random:
    random = Random.__new__(Random)
    random._native = copy(native)
    return random
