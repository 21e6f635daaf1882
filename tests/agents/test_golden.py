"""Every agent still plays its golden game as it did when its notes were written.

A file in `golden/` contains a command, notes on what to look at, a ruler, and the output of the
command. `python tests/agents/test_golden.py` updates the output but not the notes, so check them
afterwards.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from mineproof import agents, cli

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.txt"))
RULER = f"\n{'-' * 80}\n"
PROMPT = "$ mineproof "


@dataclass(frozen=True)
class Golden:
    header: str
    game: str

    @classmethod
    def read(cls, file: Path) -> Golden:
        return cls(*file.read_text(encoding="utf-8").split(RULER))

    @property
    def command(self) -> list[str]:
        assert self.header.startswith(PROMPT)
        return shlex.split(self.header.partition("\n")[0].removeprefix(PROMPT))

    @property
    def agent(self) -> str:
        """The name without options."""
        words = self.command
        return words[words.index("--agent") + 1].partition(":")[0]

    def play(self) -> str:
        printed = io.StringIO()
        # So wide that no sentence is wrapped.
        with redirect_stdout(printed), patch.dict(os.environ, COLUMNS="1000"):
            assert cli.main(self.command) == 0
        return printed.getvalue()


def test_every_agent_of_the_package_has_a_golden_game() -> None:
    ours = {
        name
        for name, kind in agents.registered().items()
        if kind.__module__.startswith(f"{agents.__name__}.")
    }
    assert ours == {Golden.read(file).agent for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_is_played_as_it_was(file: Path) -> None:
    golden = Golden.read(file)
    assert golden.play() == golden.game


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_notes_look_at_steps_of_the_game(file: Path) -> None:
    golden = Golden.read(file)
    assert {"watch", "--beliefs"} <= set(golden.command)
    looked_at = re.findall(r"^Look at step (\d+): ", golden.header, re.MULTILINE)
    assert 1 <= len(looked_at) <= 3
    assert set(looked_at) <= set(re.findall(r"^Step (\d+): ", golden.game, re.MULTILINE))


if __name__ == "__main__":
    for file in FILES:
        golden = Golden.read(file)
        file.write_text(f"{golden.header}{RULER}{golden.play()}", encoding="utf-8")
