"""Pictures of chains of influence: the length of every chain as a colour, the longest as a path."""

from mineproof.draw.chain_pictures.board import chains_svg
from mineproof.draw.chain_pictures.text import chains_text
from mineproof.draw.chain_pictures.words import chain_sentences

__all__ = ["chain_sentences", "chains_svg", "chains_text"]
