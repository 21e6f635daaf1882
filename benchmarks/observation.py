"""`game.observation`: looking at a game must cost less than inferring from what is seen."""

from __future__ import annotations

from functools import partial
from itertools import count, islice
from statistics import median

from benchmarks.peer import risk
from benchmarks.positions import play_certain
from benchmarks.report import Report, Track, Value, at_most
from benchmarks.timing import side_by_side
from mineproof import Game, Observation

LEVELS = ("beginner", "intermediate", "expert")
GAMES = 30


def stuck_game(level: str, seed: int) -> Game | None:
    """Return a game in which no further move is certain; None if certain moves win it."""
    game = Game.level(level, seed=seed)
    return game if play_certain(game) else None


def run(track: Track, quick: bool = False) -> Report:
    """Look at games where certain moves have run out, and infer from what is seen."""
    rows: list[tuple[Value, ...]] = []
    for level in track(LEVELS[:1] if quick else LEVELS, "observation"):
        found = (game for seed in count() if (game := stuck_game(level, seed)))
        seconds = []
        for game in islice(found, 2 if quick else GAMES):

            def look(game: Game = game) -> Observation:
                return game.observation

            ours, theirs = side_by_side(look, partial(risk, look()), calls=20)
            seconds.append((ours.warm, theirs.warm))
        looking, inferring = (median(each) * 1e6 for each in zip(*seconds, strict=True))
        ratio = median(one / other for one, other in seconds)
        rows.append((level, len(seconds), looking, inferring, ratio))
    worst = max(float(row[-1]) for row in rows)
    return Report(
        "observation: microseconds, medians over games where no move is certain",
        ("level", "games", "game.observation", "infer", "ratio"),
        tuple(rows),
        (at_most("game.observation against infer, largest ratio", worst, 1.0, timed=True),),
    )
