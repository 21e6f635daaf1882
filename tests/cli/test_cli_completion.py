"""`mineproof completion`: the scripts, and what they complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from commands import done, failed

from mineproof import agents, cli


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = done(capsys, "completion", shell)
    assert "_MINEPROOF_COMPLETE" in script
    assert f"{shell}_complete" in script
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_other_shells(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'tcsh' is not one of" in failed(capsys, "completion", "tcsh")


def completed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> list[str]:
    monkeypatch.setenv("_MINEPROOF_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["mineproof", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert cli.main([]) == 0
    return capsys.readouterr().out.splitlines()


def test_completions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*words: str) -> list[str]:
        return completed(capsys, monkeypatch, *words)

    assert found("comp") == ["plain,compare", "plain,completion"]
    assert found("watch", "--lev") == ["plain,--level"]
    assert found("watch", "--level", "e") == ["plain,easy", "plain,expert"]
    assert found("watch", "--agent", "ex") == ["plain,exact"]
    assert found("watch", "--agent", "./my") == ["file,./my"]
    assert found("compare", "--agents", "exact,no") == ["plain,exact,noisy-or"]
    assert len(found("compare", "--agents", "exact,x")) == 1
    assert found("study", "lev") == ["plain,levels"]
    assert found("report", "stu") == ["dir,stu"]
    assert found("solve", "pos") == ["file,pos"]
    assert len(agents.names()) > 5


def test_no_summary_is_cut() -> None:
    words = [sys.executable, "-m", "mineproof", "--help"]
    shown = subprocess.run(
        words, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True
    )
    lines = shown.stdout.partition("Commands:")[2].splitlines()
    assert len(lines) == 1 + len(cli.app.commands)
    assert all(line.endswith(".") and not line.endswith("..") for line in lines[1:])
