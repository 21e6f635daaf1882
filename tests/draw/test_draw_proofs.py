"""Pictures of proofs: what they point at, and that everything can be told apart without colour."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest
from rich.console import Console
from rich.text import Text

from mineproof import Observation, Proof, explain, infer
from mineproof.draw import doubt_svg, doubt_text, proof_svg, proof_text, proofs_svg, side_by_side
from mineproof.draw.proofs import basis, panels
from mineproof.draw.terminal import region
from mineproof.proofs import Doubt, Step, Technique, explain_all

POSITIONS = {
    "counting": ("..1\n1.1\n111", (0, 0)),
    "subset": ("...\n121", (0, 1)),
    "cases": ("....\n121?\n....", (0, 1)),
    "total": ("3x2x1\n1..\n.??", (0, 2)),
    "given": ("1s.\n..?", (0, 1)),
}
UNCERTAIN = "5x2x2\n.1...\n....."


@cache
def example(name: str) -> tuple[Observation, Proof]:
    text, cell = POSITIONS[name]
    seen = Observation.from_text(text)
    proof = explain(seen, cell)
    assert isinstance(proof, Proof)
    assert str(proof.technique) == name
    return seen, proof


def doubt() -> tuple[Observation, Doubt]:
    seen = Observation.from_text(UNCERTAIN)
    found = explain(seen, (0, 0))
    assert isinstance(found, Doubt)
    return seen, found


NESTED = Proof(
    cell=(0, 0),
    status="mine",
    premises=((1, 0), (1, 1)),
    uses_total=False,
    smallest=True,
    steps=(
        Step(Technique.COUNTING, "One.", ((1, 0),), safe=((0, 3),)),
        Step(Technique.CASES, "Suppose (0, 0) were safe."),
        Step(Technique.CASES, "Suppose also (0, 1) were a mine.", assumed=(((0, 0), False),)),
        Step(
            Technique.CASES,
            "Then the 1 at (1, 1) ...",
            ((1, 1),),
            assumed=(((0, 0), False), ((0, 1), True)),
            impossible=True,
        ),
        Step(
            Technique.CASES,
            "So (0, 1) would be safe.",
            safe=((0, 1),),
            assumed=(((0, 0), False),),
        ),
        Step(
            Technique.CASES,
            "Then the 1 at (1, 0) ...",
            ((1, 0),),
            assumed=(((0, 0), False),),
            impossible=True,
        ),
        Step(Technique.CASES, "So (0, 0) is a mine.", mined=((0, 0),)),
    ),
)
WIDE = Observation.from_text("....\n11??")


def words(picture: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(picture).iter() if node.text]


# ----------------------------------------------------------------------------------------- panels


def test_without_cases_one_panel_shows_all() -> None:
    _, proof = example("counting")
    (panel,) = panels(proof)
    assert panel.title == "So (0, 0) is safe"
    assert {cell: mark.mine for cell, mark in panel.marks.items()} == {(0, 0): False, (1, 1): True}
    assert panel.clues == {(1, 0): [2], (2, 0): [1]}
    assert not panel.broken


def test_every_case_has_a_panel_that_knows_what_was_known() -> None:
    inner, outer, end = panels(NESTED)
    assert inner.title == "If (0, 0) were safe and (0, 1) were a mine"
    assert inner.broken == {(1, 1)}
    assert inner.marks[0, 1].mine
    assert outer.title == "If (0, 0) were safe"
    assert outer.broken == {(1, 0)}
    assert not outer.marks[0, 1].mine
    assert [outer.marks[cell].step for cell in ((0, 3), (0, 0), (0, 1))] == [1, 2, 5]
    assert [outer.marks[cell].in_case for cell in ((0, 3), (0, 0), (0, 1))] == [False, True, True]
    assert end.title == "So (0, 0) is a mine"
    assert end.marks[0, 0].mine
    assert (0, 1) not in end.marks
    assert list(end.clues) == [(1, 0), (1, 1)]


@pytest.mark.parametrize("name", POSITIONS)
def test_panels_show_all_that_the_steps_speak_of(name: str) -> None:
    _, proof = example(name)
    shown = panels(proof)
    assert not any(mark.in_case for mark in shown[-1].marks.values())
    assert shown[-1].marks[proof.cell].mine == (proof.status == "mine")
    pointed_at = set().union(*(panel.marks.keys() | panel.clues.keys() for panel in shown))
    for step in proof.steps:
        assert {*step.clues, *step.safe, *step.mined} <= pointed_at


def test_a_step_that_sums_up_has_no_number_on_its_cells() -> None:
    many = tuple((0, col) for col in range(9))
    steps = (
        Step(Technique.COUNTING, "Counting at 9 clues finds 9 mines.", many, mined=many),
        Step(Technique.TOTAL, "No more are left: (5, 5) is safe.", safe=((5, 5),), uses_total=True),
    )
    (panel,) = panels(Proof((5, 5), "safe", many, True, False, steps))
    assert panel.marks[0, 0].step is None
    assert panel.clues[0, 0] == []
    assert panel.marks[5, 5].step == 2


def test_what_it_rests_on() -> None:
    assert basis(*example("counting")) == "It follows from 2 clues, and from no fewer."
    assert basis(*example("total")) == "It follows from 1 clue and the mine total of 1."
    assert basis(*example("given")) == ""


@pytest.mark.parametrize("most", [1, 3, 100])
def test_the_region_holds_the_centre(most: int) -> None:
    seen = Observation.from_text("\n".join(["." * 50] * 40))
    for centre in (0, 0), (39, 49), (20, 3):
        rows, cols = region(seen.topology, [centre, (20, 20)], centre=centre, most=most)
        assert centre[0] in rows
        assert centre[1] in cols
        assert max(len(rows), len(cols)) <= most


# -------------------------------------------------------------------------------------------- SVG


@pytest.mark.parametrize("name", POSITIONS)
def test_the_picture_is_well_formed_and_says_all(name: str) -> None:
    seen, proof = example(name)
    picture = proof_svg(seen, proof)
    root = ET.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in picture
    said = " ".join(words(picture))
    kind = "a mine" if proof.status == "mine" else "safe"
    assert f"Why is {proof.cell} {kind}?" in said
    for step in proof.steps:
        assert all(part in said for part in step.text.split(". "))


@pytest.mark.parametrize("name", POSITIONS)
def test_cases_are_hatched_and_titled(name: str) -> None:
    picture = proof_svg(*example(name))
    in_cases = name == "cases"
    assert ('fill="url(#case)"' in picture) == in_cases
    assert ("If (0, 1) were a mine" in words(picture)) == in_cases
    assert ("only in this case" in words(picture)) == in_cases
    assert ("cannot be met" in words(picture)) == in_cases


def test_clues_and_cells_bear_the_numbers_of_their_steps() -> None:
    seen, proof = example("counting")
    badges = re.findall(
        r'font-size="10" font-weight="bold" fill="white">([^<]+)<', proof_svg(seen, proof)
    )
    # Two steps, each with a clue and a cell.
    assert sorted(badges) == ["1", "1", "2", "2"]


def test_nested_cases_are_drawn() -> None:
    said = words(proof_svg(WIDE, NESTED))
    assert "If (0, 0) were safe and (0, 1) were a mine" in said
    assert "If (0, 0) were safe" in said
    assert "So (0, 0) is a mine" in said


def test_pictures_of_large_boards_are_cut() -> None:
    seen = Observation.from_text("\n".join(["1." + "?" * 300, "?" * 302, "?" * 302]))
    proof = explain(seen, (0, 1))
    assert isinstance(proof, Proof)
    assert len(proof_svg(seen, proof)) < 10_000
    many = proofs_svg(seen, explain_all(seen), most=20)
    assert len(many) < 60_000


def test_long_arguments_and_many_cases_are_cut() -> None:
    cases = [
        step
        for col in range(10)
        for step in (
            Step(Technique.CASES, f"Suppose (0, {col}) were a mine."),
            Step(Technique.CASES, "Then.", ((1, 1),), assumed=(((0, col), True),), impossible=True),
            Step(Technique.CASES, f"So (0, {col}) is safe.", safe=((0, col),)),
            *(Step(Technique.COUNTING, "On and on.") for _ in range(10)),
        )
    ]
    seen = Observation.from_text("..........\n.1........")
    proof = Proof((0, 9), "safe", ((1, 1),), False, False, tuple(cases))
    picture = proof_svg(seen, proof)
    assert "and 90 more steps" in words(picture)
    assert picture.count("If (0, ") == 5
    assert "So (0, 9) is safe" in words(picture)
    drawn = proof_text(seen, proof, width=80).plain
    assert drawn.count("If (0, ") == 3


def test_all_that_is_certain_with_its_grade() -> None:
    seen = Observation.from_text("..10\n122?\n....")
    proofs = explain_all(seen)
    said = words(proofs_svg(seen, proofs))
    assert "What is certain?" in said
    assert "4 safe cells and 2 mines." in said
    assert said.count("1") >= sum(proof.technique is Technique.COUNTING for proof in proofs)
    assert {f"{int(proof.technique)}: {proof.technique}" for proof in proofs} <= set(said)


def test_nothing_is_certain() -> None:
    picture = proofs_svg(Observation.from_text("...\n..."), ())
    assert "0 safe cells and 0 mines." in words(picture)


def test_a_doubt_shows_risks_and_what_presses() -> None:
    seen, found = doubt()
    picture = doubt_svg(infer(seen), found)
    said = words(picture)
    assert "How risky is (0, 0)?" in said
    assert "20%" in said
    assert str(found).splitlines()[0] in said
    assert not {"0%", "100%"} & set(said)


# ------------------------------------------------------------------------------------------- text


def test_clues_in_parentheses_and_the_cell_in_brackets() -> None:
    drawn = proof_text(*example("counting")).plain.splitlines()
    assert drawn[3:7] == ["     0  1  2", " 0  [+] .  1", " 1  (1) #  1", " 2  (1) 1  1"]
    assert drawn[8] == "[] the cell  () a clue it rests on  + safe  # mine"


def test_cases_stand_side_by_side_where_there_is_room() -> None:
    seen, proof = example("cases")
    wide, narrow = (proof_text(seen, proof, width=width).plain for width in (80, 25))
    assert "If (0, 1) were a mine   So (0, 1) is safe" in wide
    assert "If (0, 1) were a mine\n" in narrow
    assert "!2!" in wide
    assert "!! cannot be met" in wide
    assert re.search(r"\[#\].*\[\+\]", wide)


@pytest.mark.parametrize("width", [30, 50, 80])
@pytest.mark.parametrize("name", [*POSITIONS, "nested"])
def test_texts_fit_the_terminal(name: str, width: int) -> None:
    seen, proof = (WIDE, NESTED) if name == "nested" else example(name)
    drawn = proof_text(seen, proof, width=width).plain
    heading, *lines = drawn.splitlines()
    assert all(len(line) <= width for line in lines if not line.startswith("If"))
    for number, _ in enumerate(proof.steps, start=1):
        assert re.search(rf"^ *{number}  ", drawn, re.MULTILINE)
    assert heading.startswith(str(proof).partition(":")[0])


def test_no_cell_is_broken_in_two() -> None:
    seen, proof = example("subset")
    for width in range(30, 60):
        drawn = proof_text(seen, proof, width=width).plain
        assert not re.search(r"\(\d+,\n", drawn)
        assert "\N{NO-BREAK SPACE}" not in drawn


def test_steps_are_told_whole_where_there_is_no_terminal() -> None:
    for name in POSITIONS:
        seen, proof = example(name)
        drawn = proof_text(seen, proof).plain
        assert all(step.text in drawn for step in proof.steps)


def test_colours_add_to_signs() -> None:
    seen, proof = example("cases")
    console = Console(force_terminal=True, color_system="truecolor", width=100)
    with console.capture() as capture:
        console.print(proof_text(seen, proof))
    assert "\x1b[" in capture.get()


def test_a_doubt_as_text() -> None:
    seen, found = doubt()
    drawn = doubt_text(infer(seen), found, width=60).plain
    assert "[20%]" in drawn
    assert "(1)" in drawn
    assert drawn.endswith(str(found))
    assert "() a clue that presses on it" in drawn


def test_titles_do_not_colour_their_boards() -> None:
    console = Console(force_terminal=True, color_system="truecolor", width=100)
    parts = list(proof_text(*example("cases")).render(console))
    closed = [part.style for part in parts if part.text == "." and part.style is not None]
    assert closed
    assert not any(style.bold or style.dim for style in closed)


def test_side_by_side_pads() -> None:
    both = side_by_side(Text("a\nbcd"), Text("e\nf\ng")).plain
    assert both.split("\n") == ["a     e", "bcd   f", "      g"]
