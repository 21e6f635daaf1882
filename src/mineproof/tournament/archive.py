"""What is finished of a tournament, in a file, so that it can go on later."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from mineproof.arena.narration import conditions_dict
from mineproof.random import check_seed
from mineproof.tournament import keeper
from mineproof.tournament.entrant import Entrant
from mineproof.tournament.games import TournamentGames
from mineproof.tournament.limits import Limits

__all__ = ["FILES", "PAGE", "Archive", "kept_seed"]

PAGE: Final = "index.html"
_NAME: Final = "tournament.json"
FILES: Final = (_NAME, "tournament.new", PAGE)
"""The files in the folder of a tournament that agents may not read."""

_FORMAT: Final = 2


class Archive:
    """The finished agents of a tournament."""

    def __init__(self, folder: Path, games: TournamentGames, limits: Limits) -> None:
        self._folder, self._file, self._seed = folder, folder / _NAME, games.seed
        self._head = {
            "format": _FORMAT,
            "conditions": conditions_dict(games.game(0)) | {"seed": games.seed, "first": None},
            "first": games.setup.first,
            "games": games.count,
            "limits": asdict(limits),
        }
        self._finished: dict[tuple[str, str, str], list[Entrant]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(keeper.unsealed(self._file.read_text(encoding="utf-8"), games.seed))
            same = json.loads(json.dumps(self._head))
            if all(kept[key] == value for key, value in same.items()):
                for entrant in map(Entrant.from_dict, kept["agents"]):
                    self._finished.setdefault(_key(entrant), []).append(entrant)

    def find(self, file: str, digest: str) -> list[Entrant]:
        """Return the finished agents of a file with these contents, in their order."""
        return self._finished.get((file, digest, ""), [])

    def reference(self, name: str) -> list[Entrant]:
        """Return an agent of mineproof if it has finished."""
        return self._finished.get(("", "", name), [])

    def add(self, entrants: Sequence[Entrant]) -> None:
        """Keep all agents of a file. Nobody can read them before the tournament ends."""
        if entrants:
            self._finished[_key(entrants[0])] = [*entrants]
        agents = [asdict(each) for entrants in self._finished.values() for each in entrants]
        text = json.dumps({**self._head, "agents": agents})
        keeper.replace(self._file, keeper.sealed(text, self._seed))

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the seed and all results while agents play."""
        script = [sys.executable, "-I", "-S", keeper.__file__, str(self._file.resolve())]
        with ExitStack() as stack:
            # The other process breaks the seal if this one is killed.
            stack.callback(keeper.break_seal, self._file, self._seed)
            process = stack.enter_context(
                subprocess.Popen(
                    script,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )
            assert process.stdin is not None
            process.stdin.write(f"{self._seed}\n".encode())
            process.stdin.flush()
            self.add(())
            # The page of an earlier run names the seed.
            (self._folder / PAGE).unlink(missing_ok=True)
            yield


def _key(entrant: Entrant) -> tuple[str, str, str]:
    return entrant.file, entrant.digest, entrant.name if entrant.is_reference else ""


def kept_seed(out: Path) -> int | None:
    """Return the seed of the tournament that is kept in a folder, if there is one."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return check_seed(json.loads((out / _NAME).read_text())["conditions"]["seed"])
    return None
