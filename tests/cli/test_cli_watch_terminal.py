"""`mineproof watch` on a terminal, and as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from commands import done
from small_game import GAME, SMALL

from mineproof import Game, Rules, Setup, agents, play
from mineproof.agents import Beliefs
from mineproof.arena.play import Turn
from mineproof.cli.terminal import frame

if os.name != "nt":
    from terminal import PROGRAM, Terminal

on_a_terminal = pytest.mark.skipif(os.name == "nt", reason="terminals differ")

# ----------------------------------------------------------------------------------- on a terminal


@on_a_terminal
def test_the_board_is_redrawn_in_place() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, "--delay", "0") as terminal:
        assert terminal.wait() == 0
    frames = terminal.frames
    assert len(frames) == GAME.count("Step")
    assert all(f"Step {number}: " in frame for number, frame in enumerate(frames))
    assert "[0]1 . ." in frames[0]
    assert "\x1b[38;2;" in terminal.output or "\x1b[1;38;5;" in terminal.output
    # What was seen last stays, and the cursor comes back.
    assert "\x1b[?25h" in terminal.output
    assert GAME.splitlines()[-2] in terminal.left
    assert GAME.splitlines()[-1] in terminal.left


@pytest.mark.parametrize(
    ("name", "level"),
    [*((name, "easy") for name in agents.names()), ("exact", "expert"), ("basic", "expert")],
)
def test_frames_fit_the_terminal(name: str, level: str) -> None:
    setup, agent = Setup.level(level, rules=Rules(on_mine="continue")), agents.get(name)
    sizes = (80, 24), (120, 40), (40, 12)

    def look(step: Turn) -> None:
        if step.step % 20 not in (0, 1):
            return
        for (width, height), beliefs in product(sizes, (None, agent.beliefs())):
            drawn = frame("title", step, beliefs=beliefs, width=width, height=height)
            lines = drawn.plain.splitlines()
            assert len(lines) <= height
            assert any(line.startswith(f"Step {step.step}: ") for line in lines)
            assert lines[-1].startswith("opened ")
            assert all(len(line) <= width for line in lines[:-1])

    play(Game(setup, 2), agent, seed=2, watch=look)


def test_a_list_of_beliefs_is_shortened_and_counted() -> None:
    steps: list[Turn] = []
    setup = Setup.level("easy")
    play(Game(setup, 2), agents.get("exact"), watch=steps.append)
    beliefs = Beliefs(sentences=tuple(f"sentence {number}" for number in range(1000)))
    for width, height in (80, 24), (30, 24):
        drawn = frame("title", steps[1], beliefs=beliefs, width=width, height=height)
        listed = drawn.plain.count("sentence ")
        assert 3 < listed < 20
        assert f"and {1000 - listed} more" in drawn.plain


@on_a_terminal
def test_beliefs_on_a_terminal() -> None:
    words = ["watch", "--agent", "exact", *SMALL, "--beliefs", "--delay", "0"]
    with Terminal(*words) as terminal:
        assert terminal.wait() == 0
    assert "Beliefs before step 1, exact:" in terminal.frames[1]
    assert "before, as it believed" in terminal.frames[1]
    with Terminal("watch", "--agent", "basic", "--seed", "5", "--beliefs", "--delay", "0") as basic:
        assert basic.wait() == 0
    assert "closed neighbours" in basic.frames[1]


@on_a_terminal
def test_a_pause_is_the_default() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL) as terminal:
        started = time.monotonic()
        assert terminal.wait() == 0
    assert time.monotonic() - started > 0.4 * GAME.count("Step")


@on_a_terminal
def test_step_by_step() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, "--step") as terminal:
        terminal.wait_for("Enter: next step, q: quit")
        with pytest.raises(AssertionError, match="never came"):
            terminal.wait_for("Step 1: ", seconds=1)
        terminal.press("x")
        for number in range(1, GAME.count("Step")):
            terminal.press("\r" if number % 2 else " ")
            terminal.wait_for(f"Step {number}: ")
        terminal.press("\r")
        assert terminal.wait() == 0
    assert "x" not in terminal.left.replace("exact", "")
    assert GAME.splitlines()[-1] in terminal.left


@on_a_terminal
def test_keys_pressed_ahead_count() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, "--step") as terminal:
        terminal.wait_for("Step 0: ")
        terminal.press("\r" * GAME.count("Step"))
        assert terminal.wait() == 0
    assert GAME.splitlines()[-1] in terminal.left


@on_a_terminal
@pytest.mark.parametrize("key", ["q", "Q", "\x04"])
def test_quitting(key: str) -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, "--step") as terminal:
        terminal.wait_for("q: quit")
        terminal.press(key)
        assert terminal.wait() == 0
    assert "Step 0: " in terminal.left
    assert terminal.left.endswith("Quit before the end.\n")
    assert "Step 1: " not in terminal.plain


@on_a_terminal
@pytest.mark.parametrize("how", [("--step",), ("--delay", "600")])
def test_interruption_gives_the_terminal_back(how: tuple[str, ...]) -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, *how) as terminal:
        terminal.wait_for("Step 0: ")
        terminal.press("\x03")
        assert terminal.wait() == 130
        assert terminal.echoes
    assert terminal.output.rindex("\x1b[?1049l") > terminal.output.rindex("Step 0: ")
    assert "\x1b[?25h" in terminal.output
    assert "Traceback" not in terminal.output


@on_a_terminal
def test_a_terminal_that_cannot_draw_gets_plain_text() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, TERM="dumb") as terminal:
        assert terminal.wait() == 0
    assert terminal.output.replace("\r\n", "\n") == GAME


@on_a_terminal
def test_json_on_a_terminal() -> None:
    with Terminal("watch", "--agent", "exact", *SMALL, "--json") as terminal:
        assert terminal.wait() == 0
    assert all(map(json.loads, terminal.output.splitlines()))


# ----------------------------------------------------------------------------- as its own process


@on_a_terminal
@pytest.mark.parametrize("how", [(), ("--json",)])
def test_interruption_is_quiet(how: tuple[str, ...]) -> None:
    words = [sys.executable, "-c", PROGRAM, "watch", "--agent", "exact", "--delay", "600", *how]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        if not how:
            while process.stdout.readline() != b"\n":
                pass
            while process.stdout.readline() != b"\n":
                pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")


@on_a_terminal
def test_a_reader_that_leaves() -> None:
    words = [sys.executable, "-c", PROGRAM, "watch", "--agent", "random", "--level", "expert"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*words, "--on-mine", "continue"], stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


SPEAKING = """
from mineproof import Agent, Decision
from mineproof.agents import Beliefs

class Speaking(Agent):
    name = "speaking"

    def decide(self, observation):
        cells = observation.openable_cells()
        return Decision.guess(cells[0], "\\x1b]0;mine\\x07") if cells else None

    def beliefs(self):
        return Beliefs(sentences=("\\x1b[7mtrue", "\\x9bfalse"))
"""


@on_a_terminal
def test_words_of_an_agent_do_not_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "speaking.py").write_text(SPEAKING)
    words = ("watch", "--agent", f"{tmp_path}/speaking.py:Speaking", *SMALL, "--beliefs")
    with Terminal(*words, "--delay", "0") as terminal:
        assert terminal.wait() == 0
    for output in (terminal.output, done(capsys, *words)):
        assert "\\x1b]0;mine\\x07" in output
        assert "\\x1b[7mtrue" in output
        assert not any(acting in output for acting in ("\x1b]", "\x07", "\x1b[7m", "\x9b"))


@on_a_terminal
def test_an_error_fits_the_terminal() -> None:
    with Terminal("watch", "--agent", "nobody", cols=60) as terminal:
        assert terminal.wait() == 2
    lines = terminal.output.splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 60 for line in lines)
    assert " ".join(lines).endswith("border, projection, exact or champion")
