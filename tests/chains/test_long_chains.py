"""The search for long chains: its results are true, repeat, and are far longer than by chance."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest

from mineproof import Game, Rules, Setup, Topology, agents, play
from mineproof.chains import LongChain, chains_of, search_long_chain
from mineproof.position.rules import Start
from mineproof.position.setup import FirstCell


def found(
    rows: int,
    cols: int,
    mines: int,
    start: Start = "zero",
    first: FirstCell = None,
    **settings: Any,
) -> LongChain:
    setup = Setup(Topology(rows, cols), mines, Rules(start), first=first)
    result = search_long_chain(setup, **settings)
    assert result is not None
    return result


def median_chain(mines: int, boards: int) -> float:
    """The longest chain of the median random board, started as searches are."""
    setup = Setup(Topology(10, 10), mines, Rules("zero"))
    return median(chains_of(Game(setup, seed)).longest for seed in range(boards))


@pytest.mark.parametrize("start", ["safe", "zero"])
@pytest.mark.parametrize("first", [None, (0, 5)])
def test_what_is_found_is_true(start: Start, first: tuple[int, int] | None) -> None:
    best = found(6, 7, 8, evaluations=150, seed=2, start=start, first=first)
    assert (best.board.rows, best.board.cols, best.board.mines) == (6, 7, 8)
    assert best.evaluations == 150
    assert best.rules == Rules(start)
    assert first is None or best.first == first
    chains = best.chains
    assert chains.exact
    assert (chains.longest, chains.guesses) == (best.longest, 0)
    assert chains.path[0] == best.first
    record = play(best.game, agents.get("exact"))
    assert (record.won, record.guesses) == (True, 0)


def test_searches_repeat_and_seeds_differ() -> None:
    one, again, other = (found(6, 6, 6, evaluations=100, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.board != other.board


def test_progress_reports_the_best_so_far() -> None:
    lengths: list[int] = []
    done = 0

    def look(more: int, best: LongChain | None) -> None:
        nonlocal done
        done += more
        if best is not None:
            assert best.evaluations == done
            lengths.append(best.longest)

    best = found(7, 7, 7, evaluations=333, seed=4, progress=look)
    assert done == best.evaluations == 333
    assert lengths == sorted(lengths)
    assert lengths[-1] == best.longest > lengths[0]


def test_an_exception_in_progress_ends_the_search() -> None:
    def stop(more: int, best: LongChain | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_long_chain(
            Setup(Topology(10, 10), 15, Rules("zero")), evaluations=10**9, progress=stop
        )


def test_the_board_stays_if_no_mine_can_move() -> None:
    # From the corner the zeros spread to the opposite one.
    assert found(4, 4, 0, evaluations=30, first=(0, 0)).longest == 3
    # All cells but the first are mines, as its clue says.
    assert found(2, 2, 3, evaluations=30, start="safe").longest == 1


def test_boards_that_need_a_guess_are_not_found() -> None:
    # One mine at one of two ends: the first cell, in the middle, cannot tell which.
    assert (
        search_long_chain(Setup(Topology(1, 3), 1, Rules("safe"), first=(0, 1)), evaluations=20)
        is None
    )


def test_bad_input_is_rejected_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="36 mines: the board has room for 0 to 35"):
        search_long_chain(Setup(Topology(6, 6), 36, Rules("zero")), evaluations=10)
    with pytest.raises(ValueError, match="evaluations 0: must be a whole number from 1"):
        search_long_chain(Setup(Topology(6, 6), 6, Rules("zero")), evaluations=0)
    with pytest.raises(ValueError, match="start 'any': must be safe or zero"):
        search_long_chain(Setup(Topology(6, 6), 6, Rules("any")), evaluations=1)
    with pytest.raises(ValueError, match=r"\(6, 0\): the board has 6 rows"):
        search_long_chain(Setup(Topology(6, 6), 6, Rules("zero"), first=(6, 0)), evaluations=1)
    with pytest.raises(ValueError, match="seed -1: must be"):
        search_long_chain(Setup(Topology(6, 6), 6, Rules("zero")), evaluations=1, seed=-1)
    with pytest.raises(ValueError, match="rows 0: must be"):
        search_long_chain(Setup(Topology(0, 6), 6, Rules("zero")), evaluations=1)


def test_a_searched_chain_is_three_times_as_long_as_the_median() -> None:
    assert found(10, 10, 15, evaluations=2_000).longest >= 3 * median_chain(15, boards=100)


@pytest.mark.long
@pytest.mark.parametrize("mines", [5, 10, 15, 20, 25, 30, 35, 40])
@pytest.mark.parametrize("seed", [0, 1])
def test_searched_chains_are_three_times_as_long_whatever_the_mines(mines: int, seed: int) -> None:
    best = found(10, 10, mines, evaluations=5_000, seed=seed)
    assert best.chains.longest == best.longest
    assert best.longest >= 3 * median_chain(mines, boards=300)
