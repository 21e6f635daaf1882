"""What an isolated agent can reach: its folder and Python, and nothing else of the machine."""

from __future__ import annotations

import os
import platform
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mineproof import Setup, Topology
from mineproof.arena.compare import COLUMNS
from mineproof.tournament import Entrant, Limits, TournamentGames, play_tournament, sandbox

AGENTS = Path(__file__).parents[1] / "support" / "entrants"
GAMES = TournamentGames(Setup(Topology(5, 5), 4), count=3, seed=11)
LIMITS = Limits(seconds=60.0, megabytes=200, isolated=True)


@pytest.fixture(scope="module", autouse=True)
def _works() -> None:
    try:
        sandbox.check(AGENTS / "careful.py")
    except ValueError as error:
        pytest.skip(str(error))


def held(tmp_path: Path, *files: Path, limits: Limits = LIMITS) -> list[Entrant]:
    return play_tournament(files, GAMES, limits=limits, out=tmp_path / "out")


def outcome(tmp_path: Path, attack: str, out: str = "out") -> str:
    """Return what comes of an attack, which says what it has reached in `found`.

    It first clears the list of what is forbidden, so that only the system can stop it.
    """
    folder = tmp_path / "students"
    folder.mkdir(exist_ok=True)
    file = folder / "attacker.py"
    lines = "".join(f"        {line}\n" for line in attack.splitlines())
    file.write_text(
        "import ctypes, mmap, os, signal, socket, subprocess, sys, threading\n"
        "from pathlib import Path\n"
        "from mineproof import Agent\n"
        "from mineproof.tournament import guard\n"
        "guard._FORBIDDEN.clear()\n"
        "class Attacker(Agent):\n"
        "    name = 'attacker'\n"
        "    def decide(self, observation):\n"
        "        return None\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        f"{lines}"
        "        raise RuntimeError(f'found {found}')\n"
    )
    [entrant] = play_tournament([file], GAMES, limits=LIMITS, out=tmp_path / out)
    return entrant.out.removeprefix("cannot begin: ")


@pytest.mark.long
def test_isolated_agents_play_the_same_games(tmp_path: Path) -> None:
    careful = AGENTS / "careful.py"
    openly = play_tournament(
        [careful], GAMES, limits=replace(LIMITS, isolated=False), out=tmp_path / "open"
    )
    isolated = held(tmp_path, careful)
    last = COLUMNS.index("seconds")
    assert isolated[0].columns[:last] == openly[0].columns[:last]
    assert (isolated[0].broken, isolated[0].failures) == (0, ())


def test_memory_of_any_kind_is_limited(tmp_path: Path) -> None:
    shared = "found = mmap.mmap(-1, 1500 * 2**20)\nfor at in range(0, len(found), 4096):\n"
    assert outcome(tmp_path, f"{shared}    found[at] = 1") == "took more than 200 MB of memory"


ATTACKS = {
    "open": ("found = open(SECRET).read()", "FileNotFoundError"),
    "open in a folder": (
        "root = os.open('/', os.O_RDONLY)\n"
        "found = os.read(os.open(SECRET[1:], os.O_RDONLY, dir_fd=root), 99)",
        "FileNotFoundError",
    ),
    "hard link": ("os.link(SECRET, Path(__file__).with_name('link'))", "FileNotFoundError"),
    "memory of the parent": (
        "proc = os.open('/proc', os.O_RDONLY)\n"
        "found = os.open(f'{PARENT}/mem', os.O_RDONLY, dir_fd=proc)",
        "FileNotFoundError",
    ),
    "processes": ("found = [*filter(str.isdigit, os.listdir('/proc'))]", "['1']"),
    "signal": (
        "signal.pidfd_send_signal(os.pidfd_open(PARENT), signal.SIGTERM)",
        "ProcessLookupError",
    ),
    "fork": ("found = os.fork()", "PermissionError"),
    "native fork": ("found = ctypes.CDLL(None).fork()", "-1"),
    "program": ("found = subprocess.run([sys.executable, '-V'])", "PermissionError"),
    "keys": ("found = ctypes.CDLL(None).syscall(KEY, b'user', b'hoard', b'x', 1, -3)", "-1"),
    "virtual machines": ("socket.socket(40, socket.SOCK_STREAM)", "PermissionError"),
    "processors": ("os.sched_setaffinity(0, range(os.cpu_count()))", "PermissionError"),
    "file in memory": ("found = os.memfd_create('hoard')", "PermissionError"),
    "secret memory": ("found = ctypes.CDLL(None).syscall(447, 0)", "-1"),
    "shared memory": ("found = ctypes.CDLL(None).shmget(0, 2**30, 0o1600)", "-1"),
    "files of the system": ("Path('/dev/shm/hoard').write_bytes(b'x')", "OSError"),
}
"""What an agent does after it has cleared the list of what is forbidden, and what comes of it."""


def test_other_files_and_processes_are_out_of_reach(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the seed")
    told = outcome(
        tmp_path,
        f"values = globals() | {{'SECRET': {str(secret)!r}, 'PARENT': {os.getpid()}, 'found': 0}}\n"
        f"values['KEY'] = {sandbox._MACHINES[platform.machine()][1]['add_key']}\n"
        "told = []\n"
        f"for attack in {[attack for attack, _ in ATTACKS.values()]!r}:\n"
        "    try:\n"
        "        exec(attack, values)\n"
        "        told.append(str(values['found']).replace(' ', ''))\n"
        "    except Exception as error:\n"
        "        told.append(type(error).__name__)\n"
        "found = ' '.join(told)",
    )
    answers = told.removeprefix("RuntimeError: found ").split()
    assert dict(zip(ATTACKS, answers, strict=True)) == {
        name: answer for name, (_, answer) in ATTACKS.items()
    }


def test_datagrams_arrive_nowhere(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        address = listener.getsockname()
        outcome(
            tmp_path,
            "sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
            f"found = sender.sendmsg([b'all my clues'], [], 0, {address!r})",
        )
        with pytest.raises(BlockingIOError):
            listener.recv(99)


@pytest.mark.long
def test_its_folder_can_be_read_but_not_written_and_not_the_agents_of_others(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "students"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "ada.pyc").write_text("how ada plays")
    (folder / "ada.py").write_text("how ada plays")
    (folder / "model.txt").write_text("weights")
    reads = "here = Path(__file__).parent\nfound = (here / 'model.txt').read_text()"
    assert outcome(tmp_path, reads) == "RuntimeError: found weights"
    assert outcome(tmp_path, f"{reads}\n(here / 'mine').touch()").startswith("OSError: [Errno 30]")
    reads = "found = [*(Path(__file__).parent / '__pycache__').iterdir()]"
    assert outcome(tmp_path, reads) == "RuntimeError: found []"
    reads = "found = Path(__file__).with_name('ada.py').read_text()"
    assert outcome(tmp_path, reads).startswith("PermissionError")


def test_links_among_the_agents_stop_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "students"
    folder.mkdir()
    (folder / "hidden").mkdir()
    (folder / "hidden" / "bob.py").write_text("how bob plays")
    links = {"bob": "hidden/bob.py", "circle": "circle.py", "python": sys.executable, "no": "no"}
    for name, target in links.items():
        (folder / f"{name}.py").symlink_to(target)
    reads = "found = Path(__file__).with_name('bob.py').read_text()"
    assert outcome(tmp_path, reads).startswith("PermissionError")


@pytest.mark.long
@pytest.mark.parametrize("out", ["students/out", "students"], ids=["in it", "itself"])
def test_the_folder_of_the_tournament_is_hidden_even_if_it_is_theirs(
    tmp_path: Path, out: str
) -> None:
    folder = tmp_path / out
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("the seed")
    told = outcome(
        tmp_path,
        f"folder = os.open({str(folder)!r}, os.O_RDONLY)\n"
        "found = os.open('tournament.json', os.O_RDONLY, dir_fd=folder)",
        out=out,
    )
    assert told.startswith(("PermissionError", "FileNotFoundError", "read the files"))


@pytest.mark.long
def test_nothing_of_the_environment_and_the_command_line_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_SEED", "7")
    assert outcome(tmp_path, "found = os.environ.get('SECRET_SEED')") == "RuntimeError: found None"
    told = outcome(tmp_path, "found = Path('/proc/1/environ').read_bytes()")
    assert "SECRET" not in told


@pytest.mark.long
def test_threads_work_and_one_that_loops_is_ended(tmp_path: Path) -> None:
    starts = "found = []\nthread = threading.Thread(target=lambda: found.append(1))\n"
    assert outcome(tmp_path, f"{starts}thread.start()\nthread.join()") == "RuntimeError: found [1]"
    [entrant] = held(tmp_path, AGENTS / "hangs.py", limits=replace(LIMITS, seconds=0.2))
    assert entrant.out == "failed in 3 games: took more than 0.2 s"


@pytest.mark.long
def test_a_crash_is_told_as_one(tmp_path: Path) -> None:
    assert outcome(tmp_path, "found = ctypes.string_at(0)") == "its process crashed: signal 11"
