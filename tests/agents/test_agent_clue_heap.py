import pytest
from many_games import check_games, keep_going

from mineproof import Cell, Decision, Observation, agents, infer
from mineproof.agents import clue_heap
from mineproof.position.rules import Kind

ONE_TWO = "?12?\n...."


def decide(text: str, name: str = "clue-heap", mines: int | None = None) -> Decision:
    decision = agents.get(name).decide(Observation.from_text(text, mines=mines))
    assert decision is not None
    return decision


def actions(decision: Decision) -> list[tuple[Kind, Cell]]:
    return [(action.kind, action.cell) for action in decision.actions]


def test_the_smallest_clue_is_solved_first() -> None:
    decision = decide("2..1\n*..*\n....")
    assert decision.reason == "the 1 at (0, 3) has all its mines"


def test_solved_clues_put_those_around_them_back_on_the_heap() -> None:
    """The 2 has to wait, until the 1 beside it finds one of its mines."""
    agent = agents.get("clue-heap:nobacktrack")
    agent.decide(Observation.from_text("?2..\n?...\n1..."))
    assert agent.beliefs().sentences == (
        "the 1 at (2, 0) is waiting",
        "the 2 at (0, 1) is waiting",
    )
    agent.decide(Observation.from_text("?2..\n?.*.\n1..."))
    assert agent.beliefs().sentences == (
        "the 1 at (2, 0) is waiting",
        "the 2 at (0, 1) is waiting",
    )
    decision = agent.decide(Observation.from_text("?2*.\n?.*.\n1..."))
    assert decision is not None
    assert decision.reason == "the 2 at (0, 1) has all its mines"
    assert agent.beliefs().sentences == (
        "the 2 at (0, 1) is on the heap",
        "the 1 at (2, 0) is waiting",
    )


def test_the_same_question_has_the_same_answer() -> None:
    agent = agents.get("clue-heap")
    seen = Observation.from_text("1F.\n...")
    assert agent.decide(seen) == agent.decide(seen)


def test_stuck_clues_are_read_together() -> None:
    decision = decide(ONE_TWO)
    assert actions(decision) == [("flag", (1, 3)), ("open", (1, 0))]
    assert all(action.certain for action in decision.actions)


def test_no_more_clues_are_joined_than_it_takes() -> None:
    decision = decide("?12?....2\n.........")
    assert decision.reason == ("common to the 2 ways to meet the 1 at (0, 1) and the 2 at (0, 2)")


def test_without_backtracking_it_guesses() -> None:
    decision = decide(ONE_TWO, "clue-heap:nobacktrack")
    assert decision.reason == "no clue can be solved"
    assert not decision.actions[0].certain


def test_a_list_that_grows_too_long_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clue_heap, "MAX_WAYS", 2)
    assert decide(ONE_TWO).reason == "no clue can be solved"


def test_how_likely_a_mine_is_is_never_asked() -> None:
    """Of the three ways, two have a mine at one cell each; it may open any of the four."""
    opened = set()
    for seed in range(20):
        agent = agents.get("clue-heap")
        agent.begin(seed)
        decision = agent.decide(Observation.from_text("1.1\n..."))
        assert decision is not None
        opened.add(decision.actions[0].cell)
    assert opened == {(0, 1), (1, 0), (1, 1), (1, 2)}


def test_the_total_ends_the_search() -> None:
    assert decide("F..\n...", mines=1).reason == "all mines are found, by the mine total"
    assert decide("*..\n...", mines=6).reason == "only mines are left, by the mine total"
    assert not decide("F..\n...").actions[0].certain


@pytest.mark.parametrize("mines", [1, 2])
def test_the_total_strikes_out_possibilities(mines: int) -> None:
    text = "1.1\n..."
    assert not decide(text).actions[0].certain
    decision = decide(text, mines=mines)
    posterior = infer(Observation.from_text(text, mines=mines))
    for action in decision.actions:
        assert action.certain
        assert action.cell in (posterior.safe if action.kind == "open" else posterior.mined)


def test_mines_that_are_all_beside_a_clue_free_the_cells_beyond() -> None:
    decision = decide("1..\n...", mines=1)
    assert actions(decision) == [("open", (0, 2)), ("open", (1, 2))]
    assert decision.reason.endswith("the 1 at (0, 0) with 1 mine left")


def test_clues_that_clash_are_left_out() -> None:
    assert decide(".2.\n.1.\n...").reason == "no clue can be solved"
    beyond = [("open", (row, 3)) for row in range(3)]
    assert actions(decide(".2..\n.1..\n....", mines=1)) == beyond
    assert not decide("F1F\n...", mines=1).actions[0].certain


def test_backtracking_saves_hits() -> None:
    without, given = (
        sum(record.hits for record in keep_going(name, 8))
        for name in ("clue-heap:nobacktrack", "clue-heap")
    )
    assert given < without


def test_games_end_and_claims_hold() -> None:
    for name in ("clue-heap", "clue-heap:total", "clue-heap:nobacktrack"):
        check_games(name)
