"""Comparing agents: on the same boards, with the same records however they are played."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pickle import dumps, loads
from typing import Any, cast

import numpy as np
import pytest

from mineproof import (
    Action,
    Agent,
    Board,
    Channel,
    Decision,
    FixedBoards,
    Game,
    GameRecord,
    Observation,
    RandomBoards,
    Result,
    Rules,
    Setup,
    Topology,
    agents,
    compare,
    play,
)
from mineproof.arena import AgentFailed
from mineproof.arena.boards import Games
from mineproof.arena.compare import play_batches
from mineproof.game.report_presets import PRESETS
from mineproof.random import agent_seed
from mineproof.statistics import mean, share, share_difference

KEEP_GOING = Setup(Topology(6, 6), 6, Rules("any", "continue"))
BOARDS = [Board.from_text(text) for text in ("..*\n...", "...\n.*.", ".....\n....*")]


class Clumsy(Agent):
    """Opens the first closed cell, and stumbles over the game of one seed."""

    name = "clumsy"

    def begin(self, seed: int) -> None:
        self.seed = seed

    def decide(self, observation: Observation) -> Decision | None:
        if self.seed == agent_seed(13):
            raise LookupError("lost\nmy glasses")
        return Decision((Action("open", observation.openable_cells()[0]),))


class Deadly(Agent):
    """Ends the process that it plays in."""

    name = "deadly"

    def decide(self, observation: Observation) -> Decision | None:
        os._exit(7)


def records(
    names: list[str], games: Games, *, workers: int = 1, size: int | None = None
) -> list[list[GameRecord]]:
    """The records of every agent in the order of the games, without their time."""
    players = [agents.get(name) for name in names]
    result: list[list[GameRecord]] = [[] for _ in names]
    batches = list(play_batches(players, games, workers=workers, size=size))
    for (agent, numbers), played in sorted(batches, key=lambda batch: batch[0][1].start):
        assert numbers.start == len(result[agent])
        result[agent] += [replace(record, seconds=0.0) for record in played]
    return result


def without_time(results: list[Result]) -> list[Result]:
    return [replace(result, ms_per_game=0.0) for result in results]


# ---------------------------------------------------------------------------------- what is played


def test_games_are_those_of_their_seeds() -> None:
    games = RandomBoards(KEEP_GOING, count=5, seed=7)
    assert len(games) == 5
    for number in range(5):
        assert games.game(number).seed == 7 + number
        assert games.game(number).board == Game(KEEP_GOING, 7 + number).board


def test_a_game_of_a_comparison_can_be_seen_alone() -> None:
    [[*_, last]] = records(["random"], RandomBoards(KEEP_GOING, count=4, seed=20))
    alone = play(Game(KEEP_GOING, seed=23), agents.get("random"), seed=23)
    assert last == replace(alone, moves=(), seconds=0.0)


def test_fixed_boards() -> None:
    games = FixedBoards(BOARDS, Rules(given_safe=1), Channel.lost(0.5), first=(1, 0), seed=5)
    assert [games.game(number).board for number in range(3)] == BOARDS
    game = games.game(2)
    assert (game.seed, game.first, game.rules.given_safe) == (7, (1, 0), 1)
    assert game.channel == Channel.lost(0.5)


@pytest.mark.parametrize("games", [RandomBoards(KEEP_GOING, 3, 9), FixedBoards(BOARDS, seed=9)])
def test_games_travel(games: Games) -> None:
    other = loads(dumps(games))
    assert other == games
    assert len(other) == 3
    assert other.game(2).board == games.game(2).board


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: RandomBoards(KEEP_GOING, 0), "count 0: must be a whole number from 1"),
        (lambda: RandomBoards(KEEP_GOING, 1, -1), "seed -1: must be a whole number from 0"),
        (lambda: RandomBoards(KEEP_GOING, 2, 2**64 - 1), r"from 0 to 2\*\*64 - 1"),
        (lambda: RandomBoards(KEEP_GOING, 2).game(2), "game 2: must be a whole number from 0 to 1"),
        (lambda: FixedBoards([]), "boards .*: must be a list of at least one Board"),
        (
            lambda: FixedBoards(BOARDS, first=(0, 2)),
            "^board 0: a mine at the first cell, \\(0, 2\\), which start 'safe' forbids",
        ),
        (lambda: FixedBoards(BOARDS, first=(1, 4)), "^board 0: \\(1, 4\\)"),
        (
            lambda: FixedBoards(BOARDS, Rules(given_safe=6)),
            "^board 0: 6 given safe cells: the board has 5 safe cells",
        ),
        (lambda: compare([], RandomBoards(KEEP_GOING, 1)), r"agents \[\]: must be a list"),
        (lambda: compare("exact", RandomBoards(KEEP_GOING, 1)), "agents 'exact': must be a list"),
        (lambda: compare(["lucky"], RandomBoards(KEEP_GOING, 1)), "agent 'lucky': must be"),
        (
            lambda: compare([cast(Any, 5)], RandomBoards(KEEP_GOING, 1)),
            "agent 5: must be an Agent,",
        ),
        (
            lambda: compare(["exact"], cast(Any, 100)),
            "^games 100: must be RandomBoards or FixedBoards, such as RandomBoards",
        ),
        (lambda: compare(["exact"], RandomBoards(KEEP_GOING, 1), workers=0), "workers 0: must be"),
    ],
)
def test_wrong_arguments(wrong: Callable[[], Any], sentence: str) -> None:
    with pytest.raises((ValueError, TypeError), match=sentence):
        wrong()


# --------------------------------------------------------------------------------- how it is played


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_batches_change_nothing(size: int) -> None:
    games = RandomBoards(KEEP_GOING, count=17, seed=3)
    assert records(["exact", "random"], games, size=size) == records(["exact", "random"], games)


def test_workers_change_nothing() -> None:
    games = RandomBoards(Setup.level("easy"), count=20, seed=3)
    names = ["exact", "random"]
    assert records(names, games, workers=2, size=3) == records(names, games)
    fixed = FixedBoards(BOARDS, Rules("any"), Channel.optimistic())
    assert without_time(compare(names, fixed, workers=2)) == without_time(compare(names, fixed))


def test_agents_share_the_boards() -> None:
    one, other = records(["exact", "random"], RandomBoards(KEEP_GOING, count=6))
    assert [record.seed for record in one] == [record.seed for record in other] == [*range(6)]
    assert [record.agent_seed for record in one] == [*range(6)]
    assert {record.agent for record in other} == {"random"}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_agent_is_named_with_the_seed(workers: int) -> None:
    games = RandomBoards(KEEP_GOING, count=8, seed=10)
    sentence = "^agent 'clumsy' failed in the game of seed 13: LookupError: lost my glasses [(]"
    with pytest.raises(AgentFailed, match=sentence):
        compare(["exact", Clumsy()], games, workers=workers)


def test_a_worker_that_dies() -> None:
    with pytest.raises(BrokenProcessPool, match="a worker process could not start or was killed"):
        compare([Deadly()], RandomBoards(KEEP_GOING, count=8), workers=2)


def test_progress_is_told() -> None:
    told: list[int] = []
    compare(["exact", "random"], RandomBoards(KEEP_GOING, count=20), progress=told.append)
    assert sum(told) == 40
    assert len(told) > 10


# ----------------------------------------------------------------------------------- what comes out


def test_results_are_means_of_records() -> None:
    setup = Setup.level("easy")
    games = RandomBoards(setup, count=40)
    one, other = records(["exact", "random"], games)
    first, second = compare(["exact", "random"], games)
    assert (first.agent, first.games, first.wins) == ("exact", 40, sum(r.won for r in one))
    assert first.win_rate == share(first.wins, 40)
    assert first.score == mean([record.score for record in one], bounds=(0, 1))
    for name in ("wrong_flags", "hits", "steps", "guesses"):
        values = [getattr(record, name) for record in other]
        assert getattr(second, name) == pytest.approx(np.mean(values))
    assert first.ms_per_game > 0
    assert first.win_rate_difference is first.score_difference is first.difference is None
    pairs = list(zip(other, one, strict=True))
    gained, lost = (sum(a.won - b.won == change for a, b in pairs) for change in (1, -1))
    assert second.difference == second.win_rate_difference == share_difference(gained, lost, 40)
    changes = [a.score - b.score for a, b in pairs]
    assert second.score_difference == mean(changes, bounds=(-1, 1))


def test_where_play_goes_on_scores_are_compared() -> None:
    _, second = compare(["exact", "random"], RandomBoards(KEEP_GOING, count=30))
    assert second.difference == second.score_difference
    assert second.difference is not None
    assert second.difference.high < 0
    assert second.to_dict()["difference"] == second.difference.value


def test_an_agent_does_not_differ_from_itself() -> None:
    _, again = compare(["exact", "exact"], RandomBoards(Setup.level("easy"), count=30))
    assert again.difference is not None
    assert again.difference.value == 0
    assert again.difference.low == -again.difference.high < 0


def test_one_game_leaves_everything_open() -> None:
    for setup in (KEEP_GOING, Setup.level("easy")):
        _, second = compare(["exact", "random"], RandomBoards(setup, count=1))
        assert second.score_difference is not None
        assert (second.score_difference.low, second.score_difference.high) == (-1, 1)
        assert all(abs(value) <= 1 for value in (second.score.low, second.score.high))


# ---------------------------------------------------------------------------------------- presets


@pytest.mark.parametrize(
    ("name", "on_mine", "cascade", "size", "given"),
    [
        ("R0", "continue", True, (10, 10), 0),
        ("R1", "end", True, None, 0),
        ("R2", "end", False, None, 22),
        ("R3", "continue", True, (10, 10), 0),
        ("R4", "continue", False, (10, 10), 0),
    ],
)
def test_presets(
    name: str, on_mine: str, cascade: bool, size: tuple[int, int] | None, given: int
) -> None:
    preset = PRESETS[name]
    assert (preset.on_mine, preset.cascade, preset.size) == (on_mine, cascade, size)
    assert preset.given_safe(cells=480) == given
    assert preset.start(["basic", "exact:untold"]) == "any"


def test_only_clue_heap_starts_at_a_zero() -> None:
    assert list(PRESETS) == ["R0", "R1", "R2", "R3", "R4"]
    assert PRESETS["R0"].start(["clue-heap", "clue-heap:untold"]) == "zero"
    assert PRESETS["R4"].start(["clue-heap", "basic"]) == "any"
    with pytest.raises(ValueError, match="clue-heap starts at 'zero' and the other agents at"):
        PRESETS["R0"].start(["basic", "clue-heap"])


@pytest.mark.parametrize(("cells", "given"), [(81, 9), (256, 16), (480, 22), (2, 1), (7, 3)])
def test_given_cells(cells: int, given: int) -> None:
    assert PRESETS["R2"].given_safe(cells) == given
