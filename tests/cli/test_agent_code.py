"""What an agent's code does wrong is one sentence with its place, in every command."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from pickle import dumps, loads
from threading import Barrier, Thread

import pytest
from commands import done, failed

from mineproof import Agent, Decision, Game, Observation, RandomBoards, Setup, agents, cli, play
from mineproof.agents.asking import ask
from mineproof.arena import AgentFailed, broken_promises, compare, play_many
from mineproof.stdout import reserved

SOURCE = '''
import sys
from mineproof import Action, Agent, Decision

class First(Agent):
    """Opens the first cell."""

    name = "first"

    def decide(self, observation):
        cells = observation.openable_cells()
        return Decision.guess(cells[0], "it comes first") if cells else None


class Mine({base}):
    """Does something wrong."""
{code}
'''


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write an agent with this code in its class, and return its name in commands."""

    def written(code: str, base: str = "First", *, before: str = "") -> str:
        body = "".join(f"    {line}\n" for line in code.splitlines())
        source = before + SOURCE.format(base=base, code=body)
        (tmp_path / "mine.py").write_text(source, encoding="utf-8")
        return f"{tmp_path / 'mine.py'}:Mine"

    return written


COMMANDS = {
    "watch": ("watch", "--beliefs", "--json", "--agent"),
    "chains": ("chains", "--json", "--agent"),
    "compare": ("compare", "--games", "4", "--workers", "1", "--json", "--agents"),
    "workers": ("compare", "--games", "4", "--workers", "2", "--json", "--agents"),
}


def said(capsys: pytest.CaptureFixture[str], command: str, name: str, code: int) -> str:
    """Run a command with an agent and return the one sentence that it fails with."""
    assert cli.main([*COMMANDS[command], name]) == code
    out, err = capsys.readouterr()
    assert out == "" or command == "watch"
    assert all(json.loads(line) for line in out.splitlines())
    *_, sentence = err.splitlines()
    assert "Traceback" not in err
    assert sentence.startswith("mineproof: ")
    return sentence


IN_GAMES = {
    "raises": (
        'def decide(self, observation):\n    return {}["x"]',
        """KeyError: 'x' (mine.py, line 18, in Mine.decide: return {}["x"])""",
    ),
    "returns 42": (
        "def decide(self, observation):\n    return 42",
        "decision 42: must be a Decision, such as Decision((Action('open', (0, 3)),)), or None "
        "(mine.py, line 17, in Mine.decide)",
    ),
    "flags for ever": (
        "def decide(self, observation):\n"
        "    cell = observation.openable_cells()[0]\n"
        '    return Decision((Action("flag", cell), Action("unflag", cell)), "for ever")',
        ": 163 decisions without opening a cell (mine.py, line 17, in Mine.decide)",
    ),
    "opens what is open": (
        'def decide(self, observation):\n    return Decision.guess((0, 0), "again")',
        "illegal move: (0, 0): the cell is open already (mine.py, line 17, in Mine.decide)",
    ),
    "opens another board": (
        'def decide(self, observation):\n    return Decision.guess((99, 99), "out")',
        "illegal move: (99, 99): the board has 9 rows and 9 columns (mine.py, line 17, in ",
    ),
    "misses an argument": (
        "def decide(self):\n    return None",
        "takes 1 positional argument but 2 were given (mine.py, line 17, in Mine.decide)",
    ),
    "reads a file": (
        'def decide(self, observation):\n    open("model.npz")',
        "FileNotFoundError: [Errno 2] No such file or directory: 'model.npz' (mine.py, line 18, ",
    ),
    "raises a value error": (
        'def decide(self, observation):\n    raise ValueError("mine")',
        "ValueError: mine (mine.py, line 18, in Mine.decide",
    ),
    "imports an extra": (
        'def decide(self, observation):\n    raise ModuleNotFoundError(name="polars")',
        "ModuleNotFoundError (mine.py, line 18, in Mine.decide",
    ),
    "finds no layout": (
        "def decide(self, observation):\n"
        "    from mineproof import Observation, infer\n"
        '    infer(Observation.from_text("1"))',
        """(mine.py, line 19, in Mine.decide: infer(Observation.from_text("1")))""",
    ),
    "ends the program": (
        "def decide(self, observation):\n    sys.exit(3)",
        "it called sys.exit(3) (mine.py, line 18, in Mine.decide: sys.exit(3))",
    ),
    "leaves": (
        "def decide(self, observation):\n    from os import _exit; _exit(3)",
        "it called sys.exit(3) (mine.py, line 18, in Mine.decide: ",
    ),
    "raises what is no exception": (
        "def decide(self, observation):\n"
        "    class Panic(BaseException):\n"
        "        pass\n"
        '    raise Panic("at the disco")',
        ": Panic: at the disco (mine.py, line 20, in Mine.decide: raise Panic(",
    ),
    "begins wrongly": (
        "games = 0\n"
        "def begin(self, seed):\n"
        "    super().begin(seed)\n"
        "    self.games += 1\n"
        "    1 / (self.games - 2)",
        "ZeroDivisionError: division by zero (mine.py, line 21, in Mine.begin: 1 / ",
    ),
    "cannot say what is wrong": (
        "def decide(self, observation):\n"
        "    class Odd(Exception):\n"
        "        def __str__(self):\n"
        "            raise Odd\n"
        "    raise Odd",
        ": Odd (mine.py, line 21, in Mine.decide: raise Odd)",
    ),
    "draws on the terminal": (
        'def decide(self, observation):\n    raise OSError("\\x1b[2J\\n\\udcff")',
        ": OSError: \\x1b[2J \\udcff (mine.py, line 18, in Mine.decide: ",
    ),
}


@pytest.mark.parametrize("command", ["watch", "chains", "compare"])
@pytest.mark.parametrize("fault", IN_GAMES)
def test_what_goes_wrong_in_a_game_is_one_sentence(
    command: str, fault: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, sentence = IN_GAMES[fault]
    told = said(capsys, command, write(code), 1)
    assert told.startswith("mineproof: agent 'first' failed in the game of seed 0: ")
    assert sentence in told


def test_a_player_of_the_core_that_is_none(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "compare", write("def native(self):\n    return 42"), 1)
    assert "native 42: must be a Player (mine.py, line 17, in Mine.native)" in told


def test_workers_send_what_goes_wrong(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, sentence = IN_GAMES["raises"]
    assert sentence in said(capsys, "workers", write(code), 1)


BEFORE_GAMES = {
    "raises": (
        'def __init__(self):\n    raise OSError("no")',
        """OSError: no (mine.py, line 18, in Mine.__init__: raise OSError("no"))""",
    ),
    "wants arguments": (
        "def __init__(self, depth):\n    super().__init__()",
        "missing 1 required positional argument: 'depth' (mine.py, line 17, in Mine.__init__)",
    ),
    "begins wrongly": (
        'def begin(self, seed):\n    open("model.npz")',
        "No such file or directory: 'model.npz' (mine.py, line 18, in Mine.begin: open(",
    ),
    "exits": ("def __init__(self):\n    sys.exit(3)", "it called sys.exit(3) (mine.py, line 18"),
    "knows no such thing": ("told = None", "Mine has told None: must be a Told, such as Told("),
    "plays elsewhere": ("topologies = 5", "Mine has topologies 5: must be a tuple"),
    "plays on a ball": ('topologies = "ball",', "Mine has topology 'ball': must be square, torus"),
    "has odd options": ("options = 5", "Mine has options 5: must be a Mapping"),
    "loses its name": (
        "def __init__(self):\n    super().__init__()\n    self.name = 7",
        "Mine has no name",
    ),
}


@pytest.mark.parametrize("command", ["watch", "chains", "compare"])
@pytest.mark.parametrize("fault", BEFORE_GAMES)
def test_an_agent_that_cannot_be_made_is_one_sentence(
    command: str, fault: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, sentence = BEFORE_GAMES[fault]
    name = write(code)
    told = said(capsys, command, name, 2)
    assert f"agent {name!r}: " in told
    assert sentence in told


def test_an_agent_needs_a_method_decide(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write('name = "mine"', "Agent")
    assert "Mine has no method decide" in said(capsys, "watch", name, 2)


def test_options_that_are_not_wanted(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "option of first 'fast': must be total or untold"
    assert sentence in said(capsys, "watch", f"{write('pass')}:fast", 2)
    code = "def __init__(self):\n    super().__init__()"
    sentence = "takes 1 positional argument but 2 were given (mine.py, line 17, in Mine.__init__)"
    assert sentence in said(capsys, "watch", f"{write(code)}:fast", 2)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("import nothere", "ModuleNotFoundError: No module named 'nothere' (mine.py, line 1: imp"),
        ("import sys; sys.exit(3)", "it called sys.exit(3) (mine.py, line 1: import sys; sys."),
        ("raise BaseException(3)", "BaseException: 3 (mine.py, line 1: raise BaseException(3)"),
        ("def decide(:", "SyntaxError: invalid syntax (mine.py, line 1: def decide(:)"),
        ("import helper", "ZeroDivisionError: division by zero (helper.py, line 2, in fail: 1 / 0"),
    ],
)
def test_a_file_that_cannot_be_loaded(
    line: str,
    sentence: str,
    write: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "helper.py").write_text("def fail():\n    1 / 0\n\nfail()\n")
    monkeypatch.syspath_prepend(tmp_path)
    name = write("pass", before=f"{line}\n")
    for command in ("watch", "chains", "compare"):
        assert f"cannot be loaded: {sentence}" in said(capsys, command, name, 2)


@pytest.mark.parametrize(
    ("beliefs", "sentence"),
    [
        ("7", "beliefs 7: must be a Beliefs"),
        ("Beliefs(7)", "numbers 7: must be a Mapping"),
        ("Beliefs({(9, 9): 0.5})", "(9, 9): the board has "),
        ("Beliefs({(0, 1): 'low'})", "belief about (0, 1) 'low': must be a number"),
        ("Beliefs({}, (7,))", "sentence 7: must be a str"),
        ("{}[7]", "KeyError: 7"),
    ],
)
def test_beliefs_that_nobody_can_read(
    beliefs: str, sentence: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(
        f"def beliefs(self):\n    from mineproof.agents import Beliefs\n    return {beliefs}"
    )
    told = said(capsys, "watch", name, 1)
    assert sentence in told
    assert "(mine.py, line 1" in told
    assert "in Mine.beliefs" in told
    assert any(sentence in promise for promise in broken_promises(name))


def test_the_contract_tells_what_goes_wrong(write: Callable[..., str]) -> None:
    code, sentence = IN_GAMES["raises"]
    assert all(told.endswith(sentence) for told in broken_promises(write(code)))
    code = "def __deepcopy__(self, memo):\n    raise OSError"
    (told, *_) = broken_promises(write(code))
    assert "OSError (mine.py, line 18, in Mine.__deepcopy__: raise OSError)" in told


PRINTS = 'print("while loading")\n'
DECIDES = (
    "def decide(self, observation):\n"
    '    print("while deciding")\n'
    '    print("by another name", file=sys.__stdout__)\n'
    "    import os\n"
    '    os.write(1, b"by number\\n")\n'
    '    os.system("echo by another process")\n'
    "    return super().decide(observation)\n"
    "def beliefs(self):\n"
    '    print("while believing")\n'
    "    return super().beliefs()"
)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_an_agent_prints_is_not_in_the_output(
    command: str, write: Callable[..., str], tmp_path: Path
) -> None:
    name = write(DECIDES, before=PRINTS)
    words = [sys.executable, "-m", "mineproof", *COMMANDS[command], name]
    ended = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert all(json.loads(line) for line in ended.stdout.splitlines())
    assert ended.stdout
    assert "while loading\n" in ended.stderr
    assert "while deciding\n" in ended.stderr
    assert "by another name\n" in ended.stderr
    assert "by number\n" in ended.stderr
    assert "by another process\n" in ended.stderr
    assert ("while believing\n" in ended.stderr) == (command == "watch")


def test_what_threads_of_an_agent_print_is_not_in_the_output(
    write: Callable[..., str], tmp_path: Path
) -> None:
    """Not even what they print between two decisions."""
    talks = (
        "import threading, time\n"
        "def talk():\n"
        "    for _ in range(50):\n"
        '        print("meanwhile", flush=True)\n'
        "        time.sleep(0.005)\n"
        "threading.Thread(target=talk).start()\n"
    )
    words = ("-m", "mineproof", "watch", "--json", "--delay", "0.1", "--agent")
    name = write("pass", before=talks)
    ended = subprocess.run(
        [sys.executable, *words, name], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert all(json.loads(line) for line in ended.stdout.splitlines())
    assert ended.stderr.count("meanwhile\n") == 50


def test_the_output_is_that_of_an_agent_that_prints_nothing(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("watch", "--delay", 0, "--agent")
    plain = done(capsys, *words, write("pass"))
    assert done(capsys, *words, write(DECIDES)) == plain
    assert done(capsys, "chains", "--agent", write("pass")) == done(
        capsys, "chains", "--agent", write(DECIDES)
    )


class Printing(Agent):
    """Prints what it is asked."""

    name = "printing"
    before: Callable[[], object] = staticmethod(lambda: None)

    def decide(self, observation: Observation) -> Decision | None:
        self.before()
        print("asked")
        return None


def test_elsewhere_an_agent_prints_as_usual(capsys: pytest.CaptureFixture[str]) -> None:
    play(Game.level("easy", seed=1), Printing())
    assert capsys.readouterr() == ("asked\n", "")
    with reserved():
        play(Game.level("easy", seed=1), Printing())
    assert capsys.readouterr() == ("", "asked\n")


def test_output_comes_back_after_agents_on_several_threads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agent, meeting = Printing(), Barrier(2, timeout=10)
    # All of them are in `decide` at the same time, and leave it in another order each time.
    agent.before = meeting.wait
    game = Game.level("easy", seed=1)
    with reserved():
        for _ in range(50):
            threads = [Thread(target=ask, args=(agent, "decide", game.observe())) for _ in "ab"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print("answer")
    assert capsys.readouterr() == ("answer\n" * 50, "asked\n" * 100)


class Raising(Agent):
    """Raises an error that has a cause."""

    name = "raising"
    error: BaseException = LookupError("lost my glasses")

    def decide(self, observation: Observation) -> Decision | None:
        try:
            return dict[str, Decision]()["glasses"]
        except KeyError as missing:
            raise self.error from missing


def test_the_error_of_the_agent_is_kept_as_the_cause() -> None:
    with pytest.raises(AgentFailed) as raised:
        play(Game.level("easy", seed=1), Raising())
    assert isinstance(raised.value.__cause__, LookupError)
    assert isinstance(raised.value.__cause__.__cause__, KeyError)
    assert not isinstance(raised.value, ValueError | OSError)


def test_an_error_of_a_worker_shows_all_of_its_causes() -> None:
    with pytest.raises(AgentFailed) as raised:
        compare([Raising()], RandomBoards(Setup.level("easy"), count=4), workers=2)
    shown = "".join(traceback.format_exception(raised.value))
    assert "KeyError: 'glasses'" in shown
    assert "LookupError: lost my glasses" in shown
    assert 'return dict[str, Decision]()["glasses"]' in shown


def test_a_failure_is_the_same_after_it_was_sent() -> None:
    with pytest.raises(AgentFailed) as raised:
        play_many([Game.level("easy", seed=7)], Raising(), seeds=[1])
    sent = loads(dumps(raised.value))
    assert str(sent) == str(raised.value)
    assert (sent.agent, sent.kind, sent.seed) == ("raising", "error", 7)
    assert sent.why.startswith("LookupError: lost my glasses (test_agent_code.py, line ")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_what_is_not_the_fault_of_an_agent_is_no_failure(error: BaseException) -> None:
    agent = Raising()
    agent.error = error
    with pytest.raises(type(error)):
        play(Game.level("easy", seed=1), agent)


def test_an_interrupted_agent_ends_the_command(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write("def decide(self, observation):\n    raise KeyboardInterrupt")
    for command in ("watch", "chains", "compare"):
        assert cli.main([*COMMANDS[command], name]) == 130
        assert "failed" not in capsys.readouterr().err


def test_what_other_processes_cannot_receive(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write("def begin(self, seed):\n    super().begin(seed)\n    self.next = lambda: 1")
    assert done(capsys, *COMMANDS["compare"], name)
    told = said(capsys, "workers", name, 2)
    assert "agent 'first': other processes cannot receive what it keeps: " in told
    assert told.endswith("; set that up in decide, or play with one worker")


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("Mien", "mine.py has no class Mien, only First and Mine; did you mean Mine?"),
        ("mine", "mine.py has no class mine, only First and Mine; did you mean Mine?"),
        ("Zzzz", "mine.py has no class Zzzz, only First and Mine"),
        ("sys", "sys is not a subclass of Agent; mine.py has First and Mine"),
    ],
)
def test_a_misspelt_class(
    place: str, sentence: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write("pass").replace(":Mine", f":{place}")
    assert failed(capsys, "watch", "--agent", name).endswith(sentence)


def test_a_file_without_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.py").write_text("from mineproof.agents.exact import ExactAgent\n")
    told = failed(capsys, "watch", "--agent", tmp_path / "none.py:Mine")
    assert told.endswith("none.py has no class Mine, and no agents")
    with pytest.raises(ValueError, match=r"agents.exact has no class Exact, only ExactAgent; did "):
        agents.get("mineproof.agents.exact:Exact")


def test_a_file_that_cannot_be_read(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    name = write("pass")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    told = failed(capsys, "watch", "--agent", name)
    assert told.endswith(f"cannot read {name.removesuffix(':Mine')}: permission denied")


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.py").mkdir()
    told = failed(capsys, "watch", "--agent", tmp_path / "folder.py:Mine")
    assert told.endswith("folder.py: is a directory")
