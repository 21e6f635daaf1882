from many_games import check_games, keep_going

from mineproof import Decision, Observation, agents, infer
from mineproof.agents.clues import clues
from mineproof.agents.components import lay_mines


def decide(text: str, name: str = "components") -> Decision:
    decision = agents.get(name).decide(Observation.from_text(text))
    assert decision is not None
    return decision


def lay(text: str) -> dict[tuple[int, int], bool]:
    return lay_mines(clues(Observation.from_text(text)))


def test_forward_checking_comes_first() -> None:
    assert decide("1.\n11\n2.\n..").actions[0].kind == "flag"
    opening = decide("*1.\n...\n..2")
    assert [action.cell for action in opening.actions] == [(0, 2), (1, 0), (1, 1), (1, 2)]
    assert all(action.certain for action in opening.actions)


def test_mines_are_laid_from_the_largest_clue_on() -> None:
    """The 2 takes the first two of its cells, and the 1 is met by that."""
    assert lay("1..\n..2") == {(0, 1): True, (0, 2): True, (1, 0): False, (1, 1): False}


def test_the_first_picture_decides() -> None:
    agent = agents.get("components")
    decision = agent.decide(Observation.from_text("1..\n..2"))
    assert decision is not None
    assert [(action.kind, action.cell) for action in decision.actions] == [("open", (1, 0))]
    assert not decision.actions[0].certain
    assert decision.reason == "no mine was laid here to meet the 1 at (0, 0)"
    assert agent.beliefs().numbers == {(0, 1): 1, (0, 2): 1, (1, 0): 0, (1, 1): 0}


def test_the_largest_number_comes_first_whatever_is_left_of_it() -> None:
    """The 3 has two of its mines already, and comes before the 2."""
    assert next(iter(lay("**?..\n.3?2.\n??..."))) == (1, 0)


def test_nothing_is_revised() -> None:
    """A mine laid for the first 1 leaves no way to meet the last, and a mine is called free."""
    text = "...\n111"
    assert infer(Observation.from_text(text)).mined == ((0, 1),)
    assert lay(text) == {(0, 0): True, (0, 1): False, (0, 2): False}
    assert decide(text).actions[0].cell == (0, 1)


def test_a_component_that_cannot_be_met_is_passed_over() -> None:
    assert decide("F1F\n...").reason == "no clue leaves a cell free of mines"


def test_without_clues_a_random_cell_is_opened() -> None:
    assert decide("...").reason == "no clue leaves a cell free of mines"


def test_corners_come_before_laying_mines() -> None:
    openings = [decide(text, "components:corners") for text in ("...\n...", "1..\n...", "1.1\n...")]
    assert [opening.actions[0].cell for opening in openings] == [(0, 0), (0, 2), (1, 0)]
    assert openings[0].reason == "the corners come first"
    assert not openings[0].actions[0].certain
    assert decide("1.1\n...\nF.F", "components:corners").reason.startswith("no mine was laid")


def test_what_is_settled_comes_before_the_corners() -> None:
    assert decide("F1.\n...", "components:corners").actions[0].certain


def test_only_proved_mines_are_flagged() -> None:
    records = keep_going("components", 10)
    assert sum(record.wrong_flags for record in records) == 0
    assert sum(record.hits for record in records) > 0


def test_games_end_and_claims_hold() -> None:
    check_games("components")
    check_games("components:corners")
