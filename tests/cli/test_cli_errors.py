"""What errors become: the sentence says what was done to which file."""

from __future__ import annotations

from collections.abc import Callable
from errno import ENOMEM
from pathlib import Path

import click
import pytest

from mineproof import BudgetExceeded, Contradiction, Observation, infer
from mineproof.cli.errors import ended


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def told(error: Exception, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = ended(error, traceback=False)
    out, err = capsys.readouterr()
    assert out == ""
    return code, err.removeprefix("mineproof: ").removesuffix("\n")


WRITING: dict[str, Callable[[Path], object]] = {
    "write_text": lambda file: file.write_text(""),
    "write_bytes": lambda file: file.write_bytes(b""),
    "mkdir": lambda file: file.mkdir(),
}
READING: dict[str, Callable[[Path], object]] = {
    "read_text": lambda file: file.read_text(),
    "open": lambda file: file.open(),
    "iterdir": lambda file: list(file.iterdir()),
}


@pytest.mark.parametrize("call", WRITING)
def test_what_cannot_be_written(
    call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no" / "model.npz"
    error = raised(lambda: WRITING[call](file))
    assert told(error, capsys) == (1, f"cannot write {file}: no such file or directory")


@pytest.mark.parametrize("call", READING)
def test_what_cannot_be_read(call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.npz"
    error = raised(lambda: READING[call](file))
    assert told(error, capsys) == (1, f"cannot read {file}: no such file or directory")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (OSError(28, "No space left on device"), 1, "cannot write: no space left on device"),
        (ConnectionRefusedError(111, "Connection refused"), 1, "connection refused"),
        (TimeoutError("the cluster is silent"), 1, "the cluster is silent"),
        (ValueError("rows 0: must be a whole number"), 2, "rows 0: must be a whole number"),
        (click.UsageError("one\n\ttwo."), 2, "one two"),
        (BudgetExceeded("too wide"), 4, "too wide"),
        (MemoryError(), 1, "there is not enough memory; what was finished before is kept"),
        (
            ModuleNotFoundError("no", name="polars.selectors"),
            2,
            "polars is not installed: pip install 'mineproof[lab]'",
        ),
    ],
)
def test_other_errors(
    error: Exception, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(error, capsys) == (code, sentence)


def test_a_contradiction_has_a_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    error = raised(lambda: infer(Observation.from_text("1.\n.0")))
    assert isinstance(error, Contradiction)
    assert told(error, capsys) == (3, str(error))


def test_faults_of_the_program_are_not_hidden() -> None:
    for error in (TypeError("a fault"), ModuleNotFoundError("a fault", name="nothing")):
        with pytest.raises(type(error), match="a fault"):
            ended(error, traceback=False)


@pytest.mark.parametrize("error", [MemoryError(), OSError(ENOMEM, "cannot allocate memory", "a")])
def test_a_lack_of_memory_is_one_sentence(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "there is not enough memory; what was finished before is kept"
    assert told(error, capsys) == (1, sentence)
