"""Chance that repeats: the same seed gives the same numbers on every platform and version."""

from __future__ import annotations

from mineproof import _core

__all__ = ["Random", "check_seed"]


def check_seed(seed: int) -> int:
    """Return the seed, or raise `ValueError` where it does not fit 64 bits.

    Examples
    --------
    >>> check_seed(7)
    7
    """
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed {seed}: a seed is a whole number from 0 to 2**64 - 1")
    return seed


class Random:
    """A portable seeded generator of numbers.

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
        if bound < 1:
            raise ValueError(f"bound {bound}: must be at least 1")
        return self._native.below(bound)

    def uniform(self) -> float:
        """Draw a number from [0, 1)."""
        return self._native.uniform()
