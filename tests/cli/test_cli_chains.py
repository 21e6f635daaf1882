"""`mineproof chains`: drawings, JSON, pictures, searches and wrong options."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from mineproof import Board, Game, Rules, Setup, Topology, agents, cli, play
from mineproof.chains import chains_of
from mineproof.cli import chains as command
from mineproof.draw import chains_svg

BOARD = "6x2x1\n...*..\n......\n"
SMALL = ("--search", "--rows", "6", "--cols", "6", "--mines", "6", "--evaluations", "40")


def run(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert cli.main(["chains", *map(str, words)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Bad input: nothing on standard output, one sentence on standard error, exit code 2."""
    assert cli.main(["chains", *map(str, words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mineproof: ")
    assert err.count("\n") == 1
    return err.removeprefix("mineproof: ").removeprefix("Invalid value for ").strip()


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    file = tmp_path / "board.txt"
    file.write_text(BOARD)
    return file


def test_a_board_from_a_file(board_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, board_file).splitlines() == [
        "2 rows, 6 columns, 1 mine, start safe",
        "     0  1  2  3  4  5",
        " 0 [o0| 1| 2]*1[ 3] 3",
        " 1   1  1  2 o0  3  3",
        "[] longest chain  * mine  o root",
        "",
        "Longest chain: 3, from (0, 0) to (0, 4).",
        "Mean 1.67, reach 5, branching 0.91, 1 guess.",
    ]


def test_json_holds_what_was_promised(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "--level", "easy", "--seed", 2, "--json"))
    chains = chains_of(Game(Setup.level("easy"), 2))
    assert {"longest", "path", "mean", "reach", "cells", "branching", "guesses"} <= told.keys()
    assert told["longest"] == chains.longest == len(told["path"]) - 1
    assert [tuple(cell) for cell in told["path"]] == list(chains.path)
    assert (told["mean"], told["reach"]) == (chains.mean, chains.reach)
    assert (told["guesses"], told["branching"]) == (chains.guesses, chains.branching)
    assert len(told["cells"]) == 81
    for entry, link in zip(told["cells"], chains.links, strict=True):
        assert entry == {
            "cell": list(link.cell),
            "status": link.status,
            "origin": link.origin,
            "length": link.length,
            "root": list(link.root),
            "premises": [list(cell) for cell in link.premises],
            "uses_total": link.uses_total,
            "decided": link.decided,
        }


def test_options_make_the_game(board_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def longest(*words: object) -> Any:
        return json.loads(run(capsys, *words, "--json"))["path"]

    setup = Setup(Topology(7, 8), 9, Rules("zero", cascade=False, given_safe=2), first=(5, 5))
    words = ("--rows", 7, "--cols", 8, "--mines", 9, "--start", "zero", "--first", "5,5")
    path = longest(*words, "--no-cascade", "--given-safe", 2, "--seed", 8)
    assert [tuple(cell) for cell in path] == list(chains_of(Game(setup, 8)).path)
    path = longest(board_file, "--first", "1,5")
    board = Board.from_text(BOARD)
    assert [tuple(cell) for cell in path] == list(chains_of(Game.on(board, first=(1, 5))).path)
    assert longest(
        "--start", "any", "--channel", "lost:0.2", "--rows", 4, "--cols", 4, "--mines", 2
    )


def test_a_first_cell_and_a_seed_may_be_drawn(
    board_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def conditions(*words: object) -> Any:
        assert cli.main(["chains", *map(str, words), "--first", "random", "--json"]) == 0
        out, err = capsys.readouterr()
        told = json.loads(out)["conditions"]
        assert err == (f"mineproof: seed {told['seed']}\n" if "random" in words else "")
        return told

    assert conditions("--seed", 1)["first"] == [1, 8]
    assert conditions("--seed", 2)["first"] == [3, 1]
    assert conditions(*SMALL, "--seed", 1)["seed"] == 1
    conditions("--seed", "random")
    board = Board.from_text(BOARD)
    first = Setup(board.topology, board.mines, first="random").first_cell(2)
    assert first is not None
    assert conditions(board_file, "--start", "any", "--seed", 2)["first"] == list(first)


def test_the_game_of_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--level", "easy", "--seed", 4, "--agent", "basic", "--on-mine", "continue")
    told = json.loads(run(capsys, *words, "--json"))
    setup = Setup.level("easy", rules=Rules(on_mine="continue"))
    record = play(Game(setup, 4), agents.get("basic"), seed=4)
    chains = chains_of(Game(setup, 4), record)
    conditions = told.pop("conditions")
    assert (conditions["seed"], conditions["on_mine"]) == (4, "continue")
    assert told == json.loads(json.dumps(chains.to_dict()))


def test_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    run(capsys, "--level", "easy", "--seed", 2, "--svg", out)
    chains = chains_of(Game(Setup.level("easy"), 2))
    title = "9 rows, 9 columns, 10 mines, start safe"
    assert out.read_text() == chains_svg(chains, title=title) + "\n"


def test_a_search_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, *SMALL, "--seed", 3, "--json"))
    assert told == json.loads(run(capsys, *SMALL, "--seed", 3, "--json"))
    assert told["guesses"] == 0
    assert (told["first"], told["evaluations"]) == ([3, 3], 40)
    board = Board.from_text(told["board"])
    assert board.mines == 6
    # The board that is printed can be read again.
    text = run(capsys, *SMALL, "--seed", 3)
    file = tmp_path / "found.txt"
    file.write_text(text.rpartition("\n\n")[2])
    again = json.loads(run(capsys, file, "--start", "zero", "--seed", 3, "--json"))
    assert {key: told[key] for key in again} == again


def test_a_search_may_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--search", "--start", "safe", "--rows", 2, "--cols", 9, "--mines", 5)
    assert cli.main(["chains", *map(str, words), "--evaluations", "1"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "mineproof: every board that was looked at needs a guess\n")


def stop_after(monkeypatch: pytest.MonkeyPatch, boards: int) -> None:
    """Press Ctrl-C when so many boards were looked at."""
    looked_at = 0

    def advance(more: int) -> None:
        nonlocal looked_at
        looked_at += more
        if looked_at >= boards:
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "progress_bar", lambda total, noun: nullcontext(advance))


def test_a_search_that_is_stopped_shows_its_best(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_after(monkeypatch, 60)
    words = ["chains", *SMALL[:-1], "1000000", "--json"]
    assert cli.main(words) == 130
    out, err = capsys.readouterr()
    assert err == "mineproof: stopped: the best of 60 boards\n"
    told = json.loads(out)
    assert told["evaluations"] == 60
    assert told["guesses"] == 0
    assert cli.main(words[:-1]) == 130
    assert capsys.readouterr().out.endswith(f"\n\n{told['board']}\n")


def test_a_search_may_be_stopped_with_nothing_to_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_after(monkeypatch, 1)
    words = ["--search", "--start", "safe", "--rows", "1", "--cols", "3", "--mines", "1"]
    assert cli.main(["chains", *words, "--first", "0,1"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "huge"], "'--level': 'huge' is not one of "),
        (["--rows", "5"], "--rows needs --cols as well"),
        (
            ["--rows", "2", "--cols", "2", "--mines", "4"],
            "'--mines': 4 mines: the board",
        ),
        (["--seed", "-1"], "'--seed': -1 is not in the range x>=0"),
        (["--first", "9,9"], "'--first': (9, 9): the board has 9 rows"),
        (["--first", "here"], "'--first': 'here' is not a row and a column"),
        (["--start", "lucky"], "'--start': 'lucky' is not one of "),
        (["--agent", "nobody"], "'--agent': agent 'nobody': must be"),
        (["--evaluations", "5"], "--evaluations needs --search as well"),
        (
            [*SMALL, "--evaluations", "0"],
            "'--evaluations': 0 is not in the range",
        ),
        ([*SMALL, "--agent", "exact"], "--search cannot be used with --agent"),
        ([*SMALL, "--channel", "optimistic"], "--search cannot be used with --channel"),
        ([*SMALL, "--no-cascade"], "--search cannot be used with --no-cascade"),
        ([*SMALL, "--start", "any"], "--search needs --start safe or --start zero"),
        (["nowhere.txt", "--search"], "--search cannot be used with FILE"),
        (["nowhere.txt", "--level", "easy"], "FILE cannot be used with --level"),
        (["nowhere.txt"], "nowhere.txt: no such file or directory"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *words).startswith(sentence)


def test_a_bad_board_is_told_in_a_sentence(
    board_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "a mine at the first cell, (0, 3)" in refused(capsys, board_file, "--first", "0,3")
    board_file.write_text("..\n.x\n")
    assert refused(capsys, board_file).startswith(f"{board_file}: ")
    board_file.write_text("")
    assert refused(capsys, board_file) == f"{board_file}: no cells: the text is empty"
    board_file.write_text("*...\n12..\n")
    assert "count 2, but 1 mine around" in refused(capsys, board_file)


def test_what_was_found_is_told_even_where_the_picture_cannot_be_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = run(capsys, *SMALL)
    assert cli.main(["chains", *SMALL, "--svg", "/nowhere/at/all.svg"]) == 1
    out, err = capsys.readouterr()
    assert out == told
    assert err == "mineproof: cannot write /nowhere/at/all.svg: no such file or directory\n"
