"""Wrong arguments to the core raise a clear exception and never crash.

The core trusts its own callers, so the bindings check what comes from Python.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from mineproof import Channel, Rules, Setup, Topology, _core

ROWS, COLS = 2, 3
CELLS = ROWS * COLS
SQUARE = _core.TopologyKind.square
TOPOLOGY = _core.Topology.rectangle(ROWS, COLS)
MINES = np.array([False, False, True, False, False, True])
NEAR = np.array([False, True, False, False, False, False])
SEEN = np.array([[1, 2, -1], [-1, -1, -1]], np.int8)
WEIGHTS = Channel.lost(0.25).weights
NODES = BYTES = 10**9
ACTIONS = np.array([0, 4])
REWARDS = (1.0, -1.0, 0.0, 0.0, 0.0)
SETTINGS = (TOPOLOGY, 2, _core.Start.any, False, True, 0, _core.EXACT, None, -1)
SAFE = Setup(Topology(ROWS, COLS), 1).native
ZERO = Setup(Topology(ROWS, COLS), 1, Rules("zero"), first=(0, 0)).native
EMPTY = Setup(Topology(ROWS, COLS), 0, Rules("zero")).native
OPEN = _core.MoveKind.open
BATCH = (SAFE, REWARDS, False, 0, True, 2)


def setup(
    mines: int = 2,
    start: _core.Start = _core.Start.any,
    given_safe: int = 0,
    arrival: float | None = None,
    first: int = -1,
) -> _core.Setup:
    return _core.Setup(TOPOLOGY, mines, start, False, True, given_safe, _core.EXACT, arrival, first)


def game() -> _core.Game:
    return _core.Game(_core.Setup(*SETTINGS), 1, MINES)


def infer(
    cells: Any = SEEN, mines: Any = None, nodes: Any = NODES, require_exact: bool = True
) -> _core.Posterior:
    topology = _core.Topology.rectangle(*cells.shape)
    arguments = (_core.EXACT, False, nodes, BYTES, require_exact, None)
    return _core.infer(topology, cells, mines, None, *arguments)


def estimate() -> _core.Posterior:
    """Return an estimate: the budget is too small to count a ladder of clues."""
    cells = np.full((2, 13), -1, np.int8)
    cells[0, 1::2] = 2
    posterior = infer(cells, nodes=20, require_exact=False)
    assert not posterior.exact
    return posterior


def posterior() -> _core.Posterior:
    """Return a posterior with one component, a certain mine at 5 and closed cells from 2 on."""
    return infer(np.array([[1, 2, 1], [-1, -1, -1]], np.int8))


def prover() -> _core.Prover:
    return _core.Prover(posterior(), 10)


def chains() -> _core.Chains:
    return _core.Chains(TOPOLOGY, True)


def search() -> _core.ChainSearch:
    return _core.ChainSearch(ZERO, 5, 1)


def batch() -> _core.GameBatch:
    return _core.GameBatch(*BATCH)


def player() -> _core.Player:
    return _core.Player.exact(NODES, BYTES, False)


def small_board() -> _core.SmallBoard:
    return _core.SmallBoard(TOPOLOGY, 2, _core.Start.safe, 0, NODES)


def playthrough() -> _core.Playthrough:
    return _core.play_out(game(), player(), 2, _core.EXACT, 1, True)


Call = tuple[Callable[..., Any], tuple[Any, ...]]

# For every function, constructor and method: how to get it, and arguments that it accepts.
CALLS: dict[str, Callable[[], Call]] = {
    "Cancel": lambda: (_core.Cancel, ()),
    "Cancel.set": lambda: (_core.Cancel().set, ()),
    "Channel": lambda: (_core.Channel, (WEIGHTS,)),
    "ChainSearch": lambda: (_core.ChainSearch, (ZERO, 5, 1)),
    "ChainSearch.advance": lambda: (search().advance, (1,)),
    "Chains": lambda: (_core.Chains, (TOPOLOGY, True)),
    "Chains.likely_length": lambda: (chains().likely_length, (3, SEEN)),
    "Chains.links": lambda: (chains().links, ()),
    "Chains.open": lambda: (chains().open, ([0, 1], SEEN)),
    "Chains.start_from": lambda: (chains().start_from, (SEEN,)),
    "Chains.settle": lambda: (chains().settle, (infer(),)),
    "Player.champion": lambda: (
        _core.Player.champion,
        (NODES, BYTES, 12, 4, 0.85, 0.33, 0.018, 100, NODES, 10),
    ),
    "Player.exact": lambda: (_core.Player.exact, (NODES, BYTES, True)),
    "Player.clue_heap": lambda: (_core.Player.clue_heap, (True,)),
    "Player.logic": lambda: (_core.Player.logic, ()),
    "Player.random": lambda: (_core.Player.random, ()),
    "Player.basic": lambda: (_core.Player.basic, (True,)),
    "Player.border": lambda: (_core.Player.border, (True, NODES)),
    "Player.components": lambda: (_core.Player.components, (True,)),
    "Player.noisy_or": lambda: (_core.Player.noisy_or, (0.8,)),
    "Player.projection": lambda: (
        _core.Player.projection,
        (True, True, False, True, True, NODES),
    ),
    "Player.weights": lambda: (_core.Player.weights, (True,)),
    "GameBatch": lambda: (_core.GameBatch, BATCH),
    **{
        f"GameBatch.{name}": partial(lambda name: (getattr(batch(), name), ()), name)
        for name in (
            *("cells", "closed", "final_cells", "final_seeds"),
            *("rewards", "seeds", "terminated", "truncated", "won"),
        )
    },
    "GameBatch.first_invalid": lambda: (batch().first_invalid, (ACTIONS,)),
    "GameBatch.mines": lambda: (batch().mines, (0,)),
    "GameBatch.next": lambda: (batch().next, (0,)),
    "GameBatch.seed": lambda: (batch().seed, (0, 1)),
    "GameBatch.step": lambda: (batch().step, (ACTIONS,)),
    "Game": lambda: (_core.Game, (_core.Setup(*SETTINGS), 1, MINES)),
    "Game.cells": lambda: (game().cells, ()),
    "Game.code": lambda: (game().code, (0,)),
    "Game.history": lambda: (game().history, ()),
    "Game.lay": lambda: (_core.Game(SAFE, 1, None).lay, (0,)),
    "Game.make": lambda: (game().make, (OPEN, 0)),
    "Game.mines": lambda: (game().mines, ()),
    "Game.shown": lambda: (_opened_and_flagged().shown, ()),
    "Game.start_from": lambda: (game().start_from, (SEEN,)),
    "Solver": lambda: (_core.Solver, ()),
    "Playthrough.moves": lambda: (playthrough().moves, ()),
    "Posterior.all_clue_chances": lambda: (posterior().all_clue_chances, ()),
    "Posterior.clue_chances": lambda: (posterior().clue_chances, (3,)),
    "Posterior.component_bits": lambda: (infer().component_bits, (0,)),
    "Posterior.count_chances": lambda: (posterior().count_chances, (3,)),
    "Posterior.log_layouts": lambda: (posterior().log_layouts, ()),
    "Posterior.least_risky": lambda: (posterior().least_risky, ()),
    "Posterior.residues": lambda: (infer().residues, (0, [7, 2147483647])),
    "Posterior.sample": lambda: (posterior().sample, (2, 1)),
    "Posterior.total_distribution": lambda: (posterior().total_distribution, ()),
    "Prover": lambda: (_core.Prover, (posterior(), 10)),
    "Prover.prove": lambda: (prover().prove, (posterior().safe[0],)),
    "Random": lambda: (_core.Random, (1,)),
    "Random.below": lambda: (_core.Random(1).below, (6,)),
    "Random.next": lambda: (_core.Random(1).next, ()),
    "Random.uniform": lambda: (_core.Random(1).uniform, ()),
    "Player.begin": lambda: (player().begin, (1,)),
    "Player.decide": lambda: (player().decide, (TOPOLOGY, SEEN, 2, _core.EXACT)),
    "Setup": lambda: (_core.Setup, SETTINGS),
    "Setup.first_cell": lambda: (SAFE.first_cell, (1,)),
    "SmallBoard": lambda: (_core.SmallBoard, (TOPOLOGY, 2, _core.Start.safe, 0, NODES)),
    "SmallBoard.value_of": lambda: (small_board().value_of, (1, 0)),
    "Topology.degrees": lambda: (TOPOLOGY.degrees, ()),
    "Topology.distance": lambda: (TOPOLOGY.distance, (0, 1)),
    "Topology.of": lambda: (_core.Topology.of, (SQUARE, 2, 3)),
    "Topology.neighbours": lambda: (TOPOLOGY.neighbours, (0,)),
    "Topology.rectangle": lambda: (_core.Topology.rectangle, (2, 3)),
    "endings": lambda: (_core.endings, (posterior(), 100, NODES)),
    "fits": lambda: (
        _core.fits,
        (_core.Solver(), TOPOLOGY, SEEN, None, None, _core.EXACT, False, NODES, BYTES),
    ),
    "compress": lambda: (_core.compress, (((0, 0), (0, 1), (0, 2)), b"\1\0\1")),
    "infer": lambda: (
        _core.infer,
        (TOPOLOGY, SEEN, None, None, _core.EXACT, False, NODES, BYTES, True, None),
    ),
    "measures": lambda: (_core.measures, (TOPOLOGY, MINES)),
    "infer_many": lambda: (
        _core.infer_many,
        (TOPOLOGY, SEEN[None], None, None, _core.EXACT, False, NODES, BYTES, 2),
    ),
    "no_guess_mines": lambda: (
        _core.no_guess_mines,
        (EMPTY, 4, False, 1, 5),
    ),
    "noise": lambda: (_core.noise, (1, 0)),
    "guesses": lambda: (_core.guesses, (posterior(), 12, 4, 0.85, 0.33, 0.018)),
    "play_out": lambda: (_core.play_out, (game(), player(), 2, _core.EXACT, 1, True)),
    "play_seeds": lambda: (
        _core.play_seeds,
        (
            player(),
            SAFE,
            True,
            True,
            np.array([1, 2], np.uint64),
            np.array([3, 4], np.uint64),
            2,
        ),
    ),
    "random_mines": lambda: (_core.random_mines, (SAFE, 1)),
    "rollouts": lambda: (_core.rollouts, (posterior(), [4], 5, 1)),
    "settle": lambda: (_core.settle, (TOPOLOGY, MINES, [0], NODES, BYTES)),
    "solve": lambda: (_core.solve, (game(), 0, _core.EXACT, NODES, BYTES)),
    "true_counts": lambda: (_core.true_counts, (TOPOLOGY, MINES)),
}

NOT_MADE_IN_PYTHON = {"Player", "Playthrough", "Posterior", "Topology"}
ERRORS_AND_ENUMS = {
    "BudgetExceeded",
    "Cancelled",
    "Contradiction",
    "MineproofError",
    "MoveKind",
    "Start",
    "Status",
    "TopologyKind",
}

ERRORS = (ValueError, TypeError, _core.Contradiction, _core.BudgetExceeded)

JUNK: list[Any] = [
    None,
    -1,
    CELLS,
    2**31,
    -(2**31) - 1,
    2**64,
    10**30,
    1.5,
    float("nan"),
    "text",
    b"bytes",
    [],
    [-1],
    [CELLS],
    [2**40],
    [None],
    object(),
    TOPOLOGY,
    _core.Start.any,
    _core.Topology.rectangle(5, 5),
    np.zeros(0, np.bool_),
    np.zeros(CELLS + 1, np.bool_),
    np.ones(CELLS, np.bool_),
    np.zeros((0, 0), np.int8),
    np.zeros((COLS, ROWS), np.int8),
    np.full((ROWS, COLS), 9, np.int8),
    np.full((ROWS, COLS), -6, np.int8),
    np.full((ROWS, COLS), 127, np.int8),
    np.full((9, 9, 10), np.nan),
    np.full((9, 9, 10), -1.0),
    np.zeros((9, 9, 9)),
]


def _opened_and_flagged() -> _core.Game:
    """Return a game whose clue at 1 has as many flags around it as it says."""
    begun = game()
    begun.make(OPEN, 1)
    begun.make(_core.MoveKind.flag, 2)
    begun.make(_core.MoveKind.flag, 5)
    return begun


def error_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Exception | None:
    try:
        function(*arguments)
    except Exception as error:
        return error
    return None


def public(thing: Any) -> Iterator[str]:
    return (name for name in vars(thing) if not name.startswith("_"))


def test_every_function_and_method_is_called_here() -> None:
    names = set()
    for name in public(_core):
        thing = getattr(_core, name)
        if isinstance(thing, type):
            if name in ERRORS_AND_ENUMS:
                continue
            names |= {name} - NOT_MADE_IN_PYTHON
            names |= {f"{name}.{own}" for own in public(thing) if callable(getattr(thing, own))}
        elif callable(thing):
            names.add(name)
    assert names == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_the_right_arguments_are_right(name: str) -> None:
    function, arguments = CALLS[name]()
    function(*arguments)


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_raise_a_clear_error(name: str) -> None:
    places = len(CALLS[name]()[1])
    for place, junk in itertools.product(range(places), JUNK):
        function, arguments = CALLS[name]()
        wrong = (*arguments[:place], junk, *arguments[place + 1 :])
        error = error_of(function, wrong)
        assert error is None or isinstance(error, ERRORS), (place, junk, error)
        if isinstance(error, ValueError):
            assert len(str(error).splitlines()) == 1, (place, junk, error)


@pytest.mark.parametrize("name", CALLS)
def test_too_few_and_too_many_arguments(name: str) -> None:
    function, arguments = CALLS[name]()
    if arguments:
        with pytest.raises(TypeError):
            function(*arguments[:-1])
    function, arguments = CALLS[name]()
    with pytest.raises(TypeError):
        function(*arguments, None)


@pytest.mark.parametrize("name", sorted(NOT_MADE_IN_PYTHON))
def test_what_only_the_core_makes(name: str) -> None:
    with pytest.raises(TypeError):
        getattr(_core, name)()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: _core.Random(1).below(0), "bound: 0 is not from 1 to 18446744073709551615"),
        (lambda: _core.Random(-1), "seed: -1 is not from 0 to 18446744073709551615"),
        (lambda: _core.Random(2**64), "seed: 18446744073709551616 is not from 0 to"),
        (lambda: _core.noise(1, -1), "cell: -1 is not from 0 to 2147483647"),
        (lambda: _core.Topology.rectangle(0, 3), "rows: 0 is not from 1 to"),
        (
            lambda: _core.Topology.of(_core.TopologyKind.torus, 2, 3),
            "a torus needs at least 3 rows",
        ),
        (lambda: _core.Topology.rectangle(2**20, 2**20), "the board is too large"),
        (lambda: TOPOLOGY.neighbours(6), "cell: 6 is not from 0 to 5"),
        (lambda: _core.true_counts(TOPOLOGY, MINES[:-1]), "mines: 5 values, expected 6"),
        (
            lambda: setup(mines=6, start=_core.Start.safe),
            "mines: 6 is not from 0 to 5",
        ),
        (lambda: setup(given_safe=-1), "given_safe: -1 is not from 0 to 4"),
        (lambda: setup(given_safe=5), "given_safe: 5 is not from 0 to 4"),
        (lambda: setup(first=6), "first: 6 is not from -2 to 5"),
        (lambda: setup(arrival=1.5), "arrival: must be from 0 to 1"),
        (
            lambda: _core.Game(setup(start=_core.Start.safe, first=2), 1, MINES),
            "a mine at the first cell, (0, 2), which start 'safe' forbids",
        ),
        (
            lambda: _core.Game(ZERO, 1, NEAR),
            "a mine next to the first cell, (0, 0), which start 'zero' forbids",
        ),
        (lambda: _core.Game(SAFE, 1, None).lay(6), "first: 6 is not from -1 to 5"),
        (
            lambda: game().start_from(np.zeros((2, 3), np.int8)),
            "(0, 2): a mine cannot be open",
        ),
        (lambda: _opened_and_flagged().start_from(SEEN), "the game has begun already"),
        (lambda: game().make(OPEN, 6), "cell: 6 is not from 0 to 5"),
        (lambda: game().code(-1), "cell: -1 is not from 0 to 5"),
        (lambda: _core.Channel(-WEIGHTS), "weights: -0.750000 is negative or not a number"),
        (lambda: infer(np.full((2, 3), 9, np.int8)), "cells: (0, 0) has the code 9"),
        (lambda: infer(mines=-1), "mines: -1 is not from 0 to"),
        (lambda: infer(nodes=-1), "nodes: -1 is not from 0 to"),
        (lambda: infer().standard_error, "standard_error: the risks are exact, so they have none"),
        (lambda: infer().component_bits(9), "component: 9 is not from 0 to 0"),
        (
            lambda: infer(np.full((1, 2), -1, np.int8)).component_bits(0),
            "component: the posterior has none",
        ),
        (lambda: infer().residues(-1, [7]), "component: -1 is not from 0 to 0"),
        (lambda: infer().residues(0, [0]), "primes: 0 is not from 2 to 2147483647"),
        (lambda: infer().residues(0, [2**31]), "primes: 2147483648 is not from 2 to 2147483647"),
        (lambda: infer().clue_chances(0), "(0, 0): the cell is not closed"),
        (lambda: infer().count_chances(6), "cell: 6 is not from 0 to 5"),
        (lambda: infer().sample(2**40, 1), "count: 1099511627776 is not from 0 to 715827882"),
        (lambda: _core.Prover(posterior(), 0), "most_sets: 0 is not from 1 to"),
        (lambda: _core.Prover(infer(), 1).prove(0), "(0, 0): the cell is not certain"),
        (lambda: chains().open([6], SEEN), "cells: 6 is not from 0 to 5"),
        (lambda: chains().open([0], SEEN.T.copy()), r"seen: shape (3, 2), expected (2, 3)"),
        (
            lambda: chains().settle(infer(np.full((3, 2), -1, np.int8))),
            "posterior: its board has another size than the chains",
        ),
        (lambda: _core.solve(game(), 6, _core.EXACT, 1, 1), "first: 6 is not from 0 to 5"),
        (
            lambda: _core.ChainSearch(setup(), 5, 1),
            "start: a search needs 'safe' or 'zero', not 'any'",
        ),
        (lambda: search().advance(-1), "evaluations: -1 is not from 0 to"),
        (lambda: _core.Player.exact(-1, 0, False), "nodes: -1 is not from 0 to"),
        (
            lambda: _core.play_out(game(), player(), -2, _core.EXACT, 1, True),
            "mines: -2 is not from 0 to",
        ),
    ],
)
def test_messages_name_the_place(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        wrong()


@pytest.mark.parametrize("density", [0.0, 1.0, -0.1, 1.5, float("nan"), float("inf")])
def test_densities(density: float) -> None:
    arguments = (_core.EXACT, False, NODES, BYTES, True, None)
    with pytest.raises(ValueError, match=r"^density: .* is not between 0 and 1$"):
        _core.infer(TOPOLOGY, SEEN, None, density, *arguments)
    with pytest.raises(ValueError, match=r"^density: the number of mines is given too$"):
        _core.infer(TOPOLOGY, SEEN, 2, 0.5, *arguments)


@pytest.mark.parametrize("mines", [7, 2**31, 2**60])
def test_more_mines_than_cells_are_a_contradiction(mines: int) -> None:
    with pytest.raises(_core.Contradiction):
        infer(mines=mines)


@pytest.mark.parametrize(
    "ask",
    [
        lambda guess: guess.component_bits(0),
        lambda guess: guess.residues(0, [7]),
        lambda guess: guess.clue_chances(0),
        lambda guess: guess.total_distribution(),
        lambda guess: guess.sample(1, 1),
        lambda guess: _core.Prover(guess, 1),
    ],
)
def test_an_estimate_does_not_answer_what_needs_counting(
    ask: Callable[[_core.Posterior], object],
) -> None:
    guess = estimate()
    assert guess.standard_error.shape == guess.risk.shape
    with pytest.raises(_core.BudgetExceeded, match="needs an exact posterior"):
        ask(guess)


def test_bools_are_read_as_numpy_does() -> None:
    odd = np.array([0, 0, 2, 0, 0, 255], np.uint8).view(np.bool_)
    np.testing.assert_array_equal(
        _core.true_counts(TOPOLOGY, odd), _core.true_counts(TOPOLOGY, MINES)
    )


@pytest.mark.filterwarnings("ignore:nanobind")
@pytest.mark.parametrize("name", ["ChainSearch", "Chains", "Game", "Prover", "Random"])
def test_objects_that_were_not_initialised_refuse_to_work(name: str) -> None:
    kind = getattr(_core, name)
    raw = kind.__new__(kind)
    for own in public(kind):
        if callable(getattr(kind, own)):
            arguments = CALLS[f"{name}.{own}"]()[1]
            assert isinstance(error_of(getattr(raw, own), arguments), TypeError), own
        else:
            assert isinstance(error_of(getattr, (raw, own)), TypeError), own


def test_random_numbers_continue_from_their_state() -> None:
    random = _core.Random(7)
    random.next()
    for other in (copy.copy(random), pickle.loads(pickle.dumps(random))):
        assert [other.next() for _ in range(3)] == [copy.copy(random).next(), *_later(random)]
    with pytest.raises(ValueError, match=r"^state: a generator cannot start from all zeros$"):
        _core.Random.__new__(_core.Random).__setstate__((0, 0, 0, 0))


def _later(random: _core.Random) -> list[int]:
    other = copy.copy(random)
    other.next()
    return [other.next(), other.next()]


LINK: tuple[Any, ...] = (0, 0, False, False, True, 0, 0, [])


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ((SQUARE, 0, 3, True, False, []), "rows: 0 is not from 1 to"),
        ((SQUARE, 2, 3, True, True, [(6, *LINK[1:])]), "cell: 6 is not from 0 to 5"),
        ((SQUARE, 2, 3, True, True, [(0, 4, *LINK[2:])]), "origin: 4 is not from 0 to 3"),
        ((SQUARE, 2, 3, True, True, [(0, -1, *LINK[2:])]), "origin: -1 is not from 0 to 3"),
        ((SQUARE, 2, 3, True, True, [(*LINK[:-1], [9])]), "premises: 9 is not from 0 to 5"),
    ],
)
def test_states_of_chains(state: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        _core.Chains.__new__(_core.Chains).__setstate__(state)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_a_second_initialisation_changes_nothing() -> None:
    made = game()
    made.make(OPEN, 0)
    before = made.cells()
    with pytest.raises((RuntimeError, TypeError)):
        made.__init__(SAFE, 1, MINES)  # type: ignore[misc]
    assert made.cells() == before
