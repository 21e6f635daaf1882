"""A tournament: every agent of a folder plays the same games, within limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.agents import registry
from mineproof.arena.bulk import play_games
from mineproof.arena.compare import COLUMNS, Result, result_of
from mineproof.arena.contract import broken_promises
from mineproof.arena.play import play
from mineproof.arguments import counted
from mineproof.errors import AgentFailed
from mineproof.game.game import Game
from mineproof.game.records import GameRecord
from mineproof.tournament import sandbox
from mineproof.tournament.archive import FILES, Archive
from mineproof.tournament.entrant import Entrant, Failure
from mineproof.tournament.games import TournamentGames
from mineproof.tournament.limits import Limits
from mineproof.tournament.messages import shown
from mineproof.tournament.process import (
    Deadline,
    Fault,
    PlayerProcess,
    RemoteAgent,
)

__all__ = ["Standing", "entrants", "play_tournament", "standings"]

_MOST_AGENTS: Final = 16
"""How many agents a file may have: each takes time from the others."""
_STRIKES: Final = 3
"""How many games an agent may fail in before it is out."""
_CHECK: Final = 10
"""How many times the limit of a game the check of the contract may take."""
_TOLD: Final = 20
"""How many broken promises are kept."""
_LONGEST: Final = 600
"""The longest sentence about one, in characters."""


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
    try:
        # Unlike `glob`, this does not pass over a folder that it may not read.
        inside = sorted(folder.iterdir())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"cannot read {folder}: {reason}") from None
    files = [file for file in inside if file.suffix == ".py" and file.name[0] not in "._"]
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
    digests, found = dict[Path, str](), dict[str | Path, list[Entrant]]()
    for file in files:
        try:
            digests[file] = _digest(file)
        except OSError as error:
            reason = f"cannot be loaded: {(error.strerror or str(error)).lower()}"
            found[file] = [Entrant(shown(file.stem), out=reason, file=file.stem)]
    if limits.isolated and digests:
        sandbox.check(next(iter(digests)))
    archive = Archive(out, games, limits)
    for file, digest in digests.items():
        found[file] = archive.find(file.stem, digest)
    for name in references:
        found[name] = archive.reference(name)
    progress(len(games) * sum(bool(known) for known in found.values()))
    missing = [key for key, known in found.items() if not known]
    with archive.hidden() if missing else nullcontext():
        for name in references:
            if not found[name]:
                found[name] = [_reference(name, games)]
                archive.add(found[name])
                progress(len(games))
        waiting = {file: digest for file, digest in digests.items() if not found[file]}
        with closing(_play_files(waiting, games, limits, out, workers, progress)) as finished:
            for file, played in finished:
                found[file] = played
                archive.add(played)
    keys: tuple[str | Path, ...] = (*references, *files)
    return [entrant for key in keys for entrant in found[key]]


def standings(entrants: Sequence[Entrant], games: TournamentGames) -> list[Standing]:
    """Rank all agents that are not out, the best first, by win rate or, if play goes on, score."""
    on_mine = games.setup.rules.on_mine
    deciding = 0 if on_mine == "end" else 1
    # By place and not by name: a file may be called like an agent of mineproof.
    ranked = [
        (entrant, np.array(entrant.columns, np.float64)) for entrant in entrants if not entrant.out
    ]

    def key(each: tuple[Entrant, NDArray[np.float64]]) -> tuple[float, float, str]:
        entrant, own = each
        return -own[deciding].mean(), -own[1].mean(), entrant.name

    ranked.sort(key=key)
    found = []
    for place, (entrant, own) in enumerate(ranked):
        signs = [_clear(own, other, on_mine) for _, other in ranked]
        first, last = 1 + signs.count(-1), len(ranked) - signs.count(1)
        result = result_of(entrant.name, on_mine, own, ranked[0][1] if place else None)
        found.append(Standing(entrant, result, first, last))
    return found


def _clear(own: NDArray[np.float64], other: NDArray[np.float64], on_mine: Any) -> int:
    """Return 1 if the first is clearly better, -1 if clearly worse, 0 if neither is clear."""
    difference = result_of("", on_mine, own, other).difference
    assert difference is not None
    return int(difference.low > 0) - int(difference.high < 0)


# ------------------------------------------------------------------------------------------ playing


def _play_files(
    files: Mapping[Path, str],
    games: TournamentGames,
    limits: Limits,
    out: Path,
    workers: int,
    progress: Callable[[int], object],
) -> Generator[tuple[Path, list[Entrant]], None, None]:
    """Let files play, some at a time, and yield them in the order they finish.

    Each has a digest; agents may change their files while they play.
    """
    stop, running = Event(), list[PlayerProcess]()
    cores: SimpleQueue[set[int]] = SimpleQueue()
    for core in _cores(workers):
        cores.put(core)

    def settle() -> None:
        """Let a worker and the processes that it starts use one processor."""
        with suppress(OSError, AttributeError):
            os.sched_setaffinity(0, cores.get())

    def work(file: Path) -> list[Entrant]:
        process = PlayerProcess(file, limits, [out / name for name in FILES])
        running.append(process)
        entrant = Entrant(shown(file.stem), files[file], file=file.stem)
        return list(_play_file(process, entrant, games, limits, stop, progress))

    with ThreadPoolExecutor(workers, initializer=settle) as pool:
        waiting = {pool.submit(work, file): file for file in files}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            stop.set()
            for process in running:
                process.kill()
            pool.shutdown(cancel_futures=True)
            raise


def _play_file(
    process: PlayerProcess,
    entrant: Entrant,
    games: TournamentGames,
    limits: Limits,
    stop: Event,
    progress: Callable[[int], object],
) -> Iterator[Entrant]:
    try:
        places = process.classes()
        if len(places) > _MOST_AGENTS:
            raise Fault("illegal", f"it has {len(places)} agents, at most {_MOST_AGENTS} may play")
        for place in places:
            own = entrant
            if len(places) > 1:
                own = replace(entrant, name=f"{entrant.name}:{shown(place)}")
            count = progress if place == places[0] else lambda games: None
            yield _play_agent(process, own, place, games, limits, stop, count)
    except Fault as fault:
        progress(len(games))
        reason = f"cannot be loaded: {fault.reason}"
        yield replace(entrant, out=reason, failures=(_failure(None, fault),))
    finally:
        process.end()


def _play_agent(
    process: PlayerProcess,
    entrant: Entrant,
    place: str,
    games: TournamentGames,
    limits: Limits,
    stop: Event,
    progress: Callable[[int], object],
) -> Entrant:
    failures: list[Failure] = []
    try:
        agent = RemoteAgent(process, place, limits)
    except (AgentFailed, Fault) as error:
        progress(len(games))
        failure = _failure(None, error)
        return replace(entrant, out=f"cannot begin: {failure.reason}", failures=(failure,))
    entrant = replace(entrant, title=agent.name)
    try:
        agent.check_topology(games.setup.topology)
    except ValueError as error:
        progress(len(games))
        return replace(entrant, out=shown(error))
    try:
        promises = _broken(process, place, limits)
        entrant = replace(entrant, broken=len(promises), promises=tuple(promises[:_TOLD]))
    except (AgentFailed, Fault) as error:
        failures.append(_failure(None, error))
    out = _verdict(failures)
    rows: list[tuple[float, ...]] = []
    for number in range(len(games)):
        if stop.is_set() or out:
            break
        game = games.game(number)
        try:
            rows.append(_row(play(game, agent, seed=games.agent_seed(number))))
        except (AgentFailed, Fault) as error:
            rows.append(_lost(game))
            failures.append(_failure(number, error))
            out = _verdict(failures)
        progress(1)
    progress(len(games) - len(rows))
    columns = tuple(zip(*rows, strict=True))
    return replace(entrant, failures=tuple(failures), out=out, columns=columns)


def _verdict(failures: Sequence[Failure]) -> str:
    """Return why an agent is out after what it did last, if it is."""
    if failures and failures[-1].kind == "cheat":
        return failures[-1].reason
    if sum(each.game is not None for each in failures) == _STRIKES:
        return f"failed in {counted(_STRIKES, 'game')}: {failures[-1].reason}"
    return ""


def _broken(process: PlayerProcess, place: str, limits: Limits) -> list[str]:
    """Return the promises that an agent breaks. The boards are in this process here too."""
    latest = Deadline.after(_CHECK * limits.seconds)
    found = broken_promises(lambda: RemoteAgent(process, place, limits, latest))
    return [shown(sentence, _LONGEST) for sentence in found]


def _row(record: GameRecord) -> tuple[float, ...]:
    return tuple(float(getattr(record, column)) for column in COLUMNS)


def _lost(game: Game) -> tuple[float, ...]:
    """Return what counts for a game that an agent failed in: it is lost."""
    known = {"wrong_flags": game.wrong_flags, "hits": game.hits}
    return tuple(float(known.get(column, 0)) for column in COLUMNS)


def _failure(game: int | None, error: AgentFailed | Fault) -> Failure:
    match error:
        case Fault():
            return Failure(game, error.kind, error.reason)
        case AgentFailed():
            return Failure(game, error.kind, shown(error.reason))


def _reference(name: str, games: TournamentGames) -> Entrant:
    agent = registry.get(name)
    records = play_games(agent, games, range(len(games)))
    columns = tuple(zip(*map(_row, records), strict=True))
    return Entrant(name, "", agent.name, True, 0, columns=columns)


def _cores(workers: int) -> list[set[int]]:
    """Return a processor for each worker, so that no agent takes the time of another."""
    if not hasattr(os, "sched_getaffinity"):
        return [set()] * workers
    able = sorted(os.sched_getaffinity(0))
    return [{able[number % len(able)]} for number in range(workers)]


def _digest(file: Path) -> str:
    """Return the hash of a file; `OSError` if it is none that can be read to its end."""
    if file.exists() and not file.is_file():
        raise OSError("not a file")
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
