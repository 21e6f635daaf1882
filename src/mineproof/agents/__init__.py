"""Agents: players that see observations and decide, one idea per file."""

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.registry import GROUP, get, names, registered

__all__ = [
    "GROUP",
    "Action",
    "Agent",
    "Beliefs",
    "Decision",
    "Told",
    "get",
    "names",
    "registered",
]
