"""Long calls of the core stop soon after a signal, and can be cancelled from another thread."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from mineproof import (
    Board,
    Budget,
    Cancel,
    Cancelled,
    Channel,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    _core,
    agents,
    cli,
    infer,
    play,
)
from mineproof.position import mines_at
from mineproof.search import weigh_guesses

SOON = 1.0
"""Seconds of this process's own time from the signal to the end of the call."""

CORNER = Observation.from_text("1" + "." * 29 + ("\n" + "." * 30) * 15, mines=99)
NODES = BYTES = 10**12
WIDE = Budget(nodes=NODES, bytes=2**32)
SCATTERED = Rules(start="any", on_mine="continue", cascade=False)


def noisy(side: int) -> Observation:
    """Return a board with so many uncertain clues that counting its layouts takes minutes."""
    channel = Channel.optimistic()
    game = Game(
        Setup(Topology(side, side), mines_at(0.2, side * side), SCATTERED, channel), seed=side
    )
    for cell in Random(side).sample(sorted(np.ndindex(side, side)), side * side * 2 // 5):
        game.open(cell)
    return game.observe()


def play_natively(agent: str) -> None:
    rules = Rules(on_mine="continue")
    channel = Channel.optimistic()
    game = Game(Setup(Topology(100, 100), mines_at(0.2, 10000), rules, channel), seed=1)
    play(game, agents.get(agent), seed=1)


def solve_a_small_board() -> None:
    board = _core.SmallBoard(_core.Topology.rectangle(6, 6), 5, _core.Start.safe, 0, NODES)
    board.value_of(0, 0)


def clash_with_the_total() -> None:
    """Many clues that fit each other, but not the total; which ones clash takes long to find."""
    cells = np.full((1801, 1801), -1, np.int8)
    cells[1::3, 1::3] = 1
    arguments = (_core.EXACT, False, NODES, BYTES, True, None)
    _core.infer(_core.Topology.rectangle(1801, 1801), cells, 80_000, None, *arguments)


# Each takes much longer than it may take to stop.
LONG: dict[str, Callable[[], Any]] = {
    "count layouts": lambda: infer(noisy(30), budget=WIDE),
    "estimate risks": lambda: infer(noisy(40), budget=Budget(nodes=0)),
    "draw layouts": lambda: infer(Game.level("hard", seed=1).observation).sample(2_000_000, 1),
    "explain a clash": clash_with_the_total,
    "play a game": lambda: play_natively("exact"),
    "look ahead": lambda: play_natively("champion"),
    "play small boards": solve_a_small_board,
    "weigh guesses": lambda: weigh_guesses(infer(CORNER), samples=10**6),
    "search for chains": lambda: search().advance(NODES),
    "lay mines": lambda: Board.random(Setup(Topology(7000, 7000), 9, Rules("any")), seed=1),
}


def search() -> _core.ChainSearch:
    setup = Setup(Topology(9, 9), 15, Rules("zero"), first=(4, 4))
    return _core.ChainSearch(setup.native, NODES, 1)


class Alarm(KeyboardInterrupt):
    """What the handler of the signal raises."""


@contextmanager
def alarm(seconds: float, number: int = signal.SIGALRM) -> Iterator[list[float]]:
    """Raise `Alarm` in the main thread by a signal; tell the process time of the signal."""
    rung: list[float] = []

    def note() -> None:
        rung.append(time.process_time())
        signal.raise_signal(number)

    def ring(*_: object) -> None:
        raise Alarm

    before = signal.signal(number, ring)
    timer = threading.Timer(seconds, note)
    timer.start()
    try:
        yield rung
    finally:
        timer.cancel()
        timer.join()
        signal.signal(number, before)


@pytest.mark.parametrize("name", LONG)
def test_a_signal_stops_a_long_call(name: str) -> None:
    with alarm(0.3) as rung:
        with pytest.raises(Alarm):
            LONG[name]()
        assert time.process_time() - rung[0] < SOON


@pytest.mark.parametrize("name", LONG)
def test_another_thread_stops_a_long_call(name: str) -> None:
    cancel, told = Cancel(), []

    def stop() -> None:
        told.append(time.process_time())
        cancel.set()

    timer = threading.Timer(0.3, stop)
    timer.start()
    with pytest.raises(Cancelled), cancel:
        LONG[name]()
    assert time.process_time() - told[0] < SOON
    assert cancel.is_set


def test_a_player_that_is_stopped_plays_on() -> None:
    channel = Channel.optimistic()
    game = Game(Setup(Topology(30, 30), mines_at(0.2, 900), channel=channel), seed=1)
    game.open((0, 0))
    seen = game.observe()
    stopped = agents.get("champion")
    cancel = Cancel()
    cancel.set()
    with cancel, pytest.raises(Cancelled):
        deque(map(stopped.decide, [seen] * 1000), maxlen=0)
    assert stopped.decide(seen) == agents.get("champion").decide(seen)


def test_only_the_thread_inside_the_block_is_stopped() -> None:
    cancel = Cancel()
    cancel.set()
    sampled = infer(Observation.from_text("\n".join(["." * 30] * 30)))
    assert len(sampled.sample(2000, 1)) == 2000  # not inside
    stopped = []

    def sample() -> None:
        sampled.sample(2000, 1)  # another thread
        with Cancel(), cancel, Cancel():
            try:
                sampled.sample(2000, 1)
            except Cancelled:
                stopped.append(True)

    with cancel:
        thread = threading.Thread(target=sample)
        thread.start()
        thread.join()
    assert stopped == [True]


def test_a_cancel_is_left_where_it_was_entered() -> None:
    with pytest.raises(RuntimeError, match="must be left in the thread that entered it"):
        Cancel().__exit__(None, None, None)


@pytest.mark.parametrize("laid", [True, False])
def test_a_cascade_that_is_stopped_opens_nothing(laid: bool) -> None:
    side = 600
    game = Game(Setup(Topology(side, side), 0, Rules(given_safe=1)), seed=1)
    if laid:
        game.lay_mines((0, 0))
    game.flag((0, 4))
    before = game.observation
    cancel = Cancel()
    cancel.set()
    with cancel, pytest.raises(Cancelled):
        game.open((0, 0))
    assert game.observation == before
    assert (game.opened, game.moves, game.is_laid) == (0, (("flag", (0, 4)),), laid)
    game.open((0, 0))
    assert game.opened == side**2 - 1


def test_a_search_that_is_stopped_can_go_on() -> None:
    stopped, alone = search(), search()
    with alarm(0.2), pytest.raises(Alarm):
        stopped.advance(NODES)
    done = stopped.evaluated
    assert done > 0
    stopped.advance(20)
    alone.advance(done + 20)
    assert stopped.best == alone.best
    assert stopped.evaluated == alone.evaluated


def test_a_handler_cannot_use_the_object_of_the_call() -> None:
    busy = search()
    refused = []

    def ring(*_: object) -> None:
        try:
            busy.best  # noqa: B018
        except RuntimeError as error:
            refused.append(str(error))
        raise Alarm

    with alarm(0.2):
        signal.signal(signal.SIGALRM, ring)
        with pytest.raises(Alarm):
            busy.advance(NODES)
    assert refused == ["the object is in use by the call that a signal interrupted"]


@pytest.mark.parametrize(
    "command",
    [
        "solve {wide} --channel optimistic",
        "compare --agents exact --games 1 --rows 100 --cols 100 --density 0.2 "
        "--channel optimistic --on-mine continue",
    ],
    ids=["solve", "compare"],
)
def test_ctrl_c_stops_a_command(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = tmp_path / "wide.txt"
    wide.write_text(noisy(40).to_text())
    with alarm(1.0, signal.SIGINT) as rung:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        assert cli.main(command.format(wide=wide).split()) == 130
        assert time.process_time() - rung[0] < SOON
    assert "Traceback" not in capsys.readouterr().err
