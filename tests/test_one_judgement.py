"""A position is inferred once, however much is asked about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import done

from mineproof import Budget, BudgetExceeded, Observation, Posterior, explain, infer
from mineproof.arena import narration
from mineproof.arena.play import Turn
from mineproof.game import Move
from mineproof.inference import posterior as inference
from mineproof.proofs import explain_all, hints
from mineproof.search import advise
from mineproof.web import analysis

GUESS = Observation.from_text("5x2x2\n.1...\n.....")
CERTAIN = Observation.from_text("5x3x3\n.....\n.12F.\n.1?.s")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Observation]:
    """All observations that were inferred, in order."""
    observations: list[Observation] = []
    answer = inference._infer

    def count(seen: Observation, *settings: Any) -> Posterior:
        observations.append(seen)
        return answer(seen, *settings)

    monkeypatch.setattr(inference, "_infer", count)
    return observations


@pytest.mark.parametrize("seen", [GUESS, CERTAIN], ids=["guess", "certain"])
@pytest.mark.parametrize(
    "words",
    [
        "solve FILE",
        "solve FILE --advise",
        "solve FILE --advise --json",
        "explain FILE",
        "explain FILE --json",
        "explain FILE --hint 3",
        "explain FILE --cell 0,0",
        "explain FILE --cell 0,1",
    ],
)
def test_a_command_infers_once(
    words: str,
    seen: Observation,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    asked: list[Observation],
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(seen.to_text(), encoding="utf-8")
    done(capsys, *(file if word == "FILE" else word for word in words.split()))
    assert asked.count(seen) == 1


@pytest.mark.parametrize("seen", [GUESS, CERTAIN], ids=["guess", "certain"])
@pytest.mark.parametrize("task", [analysis.advice, analysis.hint, analysis.analyse])
def test_an_answer_for_the_page_infers_once(
    task: Callable[..., object], seen: Observation, asked: list[Observation]
) -> None:
    task(lambda done, total: None, seen)
    assert asked.count(seen) == 1


def test_a_narrated_turn_infers_once(asked: list[Observation]) -> None:
    moves = (Move("open", (0, 0)), Move("open", (0, 4), together=True))
    assert len(narration.reasons(Turn(0, moves, GUESS, GUESS))) == 2
    assert asked.count(GUESS) == 1


def test_a_posterior_answers_like_its_observation() -> None:
    for flags in ("ignore", "trust"):
        posterior = infer(CERTAIN, flags=flags)
        assert explain_all(posterior) == explain_all(CERTAIN, flags=flags)
        assert hints(posterior) == hints(CERTAIN, flags=flags)
        assert advise(posterior) == advise(CERTAIN, flags=flags)
    assert explain(infer(GUESS), (0, 0)) == explain(GUESS, (0, 0))


def test_a_posterior_must_be_exact_and_has_its_own_settings() -> None:
    with pytest.raises(ValueError, match=r"^flags: the posterior has its own$"):
        explain_all(infer(GUESS), flags="trust")
    estimate = infer(Observation.from_text("...\n.3.\n..."), budget=Budget(nodes=0))
    for question in (explain_all, hints, advise):
        with pytest.raises(BudgetExceeded, match="too wide"):
            question(estimate)
