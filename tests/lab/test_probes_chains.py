"""What is measured of chains of influence, beside what is worked out directly."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from mineproof import Board, Game, Rules, Setup, Topology, agents, play
from mineproof.chains import chains_of, search_long_chain
from mineproof.game.records import GameRecord
from mineproof.inference.posterior import infer
from mineproof.lab import probes
from mineproof.lab.probes import SHIFTS, find_probe, replay
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation

ALL_OF_IT = Rules(start="zero", on_mine="continue")
SETUP = Setup(Topology(8, 8), 14, ALL_OF_IT)


def played(setup: Setup, seed: int, agent: str = "exact") -> tuple[Game, GameRecord]:
    return Game.laid(setup, seed), play(Game.laid(setup, seed), agents.get(agent), seed=seed)


def test_chains_are_those_of_the_game_as_it_was_played() -> None:
    for seed in range(5):
        game, record = played(SETUP, seed)
        measured = find_probe("chains").measure(game, record)
        lengths = [link.length for link in chains_of(game, record).links]
        assert measured["longest"] == max(lengths)
        assert measured["mean_length"] == pytest.approx(mean(lengths))
        assert measured["reach"] == chains_of(game, record).reach
        assert measured["branching"] > 0
        effort = find_probe("effort").measure(game, record)
        assert {name: measured[name] for name in effort} == effort


def test_a_board_is_solved_from_every_cell_without_a_mine() -> None:
    board = Board.from_text("...*..")
    game = Game.on(board, Rules(start="any", on_mine="continue"))
    [starts] = find_probe("starts").measure(game, played(SETUP, 0)[1]).values()
    assert [(start["row"], start["col"]) for start in starts] == [(0, c) for c in (0, 1, 2, 4, 5)]
    assert [start["opens"] for start in starts] == [True, True, False, False, True]
    for start in starts:
        first = (start["row"], start["col"])
        assert start["longest"] == chains_of(Game.on(board, game.rules, first=first)).longest
    assert len({start["longest"] for start in starts}) > 1


@pytest.mark.parametrize("agent", ["exact", "exact:untold"])
def test_belief_is_what_hiding_each_clue_changes(agent: str) -> None:
    silent = 0
    for seed in range(4):
        game, record = played(SETUP, seed, agent)
        measured = find_probe("belief").measure(game, record)
        steps = [seen for seen, _ in replay(game, record)]
        clues, hushed, closed, shifted = hidden_in_turn(steps[record.steps // 2])
        assert (measured["clues"], measured["silent"]) == (clues, hushed)
        assert measured["closed"] == closed
        for shift in SHIFTS:
            assert measured[f"shifted_{shift:g}"] == shifted[shift]
        silent += hushed
    assert silent


def hidden_in_turn(seen: Observation) -> tuple[int, int, list[int], dict[float, list[int]]]:
    """Work out by hand what the probe measures."""
    closed = [0] * 7
    shifted = {shift: [0] * 7 for shift in SHIFTS}
    clues = silent = 0
    told = infer(seen).risk
    cells = [tuple(cell) for cell in np.argwhere(~np.isnan(told)).tolist()]
    for row, col in np.argwhere(seen.cells >= 0).tolist():
        distances = [max(abs(row - r), abs(col - c)) for r, c in cells]
        if 1 in distances:
            hidden = seen.cells.copy()
            hidden[row, col] = CellCode.NO_CLUE
            untold = infer(Observation(seen.topology, hidden, mines=seen.mines)).risk
            changes = [abs(told[cell] - untold[cell]) for cell in cells]
            clues += 1
            silent += max(changes) <= min(SHIFTS)
            for distance, change in zip(distances, changes, strict=True):
                closed[distance - 1] += 1
                for shift in SHIFTS:
                    shifted[shift][distance - 1] += bool(change > shift)
    return clues, silent, closed, shifted


def test_a_search_stands_beside_random_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "EVALUATIONS", 60)
    setup = Setup(Topology(6, 6), 6, ALL_OF_IT)
    first, second = (find_probe("search").measure(*played(setup, seed)) for seed in (0, 1))
    found = search_long_chain(Setup(Topology(6, 6), 6, Rules("zero")), evaluations=60, seed=0)
    assert found is not None
    assert first["found"] == found.longest
    assert len(first["beside"]) == 25
    assert first["beside"][3] == chains_of(Game.laid(setup, 3)).longest
    assert second["beside"][0] == chains_of(Game.laid(setup, 25)).longest
    assert first["found"] > max(first["beside"]) - 3


def test_nothing_is_searched_where_the_start_may_be_mined() -> None:
    setup = Setup(Topology(6, 6), 6, Rules(start="any"))
    assert find_probe("search").measure(*played(setup, 0)) == {}


def test_what_is_too_wide_to_judge_has_no_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    from mineproof.errors import BudgetExceeded

    def refuse(*_: object, **__: object) -> None:
        raise BudgetExceeded("too wide")

    monkeypatch.setattr(probes, "chains_of", refuse)
    monkeypatch.setattr(probes, "influences", refuse)
    monkeypatch.setattr(probes, "EVALUATIONS", 10)
    starts = find_probe("starts").measure(*played(SETUP, 0))["starts"]
    assert {start["longest"] for start in starts} == {None}
    assert find_probe("belief").measure(*played(SETUP, 0))["clues"] == 0
    assert set(find_probe("search").measure(*played(SETUP, 0))["beside"]) == {None}
