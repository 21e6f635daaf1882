"""Questions about positions that worker processes answer: risks, advice, hints, proofs.

Each function takes what reports its progress, and returns plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from mineproof import search
from mineproof.arguments import percent
from mineproof.game import Board, Transcript, no_guess_board
from mineproof.game.notation import Move
from mineproof.inference import Budget, Contradiction, Posterior, infer
from mineproof.inference.words import flag_sentences
from mineproof.position import Cell, Observation, Topology
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.text import SYMBOLS
from mineproof.proofs import Doubt, Proof, explain, hints, prove
from mineproof.proofs.words import capital
from mineproof.search.advice import advise
from mineproof.search.guesses import Chance, chances_to_win

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
"""Receives how many steps of how many are done."""
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
    """Return the risks and what is certain, with the fields of `mineproof solve --json`."""
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
    found = advise(posterior, samples=_samples(posterior.observation, samples))
    return {
        "may_guess": found.may_guess,
        # The guesses have fields of their own.
        "text": [line for line in str(found).splitlines() if not line.startswith(" ")],
        "safe": found.safe,
        "candidates": [best._asdict() for best in islice(found.candidates, 20)],
        "choice": found.guesses[0].cell if found.guesses else None,
        "guesses": [asdict(guess) for guess in found.guesses],
        "dead": found.dead,
        "fifty_fifties": found.fifty_fifties,
    }


def chances(progress: Progress, positions: Sequence[Observation]) -> list[dict[str, Any] | None]:
    """Return the chance to win from each of some positions of a game."""
    return [_chance(_chance_at(seen)) for seen in positions]


def _chance_at(seen: Observation) -> Chance | None:
    samples = _samples(seen)
    posterior = infer(seen, budget=BUDGET)
    return chances_to_win(posterior, samples=samples)[0] if samples and posterior.exact else None


def _chance(found: Chance | None) -> dict[str, Any] | None:
    return None if found is None else found.to_dict()


def hint(progress: Progress, seen: Observation, flags: Flags = "ignore") -> dict[str, Any]:
    """Return the simplest certain move in stages, a safe cell before a mine; advice if none."""
    posterior = infer(seen, flags=flags, budget=BUDGET)
    found = hints(posterior)
    if not found:
        return {"stages": [], "proof": None, "advice": _advice(posterior, SAMPLES)}
    return {"stages": found[0].stages, "proof": _explanation(found[0].proof), "advice": None}


def why(
    progress: Progress, seen: Observation, cell: Cell, flags: Flags = "ignore"
) -> dict[str, Any]:
    """Explain one cell: its proof, or what its risk depends on."""
    code = seen.code(cell)
    if is_closed(code):
        return _explanation(explain(seen, cell, flags=flags, budget=BUDGET))
    if code == CellCode.EXPLODED:
        text = f"{cell} is a mine that exploded."
    else:
        text = f"{cell} is open and " + (
            "shows no clue." if code == CellCode.NO_CLUE else f"shows {code}."
        )
    return _answer(cell, "open", text)


def _explanation(found: Proof | Doubt) -> dict[str, Any]:
    first, *more = str(found).splitlines()
    if isinstance(found, Doubt):
        pressing = [pressure.clue for pressure in found.pressing]
        steps = [_sentence(line) for line in more]
        answer = _answer(found.cell, "uncertain", first, found.risk, pressing, steps)
        return {**answer, "trusted": found.trusted}
    steps = [
        {**asdict(step), "technique": str(step.technique), "depth": len(step.assumed)}
        for step in found.steps
    ]
    return {
        **_answer(
            found.cell,
            found.status,
            f"{first.removesuffix(':')}.",
            float(found.status == "mine"),
            found.premises,
            steps,
        ),
        "technique": str(found.technique),
        "uses_total": found.uses_total,
        "trusted": found.trusted,
    }


def _sentence(text: str) -> dict[str, Any]:
    return {"text": text, "depth": 0, "clues": [], "safe": [], "mined": [], "assumed": []}


def _answer(
    cell: Cell,
    status: str,
    text: str,
    risk: float | None = None,
    premises: Any = (),
    steps: Any = (),
) -> dict[str, Any]:
    return {
        "cell": cell,
        "status": status,
        "risk": risk,
        "text": text,
        "premises": list(premises),
        "uses_total": False,
        "trusted": [],
        "technique": None,
        "steps": list(steps),
    }


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
    answer = {"contradiction": None, **posterior.to_dict(), "advice": None, "proofs": []}
    if posterior.exact:
        answer["advice"] = _advice(posterior, samples)
        progress(2, total)
        for proof in prove(posterior, certain[:_MOST_PROOFS]):
            answer["proofs"].append(_explanation(proof))
            progress(2 + len(answer["proofs"]), total)
        answer["proofs"].sort(key=_simplicity)
    answer["unproved"] = len(certain) - len(answer["proofs"])
    answer["text"] = _summary(posterior)
    return answer


_TECHNIQUES: Final = ("given", "counting", "subset", "cases", "total")


def _simplicity(found: dict[str, Any]) -> tuple[int, int, int]:
    return (
        _TECHNIQUES.index(found["technique"]),
        len(found["premises"]),
        len(found["steps"]),
    )


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
    rows, cols = start.topology.shape
    rule, mines = start.rules.start, start.mines
    board = no_guess_board(rows, cols, mines=mines, seed=start.seed, start=rule, first=first)
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
    """Judge all decisions of a game, and return what changed with every move."""
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
