"""Tells an argument in steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mineproof.position.topology import Cell
from mineproof.proofs.cases import Case
from mineproof.proofs.inferences import Clash, Inference
from mineproof.proofs.proof import Assumptions, Step, Technique
from mineproof.proofs.words import clash_text, inference_text, settled_text

__all__ = ["settling_step", "told"]


def told(argument: Iterable[Inference | Case], assumed: Assumptions = ()) -> Iterator[Step]:
    """Go through an argument step by step.

    Parameters
    ----------
    argument
        What follows, in order.
    assumed
        The assumptions that stand.
    """
    for part in argument:
        if isinstance(part, Case):
            yield from _told_case(part, assumed)
        else:
            clues = tuple(constraint.clue for constraint in part.by)
            text = inference_text(part)
            yield settling_step(part.technique, text, part.cells, part.mine, clues, assumed)


def _told_case(case: Case, assumed: Assumptions) -> Iterator[Step]:
    also = "also " if assumed else ""
    supposed = f"Suppose {also}{settled_text([case.cell], case.mine, 'were')}."
    yield Step(Technique.CASES, supposed, assumed=assumed)
    inside = (*assumed, (case.cell, case.mine))
    yield from told(case.argument, inside)
    yield _told_clash(case.clash, inside)
    so = f"So {settled_text([case.cell], not case.mine, 'would be' if assumed else '')}."
    yield settling_step(Technique.CASES, so, (case.cell,), not case.mine, assumed=assumed)


def _told_clash(clash: Clash, assumed: Assumptions) -> Step:
    clues = tuple(constraint.clue for constraint in clash.by)
    return Step(Technique.CASES, clash_text(clash), clues, assumed=assumed, impossible=True)


def settling_step(
    technique: Technique,
    text: str,
    cells: tuple[Cell, ...],
    mine: bool,
    clues: tuple[Cell, ...] = (),
    assumed: Assumptions = (),
    *,
    uses_total: bool = False,
) -> Step:
    """Return a step that settles cells of one kind."""
    safe, mined = ((), cells) if mine else (cells, ())
    return Step(technique, text, clues, safe, mined, assumed, uses_total)
