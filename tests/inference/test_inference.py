"""The engine against brute force, on random small questions of every kind."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pickle import dumps, loads
from random import Random

import numpy as np
import oracle
import pytest
import questions
from engine import ask
from oracle import Cell, Question

from mineproof import (
    Budget,
    Channel,
    Contradiction,
    Game,
    Observation,
    Posterior,
    Prior,
    Rules,
    Setup,
    Solver,
    Topology,
    infer,
)
from mineproof.position import mines_at
from mineproof.position.cells import is_closed
from mineproof.search import dead_cells

CLOSE = 1e-12
KINDS = list(product(questions.PRIORS, questions.CHANNELS, (False, True)))
every_kind = pytest.mark.parametrize(("prior", "channel", "trust"), KINDS)


def sizes(some: int, many: int) -> pytest.MarkDecorator:
    """How many questions to ask: some in the daily tests, many in the long ones."""
    return pytest.mark.parametrize("count", [some, pytest.param(many, marks=pytest.mark.long)])


def draw(prior: str, channel: str, trust: bool, count: int) -> list[Question]:
    """Played questions, a few of them larger."""
    asked = []
    for number in range(count):
        rng = Random(f"{prior} {channel} {trust} {number}")
        most = 12 if number % 25 == 24 else 9
        make = questions.CHANNELS[channel](rng)
        asked.append(questions.played(rng, prior, make, trust, most=most))
    return asked


def assert_equal(question: Question, posterior: Posterior, truth: oracle.Answer) -> None:
    """Everything a posterior says, against the truth."""
    places = list(question.places())
    risks = truth.risks()
    expected = np.array([float(risks.get(cell, np.nan)) for cell in places])
    np.testing.assert_allclose(posterior.risk.ravel(), expected, rtol=0, atol=CLOSE)
    assert posterior.exact
    assert posterior.standard_error is None
    assert posterior.safe == truth.safe()
    assert posterior.mined == truth.mined()
    assert posterior.layouts == len(truth.layouts)
    assert posterior.log10_layouts == pytest.approx(np.log10(len(truth.layouts)), abs=1e-9)
    assert posterior.expected_mines == pytest.approx(float(truth.expected_mines()), abs=1e-11)
    assert_totals(posterior, truth)
    all_chances = posterior.all_clue_chances()
    for cell in risks:
        chances = [float(chance) for chance in truth.clue_chances(cell)]
        np.testing.assert_allclose(posterior.clue_chances(cell), chances, rtol=0, atol=CLOSE)
        np.testing.assert_allclose(all_chances[cell], chances, rtol=0, atol=CLOSE)
    assert_best(posterior, risks)


def assert_totals(posterior: Posterior, truth: oracle.Answer) -> None:
    totals = truth.totals()
    length = max(len(posterior.total_distribution), max(totals) + 1)
    shown = np.zeros(length)
    shown[: len(posterior.total_distribution)] = posterior.total_distribution
    expected = [float(totals.get(total, 0)) for total in range(length)]
    np.testing.assert_allclose(shown, expected, rtol=0, atol=CLOSE)


def assert_best(posterior: Posterior, risks: dict[Cell, Fraction]) -> None:
    if not risks:
        assert posterior.best is None
        return
    assert posterior.best is not None
    lowest = min(risks.values())
    tie = 1e-9 if lowest > 0 else 0  # a certainly safe cell beats one that is nearly safe
    first = min(cell for cell, risk in risks.items() if risk - lowest <= tie)
    assert posterior.best.cell == first
    assert posterior.best.risk == pytest.approx(float(risks[first]), abs=CLOSE)


@every_kind
@sizes(20, 400)
def test_equals_brute_force(prior: str, channel: str, trust: bool, count: int) -> None:
    for question in draw(prior, channel, trust, count):
        truth = oracle.answer(question)
        if truth.layouts:
            assert_equal(question, ask(question), truth)
        else:
            with pytest.raises(Contradiction):
                ask(question)


@pytest.mark.parametrize("prior", questions.PRIORS)
@sizes(10, 500)
def test_larger_boards_count_like_backtracking(prior: str, count: int) -> None:
    for number in range(count):
        rng = Random(f"larger {prior} {number}")
        rows, cols = rng.choice([(6, 9), (9, 9), (8, 12)])
        told = questions.opened(rng, rows, cols, rows * cols // 6, openings=4)
        value = {"total": told.value, "density": Fraction(0.2), "unknown": None}[prior]
        question = replace(told, prior=prior, value=value)
        posterior = ask(question)
        counts = oracle.count_by_total(question)
        assert posterior.layouts == sum(counts.values())
        weights = {total: ways * question.prior_of(total) for total, ways in counts.items()}
        whole = sum(weights.values())
        for total, weight in weights.items():
            assert posterior.total_distribution[total] == pytest.approx(
                float(weight / whole), abs=CLOSE
            )
        for cell in rng.sample(question.unknown(), min(8, len(question.unknown()))):
            with_mine = oracle.count_by_total(oracle.mined_at(question, cell))
            mined = sum(ways * question.prior_of(total) for total, ways in with_mine.items())
            assert posterior.risk[cell] == pytest.approx(float(mined / whole), abs=CLOSE)
            assert (cell in posterior.safe) == (mined == 0)
            assert (cell in posterior.mined) == (mined == whole)


@sizes(100, 4000)
def test_identity_table_is_exact(count: int) -> None:
    for number in range(count):
        rng = Random(f"identity {number}")
        prior = questions.PRIORS[number % 3]
        exact = questions.played(rng, prior, oracle.exact(), trust=False, most=40)
        table = oracle.table(questions.identity_rows())
        same = replace(exact, channel=table)
        np.testing.assert_array_equal(ask(exact).risk, ask(same).risk)


def turned(question: Question, turn: int) -> tuple[Question, dict[Cell, Cell]]:
    """One of the eight symmetries of a board, and where each new cell came from."""
    grid = np.arange(question.rows * question.cols).reshape(question.rows, question.cols)
    grid = np.rot90(grid, turn % 4)
    grid = grid.T if turn >= 4 else grid
    origin = {
        (int(r), int(c)): divmod(int(grid[r, c]), question.cols) for r, c in np.ndindex(grid.shape)
    }
    cells = tuple(
        tuple(question.code(origin[r, c]) for c in range(grid.shape[1]))
        for r in range(grid.shape[0])
    )
    return replace(question, cells=cells), origin


@sizes(2, 20)
@pytest.mark.parametrize("channel", questions.CHANNELS)
def test_symmetry_permutes_the_answer(channel: str, count: int) -> None:
    for prior, number in product(questions.PRIORS, range(count)):
        rng = Random(f"symmetry {prior} {channel} {number}")
        make = questions.CHANNELS[channel](rng)
        question = questions.played(rng, prior, make, trust=False, most=40)
        if question.topology == "hex":  # which has other symmetries
            question = replace(question, topology="square")
        if clash(question):
            continue
        straight = ask(question)
        for turn in range(8):
            other, origin = turned(question, turn)
            posterior = ask(other)
            assert posterior.layouts == straight.layouts
            assert sorted(origin[cell] for cell in posterior.safe) == list(straight.safe)
            assert sorted(origin[cell] for cell in posterior.mined) == list(straight.mined)
            for cell, old in origin.items():
                assert posterior.risk[cell] == pytest.approx(
                    straight.risk[old], abs=CLOSE, nan_ok=True
                )


@sizes(10, 100)
@pytest.mark.parametrize("channel", ["exact", "lost", "optimistic", "cautious", "table"])
def test_risks_sum_to_the_expected_mines(channel: str, count: int) -> None:
    for prior, number in product(questions.PRIORS, range(count)):
        rng = Random(f"sum {prior} {channel} {number}")
        make = questions.CHANNELS[channel](rng)
        question = questions.played(rng, prior, make, trust=True, most=40)
        try:
            posterior = ask(question)
        except Contradiction:
            continue
        exploded = sum(question.code(cell) == oracle.EXPLODED for cell in question.places())
        assert np.nansum(posterior.risk) + exploded == pytest.approx(posterior.expected_mines)
        totals = posterior.total_distribution
        assert totals.sum() == pytest.approx(1, abs=1e-12)
        assert totals @ np.arange(len(totals)) == pytest.approx(posterior.expected_mines)
        for cell in np.argwhere(~np.isnan(posterior.risk)):
            place = (int(cell[0]), int(cell[1]))
            chances = posterior.clue_chances(place)
            assert chances.shape == (10,)
            assert chances.sum() == pytest.approx(1 - posterior.risk[place], abs=1e-12)


# ---------------------------------------------------------------------------------------- samples


@every_kind
@sizes(1, 6)
def test_samples_follow_the_posterior(prior: str, channel: str, trust: bool, count: int) -> None:
    for question in draw(prior, channel, trust, 8 * count)[::8]:
        truth = oracle.answer(question)
        if not truth.layouts:
            continue
        number = 20 * len(truth.layouts) + 2000
        samples = ask(question).sample(number, seed=7)
        assert samples.shape == (number, question.rows, question.cols)
        assert samples.dtype == np.bool_
        observed: dict[frozenset[Cell], int] = {}
        kinds, counts = np.unique(samples, axis=0, return_counts=True)
        for kind, times in zip(kinds, counts, strict=True):
            mines = frozenset((int(r), int(c)) for r, c in np.argwhere(kind))
            observed[mines] = int(times)
        expected = {mines: float(truth.share(w)) * number for mines, w in truth.layouts}
        assert set(observed) <= set(expected), "a sample that does not fit"
        assert chi_square_ok(observed, expected)


def chi_square_ok(
    observed: dict[frozenset[Cell], int], expected: dict[frozenset[Cell], float]
) -> bool:
    """Pool rare layouts, then compare with the 1 - 1e-6 quantile (Wilson and Hilferty)."""
    common = {mines for mines, times in expected.items() if times >= 5}
    pairs = [(observed.get(mines, 0), expected[mines]) for mines in common]
    rare = sum(times for mines, times in expected.items() if mines not in common)
    if rare >= 5:
        pairs.append((sum(t for mines, t in observed.items() if mines not in common), rare))
    freedom = len(pairs) - 1
    if freedom < 1:
        return True
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in pairs)
    spread = 2 / (9 * freedom)
    return bool(statistic < freedom * (1 - spread + 4.75 * spread**0.5) ** 3)


def test_samples_repeat_by_seed() -> None:
    posterior = infer(Observation.from_text("9x3x6\n.........\n?12321???\n........."))
    first = posterior.sample(50, seed=3)
    np.testing.assert_array_equal(first, posterior.sample(50, seed=3))
    assert (first != posterior.sample(50, seed=4)).any()
    assert (first.sum(axis=(1, 2)) == 6).all()
    assert posterior.sample(0, seed=3).shape == (0, 3, 9)


# ----------------------------------------------------------------------------------------- solver


@pytest.mark.parametrize("channel", ["exact", "lost:0.3", "optimistic", "cautious"])
@sizes(3, 30)
def test_solver_never_changes_an_answer(channel: str, count: int) -> None:
    for seed in range(count):
        rules = Rules(on_mine="continue", given_safe=seed % 3)
        noise = Channel.parse(channel)
        game = Game(Setup(Topology(7, 7), 9, rules, noise), seed=seed)
        solver, rng = Solver(), Random(seed)
        game.open((0, 0))
        while game.outcome is None:
            seen = game.observation
            fresh, kept = infer(seen), solver.infer(seen)
            np.testing.assert_array_equal(kept.risk, fresh.risk)
            assert (kept.safe, kept.mined) == (fresh.safe, fresh.mined)
            assert kept.layouts == fresh.layouts
            np.testing.assert_array_equal(kept.total_distribution, fresh.total_distribution)
            np.testing.assert_array_equal(kept.sample(3, seed=1), fresh.sample(3, seed=1))
            assert kept.best == fresh.best
            openable = [(int(r), int(c)) for r, c in np.argwhere(seen.openable)]
            safe = [cell for cell in fresh.safe if cell in openable]
            cell = rng.choice(safe or openable)
            if cell in fresh.mined:
                game.flag(cell)
            else:
                game.open(cell)


# ----------------------------------------------------------------------------------- contradiction


def clash(question: Question) -> Contradiction | None:
    try:
        ask(question)
    except Contradiction as error:
        return error
    return None


def component(question: Question, start: Cell) -> list[Cell]:
    """The clues that are connected with one by shared unknown cells."""
    unknown = set(question.unknown())
    scopes = {clue: unknown.intersection(question.neighbours(clue)) for clue in question.clues()}
    found, queue = {start}, [start]
    while queue:
        scope = scopes[queue.pop()]
        near = [clue for clue in scopes if clue not in found and scopes[clue] & scope]
        found.update(near)
        queue.extend(near)
    return sorted(found)


@every_kind
@sizes(12, 300)
def test_contradictions_are_named(prior: str, channel: str, trust: bool, count: int) -> None:
    for number in range(count):
        rng = Random(f"clash {prior} {channel} {trust} {number}")
        make = questions.CHANNELS[channel](rng)
        question = questions.arbitrary(rng, prior, make, trust, most=7)
        error = clash(question)
        assert (error is None) == bool(oracle.answer(question).layouts)
        if error is None:
            continue
        clues, total = error.clues, error.uses_total
        assert len(set(clues)) == len(clues)
        assert set(clues) <= set(question.clues())
        assert not total or prior == "total"
        assert not oracle.satisfiable(question, clues, total)
        if total:
            assert oracle.satisfiable(question, clues, use_total=False)
        for clue in clues:
            others = [other for other in clues if other != clue]
            assert oracle.satisfiable(question, others, total)
        if clues and not total:
            near = component(question, clues[0])
            assert len(clues) == oracle.smallest_clash(question, near, use_total=False)


# ------------------------------------------------------------------------------------------- edges


def test_no_closed_cell_is_left() -> None:
    posterior = infer(Observation.from_text("2x2x0\n00\n00"))
    assert posterior.layouts == 1
    assert posterior.best is None
    assert posterior.safe == posterior.mined == ()
    assert posterior.expected_mines == 0


def test_clue_chances_of_an_open_cell_are_refused() -> None:
    posterior = infer(Observation.from_text(".1"))
    with pytest.raises(ValueError, match=r"\(0, 1\)"):
        posterior.clue_chances((0, 1))


def test_no_certain_cell_is_lost_to_underflow() -> None:
    text = "\n".join(["121?" * 75] + ["." * 300] * 299)
    posterior = infer(Observation.from_text(text, mines=30_000))
    assert posterior.mined == tuple((1, col) for col in range(0, 300, 2))
    assert posterior.safe == tuple((1, col) for col in range(1, 300, 2))
    assert posterior.layouts == math.comb(298 * 300, 30_000 - 150)
    assert posterior.log10_layouts == pytest.approx(log10(posterior.layouts), rel=1e-12)
    beyond = (30_000 - 150) / (298 * 300)
    np.testing.assert_allclose(posterior.risk[2:], beyond, rtol=1e-9)


def log10(number: int) -> float:
    """The logarithm of a number that is too large for a float."""
    shift = max(number.bit_length() - 64, 0)
    return math.log10(number >> shift) + shift * math.log10(2)


def test_repr_of_posteriors_and_solvers() -> None:
    solver = Solver(flags="trust")
    posterior = solver.infer(Observation.from_text("4x2x2\n.1..\n11.."))
    assert repr(posterior) == "Posterior(2x4, exact, 2 safe, 1 mined, best (0, 2))"
    assert repr(infer(Observation.from_text("00"))) == (
        "Posterior(1x2, exact, 0 safe, 0 mined, no closed cell)"
    )
    assert repr(solver).startswith("Solver(None, None, flags='trust', budget=Budget(nodes=")


copies = pytest.mark.parametrize("copied", [copy, deepcopy, lambda value: loads(dumps(value))])


@copies
def test_a_copy_of_a_solver_gives_the_same_answers(copied: Callable[[Solver], Solver]) -> None:
    seen = Observation.from_text("1..\n.F.")
    solver = Solver(Prior.density(0.3), flags="trust")
    risk = solver.infer(seen).risk
    assert np.array_equal(copied(solver).infer(seen).risk, risk, equal_nan=True)


@copies
@pytest.mark.parametrize("nodes", [0, 10**6])
def test_a_copy_of_a_posterior_is_the_same(
    copied: Callable[[Posterior], Posterior], nodes: int
) -> None:
    seen = Observation.from_text("...F.\n.3.2.\n.....", channel=Channel.lost(0.2))
    posterior = infer(seen, Prior.density(0.3), flags="trust", budget=Budget(nodes=nodes))
    same = copied(posterior)
    assert same.exact == posterior.exact == (nodes > 0)
    assert (same.observation, same.prior) == (posterior.observation, posterior.prior)
    assert (same.channel, same.flags) == (posterior.channel, posterior.flags)
    assert np.array_equal(same.risk, posterior.risk, equal_nan=True)


@pytest.mark.parametrize("channel", [Channel.exact(), Channel.optimistic(), Channel.lost(0.3)])
@pytest.mark.parametrize("prior", [None, Prior.density(0.2), Prior.unknown()])
def test_the_logarithm_of_the_layouts(channel: Channel, prior: Prior | None) -> None:
    """It is a float from the start, and as exact as the whole number."""
    for seed in range(6):
        game = Game(Setup(Topology(11, 11), mines_at(0.2, 121), channel=channel), seed=seed)
        for cell in Random(seed).sample(sorted(np.ndindex(11, 11)), 40):
            if game.outcome is None and is_closed(game.code(cell)):
                game.open(cell)
        posterior = infer(game.observation, prior)
        assert abs(posterior.log10_layouts - math.log10(posterior.layouts)) < 1e-9


def test_the_logarithm_of_a_large_board_takes_no_whole_numbers() -> None:
    topology = Topology(300, 300)
    cells = np.full(topology.shape, -1, np.int8)
    cells[1::3, 1::3] = 1
    posterior = infer(Observation(topology, cells), Prior.density(0.2))
    assert abs(posterior.log10_layouts - 10_000 * math.log10(8)) < 1e-8


def test_what_is_possible_has_a_chance_however_small() -> None:
    """Chances below the smallest float would make a cell look dead."""
    seen = Observation.from_text("..1\n...")
    for density in (1e-150, 1e-250, 1e-300):
        posterior = infer(seen, Prior.density(density))
        plain = infer(seen, Prior.density(0.2))
        for cell in seen.closed_cells():
            some = posterior.count_chances(cell) > 0
            assert (some == (plain.count_chances(cell) > 0)).all()
        assert dead_cells(posterior) == dead_cells(plain)
