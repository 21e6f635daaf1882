"""The memory of one posterior, measured in a process of its own."""

from __future__ import annotations

import ctypes
import gc
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from mineproof import Observation, Topology, infer

ROOT = Path(__file__).parents[1]
STATUS = Path("/proc/self/status")


def of_posterior(seen: Observation) -> int:
    """Return the most bytes that a fresh process needs to load a position and infer."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cells.npy"
        np.save(path, seen.cells)
        command = [sys.executable, "-m", "benchmarks.memory", str(path), str(seen.mines)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return max(int(done.stdout), resource.getpagesize())


def peak() -> int:
    """Return the most memory that this process has held, in bytes."""
    # A child's getrusage starts at what its parent held; Linux counts afresh only here.
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(line.split()[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def settle() -> None:
    """Give back memory that is free, and forget the peak, as far as the system lets us."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def ask(path: str, mines: int) -> int:
    """Load a position, infer, and return the number of cells."""
    cells = np.load(path)
    return infer(Observation(Topology(*cells.shape), cells, mines=mines)).risk.size


def main() -> None:
    infer(Observation.from_text("2x2x1\n1.\n..")).risk.sum()
    settle()
    before = peak()
    ask(sys.argv[1], int(sys.argv[2]))
    print(peak() - before)


if __name__ == "__main__":
    main()
