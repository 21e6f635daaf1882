"""Checks of arguments, whose errors name the argument, and numbers as words for messages."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from numbers import Real
from operator import index
from typing import TypeVar

import numpy as np

__all__ = [
    "choice",
    "counted",
    "instance",
    "meant",
    "named",
    "percent",
    "sentence",
    "share",
    "truth",
    "whole",
    "written",
]

T = TypeVar("T")


def whole(name: str, value: int, least: int = 0, most: int | None = None) -> int:
    """Return a whole number of any type as an int.

    Examples
    --------
    >>> whole("rows", 3)
    3
    >>> whole("rows", 1.5, least=1)
    Traceback (most recent call last):
    ...
    TypeError: rows 1.5: must be a whole number from 1
    """
    error: type[Exception] = ValueError
    try:
        number = int(index(value))
        if least <= number and (most is None or number <= most):
            return number
    except TypeError:
        error = TypeError
    end = "" if most is None else f" to {_bound(most)}"
    raise error(sentence(name, value, f"a whole number from {least}{end}"))


def share(name: str, value: float) -> float:
    """Return a number from 0 to 1 as a float."""
    must = "a number from 0 to 1"
    # Every float is Real, but checking only for Real is slow, and so is making a union.
    if not isinstance(value, (float, Real)):
        raise TypeError(sentence(name, value, must))
    if not 0 <= value <= 1:
        raise ValueError(sentence(name, value, must))
    return float(value)


def truth(name: str, value: bool) -> bool:
    """Return True or False, also from a NumPy bool."""
    if value is True or value is False:
        return value
    if not isinstance(value, np.bool_):
        raise TypeError(sentence(name, value, "True or False"))
    return bool(value)


def choice(name: str, value: str, options: Collection[str]) -> None:
    """Raise an error unless the value is one of the options.

    Examples
    --------
    >>> choice("start", "lucky", ("any", "safe", "zero"))
    Traceback (most recent call last):
    ...
    ValueError: start 'lucky': must be any, safe or zero
    """
    if not isinstance(value, str) or value not in options:
        must = " or ".join(", ".join(options).rsplit(", ", 1))
        raise ValueError(sentence(name, value, must) + meant(value, options))


def meant(value: object, options: Collection[str]) -> str:
    """Ask whether the option most like a value was meant, in words to end a sentence with.

    Examples
    --------
    >>> meant("Exct", ("random", "exact")), meant("lucky", ("random", "exact"))
    ("; did you mean 'exact'?", '')
    """
    from difflib import get_close_matches

    known = {option.casefold(): option for option in options}
    alike = get_close_matches(str(value).casefold(), known, n=1)
    return f"; did you mean {known[alike[0]]!r}?" if alike else ""


def instance(name: str, value: T, kind: type[T], such_as: str = "") -> T:
    """Return the value if it is an instance of a type, and raise an error if not.

    Examples
    --------
    >>> instance("text", 5, str)
    Traceback (most recent call last):
    ...
    TypeError: text 5: must be a str
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        example = f", such as {such_as}" if such_as else ""
        raise TypeError(sentence(name, value, f"{article} {kind.__name__}{example}"))
    return value


def sentence(name: str, value: object, must: str) -> str:
    """Say what an argument must be, in one short line even if the value is long.

    Examples
    --------
    >>> sentence("seed", -1, "a whole number from 0")
    'seed -1: must be a whole number from 0'
    """
    shown = written(value) if isinstance(value, int) else " ".join(repr(value).split())
    return f"{name} {shown if len(shown) <= 60 else shown[:57] + '...'}: must be {must}"


def escaped(words: str, kept: str = "") -> str:
    r"""Write characters that cannot be printed as their escapes, except those to keep.

    Examples
    --------
    >>> print(escaped("\x1b[2Jgone\n", kept="\n"), end="")
    \x1b[2Jgone
    """
    return "".join(
        each if each.isprintable() or each in kept else ascii(each)[1:-1] for each in words
    )


def written(number: int) -> str:
    """Write a whole number in digits, unless there are too many of them.

    Examples
    --------
    >>> written(1234), written(-(10**400))
    ('1234', 'a number of 401 digits')
    """
    if -(10**40) < number < 10**40:
        return repr(number)
    # Python refuses to write numbers of thousands of digits.
    digits = int(abs(number).bit_length() * math.log10(2)) + 1
    return f"a number of {digits - (abs(number) < 10 ** (digits - 1))} digits"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, singular or plural.

    Examples
    --------
    >>> counted(1, "mine"), counted(4000, "mine")
    ('1 mine', '4,000 mines')
    """
    shown = f"{number:,}" if abs(number) < 10**40 else written(number)
    return f"{shown} {noun}" + "s" * (number != 1)


def named(things: Iterable[object], link: str = "and") -> str:
    """List cells or other things.

    Examples
    --------
    >>> named([(0, 1), (0, 2), (1, 2)])
    '(0, 1), (0, 2) and (1, 2)'
    """
    *others, last = map(str, things)
    return f"{', '.join(others)} {link} {last}" if others else last


def placed(noun: str, cells: Sequence[object]) -> str:
    """Name things by where they are.

    Examples
    --------
    >>> placed("clue", [(0, 1)]), placed("clue", [(0, 1), (2, 3)])
    ('the clue at (0, 1)', 'the clues at (0, 1) and (2, 3)')
    """
    return f"the {noun}{'s' * (len(cells) > 1)} at {named(cells)}"


def percent(risk: float, *, digits: int = 0) -> str:
    """Write an uncertain risk as a percentage, never as 0% or 100%.

    Examples
    --------
    >>> percent(0.126), percent(0.001), percent(0.9999)
    ('13%', '<1%', '>99%')
    >>> percent(0.126, digits=2), percent(1e-9, digits=2)
    ('12.60%', '<0.01%')
    """
    least = 10.0 ** -(digits + 2)
    if risk < least:
        return f"<{least:.{digits}%}"
    if risk > 1 - least:
        return f">{1 - least:.{digits}%}"
    return f"{risk:.{digits}%}"


def _bound(most: int) -> str:
    bits = most.bit_length()
    return f"2**{bits} - 1" if bits > 24 and most + 1 == 1 << bits else str(most)
