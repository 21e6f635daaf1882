"""An agent from outside the package that does what its option says, mostly harm."""

from __future__ import annotations

import os
import time
from types import MappingProxyType
from typing import ClassVar

from mineproof import Action, Agent, Decision, Observation

__all__ = ["Trouble"]


class Trouble(Agent):
    """Does what its option says."""

    name = "trouble"
    options: ClassVar = MappingProxyType(
        {
            "hang": "hangs",
            "die": "dies",
            "crash": "crashes",
            "cheat": "opens a cell that does not exist",
            "print": "prints",
        }
    )

    def decide(self, observation: Observation) -> Decision:
        """Do harm, or open the first cell."""
        if "hang" in self.chosen:
            time.sleep(600)
        if "die" in self.chosen:
            os._exit(3)
        if "crash" in self.chosen:
            raise RuntimeError("no idea\nat all")
        if "cheat" in self.chosen:
            return Decision((Action("flag", (0, 0)), Action("open", (-5, 0))))
        print("thinking aloud", flush=True)
        return Decision.guess(observation.openable_cells()[0], "it comes first")
