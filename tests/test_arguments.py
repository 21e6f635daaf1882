"""Wrong arguments raise one short message that names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mineproof import (
    Action,
    Board,
    Budget,
    Channel,
    Decision,
    Game,
    Observation,
    Prior,
    Rules,
    Setup,
    Solver,
    Topology,
    Transcript,
    _core,
    agents,
    infer,
    play,
)
from mineproof.agents.random import RandomAgent
from mineproof.position import mines_at
from mineproof.random import Random

SEEN = Observation.from_text("3x1x1\n.1.")
BOARD = Board.from_cells(2, 2, [(1, 1)])


CALLS: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
    "rows": (lambda rows: Topology(rows, 2), [1.5, "3", None, 0, -1, 2**70]),
    "cols": (lambda cols: Topology(2, cols), [1.5, "3", None, 0]),
    "topology by name": (lambda kind: Topology(2, 2, kind), ["sphere", 3]),
    "cell": (Topology(3, 3).index, [5, "12", (1,), (1, 2, 3), (0.5, 1), None, {}]),
    "place": (Topology(3, 3).cell, [9, -1, "a", 1.0]),
    "seed": (Random, [-1, 1.5, "a", 2**64, None]),
    "bound": (Random(1).below, ["a", 0, -1, 2.5, 2**70]),
    "total": (Prior.total, [1.5, -1, "9", None, 2**63]),
    "density": (Prior.density, [2, "half", None, float("nan"), np.ones((9, 9))]),
    "p": (Channel.lost, [2, "half", None]),
    "name": (lambda name: Channel.table(Channel.exact().weights, name), [5]),
    "weights": (Channel.table, ["x", {}]),
    "channel": (Channel.parse, [5, None, "loud"]),
    "neighbours": (lambda n: Channel.exact().likelihood(0, 0, n), [9, "a"]),
    "true": (lambda true: Channel.exact().likelihood(0, true, 5), [6, "a"]),
    "seen": (lambda seen: Channel.exact().likelihood(seen, 0, 5), [-1, "a"]),
    "topology": (lambda topology: Board(topology, BOARD.layout), [(2, 2), None]),
    "mines": (lambda mines: Board.random(Setup(Topology(3, 3), mines), seed=1), [1.5, "a", -1]),
    "density of a board": (
        lambda p: Board.random(Setup(Topology(3, 3), mines_at(p, 9)), seed=1),
        ["a", 2],
    ),
    "seed of a board": (lambda seed: Board.random(Setup(Topology(3, 3), 1), seed=seed), [1.5, "a"]),
    "cells of a density": (lambda cells: mines_at(0.2, cells), ["a", 1.5]),
    "rules of a setup": (lambda rules: Setup.level("easy", rules=rules), [0, "zero"]),
    "channel of a setup": (lambda told: Setup.level("easy", channel=told), [0, "exact"]),
    "kind of a move": (lambda kind: Game.on(BOARD).make(kind, (0, 0)), ["jump", 3, []]),
    "outcome": (lambda end: Transcript.of(Game.on(BOARD), outcome=end), ["over", 3]),
    "start": (
        lambda start: Board.random(Setup(Topology(3, 3), 1, Rules(start)), seed=1),
        [3, "lucky", []],
    ),
    "cells": (lambda cells: Board.from_cells(2, 2, cells), [5, None]),
    "cell of a board": (lambda cell: Board.from_cells(2, 2, [cell]), [3, "aa"]),
    "text of a board": (Board.from_text, [5, b"..", None]),
    "text": (Observation.from_text, [5, b"..", None]),
    "mines told": (lambda mines: Observation.from_text("..", mines=mines), [1.5, "a", -1]),
    "channel told": (lambda told: Observation(SEEN.topology, SEEN.cells, 1, told), ["exact"]),
    "topology of cells": (lambda topology: Observation(topology, SEEN.cells), [(1, 3)]),
    "cell of an observation": (SEEN.code, [5, "12"]),
    "observation": (infer, ["text", None, np.zeros((100, 100))]),
    "observation of a solver": (Solver().infer, ["text"]),
    "prior": (lambda prior: infer(SEEN, prior), [0.2, "density"]),
    "prior of a solver": (Solver, [0.2]),
    "channel of inference": (lambda channel: infer(SEEN, channel=channel), ["exact"]),
    "flags": (lambda flags: infer(SEEN, flags=flags), [True, "maybe"]),
    "budget": (lambda budget: infer(SEEN, budget=budget), [1000, None]),
    "require_exact": (lambda exact: infer(SEEN, require_exact=exact), ["yes", 1]),
    "nodes": (lambda nodes: Budget(nodes=nodes), [1e6, -1, "a"]),
    "bytes": (lambda size: Budget(bytes=size), [1e6, -1, 2**63]),
    "count": (lambda count: infer(SEEN).sample(count, seed=1), [1.5, "a", -1]),
    "seed of a sample": (lambda seed: infer(SEEN).sample(1, seed), [1.5, "a"]),
    "cell of chances": (infer(SEEN).clue_chances, [1, "ab"]),
    "start of rules": (lambda start: Rules(start=start), ["lucky", 5, None]),
    "on_mine": (lambda on_mine: Rules(on_mine=on_mine), ["cry", 5]),
    "cascade": (lambda cascade: Rules(cascade=cascade), ["x", 1]),
    "given_safe": (lambda given: Rules(given_safe=given), [-1, 1.5, "a"]),
    "setup": (Game, ["board", None, Topology(2, 2)]),
    "board": (Game.on, ["board", None, Topology(2, 2)]),
    "rules": (lambda rules: Game.on(BOARD, rules), ["safe", None]),
    "rules of a random game": (
        lambda rules: Game(Setup(Topology(3, 3), 1, rules), seed=1),
        ["safe"],
    ),
    "rules of a level": (lambda rules: Game.level("easy", seed=1, rules=rules), ["safe"]),
    "level": (lambda level: Game.level(level, seed=1), [5, "fiendish", None]),
    "channel of a game": (lambda channel: Game.on(BOARD, channel=channel), ["exact", 5]),
    "seed of a game": (lambda seed: Game.on(BOARD, seed=seed), [1.5, -1, "a"]),
    "cell first": (lambda first: Game.on(BOARD, first=first), [5, "ab"]),
    "cell to open": (Game.on(BOARD).open, [5, "ab", (0.0, 1.0)]),
    "channel to be told": (lambda told: Game.on(BOARD).observe(channel=told), [Channel.exact()]),
    "kind of an action": (lambda kind: Action(kind, (0, 0)), ["kick", 5]),
    "cell of an action": (lambda cell: Action("open", cell), [5, "ab"]),
    "certain": (lambda certain: Action("open", (0, 0), certain), ["yes"]),
    "risk": (lambda risk: Action("open", (0, 0), risk=risk), [2, "low"]),
    "actions": (Decision, [Action("open", (0, 0)), 5]),
    "action": (lambda action: Decision((action,)), ["open"]),
    "agent by name": (agents.get, ["lucky", 5, []]),
    "game": (lambda game: play(game, agents.get("exact")), [BOARD, None]),
    "agent": (lambda agent: play(Game.on(BOARD), agent), ["exact", None, RandomAgent]),
    "seed of random": (
        lambda seed: play(Game.on(BOARD), agents.get("random"), seed=seed),
        [-1, "a"],
    ),
    "seed of exact": (lambda seed: play(Game.on(BOARD), agents.get("exact"), seed=seed), [-1, "a"]),
}


@pytest.mark.parametrize(
    ("place", "value"),
    [(place, value) for place, (_, values) in CALLS.items() for value in values],
    ids=lambda item: item if isinstance(item, str) else type(item).__name__,
)
def test_a_wrong_argument_is_named_in_one_sentence(place: str, value: Any) -> None:
    call, _ = CALLS[place]
    with pytest.raises((TypeError, ValueError)) as caught:
        call(value)
    message = str(caught.value)
    assert message.startswith(place.split()[0] + " ")
    assert ": must be " in message
    assert "\n" not in message
    assert len(message) < 200


def test_an_agents_name_is_not_yet_an_agent() -> None:
    with pytest.raises(TypeError) as caught:
        play(Game.on(BOARD), "exact")  # type: ignore[arg-type]
    assert str(caught.value) == ("agent 'exact': must be an Agent, such as agents.get('exact')")


@pytest.mark.parametrize(
    "huge", [10**400, -(10**400), 10**5000], ids=["long", "negative", "longer"]
)
def test_huge_numbers_are_refused_in_a_short_sentence(huge: int) -> None:
    seen = Observation.from_text("3x1x1\n.1.")
    calls: list[Callable[[], object]] = [
        lambda: Topology(huge, 3),
        lambda: Topology(3, 3).index((huge, 0)),
        lambda: Game(Setup(Topology(9, 9), huge), seed=1),
        lambda: Game(Setup(Topology(9, 9), 10), seed=huge),
        lambda: Game(Setup(Topology(9, 9), mines_at(huge, 81)), seed=1),
        lambda: Budget(nodes=huge),
        lambda: infer(seen).sample(huge, 1),
        lambda: infer(seen).clue_chances((huge, 0)),
        lambda: Prior.density(huge),
        lambda: Channel.lost(huge),
        lambda: Observation(Topology(1, 3), seen.cells, mines=huge),
        lambda: _core.Topology.rectangle(huge, 1),
        lambda: _core.Random(1).below(huge),
        lambda: Channel.parse("lost:" + "9" * 5000),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^((?!Exceeds the limit).)*$") as refused:
            call()
        assert len(str(refused.value)) < 200
