import re
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee import Referee, Refused

from mineproof import (
    Board,
    Cell,
    CellCode,
    Channel,
    Game,
    Observation,
    Outcome,
    Rules,
    Setup,
    Topology,
)
from mineproof.position import Start, mines_at
from mineproof.position.topology import TOPOLOGIES

CORNER = Board.from_cells(3, 3, [(2, 2)])


def rows_of(game: Game) -> list[list[int]]:
    rows: list[list[int]] = game.observation.cells.tolist()
    return rows


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, Referee]:
    topology = draw(st.sampled_from(TOPOLOGIES))
    sides = st.integers(3 if topology == "torus" else 1, 6)
    rows, cols = draw(sides), draw(sides)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    mines = draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 2))
    keep_going, cascade = draw(st.booleans()), draw(st.booleans())
    rules = Rules(
        start="any",
        on_mine="continue" if keep_going else "end",
        cascade=cascade,
        given_safe=draw(st.integers(0, min(3, len(cells) - len(mines)))),
    )
    board = Board.from_cells(rows, cols, mines, topology=topology)
    game = Game.on(board, rules, seed=draw(st.integers(0, 99)))
    known = {
        (int(r), int(c)) for r, c in np.argwhere(game.observation.cells == CellCode.KNOWN_SAFE)
    }
    assert len(known) == rules.given_safe
    return game, Referee(rows, cols, mines, keep_going, cascade, known, topology=topology)


def attempt(player: Any, kind: str, cell: Cell) -> bool:
    try:
        getattr(player, kind)(cell)
    except (ValueError, Refused):
        return False
    return True


@given(games(), st.data())
def test_play_follows_the_slow_rules(pair: tuple[Game, Referee], data: st.DataObject) -> None:
    game, slow = pair
    cells = sorted(slow.all_cells)
    kinds = st.sampled_from(["open", "open", "flag", "unflag", "chord", "chord"])
    for kind, cell in data.draw(st.lists(st.tuples(kinds, st.sampled_from(cells)), max_size=40)):
        assert attempt(game, kind, cell) == attempt(slow, kind, cell)
        assert rows_of(game) == slow.seen()
        # Replacing nothing repeats the checks that observations of a game skip.
        assert replace(game.observation) == game.observation
        assert (game.outcome and game.outcome.value) == slow.outcome
        assert game.opened == len(slow.open_cells)
        assert game.hits == len(slow.exploded)
        assert game.wrong_flags == len(slow.flags - slow.mines)
        identified = slow.mines if slow.outcome == "won" else slow.mines & slow.flags
        assert game.identified == len(identified)
        assert game.code(cell) == game.observation.code(cell)


def test_a_cascade_stops_at_clues() -> None:
    game = Game.on(CORNER)
    assert rows_of(game) == [[CellCode.KNOWN_SAFE, -1, -1], [-1, -1, -1], [-1, -1, -1]]
    game.open((0, 0))
    assert rows_of(game) == [[0, 0, 0], [0, 1, 1], [0, 1, -1]]
    assert game.outcome is Outcome.WON
    assert game.won
    assert (game.identified, game.score) == (1, 1.0)


def test_a_cascade_leaves_flags() -> None:
    game = Game.on(CORNER)
    game.flag((1, 0))
    game.open((0, 0))
    assert rows_of(game) == [[0, 0, 0], [-2, 1, 1], [-1, -1, -1]]
    assert game.wrong_flags == 1


def test_a_mine_ends_a_classic_game() -> None:
    game = Game.on(CORNER)
    game.open((2, 2))
    assert game.outcome is Outcome.LOST
    assert rows_of(game)[2][2] == -4
    with pytest.raises(ValueError, match=r"\(0, 0\): the game is over"):
        game.open((0, 0))


def test_keep_going_finishes_when_every_cell_is_settled() -> None:
    game = Game.on(CORNER, Rules(on_mine="continue"))
    game.open((0, 0))
    assert game.outcome is None
    game.flag((2, 2))
    assert game.outcome is Outcome.FINISHED
    assert game.won
    assert game.score == 1

    hit = Game.on(CORNER, Rules(on_mine="continue"))
    hit.open((2, 2))
    hit.open((0, 0))
    assert hit.outcome is Outcome.FINISHED
    assert not hit.won
    assert (hit.hits, hit.identified, hit.score) == (1, 0, 0.0)


def test_a_wrong_flag_prevents_a_win() -> None:
    game = Game.on(CORNER, Rules(start="any", on_mine="continue", cascade=False))
    game.flag((0, 0))
    game.flag((2, 2))
    for cell in [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]:
        game.open(cell)
    assert game.outcome is Outcome.FINISHED
    assert not game.won
    assert (game.wrong_flags, game.identified) == (1, 1)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([("open", (0, 0)), ("open", (0, 0))], "(0, 0): the cell is open already"),
        ([("flag", (0, 0))], "(0, 0): a cell known to be safe cannot be flagged"),
        ([("flag", (1, 1)), ("open", (1, 1))], "(1, 1): a flagged cell cannot be opened"),
        ([("flag", (1, 1)), ("flag", (1, 1))], "(1, 1): the cell is flagged already"),
        ([("unflag", (1, 1))], "(1, 1): there is no flag to take back"),
        ([("chord", (1, 1))], "(1, 1): a closed cell cannot be chorded"),
        ([("open", (1, 2)), ("chord", (1, 2))], "(1, 2): the flags around the cell"),
        ([("open", (9, 9))], "(9, 9): the board has 3 rows and 3 columns"),
    ],
)
def test_forbidden_moves_are_named(moves: list[tuple[str, Cell]], message: str) -> None:
    game = Game.on(CORNER, Rules(cascade=False))
    *before, (kind, cell) = moves
    for earlier, place in before:
        getattr(game, earlier)(place)
    with pytest.raises(ValueError, match=re.escape(message)):
        getattr(game, kind)(cell)


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda game: loads(dumps(game))])
@pytest.mark.parametrize("channel", [Channel.exact(), Channel.lost(0.5)], ids=str)
def test_a_copy_is_independent(copied: Callable[[Game], Game], channel: Channel) -> None:
    rules = Rules("any", on_mine="continue", given_safe=2)
    game = Game(Setup(Topology(5, 6), 6, rules, channel, first=(2, 2)), seed=3)
    game.open((2, 2))
    for row, col in np.argwhere(game.observation.cells == -1).tolist()[::3]:
        game.flag((row, col))
    other = copied(game)
    assert other.observation == game.observation
    assert (other.board, other.rules, other.first) == (game.board, game.rules, game.first)
    assert (other.opened, other.wrong_flags) == (game.opened, game.wrong_flags)
    seen = game.observation
    (row, col), *_ = np.argwhere(seen.openable).tolist()
    other.open((row, col))
    assert other.observation != seen
    assert game.observation == seen
    game.open((row, col))
    assert other.observation == game.observation


def test_repr() -> None:
    game = Game.on(CORNER, seed=7)
    assert repr(game) == "Game(3x3, 1 mine, seed=7, 0 opened, playing)"
    game.open((0, 0))
    assert repr(game) == "Game(3x3, 1 mine, seed=7, 8 opened, won)"


def test_cells_may_be_lists_and_arrays() -> None:
    first: Any = [2, np.int64(1)]
    game = Game(Setup(Topology(4, 4), 3, Rules("zero"), first=first), seed=1)
    assert game.first == (2, 1)
    assert type(game.first[1]) is int
    cell: Any = np.array([2, 1])
    game.open(cell)
    assert game.code(cell) == game.observation.code(cell) == 0


def test_no_mines_and_all_mines() -> None:
    empty = Game(Setup(Topology(4, 4), 0), seed=1)
    empty.open((0, 0))
    assert empty.outcome is Outcome.WON
    assert empty.score == 1
    full = Game(Setup(Topology(4, 4), 16, Rules(start="any")), seed=1)
    assert full.outcome is Outcome.WON
    crowded = Game(Setup(Topology(4, 4), 15), seed=1)
    crowded.open((0, 0))
    assert crowded.outcome is Outcome.WON
    single = Game(Setup(Topology(1, 1), 0), seed=1)
    single.open((0, 0))
    assert single.outcome is Outcome.WON


def test_what_the_start_protects_is_known() -> None:
    safe = Game(Setup(Topology(9, 9), 10, first=(0, 0)), seed=4)
    assert np.argwhere(safe.observation.cells == CellCode.KNOWN_SAFE).tolist() == [[0, 0]]
    zero = Game(Setup(Topology(9, 9), 10, Rules(start="zero")), seed=4)
    zero.lay_mines()
    assert zero.first == (3, 3)
    assert (zero.observation.cells[2:5, 2:5] == CellCode.KNOWN_SAFE).all()
    assert (zero.observation.cells == CellCode.KNOWN_SAFE).sum() == 9
    zero.open((3, 3))
    assert zero.code((3, 3)) == 0
    anywhere = Game(Setup(Topology(9, 9), 10, Rules(start="any")), seed=4)
    assert anywhere.first is None
    assert (anywhere.observation.cells != CellCode.KNOWN_SAFE).all()


STARTS: tuple[Start, ...] = ("safe", "zero")


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("cell", [(0, 0), (4, 4), (8, 3)])
def test_a_first_cell_left_open_is_the_one_that_is_opened(start: Start, cell: Cell) -> None:
    rules = Rules(start=start, given_safe=3)
    for seed in range(10):
        left_open = Game(Setup(Topology(9, 9), 20, rules), seed=seed)
        assert not (left_open.observation.cells == CellCode.KNOWN_SAFE).any()
        left_open.open(cell)
        given = Game(Setup(Topology(9, 9), 20, rules, first=cell), seed=seed)
        given.open(cell)
        assert left_open.board == given.board
        assert left_open.first == given.first == cell
        assert left_open.observation == given.observation
        assert left_open.hits == 0


def test_before_the_first_opening_there_is_no_board() -> None:
    game = Game.level("easy", seed=1)
    assert not game.is_laid
    with pytest.raises(ValueError, match="the mines are laid when the first cell is opened"):
        _ = game.board
    assert game.outcome is None
    assert (game.hits, game.opened, game.wrong_flags, game.identified) == (0, 0, 0, 0)
    with pytest.raises(ValueError, match="chord"):
        game.chord((0, 0))
    assert not game.is_laid


def test_flags_before_the_first_opening_stay() -> None:
    game = Game.level("easy", seed=1, rules=Rules(start="zero"))
    for cell in [(0, 0), (4, 5), (8, 8)]:
        game.flag(cell)
    again = loads(dumps(game))
    with pytest.raises(ValueError, match="flag"):
        game.open((0, 0))
    assert not game.is_laid
    game.open((4, 4))
    # A flag next to the first cell goes: the cell is safe, and the zero opens it.
    assert [game.code(cell) for cell in [(0, 0), (8, 8)]] == [CellCode.FLAGGED] * 2
    assert game.code((4, 5)) >= 0
    again.open((4, 4))
    assert again.observation == game.observation
    assert copy(game).observation == game.observation


def test_neighbours_that_were_given_up_are_not_known() -> None:
    game = Game(Setup(Topology(4, 4), 12, Rules(start="zero"), first=(1, 1)), seed=4)
    assert (game.observation.cells == CellCode.KNOWN_SAFE).sum() == 4
    game.open((1, 1))
    assert game.code((1, 1)) == 5


@pytest.mark.parametrize(
    ("mine", "start", "where"),
    [((0, 0), "safe", "at"), ((0, 0), "zero", "at"), ((0, 1), "zero", "next to")],
)
def test_a_fixed_board_keeps_the_start_rule(mine: Cell, start: Any, where: str) -> None:
    board = Board(CORNER.topology, Board.from_cells(3, 3, [mine]).layout, name="corner.txt")
    message = f"corner.txt: a mine {where} the first cell, (0, 0), which start '{start}'"
    with pytest.raises(ValueError, match=re.escape(message)):
        Game.on(board, Rules(start=start), first=(0, 0))


def test_given_cells_are_known() -> None:
    game = Game(Setup(Topology(9, 9), 10, Rules(start="any", given_safe=9)), seed=4)
    known = game.observation.cells == CellCode.KNOWN_SAFE
    assert known.sum() == 9
    assert not game.board.layout[known].any()
    with pytest.raises(ValueError, match="72 given safe cells: the board has 71 safe cells"):
        Game(Setup(Topology(9, 9), 10, Rules(given_safe=72)), seed=4)


def test_what_is_told() -> None:
    game = Game(Setup(Topology(4, 4), 3, channel=Channel.lost(0.5)), seed=1)
    assert (game.observation.mines, game.observation.channel) == (3, Channel.lost(0.5))
    untold = game.observe(total=False, channel=False)
    assert (untold.mines, untold.channel) == (None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": "lucky"}, "start 'lucky'"),
        ({"on_mine": "cry"}, "on_mine 'cry'"),
        ({"given_safe": -1}, "given_safe -1"),
    ],
)
def test_wrong_rules(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules(**change)


def test_an_unknown_level() -> None:
    with pytest.raises(ValueError, match="level 'fiendish': must be easy, beginner"):
        Game.level("fiendish", seed=0)


def test_what_is_seen_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="WRITEABLE"):
        Game.on(CORNER).observation.cells.flags.writeable = True


def test_a_very_large_board() -> None:
    game = Game(Setup(Topology(2_000, 2_000), mines_at(0.0, 4000000)), seed=1)
    game.open((0, 0))
    assert game.opened == 4_000_000
    game = Game(Setup(Topology(2_000, 2_000), mines_at(0.15, 4000000)), seed=1)
    game.open((0, 0))
    assert game.mines == 600_000
    assert game.observation.cells.shape == (2_000, 2_000)


class TestChannels:
    def open_all(self, channel: Channel | None, seed: int, backwards: bool = False) -> Game:
        game = Game(
            Setup(
                Topology(6, 7),
                9,
                Rules(on_mine="continue"),
                channel or Channel.exact(),
                first=(0, 0),
            ),
            seed=seed,
        )
        cells = [(row, col) for row in range(6) for col in range(7)]
        for cell in reversed(cells) if backwards else cells:
            if game.code(cell) in (-1, CellCode.KNOWN_SAFE):
                game.open(cell)
        return game

    @pytest.mark.parametrize(
        "channel", [Channel.lost(0.4), Channel.optimistic(), Channel.cautious()]
    )
    def test_a_clue_is_drawn_once(self, channel: Channel) -> None:
        for seed in range(20):
            assert self.open_all(channel, seed).observation == (
                self.open_all(channel, seed, backwards=True).observation
            )

    def test_an_exact_channel_is_no_channel(self) -> None:
        for channel in [Channel.exact(), Channel.lost(0), Channel.table(Channel.exact().weights)]:
            one = Game(Setup(Topology(9, 9), 10, channel=channel), seed=3)
            two = Game(Setup(Topology(9, 9), 10), seed=3)
            one.open((0, 0))
            two.open((0, 0))
            assert one.observation == two.observation

    @pytest.mark.parametrize(
        "channel", [Channel.lost(0.0001), Channel.optimistic(), Channel.cautious()]
    )
    def test_nothing_cascades(self, channel: Channel) -> None:
        game = Game(Setup(Topology(9, 9), 1, Rules(start="zero"), channel), seed=3)
        game.open((3, 3))
        assert game.opened == 1
        assert (game.observation.cells == CellCode.KNOWN_SAFE).sum() == 8

    def test_a_mine_gives_no_clue(self) -> None:
        game = self.open_all(Channel.lost(0.5), 1)
        assert (game.observation.cells == -4).sum() == 9
        assert game.hits == 9
        assert game.outcome is Outcome.FINISHED

    def test_a_seen_clue_can_be_chorded(self) -> None:
        game = Game.on(Board.from_cells(3, 3, [(0, 0)]), Rules("any"), channel=Channel.optimistic())
        game.open((1, 1))
        assert game.code((1, 1)) == 0
        game.chord((1, 1))
        assert game.outcome is Outcome.LOST

    @pytest.mark.parametrize(
        "channel", [Channel.lost(0.3), Channel.optimistic(), Channel.cautious()], ids=str
    )
    def test_frequencies_follow_the_table(self, channel: Channel) -> None:
        seen: dict[tuple[int, int], np.ndarray[Any, np.dtype[np.int64]]] = {}
        for seed in range(400):
            game = self.open_all(channel, seed)
            degrees, counts = game.topology.degrees, game.board.counts
            for row, col in np.argwhere(~game.board.layout).tolist():
                key = int(degrees[row, col]), int(counts[row, col])
                code = game.code((row, col))
                seen.setdefault(key, np.zeros(10, np.int64))[
                    9 if code == CellCode.NO_CLUE else code
                ] += 1
        chi_square, freedom = 0.0, 0
        for (degree, count), observed in seen.items():
            expected = channel.weights[degree, count] * observed.sum()
            assert not observed[expected == 0].any()
            if expected[expected > 0].min() >= 5:
                possible = expected > 0
                chi_square += float(
                    ((observed - expected)[possible] ** 2 / expected[possible]).sum()
                )
                freedom += int(possible.sum()) - 1
        assert freedom >= 5
        assert chi_square < freedom + 4.5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("text", ["1x1x1\n.", "2x1x2\n..", "3x1x1\n1.."])
def test_a_position_may_have_any_number_of_mines(text: str) -> None:
    """It says what is known, so neither the start rule nor given cells limit its mines."""
    rules = Rules("zero", "continue", given_safe=3)
    game = Game.from_position(Observation.from_text(text), rules, seed=1)
    assert (game.rules, game.first) == (Rules("any", "continue"), None)
    assert game.observation.to_text() == text
    assert copy(game).board == game.board


@pytest.mark.parametrize("channel", [Channel.exact(), Channel.optimistic(), Channel.lost(0.5)])
def test_a_game_continues_from_a_position(channel: Channel) -> None:
    for seed in range(20):
        played = Game(Setup(Topology(5, 5), 6, channel=channel, first=(2, 2)), seed=seed)
        played.open((2, 2))
        played.flag((0, 0))
        seen = played.observation
        game = Game.from_position(seen, Rules(start="zero", given_safe=3), seed=seed)
        assert game.observation == replace(seen, rules=game.rules)
        assert (game.opened, game.hits, game.mines) == (played.opened, 0, 6)
        assert (game.first, game.rules.start, game.rules.given_safe) == (None, "any", 0)
        assert not game.begun
        cell = next(cell for cell in seen.openable_cells() if not game.board.layout[cell])
        game.open(cell)
        assert game.moves == (("open", cell),)
        assert game.restarted().observation == replace(seen, rules=game.rules)
        assert copy(game).observation == game.observation


def test_hidden_mines_are_drawn_by_the_seed_from_the_posterior() -> None:
    seen = Observation.from_text("4x1x2\n1...")
    layouts = {tuple(Game.from_position(seen, seed=seed).board.layout[0]) for seed in range(40)}
    assert layouts == {(False, True, True, False), (False, True, False, True)}
    assert Game.from_position(seen, seed=3).board == Game.from_position(seen, seed=3).board


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("2.\n..", "(0, 0): clue 2, but 1 mine around"),
        ("?.\n..", "(0, 0): no clue, but 1 mine around"),
        ("..\n.0", "(1, 1): a mine cannot be open"),
        ("*.\n..", "(0, 0): a cell without a mine cannot explode"),
        ("..\n.s", "(1, 1): a mine cannot be known safe"),
        ("...\n...", "position: shape (2, 3), expected (2, 2)"),
    ],
)
def test_the_mines_must_fit_the_position(position: str, message: str) -> None:
    board = Board.from_cells(2, 2, [(1, 1)])
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Game.on(board, position=Observation.from_text(position))
    with pytest.raises(ValueError, match="has no first cell"):
        Game.on(board, first=(0, 0), position=Observation.from_text("..\n.."))


def test_a_game_starts_again_as_it_began() -> None:
    left_open = Game.level("easy", seed=1, rules=Rules(start="zero"))
    left_open.flag((4, 5))
    left_open.open((4, 4))
    assert left_open.moves == (("flag", (4, 5)), ("open", (4, 4)))
    again = left_open.restarted()
    assert not again.is_laid
    assert again.moves == ()
    given = Game(Setup.level("easy", rules=Rules(start="zero"), first=(4, 4)), seed=1)
    given.open((4, 4))
    assert given.restarted().first == (4, 4)
    assert given.restarted().board == given.board
