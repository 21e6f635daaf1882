"""The hook by which values draw themselves."""

from __future__ import annotations

__all__ = ["Drawn"]


class Drawn:
    """A value that notebooks draw: it hands itself to `mineproof.draw`, imported on demand."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        from mineproof.draw import to_svg

        return to_svg(self)
