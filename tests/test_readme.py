"""The README keeps its word: the example runs, the picture is current, the links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from mineproof import Observation, Proof, explain, infer
from mineproof.draw import board_svg, proof_svg

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"


def test_the_examples_run() -> None:
    readme = (ROOT / "README.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 4
    for example in examples:
        test = doctest.DocTestParser().get_doctest(example, {}, "README.md", None, None)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0


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
