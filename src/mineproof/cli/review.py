"""`mineproof review`: what each guess of a game cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

import click

from mineproof import search
from mineproof.arena.narration import conditions, conditions_dict
from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.output import html_page, print_wrapped
from mineproof.cli.positions import chosen, for_each, number_option, read_file
from mineproof.cli.progress import progress_bar
from mineproof.draw import board_svg
from mineproof.formats import read_entries
from mineproof.game import Board, Transcript
from mineproof.inference import infer
from mineproof.search import Judged, Review
from mineproof.writing import write_whole

_SAMPLES: Final = 100
_PICTURES: Final = 40
"""A page draws at most this many decisions."""
_SHOWN: Final = ("forced", "needless")


@click.command()
@click.argument("file", type=options.FILE)
@number_option
@click.option(
    "--samples",
    type=options.Whole(0, 100_000),
    default=_SAMPLES,
    metavar="N",
    help="How many boards to draw to estimate a chance to win that cannot be computed. With 0, the "
    "judge is the risk alone, which is fast.",
)
@click.option("--all", "all_moves", is_flag=True, help="Also show the moves that were certain.")
@options.html
@options.as_json
def review(
    file: str,
    number: int | None,
    samples: int,
    all_moves: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Tell what each guess of a game cost.

    FILE is a game as text, as `mineproof watch --save` writes it and the page in the browser copies
    it, or a replay in a format that `mineproof convert --help` lists; - is standard input.

    Every opening is judged by what could be known. A guess is forced if no cell was certainly safe
    and none wins clearly more often; otherwise it cost something. The judge is the chance to win
    of the agent champion. With --samples 0, and in games that go on after a mine, it is the risk.

    Exit codes: 2 bad input, 3 no layout fits, 4 too wide to answer.
    """
    games = chosen(read_file(file, _games), number)

    def show(game: Transcript) -> None:
        with progress_bar(len(game.moves), "moves") as advance:
            found = search.review(game, samples=samples, progress=lambda done, total: advance(1))
        if html is not None:
            write_whole(html, _page(game, found, all_moves))
        if as_json:
            print(json.dumps(_entry(game, found), allow_nan=False))
        else:
            _print(game, found, all_moves)

    for_each(games, show, {"html": html, "as_json": as_json})


def _games(data: bytes, file: str) -> list[Transcript]:
    entries = read_entries(data, file)
    for number, entry in enumerate(entries):
        if not isinstance(entry, Transcript):
            kind = "board" if isinstance(entry, Board) else "position"
            raise ValueError(f"entry {number}: a {kind}, not a game")
    return [entry for entry in entries if isinstance(entry, Transcript)]


def _entry(game: Transcript, found: Review) -> dict[str, Any]:
    outcome = None if game.outcome is None else game.outcome.value
    return {"conditions": conditions_dict(game), "outcome": outcome, **found.to_dict()}


def _shown(found: Review, all_moves: bool) -> list[Judged]:
    return [one for one in found.judged if all_moves or one.verdict in _SHOWN]


def _title(game: Transcript) -> str:
    authors = dict.fromkeys(move.by for move in game.moves if move.by)
    outcome = "not over" if game.outcome is None else game.outcome.value
    return f"{', '.join(authors) or 'A game'}: {conditions(game)}; {outcome}"


def _line(one: Judged) -> str:
    """Return the move, what to think of it, what it cost and what luck did."""
    parts = [f"Move {one.move}, {one.by}: {one}" if one.by else f"Move {one.move}: {one}"]
    if one.chosen is not None and one.verdict in _SHOWN:
        cost = f"Cost {100 * one.cost:.1f} points" if one.cost else "Cost nothing"
        luck = f", luck {100 * one.luck:+.0f}" if one.after is not None else ""
        parts.append(f"{cost}{luck}.")
    return " ".join(parts)


def _print(game: Transcript, found: Review, all_moves: bool) -> None:
    print_wrapped(_title(game), style="bold")
    print_wrapped(*str(found).splitlines())
    if shown := _shown(found, all_moves):
        print()
    for one in shown:
        print_wrapped(_line(one), hanging="  ")


def _page(game: Transcript, found: Review, all_moves: bool) -> str:
    return html_page("Review of a game", "\n".join(_body(game, found, all_moves)))


def _body(game: Transcript, found: Review, all_moves: bool) -> Iterator[str]:
    yield f"<h1>Review</h1>\n<p><strong>{escape(_title(game))}</strong></p>"
    yield from (f"<p>{escape(line)}</p>" for line in str(found).splitlines())
    shown = _shown(found, all_moves)
    # The costliest are drawn, in the order of the game.
    drawn = sorted(shown, key=lambda one: (-one.cost, -one.needless, -one.risk))[:_PICTURES]
    pictured = {one.move for one in drawn}
    if drawn:
        yield "<p>The pictures show the risks before each move; a dashed frame marks the move.</p>"
    for one in shown:
        yield f"<h2>Move {one.move}</h2>\n<p>{escape(_line(one).partition(': ')[2])}</p>"
        if one.move in pictured:
            seen = game.observation(one.move)
            yield board_svg(seen, infer(seen), marked=[one.cell])
    if len(shown) > len(drawn):
        yield f"<p>Only the costliest {counted(_PICTURES, 'decision')} are drawn.</p>"
