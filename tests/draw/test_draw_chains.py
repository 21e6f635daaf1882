"""Chains drawn as text and as SVG, and told in chain_sentences."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from mineproof import Board, Game, Rules, Setup, Topology, agents, play
from mineproof.chains import Chains, chains_of
from mineproof.draw import chain_sentences, chains_svg, chains_text

ROW = chains_of(Game.on(Board.from_text("...*..")))
LOST = Setup.level("expert")


def lost_game() -> Chains:
    """A game that ended before all was known."""
    record = play(Game(LOST, 1), agents.get("random"), seed=1)
    assert record.outcome == "lost"
    return chains_of(Game(LOST, 1), record)


def test_every_cell_bears_the_length_of_its_chain() -> None:
    assert chains_text(ROW).plain.splitlines() == [
        "     0  1  2  3  4  5",
        " 0 [o0| 1| 2|*3] 3  3",
        "[] longest chain  * mine  o root",
    ]


def test_the_longer_the_chain_the_darker() -> None:
    shades = [str(span.style) for span in chains_text(ROW).spans if " on #" in str(span.style)]
    darkness = [sum(bytes.fromhex(shade.rpartition("#")[2])) for shade in shades]
    assert darkness[:4] == sorted(darkness[:4], reverse=True)
    assert len(set(darkness)) == 4


def test_what_was_never_settled_is_shown_as_such() -> None:
    text = chains_text(lost_game()).plain
    assert ". never settled" in text
    assert text.splitlines()[1].endswith(".")


def test_a_narrow_terminal_shows_the_end_of_the_longest_chain() -> None:
    chains = chains_of(Game(Setup.level("expert"), 2))
    lines = chains_text(chains, width=60).plain.splitlines()
    assert max(map(len, lines)) <= 60
    assert "of 30" in lines[-2]
    assert f"[{chains.longest:>3}" in "\n".join(lines) or f"|{chains.longest:>3}" in "\n".join(
        lines
    )


@pytest.mark.parametrize("level", ["easy", "expert"])
def test_a_picture_has_a_tile_a_cell_and_a_badge_a_link(level: str) -> None:
    chains = chains_of(Game(Setup.level(level), 2))
    root = ET.fromstring(chains_svg(chains, title="4 < 5 & more"))
    space = "{http://www.w3.org/2000/svg}"
    words = [element.text for element in root.iter(f"{space}text")]
    assert str(chains.longest) in words
    assert f"Longest chain: {chains.longest}" in " ".join(filter(None, words))
    [line, _] = root.iter(f"{space}polyline")
    assert len(line.attrib["points"].split()) == chains.longest + 1


def test_a_large_board_is_cut_to_the_end_of_its_longest_chain() -> None:
    chains = chains_of(Game(Setup(Topology(12, 40), 60, Rules("zero")), 1))
    small = chains_svg(chains, most=8)
    ET.fromstring(small)
    assert len(small) < len(chains_svg(chains))


def test_sentences() -> None:
    assert list(chain_sentences(ROW)) == [
        "Longest chain: 3, from (0, 0) to (0, 3).",
        "Mean 2.00, reach 5, branching 1.00, 0 guesses.",
    ]
    told = list(chain_sentences(lost_game()))
    assert told[-1].endswith("never settled.")
    nothing = chains_of(Game.on(Board.from_cells(1, 2, []), Rules("any")))
    assert nothing.links
    assert list(chain_sentences(Chains(nothing.seen, ()))) == ["Nothing came to be known."]
    assert (
        "some chains may be others" in list(chain_sentences(Chains(ROW.seen, ROW.links, False)))[-1]
    )
