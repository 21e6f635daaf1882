"""Python threads that share an object of the core get what a single thread gets."""

from __future__ import annotations

import itertools
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import pytest

from mineproof import Board, Game, Rules, Setup, Solver, Topology, _core, infer
from mineproof.inference.posterior import core_of
from mineproof.position.cells import is_closed

THREADS = 4
NODES = BYTES = 10**9
T = TypeVar("T")


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[int], T], count: int = THREADS) -> list[T]:
    """Call the function in several threads at once; return what each of them returned."""
    barrier = threading.Barrier(count)

    def start(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


def repeat(function: Callable[..., T], *arguments: Any) -> T:
    """Call the function with the arguments but the last, the number of the thread."""
    return function(*arguments[:-1])


def position(seed: int) -> Any:
    """Return what is seen after the first move and the certain ones that follow."""
    game = Game(Setup(Topology(16, 16), 40), seed=seed)
    game.open((0, 0))
    for cell in infer(game.observation).safe:
        if is_closed(game.code(cell)):
            game.open(cell)
    return game.observation


KINDS = list(_core.MoveKind)
OPEN = _core.MoveKind.open
POSITIONS = [position(seed) for seed in range(8)]


def native_game(mines: Any, topology: _core.Topology, *, cascade: bool = True) -> _core.Game:
    board = Board(Topology(topology.rows, topology.cols), mines.reshape(topology.rows, -1))
    return Game.on(board, Rules("any", cascade=cascade)).native


TOPOLOGY = _core.Topology.rectangle(9, 9)


def mask(seed: int, mines: int = 10) -> Any:
    return Board.random(Setup(Topology(9, 9), mines), seed).layout.ravel()


def test_a_generator_gives_every_number_once() -> None:
    shared, alone = _core.Random(3), _core.Random(3)
    drawn = in_threads(lambda _: [shared.next() for _ in range(2000)])
    expected = [alone.next() for _ in range(2000 * THREADS)]
    assert sorted(chain.from_iterable(drawn)) == sorted(expected)
    assert shared.next() == alone.next()


def test_a_game_makes_every_move_once() -> None:
    mines = mask(1)
    shared = native_game(mines, TOPOLOGY, cascade=False)
    alone = native_game(mines, TOPOLOGY, cascade=False)
    safe = np.flatnonzero(~mines).tolist()

    def open_all(_: int) -> int:
        refused = 0
        for cell in safe:
            try:
                shared.make(OPEN, cell)
            except ValueError:
                refused += 1
            assert shared.code(cell) >= 0
            assert shared.opened <= len(safe)
        return refused

    refused = in_threads(open_all)
    for cell in safe:
        alone.make(OPEN, cell)
    assert sum(refused) == (THREADS - 1) * len(safe)
    assert shared.cells() == alone.cells()
    assert sorted(shared.history()) == sorted(alone.history())
    assert shared.status == alone.status == _core.Status.won


def test_a_large_game_survives_threads_that_open_flag_and_chord_at_once() -> None:
    """Large boards release the GIL, so nothing but the lock of the game keeps the threads apart."""
    side = 400
    setup = Setup(Topology(side, side), side * side // 8, Rules("any", "continue")).native
    shared = _core.Game(setup, 7, None)

    def play(number: int) -> int:
        order = np.random.default_rng(number).permutation(side * side)[:8000].tolist()
        kinds = itertools.cycle(KINDS[:4])
        done = 0
        for cell, kind in zip(order, kinds, strict=False):
            with suppress(ValueError):
                shared.make(kind, cell)
                done += 1
        return done

    made = sum(in_threads(play))
    history = shared.history()
    assert len(history) == made
    again = _core.Game(setup, 7, None)
    for number, cell in history:
        again.make(KINDS[number], cell)
    assert again.cells() == shared.cells()
    assert again.opened == shared.opened
    assert again.identified == shared.identified


def test_a_game_takes_turns_with_a_native_player() -> None:
    """One thread plays the game natively, the others open its cells: all moves are legal."""
    for seed in range(10):
        mines = mask(seed)
        shared = native_game(mines, TOPOLOGY)

        def play(number: int, shared: _core.Game = shared, mines: Any = mines) -> None:
            if number == 0:
                player = _core.Player.exact(NODES, BYTES, True)
                _core.play_out(shared, player, 10, _core.EXACT, 1, True)
                return
            for cell in np.flatnonzero(~mines)[number::THREADS].tolist():
                try:
                    shared.make(OPEN, cell)
                except ValueError as error:
                    assert "already" in str(error) or "over" in str(error)  # noqa: PT017
                shared.cells(), shared.history(), shared.identified

        in_threads(play)
        assert shared.status in (_core.Status.won, _core.Status.lost)
        again = native_game(mines, TOPOLOGY)
        for number, cell in shared.history():
            again.make(KINDS[number], cell)
        assert again.cells() == shared.cells()


def test_a_player_plays_one_game_after_the_other() -> None:
    def play(player: _core.Player, seed: int) -> list[Any]:
        game = native_game(mask(seed), TOPOLOGY)
        game.make(OPEN, 0)
        played = _core.play_out(game, player, 10, _core.EXACT, seed, True)
        return [move for move in played.moves() if not np.isnan(move[4])]

    shared = _core.Player.exact(NODES, BYTES, True)
    expected = [play(_core.Player.exact(NODES, BYTES, True), seed) for seed in range(THREADS)]
    for _ in range(5):
        assert in_threads(lambda seed: play(shared, seed)) == expected


def answers(posterior: _core.Posterior) -> list[Any]:
    closed = np.flatnonzero(~np.isnan(posterior.risk.ravel()))[::20].tolist()
    return [
        posterior.risk.tobytes(),
        posterior.safe,
        posterior.mined,
        posterior.least_risky().tolist(),
        posterior.effort,
        posterior.sample(2, 1).tobytes(),
        posterior.total_distribution().tobytes(),
        [posterior.clue_chances(cell).tobytes() for cell in closed],
        [posterior.residues(i, [2147483647]) for i in range(posterior.components)],
    ]


def test_a_posterior_answers_all_threads() -> None:
    for seen in POSITIONS[:3]:
        shared = core_of(infer(seen))
        expected = answers(shared)
        assert in_threads(partial(repeat, answers, shared)) == [expected] * THREADS


def test_a_solver_answers_all_threads() -> None:
    solver = Solver()
    expected = [infer(seen).risk.tobytes() for seen in POSITIONS]
    for _ in range(5):
        found = in_threads(lambda _: [solver.infer(seen).risk.tobytes() for seen in POSITIONS])
        assert found == [expected] * THREADS


def prove_all(prover: _core.Prover, cells: list[int]) -> list[Any]:
    return [prover.prove(cell) for cell in cells]


def test_a_prover_answers_all_threads() -> None:
    for seen in POSITIONS[:4]:
        posterior = core_of(infer(seen))
        cells = [*posterior.safe, *posterior.mined]
        alone = _core.Prover(posterior, 10)
        expected = prove_all(alone, cells)
        shared = _core.Prover(posterior, 10)
        found = in_threads(partial(repeat, prove_all, shared, cells))
        assert found == [expected] * THREADS


def test_chains_are_settled_once() -> None:
    for seen in POSITIONS[:4]:
        topology, posterior = seen.topology.native, core_of(infer(seen))
        alone, shared = _core.Chains(topology, True), _core.Chains(topology, True)
        alone.open([0], seen.cells)
        shared.open([0], seen.cells)
        alone.settle(posterior)

        def settle(
            number: int, shared: _core.Chains = shared, posterior: Any = posterior, seen: Any = seen
        ) -> None:
            shared.settle(posterior)
            shared.open([0], seen.cells)
            shared.likely_length(number, seen.cells)
            other = pickle.loads(pickle.dumps(shared))
            assert other.links() == shared.links()

        in_threads(settle)
        assert shared.links() == alone.links()


def test_a_search_counts_every_board_once() -> None:
    setup = Setup(Topology(6, 6), 6, Rules("zero"), first=(2, 2)).native

    def search() -> _core.ChainSearch:
        return _core.ChainSearch(setup, 120, 5)

    alone, shared = search(), search()
    alone.advance(120)

    def advance(_: int) -> None:
        while shared.evaluated < 120:
            shared.advance(7)
            assert shared.best is None or shared.best[1] > 0

    in_threads(advance)
    assert shared.evaluated == alone.evaluated == 120
    assert shared.best == alone.best


def test_the_gil_is_released_for_long_work() -> None:
    """A thread can count while another one searches."""
    search = _core.ChainSearch(
        Setup(Topology(9, 9), 15, Rules("zero"), first=(4, 4)).native, 10**6, 1
    )
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        search.advance(300)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    counted = 0
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 1000
