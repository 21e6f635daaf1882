"""Boards, risks, proofs, chains and beliefs, as text for a terminal and as SVG pictures."""

from __future__ import annotations

from mineproof.draw.chain_pictures import chain_sentences, chains_svg, chains_text
from mineproof.draw.picture import board_svg
from mineproof.draw.proof_pictures import (
    doubt_svg,
    doubt_text,
    proof_svg,
    proof_text,
    proofs_svg,
    side_by_side,
)
from mineproof.draw.render import beliefs_text, board_text
from mineproof.inference import Posterior
from mineproof.position import Observation

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
]


def to_svg(value: object) -> str:
    """Draw a value as a self-contained SVG picture."""
    if isinstance(value, Posterior):
        return board_svg(value.observation, value)
    if isinstance(value, Observation):
        return board_svg(value)
    raise TypeError(f"{type(value).__name__}: cannot be drawn")
