"""The README keeps its word: its agent plays well, and its pictures are current."""

from __future__ import annotations

import re
from pathlib import Path

from mineproof import (
    Observation,
    Proof,
    RandomBoards,
    Setup,
    Transcript,
    compare,
    explain,
    infer,
)
from mineproof.arena import broken_promises
from mineproof.draw import board_svg, proof_svg

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"


def examples_in(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_lines_of_games_in_the_docs_are_games() -> None:
    page = (ROOT / "docs" / "notation.md").read_text()
    for line in re.findall(r"`(mineproof\+game\S+)`", page):
        assert Transcript.from_text(line).to_line() == line.replace(";board", ";seed+0;board")


def test_the_first_agent_is_as_strong_as_exact(tmp_path: Path) -> None:
    [code] = [example for example in examples_in("README.md") if ">>>" not in example]
    assert code in examples_in("docs/agents.md")
    assert len(code.splitlines()) <= 17
    file = tmp_path / "careful.py"
    file.write_text(code)
    name = f"{file}:Careful"
    assert not list(broken_promises(name))
    games = RandomBoards(Setup.level("easy"), count=100)
    careful, exact, untold = compare([name, "exact", "exact:untold"], games)
    assert careful.win_rate == exact.win_rate
    assert careful.win_rate.value > untold.win_rate.value


def test_the_picture_is_of_today() -> None:
    position = Observation.from_text((IMAGES / "position.txt").read_text())
    assert (IMAGES / "position.svg").read_text() == board_svg(position, infer(position)) + "\n"


def test_the_picture_of_a_proof_is_of_today() -> None:
    position = Observation.from_text((IMAGES / "why.txt").read_text())
    proof = explain(position, (6, 0))
    assert isinstance(proof, Proof)
    assert (IMAGES / "why.svg").read_text() == proof_svg(position, proof) + "\n"


def test_the_pictures_of_topologies_are_of_today() -> None:
    hexagons, torus = (
        Observation.from_text((IMAGES / f"{name}.txt").read_text()) for name in ("hex", "torus")
    )
    assert (IMAGES / "hex.svg").read_text() == board_svg(hexagons, infer(hexagons)) + "\n"
    proof = explain(torus, (4, 8))
    assert isinstance(proof, Proof)
    assert (IMAGES / "torus.svg").read_text() == proof_svg(torus, proof) + "\n"
