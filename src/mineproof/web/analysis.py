"""Questions about positions that worker processes answer: risks, advice, hints, proofs.

Each function takes a callback for its progress, and returns plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from mineproof import search
from mineproof.arguments import percent
from mineproof.game import Board, Transcript, no_guess_board
from mineproof.game.move import Move
from mineproof.inference import Budget, Contradiction, Posterior, infer
from mineproof.inference.words import flag_sentences
from mineproof.position import Cell, Observation, Topology
from mineproof.position.cells import is_closed
from mineproof.position.text import SYMBOLS
from mineproof.proofs import OpenCell, Proof, explain, hints, prove
from mineproof.proofs.words import capital
from mineproof.search.advice import advise
from mineproof.search.guesses import chances_to_win

__all__ = [
    "Progress",
    "advice",
    "analyse",
    "beginning",
    "chances",
    "hint",
    "no_guess",
    "review",
    "risks",
    "why",
]

Progress: TypeAlias = Callable[[int, int], None]
"""Receives the number of steps done, and the number of all steps."""
Flags: TypeAlias = Literal["ignore", "trust"]

BUDGET: Final = Budget(nodes=300_000_000, bytes=2**29)
SAMPLES: Final = 200
"""The boards that are drawn to estimate a chance to win on a board of expert size."""
_EXPERT: Final = 480
_REVIEWED: Final = 30_000
"""The boards that a review draws in all."""
_NOISY: Final = 4
"""How much longer a game with noisy clues takes."""
_FEWEST: Final = 20
"""With fewer boards than this, a chance would say nothing, and none is estimated."""
_MOST_PROOFS: Final = 400
"""How many cells an analysis proves; the others are only named."""


def risks(progress: Progress, seen: Observation, flags: Flags = "ignore") -> dict[str, Any]:
    """Return the risks and the certain cells, with the fields of `mineproof solve --json`."""
    return infer(seen, flags=flags, budget=BUDGET).to_dict()


def _samples(seen: Observation, most: float = SAMPLES) -> int:
    """Return how many boards to draw: fewer if a game takes longer, none if too few are left."""
    noisy = seen.channel is not None and not seen.channel.is_exact
    work = max(1.0, seen.cells.size / _EXPERT) * (_NOISY if noisy else 1)
    samples = int(min(most, 2 * SAMPLES) / work)
    return samples if samples >= _FEWEST else 0


def advice(
    progress: Progress, seen: Observation, flags: Flags = "ignore", samples: int = SAMPLES
) -> dict[str, Any]:
    """Say whether a guess is needed, with the champion's choice, dead cells and 50/50s."""
    return _advice(infer(seen, flags=flags, budget=BUDGET), samples)


def _advice(posterior: Posterior, samples: int) -> dict[str, Any]:
    return advise(posterior, samples=_samples(posterior.observation, samples)).to_dict()


def chances(progress: Progress, positions: Sequence[Observation]) -> list[dict[str, Any] | None]:
    """Return the chance to win from each position."""
    return [_chance(seen) for seen in positions]


def _chance(seen: Observation) -> dict[str, Any] | None:
    samples = _samples(seen)
    posterior = infer(seen, budget=BUDGET)
    if not samples or not posterior.exact:
        return None
    return chances_to_win(posterior, samples=samples)[0].to_dict()


def hint(progress: Progress, seen: Observation, flags: Flags = "ignore") -> dict[str, Any]:
    """Return the simplest certain move in stages, a safe cell before a mine; advice if none."""
    posterior = infer(seen, flags=flags, budget=BUDGET)
    found = hints(posterior)
    if not found:
        return {"stages": [], "proof": None, "advice": _advice(posterior, SAMPLES)}
    return {"stages": found[0].stages, "proof": found[0].proof.to_dict(), "advice": None}


def why(
    progress: Progress, seen: Observation, cell: Cell, flags: Flags = "ignore"
) -> dict[str, Any]:
    """Explain one cell: its proof, or the clues that change its risk."""
    if not is_closed(seen.code(cell)):
        return OpenCell(cell, seen.code(cell)).to_dict()
    return explain(seen, cell, flags=flags, budget=BUDGET).to_dict()


def analyse(
    progress: Progress, seen: Observation, flags: Flags = "ignore", samples: int = SAMPLES
) -> dict[str, Any]:
    """Answer everything at once: risks, advice and proofs, or why no layout fits."""
    try:
        posterior = infer(seen, flags=flags, budget=BUDGET)
    except Contradiction as clash:
        return {
            "contradiction": {
                "text": f"{capital(str(clash))}.",
                "clues": clash.clues,
                "uses_total": clash.uses_total,
                "flags": clash.flags,
            }
        }
    certain = [*posterior.safe, *posterior.mined]
    total = 2 + min(len(certain), _MOST_PROOFS)
    progress(1, total)
    advice, proofs = None, list[Proof]()
    if posterior.exact:
        advice = _advice(posterior, samples)
        progress(2, total)
        for proof in prove(posterior, certain[:_MOST_PROOFS]):
            proofs.append(proof)
            progress(2 + len(proofs), total)
        proofs.sort(key=lambda proof: proof.simplicity)
    return {
        "contradiction": None,
        **posterior.to_dict(),
        "advice": advice,
        "proofs": [proof.to_dict() for proof in proofs],
        "unproved": len(certain) - len(proofs),
        "text": _summary(posterior),
    }


def _summary(posterior: Posterior) -> list[str]:
    lines = []
    if posterior.standard_error is not None:
        lines.append("The position is too wide to count exactly: the risks are estimates.")
    best = posterior.best
    if best is not None and not posterior.safe:
        lines.append(f"The lowest risk is {percent(best.risk, digits=1)}, at {best.cell}.")
    return lines + flag_sentences(posterior.trusted, posterior.wrong_flags)


def no_guess(progress: Progress, notation: str, first: Cell) -> str:
    """Return the beginning of a game with a board laid around its first cell: no guess needed."""
    start = Transcript.from_text(notation)
    assert start.seed is not None
    board = no_guess_board(replace(start.game(0).setup, first=first), seed=start.seed)
    return replace(start, board=board, first=first).to_text()


def beginning(progress: Progress, notation: str) -> str:
    """Return the beginning of a game in the notation, without its moves."""
    found = _read(notation)
    if found.seed is None:
        raise ValueError("the notation does not say where the mines are")
    return replace(found, moves=(), outcome=None).to_text()


def _read(notation: str) -> Transcript:
    found = Transcript.from_text(notation)
    check_topology(found.topology)
    return found


def check_topology(topology: Topology) -> None:
    """Refuse a board that the page cannot draw."""
    if topology.kind != "square":
        raise ValueError(f"the page has square boards only, not {topology.kind}")


def review(progress: Progress, notation: str) -> dict[str, Any]:
    """Judge all decisions of a game, and return the changes of every move."""
    transcript = _read(notation)
    start = transcript.observation(0)
    openings = sum(move.kind in ("open", "chord") for move in transcript.moves)
    samples = _samples(start, _REVIEWED / max(openings, 1))
    found = search.review(transcript, budget=BUDGET, samples=samples, progress=progress)
    board = transcript.board
    return {
        "rows": start.rows,
        "cols": start.cols,
        "mines": start.mines,
        "outcome": None if transcript.outcome is None else transcript.outcome.value,
        "start": _symbols(start),
        "board": None if board is None else [divmod(place, board.cols) for place in _mines(board)],
        "moves": [_replayed(move, start.cols) for move in transcript.moves],
        **found.to_dict(),
        "line": transcript.to_line(),
    }


def _symbols(seen: Observation) -> str:
    text = seen.to_text()
    return (text if seen.mines is None else text.partition("\n")[2]).replace("\n", "")


def _mines(board: Board) -> list[int]:
    places: list[int] = np.flatnonzero(board.layout).tolist()
    return places


_SYMBOL_OF: Final = {int(code): symbol for symbol, code in SYMBOLS.items()}


def _replayed(move: Move, cols: int) -> dict[str, Any]:
    changes = [(cell[0] * cols + cell[1], _SYMBOL_OF[code]) for cell, code in move.shows]
    if move.kind in ("flag", "unflag"):
        symbol = "F" if move.kind == "flag" else "."
        changes.append((move.cell[0] * cols + move.cell[1], symbol))
    return {"kind": move.kind, "cell": move.cell, "by": move.by, "changes": changes}
