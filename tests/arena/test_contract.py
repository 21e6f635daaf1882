"""Every agent keeps its promises, and one that does not is found out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mineproof import Action, Agent, Decision, Observation, agents
from mineproof.arena.contract import broken_promises


def variants() -> Iterator[str]:
    """Every agent, plain and with each of its options."""
    for name, kind in agents.registered().items():
        yield name
        for option in (*kind.options, "untold" if kind.told.total else "total"):
            yield f"{name}:{option}"


@pytest.mark.parametrize("name", list(variants()))
def test_every_agent_keeps_the_contract(name: str) -> None:
    assert list(broken_promises(name)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", list(variants()))
def test_every_agent_keeps_the_contract_under_all_conditions(name: str) -> None:
    assert list(broken_promises(name, thorough=True)) == []


class Broken(Agent):
    """Opens the first cell that it can, and breaks one promise."""

    name = "broken"

    def decide(self, observation: Observation) -> Decision | None:
        cells = observation.openable_cells()
        return Decision((Action("open", cells[0]),), "it comes first") if cells else None


class Mute(Broken):
    def decide(self, observation: Observation) -> Decision | None:
        decision = super().decide(observation)
        return decision and Decision(decision.actions)


class Illegal(Broken):
    def decide(self, observation: Observation) -> Decision | None:
        return Decision((Action("open", (0, 0)),), "again")


class Stubborn(Broken):
    def decide(self, observation: Observation) -> Decision | None:
        cell = observation.openable_cells()[0]
        actions = (Action("flag", cell, certain=True), Action("unflag", cell))
        return Decision(actions, "for ever")


class Forgetful(Broken):
    games = 0

    def begin(self, seed: int) -> None:
        super().begin(seed)
        Forgetful.games += 1

    def decide(self, observation: Observation) -> Decision | None:
        cells = observation.openable_cells()
        cell = cells[Forgetful.games % len(cells)]
        return Decision((Action("open", cell),), "never the same")


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Mute, "gives no reason"),
        (Illegal, "the cell is open already"),
        (Stubborn, "without opening a cell"),
        (Forgetful, "the same seed gives another game"),
    ],
)
def test_a_broken_promise_is_told(kind: type[Agent], sentence: str) -> None:
    assert any(sentence in told for told in broken_promises(kind))
