"""The games of every agent are those of its signature."""

import pytest

from mineproof import agents
from mineproof.arena.signatures import SIGNATURES, agent_signature, boards_signature


def test_boards_and_clues() -> None:
    assert boards_signature() == SIGNATURES["boards"]


@pytest.mark.parametrize("name", [name for name in SIGNATURES if name != "boards"])
def test_agents(name: str) -> None:
    assert agent_signature(name) == SIGNATURES[name]


def test_every_agent_has_a_signature() -> None:
    assert set(SIGNATURES) - {"boards"} <= set(agents.names())
