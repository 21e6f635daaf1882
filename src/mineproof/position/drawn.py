"""The hook by which values draw themselves."""

from __future__ import annotations

__all__ = ["Drawn"]


class Drawn:
    """A value that `print` and notebooks draw with `mineproof.draw`, imported on demand."""

    __slots__ = ()

    def __str__(self) -> str:
        from mineproof.draw import to_text

        return to_text(self)

    def to_svg(self) -> str:
        """Draw the value as a self-contained SVG picture."""
        from mineproof.draw import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()
