"""Boards as text and as pictures."""

from __future__ import annotations

from mineproof.draw.picture import svg
from mineproof.inference import Posterior
from mineproof.position import Observation

__all__ = ["to_svg"]


def to_svg(value: object) -> str:
    """Draw a value as a self-contained SVG picture."""
    if isinstance(value, Posterior):
        return svg(value.observation, value)
    if isinstance(value, Observation):
        return svg(value)
    raise TypeError(f"{type(value).__name__}: cannot be drawn")
