"""Flags that others set tell an agent nothing: what it calls certain is certain without them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from mineproof import (
    Action,
    Board,
    Decision,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    agents,
    play,
)
from mineproof.agents.seat import Seat
from mineproof.arena.play import Turn, carry_out, play_many
from mineproof.inference import infer
from mineproof.position import CellCode
from mineproof.random import Random


def names() -> list[str]:
    """Every agent, without options and with each of its options."""
    optional = [
        f"{name}:{option}"
        for name, kind in agents.registered().items()
        for option in (*kind.options, "untold" if kind.told.total else "total")
    ]
    return [*agents.names(), *optional]


def with_wrong_flag(seed: int, rules: Rules) -> Game | None:
    """Return a game with a flag on a cell that is certainly safe after the first opening."""
    game = Game.level("easy", seed=seed, rules=rules)
    game.open((3, 3))
    safe = infer(game.observe()).safe
    if not safe or game.outcome is not None:
        return None
    game.flag(Random(seed).pick(safe))
    return game


def check(game: Game, turn: Turn) -> None:
    for move in turn.moves:
        if move.certain:
            mine = bool(game.board.layout[move.cell])
            assert mine == (move.kind == "flag"), (move, turn.before)


GAMES = [4, pytest.param(30, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("name", names())
def test_no_move_called_certain_is_wrong_after_a_wrong_flag(name: str, games: int) -> None:
    agent = agents.get(name)
    for on_mine in ("end", "continue"):
        started = (with_wrong_flag(seed, Rules("zero", on_mine)) for seed in range(3 * games))
        for seed, game in enumerate([game for game in started if game is not None][:games]):
            record = play(game, agent, seed=seed, begun=True, watch=partial(check, game))
            if record.outcome == "lost":
                assert not record.moves[-1].certain


def interrupted(game: Game, name: str, seed: int) -> None:
    """Play a game while a person sets and removes flags between the agent's decisions."""
    person, seat = Random(seed + 1), Seat(agents.get(name))
    seat.begin(seed)
    step = 0
    while game.outcome is None and step < 200:
        for row, col in np.argwhere(~game.observe().opened & (game.observe().cells >= -2)):
            cell = int(row), int(col)
            if game.outcome is None and person.uniform() < 0.15:
                code = game.code(cell)
                if code in (CellCode.CLOSED, CellCode.FLAGGED):
                    (game.flag if code == CellCode.CLOSED else game.unflag)(cell)
        if game.outcome is not None:
            break
        before = game.observe()
        decision = seat.decide(before)
        if decision is None:
            break
        made = carry_out(game, decision, before)
        check(game, Turn(step, tuple(made), before, game.observe()))
        step += 1


@pytest.mark.parametrize("name", names())
def test_a_person_may_set_and_remove_flags_at_any_time(name: str) -> None:
    for seed in range(4):
        rules = Rules("safe", "continue" if seed % 2 else "end")
        game = Game(Setup(Topology(6, 7), 8, rules), seed=seed)
        game.open((0, 0))
        interrupted(game, name, seed)


@pytest.mark.parametrize("positions", [16, pytest.param(128, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["exact", "champion", "logic", "basic", "clue-heap"])
def test_flags_of_a_position_are_those_of_others(name: str, positions: int) -> None:
    for seed in range(positions):
        game = Game(Setup(Topology(6, 6), 7), seed=seed)
        game.open((2, 3))
        random = Random(seed)
        for cell in game.observe().openable_cells():
            if game.code(cell) == CellCode.CLOSED and random.uniform() < 0.3:
                game.flag(cell)
        if game.outcome is not None:
            continue
        position = game.observe()
        continued = Game.on(game.board, position=position)
        certain = infer(position)
        first: list[Turn] = []
        play(continued, agents.get(name), seed=seed, begun=True, watch=first.append)
        for move in first[0].moves if first else ():
            if move.certain:
                assert move.cell in (certain.mined if move.kind == "flag" else certain.safe)


@pytest.mark.parametrize("name", ["exact", "champion"])
def test_native_players_are_not_misled_either(name: str) -> None:
    board = Board.from_text("..\n*.")

    def game() -> Game:
        return Game.on(board, position=Observation.from_text("1F\n.."))

    (record,) = play_many([game()], agents.get(name), seeds=[1], moves=True)
    moves = play(game(), agents.get(name), seed=1).moves
    assert record.moves == moves
    assert not any(move.certain and move.kind == "open" and move.hits for move in moves)
    assert not moves[0].certain


class Scripted(agents.Agent):
    """Makes one decision."""

    name = "scripted"

    def __init__(self, *actions: Action) -> None:
        self.actions = actions
        super().__init__()

    def decide(self, observation: Observation) -> Decision | None:
        self.saw = observation
        return Decision(self.actions, "as told") if self.actions else None


def done(text: str, *actions: Action) -> list[tuple[str, tuple[int, int]]]:
    decision = Seat(Scripted(*actions)).decide(Observation.from_text(text))
    assert decision is not None
    return [(action.kind, action.cell) for action in decision.actions]


def test_flags_in_the_way_come_off_before_anything_else() -> None:
    actions = Action("flag", (0, 2)), Action("open", (0, 1))
    assert done("1F.", *actions) == [("unflag", (0, 1)), ("flag", (0, 2)), ("open", (0, 1))]


def test_a_chord_is_about_the_flags_that_the_agent_sees() -> None:
    assert done("F0F", Action("chord", (0, 1))) == [
        ("unflag", (0, 0)),
        ("unflag", (0, 2)),
        ("chord", (0, 1)),
    ]


def test_a_flag_stays_where_the_agent_wants_one() -> None:
    actions = Action("flag", (0, 0)), Action("open", (0, 2))
    assert done("F1.", *actions) == [("open", (0, 2))]


def test_an_agent_that_only_wants_flags_that_are_there_decides_again() -> None:
    class Twice(Scripted):
        def decide(self, observation: Observation) -> Decision | None:
            if observation.flagged_cells():
                return Decision.guess((0, 2), "now that it has flagged the mine")
            return Decision.certain("a mine", mines=[(0, 0)])

    decision = Seat(Twice()).decide(Observation.from_text("F1."))
    assert decision is not None
    assert [action.kind for action in decision.actions] == ["open"]


def test_a_flag_that_was_taken_off_is_no_longer_the_agents() -> None:
    agent = Scripted(Action("flag", (0, 0)))
    seat = Seat(agent)
    shown = []
    for text in (".1.", "F1.", ".1.", "F1."):
        seat.decide(Observation.from_text(text))
        shown.append(agent.saw.to_text())
        agent.actions = ()
    assert shown == [".1.", "F1.", ".1.", ".1."]


def test_a_seat_tells_no_more_than_the_agent_may_know() -> None:
    agent = agents.get("logic")
    seat = Seat(agent)
    seat.begin(0)
    seat.decide(Observation.from_text("4x1x2\n1.F."))
    assert seat.seen is not None
    assert seat.seen.mines is None
    assert seat.seen.to_text() == "1..."
