"""How pictures look: colours for light and dark pages, and a style of its own for every line.

Pictures are drawn in the colours of a light page. Inlined in the report, each colour becomes a
variable of the page, which has another value on a dark one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mineproof.draw.palette import CLUES
from mineproof.lab.study import Coordinate

__all__ = ["BACK", "FONTS", "GRID", "INK", "MUTED", "STYLES", "VARIABLES", "Style", "Styles"]

BACK: Final = "#ffffff"
INK: Final = "#1c2129"
MUTED: Final = "#5b6472"
GRID: Final = "#dfe3e9"

FONTS: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif'

_LINES: Final = (
    ("#1a45c4", "#2f7dfa"),
    ("#d9484f", "#c8604f"),
    ("#b07010", "#ecc678"),
    ("#118acb", "#78c2ff"),
    ("#64106f", "#b25cbc"),
    ("#3a3d42", "#e2e5ea"),
    ("#a0718f", "#a5809b"),
    ("#70300f", "#fa6414"),
)
"""On light and on dark pages. Any two stay apart for eyes that lack a kind of cone, too."""

_MARKERS: Final = ("o", "s", "D", "^", "v", "P", "X", "p")

_CLUES_ON_DARK: Final = (
    "#6c7686",
    "#7fb0ff",
    "#6fcf7c",
    "#ff8080",
    "#bb9bf5",
    "#eba078",
    "#5fc9cf",
    "#d3d8e0",
    "#a7adb8",
)

VARIABLES: Final[Mapping[str, tuple[str, str]]] = {
    BACK: ("back", "#15181d"),
    INK: ("ink", "#e6e9ee"),
    MUTED: ("muted", "#a3adbb"),
    GRID: ("grid", "#2d333c"),
    **{light: (f"line{n}", dark) for n, (light, dark) in enumerate(_LINES)},
    # Of boards:
    "#fbfbfd": ("board", "#1d2127"),
    "#fff": ("open", "#262b33"),
    "#e3e7ee": ("edge", "#363d47"),
    "#cfd6e2": ("closed", "#566070"),
    "#8a92a0": ("label", "#98a1ae"),
    "#c2187a": ("mark", "#e8308f"),
    "#1f5fd0": ("best", "#6ea3ff"),
    **{clue: (f"clue{n}", _CLUES_ON_DARK[n]) for n, clue in enumerate(CLUES)},
}
"""By the colour in a picture: the page's variable for it, and its value on a dark page."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one line is drawn.

    Parameters
    ----------
    colour, marker, dashes
        In the words of Matplotlib.
    """

    colour: str
    marker: str
    dashes: str = "-"


def _all_styles() -> Iterator[Style]:
    for turn, dashes in enumerate(("-", "--", ":")):
        for place, (light, _) in enumerate(_LINES):
            yield Style(light, _MARKERS[(place + 3 * turn) % len(_MARKERS)], dashes)


STYLES: Final = tuple(_all_styles())


@dataclass
class Styles:
    """Gives lines their styles: different ones in a chart, and the same in all charts if it can.

    Examples
    --------
    >>> styles = Styles()
    >>> one, other = styles.of(["exact", "basic"]), styles.of(["random", "basic"])
    >>> one["basic"] == other["basic"], other["random"] in one.values()
    (True, False)
    """

    _given: dict[Coordinate, int] = field(default_factory=dict)

    def of(self, lines: Iterable[Coordinate]) -> dict[Coordinate, Style]:
        """Return a style for each line of a chart."""
        chosen: dict[Coordinate, int] = {}
        wanted = list(dict.fromkeys(lines))
        for line in wanted:
            place = self._given.get(line)
            if place is not None and place not in chosen.values():
                chosen[line] = place
        for line in wanted:
            if line not in chosen:
                chosen[line] = self._free(chosen)
                self._given.setdefault(line, chosen[line])
        return {line: STYLES[chosen[line] % len(STYLES)] for line in wanted}

    def _free(self, chosen: Mapping[Coordinate, int]) -> int:
        """Pick, of the early styles that the chart has not, one that few other lines have."""
        uses = Counter(self._given.values())
        taken = set(chosen.values())
        room = max(len(_LINES), len(taken) + 1)
        return min((n for n in range(room) if n not in taken), key=lambda n: (uses[n], n))
