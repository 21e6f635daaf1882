import pytest
from many_games import check_games, keep_going

from mineproof import Action, Decision, Observation, agents
from mineproof.agents.noisy_or import THRESHOLD


def decide(text: str) -> Decision:
    decision = agents.get("noisy-or").decide(Observation.from_text(text))
    assert decision is not None
    return decision


def chances(*texts: str) -> dict[tuple[int, int], float]:
    """What is believed after these observations, one after the other."""
    agent = agents.get("noisy-or")
    for text in texts:
        agent.decide(Observation.from_text(text))
    return dict(agent.beliefs().numbers)


def test_shares_join_as_independent_chances() -> None:
    believed = chances("1.\n..\n1.")
    assert believed[0, 1] == pytest.approx(1 / 3)
    assert believed[1, 0] == pytest.approx(1 - (1 - 1 / 3) ** 2)


def test_the_smallest_chance_is_opened() -> None:
    decision = decide("1..\n...")
    assert decision.actions == (Action("open", (0, 1), risk=round(1 / 3, 9)),)
    assert decision.reason == "the smallest chance of a mine is 0.333, by the 1 at (0, 0)"


def test_cells_that_no_clue_speaks_of_are_left_out() -> None:
    assert decide("1...\n....\n....").actions[0].cell == (0, 1)
    assert decide("...").reason == "no closed cell is next to a clue"


def test_at_most_one_flag_a_turn_and_always_an_opening() -> None:
    """Even where every chance is 1: one mine is flagged, the other stepped on."""
    flag, opening = decide("2.\n2.").actions
    assert (flag.kind, flag.cell, flag.risk) == ("flag", (0, 1), 1.0)
    assert (opening.kind, opening.cell, opening.risk) == ("open", (1, 1), 1.0)
    assert not flag.certain


def test_flags_start_at_the_threshold() -> None:
    at = "...\n4..\n..."
    assert chances(at)[0, 1] == pytest.approx(THRESHOLD)
    assert decide(at).actions[0].kind == "flag"
    below = "...\n3..\n..."
    assert [action.kind for action in decide(below).actions] == ["open"]


def test_the_name_gives_another_threshold() -> None:
    at = Observation.from_text("...\n4..\n...")
    kinds = {
        name: agents.get(name).decide(at).actions[0].kind  # type: ignore[union-attr]
        for name in ("noisy-or:0.8", "noisy-or:0.81", "noisy-or:0.5+total")
    }
    assert kinds == {"noisy-or:0.8": "flag", "noisy-or:0.81": "open", "noisy-or:0.5+total": "flag"}
    assert agents.get("noisy-or:total+0.50").name == "noisy-or:0.5+total"
    for bad in ("1.5", "nan", "-1", "0.5+0.6", "high"):
        with pytest.raises(ValueError, match=r"threshold|must be"):
            agents.get(f"noisy-or:{bad}")


def test_known_mines_are_never_subtracted() -> None:
    """The 1 is met by the mine beside it, and still holds a half against its other neighbour."""
    assert chances("*1.") == {(0, 2): 0.5}


def test_later_clues_make_no_cell_look_safer() -> None:
    first, then = ".1.\n...", "F1.\n..."
    assert chances(first, then)[0, 2] == chances(first)[0, 2]


def test_after_a_hit_the_next_cell_is_random() -> None:
    before, after = Observation.from_text("1.....\n......"), Observation.from_text("1.....\n.*....")
    opened = set()
    for seed in range(9):
        agent = agents.get("noisy-or")
        agent.begin(seed)
        agent.decide(before)
        decision = agent.decide(after)
        assert decision is not None
        assert decision.reason == "a random closed cell after a hit"
        opened.add(decision.actions[0].cell)
        again = agent.decide(after)
        assert again is not None
        assert again.actions[0].cell == (0, 1)
    assert len(opened) > 3


def test_the_neighbours_of_a_zero_are_opened() -> None:
    decision = decide("F0.\n...")
    assert [action.cell for action in decision.actions] == [(0, 2), (1, 0), (1, 1), (1, 2)]
    assert all(action.certain for action in decision.actions)
    assert decision.reason == "the 0 at (0, 1) has no mine around it"


def test_beliefs_are_about_closed_cells() -> None:
    assert (0, 1) in chances("1..\n...")
    assert (0, 1) not in chances("1..\n...", "10.\n...")


def test_flags_may_be_wrong() -> None:
    records = keep_going("noisy-or", 10)
    assert sum(record.wrong_flags for record in records) > 0
    assert sum(record.score for record in records) > 5


def test_games_end_and_claims_hold() -> None:
    check_games("noisy-or")
