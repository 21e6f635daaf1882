"""What a player sees, and the model behind it: topology, prior, channel, observation."""

from mineproof.position.cells import CellCode
from mineproof.position.model import Channel, Prior
from mineproof.position.observation import Observation
from mineproof.position.rules import Rules
from mineproof.position.topology import Cell, Topology, TopologyKind

__all__ = [
    "Cell",
    "CellCode",
    "Channel",
    "Observation",
    "Prior",
    "Rules",
    "Topology",
    "TopologyKind",
]
