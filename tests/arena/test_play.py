import gc
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pickle import dumps, loads
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from mineproof import (
    Action,
    Agent,
    Board,
    Cell,
    Channel,
    Decision,
    Game,
    GameRecord,
    Observation,
    Rules,
    Setup,
    Topology,
    Transcript,
    _core,
    agents,
    play,
    play_many,
)
from mineproof.agents import Told
from mineproof.arena.play import AgentFailed, Turn
from mineproof.game.move import decisions
from mineproof.position.rules import Kind

KEEP_GOING = Rules(on_mine="continue")


class Scripted(Agent):
    """Plays decisions that were written down before."""

    name = "scripted"

    def __init__(self, *decisions: list[tuple[Kind, Cell]]) -> None:
        super().__init__()
        self.decisions = decisions
        self.asked = 0
        self.seen: list[Observation] = []

    def begin(self, seed: int) -> None:
        self.asked = 0

    def decide(self, observation: Observation) -> Decision | None:
        self.seen.append(observation)
        if self.asked == len(self.decisions):
            return None
        self.asked += 1
        return Decision(tuple(Action(*action) for action in self.decisions[self.asked - 1]))


def reachable(root: object) -> Iterator[object]:
    """Everything that can be reached from an object, except through code."""
    code = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
    seen = {id(root)}
    stack = [root]
    while stack:
        item = stack.pop()
        yield item
        # Arrays do not tell the collector what they are views of.
        owner = [item.base] if isinstance(item, np.ndarray) else []
        for other in [*gc.get_referents(item), *owner]:
            if id(other) not in seen and not isinstance(other, code):
                seen.add(id(other))
                stack.append(other)


def hides_the_board(root: object) -> bool:
    return not any(isinstance(item, Board | Game | _core.Game) for item in reachable(root))


def without_time(record: GameRecord) -> GameRecord:
    return replace(record, seconds=0.0)


def test_the_walk_finds_a_board_where_there_is_one() -> None:
    game = Game.level("easy", seed=1)
    assert not hides_the_board([{"here": (game,)}])
    assert not hides_the_board(game)


@pytest.mark.parametrize("name", agents.names())
def test_the_board_stays_hidden(name: str) -> None:
    game = Game.level("easy", seed=1)
    assert hides_the_board(game.observation)
    agent = agents.get(name)
    record = play(game, agent)
    assert hides_the_board(game.observation)
    assert hides_the_board(agent)
    assert hides_the_board(record)


@pytest.mark.parametrize("name", agents.names())
@pytest.mark.parametrize("rules", [Rules(), Rules("any"), Rules("zero"), KEEP_GOING])
@pytest.mark.parametrize(
    "channel", [Channel.exact(), Channel.lost(0.3), Channel.optimistic()], ids=str
)
def test_games_end_repeat_and_add_up(name: str, rules: Rules, channel: Channel) -> None:
    for seed in range(5):
        games = [Game(Setup(Topology(6, 6), 6, rules, channel), seed=seed) for _ in "ab"]
        one, two = (without_time(play(game, agents.get(name), seed=seed)) for game in games)
        assert one == two
        check_counts(one)
        assert games[0].observation == games[1].observation


def check_counts(record: GameRecord) -> None:
    moves = record.moves
    ends = {"won", "lost"} if record.on_mine == "end" else {"finished"}
    assert record.outcome in ends | ({"stuck"} if record.agent == "logic" else set())
    assert record.hits == sum(move.hits for move in moves)
    assert record.opened == sum(move.opened for move in moves)
    assert record.actions == len(moves)
    assert record.steps == len([*decisions(moves)])
    assert record.guesses == sum(move.kind == "open" and not move.certain for move in moves)
    assert record.certain == sum(move.certain for move in moves)
    assert record.score == record.identified / record.mines
    assert 0 <= record.identified <= record.mines - record.hits
    if record.won:
        assert record.hits == record.wrong_flags == 0
        assert record.opened == record.rows * record.cols - record.mines
        assert record.score == 1


@pytest.mark.parametrize("name", agents.names())
def test_an_agent_forgets_the_last_game(name: str) -> None:
    agent = agents.get(name)
    play(Game.level("easy", seed=1), agent, seed=3)
    again = play(Game.level("easy", seed=2), agent, seed=4)
    fresh = play(Game.level("easy", seed=2), agents.get(name), seed=4)
    assert without_time(again) == without_time(fresh)


def test_the_agents_seed_matters() -> None:
    records = {
        play(Game.level("easy", seed=1), agents.get("random"), seed=s).moves for s in range(9)
    }
    assert len(records) > 1


def test_the_seed_of_a_board_tells_an_agent_nothing() -> None:
    hits = [
        play(
            Game(Setup(Topology(6, 6), 18, Rules("any")), seed=seed),
            agents.get("random"),
            seed=seed,
        )
        .moves[0]
        .hits
        for seed in range(200)
    ]
    assert 70 < sum(hits) < 130


def test_exact_claims_are_true() -> None:
    for seed in range(20):
        record = play(Game.level("easy", seed=seed), agents.get("exact"))
        assert not any(move.hits for move in record.moves if move.certain)
        assert record.wrong_flags == 0


@pytest.mark.parametrize("channel", [Channel.exact(), Channel.cautious(), Channel.lost(1)], ids=str)
def test_exact_settles_every_cell(channel: Channel) -> None:
    for seed in range(5):
        game = Game(Setup(Topology(6, 6), 8, KEEP_GOING, channel), seed=seed)
        record = play(game, agents.get("exact" if seed % 2 else "exact:untold"))
        assert record.outcome == "finished"
        assert record.wrong_flags == 0
        assert record.identified + record.hits == record.mines


def test_exact_survives_a_wrong_model() -> None:
    for seed in range(20):
        game = Game(Setup(Topology(6, 6), 8, KEEP_GOING, Channel.cautious()), seed=seed)
        assert play(game, agents.get("exact:naive")).outcome == "finished"


@pytest.mark.parametrize("name", ["exact", "exact:untold"])
@pytest.mark.parametrize("rules", [Rules(), Rules("any"), Rules("zero"), KEEP_GOING], ids=str)
@pytest.mark.parametrize(
    "channel", [Channel.exact(), Channel.lost(0.3), Channel.cautious()], ids=str
)
@pytest.mark.parametrize("games", [10, pytest.param(200, marks=pytest.mark.long)])
def test_bulk_play_is_play(name: str, rules: Rules, channel: Channel, games: int) -> None:
    def dealt() -> list[Game]:
        return [
            Game(Setup(Topology(7, 8), 1 + seed % 20, rules, channel), seed=seed)
            for seed in range(games)
        ]

    one_by_one = [play(game, agents.get(name), seed=s) for s, game in enumerate(dealt())]
    in_bulk = play_many(dealt(), agents.get(name), seeds=range(games), moves=True)
    assert list(map(without_time, in_bulk)) == list(map(without_time, one_by_one))
    counted = play_many(dealt(), agents.get(name), seeds=range(games))
    assert [replace(r, moves=()) for r in map(without_time, in_bulk)] == [
        without_time(record) for record in counted
    ]


def test_a_game_played_natively_can_be_copied() -> None:
    game = Game.level("easy", seed=3)
    play_many([game], agents.get("exact"), seeds=[0])
    assert loads(dumps(game)).observation == game.observation
    assert game.begun


def test_the_first_cell_is_opened_by_rule() -> None:
    agent = Scripted()
    record = play(Game.level("easy", seed=1), agent)
    assert (record.first_row, record.first_col) == (0, 0)
    assert agent.seen[0].code((0, 0)) >= 0
    assert (record.steps, record.actions, record.guesses, record.certain) == (1, 1, 0, 1)
    assert record.outcome == "stuck"


def test_under_any_the_agent_chooses() -> None:
    agent = Scripted()
    record = play(Game.level("easy", seed=1, rules=Rules("any")), agent)
    assert (record.first_row, record.first_col) == (None, None)
    assert (agent.seen[0].cells == -1).all()
    named = play(Game(Setup.level("easy", rules=Rules("any"), first=(4, 4)), seed=1), Scripted())
    assert (named.first_row, named.steps, named.guesses) == (4, 1, 1)


def test_what_is_opened_meanwhile_is_passed_over() -> None:
    board = Board.from_cells(1, 7, [(0, 2), (0, 6)])
    agent = Scripted([("open", (0, 4)), ("open", (0, 5)), ("open", (0, 3))], [("open", (0, 1))])
    record = play(Game.on(board), agent)
    assert [(move.together, move.cell, move.opened) for move in record.moves] == [
        (False, (0, 0), 2),
        (False, (0, 4), 3),
    ]
    assert record.outcome == "won"


def test_a_chord_with_nothing_left_is_passed_over() -> None:
    board = Board.from_cells(2, 3, [(0, 0)])
    agent = Scripted([("flag", (0, 0)), ("open", (0, 1)), ("chord", (0, 1)), ("chord", (1, 1))])
    record = play(Game.on(board, Rules("any", cascade=False), first=(1, 1)), agent)
    assert [move.kind for move in record.moves] == ["open", "flag", "open", "chord"]
    assert record.outcome == "won"


def test_an_illegal_first_action_is_an_error() -> None:
    with pytest.raises(AgentFailed, match=r"illegal move: \(0, 0\): the cell is open already"):
        play(Game.level("easy", seed=1), Scripted([("open", (0, 0))]))


def test_an_agent_that_goes_nowhere_is_stopped() -> None:
    turns: list[list[tuple[Kind, Cell]]] = [[("flag", (0, 2))], [("unflag", (0, 2))]]
    board = Board.from_cells(1, 3, [(0, 2)])
    with pytest.raises(AgentFailed, match="7 decisions without opening a cell") as failed:
        play(Game.on(board, Rules(cascade=False)), Scripted(*turns * 10))
    assert (failed.value.agent, failed.value.kind) == ("scripted", "idle")


def test_a_game_is_played_once() -> None:
    game = Game.level("easy", seed=1)
    assert not game.begun
    game.open((0, 0))
    with pytest.raises(ValueError, match="begun already"):
        play(game, Scripted())


def test_an_agent_has_a_name_that_can_be_written() -> None:
    agent = Scripted([])
    agent.name = "careful "
    with pytest.raises(ValueError, match="agent 'careful ': must be printable, without spaces"):
        play(Game.level("easy", seed=1), agent)


def test_a_game_with_flags_has_begun() -> None:
    game = Game.level("easy", seed=1)
    game.flag((4, 4))
    with pytest.raises(ValueError, match="begun already: a move was made or a flag set"):
        play(game, Scripted())


@pytest.mark.parametrize("name", agents.names())
def test_an_agent_can_be_sent_elsewhere(name: str) -> None:
    agent = agents.get(name)
    agent.begin(seed=5)
    game = Game.level("easy", seed=2, rules=Rules("any"))
    agent.decide(game.observation)
    other = loads(dumps(agent))
    assert other.decide(game.observation) == agent.decide(game.observation)
    fresh = play(Game.level("easy", seed=2), loads(dumps(agents.get(name))), seed=3)
    assert without_time(fresh) == without_time(play(Game.level("easy", seed=2), agent, seed=3))


def test_a_decision_does_something() -> None:
    with pytest.raises(ValueError, match="at least one action"):
        Decision(())


def test_records_turn_into_plain_values() -> None:
    record = play(Game.level("easy", seed=1), agents.get("random"), seed=1)
    plain: dict[str, Any] = record.to_dict()
    assert plain["agent"] == "random"
    assert plain["moves"][0]["kind"] == "open"
    assert type(plain["outcome"]) is str


def test_records_are_plain_whatever_is_given() -> None:
    number: Any = np.int64
    board = Board.random(Setup(Topology(number(2), number(3)), number(1)), seed=number(3))
    first: Any = [1, number(1)]
    game = Game.on(board, Rules("any", given_safe=number(0)), seed=number(4), first=first)
    action: Any = ("flag", np.array([0, 1]), np.True_, np.float32(0.5))
    record = play(game, Scripted([action]), seed=number(2))
    plain = record.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert (plain["seed"], plain["agent_seed"], plain["first_row"]) == (4, 2, 1)
    assert plain["moves"][1] == {
        "step": 1,
        "kind": "flag",
        "row": 0,
        "col": 1,
        "certain": True,
        "guess": False,
        "risk": 0.5,
        "reason": "",
        "opened": 0,
        "hits": 0,
    }


def test_agents_keep_the_protocol() -> None:
    agent: Agent = Scripted()
    assert agent.name == "scripted"
    with pytest.raises(ValueError, match=r"agent 'lucky': must be random, .* or champion"):
        agents.get("lucky")


@pytest.mark.parametrize("rules", [Rules(), Rules("any"), KEEP_GOING])
def test_those_who_look_on_see_every_step(rules: Rules) -> None:
    game, agent, steps = Game.level("easy", seed=3, rules=rules), agents.get("exact"), list[Turn]()
    record = play(game, agent, seed=1, watch=steps.append)
    assert without_time(record) == without_time(
        play(Game.level("easy", seed=3, rules=rules), agent, seed=1)
    )
    assert tuple(move for step in steps for move in step.moves) == record.moves
    assert [step.before is None for step in steps] == [
        number == 0 and rules.start != "any" for number in range(record.steps)
    ]
    for earlier, later in itertools.pairwise(steps):
        assert later.before == earlier.after
    assert steps[-1].after == game.observation
    assert hides_the_board(steps)


def test_an_agent_that_declares_nothing_is_told_everything() -> None:
    agent = Scripted()
    channel = Channel.optimistic()
    record = play(Game(Setup.level("easy", channel=channel), seed=1), agent)
    assert (record.total_told, record.channel_told) == (True, True)
    assert agent.seen[0].mines == 10
    assert agent.seen[0].channel == channel
    untold = {name for name in agents.names() if agents.get(name).told == Told()}
    assert untold >= {"random", "basic", "noisy-or", "components", "clue-heap", "projection"}


@pytest.mark.parametrize("name", ["exact", "random"])
def test_games_and_seeds_that_do_not_match_are_told(name: str) -> None:
    agent = agents.get(name)

    def games() -> Iterator[Game]:
        return (Game.level("easy", seed=seed) for seed in range(3))

    assert len(play_many(games(), agent, seeds=range(3))) == 3
    with pytest.raises(ValueError, match=r"^seeds: more than 3 games$"):
        play_many(games(), agent, seeds=range(5))
    with pytest.raises(ValueError, match=r"^seeds: more than 3 games$"):
        play_many(games(), agent, seeds=itertools.count())
    with pytest.raises(ValueError, match=r"^seeds: 1, but there are more games$"):
        play_many(games(), agent, seeds=[0])


def test_a_record_is_shown_without_its_moves() -> None:
    game = Game.level("expert", seed=3)
    record = play(game, agents.get("exact"), seed=1)
    assert len(record.moves) > 100
    assert repr(record).startswith("GameRecord(agent='exact', agent_seed=1, ")
    assert len(repr(record)) < 500
    transcript = Transcript.of(game)
    assert len(transcript.moves) > 100
    assert len(repr(transcript)) < 500
