"""Plays studies: on this machine's processors, or on whatever has the Executor interface."""

try:
    from mineproof.lab.run import Progress, run
except ModuleNotFoundError as error:
    # Polars is an extra: without it, studies can be declared but not played.
    if error.name != "polars":
        raise

__all__ = ["Progress", "run"]
