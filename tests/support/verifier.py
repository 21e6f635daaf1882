"""Checks proofs from the definitions alone: what they claim, and each of their steps.

A `Judge` says whether any layout meets some clues, with or without the mine total, where some cells
are taken to be mines or safe. One judge walks through every layout of a small board, and so shares
nothing with the engine. The other asks the engine about an observation without the other clues, and
so shares nothing with the search for proofs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Protocol

import numpy as np
from oracle import Question, layouts

from mineproof import CellCode, Contradiction, Observation, Posterior, Prior, Proof, infer
from mineproof.position.topology import Cell
from mineproof.proofs import Step, Technique

Settled = Mapping[Cell, bool]
"""Cells, and whether they are mines."""


class Judge(Protocol):
    def clues(self) -> list[Cell]:
        """All clues that say something."""
        ...

    def possible(self, clues: Collection[Cell], total: bool, settled: Settled) -> bool:
        """Whether any layout meets these clues, and the mine total if asked to."""
        ...


def entails(
    judge: Judge, clues: Collection[Cell], total: bool, settled: Settled, cell: Cell, mine: bool
) -> bool:
    return not judge.possible(clues, total, {**settled, cell: not mine})


class EveryLayout:
    """Walks through all assignments of mines to the unknown cells of a small board.

    Sets of cells and of clues are bits of a number.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self._bit = {cell: 1 << place for place, cell in enumerate(question.places())}
        meets = [self._meets(clue) for clue in question.clues()]
        self._layouts = []
        for mines in layouts(question):
            laid = self._bits(mines)
            broken = sum(
                self._bit[clue]
                for clue, around, allowed in meets
                if (laid & around).bit_count() not in allowed
            )
            self._layouts.append((laid, broken, question.prior_of(len(mines)) > 0))

    def _bits(self, cells: Iterable[Cell]) -> int:
        return sum(self._bit[cell] for cell in cells)

    def _meets(self, clue: Cell) -> tuple[Cell, int, set[int]]:
        """The cells around a clue, and how many mines among them it allows."""
        around = self.question.neighbours(clue)
        seen, chance = self.question.seen(clue), self.question.channel.chance
        counts = {count for count in range(len(around) + 1) if chance(seen, count, len(around))}
        return clue, self._bits(around), counts

    def clues(self) -> list[Cell]:
        return self.question.clues()

    def possible(self, clues: Collection[Cell], total: bool, settled: Settled) -> bool:
        to_meet, among = self._bits(clues), self._bits(settled)
        wanted = self._bits(cell for cell, mine in settled.items() if mine)
        return any(
            mines & among == wanted and not broken & to_meet
            for mines, broken, allowed in self._layouts
            if allowed or not total
        )

    def smallest_sets(self, total: bool, cell: Cell, mine: bool) -> list[tuple[Cell, ...]]:
        """All smallest sets of clues that settle the cell, in order."""
        against = {
            broken
            for mines, broken, allowed in self._layouts
            if (allowed or not total) and bool(mines & self._bit[cell]) is not mine
        }
        for size in range(len(self.clues()) + 1):
            found = [
                clues
                for clues in combinations(self.clues(), size)
                if all(map(self._bits(clues).__and__, against))
            ]
            if found:
                return found
        raise AssertionError(f"{cell} is not settled")


class Masked:
    """Asks the engine about the observation without the other clues."""

    def __init__(self, posterior: Posterior) -> None:
        self._posterior = posterior
        self._cells = posterior.observation.cells
        self._hidden = np.where(self._cells >= 0, CellCode.KNOWN_SAFE, self._cells)
        trusted = posterior.flags == "trust"
        self._given: dict[int, bool] = {CellCode.KNOWN_SAFE: False}
        if trusted:
            self._given[CellCode.FLAGGED] = True

    def clues(self) -> list[Cell]:
        return [(int(row), int(col)) for row, col in np.argwhere(self._cells >= 0)]

    def possible(self, clues: Collection[Cell], total: bool, settled: Settled) -> bool:
        if any(
            self._given.get(int(self._cells[cell]), mine) is not mine
            for cell, mine in settled.items()
        ):
            return False
        cells = self._hidden.copy()
        for clue in clues:
            cells[clue] = self._cells[clue]
        for cell, mine in settled.items():
            cells[cell] = CellCode.EXPLODED if mine else CellCode.KNOWN_SAFE
        masked = Observation(self._posterior.observation.topology, cells)
        prior = self._posterior.prior if total else Prior.unknown()
        try:
            infer(masked, prior, self._posterior.channel, flags=self._posterior.flags)
        except Contradiction:
            return False
        return True


# ------------------------------------------------------------------------------------------ checks


def check(judge: Judge, proof: Proof) -> None:
    """Check the claims of a proof except its size, and that every step follows."""
    cell, mine, total = proof.cell, proof.status == "mine", proof.uses_total
    assert entails(judge, proof.premises, total, {}, cell, mine), f"not entailed:\n{proof}"
    if proof.technique is Technique.GIVEN:
        assert not proof.premises
        assert not total
    if total:
        assert not entails(judge, judge.clues(), False, {}, cell, mine), f"no total:\n{proof}"
    if proof.irreducible:
        for clue in proof.premises:
            fewer = set(proof.premises) - {clue}
            assert not entails(judge, fewer, total, {}, cell, mine), f"{clue} can go:\n{proof}"
    check_steps(judge, proof)


def check_steps(judge: Judge, proof: Proof) -> None:
    """Check that every step follows from its clues and from what was settled before."""
    settled: dict[tuple[tuple[Cell, bool], ...], dict[Cell, bool]] = {(): {}}
    before: Step | None = None
    for step in proof.steps:
        where = f"{step}\nin\n{proof}"
        assert set(step.clues) <= set(proof.premises), where
        assert proof.uses_total or not step.uses_total, where
        known = {
            **dict(step.assumed),
            **{
                cell: mine
                for length in range(len(step.assumed) + 1)
                for cell, mine in settled.setdefault(step.assumed[:length], {}).items()
            },
        }
        now = {**dict.fromkeys(step.safe, False), **dict.fromkeys(step.mined, True)}
        if step.impossible:
            assert not judge.possible(step.clues, step.uses_total, known), where
        for cell, mine in now.items():
            if before is not None and before.assumed == (*step.assumed, (cell, not mine)):
                assert before.impossible, where
            else:
                assert entails(judge, step.clues, step.uses_total, known, cell, mine), where
        if before is not None and len(before.assumed) > len(step.assumed):
            assert before.impossible, where  # no case is left open
        settled[step.assumed].update(now)
        # What was settled in a case is forgotten with it.
        settled = {key: value for key, value in settled.items() if len(key) <= len(step.assumed)}
        before = step
    assert before is not None
    assert not before.assumed, proof
    # Notes about flags may follow.
    last = [step for step in proof.steps if step.safe or step.mined][-1]
    assert proof.cell in (last.mined if proof.status == "mine" else last.safe), proof
    check_techniques(proof)


def check_techniques(proof: Proof) -> None:
    assert proof.technique == max(step.technique for step in proof.steps)
    assert (proof.technique is Technique.TOTAL) == proof.uses_total
    for step in proof.steps:
        assert step.text.endswith(".")
        if not proof.uses_total and (step.safe or step.mined):
            if step.technique is Technique.COUNTING:
                assert len(step.clues) == 1, step
            if step.technique is Technique.SUBSET:
                assert len(step.clues) == 2, step
