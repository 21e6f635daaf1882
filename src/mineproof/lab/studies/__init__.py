"""The built-in studies, one question per file, and those of other packages, by name.

Examples
--------
>>> from mineproof.lab import studies
>>> studies.get("density").charts[0].x
'density'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final

from mineproof.arguments import choice, instance
from mineproof.lab.study import Study

__all__ = ["GROUP", "get", "names", "registered"]

GROUP: Final = "mineproof.studies"
"""The entry-point group under which an installed package offers studies."""

_OURS: Final = (
    "levels",
    "strength",
    "density",
    "total",
    "mines",
    "size",
    "given",
    "reports",
    "uncertain",
    "deduced",
    "knowledge",
    "time",
    "effort",
    "hard",
    "chains",
    "starts",
    "belief",
    "search",
    "short",
    "calibration",
    "playthrough",
)
"""In the order of a report; each is the `STUDY` of the module of this name."""


@cache
def registered() -> Mapping[str, Study]:
    """Return every study by name: ours first, then those of other packages.

    Raises
    ------
    ValueError
        If a package offers something that is not a study, or a name that is already taken.
    """
    studies = {name: import_module(f"{__package__}.{name}").STUDY for name in _OURS}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        study = _load(point)
        if point.name in studies:
            raise ValueError(f"study {point.name!r}: {point.value} takes a name that is taken")
        studies[point.name] = study
    return MappingProxyType(studies)


def names() -> tuple[str, ...]:
    """Return the names of all studies.

    Examples
    --------
    >>> "density" in names()
    True
    """
    return tuple(registered())


def get(name: str) -> Study:
    """Return a study by name.

    Examples
    --------
    >>> get("density").title
    'Score by density'
    """
    choice("study", instance("study", name, str, "'levels'"), registered())
    return registered()[name]


def _load(point: EntryPoint) -> Study:
    try:
        study = point.load()
    except Exception as error:  # the package may raise anything
        raise ValueError(
            f"study {point.name!r}: {point.value} cannot be loaded: {error}"
        ) from error
    if not isinstance(study, Study):
        raise ValueError(f"study {point.name!r}: {point.value} is not a Study")
    if study.name != point.name:
        raise ValueError(f"study {point.name!r}: {point.value} has another name")
    return study
