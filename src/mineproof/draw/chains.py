"""Chains of influence as text, as SVG and in sentences: lengths, roots and the longest path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from mineproof.arguments import counted
from mineproof.chains import Chains
from mineproof.draw import svg
from mineproof.draw.grid import WINDOW, Bracket, board_grid, window
from mineproof.draw.palette import DEPTH, INK, MARK, blend, ink_on
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
    >>> print(chains_text(chains_of(Game(Board.from_text("...*..\n......")))).plain)
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
        (seen.rows, seen.cols),
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

    def ground(cell: Cell) -> str:
        link = chains.by_cell.get(cell)
        if link is None:
            return svg.square(_UNSETTLED)
        return svg.square(_paper(chains, link.length)) + svg.ROOT * link.is_root

    def line(cell: Cell) -> str:
        return _line(path) if path and cell == path[0] else ""

    def content(cell: Cell) -> str:
        link, code = chains.by_cell.get(cell), chains.seen.code(cell)
        if link is None:
            return ""
        ink = ink_on(_paper(chains, link.length))
        drawn = svg.mine_sign(ink) if link.status == "mine" else ""
        drawn = svg.clue(code, ink) if is_open(code) else drawn
        if cell in path:
            return drawn + svg.badge(str(link.length), MARK)
        return drawn + svg.text(
            31, 30.5, str(link.length), f'font-size="9" fill="{ink}" text-anchor="end"'
        )

    board = svg.board(rows, cols, ground, line, content)
    width = max(board.width, _LEAST)
    parts = [
        svg.words(title, size=15, colour=INK, bold=True, width=width, align=0.5),
        board,
        svg.flow(_legend(chains), width, align=0.5),
        *(svg.words(said, size=12.5, width=width, align=0.5) for said in chain_sentences(chains)),
    ]
    return svg.picture(svg.stack(parts, gap=8, align=0.5), margin=14)


def _paper(chains: Chains, length: int) -> str:
    return blend(DEPTH, length / max(chains.longest, 1))


def _end(chains: Chains) -> Cell:
    return chains.path[-1] if chains.path else (0, 0)


def _line(path: list[Cell]) -> str:
    """Join the cells of a path, from the corner of the first one's tile."""
    top, left = path[0]
    places = [(col - left + 0.5, row - top + 0.5) for row, col in path]
    points = " ".join(f"{x * svg.SIDE:g},{y * svg.SIDE:g}" for x, y in places)
    line = f'<polyline points="{points}" fill="none" stroke-linejoin="round" '
    return (
        f'{line}stroke="white" stroke-width="6" opacity=".6"/>'
        f'{line}stroke="{MARK}" stroke-width="3"/>'
    )


def _legend(chains: Chains) -> list[svg.Block]:
    """Explain the colours, the path, roots, and cells that were never settled."""
    path = f'<path d="M0 17h34" stroke="{MARK}" stroke-width="6"/><circle cx="17" cy="17" r="11"'
    items = [
        svg.scale("depth", DEPTH, "chain length 0", str(chains.longest)),
        svg.sign(f'{path} fill="{MARK}"/>', "longest chain"),
        svg.sign(svg.square(DEPTH[0]) + svg.ROOT, "root"),
    ]
    unsettled = len(chains.links) < chains.seen.cells.size
    return items + [svg.sign(svg.square(_UNSETTLED), "never settled")] * unsettled


def chain_sentences(chains: Chains) -> Iterator[str]:
    r"""Say what matters most about the chains of a game.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> print(*chain_sentences(chains_of(Game(Board.from_text("...*..")))), sep="\n")
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
