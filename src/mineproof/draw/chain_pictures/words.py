"""Chains of influence in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.arguments import counted
from mineproof.chains import Chains

__all__ = ["chain_sentences"]


def chain_sentences(chains: Chains) -> Iterator[str]:
    r"""Say what matters most of the chains of a game.

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
