"""Agents that attack the tournament itself: through names, texts, messages, and its seed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import done
from processes import is_running

from mineproof import Rules, Setup, agents
from mineproof.arena.bulk import play_games
from mineproof.tournament import (
    Entrant,
    Limits,
    TournamentGames,
    keeper,
    kept_seed,
    play_tournament,
    standings,
    tournament_page,
)

GAMES = TournamentGames(Setup.level("easy", rules=Rules("zero")), count=4, seed=11)
LIMITS = Limits(seconds=20.0, megabytes=128)

HEAD = "from mineproof import Agent, Decision\n"
GUESSES = """class Student(Agent):
    name = "student"

    def decide(self, observation):
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
"""
RAISES = """class Student(Agent):
    name = "student"

    def decide(self, observation):
        raise ValueError({text})
"""


def written(folder: Path, code: str, name: str = "student") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(HEAD + code)
    return file


def held(tmp_path: Path, *files: Path, limits: Limits = LIMITS, **options: str) -> list[Entrant]:
    references = [options["reference"]] if options else []
    return play_tournament(files, GAMES, limits=limits, out=tmp_path / "out", references=references)


# --------------------------------------------------------------------------------- names and texts


def test_a_file_that_is_called_like_an_agent_of_mineproof_takes_nobodys_place(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, GUESSES, "exact")
    found = held(tmp_path, file, reference="exact")
    assert [(each.name, each.is_reference) for each in found] == [("exact", True), ("exact", False)]
    records = play_games(agents.get("exact"), GAMES, range(len(GAMES)))
    wins = sum(record.won for record in records)
    ranked = standings(found, GAMES)
    assert [(each.entrant, each.result.wins) for each in ranked] == [
        (found[0], wins),
        (found[1], 0),
    ]
    assert wins > 0
    page = tournament_page(found, ranked, GAMES, LIMITS)
    assert "exact (of mineproof)" in page
    assert held(tmp_path, file, reference="exact") == found  # From the archive.


def test_a_tournament_of_a_namesake_tells_the_two_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "students"
    written(folder, GUESSES, "exact")
    words = ("tournament", folder, "--games", 4, "--with", "exact", "--out", tmp_path / "out")
    assert "exact (of mineproof)" in done(capsys, *words)
    told = json.loads(done(capsys, *words, "--json"))
    assert [(each["name"], each["is_reference"]) for each in told["agents"]] == [
        ("exact", True),
        ("exact", False),
    ]
    assert told["agents"][0]["win_rate"] > told["agents"][1]["win_rate"]


def test_an_agent_without_a_name_plays_like_any_other(tmp_path: Path) -> None:
    [entrant] = held(tmp_path, written(tmp_path, GUESSES.replace('"student"', '""')))
    assert (entrant.name, entrant.title, entrant.out) == ("student", "", "")
    assert len(standings([entrant], GAMES)) == 1


@pytest.mark.long
def test_names_of_classes_and_topologies_are_texts_of_an_agent_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "students"
    code = GUESSES + (
        "    topologies = ('\\x1b[31m',)\n\n"
        "for name in ('A\\x1b', 'A\\x07'):\n"
        "    globals()[name] = type(name, (Student,), {'__module__': __name__})\n"
    )
    written(folder, code)
    words = ("tournament", folder, "--games", 4, "--with", "", "--out", tmp_path / "out")
    first, again = done(capsys, *words), done(capsys, *words)
    assert all(line.isprintable() for line in first.splitlines())
    assert first == again
    assert first.count("is not ranked: ") == 2


@pytest.mark.parametrize(
    "text",
    [r"'\ud800'", r"'\x1b[2J\x1b]0;owned\x07'", r"'\u202e\x00\x9b'", "'long' * 10**6"],
    ids=["surrogate", "escapes", "invisible", "long"],
)
def test_no_text_of_an_agent_harms_files_or_the_terminal(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "students"
    written(folder, RAISES.format(text=text))
    words = ("tournament", folder, "--games", 4, "--with", "", "--out", tmp_path / "out")
    for _ in range(2):
        shown = done(capsys, *words)
        assert "failed in 3 games: ValueError: " in shown
        assert all(line.isprintable() and len(line) < 600 for line in shown.splitlines())
    for name in ("index.html", "tournament.json"):
        assert "\x1b" not in (tmp_path / "out" / name).read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode here")
def test_the_name_of_a_file_may_be_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "students"
    for name in ("\x1b[31mred", os.fsdecode(b"\xff"), "a:b"):
        written(folder, GUESSES, name)
    words = ("tournament", folder, "--games", 1, "--with", "", "--out", tmp_path / "out")
    for _ in range(2):
        shown = done(capsys, *words)
        assert "a:b" in shown
        assert all(line.isprintable() for line in shown.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
def test_what_is_no_file_is_not_ranked_and_harms_nobody(tmp_path: Path) -> None:
    student = written(tmp_path, GUESSES)
    files = [tmp_path / f"{name}.py" for name in ("nowhere", "circle", "zero", "folder", "pipe")]
    for link, target in zip(files, ("nothing", "circle.py", "/dev/zero"), strict=False):
        link.symlink_to(target)
    files[3].mkdir()
    os.mkfifo(files[4])
    for _ in range(2):
        found = held(tmp_path, *files, student)
        assert [each.out.removeprefix("cannot be loaded: ") for each in found] == [
            "no such file or directory",
            "too many levels of symbolic links",
            *["not a file"] * 3,
            "",
        ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_link_to_an_agent_plays_and_one_to_something_else_does_not(tmp_path: Path) -> None:
    links = [tmp_path / "student.py", tmp_path / "shell.py"]
    written(tmp_path / "elsewhere", GUESSES).rename(tmp_path / "elsewhere" / "code")
    links[0].symlink_to(tmp_path / "elsewhere" / "code")
    links[1].symlink_to(sys.executable)
    ranked, not_ranked = held(tmp_path, *links)
    assert (ranked.name, ranked.out) == ("student", "")
    assert "Error: " in not_ranked.out


@pytest.mark.parametrize("kinds", ["('hex',)", r"('\x1b[31m',)"])
def test_an_agent_for_other_boards_is_not_ranked(tmp_path: Path, kinds: str) -> None:
    file = written(tmp_path, f"{GUESSES}    topologies = {kinds}\n")
    first, other = held(tmp_path, file, written(tmp_path, GUESSES, "other"))
    assert first.out.startswith("agent 'student': plays ")
    assert first.out.endswith(" boards, not square")
    assert first.out.isprintable()
    assert other.out == ""


def test_a_file_with_a_crowd_of_agents_does_not_play(tmp_path: Path) -> None:
    crowd = "for number in range(3000):\n    globals()[f'A{number}'] = type(Student)("
    code = f"{GUESSES}\n{crowd}f'A{{number}}', (Student,), {{'__module__': __name__}})\n"
    [entrant] = held(tmp_path, written(tmp_path, code))
    assert entrant.out == "cannot be loaded: it has 3000 agents, at most 16 may play"


# ---------------------------------------------------------------------------------------- messages

RAW = """import os, stat, struct, time

def pipes():
    for number in range(3, 30):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                yield number
        except OSError:
            pass

def send(body, length=None):
    for number in pipes():
        try:
            os.write(number, struct.pack(">I", len(body) if length is None else length) + body)
        except OSError:
            pass
"""
SENDS = (
    RAW
    + """
class Student(Agent):
    name = "student"

    def decide(self, observation):
        send({body})
        time.sleep(60)
"""
)


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"5",
        b"null",
        b"[]",
        b"{}",
        b'{"answer": 5}',
        b'{"answer": {"actions": [["open", 1e999, 0, true, null]], "reason": ""}}',
        b'{"answer": {"actions": [["open", 0, 0, true, NaN]], "reason": ""}}',
        b'{"answer": {"actions": 7, "reason": ""}}',
        b'{"answer": {"actions": [["open", 0, 0, true, null]], "reason": {}}}',
        b'{"secret": 1}',
        b"[" * 60_000,
        b"\xff\xfe",
    ],
    ids=lambda body: body[:40].decode(errors="replace"),
)
def test_an_answer_may_be_anything(tmp_path: Path, body: bytes) -> None:
    [entrant] = held(tmp_path, written(tmp_path, SENDS.format(body=body)))
    assert entrant.out == "failed in 3 games: sent something that is not an answer"


@pytest.mark.long
def test_too_long_an_answer_is_not_read(tmp_path: Path) -> None:
    code = SENDS.format(body="b'[', 2**31")
    [entrant] = held(tmp_path, written(tmp_path, code))
    assert entrant.out == "failed in 3 games: sent something that is not an answer"


@pytest.mark.long
@pytest.mark.parametrize("sent", ["b'{', 99", "b''"], ids=["half a message", "nothing"])
def test_half_a_message_ends_at_the_limit(tmp_path: Path, sent: str) -> None:
    code = SENDS.format(body=sent).replace("send(b'')", "pass")
    limits = Limits(seconds=0.2, megabytes=128)
    [entrant] = held(tmp_path, written(tmp_path, code), limits=limits)
    assert entrant.out == "failed in 3 games: took more than 0.2 s"


def test_half_a_message_while_the_file_is_loaded_ends_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mineproof.tournament.process._START", 2.0)
    code = f"{RAW}send(b'{{', 99)\ntime.sleep(60)\n{GUESSES}"
    [entrant] = held(tmp_path, written(tmp_path, code))
    assert entrant.out == "cannot be loaded: took more than 2 s"


# ----------------------------------------------------------------------------- ends that nobody saw

LOOPS = """import os, re, signal
from pathlib import Path

class Student(Agent):
    name = "student"

    def decide(self, observation):
        Path(__file__).with_name("pid").write_text(str(os.getpid()))
        {loop}
"""


def until(seconds: float) -> Iterator[None]:
    latest = time.monotonic() + seconds
    while time.monotonic() < latest:
        yield
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.long
@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "re.match('(a+)+$', 'a' * 60 + 'b')",
        "signal.signal(signal.SIGIO, signal.SIG_IGN); 10 ** 10**9",
    ],
    ids=["Python", "native", "native and deaf"],
)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_players_end_with_the_tournament_which_can_go_on(
    tmp_path: Path, loop: str, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "students", tmp_path / "out"
    written(folder, GUESSES, "ada")
    written(folder, LOOPS.format(loop=loop))
    limits = ("--seconds", 600, "--workers", 1)
    words = ("tournament", folder, "--games", 5, "--with", "exact", *limits, "--json")
    command = [sys.executable, "-m", "mineproof", *map(str, words), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        pid = folder / "pid"
        for _ in until(60):
            if pid.exists() and pid.read_text():
                break
        player = int(pid.read_text())
        assert is_running(player)
        assert kept_seed(out) is None
        process.send_signal(number)
    for _ in until(10):
        if not is_running(player) and kept_seed(out) is not None:
            break
    assert not is_running(player)
    kept = json.loads((out / "tournament.json").read_text())
    assert [each["name"] for each in kept["agents"]] == ["exact", "ada"]
    written(folder, GUESSES)
    resumed = json.loads(done(capsys, *words, "--out", out))
    assert resumed["seed"] == kept["conditions"]["seed"]
    afresh = json.loads(done(capsys, *words, "--out", tmp_path / "2", "--seed", resumed["seed"]))
    for each in (*resumed["agents"], *afresh["agents"]):
        del each["ms_per_game"]
    assert resumed["agents"] == afresh["agents"]


# ---------------------------------------------------------------------------------------- the seed

CHEATS = '''import json, os
from mineproof import Setup, Rules
from mineproof.tournament import TournamentGames

def look():
    """Read the seed of the tournament in a way that nobody watches."""
    folder = os.open({out!r}, os.O_RDONLY)
    for name in os.listdir(folder):
        text = os.read(os.open(name, os.O_RDONLY, dir_fd=folder), 10**7).decode()
        where = text.find('"seed": ')
        if where >= 0:
            return int(text[where + 8 :].split(",")[0].split("}}")[0])
        where = text.find("Seed of the tournament: ")
        if where >= 0:
            return int(text[where + 24 :].split(".")[0])
    return None

seed = look()
setup = Setup.level("easy", rules=Rules("zero"))
games = None if seed is None else TournamentGames(setup, {count}, seed)

class Student(Agent):
    name = "student"

    def begin(self, seed):
        super().begin(seed)
        self.board = None

    def decide(self, observation):
        seen = observation.cells >= 0
        for number in range(0 if games is None else len(games)):
            game = games.game(number)
            game.open((3, 3))
            if (game.board.counts[seen] == observation.cells[seen]).all():
                safe = [c for c in observation.closed_cells() if not game.board.layout[c]]
                if safe:
                    return Decision.guess(safe[0], "I know the board")
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
'''


def cheat(folder: Path, out: Path) -> Path:
    return written(folder, CHEATS.format(out=str(out), count=GAMES.count), "cheat")


def wins(entrant: Entrant) -> float:
    return sum(entrant.columns[0])


def test_an_agent_that_reads_the_files_of_the_tournament_learns_no_seed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    [reference, cheater] = held(tmp_path, cheat(tmp_path, out), reference="exact")
    assert wins(reference) > 0
    assert (cheater.out, wins(cheater)) == ("", 0)
    assert kept_seed(out) == GAMES.seed, "it is written when all games are played"


@pytest.mark.long
def test_nor_does_one_that_comes_to_a_finished_tournament(tmp_path: Path) -> None:
    out = tmp_path / "out"
    [honest] = held(tmp_path, written(tmp_path, GUESSES))
    (out / "index.html").write_text(tournament_page([honest], [], GAMES, LIMITS))
    assert kept_seed(out) == GAMES.seed
    found = held(tmp_path, written(tmp_path, GUESSES), cheat(tmp_path, out))
    assert found[0] == honest
    assert wins(found[1]) == 0


def test_a_full_disk_is_said_of_the_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tournament.json"
    file.write_text("old")

    def full(self: Path, text: str, encoding: str) -> None:
        self.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left") as raised:
        keeper.replace(file, "new")
    assert raised.value.filename == str(file)
    assert [*tmp_path.iterdir()] == [file]
    assert file.read_text() == "old"


def test_a_seal_says_nothing_and_opens_with_its_seed_alone(tmp_path: Path) -> None:
    text = json.dumps({"conditions": {"seed": 7}, "agents": ["ada"]})
    seal = keeper.sealed(text, 7)
    assert "ada" not in seal
    assert seal != keeper.sealed(text, 7)
    assert keeper.unsealed(seal, 7) == keeper.unsealed(text, 7) == text
    with pytest.raises(ValueError, match=r"codec|Expecting|Extra"):
        json.loads(keeper.unsealed(seal, 8))


def test_a_tournament_that_was_cut_off_goes_on_with_its_seed(tmp_path: Path) -> None:
    """The machine stopped: nobody has broken the seal."""
    out = tmp_path / "out"
    student = written(tmp_path, GUESSES)
    found = held(tmp_path, student)
    file = out / "tournament.json"
    file.write_text(keeper.sealed(file.read_text(), GAMES.seed))
    assert kept_seed(out) is None
    assert held(tmp_path, student) == found
