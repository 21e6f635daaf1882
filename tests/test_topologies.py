"""Boards whose edges meet and boards of hexagons, from the game to the pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import copy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import touching

from mineproof import (
    Board,
    CellCode,
    Channel,
    Contradiction,
    Game,
    Observation,
    RandomBoards,
    Rules,
    Setup,
    Transcript,
    agents,
    compare,
    infer,
    play,
)
from mineproof.agents import registry
from mineproof.arena import play_many
from mineproof.arena.bulk import play_seeds
from mineproof.chains import chains_of, search_long_chain
from mineproof.cli import main
from mineproof.formats import read_boards, read_entries
from mineproof.formats.formats import write_entry
from mineproof.game import difficulty, measure, no_guess_board
from mineproof.game.no_guess import Needed
from mineproof.lab.study import Arm
from mineproof.position.topology import TOPOLOGIES, Cell, Topology, TopologyKind
from mineproof.proofs import explain_all, hints
from mineproof.search import advise, review
from mineproof.web.analysis import beginning
from mineproof.web.analysis import review as judged

OTHERS: tuple[TopologyKind, ...] = ("torus", "hex")
others = pytest.mark.parametrize("topology", OTHERS)


# ------------------------------------------------------------------------------------------ games


@others
@given(seed=st.integers(0, 999), first=st.tuples(st.integers(0, 5), st.integers(0, 6)))
def test_a_zero_start_protects_the_cells_that_touch(
    topology: TopologyKind, seed: int, first: Cell
) -> None:
    game = Game.laid(Setup(Topology(6, 7, topology), 12, Rules("zero"), first=first), seed=seed)
    near = touching(topology, 6, 7)[first]
    assert not any(game.board.layout[cell] for cell in (first, *near))
    assert int((game.observation.cells == -5).sum()) == 1 + len(near)
    game.open(first)
    assert game.code(first) == 0
    assert game.opened >= 1 + len(near)
    assert copy(game).observation == game.observation


@others
def test_mines_have_no_room_where_the_start_needs_it(topology: TopologyKind) -> None:
    with pytest.raises(ValueError, match="9 mines: the board has room for 0 to 8"):
        Board.random(Setup(Topology(3, 3, topology), 9), seed=1)


def test_one_seed_lays_the_same_mines_on_every_topology() -> None:
    boards = [Board.random(Setup(Topology(9, 9, kind), 10), seed=3) for kind in TOPOLOGIES]
    assert len({board.layout.tobytes() for board in boards}) == 1
    assert len(set(boards)) == 3


def test_clues_go_up_to_the_number_of_neighbours() -> None:
    hexagons = Board.from_text("***\n***\n***", topology="hex")
    assert hexagons.counts.tolist() == [[2, 4, 3], [5, 6, 3], [2, 4, 3]]
    assert (Board.from_text("***\n***\n***", topology="torus").counts == 8).all()
    with pytest.raises(ValueError, match=r"\(1, 1\): clue 7, but the cell has 6 neighbours"):
        Observation.from_text("...\n.7.\n...", topology="hex")


# ------------------------------------------------------------------------------------ text, files


@others
def test_grids_say_their_topology(topology: TopologyKind) -> None:
    board = Board.random(Setup(Topology(4, 5, topology), 4), seed=1)
    assert board.to_text().startswith(f"5x4x4 {topology}\n")
    assert Board.from_text(board.to_text()) == board
    seen = Observation.from_text(".1.\n...\n...", topology=topology)
    assert seen.to_text() == f"3x3 {topology}\n.1.\n...\n..."
    assert Observation.from_text(seen.to_text()) == seen
    both = read_entries(f"{board.to_text()}\n\n{seen.to_text()}")
    assert both == [board, seen]
    assert read_boards("*..\n...\n...", topology=topology)[0].topology.kind == topology
    assert Board.from_text("3x3x0 torus\n...\n...\n...", topology="hex").topology.kind == "hex"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x1x1 torus\n...", "1 row and 3 columns: a torus needs at least 3 rows and 3 columns"),
        ("3x3 \n...\n...\n...", "header: '3x3' is not COLSxROWSxMINES"),
        ("3x3x1 sphere\n...\n...\n...", "header: '3x3x1 sphere' is not COLSxROWSxMINES"),
    ],
)
def test_bad_headers(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Observation.from_text(text)


@others
@given(seed=st.integers(0, 999), channel=st.sampled_from(["exact", "lost:0.3", "cautious"]))
@settings(max_examples=20)
def test_games_are_written_and_read(topology: TopologyKind, seed: int, channel: str) -> None:
    game = Game(Setup(Topology(5, 6, topology), 6, channel=Channel.parse(channel)), seed=seed)
    game.flag((0, 0))
    game.open((2, 2))
    transcript = Transcript.of(game, by="Ada")
    text = transcript.to_text()
    assert text.startswith(f"mineproof game 2\nsize 6x5x6\ntopology {topology}\n")
    for written in (text, transcript.to_line(), transcript.as_seen().to_text()):
        again = Transcript.from_text(written)
        assert again.topology == Topology(5, 6, topology)
        assert again.observation().cells.tolist() == game.observation.cells.tolist()
    assert Transcript.from_text(text) == transcript
    assert [*read_entries(text, topology=topology)] == [transcript]
    with pytest.raises(ValueError, match=f"the board is {topology}, not square"):
        read_entries(text, topology="square")


def test_games_on_square_boards_are_still_version_1() -> None:
    game = Game.level("easy", seed=1)
    assert Transcript.of(game).to_text().startswith("mineproof game 1\nsize 9x9x10\nseed 1\n")
    old = "mineproof game 1\nsize 9x9x10\ntopology hex\nseed 1"
    with pytest.raises(ValueError, match="line 3: version 1 has no topology"):
        Transcript.from_text(old)
    small = "mineproof game 2\nsize 9x2x1\ntopology torus"
    with pytest.raises(ValueError, match="line 3: 2 rows and 9 columns: a torus needs"):
        Transcript.from_text(small)
    unknown = "mineproof game 2\nsize 9x2x1\ntopology ball"
    with pytest.raises(ValueError, match="line 3: value 'ball': must be square, torus or hex"):
        Transcript.from_text(unknown)
    assert Transcript.from_text("mineproof game 2\nsize 9x9x10\nseed 1").topology.kind == "square"


@others
def test_other_programs_have_square_boards(topology: TopologyKind) -> None:
    board = Board.random(Setup(Topology(4, 5, topology), 4), seed=1)
    with pytest.raises(ValueError, match=f"MBF holds square boards, not {topology}"):
        write_entry(board, "mbf")
    assert read_entries(write_entry(board, "text")) == [board]
    foreign = write_entry(Board.random(Setup(Topology(4, 5), 4), seed=1), "mbf")
    with pytest.raises(ValueError, match=f"the board is square, not {topology}"):
        read_entries(foreign, topology=topology)


def test_the_page_has_square_boards_only() -> None:
    game = Game.laid(Setup(Topology(5, 5, "hex"), 3), seed=1)
    notation = Transcript.of(game).to_text()
    for asked in (beginning, judged):
        with pytest.raises(ValueError, match="the page has square boards only, not hex"):
            asked(lambda done, count: None, notation)


# -------------------------------------------------------------------------------- inference, proofs


def test_clues_clash_across_the_edge() -> None:
    text = "0...\n....\n....\n...1"
    assert infer(Observation.from_text(text)).exact
    with pytest.raises(Contradiction) as caught:
        infer(Observation.from_text("3...\n....\n....\n...0", topology="torus", mines=9))
    assert set(caught.value.clues) <= {(0, 0), (3, 3)}


def test_a_clue_sees_across_the_edge() -> None:
    seen = Observation.from_text("4x4x1 torus\n1...\n....\n....\n....")
    posterior = infer(seen)
    assert posterior.layouts == 8
    assert set(posterior.safe) == {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3), (3, 2)}
    assert posterior.risk[3, 3] == posterior.risk[1, 1] == 1 / 8
    assert posterior.to_dict()["topology"] == "torus"


@others
def test_advice_hints_and_review_know_the_topology(topology: TopologyKind) -> None:
    setup = Setup(Topology(6, 6, topology), 6, Rules("zero"))
    for seed in range(5):
        game = Game.laid(setup, seed)
        record = play(copy(game), agents.get("exact"), seed=seed)
        for move in record.moves:
            seen = game.observation
            proofs = explain_all(seen)
            certain = infer(seen)
            assert {proof.cell for proof in proofs} == {*certain.safe, *certain.mined}
            assert len(hints(seen)) == len(certain.safe) + len(
                [cell for cell in certain.mined if seen.code(cell) != CellCode.FLAGGED]
            )
            advise(seen, samples=5)
            game.make(move.kind, move.cell)
        assert review(Transcript.of(game)).judged


# ----------------------------------------------------------------------------------------- agents

NAMES = [*registry.names(), "exact:chains", "logic:total", "border:total", "weights:subtract"]


@others
@pytest.mark.parametrize("name", NAMES)
def test_agents_play(name: str, topology: TopologyKind) -> None:
    for rules in (Rules(), Rules("zero", "continue")):
        setup = Setup(Topology(6, 6, topology), 6, rules)
        records = [play(Game(setup, seed), agents.get(name), seed=seed) for seed in range(3)]
        assert all(record.topology == topology for record in records)
        many = play_many(
            [Game(setup, seed) for seed in range(3)], agents.get(name), seeds=range(3), moves=True
        )
        for one, other in zip(records, many, strict=True):
            assert one.moves == other.moves
        columns = play_seeds(setup, agents.get(name), range(3))
        assert columns["opened"].tolist() == [record.opened for record in records]


@others
@pytest.mark.parametrize("name", ["exact", "champion", "logic"])
def test_certain_moves_are_true(name: str, topology: TopologyKind) -> None:
    setup = Setup(Topology(8, 8, topology), 10, Rules("zero"))
    for seed in range(15):
        for move in play(Game(setup, seed), agents.get(name), seed=seed).moves:
            mined = bool(Game.laid(setup, seed).board.layout[move.cell])
            if move.certain:
                assert mined == (move.kind == "flag")


@pytest.mark.parametrize(
    ("name", "topology", "message"),
    [
        (
            "projection:eight",
            "hex",
            "agent 'projection:eight': plays square and torus boards, not hex",
        ),
        ("basic:eight", "hex", "agent 'basic:eight': plays square and torus boards, not hex"),
        (
            "components:corners",
            "torus",
            "agent 'components:corners': plays square and hex boards, not torus",
        ),
    ],
)
def test_agents_whose_rules_assume_another_board_refuse(
    name: str,
    topology: TopologyKind,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    setup = Setup(Topology(9, 9, topology), 10)
    with pytest.raises(ValueError, match=message):
        play(Game(setup, 1), agents.get(name))
    with pytest.raises(ValueError, match=message):
        compare([name], RandomBoards(setup, 3))
    with pytest.raises(ValueError, match=message):
        play_seeds(setup, agents.get(name), range(3))
    for command in (["watch", "--agent", name], ["compare", "--agents", name, "--games", "1"]):
        assert main([*command, "--topology", topology]) == 2
        assert message in capsys.readouterr().err


def test_rules_that_assume_eight_neighbours_are_right_on_a_torus() -> None:
    setup = Setup(Topology(7, 7, "torus"), 8)
    for seed in range(5):
        moves = [
            [(move.kind, *move.cell) for move in play(Game(setup, seed), agent, seed=seed).moves]
            for agent in (agents.get("basic"), agents.get("basic:eight"))
        ]
        assert moves[0] == moves[1]


def test_studies_have_square_boards_only() -> None:
    with pytest.raises(ValueError, match="studies have square boards only, not hex"):
        Arm("exact", Setup(Topology(9, 9, "hex"), 10))


# ----------------------------------------------------------------------------- boards and measures


@others
@pytest.mark.parametrize("technique", [None, "subset"])
def test_boards_without_a_guess(topology: TopologyKind, technique: Needed | None) -> None:
    for seed in range(5):
        board = no_guess_board(
            Setup(Topology(9, 9, topology), 14, Rules("zero")), seed=seed, technique=technique
        )
        assert board.topology.kind == topology
        found = difficulty(board)
        assert found.opened == 81 - 14
        assert technique in (None, str(found.technique))
        game = Game.on(board, Rules("zero"))
        chains = chains_of(game)
        assert chains.guesses == 0
        assert chains.seen.topology.kind == topology


@others
def test_measures_count_regions_that_touch(topology: TopologyKind) -> None:
    for seed in range(20):
        board = Board.random(Setup(Topology(6, 6, topology), 6), seed=seed)
        near = touching(topology, 6, 6)
        zeros = {cell for cell in near if not board.layout[cell] and board.counts[cell] == 0}
        openings = regions(zeros, near)
        shown = zeros | {other for cell in zeros for other in near[cell]}
        hidden = {cell for cell in near if not board.layout[cell]} - shown
        found = measure(board)
        assert (found.openings, found.islands) == (openings, regions(hidden, near))
        assert found.bbbv == openings + len(hidden)


def regions(cells: set[Cell], near: Mapping[Cell, list[Cell]]) -> int:
    left, count = set(cells), 0
    while left:
        reached = [left.pop()]
        count += 1
        while reached:
            for other in near[reached.pop()]:
                if other in left:
                    left.remove(other)
                    reached.append(other)
    return count


@others
def test_long_chains_are_searched(topology: TopologyKind) -> None:
    found = search_long_chain(
        Setup(Topology(5, 5, topology), 5, Rules("zero")), evaluations=60, seed=1
    )
    assert found is not None
    assert found.board.topology.kind == topology
    assert found.chains.longest == found.longest


# ---------------------------------------------------------------------------------------- commands


def test_commands_on_hexagons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "position.txt"
    file.write_text(".1.\n...\n...")
    assert main(["solve", str(file), "--topology", "hex", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["topology"] == "hex"
    picture = tmp_path / "board.svg"
    assert main(["solve", str(file), "--topology", "hex", "--svg", str(picture)]) == 0
    assert "<polygon" in picture.read_text()
    shown = capsys.readouterr().out.splitlines()
    assert shown[-1].startswith("Best: ")
    file.write_text("1.1\n...\n...")
    assert main(["explain", str(file), "--topology", "hex", "--cell", "0,1"]) == 0
    assert capsys.readouterr().out
    board = tmp_path / "board.txt"
    board.write_text("*....\n.....\n....*\n.....")
    assert main(["measure", str(board), "--topology", "hex", "--first", "3,0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["topology"] == "hex"
    assert main(["chains", str(board), "--topology", "hex", "--first", "3,0"]) == 0
    assert capsys.readouterr().out.startswith("hex, 4 rows, 5 columns, 2 mines")
    assert main(["watch", str(board), "--topology", "hex", "--first", "3,0"]) == 0
    assert "hex: a cell touches up to 6 others" in capsys.readouterr().out


def test_a_saved_game_is_replayed_and_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    assert main(["watch", "--topology", "torus", "--seed", "2", "--save", str(file)]) == 0
    assert "torus: opposite edges touch" in capsys.readouterr().out
    for command in (["watch"], ["solve", "--moves", "1"], ["chains"], ["measure"]):
        assert main([command[0], str(file), *command[1:]]) == 0
        assert capsys.readouterr().out
    assert main(["watch", str(file), "--topology", "hex"]) == 2
    assert "the board is torus, not hex" in capsys.readouterr().err


def test_compare_records_the_topology(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "--agents", "exact", "--games", "3", "--topology", "torus"]
    assert main([*command, "--workers", "1"]) == 0
    assert "torus, 9 x 9 cells with 10 mines" in capsys.readouterr().out
    assert main([*command, "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["conditions"]["topology"] == "torus"
    small = ["--rows", "2", "--cols", "9", "--mines", "1", "--topology", "torus"]
    assert main(["compare", "--agents", "exact", *small]) == 2
    assert "a torus needs at least 3 rows and 3 columns" in capsys.readouterr().err


@others
def test_generate_writes_what_measure_reads(
    topology: TopologyKind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "--no-guess", "--topology", topology, "--seed", "1"]) == 0
    file = tmp_path / "board.txt"
    file.write_text(capsys.readouterr().out)
    assert main(["measure", str(file), "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["topology"] == topology
    assert measured["technique"] is not None
