"""Plays studies: on this machine's processors, or on whatever has the Executor interface."""

from mineproof.lab.run import Progress, run

__all__ = ["Progress", "run"]
