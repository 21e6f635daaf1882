"""Boards, risks, beliefs, proofs and chains as text for a terminal and as SVG pictures."""

from __future__ import annotations

from mineproof.chains import Chains
from mineproof.draw.boards import beliefs_text, board_svg, board_text, looks_svg, looks_text
from mineproof.draw.chains import chain_sentences, chains_svg, chains_text
from mineproof.draw.looks import Looks
from mineproof.draw.proofs import doubt_svg, doubt_text, proof_svg, proof_text, proofs_svg
from mineproof.draw.terminal import side_by_side
from mineproof.proofs import Proof

__all__ = [
    "beliefs_text",
    "board_svg",
    "board_text",
    "chain_sentences",
    "chains_svg",
    "chains_text",
    "doubt_svg",
    "doubt_text",
    "proof_svg",
    "proof_text",
    "proofs_svg",
    "side_by_side",
    "to_svg",
    "to_text",
]


def to_text(value: object) -> str:
    r"""Draw an observation, posterior, board, game or its chains as plain text.

    Examples
    --------
    >>> from mineproof import Board
    >>> print(to_text(Board.from_text(".*.\n...")))
        0 1 2
     0  1 # 1
     1  1 1 1
    # mine
    """
    return (chains_text(value) if isinstance(value, Chains) else looks_text(Looks.of(value))).plain


def to_svg(value: object) -> str:
    """Draw an observation, posterior, board, game, its chains or a proof as an SVG picture."""
    if isinstance(value, Proof):
        if value.observation is None:
            raise ValueError("the proof has no observation to be drawn on: use proof_svg")
        return proof_svg(value.observation, value)
    return chains_svg(value) if isinstance(value, Chains) else looks_svg(Looks.of(value))
