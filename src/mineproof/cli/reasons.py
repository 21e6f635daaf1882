"""Why an agent's moves were right, or what was to be said of them, for what the agent saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from mineproof.deduction import Doubt, Proof, Technique, explain
from mineproof.deduction.explain import proofs
from mineproof.deduction.words import settled_text
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference import infer
from mineproof.observation import Observation
from mineproof.play import Step
from mineproof.records import MoveRecord
from mineproof.topology import Cell

__all__ = ["Reasons", "reasons", "sentences", "told_together"]

Reasons: TypeAlias = Sequence[Proof | Doubt | str]
"""What is to be said of a move: a proof or a doubt of each cell, or a sentence in their place."""


def reasons(step: Step) -> list[Reasons]:
    """Explain a step, move by move.

    Examples
    --------
    >>> from mineproof import Setup, agents, play
    >>> steps = []
    >>> record = play(Setup.level("easy").game(seed=2), agents.get("exact"), watch=steps.append)
    >>> sentences(reasons(steps[1])[0])[0]
    '(0, 2) is not certain: its risk is 11.7%.'
    """
    seen = step.before
    if seen is None:
        return [["It is the first cell, which nobody chose."] for _ in step.moves]
    try:
        posterior = infer(seen, require_exact=True)
    except (Contradiction, BudgetExceeded) as error:
        why_not = str(error)
        return [[f"{why_not[:1].upper()}{why_not[1:]}."] for _ in step.moves]
    cells = [_decided(seen, move) for move in step.moves]
    certain = (cell for cell in chain(*cells) if posterior.risk[cell] in (0, 1))
    proof_of = {proof.cell: proof for proof in proofs(posterior, certain)}
    return [[proof_of.get(cell) or explain(seen, cell) for cell in decided] for decided in cells]


def _decided(seen: Observation, move: MoveRecord) -> list[Cell]:
    """Return the closed cells that a move was about: a chord opens those around its clue."""
    cell = move.row, move.col
    if move.kind != "chord":
        return [cell]
    return [near for near in seen.topology.neighbours(cell) if seen.openable[near]]


def sentences(found: Reasons) -> list[str]:
    """Tell the reasons of one move."""
    return [
        line
        for reason in found
        for line in (
            [step.text for step in reason.steps]
            if isinstance(reason, Proof)
            else str(reason).splitlines()
        )
    ]


def told_together(moves: Iterable[Reasons]) -> list[str]:
    r"""Tell the reasons of several moves: no cell is settled twice, and no reason given twice.

    What holds only in a case is indented.

    Examples
    --------
    >>> from mineproof import Observation, explain_all
    >>> found = explain_all(Observation.from_text("..10\n122?\n...."))
    >>> print(*told_together([found]), sep="\n")
    The 1 at (0, 2) touches only 1 closed cell: (0, 1) is a mine.
    The 1 at (1, 0) has its mine, (0, 1): (0, 0), (2, 0) and (2, 1) are safe.
    The 2 at (1, 1) has only 2 cells left for its 2 mines: (2, 2) is a mine.
    The 2 at (1, 2) has both its mines, (0, 1) and (2, 2): (2, 3) is safe.
    """
    found = list(chain(*moves))
    proved = [reason for reason in found if isinstance(reason, Proof)]
    others = [reason for reason in found if not isinstance(reason, Proof)]
    return [*_together(proved), *dict.fromkeys(sentences(others))]


def _together(found: Sequence[Proof]) -> Iterator[str]:
    told: dict[tuple[str, str, bool], set[Cell]] = {}
    settled: set[Cell] = set()
    hard: list[str] = []
    for proof in sorted(found, key=lambda proof: (proof.technique, len(proof.steps))):
        if proof.technique > Technique.SUBSET:
            hard += map(str, proof.steps)
            continue
        for step in proof.steps:
            mine, cells = bool(step.mined), step.mined or step.safe
            if not settled.issuperset(cells):
                why, _, end = step.text.rpartition(settled_text(cells, mine))
                told.setdefault((why, end, mine), set()).update(cells)
                settled.update(cells)
    for (why, end, mine), together in told.items():
        yield f"{why}{settled_text(sorted(together), mine)}{end}"
    yield from hard
