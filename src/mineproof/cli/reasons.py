"""Why an agent's moves were right, or what was to be said of them, for what the agent saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from mineproof.arena.play import Turn
from mineproof.game.records import MoveRecord
from mineproof.inference.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import infer
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.proofs import Doubt, Proof, Technique, explain, prove
from mineproof.proofs import Step as ProofStep
from mineproof.proofs.words import capital, settled_text

__all__ = ["Reasons", "reasons", "sentences", "told_together"]

Reasons: TypeAlias = Sequence[Proof | Doubt | str]
"""What is to be said of a move: a proof or a doubt of each cell, or a sentence in their place."""


def reasons(step: Turn) -> list[Reasons]:
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
        return _explained(seen, step.moves)
    except (Contradiction, BudgetExceeded) as error:
        return [[f"{capital(str(error))}."] for _ in step.moves]


def _explained(seen: Observation, moves: Iterable[MoveRecord]) -> list[Reasons]:
    posterior = infer(seen, require_exact=True)
    cells = [_decided(seen, move) for move in moves]
    certain = (cell for cell in chain(*cells) if posterior.risk[cell] in (0, 1))
    proof_of = {proof.cell: proof for proof in prove(posterior, certain)}
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
    >>> from mineproof import Observation
    >>> from mineproof.proofs import explain_all
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


class _Why(NamedTuple):
    """A sentence without the cells that it settles.

    Parameters
    ----------
    before, after
        What stands around them.
    mine
        What they are; None where the sentence names none.
    clues
        What an argument from the mine total rests on: no other one may be mixed with it.
    """

    before: str
    after: str = ""
    mine: bool | None = None
    clues: tuple[Cell, ...] = ()

    @classmethod
    def of(cls, proof: Proof, step: ProofStep) -> _Why:
        clues = proof.premises if proof.uses_total else ()
        cells, mine = step.mined or step.safe, bool(step.mined)
        if cells and settled_text(cells, mine) in step.text:
            before, _, after = step.text.rpartition(settled_text(cells, mine))
            return cls(before, after, mine, clues)
        return cls(step.text, clues=clues)

    def told_of(self, cells: Iterable[Cell]) -> str:
        so = "" if self.mine is None else settled_text(sorted(cells), self.mine)
        return f"{self.before}{so}{self.after}"


def _together(found: Sequence[Proof]) -> Iterator[str]:
    """Tell proofs from the simplest on, those by cases last."""
    told: dict[_Why, set[Cell]] = {}
    settled: set[Cell] = set()
    by_cases: list[str] = []
    for proof in sorted(found, key=lambda proof: (proof.technique, len(proof.steps))):
        if proof.cell in settled:
            continue
        has_cases = any(step.assumed for step in proof.steps)
        for step in proof.steps:
            hard = proof.uses_total or step.assumed or step.technique > Technique.SUBSET
            if has_cases and hard:
                by_cases.append(str(step))
                continue
            cells, why = step.safe + step.mined, _Why.of(proof, step)
            if why.mine is None or not settled.issuperset(cells):
                told.setdefault(why, set()).update(cells)
                settled.update(cells)
    yield from (why.told_of(cells) for why, cells in told.items())
    yield from by_cases
