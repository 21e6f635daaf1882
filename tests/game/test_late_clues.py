"""Late clues: what arrives when, what it tells, and that nothing is lost on the way."""

from __future__ import annotations

import pickle
from copy import copy

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof import (
    Action,
    Agent,
    Board,
    CellCode,
    Channel,
    Decision,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    agents,
    infer,
    play,
    play_many,
)
from mineproof.chains import chains_of
from mineproof.game.move import move_rows
from mineproof.game.notation import Transcript
from mineproof.game.records import GameRecord
from mineproof.position.topology import Cell

LATE = Channel.late(0.5)
KEEP_GOING = Rules("any", "continue")


def moves(record: GameRecord) -> list[tuple[str, Cell]]:
    return [(move.kind, move.cell) for move in record.moves]


def cells(mask: NDArray[np.bool_]) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(mask).tolist()]


def random_game(seed: int, chance: float = 0.5) -> Game:
    return Game(Setup(Topology(6, 6), 5, KEEP_GOING, Channel.late(chance), first=(0, 0)), seed=seed)


def open_all(game: Game) -> list[Observation]:
    """Open every cell in row order, and return what is seen after each opening."""
    seen = []
    for cell in game.observation.openable_cells():
        game.open(cell)
        seen.append(game.observation)
    return seen


def test_an_opened_cell_is_pending_and_nothing_cascades() -> None:
    game = Game.on(Board.from_cells(3, 3, []), KEEP_GOING, channel=LATE)
    game.open((1, 1))
    assert game.observation.to_text() == "3x3x0\n...\n.~.\n..."
    assert (game.opened, game.outcome) == (1, None)


def test_text_has_a_symbol_for_a_pending_clue() -> None:
    seen = Observation.from_text("~1.")
    assert seen.code((0, 0)) == CellCode.PENDING
    assert seen.to_text() == "~1."
    assert seen.pending_cells() == [(0, 0)]
    assert seen.opened.tolist() == [[True, True, False]]


def test_clues_arrive_once_true_and_stay() -> None:
    game = random_game(1)
    counts, before = game.board.counts, game.observation
    for after in open_all(game):
        for cell in cells(before.opened):
            code = after.code(cell)
            assert code in (CellCode.PENDING, counts[cell])
            assert before.code(cell) in (CellCode.PENDING, code)
        before = after


def test_a_clue_arrives_with_its_chance_after_each_later_opening() -> None:
    arrived = waited = 0
    for seed in range(200):
        game = random_game(seed, 0.3)
        before = game.observation
        for after in open_all(game):
            pending = before.pending_cells()
            waited += len(pending)
            arrived += sum(after.code(cell) >= 0 for cell in pending)
            before = after
    assert waited > 10_000
    assert arrived / waited == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("chance", [0, 1])
def test_at_the_ends_clues_never_arrive_or_come_with_the_next_opening(chance: int) -> None:
    for number, seen in enumerate(open_all(random_game(3, chance))):
        opened = number + 1 - seen.exploded
        just_opened = seen.code(divmod(number, 6)) == CellCode.PENDING
        assert len(seen.pending_cells()) == (just_opened if chance else opened)


def test_arrival_depends_on_seed_cell_and_number_of_openings_alone() -> None:
    """Flags and the order of earlier openings change nothing."""
    one, two = random_game(5), random_game(5)
    first, second, *later = cells(~one.board.layout)
    for game, order in ((one, (first, second)), (two, (second, first))):
        for cell in order:
            game.open(cell)
    two.flag(later[-1])
    for cell in later[:-1]:
        one.open(cell)
        two.open(cell)
    known = set(cells(one.observation.cells >= 0))
    also = set(cells(two.observation.cells >= 0))
    assert known - {first, second} == also - {first, second}


def test_a_pending_clue_tells_nothing() -> None:
    late, silent = "..~.\n.1..\n....", "..?.\n.1..\n...."
    for mines in (None, 3):
        one = infer(Observation.from_text(late, mines=mines, channel=LATE))
        two = infer(Observation.from_text(silent, mines=mines))
        assert np.array_equal(one.risk, two.risk, equal_nan=True)
        assert one.exact
        assert one.log10_layouts == pytest.approx(two.log10_layouts)


def test_waiting_lets_all_clues_arrive() -> None:
    game = random_game(2, 0)
    safe = cells(~game.board.layout)
    for cell in safe[:5]:
        game.open(cell)
    game.wait(safe[2])
    assert not game.observation.pending_cells()
    assert all(game.code(cell) == game.board.counts[cell] for cell in safe[:5])
    with pytest.raises(ValueError, match=r"\(\d, \d\): the cell has no pending clue"):
        game.wait(safe[2])


class Patient(Agent):
    """Opens a certain cell, or the first one if nothing is open, and otherwise waits."""

    name = "patient"

    def decide(self, observation: Observation) -> Decision | None:
        safe = infer(observation).safe
        if safe:
            return Decision.certain("certain", safe=safe[:1])
        if not observation.opened.any():
            return Decision.guess((0, 0), "the first")
        return None


def test_without_a_decision_all_pending_clues_arrive() -> None:
    game = Game.on(Board.from_cells(1, 4, [(0, 3)]), KEEP_GOING, channel=Channel.late(0))
    record = play(game, Patient())
    assert moves(record) == [
        ("open", (0, 0)),
        ("wait", (0, 0)),
        ("open", (0, 1)),
        ("wait", (0, 1)),
        ("open", (0, 2)),
        ("wait", (0, 2)),
    ]
    assert (record.steps, record.actions, record.guesses) == (3, 3, 1)
    assert [row["step"] for row in move_rows(record.moves)] == [0, 1, 1, 2, 2, 3]


def test_an_agent_cannot_choose_to_wait() -> None:
    with pytest.raises(ValueError, match="must be open, flag, unflag or chord"):
        Action("wait", (0, 0))


def test_native_games_are_the_same() -> None:
    for rules in (Rules(), KEEP_GOING, Rules("zero", given_safe=3)):

        def deal(seed: int, rules: Rules = rules) -> Game:
            return Game(Setup(Topology(6, 6), 7, rules, LATE), seed=seed)

        agent = agents.get("exact")
        native = play_many(map(deal, range(8)), agent, seeds=range(8), moves=True)
        slow = [play(deal(seed), agent, seed=seed) for seed in range(8)]
        assert list(map(moves, native)) == list(map(moves, slow))
        assert [record.actions for record in native] == [record.actions for record in slow]


def test_copies_pickles_and_notation_keep_the_game() -> None:
    game = random_game(4)
    record = play(game, agents.get("logic"), seed=4)
    assert "wait" in {move.kind for move in record.moves}
    for again in (copy(game), pickle.loads(pickle.dumps(game))):
        assert again.observation == game.observation
        assert again.moves == game.moves
    transcript = Transcript.of(game)
    assert "channel late:0.5" in transcript.to_text()
    for text in (transcript.to_text(), transcript.to_line()):
        assert Transcript.from_text(text) == transcript
        assert Transcript.from_text(text).game().observation == game.observation


def test_notation_without_a_board_checks_what_arrives() -> None:
    lines = "mineproof game 1", "size 3x1", "channel late:0.5", "open 0,0 shows 0,0=~"
    Transcript.from_text("\n".join([*lines, "wait 0,0 shows 0,0=1"]))
    for wrong in ("wait 0,1 shows 0,1=1", "wait 0,0 shows 0,0=~"):
        with pytest.raises(ValueError, match="line 5"):
            Transcript.from_text("\n".join([*lines, wrong]))


def test_chains_of_a_late_game_follow_its_waiting() -> None:
    game = Game.on(Board.from_cells(1, 4, [(0, 3)]), KEEP_GOING, channel=Channel.late(0))
    record = play(game.restarted(), Patient())
    chains = chains_of(game, record)
    assert chains.guesses == 0
    lengths = {link.cell: link.length for link in chains.links}
    assert lengths == {(0, 0): 0, (0, 1): 1, (0, 2): 2, (0, 3): 2}


def test_channels_that_differ_in_lateness_differ() -> None:
    assert Channel.late(0.5) == Channel.parse("late:0.5")
    assert Channel.late(0.5) != Channel.late(0.25)
    assert Channel.late(0.5) != Channel.exact()
    assert not LATE.is_exact
    assert pickle.loads(pickle.dumps(LATE)) == LATE
    with pytest.raises(ValueError, match="late:P with P from 0 to 1"):
        Channel.parse("late:2")
