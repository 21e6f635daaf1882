"""A whole report: records of games of every study, made up, and checks that hold for any report.

`python tests/support/whole_report.py` writes the golden file of all sentences again;
`python tests/support/whole_report.py DIR` checks the report of a directory.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fake_records import density, made_up

from mineproof.lab import studies
from mineproof.lab.archive import Archive
from mineproof.lab.findings import Findings
from mineproof.lab.headlines import headlines
from mineproof.lab.probes import PROBES, find_probe
from mineproof.lab.report.chart_words import described, stated
from mineproof.lab.report.plot import Plot
from mineproof.lab.study import Arm, Chart, Study
from mineproof.random import Random

__all__ = [
    "GOLDEN",
    "contradictions",
    "everything",
    "impossible",
    "impossible_files",
    "made",
    "sentences",
]

GOLDEN = Path(__file__).parents[1] / "lab" / "golden" / "sentences.txt"
_SIDE = 10


def any_game(arm: Arm, chances: Random) -> dict[str, Any]:
    """Make up a game with the columns of every probe; fuller boards are harder."""
    weak = sum(map(ord, arm.agent)) % 7 / 14
    share = min(max((1 - 2 * density(arm)) * (1 - weak), 0.02), 0.98)
    score = min(max(share + 0.4 * (chances.uniform() - 0.5), 0.0), 1.0)
    hits = round((1 - score) * arm.setup.mines)
    far = range(1, max(arm.setup.topology.rows, arm.setup.topology.cols))
    length = 3 + chances.below(9)
    return {
        "score": score,
        "won": chances.uniform() < share,
        "hits": hits,
        "steps": 10 + hits,
        "wrong_flags": hits % 3,
        "guesses": hits + 1,
        "opened": round(60 * share),
        "seconds": 0.001 * (1 + chances.uniform()),
        "disputable": hits % 5,
        "missed_safe": hits % 2,
        "disputed_hits": min(hits, 1),
        "moves": [],
        "risks": [0.1, 0.3, 0.5],
        "exploded": [chances.uniform() < r for r in (0.1, 0.3, 0.5)],
        "sure": 20,
        "sure_exploded": 0,
        "unguessed": chances.uniform() < share / 2,
        "posteriors": 10 + hits,
        "width": 2 + hits % 4,
        "component": 9 + hits,
        "work": 900 + 40 * hits,
        "longest": length,
        "mean_length": length / 2.0,
        "reach": length - 1,
        "branching": 1.5,
        "decided": chances.uniform() < 0.9,
        "largest_cascade": 5 + length,
        "chances": 9,
        "missed": hits % 4,
        "overlooked": hits % 4 > 0,
        "entries": [length + n for n in range(20)],
        "bytes": [90 + n for n in range(20)],
        "most_entries": 2 * length,
        "most_bytes": 190 + hits,
        "clue_seconds": 0.0001 * (length + share),
        "starts": [
            {"row": row, "col": col, "opens": (row + col) % 3 == 0, "longest": length + row % 2}
            for row in range(_SIDE)
            for col in range(_SIDE)
            if (row + col) % 5
        ],
        "clues": 20,
        "silent": chances.below(9),
        "closed": [30 for _ in far],
        **{f"shifted_{size}": [30 // (n * n) for n in far] for size in ("0.001", "0.01", "0.1")},
        "found": 20 + chances.below(9),
        "beside": [length, length + 1, length + 2],
        "bbbv": 30,
        "openings": 4,
        "islands": 9,
        "technique": "counting",
    }


def everything(path: Path, games: int = 12) -> list[Findings]:
    """Return the findings of every study, from games that were made up."""
    for name in studies.names():
        made_up(studies.get(name), path, made, games, alike=True)
    archive = Archive(path)
    return [Findings(studies.get(name), archive) for name in studies.names()]


def made(arm: Arm, chances: Random) -> dict[str, Any]:
    """Make up a game with the columns that its record has."""
    measured = set() if arm.probe is None else set(find_probe(arm.probe).schema)
    unmeasured = _PROBE_COLUMNS - measured
    columns = any_game(arm, chances)
    assert measured <= columns.keys(), f"any_game lacks {measured - columns.keys()}"
    return {name: value for name, value in columns.items() if name not in unmeasured}


_PROBE_COLUMNS = frozenset(name for probe in PROBES.values() for name in probe.schema)


def sentences(findings: list[Findings]) -> Iterator[str]:
    """Yield all that a report says of its records, a line each."""
    for headline in headlines(findings):
        yield f"{headline.study}: {headline.sentence} ({headline.doubt})"
    for found in findings:
        study = found.study
        yield f"\n# {study.title}\n{study.question}"
        yield from () if study.answer is None else study.answer(found)
        for chart in study.charts:
            plot = Plot.of(found, chart)
            yield f"[{chart.name}] {stated(plot)}\n    {chart.title}. {described(plot)}"


def impossible(findings: Findings) -> Iterator[str]:
    """Yield the intervals that cannot be: outside their bounds, or of no width without reason."""
    for chart in findings.study.charts:
        for point in findings.points(chart):
            found, where = point.estimate, f"{findings.study.name}-{chart.name}: {point}"
            if not found.low <= found.value <= found.high:
                yield f"{where}: the value is not in its interval"
            if not _is_change(chart, findings.study) and found.low < 0:
                yield f"{where}: below 0"
            if chart.measure.share and chart.minus is None and found.high > 100:
                yield f"{where}: above 100%"
            if chart.measure.share and abs(found.value) > 100:
                yield f"{where}: a share beyond 100%"
            if found.width == 0 and not chart.board:
                yield f"{where}: no width"


def _is_change(chart: Chart, study: Study) -> bool:
    """Whether values may be below 0: differences, and correlations."""
    words = ("minus", "correlation", "difference")
    return chart.minus is not None or any(word in chart.measure.title for word in words)


def contradictions(findings: list[Findings]) -> Iterator[str]:
    """Yield the figures of the same quantity of the same games that differ from study to study."""
    known: dict[tuple[object, ...], tuple[str, object]] = {}
    for found in findings:
        for arm in found.arms:
            plain = {chart.measure for chart in found.study.charts if chart.points is None}
            for measure in plain:
                try:
                    estimate = found.estimate(measure, **arm.at)
                except (KeyError, LookupError):
                    continue
                probed = measure.column in _PROBE_COLUMNS and arm.probe
                key = (arm.agent, arm.setup, measure.column, measure.factor, probed)
                where = f"{found.study.name} {dict(arm.at)}"
                before = known.setdefault(key, (where, estimate))
                if probed and before[1] != estimate and estimate.count != _count(before[1]):
                    continue  # other games
                if before[1] != estimate:
                    yield f"{measure.title}: {estimate} in {where}, {before[1]} in {before[0]}"


def _count(estimate: object) -> int | None:
    return getattr(estimate, "count", None)


def impossible_files(directory: Path) -> Iterator[str]:
    """Yield the rows of a report's tables that cannot be."""
    for file in sorted((directory / "tables").glob("*-*.csv")):
        with open(file, encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if row.get("value"):
                    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
                    if isfinite(low) and isfinite(high) and not low <= value <= high:
                        yield f"{file.name}: {row}"


def main() -> None:
    if len(sys.argv) > 1:
        archive = Archive(sys.argv[1])
        declared = archive.declared()
        names = [name for name in studies.names() if name in declared]
        found = [Findings(studies.get(name), archive) for name in names]
        faults = [*contradictions(found), *impossible_files(archive.path)]
        faults += [fault for some in found for fault in impossible(some)]
        print("\n".join(faults) or "no contradiction, and no impossible interval")
        return
    with TemporaryDirectory() as directory:
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text("\n".join(sentences(everything(Path(directory)))) + "\n", "utf-8")


if __name__ == "__main__":
    main()
