"""What is measured of a game after it was played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from mineproof import Channel, Game, Rules, Setup, Topology, agents, play
from mineproof.agents.agent import Action, Agent, Decision, Told
from mineproof.arena.play import Turn, play_many
from mineproof.arena.signatures import digest
from mineproof.game import difficulty, measure
from mineproof.game.board import Board
from mineproof.inference.posterior import Posterior, Solver
from mineproof.lab import probes
from mineproof.lab.probes import (
    PROBES,
    SIGNATURES,
    Probe,
    code_of_probe,
    find_probe,
    replay,
)
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

KEEP_GOING = Rules(on_mine="continue")
SETUPS = [
    Setup(Topology(6, 7), 8),
    Setup(Topology(6, 7), 8, Rules(start="any", on_mine="continue", given_safe=3)),
    Setup(Topology(6, 7), 5, KEEP_GOING, Channel.lost(0.4)),
    Setup(Topology(6, 7), 5, KEEP_GOING, Channel.optimistic()),
]

UNSTEADY = {"reason", "clue_seconds", "bytes", "most_bytes"}
"""What may change without another game: wording, time, and how memory is written down."""

NOTHING = Probe({}, lambda game, record: {})


class Scripted(Agent):
    """Opens the cells of a list, then gives up."""

    name = "scripted"
    told = Told(total=True)

    def __init__(self, *cells: Cell) -> None:
        self._cells = cells
        super().__init__()

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._left = list(self._cells)

    def decide(self, observation: Observation) -> Decision | None:
        return Decision((Action("open", self._left.pop(0)),)) if self._left else None


@pytest.mark.parametrize("name", ["exact", "exact:naive", "border", "weights", "noisy-or"])
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_replay_shows_what_the_agent_saw(name: str, setup: Setup) -> None:
    for seed in range(3):
        steps: list[Turn] = []
        record = play(Game.laid(setup, seed), agents.get(name), seed=seed, watch=steps.append)
        again = list(replay(Game.laid(setup, seed), record))
        assert [moves for _, moves in again] == [step.moves for step in steps]
        for (seen, _), step in zip(again, steps, strict=True):
            # Nobody saw what was before the first cell by rule.
            assert step.before is None or seen == step.before


@pytest.mark.parametrize("name", PROBES)
@pytest.mark.parametrize("agent", ["exact", "basic"])
def test_a_probe_is_pure(name: str, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "EVALUATIONS", 40)
    games = [Game.laid(setup, seed) for setup in SETUPS for seed in range(3)]
    player, seeds = agents.get(agent), [game.seed for game in games]
    records = [
        play(game, player, seed=game.seed)
        for game in [Game.laid(setup, seed) for setup in SETUPS for seed in range(3)]
    ]
    first = PROBES[name].frame(games, records)
    assert not any(game.begun for game in games)
    assert first.equals(PROBES[name].frame(games, records))
    assert dict(first.schema) == PROBES[name].schema
    native = play_many(
        [Game.laid(setup, seed) for setup in SETUPS for seed in range(3)],
        player,
        seeds=seeds,
        moves=True,
    )
    # The time of an agent depends on who plays.
    timed = [column for column in first.columns if column.endswith("seconds")]
    assert first.drop(timed).equals(PROBES[name].frame(games, native).drop(timed))


def test_boards_are_measured_from_the_cell_that_the_agent_chose() -> None:
    for seed in range(6):
        game = Game.laid(Setup(Topology(8, 8), 10, Rules(start="any")), seed)
        record = play(game, agents.get("random"), seed=seed)
        first = record.moves[0].cell
        measured = find_probe("board").measure(game, record)
        found = None if game.board.layout[first] else difficulty(game.board, first).technique
        assert measured["technique"] == (None if found is None else str(found))
        assert measured["bbbv"] == measure(game.board).bbbv


def test_guesses_have_a_risk_and_an_outcome() -> None:
    for seed in range(10):
        game = Game.laid(Setup(Topology(8, 8), 16, KEEP_GOING), seed)
        record = play(game, agents.get("exact"), seed=seed)
        measured = find_probe("guesses").measure(game, record)
        assert len(measured["risks"]) == len(measured["exploded"]) == record.guesses
        assert sum(measured["exploded"]) == record.hits
        assert measured["sure"] >= 1
        assert measured["sure_exploded"] == 0


def test_what_a_wrong_model_is_sure_of_explodes() -> None:
    setup = Setup(Topology(8, 8), 8, KEEP_GOING, Channel.optimistic())
    record = play(Game.laid(setup, 1), agents.get("exact:naive"), seed=1)
    measured = find_probe("guesses").measure(Game.laid(setup, 1), record)
    assert measured["sure_exploded"] + sum(measured["exploded"]) == record.hits
    assert measured["sure_exploded"] > 0


def test_guesses_without_a_stated_risk_are_left_out() -> None:
    record = play(Game.laid(Setup(Topology(8, 8), 16), 0), agents.get("random"), seed=0)
    assert record.guesses > 0
    measured = find_probe("guesses").measure(Game.laid(Setup(Topology(8, 8), 16), 0), record)
    assert measured["risks"] == measured["exploded"] == []


def test_effort_is_that_of_every_position() -> None:
    setup = Setup(Topology(8, 8), 16, Rules(start="zero", on_mine="continue"))
    records = [play(Game.laid(setup, seed), agents.get("exact"), seed=seed) for seed in range(20)]
    frame = PROBES["effort"].frame([Game.laid(setup, seed) for seed in range(20)], records)
    assert frame["posteriors"].to_list() == [record.steps for record in records]
    assert (frame["width"] <= frame["component"]).all()
    assert (frame["work"] > 0).any()
    expected = [record.won and not record.guesses for record in records]
    assert frame["unguessed"].to_list() == expected
    assert set(expected) == {True, False}


def disputes(game: Game, *cells: Cell) -> tuple[list[str | None], dict[str, Any]]:
    """Return what is disputed of every move, and the whole row."""
    record = play(game, Scripted(*cells))
    begun_anew = Game.on(game.board, game.rules, first=game.first)
    [row] = PROBES["moves"].frame([begun_anew], [record]).to_dicts()
    return [move["dispute"] for move in row["moves"]], row


def test_what_is_safe_and_what_is_a_mine_for_sure() -> None:
    rules = Rules(on_mine="continue", cascade=False)
    # The first cell is a 0, so its neighbours are safe.
    game = Game.on(Board.from_text("....*.*"), rules, first=(0, 1))
    said, row = disputes(game, (0, 4), (0, 0), (0, 2), (0, 3), (0, 5), (0, 6))
    safe, mine = "a cell was certainly safe", "the mine was certain"
    assert said == [None, safe, None, None, None, None, mine]
    assert (row["disputable"], row["missed_safe"], row["disputed_hits"]) == (2, 1, 2)


@pytest.mark.parametrize(
    ("beyond", "dispute"),
    # One of two cells beside a 1, a risk of a half, against all the mines beyond.
    [("*....", "a cell was less risky"), ("*" * 9 + "." * 11, None), ("**..", None)],
)
def test_a_much_lower_risk(beyond: str, dispute: str | None) -> None:
    game = Game.on(Board.from_text("*.." + beyond), Rules(cascade=False), first=(0, 1))
    said, row = disputes(game, (0, 2))
    assert said == [None, dispute]
    assert (row["disputable"], row["missed_safe"]) == (int(dispute is not None), 0)


def test_an_agent_is_judged_by_what_it_was_told() -> None:
    game = Game.on(Board.from_text("..*"), Rules(start="any", on_mine="continue"))
    _, row = disputes(game, (0, 1))
    [move] = row["moves"]
    assert move["exact_risk"] == pytest.approx(1 / 3)
    record = play(Game.on(game.board, game.rules), agents.get("random"), seed=1)
    untold = find_probe("moves").measure(Game.on(game.board, game.rules), record)
    assert untold["moves"][0]["exact_risk"] == pytest.approx(1 / 2)


def test_a_first_cell_by_rule_is_nobodys_decision() -> None:
    game = Game.on(Board.from_text("*..."), Rules(start="any"), first=(0, 0))
    said, _ = disputes(game)
    assert said == [None]


def test_a_position_without_layouts_is_not_judged() -> None:
    setup = SETUPS[3]
    record = play(Game.laid(setup, 1), agents.get("basic"), seed=1)
    moves = find_probe("moves").measure(Game.laid(setup, 1), record)["moves"]
    assert len(moves) == record.actions
    assert any(move.get("exact_risk") is None for move in moves if move["kind"] == "open")


def measured(probe: Probe) -> Iterator[str]:
    """Return what a probe measures on fixed games, one text per game."""
    for setup in (
        Setup(Topology(6, 6), 6, Rules("zero")),
        Setup(Topology(6, 7), 12, Rules("any", "continue", given_safe=3)),
        Setup(Topology(5, 5), 4, Rules("safe", "continue"), Channel.lost(0.4)),
        Setup(Topology(5, 5), 4, Rules("safe", "continue"), Channel.optimistic()),
    ):
        for agent in ("exact", "exact:untold", "basic"):
            for seed in range(3):
                record = play(Game.laid(setup, seed), agents.get(agent), seed=seed)
                values = json.loads(
                    json.dumps(probe.measure(Game.laid(setup, seed), record)),
                    parse_float=lambda text: f"{float(text):.9f}",
                    object_hook=lambda found: {k: found[k] for k in found if k not in UNSTEADY},
                )
                yield json.dumps(values, sort_keys=True)


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_measures_what_its_signature_says(name: str) -> None:
    assert digest(measured(PROBES[name])) == SIGNATURES[name].partition(".")[0]
    assert code_of_probe(name) == SIGNATURES[name]


def test_a_probe_of_others_is_known_by_its_source() -> None:
    assert code_of_probe("small_study:FAIL") == code_of_probe("small_study:DIE")
    assert code_of_probe("small_study:FAIL").startswith("small_study@")


def test_a_position_is_inferred_once(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup(Topology(8, 8), 12)
    record = play(Game.laid(setup, 1), agents.get("exact"), seed=1)
    asked: list[Observation] = []
    infer = Solver.infer

    def count(self: Solver, observation: Observation) -> Posterior:
        asked.append(observation)
        return infer(self, observation)

    monkeypatch.setattr(Solver, "infer", count)
    find_probe("chains").measure(Game.laid(setup, 1), record)
    assert len(asked) == len(set(asked)) == record.steps + 1


def test_probes_of_others_are_found_by_module() -> None:
    assert find_probe(f"{__name__}:NOTHING") is NOTHING
    with pytest.raises(ValueError, match="probe 'no such': must be guesses, effort, moves, "):
        find_probe("no such")
    with pytest.raises(ValueError, match="No module named 'nowhere'"):
        find_probe("nowhere:probe")
    with pytest.raises(ValueError, match="has no attribute 'nothing'"):
        find_probe("mineproof.lab.probes:nothing")
    with pytest.raises(TypeError, match="is no Probe"):
        find_probe("mineproof.lab.probes:replay")


def test_a_probe_that_forgets_a_column_leaves_it_empty() -> None:
    probe = Probe({"one": pl.Int64, "other": pl.Int64}, lambda game, record: {"one": 1})
    setup = Setup(Topology(3, 3), 1)
    frame = probe.frame([Game.laid(setup, 0)], [play(Game.laid(setup, 0), agents.get("exact"))])
    assert frame.rows() == [(1, None)]
