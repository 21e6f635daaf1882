"""Pictures of proofs: what they show, and how they are drawn as text and as SVG."""

from mineproof.draw.proof_pictures.page import doubt_svg, proof_svg, proofs_svg
from mineproof.draw.proof_pictures.text import doubt_text, proof_text, side_by_side

__all__ = ["doubt_svg", "doubt_text", "proof_svg", "proof_text", "proofs_svg", "side_by_side"]
