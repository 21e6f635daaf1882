"""Hints, whether to guess, dead cells and 50/50s, against their definitions."""

from __future__ import annotations

from itertools import combinations
from random import Random

import engine
import oracle
import pytest
import questions
from hypothesis import given
from hypothesis import strategies as st
from oracle import Question

from mineproof import (
    CellCode,
    Channel,
    Contradiction,
    Game,
    Observation,
    agents,
    infer,
    play,
)
from mineproof.arena.play import Turn
from mineproof.position.topology import Cell
from mineproof.proofs import Technique, explain_all, hints
from mineproof.search import advise, dead_cells, fifty_fifties


def seen(text: str) -> Observation:
    return Observation.from_text(text)


# -------------------------------------------------------------------------------------- guesses


def test_no_guess_if_a_cell_is_safe() -> None:
    advice = advise(seen("4x2x2\n.1..\n11.."))
    assert not advice.may_guess
    assert advice.safe == ((0, 2), (1, 2))
    assert str(advice).startswith(
        "There is a certain move: (0, 2) is safe, and so is 1 other cell."
    )


def test_a_guess_if_no_cell_is_safe() -> None:
    position = seen("5x2x3\n.1...\n.....")
    advice = advise(position)
    assert advice.may_guess
    assert advice.candidates[0] == infer(position).best
    risks = [guess.risk for guess in advice.candidates]
    assert risks == sorted(risks)
    assert str(advice).startswith("You may guess: no closed cell is certainly safe.\n")


def test_nothing_left_to_open() -> None:
    for text in ("1.", "00", "*2F"):
        advice = advise(seen(text))
        assert not advice.may_guess
        assert str(advice) == "There is nothing left to open."


def test_a_certain_mine_is_not_a_move() -> None:
    advice = advise(seen("?2..\n?..."))
    assert not advice.safe
    assert advice.may_guess


# ------------------------------------------------------------------------------------ dead cells


def dead_by_definition(answer: oracle.Answer) -> set[Cell]:
    """Uncertain cells whose every clue is as likely in any layout that leaves them safe."""
    question = answer.question
    found = set()
    for cell, risk in answer.risks().items():
        if risk in (0, 1):
            continue
        around = question.neighbours(cell)
        rows = {
            tuple(
                question.channel.chance(clue, sum(near in mines for near in around), len(around))
                for clue in range(10)
            )
            for mines, _ in answer.layouts
            if cell not in mines
        }
        if len(rows) == 1:
            found.add(cell)
    return found


# ---------------------------------------------------------------------------------------- 50/50s


def indistinguishable(answer: oracle.Answer, one: Cell, other: Cell) -> bool:
    """Whether exactly one is a mine, and swapping them changes no present or future clue."""
    question = answer.question
    if any((one in mines) == (other in mines) for mines, _ in answer.layouts):
        return False
    for cell in question.places():
        if cell in (one, other):
            continue
        tells = (
            question.code(cell) >= 0
            or (question.is_closed(cell) and answer.risk(cell) < 1)
            or (cell in question.clues() and _silence_tells(question, cell))
        )
        near = question.neighbours(cell)
        if tells and (one in near) != (other in near):
            return False
    return True


def _silence_tells(question: Question, cell: Cell) -> bool:
    degree = len(question.neighbours(cell))
    chances = {question.channel.chance(oracle.NOTHING, k, degree) for k in range(degree + 1)}
    return len(chances) > 1


@given(
    st.integers(0, 2**32),
    st.sampled_from(questions.PRIORS),
    st.sampled_from(sorted(questions.CHANNELS)),
    st.booleans(),
)
def test_dead_cells_and_fifty_fifties_match_their_definitions(
    seed: int, prior: str, channel: str, trust: bool
) -> None:
    rng = Random(seed)
    question = questions.played(rng, prior, questions.CHANNELS[channel](rng), trust, most=8)
    try:
        posterior = engine.ask(question, require_exact=True)
    except Contradiction:
        return
    answer = oracle.answer(question)
    assert set(dead_cells(posterior)) == dead_by_definition(answer)
    closed = [cell for cell, risk in answer.risks().items() if 0 < risk < 1]
    pairs = {pair for pair in combinations(closed, 2) if indistinguishable(answer, *pair)}
    assert set(fifty_fifties(posterior)) == pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("3x2x1\n..?\n11?", [((0, 0), (0, 1))]),  # in a corner
        ("4x1x2\n.1..", [((0, 0), (0, 2))]),  # with a mine behind it
        ("4x1x1\n.1..", []),  # (0, 3) is safe and tells
        ("5x1x3\n.*?*.", [((0, 0), (0, 4))]),  # settled only by the mine total
    ],
)
def test_fifty_fifties(text: str, pairs: list[tuple[Cell, Cell]]) -> None:
    assert list(fifty_fifties(infer(seen(text)))) == pairs


def test_dead_under_noise() -> None:
    # The clue of a cell that touches no mine tells you nothing, whatever it shows.
    text = "3x1x1\n.?."
    assert dead_cells(infer(seen(text), channel=Channel.optimistic())) == ((0, 0), (0, 2))
    assert dead_cells(infer(seen("..."), channel=Channel.lost(1.0))) == ((0, 0), (0, 1), (0, 2))


# ----------------------------------------------------------------------------------------- hints


def test_hints_come_in_stages_with_the_simplest_safe_cells_first() -> None:
    shown: list[Turn] = []
    play(Game.level("intermediate", seed=4), agents.get("exact"), watch=shown.append)
    techniques = set()
    for step in shown:
        if step.before is None:
            continue
        found = hints(step.before)
        proofs = explain_all(step.before)
        assert [hint.proof for hint in found] == [
            *(proof for proof in proofs if proof.status == "safe"),
            *(
                proof
                for proof in proofs
                if proof.status == "mine" and step.before.code(proof.cell) != CellCode.FLAGGED
            ),
        ]
        for hint in found:
            techniques.add(hint.proof.technique)
            assert str(hint.proof.cell) not in hint.region
            assert str(hint.proof.cell) not in hint.clues
            assert hint.cell.startswith(f"{hint.proof.cell} is ")
            assert hint.region.startswith("Look at the ")
    assert techniques > {Technique.COUNTING, Technique.SUBSET}


@pytest.mark.parametrize(
    ("cell", "region"),
    [
        ((0, 0), "top left"),
        ((4, 4), "middle"),
        ((8, 4), "bottom middle"),
        ((4, 8), "middle right"),
        ((8, 8), "bottom right"),
    ],
)
def test_the_region_is_a_ninth_of_the_board(cell: Cell, region: str) -> None:
    rows = [["?"] * 9 for _ in range(9)]
    rows[cell[0]][cell[1]] = "."
    clue = (cell[0], cell[1] - 1 if cell[1] else 1)
    rows[clue[0]][clue[1]] = "1"
    (hint,) = hints(seen("\n".join(map("".join, rows))))
    assert hint.region == f"Look at the {region}."
