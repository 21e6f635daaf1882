"""Pictures of an observation and its risks: text with colour, and SVG.

Both say the same: what is open, the risk of every closed cell, which cells are certain, and the
best cell. Certain cells are told from likely ones by more than colour, and a risk is shown as 0%
or 100% only where it is certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from mineproof.observation import CLOSED, EXPLODED, FLAGGED, KNOWN_SAFE, NO_CLUE, Observation

if TYPE_CHECKING:
    from mineproof.inference import Posterior

__all__ = ["percent", "svg", "text"]

Cell = tuple[int, int]
Colour = tuple[int, int, int]

# Green stays green where a terminal has only 16 colours.
_SAFE: Final[Colour] = (28, 140, 68)
_MINE: Final[Colour] = (92, 20, 38)
_HEAT: Final[tuple[Colour, ...]] = (
    (212, 237, 205),
    (250, 236, 166),
    (247, 190, 118),
    (232, 124, 96),
    (204, 66, 74),
)
_CLUES: Final = (
    "#aab2c0",
    "#2f6fde",
    "#2c8c38",
    "#d63b3b",
    "#6b3fb5",
    "#a4502a",
    "#178388",
    "#3b3f46",
    "#7b8089",
)
_WINDOW: Final = 100
"""The most rows or columns that are drawn."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What is to be seen of one cell: its code and, where it is closed, its risk."""

    code: int
    risk: float | None = None
    certain: bool = False

    @property
    def heat(self) -> Colour | None:
        """The colour of the risk, of its own for certain cells."""
        if self.risk is None:
            return None
        if self.certain:
            return _MINE if self.risk > 0.5 else _SAFE
        step, share = divmod(self.risk * (len(_HEAT) - 1), 1)
        low, high = _HEAT[int(step)], _HEAT[min(int(step) + 1, len(_HEAT) - 1)]
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
        return red, green, blue


class _Looks:
    """The looks of all cells of an observation, made one by one when asked for."""

    def __init__(self, observation: Observation, posterior: Posterior | None) -> None:
        self._cells = observation.cells
        self._risk = None if posterior is None else posterior.risk
        self._certain = frozenset[Cell]()
        if posterior is not None:
            self._certain = frozenset(posterior.safe) | frozenset(posterior.mined)

    def __getitem__(self, cell: Cell) -> _Look:
        code = int(self._cells[cell])
        if self._risk is None or code not in (CLOSED, FLAGGED, KNOWN_SAFE):
            return _Look(code)
        return _Look(code, float(self._risk[cell]), cell in self._certain)


def percent(risk: float, *, digits: int = 0) -> str:
    """Write an uncertain risk as a percentage, never 0% or 100%.

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


def text(
    observation: Observation, posterior: Posterior | None = None, *, width: int | None = None
) -> Text:
    r"""Draw an observation for the terminal, with rows and columns numbered from 0.

    Parameters
    ----------
    observation
        What a player sees.
    posterior
        Its risks; without them closed cells are drawn plain.
    width
        The columns of the terminal, None where it is none. A board too wide for numbers is drawn
        with a letter for each tenth of risk; one too wide even for that, or of more than 100 rows
        or columns, is cut to the part around the best cell.

    Examples
    --------
    >>> from mineproof.observation import Observation
    >>> print(text(Observation.from_text("1.1\n111")).plain)
        0 1 2
     0  1 . 1
     1  1 1 1
    """
    looks = _Looks(observation, posterior)
    best = _best_cell(posterior)
    margin = len(str(observation.rows - 1)) + 2
    room = _WINDOW * 5 if width is None else max(width - margin, 2)
    flagged = posterior is not None and bool((observation.cells == FLAGGED).any())
    wordy = posterior is not None and min(observation.cols, _WINDOW) * (5 + flagged) <= room
    pitch, symbol = (5 + flagged, _word) if wordy else (2 + flagged, _letter)
    most = max(1, min(_WINDOW, room // pitch))
    rows = _window(observation.rows, _WINDOW, 0 if best is None else best[0])
    cols = _window(observation.cols, most, 0 if best is None else best[1])

    out = Text(no_wrap=True)
    out.append(" " * margin + "".join(_column_labels(cols, pitch)).rstrip() + "\n", "dim")
    for row in rows:
        out.append(f"{row:>{margin - 1}} ", "dim")
        for col in cols:
            look = looks[row, col]
            flag = "F" * (look.code == FLAGGED and look.risk is not None)
            field = symbol(look)
            underline = " underline" * ((row, col) == best)
            out.append(" " * (pitch - len(flag + field)))
            out.append(flag, "bold red")
            out.append(field, _style(look) + underline)
        out.append("\n")
    cut, legend = [], []
    if len(rows) < observation.rows or len(cols) < observation.cols:
        cut += [f"rows {rows[0]}-{rows[-1]} of {observation.rows}"]
        cut += [f"columns {cols[0]}-{cols[-1]} of {observation.cols}"]
    if posterior is not None and not wordy:
        legend += ["risk a <10%", "b <20%", "... j <100%", "+ safe", "# mine"]
    if flagged:
        legend += ["F flag"]
    if best is not None and width is not None:
        legend += ["best underlined"]
    for notes in cut, legend:
        out.append("".join(_lines(notes, width or _WINDOW)), "dim")
    out.right_crop(1)
    return out


def svg(observation: Observation, posterior: Posterior | None = None) -> str:
    r"""Draw an observation as a self-contained SVG picture.

    Examples
    --------
    >>> from mineproof.observation import Observation
    >>> svg(Observation.from_text("1.1\n111"))[:4]
    '<svg'
    """
    looks = _Looks(observation, posterior)
    best = _best_cell(posterior)
    rows = _window(observation.rows, _WINDOW, 0 if best is None else best[0])
    cols = _window(observation.cols, _WINDOW, 0 if best is None else best[1])
    width = len(cols) * _SIDE + 2 * _EDGE
    legend = posterior is not None and width >= _LEGEND
    height = len(rows) * _SIDE + 2 * _EDGE + (_FOOT if legend else 0)
    across = {col: _EDGE + place * _SIDE for place, col in enumerate(cols)}
    down = {row: _EDGE + place * _SIDE for place, row in enumerate(rows)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" text-anchor="middle" '
        'font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfbfd"/>',
        '<g font-size="11" fill="#8a92a0">',
        *(_svg_text(x + _SIDE / 2, 17, str(col)) for col, x in across.items()),
        *(_svg_text(13, y + 22, str(row)) for row, y in down.items()),
        "</g>",
    ]
    for row, y in down.items():
        for col, x in across.items():
            parts.append(f'<g transform="translate({x} {y})">')
            parts.extend(_svg_cell(looks[row, col]))
            parts.append("</g>")
    if best is not None:
        parts.append(_svg_frame(across[best[1]], down[best[0]], _SIDE))
    if legend:
        parts.extend(_svg_legend(width, height - _FOOT - 12))
    return "\n".join([*parts, "</svg>"])


# ------------------------------------------------------------------------------------------- text


def _word(look: _Look) -> str:
    if look.risk is None:
        return _plain(look.code)
    if look.certain:
        return "mine" if look.risk > 0.5 else "safe"
    return percent(look.risk)


def _letter(look: _Look) -> str:
    if look.risk is None:
        return _plain(look.code)
    if look.certain:
        return "#" if look.risk > 0.5 else "+"
    return "abcdefghij"[min(int(look.risk * 10), 9)]


def _plain(code: int) -> str:
    symbols = {CLOSED: ".", FLAGGED: "F", NO_CLUE: "?", EXPLODED: "*", KNOWN_SAFE: "s"}
    return symbols.get(code, str(code))


def _style(look: _Look) -> str:
    if look.heat is not None:
        ink = "bold white" if look.certain else _ink(look.heat)
        return f"{ink} on {_hex(look.heat)}"
    if look.code == EXPLODED:
        return "bold red"
    if look.code > 0:
        return f"bold {_CLUES[look.code]}"
    return "dim"


def _best_cell(posterior: Posterior | None) -> Cell | None:
    return None if posterior is None or posterior.best is None else posterior.best.cell


def _lines(notes: list[str], width: int) -> Iterator[str]:
    """Put notes side by side, as many on a line as the width allows."""
    line = ""
    for note in notes:
        if line and len(line) + 2 + len(note) > width:
            yield line + "\n"
            line = ""
        line += "  " * bool(line) + note
    if line:
        yield line + "\n"


def _window(length: int, most: int, centre: int) -> range:
    first = max(0, min(centre - most // 2, length - most))
    return range(first, min(first + most, length))


def _column_labels(cols: range, pitch: int) -> Iterator[str]:
    """Number every column where there is room, else every fifth."""
    gap = 1 if len(str(cols[-1])) < pitch else 5
    line = ""
    for place, col in enumerate(cols):
        if col % gap == 0 and len(line) < (place + 1) * pitch - len(str(col)) + 1:
            label = str(col).rjust((place + 1) * pitch - len(line))
            line += label
            yield label


# -------------------------------------------------------------------------------------------- SVG

_SIDE: Final = 34
_EDGE: Final = 26
_FOOT: Final = 26
_LEGEND: Final = 330
"""The width that the legend needs."""


def _svg_cell(look: _Look) -> Iterator[str]:
    """Draw one cell, its corner at the origin."""
    fill = "#fff" if look.code >= 0 or look.code == NO_CLUE else "#cfd6e2"
    if look.code == EXPLODED:
        fill = "#f2b8b5"
    if look.heat is not None:
        fill = _hex(look.heat)
    side = _SIDE - 2
    yield f'<rect x="1" y="1" width="{side}" height="{side}" rx="5" fill="{fill}"'
    yield ' stroke="#e3e7ee"/>' if look.code >= 0 or look.code == NO_CLUE else "/>"
    if look.code > 0:
        paint = f'font-size="19" font-weight="bold" fill="{_CLUES[look.code]}"'
        yield _svg_text(17, 23.5, str(look.code), paint)
    elif look.code == 0:
        yield f'<circle cx="17" cy="17" r="1.8" fill="{_CLUES[0]}"/>'
    elif look.code == NO_CLUE:
        yield _svg_text(17, 23, "?", 'font-size="17" fill="#8a92a0"')
    elif look.code == EXPLODED:
        yield _svg_mine("#8d1d22")
    elif look.risk is None:
        if look.code == KNOWN_SAFE:
            yield _svg_text(17, 22, "s", 'font-size="14" fill="#4a5361"')
    elif not look.certain:
        label = percent(look.risk)
        paint = f'font-size="{12 if len(label) < 4 else 10.5}" fill="{_ink(look.heat)}"'
        height = 21.5 if look.code != FLAGGED else 24.5
        yield _svg_text(17, height, label.replace("<", "&lt;").replace(">", "&gt;"), paint)
    elif look.risk > 0.5:
        yield _svg_mine("#fff")
    else:
        yield (
            '<path d="M10 17.5l5 5.5 9.5-11" fill="none" stroke="#fff" stroke-width="3.2" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )
    if look.code == FLAGGED:
        yield _svg_flag(certain=look.certain)


def _svg_flag(*, certain: bool) -> str:
    pole, cloth = ("#ffffff", "#ff6b61") if certain else ("#20242b", "#c62828")
    return (
        f'<path d="M4.5 13V4" stroke="{pole}" stroke-width="1.4"/>'
        f'<path d="M5 3.6l7 2.8-7 2.8z" fill="{cloth}"/>'
    )


def _svg_frame(x: float, y: float, side: float) -> str:
    """Frame the best cell."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{side}" height="{side}" rx="{side / 6:.2g}" '
        f'fill="none" stroke="#1f5fd0" stroke-width="{max(side / 11, 2):.2g}"/>'
    )


def _svg_mine(colour: str) -> str:
    spikes = "M17 8v18M8 17h18M10.6 10.6l12.8 12.8M23.4 10.6L10.6 23.4"
    return (
        f'<path d="{spikes}" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
        f'<circle cx="17" cy="17" r="6" fill="{colour}"/>'
    )


def _svg_legend(width: int, top: int) -> Iterator[str]:
    """Explain certain cells, the colours of risks between them, flags and the best cell."""
    yield '<linearGradient id="heat">'
    for place, colour in enumerate(_HEAT):
        yield f'<stop offset="{place / (len(_HEAT) - 1):g}" stop-color="{_hex(colour)}"/>'
    yield "</linearGradient>"
    yield f'<g transform="translate({(width - _LEGEND) / 2:g} {top})">'
    for x, risk in ((0, 0.0), (182, 1.0)):
        yield f'<g transform="translate({x}) scale(.5)">'
        yield from _svg_cell(_Look(CLOSED, risk, certain=True))
        yield "</g>"
    yield '<rect x="86" y="3" width="44" height="11" rx="3" fill="url(#heat)"/>'
    yield f'<g transform="translate(237)">{_svg_flag(certain=False)}</g>'
    yield _svg_frame(286, 1.5, 14)
    yield '<g font-size="11" fill="#626b79">'
    for x, label in (
        (33, "safe"),
        (67, "&gt; 0%"),
        (155, "&lt; 100%"),
        (216, "mine"),
        (264, "flag"),
        (318, "best"),
    ):
        yield _svg_text(x, 12.5, label)
    yield "</g></g>"


def _svg_text(x: float, y: float, content: str, paint: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {paint}>{content}</text>'.replace(" >", ">")


def _ink(colour: Colour | None) -> str:
    """Dark or light, whichever reads better on the colour."""
    red, green, blue = colour or (255, 255, 255)
    return "#1d2128" if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
