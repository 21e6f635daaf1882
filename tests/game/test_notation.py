"""The notation of games: round trips, what is checked, and hostile input."""

from __future__ import annotations

import re
from collections.abc import Collection
from pickle import dumps, loads
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Board, Channel, Game, Observation, Outcome, Rules, Setup, Topology, Transcript
from mineproof.game import Move
from mineproof.game.notation import is_transcript

CHANNELS = [*map(Channel.parse, ("exact", "lost:0.3", "late:0.3", "optimistic", "cautious"))]
NAMES = ["", "exact:untold+naive", "Ada Lovelace", "agents/mine.py:Best", "50% +;=#&? é棋"]
URL = re.compile(r"[\w.~!$&'()*+,;=:@/?%-]*", re.ASCII)


@st.composite
def played_games(draw: st.DrawFn) -> tuple[Game, list[str]]:
    """Draw a game with any rules after any number of moves, and who made them."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    rules = Rules(
        start=draw(st.sampled_from(["any", "safe", "zero"])),
        on_mine=draw(st.sampled_from(["end", "continue"])),
        cascade=draw(st.booleans()),
    )
    mines = draw(st.integers(0, len(cells) - 1))
    given_safe = draw(st.integers(0, min(2, len(cells) - mines)))
    rules = Rules(rules.start, rules.on_mine, rules.cascade, given_safe)
    seed = draw(st.integers(0, 2**64 - 1))
    channel = draw(st.sampled_from(CHANNELS))
    first = draw(st.none() | st.sampled_from(cells))
    begun = draw(st.sampled_from(["random", "laid", "board", "position"]))
    if begun == "board":
        layout = draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 2))
        rules = Rules("any", rules.on_mine, rules.cascade)
        board = Board.from_cells(rows, cols, layout)
        game = Game.on(board, rules, channel=channel, seed=seed, first=first)
    else:
        game = Game(Setup(Topology(rows, cols), mines, rules, channel, first=first), seed=seed)
        if begun == "laid":
            game.lay_mines()
    _make_moves(game, draw(moves_in(cells)))
    if begun == "position":
        game = Game.from_position(game.observation, rules, seed=seed)
        _make_moves(game, draw(moves_in(cells)))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=40, max_size=40))
    return game, (names * 3)[: len(game.moves)]


def moves_in(cells: list[tuple[int, int]]) -> st.SearchStrategy[list[tuple[str, Any]]]:
    kinds = st.sampled_from(["open", "open", "flag", "unflag", "chord", "wait"])
    return st.lists(st.tuples(kinds, st.sampled_from(cells)), max_size=40)


def _make_moves(game: Game, moves: list[tuple[str, Any]]) -> None:
    for kind, cell in moves:
        try:
            getattr(game, kind)(cell)
        except ValueError:
            continue


def transcript_of(game: Game, names: list[str], together: Collection[int] = ()) -> Transcript:
    moves = zip(game.moves, names, strict=True)
    made = [
        Move(kind, cell, by, together=number in together)
        for number, ((kind, cell), by) in enumerate(moves)
    ]
    return Transcript.of(game, moves=made)


@given(played_games())
def test_a_game_survives_its_text_and_its_line(played: tuple[Game, list[str]]) -> None:
    game, names = played
    kinds = [kind for kind, _ in game.moves]
    together = {
        number
        for number in range(1, len(names), 2)
        if names[number - 1] == names[number] and "wait" not in kinds[number - 1 : number + 1]
    }
    transcript = transcript_of(game, names, together)
    assert sum(len(moves) - 1 for moves in transcript.decisions()) == len(together)
    assert is_transcript(transcript.to_text())
    assert Transcript.from_text(transcript.to_text()) == transcript
    assert is_transcript(transcript.to_line())
    assert Transcript.from_text(transcript.to_line()) == transcript
    assert URL.fullmatch(transcript.to_line())
    assert loads(dumps(transcript)) == transcript
    again = transcript.game()
    assert again.observation == game.observation
    assert again.moves == game.moves
    assert (again.outcome, again.first, again.seed) == (game.outcome, game.first, game.seed)
    assert [move.by for move in transcript.moves] == names
    assert transcript.outcome is game.outcome
    if game.outcome is not None:
        assert transcript.board == game.board
        assert transcript.to_text().endswith(game.board.to_text().partition("\n")[2])


@given(played_games())
def test_what_was_seen_can_be_replayed_without_the_board(played: tuple[Game, list[str]]) -> None:
    transcript = transcript_of(*played)
    seen = transcript.as_seen()
    assert "seed" not in seen.to_text()
    assert seen.board is None
    assert seen.outcome is transcript.outcome
    for number in range(len(transcript.moves) + 1):
        expected = transcript.game(number).observation
        assert transcript.observation(number) == expected
        assert seen.observation(number) == expected
    for text in (seen.to_text(), seen.to_line()):
        assert Transcript.from_text(text) == seen
    with pytest.raises(ValueError, match="the board is unknown"):
        seen.game()


@given(played_games(), st.booleans(), st.data())
def test_damaged_text_is_refused_in_one_sentence_or_is_a_game(
    played: tuple[Game, list[str]], as_line: bool, data: st.DataObject
) -> None:
    transcript = transcript_of(*played)
    separator = ";" if as_line else "\n"
    parts = (transcript.to_line() if as_line else transcript.to_text()).split(separator)
    at = data.draw(st.integers(0, len(parts) - 1))
    change = data.draw(st.sampled_from(["drop", "repeat", "cut", "insert", "swap"]))
    if change == "drop":
        del parts[at]
    elif change == "repeat":
        parts.insert(at, parts[at])
    elif change == "swap":
        other = data.draw(st.integers(0, len(parts) - 1))
        parts[at], parts[other] = parts[other], parts[at]
    else:
        place = data.draw(st.integers(0, len(parts[at])))
        added = data.draw(st.text(max_size=3)) if change == "insert" else ""
        parts[at] = parts[at][:place] + added + parts[at][place + (change == "cut") :]
    try:
        read = Transcript.from_text(separator.join(parts))
    except ValueError as error:
        refusal = str(error)
    else:
        refusal = ""
        assert Transcript.from_text(read.to_text()) == read
    assert re.fullmatch(r"((line|part) \d+: [^\n]+)?", refusal)


@given(st.text(max_size=200) | st.text(alphabet=" \nmineproofgame1;+sx0,=%", max_size=200))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(line|part) \d+: [^\n]+$"):
        Transcript.from_text(text)


EXAMPLE = """\
mineproof game 1
size 3x2x1
seed 4
first 0,0
by Ada
open 0,0 shows 0,0=1
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game 1", "game 3", "line 1: version '3': only versions 1 and 2 can be read"),
        ("mineproof game 1\n", "", "line 1: a game begins with 'mineproof game 1'"),
        ("size 3x2x1\n", "", "line 4: the conditions need a size, as in 'size 30x16x99'"),
        ("3x2x1", "3x2", "line 2: a board has a number of mines, as in 9x9x10"),
        ("3x2x1", "3x2x6", "line 2: 6 mines: the board has room for 0 to 5"),
        (
            "3x2x1",
            "9999x9999x1",
            "line 2: value '9999x9999x1': must be a size of at most 4,000,000 cells",
        ),
        ("seed 4", "seed 18446744073709551616", "line 3: seed 18446744073709551616: must be"),
        (
            "seed 4",
            f"seed {10**20}",
            f"line 3: seed {10**20}: must be a whole number from 0 to 2**64",
        ),
        (
            "seed 4",
            f"seed {10**99}",
            "line 3: seed a number of 100 digits: must be a whole number from",
        ),
        ("seed 4", "seed " + "9" * 1_001, "line 3: value '9999"),
        ("3x2x1", "3x2x123456789", "line 2: mines 123456789: must be a whole number from 0 to 6"),
        ("3x2x1", "3x123456789x1", "line 2: value '3x123456789x1': must be a size of at most"),
        ("seed 4", "seed 4\nseed 4", "line 4: seed is given twice"),
        ("seed 4", "start lucky", "line 3: value 'lucky': must be any, safe or zero"),
        (
            "seed 4",
            "seed 4\ngiven_safe 6",
            "line 4: 6 given safe cells: the board has 5 safe cells",
        ),
        ("first 0,0", "given_safe 7", "line 4: 7 given safe cells: the board has 5 safe cells"),
        ("seed 4", "seed 4\nchannel lost:2", "line 4: channel 'lost:2': must be exact, lost:P"),
        ("first 0,0", "first 2,0", "line 4: (2, 0): the board has 2 rows and 3 columns"),
        ("first 0,0", "start any\nfirst open", "line 5: open, but the mines are laid at the start"),
        ("open 0,0", "dig 0,0", "line 6: 'dig' is not a word of this notation"),
        ("by Ada\n", "outcome won\nby Ada\n", "line 6: 'by' is out of place"),
        ("open 0,0", "open 0", "line 6: value '0': must be ROW,COLUMN, as in 0,3"),
        ("open 0,0", "open &0,0", "line 6: (0, 0): no move before it by the same player"),
        ("open 0,0", "open &", "line 6: value '': must be ROW,COLUMN, as in 0,3"),
        ("0,0=1\n", "0,0=1\nby\nflag &0,2\n", "line 8: (0, 2): no move before it by the same"),
        ("0,0=1\n", "0,0=1\nflag &0,2\n", ""),
        ("open 0,0", "open 9,0", "line 6: (9, 0): the board has 2 rows and 3 columns"),
        ("0,0=1", "0,0=2", "line 6: on this board it shows 0,0=1"),
        ("0,0=1", "0,0=F", "line 6: value '0,0=F': must be ROW,COLUMN=SYMBOLS, as in 0,3=112"),
        ("0,0=1", "0,2=11", "line 6: (0, 3): the board has 2 rows and 3 columns"),
        ("shows 0,0=1", "shows", "line 6: shows needs cells, as in 0,3=112"),
        ("open 0,0 shows", "open 0,0 0,1 shows", "line 6: open needs one cell, as in 0,3"),
        ("0,0=1\n", "0,0=1\nopen 0,0\n", "line 7: (0, 0): the cell is open already"),
        ("0,0=1\n", "0,0=1\noutcome won\n", "line 7: won, but the game is not over"),
        (
            "0,0=1\n",
            "0,0=1\noutcome victory",
            "line 7: value 'victory': must be won, lost, finished or stuck",
        ),
        ("0,0=1\n", "0,0=1\nboard\n...", "line 7: board needs 2 rows"),
        ("0,0=1\n", "0,0=1\nboard\n..*\n.x.", "line 7: (1, 1): unknown character 'x'"),
        ("0,0=1\n", "0,0=1\nboard\n..*\n..*", "line 7: 2 mines, expected 1"),
        ("first 0,0", "first open", "line 7: the seed lays other mines"),
        ("seed 4\nfirst 0,0", "position\n...\n...", ""),
        ("first 0,0", "position\n...\n...", "line 4: the seed of a game from a position lays no"),
        ("seed 4\nfirst 0,0", "position\n...\n..", "line 3: row 1: 2 cells, expected 3"),
        ("seed 4\n", "", ""),
        ("seed 4\n", "open 0,1\n", "line 4: 'first' is out of place"),
        (
            "seed 4\nfirst 0,0\nby Ada\nopen 0,0 shows 0,0=1",
            "open 0,0",
            "line 3: (0, 0): without a",
        ),
        ("by Ada", "by \x07", "line 5: by '\\x07': must be printable"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    text = EXAMPLE.replace(old, new, 1)
    assert text != EXAMPLE
    if "first open" in new and "any" not in new:
        text += "board\n..*\n...\n"
    if not message:
        assert Transcript.from_text(text)
        return
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        Transcript.from_text(text)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("open 0,0 shows 0,1=1", "(0, 0): without a board, the move must say what it shows"),
        ("open 0,0 shows 0,0=4", "(0, 0): clue 4, but the cell has 3 neighbours"),
        ("open 0,0 shows 0,0=s", "(0, 0): without a board"),
        ("open 0,0 shows 0,0=1 0,1=s", "(0, 1): code -5 cannot be shown"),
        ("open 0,0 shows 0,0=1 0,0=1", "(0, 0): shows a cell twice"),
        ("chord 0,0 shows 0,1=1", "(0, 0): chord is not possible"),
        ("unflag 0,0", "(0, 0): unflag is not possible"),
        ("flag 0,0\nopen 0,0 shows 0,0=1", "(0, 0): open is not possible"),
        ("flag 0,1\nopen 0,0 shows 0,0=11", "(0, 1): is not closed, so the move cannot show it"),
        ("open 0,0 shows 0,0=*\nflag 0,1", "the game is over"),
    ],
)
def test_moves_on_an_unknown_board_must_make_sense(moves: str, message: str) -> None:
    text = f"mineproof game 1\nsize 3x2x1\n{moves}"
    number = len(text.splitlines())
    with pytest.raises(ValueError, match=f"^line {number}: {re.escape(message)}"):
        Transcript.from_text(text)


def test_a_position_and_a_board_are_games_without_moves() -> None:
    position = Observation.from_text("3x2x1\n.1.\n111")
    transcript = Transcript(position.topology, 1, position=position)
    assert Transcript.from_text(transcript.to_line()).observation() == transcript.observation()
    assert transcript.to_line() == "mineproof+game+1;size+3x2x1;position;.1.;111"
    board = Board.from_text("..*\n...")
    transcript = Transcript(board.topology, 1, board=board)
    assert Transcript.from_text(transcript.to_line()).game().board == board


def test_an_untold_total() -> None:
    text = "mineproof game 1\nsize 2x1\nopen 0,0 shows 0,0=1\noutcome won"
    transcript = Transcript.from_text(text)
    assert transcript.mines is None
    assert transcript.observation().mines is None
    assert Transcript.from_text(transcript.to_line()) == transcript
    with pytest.raises(ValueError, match="outcome: finished, but the game is not over"):
        Transcript(Topology(1, 2), None, outcome=Outcome.FINISHED)


def test_a_game_under_a_table_of_chances_is_read_back() -> None:
    for weights in (Channel.lost(0.5).weights, Channel.cautious().weights):
        channel = Channel.table(weights, "own; 100%")
        game = Game(Setup.level("easy", channel=channel), seed=1)
        game.open((4, 4))
        transcript = Transcript.of(game, by="Ada")
        for text in (transcript.to_text(), transcript.to_line()):
            again = Transcript.from_text(text)
            assert again == transcript
            assert again.channel.name == channel.name
            assert again.game().observation == game.observation
    broken = transcript.to_text().replace("own; 100%:", "own; 100%:2")
    with pytest.raises(ValueError, match=r"^line 8: channel table: 0 neighbours, true count 0: "):
        Transcript.from_text(broken)


def test_a_stuck_game_shows_its_board() -> None:
    game = Game(Setup.level("easy", first=(0, 0)), seed=1)
    transcript = Transcript.of(game, outcome=Outcome.STUCK)
    assert transcript.board == game.board
    assert Transcript.from_text(transcript.to_line()) == transcript


def test_wrong_arguments() -> None:
    game = Game.level("easy", seed=1)
    game.open((4, 4))
    with pytest.raises(ValueError, match="moves: not those of the game"):
        Transcript.of(game, moves=[Move("open", (0, 0))])
    with pytest.raises(ValueError, match="by ' Ada': must be printable"):
        Move("open", (0, 0), " Ada")
    with pytest.raises(ValueError, match="moves 2: must be a whole number from 0 to 1"):
        Transcript.of(game).game(2)
    with pytest.raises(ValueError, match=r"move 0: \(0, 0\): there is no flag to take back"):
        Transcript(game.topology, 10, seed=1, moves=(Move("unflag", (0, 0)),))
    false = Channel("exact", Channel.lost(0.5).weights)
    lying = Transcript(game.topology, 10, channel=false, seed=1)
    with pytest.raises(ValueError, match="channel 'exact': has not the chances"):
        lying.to_text()


def test_a_long_game_on_a_large_board_is_quick() -> None:
    rows = "\n".join(f"open {row},{col}" for row in range(20) for col in range(1000))
    text = f"mineproof game 1\nsize 1000x20x0\nseed 1\ncascade no\n{rows}"
    assert len(Transcript.from_text(text).moves) == 20_000
    hostile = "mineproof game 1\nsize 2000x2000x9\n" + "flag 0,5\nunflag 0,5\n" * 2_000
    assert len(Transcript.from_text(hostile).moves) == 4_000
