"""Proofs of whole games, each checked on the observation without the other clues."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from verifier import Masked, check

from mineproof import (
    LEVELS,
    Channel,
    Game,
    Observation,
    Proof,
    Rules,
    Setup,
    Topology,
    _core,
    agents,
    infer,
    play,
)
from mineproof.arena.play import Turn as Played
from mineproof.inference.posterior import core_of
from mineproof.position.topology import Cell
from mineproof.proofs import Technique, explain_all, prove


def positions(games: Iterator[Game]) -> Iterator[Observation]:
    """All observations that `exact` sees, game by game."""
    for game in games:
        shown: list[Played] = []
        play(game, agents.get("exact"), seed=game.seed, watch=shown.append)
        yield from (step.before for step in shown if step.before is not None)


def level_games() -> Iterator[Game]:
    for seed in count():
        for level in LEVELS:
            yield Game.level(level, seed=seed)


def some_certain(seen: Observation, most: int) -> tuple[Masked, Iterator[Proof]]:
    """Proofs of a few certain cells, the same random ones each time."""
    posterior = infer(seen, require_exact=True)
    cells = [*posterior.safe, *posterior.mined]
    Random(len(cells)).shuffle(cells)
    return Masked(posterior), prove(posterior, cells[:most])


def checked(seen: Iterator[Observation], number: int, most: int) -> list[Proof]:
    """Check this many proofs."""

    def check_each() -> Iterator[Proof]:
        for observation in seen:
            judge, found = some_certain(observation, most)
            for proof in found:
                check(judge, proof)
                yield proof

    return list(islice(check_each(), number))


@pytest.mark.parametrize("number", [500, pytest.param(10_000, marks=pytest.mark.long)])
def test_every_proof_of_random_games_holds(number: int) -> None:
    found = checked(positions(level_games()), number, most=5)
    assert len(found) == number
    counted = dict.fromkeys(Technique, 0)
    for proof in found:
        counted[proof.technique] += 1
    assert counted[Technique.COUNTING] > counted[Technique.SUBSET] > 0
    assert sum(proof.smallest for proof in found) > 0.95 * number
    assert all(proof.irreducible for proof in found)


@pytest.mark.parametrize("channel", [Channel.lost(0.3), Channel.optimistic(), Channel.cautious()])
@pytest.mark.parametrize("number", [30, pytest.param(1000, marks=pytest.mark.long)])
def test_every_proof_of_noisy_games_holds(channel: Channel, number: int) -> None:
    rules = Rules(on_mine="continue")
    games = (Game(Setup(Topology(8, 8), 9, rules, channel), seed=s) for s in count())
    assert len(checked(positions(games), number, most=3)) == number


@pytest.mark.long
def test_every_proof_of_scattered_clues_holds() -> None:
    rules = Rules("any", cascade=False, given_safe=60)
    games = (Game(Setup(Topology(12, 12), 30, rules), seed=seed) for seed in count())
    found = checked(positions(games), 1000, most=5)
    assert sum(proof.technique is Technique.CASES for proof in found) > 10


# -------------------------------------------------------------------------------------- symmetry


SIDES = [(turns, mirrored) for turns in range(4) for mirrored in (False, True)]


def turned(array: NDArray[Any], turns: int, mirrored: bool) -> NDArray[Any]:
    return np.rot90(array.T if mirrored else array, turns)


def from_side(
    seen: Observation, turns: int, mirrored: bool
) -> tuple[Observation, dict[Cell, Cell]]:
    """The observation from another side, and where each cell is then."""
    cells = turned(seen.cells, turns, mirrored)
    places = turned(np.arange(cells.size).reshape(seen.cells.shape), turns, mirrored)
    moved = {divmod(int(places[cell]), seen.cols): cell for cell in np.ndindex(*cells.shape)}
    return Observation(Topology(*cells.shape), cells, mines=seen.mines), moved


def grade(proof: Proof) -> tuple[object, ...]:
    return proof.status, proof.technique, proof.uses_total, proof.smallest, len(proof.premises)


def check_symmetry(seen: Observation) -> int:
    """Check that every grade is the same from all sides; return the number of grades."""
    posterior = infer(seen)
    prover = _core.Prover(core_of(posterior), 256)
    grades = {
        proof.cell: grade(proof)
        for proof in explain_all(seen)
        # If not all smallest sets were tried, other ones may be tried from another side.
        if prover.prove(seen.topology.index(proof.cell))[3] or (proof.uses_total and proof.smallest)
    }
    for turns, mirrored in SIDES:
        other, moved = from_side(seen, turns, mirrored)
        found = {proof.cell: grade(proof) for proof in explain_all(other)}
        assert {cell: found[moved[cell]] for cell in grades} == grades
    return len(grades)


@pytest.mark.parametrize("number", [40, pytest.param(400, marks=pytest.mark.long)])
def test_grades_are_the_same_from_every_side(number: int) -> None:
    games = (
        Game(Setup(Topology(rows, cols), rows * cols // 6), seed=seed)
        for seed in count()
        for rows, cols in ((6, 9), (9, 9))
    )
    assert sum(map(check_symmetry, islice(positions(games), number))) > 3 * number
