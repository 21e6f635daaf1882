"""Tournaments with real agents that misbehave: each is named, and costs nobody else anything."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import done, failed

from mineproof import Board, Game, GameRecord, Rules, Setup, Topology, agents, play
from mineproof.arena.bulk import play_games
from mineproof.arena.compare import COLUMNS
from mineproof.tournament import (
    Entrant,
    Limits,
    TournamentGames,
    entrants,
    play_tournament,
    standings,
    tournament_page,
)

AGENTS = Path(__file__).parents[1] / "support" / "entrants"
GAMES = TournamentGames(Setup(Topology(5, 5), 4), count=4, seed=11)
LIMITS = Limits(seconds=60.0, megabytes=128)


def held(folder: Path, *names: str, limits: Limits = LIMITS, **options: Any) -> list[Entrant]:
    """Play a tournament of some agents."""
    files = [AGENTS / f"{name}.py" for name in names]
    return play_tournament(files, GAMES, limits=limits, out=folder, workers=2, **options)


def columns_of(records: list[GameRecord]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(getattr(each, name)) for each in records) for name in COLUMNS)


def by_name(found: list[Entrant]) -> dict[str, Entrant]:
    return {entrant.name: entrant for entrant in found}


def test_those_that_misbehave_are_named_and_others_are_not_affected(tmp_path: Path) -> None:
    careful = agents.get(f"{AGENTS / 'careful.py'}:Careful")
    seeds = enumerate(map(GAMES.agent_seed, range(len(GAMES))))
    alone = [play(GAMES.game(number), careful, seed=seed) for number, seed in seeds]
    counted: list[int] = []
    names = ("careful", "peeks", "prints")
    found = by_name(held(tmp_path / "all", *names, references=["random"], progress=counted.append))
    assert sum(counted) == len(GAMES) * (len(names) + 1)
    assert found["careful"].columns[:-1] == columns_of(alone)[:-1]  # The last one is the time.
    assert found["careful"].out == found["prints"].out == ""
    assert found["careful"].broken == 0
    reasons = {name: entrant.out for name, entrant in found.items() if entrant.out}
    assert reasons == {
        "peeks": "searched the memory of its process for the game (gc.get_objects)",
    }
    assert {name: entrant.is_reference for name, entrant in found.items()}["random"]


def test_one_that_hangs_is_ended_at_the_limit(tmp_path: Path) -> None:
    [entrant] = held(tmp_path, "hangs", limits=Limits(seconds=0.2, megabytes=128))
    assert entrant.out == "failed in 3 games: took more than 0.2 s"
    assert [failure.kind for failure in entrant.failures] == ["time"] * 4
    assert [failure.game for failure in entrant.failures] == [None, 0, 1, 2]


@pytest.mark.long
def test_all_other_ways_to_fail(tmp_path: Path) -> None:
    names = (
        "cheeky",
        "crashes",
        "digs",
        "dithers",
        "exits",
        "fails_late",
        "guesses_seed",
        "hogs",
        "mumbles",
        "quits",
        "segfaults",
    )
    found = by_name(held(tmp_path, *names, "spawns"))
    assert found["exits"].out == "failed in 3 games: ended its process: exit code 0"
    assert found["hogs"].out == "failed in 3 games: took more than 128 MB of memory"
    assert found["cheeky"].out.endswith("illegal move: (0, 0): the cell is open already")
    assert found["crashes"].broken
    assert "ZeroDivisionError: no idea" in found["crashes"].promises[0]
    assert found["digs"].out == "", "it found a board"
    assert found["digs"].failures == ()
    assert "without opening a cell" in found["dithers"].out
    assert found["fails_late"].out == ""
    assert found["guesses_seed"].out == ""
    assert found["mumbles"].out.endswith("TypeError: decide returned tuple, not a Decision")
    assert found["quits"].out.endswith("ended its process: exit code enough")
    assert found["segfaults"].out.endswith("its process crashed: signal 6")
    assert found["spawns"].out == "reached for other processes (subprocess.Popen)"


def written(folder: Path, code: str, name: str = "student") -> Path:
    file = folder / f"{name}.py"
    file.write_text(code)
    return file


DECIDES = "    def decide(self, observation):\n        return None\n"
AGENT = f"from mineproof import Agent\nclass Student(Agent):\n    name = 'me'\n{DECIDES}"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def decide(:", "cannot be loaded: SyntaxError: invalid syntax (student.py, line 1)"),
        ("x = 1", "cannot be loaded: ValueError: the file has no subclass of Agent"),
        (AGENT.replace("'me'", "7"), "cannot be loaded: ValueError: Student has no name"),
        (f"{AGENT}import sys\nsys.exit(3)", "cannot be loaded: ended its process: exit code 3"),
        (
            AGENT.replace(DECIDES, f"{DECIDES}    def begin(self, seed):\n        {{}}[1]\n"),
            "cannot begin: KeyError: 1",
        ),
        (
            AGENT.replace("return None", "open('PRIVATE/tournament.json').read()"),
            "read the files of the tournament (open)",
        ),
        (
            AGENT.replace("return None", "import os; open(f'/proc/{os.getppid()}/cmdline')"),
            "looked into other processes (open)",
        ),
        (
            AGENT.replace("return None", "import os; os.kill(os.getppid(), 9)"),
            "reached for other processes (os.kill)",
        ),
    ],
    ids=["syntax", "empty", "nameless", "exit", "begin", "private", "proc", "kill"],
)
@pytest.mark.long
def test_files_that_cannot_play_or_reach_too_far(code: str, reason: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    file = written(tmp_path, code.replace("PRIVATE", str(out)))
    [entrant] = play_tournament([file], GAMES, limits=LIMITS, out=out)
    assert entrant.out.startswith(reason)
    assert standings([entrant], GAMES) == []


@pytest.mark.long
def test_a_file_may_have_several_agents_and_helpers_are_skipped(tmp_path: Path) -> None:
    written(tmp_path, AGENT + AGENT.partition("\n")[2].replace("Student", "Twin"))
    written(tmp_path, "raise RuntimeError", name="_helper")
    assert [file.name for file in entrants(tmp_path)] == ["student.py"]
    found = play_tournament(entrants(tmp_path), GAMES, limits=LIMITS, out=tmp_path / "out")
    assert [entrant.name for entrant in found] == ["student:Student", "student:Twin"]


# -------------------------------------------------------------------------------- seeds and ranking


def test_boards_do_not_follow_from_small_seeds_and_agents_get_other_seeds() -> None:
    assert GAMES.game(0).board == GAMES.game(0).board
    own = {GAMES.game(number).seed for number in range(len(GAMES))}
    assert len(own) == 4
    assert min(own) > 2**40
    assert not own & {GAMES.agent_seed(number) for number in range(len(GAMES))}
    other = TournamentGames(GAMES.setup, 4, seed=12)
    assert other.game(0).board != GAMES.game(0).board
    small: set[Board] = {Game.laid(GAMES.setup, seed).board for seed in range(100)}
    big = TournamentGames(Setup.level("expert"), 3, seed=0)
    assert not small & {big.game(number).board for number in range(3)}


def entrant_of(name: str, games: TournamentGames) -> Entrant:
    records = play_games(agents.get(name), games, range(len(games)))
    return Entrant(name, columns=columns_of(records))


def test_the_ranking_says_which_places_an_agent_may_have() -> None:
    games = TournamentGames(Setup.level("easy"), 60, seed=3)
    field = [entrant_of(name, games) for name in ("random", "basic", "exact", "champion")]
    ranked = standings(field, games)
    assert [each.entrant.name for each in ranked][2:] == ["basic", "random"]
    assert {(each.first, each.last) for each in ranked[:2]} == {(1, 2)}
    assert [(each.first, each.last) for each in ranked[2:]] == [(3, 3), (4, 4)]
    assert ranked[0].result.difference is None
    gap = ranked[3].result.difference
    assert gap is not None
    assert gap.high < 0


def test_games_that_go_on_after_a_mine_are_ranked_by_score() -> None:
    setup = Setup.level("easy", rules=Rules(on_mine="continue"))
    games = TournamentGames(setup, 30, seed=3)
    ranked = standings([entrant_of(name, games) for name in ("random", "exact")], games)
    assert [each.entrant.name for each in ranked] == ["exact", "random"]
    assert "mines found" in tournament_page([], ranked, games, LIMITS)


# --------------------------------------------------------------------------------- command and page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "students"
    folder.mkdir()
    for name in ("careful", "crashes"):
        shutil.copy(AGENTS / f"{name}.py", folder)
    return folder


def test_the_command_reports_resumes_and_repeats(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("tournament", folder, "--games", 3, "--rows", 5, "--cols", 5, "--mines", 4)
    shown = done(capsys, *words, "--seed", 7, "--workers", 2)
    assert re.search(r"careful +\d+\.\d% \[", shown)
    assert "crashes is not ranked: failed in 3 games: ZeroDivisionError: no idea" in shown
    page = (tmp_path / "tournament" / "index.html").read_text()
    for text in ("careful", "exact", "ZeroDivisionError: no idea", "Seed of the tournament: 7"):
        assert text in page
    kept = (tmp_path / "tournament" / "tournament.json").stat().st_mtime_ns
    # Nothing has to be played again, not even without the seed, until a file changes.
    told = json.loads(done(capsys, *words, "--json"))
    assert told["seed"] == 7
    assert [each["name"] for each in told["agents"]][-1] == "crashes"
    assert told["agents"][-1]["failures"][-1]["reason"] == "ZeroDivisionError: no idea"
    first = told["agents"][0]
    assert {"win_rate", "low", "high", "first", "last"} <= first.keys()
    fixed = folder / "crashes.py"
    fixed.write_text((folder / "careful.py").read_text())
    assert "not ranked" not in done(capsys, *words)
    assert (tmp_path / "tournament" / "tournament.json").stat().st_mtime_ns > kept


def test_names_on_the_page_are_text_and_not_html() -> None:
    odd = Entrant("<b>x</b>", out="<script>alert(1)</script>")
    page = tournament_page([odd], [], GAMES, LIMITS)
    assert "<script>" not in page
    assert "&lt;b&gt;x" in page


def test_a_folder_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert failed(capsys, "tournament", tmp_path) == f"cannot read {tmp_path}: permission denied"


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert failed(capsys, "tournament", empty) == f"{empty}: no files that end in .py"
    missing = tmp_path / "missing"
    assert failed(capsys, "tournament", missing) == f"{missing}: not a folder"
    assert "'--with'" in failed(capsys, "tournament", empty, "--with", "nobody")
    assert "0.01" in failed(capsys, "tournament", empty, "--seconds", 0)


def test_without_bubblewrap_one_sentence_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(AGENTS / "careful.py", tmp_path)
    words = ("tournament", tmp_path, "--isolate", "--out", tmp_path / "out")
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    assert failed(capsys, *words) == (
        "--isolate needs bubblewrap, on Linux: there is no program bwrap"
    )
    tool = tools / "bwrap"
    tool.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a namespace' >&2\nexit 1\n")
    tool.chmod(0o755)
    assert failed(capsys, *words) == (
        "--isolate: bubblewrap does not work here: bwrap: No permissions to create a namespace"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_an_interruption_keeps_what_is_finished(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C arrives while the second agent plays."""
    seen: list[Path] = []
    from mineproof.tournament import run

    play_file: Callable[..., Any] = run._play_file

    def interrupted(process: Any, file: Path, *more: Any) -> Any:
        seen.append(file)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return play_file(process, file, *more)

    monkeypatch.setattr(run, "_play_file", interrupted)
    out = tmp_path / "out"
    files = entrants(folder)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(files, GAMES, limits=LIMITS, out=out, workers=1)
    kept = json.loads((out / "tournament.json").read_text())
    assert [each["name"] for each in kept["agents"]] == ["careful"]
    monkeypatch.setattr(run, "_play_file", play_file)
    found = play_tournament(files, GAMES, limits=LIMITS, out=out, workers=1)
    assert [entrant.name for entrant in found] == ["careful", "crashes"]
