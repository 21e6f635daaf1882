"""Pictures: what must be told apart, and what must never be shown."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib import resources

import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from mineproof import Board, CellCode, Game, Observation, Proof, explain, infer
from mineproof.arguments import percent
from mineproof.chains import chains_of
from mineproof.draw import (
    beliefs_text,
    board_svg,
    board_text,
    chains_svg,
    palette,
    proof_svg,
    to_svg,
    to_text,
)
from mineproof.draw.looks import Look

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
    digits = board_text(observation, posterior, width=20).plain.splitlines()[2].split()
    assert digits == ["1", "#", "+", "#", "+", "27"]
    letters = board_text(observation, posterior, width=15).plain.splitlines()[2].split()
    assert letters == ["1", "#", "+", "#", "+", "c"]


def test_an_expert_board_shows_its_risks_in_100_columns() -> None:
    observation = Observation.from_text("\n".join(["." * 30] * 15 + ["F" + "." * 29]), mines=21)
    drawn = board_text(observation, infer(observation), width=100).plain.splitlines()
    assert max(map(len, drawn)) <= 100
    assert drawn[1].split() == ["0", *["04"] * 30]
    assert drawn[16].split() == ["15", "F", *["04"] * 29]
    assert drawn[17] == "07 risk 7%  + safe  # mine  F flag  best underlined"


@pytest.mark.parametrize(
    ("risk", "shown"), [(1e-9, "<1"), (0.01, "01"), (0.074, "07"), (0.42, "42"), (0.9999, "99")]
)
def test_two_digits_are_neither_a_clue_nor_certain(risk: float, shown: str) -> None:
    assert Look(CellCode.CLOSED, risk).text(2) == shown


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


def test_only_row_and_column_numbers_are_dim() -> None:
    observation = Observation.from_text(TEXT)
    drawn = board_text(observation, marked=[(0, 0)])
    console = Console(force_terminal=True, color_system="truecolor", width=100)
    dim = [part.text for part in drawn.render(console) if part.style and part.style.dim]
    assert set("".join(dim).split()) == {*"012345", "?"}


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
    narrow = Observation.from_text("...")
    for seen in observation, narrow:
        legend = {"safe", "mine", "flag", "best"}
        assert legend <= set(_words(board_svg(seen, infer(seen))))
        assert not legend & set(_words(board_svg(seen, infer(seen), legend=False)))
        assert not legend & set(_words(board_svg(seen)))


def _words(picture: str) -> list[str | None]:
    root = ET.fromstring(picture)
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_svg_of_a_huge_board_is_cut() -> None:
    observation = Observation.from_text("\n".join(["." * 1000] * 300))
    assert board_svg(observation).count("<rect x=") == 100 * 100


def test_values_draw_themselves() -> None:
    observation = Observation.from_text(TEXT)
    posterior = infer(observation)
    board = Board.from_text("...*..")
    assert str(observation) == board_text(observation).plain
    assert str(posterior) == board_text(observation, posterior).plain
    assert observation._repr_svg_() == observation.to_svg() == board_svg(observation)
    assert posterior.to_svg() == board_svg(observation, posterior)
    chains = chains_of(Game.on(board))
    assert chains.to_svg() == chains_svg(chains)
    seen = Observation.from_text("..1\n1.1\n111")
    proof = explain(seen, (0, 0))
    assert isinstance(proof, Proof)
    assert proof._repr_svg_() == proof.to_svg() == proof_svg(seen, proof)
    with pytest.raises(ValueError, match="no observation to be drawn on"):
        replace(proof, observation=None).to_svg()
    assert repr(board) == "Board(1x6, 1 mine)"
    assert repr(observation).startswith("Observation(")
    assert repr(chains).startswith("Chains(")
    for draw in to_text, to_svg:
        with pytest.raises(TypeError, match="int: cannot be drawn"):
            draw(3)


def test_a_board_shows_its_mines_and_a_game_only_once_it_is_over() -> None:
    board = Board.from_text("...*.*\n......")
    assert str(board).splitlines() == [
        "    0 1 2 3 4 5",
        " 0  0 0 1 # 2 #",
        " 1  0 0 1 1 2 1",
        "# mine",
    ]
    game = Game.on(board)
    game.open((1, 4))
    game.flag((0, 5))
    game.flag((0, 1))
    assert str(game) == str(game.observation)
    assert game.to_svg() == board_svg(game.observation)
    game.open((0, 3))
    assert str(game).splitlines() == [
        "     0  1  2  3  4  5",
        " 0   s  F  .  *  . F#",
        " 1   .  .  .  .  2  .",
        "# mine  F flag",
    ]
    ET.fromstring(game.to_svg())


def test_the_page_has_the_same_colours_of_risks() -> None:
    painted = (resources.files("mineproof") / "web/page/paint.js").read_text(encoding="utf-8")
    for name in ("SAFE", "MINE"):
        assert f'export const {name} = "{getattr(palette, name)}";' in painted
    light = re.search(r"light: \[(.*)\]", painted)
    assert light is not None
    assert tuple(re.findall(r"#\w{6}", light[1])) == palette.HEAT
