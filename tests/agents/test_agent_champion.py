"""The champion: optimal where it can be, the same in bulk, and sound in every game."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from mineproof import (
    Board,
    Channel,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    agents,
    infer,
    play,
    play_many,
)
from mineproof.arena import play_seeds
from mineproof.game import Outcome
from mineproof.search import optimal


def wins(agent: str, rows: int, cols: int, mines: int) -> int:
    """Return how many of all boards an agent wins, if the first cell may be a mine."""
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    boards = [Board.from_cells(rows, cols, mined) for mined in combinations(cells, mines)]
    games = [Game.on(board, Rules(start="any")) for board in boards]
    records = play_many(games, agents.get(agent), seeds=[0] * len(boards))
    return sum(record.won for record in records)


@pytest.mark.parametrize("board", [(2, 3, 2), (3, 3, 2), (3, 3, 4), (3, 4, 3)])
def test_it_wins_as_often_as_anyone_can_on_boards_that_it_solves(
    board: tuple[int, int, int],
) -> None:
    rows, cols, mines = board
    optimum = optimal(Setup(Topology(rows, cols), mines, Rules("any"))).win
    layouts = sum(1 for _ in combinations(range(rows * cols), mines))
    assert wins("champion", *board) == optimum * layouts


@pytest.mark.long
def test_it_is_close_to_optimal_on_a_board_that_it_does_not_solve_at_first() -> None:
    # 961 of 1,820 is the most.
    assert wins("champion", 4, 4, 4) >= 930


@pytest.mark.parametrize("name", ["champion", "champion:1", "champion:max", "champion:untold"])
@pytest.mark.parametrize(
    ("rules", "channel"),
    [
        (Rules(), "exact"),
        (Rules(start="any", on_mine="continue"), "exact"),
        (Rules(), "lost:0.3"),
        (Rules(on_mine="continue"), "optimistic"),
    ],
)
def test_bulk_games_are_those_of_play(name: str, rules: Rules, channel: str) -> None:
    def games() -> list[Game]:
        return [
            Game(Setup(Topology(9, 9), 14, rules, Channel.parse(channel)), seed=seed)
            for seed in range(4)
        ]

    agent = agents.get(name)
    bulk = play_many(games(), agent, seeds=range(4), moves=True)
    for game, record in zip(games(), bulk, strict=True):
        single = play(game, agents.get(name), seed=record.agent_seed)
        assert replace(single, seconds=0) == replace(record, seconds=0)


def test_every_certain_move_comes_first() -> None:
    for seed in range(20):
        game = Game.level("easy", seed=seed)
        record = play(game, agents.get("champion"), seed=seed)
        seen = Game.level("easy", seed=seed)
        for move in record.moves:
            if move.is_guess:
                assert not infer(seen.observe()).safe
            seen.make(move.kind, move.cell)


def test_clues_that_contradict_each_other_do_not_stop_it() -> None:
    assert agents.get("champion").decide(Observation.from_text("1.1\n0.2", mines=1)) is not None


def test_one_strength_at_a_time() -> None:
    with pytest.raises(ValueError, match="cannot be both 1 and max"):
        agents.get("champion:1+max")


@pytest.mark.parametrize(("size", "mines"), [(50, 375), (50, 500), (100, 1500), (100, 2000)])
def test_large_boards_are_played_to_the_end(size: int, mines: int) -> None:
    setup = Setup(
        Topology(size, size), mines, Rules(start="zero", on_mine="continue"), first=(3, 3)
    )
    games = play_seeds(setup, agents.get("champion"), range(3))
    assert set(games["outcome"].tolist()) == {Outcome.FINISHED.value}


@pytest.mark.parametrize("channel", ["lost:0.3", "optimistic", "cautious"])
def test_uncertain_clues_leave_it_at_a_low_number_of_hits(channel: str) -> None:
    rules = Rules(start="any", on_mine="continue")
    setup = Setup(Topology(6, 6), 6, rules, Channel.parse(channel))
    champion, anyone = (
        play_seeds(setup, agents.get(name), range(25)) for name in ("champion", "random")
    )
    assert set(champion["outcome"].tolist()) == {Outcome.FINISHED.value}
    assert champion["hits"].sum() < anyone["hits"].sum()
