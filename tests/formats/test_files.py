"""Files with several games, boards and positions."""

from __future__ import annotations

import pytest

from mineproof import Board, Game, Observation, Setup, Topology, Transcript
from mineproof.formats import read_entries, read_positions


def a_game() -> Game:
    game = Game(Setup(Topology(2, 3), 1, first=(0, 0)), seed=4)
    game.open((0, 0))
    return game


def test_many_boards() -> None:
    text = "\ufeff\n*..\r\n...\r\n \t\r\n\r\n2x1x1\n. *\n\n\n*"
    boards = read_entries(text)
    assert [entry.to_text() for entry in boards] == ["3x2x1\n*..\n...", "2x1x1\n.*", "1x1x1\n*"]
    names = [entry.name for entry in boards if isinstance(entry, Board)]
    assert names == ["board 0", "board 1", "board 2"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("*1.", Board),
        ("3x1x1\n*1.", Board),
        ("3x1x2\n*1.", Observation),
        (".1.", Observation),
        ("*1F", Observation),
        ("*?.", Observation),
        ("*s.", Observation),
        ("...", Board),
        ("3x1x1\n...", Observation),
        ("..0", Observation),
        ("3x1x1 position\n*1.", Observation),
        ("3x3x1 hex position\n*1.\n...\n...", Observation),
    ],
)
def test_boards_and_positions_are_told_apart(text: str, kind: type) -> None:
    [entry] = read_entries(text)
    assert isinstance(entry, kind)


def test_games_boards_and_positions_in_one_file() -> None:
    transcript = Transcript.of(a_game(), by="Ada")
    text = f"*1.\n11.\n\n{transcript.to_text()}\n\n.1.\n\n{transcript.to_line()}\n"
    board, game, position, line = read_entries(text)
    assert isinstance(board, Board)
    assert game == line == transcript
    assert isinstance(position, Observation)
    seen = read_positions(text)
    assert [each.cells.shape for each in seen] == [(2, 3), (2, 3), (1, 3), (2, 3)]
    assert seen[0].exploded == 1
    assert seen[1] == transcript.observation()
    assert read_positions(transcript.to_text(), moves=0) == [transcript.observation(0)]
    assert read_positions(transcript.to_text(), mines=2)[0].mines == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" \n\n", "no cells: the text is empty"),
        ("*..\n..", "row 1: 2 cells, expected 3"),
        ("*..\n\n.G", "entry 1: (0, 1): unknown character 'G'"),
        ("*..\n\n*2.", "entry 1: (0, 1): count 2, but 1 mine around"),
        ("*..\n\n3x1x1\n\n...", "entry 1: no cells: only a header"),
        ("*..\n\nmineproof game 1\nseed 1", "entry 1: line 3: the conditions need a size"),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_entries(text)
    assert str(caught.value).startswith(sentence)
