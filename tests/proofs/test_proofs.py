"""Proofs and doubts: every proof of small boards against brute force, choices, and bad input."""

from __future__ import annotations

from random import Random
from typing import Any

import engine
import oracle
import pytest
import questions
from hypothesis import given
from hypothesis import strategies as st
from oracle import CLOSED, NO_CLUE, Question
from verifier import EveryLayout, check

from mineproof import (
    Budget,
    BudgetExceeded,
    Channel,
    Contradiction,
    Observation,
    Posterior,
    Prior,
    Proof,
    _core,
    explain,
    infer,
)
from mineproof.inference.posterior import core_of
from mineproof.proofs import Doubt, Technique, explain_all, prove


def proof_of(text: str, cell: tuple[int, int], **settings: Any) -> Proof:
    found = explain(Observation.from_text(text), cell, **settings)
    assert isinstance(found, Proof)
    return found


# ------------------------------------------------------------------------------- by brute force


def strip(rng: Random, prior: str, channel: oracle.Channel) -> Question:
    """A row of clues along closed cells, where proofs are harder than in random positions."""
    rows, most = rng.choice(((2, 11), (3, 5)))
    cols, told = rng.randint(3, most), rng.randrange(rows)
    blank = Question(tuple((CLOSED,) * cols for _ in range(rows)))
    share = rng.choice((0.2, 0.35, 0.5))
    mines = {cell for cell in blank.places() if cell[0] != told and rng.random() < share}
    codes = dict.fromkeys(blank.places(), CLOSED)
    for cell in blank.places():
        if cell[0] == told:
            around = blank.neighbours(cell)
            true = sum(near in mines for near in around)
            shown = questions.draw_clue(rng, channel, true, len(around))
            codes[cell] = shown if rng.random() < 0.85 else NO_CLUE
    return questions.question(rows, cols, codes, prior, channel, False, rng, total=len(mines))


def follows_from_its_flags(proof: Proof, posterior: Posterior) -> bool:
    others = set(posterior.trusted) - set(proof.trusted)
    seen = posterior.observation.without(flags=others)
    found = infer(seen, posterior.prior, posterior.channel, flags=posterior.flags)
    return proof.cell in (found.mined if proof.status == "mine" else found.safe)


def check_all(question: Question) -> list[Proof]:
    """Check every proof of a question, and that no proof has fewer clues."""
    try:
        posterior = engine.ask(question, require_exact=True)
    except Contradiction:
        return []
    truth = EveryLayout(question)
    prover = _core.Prover(core_of(posterior), 10_000)
    found = list(prove(posterior, [*posterior.safe, *posterior.mined]))
    for proof in found:
        check(truth, proof)
        assert proof.smallest
        assert proof.irreducible
        assert follows_from_its_flags(proof, posterior)
        place = posterior.observation.topology.index(proof.cell)
        sets, _, _, complete, _ = prover.prove(place)
        assert complete
        named = [tuple(map(posterior.observation.topology.cell, clues)) for clues in sets]
        assert proof.premises in named
        if proof.technique is not Technique.GIVEN:
            smallest = truth.smallest_sets(proof.uses_total, proof.cell, proof.status == "mine")
            assert named == smallest
    return found


seeds = st.integers(0, 2**32)
channels = st.sampled_from(sorted(questions.CHANNELS))
priors = st.sampled_from(questions.PRIORS)


@given(seeds, priors, channels, st.booleans())
def test_every_proof_of_a_played_position(seed: int, prior: str, channel: str, trust: bool) -> None:
    rng = Random(seed)
    check_all(questions.played(rng, prior, questions.CHANNELS[channel](rng), trust, most=8))


@given(seeds, priors, channels, st.booleans())
def test_every_proof_of_any_position(seed: int, prior: str, channel: str, trust: bool) -> None:
    rng = Random(seed)
    check_all(questions.arbitrary(rng, prior, questions.CHANNELS[channel](rng), trust, most=8))


@given(seeds, priors, channels)
def test_every_proof_along_a_strip_of_clues(seed: int, prior: str, channel: str) -> None:
    rng = Random(seed)
    check_all(strip(rng, prior, questions.CHANNELS[channel](rng)))


def test_the_positions_use_every_technique() -> None:
    found = []
    for seed in range(60):
        rng = Random(seed)
        found += check_all(strip(rng, "total", oracle.exact()))
        found += check_all(questions.played(rng, "total", oracle.exact(), True, most=8))
    assert {proof.technique for proof in found} == set(Technique)


@pytest.mark.parametrize(("density", "status"), [(0.0, "safe"), (1.0, "mine")])
def test_a_density_that_leaves_no_choice_is_a_mine_total(density: float, status: str) -> None:
    (proof,) = explain_all(Observation.from_text("."), prior=Prior.density(density))
    assert proof.status == status
    assert proof.uses_total
    assert proof.premises == ()


# -------------------------------------------------------------------------------------- bad input


def test_only_closed_cells_are_explained() -> None:
    seen = Observation.from_text("1.*")
    for cell in ((0, 0), (0, 2)):
        with pytest.raises(ValueError, match=rf"^\(0, {cell[1]}\): the cell is not closed$"):
            explain(seen, cell)
    with pytest.raises(ValueError, match=r"^\(1, 0\): the board has 1 row and 3 columns$"):
        explain(seen, (1, 0))
    with pytest.raises(TypeError, match=r"^observation '1\.': must be an Observation"):
        explain("1.", (0, 0))  # type: ignore[arg-type]


def test_errors_of_infer_are_raised() -> None:
    with pytest.raises(Contradiction) as clash:
        explain(Observation.from_text("1.0"), (0, 1))
    assert clash.value.clues == ((0, 0), (0, 2))
    wide = Observation.from_text("...\n.3.\n...")
    with pytest.raises(BudgetExceeded):
        explain(wide, (0, 0), budget=Budget(nodes=0))
    with pytest.raises(BudgetExceeded):
        explain_all(wide, budget=Budget(nodes=0))


def test_an_estimate_proves_nothing() -> None:
    posterior = infer(Observation.from_text("...\n.3.\n..."), budget=Budget(nodes=0))
    with pytest.raises(BudgetExceeded):
        next(prove(posterior, [(0, 0)]))


# ---------------------------------------------------------------------------------------- choices


def test_the_simplest_comes_first() -> None:
    found = explain_all(Observation.from_text("..10\n122?\n...."))
    keys = [(proof.technique, len(proof.premises), len(proof.steps)) for proof in found]
    assert keys == sorted(keys)


def test_every_certain_cell_is_explained() -> None:
    seen = Observation.from_text("4x2x2\n.1..\n11..")
    posterior = infer(seen)
    found = explain_all(seen)
    assert {proof.cell for proof in found if proof.status == "safe"} == set(posterior.safe)
    assert {proof.cell for proof in found if proof.status == "mine"} == set(posterior.mined)
    for proof in found:
        assert explain(seen, proof.cell) == proof


def test_of_equally_small_sets_the_one_with_the_simplest_argument_is_chosen() -> None:
    # The 1 and the 2 on the left also settle (1, 2), but only by comparing them.
    proof = proof_of("1221000\n.......", (1, 2))
    assert proof.technique is Technique.COUNTING
    assert len(proof.premises) == 2
    assert (0, 0) not in proof.premises


def test_flags_are_trusted_only_on_request() -> None:
    seen = "F1.\n?1?"
    ignored = explain(Observation.from_text(seen), (0, 2))
    assert isinstance(ignored, Doubt)
    proof = proof_of(seen, (0, 2), flags="trust")
    assert proof.status == "safe"
    assert str(proof.steps[0]) == "The 1 at (0, 1) has its mine, (0, 0): (0, 2) is safe."
    assert str(proof.steps[1]) == "This rests on the trusted flag at (0, 0)."
    assert proof_of(seen, (0, 0), flags="trust").technique is Technique.GIVEN


def test_a_doubt_rests_on_all_trusted_flags() -> None:
    doubt = explain(Observation.from_text("5x1x2\nF...."), (0, 3), flags="trust")
    assert isinstance(doubt, Doubt)
    assert str(doubt).endswith("\nThis rests on the trusted flag at (0, 0).")


def test_a_flag_on_a_safe_cell_is_wrong() -> None:
    proof = proof_of("0F.", (0, 1))
    assert [str(step) for step in proof.steps] == [
        "The 0 at (0, 0) touches no mine: (0, 1) is safe.",
        "The flag at (0, 1) is wrong: the cell is safe.",
    ]
    assert proof.trusted == ()


def test_a_wrong_flag_that_an_argument_passes_is_named_too() -> None:
    proof = proof_of("0F1.", (0, 3))
    assert proof.status == "mine"
    assert str(proof.steps[-1]) == "The flag at (0, 1) is wrong: the cell is safe."


def test_a_given_cell_needs_no_premise() -> None:
    proof = proof_of("s.", (0, 0))
    assert (proof.technique, proof.premises, proof.smallest) == (Technique.GIVEN, (), True)
    assert str(proof) == "(0, 0) is safe:\nIt is known to be safe from the start."


@pytest.mark.parametrize(
    ("channel", "text", "cell", "sentence"),
    [
        (
            Channel.optimistic(),
            "2.\n?.",
            (0, 1),
            "The 2 at (0, 0) stands for at least 2 mines and touches only 2 closed cells: "
            "(0, 1) is a mine.",
        ),
        (
            Channel.cautious(),
            "*1.",
            (0, 2),
            "The 1 at (0, 1) stands for at most 1 mine and has (0, 0): (0, 2) is safe.",
        ),
        (Channel.cautious(), ".0.", (0, 0), "The 0 at (0, 1) touches no mine: (0, 0) is safe."),
        (
            Channel.lost(0.5),
            ".1?",
            (0, 0),
            "The 1 at (0, 1) touches only 1 closed cell: (0, 0) is a mine.",
        ),
    ],
)
def test_sentences_say_what_noisy_clues_stand_for(
    channel: Channel, text: str, cell: tuple[int, int], sentence: str
) -> None:
    proof = proof_of(text, cell, channel=channel)
    assert [str(step) for step in proof.steps] == [sentence]


def test_a_noisy_clue_settles_only_what_it_says() -> None:
    for channel, text in ((Channel.optimistic(), "*1."), (Channel.cautious(), ".2.")):
        found = explain(Observation.from_text(text), (0, 2), channel=channel)
        assert isinstance(found, Doubt)


# ---------------------------------------------------------------------------------------- doubts


def test_a_doubt_names_the_clues_that_press_and_the_best_cell() -> None:
    found = explain(Observation.from_text("6x2x3\n.2..1.\n......"), (0, 3))
    assert isinstance(found, Doubt)
    posterior = infer(Observation.from_text("6x2x3\n.2..1.\n......"))
    assert found.risk == posterior.risk[0, 3]
    assert found.best == posterior.best
    hidden = {(0, 1): "6x2x3\n.s..1.\n......", (0, 4): "6x2x3\n.2..s.\n......"}
    assert {pressure.clue for pressure in found.pressing} <= set(hidden)
    for pressure in found.pressing:
        without = infer(Observation.from_text(hidden[pressure.clue]))
        assert pressure.without == without.risk[0, 3]
    changes = [abs(pressure.without - found.risk) for pressure in found.pressing]
    assert changes == sorted(changes, reverse=True)
