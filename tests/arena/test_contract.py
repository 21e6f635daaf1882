"""Every agent keeps its promises, and one that does not is found out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mineproof import (
    Action,
    Agent,
    Board,
    Decision,
    Observation,
    RandomBoards,
    Setup,
    Topology,
    agents,
    compare,
)
from mineproof.arena import play_seeds
from mineproof.arena.contract import broken_promises
from mineproof.random import agent_seed


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


class Trusting(Broken):
    def decide(self, observation: Observation) -> Decision | None:
        cells = observation.openable_cells()
        return Decision.certain("it is surely safe", safe=cells[:1]) if cells else None


class LookingForFlags(Broken):
    """Would trust the flags of others, if it could see any."""

    def decide(self, observation: Observation) -> Decision | None:
        assert not observation.flagged_cells()
        return super().decide(observation)


def test_nobody_sees_the_flags_of_others() -> None:
    assert list(broken_promises(LookingForFlags)) == []


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Trusting, "is certain to open (0, "),
        (Mute, "gives no reason"),
        (Illegal, "the cell is open already"),
        (Stubborn, "without opening a cell"),
        (Forgetful, "the same seed gives another game"),
    ],
)
def test_a_broken_promise_is_told(kind: type[Agent], sentence: str) -> None:
    assert any(sentence in told for told in broken_promises(kind))


class Cheat(Agent):
    """Lays boards with its own seed, and plays the one that fits best."""

    name = "cheat"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.seed = seed

    def decide(self, observation: Observation) -> Decision | None:
        seen = observation.opened
        assert observation.mines is not None
        boards = [
            Board.random(
                Setup(
                    Topology(observation.rows, observation.cols), observation.mines, first=(0, 0)
                ),
                seed=seed,
            )
            for seed in (self.seed, self.random.below(2**63), agent_seed(self.seed))
        ]
        best = min(boards, key=lambda board: int(board.layout[seen].sum()))
        cells = observation.openable_cells()
        safe = [cell for cell in cells if not best.layout[cell]] or cells
        return Decision.guess(safe[0], "the board that its seed lays has no mine here")


def test_an_agent_cannot_lay_the_board_with_its_own_seed() -> None:
    games = RandomBoards(Setup.level("expert"), count=40, seed=7)
    (result,) = compare([Cheat()], games, workers=1)
    assert result.wins == 0
    columns = play_seeds(Setup.level("expert"), Cheat(), range(40))
    assert not columns["won"].any()
