"""Pictures in a real browser: no text leaves the picture or its box, none covers another."""

from __future__ import annotations

from itertools import combinations
from typing import TypedDict

import pytest
from playwright.sync_api import Browser

from mineproof import Board, Game, Observation, Proof, Setup, Topology, agents, explain, infer, play
from mineproof.chains import chains_of
from mineproof.draw import board_svg, chains_svg, doubt_svg, proof_svg, proofs_svg, to_svg
from mineproof.proofs import Doubt, explain_all

MEASURE = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const svg = document.querySelector("svg");
  return {
    picture: box(svg),
    texts: [...svg.querySelectorAll("text")].map((text) => ({
      said: text.textContent,
      box: box(text),
      around: text.previousElementSibling?.tagName == "rect"
        ? box(text.previousElementSibling) : null,
      on_board: text.closest('g[font-size="11"]') != null,
    })),
  };
}"""

Box = tuple[float, float, float, float]


class Shown(TypedDict):
    """A text of a picture: where it is, the box that it is in, and whether on a board."""

    said: str
    box: Box
    around: Box | None
    on_board: bool


def risks(text: str) -> str:
    seen = Observation.from_text(text)
    return board_svg(seen, infer(seen), marked=[(0, 0)])


def why(text: str, row: int, col: int) -> str:
    seen = Observation.from_text(text)
    found = explain(seen, (row, col))
    if isinstance(found, Proof):
        return proof_svg(seen, found)
    assert isinstance(found, Doubt)
    return doubt_svg(infer(seen), found)


def certain(text: str) -> str:
    seen = Observation.from_text(text)
    return proofs_svg(seen, explain_all(seen))


def lost() -> str:
    setup = Setup.level("expert")
    record = play(Game(setup, 1), agents.get("random"), seed=1)
    return chains_svg(chains_of(Game(setup, 1), record), title="A game that is lost")


WIDE = "\n".join(["." * 30] * 15 + ["F" + "1" * 29])
LONG = "A very long title & more: 3 rows, 3 columns, 1 mine, start safe, clues lost:0.2"
PICTURES = {
    "risks of one cell": risks("."),
    "risks, narrow": risks("3x3x2\n1..\n...\n..F"),
    "risks, wide": risks(WIDE),
    "risks that are extreme": risks("10x4x1\n..........\n..........\n.1........\n.........."),
    "a proof, small": why("..1\n1.1\n111", 0, 0),
    "a proof by cases": why("....\n121?\n....", 0, 1),
    "a proof by the total": why("3x2x1\n1..\n.??", 0, 2),
    "proofs, small": certain("...\n121\n???"),
    "proofs": certain("..10\n122?\n...."),
    "no proofs": certain("..."),
    "a doubt, small": why("..1\n...\n...", 0, 0),
    "a doubt": why("5x2x2\n.1...\n.....", 0, 0),
    "chains, small": chains_svg(chains_of(Game.on(Board.from_text("...\n.*.\n..."))), title=LONG),
    "chains": to_svg(chains_of(Game.level("easy", seed=2))),
    "chains, wide": lost(),
    "risks, torus": risks("3x3x1 torus\n.1.\n...\n..F"),
    "risks, hexagons": risks("4x3x3 hex\n.1..\n..F.\n...."),
    "a proof across the edge": why("6x5 torus\n1....1\n1....1\n1....1\n......\n......", 1, 1),
    "a proof by cases, hexagons": why("5x3 hex\n.....\n1221?\n.....", 0, 2),
    "a board, torus": to_svg(Board.random(Setup(Topology(5, 5, "torus"), 5), seed=1)),
    "chains, torus": to_svg(chains_of(Game(Setup(Topology(9, 9, "torus"), 10), seed=2))),
    "chains, hexagons": to_svg(chains_of(Game(Setup(Topology(9, 9, "hex"), 10), seed=2))),
    "a board": to_svg(Board.random(Setup(Topology(3, 3), 2), seed=1)),
}


def inside(box: Box, around: Box) -> bool:
    left, top, right, bottom = (a - b for a, b in zip(box, around, strict=True))
    return left >= 0 and top >= 0 and right <= 0 and bottom <= 0


def apart(one: Box, other: Box) -> bool:
    return (
        one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 1 or other[3] <= one[1] + 1
    )


@pytest.mark.parametrize("font", ["DejaVu Sans", "Liberation Sans"])
@pytest.mark.parametrize("name", PICTURES)
def test_every_text_keeps_to_its_place(name: str, font: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    style = f'<style>body {{ margin: 0 }} text {{ font-family: "{font}" }}</style>'
    page.set_content(f"{style}<body>{PICTURES[name]}</body>")
    measured = page.evaluate(MEASURE)
    page.close()
    texts: list[Shown] = measured["texts"]
    assert texts
    for text in texts:
        assert inside(text["box"], measured["picture"]), text["said"]
        if text["around"] is not None:
            left, _, right, _ = text["around"]
            assert left <= text["box"][0], text["said"]
            assert text["box"][2] <= right, text["said"]
    beside_the_board = [text for text in texts if not text["on_board"]]
    for one, other in combinations(beside_the_board, 2):
        assert apart(one["box"], other["box"]), (one["said"], other["said"])
