"""Pictures: what must be told apart, and what must never be shown."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from mineproof import Observation, infer
from mineproof.arguments import percent
from mineproof.draw import beliefs_text, board_svg, board_text

TEXT = "6x4x5\n......\n.12F1.\n.1?1s.\n...*.."


@pytest.mark.parametrize("risk", [1e-300, 1e-17, 0.004, 0.00999, 0.5, 0.99001, 0.999, 1 - 1e-16])
@pytest.mark.parametrize("digits", [0, 1, 2, 5])
def test_uncertain_is_never_shown_as_certain(risk: float, digits: int) -> None:
    shown = percent(risk, digits=digits)
    assert shown.strip("<>%") not in {f"{0:.{digits}f}", f"{100:.{digits}f}"}


def test_certain_cells_differ_without_colour() -> None:
    observation = Observation.from_text("121??\n.....")
    posterior = infer(observation)
    words = board_text(observation, posterior).plain.splitlines()[2].split()
    assert words[:5] == ["1", "mine", "safe", "mine", "safe"]
    assert words[5].endswith("%")
    letters = board_text(observation, posterior, width=20).plain.splitlines()[2].split()
    assert letters[:5] == ["1", "#", "+", "#", "+"]
    assert letters[5] in "abcdefghij"


def test_flags_keep_their_risk() -> None:
    observation = Observation.from_text("3x1x1\nF1.")
    assert "F50%" in board_text(observation, infer(observation)).plain


def test_without_a_posterior() -> None:
    drawn = board_text(Observation.from_text(TEXT)).plain
    assert drawn.splitlines()[2] == " 1  . 1 2 F 1 ."


@pytest.mark.parametrize("width", [1, 5, 20, 40, 80, 200])
@pytest.mark.parametrize("size", [(1, 1), (3, 60), (150, 150)])
def test_drawings_fit_the_terminal(width: int, size: tuple[int, int]) -> None:
    rows, cols = size
    observation = Observation.from_text("\n".join(["." * cols] * rows), mines=1)
    drawn = board_text(observation, infer(observation), width=width)
    grid = [line for line in drawn.plain.splitlines() if line.lstrip()[:1].isdigit()]
    assert all(len(line) <= max(width, 8) for line in grid)
    assert len(grid) <= 101


def test_colour() -> None:
    observation = Observation.from_text(TEXT)
    console = Console(force_terminal=True, color_system="truecolor", width=100)
    with console.capture() as capture:
        console.print(board_text(observation, infer(observation)))
    assert "\x1b[" in capture.get()


def test_certain_cells_keep_their_colours_in_a_terminal_of_16() -> None:
    observation = Observation.from_text("121??\n.....")
    styles = [
        Style.parse(str(span.style)) for span in board_text(observation, infer(observation)).spans
    ]
    backgrounds = [style.bgcolor for style in styles if style.bgcolor is not None]
    shown = [colour.downgrade(ColorSystem.STANDARD).number for colour in backgrounds]
    red, green = 1, 2
    assert shown[:4] == [red, green, red, green]
    assert shown[4] not in (red, green)


@pytest.mark.parametrize("width", [20, 30, 60, 100, 300])
def test_the_legend_tells_all_and_fits(width: int) -> None:
    observation = Observation.from_text("F" + "." * 39, mines=5)
    drawn = board_text(observation, infer(observation), width=width).plain
    assert all(len(line) <= width for line in drawn.splitlines())
    assert drawn.endswith("best underlined")
    assert "F flag" in drawn
    assert ("+ safe" in drawn) == ("b <20%" in drawn) == (width < 300)


def test_underlining_is_not_explained_where_it_cannot_be_seen() -> None:
    observation = Observation.from_text("3x1x1\nF1.")
    assert board_text(observation, infer(observation)).plain.splitlines()[-1] == "F flag"


@pytest.mark.parametrize("height", [3, 10, 40])
def test_drawings_keep_to_a_height(height: int) -> None:
    observation = Observation.from_text("\n".join(["." * 30] * 20), mines=50)
    for marked in [(0, 0)], [(19, 29), (3, 3)]:
        drawn = board_text(observation, width=70, height=height, marked=marked).plain
        assert len(drawn.splitlines()) <= height
        assert "[.]" in drawn
        assert ("of 20" in drawn) == (height < 21)


def test_marks_stand_in_brackets_that_neighbours_share() -> None:
    drawn = board_text(Observation.from_text(TEXT), marked=[(1, 1), (1, 2), (3, 5), (0, 0)]).plain
    assert drawn.splitlines()[1:] == [
        " 0 [.]. . . . .",
        " 1  .[1|2]F 1 .",
        " 2  . 1 ? 1 s .",
        " 3  . . . * .[.]",
    ]


def test_beliefs_are_never_taken_for_clues() -> None:
    observation = Observation.from_text("01.\nF?.")
    numbers = {(0, 2): 1.0, (1, 0): 0.0, (1, 2): 12.345, (0, 0): 0.5}
    assert beliefs_text(observation, numbers, marked=[(1, 2)]).plain.splitlines()[1:] == [
        " 0      0     1  1.00",
        " 1  F0.00     ? [12.3]",
        "F flag",
    ]


def test_beliefs_in_little_room_are_letters_of_their_scale() -> None:
    observation = Observation.from_text("F" + "." * 29)
    numbers = {(0, col): col / 10 for col in range(30)}
    drawn = beliefs_text(observation, numbers, width=70).plain.splitlines()
    assert drawn[1] == " 0  F a a b b b c c c d d d e e e f f f g g g h h h i i i j j j"
    assert drawn[2] == "a <0.29  b <0.58  ... j to 2.90  F flag"


def test_strange_beliefs_are_drawn_too() -> None:
    observation = Observation.from_text("....")
    numbers = {(0, 0): -1.0, (0, 1): float("inf"), (0, 2): float("nan"), (0, 3): 1e9}
    drawn = beliefs_text(observation, numbers).plain.splitlines()[1]
    assert drawn.split() == ["0", "-1.0", "inf", ".", ">999"]


@pytest.mark.parametrize("with_risks", [True, False])
def test_svg_is_well_formed(with_risks: bool) -> None:
    observation = Observation.from_text(TEXT)
    picture = board_svg(observation, infer(observation) if with_risks else None)
    root = ET.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in picture
    shown = _words(picture)
    assert "2" in shown
    assert not {"0%", "100%"} & set(shown)


def test_the_svg_legend_tells_all() -> None:
    observation = Observation.from_text("." * 9)
    assert {"safe", "mine", "flag", "best"} <= set(
        _words(board_svg(observation, infer(observation)))
    )
    assert "flag" not in _words(board_svg(observation))
    narrow = Observation.from_text("...")
    assert "flag" not in _words(board_svg(narrow, infer(narrow)))


def _words(picture: str) -> list[str | None]:
    root = ET.fromstring(picture)
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_svg_of_a_huge_board_is_cut() -> None:
    observation = Observation.from_text("\n".join(["." * 1000] * 300))
    assert board_svg(observation).count("<g transform") == 100 * 100


def test_notebooks_show_observations() -> None:
    observation = Observation.from_text(TEXT)
    assert observation._repr_svg_() == board_svg(observation)
