"""Environments for Gymnasium; importing this package registers ``mineproof/Minesweeper-v0``.

Examples
--------
>>> import gymnasium
>>> env = gymnasium.make("mineproof.env:mineproof/Minesweeper-v0", rows=9, cols=9, mines=10)
>>> seen, info = env.reset(seed=1)
>>> seen, reward, terminated, truncated, info = env.step(40)
>>> int(seen[4, 4]), terminated
(1, False)
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    words = "gymnasium is not installed: pip install 'mineproof[env]'"
    raise ModuleNotFoundError(words, name=error.name) from None

from mineproof.env.many_games import MinesweeperVectorEnv
from mineproof.env.one_game import MinesweeperEnv
from mineproof.env.options import EnvOptions

__all__ = ["ENV_ID", "EnvOptions", "MinesweeperEnv", "MinesweeperVectorEnv"]

ENV_ID = "mineproof/Minesweeper-v0"
"""The name under which Gymnasium makes both environments."""

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="mineproof.env.one_game:MinesweeperEnv",
        vector_entry_point="mineproof.env.many_games:MinesweeperVectorEnv",
    )
