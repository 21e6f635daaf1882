"""How series look: one colour and one marker per agent, in every figure and on every page.

Colours are written as on a light page. In the report each becomes a variable of the page, which has
another value on a dark page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from mineproof.draw.palette import CLUES, blend
from mineproof.lab.study import Coordinate

__all__ = ["BACK", "FONTS", "GRID", "INK", "MUTED", "VARIABLES", "Style", "styles", "themed"]

BACK: Final = "#ffffff"
INK: Final = "#1c2129"
MUTED: Final = "#5b6472"
GRID: Final = "#dfe3e9"

FONTS: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif'

_COLOURS: Final = {
    "blue": ("#1a4fc4", "#6ea0ff"),
    "red": ("#c5303c", "#ff7f86"),
    "ochre": ("#8f5a00", "#e8b04a"),
    "teal": ("#00736f", "#3fc4ba"),
    "purple": ("#7a2f9e", "#cf93f0"),
    "slate": ("#4b515b", "#c3cad4"),
    "green": ("#3d7a12", "#93cf5a"),
    "magenta": ("#b3257d", "#ff86cd"),
    "brown": ("#703c1c", "#d69b74"),
    "sky": ("#0d6fa8", "#6cc6f5"),
    "navy": ("#2a2f7c", "#a3a8ff"),
    "orange": ("#b84300", "#ff9a57"),
}
"""On light and on dark pages, each with a contrast of at least 4.5 to the background."""

_ORDERED: Final = (
    ("#8a5fb0", "#8f6bb8"),
    ("#3f78b5", "#6b9fd8"),
    ("#0c7a78", "#4bbfb4"),
    ("#4f7309", "#a6cf4f"),
    ("#8a5205", "#e6b34d"),
    ("#a02c2c", "#f58b80"),
)
"""For values that have an order, such as densities: from cool to warm."""

_MARKERS: Final = (
    "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0Z",
    "M-1,-1H1V1H-1Z",
    "M0,-1L1,0L0,1L-1,0Z",
    "M0,-0.866L1,0.866H-1Z",
    "M0,0.866L1,-0.866H-1Z",
    "M-0.4,-1H0.4V-0.4H1V0.4H0.4V1H-0.4V0.4H-1V-0.4H-0.4Z",
    "M-0.866,0L0.866,-1V1Z",
    "M0.866,0L-0.866,-1V1Z",
    "M0,-1.2L0.3,-0.4L1.1,-0.4L0.5,0.2L0.7,1L0,0.5L-0.7,1L-0.5,0.2L-1.1,-0.4L-0.3,-0.4Z",
    "M-0.7,-1L0,-0.3L0.7,-1L1,-0.7L0.3,0L1,0.7L0.7,1L0,0.3L-0.7,1L-1,0.7L-0.3,0L-1,-0.7Z",
    "M-0.5,-1H0.5L1,0L0.5,1H-0.5L-1,0Z",
)
"""SVG paths: a circle, a square, a diamond, triangles, a cross, a star, an X and a hexagon."""

_AGENTS: Final = {
    "exact": ("blue", 0),
    "champion": ("magenta", 8),
    "random": ("slate", 9),
    "basic": ("ochre", 1),
    "noisy-or": ("sky", 4),
    "components": ("purple", 2),
    "clue-heap": ("teal", 3),
    "weights": ("brown", 5),
    "logic": ("navy", 6),
    "border": ("red", 7),
    "projection": ("green", 10),
}
_PUBLISHED: Final = (
    *("Tu 2017", "Hill's solver", "minesolve, depth 1", "minesolve, depth 4"),
    *("Studholme 2000", "Buffet 2013", "Becerra 2015"),
)
"""The players of others, in the order of the markers."""

_DASHES: Final = ((), (6, 3), (2, 2), (8, 3, 2, 3), (1, 3))

_BOARDS: Final = {
    "#fbfbfd": ("board", "#1d2127"),
    "#fff": ("open", "#262b33"),
    "#e3e7ee": ("edge", "#363d47"),
    "#cfd6e2": ("closed", "#566070"),
    "#8a92a0": ("label", "#98a1ae"),
    "#c2187a": ("mark", "#e8308f"),
    "#1f5fd0": ("best", "#6ea3ff"),
}
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


_SHADES: Final = {
    (name, turn): (blend((light, toward), share), blend((dark, from_dark), share))
    for name, (light, dark) in _COLOURS.items()
    for turn, (toward, from_dark, share) in enumerate(
        (("#ffffff", "#000000", 0.3), ("#000000", "#ffffff", 0.4), ("#ffffff", "#000000", 0.5))
    )
}
"""Of each colour, for the variants of an agent: lighter, darker and lighter still."""

VARIABLES: Final[Mapping[str, tuple[str, str]]] = {
    BACK: ("back", "#15181d"),
    INK: ("ink", "#e6e9ee"),
    MUTED: ("muted", "#a3adbb"),
    GRID: ("grid", "#2d333c"),
    **{light: (name, dark) for name, (light, dark) in _COLOURS.items()},
    **{light: (f"{name}{n}", dark) for (name, n), (light, dark) in _SHADES.items()},
    **{light: (f"order{n}", dark) for n, (light, dark) in enumerate(_ORDERED)},
    **_BOARDS,
    **{clue: (f"clue{n}", _CLUES_ON_DARK[n]) for n, clue in enumerate(CLUES)},
}
"""By the colour in a picture: the page's variable for it, and its value on a dark page."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one series is drawn: a colour, a marker, and the dashes of its line."""

    colour: str
    marker: str
    dashes: tuple[int, ...] = ()

    @property
    def variable(self) -> str:
        """The page's variable for the colour."""
        return f"var(--{VARIABLES[self.colour][0]})"


def themed(text: str) -> str:
    """Put a picture or a specification into the colours of the page.

    Examples
    --------
    >>> themed('<rect fill="#ffffff"/><rect fill="#fff"/>')
    '<rect fill="var(--back)"/><rect fill="var(--open)"/>'
    """
    for colour in sorted(VARIABLES, key=len, reverse=True):
        text = text.replace(f'"{colour}"', f'"var(--{VARIABLES[colour][0]})"')
    return text


def styles(
    lines: Iterable[Coordinate], published: Iterable[Coordinate] = ()
) -> dict[Coordinate, Style]:
    """Return a style for each series of a figure.

    An agent has the same colour and marker everywhere; with options it has another shade, another
    marker and dashes. Numbers get colours in their order, and players of other authors are grey.

    Examples
    --------
    >>> found = styles(["exact", "exact:untold", 0.1])
    >>> found["exact"] == styles(["basic", "exact"])["exact"]
    True
    >>> found["exact"].marker == found["exact:untold"].marker
    False
    """
    names, others = list(dict.fromkeys(lines)), set(published)
    agents = {name for name in names if _base(name) in _AGENTS}
    rest = [name for name in names if name not in agents and name not in others]
    chosen: dict[Coordinate, Style] = {}
    for name in names:
        if name in agents:
            chosen[name] = _agent(str(name))
        elif name in others:
            order = [*_PUBLISHED, *sorted(map(str, others.difference(_PUBLISHED)))]
            chosen[name] = Style(MUTED, _MARKERS[order.index(str(name)) % len(_MARKERS)])
        elif agents:
            chosen[name] = _other(str(name))
        else:
            place = rest.index(name)
            step = place * (len(_ORDERED) - 1) // max(len(rest) - 1, 1)
            chosen[name] = Style(_ORDERED[step][0], _MARKERS[place % 8], _DASHES[place // 6 % 5])
    return chosen


def _base(name: Coordinate) -> str:
    return str(name).partition(":")[0]


def _agent(name: str) -> Style:
    """Return the style of an agent; that of a variant depends on its options alone."""
    base, _, options = name.partition(":")
    colour, place = _AGENTS[base]
    if not options:
        return Style(_COLOURS[colour][0], _MARKERS[place])
    turn = crc32(options.encode())
    marker = (place + 1 + turn % (len(_MARKERS) - 1)) % len(_MARKERS)
    shade = _SHADES[colour, turn // 16 % 3][0]
    return Style(shade, _MARKERS[marker], _DASHES[1 + turn // 64 % 4])


def _other(name: str) -> Style:
    """Return the style of an agent that another package brought along."""
    turn = crc32(name.encode())
    colours = [light for light, _ in _COLOURS.values()]
    return Style(colours[turn % len(colours)], _MARKERS[turn // 16 % len(_MARKERS)], _DASHES[1])
