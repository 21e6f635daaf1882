"""Textbook positions, and how they are explained.

A file of `textbook/` holds a title, the lesson, settings, the position, a ruler, and the
explanation of the named cells or else of all that are certain, with advice on whether to guess.
`python tests/proofs/test_textbook.py` rewrites what is below the rulers; then read the difference
as a newcomer would.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from verifier import Masked, check

from mineproof import Channel, Contradiction, Observation, Proof, explain, infer
from mineproof.position.topology import Cell
from mineproof.proofs import Technique, explain_all
from mineproof.search import advise

TEXTBOOK = Path(__file__).parent / "textbook"
FILES = sorted(TEXTBOOK.glob("*.txt"))
RULER = f"\n{'-' * 80}\n"
each = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@dataclass(frozen=True)
class Lesson:
    header: str
    explained: str

    @classmethod
    def read(cls, file: Path) -> Lesson:
        return cls(*file.read_text(encoding="utf-8").split(RULER))

    @cached_property
    def options(self) -> dict[str, str]:
        return dict(re.findall(r"^(channel|flags|cells): (.+)$", self.header, re.MULTILINE))

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = {}
        if "channel" in self.options:
            settings["channel"] = Channel.parse(self.options["channel"])
        if "flags" in self.options:
            settings["flags"] = self.options["flags"]
        return settings

    @property
    def cells(self) -> list[Cell]:
        """The cells of the lesson; empty for all that are certain."""
        pairs = re.findall(r"\((\d+), (\d+)\)", self.options.get("cells", ""))
        return [(int(row), int(col)) for row, col in pairs]

    @property
    def observation(self) -> Observation:
        return Observation.from_text(self.header.rpartition("\n\n")[2])

    def explain(self) -> str:
        seen, settings = self.observation, self.settings
        try:
            found = (
                [explain(seen, cell, **settings) for cell in self.cells]
                if self.cells
                else explain_all(seen, **settings)
            )
            return "\n\n".join(map(str, [*found, advise(seen, **settings)])) + "\n"
        except Contradiction as clash:
            return f"{clash}\n"


def test_there_are_enough_lessons() -> None:
    assert len(FILES) >= 20
    titles = {Lesson.read(file).header.partition("\n")[0] for file in FILES}
    assert len(titles) == len(FILES)


@each
def test_the_explanation_has_not_changed(file: Path) -> None:
    lesson = Lesson.read(file)
    assert lesson.explain() == lesson.explained


@each
def test_the_proofs_hold(file: Path) -> None:
    lesson = Lesson.read(file)
    try:
        posterior = infer(lesson.observation, **lesson.settings)
    except Contradiction:
        return
    for proof in explain_all(lesson.observation, **lesson.settings):
        check(Masked(posterior), proof)
        assert proof.smallest


def test_the_lessons_teach_every_technique() -> None:
    found: set[Technique] = set()
    for file in FILES:
        lesson = Lesson.read(file)
        for cell in lesson.cells:
            proof = explain(lesson.observation, cell, **lesson.settings)
            if isinstance(proof, Proof):
                found.add(proof.technique)
    assert found == set(Technique)


def test_the_docs_count_the_positions() -> None:
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    assert f"{len(FILES)} textbook positions" in page


if __name__ == "__main__":
    for file in FILES:
        lesson = Lesson.read(file)
        file.write_text(f"{lesson.header}{RULER}{lesson.explain()}", encoding="utf-8")
