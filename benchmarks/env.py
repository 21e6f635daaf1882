"""Steps per second of the vectorised environment, against other environments of Minesweeper."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Report, Target, Track, Value, at_least, skipped
from benchmarks.timing import timed

ROWS, COLS, MINES = 9, 9, 10
GAMES = 1024
"""Games of the vectorised environments."""
TURNS = 12

Play: TypeAlias = Callable[[NDArray[np.int64]], object]
"""Takes some actions in a row, each in one game or in all games."""


def ours(vectorised: bool) -> Play | None:
    """Step our own environments."""
    try:
        env = import_module("mineproof.env")
    except ModuleNotFoundError:
        return None
    if not vectorised:
        single = env.MinesweeperEnv(ROWS, COLS, MINES)
        return _one_by_one(single.reset, single.step)
    envs = env.MinesweeperVectorEnv(ROWS, COLS, MINES, num_envs=GAMES)
    envs.reset(seed=0)

    def play(actions: NDArray[np.int64]) -> None:
        for each in actions:
            envs.step(each)

    return play


def gym_minesweeper() -> Play | None:
    """Step the environment of gym-minesweeper, the only one for Gym on PyPI that still runs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env = import_module("gym_minesweeper.envs").MinesweeperEnv(ROWS, COLS, MINES)
    except ImportError:
        return None
    return _one_by_one(env.reset, lambda action: env.step(divmod(action, COLS)))


def _one_by_one(reset: Callable[[], Any], step: Callable[[int], tuple[Any, ...]]) -> Play:
    def play(actions: NDArray[np.int64]) -> None:
        reset()
        for action in actions.ravel().tolist():
            if step(action)[2]:
                reset()

    return play


def jumanji() -> Play | None:
    """Step Jumanji's environment, vmapped and compiled, with games that reset by themselves."""
    try:
        jax = import_module("jax")
        made = import_module("jumanji.environments").Minesweeper
        logic = import_module("jumanji.environments.logic.minesweeper.generator")
        wrap = import_module("jumanji.wrappers").VmapAutoResetWrapper
    except ImportError:
        return None
    generator = logic.UniformSamplingGenerator(num_rows=ROWS, num_cols=COLS, num_mines=MINES)
    env = wrap(made(generator=generator))
    state, _ = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(0), GAMES))
    step = jax.jit(env.step)

    def play(actions: NDArray[np.int64]) -> object:
        now, last = state, None
        for each in np.stack(np.divmod(actions, COLS), axis=-1).astype(np.int32):
            now, last = step(now, each)
        return jax.block_until_ready(last)

    play(np.zeros((1, GAMES), np.int64))
    return play


def run(track: Track, quick: bool = False) -> Report:
    """Step all environments in turns of some tenths of a second; the fastest turn counts."""
    made = {
        "ours": (ours(True), (200, GAMES)),
        "ours, one game": (ours(False), (4000, 1)),
        "gym-minesweeper": (gym_minesweeper(), (2000, 1)),
        "jumanji": (jumanji(), (10, GAMES)),
    }
    random = np.random.default_rng(1)
    best: dict[str, float] = {}
    for _ in track(range(1 if quick else TURNS), "env"):
        for name, (play, (steps, games)) in made.items():
            if play is None:
                continue
            actions = random.integers(ROWS * COLS, size=(2 if quick else steps, games))
            seconds, _ = timed(partial(play, actions))
            best[name] = max(best.get(name, 0.0), actions.size / seconds)
    rows: list[tuple[Value, ...]] = [
        (name, best.get(name, float("nan")), best["ours"] / best[name] if name in best else "–")
        for name in made
    ]
    return Report(
        f"env: steps per second, {ROWS}×{COLS} with {MINES} mines, random cells",
        ("", "steps per second", "ours is faster by"),
        tuple(rows),
        (
            _target("times the best environment for Gym", best, "gym-minesweeper", 50),
            _target("times Jumanji's, vmapped", best, "jumanji", 10),
        ),
    )


def _target(what: str, best: dict[str, float], name: str, limit: float) -> Target:
    if name not in best:
        return skipped(what, f"{name} is not installed")
    return at_least(what, best["ours"] / best[name], limit, timed=True)
