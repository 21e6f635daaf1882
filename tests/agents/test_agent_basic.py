from many_games import check_games, keep_going

from mineproof import Observation, agents


def decide(text: str, name: str = "basic") -> tuple[str, list[tuple[int, int]], str]:
    decision = agents.get(name).decide(Observation.from_text(text))
    assert decision is not None
    (kind,) = {action.kind for action in decision.actions}
    return kind, [action.cell for action in decision.actions], decision.reason


def test_a_clue_that_needs_every_closed_neighbour_flags_them() -> None:
    kind, cells, reason = decide("2.\n*1\n1.")
    assert (kind, cells) == ("flag", [(0, 1)])
    assert reason == "the 2 at (0, 0) needs all its closed neighbours to be mines"


def test_a_clue_that_is_met_opens_the_others() -> None:
    kind, cells, reason = decide("F..\n.1.\n...")
    assert (kind, len(cells)) == ("open", 7)
    assert reason == "the 1 at (1, 1) has all its mines"


def test_exploded_mines_and_lost_clues_are_known() -> None:
    assert decide("*1.")[:2] == ("open", [(0, 2)])
    assert decide("?1.")[:2] == ("flag", [(0, 2)])


def test_told_safe_cells_come_first() -> None:
    assert decide("F1.\n..s")[1:] == ([(1, 2)], "known to be safe from the start")


def test_two_clues_are_never_read_together() -> None:
    """A 1 beside a 2: the last cell is a mine, as one look at both of them shows."""
    agent = agents.get("basic")
    decision = agent.decide(Observation.from_text("?12?\n...."))
    assert decision is not None
    assert decision.reason == "no single clue settles a cell"
    assert not decision.actions[0].certain
    assert agent.beliefs().sentences == (
        "the 1 at (0, 1) needs 1 more mine among 3 closed neighbours",
        "the 2 at (0, 2) needs 2 more mines among 3 closed neighbours",
    )


def test_eight_neighbours_silence_the_second_rule_at_edges() -> None:
    assert decide("F1.\n...")[0] == "open"
    assert decide("F1.\n...", "basic:eight")[2] == "no single clue settles a cell"
    assert decide("F..\n.1.\n...", "basic:eight")[0] == "open"


def test_eight_neighbours_make_three_missing_mines_look_met() -> None:
    decision = agents.get("basic:eight").decide(Observation.from_text(".3.\n..."))
    assert decision is not None
    assert len(decision.actions) == 5
    assert not any(action.certain for action in decision.actions)
    assert decision.reason == "the 3 at (0, 1) has all its mines, if it had 8 neighbours"


def test_a_clue_that_cannot_be_met_says_nothing() -> None:
    agent = agents.get("basic")
    decision = agent.decide(Observation.from_text("F1F\n..."))
    assert decision is not None
    assert decision.reason == "no single clue settles a cell"
    assert agent.beliefs().sentences == ("the 1 at (0, 1) has too many mines around it",)


def test_where_all_is_flagged_a_flag_is_taken_back() -> None:
    decision = agents.get("basic").decide(Observation.from_text("1F"))
    assert decision is not None
    assert [action.kind for action in decision.actions] == ["unflag", "open"]
    assert decision.reason == "no single clue settles a cell: a flag must be wrong"


def test_games_end_and_claims_hold() -> None:
    check_games("basic")
    check_games("basic:eight")


def test_eight_costs_mines() -> None:
    true, eight = (
        sum(record.score for record in keep_going(name, 20)) for name in ("basic", "basic:eight")
    )
    assert eight < true
