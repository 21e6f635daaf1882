"""What the five reports print: their boards, positions, knowledge bases and moves.

R4's snapshots are pictures; its rules and examples in words are here.
"""

from __future__ import annotations

import numpy as np
import pytest

from mineproof import (
    Action,
    Board,
    Channel,
    Decision,
    Game,
    Observation,
    Rules,
    agents,
    infer,
    play,
)
from mineproof.agents.clues import clues
from mineproof.agents.components import lay_mines
from mineproof.agents.logic import KnowledgeBase, Sentence
from mineproof.position.cells import CellCode
from mineproof.position.topology import Cell

R0_CHART_1_1 = """
1*10012210
223111**21
1*2*11222*
1121100011
1100011100
*10001*100
2311022211
*3*101*11*
2*32011122
12*100001*
"""
"""A board with 15 mines. The report shows a 2 at (8, 2), which has three mines around it."""

R0_PLAYGROUND = "1**21\n234*1\n1*332\n12*2*\n01121"

R1_GRID = """
0000000
0001110
1111*10
2*11110
*210000
1100011
000001*
"""

R1_AFTER_FIRST_MOVE = """
0000000
0001110
1111.10
..11110
.210000
1100011
000001.
"""

R1_SECTION_3_4 = """
0000000
0001110
0001.10
0001221
00001..
00012..
0001...
"""

R2_STUCK = """
30x16x99
2F21FF2FFFF11FF20111000001F211
2F2123346F4113F312F101110113F2
111012F2FF300223F21213F20002F2
00001F223F3112F43201F3F2111111
1211122113F32F3FF10113221F2110
F4F201F102FF2122210002F3212F10
2FF3121102342100000002FF113431
2323F20002F3F2111100023312FFF2
F313F21123F32F11F10001F102F5F3
F4F2111F2F3211122200011112233F
..21123233F21001F11110001F12F3
..102FF21F5F2013321F10001112F3
.1113FF323FF201FF222212110012F
...........4202332F23F3F101121
...........F101F333..F32211F10
...........21012FF2..211F11110
"""
"""The report prints all rows but the first, which follows from the second."""


def decide(name: str, text: str, mines: int | None = None, channel: str = "exact") -> Decision:
    seen = Observation.from_text(text, mines=mines, channel=Channel.parse(channel))
    decision = agents.get(name).decide(seen)
    assert decision is not None
    return decision


def beliefs(
    name: str, text: str, mines: int | None = None, channel: str = "exact"
) -> dict[Cell, float]:
    agent = agents.get(name)
    agent.decide(Observation.from_text(text, mines=mines, channel=Channel.parse(channel)))
    return dict(agent.beliefs().numbers)


def moves(decision: Decision) -> list[tuple[str, Cell]]:
    return [(action.kind, action.cell) for action in decision.actions]


# R0: Zuo, Xu, Wang


def test_r0_chart_1_1_is_a_board_with_15_mines() -> None:
    assert Board.from_text(R0_CHART_1_1).mines == 15


def test_r0_playground_in_the_source_is_a_board() -> None:
    assert Board.from_text(R0_PLAYGROUND).mines == 6


def test_r0_chart_1_2_spreads_a_1_over_seven_cells() -> None:
    """Open are the zeros and the 1 at (3, 1), but not the other cells around the zeros."""
    seen = ["." * 10] * 3 + [".1........"] + ["..???....."] * 2 + ["....?....."] * 4
    around = [(2, 0), (2, 1), (2, 2), (3, 0), (3, 2), (4, 0), (4, 1)]
    assert beliefs("noisy-or", "\n".join(seen)) == dict.fromkeys(around, round(1 / 7, 9))
    assert round(1 / 7, 3) == 0.143


def test_r0_idea_1_combines_old_and_new_chances() -> None:
    """A chance of 1/7, then a 2 among 4 more: 1 - (1 - 1/7)(1 - 2/4)."""
    agent = agents.get("noisy-or")
    agent.decide(Observation.from_text("....\n.1..\n..?."))
    agent.decide(Observation.from_text("....\n.12.\n????"))
    assert agent.beliefs().numbers[0, 1] == pytest.approx(1 - 6 / 7 * 1 / 2)


def test_r0_idea_1_flags_from_the_threshold_of_its_source() -> None:
    position = "...\n4..\n..."
    assert moves(decide("noisy-or", position))[0] == ("flag", (0, 0))
    assert moves(decide("noisy-or:0.9", position))[0][0] == "open"


def test_r0_idea_2_a_3_among_eight() -> None:
    """A + B + ... + H = 3: the first three get the mines, the others none."""
    assert list(lay_mines(clues(Observation.from_text("...\n.3.\n...")))) == [
        *((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))
    ]
    laid = lay_mines(clues(Observation.from_text("...\n.3.\n...")))
    assert [cell for cell, mine in laid.items() if mine] == [(0, 0), (0, 1), (0, 2)]


def test_r0_idea_2_cases_a_and_b_leave_no_choice() -> None:
    around = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert moves(decide("components", "...\n.0.\n...")) == [("open", cell) for cell in around]
    assert moves(decide("components", "...\n?3?\n???")) == [("flag", cell) for cell in around[:3]]


def test_r0_idea_2_never_revises_a_choice() -> None:
    """The mine for the first 1 meets the second, so the third gets none."""
    assert lay_mines(clues(Observation.from_text("...\n111"))) == {
        (0, 0): True,
        (0, 1): False,
        (0, 2): False,
    }


def test_r0_idea_2_proposes_the_corners() -> None:
    openings = [decide("components:corners", text) for text in ("...\n...", "1..\n...")]
    assert [opening.actions[0].cell for opening in openings] == [(0, 0), (0, 2)]


def test_r0_idea_3_takes_the_smallest_clue_first() -> None:
    decision = decide("clue-heap", "?.2.?\n?????\n.1???")
    assert decision.reason.startswith("the 1 at (2, 1)")


# R1: Reddy, Singh


def test_r1_section_3_1_is_a_board_with_4_mines() -> None:
    board = Board.from_text(R1_GRID)
    assert board.mines == 49 // 10
    game = Game.on(board, Rules("any"))
    game.open((0, 1))
    assert game.observation.to_text() == f"7x7x4\n{R1_AFTER_FIRST_MOVE.strip()}"


def test_r1_section_3_3_knowledge_base() -> None:
    """The report shows 0.8333, 1.0333, 0.2 and zeros; the 1s have 2, 3 and 5 closed neighbours."""
    believed = beliefs("weights", "....\n111.\n???.\n????", mines=2)
    assert believed[0, 0] == pytest.approx(0.8333, abs=1e-4)
    assert believed[0, 1] == pytest.approx(1.0333, abs=1e-4)
    assert believed[0, 3] == pytest.approx(0.2)
    assert beliefs("weights", "...\n1?.\n???\n...", mines=1)[3, 0] == 0


def test_r1_section_3_2_plays_the_game_move_by_move() -> None:
    """Four flags, the heaviest first, then the cell that is left: won."""
    for name in ("weights", "weights:subtract"):
        game = Game.on(Board.from_text(R1_GRID), Rules("any"), first=(0, 1))
        record = play(game, agents.get(name))
        assert [(move.kind, move.cell) for move in record.moves] == [
            ("open", (0, 1)),
            ("flag", (2, 4)),
            ("flag", (3, 1)),
            ("flag", (6, 6)),
            ("flag", (4, 0)),
            ("open", (3, 0)),
        ]
        assert record.won


def test_r1_section_3_4_flags_where_the_report_does() -> None:
    flags = {("flag", cell) for cell in ((2, 4), (4, 5), (4, 6), (6, 4))}
    for name in ("weights", "weights:subtract"):
        assert flags < set(moves(decide(name, R1_SECTION_3_4, mines=4)))


def test_r1_section_3_4_weighs_both_cells_the_same_only_with_subtract() -> None:
    """The report disputes the flag at (4, 6): it calls (5, 5) as likely."""
    plain = beliefs("weights", R1_SECTION_3_4, mines=4)
    assert plain[4, 6] == pytest.approx(2 / 3 + 1 / 2)
    assert plain[5, 5] == pytest.approx(1)
    subtracted = beliefs("weights:subtract", R1_SECTION_3_4, mines=4)
    assert subtracted[4, 6] == pytest.approx(0, abs=1e-12)
    assert subtracted[5, 5] == pytest.approx(0, abs=1e-12)


def test_r1_section_5_2_keeps_away_from_unreliable_clues() -> None:
    assert moves(decide("weights", "1....", 1, "optimistic"))[-1] == ("open", (0, 2))


# R2: Chang


def sentences(text: str) -> tuple[str, ...]:
    agent = agents.get("logic")
    agent.decide(Observation.from_text(text))
    return agent.beliefs().sentences


def cells(letters: str) -> frozenset[Cell]:
    """The cells of the report's 3×3 figures, lettered around the middle."""
    around = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
    return frozenset(around["ABCDEFGH".index(letter)] for letter in letters)


def test_r2_section_2_2_reads_a_clue_as_one_sentence() -> None:
    assert sentences("...\n.1.\n...") == (str(Sentence(cells("ABCDEFGH"), 1)),)
    assert sentences("...\n...\n2..") == ("{(1, 0), (1, 1), (2, 1)} = 2",)


def test_r2_section_2_7_settles_a_0_and_a_full_clue() -> None:
    assert beliefs("logic", "...\n.0.\n...") == dict.fromkeys(sorted(cells("ABCDEFGH")), 0.0)
    assert beliefs("logic", "..3\n...\n...") == dict.fromkeys([(0, 1), (1, 1), (1, 2)], 1.0)


def test_r2_section_2_8_matches_a_part_with_its_whole() -> None:
    known = KnowledgeBase()
    known.learn([Sentence(cells("ABCDEFG"), 3), Sentence(cells("EG"), 1)])
    known.match()
    assert set(known.sentences) == {Sentence(cells("ABCDF"), 2), Sentence(cells("EG"), 1)}
    assert set(sentences("...\n.3.\n..1")) == set(map(str, known.sentences))


def test_r2_section_2_5_is_stuck_where_nothing_is_certain() -> None:
    """Neither its rules nor all clues and the mine total together settle another cell."""
    seen = Observation.from_text(R2_STUCK)
    assert agents.get("logic").decide(Observation(seen.topology, seen.cells)) is None
    assert agents.get("logic:total").decide(seen) is None
    posterior = infer(seen)
    flagged = map(tuple, np.argwhere(seen.cells == CellCode.FLAGGED.value).tolist())
    assert posterior.safe == ()
    assert posterior.mined == tuple(flagged)


# R3: Cao, Mao

R3_FIGURE = "1..\n1..\n..."


def test_r3_two_assignments_give_a_half_a_half_and_two_zeros() -> None:
    assert beliefs("border", R3_FIGURE) == {(0, 1): 0.5, (1, 1): 0.5, (2, 0): 0, (2, 1): 0}
    assert moves(decide("border", R3_FIGURE)) == [("open", (2, 0)), ("open", (2, 1))]


def test_r3_a_lone_1_gives_a_third_each() -> None:
    thirds = dict.fromkeys([(0, 1), (1, 0), (1, 1)], 1 / 3)
    assert beliefs("border", "1..\n...\n...") == pytest.approx(thirds)


def test_r3_a_lost_clue_is_a_lost_constraint() -> None:
    lost = beliefs("border", R3_FIGURE.replace("1", "?", 1), channel="lost:0.5")
    assert lost == dict.fromkeys([(0, 1), (1, 1), (2, 0), (2, 1)], 0.25)


def test_r3_an_underestimating_1_has_seven_assignments() -> None:
    """At least one mine among three cells: each is mined in 4 of 7."""
    optimistic = beliefs("border", "1..\n...\n...", channel="optimistic")
    assert optimistic == pytest.approx(dict.fromkeys([(0, 1), (1, 0), (1, 1)], 4 / 7))


def test_r3_borders_apart_are_searched_apart() -> None:
    position = "1....\n.....\n.....\n1....\n....."
    assert beliefs("border", position) == pytest.approx(beliefs("border:nosplit", position))
    assert len(beliefs("border", position)) == 3 + 5


def test_r3_told_the_total_compares_with_the_cells_beyond() -> None:
    """(2 mines - 0 found) / 24 closed cells is less than a third."""
    decision = decide("border:total", "1....\n.....\n.....\n.....\n.....", mines=2)
    assert decision.actions[0].cell not in {(0, 1), (1, 0), (1, 1)}
    assert decision.actions[0].risk == 2 / 24


# R4: Yang


def test_r4_basic_rule_1_marks_all_hidden_neighbours() -> None:
    """Clue - known mines = hidden neighbours."""
    marked = moves(decide("basic:eight", "*..\n?3?\n???"))
    assert marked == [("flag", (0, 1)), ("flag", (0, 2))]


def test_r4_basic_rule_2_counts_eight_neighbours_everywhere() -> None:
    """8 - clue - safe neighbours = hidden neighbours: right inside, wrong at the edge."""
    inside = "*..\n?1?\n???"
    assert moves(decide("basic:eight", inside)) == [("open", (0, 1)), ("open", (0, 2))]
    edge = "*1.\n???"
    assert decide("basic:eight", edge).reason == "no single clue settles a cell"
    assert decide("basic", edge).actions == (Action("open", (0, 2), certain=True, risk=0.0),)


def test_r4_section_9_a_4_among_five_is_a_risky_choice() -> None:
    """Four mines are projected, and the cell that is left is opened."""
    position = "...\n.4.\n???"
    mines = {cell for cell, mine in beliefs("projection", position).items() if mine}
    assert mines == {(0, 0), (0, 1), (0, 2), (1, 0)}
    assert moves(decide("projection", position)) == [("open", (1, 2))]


def test_r4_section_9_told_the_total_marks_what_is_left() -> None:
    marked = moves(decide("projection:global", "?..?\n*..?", mines=5))
    assert marked == [("flag", cell) for cell in ((0, 1), (0, 2), (1, 1), (1, 2))]


def test_r4_section_6_disputes_a_choice_beside_a_lone_clue() -> None:
    """Move 4: the report opens beside the lone clue, and would rather open away from it."""
    lone = ".....\n.1...\n.....\n.....\n....."
    assert max(abs(i - 1) for i in decide("projection", lone).actions[0].cell) == 1
    away = decide("projection:away", lone)
    assert max(abs(i - 1) for i in away.actions[0].cell) > 1
    assert away.reason == "away from the 1 at (1, 1), which is alone"
    two = ".....\n.11..\n.....\n.....\n....."
    assert moves(decide("projection:away", two)) == moves(decide("projection", two))
