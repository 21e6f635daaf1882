"""Runs a command in this process and returns its output."""

from __future__ import annotations

import pytest

from mineproof import cli

__all__ = ["done", "failed"]


def done(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code = cli.main([*map(str, words)])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def failed(capsys: pytest.CaptureFixture[str], *words: object, code: int = 2) -> str:
    """Return the error message, which follows the progress of the run, if any."""
    assert cli.main([*map(str, words)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    *before, sentence = err.splitlines()
    said = ("Records and report: ", "0 of ", "Writing the report.")
    assert all(line.startswith(said) for line in before), err
    assert sentence.startswith("mineproof: ")
    return sentence.removeprefix("mineproof: ")
