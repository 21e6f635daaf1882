"""The README keeps its word: the example runs, the picture is current, the links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from mineproof import Observation, Proof, Transcript, explain, infer
from mineproof.draw import board_svg, proof_svg

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"


@pytest.mark.parametrize(("page", "count"), [("README.md", 4), ("docs/notation.md", 1)])
def test_the_examples_run(page: str, count: int) -> None:
    examples = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert len(examples) == count
    for example in examples:
        test = doctest.DocTestParser().get_doctest(example, {}, page, None, None)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0


def test_the_game_in_the_docs_is_a_game() -> None:
    page = (ROOT / "docs" / "notation.md").read_text()
    text = re.findall(r"```\n(mineproof game .*?)\n```", page, re.DOTALL)[0]
    assert Transcript.from_text(text).to_text() == text
    for line in re.findall(r"`(mineproof\+game\S+)`", page):
        assert Transcript.from_text(line).to_line() == line.replace(";board", ";seed+0;board")


def test_the_picture_is_of_today() -> None:
    position = Observation.from_text((IMAGES / "position.txt").read_text())
    assert (IMAGES / "position.svg").read_text() == board_svg(position, infer(position)) + "\n"


def test_the_picture_of_a_proof_is_of_today() -> None:
    position = Observation.from_text((IMAGES / "why.txt").read_text())
    proof = explain(position, (6, 0))
    assert isinstance(proof, Proof)
    assert (IMAGES / "why.svg").read_text() == proof_svg(position, proof) + "\n"


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert all((ROOT / link).exists() for link in links if "://" not in link)
