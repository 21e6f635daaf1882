"""Which games of tasks have records: what is left to play, and what was played by other code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mineproof.lab.ranges import Ranges
from mineproof.lab.record_file import Holding, kind_of
from mineproof.lab.study import Task

__all__ = ["games_of_other_code", "missing"]


def missing(tasks: Iterable[Task], held: Iterable[Holding]) -> list[Task]:
    """Return what is to be played of tasks, so that no game is played twice for its columns alone.

    A task shrinks to its games that have no records. One without a probe leaves out those that
    others will play with a probe.

    Examples
    --------
    >>> from mineproof import Setup
    >>> ten, five = (Task("exact", Setup.level("easy"), 0, games) for games in (10, 5))
    >>> [(task.first, task.games) for task in missing([ten], [Holding(five.description, 0)])]
    [(5, 5)]
    """
    there: dict[tuple[str, str | None, str | None], Ranges] = defaultdict(Ranges)
    for holding in held:
        kind = kind_of(holding.task)
        for probe, code in [(None, None), *holding.probes.items()]:
            there[kind, probe, code].add(holding.first, holding.end)
    found: dict[int, Task] = {}
    numbered = enumerate(tasks)
    for place, task in sorted(numbered, key=lambda item: item[1].probe is None):
        kind = kind_of(task.description)
        known = there[kind, task.probe, task.probe_code]
        span = known.lacking(task.first, task.end)
        if span is not None:
            first, end = span
            whole = span == (task.first, task.end)
            found[place] = task if whole else replace(task, first=first, games=end - first)
            known.add(first, end)
            there[kind, None, None].add(first, end)
    return [found[place] for place in sorted(found)]


def games_of_other_code(tasks: Sequence[Task], held: Iterable[Holding]) -> Counter[str]:
    """Count the games of tasks, by agent, that files hold under another code of agent or probe."""
    others: dict[tuple[str, str | None], dict[tuple[str, str | None], Ranges]]
    others = defaultdict(lambda: defaultdict(Ranges))
    for holding in held:
        kind = kind_of(holding.task, "code")
        for probe, code in [(None, None), *holding.probes.items()]:
            others[kind, probe][holding.code, code].add(holding.first, holding.end)
    counts: Counter[str] = Counter()
    for task in tasks:
        by_code = others[kind_of(task.description, "code"), task.probe]
        counts[task.agent] += max(
            (
                sum(end - first for first, end in ranges.within(task.first, task.end))
                for codes, ranges in by_code.items()
                if codes != (task.code, task.probe_code)
            ),
            default=0,
        )
    return +counts
