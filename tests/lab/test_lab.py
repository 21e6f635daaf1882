"""Runs: what is played, that it is the same whoever plays it, and how tasks are cut and named."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import fields, replace
from multiprocessing import active_children
from pathlib import Path
from pickle import dumps, loads
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import FILES, SETUPS, STUDY, TASKS, assert_same, contents, probed

from mineproof import Game, GameRecord, Rules, Setup, Topology, agents
from mineproof.agents.random import RandomAgent
from mineproof.arena import AgentFailed, signatures
from mineproof.arena.play import play_many
from mineproof.errors import CannotWrite
from mineproof.lab import study as studies
from mineproof.lab.archive import Archive
from mineproof.lab.coverage import missing
from mineproof.lab.findings import Findings
from mineproof.lab.probes import SIGNATURES
from mineproof.lab.record_file import Holding
from mineproof.lab.run import Progress, play_task, run
from mineproof.lab.study import WINS, Arm, Task, grid, task_id
from mineproof.position.model import Channel

# -------------------------------------------------------------------------------- who plays what


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    directory = tmp_path_factory.mktemp("played")
    run([STUDY], directory)
    return contents(directory)


def test_records_are_those_of_the_games(played: dict[str, pl.DataFrame]) -> None:
    whole = [task for task in TASKS if task.probe is None]
    assert {task.id for task in whole} < played.keys()
    assert len(played) == FILES
    for task in whole[:: len(whole) // 4]:
        seeds = range(task.first, task.first + task.games)
        games = [Game(task.setup, seed) for seed in seeds]
        records = play_many(games, agents.get(task.agent), seeds=seeds)
        columns = [field.name for field in fields(GameRecord)]
        for record, row in zip(records, played[task.id].to_dicts(), strict=True):
            assert all(getattr(record, name) == row[name] for name in columns if name in row)


@pytest.mark.parametrize(
    "workers", [2, pytest.param(3, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long)]
)
def test_workers_change_no_record(
    workers: int, tmp_path: Path, played: dict[str, pl.DataFrame]
) -> None:
    states: list[Progress] = []
    run([STUDY], tmp_path, workers=workers, progress=states.append)
    assert_same(contents(tmp_path), played)
    check_progress(states, TASKS, at_once=2 * workers)


@pytest.mark.parametrize("ahead", [7, lambda: 1])
def test_any_executor_plays(
    ahead: int | Callable[[], int], tmp_path: Path, played: dict[str, pl.DataFrame]
) -> None:
    with ThreadPoolExecutor(3) as executor:
        run([STUDY], tmp_path, executor=executor, ahead=ahead)
    assert_same(contents(tmp_path), played)


class Shuffling(Executor):
    """Takes calls until it has enough of them, and makes them in any order."""

    def __init__(self, enough: int) -> None:
        self._random, self._enough = random.Random(3), enough
        self._waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []
        self.most = 0

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, function, arguments))
        self.most = max(self.most, len(self._waiting))
        if len(self._waiting) == self._enough:
            self._random.shuffle(self._waiting)
            for waiting, call, words in self._waiting:
                waiting.set_result(call(*words))
            self._waiting.clear()
        return future


def test_tasks_may_end_in_any_order(tmp_path: Path, played: dict[str, pl.DataFrame]) -> None:
    executor = Shuffling(enough=7)
    assert len(TASKS) % 7 == 0
    run([STUDY], tmp_path, executor=executor, ahead=7)
    assert_same(contents(tmp_path), played)


def test_only_what_is_missing_is_played(tmp_path: Path, played: dict[str, pl.DataFrame]) -> None:
    run([STUDY], tmp_path, games=100)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.parquet")}
    assert len(before) == 12
    states: list[Progress] = []
    run([STUDY], tmp_path, progress=states.append)
    assert_same(contents(tmp_path), played)
    # Not even timings have changed: the files are those of before.
    assert all(file.read_bytes() == data for file, data in before.items())
    assert states[0] == Progress(21, 1050, 14, 700, 700, ())
    assert states[-1] == Progress(21, 1050, 21, 1050, 700, ())
    assert Archive(tmp_path).declared() == {"small": 150}
    again: list[Progress] = []
    run([STUDY], tmp_path, workers=2, progress=again.append)
    assert {state.tasks_done for state in again} == {21}


def test_progress(tmp_path: Path) -> None:
    states: list[Progress] = []
    run([STUDY], tmp_path, quick=True, progress=states.append)
    check_progress(states, missing(STUDY.tasks(20), ()), at_once=1)


def check_progress(states: Sequence[Progress], tasks: Sequence[Task], at_once: int) -> None:
    done = [state.tasks_done for state in states]
    assert done == sorted(done)
    assert done[-1] == len(tasks)
    games = tasks[0].games
    assert all(state.games_done == games * state.tasks_done for state in states)
    assert all(len(state.running) <= at_once for state in states)
    assert {task for state in states for task in state.running} == set(tasks)


def test_games_of_another_code_are_played_again_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    run([STUDY], tmp_path, quick=True, tell=told.append)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.parquet")}
    new = {**signatures.SIGNATURES, "random": "01234567"}
    monkeypatch.setattr(signatures, "SIGNATURES", new)
    states: list[Progress] = []
    archive = run([STUDY], tmp_path, games=30, progress=states.append, tell=told.append)
    # Games under the same code that a smaller run has cut shorter are not of another code.
    assert (states[0].tasks_done, states[0].games_kept) == (0, 80)
    assert told == [
        f"{tmp_path}: 60 games of random were played by another code; the new code plays them "
        "again, and the old records stay"
    ]
    after = {file: file.read_bytes() for file in tmp_path.rglob("*.parquet")}
    assert before.items() < after.items()
    assert len(after) == 6 + 3 + 3  # `random` again, and ten games more of `noisy-or`
    found = archive.scan(task for task in STUDY.tasks(30) if task.probe is None)
    assert found is not None
    codes = found.select("agent", "code").unique().sort("agent").collect().rows()
    assert codes == [(name, signatures.code_of(name)) for name in ("noisy-or", "random")]
    assert codes[1][1].endswith("+01234567")


def test_studies_share_what_they_have_in_common(tmp_path: Path) -> None:
    other = replace(STUDY, name="other", arms=STUDY.arms[:3])
    states: list[Progress] = []
    run([STUDY, other], tmp_path, quick=True, progress=states.append)
    assert states[0].tasks == 7
    assert Archive(tmp_path).declared() == {"small": 20, "other": 20}
    with pytest.raises(ValueError, match="two of them have one name"):
        run([STUDY, STUDY], tmp_path, quick=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"games": 0}, "games 0: must be a whole number from 1"),
        ({"workers": 0}, "workers 0: must be a whole number from 1"),
        ({"ahead": 0}, "ahead 0: must be a whole number from 1"),
    ],
)
def test_bad_numbers(words: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        run([STUDY], tmp_path / "none", **words)
    assert not (tmp_path / "none").exists()


# --------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_an_error_ends_the_run_and_keeps_what_was_finished(workers: int, tmp_path: Path) -> None:
    others = set(active_children())
    with pytest.raises(LookupError, match="no idea"):
        run([probed("FAIL")], tmp_path, workers=workers)
    kept = Archive(tmp_path).held()
    assert len(kept) >= (2 if workers == 1 else 0)
    assert set(active_children()) <= others


@pytest.mark.long
def test_a_task_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(BrokenExecutor, match="a worker process could not start or was killed"):
        run([probed("DIE")], tmp_path, workers=2)
    assert len(Archive(tmp_path).held()) >= 2


@pytest.mark.long
def test_workers_have_one_thread_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLARS_MAX_THREADS", raising=False)
    run([probed("THREADS")], tmp_path, workers=2)
    assert "POLARS_MAX_THREADS" not in os.environ
    for file in Archive(tmp_path).records.iterdir():
        assert pl.read_parquet(file)["threads"].unique().to_list() == [1]


def test_a_full_disk_ends_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = set(active_children())
    write = Archive.write

    def fail(self: Archive, task: Task, data: bytes) -> None:
        if len(self.held()) == 3:
            raise CannotWrite(28, "no space left on device", "somewhere")
        write(self, task, data)

    monkeypatch.setattr(Archive, "write", fail)
    with pytest.raises(CannotWrite) as failed:
        run([STUDY], tmp_path, workers=2)
    assert failed.value.filename == "somewhere"
    assert set(active_children()) <= others
    assert len(Archive(tmp_path).held()) == 3


def test_an_executor_that_breaks(tmp_path: Path) -> None:
    class Broken(Executor):
        def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenExecutor("gone"))
            return future

    with pytest.raises(BrokenExecutor, match="gone"):
        run([STUDY], tmp_path, executor=Broken())


def test_a_failing_agent_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **words: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(RandomAgent, "native", lambda agent: None)
    monkeypatch.setattr(RandomAgent, "decide", fail)
    with pytest.raises(AgentFailed, match="agent 'random' failed in the game of seed 0"):
        run([STUDY], tmp_path)


# ------------------------------------------------------------------------------- ids and cuts

RULES = st.builds(
    Rules,
    st.sampled_from(["any", "safe", "zero"]),
    st.sampled_from(["end", "continue"]),
    st.booleans(),
    st.integers(0, 3),
)
CHANNELS = st.sampled_from(
    [
        *map(Channel.parse, ("exact", "lost:0.2", "lost:0.25", "optimistic", "cautious")),
        Channel("exact", Channel.parse("lost:0.5").weights),
        Channel("mine", Channel.exact().weights),
    ]
)
CELLS = st.none() | st.tuples(st.integers(0, 4), st.integers(0, 4))
TOPOLOGIES = st.builds(Topology, st.integers(5, 9), st.integers(5, 9))
BOARDS = st.builds(Setup, TOPOLOGIES, st.integers(0, 9), RULES, CHANNELS, CELLS)
TASK_VALUES = st.builds(
    Task,
    st.sampled_from(["exact", "basic", "random"]),
    BOARDS,
    st.integers(0, 2**63),
    st.integers(1, 10_000),
    st.none() | st.sampled_from(["guesses", "effort"]),
)


def plain(task: Task) -> tuple[Any, ...]:
    """All that a task is."""
    setup, channel = task.setup, task.setup.channel
    return (
        *(task.agent, task.first, task.games, task.probe),
        *(setup.topology, setup.mines, setup.rules, setup.first),
        *(channel.name, channel.weights.tobytes()),
    )


@given(TASK_VALUES, TASK_VALUES)
def test_another_task_has_another_id(one: Task, two: Task) -> None:
    assert (one.id == two.id) == (plain(one) == plain(two))


@given(TASK_VALUES, st.data())
def test_every_field_counts(task: Task, drawn: st.DataObject) -> None:
    described = task.description
    changed = drawn.draw(st.sampled_from(sorted(described)))
    assert task_id({**described, changed: "another"}) != task.id
    shuffled = dict(drawn.draw(st.permutations(list(described.items()))))
    assert task_id(shuffled) == task.id == task_id(json.loads(json.dumps(described)))


def test_ids_stay_what_they_are() -> None:
    """Another id for the same task would make every archive worthless."""
    task = Task("exact", Setup.level("easy"), 0, 50)
    assert task.code == "38976c59+6a7dcfc4", "the id below is of this code"
    assert task.id == "61424a9d6f96f7c9bcda01cc4ca79cb7"


def test_another_code_is_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("exact", SETUPS[0], 0, 50, "guesses")
    assert loads(dumps(task)) == task
    for name, code in (("code_of", "code"), ("code_of_probe", "probe_code")):
        with monkeypatch.context() as patch:
            patch.setattr(studies, name, lambda name: "another")
            other = replace(task)
        assert other.description == {**task.description, code: "another"}
        assert other.id != task.id
        # It keeps the code of the process that made it.
        assert loads(dumps(other)) == other


def test_a_worker_plays_only_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("exact", SETUPS[0], 0, 2, "guesses")
    monkeypatch.setattr("mineproof.lab.run.code_of_probe", lambda probe: "2.0")
    sentence = f"^probe 'guesses' has code 2.0 here, and the task is for code {task.probe_code}$"
    with pytest.raises(ValueError, match=sentence):
        play_task(task)
    monkeypatch.setattr("mineproof.lab.run.code_of", lambda agent: "1.0")
    sentence = "^agent 'exact' has code 1.0 here, and the task is for code 38976c59.6a7dcfc4$"
    with pytest.raises(ValueError, match=sentence):
        play_task(task)


@given(st.integers(1, 120_000), st.integers(0, 2**40))
def test_cuts_cover_every_seed_once(games: int, seed: int) -> None:
    tasks = list(Arm("random", SETUPS[0]).tasks(games, seed))
    assert [task.first for task in tasks] == [
        seed + sum(task.games for task in tasks[:place]) for place in range(len(tasks))
    ]
    assert sum(task.games for task in tasks) == games
    assert all(task.games > 0 for task in tasks)


@given(st.integers(1, 120_000), st.integers(1, 120_000))
def test_more_games_use_what_fewer_have_played(some: int, more: int) -> None:
    some, more = sorted((some, more))
    arm = Arm("random", SETUPS[0])
    held = [Holding(task.description, 0) for task in arm.tasks(some, 0)]
    left = missing(arm.tasks(more, 0), held)
    assert sum(task.games for task in left) == more - some
    assert all(task.first >= some for task in left)


def test_a_study_is_declared_without_polars() -> None:
    program = (
        "import sys; sys.modules['polars'] = None\n"
        "from mineproof import Setup\n"
        "from mineproof.lab import WINS, Arm, Chart, Probe, Study, Task, grid\n"
        "task = next(Arm('exact', Setup.level('easy'), probe='chains').tasks(1, 0))\n"
        "print(task.probe_code, task.id)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout.split()[0] == SIGNATURES["chains"], ended.stderr


# ----------------------------------------------------------------------------------------- memory


@pytest.mark.long
def test_memory_stays_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "_LEAST", 1)
    monkeypatch.setattr(studies, "_MOST", 1)
    study = replace(STUDY, arms=grid(["random"], SETUPS[:1], at=lambda setup: {}))
    kept: list[int] = []

    def look(state: Progress) -> None:
        if state.tasks_done in (500, 3_000):
            gc.collect()
            # All strings in paths are entered in one table, which grows by leaps.
            apart = [tracemalloc.Filter(False, pathlib.__file__)]
            held = tracemalloc.take_snapshot().filter_traces(apart).statistics("filename")
            kept.append(sum(file.size for file in held))

    tracemalloc.start()
    try:
        with ThreadPoolExecutor(1) as executor:
            run([study], tmp_path, games=3_000, executor=executor, progress=look)
    finally:
        tracemalloc.stop()
    assert kept[-1] - kept[0] < 250_000, kept


def test_the_same_games_give_the_same_figure_in_every_study(tmp_path: Path) -> None:
    few = replace(STUDY, name="few", arms=STUDY.arms[:2], games=10)
    archive = run([STUDY], tmp_path, games=30)
    run([few], tmp_path)
    own = Findings(few, archive, games=10)
    for arm in few.arms:
        at = {key: value for key, value in arm.at.items() if key in ("agent", "mines")}
        both = [Findings(study, archive).estimate(WINS, **at) for study in (few, STUDY)]
        assert both[0] == both[1]
        assert both[0].count == 30
        assert own.estimate(WINS, **at).count == 10
    assert Findings(few, archive).games == 20
    assert Findings(few, archive).complete


def test_an_arm_with_a_weight_plays_more(tmp_path: Path) -> None:
    heavy = Arm("random", STUDY.arms[0].setup, weight=3)
    study = replace(STUDY, arms=(heavy, *STUDY.arms[1:2]))
    findings = Findings(study, run([study], tmp_path, games=5))
    assert findings.games == findings.asked == 20
    assert findings.complete
