"""Clocks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call takes, and what it gives."""
    started = perf_counter()
    result = call()
    return perf_counter() - started, result


@dataclass(frozen=True, slots=True)
class Timing(Generic[T]):
    """The least seconds of a few calls: what the machine does meanwhile only adds.

    Parameters
    ----------
    warm
        Of all calls.
    cold
        Of those that came after something else had filled the caches.
    result
        What a call gives.
    """

    warm: float
    cold: float
    result: T


def best(call: Callable[[], T], calls: int, patience: float = math.inf) -> Timing[T]:
    """Time a few calls in a row; one that took longer than ``patience`` seconds is the last."""
    cold, result = timed(call)
    warm = last = cold
    for _ in range(calls - 1):
        if last > patience:
            break
        last, _ = timed(call)
        warm = min(warm, last)
    return Timing(warm, cold, result)


def side_by_side(
    first: Callable[[], T],
    second: Callable[[], U],
    *,
    turns: int = 3,
    calls: int = 5,
    patience: float = math.inf,
) -> tuple[Timing[T], Timing[U]]:
    """Time two calls in turns, so that what slows the machine slows both.

    Parameters
    ----------
    first, second
        The calls.
    turns, calls
        How many turns each has, and how many calls in a turn.
    patience
        Seconds; a call that takes longer is not repeated.
    """
    ours, theirs = best(first, calls, patience), best(second, calls, patience)
    for _ in range(turns - 1):
        if max(ours.cold, theirs.cold) > patience:
            break
        ours, theirs = (
            faster(ours, best(first, calls, patience)),
            faster(theirs, best(second, calls, patience)),
        )
    return ours, theirs


def faster(one: Timing[T], other: Timing[T]) -> Timing[T]:
    """Return the better of two timings of the same call."""
    return Timing(min(one.warm, other.warm), min(one.cold, other.cold), one.result)
