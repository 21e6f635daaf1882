"""Measure, print, and say whether a target was missed."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks import (
    boards,
    bulk,
    clues,
    env,
    estimates,
    expert,
    growth,
    lab,
    million,
    noisy,
    observation,
    proofs,
    rates,
    scattered,
    signature,
    solver,
    starting,
)
from benchmarks.report import Report, T, draw
from mineproof import __version__

BENCHMARKS = {
    "expert": expert.run,
    "scattered": scattered.run,
    "noisy": noisy.run,
    "growth": growth.run,
    "estimates": estimates.run,
    "observation": observation.run,
    "solver": solver.run,
    "bulk": bulk.run,
    "clues": clues.run,
    "proofs": proofs.run,
    "boards": boards.run,
    "env": env.run,
    "rates": rates.run,
    "lab": lab.run,
    "million": million.run,
    "signature": signature.run,
    "starting": starting.run,
}


def plain(value: object) -> object:
    """Return a value as JSON can hold it: nothing for what is not a number."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def machine() -> dict[str, str | int | None]:
    """Return what figures depend on."""
    return {
        "mineproof": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
    }


def measure(name: str, console: Console, quick: bool) -> Report:
    """Run one benchmark behind a progress bar."""
    # Drawn between measurements only: a thread that draws would be measured too.
    bar = Progress(
        console=console, auto_refresh=False, transient=True, disable=not console.is_terminal
    )

    def track(items: Sequence[T], what: str, /) -> Iterable[T]:
        return bar.track(items, description=what)

    with bar:
        return BENCHMARKS[name](track, quick)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes; the figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the reports to this file")
    options = parser.parse_args(arguments)
    names: list[str] = options.names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"benchmark {name!r}: must be one of {', '.join(BENCHMARKS)}")
    console = Console(width=None if sys.stdout.isatty() else 100)
    reports = {}
    for name in names:
        reports[name] = measure(name, console, options.quick)
        draw(reports[name], console)
    if options.json:
        found = {name: plain(asdict(report)) for name, report in reports.items()}
        text = json.dumps({"machine": machine(), "reports": found}, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return int(any(report.missed for report in reports.values()))


if __name__ == "__main__":
    sys.exit(main())
