"""What a player sees, and the model behind it: topology, prior, channel, observation."""

from mineproof.position.cells import CellCode
from mineproof.position.model import Channel, Prior
from mineproof.position.observation import Observation
from mineproof.position.rules import OnMine, Rules, Start
from mineproof.position.setup import LEVELS, FirstCell, Setup, mines_at
from mineproof.position.topology import Cell, Topology, TopologyKind

__all__ = [
    "LEVELS",
    "Cell",
    "CellCode",
    "Channel",
    "FirstCell",
    "Observation",
    "OnMine",
    "Prior",
    "Rules",
    "Setup",
    "Start",
    "Topology",
    "TopologyKind",
    "mines_at",
]
