from itertools import product

import pytest
from many_games import check_games, keep_going

from mineproof import (
    Action,
    Agent,
    Channel,
    Decision,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    agents,
    play,
)
from mineproof.agents import border
from mineproof.agents.assignments import Exhausted, Limit, assignments, border_cells, clue_by_clue
from mineproof.agents.clues import clues


def seen(text: str, mines: int | None = None, channel: str = "exact") -> Observation:
    return Observation.from_text(text, mines=mines, channel=Channel.parse(channel))


def decide(agent: Agent, observation: Observation) -> Decision:
    decision = agent.decide(observation)
    assert decision is not None
    return decision


def shares(text: str, name: str = "border", channel: str = "exact") -> dict[tuple[int, int], float]:
    agent = agents.get(name)
    agent.decide(seen(text, channel=channel))
    return dict(agent.beliefs().numbers)


def test_what_all_assignments_agree_on_is_done_at_once() -> None:
    decision = decide(agents.get("border"), seen("?12?\n...."))
    assert decision.actions == (
        Action("flag", (1, 3), certain=True, risk=1.0),
        Action("open", (1, 0), certain=True, risk=0.0),
    )
    assert decision.reason == "all assignments of the border agree"


def test_the_lowest_share_is_opened() -> None:
    decision = decide(agents.get("border"), seen("1....\n....."))
    assert decision.actions == (Action("open", (0, 1), risk=1 / 3),)
    assert decision.reason == "the lowest share of assignments with a mine, 0.333"


def test_every_assignment_weighs_the_same() -> None:
    """Its weakness: a layout of one mine counts no more than each of four with two."""
    text = "?1.1?\n?...?\n?????"
    numbers = shares(text)
    assert numbers[1, 1] == pytest.approx(numbers[1, 3])
    every = [
        mines
        for mines in product((0, 1), repeat=4)
        if mines[0] + mines[1] + mines[2] == 1 == mines[0] + mines[2] + mines[3]
    ]
    assert numbers[0, 2] == sum(mines[0] for mines in every) / len(every)


def test_told_the_total_it_may_prefer_a_cell_beyond() -> None:
    text = "2..\n...\n..."
    untold = decide(agents.get("border"), seen(text))
    assert untold.actions[0].cell == (0, 1)
    told = decide(agents.get("border:total"), seen(text, mines=2))
    assert told.actions[0].cell not in {(0, 1), (1, 0), (1, 1)}
    assert told.actions[0].risk == 2 / 8
    assert told.reason == "beyond the border the risk is only 0.25"
    crowded = decide(agents.get("border:total"), seen(text, mines=7))
    assert crowded.actions[0].cell == (0, 1)


def test_the_total_proves_nothing() -> None:
    """The report only compares risks: it does not conclude that none or all are mines."""
    none = decide(agents.get("border:total"), seen("*..", mines=1))
    assert [(action.kind, action.certain, action.risk) for action in none.actions] == [
        ("open", False, 0.0)
    ]
    every = decide(agents.get("border:total"), seen("?..", mines=2))
    assert [action.kind for action in every.actions] == ["open"]


def test_without_a_border_any_cell_will_do() -> None:
    assert decide(agents.get("border"), seen("?..")).reason == "nothing is known about any cell"


def test_lost_clues_are_dropped() -> None:
    assert shares("?1.\n?..", channel="lost:0.5") == shares("?1.\n?..")


def test_optimistic_clues_are_the_least_there_can_be() -> None:
    assert shares("1..", channel="optimistic") == {(0, 1): 1.0}
    numbers = shares("0.\n..", channel="optimistic")
    assert numbers == dict.fromkeys([(0, 1), (1, 0), (1, 1)], 0.5)
    assert shares("1.\n..", channel="optimistic")[0, 1] == pytest.approx(4 / 7)


def test_cautious_clues_are_taken_at_face_value() -> None:
    assert shares("1.\n..", channel="cautious") == shares("1.\n..")


def test_what_cannot_be_is_ignored() -> None:
    assert shares("?2.\n???") == {}
    assert shares("?1.\n?2.") == {}


def test_nosplit_gives_the_same_shares() -> None:
    text = "1...1\n.....\n1...1"
    assert shares(text, "border:nosplit") == shares(text)
    one, two = keep_going("border", 3), keep_going("border:nosplit", 3)
    assert [record.score for record in one] == [record.score for record in two]


def test_past_its_steps_the_core_counts_the_same_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    clash_beside_border = "1...?1.1?\n....??...\nF1F??????"
    for text in ("?12?\n....", "1..1\n....\nF2.*", clash_beside_border, "?1.\n?2."):
        for name in ("border", "border:nosplit"):
            visited = shares(text, name)
            with monkeypatch.context() as patch:
                patch.setattr(border, "STEPS", 0)
                assert shares(text, name) == pytest.approx(visited)


def optimistic_shares(observation: Observation) -> dict[tuple[int, int], float]:
    """Visit all assignments in which every clue has at least its number of mines."""
    known = clues(observation)
    cells = sorted({cell for clue in known for cell in clue.unknown})
    valid = [
        mines
        for mines in product((0, 1), repeat=len(cells))
        if all(
            sum(mine for cell, mine in zip(cells, mines, strict=True) if cell in clue.unknown)
            >= clue.left
            for clue in known
            if clue.left <= len(clue.unknown)
        )
    ]
    totals = [sum(mines[place] for mines in valid) for place in range(len(cells))]
    return {cell: total / len(valid) for cell, total in zip(cells, totals, strict=True)}


def test_optimistic_clues_are_counted_jointly() -> None:
    rules, optimistic = Rules("any", "continue"), Channel.optimistic()
    for seed in range(25):
        game = Game(Setup(Topology(4, 4), 6, rules, optimistic), seed=seed)
        for cell in [(0, 0), (1, 2), (3, 1), (3, 3)]:
            game.open(cell)
        for cell in game.observation.openable_cells()[: seed % 3]:
            game.flag(cell)
        agent = agents.get("border")
        agent.decide(game.observation)
        assert agent.beliefs().numbers == pytest.approx(optimistic_shares(game.observation))


def test_searches_agree_with_all_assignments() -> None:
    for seed in range(30):
        game = Game(Setup(Topology(4, 4), 4, Rules("any", "continue")), seed=seed)
        for cell in [(0, 0), (1, 2), (3, 3)]:
            if game.outcome is None and cell in game.observation.openable_cells():
                game.open(cell)
        limits = [Limit(c.unknown, c.left, c.left) for c in clues(game.observation)]
        cells = border_cells(limits)
        every = [
            [cell for cell, mine in zip(cells, mines, strict=True) if mine]
            for mines in product((1, 0), repeat=len(cells))
        ]
        valid = [
            mines
            for mines in every
            if all(limit.least == len({*limit.cells} & {*mines}) for limit in limits)
        ]
        if limits:
            assert list(assignments(limits, cells)) == valid
            order = clue_by_clue(limits)
            assert sorted(order) == cells
            assert sorted(map(sorted, assignments(limits, order))) == sorted(valid)


def test_a_search_has_a_bound() -> None:
    cells = [(0, column) for column in range(9)]
    with pytest.raises(Exhausted):
        list(assignments([Limit(tuple(cells), 0, 9)], cells, 100))


def test_what_is_not_touched_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agents.get("border")
    agent.decide(seen("1...1\n....."))
    monkeypatch.setattr(border, "_shares", None)
    assert agent.decide(seen("1...1\n.....")) is not None


def test_it_finds_more_than_counting() -> None:
    better, worse = (
        sum(record.score for record in keep_going(name, 8)) for name in ("border", "basic")
    )
    assert better > worse + 0.5


def test_wide_borders_of_optimistic_clues_are_no_trouble() -> None:
    rules = Rules("any", "continue")
    game = Game(Setup(Topology(7, 7), 9, rules, Channel.optimistic()), seed=1)
    assert play(game, agents.get("border")).outcome == "finished"


def test_games_end_and_claims_hold() -> None:
    check_games("border:total")
