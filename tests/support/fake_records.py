"""Records of games that were never played, to test whether the answers of studies follow them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from mineproof.arena.bulk import columns_of
from mineproof.game.game import Outcome
from mineproof.game.records import GameRecord
from mineproof.lab.archive import Archive
from mineproof.lab.findings import Findings
from mineproof.lab.probes import find_probe
from mineproof.lab.record_file import encode
from mineproof.lab.study import Arm, Study, Task, task_id
from mineproof.random import Random

__all__ = ["Tale", "density", "made_up", "said"]

Tale = Callable[[Arm, Random], Mapping[str, Any] | None]
"""Returns the columns of a game that are unusual, or None if the game was not played."""


def made_up(study: Study, path: Path, tale: Tale, games: int, *, alike: bool = False) -> Findings:
    """Write the records of a run as a tale describes it, without tasks that lack games.

    If `alike`, a game of the same kind and seed is the same in all studies.
    """
    archive = Archive(path)
    with archive.writing():
        archive.declare({study.name: games})
        for arm in study.arms:
            for task in arm.tasks(games, study.seed):
                told = [tale(arm, chances) for chances in _chances(task, alike)]
                rows = [dict(row) for row in told if row is not None]
                if len(rows) == task.games:
                    extra = _measured(arm, rows)
                    archive.write(task, encode(task, columns_of([*_records(task, rows)]), extra))
    return Findings(study, archive)


def _chances(task: Task, alike: bool) -> Iterator[Random]:
    """Yield one generator of random numbers per game; another code does not change them."""
    codes = ("code", "probe_code", *(("probe", "games", "first_seed") if alike else ()))
    asked = {key: value for key, value in task.description.items() if key not in codes}
    seed = int(task_id({**asked, "format": 1})[:12], 16)
    for number in range(task.games):
        yield Random(seed + number + alike * task.first)


def _measured(arm: Arm, rows: list[dict[str, Any]]) -> pl.DataFrame | None:
    """Move the columns of the arm's probe from the rows to a table."""
    if arm.probe is None:
        return None
    schema = find_probe(arm.probe).schema
    taken = [{name: row.pop(name, None) for name in schema} for row in rows]
    return pl.DataFrame(taken, schema=schema, orient="row")


def _records(task: Task, rows: list[dict[str, Any]]) -> list[GameRecord]:
    usual = _usual(task)
    return [
        replace(usual, seed=task.first + number, agent_seed=task.first + number, **row)
        for number, row in enumerate(rows)
    ]


def _usual(task: Task) -> GameRecord:
    setup, rules = task.setup, task.setup.rules
    return GameRecord(
        agent=task.agent,
        agent_seed=0,
        total_told=True,
        channel_told=True,
        seed=0,
        rows=setup.topology.rows,
        cols=setup.topology.cols,
        topology=setup.topology.kind,
        mines=setup.mines,
        start=rules.start,
        on_mine=rules.on_mine,
        cascade=rules.cascade,
        given_safe=rules.given_safe,
        channel=setup.channel.name,
        first_row=None,
        first_col=None,
        outcome=Outcome.LOST,
        won=False,
        hits=1,
        opened=10,
        steps=10,
        actions=10,
        guesses=1,
        certain=0,
        identified=0,
        wrong_flags=0,
        score=0.0,
        seconds=0.001,
        moves=(),
    )


def density(arm: Arm) -> float:
    return arm.setup.mines / (arm.setup.topology.rows * arm.setup.topology.cols)


def said(findings: Findings) -> list[str]:
    """Return the answer of a study, which must consist of sentences."""
    assert findings.study.answer is not None
    sentences = list(findings.study.answer(findings))
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z].*[^ ]\.", sentence), sentence
        assert not re.search(r"\bnan\b|\binf\b|None|\d\.\d{5}|  |\{|\}", sentence), sentence
    return sentences
