"""Chains of influence as text, as SVG and in sentences: lengths, roots and the longest path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from rich.text import Text

from mineproof.arguments import counted
from mineproof.chains import Chains
from mineproof.draw import svg
from mineproof.draw.palette import DEPTH, INK, MARK, blend, ink_on
from mineproof.draw.terminal import WINDOW, Bracket, board_grid, window
from mineproof.position.cells import is_open
from mineproof.position.topology import Cell

_PATH: Final = Bracket("[", "]", "bold #e0399a")
_UNSETTLED: Final = "#e4e7ec"
_LEAST: Final = 340
"""The least width of the sentences and the legend."""


def chains_text(chains: Chains, *, width: int | None = None) -> Text:
    r"""Draw the chains of a game for the terminal.

    Every cell shows the length of its chain, on a colour that is the darker the longer it is. A
    star marks a mine, an o marks a root. The cells of the longest chain are in brackets: their
    numbers show its way.

    Parameters
    ----------
    chains
        What to draw.
    width
        The columns of the terminal, None if there is none. A board that is too wide is cut to the
        part around the end of the longest chain.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> print(chains_text(chains_of(Game.on(Board.from_text("...*..\n......")))).plain)
         0  1  2  3  4  5
     0 [o0| 1| 2]*1[ 3] 3
     1   1  1  2 o0  3  3
    [] longest chain  * mine  o root
    """
    seen, links, path = chains.seen, chains.links, frozenset(chains.path)
    digits = len(str(chains.longest)) + 1

    def field(cell: Cell) -> Text:
        link = chains.by_cell.get(cell)
        if link is None:
            return Text(".".rjust(digits), "dim")
        sign = "*" if link.status == "mine" else "o" if link.is_root else ""
        paper = _paper(chains, link.length)
        style = f"{'bold ' * (link.status == 'mine')}{ink_on(paper)} on {paper}"
        return Text(f"{sign}{link.length}".rjust(digits), style)

    return board_grid(
        seen.topology,
        digits + 1,
        field,
        brackets=lambda cell: _PATH if cell in path else None,
        legend=[
            "[] longest chain",
            *["* mine"] * any(link.status == "mine" for link in links),
            *["o root"] * any(link.is_root for link in links),
            *[". never settled"] * (len(links) < seen.cells.size),
        ],
        centre=_end(chains),
        width=width,
    )


def chains_svg(chains: Chains, *, title: str = "", most: int = WINDOW) -> str:
    """Draw the chains of a game as a self-contained SVG picture.

    The longer the chain of a cell, the darker it is, and its length is in a corner; the cells of
    the longest chain have it on a badge, and a line joins them. Roots are framed.

    Parameters
    ----------
    chains
        What to draw.
    title
        What to write above the board.
    most
        The most rows and columns to draw, around the end of the longest chain.
    """
    end = _end(chains)
    rows, cols = window(chains.seen.rows, most, end[0]), window(chains.seen.cols, most, end[1])
    path = [cell for cell in chains.path if cell[0] in rows and cell[1] in cols]
    tiles = svg.Tiles(chains.seen.topology)
    line = _line(tiles, tiles.corners(rows, cols), path)

    def ground(cell: Cell) -> str:
        link = chains.by_cell.get(cell)
        if link is None:
            return tiles.ground(_UNSETTLED)
        return tiles.ground(_paper(chains, link.length)) + tiles.root * link.is_root

    def content(cell: Cell) -> str:
        link, code = chains.by_cell.get(cell), chains.seen.code(cell)
        if link is None:
            return ""
        ink = ink_on(_paper(chains, link.length))
        drawn = svg.mine_sign(ink) if link.status == "mine" else ""
        drawn = svg.clue(code, ink) if is_open(code) else drawn
        if cell in path:
            return drawn + tiles.badge(str(link.length), MARK)
        return drawn + tiles.note(str(link.length), ink)

    board = tiles.board(rows, cols, ground, lambda cell: line if cell in path[:1] else "", content)
    width = max(board.width, _LEAST)
    parts = [
        svg.words(title, size=15, colour=INK, bold=True, width=width, align=0.5),
        board,
        svg.flow(_legend(tiles, chains), width, align=0.5),
        *(svg.words(said, size=12.5, width=width, align=0.5) for said in chain_sentences(chains)),
    ]
    return svg.picture(svg.stack(parts, gap=8, align=0.5), margin=14)


def _paper(chains: Chains, length: int) -> str:
    return blend(DEPTH, length / max(chains.longest, 1))


def _end(chains: Chains) -> Cell:
    return chains.path[-1] if chains.path else (0, 0)


def _line(tiles: svg.Tiles, corners: Mapping[Cell, tuple[float, float]], path: list[Cell]) -> str:
    """Join the cells of a path, from the corner of the first one's tile.

    On a torus, a line that is shorter across an edge leaves there and comes back at the opposite
    one.
    """
    if not path:
        return ""
    xs, ys = zip(*corners.values(), strict=True)
    (left, top), half = corners[path[0]], svg.SIDE / 2
    points = [(corners[cell][0] - left + half, corners[cell][1] - top + half) for cell in path]
    width, height = max(xs) - min(xs) + svg.SIDE, max(ys) - min(ys) + svg.SIDE
    if tiles.topology.kind != "torus" or len(corners) < tiles.topology.cells:
        return _stroked([points])
    parts = [points[:1]]
    for (x, y), (to_x, to_y) in pairwise(points):
        over_x, over_y = (
            size * round((place - to) / size)
            for place, to, size in ((x, to_x, width), (y, to_y, height))
        )
        if over_x or over_y:
            parts[-1].append((to_x + over_x, to_y + over_y))
            parts.append([(x - over_x, y - over_y)])
        parts[-1].append((to_x, to_y))
    # A picture within the picture cuts off what is outside of it.
    x, y = min(xs) - left, min(ys) - top
    return (
        f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'viewBox="{x:g} {y:g} {width:g} {height:g}">{_stroked(parts)}</svg>'
    )


def _stroked(parts: list[list[tuple[float, float]]]) -> str:
    lines = []
    for paint in (
        'stroke="white" stroke-width="6" opacity=".6"',
        f'stroke="{MARK}" stroke-width="3"',
    ):
        for part in parts:
            points = " ".join(f"{x:g},{y:g}" for x, y in part)
            lines.append(
                f'<polyline points="{points}" fill="none" stroke-linejoin="round" {paint}/>'
            )
    return "".join(lines)


def _legend(tiles: svg.Tiles, chains: Chains) -> list[svg.Block]:
    """Explain the colours, the path, roots, and cells that were never settled."""
    path = f'<path d="M0 17h34" stroke="{MARK}" stroke-width="6"/><circle cx="17" cy="17" r="11"'
    items = [
        svg.scale("depth", DEPTH, "chain length 0", str(chains.longest)),
        svg.sign(f'{path} fill="{MARK}"/>', "longest chain"),
        svg.sign(tiles.ground(DEPTH[0]) + tiles.root, "root"),
    ]
    unsettled = len(chains.links) < chains.seen.cells.size
    return items + [svg.sign(tiles.ground(_UNSETTLED), "never settled")] * unsettled


def chain_sentences(chains: Chains) -> Iterator[str]:
    r"""Say what matters most about the chains of a game.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> print(*chain_sentences(chains_of(Game.on(Board.from_text("...*..")))), sep="\n")
    Longest chain: 3, from (0, 0) to (0, 3).
    Mean 2.00, reach 5, branching 1.00, 0 guesses.
    """
    if not chains.path:
        yield "Nothing came to be known."
        return
    yield f"Longest chain: {chains.longest}, from {chains.path[0]} to {chains.path[-1]}."
    figures = [
        f"mean {chains.mean:.2f}",
        f"reach {chains.reach}",
        f"branching {chains.branching:.2f}",
        "1 guess" if chains.guesses == 1 else f"{chains.guesses} guesses",
    ]
    yield f"{', '.join(figures).capitalize()}."
    left = chains.seen.cells.size - len(chains.links)
    if left:
        yield f"{counted(left, 'cell')} never settled."
    if not chains.exact:
        yield "Not every proof could be shown to be a smallest one: some chains may be others."
