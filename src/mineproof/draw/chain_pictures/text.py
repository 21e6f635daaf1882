"""Chains of influence for the terminal: every cell bears the length of its chain."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from mineproof.chains import Chains, Link
from mineproof.draw.chain_pictures.depth import Depth
from mineproof.draw.looks import WINDOW, window

__all__ = ["chains_text"]

_PATH: Final = "bold #e0399a"
_GAPS: Final = {(False, False): " ", (False, True): "[", (True, False): "]", (True, True): "|"}
"""What stands between two cells, by whether the left and the right one are of the path."""


def chains_text(chains: Chains, *, width: int | None = None) -> Text:
    r"""Draw the chains of a game for the terminal.

    Every cell shows the length of its chain, on a ground that is the darker the longer it is. A
    star stands before a mine and an o before a root. The cells of the longest chain stand in
    brackets: their numbers tell its way.

    Parameters
    ----------
    chains
        What to draw.
    width
        The columns of the terminal, None where it is none. A board that is too wide is cut to the
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
    seen = chains.seen
    field = len(str(chains.longest)) + 1
    margin = len(str(seen.rows - 1)) + 1
    room = WINDOW if width is None else min((width - margin - 1) // (field + 1), WINDOW)
    end = chains.path[-1] if chains.path else (0, 0)
    rows, cols = window(seen.rows, WINDOW, end[0]), window(seen.cols, room, end[1])
    path = frozenset(chains.path)
    out = Text(no_wrap=True)
    out.append(" " * margin + "".join(f" {col:>{field}}" for col in cols) + "\n", "dim")
    for row in rows:
        out.append(f"{row:>{margin - 1}} ", "dim")
        left = False
        for col in cols:
            right = (row, col) in path
            out.append(_GAPS[left, right], _PATH)
            link = chains.by_cell.get((row, col))
            out.append(_symbol(link).rjust(field), _style(link, chains.longest))
            left = right
        out.append(_GAPS[left, False].rstrip() + "\n", _PATH)
    if len(rows) < seen.rows or len(cols) < seen.cols:
        out.append(f"rows {rows[0]}-{rows[-1]} of {seen.rows}  ", "dim")
        out.append(f"columns {cols[0]}-{cols[-1]} of {seen.cols}\n", "dim")
    out.append(_legend(chains), "dim")
    return out


def _symbol(link: Link | None) -> str:
    if link is None:
        return "."
    sign = "*" if link.status == "mine" else "o" if link.is_root else ""
    return f"{sign}{link.length}"


def _style(link: Link | None, longest: int) -> str:
    if link is None:
        return "dim"
    depth = Depth(link.length, longest)
    return f"{'bold ' * (link.status == 'mine')}{depth.ink} on {depth.paper}"


def _legend(chains: Chains) -> str:
    links = chains.links
    notes = ["[] longest chain"]
    notes += ["* mine"] * any(link.status == "mine" for link in links)
    notes += ["o root"] * any(link.is_root for link in links)
    notes += [". never settled"] * (len(links) < chains.seen.cells.size)
    return "  ".join(notes)
