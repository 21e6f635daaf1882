"""Chains of influence: of boards made by hand, of random ones, and of games that were played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mineproof import Board, Channel, Game, Rules, Setup, Topology, agents, play
from mineproof.agents.agent import Action, Agent, Decision, Told
from mineproof.chains import Chains, chains_of
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

KEEP_GOING = Rules(on_mine="continue")


def links(chains: Chains) -> dict[Cell, tuple[str, int, tuple[Cell, ...]]]:
    """The origin, chain length and premises of every cell."""
    return {link.cell: (link.origin, link.length, link.premises) for link in chains.links}


class Scripted(Agent):
    """Makes the listed actions, one per decision, then gives up."""

    name = "scripted"
    told = Told(total=True, channel=True)

    def __init__(self, *actions: Action) -> None:
        self._actions = actions
        super().__init__()

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._left = list(self._actions)

    def decide(self, observation: Observation) -> Decision | None:
        return Decision((self._left.pop(0),), "scripted") if self._left else None


def played(board: str, *actions: Action, rules: Rules | None = None, first: Cell) -> Chains:
    """The chains of a game with these actions."""

    def game() -> Game:
        return Game.on(Board.from_text(board), rules or Rules(), first=first)

    return chains_of(game(), play(game(), Scripted(*actions)))


# --------------------------------------------------------------------------------- made by hand


def test_zeros_and_a_clue_and_the_total() -> None:
    chains = chains_of(Game.on(Board.from_text("...*..")))
    assert links(chains) == {
        (0, 0): ("first", 0, ()),
        (0, 1): ("settled", 1, ((0, 0),)),
        (0, 2): ("settled", 2, ((0, 1),)),
        (0, 3): ("settled", 3, ((0, 2),)),
        # Only with the total: the one mine is found.
        (0, 4): ("settled", 3, ((0, 2),)),
        (0, 5): ("settled", 3, ((0, 2),)),
    }
    assert [link.cell for link in chains.links if link.uses_total] == [(0, 4), (0, 5)]
    assert [link.cell for link in chains.links if link.status == "mine"] == [(0, 3)]
    assert chains.exact
    assert (chains.longest, chains.mean, chains.reach, chains.guesses) == (3, 2.0, 5, 0)
    # Five cells have a premise each, and five clues were open.
    assert chains.branching == 1.0
    assert chains.roots == ((0, 0),)
    assert chains.path == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert chains.lengths.tolist() == [[0, 1, 2, 3, 3, 3]]


def test_a_cascade_spreads_by_kings_moves() -> None:
    chains = chains_of(Game.on(Board.from_cells(5, 7, []), first=(2, 1)))
    for link in chains.links:
        row, col = link.cell
        assert link.length == max(abs(row - 2), abs(col - 1))
    assert chains.longest == chains.reach == 5


def test_zeros_are_premises_without_a_cascade_too() -> None:
    board = Board.from_text("....*\n.....\n.....\n....*")
    cascade, none = (
        chains_of(Game.on(board, Rules(cascade=cascade), first=(0, 0))) for cascade in (True, False)
    )
    assert cascade.lengths.tolist() == none.lengths.tolist()


def test_a_mine_is_settled_by_clues_and_is_never_a_premise() -> None:
    # The 1 at (0, 1) has its mine at (0, 0), as the 1 at (1, 0) tells; so the others are safe.
    board = "*..\n..*\n..."
    chains = played(board, Action("open", (1, 1)), rules=Rules(cascade=False), first=(2, 0))
    assert {chains.by_cell[1, 0].premises, chains.by_cell[1, 1].premises} == {((2, 0),)}
    assert all(chains.seen.code(cell) >= 0 for link in chains.links for cell in link.premises)


def test_a_guess_is_a_new_root() -> None:
    # Nothing is certain after the 1; the least risky cells are beyond the frontier.
    chains = chains_of(Game.on(Board.from_text(".*....")))
    assert links(chains)[0, 0] == ("first", 0, ())
    assert links(chains)[0, 1] == ("settled", 1, ((0, 0),))
    chains = chains_of(Game.on(Board.from_text("..*....\n.......")))
    assert chains.guesses == 1
    assert chains.roots == ((0, 0), (1, 2))


def test_the_nearest_root_counts() -> None:
    # Two zeros, both opened by a guess or first, settle the cell between them.
    chains = played("......*", Action("open", (0, 4)), rules=Rules(cascade=False), first=(0, 0))
    assert chains.roots == ((0, 0), (0, 4))
    assert links(chains)[0, 1] == ("settled", 1, ((0, 0),))
    assert links(chains)[0, 3] == ("settled", 1, ((0, 4),))
    assert chains.by_cell[0, 3].root == (0, 4)
    assert chains.reach == 1


def test_given_cells_are_roots_unless_a_zero_settles_them() -> None:
    game = Game.on(Board.from_text("....*..."), Rules(start="any", given_safe=2), seed=1)
    given_cells = tuple(cell for cell in game.observation.closed_cells() if game.code(cell) == -5)
    assert len(given_cells) == 2
    chains = chains_of(game)
    assert chains.roots[:2] == given_cells
    assert [chains.by_cell[cell].origin for cell in given_cells] == ["given", "given"]
    # Under zero the neighbours of the first cell are known to be safe, but it says so itself.
    zero = chains_of(Game.on(Board.from_cells(4, 5, [(0, 0)]), Rules("zero", cascade=False)))
    assert zero.roots == ((3, 3),)
    assert links(zero)[3, 4] == ("settled", 1, ((3, 3),))


def test_cells_that_only_the_total_settles_have_no_chain() -> None:
    # No clue speaks of the first cell, but as many cells are closed as there are mines.
    chains = chains_of(Game.on(Board.from_text("**.."), first=(0, 3)))
    assert links(chains)[0, 1] == ("settled", 2, ((0, 2),))
    assert links(chains)[0, 0] == ("settled", 0, ())
    assert chains.by_cell[0, 0].uses_total
    assert chains.roots == ((0, 3),)


def test_a_lost_game_keeps_what_it_knew() -> None:
    chains = played("*.....", Action("open", (0, 0)), rules=Rules(cascade=False), first=(0, 1))
    assert links(chains)[0, 0] == ("guess", 0, ())
    assert chains.by_cell[0, 0].status == "mine"
    # The clue has its mine beside it: beyond, the total is needed too.
    assert {links(chains)[0, col] for col in range(2, 6)} == {("settled", 1, ((0, 1),))}
    assert [link.cell[1] for link in chains.links if link.uses_total] == [3, 4, 5]
    assert (chains.guesses, chains.longest, chains.branching) == (1, 1, 4.0)


def test_an_exploded_mine_gives_no_clue() -> None:
    chains = played("*.*...", Action("open", (0, 0)), rules=KEEP_GOING, first=(0, 4))
    assert links(chains)[0, 0] == ("guess", 0, ())
    assert (0, 0) not in {cell for link in chains.links for cell in link.premises}


def test_cells_that_are_never_settled_are_left_out() -> None:
    chains = played("..*......\n.......*.", first=(1, 1))
    assert list(chains.by_cell) == [(1, 1)]
    assert chains.lengths.min() == -1
    assert (chains.longest, chains.path) == (0, ((1, 1),))


def test_a_chord_opens_what_its_flags_leave() -> None:
    right = Action("flag", (0, 2)), Action("chord", (0, 1))
    chains = played("..*\n...", *right, first=(0, 1))
    # The flag was a guess, and so is all that the chord opens.
    assert set(chains.roots) == {(0, 1), (0, 0), (1, 2)}
    assert chains.by_cell[1, 0].premises == ((0, 0),)


def test_a_certain_cell_is_settled_even_if_the_agent_guesses() -> None:
    # To this agent it is a guess, but the clue says that the cell is safe.
    board, rules = "...*", Rules(cascade=False)
    chains = played(board, Action("open", (0, 1)), rules=rules, first=(0, 0))
    assert links(chains)[0, 1] == ("settled", 1, ((0, 0),))
    assert chains.guesses == 0


def test_only_what_the_agent_is_told_settles_cells() -> None:
    def game() -> Game:
        return Game.on(Board.from_text("...*.."))

    told = chains_of(game(), play(game(), agents.get("logic:total")))
    untold = chains_of(game(), play(game(), agents.get("logic:untold")))
    assert len(told.links) == 6
    assert len(untold.links) == 4


# ---------------------------------------------------------------------------------- in general


def check(chains: Chains, game: Game) -> None:
    """Check what is true of all chains."""
    known: dict[Cell, int] = {}
    for link in chains.links:
        assert link.cell not in known
        assert link.premises == tuple(sorted(link.premises))
        assert all(premise in known for premise in link.premises)
        lengths = [known[premise] for premise in link.premises]
        assert link.length == max(lengths, default=-1) + 1
        roots = [chains.by_cell[premise].root for premise in link.premises]
        assert link.root in roots or (link.root == link.cell and not roots)
        assert not (link.is_root and link.premises)
        if game.channel.is_exact:
            assert (link.status == "mine") == bool(game.board.layout[link.cell])
            assert not any(game.board.layout[premise] for premise in link.premises)
        known[link.cell] = link.length
    assert len(chains.path) == chains.longest + 1 or not chains.links
    for before, after in zip(chains.path, chains.path[1:], strict=False):
        assert before in chains.by_cell[after].premises
        assert known[after] == known[before] + 1
    if chains.path:
        assert not chains.by_cell[chains.path[0]].premises
        assert chains.by_cell[chains.path[-1]].root == chains.path[0]
    assert chains.reach <= max(game.topology.rows, game.topology.cols) - 1
    opened = {
        cell
        for cell in map(game.topology.cell, range(chains.seen.cells.size))
        if chains.seen.code(cell) >= 0
    }
    assert opened <= set(known)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    mines = draw(st.integers(0, max(0, rows * cols * 2 // 5)))
    rules = Rules(
        draw(st.sampled_from(["any", "safe", "zero"])),
        draw(st.sampled_from(["end", "continue"])),
        draw(st.booleans()),
        draw(st.integers(0, min(2, rows * cols - mines - 1))) if rows * cols > mines + 1 else 0,
    )
    channels = ["exact", "exact", "exact", "lost:0.3", "optimistic", "cautious"]
    channel = Channel.parse(draw(st.sampled_from(channels)))
    mines = min(mines, rows * cols - 1)
    return Setup(Topology(rows, cols), mines, rules, channel)


@given(setups(), st.integers(0, 1000))
def test_every_solved_board(setup: Setup, seed: int) -> None:
    game = Game.laid(setup, seed)
    chains = chains_of(game)
    assert not game.begun
    check(chains, game)
    # It is solved to the end, and all is known then.
    if setup.channel.is_exact:
        assert len(chains.links) == setup.topology.cells
    assert chains == chains_of(game)


NAMES = ["exact", "exact:chains", "basic", "logic", "random", "noisy-or", "border", "weights"]


@given(setups(), st.integers(0, 1000), st.sampled_from(NAMES))
def test_every_played_game(setup: Setup, seed: int, name: str) -> None:
    record = play(Game(setup, seed), agents.get(name), seed=seed)
    game = Game.laid(setup, seed)
    chains = chains_of(game, record)
    assert not game.begun
    check(chains, game)
    if setup.channel.is_exact and record.channel_told:
        # The first opening is a guess to the record where no rule makes it safe.
        assert chains.guesses <= record.guesses


@given(st.integers(0, 10_000))
def test_a_game_without_guesses_has_one_root(seed: int) -> None:
    game = Game.laid(Setup(Topology(7, 7), 7, Rules("zero")), seed)
    chains = chains_of(game)
    assert len(chains.roots) == chains.guesses + 1
    assert chains.roots[0] == (3, 3)


@pytest.mark.parametrize("level", ["easy", "medium", "expert"])
def test_exact_plays_as_boards_are_solved_while_its_guesses_are_lucky(level: str) -> None:
    lucky = 0
    for seed in range(12):
        game = Game.laid(Setup.level(level), seed)
        record = play(Game(Setup.level(level), seed), agents.get("exact"), seed=seed)
        if record.won:
            lucky += 1
            assert chains_of(game, record).links == chains_of(game).links
            assert chains_of(game).guesses == record.guesses
    assert lucky > 2


# ---------------------------------------------------------------------------------- symmetries

Turn = Callable[[NDArray[np.generic]], NDArray[np.generic]]
TURNS: list[Turn] = [
    lambda grid: grid,
    np.rot90,
    lambda grid: np.rot90(grid, 2),
    lambda grid: np.rot90(grid, 3),
    np.fliplr,
    np.flipud,
    np.transpose,
    lambda grid: np.rot90(grid, 2).T,
]


def turned(game: Game, turn: Turn) -> Game:
    assert game.first is not None
    spot = np.zeros(game.topology.shape, np.bool_)
    spot[game.first] = True
    mines = turn(game.board.layout)
    cells = [(row, col) for row, col in np.argwhere(mines).tolist()]
    [[row, col]] = np.argwhere(turn(spot)).tolist()
    rows, cols = mines.shape
    board = Board.from_cells(rows, cols, cells)
    return Game.on(board, game.rules, first=(row, col))


def check_symmetry(game: Game) -> bool:
    """Compare all turns of a board, where it needs no guess: among equal risks the first wins."""
    chains = chains_of(game)
    if chains.guesses or not chains.exact:
        return False
    for turn in TURNS:
        other = chains_of(turned(game, turn))
        if not other.exact:
            # How much work it takes to decide a proof depends on the order of the cells.
            continue
        assert other.lengths.tolist() == turn(chains.lengths).tolist()
        figures = [(one.longest, one.mean, one.reach, one.branching) for one in (chains, other)]
        assert figures[0] == figures[1]
        premises = [
            sorted((len(link.premises), link.uses_total, link.length) for link in one.links)
            for one in (chains, other)
        ]
        assert premises[0] == premises[1]
    return True


@pytest.mark.parametrize("mines", [3, 8, 12])
def test_turned_boards_have_the_same_chains(mines: int) -> None:
    setup = Setup(Topology(7, 8), mines, Rules("zero"))
    assert sum(check_symmetry(Game.laid(setup, seed)) for seed in range(15)) >= 3


@pytest.mark.long
@pytest.mark.parametrize("mines", [5, 10, 15, 20])
def test_many_turned_boards_have_the_same_chains(mines: int) -> None:
    setup = Setup(Topology(10, 10), mines, Rules("zero"))
    assert sum(check_symmetry(Game.laid(setup, seed)) for seed in range(150)) >= 20


# ----------------------------------------------------------------------------------- bad input


def test_bad_input_is_rejected_in_one_sentence() -> None:
    game = Game.level("easy", seed=1)
    record = play(Game.level("easy", seed=1), agents.get("exact"))
    with pytest.raises(TypeError, match="game 'easy': must be a Game"):
        chains_of("easy")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="record 5: must be a GameRecord"):
        chains_of(game, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the record does not hold the moves"):
        chains_of(game, replace(record, moves=()))
    game.open((0, 0))
    with pytest.raises(ValueError, match="the game has begun already"):
        chains_of(game)


def test_what_is_open_in_a_position_is_given() -> None:
    position = Observation.from_text("5x3x3\n.2F..\n.....\n.....")
    game = Game.from_position(position, seed=1)
    played = chains_of(game, play(game.restarted(), agents.get("exact")))
    assert len(chains_of(game).links) == 15
    for chains in (chains_of(game), played):
        assert chains.by_cell[0, 1].origin == "given"
        assert chains.path[0] in {link.cell for link in chains.links if link.is_root}
        known = {link.cell for link in chains.links}
        assert all(set(link.premises) <= known for link in chains.links)
