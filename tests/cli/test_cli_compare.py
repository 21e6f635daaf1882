"""`mineproof compare`: the table, the JSON, presets, boards from files, and what is refused."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from mineproof import (
    Agent,
    Board,
    Decision,
    FixedBoards,
    Game,
    Observation,
    RandomBoards,
    Rules,
    Setup,
    Topology,
    agents,
    cli,
    compare,
    play,
)
from mineproof.agents import registry
from mineproof.agents.exact import ExactAgent

if os.name != "nt":
    from terminal import Terminal

on_a_terminal = pytest.mark.skipif(os.name == "nt", reason="terminals differ")

HERE = ("--workers", "1")
BOARDS = "..*\n...\n\n*..\n...\n\n....\n*..*\n"


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "boards.txt"
    path.write_text(BOARDS)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a comparison in this process prints: all of it on standard output."""
    code = cli.main(["compare", *HERE, *map(str, words)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def results(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    compared = json.loads(run(capsys, *words, "--json"))
    assert list(compared) == ["conditions", "agents"]
    return [without_time(result) for result in compared["agents"]]


def without_time(result: Mapping[str, Any]) -> dict[str, Any]:
    return {**result, "ms_per_game": None}


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Bad input: nothing on standard output, one sentence on standard error, exit code 2."""
    code = cli.main(["compare", *map(str, words)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("mineproof: ")
    assert err.count("\n") == 1
    return err.removeprefix("mineproof: ").removeprefix("Invalid value for ").strip()


# ------------------------------------------------------------------------------------- what comes


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "exact,random", "--games", 30, "--seed", 5)
    first, second = json.loads(run(capsys, *words, "--json"))["agents"]
    assert (
        list(first)
        == list(second)
        == [
            "agent",
            "games",
            "wins",
            "win_rate",
            "low",
            "high",
            "score",
            "wrong_flags",
            "hits",
            "steps",
            "guesses",
            "ms_per_game",
            "difference",
            "difference_low",
            "difference_high",
        ]
    )
    assert (first["agent"], second["agent"]) == ("exact", "random")
    assert type(first["wins"]) is type(first["games"]) is int
    assert first["win_rate"] == first["wins"] / first["games"]
    assert 0 <= first["low"] < first["win_rate"] < first["high"] <= 1
    assert first["difference"] is first["difference_low"] is first["difference_high"] is None
    assert second["difference"] == pytest.approx(second["win_rate"] - first["win_rate"])
    assert -1 <= second["difference_low"] < second["difference"] < second["difference_high"] <= 1
    library = compare(["exact", "random"], RandomBoards(Setup.level("easy"), 30, seed=5))
    assert results(capsys, *words) == [without_time(result.to_dict()) for result in library]


def test_where_play_goes_on_scores_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "exact,random", "--games", 20, "--on-mine", "continue")
    first, second = results(capsys, *words)
    assert second["difference"] == pytest.approx(second["score"] - first["score"])
    assert "score minus" in run(capsys, *words)


@pytest.mark.parametrize(("columns", "tables"), [(60, 2), (80, 2), (120, 1)])
def test_the_table(
    columns: int, tables: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    words = ("--agents", "exact,random,exact:untold", "--games", 40, "--start", "zero")
    conditions, *parts, meanings = run(capsys, *words).split("\n\n")
    assert " ".join(conditions.split()) == (
        "40 games of each agent, 9 x 9 cells with 10 mines, start zero, first cell (3, 3), "
        "seeds 0 to 39."
    )
    assert len(parts) == tables
    result = results(capsys, *words)
    head, rows = parts[0].split("─\n")
    for word in ("agent", "win rate", "[95%]", "score", "win rate minus", "exact's"):
        assert word in head
    assert [line.split()[0] for line in rows.splitlines() if line[0] != " "] == [
        "exact",
        "random",
        "exact:untold",
    ]
    told = " ".join(rows.split())
    assert f"{100 * result[0]['win_rate']:.1f}%" in told
    assert f"[{100 * result[0]['low']:.1f},{100 * result[0]['high']:.1f}]" in told
    assert f"{100 * result[1]['difference']:+.1f}" in told
    assert f"[{100 * result[1]['difference_low']:+.1f}," in told
    for word in ("wrong", "flags", "hits", "steps", "guesses", "ms per"):
        assert word in parts[-1].split("─\n")[0]
    assert f"{result[1]['steps']:.2f}" in parts[-1]
    for part in parts:
        assert max(map(len, part.splitlines())) <= columns
        assert "…" not in part
        assert "\x1b" not in part
    names = ["score", "wrong flags", "hits", "steps", "guesses"]
    assert [name for line in meanings.splitlines() if (name := line[:13].strip())] == names


@pytest.mark.usefixtures("wide")
def test_the_conditions_as_json(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def conditions(*words: object) -> Any:
        out = run(capsys, "--agents", "random", "--seed", 3, *words, "--json")
        return json.loads(out)["conditions"]

    expected = {
        "rows": 5,
        "cols": 4,
        "topology": "square",
        "mines": 3,
        "start": "zero",
        "on_mine": "continue",
        "cascade": False,
        "given_safe": 2,
        "channel": "lost:0.5",
        "first": [1, 2],
        "seed": 3,
        "boards": "random",
        "games": 2,
    }
    words = "--rows 5 --cols 4 --mines 3 --start zero --first 1,2 --on-mine continue --no-cascade"
    more = "--given-safe 2 --channel lost:0.5 --games 2"
    assert conditions(*words.split(), *more.split()) == expected
    assert conditions("--first", "random", "--games", 2)["first"] == "random"
    assert "first cell random" in run(capsys, "--agents", "exact", "--first", "random")
    fixed = conditions("--boards", boards, "--first", "0,1")
    assert fixed["boards"] == "fixed"
    assert (fixed["rows"], fixed["cols"], fixed["mines"], fixed["games"]) == (2, None, None, 3)
    assert conditions("--boards", boards, "--first", "0,1", "--games", 2)["mines"] == 1


def test_a_random_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *HERE, "--agents", "random", "--games", "2", "--json"]
    assert cli.main([*words, "--seed", "random"]) == 0
    out, err = capsys.readouterr()
    assert err == f"mineproof: seed {json.loads(out)['conditions']['seed']}\n"


def test_one_agent_differs_from_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    assert "minus" not in run(capsys, "--agents", "random", "--games", 3)


@pytest.mark.usefixtures("wide")
def test_the_table_tells_the_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    size = ("--rows", 5, "--cols", 4, "--mines", 3, "--given-safe", 2, "--no-cascade")
    rest = ("--on-mine", "continue", "--channel", "lost:0.5", "--start", "any", "--seed", 7)
    out = run(capsys, "--agents", "random", "--games", 1, *size, *rest)
    assert out.startswith(
        "1 game of each agent, 5 x 4 cells with 3 mines, start any, play goes on after a mine, "
        "no cascade, 2 safe cells given, clues lost:0.5, seeds 7 to 7.\n"
    )


def test_a_game_can_be_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    [result] = results(capsys, "--agents", "random", "--games", 1, "--seed", 12)
    record = play(Game(Setup.level("easy"), seed=12), agents.get("random"), seed=12)
    assert (result["steps"], result["guesses"]) == (record.steps, record.guesses)


def test_workers_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "exact,random", "--games", "20"]
    assert cli.main(["compare", *words, "--json", "--workers", "2"]) == 0
    many = json.loads(capsys.readouterr().out)["agents"]
    assert [without_time(result) for result in many] == results(capsys, *words)


# ---------------------------------------------------------------------------------------- presets


@pytest.mark.parametrize(
    ("preset", "size", "rules", "cells"),
    [
        ("R0", ("--mines", 20), Rules("any", "continue"), (10, 10, 20)),
        ("R1", ("--rows", 7, "--cols", 7, "--density", 0.1), Rules("any"), (7, 7, 4)),
        ("R2", ("--level", "expert"), Rules("any", "end", False, 22), (16, 30, 99)),
        ("R2", (), Rules("any", "end", False, 9), (9, 9, 10)),
        ("R3", ("--density", 0.29), Rules("any", "continue"), (10, 10, 29)),
        ("R4", ("--density", 0.2), Rules("any", "continue", cascade=False), (10, 10, 20)),
        # What is written goes before.
        ("R4", ("--level", "easy"), Rules("any", "continue", cascade=False), (9, 9, 10)),
        (
            "R4",
            ("--rows", 5, "--density", 0.2),
            Rules("any", "continue", cascade=False),
            (5, 10, 10),
        ),
        (
            "R4",
            ("--mines", 9, "--start", "safe"),
            Rules("safe", "continue", cascade=False),
            (10, 10, 9),
        ),
        ("R4", ("--mines", 9, "--on-mine", "end"), Rules("any", cascade=False), (10, 10, 9)),
        ("R2", ("--cascade", "--given-safe", 3), Rules("any", given_safe=3), (9, 9, 10)),
    ],
)
def test_presets(
    preset: str,
    size: tuple[object, ...],
    rules: Rules,
    cells: tuple[int, int, int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--agents", "random,exact", "--games", 5, "--preset", preset)
    expected = compare(
        ["random", "exact"], RandomBoards(Setup(Topology(*cells[:2]), cells[2], rules), 5)
    )
    assert results(capsys, *words, *size) == [without_time(each.to_dict()) for each in expected]


@pytest.mark.usefixtures("wide")
def test_clue_heap_starts_at_a_zero(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--preset", "R0", "--mines", 10, "--games", 2)
    assert ", start zero, first cell (3, 3)," in run(capsys, "--agents", "clue-heap", *words)
    assert ", start any," in run(capsys, "--agents", "random", *words)
    assert refused(capsys, "--agents", "random,clue-heap", *words) == (
        "--preset: clue-heap starts at 'zero' and the other agents at 'any', but compared agents "
        "share their boards; give --start any or zero"
    )
    both = ("--agents", "random,clue-heap", "--start", "zero")
    assert ", start zero," in run(capsys, *both, *words)


# ----------------------------------------------------------------------------------- given boards


def test_boards(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "random,exact", "--boards", boards, "--first", "0,1", "--seed", 3)
    games = FixedBoards([*map(Board.from_text, BOARDS.split("\n\n"))], first=(0, 1), seed=3)
    expected = [without_time(result.to_dict()) for result in compare(["random", "exact"], games)]
    assert results(capsys, *words) == expected
    assert run(capsys, *words).startswith("3 games of each agent, a board each, start safe, first")
    assert [result["games"] for result in results(capsys, *words, "--games", 2)] == [2, 2]


def test_boards_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"..\r\n.*\r\n\r\n.*\r\n")))
    [result] = results(capsys, "--agents", "exact", "--boards", "-")
    assert result["games"] == 2


def test_presets_on_boards(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "exact", "--boards", boards, "--preset", "R2")
    assert "no cascade, 2 safe cells given" in run(capsys, *words, "--games", 2)
    sizes = "--preset gives more safe cells on larger boards; give --given-safe for all"
    assert refused(capsys, *words) == sizes
    assert "1 safe cell given" in run(capsys, *words, "--given-safe", 1)
    assert "start any, play goes on" in run(capsys, *words[:-1], "R4")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "{}: no cells: the text is empty"),
        ("..\n..*", "{}: row 1: 3 cells, expected 2"),
        ("..\n\n.*\n.x", "{}: entry 1: (1, 1): unknown character 'x'"),
        (
            "..\n\n*.",
            "'--boards': board 1: a mine at the first cell, (0, 0), which start 'safe' forbids",
        ),
    ],
)
def test_bad_boards(
    text: str, sentence: str, boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    boards.write_text(text)
    assert refused(capsys, "--agents", "exact", "--boards", boards) == sentence.format(boards)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "4"], "--games 4: --boards has 3 boards"),
        (["--level", "easy"], "--boards cannot be used with --level"),
        (["--rows", "3"], "--boards cannot be used with --rows"),
        (["--density", "0.1"], "--boards cannot be used with --density"),
        (["--first", "2,0"], "'--boards': board 0: (2, 0)"),
        (["--first", "0,1", "--given-safe", "6"], "'--boards': board 0: 6 given"),
        (
            ["--first", "1,2", "--start", "zero"],
            "'--boards': board 0: a mine next",
        ),
    ],
)
def test_options_that_do_not_fit_the_boards(
    words: list[str], sentence: str, boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, "--agents", "exact", "--boards", boards, *words).startswith(sentence)


# ------------------------------------------------------------------------------------ wrong words


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--agents", "lucky"], "'--agents': agent 'lucky': must be random,"),
        (["--agents", "exact,"], "'--agents': agent '': must be"),
        (["--agents", "exact:lucky"], "'--agents': option of exact 'lucky'"),
        (["--games", "0"], "'--games': 0 is not in the range 1<=x<=10000000"),
        (["--games", "many"], "'--games': 'many' is not a valid whole number"),
        (["--games", "9" * 30], "'--games': 9999"),
        (["--workers", "0"], "'--workers': 0 is not in the range 1<=x<=1000"),
        (["--workers", "all"], "'--workers': 'all' is not a valid whole number"),
        (["--seed", "-1"], "'--seed': -1 is not in the range x>=0"),
        (["--seed", str(2**64 - 1)], "'--seed': seed 1844674407370955"),
        (["--preset", "R5"], "'--preset': 'R5' is not one of "),
        (["--preset", "R3"], "--preset needs --mines or --density as well"),
        (["--preset", "R1", "--density", "0.2"], "--density needs --rows and --cols as well"),
        (["--boards", "missing.txt"], "missing.txt: no such file or directory"),
        (["--level", "huge"], "'--level': 'huge' is not one of "),
        (["--rows", "3"], "--rows needs --cols as well"),
        (
            ["--rows", "3", "--cols", "3", "--mines", "9"],
            "'--mines': 9 mines: the",
        ),
        (["--rows", "3", "--cols", "3", "--density", "x"], "'--density'"),
        (["--start", "lucky"], "'--start': 'lucky' is not one of "),
        (["--first", "3"], "'--first': '3' is not a row and a column"),
        (["--on-mine", "cry"], "'--on-mine': 'cry' is not one of "),
        (["--given-safe", "72"], "'--given-safe': 72 given safe cells"),
        (["--channel", "loud"], "'--channel': channel 'loud': must be exact,"),
        (["--colour"], "No such option '--colour'"),
    ],
)
def test_wrong_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "--agents", "exact", *words).startswith(sentence)


def test_somebody_has_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--agents" in refused(capsys)


class Clumsy(Agent):
    name = "clumsy"

    def decide(self, observation: Observation) -> Decision | None:
        raise LookupError("no idea")


def test_an_agent_that_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "registered", lambda: {"clumsy": Clumsy})
    assert cli.main(["compare", *HERE, "--agents", "clumsy", "--seed", "9"]) == 1
    out, err = capsys.readouterr()
    sentence = "mineproof: agent 'clumsy' failed in the game of seed 9: LookupError: no idea ("
    assert (out, err.partition("(")[0] + "(", err.count("\n")) == ("", sentence, 1)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", "--help"]) == 0
    out = capsys.readouterr().out
    for word in ("--agents", "--games", "--preset", "--boards", "--workers", "--seed", "--json"):
        assert word in out
    assert "`mineproof watch --seed` shows the same game" in " ".join(out.split())
    assert "guesses      openings that the agent does not claim to be safe" in out


# ----------------------------------------------------------------------------------- on a terminal


@on_a_terminal
def test_progress_is_shown_to_a_person() -> None:
    with Terminal("compare", *HERE, "--agents", "exact,random", "--games", "400") as terminal:
        assert terminal.wait() == 0
        assert "800/800 games" in terminal.plain
        assert "/s " in terminal.plain
        assert "left" in terminal.plain
        # A narrow terminal gets intervals on lines of their own, and all of each number.
        assert "…" not in terminal.plain
        assert terminal.plain.count("\nrandom") == 1


@on_a_terminal
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interruption_shows_what_is_finished(workers: str) -> None:
    words = ("compare", "--agents", "random,basic", "--games", "1000000", "--workers", workers)
    with Terminal(*words, rows=40) as terminal:
        # Some games of both agents.
        terminal.wait_until(lambda screen: bool(re.search(r"[1-9]\d{3,}/2000000", screen.plain)))
        terminal.press("\x03")
        assert terminal.wait() == 130
        shown = " ".join(terminal.plain.split())
    assert "Traceback" not in shown
    stopped = re.search(
        r"mineproof: stopped: all agents have finished ([0-9,]+) of 1,000,000 games", shown
    )
    assert stopped is not None
    assert f"{stopped[1]} of 1,000,000 games of each agent" in shown
    assert "guesses" in shown


def test_an_interrupted_comparison_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("compare", *HERE, "--agents", "exact,stops", "--games", "20", "--json")
    monkeypatch.setattr(registry, "registered", lambda: {"exact": ExactAgent, "stops": Stops})
    monkeypatch.setattr(Stops, "games_left", 5)
    assert cli.main([*words]) == 130
    out, err = capsys.readouterr()
    assert err == "mineproof: stopped: all agents have finished 4 of 20 games\n"
    compared = json.loads(out)
    assert compared["conditions"]["games"] == 20
    assert [agent["games"] for agent in compared["agents"]] == [4, 4]
    library = compare(["exact"], RandomBoards(Setup.level("easy"), 4))
    assert without_time(compared["agents"][0]) == without_time(library[0].to_dict())
    monkeypatch.setattr(Stops, "games_left", 0)
    assert cli.main([*words]) == 130
    assert capsys.readouterr() == (
        "",
        "mineproof: stopped: all agents have finished 0 of 20 games\n",
    )


class Stops(Agent):
    """Is interrupted after some games."""

    name = "stops"
    games_left: ClassVar[int] = 0

    def decide(self, observation: Observation) -> Decision | None:
        if Stops.games_left == 0:
            raise KeyboardInterrupt
        Stops.games_left -= 1
        return None
