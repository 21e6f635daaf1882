"""Games, boards and positions in files: every command reads them, `watch --save` writes games."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from mineproof import Board, Observation, Outcome, Transcript, cli
from mineproof.cli import watch

POSITION = "5x3x3\n. 2 . . .\n. . . . .\n. . . . .\n"
BOARD = "6x2x1\n...*..\n......\n"


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert cli.main([*map(str, words)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: object, code: int = 2) -> str:
    assert cli.main([*map(str, words)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("mineproof: ").removeprefix("Invalid value for ").strip()


@pytest.fixture
def saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A lost game of a first cell by rule and one guess."""
    file = tmp_path / "game.txt"
    run(capsys, "watch", "--agent", "random", "--seed", 12, "--save", file)
    return file


@pytest.fixture
def mixed(saved: Path, tmp_path: Path) -> Path:
    file = tmp_path / "mixed.txt"
    file.write_text(f"{POSITION}\n{BOARD}\n\n{saved.read_text()}")
    return file


def test_a_saved_game_is_the_game_that_was_played(saved: Path) -> None:
    transcript = Transcript.from_text(saved.read_text())
    assert transcript.to_text() + "\n" == saved.read_text()
    assert transcript.outcome is Outcome.LOST
    assert [move.by for move in transcript.moves] == ["", "random"]
    assert transcript.board is not None


def test_a_game_is_replayed(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = run(capsys, "watch", "--agent", "random", "--seed", 12)
    again = run(capsys, "watch", saved)
    assert again.startswith("random: 9 rows, 9 columns, 10 mines, start safe\n")
    assert "Step 1, random: open (7, 6)\n" in again
    for text in (played, again):
        assert "\nOutcome: lost" in text
        assert text.partition("The mines:\n")[2].count("#") == 10  # nine, and the legend
    head, *actions, ending = map(json.loads, run(capsys, "watch", saved, "--json").splitlines())
    assert head["conditions"]["seed"] == 12
    assert [action["by"] for action in actions] == ["", "random"]
    assert actions[1]["exploded"] == [[7, 6]]
    assert (ending["outcome"], ending["hits"], len(ending["mines"])) == ("lost", 1, 10)
    assert "is a mine" in run(capsys, "watch", saved, "--explain")


def test_another_agent_plays_the_game_of_a_file(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, "watch", saved, "--agent", "exact")
    assert told == run(capsys, "watch", "--agent", "exact", "--seed", 12)


def turns(told: str) -> list[tuple[str, str]]:
    """Return the number of each step and the board after it."""
    return re.findall(r"^Step (\d+).*?\n( +0 1 2.*?)\n\n", told, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("agent", ["exact", "weights"])
def test_a_replay_shows_decisions_as_they_were_made(
    agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    words = ("--agent", agent, "--seed", 2, "--channel", "late:0.3", "--save", file)
    played = run(capsys, "watch", *words)
    again = run(capsys, "watch", file)
    assert turns(again) == turns(played)
    assert len(turns(played)) < len(Transcript.from_text(file.read_text()).moves)
    steps = [re.findall(r"steps (\d+)", told) for told in (played, again)]
    assert steps[0] == steps[1] != []


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("moves", [0, 1, 5, 12])
def test_a_game_that_is_not_over_is_continued_on_its_board(
    moves: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "game.txt", tmp_path / "out.txt"
    run(capsys, "watch", "--agent", "exact", "--seed", 2, "--save", file)
    whole = Transcript.from_text(file.read_text())
    begun = replace(whole, moves=whole.moves[:moves], outcome=None, board=None)
    file.write_text(begun.to_text())
    told = run(capsys, "watch", file, "--agent", "champion", "--save", out)
    assert (f", seed 2, continued after {moves} move" in told) == (moves > 0)
    continued = Transcript.from_text(out.read_text())
    assert continued.board == whole.board
    assert continued.moves[:moves] == begun.moves
    assert {move.by for move in continued.moves[max(moves, 1) :]} == {"champion"}
    assert continued.outcome is not None
    assert "a game in FILE cannot be used with --start" in refused(
        capsys, "watch", file, "--agent", "exact", "--start", "any"
    )


def test_where_one_agent_is_stuck_another_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    for seed in range(20):
        told = run(capsys, "watch", "--agent", "logic", "--seed", seed, "--save", file)
        if "Outcome: stuck" in told:
            break
    moves = len(Transcript.from_text(file.read_text()).moves)
    told = run(capsys, "watch", file, "--agent", "exact")
    assert f"continued after {moves} move" in told
    assert "Outcome: stuck" not in told


def test_a_game_is_saved_up_to_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    naps: list[float] = []

    def interrupt(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch, "pause", interrupt)
    assert cli.main(["watch", "--seed", "2", "--save", str(file)]) == 130
    transcript = Transcript.from_text(file.read_text())
    assert transcript.outcome is None
    assert len(transcript.moves) > 1


def test_a_game_that_is_not_over_and_one_without_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    text = "mineproof game 1\nsize 3x2\nby Ada\nopen 0,0 shows 0,0=1"
    file.write_text(text)
    told = run(capsys, "watch", file)
    assert told.startswith("Ada: 3 rows".replace("3 rows", "2 rows, 3 columns, mines unknown"))
    assert "Outcome: the game is not over" in told
    assert "Outcome: " in run(capsys, "watch", file, "--agent", "exact")
    file.write_text(f"{text}\noutcome won\n")
    assert "Outcome: won" in run(capsys, "watch", file)


def test_a_position_is_continued_by_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "position.txt", tmp_path / "game.txt"
    file.write_text(POSITION)
    boards = set()
    for seed in range(6):
        told = run(capsys, "watch", file, "--seed", seed, "--save", out)
        assert told == run(capsys, "watch", file, "--seed", seed)
        transcript = Transcript.from_text(out.read_text())
        assert transcript.observation(0).to_text() == Observation.from_text(POSITION).to_text()
        assert transcript.board is not None
        boards.add(transcript.board)
    assert len(boards) > 1
    assert all(board.counts[0, 1] == 2 and board.mines == 3 for board in boards)


def test_a_board_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "board.txt", tmp_path / "game.txt"
    file.write_text(BOARD)
    run(capsys, "watch", file, "--first", "1,5", "--save", out)
    transcript = Transcript.from_text(out.read_text())
    assert transcript.board == Board.from_text(BOARD)
    assert transcript.first == (1, 5)


@pytest.mark.parametrize("command", ["solve", "explain", "chains"])
def test_every_command_reads_all_entries(
    command: str, mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, command, mixed)
    assert [line for line in told.splitlines() if line.startswith("Entry")] == [
        f"Entry {number}:" for number in range(3)
    ]
    for number, line in enumerate(run(capsys, command, mixed, "--json").splitlines()):
        alone = run(capsys, command, mixed, "--number", number, "--json")
        assert json.loads(alone) == json.loads(line)
        assert run(capsys, command, mixed, "--number", number).strip() in told
    assert number == 2


def test_compare_plays_boards_games_and_positions(
    mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--agents", "exact,random", "--json")
    [exact, _] = json.loads(run(capsys, "compare", *words, "--boards", mixed))["agents"]
    assert exact["games"] == 3
    position = mixed.with_name("position.txt")
    position.write_text(POSITION)
    answer = json.loads(run(capsys, "compare", *words, "--boards", position, "--games", 40))
    exact, random = answer["agents"]
    assert exact["games"] == 40
    assert exact["win_rate"] > random["win_rate"]
    assert 0 < exact["win_rate"] < 1


def test_the_position_after_some_moves(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transcript = Transcript.from_text(saved.read_text())
    for moves in range(3):
        told = json.loads(run(capsys, "solve", saved, "--moves", moves, "--json"))
        risks = [risk is not None for row in told["risk"] for risk in row]
        assert sum(risks) == len(transcript.observation(moves).closed_cells())
    assert json.loads(run(capsys, "explain", saved, "--moves", 1, "--json"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("solve {mixed} --svg out.svg", "--svg needs --number: FILE has 3 entries"),
        ("solve {mixed} --number 3", "'--number': 3: must be 0 to 2"),
        ("solve {saved} --number 1", "'--number': 1: FILE has only number 0"),
        ("solve {saved} --moves 9", "{saved}: moves 9: must be a whole number from 0 to 2"),
        ("solve {mixed} --moves 1", "{mixed}: entry 0: a position has no moves"),
        ("watch {mixed}", "FILE has 3 entries: choose one with --number"),
        ("watch {saved} --level easy", "FILE cannot be used with --level"),
        ("watch {saved} --start any", "a game in FILE cannot be used with --start"),
        ("watch {saved} --beliefs", "a game in FILE cannot be used with --beliefs"),
        ("watch {mixed} --number 0 --first 0,0", "a position in FILE cannot be used with --first"),
        ("chains {saved} --channel exact", "a game in FILE cannot be used with --channel"),
        ("chains {mixed} --first 0,3 --number 1", "{mixed}: a mine at the first cell, (0, 3)"),
        ("compare --agents exact --boards {mixed} --games 4", "--games 4: --boards has 3 boards"),
    ],
)
def test_what_does_not_fit(
    words: str, sentence: str, saved: Path, mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, *words.format(saved=saved, mixed=mixed).split())
    assert told.startswith(sentence.format(saved=saved, mixed=mixed))


def test_a_position_that_no_layout_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "position.txt"
    file.write_text("1x1x0\n.\n\n3x1x1\n1.0\n")
    refused(capsys, "watch", file, "--number", 1, code=3)
