"""The review of games: risks of openings and chords, against counting all layouts by hand."""

from __future__ import annotations

from itertools import combinations
from math import isclose

import pytest

from mineproof import Board, Channel, Game, Rules, Setup, Topology, agents, play
from mineproof.game import Transcript
from mineproof.position import Cell
from mineproof.search import review

ANY = Rules(start="any")


def chance_of_a_hit(transcript: Transcript, moves: int, opened: list[Cell]) -> float:
    """Count the layouts that fit what was seen, and those with a mine under an opened cell."""
    seen = transcript.observation(moves)
    rows, cols = seen.topology.shape
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    fitting = hits = 0
    for mines in combinations(cells, seen.mines or 0):
        layout = set(mines)
        if any(code >= 0 and cell in layout for cell in cells for code in [seen.code(cell)]):
            continue
        shown = [(cell, seen.code(cell)) for cell in cells if seen.code(cell) >= 0]
        if all(
            len(layout.intersection(seen.topology.neighbours(cell))) == code for cell, code in shown
        ):
            fitting += 1
            hits += not layout.isdisjoint(opened)
    return hits / fitting


@pytest.mark.parametrize("seed", range(6))
def test_risks_agree_with_counting_by_hand(seed: int) -> None:
    game = Game(Setup(Topology(4, 4), 3, ANY), seed=seed)
    play(game, agents.get("random"), seed=seed)
    transcript = Transcript.of(game)
    judged = review(transcript).judged
    assert len(judged) == sum(move.kind == "open" for move in transcript.moves)
    for one in judged:
        risk = chance_of_a_hit(transcript, one.move, [one.cell])
        assert isclose(one.risk, risk, abs_tol=1e-9)
        assert one.hit == (game.board.layout[one.cell])
        assert one.lowest <= one.risk + 1e-9
        assert (one.verdict == "certain") == (risk == 0)
        assert (one.verdict == "needless") == (one.needless > 1e-9)


def test_a_chord_is_as_risky_as_its_cells_together() -> None:
    board = Board.from_text("..*.\n.*..\n....")
    game = Game.on(board, Rules(start="any", cascade=False))
    game.open((0, 1))
    game.flag((0, 2))
    game.flag((0, 0))
    game.chord((0, 1))
    transcript = Transcript.of(game)
    opening, chord = review(transcript).judged
    assert opening.verdict == "forced"
    opened = [(1, 0), (1, 1), (1, 2)]
    assert isclose(chord.risk, chance_of_a_hit(transcript, 3, opened))
    assert chord.hit
    assert chord.verdict == "needless"


def test_the_first_cell_by_rule_is_no_risk() -> None:
    game = Game.level("easy", seed=1)
    game.open((4, 4))
    (first,) = review(Transcript.of(game)).judged
    assert (first.verdict, first.risk, first.hit) == ("first", 0.0, False)


def test_a_game_in_words() -> None:
    game = Game.on(Board.from_cells(1, 4, [(0, 0)]), ANY)
    game.open((0, 1))
    game.open((0, 0))
    assert str(review(Transcript.of(game))).splitlines() == [
        "2 openings: 0 certain, 1 forced guess, 1 with needless risk.",
        "With the lowest risk each time, 75.0% of such games get through; with these choices, "
        "37.5%.",
        "The costliest choice: (0, 0): needless risk of 50.0%; (0, 3) was certainly safe; it was "
        "a mine.",
        "1 mine exploded, and 0.75 on average: bad luck.",
    ]
    assert str(review(Transcript.of(Game.level("easy", seed=1)))) == "Nothing was opened."


def test_progress_counts_moves() -> None:
    game = Game.level("easy", seed=2)
    play(game, agents.get("exact"), seed=1)
    seen: list[tuple[int, int]] = []
    review(Transcript.of(game), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(seen), len(seen))


def test_the_champion_judges_by_the_chance_to_win() -> None:
    board = Board.from_cells(3, 5, [(0, 2), (0, 3), (1, 3)])
    game = Game.on(board, Rules(start="any", cascade=False))
    for cell in ((0, 0), (1, 0), (1, 3)):
        game.open(cell)
    found = review(Transcript.of(game), samples=50)
    guess, certain, needless = found.judged
    assert [one.verdict for one in found.judged] == ["forced", "certain", "needless"]
    # Every chance is exact here, and what comes after one move is what is there before the next.
    assert (guess.after, certain.after) == (certain.before, needless.before)
    assert needless.after is not None
    assert needless.after.win == 0
    assert isclose(needless.cost, 0.905 - 0.607, abs_tol=1e-3)
    lines = str(found).splitlines()
    assert lines[0] == "3 openings: 1 certain, 1 forced guess, 1 needless or weak."
    assert lines[-1].startswith("Of 100 points of winning chance, the choices gave away 30; luck ")


def test_a_guess_that_has_to_be_made_is_not_needless_before_certain_moves() -> None:
    game = Game.on(Board.from_cells(2, 5, [(0, 0), (1, 4)]), Rules(start="any", cascade=False))
    for cell in ((0, 2), (0, 1), (1, 4)):
        game.open(cell)
    last = review(Transcript.of(game), samples=50).judged[-1]
    assert (last.verdict, last.cost) == ("forced", 0)
    assert "which wins as often as any" in str(last)
    assert review(Transcript.of(game)).judged[-1].verdict == "needless"


def test_a_weak_guess_is_told_from_a_forced_one() -> None:
    game = Game.level("beginner", seed=3, rules=ANY)
    game.open(next(c for c in ((0, 0), (0, 8), (8, 0), (8, 8)) if not game.board.layout[c]))
    closed = [c for c in game.observation.closed_cells() if not game.board.layout[c]]
    game.open(closed[len(closed) // 2])
    judged = review(Transcript.of(game), samples=30).judged
    assert all(one.before is not None and one.chosen is not None for one in judged)
    assert all((one.cost > 0) == (one.verdict == "needless") for one in judged if one.risk)


def test_only_one_opening_is_the_first_if_its_clue_is_late() -> None:
    rules = Rules(start="safe", cascade=False)
    game = Game(Setup(Topology(5, 5), 5, rules, Channel.parse("late:1")), seed=1)
    game.open((0, 0))
    assert game.observation.pending_cells() == [(0, 0)]
    game.open(
        next(cell for cell in game.observation.openable_cells() if not game.board.layout[cell])
    )
    assert [one.verdict for one in review(Transcript.of(game)).judged] == ["first", "forced"]
