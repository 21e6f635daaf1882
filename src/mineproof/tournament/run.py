"""A tournament: every agent of a folder plays the same games, within limits."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.agents import registry
from mineproof.arena.bulk import play_games
from mineproof.arena.compare import COLUMNS, Result, result_of
from mineproof.arena.contract import broken_promises
from mineproof.arena.narration import conditions_dict
from mineproof.arena.play import play
from mineproof.arguments import counted, instance, whole
from mineproof.game.game import Game
from mineproof.game.records import GameRecord
from mineproof.game.setup import Setup
from mineproof.random import check_seed
from mineproof.tournament.process import (
    AgentError,
    Fault,
    Limits,
    PlayerProcess,
    RemoteAgent,
)

__all__ = [
    "Entrant",
    "Failure",
    "Standing",
    "TournamentGames",
    "entrants",
    "kept_seed",
    "play_tournament",
    "standings",
]

_STRIKES: Final = 3
"""How many games an agent may fail in before it is out."""
_CHECK: Final = 10
"""How many times the limit of a game the check of the contract may take."""
_TOLD: Final = 20
"""How many broken promises are kept."""
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class TournamentGames:
    """The games of a tournament: nobody can tell a board from its number without the seed.

    Parameters
    ----------
    setup
        The conditions of all games.
    count
        How many.
    seed
        The seed of the tournament, from which those of boards and agents are derived.

    Examples
    --------
    >>> games = TournamentGames(Setup.level("easy"), count=2, seed=1)
    >>> games.game(0)
    Game(9x9, 10 mines, seed=5247554842218744114, 0 opened, playing)
    """

    setup: Setup
    count: int
    seed: int

    def __post_init__(self) -> None:
        instance("setup", self.setup, Setup, "Setup.level('easy')")
        object.__setattr__(self, "count", whole("count", self.count, 1))
        object.__setattr__(self, "seed", check_seed(self.seed))

    def __len__(self) -> int:
        return self.count

    def game(self, number: int) -> Game:
        """Start a game, counted from 0."""
        return self.setup.game(self._derived("board", whole("game", number, 0, self.count - 1)))

    def agent_seed(self, number: int) -> int:
        """Return the seed of the agents' randomness, which says nothing about the board."""
        return self._derived("agent", number)

    def _derived(self, purpose: str, number: int) -> int:
        text = f"mineproof tournament {self.seed} {purpose} {number}"
        return int.from_bytes(sha256(text.encode()).digest()[:8])


@dataclass(frozen=True, slots=True)
class Failure:
    """What an agent did wrong in a game; None if it was before all games."""

    game: int | None
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """One agent of a tournament, and how it did.

    Parameters
    ----------
    name
        The name of its file without the ending, and of its class if the file has several.
    digest
        The hash of its file.
    title
        What the agent calls itself.
    is_reference
        Whether it is an agent of mineproof that plays along.
    broken
        How many promises of the contract it broke; None if that could not be found out.
    promises
        Sentences about the first of these.
    failures
        What it did wrong while it played. It loses these games.
    out
        Why it is not ranked; empty if it is.
    columns
        For every game, the values that `compare` keeps of a record.
    """

    name: str
    digest: str = ""
    title: str = ""
    is_reference: bool = False
    broken: int | None = None
    promises: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    out: str = ""
    columns: tuple[tuple[float, ...], ...] = field(default=(), repr=False)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Entrant:
        """Make it again from `asdict`, as JSON keeps it."""
        failures = tuple(Failure(**each) for each in values.pop("failures"))
        promises = tuple(values.pop("promises"))
        columns = tuple(map(tuple, values.pop("columns")))
        return cls(**values, failures=failures, promises=promises, columns=columns)


@dataclass(frozen=True, slots=True)
class Standing:
    """A ranked agent.

    Parameters
    ----------
    entrant
        The agent.
    result
        Its win rate and means, with the difference from the agent that leads.
    first, last
        The places that it may have: those ahead win clearly more on the same boards.
    """

    entrant: Entrant
    result: Result
    first: int
    last: int


def entrants(folder: Path) -> list[Path]:
    """Return the files of agents in a folder, without those that begin with ``_`` or ``.``."""
    if not folder.is_dir():
        raise ValueError(f"{folder}: not a folder")
    files = sorted(file for file in folder.glob("*.py") if file.name[0] not in "._")
    if not files:
        raise ValueError(f"{folder}: no files that end in .py")
    return files


def play_tournament(
    files: Sequence[Path],
    games: TournamentGames,
    *,
    limits: Limits,
    out: Path,
    references: Sequence[str] = (),
    workers: int = 1,
    progress: Callable[[int], object] = lambda games: None,
) -> list[Entrant]:
    """Let the agents of all files play all games, each file in a process of its own.

    What is finished is kept in `out`: the same tournament goes on from there, and only files that
    have changed play again.

    Parameters
    ----------
    files
        The agents' files.
    games
        What they play.
    limits
        What an agent may use in one game.
    out
        The folder for what is finished. Agents may not read it.
    references
        The names of agents of mineproof that play along, in this process.
    workers
        How many files play at a time.
    progress
        Receives from time to time how many more games were played.
    """
    archive = _Archive(out, games, limits)
    found: dict[str, list[Entrant]] = {}
    for name in references:
        found[name] = [archive.get(name, "") or _reference(name, games)]
        archive.add(found[name])
        progress(len(games))
    stop, running = Event(), list[PlayerProcess]()
    with ThreadPoolExecutor(workers) as pool:
        cores: SimpleQueue[int | None] = SimpleQueue()
        for core in _cores(workers):
            cores.put(core)

        def work(file: Path) -> list[Entrant]:
            core = cores.get()
            try:
                process = PlayerProcess(file, limits, out, core)
                running.append(process)
                return list(_play_file(process, file, games, limits, stop, progress))
            finally:
                cores.put(core)

        waiting = {}
        for file in files:
            known = archive.of_file(file)
            if known:
                found[str(file)] = known
                progress(len(games))
            else:
                waiting[pool.submit(work, file)] = file
        try:
            for done in as_completed(waiting):
                found[str(waiting[done])] = done.result()
                archive.add(done.result())
        except BaseException:
            stop.set()
            for process in running:
                process.kill()
            pool.shutdown(cancel_futures=True)
            raise
    return [entrant for key in (*references, *map(str, files)) for entrant in found[key]]


def standings(entrants: Sequence[Entrant], games: TournamentGames) -> list[Standing]:
    """Rank all agents that are not out, the best first, by win rate or, if play goes on, score."""
    on_mine = games.setup.rules.on_mine
    ranked = [entrant for entrant in entrants if not entrant.out]
    columns = {entrant.name: np.array(entrant.columns, np.float64) for entrant in ranked}
    deciding = 0 if on_mine == "end" else 1

    def key(entrant: Entrant) -> tuple[float, float, str]:
        own = columns[entrant.name]
        return -own[deciding].mean(), -own[1].mean(), entrant.name

    ranked.sort(key=key)
    found = []
    for entrant in ranked:
        own = columns[entrant.name]
        leader = None if entrant is ranked[0] else columns[ranked[0].name]
        signs = [_clear(own, columns[other.name], on_mine) for other in ranked]
        first, last = 1 + signs.count(-1), len(ranked) - signs.count(1)
        result = result_of(entrant.name, on_mine, own, leader)
        found.append(Standing(entrant, result, first, last))
    return found


def _clear(own: NDArray[np.float64], other: NDArray[np.float64], on_mine: Any) -> int:
    """Return 1 if the first is clearly better, -1 if clearly worse, 0 if neither is clear."""
    difference = result_of("", on_mine, own, other).difference
    assert difference is not None
    return int(difference.low > 0) - int(difference.high < 0)


# ------------------------------------------------------------------------------------------ playing


def _play_file(
    process: PlayerProcess,
    file: Path,
    games: TournamentGames,
    limits: Limits,
    stop: Event,
    progress: Callable[[int], object],
) -> Iterator[Entrant]:
    digest = _digest(file)
    try:
        places = process.classes()
    except Fault as fault:
        process.end()
        progress(len(games))
        reason = f"cannot be loaded: {fault.reason}"
        yield Entrant(file.stem, digest, out=reason, failures=(_failure(None, fault),))
        return
    try:
        for place in places:
            name = file.stem if len(places) == 1 else f"{file.stem}:{place}"
            count = progress if place == places[0] else lambda games: None
            yield _play_agent(process, name, place, digest, games, limits, stop, count)
    finally:
        process.end()


def _play_agent(
    process: PlayerProcess,
    name: str,
    place: str,
    digest: str,
    games: TournamentGames,
    limits: Limits,
    stop: Event,
    progress: Callable[[int], object],
) -> Entrant:
    failures: list[Failure] = []
    title, broken, out = "", None, ""
    promises: list[str] = []
    rows: list[tuple[float, ...]] = []
    try:
        agent = RemoteAgent(process, place, limits)
        title = agent.name
        promises = _broken(process, place, limits)
        broken = len(promises)
    except (AgentError, Fault) as error:
        failures.append(_failure(None, error))
    if not title or (failures and failures[-1].kind == "cheat"):
        progress(len(games))
        out = failures[-1].reason if title else f"cannot begin: {failures[-1].reason}"
        return Entrant(name, digest, title, failures=tuple(failures), out=out)
    for number in range(len(games)):
        if stop.is_set() or out:
            break
        game = games.game(number)
        try:
            with process.watched(limits.seconds + 1):
                record = play(game, agent, seed=games.agent_seed(number))
            rows.append(_row(record))
        except (AgentError, Fault, RuntimeError, ValueError, TypeError) as error:
            failures.append(_failure(number, error))
        if len(rows) <= number:
            rows.append(_lost(game))
            if failures[-1].kind == "cheat":
                out = failures[-1].reason
            elif sum(each.game is not None for each in failures) == _STRIKES:
                out = f"failed in {counted(_STRIKES, 'game')}: {failures[-1].reason}"
        progress(1)
    progress(len(games) - len(rows))
    columns = tuple(zip(*rows, strict=True)) if rows else ()
    return Entrant(
        name, digest, title, False, broken, tuple(promises[:_TOLD]), tuple(failures), out, columns
    )


def _broken(process: PlayerProcess, place: str, limits: Limits) -> list[str]:
    """Return the promises that an agent breaks. The boards are in this process here too."""
    seconds = _CHECK * limits.seconds
    latest = monotonic() + seconds
    with process.watched(seconds + 1):
        return list(broken_promises(lambda: RemoteAgent(process, place, limits, latest)))


def _row(record: GameRecord) -> tuple[float, ...]:
    return tuple(float(getattr(record, column)) for column in COLUMNS)


def _lost(game: Game) -> tuple[float, ...]:
    """Return what counts for a game that an agent failed in: it is lost."""
    known = {"wrong_flags": game.wrong_flags, "hits": game.hits}
    return tuple(float(known.get(column, 0)) for column in COLUMNS)


def _failure(game: int | None, error: BaseException) -> Failure:
    match error:
        case Fault():
            return Failure(game, error.kind, error.reason)
        case AgentError():
            return Failure(game, "error", str(error))
        case RuntimeError():  # decisions that lead nowhere
            return Failure(game, "idle", str(error).partition(": ")[2])
    return Failure(game, "illegal", f"illegal move: {error}")  # the game refuses it


def _reference(name: str, games: TournamentGames) -> Entrant:
    agent = registry.get(name)
    records = play_games(agent, games, range(len(games)))
    columns = tuple(zip(*map(_row, records), strict=True))
    return Entrant(name, "", agent.name, True, 0, columns=columns)


def _cores(workers: int) -> list[int | None]:
    """Return a processor for each worker, so that no agent takes the time of another."""
    if not hasattr(os, "sched_getaffinity"):
        return [None] * workers
    able = sorted(os.sched_getaffinity(0))
    return [able[number % len(able)] for number in range(workers)]


def _digest(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise ValueError(f"{file}: {(error.strerror or 'unreadable').lower()}") from None


# ------------------------------------------------------------------------------- what is finished


class _Archive:
    """The finished agents of a tournament, in a file."""

    def __init__(self, folder: Path, games: TournamentGames, limits: Limits) -> None:
        self._file = folder / "tournament.json"
        self._head = {
            "format": _FORMAT,
            "conditions": conditions_dict(games.game(0)) | {"seed": games.seed, "first": None},
            "first": games.setup.first,
            "games": games.count,
            "limits": asdict(limits),
        }
        self._entrants: dict[tuple[str, str], Entrant] = {}
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            same = json.loads(json.dumps(self._head))
            if all(kept[key] == value for key, value in same.items()):
                self._keep([Entrant.from_dict(each) for each in kept["agents"]])

    def get(self, name: str, digest: str) -> Entrant | None:
        return self._entrants.get((name, digest))

    def of_file(self, file: Path) -> list[Entrant]:
        digest = _digest(file)
        return [
            entrant
            for entrant in self._entrants.values()
            if entrant.digest == digest and entrant.name.partition(":")[0] == file.stem
        ]

    def add(self, entrants: Sequence[Entrant]) -> None:
        self._keep(entrants)
        agents = [asdict(entrant) for entrant in self._entrants.values()]
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps({**self._head, "agents": agents}), encoding="utf-8")
        fresh.replace(self._file)

    def _keep(self, entrants: Sequence[Entrant]) -> None:
        self._entrants |= {(entrant.name, entrant.digest): entrant for entrant in entrants}


def kept_seed(out: Path) -> int | None:
    """Return the seed of the tournament that is kept in a folder, if there is one."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return check_seed(json.loads((out / "tournament.json").read_text())["conditions"]["seed"])
    return None
