"""Optimal play on all boards up to a size: writes the table of docs/optimal.md.

python -m benchmarks.optimal --layouts 13000    # some minutes
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Final

from mineproof import Rules, Setup, Topology
from mineproof.position.rules import Start
from mineproof.position.topology import Cell
from mineproof.search.optimal import optimal

PAGE: Final = Path(__file__).parents[1] / "docs" / "optimal.md"
SIZES: Final = ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5), (4, 6))
STARTS: Final[tuple[Start, ...]] = ("any", "safe", "zero")
HEAD: Final = "| board | mines | start any | start safe | best | start zero | best |"


def first_moves(rows: int, cols: int, best: tuple[Cell, ...]) -> str:
    """Name one of each group of cells that the symmetries of the board make equal."""
    kept: list[Cell] = []
    for row, col in best:
        turned = {(r, c) for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}
        if rows == cols:
            turned |= {(c, r) for r, c in turned}
        if not turned & set(kept):
            kept.append((row, col))
    return ", ".join(map(str, kept))


def lines(most: int) -> Iterator[str]:
    """Yield a line for each board with at most so many layouts."""
    for rows, cols in SIZES:
        for mines in range(1, rows * cols):
            if comb(rows * cols, mines) > most:
                continue
            free, safe, zero = (
                optimal(Setup(Topology(rows, cols), mines, Rules(start))) for start in STARTS
            )
            cells = [str(free.win), f"{safe.win} = {float(safe.win):.4f}"]
            cells.append(first_moves(rows, cols, safe.best))
            cells.append(f"{zero.win} = {float(zero.win):.4f}")
            cells.append(first_moves(rows, cols, zero.best))
            yield f"| {rows}×{cols} | {mines} | " + " | ".join(cells) + " |"


def main() -> None:
    """Compute the table and put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layouts", type=int, default=60_000, help="of the largest board")
    most = parser.parse_args().layouts
    found = []
    for line in lines(most):
        print(line, flush=True)
        found.append(line)
    rule = "|---" * HEAD.count(" | ") + "|---|"
    text = PAGE.read_text(encoding="utf-8")
    table = "\n".join([HEAD, rule, *found])
    PAGE.write_text(
        re.sub(r"(?<=<!-- table -->\n).*?(?=\n<!-- end -->)", lambda _: table, text, flags=re.S),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
